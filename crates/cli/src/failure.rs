//! Why a command ended without success.

use inklings_api::error::{CommandError, ErrorCode};

/// What went wrong; decides the exit code.
#[derive(Debug)]
pub enum Failure {
    /// The core refused or failed: exit code 1.
    Command(Box<CommandError>),
    /// The command line makes no sense: exit code 2.
    Usage(String),
    /// Nobody reads our output any more (`inklings … | head`): what was asked is done, and there is no one to tell.
    Unread,
}

impl Failure {
    /// A failure with a code and a sentence for people.
    pub fn new(code: ErrorCode, message: impl Into<String>) -> Self {
        CommandError::new(code, message).into()
    }

    /// A fault of ours or of the machine.
    pub fn internal(error: &dyn std::error::Error) -> Self {
        Self::new(ErrorCode::Internal, format!("Something failed that should not: {error}."))
    }

    /// A file of the command line that cannot be opened or written.
    pub fn file(path: &std::path::Path, error: &std::io::Error) -> Self {
        use std::io::ErrorKind;
        let path = path.display();
        match error.kind() {
            ErrorKind::NotFound => Self::new(ErrorCode::NotFound, format!("There is no file '{path}'.")),
            ErrorKind::StorageFull => {
                Self::new(ErrorCode::DiskFull, format!("The disk is full; '{path}' is incomplete."))
            }
            kind => CommandError::invalid("file", format!("'{path}' cannot be used: {kind}.")).into(),
        }
    }
}

impl From<CommandError> for Failure {
    fn from(error: CommandError) -> Self {
        Self::Command(Box::new(error))
    }
}
