//! Commands of workspaces and their channels.

use inklings_api::{ChangeTopic, Event, channel::view::ChannelView, workspace::view::WorkspaceView};

use crate::{Answer, Core};

/// Emits change events for the topics of a workspace, because a switch invalidates all cached answers.
fn moved(core: &Core) {
    let events = core.events();
    for topic in [ChangeTopic::Workspaces, ChangeTopic::Channels, ChangeTopic::Memories, ChangeTopic::Models]
    {
        events.send(Event::changed(topic));
    }
    core.wake();
}

/// All workspaces, by name.
#[specta::specta]
pub async fn list_workspaces(core: Core) -> Answer<Vec<WorkspaceView>> {
    core.app()?.workspace().list_workspaces().await
}

/// Creates a workspace; does not switch to it.
#[specta::specta]
pub async fn create_workspace(core: Core, name: String) -> Answer<WorkspaceView> {
    core.app()?.workspace().create_workspace(&name).await
}

/// Opens a workspace.
#[specta::specta]
pub async fn switch_workspace(core: Core, id: String) -> Answer<WorkspaceView> {
    let workspace = core.app()?.workspace().switch_workspace(&id).await?;
    moved(&core);
    Ok(workspace)
}

/// Renames a workspace.
#[specta::specta]
pub async fn rename_workspace(core: Core, id: String, name: String) -> Answer<WorkspaceView> {
    core.app()?.workspace().rename_workspace(&id, &name).await
}

/// Moves a workspace to the trash, or removes it permanently with `purge`.
#[specta::specta]
pub async fn delete_workspace(core: Core, id: String, purge: bool) -> Answer<()> {
    core.app()?.workspace().delete_workspace(&id, purge).await?;
    moved(&core);
    Ok(())
}

/// Loads the sample world into a new workspace and opens it.
#[specta::specta]
pub async fn load_sample_world(core: Core) -> Answer<WorkspaceView> {
    let workspace = core.app()?.workspace().load_sample_world().await?;
    moved(&core);
    Ok(workspace)
}

/// Stores that the sample world was declined.
#[specta::specta]
pub async fn dismiss_sample(core: Core) -> Answer<()> {
    core.app()?.workspace().dismiss_sample().await
}

/// All channels of the open workspace, or of the one with this id.
#[specta::specta]
pub async fn list_channels(core: Core, workspace: Option<String>) -> Answer<Vec<ChannelView>> {
    core.app()?.workspace().list_channels(workspace.as_deref()).await
}
