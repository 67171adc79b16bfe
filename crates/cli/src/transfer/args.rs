//! Arguments of `inklings export`, `inklings import` and `inklings file`.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};
use inklings_api::transfer::view::{ConflictChoice, TransferFormat};

use crate::shared_args::ScopeWord;

/// Export memory into a file, in the Inklings format or a third-party format
#[derive(Debug, Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a choice of its own")]
pub struct Export {
    /// File; for Markdown a new or empty folder
    pub file: PathBuf,
    /// Format
    #[arg(long, default_value = "inklings")]
    pub format: WrittenWord,
    /// Scope; may be repeated [default: account and workspace]
    #[arg(long)]
    pub scope: Vec<ExportScopeWord>,
    /// Only this channel of the workspace
    #[arg(long, value_name = "NAME", conflicts_with_all = ["scope", "conversation"])]
    pub channel: Option<String>,
    /// Only this conversation, by its reference code
    #[arg(long, value_name = "CODE", conflicts_with = "scope")]
    pub conversation: Option<String>,
    /// Include vectors
    #[arg(long)]
    pub embeddings: bool,
    /// Include the journal
    #[arg(long)]
    pub journal: bool,
    /// For a character card: write it into this PNG picture, which stays as it is; without it, the card is JSON
    #[arg(long, value_name = "PNG")]
    pub picture: Option<PathBuf>,
    /// Replace a file that is there
    #[arg(long)]
    pub replace: bool,
    /// Only show what would be written and what the format has no place for
    #[arg(long)]
    pub dry_run: bool,
}

/// Import a file, completely or not at all, as one run that can be reverted
///
/// A file of conversations is imported as `conversation import` does.
#[derive(Debug, Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a choice of its own")]
pub struct Import {
    /// File or folder
    pub file: PathBuf,
    /// Only show a preview
    #[arg(long)]
    pub dry_run: bool,
    /// Format [default: detected]
    #[arg(long)]
    pub format: Option<FormatWord>,
    /// Resolution of conflicts with existing content
    #[arg(long, default_value = "newer")]
    pub conflicts: ConflictWord,
    /// Tier for third-party entries
    #[arg(long, default_value = "workspace")]
    pub scope: ScopeWord,
    /// Channel for third-party entries, in the channel tier
    #[arg(long, value_name = "NAME")]
    pub channel: Option<String>,
    /// Import this line, which changes existing content or writes to the account; may be repeated
    #[arg(long, value_name = "LINE", conflicts_with = "pick_all")]
    pub pick: Vec<String>,
    /// Import all such lines
    #[arg(long)]
    pub pick_all: bool,
    /// Only show the full texts of this line; may be repeated
    #[arg(long, value_name = "LINE")]
    pub show: Vec<String>,
    /// Of a file of conversations, a folder or an archive: import what can be read if some of it cannot
    #[arg(long)]
    pub partial: bool,
    /// The file is this book, which was imported before; its changes are taken over
    #[arg(long, value_name = "BOOK", conflicts_with = "new_book")]
    pub same_book: Option<String>,
    /// The file is another book; all of it is added
    #[arg(long)]
    pub new_book: bool,
    /// Show the entries only when they are named, also those that are always shown in their own program
    #[arg(long)]
    pub only_when_named: bool,
}

/// Scope of an export.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ExportScopeWord {
    /// The account
    Account,
    /// The whole workspace
    Workspace,
}

/// Resolution of conflicts with existing content.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ConflictWord {
    /// Keep the version changed last
    Newer,
    /// Keep the existing version
    Mine,
    /// Add the imported version as a second entry
    Both,
}

impl From<ConflictWord> for ConflictChoice {
    fn from(word: ConflictWord) -> Self {
        match word {
            ConflictWord::Newer => Self::Newer,
            ConflictWord::Mine => Self::Mine,
            ConflictWord::Both => Self::Both,
        }
    }
}

