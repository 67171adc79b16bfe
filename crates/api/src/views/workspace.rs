//! Workspaces and channels as they cross the boundary.

use serde::{Deserialize, Serialize};
use specta::Type;

/// A workspace.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct WorkspaceView {
    /// Its id.
    pub id: String,
    /// Its name.
    pub name: String,
    /// When it was made.
    pub created_at: String,
    /// True if it is the one in use.
    pub current: bool,
}

/// A channel.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ChannelView {
    /// Its id.
    pub id: String,
    /// Its name without the leading `#`.
    pub name: String,
    /// What it is for.
    pub description: String,
    /// True for `#general`.
    pub is_default: bool,
    /// When it was made.
    pub created_at: String,
    /// When it was put away.
    pub archived_at: Option<String>,
    /// Active entries in it.
    pub memories: u32,
    /// Conversations that are not archived.
    pub conversations: u32,
    /// Archived conversations.
    pub archived_conversations: u32,
}
