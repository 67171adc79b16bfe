//! Commands of export and import of memory.

use inklings_api::transfer::view::{ExportReport, ExportRequest, ImportDone, ImportPlan, ImportRequest};

use crate::{Answer, Core};

/// Exports memory into a file.
#[specta::specta]
pub async fn export_memory(core: Core, request: ExportRequest) -> Answer<ExportReport> {
    core.app()?.transfer().export_memory(request, core.events()).await
}

/// Cancels the running export or import.
#[specta::specta]
pub async fn cancel_transfer(core: Core) -> Answer<()> {
    core.app()?.transfer().cancel_transfer();
    Ok(())
}

/// Previews the import of a file. Stores nothing.
#[specta::specta]
pub async fn preview_import(core: Core, request: ImportRequest) -> Answer<ImportPlan> {
    core.app()?.transfer().preview_import(request, core.events()).await
}

/// Imports a file as previewed.
#[specta::specta]
pub async fn import_memory(core: Core, request: ImportRequest, hash: String) -> Answer<ImportDone> {
    core.app()?.transfer().import_memory(request, hash, core.events()).await
}
