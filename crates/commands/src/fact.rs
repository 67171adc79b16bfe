//! Commands of facts.

use inklings_api::{
    ActorKind,
    fact::view::{FactList, FactPage, FactValueView, FactView, FactWrite, NewFact},
    view::lens::KnowerSpec,
};

use crate::{Answer, Core};

/// A page of facts.
#[specta::specta]
pub async fn list_facts(core: Core, request: FactList) -> Answer<FactPage> {
    core.app()?.fact().list_facts(request).await
}

/// Sets a fact as the worldbuilder.
#[specta::specta]
pub async fn set_fact(core: Core, request: NewFact) -> Answer<FactWrite> {
    core.app()?.fact().set_fact(&request, ActorKind::Author).await
}

/// Sets the value of a fact at the time in the story that it has.
#[specta::specta]
pub async fn change_fact(
    core: Core,
    id: String,
    value: String,
    conversation: Option<String>,
) -> Answer<FactWrite> {
    core.app()?.fact().change_fact(&id, &value, conversation.as_deref()).await
}

/// Sets when a fact holds in the story; always, if the dates are blank.
#[specta::specta]
pub async fn set_fact_time(
    core: Core,
    id: String,
    dates: String,
    calendar: Option<String>,
) -> Answer<FactView> {
    core.app()?.fact().set_fact_time(&id, &dates, calendar.as_deref(), ActorKind::Author).await
}

/// Sets who knows of a fact. Nobody named: everybody does.
#[specta::specta]
pub async fn set_fact_known_by(core: Core, id: String, knowers: Vec<KnowerSpec>) -> Answer<FactView> {
    core.app()?.fact().set_fact_known_by(&id, &knowers).await
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
