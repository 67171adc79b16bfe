//! Why a file of entries cannot be read or written, and where.

use std::fmt;

use super::Format;

/// A file of a folder or an archive. Its name may be what an entry is called, so it is shown only where somebody asks
/// for it: neither an error's text nor its `Debug` form repeats it.
#[derive(Clone, PartialEq, Eq)]
pub struct FileName {
    number: usize,
    path: String,
}

impl FileName {
    /// A file by its number, counted from 1 in the order of the paths, and its path inside.
    pub(crate) const fn new(number: usize, path: String) -> Self {
        Self { number, path }
    }

    /// Its number, counted from 1 in the order of the paths.
    pub const fn number(&self) -> usize {
        self.number
    }

    /// Its path inside the folder or archive: for the worldbuilder's eyes, never for a log.
    pub fn path(&self) -> &str {
        &self.path
    }
}

impl fmt::Debug for FileName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "FileName({})", self.number)
    }
}

/// A place in what was read; as much of it as is known. Numbers count from 1.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Spot {
    /// The file, where there are several.
    pub file: Option<FileName>,
    /// The line.
    pub line: Option<usize>,
    /// The entry.
    pub entry: Option<usize>,
    /// The field, as the format calls it.
    pub field: Option<&'static str>,
}

impl Spot {
    /// A line.
    pub(crate) fn line(line: usize) -> Self {
        Self { line: Some(line), ..Self::default() }
    }

    /// A field of an entry.
    pub(crate) fn field(entry: usize, field: &'static str) -> Self {
        Self { entry: Some(entry), field: Some(field), ..Self::default() }
    }

    /// An entry.
    pub(crate) fn entry(entry: usize) -> Self {
        Self { entry: Some(entry), ..Self::default() }
    }

    /// A field of the file itself.
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

/// Why entries cannot be read or written. Never carries a word of them.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FormatError {
    /// The file cannot be opened, read or written: the kind of the system's error.
    #[error("the file cannot be read or written: {0}")]
    Io(String),
    /// It is nothing that we know.
    #[error("this is no file of memories, lore or cards that Inklings can read")]
    UnknownFormat,
    /// It is a vault of Obsidian: its notes are pages, not memories.
    #[error(
        "this folder is an Obsidian vault: its notes are pages, and pages are not brought in as memories"
    )]
    ObsidianVault,
    /// It was said to be of a format that it is not of.
    #[error("this is not of the format {}", .0.name())]
    NotThisFormat(Format),
    /// It is broken.
    #[error("{at}: {problem}")]
    Broken {
        /// Where.
        at: Spot,
        /// What is wrong, in fixed words.
        problem: &'static str,
    },
    /// It is beyond a bound.
    #[error("{at}: {bound}")]
    TooLarge {
        /// Where.
        at: Spot,
        /// Which bound, in fixed words.
        bound: &'static str,
    },
    /// This format is read, not written, or not written this way (a folder is no single file).
    #[error("Inklings does not write the format {} this way", .0.name())]
    NotWritten(Format),
    /// The folder to write into holds something already.
    #[error("the folder to write into is not empty")]
    NotEmpty,
}

impl FormatError {
    /// Something that is broken at a place.
    pub(crate) const fn broken(at: Spot, problem: &'static str) -> Self {
        Self::Broken { at, problem }
    }

    /// Something that is beyond a bound at a place.
    pub(crate) const fn large(at: Spot, bound: &'static str) -> Self {
        Self::TooLarge { at, bound }
    }

    /// What the system said, as its kind alone: what it adds may name folders.
    pub(crate) fn io(error: &std::io::Error) -> Self {
        Self::Io(error.kind().to_string())
    }

    /// The same in one of several files.
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
