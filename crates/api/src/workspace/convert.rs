//! Converts domain workspaces to views.

use crate::{
    wire::time,
    workspace::view::{WayOut, WorkspaceDamage, WorkspaceFault, WorkspaceView},
};
use inklings_domain::workspace::{Workspace, WorkspaceFault as Fault};
use inklings_ports::backup::BackupSet;

/// Converts a workspace to its view.
pub fn workspace(workspace: &Workspace, current: bool) -> WorkspaceView {
    WorkspaceView {
        id: workspace.id.to_string(),
        name: workspace.name.as_str().to_owned(),
        created_at: time(workspace.created_at),
        current,
        damaged: None,
    }
}

/// Describes a workspace that cannot be opened, with its newest backup.
pub fn damage(fault: Fault, newest: Option<&BackupSet>) -> WorkspaceDamage {
    let (fault, own) = match fault {
        Fault::Name => (WorkspaceFault::Name, Some(WayOut::Rename)),
        Fault::Missing => (WorkspaceFault::Missing, None),
        Fault::Damaged => (WorkspaceFault::Damaged, None),
        Fault::OtherWorkspace => (WorkspaceFault::OtherWorkspace, None),
        Fault::ForeignSchema => (WorkspaceFault::ForeignSchema, None),
        Fault::Newer => (WorkspaceFault::Newer, None),
        Fault::Older => (WorkspaceFault::Older, None),
        Fault::Link => (WorkspaceFault::Link, None),
    };
    let restore = newest.map(|_| WayOut::Restore);
    WorkspaceDamage {
        fault,
        ways_out: own.into_iter().chain(restore).chain([WayOut::SetAside, WayOut::Doctor]).collect(),
        newest_backup: newest.map(|set| set.id.to_string()),
    }
}
