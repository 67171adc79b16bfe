//! Views of workspaces.

use serde::{Deserialize, Serialize};
use specta::Type;

/// A workspace.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct WorkspaceView {
    pub id: String,
    pub name: String,
    /// Creation time; empty if it cannot be read.
    pub created_at: String,
    /// True if it is the workspace in use.
    pub current: bool,
    /// Why it cannot be opened, with possible remedies; `None` if a quick check found no damage.
    pub damaged: Option<WorkspaceDamage>,
}

/// The reason why a workspace cannot be opened.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "snake_case")]
pub enum WorkspaceFault {
    /// Its name is not allowed.
    Name,
    /// Its folder or one of its databases is missing or empty.
    Missing,
    /// One of its databases is damaged.
    Damaged,
    /// Its folder contains another workspace.
    OtherWorkspace,
    /// One of its databases contains a trigger or view of another program.
    ForeignSchema,
    /// It was written by a newer release.
    Newer,
    /// It was written by an older release that is no longer supported.
    Older,
    /// Its folder or one of its databases is a symbolic link.
    Link,
}

/// A remedy for a damaged workspace.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "snake_case")]
pub enum WayOut {
    /// Restore its newest backup.
    Restore,
    Rename,
    /// Move it to the trash folder.
    SetAside,
    /// Check every database.
    Doctor,
}

/// The damage of a workspace and its remedies.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct WorkspaceDamage {
    /// Why it cannot be opened.
    pub fault: WorkspaceFault,
    /// Possible remedies, least invasive first.
    pub ways_out: Vec<WayOut>,
    /// Id of the newest backup that contains it and is not known to be damaged.
    pub newest_backup: Option<String>,
}
