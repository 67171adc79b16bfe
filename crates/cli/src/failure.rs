//! Failures of a command, with their exit codes.

use inklings_api::error::{CommandError, ErrorCode};

/// A failure; determines the exit code.
#[derive(Debug)]
pub enum Failure {
    /// An error of the core: exit code 1.
    Command(Box<CommandError>),
    /// Invalid command line: exit code 2.
    Usage(String),
    /// The reader of standard output closed it (`inklings … | head`): the command was executed, and nothing
    /// more is printed.
    Unread,
}

impl Failure {
    /// A failure with a code and a message for users.
    pub fn new(code: ErrorCode, message: impl Into<String>) -> Self {
        CommandError::new(code, message).into()
    }

    /// A failure of code `internal`.
    pub fn internal(error: &dyn std::error::Error) -> Self {
        Self::new(ErrorCode::Internal, format!("Something failed that should not: {error}."))
    }

    /// A failure to open or write a file of the command line.
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
