//! Proposals.

use inklings_api::views::keeping::{Decided, Decision, ProposalPage, ProposalRequest};

use super::{Answer, Core};

/// A page of proposals, the newest first.
#[tauri::command]
#[specta::specta]
pub async fn list_proposals(core: Core<'_>, request: ProposalRequest) -> Answer<ProposalPage> {
    core.app()?.list_proposals(request).await
}

/// How many proposals wait.
#[tauri::command]
#[specta::specta]
pub async fn count_proposals(core: Core<'_>) -> Answer<u32> {
    core.app()?.count_proposals().await
}

/// Decides proposals, each for itself.
#[tauri::command]
#[specta::specta]
pub async fn decide_proposals(core: Core<'_>, ids: Vec<String>, decision: Decision) -> Answer<Decided> {
    core.app()?.decide_proposals(&ids, decision).await
}
