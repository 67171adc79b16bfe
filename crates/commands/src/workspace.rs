//! Commands of workspaces that open another one.

use inklings_api::{ChangeTopic, Event, workspace::view::WorkspaceView};

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

/// Opens a workspace.
#[specta::specta]
pub async fn switch_workspace(core: Core, id: String) -> Answer<WorkspaceView> {
    let workspace = core.app()?.workspace().switch_workspace(&id).await?;
    moved(&core);
    Ok(workspace)
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
