//! Reads lorebooks, character cards, codices and memories of other programs into one neutral model, and
//! writes some of these formats.
//!
//! **Unmapped fields** are retained in [`ThirdPartyEntry::extra`] and [`Collection::extra`]. A writer of the
//! same format restores them, so that a file has the same values after reading and writing. `extra` is
//! private to its format: store it with the format's name. A writer of another format ignores it.
//!
//! **Limits** ([`limits`]) are checked before memory is allocated, so that a hostile file causes an error and
//! not a crash.

mod agnai;
mod aidungeon;
mod archive;
mod book;
mod builder;
mod card;
mod claude;
mod codex;
mod codex_write;
mod error;
mod fields;
mod folder;
mod graph;
pub mod graphml;
mod janitor;
pub(crate) mod json;
mod knowers;
mod kobold;
mod letta;
pub mod limits;
mod listed;
mod markdown;
mod mcp;
mod mem0;
mod novelai;
mod open;
mod ours;
mod placement;
mod png;
mod risu;
mod settings;
mod sillytavern;
mod split;
mod tree;

use std::{borrow::Cow, fmt, io::Write, path::Path};

use chrono::{DateTime, Utc};
use inklings_domain::text::is_bidi_control;
use serde_json::{Map, Value};

pub use error::{FileName, FormatError, Spot};
pub use graph::{Relation, handles, links_in_text};
pub use knowers::Knower;
pub use open::{open_entries, read_entries};
pub use placement::{Placement, losses, with_firing_key};
pub use settings::{file_has_more_fields, has_more_fields};

/// A format of entries.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Format {
    /// SillyTavern World Info: one JSON file.
    SillyTavern,
    /// A character card, version 1, 2 or 3: JSON, PNG or CHARX archive.
    CharacterCard,
    /// A standalone lorebook of the card specification version 3: JSON.
    LorebookV3,
    /// A NovelAI lorebook, alone or in a scenario or story: JSON.
    NovelAi,
    /// A Novelcrafter codex, alone or in the export of a whole novel: an archive or a folder.
    Novelcrafter,
    /// Story cards or world info of AI Dungeon, or a scenario with them: JSON.
    AiDungeon,
    /// A `JanitorAI` lorebook: a JSON list.
    JanitorAi,
    /// A `RisuAI` lorebook: JSON.
    Risu,
    /// A story or world info of `KoboldAI` or `KoboldAI` Lite: JSON.
    KoboldAi,
    /// A memory book or a character of Agnai: JSON.
    Agnai,
    /// An agent file of Letta: JSON.
    Letta,
    /// `memories.json` of Claude's export, alone or in the archive.
    ClaudeMemories,
    /// The response of Mem0's `get_all`: JSON.
    Mem0,
    /// The file of the reference MCP memory server: one JSON object per line.
    McpJsonl,
    /// A folder of Markdown files, one per entry.
    Markdown,
    /// The graph of subjects and relations as `GraphML`. It is only written.
    GraphMl,
}

impl Format {
    /// All formats.
    pub const ALL: [Self; 16] = [
        Self::SillyTavern,
        Self::CharacterCard,
        Self::LorebookV3,
        Self::NovelAi,
        Self::Novelcrafter,
        Self::AiDungeon,
        Self::JanitorAi,
        Self::Risu,
        Self::KoboldAi,
        Self::Agnai,
        Self::Letta,
        Self::ClaudeMemories,
        Self::Mem0,
        Self::McpJsonl,
        Self::Markdown,
        Self::GraphMl,
    ];

