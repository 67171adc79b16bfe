//! Arguments of the verbs on working notes.

use clap::Subcommand;

#[derive(Debug, Subcommand)]
pub enum ScratchpadVerb {
    /// Write a working note
    Write {
        conversation: String,
        key: String,
        /// Any JSON value
        value: String,
        /// Seconds that it lives after its last read
        #[arg(long, value_name = "SECONDS")]
        ttl: Option<u32>,
        /// One hour after its last read
        #[arg(long, conflicts_with = "ttl")]
        working: bool,
    },
    /// Read a working note
    Read { conversation: String, key: String },
    /// List working notes
    List { conversation: String },
    /// Remove one working note, or all
    Clear {
        conversation: String,
        key: Option<String>,
        /// Only those with a time to live
        #[arg(long)]
        working: bool,
    },
}
