//! What can go wrong in a store, in terms that a use case or a person can act on.

use inklings_domain::ids::MemoryId;

use super::rule::{Refusal, Rule};

/// Why a store did not do what it was asked. Nothing was written when one of these comes back.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// Somebody else changed the entry since it was read.
    #[error("the entry was changed by somebody else since it was read")]
    Stale {
        /// Which entry. Read it again for the current version.
        id: MemoryId,
    },
    /// Somebody else changed the thing since it was read.
    #[error("the {0} was changed by somebody else meanwhile")]
    Moved(&'static str),
    /// The database refused a write to what belongs to the author, or in somebody else's name.
    #[error("{0}")]
    Locked(Rule),
    /// The workspace's memory is switched off.
    #[error("this workspace's memory is switched off")]
    MemoryOff,
    /// There is no such thing.
    #[error("there is no such {0}")]
    NotFound(&'static str),
    /// The name or id is taken.
    #[error("there is already a {0} of this name")]
    AlreadyExists(&'static str),
    /// The database broke off because a rule of its own was violated.
    #[error("{0}")]
    Refused(Refusal),
    /// The folder or file cannot be written.
    #[error("the data folder is read-only")]
    ReadOnly,
    /// A file could not be read or written: a failing disk, a share that went away.
    #[error("a file could not be read or written; the disk may be failing, or not be connected any more")]
    Io(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// No room left.
    #[error("the disk is full")]
    DiskFull,
    /// There is less room left than what was asked takes; nothing was begun.
    #[error(
        "the disk has too little room: this takes up to {} MB, and {} MB are free",
        megabytes(*needed, true),
        megabytes(*free, false)
    )]
    NoRoom {
        /// Bytes that it may take.
        needed: u64,
        /// Bytes that are free.
        free: u64,
    },
    /// A scrub destroyed its rows and was stopped afterwards. The one error that comes back although something was written.
    #[error("the rows are gone for good, but {stage}: {why}")]
    Unfinished {
        /// Where it was stopped.
        stage: ScrubStage,
        /// What stopped it.
        #[source]
        why: Box<StoreError>,
    },
    /// The file is damaged, or no database of ours.
    #[error("'{file}' is damaged or is not an Inklings database")]
    Corrupt {
        /// File name without its folder.
        file: String,
    },
    /// The file is missing or empty, though there was one: nothing is made in its place.
    #[error("'{file}' is missing or empty, though there was one; nothing was made in its place")]
    Missing {
        /// File name without its folder.
        file: String,
    },
    /// Something else lies where a file or folder of ours should be, e.g. a pipe or a link. It was not opened.
    #[error("'{file}' is {found} where {expected} should be; it was not opened")]
    WrongKind {
        /// Its name without its folder.
        file: String,
        /// What should be there, with its article.
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
        /// Its format.
        found: i64,
        /// The newest format that this release knows.
        supported: i64,
    },
    /// A release wrote the file whose files are not read any more.
    #[error(
        "'{file}' was written by an older version of Inklings (format {found}, this one reads from {oldest} on)"
    )]
    OlderSchema {
        /// File name without its folder.
        file: String,
        /// Its format.
        found: i64,
        /// The oldest format that this release reads.
        oldest: i64,
    },
    /// Other processes held the database too long.
    #[error("the database is busy; try again")]
    Busy,
    /// Anything else; the chain is for the log.
    #[error("the database failed")]
    Internal(#[source] Box<dyn std::error::Error + Send + Sync>),
}

/// What a scrub does once its rows are gone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ScrubStage {
    /// Writes the file anew without them.
    #[error("the file is not clean of them yet; it is cleaned when Inklings starts next and there is room")]
    Cleaning,
    /// Looks for remains.
    #[error("it was not looked for remains")]
    Looking,
}

/// Bytes in megabytes with one decimal.
fn megabytes(bytes: u64, up: bool) -> String {
    const TENTH: u64 = 104_858;
    let tenths = if up { bytes.div_ceil(TENTH) } else { bytes / TENTH };
    format!("{}.{}", tenths / 10, tenths % 10)
}
