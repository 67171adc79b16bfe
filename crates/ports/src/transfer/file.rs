//! Rows of a file that is exported or imported, and why that fails.

use inklings_domain::derivation::Derivation;

use crate::{
    progress::NoProgress,
    store_error::StoreError,
    transfer::{shape::Section, store::Fields},
};

/// Receives the progress of an export or import and can stop it.
pub trait TransferProgress: Send + Sync {
    /// Done and total: rows of the section `what` for an export, bytes for an import.
    fn report(&self, done: u64, total: u64, what: &'static str);

    /// True once it should stop; nothing is retained then.
    fn cancelled(&self) -> bool;
}

impl TransferProgress for NoProgress {
    fn report(&self, _: u64, _: u64, _: &'static str) {}

    fn cancelled(&self) -> bool {
        false
    }
}

/// An error in a file, with its position. Never contains text of the file.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}{}: {message}", field.map(|name| format!(", {name}")).unwrap_or_default())]
pub struct FileError {
    /// Line number, starting at 1.
    pub line: u64,
    /// The invalid field, if a field is invalid.
    pub field: Option<&'static str>,
    /// What is wrong, for display.
    pub message: String,
}

impl FileError {
    /// An error in a line.
    pub fn at(line: u64, message: impl Into<String>) -> Self {
        Self { line, field: None, message: message.into() }
    }

    /// An error in a field.
    pub fn of(line: u64, field: &'static str, message: impl Into<String>) -> Self {
        Self { line, field: Some(field), message: message.into() }
    }
}

/// Why an export or import failed.
#[derive(Debug, thiserror::Error)]
pub enum TransferError {
    /// Nothing was chosen for export.
    #[error("choose what to export: the account, the workspace, a channel or a conversation")]
    NothingChosen,
    #[error("it was stopped; nothing was kept")]
    Cancelled,
    /// The file is invalid.
    #[error(transparent)]
    File(#[from] FileError),
    /// A newer release exported the file.
    #[error(
        "a newer version of Inklings exported this file (form {found}, this one reads up to {supported}); update \
         Inklings, then import it"
    )]
    Newer {
        /// Format version of the file.
        found: u64,
        /// The newest format version that this release reads.
        supported: u64,
    },
    /// An older release exported the file, in a format that is no longer read.
    #[error(
        "an older version of Inklings exported this file (form {found}, this one reads form {supported}); open the \
         memory with that version, update Inklings, and export it again"
    )]
    Older {
        /// Format version of the file.
        found: u64,
        /// The newest format version that this release reads.
        supported: u64,
    },
    /// The file or the memory changed since the preview.
    #[error("the file or the memory changed since the preview; look at it again")]
    Stale,
    /// A picked line does not exist in the plan.
    #[error("the plan has no line '{line}' that could be picked; look at it again")]
    UnknownPick {
        /// The given line id.
        line: String,
    },
    /// The file cannot be read or written.
    #[error("the file cannot be used: {}", .0.kind())]
    Io(#[from] std::io::Error),
    /// A database failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// A row of a file.
#[derive(Debug, Clone, PartialEq)]
pub struct FileRow {
    pub section: Section,
    /// Its first line, starting at 1.
    pub line: u64,
    /// Where the row is, if its line does not say it: the path of its file in a folder or an archive.
    pub place: Option<String>,
    /// The fields, not validated yet.
    pub fields: Fields,
    /// Entries that it names and is linked to. Rows of the own format have their links among the fields.
    pub links: RowLinks,
}

/// Links of a third-party row to entries that it names.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct RowLinks {
    /// What it states of two entries.
    pub relation: Option<NamedRelation>,
    /// Entries that it is about.
    pub about: Vec<LinkTarget>,
    /// Who knows of it; empty: everybody does.
    pub known_by: Vec<NamedKnower>,
    /// True if fewer know of it than these, or than everybody.
    pub known_by_fewer: bool,
    /// The fields of a subject for the case that it may not be one: those of a memory.
    pub unless_subject: Option<Fields>,
}

impl RowLinks {
    /// True if it is linked to nothing.
    pub const fn is_empty(&self) -> bool {
        self.relation.is_none() && self.about.is_empty() && !self.has_knowers()
    }

    /// True if not everybody knows of it.
    pub const fn has_knowers(&self) -> bool {
        self.known_by_fewer || !self.known_by.is_empty()
    }
}

/// A relation between two named entries.
#[derive(Debug, Clone, PartialEq)]
pub struct NamedRelation {
    /// What it says, such as "sister of".
    pub relation: String,
    /// The entry that it starts at.
    pub from: LinkTarget,
    /// The entry that it leads to.
    pub to: LinkTarget,
}

/// Somebody who knows of a third-party row.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct NamedKnower {
    /// The subject. Its lines are those of subjects alone.
    pub subject: LinkTarget,
    /// Since when: a date or a chapter. `None`: always.
    pub since: Option<String>,
    /// The fields of the subject that is made of the name if there is none; `None` if none may be made.
    pub new: Option<Fields>,
}

/// An entry that a file names.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct LinkTarget {
    /// Lines of the rows of the file that go by the name, the likeliest first.
    pub lines: Vec<u64>,
    /// The names of an existing entry, the likeliest first.
    pub names: Vec<String>,
}

/// Iterates over the rows of one file.
pub trait FileRows: Iterator<Item = Result<FileRow, FileError>> + Send {
    /// Bytes read so far, and the total.
    fn progress(&self) -> (u64, u64);

    /// Content outside the rows. Complete once all rows were read.
    fn aside(&mut self) -> Aside {
        Aside::default()
    }
}

/// Content of a file outside its rows.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Aside {
    /// True if the file only contains the account.
    pub of_account: bool,
    /// Members unknown to this release, by name.
    pub members: Fields,
}

/// A file that can be read more than once.
pub trait FileSource: Send + Sync {
    /// Name of its format. Also the source of entries that have none.
    fn format(&self) -> &'static str;

    /// What is recorded of the file in the entries that are made of it; `None` for an export of Inklings, whose rows are
    /// entries with sources of their own.
    fn derivation(&self) -> Option<Derivation>;

    /// Opens the file at its beginning.
    ///
    /// # Errors
    /// [`TransferError::File`] or [`TransferError::Io`].
    fn rows(&self) -> Result<Box<dyn FileRows>, TransferError>;
}
