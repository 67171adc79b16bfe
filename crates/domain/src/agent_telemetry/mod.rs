//! The telemetry of agents: what the World Agent and clients did, as kinds, ids and numbers. It stays in the workspace's file
//! and is sent nowhere. No type here can hold a text of the world, an argument or a message: a row is built from closed words,
//! ids, times and numbers.

mod action_type;
mod error_code;
pub mod metric;
pub mod pattern;
pub mod sequence;

use chrono::{DateTime, Utc};
use uuid::Uuid;

pub use self::{action_type::ActionType, error_code::ErrorCode};
use crate::{
    ids::{AgentActionId, ClientId, ConversationId, RunId},
    scope::words,
};

/// What an action was done to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum TargetType {
    /// Memories, one or many.
    Memory,
    /// A named entry with a kind.
    Subject,
    Fact,
    /// A conversation and its messages.
    Conversation,
    /// Working notes.
    Note,
    /// A page of a linked vault.
    Page,
    /// The workspace as a whole.
    Workspace,
    /// The telemetry itself.
    Telemetry,
    /// Not known, because the call could not be read.
    Unknown,
}

words!(TargetType, "target", {
    Memory => "memory", Subject => "subject", Fact => "fact", Conversation => "conversation", Note => "note",
    Page => "page", Workspace => "workspace", Telemetry => "telemetry", Unknown => "unknown",
});

/// What an action was done to, with the id if it was one thing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Target {
    pub kind: TargetType,
    /// The id; `None` if it was none or many.
    pub id: Option<Uuid>,
}

impl Target {
    /// Many things of a type, or one that has no id.
    pub const fn any(kind: TargetType) -> Self {
        Self { kind, id: None }
    }

    /// One thing.
    pub const fn one(kind: TargetType, id: Uuid) -> Self {
        Self { kind, id: Some(id) }
    }
}

/// How an action ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Outcome {
    Done,
    /// It was done and found nothing.
    Empty,
    /// It became a proposal for the worldbuilder.
    Proposed,
    /// A rule or a missing permission refused it, or its arguments were invalid.
    Refused,
    /// It failed for a reason that is not the agent's.
    Failed,
}

words!(Outcome, "outcome", {
    Done => "done", Empty => "empty", Proposed => "proposed", Refused => "refused", Failed => "failed",
});

/// One call of a tool.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AgentAction {
    pub id: AgentActionId,
    /// When the call began.
    pub at: DateTime<Utc>,
    /// The tool and its action.
    pub action: ActionType,
    /// What it was done to.
    pub target: Target,
    /// How it ended.
    pub outcome: Outcome,
    /// Why it was not done, or that nothing was found.
    pub error: Option<ErrorCode>,
    /// Milliseconds from the call to its answer.
    pub latency_ms: u32,
    /// The client; `None` for the World Agent.
    pub client: Option<ClientId>,
    /// The conversation of the turn, or the one that a client named.
    pub conversation: Option<ConversationId>,
    /// The turn of the World Agent: the run of its writes.
    pub turn: Option<RunId>,
}

impl AgentAction {
    /// The outcome of a call that ended with an error code.
    pub const fn outcome_of(error: ErrorCode) -> Outcome {
        match error {
            ErrorCode::NothingFound => Outcome::Empty,
            ErrorCode::Busy | ErrorCode::ReadOnly | ErrorCode::Io | ErrorCode::Internal => Outcome::Failed,
            _ => Outcome::Refused,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is `Copy` owns no text.
    const fn owns_no_text<T: Copy>() {}

    #[test]
    fn a_row_of_telemetry_cannot_hold_a_text() {
        owns_no_text::<AgentAction>();
        owns_no_text::<pattern::AgentPattern>();
        owns_no_text::<metric::MetricDefinition>();
        owns_no_text::<metric::Benchmark>();
    }

    #[test]
    fn every_word_of_telemetry_is_short_and_of_lower_case_letters() {
        let words = ActionType::ALL.iter().map(|word| word.as_str());
        let words = words.chain(TargetType::ALL.iter().map(|word| word.as_str()));
        let words = words.chain(Outcome::ALL.iter().map(|word| word.as_str()));
        for word in words.chain(ErrorCode::ALL.iter().map(|word| word.as_str())) {
            assert!(word.len() <= 40 && word.bytes().all(|b| b.is_ascii_lowercase() || b"_.".contains(&b)));
        }
    }
}
