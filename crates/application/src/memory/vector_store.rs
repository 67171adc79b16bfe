//! Port for storing vectors. Separate from the entries, so that writes never wait for a model.

use inklings_domain::{ids::MemoryId, memory::embedding::EmbeddingModel};

use crate::store_error::StoreError;

/// A text without a vector.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PendingText {
    /// Id of the entry.
    pub id: MemoryId,
    /// Version of the entry when the text was read.
    pub version: u64,
    /// Text to embed.
    pub text: String,
}

/// A vector to store.
#[derive(Debug, Clone, PartialEq)]
pub struct NewVector {
    /// Id of the entry.
    pub id: MemoryId,
    /// Version of the entry when its text was read. If the text has changed since, the vector is dropped and
    /// the entry stays pending; other changes do not matter.
    pub version: u64,
    /// Unit vector of the model's dimension.
    pub vector: Vec<f32>,
}

/// Embedding progress for one model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct EmbeddingCounts {
    /// Active entries with a vector of the model.
    pub embedded: u64,
    /// Active entries without a vector, except those that the model failed on.
    pub pending: u64,
}

/// Reads pending texts and stores vectors.
#[async_trait::async_trait]
pub trait VectorStore: Send + Sync {
    /// Up to `limit` active entries without a vector of this model, newest first, without those marked as
    /// failed.
    async fn pending(&self, model: &EmbeddingModel, limit: usize) -> Result<Vec<PendingText>, StoreError>;

    /// Stores vectors in one transaction; returns how many were still current.
    async fn put(&self, model: &EmbeddingModel, vectors: &[NewVector]) -> Result<usize, StoreError>;

    /// Records that a model could not embed this version of an entry, so that it is not tried again.
    async fn mark_failed(
        &self,
        model: &EmbeddingModel,
        id: MemoryId,
        version: u64,
        error: &str,
    ) -> Result<(), StoreError>;

    /// Embedding progress for a model.
    async fn counts(&self, model: &EmbeddingModel) -> Result<EmbeddingCounts, StoreError>;
}
