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
    /// When it was made; empty if that cannot be read.
    pub created_at: String,
    /// True if it is the one in use.
    pub current: bool,
    /// Why it cannot be opened, and what can be done about that; `None` if it is whole as far as a look tells.
    pub damaged: Option<WorkspaceDamage>,
}

/// Why a workspace cannot be opened.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "snake_case")]
pub enum WorkspaceFault {
    /// Its name is not allowed.
    Name,
    /// Its folder or a database in it is missing or empty.
    Missing,
    /// A database of it is damaged.
    Damaged,
    /// Its folder holds another workspace.
    OtherWorkspace,
    /// A newer release wrote it.
    Newer,
    /// A release wrote it whose files are not read any more.
    Older,
    /// Its folder or a database in it is a link.
    Link,
}

/// What can be done about a damaged workspace.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "snake_case")]
pub enum WayOut {
    /// Put the newest backup of it back.
    Restore,
    /// Give it another name.
    Rename,
    /// Move it to the trash folder.
    SetAside,
    /// Have every database checked.
    Doctor,
}

/// A damaged workspace with its ways out.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct WorkspaceDamage {
    /// Why it cannot be opened.
    pub fault: WorkspaceFault,
    /// What can be done, the gentlest first.
    pub ways_out: Vec<WayOut>,
    /// The newest backup that holds it and is not known to be damaged.
    pub newest_backup: Option<String>,
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
