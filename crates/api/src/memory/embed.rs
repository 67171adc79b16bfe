//! Bulk embedding in the foreground, on all cores; the background backfill uses one.

use std::{path::PathBuf, sync::Arc};

use futures::future;
use inklings_application::error::AppError;
use inklings_domain::memory::embedding::{Embedding, EmbeddingModel, ModelId};
use inklings_embedding::FastEmbedCatalogue;
use inklings_ports::model::embedding::{EmbedError, Embedder, ModelCatalogue};

use crate::{commands::MemoryCommands, error::CommandError};

/// Maximum number of model copies; more cost more memory than they save time.
const MOST_COPIES: usize = 4;

/// Number of copies for the cores of this machine.
fn copies() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from).min(MOST_COPIES)
}

/// A model loaded once for bulk embedding in many data folders.
#[derive(Clone)]
pub struct BulkModel(Arc<Copies>);

/// Copies of one model, each on its own thread. Faster than one model on many threads, whose threads
/// synchronise at every step and wait whenever the machine has other work.
struct Copies(Vec<Arc<dyn Embedder>>);

#[async_trait::async_trait]
impl Embedder for Copies {
    fn model(&self) -> EmbeddingModel {
        self.0[0].model()
    }

    async fn embed_query(&self, text: &str) -> Result<Embedding, EmbedError> {
        self.0[0].embed_query(text).await
    }

    async fn embed_documents(&self, texts: &[String]) -> Result<Vec<Embedding>, EmbedError> {
        let share = texts.len().div_ceil(self.0.len()).max(1);
        let parts = self.0.iter().zip(texts.chunks(share)).map(|(copy, part)| copy.embed_documents(part));
        Ok(future::try_join_all(parts).await?.into_iter().flatten().collect())
    }
}

impl BulkModel {
    /// Loads the bundled model, one copy per core up to a maximum.
    ///
    /// # Errors
    /// [`CommandError`] of code `model_unavailable`.
    pub async fn load() -> Result<Self, CommandError> {
        let catalogue = FastEmbedCatalogue::new(inklings_embedding::resources_dir(), PathBuf::new());
        let id = ModelId::new(inklings_embedding::BUNDLED);
        let copies = (0..copies()).map(|_| catalogue.load(&id));
        Ok(Self(Arc::new(Copies(future::try_join_all(copies).await.map_err(AppError::from)?))))
    }
}

impl MemoryCommands<'_> {
    /// Uses a model that is loaded already in the workspace in use, for this process only.
    ///
    /// # Errors
    /// [`CommandError`] if no workspace is open.
    pub fn use_bulk_model(&self, model: &BulkModel) -> Result<(), CommandError> {
        self.app.session()?.embedder.set(Some(Arc::<Copies>::clone(&model.0)));
        Ok(())
    }

    /// Uses the model of the workspace in use with one copy per core. If it cannot be loaded again, as with a model
    /// folder, the single copy is used.
    ///
    /// # Errors
    /// [`CommandError`] if no workspace is open.
    pub async fn embed_on_every_core(&self) -> Result<(), CommandError> {
        let (session, models) = (self.app.session()?, &self.app.models);
        let Some(first) = session.embedder.get() else { return Ok(()) };
        if models.is_on_every_core(&session).await {
            return Ok(());
        }
        let id = first.model().id;
        let more = (1..copies()).map(|_| models.another(&id));
        match future::try_join_all(more).await {
            Ok(more) => {
                let all = std::iter::once(first).chain(more).collect();
                models.put_on_every_core(&session, Arc::new(Copies(all))).await;
            }
            Err(error) => tracing::debug!(%error, "embedding goes on one core"),
        }
        Ok(())
    }
}
