//! Runs, tasks and the journal.

use inklings_api::views::runs::{
    ConsolidationPreview, ConsolidationSettings, JournalPage, Reverted, RunItem, RunPage, RunView, TaskView,
};
use inklings_api::views::vocabulary::Hand;

use super::{Answer, Core};

/// A page of runs, the newest first.
#[tauri::command]
#[specta::specta]
pub async fn list_runs(core: Core<'_>, after: Option<String>, limit: u32) -> Answer<RunPage> {
    core.app()?.list_runs(after.as_deref(), limit).await
}

/// What a run did.
#[tauri::command]
#[specta::specta]
pub async fn run_items(core: Core<'_>, id: String) -> Answer<Vec<RunItem>> {
    core.app()?.run_items(&id).await
}

/// What a consolidation would do now.
#[tauri::command]
#[specta::specta]
pub async fn preview_consolidation(core: Core<'_>) -> Answer<ConsolidationPreview> {
    core.app()?.preview_consolidation().await
}

/// Begins a consolidation.
#[tauri::command]
#[specta::specta]
pub async fn run_consolidation(core: Core<'_>) -> Answer<RunView> {
    core.app()?.run_consolidation(core.events()).await
}

/// Stops the run of a task after its current step, if this process runs it.
#[tauri::command]
#[specta::specta]
pub async fn cancel_run(core: Core<'_>, task: String) -> Answer<()> {
    core.app()?.cancel_run(&task);
    Ok(())
}

/// Takes a run back, whole.
#[tauri::command]
#[specta::specta]
pub async fn revert_run(core: Core<'_>, id: String) -> Answer<Reverted> {
    core.app()?.revert_run(&id).await
}

/// What is set about consolidation.
#[tauri::command]
#[specta::specta]
pub async fn consolidation_settings(core: Core<'_>) -> Answer<ConsolidationSettings> {
    core.app()?.consolidation_settings().await
}

/// Sets all of it.
#[tauri::command]
#[specta::specta]
pub async fn set_consolidation_settings(
    core: Core<'_>,
    settings: ConsolidationSettings,
) -> Answer<ConsolidationSettings> {
    core.app()?.set_consolidation_settings(settings).await
}

/// Every task with its last run.
#[tauri::command]
#[specta::specta]
pub async fn list_tasks(core: Core<'_>) -> Answer<Vec<TaskView>> {
    core.app()?.list_tasks().await
}

/// Runs a task now.
#[tauri::command]
#[specta::specta]
pub async fn run_task(core: Core<'_>, name: String) -> Answer<TaskView> {
    core.app()?.run_task(&name, core.events()).await
}

/// A page of the journal, the newest first.
#[tauri::command]
#[specta::specta]
pub async fn list_changes(
    core: Core<'_>,
    hand: Option<Hand>,
    after: Option<String>,
    limit: u32,
) -> Answer<JournalPage> {
    core.app()?.list_changes(hand, after.as_deref(), limit).await
}
