//! Errors of reading and writing entries, with their position.

use std::fmt;

use super::{
    DamagedFile, Format,
    limits::{TOGETHER, TOO_MANY, VALUES},
};

/// A file of a folder or an archive. The path may contain an entry's name, so neither error messages nor
/// `Debug` show it; only callers that ask for it get it.
#[derive(Clone, PartialEq, Eq)]
pub struct FileName {
    number: usize,
    path: String,
}

impl FileName {
    /// Creates a file reference by its number, counted from 1 in the order of paths, and its inner path.
    pub(crate) const fn new(number: usize, path: String) -> Self {
        Self { number, path }
    }

    /// Number, counted from 1 in the order of paths.
    pub const fn number(&self) -> usize {
        self.number
    }

    /// Path inside the folder or archive, for display to the worldbuilder, never for logs.
    pub fn path(&self) -> &str {
        &self.path
    }
}

impl fmt::Debug for FileName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "FileName({})", self.number)
    }
}

/// A position in the input, as far as it is known. Numbers count from 1.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Spot {
    /// The file, if there are several.
    pub file: Option<FileName>,
    /// Line number.
    pub line: Option<usize>,
    /// Number of the entry.
    pub entry: Option<usize>,
    /// Name of the field in the format.
    pub field: Option<&'static str>,
}

impl Spot {
    pub(crate) fn line(line: usize) -> Self {
        Self { line: Some(line), ..Self::default() }
    }

    pub(crate) fn field(entry: usize, field: &'static str) -> Self {
        Self { entry: Some(entry), field: Some(field), ..Self::default() }
    }

    pub(crate) fn entry(entry: usize) -> Self {
        Self { entry: Some(entry), ..Self::default() }
    }

    /// A field of the file as a whole.
    pub(crate) fn top(field: &'static str) -> Self {
        Self { field: Some(field), ..Self::default() }
    }
}

impl fmt::Display for Spot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut parts = Vec::new();
        parts.extend(self.file.as_ref().map(|file| format!("file {}", file.number)));
        parts.extend(self.line.map(|line| format!("line {line}")));
        parts.extend(self.entry.map(|entry| format!("entry {entry}")));
        parts.extend(self.field.map(|field| format!("field {field}")));
        if parts.is_empty() {
            parts.push("the file".to_owned());
        }
        f.write_str(&parts.join(", "))
    }
}

/// Errors of reading or writing entries. They never quote text.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FormatError {
    /// The file cannot be opened, read or written: the kind of the system's error.
    #[error("the file cannot be read or written: {0}")]
    Io(String),
    #[error("this is no file of memories, lore or cards that Inklings can read")]
    UnknownFormat,
    /// An export of Inklings that cannot be read as one: why, and what to do.
    #[error("this is an export of Inklings {0}")]
    OwnExport(&'static str),
    /// The content does not match the specified format.
    #[error("this is not of the format {}", .0.name())]
    NotThisFormat(Format),
    /// The content is invalid.
    #[error("{at}: {problem}")]
    Broken {
        /// Position of the error.
        at: Spot,
        /// Fixed description of the error.
        problem: &'static str,
    },
    /// A size limit is exceeded.
    #[error("{at}: {bound}")]
    TooLarge {
        /// Position of the error.
        at: Spot,
        /// Fixed description of the limit.
        bound: &'static str,
    },
    /// This format cannot be written, or not as a single file or folder.
    #[error("Inklings does not write the format {} this way", .0.name())]
    NotWritten(Format),
    /// This format is only written.
    #[error("Inklings writes the format {} and does not read it", .0.name())]
    NotRead(Format),
    /// The destination folder is not empty.
    #[error("the folder to write into is not empty")]
    NotEmpty,
}

impl FormatError {
    pub(crate) const fn broken(at: Spot, problem: &'static str) -> Self {
        Self::Broken { at, problem }
    }

    pub(crate) const fn large(at: Spot, bound: &'static str) -> Self {
        Self::TooLarge { at, bound }
    }

    /// Uses only the kind of the error, because the system's message may contain paths.
    pub(crate) fn io(error: &std::io::Error) -> Self {
        Self::Io(error.kind().to_string())
    }

    /// Adds the number of the entry to the error's position.
    pub(crate) fn at_entry(self, entry: usize) -> Self {
        match self {
            Self::Broken { at, problem } => Self::Broken { at: Spot { entry: Some(entry), ..at }, problem },
            other => other,
        }
    }

    /// True if the error is about a whole folder and not about one of its files.
    pub(super) fn is_of_whole(&self) -> bool {
        matches!(self, Self::TooLarge { bound, .. } if [TOGETHER, TOO_MANY, VALUES].contains(bound))
    }

    /// The error of a file of a folder; `path` if the error names no file.
    pub(super) fn into_damaged(mut self, path: &str) -> DamagedFile {
        let file = match &mut self {
            Self::Broken { at, .. } | Self::TooLarge { at, .. } => at.file.take(),
            _ => None,
        };
        let path = file.map_or_else(|| path.to_owned(), |file| file.path);
        DamagedFile { path, problem: self.to_string() }
    }

    /// Adds the file to the error's position.
    pub(crate) fn in_file(self, number: usize, path: &str) -> Self {
        let file = |mut at: Spot| {
            at.file = Some(FileName::new(number, path.to_owned()));
            at
        };
        match self {
            Self::Broken { at, problem } => Self::Broken { at: file(at), problem },
            Self::TooLarge { at, bound } => Self::TooLarge { at: file(at), bound },
            other => other,
        }
    }
}
