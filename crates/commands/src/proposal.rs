//! Commands of proposals.

use inklings_api::proposal::view::{Decided, Decision, ProposalPage, ProposalRequest};

use crate::{Answer, Core};

/// A page of proposals, newest first.
#[specta::specta]
pub async fn list_proposals(core: Core, request: ProposalRequest) -> Answer<ProposalPage> {
    core.app()?.proposal().list_proposals(request).await
}

/// Number of open proposals.
#[specta::specta]
pub async fn count_proposals(core: Core) -> Answer<u32> {
    core.app()?.proposal().count_proposals().await
}

/// Decides proposals, each independently.
#[specta::specta]
pub async fn decide_proposals(core: Core, ids: Vec<String>, decision: Decision) -> Answer<Decided> {
    core.app()?.proposal().decide_proposals(&ids, decision).await
}
