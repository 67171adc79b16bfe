//! Commands of facts.

use inklings_api::{
    ActorKind,
    conversation::view::{FactList, FactPage, FactValueView, FactView, FactWrite},
};

use crate::{Answer, Core};

/// A page of facts.
#[specta::specta]
pub async fn list_facts(core: Core, request: FactList) -> Answer<FactPage> {
    core.app()?.fact().list_facts(request).await
}

/// Sets a fact as the worldbuilder.
#[specta::specta]
pub async fn set_fact(
    core: Core,
    category: String,
    key: String,
    value: String,
    conversation: Option<String>,
) -> Answer<FactWrite> {
    core.app()?.fact().set_fact(&category, &key, &value, conversation.as_deref(), ActorKind::Author).await
}

/// Removes a fact's value.
#[specta::specta]
pub async fn remove_fact(core: Core, id: String) -> Answer<FactView> {
    core.app()?.fact().remove_fact(&id).await
}

/// All values of a fact, newest first.
#[specta::specta]
pub async fn fact_history(core: Core, id: String) -> Answer<Vec<FactValueView>> {
    core.app()?.fact().fact_history(&id).await
}

/// Accepts or rejects a claim that contradicts the worldbuilder's value.
#[specta::specta]
pub async fn settle_claim(core: Core, id: String, accept: bool) -> Answer<FactView> {
    core.app()?.fact().settle_claim(&id, accept).await
}