/// File format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
#[value(rename_all = "snake_case")]
pub enum FormatWord {
    Inklings,
    Sillytavern,
    CharacterCard,
    #[value(name = "lorebook_v3")]
    LorebookV3,
    Novelai,
    Novelcrafter,
    AiDungeon,
    JanitorAi,
    Risu,
    KoboldAi,
    Agnai,
    Letta,
    ClaudeMemories,
    #[value(name = "mem0")]
    Mem0,
    McpJsonl,
    Markdown,
    Jsonl,
}

impl From<FormatWord> for TransferFormat {
    fn from(word: FormatWord) -> Self {
        match word {
            FormatWord::Inklings => Self::Inklings,
            FormatWord::Sillytavern => Self::Sillytavern,
            FormatWord::CharacterCard => Self::CharacterCard,
            FormatWord::LorebookV3 => Self::LorebookV3,
            FormatWord::Novelai => Self::Novelai,
            FormatWord::Novelcrafter => Self::Novelcrafter,
            FormatWord::AiDungeon => Self::AiDungeon,
            FormatWord::JanitorAi => Self::JanitorAi,
            FormatWord::Risu => Self::Risu,
            FormatWord::KoboldAi => Self::KoboldAi,
            FormatWord::Agnai => Self::Agnai,
            FormatWord::Letta => Self::Letta,
            FormatWord::ClaudeMemories => Self::ClaudeMemories,
            FormatWord::Mem0 => Self::Mem0,
            FormatWord::McpJsonl => Self::McpJsonl,
            FormatWord::Markdown => Self::Markdown,
            FormatWord::Jsonl => Self::Jsonl,
        }
    }
}

/// A file format that is also written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
#[value(rename_all = "snake_case")]
pub enum WrittenWord {
    Inklings,
    Sillytavern,
    CharacterCard,
    #[value(name = "lorebook_v3")]
    LorebookV3,
    Novelai,
    Novelcrafter,
    McpJsonl,
    Markdown,
    Graphml,
}

impl From<WrittenWord> for TransferFormat {
    fn from(word: WrittenWord) -> Self {
        match word {
            WrittenWord::Inklings => Self::Inklings,
            WrittenWord::Sillytavern => Self::Sillytavern,
            WrittenWord::CharacterCard => Self::CharacterCard,
            WrittenWord::LorebookV3 => Self::LorebookV3,
            WrittenWord::Novelai => Self::Novelai,
            WrittenWord::Novelcrafter => Self::Novelcrafter,
            WrittenWord::McpJsonl => Self::McpJsonl,
            WrittenWord::Markdown => Self::Markdown,
            WrittenWord::Graphml => Self::Graphml,
        }
    }
}

#[derive(Debug, Subcommand)]
pub enum FileVerb {
    /// List the entries of a memory; a missing file is an empty memory
    Open { path: PathBuf },
    /// Add an entry; creates the file if necessary
    Add {
        path: PathBuf,
        name: String,
        /// Text; `-` reads standard input
        text: String,
        /// Create an archive instead of a note
        #[arg(long)]
        archive: bool,
    },
    /// Rename an entry; the old name becomes an alias
    Rename { path: PathBuf, name: String, new: String },
    /// Add an alias to an entry; it is moved if another entry has it
    Alias { path: PathBuf, name: String, alias: String },
    /// Replace an entry's text
    Write {
        path: PathBuf,
        name: String,
        /// Text; `-` reads standard input
        text: String,
    },
    /// Remove an entry with all its names
    Remove { path: PathBuf, name: String },
    /// Search texts and names; all matches, best first
    Search {
        path: PathBuf,
        #[arg(allow_hyphen_values = true)]
        query: String,
        /// Maximum number of hits [default: all]
        #[arg(long)]
        limit: Option<usize>,
    },
    /// Show the entry with a name or alias
    Show { path: PathBuf, name: String },
}
