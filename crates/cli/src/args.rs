//! What can be typed.

use std::{ffi::OsString, path::PathBuf};

use clap::{Args, Parser, Subcommand, ValueEnum};
use inklings_api::{ActorKind, vocabulary::Scope};

use crate::client::args::{ClientVerb, Mcp, Switch};
use crate::transfer::args::{Export, FileVerb, Import};
use crate::{audit::AuditVerb, backup::BackupVerb, scrub::ScrubVerb};
use crate::{
    channel::args::ChannelVerb, chat::args::ChatVerb, conversation::args::ConversationVerb,
    fact::args::FactVerb, scratchpad::args::ScratchpadVerb,
};
use crate::{
    consolidation::args::ConsolidateVerb, named_entry::args::NamedVerb, orientation::args::Orient,
    proposal::args::ProposalVerb, schedule::args::ScheduleVerb,
};

/// The memory of your worlds, from the command line.
#[derive(Debug, Parser)]
#[command(name = "inklings", version, arg_required_else_help = true)]
pub struct Cli {
    #[command(flatten)]
    pub common: Common,
    #[command(subcommand)]
    pub command: Command,
}

/// A constant, because the help shows what a doc comment would have to mark up.
const DATA_DIR: &str =
    "Folder that holds everything [default: $INKLINGS_DATA_DIR, else the system's data folder]";

/// What every verb understands.
#[derive(Debug, Args)]
pub struct Common {
    #[arg(long, global = true, value_name = "DIR", help = DATA_DIR)]
    pub data_dir: Option<PathBuf>,
    /// Workspace, by name or id [default: the one used last]
    #[arg(long, global = true, value_name = "NAME")]
    pub workspace: Option<String>,
    /// Print JSON
    #[arg(long, global = true)]
    pub json: bool,
}

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Make, list, rename and delete workspaces
    #[command(subcommand)]
    Workspace(WorkspaceVerb),
    /// Write, find, change and take back memories
    #[command(subcommand)]
    Memory(MemoryVerb),
    /// Make, list, rename, put away and delete channels
    #[command(subcommand)]
    Channel(ChannelVerb),
    /// Talk with the World Agent, and look after conversations
    #[command(subcommand)]
    Conversation(ConversationVerb),
    /// The World Agent's working notes
    #[command(subcommand)]
    Scratchpad(ScratchpadVerb),
    /// Facts: values under a category and a key
    #[command(subcommand)]
    Fact(FactVerb),
    /// Connect the language model that answers in conversations
    #[command(subcommand)]
    Chat(ChatVerb),
    /// Choose the model that search by meaning uses
    #[command(subcommand)]
    Model(ModelVerb),
    /// Named entries: what the World Agent always has before it
    #[command(subcommand)]
    Named(NamedVerb),
    Orient(Orient),
    /// Keep memory in order, and take it back
    #[command(subcommand)]
    Consolidate(ConsolidateVerb),
    /// What agents and tasks propose; you decide
    #[command(subcommand)]
    Proposal(ProposalVerb),
    /// What is done by itself
    #[command(subcommand)]
    Schedule(ScheduleVerb),
    /// Make backups, check them, put them back
    #[command(subcommand)]
    Backup(BackupVerb),
    /// Destroy memory for good: shows what it would take, and takes it when told to
    #[command(subcommand)]
    Scrub(ScrubVerb),
    /// The account of what cannot be taken back
    #[command(subcommand)]
    Audit(AuditVerb),
    /// Give memories their vectors now
    Embed(Embed),
    Mcp(Mcp),
    /// Programs that may reach memory through the MCP server
    #[command(subcommand)]
    Client(ClientVerb),
    Export(Export),
    Import(Import),
    /// A memory in one file: notes and archives by name and by words
    #[command(subcommand)]
    File(FileVerb),
    /// Check every database; ends with 1 if something is wrong
    Doctor(Doctor),
    /// Serve the commands of the window to a page in a browser until standard input ends; for development
    #[cfg(feature = "dev-serve")]
    DevServe(DevServe),
    /// Measure recall and speed
    #[command(subcommand)]
    Bench(BenchVerb),
}

#[cfg(feature = "dev-serve")]
#[derive(Debug, clap::Args)]
pub struct DevServe {
    /// Folder of the built page
    #[arg(long)]
    pub page: PathBuf,
    /// Port on 127.0.0.1; by default any that is free
    #[arg(long, default_value_t = 0)]
    pub port: u16,
}

