//! Arguments of the verbs on named entries.

use clap::{Args, Subcommand, ValueEnum};
use inklings_api::vocabulary::Scope;

/// The tiers that named entries live in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum NamedScope {
    Workspace,
    Account,
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

impl From<NamedScope> for Scope {
    fn from(scope: NamedScope) -> Self {
        match scope {
            NamedScope::Workspace => Self::Workspace,
            NamedScope::Account => Self::Account,
        }
    }
}
