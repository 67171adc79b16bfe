//! Views of subjects and relations.

use serde::{Deserialize, Serialize};
use specta::Type;

use crate::vault::view::PageRow;
use crate::view::memory::{MemoryDetail, MemoryRow};
use crate::view::story_time::StoryTime;
use crate::vocabulary::{Curator, Scope};

/// A subject of the world in a list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct SubjectRow {
    /// Id of its named entry.
    pub id: String,
    /// Kind of subject, such as "character".
    pub kind: String,
    pub name: String,
    /// Other names.
    pub aliases: Vec<String>,
    /// False if nothing is written about it yet.
    pub has_text: bool,
    /// Number of relations and memories that are linked to it.
    pub links: u32,
    /// Time of the last change.
    pub updated_at: String,
}

/// The subjects of a world.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct SubjectList {
    /// By name.
    pub rows: Vec<SubjectRow>,
    /// The kinds that are offered, then the other ones that are in use.
    pub kinds: Vec<String>,
    /// Pages whose front matter names a type, and pages of the subjects, by title.
    pub pages: Vec<SubjectPage>,
}

/// A page of a linked vault among the subjects.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct SubjectPage {
    pub page: PageRow,
    /// Id of the subject whose page it is, because it has its name; `null` if it stands for itself.
    pub subject_id: Option<String>,
}

/// A link of a page, or of several, as an edge of the graph.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
pub struct PageEdge {
    /// Id of the subject whose page it starts at, else of the page.
    pub from: String,
    /// Id of the subject whose page it leads to, else of the page.
    pub to: String,
}

/// A name that recurs in texts and is no name of an entry.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct NameSuggestion {
    /// As it is written.
    pub name: String,
    /// Number of memories and messages that have it.
    pub texts: u32,
}

/// A relation without its text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
pub struct EdgeView {
    /// Id of the memory that states it.
    pub id: String,
    /// What it says, such as "sister of".
    pub relation: String,
    /// Id of the subject that it starts at.
    pub from: String,
    /// Id of the subject that it leads to.
    pub to: String,
}

/// All subjects and the relations between them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct GraphView {
    /// The subjects, by name.
    pub nodes: Vec<SubjectRow>,
    /// The relations, the most important first.
    pub edges: Vec<EdgeView>,
    /// True if there are more relations than the graph takes.
    pub more: bool,
    /// Pages whose front matter names a type, and pages of the subjects, by title. None through a lens.
    pub pages: Vec<SubjectPage>,
    /// The links between them.
    pub page_edges: Vec<PageEdge>,
}

/// A relation as seen from one of its ends.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct RelationView {
    /// Id of the memory that states it.
    pub id: String,
    /// Version, required for edits.
    pub version: u32,
    /// What it says, such as "sister of".
    pub relation: String,
    /// True if it starts at the subject that was asked for.
    pub outgoing: bool,
    /// The other end.
    pub other: SubjectRow,
    /// When it holds in the story.
    pub story_time: Option<StoryTime>,
    /// The text of the memory.
    pub content: String,
    /// Owner of the memory.
    pub curator: Curator,
    /// Tier of the memory.
    pub scope: Scope,
    /// Name of its channel, if it is of one.
    pub channel_name: Option<String>,
}

/// A subject with what is linked to it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct SubjectView {
    /// The fields of a list row.
    pub row: SubjectRow,
    /// Its named entry.
    pub memory: MemoryDetail,
    /// Relations to other subjects.
    pub relations: Vec<RelationView>,
    pub about: Vec<MemoryRow>,
    /// What not everybody knows and it does, the most important first.
    pub knows: Vec<MemoryRow>,
    /// True if more is linked to it than is listed.
    pub more: bool,
    /// Pages with its name, by title.
    pub pages: Vec<PageRow>,
}

/// A new relation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct NewRelation {
    /// Id of the subject that it starts at.
    pub from: String,
    /// What it says.
    pub relation: String,
    /// Id of the subject that it leads to.
    pub to: String,
    /// A text of its own; empty or `null` for a sentence of the three.
    pub content: Option<String>,
    /// Id of the channel whose readers alone see it; the whole workspace if `null`.
    pub channel_id: Option<String>,
}
