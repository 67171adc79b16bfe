//! Error results for agents: what was wrong, and what to do. They never contain memory text or counts.

use inklings_api::error::{CommandError, ErrorCode as CommandErrorCode};
use inklings_application::error::AppError;
use inklings_domain::agent_telemetry::ErrorCode;
use rmcp::model::{CallToolResult, ContentBlock};
use serde_json::json;

/// Why a call was refused.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    /// Stable error code.
    pub code: ErrorCode,
    /// What was wrong.
    pub message: String,
    /// What the agent can do.
    pub hint: &'static str,
}

impl Refusal {
    /// A refusal of invalid arguments.
    pub fn invalid(message: impl Into<String>) -> Self {
        Self { code: ErrorCode::Invalid, message: message.into(), hint: hint(ErrorCode::Invalid) }
    }

    /// Converts it to a tool result, which the model reads.
    pub fn as_result(&self) -> CallToolResult {
        let error =
            json!({ "error": { "code": self.code.as_str(), "message": self.message, "hint": self.hint } });
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

/// What an agent can do about an error.
const fn hint(code: ErrorCode) -> &'static str {
    match code {
        ErrorCode::Revoked => "Stop; ask the worldbuilder for access.",
        ErrorCode::NotGranted => "Do without it, or ask the worldbuilder to grant it under Clients.",
        ErrorCode::MemoryOff => {
            "Keep what you need in the scratchpad; memory_switch switches memory on if you were granted that."
        }
        ErrorCode::Locked => {
            "Propose the change with proposal_create if you have it, or tell the worldbuilder."
        }
        ErrorCode::NoChange | ErrorCode::NothingFound => "Nothing needs to be done.",
        ErrorCode::Forgotten => "It is out of use; write what holds now with memory_put.",
        ErrorCode::AlreadyNoted => "Use memory_update on that memory if it should say more.",
        ErrorCode::NamesWorld => "Write it to the workspace tier instead.",
        ErrorCode::Unclear => "Say it plainly about the worldbuilder, or write it to the workspace tier.",
        ErrorCode::Scrubbed => "Leave it out: the worldbuilder removed it for good.",
        ErrorCode::Derivable => "Remember only what cannot be read elsewhere.",
        ErrorCode::StaleVersion => "Read it again and decide anew.",
        ErrorCode::NotFound => "Look it up first; it may be gone, or not be yours to see.",
        ErrorCode::Ended => "This conversation takes no more messages.",
        ErrorCode::Busy => "Wait a moment and call again.",
        ErrorCode::ReadOnly => "Nothing can be written now; tell the worldbuilder.",
        ErrorCode::Io => "The disk failed; nothing was written. Tell the worldbuilder.",
        ErrorCode::Refused => "Nothing was changed. Read it again and decide anew.",
        ErrorCode::Internal => "Tell the worldbuilder; the log says more.",
        ErrorCode::Invalid => "Correct the arguments and call again.",
    }
}

impl From<AppError> for Refusal {
    fn from(error: AppError) -> Self {
        let code = error.code();
        if code == ErrorCode::Internal {
            tracing::error!(%error, "a call of a client failed");
        }
        let passage = match &error {
            AppError::Guard(refusal) => refusal.passage(),
            _ => None,
        };
        let known =
            passage.map(|passage| format!("; it is said here: {}", passage.shown())).unwrap_or_default();
        Self { code, message: format!("{error}{known}"), hint: hint(code) }
    }
}

impl From<CommandError> for Refusal {
    fn from(error: CommandError) -> Self {
        let (code, hint) = match error.code {
            CommandErrorCode::NotFound => {
                (ErrorCode::NotFound, "The client's workspace may be gone; ask the worldbuilder.")
            }
            CommandErrorCode::Locked => (ErrorCode::Revoked, hint(ErrorCode::Revoked)),
            CommandErrorCode::Busy => (ErrorCode::Busy, hint(ErrorCode::Busy)),
            _ => (ErrorCode::Internal, hint(ErrorCode::Internal)),
        };
        Self { code, message: error.message, hint }
    }
}

#[cfg(test)]
mod tests {
    use inklings_domain::memory::InvalidMemory;

    use super::*;

    #[test]
    fn a_locked_entry_points_to_the_proposal() {
        let refusal = Refusal::from(AppError::Memory(InvalidMemory::Locked));
        assert_eq!(refusal.code, ErrorCode::Locked);
        assert!(refusal.hint.contains("proposal_create"));
        assert_eq!(refusal.as_result().is_error, Some(true));
    }
}
