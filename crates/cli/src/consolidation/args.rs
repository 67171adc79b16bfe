//! Arguments of `inklings consolidate`.

use clap::Subcommand;

#[derive(Debug, Subcommand)]
pub enum ConsolidateVerb {
    /// Preview a run; changes nothing
    Preview,
    /// Consolidate now
    Run,
    /// List runs, newest first
    List {
        /// Maximum number of runs
        #[arg(long, default_value_t = 20)]
        limit: u32,
    },
    /// Show the effects of a run
    Show { run: String },
    /// Revert a whole run
    Revert { run: String },
}
