//! Proposals as they cross the boundary.

use crate::{
    memory::view::MemoryRow,
    vocabulary::{ActorKind, Interface, Scope, mirror},
};
use inklings_domain as domain;
use serde::{Deserialize, Serialize};
use specta::Type;
use specta_typescript::Number;

mirror!(
    /// What is proposed.
    ProposalKind = domain::proposal::ProposalKind {
        /// Another text for one entry.
        Edit,
        /// One entry in the place of several.
        Merge,
        /// Entries taken out of use.
        Retire,
        /// Two entries that contradict each other.
        Conflict,
        /// An entry that is not there yet.
        New,
    }
);

mirror!(
    /// How a proposal stands.
    ProposalState = domain::proposal::ProposalState {
        /// Waits for the worldbuilder.
        Open,
        /// Done.
        Accepted,
        /// Not done.
        Rejected,
        /// An entry of it is gone.
        Superseded,
    }
);

mirror!(
    /// What kind of word a text lost or gained.
    MarkKind = domain::memory::coverage::MarkKind {
        /// A proper name.
        Name,
        /// A number.
        Number,
        /// A negation.
        Negation,
    }
);

/// A name, number or negation that a text lost or gained.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
pub struct Mark {
    /// What it is.
    pub kind: MarkKind,
    /// As written.
    pub text: String,
}

/// An entry that a proposal is about.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ProposalSubject {
    /// Its id.
    pub id: String,
    /// The version that was seen.
    pub version: u32,
    /// The entry as it is now; `null` if it was destroyed.
    pub row: Option<MemoryRow>,
    /// Its text as it was when this was filed.
    pub content: String,
    /// True if it was changed since.
    pub changed_since: bool,
}

/// The entry that a proposal would make.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ProposedEntry {
    /// Its tier: workspace or account.
    pub scope: Scope,
    /// Which program or agent worded it.
    pub source: String,
    /// How much it would matter, in [0, 1].
    #[specta(type = Number)]
    pub importance: f64,
    /// Its tags.
    pub tags: Vec<String>,
    /// The entry as it is now, once it was made.
    pub row: Option<MemoryRow>,
}

/// A proposal.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ProposalView {
    /// Its id.
    pub id: String,
    /// What is proposed.
    pub kind: ProposalKind,
    /// How it stands.
    pub state: ProposalState,
    /// Why.
    pub reason: String,
    /// The entries it is about.
    pub subjects: Vec<ProposalSubject>,
    /// The new text, for an edit, a merge and a new entry.
    pub content: Option<String>,
    /// The entry that it would make, if that is new.
    pub makes: Option<ProposedEntry>,
    /// Names, numbers and negations that the new text would lose.
    pub lost: Vec<Mark>,
    /// Those that it would gain.
    pub added: Vec<Mark>,
    /// In whose name it was filed.
    pub filed_by: ActorKind,
    /// Through which interface.
    pub interface: Interface,
    /// By which run.
    pub run_id: Option<String>,
    /// In which conversation it came up.
    pub conversation_id: Option<String>,
    /// That conversation's reference code.
    pub conversation_ref: Option<String>,
    /// When it was filed.
    pub created_at: String,
    /// When it was decided.
    pub decided_at: Option<String>,
}

/// What the worldbuilder decides.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Decision {
    /// As proposed.
    Accept,
    /// With this text instead.
    AcceptEdited {
        /// The text.
        content: String,
    },
    /// Not at all; of two that contradict each other, both stay.
    Reject,
    /// The older of two goes.
    NewerWins,
    /// The newer of two goes.
    OlderWins,
}

/// Which proposals.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
pub struct ProposalRequest {
    /// Only those that stand like this.
    pub state: Option<ProposalState>,
    /// Where the page starts.
    pub after: Option<String>,
    /// How many.
    pub limit: u32,
}

/// A page of proposals.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
pub struct ProposalPage {
    /// The newest first.
    pub rows: Vec<ProposalView>,
    /// Where the next page starts; `null` at the end.
    pub next: Option<String>,
}

/// A proposal that could not be decided.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
pub struct Undecided {
    /// Which.
    pub id: String,
    /// Why, for people.
    pub message: String,
}

/// What came of deciding.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct Decided {
    /// Those that were decided, as they stand now.
    pub decided: Vec<ProposalView>,
    /// Those that were not.
    pub failed: Vec<Undecided>,
    /// The changes made, for undo.
    pub change_ids: Vec<String>,
}
