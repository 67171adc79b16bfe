//! Facts.

use inklings_api::{
    ActorKind,
    conversation::view::{FactList, FactPage, FactValueView, FactView, FactWrite},
};

use crate::{Answer, Core};

/// A page of facts.
#[specta::specta]
pub async fn list_facts(core: Core, request: FactList) -> Answer<FactPage> {
    core.app()?.list_facts(request).await
}

/// Sets a fact in the worldbuilder's name.
#[specta::specta]
pub async fn set_fact(
    core: Core,
    category: String,
    key: String,
    value: String,
    conversation: Option<String>,
) -> Answer<FactWrite> {
    core.app()?.set_fact(&category, &key, &value, conversation.as_deref(), ActorKind::Author).await
}

/// Takes a fact's value away.
#[specta::specta]
pub async fn remove_fact(core: Core, id: String) -> Answer<FactView> {
    core.app()?.remove_fact(&id).await
}

/// Every value that a fact had, newest first.
#[specta::specta]
pub async fn fact_history(core: Core, id: String) -> Answer<Vec<FactValueView>> {
    core.app()?.fact_history(&id).await
}

/// Settles a claim against the worldbuilder's word.
#[specta::specta]
pub async fn settle_claim(core: Core, id: String, accept: bool) -> Answer<FactView> {
    core.app()?.settle_claim(&id, accept).await
}
