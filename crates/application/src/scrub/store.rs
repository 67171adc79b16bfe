//! Destroying memory: the one port that does.

use chrono::{DateTime, Utc};
use inklings_domain::{
    audit::{AuditEntry, AuditRow},
    ids::{ConversationId, MemoryId},
    memory::decay::DecayInputs,
    scope::MemoryScope,
    scrub::{Manifest, Phrases, ScrubMode, ScrubTarget},
};

use crate::store_error::StoreError;

/// What to destroy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScrubOrder {
    /// What is cleared.
    pub target: ScrubTarget,
    /// What stays.
    pub mode: ScrubMode,
    /// The hash of the manifest that a person saw.
    pub hash: String,
    /// What is put on record; the store writes the manifest into it.
    pub entry: AuditEntry,
}

/// That nothing is left.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Proof {
    /// What was looked through.
    pub checked: Vec<String>,
    /// Remains that were found.
    pub residues: u64,
}

/// What says the same and stays.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Mentions {
    /// Conversations with the number of their messages and episodes.
    pub conversations: Vec<(ConversationId, u64)>,
    /// Entries, by id.
    pub memories: Vec<MemoryId>,
    /// Facts, earlier values and claims included.
    pub facts: u64,
    /// Working notes.
    pub working_notes: u64,
}

/// What a scrub did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Scrubbed {
    /// What it took.
    pub manifest: Manifest,
    /// Its row in the audit log.
    pub audit: AuditRow,
    /// That nothing is left.
    pub proof: Proof,
}

/// A tier in figures.
#[derive(Debug, Clone, PartialEq)]
pub struct TierFigures {
    /// Which tier.
    pub scope: MemoryScope,
    /// Entries in use.
    pub active: u64,
    /// Forgotten ones.
    pub forgotten: u64,
    /// In use and the author's.
    pub by_author: u64,
    /// In use and an agent's.
    pub by_agent: u64,
    /// In use and imported.
    pub by_import: u64,
    /// In use and named.
    pub named: u64,
    /// When the oldest in use was made.
    pub oldest: Option<DateTime<Utc>>,
    /// When the newest in use was made.
    pub newest: Option<DateTime<Utc>>,
    /// Size of all texts in bytes of UTF-8.
    pub bytes: u64,
    /// What fading needs to know of every entry in use that fades.
    pub fading: Vec<DecayInputs>,
}

/// Shows, counts and destroys what one database holds.
#[async_trait::async_trait]
pub trait ScrubStore: Send + Sync {
    /// What a scrub would take now. Changes nothing.
    ///
    /// # Errors
    /// [`StoreError::NotFound`] if there is no such room, or the tier is not of this database.
    async fn manifest(&self, target: &ScrubTarget, mode: ScrubMode) -> Result<Manifest, StoreError>;

    /// Destroys exactly what a manifest names: rows, history, vectors, index, log and free pages; keeps fingerprints of the
    /// texts; and puts it on record in the same transaction. Then looks for remains.
    ///
    /// # Errors
    /// [`StoreError::Moved`] if the rows are no longer those of the manifest; nothing was destroyed then.
    async fn scrub(&self, order: &ScrubOrder) -> Result<Scrubbed, StoreError>;

    /// What in this database says one of these phrases and is not taken by `target`. What was said in a conversation goes
    /// with a purge of it alone.
    ///
    /// # Errors
    /// As [`Self::manifest`] where `target` is of this database.
    async fn mentions(
        &self,
        phrases: &Phrases,
        target: &ScrubTarget,
        mode: ScrubMode,
    ) -> Result<Mentions, StoreError>;

    /// True if one of these forms of a text was scrubbed once.
    async fn was_scrubbed(&self, forms: &[String]) -> Result<bool, StoreError>;

    /// The tiers of this database in figures, the narrowest first.
    async fn tiers(&self) -> Result<Vec<TierFigures>, StoreError>;
}
