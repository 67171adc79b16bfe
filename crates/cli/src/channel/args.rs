//! Arguments of `inklings channel`.

use clap::Subcommand;

#[derive(Debug, Subcommand)]
pub enum ChannelVerb {
    /// Create a channel
    Create {
        name: String,
        /// Description
        #[arg(long, default_value = "")]
        description: String,
    },
    /// List channels with their contents
    List,
    /// Rename a channel
    Rename { name: String, new: String },
    /// Change the description of a channel
    Describe { name: String, text: String },
    /// Archive a channel
    Archive { name: String },
    /// Restore an archived channel
    Restore { name: String },
    /// Delete a channel
    Delete {
        name: String,
        /// Channel that receives its conversations and memories
        #[arg(long, value_name = "NAME")]
        into: Option<String>,
    },
}
