//! Arguments of the verbs on proposals.

use clap::{Subcommand, ValueEnum};

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
