//! Fact use cases of [`App`].

mod convert;
pub mod view;

use chrono::{DateTime, Utc};
use inklings_application::{error::AppError, fact::FactSet, session::Session};
use inklings_domain::{
    calendar::{Calendar, span::Span},
    fact::{Assertion, FactKey},
    ids::ConversationId,
    memory::filter::ScopeFilter,
    provenance::{Actor, ActorKind},
};
use inklings_ports::fact::{FactQuery, FactWithClaims};

use self::{
    convert::{conversations_of, fact_at, fact_id, fact_value},
    view::{FactList, FactOfKey, FactPage, FactValueView, FactView, FactWrite, NewFact},
};
use crate::{
    calendar::read_span,
    commands::FactCommands,
    error::CommandError,
    lens::{self, Knowers},
    reference::conversations_by_id,
    view::lens::KnowerSpec,
    wire::cursor,
};

impl FactCommands<'_> {
    /// A page of the current facts, or of those that were set at a given time.
    ///
    /// # Errors
    /// [`CommandError`] of code `invalid` for an invalid time, date or cursor; `not_found` for a lens of what is no subject.
    pub async fn list_facts(&self, request: FactList) -> Result<FactPage, CommandError> {
        let session = self.app.session()?;
        let category = request.category.as_deref();
        let (dates, calendar) = (request.within.as_deref(), request.calendar.as_deref());
        let within = read_span(&session.calendars(), dates, calendar).await?;
        let lens = lens::resolved(&session, request.lens.as_ref()).await?;
        let query = FactQuery {
            category,
            within,
            lens: lens.as_deref(),
            limit: request.limit as usize,
            claimed: false,
        };
        let after = cursor::after(request.after.as_deref())?;
        if let Some(at) = &request.as_of {
            let at = DateTime::parse_from_rfc3339(at)
                .map_err(|_| CommandError::invalid("asOf", "This is no time: use RFC 3339."))?
                .with_timezone(&Utc);
            let page = session.facts().list_as_of(at, query, after.as_ref()).await?;
            let facts = page.rows;
            let ids = facts.iter().filter_map(|fact| fact.value.conversation).collect();
            let places = conversations_by_id(&session, ids).await?;
            let calendar = calendar_for(&session, facts.iter().map(|fact| fact.value.span)).await?;
            let links = facts.iter().flat_map(|fact| fact.value.known_by.iter().copied());
            let knowers = Knowers::of_rows(&session, links).await?;
            let rows =
                facts.iter().map(|fact| fact_at(fact, &places, &knowers, calendar.as_deref())).collect();
            return Ok(FactPage { rows, next: page.next.as_ref().map(cursor::text) });
        }
        let page = session.facts().page(query, after.as_ref()).await?;
        Ok(FactPage {
            rows: fact_views(&session, &page.rows).await?,
            next: page.next.as_ref().map(cursor::text),
        })
    }

    /// Sets a fact as an actor kind that this interface permits.
    ///
    /// # Errors
    /// [`CommandError`] of code `invalid` if a rule is broken, the fact has this value already, another fact of the key holds
    /// at a part of that time, or no time is given and the key has several facts.
    pub async fn set_fact(&self, new: &NewFact, actor_kind: ActorKind) -> Result<FactWrite, CommandError> {
        let session = self.app.session()?;
        let actor = Actor::new(actor_kind, self.app.actor.interface(), None).map_err(AppError::from)?;
        let conversation = conversation_named(&session, new.conversation.as_deref()).await?;
        let span = match new.holds.as_deref() {
            Some(dates) => Some(read_span(&session.calendars(), Some(dates), new.calendar.as_deref()).await?),
            None => None,
        };
        let assertion = Assertion::new(&new.category, &new.key, &new.value, conversation);
        let assertion = assertion.map_err(AppError::from)?.holding(span);
        write_view(&session, session.facts().assert(assertion, actor).await?).await
    }

    /// Sets the value of a fact at the time in the story that it has.
    ///
    /// # Errors
    /// [`CommandError`] of code `not_found`, or `invalid` as [`Self::set_fact`].
    pub async fn change_fact(
        &self,
        id: &str,
        value: &str,
        conversation: Option<&str>,
    ) -> Result<FactWrite, CommandError> {
        let session = self.app.session()?;
        let conversation = conversation_named(&session, conversation).await?;
        let set = session.facts().change(fact_id(id)?, value, conversation, self.app.actor).await?;
        write_view(&session, set).await
    }

    /// Sets when a fact holds in the story; always, if the dates are blank.
    ///
    /// # Errors
    /// [`CommandError`] of code `not_found`; `locked` if an agent would change the worldbuilder's fact; `invalid` for what is
    /// no date, the time that it has, or one that another fact of its key holds at.
    pub async fn set_fact_time(
        &self,
        id: &str,
        dates: &str,
        calendar: Option<&str>,
        actor_kind: ActorKind,
    ) -> Result<FactView, CommandError> {
        let session = self.app.session()?;
        let actor = Actor::new(actor_kind, self.app.actor.interface(), None).map_err(AppError::from)?;
        let span = read_span(&session.calendars(), Some(dates), calendar).await?;
        let fact = session.facts().set_span(fact_id(id)?, span, actor).await?;
        fact_view(&session, fact).await
    }

    /// Sets who knows of a fact. Nobody named: everybody does.
    ///
    /// # Errors
    /// [`CommandError`] of code `not_found` for no such fact or what is no subject; `locked` if an agent would say who knows;
    /// `invalid` for what is no date and no chapter, a removed fact, or the same knowers.
    pub async fn set_fact_known_by(
        &self,
        id: &str,
        knowers: &[KnowerSpec],
    ) -> Result<FactView, CommandError> {
        let session = self.app.session()?;
        let id = fact_id(id)?;
        let knowers = lens::knowers_named(&session, knowers).await?;
        let fact = session.facts().set_known_by(id, &knowers, self.app.actor).await?;
        fact_view(&session, fact).await
    }

    /// The facts of a category and key, by their start in the story.
    ///
    /// # Errors
    /// [`CommandError`] of code `not_found`, or `invalid` for what is no date.
    pub async fn facts_of_key(&self, wanted: FactOfKey<'_>) -> Result<Vec<FactView>, CommandError> {
        let session = self.app.session()?;
        let (key, within) = read_key(&session, wanted).await?;
        fact_views(&session, &session.facts().of_key(&key, within, None).await?).await
    }

    /// Looks up the one fact of a category and key.
    ///
    /// # Errors
    /// [`CommandError`] of code `not_found`, or `invalid` if several hold at that time.
    pub async fn get_fact(&self, wanted: FactOfKey<'_>) -> Result<FactView, CommandError> {
        let session = self.app.session()?;
        let (key, within) = read_key(&session, wanted).await?;
        fact_view(&session, session.facts().get(&key, within).await?).await
    }

    /// Removes a fact's value and retains its history.
    ///
    /// # Errors
    /// [`CommandError`] of code `not_found`.
    pub async fn remove_fact(&self, id: &str) -> Result<FactView, CommandError> {
        let session = self.app.session()?;
        let fact = session.facts().remove(fact_id(id)?, self.app.actor).await?;
        fact_view(&session, FactWithClaims { fact, claims: Vec::new() }).await
    }

    /// All values of a fact, newest first.
    ///
    /// # Errors
    /// [`CommandError`] of code `not_found`.
    pub async fn fact_history(&self, id: &str) -> Result<Vec<FactValueView>, CommandError> {
        let session = self.app.session()?;
        let values = session.facts().history(fact_id(id)?).await?;
        let ids = values.iter().filter_map(|value| value.conversation).collect();
        let places = conversations_by_id(&session, ids).await?;
        let calendar = calendar_for(&session, values.iter().map(|value| value.span)).await?;
        let links = values.iter().flat_map(|value| value.known_by.iter().copied());
        let knowers = Knowers::of_rows(&session, links).await?;
        Ok(values.iter().map(|value| fact_value(value, &places, &knowers, calendar.as_deref())).collect())
    }

    /// Accepts or rejects a claim that contradicts the worldbuilder's value.
    ///
    /// # Errors
    /// [`CommandError`] of code `not_found` if it is settled already; `invalid` if the fact was removed and another one of its
    /// key holds at a part of its time.
    pub async fn settle_claim(&self, id: &str, accept: bool) -> Result<FactView, CommandError> {
        let session = self.app.session()?;
        let id = crate::wire::id("id", id)?;
        let fact = session.facts().settle_claim(id, accept, self.app.actor).await?;
        fact_view(&session, fact).await
    }
}

