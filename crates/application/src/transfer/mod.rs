//! Carrying memory out into a file and in again. An import is first a dry run, which is an import that is not kept, and
//! so says exactly what would happen; then one transaction and one run, which can be taken back.

mod check;
mod decide;
mod export;
mod import;
mod pages;
mod picks;
mod plan;
pub mod shape;
mod standing;
pub mod store;
pub mod vector;

pub use check::{moment as written_moment, read_moment};
pub use decide::{forget_reason, put_forget_reason, text as text_of, texts as texts_of};
pub use export::{ExportCounts, ExportOptions, ExportScope};
pub use import::{Imported, TASK, Wanted};
pub use pages::ExportSource;
pub use picks::{CLAIMS, Line, LineText, Need, Picks};
pub use plan::{Conflicts, Outcome, Plan, PlanItem};
pub use standing::{is_of_this_import, ordinary_importance};

use self::shape::Section;
use crate::{store_error::StoreError, transfer::store::Fields};

/// Hears how an export or import goes, and can stop it.
pub trait TransferProgress: Send + Sync {
    /// So many of so many, and of what: rows by section when writing, bytes when reading.
    fn report(&self, done: u64, total: u64, what: &'static str);

    /// True once it should stop; nothing of it stays then.
    fn cancelled(&self) -> bool;
}

/// What is wrong with a file, and where. Never carries a word of it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}{}: {message}", field.map(|name| format!(", {name}")).unwrap_or_default())]
pub struct FileError {
    /// The line, from 1.
    pub line: u64,
    /// The field at fault, if one is.
    pub field: Option<&'static str>,
    /// What is wrong, for people.
    pub message: String,
}

impl FileError {
    /// What is wrong with a line.
    pub fn at(line: u64, message: impl Into<String>) -> Self {
        Self { line, field: None, message: message.into() }
    }

    /// What is wrong with a field.
    pub fn of(line: u64, field: &'static str, message: impl Into<String>) -> Self {
        Self { line, field: Some(field), message: message.into() }
    }
}

/// Why nothing was exported or imported.
#[derive(Debug, thiserror::Error)]
pub enum TransferError {
    /// An export of nothing.
    #[error("choose what to export: the account, the workspace, a channel or a conversation")]
    NothingChosen,
    /// It was stopped.
    #[error("it was stopped; nothing was kept")]
    Cancelled,
    /// The file is broken.
    #[error(transparent)]
    File(#[from] FileError),
    /// A newer release exported the file.
    #[error(
        "a newer version of Inklings exported this file (form {found}, this one reads up to {supported}); update \
         Inklings, then import it"
    )]
    Newer {
        /// Its form.
        found: u64,
        /// The newest form that this release knows.
        supported: u64,
    },
    /// The file or the memory changed since the dry run.
    #[error("the file or the memory changed since the preview; look at it again")]
    Stale,
    /// A line was picked that the plan does not have.
    #[error("the plan has no line '{line}' that could be picked; look at it again")]
    UnknownPick {
        /// What was given as its id.
        line: String,
    },
    /// The file cannot be read or written.
    #[error("the file cannot be used: {}", .0.kind())]
    Io(#[from] std::io::Error),
    /// A database.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// A row as it stands in a file.
#[derive(Debug, Clone, PartialEq)]
pub struct FileRow {
    /// Which section.
    pub section: Section,
    /// Its first line, from 1.
    pub line: u64,
    /// The row, not checked yet.
    pub fields: Fields,
}

/// The rows of one file, one at a time.
pub trait FileRows: Iterator<Item = Result<FileRow, FileError>> + Send {
    /// Bytes read so far, of how many.
    fn progress(&self) -> (u64, u64);

    /// What stands beside the rows. Complete once all rows were read.
    fn aside(&mut self) -> Aside {
        Aside::default()
    }
}

/// What stands in a file beside its rows.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Aside {
    /// True if the file is of the account alone.
    pub of_account: bool,
    /// What this release does not know, by name.
    pub members: Fields,
}

/// A file that can be read more than once.
pub trait FileSource: Send + Sync {
    /// Its format, also the source of what has none of its own.
    fn format(&self) -> &'static str;

    /// Begins at its beginning.
    ///
    /// # Errors
    /// [`TransferError::File`] or [`TransferError::Io`].
    fn rows(&self) -> Result<Box<dyn FileRows>, TransferError>;
}
