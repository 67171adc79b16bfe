//! Arguments of `inklings fact`.

use crate::shared_args::CuratorWord;
use clap::{Subcommand, ValueEnum};

#[derive(Debug, Subcommand)]
pub enum FactVerb {
    /// Set a fact
    Set {
        category: String,
        key: String,
        value: String,
        /// Conversation that the fact comes from
        #[arg(long, value_name = "CODE")]
        conversation: Option<String>,
        /// Actor kind: author (you) or agent
        #[arg(long, default_value = "author")]
        curator: CuratorWord,
    },
    /// Show one fact
    Get { category: String, key: String },
    /// List facts
    List {
        /// Only this category
        #[arg(long)]
        category: Option<String>,
        /// Values at this time (RFC 3339)
        #[arg(long, value_name = "TIME")]
        as_of: Option<String>,
        /// Maximum number of facts
        #[arg(long, default_value_t = 100)]
        limit: u32,
        /// Cursor: `next` of the previous page
        #[arg(long, value_name = "CURSOR")]
        after: Option<String>,
    },
    /// Show all values of a fact, newest first
    History { category: String, key: String },
    /// Remove a fact's value; its history is retained
    Remove { category: String, key: String },
    /// Accept or reject an agent's claim that contradicts your value
    Settle { claim: String, decision: Decision },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Decision {
    /// The claimed value replaces yours
    Accept,
    /// Your value is retained
    Reject,
}
