//! Embedding models: what turns text into vectors, which ones there are, and how they get here.

use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

use inklings_domain::memory::embedding::{EmbeddingModel, ModelId};

/// Why there is no vector, or no model.
#[derive(Debug, thiserror::Error)]
pub enum EmbedError {
    /// The model is not installed.
    #[error("the embedding model is not available: {0}")]
    Unavailable(String),
    /// ONNX Runtime or the model file could not be loaded.
    #[error("the model library could not be loaded: {0}")]
    Library(String),
    /// The model failed on a text.
    #[error("the model could not embed a text: {0}")]
    Inference(String),
    /// The download broke off.
    #[error("the download failed: {0}")]
    Download(String),
    /// Somebody cancelled it.
    #[error("cancelled")]
    Cancelled,
}

/// Turns text into unit vectors. Shared between threads.
#[async_trait::async_trait]
pub trait Embedder: Send + Sync {
    /// The model whose vectors this makes; vectors of different models are never compared.
    fn model(&self) -> EmbeddingModel;

    /// The vector of something that is looked for.
    async fn embed_query(&self, text: &str) -> Result<Vec<f32>, EmbedError>;

    /// The vectors of texts that are stored, in the order given.
    async fn embed_documents(&self, texts: &[String]) -> Result<Vec<Vec<f32>>, EmbedError>;
}

/// A model that can be used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CatalogueEntry {
    /// Its id.
    pub id: ModelId,
    /// Its name for people.
    pub name: String,
    /// Components per vector.
    pub dimension: usize,
    /// Size on disk in MB.
    pub size_mb: u32,
    /// SPDX licence.
    pub license: String,
    /// Which languages it understands, for people.
    pub languages: String,
    /// What it is good for, in a sentence.
    pub description: String,
    /// True if it ships with the app.
    pub bundled: bool,
}

/// A model found on this machine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InstalledModel {
    /// Its id.
    pub id: ModelId,
    /// Components per vector.
    pub dimension: usize,
    /// Its folder.
    pub path: PathBuf,
}

/// Hears how a download goes, and can stop it.
pub trait DownloadProgress: Send + Sync {
    /// Bytes so far, of how many.
    fn report(&self, downloaded: u64, total: u64);

    /// True once the download should stop.
    fn cancelled(&self) -> bool;
}

/// The models there are, and how they get here.
#[async_trait::async_trait]
pub trait ModelCatalogue: Send + Sync {
    /// Every model on offer.
    fn entries(&self) -> Vec<CatalogueEntry>;

    /// True if it can be loaded without a download.
    fn is_installed(&self, id: &ModelId) -> bool;

    /// Downloads a model. Leaves nothing half there when it fails or is cancelled.
    async fn fetch(&self, id: &ModelId, progress: Arc<dyn DownloadProgress>) -> Result<(), EmbedError>;

    /// Checks a folder with a model in it and loads it, under the id `folder:<name>`.
    async fn load_folder(&self, path: &Path) -> Result<Arc<dyn Embedder>, EmbedError>;

    /// Loads an installed model.
    async fn load(&self, id: &ModelId) -> Result<Arc<dyn Embedder>, EmbedError>;
}
