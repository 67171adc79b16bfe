//! The error type of the API. A code exists only if a caller branches on it.

use inklings_application::error::AppError;
use inklings_domain::{
    channel::ChannelError, fact::InvalidFact, memory::InvalidMemory, recall_test::InvalidRecallTest,
    scratchpad::InvalidNote, search::saved::InvalidSavedSearch,
};
use inklings_ports::{model::embedding::EmbedError, store_error::StoreError, update::UpdateError};
use serde::{Deserialize, Serialize};
use specta::Type;

use crate::view::memory::MemoryDetail;

/// The kind of a failure.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, Type)]
#[serde(rename_all = "snake_case")]
pub enum ErrorCode {
    /// The input broke a rule; `details.field` names the field.
    Invalid,
    /// The object does not exist.
    NotFound,
    /// The entry was changed since it was read; `details` carries both versions.
    StaleVersion,
    /// The entry belongs to the author and is locked for agents.
    Locked,
    /// A database rule refused the write, for example a change of an append-only record.
    Refused,
    /// The name is in use already.
    AlreadyExists,
    /// The data folder cannot be written.
    ReadOnly,
    /// A file could not be read or written.
    Io,
    DiskFull,
    /// A file is damaged or not an Inklings file.
    Corrupt,
    /// A newer release wrote the file.
    NewerSchema,
    /// The file was written by an older release that is no longer supported.
    OlderSchema,
    /// No embedding model is available, or it cannot be loaded or downloaded.
    ModelUnavailable,
    /// The operation was cancelled.
    Cancelled,
    /// No change is left to undo.
    NothingToUndo,
    /// Other processes held the database lock too long.
    Busy,
    /// An internal error; the log has the full error chain.
    Internal,
}

/// Data that a caller needs to recover.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ErrorDetails {
    /// The invalid field.
    pub field: Option<String>,
    /// The current version of the entry.
    pub current: Option<MemoryDetail>,
    /// The content that the caller tried to write.
    pub yours_content: Option<String>,
}

/// An error as returned to callers. The message is for users and never contains memory text.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type, thiserror::Error)]
#[error("{message}")]
#[serde(rename_all = "camelCase")]
pub struct CommandError {
    /// Kind of the failure.
    pub code: ErrorCode,
    /// What happened and what to do, for users.
    pub message: String,
    /// Data that a caller needs to recover.
    pub details: Option<Box<ErrorDetails>>,
}

impl CommandError {
    /// An error without details.
    pub fn new(code: ErrorCode, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), details: None }
    }

    /// An error of code `invalid` for one field of the input.
    pub fn invalid(field: &str, message: impl Into<String>) -> Self {
        let details = ErrorDetails { field: Some(field.to_owned()), ..ErrorDetails::default() };
        Self { code: ErrorCode::Invalid, message: message.into(), details: Some(Box::new(details)) }
    }
}

fn store_code(error: &StoreError) -> ErrorCode {
    match error {
        StoreError::Stale { .. } | StoreError::Moved(_) => ErrorCode::StaleVersion,
        StoreError::Locked(_) | StoreError::MemoryOff => ErrorCode::Locked,
        StoreError::NotFound(_) => ErrorCode::NotFound,
        StoreError::AlreadyExists(_) => ErrorCode::AlreadyExists,
        StoreError::ReadOnly => ErrorCode::ReadOnly,
        StoreError::DiskFull | StoreError::NoRoom { .. } => ErrorCode::DiskFull,
        StoreError::Unfinished { why, .. } => store_code(why),
        StoreError::Corrupt { .. } | StoreError::Missing { .. } | StoreError::WrongKind { .. } => {
            ErrorCode::Corrupt
        }
        StoreError::NewerSchema { .. } => ErrorCode::NewerSchema,
        StoreError::OlderSchema { .. } => ErrorCode::OlderSchema,
        StoreError::Busy => ErrorCode::Busy,
        StoreError::Refused(_) => ErrorCode::Refused,
        StoreError::Io(_) => ErrorCode::Io,
        StoreError::Internal(_) => ErrorCode::Internal,
    }
}

const fn update_code(error: &UpdateError) -> ErrorCode {
    match error {
        UpdateError::NotSetUp | UpdateError::NotAnnounced(_) | UpdateError::NoPackage => ErrorCode::NotFound,
        UpdateError::NotNewer { .. } => ErrorCode::Invalid,
        UpdateError::Untrusted(_) => ErrorCode::Refused,
        UpdateError::Cancelled => ErrorCode::Cancelled,
        UpdateError::Unreachable(_) | UpdateError::Install(_) => ErrorCode::Io,
    }
}

fn code(error: &AppError) -> ErrorCode {
    match error {
        AppError::Memory(InvalidMemory::Locked)
        | AppError::Fact(InvalidFact::NotYours)
        | AppError::ActorKind(_)
        | AppError::Denied(_)
        | AppError::SuppressedByAuthor(_)
        | AppError::MemoryOff => ErrorCode::Locked,
        AppError::SavedSearch(InvalidSavedSearch::NameTaken) => ErrorCode::AlreadyExists,
        AppError::Memory(_)
        | AppError::Text(_)
        | AppError::WorkspaceName(_)
        | AppError::Word(_)
        | AppError::Input { .. }
        | AppError::Channel(_)
        | AppError::Transition(_)
        | AppError::Branch(_)
        | AppError::Fact(_)
        | AppError::Note(_)
        | AppError::RecallTest(_)
        | AppError::SavedSearch(_)
        | AppError::Proposal(_)
        | AppError::Drift(_)
        | AppError::Guard(_)
        | AppError::Vault(_)
        | AppError::ImportLine { .. } => ErrorCode::Invalid,
        AppError::Stale { .. } => ErrorCode::StaleVersion,
        AppError::NoMemory(_) | AppError::NotFound { .. } => ErrorCode::NotFound,
        AppError::NothingToUndo | AppError::Scrubbed | AppError::AlreadyUndone => ErrorCode::NothingToUndo,
        AppError::Embedding(EmbedError::Cancelled) => ErrorCode::Cancelled,
        AppError::Embedding(_) | AppError::Chat(_) => ErrorCode::ModelUnavailable,
        AppError::Answering | AppError::UnderWay | AppError::TimedOut => ErrorCode::Busy,
        AppError::RefCode(_) => ErrorCode::Internal,
        AppError::Update(error) => update_code(error),
        AppError::Store(error) => store_code(error),
    }
}

