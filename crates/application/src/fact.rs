//! Use cases on facts: set, read, remove, and settle claims that contradict the author.

use chrono::{DateTime, Utc};
use inklings_domain::{
    calendar::{span::Span, story_point::StoryPoint},
    fact::{Assertion, Fact, FactChange, FactKey, FactSource, FactValue, InvalidFact, of_key::FactsOfKey},
    ids::{ClaimId, ConversationId, FactId, MemoryId},
    lens::ResolvedLens,
    provenance::Actor,
};
use inklings_ports::{
    client::write_store::ClientAct,
    fact::{FactAt, FactCursor, FactQuery, FactWithClaims},
    store_error::StoreError,
};

use crate::{error::AppError, memory::browse::MAX_PAGE, services::Facts};

/// Retries on conflicts with concurrent writers of the same fact.
const TRIES: usize = 4;

/// The result of setting a fact.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FactSet {
    /// The fact as now stored.
    pub fact: FactWithClaims,
    /// True if the value was stored as a claim, because the author's value differs.
    pub claimed: bool,
}

/// A page of facts, as they are or as of a time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FactPage<F = FactWithClaims> {
    /// Ordered by category and key, and by their start in the story.
    pub rows: Vec<F>,
    /// Where the next page starts; `None` at the end.
    pub next: Option<FactCursor>,
}

