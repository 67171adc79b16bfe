//! Port for storing facts with their earlier values and claims.

use chrono::{DateTime, Utc};
use inklings_domain::{
    fact::{Claim, Fact, FactKey, FactSource, FactValue},
    ids::{ClaimId, FactId},
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
    /// The fact.
    pub fact: Fact,
    /// Open claims, oldest first.
    pub claims: Vec<Claim>,
}

/// A fact as of a time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FactAt {
    /// Id of the fact.
    pub id: FactId,
    /// Category and key of the fact.
    pub key: FactKey,
    /// The value at that time.
    pub value: FactValue,
}

/// Reads and writes facts of one workspace.
#[async_trait::async_trait]
pub trait FactStore: Send + Sync {
    /// A fact by category and key, ignoring case; also a removed one.
    async fn fact(&self, key: &FactKey) -> Result<Option<FactWithClaims>, StoreError>;

    /// A fact by id.
    async fn fact_by_id(&self, id: FactId) -> Result<Option<FactWithClaims>, StoreError>;

    /// Facts that have a value, ordered by folded category and key, after `after`.
    async fn facts(
        &self,
        category: Option<&str>,
        after: Option<&FactKey>,
        limit: usize,
    ) -> Result<Vec<FactWithClaims>, StoreError>;

    /// The values as of a time, ordered by category and key.
    async fn facts_as_of(
        &self,
        at: DateTime<Utc>,
        category: Option<&str>,
        limit: usize,
    ) -> Result<Vec<FactAt>, StoreError>;

    /// All values of a fact, newest first.
    async fn fact_history(&self, id: FactId) -> Result<Vec<FactValue>, StoreError>;

    /// Writes a new value of a fact and retains the old one. With `settles`, marks that claim as accepted in
    /// the same transaction.
    ///
    /// # Errors
    /// [`StoreError::Moved`] if the stored version is not `version - 1` (no row, for version 1), or the claim
    /// is no longer open; [`StoreError::Locked`] if a database trigger refused an agent's change of the
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