fn field(error: &AppError) -> Option<&'static str> {
    match error {
        AppError::Memory(invalid) => invalid.field(),
        AppError::Text(text) => InvalidMemory::Text(text.clone()).field(),
        AppError::WorkspaceName(_)
        | AppError::Channel(ChannelError::Fixed)
        | AppError::SavedSearch(InvalidSavedSearch::Name(_) | InvalidSavedSearch::NameTaken) => Some("name"),
        AppError::Channel(ChannelError::NotEmpty | ChannelError::BadMoveTarget) => Some("moveTo"),
        AppError::Fact(InvalidFact::Text(text)) | AppError::Note(InvalidNote::Key(text)) => {
            InvalidMemory::Text(text.clone()).field()
        }
        AppError::Fact(InvalidFact::NoChange | InvalidFact::Removed) | AppError::Note(_) => Some("value"),
        AppError::Fact(InvalidFact::Overlap | InvalidFact::Ambiguous) => Some("holds"),
        AppError::RecallTest(InvalidRecallTest::Question(_)) => Some("question"),
        AppError::RecallTest(InvalidRecallTest::NoBudget) => Some("budget"),
        AppError::RecallTest(
            InvalidRecallTest::NothingExpected
            | InvalidRecallTest::TooMuchExpected { .. }
            | InvalidRecallTest::NamedTwice(_),
        ) => Some("come"),
        AppError::Input { field, .. } => Some(field),
        AppError::Vault(_) => Some("folder"),
        _ => None,
    }
}

impl From<AppError> for CommandError {
    /// Logs the error chain once, where an error leaves the core. The caller fills in the `current` entry of
    /// a stale version, because it knows the names of channels and conversations.
    fn from(error: AppError) -> Self {
        let code = code(&error);
        let mut source = std::error::Error::source(&error);
        let mut chain = Vec::new();
        while let Some(cause) = source {
            chain.push(cause.to_string());
            source = cause.source();
        }
        if matches!(
            code,
            ErrorCode::Internal | ErrorCode::Io | ErrorCode::Corrupt | ErrorCode::DiskFull | ErrorCode::Busy
        ) {
            tracing::error!(code = ?code, error = %error, causes = ?chain, "a request failed");
        } else {
            tracing::debug!(code = ?code, error = %error, causes = ?chain, "a request was refused");
        }
        let details = field(&error)
            .map(|field| Box::new(ErrorDetails { field: Some(field.to_owned()), ..ErrorDetails::default() }));
        Self { code, message: sentence(&error.to_string()), details }
    }
}

impl From<StoreError> for CommandError {
    fn from(error: StoreError) -> Self {
        AppError::from(error).into()
    }
}

/// True if the device failed or disappeared: EIO, ENXIO, ENODEV, ESTALE, EREMOTEIO, and the Windows
/// equivalents.
pub(crate) fn disk_failed(error: &std::io::Error) -> bool {
    const NUMBERS: &[i32] = if cfg!(windows) { &[21, 23, 55, 483, 1117] } else { &[5, 6, 19, 70, 116, 121] };
    error.raw_os_error().is_some_and(|number| NUMBERS.contains(&number))
}

/// Makes a sentence of an error message. Error messages are lower case so that they can be chained.
pub(crate) fn sentence(message: &str) -> String {
    let mut chars = message.chars();
    let first = chars.next().map(|c| c.to_uppercase().to_string()).unwrap_or_default();
    let rest = chars.as_str();
    let end = if message.ends_with(['.', '!', '?']) { "" } else { "." };
    format!("{first}{rest}{end}")
}

#[cfg(test)]
mod tests {
    use inklings_ports::store_error::ScrubStage;

    use super::*;

    #[test]
    fn an_error_names_its_field_and_is_a_sentence() {
        let error = CommandError::from(AppError::Memory(InvalidMemory::Importance));
        assert_eq!(error.code, ErrorCode::Invalid);
        assert_eq!(error.message, "Importance must be a number from 0 to 1.");
        assert_eq!(error.details.and_then(|d| d.field).as_deref(), Some("importance"));
    }

    #[test]
    fn errors_of_a_scrub_state_the_space_it_needs_and_the_stage_where_it_stopped() {
        let error = CommandError::from(StoreError::NoRoom { needed: 5_000_000, free: 2_000_000 });
        assert_eq!(error.code, ErrorCode::DiskFull);
        assert_eq!(
            error.message,
            "The disk has too little room: this takes up to 4.8 MB, and 1.9 MB are free."
        );
        let why = Box::new(StoreError::DiskFull);
        let error = CommandError::from(StoreError::Unfinished { stage: ScrubStage::Cleaning, why });
        assert_eq!(error.code, ErrorCode::DiskFull);
        assert!(
            error.message.starts_with("The rows are gone for good, but the file is not clean"),
            "{}",
            error.message
        );
    }
}
