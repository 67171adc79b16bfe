//! Arguments of `inklings named`.

use clap::{Args, Subcommand, ValueEnum};
use inklings_api::vocabulary::Scope;

/// The tiers that can contain named entries.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum NamedScope {
    Workspace,
    Account,
}

#[derive(Debug, Subcommand)]
pub enum NamedVerb {
    /// List named entries; VOICE and SOUL first
    List,
    /// Show a named entry with its text, by name or alias
    Show(WhichNamed),
    /// Write a named entry
    Write {
        #[command(flatten)]
        which: WhichNamed,
        /// Text; `-` reads standard input
        text: String,
        /// Version that you have read; refused if there is a later one [default: the current one]
        #[arg(long)]
        version: Option<u32>,
    },
    /// Add a named entry
    Add {
        name: String,
        /// Tier
        #[arg(long, default_value = "workspace")]
        scope: NamedScope,
        /// Text; `-` reads standard input
        #[arg(default_value = "")]
        text: String,
    },
    /// Rename a named entry; the old name becomes an alias
    Rename {
        #[command(flatten)]
        which: WhichNamed,
        new: String,
    },
    /// Add an alias to a named entry
    Alias {
        #[command(flatten)]
        which: WhichNamed,
        alias: String,
        /// Move the alias from the entry that has it now
        #[arg(long)]
        rebind: bool,
    },
    /// Remove a named entry with its aliases; `memory undo` restores it
    Remove(WhichNamed),
}

#[derive(Debug, Args)]
pub struct WhichNamed {
    /// Name or alias
    pub name: String,
    /// Tier [default: the workspace before the account]
    #[arg(long)]
    pub scope: Option<NamedScope>,
}

impl From<NamedScope> for Scope {
    fn from(scope: NamedScope) -> Self {
        match scope {
            NamedScope::Workspace => Self::Workspace,
            NamedScope::Account => Self::Account,
        }
    }
}