    /// Stable name, also the `source` of imported entries.
    pub const fn name(self) -> &'static str {
        match self {
            Self::SillyTavern => "sillytavern",
            Self::CharacterCard => "character_card",
            Self::LorebookV3 => "lorebook_v3",
            Self::NovelAi => "novelai",
            Self::Novelcrafter => "novelcrafter",
            Self::AiDungeon => "ai_dungeon",
            Self::JanitorAi => "janitor_ai",
            Self::Risu => "risu",
            Self::KoboldAi => "kobold_ai",
            Self::Agnai => "agnai",
            Self::Letta => "letta",
            Self::ClaudeMemories => "claude_memories",
            Self::Mem0 => "mem0",
            Self::McpJsonl => "mcp_jsonl",
            Self::Markdown => "markdown",
            Self::GraphMl => "graphml",
        }
    }

    /// The format with a stable name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|format| format.name() == name)
    }

    /// True if it shows an entry only if one of its keys occurs.
    pub const fn needs_keys(self) -> bool {
        matches!(self, Self::SillyTavern | Self::CharacterCard | Self::LorebookV3 | Self::NovelAi)
    }

    /// True if it can be read.
    pub const fn is_read(self) -> bool {
        !matches!(self, Self::GraphMl)
    }

    /// True if the kind of an entry is also its first tag: where the entry cannot be a subject, it has that tag.
    pub const fn has_kind_as_tag(self) -> bool {
        matches!(self, Self::McpJsonl)
    }

    /// True if a relation has no text of its own there but the sentence that it makes.
    pub const fn has_bare_relations(self) -> bool {
        matches!(self, Self::McpJsonl)
    }

    /// True if it can be written.
    pub const fn is_written(self) -> bool {
        matches!(
            self,
            Self::SillyTavern
                | Self::CharacterCard
                | Self::LorebookV3
                | Self::NovelAi
                | Self::Novelcrafter
                | Self::McpJsonl
                | Self::Markdown
                | Self::GraphMl
        )
    }
}

/// One third-party entry. Texts are unchanged; the import validates them by the domain's rules and refuses
/// single entries.
#[derive(Debug, Clone, PartialEq)]
pub struct ThirdPartyEntry {
    /// Id in the source, unique in its collection and identical whenever the same file is read; `None` if
    /// there is none.
    pub external_id: Option<String>,
    /// Name or title in the source.
    pub name: Option<String>,
    /// Aliases: the keys of a lorebook, without empty or duplicate ones. Patterns (`/.../i`) remain in
    /// `extra`.
    pub aliases: Vec<String>,
    /// The text; may be empty.
    pub content: String,
    /// Tags in the source.
    pub tags: Vec<String>,
    /// Importance, finite and in [0, 1], if the format has one.
    pub importance: Option<f64>,
    /// Kind of the subject that it describes, such as "character".
    pub subject: Option<String>,
    /// What it states of two other entries.
    pub relation: Option<Relation>,
    /// Names of entries that it is about, besides the links in its text.
    pub about: Vec<String>,
    /// Who knows of it; empty: everybody does.
    pub known_by: Vec<Knower>,
    /// True if the source shows it to fewer than those who know of it: it keeps others out in a way that has no place here.
    pub known_by_fewer: bool,
    /// True if the source always shows it: such an entry becomes a named entry.
    pub standing: bool,
    /// False if it is disabled in the source.
    pub enabled: bool,
    /// Creation time.
    pub created: Option<DateTime<Utc>>,
    /// Time of the last change.
    pub updated: Option<DateTime<Utc>>,
    /// When and where the format that it came from puts it before its model, for a writer of another format. Readers leave
    /// it empty: it is made of `extra`.
    pub placement: Placement,
    /// Unmapped fields for a writer of the same format; `Null` for an entry from elsewhere. At most
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
            subject: None,
            relation: None,
            about: Vec::new(),
            known_by: Vec::new(),
            known_by_fewer: false,
            standing: false,
            enabled: true,
            created: None,
            updated: None,
            placement: Placement::default(),
            extra: Value::Null,
        }
    }
}

impl ThirdPartyEntry {
    /// The name, or else the first alias.
    pub fn title(&self) -> Option<&str> {
        self.name.as_deref().or_else(|| self.aliases.first().map(String::as_str))
    }

    /// What it is called where it needs a name: its title, or else the beginning of its text. Empty without either.
    pub fn called(&self) -> String {
        let title = self.title().filter(|title| !title.trim().is_empty());
        title.map_or_else(|| beginning(&self.content), str::to_owned)
    }
}

/// Maximum characters of a name that is made of a text.
const BEGINNING_CHARS: usize = 60;

/// The first words of a text as a name; empty if it has none.
pub fn beginning(text: &str) -> String {
    let is_odd = |c: char| c.is_control() || is_bidi_control(c);
    let plain: String = text.chars().take(500).map(|c| if is_odd(c) { ' ' } else { c }).collect();
    let line = plain.trim_start_matches(|c: char| !c.is_alphanumeric());
    let words = line.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut start: String = words.chars().take(BEGINNING_CHARS).collect();
    if start.len() < words.len()
        && let Some((whole, _)) = start.rsplit_once(' ')
    {
        start = whole.to_owned();
    }
    start
}

