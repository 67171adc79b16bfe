//! Facts: setting, reading, taking back, and settling what contradicts the author.

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
    session::Session,
    store_error::StoreError,
};

/// Tries against other writers of the same fact.
const TRIES: usize = 4;

/// What setting a fact did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FactSet {
    /// The fact as it stands now.
    pub fact: FactWithClaims,
    /// True if the value is kept as a claim beside the author's word.
    pub claimed: bool,
}

/// A page of facts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FactPage {
    /// In the order of category and key.
    pub rows: Vec<FactWithClaims>,
    /// Where the next page starts; `None` at the end.
    pub next: Option<FactKey>,
}

impl Session {
    /// Sets a fact. An agent that contradicts the author's word leaves a claim beside it.
    ///
    /// # Errors
    /// [`AppError::Fact`] if a rule is broken or the fact says so already; [`AppError::Guard`] if an agent would learn again
    /// what was scrubbed.
    pub async fn set_fact(
        &self,
        category: &str,
        key: &str,
        value: &str,
        conversation: Option<ConversationId>,
        actor: Actor,
    ) -> Result<FactSet, AppError> {
        let assertion = Assertion::new(category, key, value, conversation)?;
        self.may_capture(actor.kind()).await?;
        self.may_learn_fact(&assertion.key, &assertion.value, actor.kind()).await?;
        for _ in 0..TRIES {
            let current = self.workspace.facts.fact(&assertion.key).await?.map(|known| known.fact);
            let ids = (self.ids.fact_id(), self.ids.claim_id());
            let change = assertion.clone().against(current.as_ref(), ids, actor, self.clock.now())?;
            match self.write_fact(&change, actor).await {
                // Somebody else was faster: what they wrote decides anew what this one comes to.
                Err(StoreError::Moved(_) | StoreError::AlreadyExists(_)) => {}
                Err(error) => return Err(error.into()),
                Ok(()) => {
                    let fact = self.fact(&assertion.key).await?;
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
            self.workspace.client_writes.write(client, act, self.clock.now()).await?;
            return Ok(());
        }
        match change {
            FactChange::Set(fact) => {
                self.workspace.facts.put_fact(fact, FactSource::of(actor.kind()), None).await
            }
            FactChange::Claim(claim) => self.workspace.facts.add_claim(claim).await,
        }
    }

    /// A fact by category and key; one that was removed too.
    ///
    /// # Errors
    /// [`AppError::NotFound`] if there never was one.
    pub async fn fact(&self, key: &FactKey) -> Result<FactWithClaims, AppError> {
        let missing =
            || AppError::NotFound { what: "fact", name: format!("{}/{}", key.category(), key.key()) };
        self.workspace.facts.fact(key).await?.ok_or_else(missing)
    }

    /// A page of the facts that stand.
    ///
    /// # Errors
    /// [`AppError::Store`] if the database cannot be read.
    pub async fn facts(
        &self,
        category: Option<&str>,
        after: Option<&FactKey>,
        limit: usize,
    ) -> Result<FactPage, AppError> {
        let limit = limit.clamp(1, MAX_PAGE);
        let mut rows = self.workspace.facts.facts(category, after, limit + 1).await?;
        let more = rows.len() > limit;
        rows.truncate(limit);
        Ok(FactPage { next: rows.last().filter(|_| more).map(|last| last.fact.key.clone()), rows })
    }

    /// The facts as they stood at a moment.
    ///
    /// # Errors
    /// [`AppError::Store`] if the database cannot be read.
    pub async fn facts_as_of(
        &self,
        at: DateTime<Utc>,
        category: Option<&str>,
        limit: usize,
    ) -> Result<Vec<FactAt>, AppError> {
        Ok(self.workspace.facts.facts_as_of(at, category, limit.clamp(1, MAX_PAGE)).await?)
    }

    /// Every value that a fact had, newest first.
    ///
    /// # Errors
    /// [`AppError::NotFound`] if there is no such fact.
    pub async fn fact_history(&self, id: FactId) -> Result<Vec<FactValue>, AppError> {
        self.known_fact(id).await?;
        Ok(self.workspace.facts.fact_history(id).await?)
    }

    /// Takes a fact's value away. Its history stays, and it can be set again.
    ///
    /// # Errors
    /// [`AppError::Fact`] if an agent would remove the author's word.
    pub async fn remove_fact(&self, id: FactId, actor: Actor) -> Result<Fact, AppError> {
        let removed = self.known_fact(id).await?.removed(actor, self.clock.now())?;
        self.workspace.facts.put_fact(&removed, FactSource::of(actor.kind()), None).await?;
        Ok(removed)
    }

    /// Settles a claim: its value becomes the fact's, or the author's word stays.
    ///
    /// # Errors
    /// [`AppError::Fact`] if anybody but the author would settle it; [`AppError::NotFound`] if it is settled already.
    pub async fn settle_claim(
        &self,
        id: ClaimId,
        accept: bool,
        actor: Actor,
    ) -> Result<FactWithClaims, AppError> {
        let missing = || AppError::NotFound { what: "open claim", name: id.to_string() };
        let (claim, fact) = self.workspace.facts.claim(id).await?.ok_or_else(missing)?;
        if FactSource::of(actor.kind()) != FactSource::User {
            return Err(InvalidFact::NotYours.into());
        }
        if accept {
            let after = fact.accepting(&claim, actor, self.clock.now())?;
            self.workspace.facts.put_fact(&after, FactSource::User, Some(id)).await?;
        } else {
            self.workspace.facts.reject_claim(id, self.clock.now()).await?;
        }
        self.fact(&fact.key).await
    }

    async fn known_fact(&self, id: FactId) -> Result<Fact, AppError> {
        let missing = || AppError::NotFound { what: "fact", name: id.to_string() };
        Ok(self.workspace.facts.fact_by_id(id).await?.ok_or_else(missing)?.fact)
    }
}
