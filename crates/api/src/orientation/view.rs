//! Views of orientations and the ledger.

use crate::{
    layer::{LayerBudget, OrientationLayer},
    search::parts::Contribution,
    vault::view::PageRow,
    view::{lens::LensSpec, memory::MemoryRow},
    vocabulary::{Curator, mirror},
};
use inklings_domain as domain;
use serde::{Deserialize, Serialize};
use specta::Type;
use specta_typescript::Number;

/// Reason why an item was left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "snake_case")]
pub enum LeftOutRule {
    /// The token budget was used up.
    Budget,
    /// It was beyond the maximum number of items of its layer.
    Limit,
    /// It duplicates another item.
    Repeats,
    /// The refinement by the language model dropped it.
    Refined,
    /// The knower of the lens does not know it.
    Unknown,
    /// It is later in the story than the lens.
    NotThen,
}

/// Kind of an item.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "snake_case")]
pub enum OrientationKind {
    /// A memory entry.
    Memory,
    Fact,
    Episode,
    Message,
    /// A pattern of what agents do.
    Pattern,
    /// A page of a linked vault.
    Page,
}

/// An item that was selected or considered.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct OrientationItem {
    /// Source of the item.
    pub layer: OrientationLayer,
    pub kind: OrientationKind,
    pub id: String,
    /// Start of its current text; empty if it does not exist any more.
    pub label: String,
    /// Owner of the entry.
    pub curator: Option<Curator>,
    /// Importance, in [0, 1].
    #[specta(type = Option<Number>)]
    pub importance: Option<f64>,
    /// Relevance after decay at that time.
    #[specta(type = Option<Number>)]
    pub relevance: Option<f64>,
    /// Its age at that time, in whole days.
    pub age_days: Option<u32>,
    /// Tokens that it uses or would have used.
    pub tokens: u32,
    /// True if it was selected.
    pub taken: bool,
    /// True if its text was cut to fit.
    pub shortened: bool,
    /// Reason why it was left out.
    pub rule: Option<LeftOutRule>,
    /// Id of the item that it duplicates.
    pub repeats: Option<String>,
    /// Score in its layer's search.
    #[specta(type = Option<Number>)]
    pub score: Option<f64>,
    /// Contributions of the ranked lists of that search.
    pub parts: Vec<Contribution>,
}

/// A recorded or previewed orientation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct OrientationView {
    /// Its id in the ledger; `null` for a preview.
    pub id: Option<String>,
    /// Id of the conversation whose turn it was made for.
    pub conversation_id: Option<String>,
    /// Id of the answer that it was made for.
    pub message_id: Option<String>,
    /// The query that it was made for.
    pub query: String,
    pub at: String,
    /// Token budget.
    pub budget: u32,
    /// Tokens used.
    pub tokens: u32,
    /// All layers, in order.
    pub layers: Vec<LayerBudget>,
    /// The items considered.
    pub items: Vec<OrientationItem>,
    /// True if the items left out were deleted from the ledger.
    pub thinned: bool,
    /// The document; only for previews.
    pub markdown: Option<String>,
}

/// An orientation as a list row.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct OrientationSummary {
    pub id: String,
    /// Id of the answer that it was made for.
    pub message_id: Option<String>,
    /// Start of the query.
    pub query: String,
    pub at: String,
    /// Tokens used.
    pub tokens: u32,
    /// Token budget.
    pub budget: u32,
    /// Number of items selected.
    pub taken: u32,
    /// Number of items left out.
    pub left_out: u32,
}

/// A page of a conversation's ledger.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct OrientationPage {
    /// Orientations, newest first.
    pub rows: Vec<OrientationSummary>,
    /// Cursor of the next page; `null` at the end.
    pub next: Option<String>,
}

mirror!(
    /// Operation of a recorded read.
    ReadThrough = domain::orientation::shown::Through {
        Search, Entry, History, NamedList, Named, Facts, Orientation, Conversations, Transcript, Notes,
        ScrubPreview, Telemetry, Page,
    }
);

mirror!(
    /// Kind of an item of a read.
    ReadKind = domain::orientation::shown::SeenKind {
        Memory, Fact, Episode, Message, Conversation, Pattern, Page,
    }
);

/// An item of a recorded read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ReadItem {
    pub kind: ReadKind,
    pub id: String,
    /// The version that was read; 0 for items without versions.
    pub version: u32,
    /// Start of its current text; empty if it does not exist any more.
    pub label: String,
}

