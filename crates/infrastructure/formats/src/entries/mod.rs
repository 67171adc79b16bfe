//! What other programs keep: lorebooks, character cards, codices, memories. Read into one neutral form and, for three
//! formats, written out of it again.
//!
//! **Fields without a place here** stay in [`ThirdPartyEntry::extra`] and [`Collection::extra`], and a writer of the same
//! format puts them back: a file that is read and written again holds the same values. `extra` is made by a format for
//! itself; keep it with the format's name, and hand it to no other.
//!
//! **Bounds** ([`limits`]) hold before memory is taken, so a hostile file costs an error and never the program.

mod archive;
mod book;
mod builder;
mod card;
mod claude;
mod codex;
mod error;
mod fields;
mod folder;
mod front;
mod json;
pub mod limits;
mod markdown;
mod mcp;
mod mem0;
mod novelai;
mod open;
mod ours;
mod png;
mod sillytavern;

use std::{io::Write, path::Path};

use chrono::{DateTime, Utc};
use serde_json::{Map, Value};

pub use error::{FileName, FormatError, Spot};
pub use open::{open_entries, read_entries};

/// A format of entries.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Format {
    /// World Info of SillyTavern: one JSON file.
    SillyTavern,
    /// A character card, version 1, 2 or 3: JSON, PNG or CHARX archive.
    CharacterCard,
    /// A lorebook by itself, as version 3 of the card specification has it: JSON.
    LorebookV3,
    /// A lorebook of NovelAI: JSON.
    NovelAi,
    /// A codex of Novelcrafter: an archive.
    Novelcrafter,
    /// `memories.json` of Claude's export, alone or in the archive.
    ClaudeMemories,
    /// The answer of Mem0's `get_all`: JSON.
    Mem0,
    /// The file of the reference MCP memory server: one JSON object a line.
    McpJsonl,
    /// A folder of Markdown files, one an entry.
    Markdown,
}

impl Format {
    /// All of them.
    pub const ALL: [Self; 9] = [
        Self::SillyTavern,
        Self::CharacterCard,
        Self::LorebookV3,
        Self::NovelAi,
        Self::Novelcrafter,
        Self::ClaudeMemories,
        Self::Mem0,
        Self::McpJsonl,
        Self::Markdown,
    ];

    /// Its stable name, also the `source` of what comes in from it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::SillyTavern => "sillytavern",
            Self::CharacterCard => "character_card",
            Self::LorebookV3 => "lorebook_v3",
            Self::NovelAi => "novelai",
            Self::Novelcrafter => "novelcrafter",
            Self::ClaudeMemories => "claude_memories",
            Self::Mem0 => "mem0",
            Self::McpJsonl => "mcp_jsonl",
            Self::Markdown => "markdown",
        }
    }

    /// The format of a stable name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|format| format.name() == name)
    }

    /// True if it can be written, too.
    pub const fn is_written(self) -> bool {
        matches!(self, Self::SillyTavern | Self::McpJsonl | Self::Markdown)
    }
}

/// One entry as another program has it. Texts are as they are there: whoever takes it in checks them by the domain's
/// rules and refuses entry by entry.
#[derive(Debug, Clone, PartialEq)]
pub struct ThirdPartyEntry {
    /// Its id there, unique in its collection and the same whenever the same file is read; `None` if there is none.
    pub external_id: Option<String>,
    /// Its name or title there, if it has one.
    pub name: Option<String>,
    /// Other names: the keys of a lorebook. Never empty ones, none twice; patterns (`/.../i`) stay in `extra`.
    pub aliases: Vec<String>,
    /// The text; may be empty.
    pub content: String,
    /// Tags there.
    pub tags: Vec<String>,
    /// How much it matters, finite and in [0, 1], where a format says so.
    pub importance: Option<f64>,
    /// True if it is always shown there: such an entry becomes a named entry.
    pub standing: bool,
    /// False if it is switched off there.
    pub enabled: bool,
    /// When it was made.
    pub created: Option<DateTime<Utc>>,
    /// When it was last changed.
    pub updated: Option<DateTime<Utc>>,
    /// What has no place here, for a writer of the same format; `Null` for an entry that comes from elsewhere. At most
    /// [`limits::MAX_EXTRA_BYTES`] as JSON.
    pub extra: Value,
}

impl Default for ThirdPartyEntry {
    fn default() -> Self {
        Self {
            external_id: None,
            name: None,
            aliases: Vec::new(),
            content: String::new(),
            tags: Vec::new(),
            importance: None,
            standing: false,
            enabled: true,
            created: None,
            updated: None,
            extra: Value::Null,
        }
    }
}

impl ThirdPartyEntry {
    /// What to call it: its name, or else its first other name.
    pub fn title(&self) -> Option<&str> {
        self.name.as_deref().or_else(|| self.aliases.first().map(String::as_str))
    }
}

/// Something that was put up with or left out while reading, and how often.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Remark {
    /// What it was, in fixed words.
    pub reason: &'static str,
    /// How often.
    pub count: u64,
}

/// The entries of one file or folder.
#[derive(Debug, Clone, PartialEq)]
pub struct Collection {
    /// The format it was read from.
    pub format: Format,
    /// What the book or card is called, if it says so.
    pub name: Option<String>,
    /// Its entries, in the order of the file.
    pub entries: Vec<ThirdPartyEntry>,
    /// What belongs to the file and not to an entry, for a writer of the same format; `Null` for a new file.
    pub extra: Value,
    /// What was put up with or left out.
    pub remarks: Vec<Remark>,
}

impl Collection {
    /// Entries that come from elsewhere, to be written in a format.
    pub const fn new(format: Format, entries: Vec<ThirdPartyEntry>) -> Self {
        Self { format, name: None, entries, extra: Value::Null, remarks: Vec::new() }
    }

    /// Takes in what belongs to a file of this format, where the entries of several come together. Of what two say,
    /// the first is kept; lists are joined.
    pub fn take_in(&mut self, extra: Value) {
        let Value::Object(parts) = extra else { return };
        if !self.extra.is_object() {
            self.extra = Value::Object(Map::new());
        }
        let Some(own) = self.extra.as_object_mut() else { return };
        for (name, part) in parts {
            match (own.entry(name).or_insert(Value::Null), part) {
                (Value::Object(own), Value::Object(part)) => {
                    for (key, value) in part {
                        own.entry(key).or_insert(value);
                    }
                }
                (Value::Array(own), Value::Array(part)) => {
                    for item in part {
                        if !own.contains(&item) {
                            own.push(item);
                        }
                    }
                }
                (own @ Value::Null, part) => *own = part,
                _ => {}
            }
        }
    }
}

/// Writes a collection as one file of a format. Entries and the collection may carry the `extra` of this very format.
///
/// # Errors
/// [`FormatError::NotWritten`] for a format that is no single file or is only read, [`FormatError::Io`].
pub fn write_entries(collection: &Collection, format: Format, to: &mut dyn Write) -> Result<(), FormatError> {
    match format {
        Format::SillyTavern => sillytavern::write(collection, to),
        Format::McpJsonl => mcp::write(collection, to),
        other => Err(FormatError::NotWritten(other)),
    }
}

/// Writes a collection as a folder of Markdown files, which must not be there yet or be empty: all of it, or nothing.
///
/// # Errors
/// [`FormatError::NotEmpty`], [`FormatError::Io`].
pub fn write_folder(collection: &Collection, folder: &Path) -> Result<(), FormatError> {
    folder::write(collection, folder)
}
