//! Errors of a one-file memory. Messages never contain memory text.

use std::io;

use inklings_domain::text::TextError;

/// The reason a memory could not be opened or an operation failed. Nothing was written if an error is returned.
#[derive(Debug, thiserror::Error)]
pub enum OneFileError {
    /// Another process has the file open.
    #[error("another program has this memory open")]
    Busy,
    /// The memory was opened read-only.
    #[error("this memory is open for reading alone")]
    ReadOnly,
    /// The path cannot be a file.
    #[error("this is no path of a file")]
    NoFile,
    /// The file header belongs to another format.
    #[error("this file is no memory of Inklings")]
    NotAMemory,
    /// The file was written by a newer release.
    #[error(
        "this memory was written by a newer version of Inklings (format {found}, this one reads {supported})"
    )]
    Newer {
        /// Format version of the file.
        found: u64,
        /// Newest supported format version.
        supported: u64,
    },
    /// The file is truncated.
    #[error("this memory is cut off: {found} bytes of {expected}")]
    CutOff {
        /// Actual size in bytes.
        found: u64,
        /// Size in bytes according to the header.
        expected: u64,
    },
    /// The file exceeds the maximum size.
    #[error("this memory is too large: {found} bytes, at most {limit}")]
    TooLarge {
        /// Size in bytes.
        found: u64,
        /// Maximum size in bytes.
        limit: u64,
    },
    /// The checksum does not match.
    #[error("this memory is damaged: its checksum does not fit")]
    Checksum,
    /// The content is invalid.
    #[error("this memory is damaged: {what} (line {line}, column {column})")]
    Malformed {
        /// Description of the problem.
        what: &'static str,
        /// Line of the file, from 1; 0 if the problem has no single position.
        line: usize,
        /// Column, from 1; 0 if the problem has no single position.
        column: usize,
    },
    /// An operation was refused.
    #[error("operation {index}: {refusal}", index = index + 1)]
    Refused {
        /// Index of the operation, from 0.
        index: usize,
        /// Reason for the refusal.
        refusal: Refusal,
    },
    /// The file or its folder cannot be read or written.
    #[error("the file cannot be used: {}", .0.kind())]
    Io(#[from] io::Error),
}

/// The reason an operation was refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// No entry has this name.
    #[error("no entry goes by this name")]
    Unknown,
    /// Another entry has this name.
    #[error("another entry goes by this name")]
    Taken,
    /// A name or a text breaks a rule.
    #[error(transparent)]
    Text(#[from] TextError),
    /// No entry numbers are left.
    #[error("no number is left for a new entry")]
    Full,
}
