//! Embeddings on this machine: the catalogue of models, their download, and the provider that runs them
//! through ONNX Runtime. The application's ports `Embedder` and `ModelCatalogue` are what others see.
//!
//! Absent on purpose: network traffic of its own. The only request ever made is the download that was asked
//! for by [`FastEmbedCatalogue`]'s `fetch`.

mod batches;
mod cache;
mod catalogue;
mod download;
mod embedder;
mod engine;
mod files;
mod hub;
mod models;
mod resources;
mod runtime;
mod thread;

pub use catalogue::FastEmbedCatalogue;
pub use models::{BUNDLED, Pin, PinnedFile};
pub use resources::{library_path, resources_dir};