/// A recorded read by a client or by a tool in a turn.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ReadView {
    pub id: String,
    pub at: String,
    /// Name of the client; `null` for the World Agent.
    pub client: Option<String>,
    /// The operation.
    pub through: ReadThrough,
    /// Id of the conversation that was read, or whose turn made the read.
    pub conversation_id: Option<String>,
    /// Id of the message with the tool's result.
    pub message_id: Option<String>,
    /// Number of items read.
    pub count: u32,
    /// The first items. Scratchpad notes are only counted.
    pub items: Vec<ReadItem>,
}

/// A page of reads.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ReadPage {
    /// Reads, newest first.
    pub rows: Vec<ReadView>,
    /// Cursor of the next page; `null` at the end.
    pub next: Option<String>,
}

/// Request for an orientation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct OrientRequest {
    /// Conversation, by id or reference code.
    pub conversation: Option<String>,
    /// Id of the channel in scope if no conversation is given.
    pub channel_id: Option<String>,
    /// A message, as the next one of the conversation; empty: its newest.
    pub query: String,
    /// Token budget that overrides the setting.
    pub budget: Option<u32>,
    /// Whose knowledge is shown, and up to when the story has happened; `null`: the lens of the conversation. A lens without both
    /// shows everything.
    pub lens: Option<LensSpec>,
}

mirror!(
    /// Rule that decided about an entry.
    WhyRule = domain::orientation::Rule {
        Taken, Budget, Limit, Repeats, Refined, Unknown, NotThen, Forgotten, OutOfReach, Blank,
        LayerFailed, NoMatch, Folded, BehindTheCut, BeyondTheLists, Gone, LensGone, ChannelGone,
    }
);

/// Question about one entry or page in an orientation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct WhyRequest {
    /// Id of the entry or page.
    pub id: String,
    /// Id of a recorded orientation; if given, `orient` is ignored.
    pub orientation_id: Option<String>,
    /// The orientation that is asked about otherwise.
    pub orient: OrientRequest,
}

/// Why an orientation holds an entry or a page, or does not.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct WhyView {
    /// The entry as it is now; `null` for a page.
    pub row: Option<MemoryRow>,
    /// The page as it is now; `null` for an entry.
    pub page: Option<PageRow>,
    /// The layer that decided.
    pub layer: OrientationLayer,
    pub rule: WhyRule,
    /// True if it was selected and its text was cut to fit.
    pub shortened: bool,
    /// Id of the item that says the same.
    pub other_id: Option<String>,
    /// Start of that item's current text; empty if it does not exist any more.
    pub other_label: Option<String>,
    /// True if it is a named entry that found no room among the named entries, and competed in its tier.
    pub named_without_room: bool,
    /// Rank in the order of the layer, from 1; `null` if it has none.
    pub rank: Option<u32>,
    /// Number of entries in that order; `null` if it was not recorded.
    pub of: Option<u32>,
    /// Score in the layer's search.
    #[specta(type = Option<Number>)]
    pub score: Option<f64>,
    /// Contributions of the ranked lists of that search.
    pub parts: Vec<Contribution>,
    /// Tokens that it uses or would have used, if it was a candidate.
    pub tokens: Option<u32>,
    /// Tokens allotted to the layer.
    pub layer_budget: u32,
    /// Tokens that the layer used.
    pub layer_used: u32,
    /// True if the ledger recorded this; false if it was worked out now.
    pub recorded: bool,
}

/// Relative shares of the budget that named entries leave.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
pub struct OrientationShares {
    /// Share of subjects and relations.
    pub subjects: u32,
    pub facts: u32,
    pub episodes: u32,
    /// Share of earlier messages.
    pub earlier: u32,
    /// Share of the conversation tier.
    pub conversation: u32,
    /// Share of the channel tier.
    pub channel: u32,
    /// Share of the workspace tier.
    pub workspace: u32,
    /// Share of the account tier.
    pub account: u32,
    /// Share of pages of linked vaults.
    pub pages: u32,
    /// Share of the patterns of what agents do.
    pub patterns: u32,
}

/// Settings of orientation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct OrientationSettings {
    /// Token budget of the document; 0 for a third of the model's context window.
    pub budget: u32,
    /// Percentage of the budget that named entries may take, 0 to 90; VOICE and SOUL are shown even beyond it.
    pub named: u32,
    /// Shares of the layers.
    pub shares: OrientationShares,
    /// True to let the language model drop irrelevant items.
    pub refine: bool,
}
