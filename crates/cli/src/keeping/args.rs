//! What can be typed about named entries, orientation, consolidation, proposals and tasks.

use clap::{Args, Subcommand, ValueEnum};
use inklings_api::views::vocabulary::Scope;

/// The tiers that named entries live in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum NamedScope {
    Workspace,
    Account,
}

impl From<NamedScope> for Scope {
    fn from(scope: NamedScope) -> Self {
        match scope {
            NamedScope::Workspace => Self::Workspace,
            NamedScope::Account => Self::Account,
        }
    }
}

#[derive(Debug, Subcommand)]
pub enum NamedVerb {
    /// List named entries; VOICE and SOUL come first
    List,
    /// Show one whole, by its name or an alias
    Show(WhichNamed),
    /// Write one
    Write {
        #[command(flatten)]
        which: WhichNamed,
        /// The text; `-` reads standard input
        text: String,
        /// Version you have read; a later one is not overwritten [default: whatever is there]
        #[arg(long)]
        version: Option<u32>,
    },
    /// Add one
    Add {
        name: String,
        /// Tier
        #[arg(long, default_value = "workspace")]
        scope: NamedScope,
        /// The text; `-` reads standard input
        #[arg(default_value = "")]
        text: String,
    },
    /// Give one another name; the old one stays as an alias
    Rename {
        #[command(flatten)]
        which: WhichNamed,
        new: String,
    },
    /// Give one another name that resolves to it
    Alias {
        #[command(flatten)]
        which: WhichNamed,
        alias: String,
        /// Take the alias away from the entry that has it now
        #[arg(long)]
        rebind: bool,
    },
    /// Remove one, with its aliases; `memory undo` brings it back
    Remove(WhichNamed),
}

#[derive(Debug, Args)]
pub struct WhichNamed {
    /// Its name, or an alias
    pub name: String,
    /// Tier [default: the workspace's own before the account's]
    #[arg(long)]
    pub scope: Option<NamedScope>,
}

/// What the World Agent would be shown
#[derive(Debug, Args)]
pub struct Orient {
    /// In a conversation, by its reference code
    #[arg(long, value_name = "CODE", conflicts_with = "channel")]
    pub conversation: Option<String>,
    /// In a channel
    #[arg(long, value_name = "NAME")]
    pub channel: Option<String>,
    /// What is asked [default: what was said last]
    #[arg(long, default_value = "")]
    pub query: String,
    /// Tokens, instead of the setting
    #[arg(long)]
    pub budget: Option<u32>,
    /// Say of every candidate why it was taken or left out
    #[arg(long)]
    pub explain: bool,
}

#[derive(Debug, Subcommand)]
pub enum ConsolidateVerb {
    /// What a run would do now; changes nothing
    Preview,
    /// Consolidate now
    Run,
    /// List runs, the newest first
    List {
        /// The most runs
        #[arg(long, default_value_t = 20)]
        limit: u32,
    },
    /// Show what a run did
    Show { run: String },
    /// Take a run back, whole
    Revert { run: String },
}

/// How a proposal stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum StateWord {
    Open,
    Accepted,
    Rejected,
    Superseded,
    All,
}

#[derive(Debug, Subcommand)]
pub enum ProposalVerb {
    /// List proposals, the newest first
    List {
        /// How they stand
        #[arg(long, default_value = "open")]
        state: StateWord,
        /// The most proposals
        #[arg(long, default_value_t = 50)]
        limit: u32,
    },
    /// Accept proposals
    Accept {
        #[arg(required = true)]
        ids: Vec<String>,
        /// With this text instead; `-` reads standard input
        #[arg(long, conflicts_with_all = ["newer", "older"])]
        text: Option<String>,
        /// Of two that contradict each other, keep the newer
        #[arg(long, conflicts_with = "older")]
        newer: bool,
        /// Of two that contradict each other, keep the older
        #[arg(long)]
        older: bool,
    },
    /// Reject proposals; of two that contradict each other, both stay
    Reject {
        #[arg(required = true)]
        ids: Vec<String>,
    },
}

#[derive(Debug, Subcommand)]
pub enum ScheduleVerb {
    /// Show every task with its last run
    Status,
    /// Run a task now and wait for its end
    Run { task: String },
}
