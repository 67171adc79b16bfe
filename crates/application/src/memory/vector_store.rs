//! Storage of vectors, apart from the entries, so that writing never waits for a model.

use inklings_domain::{ids::MemoryId, memory::embedding::EmbeddingModel};

use crate::store_error::StoreError;

/// A text that still needs a vector.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PendingText {
    /// Which entry.
    pub id: MemoryId,
    /// The entry's version when the text was read.
    pub version: u64,
    /// What to embed.
    pub text: String,
}

/// A vector to store.
#[derive(Debug, Clone, PartialEq)]
pub struct NewVector {
    /// Which entry.
    pub id: MemoryId,
    /// The entry's version when its text was read. If the text has changed since, the vector is dropped and the
    /// entry stays pending; a later change of anything else does not matter.
    pub version: u64,
    /// Unit vector of the model's dimension.
    pub vector: Vec<f32>,
}

/// How far embedding has come for one model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct EmbeddingCounts {
    /// Active entries with a vector of the model.
    pub embedded: u64,
    /// Active entries that still need one, without those that the model failed on.
    pub pending: u64,
}

/// Reads what needs a vector and stores vectors.
#[async_trait::async_trait]
pub trait VectorStore: Send + Sync {
    /// Up to `limit` active entries without a vector of this model, newest first, leaving out those marked failed.
    async fn pending(&self, model: &EmbeddingModel, limit: usize) -> Result<Vec<PendingText>, StoreError>;

    /// Stores vectors in one transaction; returns how many were still current.
    async fn put(&self, model: &EmbeddingModel, vectors: &[NewVector]) -> Result<usize, StoreError>;

    /// Remembers that a model could not embed this version of an entry, so that it is not tried for ever.
    async fn mark_failed(
        &self,
        model: &EmbeddingModel,
        id: MemoryId,
        version: u64,
        error: &str,
    ) -> Result<(), StoreError>;

    /// How far embedding has come.
    async fn counts(&self, model: &EmbeddingModel) -> Result<EmbeddingCounts, StoreError>;
}
