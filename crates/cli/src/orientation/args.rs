//! Arguments of `inklings orient`.

use clap::Args;

use crate::shared_args::LensArgs;

/// Preview an orientation of the World Agent
#[derive(Debug, Args)]
pub struct Orient {
    /// Conversation, by its reference code
    #[arg(long, value_name = "CODE", conflicts_with = "channel")]
    pub conversation: Option<String>,
    /// Channel
    #[arg(long, value_name = "NAME")]
    pub channel: Option<String>,
    /// A message, as the next one of the conversation [default: its newest message]
    #[arg(long, default_value = "")]
    pub query: String,
    #[command(flatten)]
    pub lens: LensArgs,
    /// Token budget that overrides the setting
    #[arg(long)]
    pub budget: Option<u32>,
    /// Show for every candidate why it was selected or left out
    #[arg(long)]
    pub explain: bool,
    /// Show for this memory or page why it is in the orientation or not, also if it is no candidate
    #[arg(long, value_name = "ID", conflicts_with = "explain")]
    pub why: Option<String>,
    /// With --why: ask about a recorded orientation, by its id
    #[arg(
        long,
        value_name = "ID",
        requires = "why",
        conflicts_with_all = ["conversation", "channel", "query", "budget", "knower", "at"]
    )]
    pub orientation: Option<String>,
}