async fn read_key(session: &Session, wanted: FactOfKey<'_>) -> Result<(FactKey, Span), CommandError> {
    let key = FactKey::new(wanted.category, wanted.key).map_err(AppError::from)?;
    Ok((key, read_span(&session.calendars(), wanted.within, wanted.calendar).await?))
}

async fn conversation_named(
    session: &Session,
    name: Option<&str>,
) -> Result<Option<ConversationId>, CommandError> {
    match name {
        Some(name) => Ok(Some(session.conversations().named(name).await?.id)),
        None => Ok(None),
    }
}

/// The calendar of the workspace, if one of these times is written with it.
async fn calendar_for(
    session: &Session,
    spans: impl Iterator<Item = Span> + Send,
) -> Result<Option<std::sync::Arc<Calendar>>, CommandError> {
    Ok(session.calendars().for_spans(spans, &ScopeFilter::EVERYTHING).await?)
}

/// Facts as views.
pub(crate) async fn fact_views(
    session: &Session,
    facts: &[FactWithClaims],
) -> Result<Vec<FactView>, CommandError> {
    let places = conversations_by_id(session, conversations_of(facts)).await?;
    let calendar = calendar_for(session, facts.iter().map(|known| known.fact.span)).await?;
    let links = facts.iter().flat_map(|known| known.fact.known_by.iter().copied());
    let knowers = Knowers::of_rows(session, links).await?;
    Ok(facts.iter().map(|fact| convert::fact(fact, &places, &knowers, calendar.as_deref())).collect())
}

async fn fact_view(session: &Session, fact: FactWithClaims) -> Result<FactView, CommandError> {
    let places = conversations_by_id(session, conversations_of([&fact])).await?;
    let calendar = calendar_for(session, [fact.fact.span].into_iter()).await?;
    let knowers = Knowers::of_rows(session, fact.fact.known_by.iter().copied()).await?;
    Ok(convert::fact(&fact, &places, &knowers, calendar.as_deref()))
}

async fn write_view(session: &Session, set: FactSet) -> Result<FactWrite, CommandError> {
    Ok(FactWrite { fact: fact_view(session, set.fact).await?, claimed: set.claimed })
}
