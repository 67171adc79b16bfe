//! Search in one database: words through FTS5, meaning through a matrix of quantised vectors in memory.
//!
//! | module | does |
//! |---|---|
//! | `expression` | builds FTS5 expressions from queries and scope filters |
//! | `text_index` | full-text search: a plan, one pass over the index, marks |
//! | `text` | the same over entries, with their rows |
//! | `complete`, `utterances`, `utterance_cache` | completes candidates: text score, cosine, and what was said around them |
//! | `row_cache` | caches rows until the database changes |
//! | `stats` | word frequencies, and which words are too common to search for |
//! | `speakers` | the names of those who said something |
//! | `unknown_words` | what may be meant by a word that occurs nowhere |
//! | `matrix` | the vectors of a model in memory, as bytes |
//! | `vector_index` | vector search: scan, then exact cosines of the candidates |
//! | `entry_vectors`, `exact` | the same over entries, with their rows |
//! | `refresh` | loads the vectors of entries in the background and updates them from the database |
//! | `saved_matrix`, `matrix/file` | a copy of these vectors beside the database, for the next start |
//! | `vectors` | stores vectors and lists entries without one |
//! | `word_codes` | the codes of words: stores them, and compares texts word by word |
//! | `passages` | writes the vectors of long texts |
//! | `transcript`, `pages` | the same over messages, and over pages of vaults |
//! | `text_vectors` | the vectors of messages and pages, and how they are loaded |
//! | `bench` | measures search against a naive implementation |

pub mod bench;
mod complete;
mod entry_vectors;
mod exact;
mod expression;
mod matrix;
mod meeting;
pub(crate) mod pages;
pub(crate) mod passages;
mod refresh;
mod row_cache;
mod rows;
mod saved;
mod saved_matrix;
mod speakers;
mod stats;
#[cfg(test)]
mod tests;
mod text;
mod text_index;
mod text_vectors;
mod transcript;
mod unknown_words;
mod utterance_cache;
mod utterances;
mod vector_index;
mod vectors;
pub(crate) mod word_codes;

use std::{
    collections::HashMap,
    ops::Range,
    sync::{Arc, Mutex, PoisonError},
};

use chrono::{DateTime, Utc};
use inklings_domain::{
    ids::MemoryId,
    memory::{
        embedding::{EmbeddingModel, ModelId},
        filter::MemoryFilter,
        word_codes::WordCodes,
    },
    search::{people::Speakers, query::TextQuery, ranking::WordComparison},
};
use inklings_ports::{
    memory::vector_store::{EmbeddingCounts, NewVectors, PendingText, VectorStore},
    search::store::{Asked, Completed, Highlight, ListHit, MemorySearch},
    store_error::StoreError,
};

use crate::{connection::Database, error::DbResult};

pub(crate) use self::rows::{blob, numbers};
pub(crate) use self::saved_matrix::remove_saved;
pub use self::transcript::TranscriptIndex;
use self::{
    entry_vectors::EntryVectors, row_cache::RowCache, stats::ENTRIES, text_index::TextIndex,
    utterance_cache::UtteranceCache, utterances::Neighbours, vector_index::WHOLE_BYTES, vectors::Backlogs,
    word_codes::AskedWords,
};

/// Search and vectors of one database. Cheap to create: the vectors of a model load in the background on
/// first use.
#[derive(Debug)]
pub struct SearchIndex {
    db: Arc<Database>,
    models: Mutex<HashMap<ModelId, Arc<EntryVectors>>>,
    text: TextIndex,
    known: RowCache,
    utterances: UtteranceCache<MemoryId>,
    backlogs: Backlogs,
    whole_bytes: usize,
}

impl SearchIndex {
    /// Creates the index of a database.
    pub fn new(db: Arc<Database>) -> Arc<Self> {
        Self::with_whole_bytes(db, WHOLE_BYTES)
    }

    /// Creates an index that retains at most `whole_bytes` bytes of unrounded vectors per model.
    fn with_whole_bytes(db: Arc<Database>, whole_bytes: usize) -> Arc<Self> {
        Arc::new(Self {
            db,
            whole_bytes,
            models: Mutex::default(),
            text: TextIndex::of(ENTRIES),
            known: RowCache::default(),
            utterances: UtteranceCache::default(),
            backlogs: Backlogs::default(),
        })
    }

    /// Loads the vectors of a model and waits for completion. For short-lived callers such as the command
    /// line.
    pub async fn load(&self, model: &ModelId) -> Result<(), StoreError> {
        self.model(model).load(&self.db).await.map_err(|error| self.db.fail(error))
    }

    /// Bytes of memory that the loaded vectors of all models take.
    pub fn bytes(&self) -> usize {
        let models = self.models.lock().unwrap_or_else(PoisonError::into_inner);
        models.values().map(|model| model.bytes()).sum()
    }

    /// Uses the vectors in memory where possible; a preceding search has usually seen most of these entries.
    async fn vectors_of(&self, ids: &[MemoryId], id: &ModelId) -> DbResult<Vec<(MemoryId, Vec<f32>)>> {
        let (mut found, mut missing) = (Vec::with_capacity(ids.len()), ids.to_vec());
        let (model, seqs) = (self.model(id), self.db.rowid_cache().of(ids));
        if seqs.iter().any(Option::is_some) && model.is_level(&self.db).await? {
            missing.clear();
            for (id, vector) in ids.iter().zip(model.whole(&seqs)) {
                match vector {
                    Some(vector) => found.push((*id, vector)),
                    None => missing.push(*id),
                }
            }
        }
        if !missing.is_empty() {
            found.extend(vectors::of(&self.db, &missing, id).await?);
        }
        Ok(found)
    }

