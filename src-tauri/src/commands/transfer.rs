//! Export and import of memory.

use inklings_api::views::doors_transfer::{
    ExportReport, ExportRequest, ImportDone, ImportPlan, ImportRequest,
};

use super::{Answer, Core};

/// Writes memory into a file.
#[tauri::command]
#[specta::specta]
pub async fn export_memory(core: Core<'_>, request: ExportRequest) -> Answer<ExportReport> {
    core.app()?.export_memory(request, core.events()).await
}

/// Stops the export or import that is under way.
#[tauri::command]
#[specta::specta]
pub async fn cancel_transfer(core: Core<'_>) -> Answer<()> {
    core.app()?.cancel_transfer();
    Ok(())
}

/// What importing a file would do. Nothing is kept.
#[tauri::command]
#[specta::specta]
pub async fn preview_import(core: Core<'_>, request: ImportRequest) -> Answer<ImportPlan> {
    core.app()?.preview_import(request, core.events()).await
}

/// Imports a file as it was looked at.
#[tauri::command]
#[specta::specta]
pub async fn import_memory(core: Core<'_>, request: ImportRequest, hash: String) -> Answer<ImportDone> {
    core.app()?.import_memory(request, hash, core.events()).await
}