#[derive(Debug, Args)]
pub struct Doctor {
    /// Make anew each full-text index that lost touch with its texts
    #[arg(long)]
    pub repair: bool,
}

#[derive(Debug, Subcommand)]
pub enum WorkspaceVerb {
    /// Make a workspace
    Create { name: String },
    /// List workspaces; the one in use is marked
    List,
    /// Give a workspace another name
    Rename { name: String, new: String },
    /// Whether agents and tasks may add to a workspace's memory; with `on` or `off`, switches that
    Memory {
        /// Left out: only says how it stands
        state: Option<Switch>,
    },
    /// Move a workspace to the trash folder
    Delete {
        name: String,
        /// Remove it for good instead
        #[arg(long)]
        purge: bool,
    },
}

#[derive(Debug, Subcommand)]
pub enum MemoryVerb {
    /// Remember a text; prints its id
    Add(Add),
    /// Bring in JSON Lines, all or nothing
    ///
    /// One object a line: {"id"?, "text", "session"?, "ts"?, "speaker"?, "tags"?, "importance"?}. An id that the
    /// room knows already is updated, not doubled.
    ImportJsonl(ImportJsonl),
    /// List memories, last changed first
    List(List),
    /// Search memories by words and meaning
    Search(Search),
    /// Show one memory whole
    Get { id: String },
    /// Change a memory's text
    Edit(Edit),
    /// Take a memory out of use; restore brings it back
    Forget { id: String },
    /// Bring a forgotten memory back
    Restore { id: String },
    /// Keep a memory out of fading and automatic work
    Pin { id: String },
    /// Let a pinned memory fade again
    Unpin { id: String },
    /// Show every version of a memory, newest first
    History { id: String },
    /// Take back your newest change
    Undo,
}

#[derive(Debug, Args)]
pub struct Add {
    /// Tier
    #[arg(long)]
    pub scope: ScopeWord,
    /// Channel of the channel and conversation tiers; made if there is none of this name [default: general]
    #[arg(long, value_name = "NAME")]
    pub channel: Option<String>,
    /// Conversation of the conversation tier, by its reference code [default: the running one]
    #[arg(long, value_name = "CODE")]
    pub conversation: Option<String>,
    /// Tag; may be repeated
    #[arg(long = "tag", value_name = "TAG")]
    pub tags: Vec<String>,
    /// How much it matters, from 0 to 1
    #[arg(long, default_value_t = 0.5, allow_negative_numbers = true)]
    pub importance: f64,
    /// Who or what produced it
    #[arg(long)]
    pub source: Option<String>,
    /// In whose name: your own, or the lesser one of the agent
    #[arg(long, default_value = "author")]
    pub curator: CuratorWord,
    /// The text; `-` reads standard input
    pub text: String,
}

#[derive(Debug, Args)]
pub struct ImportJsonl {
    /// Tier
    #[arg(long)]
    pub scope: ScopeWord,
    /// Channel; made if there is none of this name [default: general]
    #[arg(long, value_name = "NAME")]
    pub channel: Option<String>,
    /// The file; `-` reads standard input
    pub file: PathBuf,
    /// Let in also what would change what somebody wrote here, or write the account
    #[arg(long)]
    pub pick_all: bool,
}

#[derive(Debug, Args)]
pub struct PlaceArgs {
    /// Only this channel's, in the channel and conversation tiers
    #[arg(long, value_name = "NAME")]
    pub channel: Option<String>,
    /// Only this conversation's, in the conversation tier, by its reference code
    #[arg(long, value_name = "CODE")]
    pub conversation: Option<String>,
}

#[derive(Debug, Args)]
pub struct List {
    /// Tier; may be repeated [default: all]
    #[arg(long)]
    pub scope: Vec<ScopeWord>,
    #[command(flatten)]
    pub place: PlaceArgs,
    /// How many, at most 500
    #[arg(long, default_value_t = 50, value_parser = clap::value_parser!(u32).range(1..))]
    pub limit: u32,
    /// Continue behind the cursor that the page before ended with
    #[arg(long, value_name = "CURSOR")]
    pub after: Option<String>,
}

