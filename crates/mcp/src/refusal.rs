//! Error results for agents: what was wrong, and what to do. They never contain memory text or counts.

use inklings_api::error::{CommandError, ErrorCode};
use inklings_application::{
    client::Denied, error::AppError, memory::guard_refusal::GuardRefusal, store_error::StoreError,
};
use inklings_domain::{fact::InvalidFact, memory::InvalidMemory};
use rmcp::model::{CallToolResult, ContentBlock};
use serde_json::json;

/// Why a call was refused.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    /// Stable error code.
    pub code: &'static str,
    /// What was wrong.
    pub message: String,
    /// What the agent can do.
    pub hint: &'static str,
}

impl Refusal {
    /// A refusal of invalid arguments.
    pub fn invalid(message: impl Into<String>) -> Self {
        Self { code: "invalid", message: message.into(), hint: "Correct the arguments and call again." }
    }

    /// Converts it to a tool result, which the model reads.
    pub fn as_result(&self) -> CallToolResult {
        let error = json!({ "error": { "code": self.code, "message": self.message, "hint": self.hint } });
        let mut result = CallToolResult::structured_error(error);
        result.content = vec![ContentBlock::text(self.to_string())];
        result
    }
}

impl std::fmt::Display for Refusal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: {}. {}", self.code, self.message, self.hint)
    }
}

fn code_and_advice(error: &AppError) -> (&'static str, &'static str) {
    match error {
        AppError::Denied(Denied::Revoked) => ("revoked", "Stop; ask the worldbuilder for access."),
        AppError::Denied(_) => {
            ("not_granted", "Do without it, or ask the worldbuilder to grant it under Clients.")
        }
        AppError::MemoryOff => (
            "memory_off",
            "Keep what you need in the scratchpad; memory_switch switches memory on if you were granted that.",
        ),
        AppError::Memory(InvalidMemory::Locked)
        | AppError::Fact(InvalidFact::NotYours)
        | AppError::Store(StoreError::Locked(_)) => {
            ("locked", "Propose the change with proposal_create if you have it, or tell the worldbuilder.")
        }
        AppError::Memory(InvalidMemory::NoChange) | AppError::Fact(InvalidFact::NoChange) => {
            ("no_change", "Nothing needs to be done.")
        }
        AppError::Memory(InvalidMemory::Forgotten) => {
            ("forgotten", "It is out of use; write what holds now with memory_put.")
        }
        AppError::Guard(GuardRefusal::Noted(_)) => {
            ("already_noted", "Use memory_update on that memory if it should say more.")
        }
        AppError::Guard(GuardRefusal::World | GuardRefusal::OfWorld) => {
            ("names_world", "Write it to the workspace tier instead.")
        }
        AppError::Guard(GuardRefusal::Unclear) => {
            ("unclear", "Say it plainly about the worldbuilder, or write it to the workspace tier.")
        }
        AppError::Guard(GuardRefusal::Scrubbed) => {
            ("scrubbed", "Leave it out: the worldbuilder removed it for good.")
        }
        AppError::Guard(_) => ("derivable", "Remember only what cannot be read elsewhere."),
        AppError::Stale { .. } | AppError::Store(StoreError::Stale { .. } | StoreError::Moved(_)) => {
            ("stale_version", "Read it again and decide anew.")
        }
        AppError::NoMemory(_) | AppError::NotFound { .. } | AppError::Store(StoreError::NotFound(_)) => {
            ("not_found", "Look it up first; it may be gone, or not be yours to see.")
        }
        AppError::Transition(_) => ("ended", "This conversation takes no more messages."),
        AppError::Store(StoreError::Busy) | AppError::Answering | AppError::UnderWay | AppError::TimedOut => {
            ("busy", "Wait a moment and call again.")
        }
        AppError::Store(StoreError::ReadOnly | StoreError::DiskFull) => {
            ("read_only", "Nothing can be written now; tell the worldbuilder.")
        }
        AppError::Store(StoreError::Io(_)) => {
            ("io", "The disk failed; nothing was written. Tell the worldbuilder.")
        }
        AppError::Store(StoreError::Refused(_)) => {
            ("refused", "Nothing was changed. Read it again and decide anew.")
        }
        AppError::Store(_) | AppError::RefCode(_) | AppError::Embedding(_) | AppError::Chat(_) => {
            ("internal", "Tell the worldbuilder; the log says more.")
        }
        _ => ("invalid", "Correct the arguments and call again."),
    }
}

impl From<AppError> for Refusal {
    fn from(error: AppError) -> Self {
        let (code, hint) = code_and_advice(&error);
        if code == "internal" {
            tracing::error!(%error, "a call of a client failed");
        }
        Self { code, message: error.to_string(), hint }
    }
}

impl From<CommandError> for Refusal {
    fn from(error: CommandError) -> Self {
        let (code, hint) = match error.code {
            ErrorCode::NotFound => ("not_found", "The client's workspace may be gone; ask the worldbuilder."),
            ErrorCode::Locked => ("revoked", "Stop; ask the worldbuilder for access."),
            ErrorCode::Busy => ("busy", "Wait a moment and call again."),
            _ => ("internal", "Tell the worldbuilder; the log says more."),
        };
        Self { code, message: error.message, hint }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_locked_entry_points_to_the_proposal() {
        let refusal = Refusal::from(AppError::Memory(InvalidMemory::Locked));
        assert_eq!(refusal.code, "locked");
        assert!(refusal.hint.contains("proposal_create"));
        assert_eq!(refusal.as_result().is_error, Some(true));
    }
}
