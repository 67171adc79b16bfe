//! Arguments of the verbs on runs of consolidation.

use clap::Subcommand;

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
