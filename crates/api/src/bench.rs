//! What measuring needs beyond the use cases: a model that works on every core, and the ids that a test set knows.

pub mod scale;
mod synthetic;

use std::{collections::HashMap, path::PathBuf, sync::Arc};

use inklings_application::{
    error::AppError,
    ports::embedding::{Embedder, ModelCatalogue},
};
use inklings_domain::{
    embedding::ModelId,
    filter::{MemoryFilter, Reach, Sort},
};
use inklings_embedding::FastEmbedCatalogue;

use crate::{App, error::CommandError};

/// Entries read at a time.
const PAGE: usize = 500;

/// A model loaded once, for bulk work in many data folders that somebody waits for.
#[derive(Clone)]
pub struct BulkModel(Arc<dyn Embedder>);

impl BulkModel {
    /// Loads the model that ships with the app, to work on `threads` threads.
    ///
    /// # Errors
    /// [`CommandError`] of code `model_unavailable`.
    pub async fn load(threads: usize) -> Result<Self, CommandError> {
        let resources = inklings_embedding::resources_dir();
        let catalogue = FastEmbedCatalogue::new(resources, PathBuf::new()).with_threads(threads);
        let loaded = catalogue.load(&ModelId::new(inklings_embedding::BUNDLED)).await;
        Ok(Self(loaded.map_err(AppError::from)?))
    }
}

impl App {
    /// Puts a model in use that is loaded already, for this process only.
    pub fn use_bulk_model(&self, model: &BulkModel) {
        self.models.slot.set(Some(Arc::clone(&model.0)));
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
