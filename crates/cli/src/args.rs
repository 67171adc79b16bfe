//! Command line arguments.

use std::{ffi::OsString, path::PathBuf};

use clap::{Args, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;

use crate::client::args::{ClientVerb, Mcp, Switch};
use crate::transfer::args::{Export, FileVerb, Import};
use crate::{
    agent_telemetry::args::TelemetryVerb, channel::args::ChannelVerb, chat::args::ChatVerb,
    conversation::args::ConversationVerb, fact::args::FactVerb, scratchpad::args::ScratchpadVerb,
};
use crate::{
    audit::AuditVerb, backup::BackupVerb, saved_search::args::SavedSearchVerb, scrub::ScrubVerb,
    search::SearchDocuments,
};
use crate::{
    calendar::args::{CalendarVerb, TimelineVerb},
    memory::args::MemoryVerb,
    shared_args::Common,
    subject::args::{LinkVerb, SubjectVerb},
    vault::args::VaultVerb,
};
use crate::{
    consolidation::args::ConsolidateVerb, drift::args::DriftVerb, named_entry::args::NamedVerb,
    orientation::args::Orient, proposal::args::ProposalVerb, recall_test::args::RecallVerb,
    schedule::args::ScheduleVerb,
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

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Create, list, rename and delete workspaces
    #[command(subcommand)]
    Workspace(WorkspaceVerb),
    /// Create, find, change, forget and undo memories
    #[command(subcommand)]
    Memory(MemoryVerb),
    /// Create, list, rename, archive and delete channels
    #[command(subcommand)]
    Channel(ChannelVerb),
    /// Talk with the World Agent, and manage conversations
    #[command(subcommand)]
    Conversation(ConversationVerb),
    /// Scratchpad notes of the World Agent
    #[command(subcommand)]
    Scratchpad(ScratchpadVerb),
    /// Facts: values by category and key
    #[command(subcommand)]
    Fact(FactVerb),
    /// Connect the language model that answers in conversations
    #[command(subcommand)]
    Chat(ChatVerb),
    /// Choose the embedding model for search by meaning
    #[command(subcommand)]
    Model(ModelVerb),
    /// Named entries, which the World Agent always receives
    #[command(subcommand)]
    Named(NamedVerb),
    /// Subjects of the world: characters, places, factions and others
    #[command(subcommand)]
    Subject(SubjectVerb),
    /// Relations between subjects, and what memories are about
    #[command(subcommand)]
    Link(LinkVerb),
    /// Calendars of the world: months, weeks, eras and moons
    #[command(subcommand)]
    Calendar(CalendarVerb),
    /// When memories and subjects hold in the story, and the order of chapters
    #[command(subcommand)]
    Timeline(TimelineVerb),
    /// Link folders of Markdown files, and index their pages; nothing in them is ever written
    #[command(subcommand)]
    Vault(VaultVerb),
    Search(SearchDocuments),
    /// Searches in memories that are kept under a name
    #[command(subcommand)]
    SavedSearch(SavedSearchVerb),
    Orient(Orient),
    /// Consolidate memory, and revert runs
    #[command(subcommand)]
    Consolidate(ConsolidateVerb),
    /// Review the proposals of agents and tasks
    #[command(subcommand)]
    Proposal(ProposalVerb),
    /// Review contradictions between what is canon and what is stated elsewhere
    #[command(subcommand)]
    Drift(DriftVerb),
    /// Test what the World Agent is shown for a question
    #[command(subcommand)]
    Recall(RecallVerb),
    /// Show what agents did; it is kept in the workspace and sent nowhere
    #[command(subcommand)]
    Telemetry(TelemetryVerb),
    /// Show and run background tasks
    #[command(subcommand)]
    Schedule(ScheduleVerb),
    /// Make, check and restore backups
    #[command(subcommand)]
    Backup(BackupVerb),
    /// Destroy memory permanently; previews first, and needs the preview's hash to execute
    #[command(subcommand)]
    Scrub(ScrubVerb),
    /// Show the audit log of operations that cannot be undone
    #[command(subcommand)]
    Audit(AuditVerb),
    /// Embed memories without a vector now
    Embed(Embed),
    Mcp(Mcp),
    /// Manage programs that access memory through the MCP server
    #[command(subcommand)]
    Client(ClientVerb),
    Export(Export),
    Import(Import),
    /// A memory in a single file: notes and archives with full-text search
    #[command(subcommand)]
    File(FileVerb),
    /// Check every database; exits with 1 if there is a problem
    Doctor(Doctor),
    /// Print the completion script of a shell
    Completions {
        shell: Shell,
    },
    /// Write the manual pages into a folder, one for each verb; for packages
    #[command(hide = true)]
    Manual {
        folder: PathBuf,
    },
    /// Serve the window's commands to a page in a browser until standard input ends; for development
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
    /// Port on 127.0.0.1 [default: any free port]
    #[arg(long, default_value_t = 0)]
    pub port: u16,
}

#[derive(Debug, Args)]
pub struct Doctor {
    /// Rebuild each full-text index that does not match its texts
    #[arg(long)]
    pub repair: bool,
}

#[derive(Debug, Subcommand)]
pub enum WorkspaceVerb {
    /// Create a workspace
    Create { name: String },
    /// List workspaces; the one in use is marked
    List,
    /// Rename a workspace
    Rename { name: String, new: String },
    /// Show whether agents and tasks may add to a workspace's memory, or switch that `on` or `off`
    Memory {
        /// New state; shows the current state if omitted
        state: Option<Switch>,
    },
    /// Move a workspace to the trash folder
    Delete {
        name: String,
        /// Remove it permanently instead
        #[arg(long)]
        purge: bool,
    },
}

#[derive(Debug, Subcommand)]
pub enum ModelVerb {
    /// List the available models
    List,
    /// Download a model if necessary, and use it
    Fetch { name: String },
    /// Use the model in a local folder
    UseFolder { path: PathBuf },
    /// Give the workspace a model of its own, or let it follow the others; `fetch` and `use-folder` then choose its own
    Own { state: Switch },
    /// Show the status of search by meaning
    Status,
}

#[derive(Debug, Args)]
pub struct Embed {
    /// All workspaces, unless one is named
    #[arg(long)]
    pub all: bool,
}

#[derive(Debug, Subcommand)]
pub enum BenchVerb {
    /// Run the queries of a test set, with one new store per unit
    ///
    /// Reads UNIT.docs.jsonl and UNIT.queries.jsonl of every unit in the folder and writes one line per
    /// query: {"id", "ranked", "ms"}. A query with "before": N is asked when the store holds the first N
    /// documents of the unit only, so N is the position, from 0, of the first document that does not count.
    Recall {
        /// Folder of the test set
        dir: PathBuf,
        /// Output file
        #[arg(long, value_name = "FILE")]
        out: PathBuf,
        /// Fusion strategy of the ranked lists [default: the standard one]
        #[arg(long, value_name = "NAME")]
        strategy: Option<String>,
        /// What each unit is loaded as
        #[arg(long = "as", default_value = "memories")]
        kind: UnitKind,
        /// Add what each list contributed to the best 200 candidates of every query, for scripts/recall
        #[arg(long)]
        shares: bool,
    },
    /// Ask for secrets of a generated story through every way in, as somebody at some time; exit code 1 on a leak
    Probes {
        /// Number of probes
        #[arg(long, default_value_t = 1000, value_parser = clap::value_parser!(u32).range(1..))]
        probes: u32,
        /// Seed of the story and the probes
        #[arg(long, default_value_t = 1)]
        seed: u64,
    },
    /// Measure searches and writes on synthetic entries, compared with a naive baseline
    Scale {
        /// Number of entries
        #[arg(long, value_parser = clap::value_parser!(u32).range(100..=2_000_000))]
        entries: u32,
    },
    /// Print the memory use of this process with a folder that `scale` has filled; used by `scale`
    #[command(hide = true)]
    Memory {
        /// Data folder
        dir: PathBuf,
    },
}

/// How a unit of a test set is loaded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum UnitKind {
    /// Entries of a channel.
    Memories,
    /// The messages of one conversation.
    Conversation,
    /// Every second session as entries of a channel, the others as messages.
    Both,
}

/// True if a command line that could not be parsed requests JSON.
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
                assert_eq!((search.query.as_str(), search.hits.limit), ("-word", 3));
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
