//! What can be typed about channels, conversations, working notes, facts and the language model.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};
use inklings_api::views::{chat::ChatProvider, talk::ConversationStatus};

use crate::args::CuratorWord;

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

#[derive(Debug, Subcommand)]
pub enum FactVerb {
    /// Set a fact
    Set {
        category: String,
        key: String,
        value: String,
        /// Conversation in which it was said
        #[arg(long, value_name = "CODE")]
        conversation: Option<String>,
        /// In whose name: your own, or the lesser one of the agent
        #[arg(long, default_value = "author")]
        curator: CuratorWord,
    },
    /// Show one fact
    Get { category: String, key: String },
    /// List facts
    List {
        /// Only this category
        #[arg(long)]
        category: Option<String>,
        /// As they stood at this time (RFC 3339)
        #[arg(long, value_name = "TIME")]
        as_of: Option<String>,
        /// The most rows
        #[arg(long, default_value_t = 100)]
        limit: u32,
        /// Where the page starts: `next` of the one before
        #[arg(long, value_name = "CURSOR")]
        after: Option<String>,
    },
    /// Show every value that a fact had, newest first
    History { category: String, key: String },
    /// Take a fact's value away; its history stays
    Remove { category: String, key: String },
    /// Settle what an agent said against your word
    Settle { claim: String, decision: Decision },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Decision {
    /// Its value becomes yours
    Accept,
    /// Your word stays
    Reject,
}

#[derive(Debug, Subcommand)]
pub enum ChatVerb {
    /// Show which language model is connected
    Status,
    /// Connect a language model
    Connect(Endpoint),
    /// Ask an endpoint which models it offers
    Test(Endpoint),
    /// Disconnect
    Disconnect {
        /// Remove its key too
        #[arg(long)]
        forget_key: bool,
    },
}

#[derive(Debug, Args)]
pub struct Endpoint {
    /// Base address, e.g. <http://127.0.0.1:11434/v1>
    #[arg(long)]
    pub url: String,
    /// The model's name there
    #[arg(long, default_value = "")]
    pub model: String,
    /// Which protocol it speaks
    #[arg(long, default_value = "openai")]
    pub provider: ProviderWord,
    /// Tokens that the model can read at once
    #[arg(long, default_value_t = 8_192)]
    pub context_tokens: u32,
    /// Read the key from standard input
    #[arg(long)]
    pub key_stdin: bool,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub enum ProviderWord {
    Openai,
    Anthropic,
}

impl From<ProviderWord> for ChatProvider {
    fn from(word: ProviderWord) -> Self {
        match word {
            ProviderWord::Openai => Self::OpenAiCompatible,
            ProviderWord::Anthropic => Self::Anthropic,
        }
    }
}
