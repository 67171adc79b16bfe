//! The `Embedder` port over a loaded model.

use std::sync::{Mutex, PoisonError};

use async_trait::async_trait;
use inklings_application::model::embedding::{EmbedError, Embedder};
use inklings_domain::memory::embedding::{EmbeddingModel, ModelId};

use crate::cache::QueryCache;
use crate::engine::Engine;
use crate::files::Prefixes;

/// Query vectors kept. At 768 components that is 1.5 MB.
const QUERIES_KEPT: usize = 512;

/// Bytes of the longest query worth keeping: nobody pastes the same page twice.
const LONGEST_KEPT: usize = 2_048;

/// A model that runs here, with a cache of query vectors.
pub(crate) struct FastEmbedder {
    model: EmbeddingModel,
    prefixes: Prefixes,
    engine: Engine,
    cache: Mutex<QueryCache>,
}

impl FastEmbedder {
    /// Names a loaded model.
    pub(crate) fn new(id: ModelId, prefixes: Prefixes, engine: Engine) -> Self {
        let model = EmbeddingModel { id, dimension: engine.dimension() };
        Self { model, prefixes, engine, cache: Mutex::new(QueryCache::new(QUERIES_KEPT)) }
    }
}

#[async_trait]
impl Embedder for FastEmbedder {
    fn model(&self) -> EmbeddingModel {
        self.model.clone()
    }

    async fn embed_query(&self, text: &str) -> Result<Vec<f32>, EmbedError> {
        let text = format!("{}{text}", self.prefixes.query);
        let known = self.cache.lock().unwrap_or_else(PoisonError::into_inner).get(&text);
        if let Some(vector) = known {
            return Ok(vector);
        }
        let vector = self.engine.query(text.clone()).await?;
        if text.len() <= LONGEST_KEPT {
            self.cache.lock().unwrap_or_else(PoisonError::into_inner).put(text, vector.clone());
        }
        Ok(vector)
    }

    async fn embed_documents(&self, texts: &[String]) -> Result<Vec<Vec<f32>>, EmbedError> {
        let prefix = &self.prefixes.document;
        self.engine.documents(texts.iter().map(|text| format!("{prefix}{text}")).collect()).await
    }
}
