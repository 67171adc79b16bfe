//! Port for permanent deletion of memory.

use chrono::{DateTime, Utc};
use inklings_domain::{
    audit::{AuditEntry, AuditRow},
    ids::{ConversationId, MemoryId},
    memory::decay::DecayInputs,
    scope::MemoryScope,
    scrub::{Manifest, Phrases, ScrubMode, ScrubTarget},
};

use crate::store_error::StoreError;

/// A scrub to carry out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScrubOrder {
    /// What to delete.
    pub target: ScrubTarget,
    /// What to retain.
    pub mode: ScrubMode,
    /// Hash of the manifest that a person saw.
    pub hash: String,
    /// The audit entry; the store adds the manifest to it.
    pub entry: AuditEntry,
}

/// Evidence that nothing is left.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Proof {
    /// Names of the places that were searched.
    pub checked: Vec<String>,
    /// Number of remains found.
    pub residues: u64,
}

/// Content that repeats scrubbed content and is not deleted.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Mentions {
    /// Conversations with the number of their matching messages, tool calls included, episodes and titles.
    pub conversations: Vec<(ConversationId, u64)>,
    /// Ids of matching entries.
    pub memories: Vec<MemoryId>,
    /// Number of matching facts, including earlier values and claims.
    pub facts: u64,
    /// Number of matching working notes.
    pub working_notes: u64,
    /// Number of matching proposals.
    pub proposals: u64,
    /// Number of channels with a matching name or description.
    pub channels: u64,
}

/// The result of a scrub.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Scrubbed {
    /// What was deleted.
    pub manifest: Manifest,
    /// Its row in the audit log.
    pub audit: AuditRow,
    /// Evidence that nothing is left.
    pub proof: Proof,
}

/// Counts and sizes of a tier.
#[derive(Debug, Clone, PartialEq)]
pub struct TierFigures {
    pub scope: MemoryScope,
    /// Number of active entries.
    pub active: u64,
    /// Number of forgotten entries.
    pub forgotten: u64,
    /// Active entries of the author.
    pub by_author: u64,
    /// Active entries of an agent.
    pub by_agent: u64,
    /// Active imported entries.
    pub by_import: u64,
    /// Active named entries.
    pub named: u64,
    /// Creation time of the oldest active entry.
    pub oldest: Option<DateTime<Utc>>,
    /// Creation time of the newest active entry.
    pub newest: Option<DateTime<Utc>>,
    /// Total size of all texts in bytes of UTF-8.
    pub bytes: u64,
    /// Decay inputs of the active entries that can fade.
    pub fading: Vec<DecayInputs>,
}

/// Previews, counts and permanently deletes content of one database.
#[async_trait::async_trait]
pub trait ScrubStore: Send + Sync {
    /// The manifest of a scrub. Changes nothing.
    ///
    /// # Errors
    /// [`StoreError::NotFound`] if the target does not exist, or the tier is not in this database.
    async fn manifest(&self, target: &ScrubTarget, mode: ScrubMode) -> Result<Manifest, StoreError>;

    /// Deletes exactly what a manifest lists: rows, history, vectors, index rows, log and free pages. Retains
    /// fingerprints of the texts and appends the audit row in the same transaction. Then searches for
    /// remains.
    ///
    /// # Errors
    /// [`StoreError::Moved`] if the rows differ from the manifest; nothing was deleted then.
    async fn scrub(&self, order: &ScrubOrder) -> Result<Scrubbed, StoreError>;

    /// Content of this database that contains one of these phrases and is not deleted with `target`. Messages
    /// of a conversation are deleted only by purging it.
    ///
    /// # Errors
    /// As [`Self::manifest`] if `target` is in this database.
    async fn mentions(
        &self,
        phrases: &Phrases,
        target: &ScrubTarget,
        mode: ScrubMode,
    ) -> Result<Mentions, StoreError>;

    /// True if one of these forms of a text was scrubbed.
    async fn was_scrubbed(&self, forms: &[String]) -> Result<bool, StoreError>;

    /// Counts and sizes of the tiers in this database, narrowest first.
    async fn tiers(&self) -> Result<Vec<TierFigures>, StoreError>;
}
