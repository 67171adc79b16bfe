//! Port for storing vectors. Separate from the entries, so that writes never wait for a model.

use std::ops::Range;

use inklings_domain::{
    ids::MemoryId,
    memory::{
        embedding::{Embedding, EmbeddingModel},
        word_codes::WordCodes,
    },
};

use crate::store_error::StoreError;

/// A text without vectors, with one that covers only its beginning, or with one that was made without the codes of its words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PendingText {
    /// Id of the entry.
    pub id: MemoryId,
    /// Version of the entry when the text was read.
    pub version: u64,
    /// Title, embedded in front of the content.
    pub title: Option<String>,
    /// Content to embed.
    pub content: String,
}

/// The vectors of a text: unit vectors of the model's dimension.
#[derive(Debug, Clone, PartialEq)]
pub enum TextVectors {
    /// Of a text that is one passage, with the codes of its words.
    One(Embedding),
    /// Of a text of several passages, in order.
    Passages(Vec<PassageVector>),
}

/// The vector of a passage.
#[derive(Debug, Clone, PartialEq)]
pub struct PassageVector {
    /// The passage's bytes in the content.
    pub range: Range<usize>,
    /// Its unit vector.
    pub vector: Vec<f32>,
}

impl TextVectors {
    /// The vector of each passage, in order.
    pub fn each(&self) -> impl Iterator<Item = &[f32]> {
        let (one, passages) = match self {
            Self::One(one) => (Some(one.vector.as_slice()), &[][..]),
            Self::Passages(passages) => (None, passages.as_slice()),
        };
        one.into_iter().chain(passages.iter().map(|passage| passage.vector.as_slice()))
    }

    /// The codes of the words of a text that is one passage; `None` for one of several, which is not compared word by word.
    pub const fn words(&self) -> Option<&WordCodes> {
        match self {
            Self::One(one) => Some(&one.words),
            Self::Passages(_) => None,
        }
    }

    /// True if every vector has the shape that the model gives, and no passage is missing or empty.
    pub fn fit(&self, model: &EmbeddingModel) -> bool {
        let whole = match self {
            Self::One(_) => true,
            Self::Passages(passages) => {
                passages.len() > 1
                    && passages[0].range.start == 0
                    && passages.iter().all(|passage| !passage.range.is_empty())
            }
        };
        whole && self.each().all(|v| v.len() == model.dimension && v.iter().all(|x| x.is_finite()))
    }
}

impl From<Vec<f32>> for TextVectors {
    /// Without codes.
    fn from(vector: Vec<f32>) -> Self {
        Self::One(vector.into())
    }
}

/// The vectors of an entry, to store.
#[derive(Debug, Clone, PartialEq)]
pub struct NewVectors {
    /// Id of the entry.
    pub id: MemoryId,
    /// Version of the entry when its text was read. If the text has changed since, the vectors are dropped and
    /// the entry stays pending; other changes do not matter.
    pub version: u64,
    /// The vectors of its passages.
    pub vectors: TextVectors,
}

/// Embedding progress for one model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct EmbeddingCounts {
    /// Active entries with the vectors of their whole text by the model.
    pub embedded: u64,
    /// Active entries without, except those that the model failed on.
    pub pending: u64,
}

/// Reads pending texts and stores vectors.
#[async_trait::async_trait]
pub trait VectorStore: Send + Sync {
    /// Up to `limit` active entries without the vectors of their whole text by this model, newest first, without
    /// those marked as failed.
    async fn pending(&self, model: &EmbeddingModel, limit: usize) -> Result<Vec<PendingText>, StoreError>;

    /// Stores the vectors of entries in one transaction, in place of earlier ones; returns for how many the text was
    /// still current.
    async fn put(&self, model: &EmbeddingModel, vectors: &[NewVectors]) -> Result<usize, StoreError>;

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
