//! Workspaces and their rooms.

use inklings_api::{
    background::ChangeTopic,
    views::workspace::{ChannelView, WorkspaceView},
};

use super::{Answer, Core};

/// A change of workspace makes every answer so far out of date.
fn moved<T>(core: &Core<'_>, done: T) -> Answer<T> {
    let events = core.events();
    for topic in [ChangeTopic::Workspaces, ChangeTopic::Channels, ChangeTopic::Memories, ChangeTopic::Models]
    {
        events.data_changed(topic);
    }
    core.wake();
    Ok(done)
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
    moved(&core, core.app()?.switch_workspace(&id).await?)
}

/// Renames a workspace.
#[tauri::command]
#[specta::specta]
pub async fn rename_workspace(core: Core<'_>, id: String, name: String) -> Answer<WorkspaceView> {
    moved(&core, core.app()?.rename_workspace(&id, &name).await?)
}

/// Moves a workspace to the trash, or with `purge` removes it for good.
#[tauri::command]
#[specta::specta]
pub async fn delete_workspace(core: Core<'_>, id: String, purge: bool) -> Answer<()> {
    core.app()?.delete_workspace(&id, purge).await?;
    moved(&core, ())
}

/// Loads the sample world into a workspace of its own and opens it.
#[tauri::command]
#[specta::specta]
pub async fn load_sample_world(core: Core<'_>) -> Answer<WorkspaceView> {
    moved(&core, core.app()?.load_sample_world().await?)
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
