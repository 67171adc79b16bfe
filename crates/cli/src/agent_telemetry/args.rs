//! Arguments of `inklings telemetry`.

use clap::{Args, Subcommand, ValueEnum};

/// Which actions are listed
#[derive(Debug, Args)]
pub struct ListActions {
    /// Name or id of a client, or `world_agent`
    #[arg(long, value_name = "NAME")]
    pub by: Option<String>,
    /// Only actions that ended like this
    #[arg(long)]
    pub outcome: Option<OutcomeArg>,
    /// Only what was done to this memory, fact, subject or conversation
    #[arg(long, value_name = "ID")]
    pub target: Option<String>,
    /// Only the actions of this sequence
    #[arg(long, value_name = "ID")]
    pub sequence: Option<String>,
    /// Maximum number of actions
    #[arg(long, default_value_t = 50)]
    pub limit: u32,
    /// Cursor of the page before
    #[arg(long)]
    pub after: Option<String>,
}

/// How an action ended.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub enum OutcomeArg {
    Done,
    Empty,
    Proposed,
    Refused,
    Failed,
}

/// A judgement about a pattern.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub enum AnnotationArg {
    Useful,
    Expected,
    Misleading,
    Resolved,
}

#[derive(Debug, Subcommand)]
pub enum TelemetryVerb {
    /// List what the World Agent and clients did, newest first
    List(ListActions),
    /// Search the sequences of actions by their steps
    Search {
        /// Words or a task; without any, the newest sequences
        #[arg(default_value = "")]
        query: String,
        /// Maximum number of sequences
        #[arg(long, default_value_t = 20)]
        limit: u32,
    },
    /// Show the outcomes that recur, or the actions of one sequence
    Show {
        /// Id of a sequence; without one, all patterns
        id: Option<String>,
    },
    /// Judge a pattern
    Annotate {
        /// Id of the pattern
        id: String,
        /// The judgement; without one it is taken away
        annotation: Option<AnnotationArg>,
    },
    /// Hide a pattern from agents
    Suppress {
        /// Id of the pattern
        id: String,
        /// Show it again
        #[arg(long)]
        lift: bool,
    },
    /// Show the metrics of each day
    Metrics {
        /// Number of days
        #[arg(long, default_value_t = 30)]
        days: u32,
    },
}
