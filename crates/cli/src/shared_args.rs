//! Arguments that commands of several subjects share.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use inklings_api::{
    ActorKind,
    view::lens::{KnowerSpec, KnowerView, LensSpec},
    vocabulary::Scope,
};

/// A constant, because the text contains characters that a doc comment would have to mark up.
const DATA_DIR: &str =
    "Folder that holds everything [default: $INKLINGS_DATA_DIR, else the system's data folder]";

/// Options of all commands.
#[derive(Debug, Args)]
pub struct Common {
    #[arg(long, global = true, value_name = "DIR", help = DATA_DIR)]
    pub data_dir: Option<PathBuf>,
    /// Workspace, by name or id [default: the one used last]
    #[arg(long, global = true, value_name = "NAME")]
    pub workspace: Option<String>,
    /// Print JSON
    #[arg(long, global = true)]
    pub json: bool,
}

#[derive(Debug, Args)]
pub struct PlaceArgs {
    /// Only this channel, in the channel and conversation tiers
    #[arg(long, value_name = "NAME")]
    pub channel: Option<String>,
    /// Only this conversation, in the conversation tier, by reference code
    #[arg(long, value_name = "CODE")]
    pub conversation: Option<String>,
}

/// Whose knowledge is shown, and up to when the story has happened.
#[derive(Debug, Clone, Args)]
pub struct LensArgs {
    /// Show only what this subject knows: a character, a faction, the Reader
    #[arg(long = "as", value_name = "SUBJECT")]
    pub knower: Option<String>,
    /// Show only what has happened by then: a date, or a chapter by name or as `chapter 12`
    #[arg(long, value_name = "WHEN")]
    pub at: Option<String>,
}

impl LensArgs {
    /// The lens that was asked for, if one was.
    pub fn spec(self) -> Option<LensSpec> {
        let is_given = self.knower.is_some() || self.at.is_some();
        is_given.then_some(LensSpec { knower: self.knower, at: self.at })
    }
}

/// A name, and what follows an `@` as the time since when.
pub fn knower(given: &str) -> KnowerSpec {
    let (subject, since) = match given.split_once('@') {
        Some((subject, since)) => (subject, Some(since.trim().to_owned())),
        None => (given, None),
    };
    KnowerSpec { subject: subject.trim().to_owned(), since }
}

/// A knower with the time since when.
pub fn knower_text(knower: &KnowerView) -> String {
    match &knower.since {
        Some(since) => format!("{} (since {since})", knower.name),
        None => knower.name.clone(),
    }
}

/// How many hits of a search, in which order, and how they are shown.
#[derive(Debug, Args)]
pub struct HitOptions {
    /// Maximum number of hits, at most 200
    #[arg(long, default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..))]
    pub limit: u32,
    /// Fusion strategy of the ranked lists [default: the one that `memory strategy` shows]
    #[arg(long, value_name = "NAME")]
    pub strategy: Option<String>,
    /// Show the contribution of each ranked list to each hit
    #[arg(long)]
    pub explain: bool,
}

/// A tier.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ScopeWord {
    Account,
    Workspace,
    Channel,
    Conversation,
}

impl From<ScopeWord> for Scope {
    fn from(word: ScopeWord) -> Self {
        match word {
            ScopeWord::Account => Self::Account,
            ScopeWord::Workspace => Self::Workspace,
            ScopeWord::Channel => Self::Channel,
            ScopeWord::Conversation => Self::Conversation,
        }
    }
}

/// Actor kind of a new memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum CuratorWord {
    Author,
    Agent,
}

impl From<CuratorWord> for ActorKind {
    fn from(word: CuratorWord) -> Self {
        match word {
            CuratorWord::Author => Self::Author,
            CuratorWord::Agent => Self::Agent,
        }
    }
}
