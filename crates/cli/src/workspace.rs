//! The `inklings workspace` commands.

use inklings_api::workspace::view::{WayOut, WorkspaceDamage, WorkspaceFault, WorkspaceView};
use serde_json::json;

use crate::{
    args::WorkspaceVerb,
    client::args::Switch,
    failure::Failure,
    output::{Output, minute, table},
    shared_args::Common,
    store,
};

pub async fn run(verb: WorkspaceVerb, common: &Common, out: &Output) -> Result<(), Failure> {
    let app = store::data_folder(common, out).await?;
    match verb {
        WorkspaceVerb::Create { name } => {
            let made = app.workspace().create_workspace(&name).await?;
            out.answer(&made, |made| made.id.clone())
        }
        WorkspaceVerb::List => out.answer(&*app.workspace().list_workspaces().await?, shown),
        WorkspaceVerb::Rename { name, new } => {
            let id = app.workspace().workspace_id(&name).await?;
            let renamed = app.workspace().rename_workspace(&id, &new).await?;
            out.answer(&renamed, |renamed| format!("'{name}' is called '{}' now.", renamed.name))
        }
        WorkspaceVerb::Memory { state } => {
            let app = store::workspace(common, out).await?;
            let enabled = match state {
                Some(state) => app.client().set_memory_enabled(state == Switch::On).await?,
                None => app.client().memory_enabled().await?,
            };
            out.answer(&json!({ "memoryEnabled": enabled }), |_| {
                format!("Memory is switched {}.", if enabled { "on" } else { "off" })
            })
        }
        WorkspaceVerb::Delete { name, purge } => {
            let id = app.workspace().workspace_id(&name).await?;
            app.workspace().delete_workspace(&id, purge).await?;
            out.answer(&json!({ "id": id, "purged": purge }), |_| {
                if purge {
                    format!("'{name}' is gone for good.")
                } else {
                    format!("'{name}' is in the trash folder.")
                }
            })
        }
    }
}

fn shown(all: &[WorkspaceView]) -> String {
    let damaged = all.iter().filter_map(|it| it.damaged.as_ref().map(|damage| damage_report(it, damage)));
    std::iter::once(list(all)).chain(damaged).collect::<Vec<_>>().join("\n")
}

/// The reason why a workspace cannot be opened, and its remedies, one line each.
fn damage_report(workspace: &WorkspaceView, damage: &WorkspaceDamage) -> String {
    let id = &workspace.id;
    let why = match damage.fault {
        WorkspaceFault::Name => "has a name that is not allowed",
        WorkspaceFault::Missing => "is missing its folder or a database in it",
        WorkspaceFault::Damaged => "has a damaged database",
        WorkspaceFault::OtherWorkspace => "has a folder that holds another workspace",
        WorkspaceFault::ForeignSchema => "has a database with a trigger or view that is not of this program",
        WorkspaceFault::Newer => "was written by a newer version of Inklings",
        WorkspaceFault::Older => "was written by an older version of Inklings than this one reads",
        WorkspaceFault::Link => "has a folder or database that is a link, which is not followed",
    };
    let way = |way: &WayOut| match way {
        WayOut::Restore => {
            let newest = damage.newest_backup.as_deref().unwrap_or_default();
            format!("  inklings backup restore {newest}  puts its newest backup back")
        }
        WayOut::Rename => format!("  inklings workspace rename {id} NAME  gives it another name"),
        WayOut::SetAside => format!("  inklings workspace delete {id}  moves it to the trash folder"),
        WayOut::Doctor => "  inklings doctor  checks every database".to_owned(),
    };
    let lines = std::iter::once(format!("'{}' {why}:", workspace.name));
    lines.chain(damage.ways_out.iter().map(way)).collect::<Vec<_>>().join("\n")
}

fn list(all: &[WorkspaceView]) -> String {
    if all.is_empty() {
        return "No workspaces yet.".to_owned();
    }
    let row = |workspace: &WorkspaceView| {
        vec![
            if workspace.current { "*" } else { "" }.to_owned(),
            workspace.id.clone(),
            minute(&workspace.created_at),
            if workspace.damaged.is_some() { "DAMAGED" } else { "" }.to_owned(),
            workspace.name.clone(),
        ]
    };
    table(&["", "id", "created", "", "name"], &all.iter().map(row).collect::<Vec<_>>())
}
