//! Commands of runs, tasks and the journal.

use inklings_api::vocabulary::ActorKind;
use inklings_api::{
    schedule::view::{ConsolidationPreview, ConsolidationSettings, Reverted, RunItem, RunPage, TaskView},
    view::{journal::JournalPage, run::RunView},
};

use crate::{Answer, Core};

/// A page of runs, newest first.
#[specta::specta]
pub async fn list_runs(core: Core, after: Option<String>, limit: u32) -> Answer<RunPage> {
    core.app()?.consolidation().list_runs(after.as_deref(), limit).await
}

/// The effects of a run.
#[specta::specta]
pub async fn run_items(core: Core, id: String) -> Answer<Vec<RunItem>> {
    core.app()?.consolidation().run_items(&id).await
}

/// Previews a consolidation.
#[specta::specta]
pub async fn preview_consolidation(core: Core) -> Answer<ConsolidationPreview> {
    core.app()?.consolidation().preview_consolidation().await
}

/// Starts a consolidation.
#[specta::specta]
pub async fn run_consolidation(core: Core) -> Answer<RunView> {
    inklings_api::consolidation::run_consolidation(core.app()?, core.events()).await
}

/// Cancels the run of a task after its current step, if this process runs it.
#[specta::specta]
pub async fn cancel_run(core: Core, task: String) -> Answer<()> {
    core.app()?.consolidation().cancel_run(&task);
    Ok(())
}

/// Reverts a whole run.
#[specta::specta]
pub async fn revert_run(core: Core, id: String) -> Answer<Reverted> {
    core.app()?.consolidation().revert_run(&id).await
}

/// The consolidation settings.
#[specta::specta]
pub async fn consolidation_settings(core: Core) -> Answer<ConsolidationSettings> {
    core.app()?.consolidation().consolidation_settings().await
}

/// Replaces all consolidation settings.
#[specta::specta]
pub async fn set_consolidation_settings(
    core: Core,
    settings: ConsolidationSettings,
) -> Answer<ConsolidationSettings> {
    core.app()?.consolidation().set_consolidation_settings(settings).await
}

/// All tasks with their last runs.
#[specta::specta]
pub async fn list_tasks(core: Core) -> Answer<Vec<TaskView>> {
    core.app()?.schedule().list_tasks().await
}

/// Runs a task now.
#[specta::specta]
pub async fn run_task(core: Core, name: String) -> Answer<TaskView> {
    core.app()?.schedule().run_task(&name, core.events()).await
}

/// A page of the journal, newest first.
#[specta::specta]
pub async fn list_changes(
    core: Core,
    actor_kind: Option<ActorKind>,
    after: Option<String>,
    limit: u32,
) -> Answer<JournalPage> {
    core.app()?.memory().list_changes(actor_kind, after.as_deref(), limit).await
}
