//! Commands of canon drift.

use inklings_api::drift::view::{DriftPage, DriftRequest, DriftSettlement, DriftView};

use crate::{Answer, Core};

/// A page of contradictions between what is canon and what is stated elsewhere, newest first.
#[specta::specta]
pub async fn list_drifts(core: Core, request: DriftRequest) -> Answer<DriftPage> {
    core.app()?.drift().list_drifts(request).await
}

/// Number of open contradictions as of the last look, and of facts with an open claim.
#[specta::specta]
pub async fn count_drifts(core: Core) -> Answer<u32> {
    core.app()?.drift().count_drifts().await
}

/// Settles a contradiction.
#[specta::specta]
pub async fn settle_drift(core: Core, id: String, settlement: DriftSettlement) -> Answer<DriftView> {
    core.app()?.drift().settle_drift(&id, settlement).await
}
