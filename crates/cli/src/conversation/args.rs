//! Arguments of the verbs on conversations.

use clap::{Args, Subcommand, ValueEnum};
use inklings_api::conversation::view::ConversationStatus;
use std::path::PathBuf;

/// A conversation is named by its reference code or its id.
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
    },
    /// List conversations, latest activity first
    List(ListConversations),
    /// Show what was said
    Show {
        conversation: String,
        /// The most messages
        #[arg(long, default_value_t = 50)]
        limit: u32,
        /// Only those before this position
        #[arg(long, value_name = "POSITION")]
        before: Option<u32>,
    },
    /// Say something; the World Agent answers if a language model is connected
    Say {
        conversation: String,
        /// What to say; `-` reads it from standard input
        text: String,
        /// Only keep it, ask nobody
        #[arg(long)]
        no_answer: bool,
    },
    /// Show what the World Agent is shown, or would be
    Context {
        conversation: String,
        /// As if this had been asked [default: what was said last]
        #[arg(long)]
        query: Option<String>,
    },
    /// List what tools and clients were shown in a conversation besides, the newest first
    Shown {
        conversation: String,
        /// The most reads
        #[arg(long, default_value_t = 50)]
        limit: u32,
        /// Where the page before ended
        #[arg(long)]
        after: Option<String>,
    },
    /// End a conversation; it stays open for review
    Idle { conversation: String },
    /// Put a conversation away
    Archive { conversation: String },
    /// Start a new conversation that goes on from this one; prints its reference code
    Continue { conversation: String },
    /// Give a conversation another title
    Rename { conversation: String, title: String },
    /// Move a conversation, with its memories, to another channel
    Move { conversation: String, channel: String },
    /// Delete what was said; what was remembered from it is forgotten and can be restored
    Delete {
        conversation: String,
        /// Do not ask
        #[arg(long)]
        yes: bool,
    },
    /// Bring in an export of `ChatGPT` or Claude (conversations.json, or the ZIP or folder that holds it)
    ///
    /// All or nothing. A conversation that is here already is brought up to date.
    Import {
        file: PathBuf,
        /// Channel [default: general]
        #[arg(long, value_name = "NAME")]
        channel: Option<String>,
        /// Only show what it would bring
        #[arg(long)]
        preview: bool,
    },
    /// Search what was said
    Search(SearchMessages),
    /// Summarise the older part into an archive
    Compact {
        conversation: String,
        /// Newest messages that stay as they are
        #[arg(long, value_name = "N")]
        retain: Option<u32>,
        /// The archive's name
        #[arg(long)]
        name: Option<String>,
        /// Only show what would be done
        #[arg(long)]
        preview: bool,
    },
    /// List episodes, or roll older turns up into new ones
    Episodes {
        conversation: String,
        /// Roll older turns up first
        #[arg(long)]
        summarise: bool,
        /// Newest messages that stay
        #[arg(long, value_name = "N", requires = "summarise")]
        retain_last: Option<u32>,
        /// Days that a message must be old
        #[arg(long, value_name = "DAYS", requires = "summarise")]
        max_age_days: Option<u32>,
    },
}

#[derive(Debug, Args)]
pub struct ListConversations {
    /// Only those of this channel
    #[arg(long, value_name = "NAME")]
    pub channel: Option<String>,
    /// Only those of this state; may be repeated [default: active and idle]
    #[arg(long = "status")]
    pub statuses: Vec<StatusWord>,
    /// The most rows
    #[arg(long, default_value_t = 50)]
    pub limit: u32,
    /// Where the page starts: `next` of the one before
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
    /// Archived conversations too
    #[arg(long)]
    pub archived: bool,
    /// The most hits
    #[arg(long, default_value_t = 20)]
    pub limit: u32,
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
