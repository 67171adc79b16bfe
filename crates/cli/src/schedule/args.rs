//! Arguments of `inklings schedule`.

use clap::Subcommand;

#[derive(Debug, Subcommand)]
pub enum ScheduleVerb {
    /// Show all tasks with their last runs
    Status,
    /// Run a task now and wait until it ends
    Run { task: String },
}
