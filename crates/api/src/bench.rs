//! What measuring needs beyond the use cases: a model that works on every core, and the ids that a test set knows.

pub mod scale;
mod synthetic;

use std::{collections::HashMap, path::PathBuf, sync::Arc};

use futures::future;
use inklings_application::{
    error::AppError,
    ports::embedding::{EmbedError, Embedder, ModelCatalogue},
};
use inklings_domain::{
    embedding::{EmbeddingModel, ModelId},
    filter::{MemoryFilter, Reach, Sort},
};
use inklings_embedding::FastEmbedCatalogue;

use crate::{App, error::CommandError};

/// Entries read at a time.
const PAGE: usize = 500;

/// A model loaded once, for bulk work in many data folders that somebody waits for.
#[derive(Clone)]
pub struct BulkModel(Arc<Copies>);

/// Copies of one model, each on a thread of its own. Faster than one model on many threads, which meet at every
/// step and wait for one another whenever the machine has other work.
struct Copies(Vec<Arc<dyn Embedder>>);

#[async_trait::async_trait]
impl Embedder for Copies {
    fn model(&self) -> EmbeddingModel {
        self.0[0].model()
    }

    async fn embed_query(&self, text: &str) -> Result<Vec<f32>, EmbedError> {
        self.0[0].embed_query(text).await
    }

    async fn embed_documents(&self, texts: &[String]) -> Result<Vec<Vec<f32>>, EmbedError> {
        let share = texts.len().div_ceil(self.0.len()).max(1);
        let parts = self.0.iter().zip(texts.chunks(share)).map(|(copy, part)| copy.embed_documents(part));
        Ok(future::try_join_all(parts).await?.into_iter().flatten().collect())
    }
}

impl BulkModel {
    /// Loads the model that ships with the app, once for each of `threads` threads.
    ///
    /// # Errors
    /// [`CommandError`] of code `model_unavailable`.
    pub async fn load(threads: usize) -> Result<Self, CommandError> {
        let catalogue = FastEmbedCatalogue::new(inklings_embedding::resources_dir(), PathBuf::new());
        let id = ModelId::new(inklings_embedding::BUNDLED);
        let copies = (0..threads.max(1)).map(|_| catalogue.load(&id));
        Ok(Self(Arc::new(Copies(future::try_join_all(copies).await.map_err(AppError::from)?))))
    }
}

impl App {
    /// Puts a model in use that is loaded already, for this process only.
    pub fn use_bulk_model(&self, model: &BulkModel) {
        self.models.slot.set(Some(Arc::<Copies>::clone(&model.0)));
    }

    /// The id that each imported entry had where it came from, by its id here.
    ///
    /// # Errors
    /// [`CommandError`] if no workspace is open or its database cannot be read.
    pub async fn external_ids(&self) -> Result<HashMap<String, String>, CommandError> {
        let session = self.session()?;
        let filter = MemoryFilter::active(Reach::EVERYTHING);
        let (mut ids, mut after) = (HashMap::new(), None);
        loop {
            let page = session.list_memories(&filter, Sort::CreatedAsc, after.as_ref(), PAGE).await?;
            for stored in page.entries {
                if let Some(id) = stored.entry.origin.and_then(|origin| origin.external_id) {
                    ids.insert(stored.entry.id.to_string(), id);
                }
            }
            after = page.next;
            if after.is_none() {
                return Ok(ids);
            }
        }
    }
}