impl Facts<'_> {
    /// Sets a fact without saying when it holds, as [`Self::assert`].
    pub async fn set(
        &self,
        category: &str,
        key: &str,
        value: &str,
        conversation: Option<ConversationId>,
        actor: Actor,
    ) -> Result<FactSet, AppError> {
        self.assert(Assertion::new(category, key, value, conversation)?, actor).await
    }

    /// Sets a fact. If an agent contradicts the author's value, the new value is stored as a claim.
    ///
    /// # Errors
    /// [`AppError::Fact`] if the fact is invalid, already has this value, overlaps another one of its key in the story, or
    /// is one of several and no time was given; [`AppError::Guard`] if an agent repeats scrubbed content.
    pub async fn assert(&self, assertion: Assertion, actor: Actor) -> Result<FactSet, AppError> {
        self.session.switch().may_capture(actor.kind()).await?;
        self.session.scrubs().may_learn_fact(&assertion.key, &assertion.value, actor.kind()).await?;
        for _ in 0..TRIES {
            let known = self.all_of_key(&assertion.key).await?;
            let ids = (self.session.ids.fact_id(), self.session.ids.claim_id());
            let now = self.session.clock.now();
            let change = FactsOfKey(&known).asserting(assertion.clone(), ids, actor, now)?;
            match self.write_fact(&change, actor).await {
                // A concurrent write changed the facts; decide again from their new state.
                Err(StoreError::Moved(_) | StoreError::AlreadyExists(_)) => {}
                Err(error) => return Err(error.into()),
                Ok(()) => {
                    let (id, claimed) = match &change {
                        FactChange::Set(fact) => (fact.id, false),
                        FactChange::Claim(claim) => (claim.fact, true),
                    };
                    return Ok(FactSet { fact: self.by_id(id).await?, claimed });
                }
            }
        }
        Err(StoreError::Busy.into())
    }

    /// Sets the value of a fact at the time in the story that it has.
    ///
    /// # Errors
    /// [`AppError::NotFound`]; as [`Self::assert`].
    pub async fn change(
        &self,
        id: FactId,
        value: &str,
        conversation: Option<ConversationId>,
        actor: Actor,
    ) -> Result<FactSet, AppError> {
        let fact = self.by_id(id).await?.fact;
        let assertion = Assertion::new(fact.key.category(), fact.key.key(), value, conversation)?;
        self.assert(assertion.holding(Some(fact.span)), actor).await
    }

    /// Sets when a fact holds in the story, as a new version of it.
    ///
    /// # Errors
    /// [`AppError::NotFound`]; [`AppError::Fact`] if an agent would change the author's fact, the fact was removed or has
    /// this time, or another fact of its key holds at a part of it.
    pub async fn set_span(&self, id: FactId, span: Span, actor: Actor) -> Result<FactWithClaims, AppError> {
        self.session.switch().may_capture(actor.kind()).await?;
        for _ in 0..TRIES {
            let fact = self.by_id(id).await?.fact;
            let known = self.all_of_key(&fact.key).await?;
            let now = self.session.clock.now();
            let next = FactsOfKey(&known).with_time_of(&fact, span, actor, now)?;
            match self.write_fact(&FactChange::Set(next), actor).await {
                Err(StoreError::Moved(_)) => {}
                Err(error) => return Err(error.into()),
                Ok(()) => return self.by_id(id).await,
            }
        }
        Err(StoreError::Busy.into())
    }

    /// Sets who knows of a fact, each since a time or always, as a new version of it. Nobody named: everybody does.
    ///
    /// # Errors
    /// [`AppError::NotFound`] for no such fact, or if one is no subject; [`AppError::Fact`] if the actor is an agent, the fact
    /// was removed, or these know of it already.
    pub async fn set_known_by(
        &self,
        id: FactId,
        knowers: &[(MemoryId, Option<StoryPoint>)],
        actor: Actor,
    ) -> Result<FactWithClaims, AppError> {
        self.session.switch().may_capture(actor.kind()).await?;
        self.session.lenses().check_knowers(knowers).await?;
        for _ in 0..TRIES {
            let fact = self.by_id(id).await?.fact;
            let next = fact.with_known_by(knowers, actor, self.session.clock.now())?;
            match self.write_fact(&FactChange::Set(next), actor).await {
                Err(StoreError::Moved(_)) => {}
                Err(error) => return Err(error.into()),
                Ok(()) => return self.by_id(id).await,
            }
        }
        Err(StoreError::Busy.into())
    }

    async fn write_fact(&self, change: &FactChange, actor: Actor) -> Result<(), StoreError> {
        if let Some(client) = actor.client() {
            let act = match change {
                FactChange::Set(fact) => ClientAct::Fact(fact),
                FactChange::Claim(claim) => ClientAct::Claim(claim),
            };
            self.session.workspace.client_writes.write(client, act, self.session.clock.now()).await?;
            return Ok(());
        }
        match change {
            FactChange::Set(fact) => {
                self.session.workspace.facts.put_fact(fact, FactSource::of(actor.kind()), None).await
            }
            FactChange::Claim(claim) => self.session.workspace.facts.add_claim(claim).await,
        }
    }

    /// The one fact of a key that holds in the story at a part of a span; if none holds, the last that was removed.
    ///
    /// # Errors
    /// [`AppError::NotFound`] if there is none; [`AppError::Fact`] if several hold at that time.
    pub async fn get(&self, key: &FactKey, within: Span) -> Result<FactWithClaims, AppError> {
        let mut known = self.session.workspace.facts.facts_of_key(key).await?;
        known.retain(|known| known.fact.span.overlaps(within));
        let facts: Vec<Fact> = known.iter().map(|known| known.fact.clone()).collect();
        let one = FactsOfKey(&facts).one()?.map(|fact| fact.id);
        let found = known.into_iter().find(|known| Some(known.fact.id) == one);
        found.ok_or_else(|| missing(key))
    }

    /// The facts of a key that hold in the story at a part of a span, by their start, as far as a lens shows them. Without a
    /// lens, those that were removed if the key has no value at any time.
    ///
    /// # Errors
    /// [`AppError::NotFound`] if the key never had a value. A key of which the lens shows nothing is answered as one.
    pub async fn of_key(
        &self,
        key: &FactKey,
        within: Span,
        lens: Option<&ResolvedLens>,
    ) -> Result<Vec<FactWithClaims>, AppError> {
        let mut known = self.session.workspace.facts.facts_of_key(key).await?;
        if let Some(lens) = lens {
            known.retain(|known| known.fact.removed_at.is_none() && known.fact.span.overlaps(within));
            known.retain(|known| lens.withholds_fact(&known.fact).is_none());
            without_claims(&mut known, Some(lens));
        }
        if known.is_empty() {
            return Err(missing(key));
        }
        if known.iter().any(|known| known.fact.removed_at.is_none()) {
            known.retain(|known| known.fact.removed_at.is_none());
        }
        known.retain(|known| known.fact.span.overlaps(within));
        Ok(known)
    }

    /// A page of the facts that have a value.
    pub async fn list(
        &self,
        category: Option<&str>,
        after: Option<&FactCursor>,
        limit: usize,
    ) -> Result<FactPage, AppError> {
        self.page(FactQuery { category, within: Span::ALWAYS, lens: None, limit, claimed: false }, after)
            .await
    }

    /// A page of the facts of a query that have a value.
    pub async fn page(&self, query: FactQuery<'_>, after: Option<&FactCursor>) -> Result<FactPage, AppError> {
        let limit = query.limit.clamp(1, MAX_PAGE);
        let more = FactQuery { limit: limit + 1, ..query };
        let mut rows = self.session.workspace.facts.facts(more, after).await?;
        let more = rows.len() > limit;
        rows.truncate(limit);
        without_claims(&mut rows, query.lens);
        Ok(FactPage { next: rows.last().filter(|_| more).map(|last| FactCursor::of(&last.fact)), rows })
    }

    /// All facts of a query that have a value, without its limit.
    pub(crate) async fn every(&self, query: FactQuery<'_>) -> Result<Vec<FactWithClaims>, AppError> {
        let query = FactQuery { limit: MAX_PAGE, ..query };
        let (mut all, mut after) = (Vec::new(), None);
        loop {
            let page = self.page(query, after.as_ref()).await?;
            all.extend(page.rows);
            match page.next {
                Some(next) => after = Some(next),
                None => return Ok(all),
            }
        }
    }

    /// What an agent reads: the facts with a value of a category or of one key, that hold in the story at a part of a span, as
    /// far as its lens shows them. `limit` is for a category.
    ///
    /// # Errors
    /// [`AppError::NotFound`] if the key never had a value.
    pub(crate) async fn for_agent(
        &self,
        (category, key): (&str, Option<&str>),
        within: Span,
        limit: usize,
        lens: Option<&ResolvedLens>,
    ) -> Result<FactPage, AppError> {
        if let Some(key) = key {
            let mut rows = self.of_key(&FactKey::new(category, key)?, within, lens).await?;
            rows.retain(|known| known.fact.removed_at.is_none());
            return Ok(FactPage { rows, next: None });
        }
        self.page(FactQuery { category: Some(category), within, lens, limit, claimed: false }, None).await
    }

    /// A page of the facts as of a real time, with the times in the story and the knowers that they had then.
    pub async fn list_as_of(
        &self,
        at: DateTime<Utc>,
        query: FactQuery<'_>,
        after: Option<&FactCursor>,
    ) -> Result<FactPage<FactAt>, AppError> {
        let limit = query.limit.clamp(1, MAX_PAGE);
        let more = FactQuery { limit: limit + 1, ..query };
        let mut rows = self.session.workspace.facts.facts_as_of(at, more, after).await?;
        let more = rows.len() > limit;
        rows.truncate(limit);
        Ok(FactPage { next: rows.last().filter(|_| more).map(FactCursor::of_then), rows })
    }

    /// All values of a fact, newest first.
    ///
    /// # Errors
    /// [`AppError::NotFound`] if there is no such fact.
    pub async fn history(&self, id: FactId) -> Result<Vec<FactValue>, AppError> {
        self.by_id(id).await?;
        Ok(self.session.workspace.facts.fact_history(id).await?)
    }

    /// Removes a fact's value. Its history stays, and it can be set again.
    ///
    /// # Errors
    /// [`AppError::Fact`] if an agent would remove the author's value.
    pub async fn remove(&self, id: FactId, actor: Actor) -> Result<Fact, AppError> {
        let removed = self.by_id(id).await?.fact.removed(actor, self.session.clock.now())?;
        self.session.workspace.facts.put_fact(&removed, FactSource::of(actor.kind()), None).await?;
        Ok(removed)
    }

    /// Settles a claim: accepts its value for the fact, or keeps the author's value.
    ///
    /// # Errors
    /// [`AppError::Fact`] if the actor is not the author; [`AppError::NotFound`] if it is already settled.
    pub async fn settle_claim(
        &self,
        id: ClaimId,
        accept: bool,
        actor: Actor,
    ) -> Result<FactWithClaims, AppError> {
        let missing = || AppError::NotFound { what: "open claim", name: id.to_string() };
        let (claim, fact) = self.session.workspace.facts.claim(id).await?.ok_or_else(missing)?;
        if FactSource::of(actor.kind()) != FactSource::User {
            return Err(InvalidFact::NotYours.into());
        }
        if accept {
            let known = self.all_of_key(&fact.key).await?;
            let now = self.session.clock.now();
            let after = FactsOfKey(&known).accepting(&fact, &claim, actor, now)?;
            self.session.workspace.facts.put_fact(&after, FactSource::User, Some(id)).await?;
        } else {
            self.session.workspace.facts.reject_claim(id, self.session.clock.now()).await?;
        }
        self.by_id(fact.id).await
    }

    /// A fact by id, also a removed one.
    ///
    /// # Errors
    /// [`AppError::NotFound`] if there is none.
    pub async fn by_id(&self, id: FactId) -> Result<FactWithClaims, AppError> {
        let missing = || AppError::NotFound { what: "fact", name: id.to_string() };
        self.session.workspace.facts.fact_by_id(id).await?.ok_or_else(missing)
    }

    /// All facts of a key, also removed ones: what a write is decided by.
    pub(crate) async fn all_of_key(&self, key: &FactKey) -> Result<Vec<Fact>, AppError> {
        let known = self.session.workspace.facts.facts_of_key(key).await?;
        Ok(known.into_iter().map(|known| known.fact).collect())
    }
}

/// A fact is what the worldbuilder holds to be true, so an agent that sees through a lens sets none: the answer would tell of facts that
/// the lens withholds.
///
/// # Errors
/// [`InvalidFact::Lens`] with a lens.
pub(crate) const fn refuse_through(lens: Option<&ResolvedLens>) -> Result<(), InvalidFact> {
    if lens.is_some() { Err(InvalidFact::Lens) } else { Ok(()) }
}

/// Takes away the claims of agents where a lens shows none.
fn without_claims(known: &mut [FactWithClaims], lens: Option<&ResolvedLens>) {
    if lens.is_some_and(|lens| !lens.shows_claims()) {
        for known in known {
            known.claims.clear();
        }
    }
}

fn missing(key: &FactKey) -> AppError {
    AppError::NotFound { what: "fact", name: format!("{}/{}", key.category(), key.key()) }
}
