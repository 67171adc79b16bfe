//! The code of an error, as agents are answered with it and as telemetry records it.

use inklings_domain::{agent_telemetry::ErrorCode, fact::InvalidFact, memory::InvalidMemory};
use inklings_ports::store_error::StoreError;

use crate::error::{AppError, Denied, GuardRefusal};

impl AppError {
    /// The code of the error.
    pub fn code(&self) -> ErrorCode {
        match self {
            Self::Denied(Denied::Revoked) => ErrorCode::Revoked,
            Self::Denied(_) => ErrorCode::NotGranted,
            Self::MemoryOff => ErrorCode::MemoryOff,
            Self::Memory(InvalidMemory::Locked)
            | Self::Fact(InvalidFact::NotYours)
            | Self::SuppressedByAuthor(_)
            | Self::Store(StoreError::Locked(_)) => ErrorCode::Locked,
            Self::Memory(InvalidMemory::NoChange) | Self::Fact(InvalidFact::NoChange) => ErrorCode::NoChange,
            Self::Memory(InvalidMemory::Forgotten) => ErrorCode::Forgotten,
            Self::Guard(GuardRefusal::Noted(..)) => ErrorCode::AlreadyNoted,
            Self::Guard(GuardRefusal::World | GuardRefusal::OfWorld) => ErrorCode::NamesWorld,
            Self::Guard(GuardRefusal::Unclear) => ErrorCode::Unclear,
            Self::Guard(GuardRefusal::Scrubbed) => ErrorCode::Scrubbed,
            Self::Guard(_) => ErrorCode::Derivable,
            Self::Stale { .. } | Self::Store(StoreError::Stale { .. } | StoreError::Moved(_)) => {
                ErrorCode::StaleVersion
            }
            Self::NoMemory(_) | Self::NotFound { .. } | Self::Store(StoreError::NotFound(_)) => {
                ErrorCode::NotFound
            }
            Self::Transition(_) => ErrorCode::Ended,
            Self::Store(StoreError::Busy) | Self::Answering | Self::UnderWay | Self::TimedOut => {
                ErrorCode::Busy
            }
            Self::Store(StoreError::ReadOnly | StoreError::DiskFull) => ErrorCode::ReadOnly,
            Self::Store(StoreError::Io(_)) => ErrorCode::Io,
            Self::Store(StoreError::Refused(_)) => ErrorCode::Refused,
            Self::Store(_) | Self::RefCode(_) | Self::Embedding(_) | Self::Chat(_) => ErrorCode::Internal,
            _ => ErrorCode::Invalid,
        }
    }
}
