//! `inklings workspace`

use inklings_api::views::workspace::WorkspaceView;
use serde_json::json;

use crate::{
    args::{Common, WorkspaceVerb},
    doors::args::Switch,
    failure::Failure,
    output::{Output, minute, table},
    store,
};

pub async fn run(verb: WorkspaceVerb, common: &Common, out: &Output) -> Result<(), Failure> {
    let app = store::data_folder(common, out).await?;
    match verb {
        WorkspaceVerb::Create { name } => {
            let made = app.create_workspace(&name).await?;
            out.answer(&made, || made.id.clone())
        }
        WorkspaceVerb::List => {
            let all = app.list_workspaces().await?;
            out.answer(&all, || list(&all))
        }
        WorkspaceVerb::Rename { name, new } => {
            let id = app.workspace_id(&name).await?;
            let renamed = app.rename_workspace(&id, &new).await?;
            out.answer(&renamed, || format!("'{name}' is called '{}' now.", renamed.name))
        }
        WorkspaceVerb::Memory { state } => {
            let app = store::workspace(common, out).await?;
            let enabled = match state {
                Some(state) => app.set_memory_enabled(state == Switch::On).await?,
                None => app.memory_enabled().await?,
            };
            out.answer(&json!({ "memoryEnabled": enabled }), || {
                format!("Memory is switched {}.", if enabled { "on" } else { "off" })
            })
        }
        WorkspaceVerb::Delete { name, purge } => {
            let id = app.workspace_id(&name).await?;
            app.delete_workspace(&id, purge).await?;
            out.answer(&json!({ "id": id, "purged": purge }), || {
                if purge {
                    format!("'{name}' is gone for good.")
                } else {
                    format!("'{name}' is in the trash folder.")
                }
            })
        }
    }
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
            workspace.name.clone(),
        ]
    };
    table(&["", "id", "created", "name"], &all.iter().map(row).collect::<Vec<_>>())
}
