//! Arguments of the verbs on tasks.

use clap::Subcommand;

#[derive(Debug, Subcommand)]
pub enum ScheduleVerb {
    /// Show every task with its last run
    Status,
    /// Run a task now and wait for its end
    Run { task: String },
}
