//! Commands of facts: those that write as the worldbuilder.

use inklings_api::{
    ActorKind,
    fact::view::{FactView, FactWrite, NewFact},
};

use crate::{Answer, Core};

/// Sets a fact as the worldbuilder.
#[specta::specta]
pub async fn set_fact(core: Core, request: NewFact) -> Answer<FactWrite> {
    core.app()?.fact().set_fact(&request, ActorKind::Author).await
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
