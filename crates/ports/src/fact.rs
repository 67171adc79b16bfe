//! Port for storing facts with their earlier values and claims.

use chrono::{DateTime, Utc};
use inklings_domain::{
    calendar::{moment::Moment, span::Span},
    fact::{Claim, Fact, FactKey, FactSource, FactValue},
    ids::{ClaimId, FactId},
    lens::ResolvedLens,
};

use crate::store_error::StoreError;

/// The outcome of settling a claim.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Settlement {
    /// The claim's value became the fact's value.
    Accepted,
    /// The author's value stays.
    Rejected,
}

/// A fact with its open claims.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FactWithClaims {
    pub fact: Fact,
    /// Open claims, oldest first.
    pub claims: Vec<Claim>,
}

/// Which facts to read. Every list of facts passes it, so a limit on what a reader sees belongs here.
#[derive(Debug, Clone, Copy)]
pub struct FactQuery<'q> {
    /// Only this category, ignoring case.
    pub category: Option<&'q str>,
    /// Only what holds in the story at a part of this span.
    pub within: Span,
    /// Only what it shows.
    pub lens: Option<&'q ResolvedLens>,
    /// Only those with an open claim.
    pub claimed: bool,
    /// Maximum number of facts.
    pub limit: usize,
}

impl FactQuery<'_> {
    /// Every fact, at most `limit`. For reads of the worldbuilder: those of agents state each field, so that a new one is seen there.
    pub const fn every(limit: usize) -> Self {
        Self { category: None, within: Span::ALWAYS, lens: None, claimed: false, limit }
    }
}

/// The last fact of a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FactCursor {
    /// Category and key.
    pub key: FactKey,
    /// Where it starts in the story; `None` without a start, which comes first.
    pub from: Option<Moment>,
    pub id: FactId,
}

impl FactCursor {
    /// The cursor behind a fact.
    pub fn of(fact: &Fact) -> Self {
        Self { key: fact.key.clone(), from: fact.span.from(), id: fact.id }
    }

    /// The cursor behind a fact as of a time.
    pub fn of_then(fact: &FactAt) -> Self {
        Self { key: fact.key.clone(), from: fact.value.span.from(), id: fact.id }
    }
}

/// A fact as of a time; real time, not that of the story.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FactAt {
    pub id: FactId,
    /// Category and key of the fact.
    pub key: FactKey,
    pub value: FactValue,
}

/// Reads and writes facts of one workspace.
#[async_trait::async_trait]
pub trait FactStore: Send + Sync {
    /// The facts with this category and key, ignoring case, also removed ones, by their start in the story.
    async fn facts_of_key(&self, key: &FactKey) -> Result<Vec<FactWithClaims>, StoreError>;

    /// A fact by id.
    async fn fact_by_id(&self, id: FactId) -> Result<Option<FactWithClaims>, StoreError>;

    /// Facts by id, also removed ones, in any order.
    async fn facts_by_ids(&self, ids: &[FactId]) -> Result<Vec<FactWithClaims>, StoreError>;

    /// Facts that have a value, ordered by folded category and key and by their start in the story, after `after`.
    async fn facts(
        &self,
        query: FactQuery<'_>,
        after: Option<&FactCursor>,
    ) -> Result<Vec<FactWithClaims>, StoreError>;

    /// The values as of a time, in the order of [`Self::facts`], after `after`; `query.within` and `query.lens` with the
    /// spans and knowers of then.
    async fn facts_as_of(
        &self,
        at: DateTime<Utc>,
        query: FactQuery<'_>,
        after: Option<&FactCursor>,
    ) -> Result<Vec<FactAt>, StoreError>;

    /// All values of a fact, newest first.
    async fn fact_history(&self, id: FactId) -> Result<Vec<FactValue>, StoreError>;

    /// Writes a new value of a fact and retains the old one. In the same transaction, marks as accepted the claim
    /// `settles`, and each open claim of this value.
    ///
    /// # Errors
    /// [`StoreError::Moved`] if the stored version is not `version - 1` (no row, for version 1), another fact of the
    /// key holds at a part of its span, or the claim is no longer open; [`StoreError::Locked`] if a database trigger refused an agent's change of the
    /// author's value; [`StoreError::MemoryOff`] if an agent would set a value while memory is switched off.
    async fn put_fact(
        &self,
        fact: &Fact,
        written_by: FactSource,
        settles: Option<ClaimId>,
    ) -> Result<(), StoreError>;

    /// Stores a claim. A claim equal to an open claim on the fact is not stored again.
    ///
    /// # Errors
    /// [`StoreError::NotFound`] if there is no such fact; [`StoreError::MemoryOff`].
    async fn add_claim(&self, claim: &Claim) -> Result<(), StoreError>;

    /// An open claim with the fact that it contradicts.
    async fn claim(&self, id: ClaimId) -> Result<Option<(Claim, Fact)>, StoreError>;

    /// Marks an open claim as rejected.
    ///
    /// # Errors
    /// [`StoreError::Moved`] if it is no longer open.
    async fn reject_claim(&self, id: ClaimId, at: DateTime<Utc>) -> Result<(), StoreError>;
}
