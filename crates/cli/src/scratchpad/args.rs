//! Arguments of `inklings scratchpad`.

use clap::Subcommand;

#[derive(Debug, Subcommand)]
pub enum ScratchpadVerb {
    /// Write a scratchpad note
    Write {
        conversation: String,
        key: String,
        /// Any JSON value
        value: String,
        /// Seconds to live after the last read
        #[arg(long, value_name = "SECONDS")]
        ttl: Option<u32>,
        /// Set the time to live to one hour
        #[arg(long, conflicts_with = "ttl")]
        working: bool,
    },
    /// Read a scratchpad note
    Read { conversation: String, key: String },
    /// List scratchpad notes
    List { conversation: String },
    /// Remove one scratchpad note, or all
    Clear {
        conversation: String,
        key: Option<String>,
        /// Only notes with a time to live
        #[arg(long)]
        working: bool,
    },
}
