//! What can go wrong with a memory in one file. No message holds a word of it.

use std::io;

use inklings_domain::text::TextError;

/// Why a memory could not be opened, or an operation not be done. Nothing was written when one of these comes back.
#[derive(Debug, thiserror::Error)]
pub enum OneFileError {
    /// Another process has it open.
    #[error("another program has this memory open")]
    Busy,
    /// It was opened for reading alone.
    #[error("this memory is open for reading alone")]
    ReadOnly,
    /// The path leads to no file that could be one.
    #[error("this is no path of a file")]
    NoFile,
    /// The file begins like something else.
    #[error("this file is no memory of Inklings")]
    NotAMemory,
    /// A newer release wrote it.
    #[error(
        "this memory was written by a newer version of Inklings (format {found}, this one reads {supported})"
    )]
    Newer {
        /// Its format.
        found: u64,
        /// The newest that this release reads.
        supported: u64,
    },
    /// It ends before its end.
    #[error("this memory is cut off: {found} bytes of {expected}")]
    CutOff {
        /// Bytes that are there.
        found: u64,
        /// Bytes that its head promises.
        expected: u64,
    },
    /// It is larger than a memory in one file can be.
    #[error("this memory is too large: {found} bytes, at most {limit}")]
    TooLarge {
        /// Its size.
        found: u64,
        /// The most that can be opened or written.
        limit: u64,
    },
    /// Its bytes are not those that were written.
    #[error("this memory is damaged: its checksum does not fit")]
    Checksum,
    /// It says what no memory can say.
    #[error("this memory is damaged: {what} (line {line}, column {column})")]
    Malformed {
        /// What does not fit.
        what: &'static str,
        /// The line of the file, from 1; 0 if no single place is at fault.
        line: usize,
        /// The column, from 1; 0 if no single place is at fault.
        column: usize,
    },
    /// An operation cannot be done.
    #[error("operation {index}: {refusal}", index = index + 1)]
    Refused {
        /// Which, from 0.
        index: usize,
        /// Why.
        refusal: Refusal,
    },
    /// The file or its folder cannot be read or written.
    #[error("the file cannot be used: {}", .0.kind())]
    Io(#[from] io::Error),
}

/// Why one operation cannot be done.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// Nothing goes by this name.
    #[error("no entry goes by this name")]
    Unknown,
    /// Another entry goes by this name.
    #[error("another entry goes by this name")]
    Taken,
    /// A name or a text breaks a rule.
    #[error(transparent)]
    Text(#[from] TextError),
    /// There is no number left.
    #[error("no number is left for a new entry")]
    Full,
}