/// A problem that was tolerated or an item that was skipped, with its count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Remark {
    /// Fixed description of the problem.
    pub reason: &'static str,
    /// Number of occurrences.
    pub count: u64,
}

/// Part of a file that Inklings has no place for and leaves behind.
#[derive(Clone, PartialEq, Eq)]
pub struct LeftBehind {
    /// Kind of the part: "chat", "snippet", "picture", "manuscript", "story", "canvas", "drawing", "settings",
    /// "deleted note", "attachment", "file".
    pub what: &'static str,
    /// Its path inside the folder or archive, or its name in the file; for display, never for logs.
    pub path: String,
}

impl fmt::Debug for LeftBehind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "LeftBehind({})", self.what)
    }
}

/// A file of a folder that cannot be read. The others can be.
#[derive(Clone, PartialEq, Eq)]
pub struct DamagedFile {
    /// Its path inside the folder; for display, never for logs.
    pub path: String,
    /// What is wrong with it.
    pub problem: String,
}

impl fmt::Debug for DamagedFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "DamagedFile({})", self.problem)
    }
}

/// The entries of one file or folder.
#[derive(Debug, Clone, PartialEq)]
pub struct Collection {
    /// The format it was read from.
    pub format: Format,
    /// Name of the book or card, if it has one.
    pub name: Option<String>,
    /// Entries in the order of the file.
    pub entries: Vec<ThirdPartyEntry>,
    /// Unmapped data of the file as a whole, for a writer of the same format; `Null` for a new file.
    pub extra: Value,
    /// Problems tolerated and items skipped.
    pub remarks: Vec<Remark>,
    /// Parts of the file that are not imported, each with its name.
    pub left_behind: Vec<LeftBehind>,
    /// Files of a folder that cannot be read.
    pub damaged: Vec<DamagedFile>,
}

impl Collection {
    /// A collection of entries from elsewhere, to be written in a format.
    pub const fn new(format: Format, entries: Vec<ThirdPartyEntry>) -> Self {
        Self {
            format,
            name: None,
            entries,
            extra: Value::Null,
            remarks: Vec::new(),
            left_behind: Vec::new(),
            damaged: Vec::new(),
        }
    }

    /// The collection as a writer of this format may see it. The fields of `extra` mean something else in another format.
    fn seen_by(&self, format: Format) -> Cow<'_, Self> {
        if self.format == format {
            return Cow::Borrowed(self);
        }
        let mut other = self.clone();
        other.extra = Value::Null;
        for entry in &mut other.entries {
            entry.extra = Value::Null;
        }
        Cow::Owned(other)
    }

    /// Merges the file data of several files of this format. The first value of a field is retained; lists
    /// are joined.
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

/// Writes a collection as one file.
///
/// # Errors
/// [`FormatError::NotWritten`] for a read-only or folder format, [`FormatError::Io`].
pub fn write_entries(collection: &Collection, format: Format, to: &mut dyn Write) -> Result<(), FormatError> {
    let collection = &*collection.seen_by(format);
    match format {
        Format::SillyTavern => sillytavern::write(collection, to),
        Format::CharacterCard => card::write(collection, to),
        Format::LorebookV3 => book::write(collection, to),
        Format::NovelAi => novelai::write(collection, to),
        Format::Novelcrafter => codex_write::write(collection, to),
        Format::McpJsonl => mcp::write(collection, to),
        Format::GraphMl => graphml::write(collection, to),
        other => Err(FormatError::NotWritten(other)),
    }
}

/// Writes a collection as a character card into a PNG image, which otherwise stays byte for byte as it is.
///
/// # Errors
/// [`FormatError::Broken`] for an image with invalid chunks, [`FormatError::Io`].
pub fn write_picture(collection: &Collection, picture: &[u8], to: &mut dyn Write) -> Result<(), FormatError> {
    card::write_png(&collection.seen_by(Format::CharacterCard), picture, to)
}

/// Writes a collection as a new or empty folder of Markdown files, completely or not at all.
///
/// # Errors
/// [`FormatError::NotEmpty`], [`FormatError::Io`].
pub fn write_folder(collection: &Collection, folder: &Path) -> Result<(), FormatError> {
    folder::write(&collection.seen_by(Format::Markdown), folder)
}
