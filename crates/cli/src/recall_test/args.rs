//! Arguments of `inklings recall`.

use clap::{Args, Subcommand};

use crate::shared_args::LensArgs;

/// A recall test to add
#[derive(Debug, Args)]
pub struct NewTest {
    /// The question, as it would stand in a turn
    pub question: String,
    /// A memory or fact that must come up
    #[arg(long, value_name = "ID", required_unless_present = "never")]
    pub expect: Vec<String>,
    /// A memory or fact that must not come up
    #[arg(long, value_name = "ID")]
    pub never: Vec<String>,
    #[command(flatten)]
    pub lens: LensArgs,
    /// Channel in scope
    #[arg(long, value_name = "NAME")]
    pub channel: Option<String>,
    /// Token budget that overrides the setting
    #[arg(long)]
    pub budget: Option<u32>,
}

#[derive(Debug, Subcommand)]
pub enum RecallVerb {
    /// Add a test of what the World Agent is shown for a question, and run it
    Add(NewTest),
    /// List the tests with their last results
    List,
    /// Run all tests, or those with these ids; exit code 1 if one fails
    Run { ids: Vec<String> },
    /// Remove tests
    Remove {
        #[arg(required = true)]
        ids: Vec<String>,
    },
}
