//! Arguments of the verbs on channels.

use clap::Subcommand;

#[derive(Debug, Subcommand)]
pub enum ChannelVerb {
    /// Make a channel
    Create {
        name: String,
        /// What it is for
        #[arg(long, default_value = "")]
        description: String,
    },
    /// List channels with what they hold
    List,
    /// Give a channel another name
    Rename { name: String, new: String },
    /// Say what a channel is for
    Describe { name: String, text: String },
    /// Put a channel away
    Archive { name: String },
    /// Bring an archived channel back
    Restore { name: String },
    /// Delete a channel
    Delete {
        name: String,
        /// Channel that takes over its conversations and memories
        #[arg(long, value_name = "NAME")]
        into: Option<String>,
    },
}
