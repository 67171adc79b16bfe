//! What can be typed to carry memory out and in.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};
use inklings_api::transfer::view::{ConflictChoice, TransferFormat};

use crate::args::ScopeWord;

/// Write memory into a file, in our own form or that of another program
#[derive(Debug, Args)]
pub struct Export {
    /// The file; for Markdown the folder, which must be empty or not there
    pub file: PathBuf,
    /// The form: inklings, sillytavern, `mcp_jsonl`, markdown
    #[arg(long, default_value = "inklings")]
    pub format: FormatWord,
    /// What to take; may be repeated [default: account and workspace]
    #[arg(long)]
    pub scope: Vec<ExportScopeWord>,
    /// Only this channel of the workspace
    #[arg(long, value_name = "NAME", conflicts_with_all = ["scope", "conversation"])]
    pub channel: Option<String>,
    /// Only this conversation, by its reference code
    #[arg(long, value_name = "CODE", conflicts_with = "scope")]
    pub conversation: Option<String>,
    /// Vectors too
    #[arg(long)]
    pub embeddings: bool,
    /// The journal too
    #[arg(long)]
    pub journal: bool,
}

/// Bring a file in, all or nothing, as one run that can be taken back
#[derive(Debug, Args)]
pub struct Import {
    /// The file or folder
    pub file: PathBuf,
    /// Say what would happen, and keep nothing
    #[arg(long)]
    pub dry_run: bool,
    /// Its form [default: found out]
    #[arg(long)]
    pub format: Option<FormatWord>,
    /// What happens where something is here already
    #[arg(long, default_value = "newer")]
    pub conflicts: ConflictWord,
    /// Tier of entries that come from another program
    #[arg(long, default_value = "workspace")]
    pub scope: ScopeWord,
    /// Their channel, in the channel tier
    #[arg(long, value_name = "NAME")]
    pub channel: Option<String>,
    /// Let this line in, which would change what stands here or write the account; may be repeated
    #[arg(long, value_name = "LINE", conflicts_with = "pick_all")]
    pub pick: Vec<String>,
    /// Let every such line in
    #[arg(long)]
    pub pick_all: bool,
    /// Show the whole texts of this line, and keep nothing; may be repeated
    #[arg(long, value_name = "LINE")]
    pub show: Vec<String>,
}

/// What an export takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ExportScopeWord {
    /// What the account remembers
    Account,
    /// All of the workspace
    Workspace,
}

/// What happens where something is here already.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ConflictWord {
    /// Whichever was changed last stays
    Newer,
    /// What is here stays
    Mine,
    /// What comes in is added beside it
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

/// A form of a file.
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
            FormatWord::ClaudeMemories => Self::ClaudeMemories,
            FormatWord::Mem0 => Self::Mem0,
            FormatWord::McpJsonl => Self::McpJsonl,
            FormatWord::Markdown => Self::Markdown,
            FormatWord::Jsonl => Self::Jsonl,
        }
    }
}

#[derive(Debug, Subcommand)]
pub enum FileVerb {
    /// List the entries of a memory; one that is not there is empty
    Open { path: PathBuf },
    /// Add an entry; the first one makes the file
    Add {
        path: PathBuf,
        name: String,
        /// The text; `-` reads standard input
        text: String,
        /// Make it an archive instead of a note
        #[arg(long)]
        archive: bool,
    },
    /// Give an entry another name; the old one stays as an alias
    Rename { path: PathBuf, name: String, new: String },
    /// Give an entry one more name, taken from another entry if it is an alias there
    Alias { path: PathBuf, name: String, alias: String },
    /// Replace an entry's text
    Write {
        path: PathBuf,
        name: String,
        /// The text; `-` reads standard input
        text: String,
    },
    /// Take an entry away, with all its names
    Remove { path: PathBuf, name: String },
    /// Search contents and names; everything that matches, the best first
    Search {
        path: PathBuf,
        #[arg(allow_hyphen_values = true)]
        query: String,
        /// How many [default: all]
        #[arg(long)]
        limit: Option<usize>,
    },
    /// Show the entry that goes by a name or alias
    Show { path: PathBuf, name: String },
}
