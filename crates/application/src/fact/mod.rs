//! Use cases on facts: set, read, remove, and settle claims that contradict the author.

pub mod store;

use chrono::{DateTime, Utc};
use inklings_domain::{
    fact::{Assertion, Fact, FactChange, FactKey, FactSource, FactValue, InvalidFact},
    ids::{ClaimId, ConversationId, FactId},
    provenance::Actor,
};

use crate::{
    client::write_store::ClientAct,
    error::AppError,
    fact::store::{FactAt, FactWithClaims},
    memory::browse::MAX_PAGE,
    services::Facts,
    store_error::StoreError,
};

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

/// A page of facts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FactPage {
    /// Ordered by category and key.
    pub rows: Vec<FactWithClaims>,
    /// Where the next page starts; `None` at the end.
    pub next: Option<FactKey>,
}

impl Facts<'_> {
    /// Sets a fact. If an agent contradicts the author's value, the new value is stored as a claim.
    ///
    /// # Errors
    /// [`AppError::Fact`] if the fact is invalid or already has this value; [`AppError::Guard`] if an agent
    /// repeats scrubbed content.
    pub async fn set(
        &self,
        category: &str,
        key: &str,
        value: &str,
        conversation: Option<ConversationId>,
        actor: Actor,
    ) -> Result<FactSet, AppError> {
        let assertion = Assertion::new(category, key, value, conversation)?;
        self.session.switch().may_capture(actor.kind()).await?;
        self.session.scrubs().may_learn_fact(&assertion.key, &assertion.value, actor.kind()).await?;
        for _ in 0..TRIES {
            let current = self.session.workspace.facts.fact(&assertion.key).await?.map(|known| known.fact);
            let ids = (self.session.ids.fact_id(), self.session.ids.claim_id());
            let change = assertion.clone().against(current.as_ref(), ids, actor, self.session.clock.now())?;
            match self.write_fact(&change, actor).await {
                // A concurrent write changed the fact; decide again from its new state.
                Err(StoreError::Moved(_) | StoreError::AlreadyExists(_)) => {}
                Err(error) => return Err(error.into()),
                Ok(()) => {
                    let fact = self.get(&assertion.key).await?;
                    return Ok(FactSet { fact, claimed: matches!(change, FactChange::Claim(_)) });
                }
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

    /// A fact by category and key, also a removed one.
    ///
    /// # Errors
    /// [`AppError::NotFound`] if it never existed.
    pub async fn get(&self, key: &FactKey) -> Result<FactWithClaims, AppError> {
        let missing =
            || AppError::NotFound { what: "fact", name: format!("{}/{}", key.category(), key.key()) };
        self.session.workspace.facts.fact(key).await?.ok_or_else(missing)
    }

    /// A page of the facts that have a value.
    ///
    /// # Errors
    /// [`AppError::Store`] if the database cannot be read.
    pub async fn list(
        &self,
        category: Option<&str>,
        after: Option<&FactKey>,
        limit: usize,
    ) -> Result<FactPage, AppError> {
        let limit = limit.clamp(1, MAX_PAGE);
        let mut rows = self.session.workspace.facts.facts(category, after, limit + 1).await?;
        let more = rows.len() > limit;
        rows.truncate(limit);
        Ok(FactPage { next: rows.last().filter(|_| more).map(|last| last.fact.key.clone()), rows })
    }

    /// The facts as of a time.
    ///
    /// # Errors
    /// [`AppError::Store`] if the database cannot be read.
    pub async fn list_as_of(
        &self,
        at: DateTime<Utc>,
        category: Option<&str>,
        limit: usize,
    ) -> Result<Vec<FactAt>, AppError> {
        Ok(self.session.workspace.facts.facts_as_of(at, category, limit.clamp(1, MAX_PAGE)).await?)
    }

    /// All values of a fact, newest first.
    ///
    /// # Errors
    /// [`AppError::NotFound`] if there is no such fact.
    pub async fn history(&self, id: FactId) -> Result<Vec<FactValue>, AppError> {
        self.find(id).await?;
        Ok(self.session.workspace.facts.fact_history(id).await?)
    }

    /// Removes a fact's value. Its history stays, and it can be set again.
    ///
    /// # Errors
    /// [`AppError::Fact`] if an agent would remove the author's value.
    pub async fn remove(&self, id: FactId, actor: Actor) -> Result<Fact, AppError> {
        let removed = self.find(id).await?.removed(actor, self.session.clock.now())?;
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
            let after = fact.accepting(&claim, actor, self.session.clock.now())?;
            self.session.workspace.facts.put_fact(&after, FactSource::User, Some(id)).await?;
        } else {
            self.session.workspace.facts.reject_claim(id, self.session.clock.now()).await?;
        }
        self.get(&fact.key).await
    }

    async fn find(&self, id: FactId) -> Result<Fact, AppError> {
        let missing = || AppError::NotFound { what: "fact", name: id.to_string() };
        Ok(self.session.workspace.facts.fact_by_id(id).await?.ok_or_else(missing)?.fact)
    }
}
