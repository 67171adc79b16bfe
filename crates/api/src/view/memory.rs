//! Views of memory entries.

use chrono::{DateTime, Utc};
use inklings_application::{derivation::Provenance, memory::write, session::DecayModel};
use inklings_domain::{
    forget_reason,
    memory::{self as domain, link::LinkRole, text_source::OthersWords},
};
use inklings_ports::memory::store::{HistoryVersion, StoredEntry};
use serde::{Deserialize, Serialize};
use specta::Type;
use specta_typescript::Number;

use super::preview::{PREVIEW_CHARS, PlaceNames, head};
use crate::derivation::{
    self,
    view::{AxesView, SourceView},
};
use crate::format::{count, time};
use crate::view::lens::KnowerView;
use crate::view::story_time::StoryTime;
use crate::vocabulary::{ActorKind, ChangeAction, Curator, Interface, Kind, Lifetime, Scope};

/// An entry in a list.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct MemoryRow {
    /// Id of the entry.
    pub id: String,
    /// Its tier.
    pub scope: Scope,
    /// Intended lifetime.
    pub lifetime: Lifetime,
    /// Owner of the entry.
    pub curator: Curator,
    /// The actor that produced it.
    pub source: String,
    /// Note or archive.
    pub kind: Kind,
    /// Its name, for a named entry.
    pub name: Option<String>,
    pub title: Option<String>,
    /// The first [`PREVIEW_CHARS`](super::preview::PREVIEW_CHARS) characters of its content.
    pub preview: String,
    /// Importance, in [0, 1].
    #[specta(type = Number)]
    pub importance: f64,
    /// Current relevance after decay.
    #[specta(type = Number)]
    pub relevance: f64,
    pub tags: Vec<String>,
    /// Creation time.
    pub created_at: String,
    /// Time of the last change.
    pub updated_at: String,
    /// Time of the last retrieval for an agent, or write.
    pub accessed_at: String,
    /// Number of retrievals for agents.
    pub access_count: u32,
    pub channel_id: Option<String>,
    pub channel_name: Option<String>,
    pub conversation_id: Option<String>,
    /// Reference code of its conversation.
    pub conversation_ref: Option<String>,
    /// Exempt from decay and automatic changes.
    pub pinned: bool,
    /// Version, required for edits.
    pub version: u32,
    /// True if it has a vector.
    pub has_embedding: bool,
    /// Time at which it was forgotten, if it is.
    pub forgotten_at: Option<String>,
}

impl MemoryRow {
    /// Converts an entry to a list row.
    pub fn of(stored: &StoredEntry, relevance: f64, places: &PlaceNames) -> Self {
        let entry = &stored.entry;
        let channel = entry.place.channel();
        let conversation = entry.place.conversation();
        Self {
            id: entry.id.to_string(),
            scope: entry.scope().into(),
            lifetime: entry.lifetime.into(),
            curator: entry.curator.into(),
            source: entry.source.clone(),
            kind: entry.kind.into(),
            name: entry.name.clone(),
            title: entry.title.clone(),
            preview: head(&entry.content, PREVIEW_CHARS),
            importance: entry.importance.get(),
            relevance,
            tags: entry.tags.clone(),
            created_at: time(entry.created_at),
            updated_at: time(entry.updated_at),
            accessed_at: time(entry.accessed_at),
            access_count: count(entry.access_count),
            channel_id: channel.map(|id| id.to_string()),
            channel_name: channel.and_then(|id| places.channels.get(&id).cloned()),
            conversation_id: conversation.map(|id| id.to_string()),
            conversation_ref: conversation
                .and_then(|id| places.conversations.get(&id))
                .map(|conversation| conversation.ref_code.to_string()),
            pinned: entry.pinned,
            version: count(entry.version),
            has_embedding: stored.embedded_by.is_some(),
            forgotten_at: entry.forgotten.as_ref().map(|forgotten| time(forgotten.at)),
        }
    }
}

/// Origin of an imported entry.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct Origin {
    /// Its id in the source.
    pub external_id: Option<String>,
    /// The session in the source.
    pub session: Option<String>,
    /// Name of the speaker.
    pub speaker: Option<String>,
    /// Timestamp in the format of the source.
    pub said_at: Option<String>,
}

/// State of a forgotten entry.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct Forgotten {
    pub at: String,
    /// Reason code.
    pub reason: ForgetReason,
    /// Note of the user who forgot it, or the name of the world that it was moved to.
    pub note: Option<String>,
    /// Id of the run that forgot it.
    pub run_id: Option<String>,
}

impl Forgotten {
    /// Reason as text: the note, or the text of the reason code.
    pub fn words(&self) -> String {
        match (&self.note, self.reason) {
            (Some(world), ForgetReason::Moved) => format!("it was moved to the world '{world}'"),
            (Some(note), _) => note.clone(),
            (None, reason) => reason.words(),
        }
    }
}

