//! Arguments of `inklings fact`.

use crate::shared_args::{CuratorWord, LensArgs};
use clap::{Args, Subcommand, ValueEnum};

#[derive(Debug, Subcommand)]
pub enum FactVerb {
    /// Set a fact
    Set(NewFactArgs),
    /// Set when a fact holds in the story: `fact set-time Ambry ruler "813 –"`
    SetTime {
        #[command(flatten)]
        fact: KeyArgs,
        /// A date, a month, a year, an era, or two of them; an end may be open; "" for always
        dates: String,
        /// Actor kind: author (you) or agent
        #[arg(long, default_value = "author")]
        curator: CuratorWord,
    },
    /// Set who knows of a fact; without names, show who does: `fact known-by Ambry ruler Mira "Reader@The Flood"`
    KnownBy {
        category: String,
        key: String,
        /// Names, aliases or ids of subjects, each with the time since when if not always: `Mira@chapter 7`,
        /// `"Reader@The Flood"`, `"Toma@3 Thaw, 312"`
        #[arg(value_name = "NAME[@WHEN]")]
        names: Vec<String>,
        /// Everybody knows of it
        #[arg(long, conflicts_with = "names")]
        everybody: bool,
        #[command(flatten)]
        at: KeyTimeArgs,
    },
    /// Show the facts of a key
    Get(KeyArgs),
    /// List facts
    List {
        /// Only this category
        #[arg(long)]
        category: Option<String>,
        /// Values that were set at this time (RFC 3339)
        #[arg(long, value_name = "TIME")]
        as_of: Option<String>,
        /// Only what holds in the story at some time in these dates
        #[arg(long, value_name = "DATES")]
        within: Option<String>,
        /// Name of the calendar that reads the dates; the first one without it
        #[arg(long)]
        calendar: Option<String>,
        #[command(flatten)]
        lens: LensArgs,
        /// Maximum number of facts
        #[arg(long, default_value_t = 100)]
        limit: u32,
        /// Cursor: `next` of the previous page
        #[arg(long, value_name = "CURSOR")]
        after: Option<String>,
    },
    /// Show all values of a fact, newest first
    History(KeyArgs),
    /// Remove a fact's value; its history is retained
    Remove(KeyArgs),
    /// Accept or reject an agent's claim that contradicts your value
    Settle { claim: String, decision: Decision },
}

#[derive(Debug, Args)]
pub struct NewFactArgs {
    pub category: String,
    pub key: String,
    pub value: String,
    /// When it holds in the story: a date, a month, a year, an era, or two of them; an end may be open; "" for always
    #[arg(long, value_name = "DATES")]
    pub holds: Option<String>,
    /// Name of the calendar that reads the dates; the first one without it
    #[arg(long)]
    pub calendar: Option<String>,
    /// Conversation that the fact comes from
    #[arg(long, value_name = "CODE")]
    pub conversation: Option<String>,
    /// Actor kind: author (you) or agent
    #[arg(long, default_value = "author")]
    pub curator: CuratorWord,
}

#[derive(Debug, Args)]
pub struct KeyArgs {
    pub category: String,
    pub key: String,
    #[command(flatten)]
    pub at: KeyTimeArgs,
}

/// Which of several facts of a key is meant.
#[derive(Debug, Args)]
pub struct KeyTimeArgs {
    /// Dates at which it holds in the story, if the key has several facts
    #[arg(long, value_name = "DATES")]
    pub within: Option<String>,
    /// Name of the calendar that reads the dates; the first one without it
    #[arg(long)]
    pub calendar: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Decision {
    /// The claimed value replaces yours
    Accept,
    /// Your value is retained
    Reject,
}
