//! Arguments of the verbs on orientations and the ledger.

use clap::Args;

/// What the World Agent would be shown
#[derive(Debug, Args)]
pub struct Orient {
    /// In a conversation, by its reference code
    #[arg(long, value_name = "CODE", conflicts_with = "channel")]
    pub conversation: Option<String>,
    /// In a channel
    #[arg(long, value_name = "NAME")]
    pub channel: Option<String>,
    /// What is asked [default: what was said last]
    #[arg(long, default_value = "")]
    pub query: String,
    /// Tokens, instead of the setting
    #[arg(long)]
    pub budget: Option<u32>,
    /// Say of every candidate why it was taken or left out
    #[arg(long)]
    pub explain: bool,
}
