//! Workspaces and their rooms.

use inklings_api::{
    background::ChangeTopic,
    views::workspace::{ChannelView, WorkspaceView},
};

use super::{Answer, Core};

/// A change of workspace makes every answer so far out of date.
fn moved(core: &Core<'_>) {
    let events = core.events();
    for topic in [ChangeTopic::Workspaces, ChangeTopic::Channels, ChangeTopic::Memories, ChangeTopic::Models]
    {
        events.data_changed(topic);
    }
    core.wake();
}

/// Every workspace, by name.
#[tauri::command]
#[specta::specta]
pub async fn list_workspaces(core: Core<'_>) -> Answer<Vec<WorkspaceView>> {
    core.app()?.list_workspaces().await
}

/// Makes a workspace; does not switch to it.
#[tauri::command]
#[specta::specta]
pub async fn create_workspace(core: Core<'_>, name: String) -> Answer<WorkspaceView> {
    core.app()?.create_workspace(&name).await
}

/// Opens a workspace.
#[tauri::command]
#[specta::specta]
pub async fn switch_workspace(core: Core<'_>, id: String) -> Answer<WorkspaceView> {
    let workspace = core.app()?.switch_workspace(&id).await?;
    moved(&core);
    Ok(workspace)
}

/// Renames a workspace.
#[tauri::command]
#[specta::specta]
pub async fn rename_workspace(core: Core<'_>, id: String, name: String) -> Answer<WorkspaceView> {
    let workspace = core.app()?.rename_workspace(&id, &name).await?;
    moved(&core);
    Ok(workspace)
}

/// Moves a workspace to the trash, or with `purge` removes it for good.
#[tauri::command]
#[specta::specta]
pub async fn delete_workspace(core: Core<'_>, id: String, purge: bool) -> Answer<()> {
    core.app()?.delete_workspace(&id, purge).await?;
    moved(&core);
    Ok(())
}

/// Loads the sample world into a workspace of its own and opens it.
#[tauri::command]
#[specta::specta]
pub async fn load_sample_world(core: Core<'_>) -> Answer<WorkspaceView> {
    let workspace = core.app()?.load_sample_world().await?;
    moved(&core);
    Ok(workspace)
}

/// Notes that the sample world is not wanted now.
#[tauri::command]
#[specta::specta]
pub async fn dismiss_sample(core: Core<'_>) -> Answer<()> {
    core.app()?.dismiss_sample().await
}

/// Every channel of the open workspace.
#[tauri::command]
#[specta::specta]
pub async fn list_channels(core: Core<'_>) -> Answer<Vec<ChannelView>> {
    core.app()?.list_channels().await
}
