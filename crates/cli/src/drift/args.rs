//! Arguments of `inklings drift`.

use clap::{Args, Subcommand, ValueEnum};

/// State of a contradiction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum StateWord {
    Open,
    Settled,
    Superseded,
    All,
}

#[derive(Debug, Subcommand)]
pub enum DriftVerb {
    /// List contradictions between what is canon and what is stated elsewhere, newest first
    List {
        /// State of the contradictions
        #[arg(long, default_value = "open")]
        state: StateWord,
        /// Maximum number of contradictions
        #[arg(long, default_value_t = 50)]
        limit: u32,
        /// Cursor: `next` of the previous page
        #[arg(long, value_name = "CURSOR")]
        after: Option<String>,
    },
    /// Decide about a contradiction
    Settle(SettleArgs),
}

#[derive(Debug, Args)]
pub struct SettleArgs {
    pub id: String,
    pub decision: Decision,
    /// `canon-changes`: the new text or value of the canon; `-` reads standard input
    #[arg(long)]
    pub text: Option<String>,
    /// `both`: dates at which the canon holds
    #[arg(long, value_name = "DATES")]
    pub canon_holds: Option<String>,
    /// `both`: dates at which the statement holds
    #[arg(long, value_name = "DATES")]
    pub statement_holds: Option<String>,
    /// Name of the calendar that reads the dates; the first one without it
    #[arg(long)]
    pub calendar: Option<String>,
    /// `belief`: who is mistaken or lies, a name, alias or id of a subject, with the time since when if not always:
    /// `Mira@chapter 7`
    #[arg(long, value_name = "NAME[@WHEN]")]
    pub known_by: Vec<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Decision {
    /// The canon is right; the statement is forgotten
    CanonStands,
    /// The statement is right; the canon becomes what it says
    CanonChanges,
    /// Both are right, at different times
    Both,
    /// Somebody is mistaken or lies: only they know the statement
    Belief,
    /// They do not contradict each other; a memory whose page has changed is kept
    Dismiss,
    /// The memory is made anew of what its page says now: as a proposal
    DeriveAgain,
}
