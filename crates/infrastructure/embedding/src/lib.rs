//! Local embeddings: the model catalogue, downloads, and inference through ONNX Runtime. Implements the application's
//! ports `Embedder` and `ModelCatalogue`.
//!
//! The crate makes no network requests of its own accord. Its only requests are downloads through
//! [`FastEmbedCatalogue`]'s `fetch`.

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
mod word_vectors;

pub use catalogue::FastEmbedCatalogue;
pub use models::{BUNDLED, Pin, PinnedFile};
pub use resources::{library_path, resources_dir};
