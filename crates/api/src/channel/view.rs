//! Views of channels.

use serde::{Deserialize, Serialize};
use specta::Type;

/// A channel.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ChannelView {
    pub id: String,
    /// Name without the leading `#`.
    pub name: String,
    /// Description of its purpose.
    pub description: String,
    /// True for `#general`.
    pub is_default: bool,
    /// Creation time.
    pub created_at: String,
    /// Time of archiving; `None` if it is not archived.
    pub archived_at: Option<String>,
    /// Number of active entries in its tier.
    pub memories: u32,
    /// Number of conversations that are not archived.
    pub conversations: u32,
    /// Number of archived conversations.
    pub archived_conversations: u32,
}
