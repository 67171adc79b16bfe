//! Commands of the tier overview, scrubs, and the audit log.

use inklings_api::{
    audit::view::AuditLog,
    scrub::view::{ScrubDone, ScrubManifest, ScrubMode, ScrubRequest, ScrubTarget},
    workspace::overview_view::TierOverview,
};

use crate::{Answer, Core};

/// The four tiers, narrowest first.
#[specta::specta]
pub async fn memory_overview(core: Core) -> Answer<Vec<TierOverview>> {
    core.app()?.workspace().memory_overview().await
}

/// Previews a scrub. Changes nothing.
#[specta::specta]
pub async fn preview_scrub(core: Core, target: ScrubTarget, mode: ScrubMode) -> Answer<ScrubManifest> {
    core.app()?.scrub().preview_scrub(target, mode).await
}

/// Permanently destroys the rows of a manifest.
#[specta::specta]
pub async fn execute_scrub(core: Core, request: ScrubRequest) -> Answer<ScrubDone> {
    core.app()?.scrub().execute_scrub(request).await
}

/// The audit logs of the account and of the workspace in use, checked.
#[specta::specta]
pub async fn audit_log(core: Core) -> Answer<AuditLog> {
    core.app()?.audit().audit_log().await
}