/// Mirrors the reasons of the domain: same variants, snake case in JSON. The note is a separate field.
macro_rules! reasons {
    ($($(#[$doc:meta])* $variant:ident),+ $(,)?) => {
        /// Why an entry was forgotten.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
        #[serde(rename_all = "snake_case")]
        pub enum ForgetReason {
            /// A user requested it.
            Asked,
            /// The worldbuilder moved it into another database, where a new entry replaces it. The note is the name of the
            /// world, if it left its own.
            Moved,
            $($(#[$doc])* $variant),+
        }

        impl From<&forget_reason::ForgetReason> for ForgetReason {
            fn from(reason: &forget_reason::ForgetReason) -> Self {
                match reason {
                    forget_reason::ForgetReason::Asked(_) => Self::Asked,
                    forget_reason::ForgetReason::Moved(_) => Self::Moved,
                    $(forget_reason::ForgetReason::$variant => Self::$variant,)+
                }
            }
        }

        impl ForgetReason {
            /// Text of the reason.
            fn words(self) -> String {
                match self {
                    Self::Asked => forget_reason::ForgetReason::Asked(None),
                    Self::Moved => forget_reason::ForgetReason::Moved(None),
                    $(Self::$variant => forget_reason::ForgetReason::$variant,)+
                }
                .to_string()
            }
        }
    };
}

reasons!(
    /// Its relevance fell too low.
    Faded,
    /// Its tier was full.
    Capped,
    /// It duplicates another entry.
    Merged,
    /// A consolidated text replaces it.
    Consolidated,
    ConversationEnded,
    /// Its conversation ended, and an entry of the channel replaces it.
    CarriedOver,
    ConversationDeleted,
    /// The worldbuilder accepted a proposal.
    ProposalAccepted,
    /// It contradicted another entry.
    Contradicted,
    /// An import created an entry with its name.
    MadeWay,
    /// The change that made it was undone.
    CreationUndone,
    /// It was disabled in the source.
    SwitchedOff,
    /// The worldbuilder removed a named entry.
    Removed,
);

/// An entry with its full content.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct MemoryDetail {
    /// The fields of a list row.
    pub row: MemoryRow,
    /// Other words under which it is searched.
    pub keys: Vec<String>,
    /// Kind of subject that it describes.
    pub subject: Option<String>,
    /// What it says of the two subjects that it connects.
    pub relation: Option<String>,
    /// Ids of the subjects that it is linked to.
    pub links: Vec<String>,
    /// Subjects that know of it; empty: everybody does.
    pub known_by: Vec<KnowerView>,
    /// When it holds in the story.
    pub story_time: Option<StoryTime>,
    /// Its place in the order of reading.
    pub reading_number: Option<u32>,
    /// True if it defines a calendar.
    pub is_calendar: bool,
    /// Full content.
    pub content: String,
    /// Actor kind of the last write.
    pub written_by: ActorKind,
    /// Origin of an imported entry.
    pub origin: Option<Origin>,
    /// Model that computed its vector.
    pub embedding_model: Option<String>,
    /// Set while it is forgotten.
    pub forgotten: Option<Forgotten>,
    /// Id of the entry that replaced it in a consolidation.
    pub consolidated_into: Option<String>,
    /// Sources of its text besides its curator: `agent`, or `client:` and the id of an MCP client.
    pub derived_from: Vec<String>,
    /// What its text was made of, each as it is now.
    pub derivations: Vec<SourceView>,
    /// Origin, lifecycle, weight and standing.
    pub axes: AxesView,
    /// Other names of a named entry.
    pub aliases: Vec<String>,
    /// True if no agent can change it.
    pub locked: bool,
}

impl MemoryDetail {
    /// Converts an entry with its full content.
    pub fn of(
        stored: &StoredEntry,
        decay: &DecayModel,
        now: DateTime<Utc>,
        provenance: &Provenance,
        (places, story_time, known_by): (&PlaceNames, Option<StoryTime>, Vec<KnowerView>),
    ) -> Self {
        let entry = &stored.entry;
        Self {
            row: MemoryRow::of(stored, decay.terms(&entry.decay_inputs(), now).relevance(), places),
            keys: entry.keys.clone(),
            subject: entry.subject.clone(),
            relation: entry.relation.clone(),
            links: entry
                .links
                .iter()
                .filter(|link| link.role != LinkRole::KnownBy)
                .map(|link| link.target.to_string())
                .collect(),
            known_by,
            story_time,
            reading_number: entry.reading_number.map(std::num::NonZeroU32::get),
            is_calendar: entry.calendar.is_some(),
            content: entry.content.clone(),
            written_by: entry.written_by.into(),
            origin: entry.origin.clone().map(|origin| Origin {
                external_id: origin.external_id,
                session: origin.session,
                speaker: origin.speaker,
                said_at: origin.said_at,
            }),
            embedding_model: stored.embedded_by.clone(),
            forgotten: entry.forgotten.as_ref().map(|forgotten| Forgotten {
                at: time(forgotten.at),
                reason: (&forgotten.reason).into(),
                note: forgotten.reason.note().map(str::to_owned),
                run_id: forgotten.run.map(|run| run.to_string()),
            }),
            consolidated_into: entry.consolidated_into.map(|id| id.to_string()),
            derived_from: entry.derived_from.iter().map(ToString::to_string).collect(),
            derivations: provenance.sources.iter().map(derivation::source_view).collect(),
            axes: derivation::axes_view(provenance),
            aliases: entry.aliases.clone(),
            locked: entry.is_locked(),
        }
    }
}

/// A new entry.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct NewMemory {
    /// Its tier.
    pub scope: Scope,
    /// Id of its channel; `#general` if absent for the channel tier.
    pub channel_id: Option<String>,
    /// Id of its conversation; the running one of its channel if absent for the conversation tier.
    pub conversation_id: Option<String>,
    /// Intended lifetime.
    pub lifetime: Lifetime,
    #[serde(default)]
    pub title: Option<String>,
    /// Other words under which it is searched.
    #[serde(default)]
    pub keys: Vec<String>,
    pub content: String,
    /// Importance, in [0, 1].
    #[specta(type = Number)]
    pub importance: f64,
    pub tags: Vec<String>,
    /// What it is made of: `message:`, `memory:`, `fact:` or `page:` and an id. One that does not say it is refused.
    #[serde(default)]
    pub made_of: Vec<String>,
}

/// Properties for many entries; one that is `null` or missing stays as it is.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase", default)]
pub struct BulkProperties {
    /// Importance, in [0, 1].
    #[specta(type = Option<Number>)]
    pub importance: Option<f64>,
    /// Intended lifetime.
    pub lifetime: Option<Lifetime>,
    /// Pin or unpin.
    pub pinned: Option<bool>,
}

/// Where entries are moved to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct MoveTarget {
    /// Id of another workspace; the one in use if absent.
    pub workspace_id: Option<String>,
    /// The tier.
    pub scope: Scope,
    /// Id of the channel; `#general` if absent for the channel tier.
    pub channel_id: Option<String>,
    /// Id of the conversation; the running one of the channel if absent for the conversation tier.
    pub conversation_id: Option<String>,
}

/// Changes to an entry; a field that is `null` or missing stays as it is.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase", default)]
pub struct MemoryPatch {
    pub content: Option<String>,
    /// New title; an empty one removes it.
    pub title: Option<String>,
    /// New list of keys.
    pub keys: Option<Vec<String>>,
    #[specta(type = Option<Number>)]
    pub importance: Option<f64>,
    /// New set of tags.
    pub tags: Option<Vec<String>>,
    pub lifetime: Option<Lifetime>,
    /// Pin or unpin.
    pub pinned: Option<bool>,
}

impl From<MemoryPatch> for domain::MemoryPatch {
    fn from(view: MemoryPatch) -> Self {
        Self {
            content: view.content,
            title: view.title,
            keys: view.keys,
            importance: view.importance,
            tags: view.tags,
            lifetime: view.lifetime.map(Into::into),
            pinned: view.pinned,
            derivations: None,
            others_words: OthersWords::default(),
        }
    }
}

impl From<BulkProperties> for write::BulkProperties {
    fn from(view: BulkProperties) -> Self {
        let BulkProperties { importance, lifetime, pinned } = view;
        Self { importance, lifetime: lifetime.map(Into::into), pinned }
    }
}

/// One version of an entry.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct HistoryItem {
    /// Number of the version.
    pub version: u32,
    pub title: Option<String>,
    pub keys: Vec<String>,
    pub content: String,
    #[specta(type = Number)]
    pub importance: f64,
    pub tags: Vec<String>,
    pub lifetime: Lifetime,
    /// True if the version was forgotten.
    pub forgotten: bool,
    /// True if the version was pinned.
    pub pinned: bool,
    /// Kind of the change that created it.
    pub action: ChangeAction,
    /// Actor kind of the change.
    pub actor_kind: ActorKind,
    /// Interface of the change.
    pub interface: Interface,
    /// Id of the run that made the change.
    pub run_id: Option<String>,
    /// Time of the change.
    pub at: String,
    /// True for the current version.
    pub current: bool,
}

impl HistoryItem {
    /// Converts a version of an entry.
    pub fn of(item: &HistoryVersion, current: bool) -> Self {
        Self {
            version: count(item.entry.version),
            title: item.entry.title.clone(),
            keys: item.entry.keys.clone(),
            content: item.entry.content.clone(),
            importance: item.entry.importance.get(),
            tags: item.entry.tags.clone(),
            lifetime: item.entry.lifetime.into(),
            forgotten: !item.entry.is_active(),
            pinned: item.entry.pinned,
            action: item.journal.action.into(),
            actor_kind: item.journal.by().into(),
            interface: item.journal.interface.into(),
            run_id: item.journal.run.map(|run| run.to_string()),
            at: time(item.journal.at),
            current,
        }
    }
}