#[derive(Debug, Args)]
pub struct Search {
    /// What to look for: any text
    // A query may begin with a minus: `-word` excludes a word.
    #[arg(allow_hyphen_values = true)]
    pub query: String,
    /// Tier; may be repeated [default: all]
    #[arg(long)]
    pub scope: Vec<ScopeWord>,
    #[command(flatten)]
    pub place: PlaceArgs,
    /// How many, at most 200
    #[arg(long, default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..))]
    pub limit: u32,
    /// How the lists are made one
    #[arg(long, value_name = "NAME")]
    pub strategy: Option<String>,
    /// Say what each list gave each hit
    #[arg(long)]
    pub explain: bool,
}

#[derive(Debug, Args)]
pub struct Edit {
    pub id: String,
    /// The new text; `-` reads standard input
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub content: String,
    /// The version you have read; the edit is refused if there is a newer one [default: the current one]
    #[arg(long, value_name = "N")]
    pub version: Option<u32>,
}

#[derive(Debug, Subcommand)]
pub enum ModelVerb {
    /// List the models on offer
    List,
    /// Download a model if need be, and use it
    Fetch { name: String },
    /// Use the model in a folder
    UseFolder { path: PathBuf },
    /// Say how search by meaning stands
    Status,
}

#[derive(Debug, Args)]
pub struct Embed {
    /// Of every workspace, unless one is named
    #[arg(long)]
    pub all: bool,
}

#[derive(Debug, Subcommand)]
pub enum BenchVerb {
    /// Search with the queries of a test set, one fresh store a unit
    ///
    /// Reads UNIT.docs.jsonl and UNIT.queries.jsonl of every unit in the folder and writes one line a query:
    /// {"id", "ranked", "ms"}.
    Recall {
        /// Folder with the test set
        dir: PathBuf,
        /// Where to write the answers
        #[arg(long, value_name = "FILE")]
        out: PathBuf,
        /// How the lists are made one
        #[arg(long, value_name = "NAME")]
        strategy: Option<String>,
        /// What each unit is loaded as
        #[arg(long = "as", default_value = "memories")]
        kind: UnitKind,
    },
    /// Time searches and writes on made-up entries, beside a naive baseline
    Scale {
        /// How many entries
        #[arg(long, value_parser = clap::value_parser!(u32).range(100..=2_000_000))]
        entries: u32,
    },
    /// Tell how much memory this process takes with a folder that `scale` has filled; `scale` asks it
    #[command(hide = true)]
    Memory {
        /// The folder
        dir: PathBuf,
    },
}

/// A tier.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ScopeWord {
    Account,
    Workspace,
    Channel,
    Conversation,
}

impl From<ScopeWord> for Scope {
    fn from(word: ScopeWord) -> Self {
        match word {
            ScopeWord::Account => Self::Account,
            ScopeWord::Workspace => Self::Workspace,
            ScopeWord::Channel => Self::Channel,
            ScopeWord::Conversation => Self::Conversation,
        }
    }
}

/// In whose name a memory is added.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum CuratorWord {
    Author,
    Agent,
}

impl From<CuratorWord> for ActorKind {
    fn from(word: CuratorWord) -> Self {
        match word {
            CuratorWord::Author => Self::Author,
            CuratorWord::Agent => Self::Agent,
        }
    }
}

/// What a unit of a test set is loaded as.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum UnitKind {
    /// Entries of a channel.
    Memories,
    /// The messages of one conversation.
    Conversation,
}

/// Whether a command line that could not be understood asks for JSON all the same.
pub fn wants_json(args: impl Iterator<Item = OsString>) -> bool {
    args.take_while(|arg| arg != "--").any(|arg| arg == "--json")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_grammar_is_consistent() {
        use clap::CommandFactory;
        Cli::command().debug_assert();
    }

    #[test]
    fn a_query_may_begin_with_a_minus_and_flags_are_still_flags() {
        let parsed = Cli::try_parse_from(["inklings", "memory", "search", "-word", "--json", "--limit", "3"]);
        let cli = parsed.expect("a query");
        assert!(cli.common.json);
        match cli.command {
            Command::Memory(MemoryVerb::Search(search)) => {
                assert_eq!((search.query.as_str(), search.limit), ("-word", 3));
            }
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn json_is_wanted_only_where_it_is_a_flag() {
        let args =
            |args: &[&str]| wants_json(args.iter().map(OsString::from).collect::<Vec<_>>().into_iter());
        assert!(args(&["inklings", "nonsense", "--json"]));
        assert!(!args(&["inklings", "memory", "add", "--", "--json"]));
    }
}
