//! Arguments of `inklings memory`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use crate::shared_args::{CuratorWord, HitOptions, LensArgs, PlaceArgs, ScopeWord};

#[derive(Debug, Subcommand)]
pub enum MemoryVerb {
    /// Add a memory; prints its id
    Add(Add),
    /// Import JSON Lines, completely or not at all
    ///
    /// One object per line: {"id"?, "text", "session"?, "ts"?, "speaker"?, "tags"?, "importance"?}. A memory
    /// with a known id is updated, not duplicated.
    ImportJsonl(ImportJsonl),
    /// List memories, last changed first
    List(List),
    /// Search memories by words and meaning
    Search(Search),
    /// Show the fusion strategy of searches, or choose another for all that name none
    Strategy {
        /// New strategy; shows the current one and the choices if omitted
        #[arg(value_name = "NAME")]
        strategy: Option<String>,
    },
    /// Show one memory with its full text
    Get { id: String },
    /// Change a memory's text
    Edit(Edit),
    /// Forget a memory; `restore` undoes it
    Forget { id: String },
    /// Restore a forgotten memory
    Restore { id: String },
    /// Exempt a memory from decay and automatic changes
    Pin { id: String },
    /// End the exemption of a pinned memory
    Unpin { id: String },
    /// Move memories to another tier, channel or conversation
    ///
    /// Within a workspace a memory keeps its id. Between the account and the workspace a new one replaces it.
    Move(Move),
    /// Show a memory as a diff against a page, to be copied into its file; nothing is written without --append
    Promote {
        id: String,
        /// Path, name of the file, title, alias or id of the page
        #[arg(long, required_unless_present = "append")]
        page: Option<String>,
        /// Append it to the page that `vault promotion-page` chose
        #[arg(long, conflicts_with = "page")]
        append: bool,
    },
    /// Show every version of a memory, newest first
    History { id: String },
    /// Undo your newest change
    Undo,
}

#[derive(Debug, Args)]
pub struct Add {
    /// Tier
    #[arg(long)]
    pub scope: ScopeWord,
    /// Channel for the channel and conversation tiers; created if it does not exist [default: general]
    #[arg(long, value_name = "NAME")]
    pub channel: Option<String>,
    /// Conversation for the conversation tier, by reference code [default: the running one]
    #[arg(long, value_name = "CODE")]
    pub conversation: Option<String>,
    /// Title for lists and searches
    #[arg(long, allow_hyphen_values = true)]
    pub title: Option<String>,
    /// Another word under which it is searched; may be repeated
    #[arg(long = "key", value_name = "WORDS", allow_hyphen_values = true)]
    pub keys: Vec<String>,
    /// Tag; may be repeated
    #[arg(long = "tag", value_name = "TAG")]
    pub tags: Vec<String>,
    /// Importance, from 0 to 1
    #[arg(long, default_value_t = 0.5, allow_negative_numbers = true)]
    pub importance: f64,
    /// Name of the source
    #[arg(long)]
    pub source: Option<String>,
    /// What it is made of: memory:ID, message:ID, fact:ID or page:ID; may be repeated. Each has to say it
    #[arg(long = "made-of", value_name = "KIND:ID")]
    pub made_of: Vec<String>,
    /// Actor kind: author (you) or agent
    #[arg(long, default_value = "author")]
    pub curator: CuratorWord,
    /// Text; `-` reads standard input
    pub text: String,
}

#[derive(Debug, Args)]
pub struct Move {
    /// Ids of the memories
    #[arg(required = true)]
    pub ids: Vec<String>,
    /// Another workspace, by name or id. 'memory undo' brings them back here, and leaves those that are there
    #[arg(long, value_name = "NAME")]
    pub world: Option<String>,
    /// Tier to move to [default with --world: workspace, or channel with --channel]
    #[arg(long, required_unless_present = "world")]
    pub scope: Option<ScopeWord>,
    /// Channel, for the channel tier [default: general]
    #[arg(long, value_name = "NAME")]
    pub channel: Option<String>,
    /// Conversation for the conversation tier, by reference code [default: the running one]
    #[arg(long, value_name = "CODE")]
    pub conversation: Option<String>,
}

#[derive(Debug, Args)]
pub struct ImportJsonl {
    /// Tier
    #[arg(long)]
    pub scope: ScopeWord,
    /// Channel; created if it does not exist [default: general]
    #[arg(long, value_name = "NAME")]
    pub channel: Option<String>,
    /// File; `-` reads standard input
    pub file: PathBuf,
    /// Also import lines that change existing content or write to the account
    #[arg(long)]
    pub pick_all: bool,
}

#[derive(Debug, Args)]
pub struct List {
    /// Tier; may be repeated [default: all]
    #[arg(long)]
    pub scope: Vec<ScopeWord>,
    #[command(flatten)]
    pub place: PlaceArgs,
    #[command(flatten)]
    pub lens: LensArgs,
    /// Maximum number of memories, at most 500
    #[arg(long, default_value_t = 50, value_parser = clap::value_parser!(u32).range(1..))]
    pub limit: u32,
    /// Cursor that the previous page ended with
    #[arg(long, value_name = "CURSOR")]
    pub after: Option<String>,
}

#[derive(Debug, Args)]
pub struct Search {
    /// Search query: any text
    // A query may begin with a minus: `-word` excludes a word.
    #[arg(allow_hyphen_values = true)]
    pub query: String,
    /// Tier; may be repeated [default: all]
    #[arg(long)]
    pub scope: Vec<ScopeWord>,
    #[command(flatten)]
    pub place: PlaceArgs,
    #[command(flatten)]
    pub lens: LensArgs,
    #[command(flatten)]
    pub hits: HitOptions,
}

#[derive(Debug, Args)]
#[group(id = "change", multiple = true, required = true, args = ["content", "title", "keys", "no_keys"])]
pub struct Edit {
    pub id: String,
    /// New text; `-` reads standard input
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub content: Option<String>,
    /// New title; an empty one removes it
    #[arg(long, allow_hyphen_values = true)]
    pub title: Option<String>,
    /// Words under which it is searched from now on, in place of the earlier ones; may be repeated
    #[arg(long = "key", value_name = "WORDS", allow_hyphen_values = true)]
    pub keys: Vec<String>,
    /// Remove all words under which it is searched
    #[arg(long, conflicts_with = "keys")]
    pub no_keys: bool,
    /// Version that you have read; refused if there is a newer one [default: the current one]
    #[arg(long, value_name = "N")]
    pub version: Option<u32>,
}
