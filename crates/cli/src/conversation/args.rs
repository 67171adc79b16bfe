//! Arguments of `inklings conversation`.

use clap::{Args, Subcommand, ValueEnum};
use inklings_api::conversation::view::ConversationStatus;
use std::path::PathBuf;

use crate::shared_args::LensArgs;

/// A conversation is specified by its reference code or its id.
#[derive(Debug, Subcommand)]
pub enum ConversationVerb {
    /// Start a conversation; prints its reference code
    Start {
        /// Channel [default: general]
        #[arg(long, value_name = "NAME")]
        channel: Option<String>,
        /// Title
        #[arg(long, default_value = "")]
        title: String,
        #[command(flatten)]
        lens: LensArgs,
    },
    /// Choose whose knowledge a conversation shows, before anything is said in it; without options, everything
    Lens {
        conversation: String,
        #[command(flatten)]
        lens: LensArgs,
    },
    /// List conversations, latest activity first
    List(ListConversations),
    /// Show messages
    Show {
        conversation: String,
        /// Maximum number of messages
        #[arg(long, default_value_t = 50)]
        limit: u32,
        /// Only messages before this position
        #[arg(long, value_name = "POSITION")]
        before: Option<u32>,
    },
    /// Send a message; the World Agent answers if a language model is connected
    Say {
        conversation: String,
        /// Message text; `-` reads standard input
        text: String,
        /// Only store the message, without an answer
        #[arg(long)]
        no_answer: bool,
        /// Attach a text file; may be repeated
        #[arg(long, value_name = "FILE")]
        attach: Vec<PathBuf>,
    },
    /// Show the current or previewed context of the World Agent
    Context {
        conversation: String,
        /// Preview for this query [default: the last message]
        #[arg(long)]
        query: Option<String>,
    },
    /// List the recorded reads by tools and clients in a conversation, newest first
    Shown {
        conversation: String,
        /// Maximum number of reads
        #[arg(long, default_value_t = 50)]
        limit: u32,
        /// Cursor that the previous page ended with
        #[arg(long)]
        after: Option<String>,
    },
    /// End a conversation; it can still be reviewed
    Idle { conversation: String },
    /// Archive a conversation
    Archive { conversation: String },
    /// Start a new conversation that continues this one; prints its reference code
    Continue { conversation: String },
    /// Start a branch: a conversation that shares the messages before a position; prints its reference code
    ///
    /// The conversation that it branches from stays as it is.
    Branch {
        conversation: String,
        /// Position of the first message that the branch does not share
        #[arg(long, value_name = "POSITION")]
        at: u32,
    },
    /// Change the title of a conversation
    Rename { conversation: String, title: String },
    /// Choose the model that answers in a conversation, at the connected endpoint; without one, the model of all conversations
    Model { conversation: String, model: Option<String> },
    /// Move a conversation, with its memories, to another channel
    Move { conversation: String, channel: String },
    /// Delete the messages; memories made from them are forgotten and can be restored
    Delete {
        conversation: String,
        /// Do not ask
        #[arg(long)]
        yes: bool,
    },
    /// Import an export of `ChatGPT` or Claude (conversations.json, or the ZIP or folder that contains it), one
    /// conversation of Claude, or chats of `SillyTavern` (JSONL)
    ///
    /// Imports completely or not at all. An existing conversation is updated.
    Import {
        file: PathBuf,
        /// Channel [default: general]
        #[arg(long, value_name = "NAME")]
        channel: Option<String>,
        /// Only show a preview; lists the conversations that cannot be read
        #[arg(long)]
        preview: bool,
        /// Import the conversations that can be read if some cannot
        #[arg(long)]
        partial: bool,
    },
    /// Search messages
    Search(SearchMessages),
    /// Summarise the older part into an archive
    Compact {
        conversation: String,
        /// Number of newest messages to leave unchanged
        #[arg(long, value_name = "N")]
        retain: Option<u32>,
        /// Name of the archive
        #[arg(long)]
        name: Option<String>,
        /// Only show a preview
        #[arg(long)]
        preview: bool,
    },
    /// List episodes, or summarise older turns into new ones
    Episodes {
        conversation: String,
        /// Summarise older turns first
        #[arg(long)]
        summarise: bool,
        /// Number of newest messages to leave unchanged
        #[arg(long, value_name = "N", requires = "summarise")]
        retain_last: Option<u32>,
        /// Minimum age of the messages in days
        #[arg(long, value_name = "DAYS", requires = "summarise")]
        max_age_days: Option<u32>,
    },
}

#[derive(Debug, Args)]
pub struct ListConversations {
    /// Only conversations of this channel
    #[arg(long, value_name = "NAME")]
    pub channel: Option<String>,
    /// Only conversations with this status; may be repeated [default: active and idle]
    #[arg(long = "status")]
    pub statuses: Vec<StatusWord>,
    /// Only conversations whose title contains each of these words
    #[arg(long, value_name = "WORDS")]
    pub title: Option<String>,
    /// Maximum number of conversations
    #[arg(long, default_value_t = 50)]
    pub limit: u32,
    /// Cursor: `next` of the previous page
    #[arg(long, value_name = "CURSOR")]
    pub after: Option<String>,
}

#[derive(Debug, Args)]
pub struct SearchMessages {
    pub query: String,
    /// Only this conversation
    #[arg(long, value_name = "CODE")]
    pub conversation: Option<String>,
    /// Only conversations of this channel
    #[arg(long, value_name = "NAME")]
    pub channel: Option<String>,
    /// Include archived conversations
    #[arg(long)]
    pub archived: bool,
    /// Maximum number of hits
    #[arg(long, default_value_t = 20)]
    pub limit: u32,
    /// Fusion strategy of the ranked lists [default: the one that `memory strategy` shows]
    #[arg(long, value_name = "NAME")]
    pub strategy: Option<String>,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub enum StatusWord {
    Active,
    Idle,
    Archived,
}

impl From<StatusWord> for ConversationStatus {
    fn from(word: StatusWord) -> Self {
        match word {
            StatusWord::Active => Self::Active,
            StatusWord::Idle => Self::Idle,
            StatusWord::Archived => Self::Archived,
        }
    }
}
