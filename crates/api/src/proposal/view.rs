//! Views of proposals.

use crate::{
    view::memory::MemoryRow,
    vocabulary::{ActorKind, Interface, Scope, mirror},
};
use inklings_domain as domain;
use serde::{Deserialize, Serialize};
use specta::Type;
use specta_typescript::Number;

mirror!(
    /// Kind of a proposal.
    ProposalKind = domain::proposal::ProposalKind {
        Edit, Merge, Retire, Conflict, New,
    }
);

mirror!(
    /// State of a proposal.
    ProposalState = domain::proposal::ProposalState {
        Open, Accepted, Rejected, Superseded,
    }
);

mirror!(
    /// Kind of word that a text lost or gained.
    MarkKind = domain::memory::coverage::MarkKind {
        Name, Number, Negation,
    }
);

/// A name, number or negation that a text lost or gained.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
pub struct Mark {
    /// Kind of the word.
    pub kind: MarkKind,
    /// The word as written.
    pub text: String,
}

/// An entry that a proposal is about.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ProposalSubject {
    /// Id of the entry.
    pub id: String,
    /// The version when the proposal was filed.
    pub version: u32,
    /// The current entry; `null` if it was destroyed.
    pub row: Option<MemoryRow>,
    /// Text of the entry when the proposal was filed.
    pub content: String,
    /// True if the entry was changed since.
    pub changed_since: bool,
}

/// The entry that a proposal would create.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ProposedEntry {
    /// Tier: workspace or account.
    pub scope: Scope,
    pub title: Option<String>,
    /// Other words under which it would be searched.
    pub keys: Vec<String>,
    /// Program or agent that wrote the text.
    pub source: String,
    /// Importance, in [0, 1].
    #[specta(type = Number)]
    pub importance: f64,
    pub tags: Vec<String>,
    /// The current entry after acceptance.
    pub row: Option<MemoryRow>,
}

/// A proposal.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ProposalView {
    pub id: String,
    pub kind: ProposalKind,
    pub state: ProposalState,
    pub reason: String,
    /// The entries concerned.
    pub subjects: Vec<ProposalSubject>,
    /// The new text of an edit, a merge or a new entry.
    pub content: Option<String>,
    /// The entry to be created, for a new entry.
    pub makes: Option<ProposedEntry>,
    /// Names, numbers and negations that the new text would lose.
    pub lost: Vec<Mark>,
    /// Names, numbers and negations that it would gain.
    pub added: Vec<Mark>,
    pub filed_by: ActorKind,
    /// Interface that filed it.
    pub interface: Interface,
    /// Id of the run that filed it.
    pub run_id: Option<String>,
    /// Id of the conversation that it came from.
    pub conversation_id: Option<String>,
    /// Reference code of that conversation.
    pub conversation_ref: Option<String>,
    /// Time of filing.
    pub created_at: String,
    /// Time of the decision.
    pub decided_at: Option<String>,
}

/// A decision of the worldbuilder.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Decision {
    /// Accept as proposed.
    Accept,
    /// Accept with an edited text.
    AcceptEdited {
        /// The edited text.
        content: String,
    },
    /// Reject; of two contradicting entries, both are retained.
    Reject,
    /// Forget the older of two entries.
    NewerWins,
    /// Forget the newer of two entries.
    OlderWins,
}

/// Request for a page of proposals.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
pub struct ProposalRequest {
    /// Only proposals in this state.
    pub state: Option<ProposalState>,
    /// Cursor of the page.
    pub after: Option<String>,
    /// Page size.
    pub limit: u32,
}

/// A page of proposals.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
pub struct ProposalPage {
    /// Proposals, newest first.
    pub rows: Vec<ProposalView>,
    /// Cursor of the next page; `null` at the end.
    pub next: Option<String>,
}

/// A proposal whose decision failed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
pub struct Undecided {
    /// Id of the proposal.
    pub id: String,
    /// Reason, for users.
    pub message: String,
}

/// Result of a decision.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct Decided {
    /// The decided proposals in their new state.
    pub decided: Vec<ProposalView>,
    /// The proposals whose decision failed.
    pub failed: Vec<Undecided>,
    /// Ids of the changes made, for undo.
    pub change_ids: Vec<String>,
}
