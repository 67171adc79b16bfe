//! Errors of the stores, in terms that a use case or a person can act on.

use inklings_domain::ids::MemoryId;

use crate::rule::{Refusal, Rule};

/// Why a store operation failed. Nothing was written if one of these is returned.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The entry was changed since it was read.
    #[error("the entry was changed by somebody else since it was read")]
    Stale {
        /// Id of the entry. Read it again for the current version.
        id: MemoryId,
    },
    /// The object was changed since it was read.
    #[error("the {0} was changed by somebody else meanwhile")]
    Moved(&'static str),
    /// A database trigger refused a write to the author's content, or under another actor's name.
    #[error("{0}")]
    Locked(Rule),
    /// The workspace's memory is switched off.
    #[error("this workspace's memory is switched off")]
    MemoryOff,
    /// The object does not exist.
    #[error("there is no such {0}")]
    NotFound(&'static str),
    /// The name or id is taken.
    #[error("there is already a {0} of this name")]
    AlreadyExists(&'static str),
    /// The database refused the write because of one of its rules.
    #[error("{0}")]
    Refused(Refusal),
    /// The folder or file is not writable.
    #[error("the data folder is read-only")]
    ReadOnly,
    /// A file could not be read or written, e.g. a failing disk or a disconnected share.
    #[error("a file could not be read or written; the disk may be failing, or not be connected any more")]
    Io(#[source] Box<dyn std::error::Error + Send + Sync>),
    #[error("the disk is full")]
    DiskFull,
    /// The free disk space is less than the operation needs; nothing was started.
    #[error(
        "the disk has too little room: this takes up to {} MB, and {} MB are free",
        megabytes(*needed, true),
        megabytes(*free, false)
    )]
    NoRoom {
        /// Bytes that the operation may need.
        needed: u64,
        /// Bytes that are free.
        free: u64,
    },
    /// A scrub deleted its rows and was stopped afterwards. The only error that is returned although
    /// something was written.
    #[error("the rows are gone for good, but {stage}: {why}")]
    Unfinished {
        /// The stage at which it was stopped.
        stage: ScrubStage,
        /// The cause.
        #[source]
        why: Box<StoreError>,
    },
    /// The file is damaged, or is not an Inklings database.
    #[error("'{file}' is damaged or is not an Inklings database")]
    Corrupt {
        /// File name without its folder.
        file: String,
    },
    /// The file is missing or empty although it existed before; it is not created again.
    #[error("'{file}' is missing or empty, though there was one; nothing was made in its place")]
    Missing {
        /// File name without its folder.
        file: String,
    },
    /// Something else is in the place of a file or folder, e.g. a pipe or a link. It was not opened.
    #[error("'{file}' is {found} where {expected} should be; it was not opened")]
    WrongKind {
        /// File name without its folder.
        file: String,
        /// What is expected there, with its article.
        expected: &'static str,
        /// What is there, with its article.
        found: &'static str,
    },
    /// A newer release wrote the file.
    #[error(
        "'{file}' was written by a newer version of Inklings (format {found}, this one reads up to {supported})"
    )]
    NewerSchema {
        /// File name without its folder.
        file: String,
        /// Format version of the file.
        found: i64,
        /// The newest format version that this release reads.
        supported: i64,
    },
    /// A release wrote the file whose format is no longer supported.
    #[error(
        "'{file}' was written by an older version of Inklings (format {found}, this one reads from {oldest} on)"
    )]
    OlderSchema {
        /// File name without its folder.
        file: String,
        /// Format version of the file.
        found: i64,
        /// The oldest format version that this release reads.
        oldest: i64,
    },
    /// Other processes held the database lock too long.
    #[error("the database is busy; try again")]
    Busy,
    /// Any other error; the source chain is for the log.
    #[error("the database failed")]
    Internal(#[source] Box<dyn std::error::Error + Send + Sync>),
}

impl StoreError {
    /// True if a rule or another writer refused the write, so that nothing of it is stored. After an error of the disk it can
    /// be stored all the same.
    pub fn is_refusal(&self) -> bool {
        matches!(
            self,
            Self::Stale { .. }
                | Self::Moved(_)
                | Self::Locked(_)
                | Self::MemoryOff
                | Self::NotFound(_)
                | Self::AlreadyExists(_)
                | Self::Refused(_)
        )
    }
}

/// The stages of a scrub after its rows are deleted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ScrubStage {
    /// Rewriting the file without the deleted rows.
    #[error("the file is not clean of them yet; it is cleaned when Inklings starts next and there is room")]
    Cleaning,
    /// Searching for remains.
    #[error("it was not looked for remains")]
    Looking,
}

/// Bytes as megabytes with one decimal, rounded up or down.
fn megabytes(bytes: u64, up: bool) -> String {
    const TENTH: u64 = 104_858;
    let tenths = if up { bytes.div_ceil(TENTH) } else { bytes / TENTH };
    format!("{}.{}", tenths / 10, tenths % 10)
}
