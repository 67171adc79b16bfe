//! Implements the `ModelCatalogue` port: models shipped with the app, downloaded models, and the worldbuilder's own
//! folders.

use std::env;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use async_trait::async_trait;
use inklings_domain::memory::embedding::ModelId;
use inklings_ports::{
    model::embedding::{CatalogueEntry, EmbedError, Embedder, ModelCatalogue},
    progress::Progress,
};

use crate::download::{self, Order};
use crate::embedder::FastEmbedder;
use crate::engine::Engine;
use crate::files::{ModelFiles, Recipe, unavailable};
use crate::hub::{Hub, endpoint_from};
use crate::models::{Offer, Pin, offer, offers};
use crate::{runtime, thread};

/// The catalogue of available models. Creating it loads nothing and makes no request.
#[derive(Debug, Clone)]
pub struct FastEmbedCatalogue {
    resources: PathBuf,
    models_dir: PathBuf,
    endpoint: String,
    threads: usize,
    /// Replacement pins of offers.
    pins: Vec<(ModelId, Pin)>,
}

impl FastEmbedCatalogue {
    /// Creates a catalogue over the shipped resources (see [`resources_dir`](crate::resources_dir)) and the folder
    /// for downloaded models, which need not exist yet. The hub address comes from `$HF_ENDPOINT`, or is the default
    /// one.
    pub fn new(resources: PathBuf, models_dir: PathBuf) -> Self {
        Self {
            resources,
            models_dir,
            endpoint: endpoint_from(env::var("HF_ENDPOINT").ok()),
            threads: 1,
            pins: Vec::new(),
        }
    }

    /// Sets the number of threads per call for models loaded from now on. One thread leaves most capacity to other
    /// work; two threads suit bulk work that somebody waits for.
    #[must_use]
    pub fn with_threads(mut self, threads: usize) -> Self {
        self.threads = threads.max(1);
        self
    }

    /// Sets the hub address for downloads.
    #[must_use]
    pub fn with_endpoint(mut self, endpoint: impl Into<String>) -> Self {
        self.endpoint = endpoint_from(Some(endpoint.into()));
        self
    }

    /// Replaces the pinned files of the model `id`, for a hub with different files.
    #[must_use]
    pub fn with_pin(mut self, id: ModelId, pin: Pin) -> Self {
        self.pins.push((id, pin));
        self
    }

    fn offer(id: &ModelId) -> Result<&'static Offer, EmbedError> {
        offer(id).ok_or_else(|| EmbedError::Unavailable(format!("there is no model called {id}")))
    }

    /// The files of an offered model: the downloaded ones, or the shipped ones of a bundled model that was not
    /// downloaded.
    fn files(&self, offer: &Offer) -> Result<ModelFiles, EmbedError> {
        let downloaded = ModelFiles::find(&self.models_dir.join(offer.id), Some(offer.graph()));
        if !offer.bundled || downloaded.is_ok() {
            return downloaded
                .map_err(|_| EmbedError::Unavailable(format!("{} has not been downloaded yet", offer.id)));
        }
        let shipped = ModelFiles::find(&self.resources.join("models").join(offer.id), None);
        shipped.map_err(|error| match error {
            EmbedError::Unavailable(reason) => {
                EmbedError::Unavailable(format!("{reason} (in a source tree, run scripts/setup-model.sh)"))
            }
            other => other,
        })
    }

    /// Loads the model `id` from files on a separate thread, because loading takes a good part of a second.
    async fn start(
        &self,
        id: ModelId,
        files: ModelFiles,
        recipe: Recipe,
    ) -> Result<Arc<dyn Embedder>, EmbedError> {
        let (resources, threads) = (self.resources.clone(), self.threads);
        thread::run("load", move || {
            let environment = runtime::environment(&resources)?;
            let engine = Engine::load(&files, &recipe, threads, environment)?;
            let embedder: Arc<dyn Embedder> = Arc::new(FastEmbedder::new(id, recipe.prefixes, engine));
            Ok(embedder)
        })
        .await
    }
}

#[async_trait]
impl ModelCatalogue for FastEmbedCatalogue {
    fn entries(&self) -> Vec<CatalogueEntry> {
        offers().iter().map(Offer::entry).collect()
    }

    fn is_installed(&self, id: &ModelId) -> bool {
        offer(id).is_some_and(|offer| self.files(offer).is_ok())
    }

    async fn fetch(&self, id: &ModelId, progress: Arc<dyn Progress>) -> Result<(), EmbedError> {
        let offer = Self::offer(id)?;
        if self.files(offer).is_ok() {
            return Ok(());
        }
        let hub = Hub::new(self.endpoint.clone());
        let (staging, target) =
            (self.models_dir.join(".downloads").join(offer.id), self.models_dir.join(offer.id));
        let pin = self.pins.iter().find(|(other, _)| other == id).map_or(offer.pin, |(_, pin)| *pin);
        thread::run("fetch", move || {
            let order = Order { repository: offer.repository, pin, staging, target };
            download::carry_out(&order, &hub, progress.as_ref())
        })
        .await
    }

    async fn load_folder(&self, path: &Path) -> Result<Arc<dyn Embedder>, EmbedError> {
        let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        let files = ModelFiles::find(&path, None)?;
        let name =
            path.file_name().ok_or_else(|| unavailable(&path, "has no name"))?.to_string_lossy().into_owned();
        let recipe = files.recipe();
        let (files, print) =
            thread::run("load", move || files.fingerprint().map(|print| (files, print))).await?;
        // The fingerprint distinguishes models that replace each other in a folder, or are in folders of the same
        // name.
        self.start(ModelId::new(format!("folder:{name}@{print}")), files, recipe).await
    }

    async fn load(&self, id: &ModelId) -> Result<Arc<dyn Embedder>, EmbedError> {
        let offer = Self::offer(id)?;
        // Downloaded and shipped files are replaced as a whole and never written into.
        let files = self.files(offer)?.mapped();
        let embedder = self.start(offer.model_id(), files, offer.recipe()).await?;
        let dimension = embedder.model().dimension;
        if dimension != offer.dimension {
            let problem =
                format!("{} makes vectors of {dimension} numbers, not {}", offer.id, offer.dimension);
            return Err(EmbedError::Unavailable(problem));
        }
        Ok(embedder)
    }
}
