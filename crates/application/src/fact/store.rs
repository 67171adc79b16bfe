//! Storage of facts with their earlier values and the claims against them.

use chrono::{DateTime, Utc};
use inklings_domain::{
    fact::{Claim, Fact, FactKey, FactSource, FactValue},
    ids::{ClaimId, FactId},
};

use crate::store_error::StoreError;

/// How an open claim is settled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Settlement {
    /// Its value became the fact's.
    Accepted,
    /// The author's word stays.
    Rejected,
}

/// A fact with the claims that wait for the author.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FactWithClaims {
    /// The fact.
    pub fact: Fact,
    /// Open claims, oldest first.
    pub claims: Vec<Claim>,
}

/// A fact as it was at a moment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FactAt {
    /// Its id.
    pub id: FactId,
    /// Where it stands.
    pub key: FactKey,
    /// The value that held then.
    pub value: FactValue,
}

/// Reads and writes facts of one workspace.
#[async_trait::async_trait]
pub trait FactStore: Send + Sync {
    /// A fact by category and key, regardless of case; a removed one too.
    async fn fact(&self, key: &FactKey) -> Result<Option<FactWithClaims>, StoreError>;

    /// A fact by id.
    async fn fact_by_id(&self, id: FactId) -> Result<Option<FactWithClaims>, StoreError>;

    /// Facts that have a value, in the order of category and key (folded), behind `after`.
    async fn facts(
        &self,
        category: Option<&str>,
        after: Option<&FactKey>,
        limit: usize,
    ) -> Result<Vec<FactWithClaims>, StoreError>;

    /// The values that held at a moment, in the order of category and key.
    async fn facts_as_of(
        &self,
        at: DateTime<Utc>,
        category: Option<&str>,
        limit: usize,
    ) -> Result<Vec<FactAt>, StoreError>;

    /// Every value that a fact had, newest first.
    async fn fact_history(&self, id: FactId) -> Result<Vec<FactValue>, StoreError>;

    /// Writes a fact with its new value and keeps the old one; with `settles`, marks a claim as accepted in the same
    /// transaction.
    ///
    /// # Errors
    /// [`StoreError::Moved`] if the stored version is not `version - 1` (none, for version 1), or the claim is no
    /// longer open; [`StoreError::Locked`] if the database's own guard refused an agent's change of the author's word;
    /// [`StoreError::MemoryOff`] if an agent would set a value while memory is switched off.
    async fn put_fact(
        &self,
        fact: &Fact,
        written_by: FactSource,
        settles: Option<ClaimId>,
    ) -> Result<(), StoreError>;

    /// Keeps a claim. One that says the same as an open claim against the fact is kept once.
    ///
    /// # Errors
    /// [`StoreError::NotFound`] if there is no such fact; [`StoreError::MemoryOff`].
    async fn add_claim(&self, claim: &Claim) -> Result<(), StoreError>;

    /// A claim with the fact that it contradicts, while it is open.
    async fn claim(&self, id: ClaimId) -> Result<Option<(Claim, Fact)>, StoreError>;

    /// Marks an open claim as rejected.
    ///
    /// # Errors
    /// [`StoreError::Moved`] if it is no longer open.
    async fn reject_claim(&self, id: ClaimId, at: DateTime<Utc>) -> Result<(), StoreError>;
}
