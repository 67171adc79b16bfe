//! Vectors in an [`InMemoryDatabase`].

use inklings_domain::{embedding::EmbeddingModel, ids::MemoryId, memory::MemoryEntry};

use super::memory_store::{InMemoryDatabase, Tables};
use crate::ports::{
    error::StoreError,
    settings::Topic,
    vector_store::{EmbeddingCounts, NewVector, PendingText, VectorStore},
};

impl Tables {
    fn embeddable(&self) -> impl Iterator<Item = &MemoryEntry> {
        self.entries.values().filter(|e| e.is_active() && !e.content.is_empty())
    }

    fn without_vector<'a>(&'a self, model: &'a EmbeddingModel) -> impl Iterator<Item = &'a MemoryEntry> {
        self.embeddable().filter(|e| !self.vectors.contains_key(&(e.id, model.id.clone())))
    }
}

#[async_trait::async_trait]
impl VectorStore for InMemoryDatabase {
    async fn pending(&self, model: &EmbeddingModel, limit: usize) -> Result<Vec<PendingText>, StoreError> {
        let tables = self.tables();
        let hopeful = |e: &&MemoryEntry| !tables.failed.contains(&(e.id, model.id.clone()));
        let mut waiting: Vec<&MemoryEntry> = tables.without_vector(model).filter(hopeful).collect();
        waiting.sort_by_key(|e| std::cmp::Reverse((e.created_at, e.id)));
        let text = |e: &MemoryEntry| PendingText { id: e.id, version: e.version, text: e.content.clone() };
        Ok(waiting.into_iter().take(limit).map(text).collect())
    }

    async fn put(&self, model: &EmbeddingModel, vectors: &[NewVector]) -> Result<usize, StoreError> {
        if vectors.iter().any(|v| v.vector.len() != model.dimension) {
            return Err(StoreError::Refused("a vector of another dimension than its model's".into()));
        }
        let mut tables = self.tables();
        let mut current = 0;
        for new in vectors {
            if tables.entries.get(&new.id).is_some_and(|e| e.version == new.version) {
                let order = 1 + tables.vectors.values().map(|(order, _)| *order).max().unwrap_or(0);
                let key = (new.id, model.id.clone());
                tables.failed.remove(&key);
                tables.vectors.insert(key, (order, new.vector.clone()));
                current += 1;
            }
        }
        if current > 0 {
            tables.announce(Topic::Models);
        }
        Ok(current)
    }

    async fn mark_failed(
        &self,
        model: &EmbeddingModel,
        id: MemoryId,
        version: u64,
        _error: &str,
    ) -> Result<(), StoreError> {
        let mut tables = self.tables();
        if tables.entries.get(&id).is_some_and(|e| e.version == version) {
            tables.failed.insert((id, model.id.clone()));
        }
        Ok(())
    }

    async fn counts(&self, model: &EmbeddingModel) -> Result<EmbeddingCounts, StoreError> {
        let tables = self.tables();
        let active = tables.embeddable().count() as u64;
        let without = tables.without_vector(model).count() as u64;
        let failed = |e: &&MemoryEntry| tables.failed.contains(&(e.id, model.id.clone()));
        let failed = tables.without_vector(model).filter(failed).count() as u64;
        Ok(EmbeddingCounts { embedded: active - without, pending: without - failed })
    }
}
