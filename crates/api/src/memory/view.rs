//! Memory entries as they cross the boundary.

use inklings_domain::forget_reason as domain;
use serde::{Deserialize, Serialize};
use specta::Type;
use specta_typescript::Number;

use crate::vocabulary::{ActorKind, ChangeAction, Curator, Interface, Kind, Lifetime, Scope};

/// An entry in a list.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct MemoryRow {
    /// Its id.
    pub id: String,
    /// Its tier.
    pub scope: Scope,
    /// How long it is meant to matter.
    pub lifetime: Lifetime,
    /// Whose entry it is.
    pub curator: Curator,
    /// The actor that produced it.
    pub source: String,
    /// Note or archive.
    pub kind: Kind,
    /// Its name, for a named entry.
    pub name: Option<String>,
    /// The first [`PREVIEW_CHARS`](super::convert::PREVIEW_CHARS) characters of its content.
    pub preview: String,
    /// How much it matters, in [0, 1].
    #[specta(type = Number)]
    pub importance: f64,
    /// Relevance after decay, now.
    #[specta(type = Number)]
    pub relevance: f64,
    /// Its tags.
    pub tags: Vec<String>,
    /// When it was first written.
    pub created_at: String,
    /// When it was last changed.
    pub updated_at: String,
    /// When it was last retrieved for an agent, or written.
    pub accessed_at: String,
    /// Times it was retrieved for an agent.
    pub access_count: u32,
    /// Its channel.
    pub channel_id: Option<String>,
    /// Its channel's name.
    pub channel_name: Option<String>,
    /// Its conversation.
    pub conversation_id: Option<String>,
    /// Its conversation's reference code.
    pub conversation_ref: Option<String>,
    /// Exempt from fading and automatic work.
    pub pinned: bool,
    /// Its version, for edits.
    pub version: u32,
    /// True if it has a vector.
    pub has_embedding: bool,
    /// When it was forgotten, if it is.
    pub forgotten_at: Option<String>,
}

/// Where an imported entry came from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct Origin {
    /// The id it had there.
    pub external_id: Option<String>,
    /// The session it was part of.
    pub session: Option<String>,
    /// Who said it.
    pub speaker: Option<String>,
    /// When it was said, as written there.
    pub said_at: Option<String>,
}

/// The mark of a forgotten entry.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct Forgotten {
    /// When.
    pub at: String,
    /// Why.
    pub reason: ForgetReason,
    /// What whoever asked for it said of it.
    pub note: Option<String>,
    /// By which run.
    pub run_id: Option<String>,
}

impl Forgotten {
    /// Why, in words: the note, or what the reason says.
    pub fn words(&self) -> String {
        self.note.clone().unwrap_or_else(|| self.reason.words())
    }
}

/// Mirrors the reasons of the domain: same variants, snake-case on the wire. The note stands beside.
macro_rules! reasons {
    ($($(#[$doc:meta])+ $variant:ident),+ $(,)?) => {
        /// Why an entry was forgotten.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
        #[serde(rename_all = "snake_case")]
        pub enum ForgetReason {
            /// Somebody asked for it.
            Asked,
            $($(#[$doc])+ $variant),+
        }

        impl From<&domain::ForgetReason> for ForgetReason {
            fn from(reason: &domain::ForgetReason) -> Self {
                match reason {
                    domain::ForgetReason::Asked(_) => Self::Asked,
                    $(domain::ForgetReason::$variant => Self::$variant,)+
                }
            }
        }

        impl ForgetReason {
            /// What it says, in words.
            fn words(self) -> String {
                match self {
                    Self::Asked => domain::ForgetReason::Asked(None),
                    $(Self::$variant => domain::ForgetReason::$variant,)+
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
    /// Another entry says the same.
    Merged,
    /// A consolidated text stands for it.
    Consolidated,
    /// Its conversation ended.
    ConversationEnded,
    /// Its conversation ended, and the channel has what stands for it.
    CarriedOver,
    /// Its conversation was deleted.
    ConversationDeleted,
    /// The worldbuilder accepted a proposal.
    ProposalAccepted,
    /// It contradicted another entry.
    Contradicted,
    /// An import brought an entry of its name.
    MadeWay,
    /// The change that made it was undone.
    CreationUndone,
    /// It was switched off where it came from.
    SwitchedOff,
    /// The worldbuilder removed a named entry.
    Removed,
);

/// An entry whole.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct MemoryDetail {
    /// What a list shows of it.
    pub row: MemoryRow,
    /// Its content.
    pub content: String,
    /// Whose hand wrote it last.
    pub written_by: ActorKind,
    /// Where it came from.
    pub origin: Option<Origin>,
    /// The model that made its vector.
    pub embedding_model: Option<String>,
    /// Set while it is forgotten.
    pub forgotten: Option<Forgotten>,
    /// The entry that took its place in a consolidation.
    pub consolidated_into: Option<String>,
    /// Whose words its text holds beyond those of its curator: `agent`, or `client:` and the id of an MCP client.
    pub derived_from: Vec<String>,
    /// Other names of a named entry.
    pub aliases: Vec<String>,
    /// True if no agent can change it.
    pub locked: bool,
}

/// A new entry.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct NewMemory {
    /// Its tier.
    pub scope: Scope,
    /// Its channel; `#general` if none is given for the channel tier.
    pub channel_id: Option<String>,
    /// Its conversation; the running one of its channel if none is given for the conversation tier.
    pub conversation_id: Option<String>,
    /// How long it is meant to matter.
    pub lifetime: Lifetime,
    /// Its content.
    pub content: String,
    /// How much it matters.
    #[specta(type = Number)]
    pub importance: f64,
    /// Its tags.
    pub tags: Vec<String>,
}

/// What to change about an entry; `null` leaves a field as it is.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct MemoryPatch {
    /// New content.
    pub content: Option<String>,
    /// New importance.
    #[specta(type = Option<Number>)]
    pub importance: Option<f64>,
    /// New set of tags.
    pub tags: Option<Vec<String>>,
    /// New lifetime.
    pub lifetime: Option<Lifetime>,
    /// Pin or unpin.
    pub pinned: Option<bool>,
}

/// One version of an entry.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct HistoryItem {
    /// Which version.
    pub version: u32,
    /// Its content.
    pub content: String,
    /// Its importance.
    #[specta(type = Number)]
    pub importance: f64,
    /// Its tags.
    pub tags: Vec<String>,
    /// Its lifetime.
    pub lifetime: Lifetime,
    /// Whether it was forgotten then.
    pub forgotten: bool,
    /// Whether it was pinned then.
    pub pinned: bool,
    /// The kind of change that made it.
    pub action: ChangeAction,
    /// In whose name.
    pub actor_kind: ActorKind,
    /// Through which interface.
    pub interface: Interface,
    /// As part of which run.
    pub run_id: Option<String>,
    /// When.
    pub at: String,
    /// True for the version in force.
    pub current: bool,
}
