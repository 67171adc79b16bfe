//! Args.

use clap::{Args, Subcommand, ValueEnum};
use inklings_api::vocabulary::Scope;

#[derive(Debug, Subcommand)]
pub enum ScheduleVerb {
    /// Show every task with its last run
    Status,
    /// Run a task now and wait for its end
    Run { task: String },
}
