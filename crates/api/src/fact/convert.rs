//! Views of facts from domain types.

use inklings_domain::{
    calendar::{Calendar, span::Span},
    fact::FactValue,
    ids::{ConversationId, FactId},
};
use inklings_ports::fact::{FactAt, FactWithClaims};

use super::view;
use crate::{
    error::CommandError,
    lens::Knowers,
    reference::{ConversationsById, reference},
    view::story_time::{StoryTime, story_time},
    wire::{count, time},
};

fn time_of(span: Span, calendar: Option<&Calendar>) -> Option<StoryTime> {
    (span != Span::ALWAYS).then(|| story_time(span, calendar))
}

/// Converts a fact with its claims to its view.
pub fn fact(
    given: &FactWithClaims,
    known: &ConversationsById,
    knowers: &Knowers,
    calendar: Option<&Calendar>,
) -> view::FactView {
    let fact = &given.fact;
    view::FactView {
        id: fact.id.to_string(),
        category: fact.key.category().to_owned(),
        key: fact.key.key().to_owned(),
        value: fact.value.clone(),
        story_time: time_of(fact.span, calendar),
        known_by: knowers.of(&fact.known_by),
        source: fact.source.into(),
        conversation_ref: reference(fact.conversation, known),
        created_at: time(fact.created_at),
        updated_at: time(fact.updated_at),
        version: count(fact.version),
        removed_at: fact.removed_at.map(time),
        claims: given
            .claims
            .iter()
            .map(|claim| view::ClaimView {
                id: claim.id.to_string(),
                value: claim.value.clone(),
                conversation_ref: reference(claim.conversation, known),
                at: time(claim.at),
            })
            .collect(),
    }
}

/// Converts a fact at a point in time to its view.
pub fn fact_at(
    at: &FactAt,
    known: &ConversationsById,
    knowers: &Knowers,
    calendar: Option<&Calendar>,
) -> view::FactView {
    view::FactView {
        id: at.id.to_string(),
        category: at.key.category().to_owned(),
        key: at.key.key().to_owned(),
        value: at.value.value.clone(),
        story_time: time_of(at.value.span, calendar),
        known_by: knowers.of(&at.value.known_by),
        source: at.value.source.into(),
        conversation_ref: reference(at.value.conversation, known),
        created_at: time(at.value.from),
        updated_at: time(at.value.from),
        version: count(at.value.version),
        removed_at: None,
        claims: Vec::new(),
    }
}

/// Converts a value of a fact to its view.
pub fn fact_value(
    value: &FactValue,
    known: &ConversationsById,
    knowers: &Knowers,
    calendar: Option<&Calendar>,
) -> view::FactValueView {
    view::FactValueView {
        version: count(value.version),
        value: value.value.clone(),
        story_time: time_of(value.span, calendar),
        known_by: knowers.of(&value.known_by),
        source: value.source.into(),
        conversation_ref: reference(value.conversation, known),
        from: time(value.from),
        until: value.until.map(time),
        removed: value.removed,
    }
}

/// The ids of the conversations that facts refer to.
pub fn conversations_of<'f>(facts: impl IntoIterator<Item = &'f FactWithClaims>) -> Vec<ConversationId> {
    facts
        .into_iter()
        .flat_map(|known| {
            known.fact.conversation.into_iter().chain(known.claims.iter().filter_map(|c| c.conversation))
        })
        .collect()
}

/// Parses the id of a fact.
///
/// # Errors
/// [`CommandError`] of code `invalid`.
pub fn fact_id(text: &str) -> Result<FactId, CommandError> {
    crate::wire::id("id", text)
}
