//! Views of contradictions.

use crate::{
    conversation::view::MessageView,
    fact::view::FactView,
    view::{lens::KnowerSpec, memory::MemoryRow},
    vocabulary::mirror,
};
use inklings_domain as domain;
use serde::{Deserialize, Serialize};
use specta::Type;

mirror!(
    /// State of a contradiction.
    DriftState = domain::drift::DriftState {
        Open, Settled, Superseded,
    }
);

mirror!(
    /// Kind of item.
    DriftItemKind = domain::drift::ItemKind {
        Memory, Fact, Message, Page,
    }
);

mirror!(
    /// Kind of decision.
    DriftDecision = domain::drift::DriftDecision {
        CanonStands, CanonChanges, Both, Belief, Dismiss, DeriveAgain,
    }
);

/// One side of a contradiction.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct DriftSide {
    pub kind: DriftItemKind,
    /// Id of the entry, fact or message.
    pub id: String,
    /// The version that was compared.
    pub version: u32,
    /// Its current text or value; empty if it was destroyed.
    pub text: String,
    /// The current entry, for an entry.
    pub memory: Option<MemoryRow>,
    pub fact: Option<FactView>,
    pub message: Option<MessageView>,
    /// The title, for a page.
    pub page: Option<String>,
    /// The sentences that contradict the other side, with the name for a pronoun. Empty if the whole does, or if a side was
    /// changed since.
    pub sentences: Vec<String>,
    /// True if it was changed since, or is gone.
    pub changed_since: bool,
}

/// A contradiction between what is canon and what is stated elsewhere.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct DriftView {
    pub id: String,
    pub state: DriftState,
    /// What counts more.
    pub canon: DriftSide,
    /// What counts less.
    pub statement: DriftSide,
    /// The decision, once it is settled.
    pub decision: Option<DriftDecision>,
    /// Id of the change that carried it out, for undo.
    pub change_id: Option<String>,
    /// Time of filing (RFC 3339).
    pub created_at: String,
    /// Time of the decision.
    pub settled_at: Option<String>,
}

/// Request for a page of contradictions.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
pub struct DriftRequest {
    /// Only those in this state.
    pub state: Option<DriftState>,
    /// Cursor of the page.
    pub after: Option<String>,
    /// Page size.
    pub limit: u32,
}

/// A page of contradictions.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
pub struct DriftPage {
    /// Newest first.
    pub rows: Vec<DriftView>,
    /// Facts of the worldbuilder against which an agent claims another value, on the first page of open ones.
    pub claimed: Vec<FactView>,
    /// Cursor of the next page; `null` at the end.
    pub next: Option<String>,
}

/// A decision of the worldbuilder with what it needs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum DriftSettlement {
    /// The canon stays, and the statement is forgotten; a message stays as it was written.
    CanonStands,
    /// The canon becomes what the statement says.
    CanonChanges {
        /// The new text or value; needed if a side says more than one thing.
        text: Option<String>,
    },
    /// Both hold, at different times. A side without dates keeps its time; a message gets none.
    Both {
        /// When the canon holds.
        canon: Option<String>,
        /// When the statement holds.
        statement: Option<String>,
        /// Name of the calendar that reads the dates; the first one without it.
        calendar: Option<String>,
    },
    /// Somebody is mistaken or lies: only they know the statement. Of a message, what contradicts the canon becomes a memory.
    Belief {
        /// Who believes it.
        knowers: Vec<KnowerSpec>,
    },
    /// They do not contradict each other; a memory whose page has changed is kept.
    Dismiss,
    /// The memory is made anew of what the page says now, as a proposal.
    DeriveAgain,
}
