//! Arguments of `inklings saved-search`.

use clap::{Args, Subcommand};

use crate::shared_args::{LensArgs, PlaceArgs, ScopeWord};

/// A search to save
#[derive(Debug, Args)]
pub struct NewSearch {
    /// The name
    pub name: String,
    /// Search query: any text [default: a list without a query]
    // A query may begin with a minus: `-word` excludes a word.
    #[arg(allow_hyphen_values = true)]
    pub query: Option<String>,
    /// Only this tier [default: all]
    #[arg(long)]
    pub scope: Option<ScopeWord>,
    #[command(flatten)]
    pub place: PlaceArgs,
    #[command(flatten)]
    pub lens: LensArgs,
}

#[derive(Debug, Subcommand)]
pub enum SavedSearchVerb {
    /// List the saved searches
    List,
    /// Save a search
    Add(NewSearch),
    /// Run a saved search
    Run {
        /// Name or id
        name: String,
        /// Maximum number of memories
        #[arg(long, default_value_t = 20)]
        limit: u32,
    },
    /// Give a saved search another name
    Rename {
        /// Name or id
        name: String,
        /// The new name
        to: String,
    },
    /// Remove a saved search
    Remove {
        /// Name or id
        name: String,
    },
}
