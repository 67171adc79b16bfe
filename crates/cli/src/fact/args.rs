//! Arguments of the verbs on facts.

use crate::args::CuratorWord;
use clap::{Subcommand, ValueEnum};

#[derive(Debug, Subcommand)]
pub enum FactVerb {
    /// Set a fact
    Set {
        category: String,
        key: String,
        value: String,
        /// Conversation in which it was said
        #[arg(long, value_name = "CODE")]
        conversation: Option<String>,
        /// In whose name: your own, or the lesser one of the agent
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
        /// As they stood at this time (RFC 3339)
        #[arg(long, value_name = "TIME")]
        as_of: Option<String>,
        /// The most rows
        #[arg(long, default_value_t = 100)]
        limit: u32,
        /// Where the page starts: `next` of the one before
        #[arg(long, value_name = "CURSOR")]
        after: Option<String>,
    },
    /// Show every value that a fact had, newest first
    History { category: String, key: String },
    /// Take a fact's value away; its history stays
    Remove { category: String, key: String },
    /// Settle what an agent said against your word
    Settle { claim: String, decision: Decision },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Decision {
    /// Its value becomes yours
    Accept,
    /// Your word stays
    Reject,
}
