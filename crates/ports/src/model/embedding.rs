//! Ports of embedding models: creating vectors, and listing, downloading and loading models.

use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

use inklings_domain::memory::embedding::{Embedding, EmbeddingModel, ModelId};

use crate::progress::Progress;

/// Why an embedding or a model is not available.
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
    /// The download failed.
    #[error("the download failed: {0}")]
    Download(String),
    /// The operation was cancelled.
    #[error("cancelled")]
    Cancelled,
}

/// Embeds texts as unit vectors. Shared between threads.
#[async_trait::async_trait]
pub trait Embedder: Send + Sync {
    /// The model in use. Vectors of different models are never compared.
    fn model(&self) -> EmbeddingModel;

    /// The embedding of a search query.
    async fn embed_query(&self, text: &str) -> Result<Embedding, EmbedError>;

    /// The embeddings of stored texts, in the given order.
    async fn embed_documents(&self, texts: &[String]) -> Result<Vec<Embedding>, EmbedError>;
}

/// A model offered for use.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CatalogueEntry {
    pub id: ModelId,
    /// Display name.
    pub name: String,
    /// Components per vector.
    pub dimension: usize,
    /// Size on disk in MB.
    pub size_mb: u32,
    /// SPDX licence identifier.
    pub license: String,
    /// Supported languages, for display.
    pub languages: String,
    /// What it is suited for, in one sentence.
    pub description: String,
    /// True if it ships with the app.
    pub bundled: bool,
}

/// A model installed on this machine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InstalledModel {
    pub id: ModelId,
    /// Components per vector.
    pub dimension: usize,
    /// Folder of the model.
    pub path: PathBuf,
}

/// The available models, and their installation.
#[async_trait::async_trait]
pub trait ModelCatalogue: Send + Sync {
    /// All offered models.
    fn entries(&self) -> Vec<CatalogueEntry>;

    /// True if it can be loaded without a download.
    fn is_installed(&self, id: &ModelId) -> bool;

    /// Downloads a model. Leaves no partial files if it fails or is cancelled.
    async fn fetch(&self, id: &ModelId, progress: Arc<dyn Progress>) -> Result<(), EmbedError>;

    /// Validates a folder with a model and loads it, with the id `folder:<name>`.
    async fn load_folder(&self, path: &Path) -> Result<Arc<dyn Embedder>, EmbedError>;

    /// Loads an installed model.
    async fn load(&self, id: &ModelId) -> Result<Arc<dyn Embedder>, EmbedError>;
}
