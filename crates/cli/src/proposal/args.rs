//! Arguments of `inklings proposal`.

use clap::{Subcommand, ValueEnum};

/// State of a proposal.
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
    /// List proposals, newest first
    List {
        /// State of the proposals
        #[arg(long, default_value = "open")]
        state: StateWord,
        /// Maximum number of proposals
        #[arg(long, default_value_t = 50, value_parser = clap::value_parser!(u32).range(1..))]
        limit: u32,
        /// Cursor: `next` of the previous page
        #[arg(long, value_name = "CURSOR")]
        after: Option<String>,
    },
    /// Accept proposals
    Accept {
        #[arg(required = true)]
        ids: Vec<String>,
        /// Use this text instead; `-` reads standard input
        #[arg(long, conflicts_with_all = ["newer", "older"])]
        text: Option<String>,
        /// Of two contradicting memories, keep the newer
        #[arg(long, conflicts_with = "older")]
        newer: bool,
        /// Of two contradicting memories, keep the older
        #[arg(long)]
        older: bool,
    },
    /// Reject proposals; of two contradicting memories, both are kept
    Reject {
        #[arg(required = true)]
        ids: Vec<String>,
    },
}
