//! Implements the `Embedder` port for a loaded model.

use std::sync::{Mutex, PoisonError};

use async_trait::async_trait;
use inklings_domain::memory::embedding::{Embedding, EmbeddingModel, ModelId};
use inklings_ports::model::embedding::{EmbedError, Embedder};

use crate::cache::QueryCache;
use crate::engine::Engine;
use crate::files::Prefixes;

/// Number of cached embeddings of queries. At 768 components, with 20 words each, they take 2.5 MB.
const QUERIES_KEPT: usize = 512;

/// Maximum length of a cached query in bytes. Longer texts are unlikely to be repeated.
const LONGEST_KEPT: usize = 2_048;

/// A local model with a cache of the embeddings of queries.
pub(crate) struct FastEmbedder {
    model: EmbeddingModel,
    prefixes: Prefixes,
    engine: Engine,
    cache: Mutex<QueryCache>,
}

impl FastEmbedder {
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

    async fn embed_query(&self, text: &str) -> Result<Embedding, EmbedError> {
        let text = format!("{}{text}", self.prefixes.query);
        let known = self.cache.lock().unwrap_or_else(PoisonError::into_inner).get(&text);
        if let Some(known) = known {
            return Ok(known);
        }
        let made = self.engine.query(text.clone()).await?;
        if text.len() <= LONGEST_KEPT {
            self.cache.lock().unwrap_or_else(PoisonError::into_inner).put(text, made.clone());
        }
        Ok(made)
    }

    async fn embed_documents(&self, texts: &[String]) -> Result<Vec<Embedding>, EmbedError> {
        let prefix = &self.prefixes.document;
        self.engine.documents(texts.iter().map(|text| format!("{prefix}{text}")).collect()).await
    }
}