    fn model(&self, id: &ModelId) -> Arc<EntryVectors> {
        let mut models = self.models.lock().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(
            models
                .entry(id.clone())
                .or_insert_with(|| Arc::new(EntryVectors::new(id.clone(), self.whole_bytes))),
        )
    }
}

#[async_trait::async_trait]
impl MemorySearch for SearchIndex {
    async fn search_text(
        &self,
        query: &TextQuery,
        filter: &MemoryFilter,
        limit: usize,
    ) -> Result<Vec<ListHit>, StoreError> {
        let found = text::search(&self.db, &self.text, &self.known, query, filter, limit);
        found.await.map_err(|e| self.db.fail(e))
    }

    async fn called(&self, text: &str, filter: &MemoryFilter) -> Result<Vec<ListHit>, StoreError> {
        text::called(&self.db, text, filter).await.map_err(|e| self.db.fail(e))
    }

    async fn search_meaning(
        &self,
        vector: &[f32],
        model: &ModelId,
        filter: &MemoryFilter,
        limit: usize,
    ) -> Result<Vec<ListHit>, StoreError> {
        let model = self.model(model);
        let search = || model.search(&self.db, &self.known, vector, filter, limit);
        // Usually nothing has changed since the last search, so the search runs during the check for changes.
        let answer = futures::future::try_join(model.is_behind(&self.db), search()).await;
        let answer = match answer {
            Ok((false, hits)) => Ok(hits),
            Ok((true, _)) => match model.catch_up(&self.db).await {
                Ok(()) => search().await,
                Err(error) => Err(error),
            },
            Err(error) => Err(error),
        };
        answer.map_err(|error| self.db.fail(error))
    }

    async fn in_time(
        &self,
        within: Range<DateTime<Utc>>,
        filter: &MemoryFilter,
        limit: usize,
    ) -> Result<Vec<ListHit>, StoreError> {
        text::in_time(&self.db, within, filter, limit).await.map_err(|e| self.db.fail(e))
    }

    async fn complete(
        &self,
        asked: Asked<'_>,
        filter: &MemoryFilter,
        ids: &[MemoryId],
    ) -> Result<Vec<Completed<MemoryId>>, StoreError> {
        let complete = async {
            let matches = text::matches(&self.db, &self.text, asked.query, filter).await?;
            let compare = |texts: &[Neighbours]| {
                let compared = |(query, model): (&[f32], &ModelId)| self.model(model).compare(texts, query);
                asked.vector.map(compared).unwrap_or_default()
            };
            let known = (&self.known, &self.utterances);
            complete::entries(&self.db, known, asked, filter, ids, &matches, compare).await
        };
        complete.await.map_err(|error| self.db.fail(error))
    }

    async fn compare_words(
        &self,
        words: &WordCodes,
        model: &ModelId,
        filter: &MemoryFilter,
        ids: &[MemoryId],
    ) -> Result<Vec<(MemoryId, WordComparison)>, StoreError> {
        let known = (&self.known, &self.utterances);
        let compared = complete::words_of_entries(&self.db, known, AskedWords { words, model }, filter, ids);
        compared.await.map_err(|error| self.db.fail(error))
    }

    async fn highlights(&self, query: &TextQuery, ids: &[MemoryId]) -> Result<Vec<Highlight>, StoreError> {
        let marks = self.text.marks(&self.db, query, ids).await.map_err(|e| self.db.fail(e))?;
        Ok(marks.into_iter().map(|(id, spans)| Highlight { id, spans }).collect())
    }

    async fn vectors(
        &self,
        ids: &[MemoryId],
        model: &ModelId,
    ) -> Result<Vec<(MemoryId, Vec<f32>)>, StoreError> {
        self.vectors_of(ids, model).await.map_err(|e| self.db.fail(e))
    }

    async fn speakers(&self) -> Result<Speakers, StoreError> {
        speakers::read(&self.db, speakers::OF_ENTRIES).await.map_err(|e| self.db.fail(e))
    }

    fn meaning_ready(&self, model: &ModelId) -> bool {
        let model = self.model(model);
        model.load_in_background(&self.db);
        model.is_ready()
    }
}

#[async_trait::async_trait]
impl VectorStore for SearchIndex {
    async fn pending(&self, model: &EmbeddingModel, limit: usize) -> Result<Vec<PendingText>, StoreError> {
        self.backlogs.pending(&self.db, model, limit).await.map_err(|e| self.db.fail(e))
    }

    async fn put(&self, model: &EmbeddingModel, vectors: &[NewVectors]) -> Result<usize, StoreError> {
        vectors::put(&self.db, model, vectors).await.map_err(|e| self.db.fail(e))
    }

    async fn mark_failed(
        &self,
        model: &EmbeddingModel,
        id: MemoryId,
        version: u64,
        error: &str,
    ) -> Result<(), StoreError> {
        vectors::mark_failed(&self.db, model, id, version, error).await.map_err(|e| self.db.fail(e))
    }

    async fn counts(&self, model: &EmbeddingModel) -> Result<EmbeddingCounts, StoreError> {
        vectors::counts(&self.db, model).await.map_err(|e| self.db.fail(e))
    }
}
