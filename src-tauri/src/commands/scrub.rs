//! The overview of the tiers, scrubs, and the audit log.

use inklings_api::views::doors_keep::{
    AuditLog, ScrubDone, ScrubManifest, ScrubMode, ScrubRequest, ScrubTarget, TierOverview,
};

use super::{Answer, Core};

/// The four tiers, the narrowest first.
#[tauri::command]
#[specta::specta]
pub async fn memory_overview(core: Core<'_>) -> Answer<Vec<TierOverview>> {
    core.app()?.memory_overview().await
}

/// What a scrub would take. Changes nothing.
#[tauri::command]
#[specta::specta]
pub async fn preview_scrub(core: Core<'_>, target: ScrubTarget, mode: ScrubMode) -> Answer<ScrubManifest> {
    core.app()?.preview_scrub(target, mode).await
}

/// Destroys what a manifest names, for good.
#[tauri::command]
#[specta::specta]
pub async fn execute_scrub(core: Core<'_>, request: ScrubRequest) -> Answer<ScrubDone> {
    core.app()?.execute_scrub(request).await
}

/// The audit logs of the account and of the workspace in use, checked.
#[tauri::command]
#[specta::specta]
pub async fn audit_log(core: Core<'_>) -> Answer<AuditLog> {
    core.app()?.audit_log().await
}
