//! Views of embedding models.

use serde::{Deserialize, Serialize};
use specta::Type;
use specta_typescript::Number;

/// State of the embedding model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "snake_case")]
pub enum ModelState {
    /// Loaded and in use.
    Ready,
    /// Being loaded; full-text search works meanwhile.
    Loading,
    /// Not installed.
    Missing,
    /// Being downloaded.
    Downloading,
    /// Loading failed.
    Failed,
    /// No model is chosen: full-text search only.
    TextOnly,
}

/// Status of vector search.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ModelStatus {
    pub state: ModelState,
    /// Id of the model in use or chosen.
    pub active_id: Option<String>,
    /// True if the workspace in use chose it for itself; false if it follows the account.
    pub own: bool,
    /// Error message for users.
    pub message: Option<String>,
    /// Number of entries with a vector of this model.
    pub embedded: u32,
    /// Number of entries that wait for a vector.
    pub pending: u32,
}

/// A model that can be chosen.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ModelView {
    /// Catalogue id of the model.
    pub id: String,
    /// Display name.
    pub name: String,
    /// Components per vector.
    pub dimension: u32,
    /// Size on disk in MB.
    pub size_mb: u32,
    /// SPDX licence identifier.
    pub license: String,
    /// Supported languages.
    pub languages: String,
    /// True if it ships with the app.
    pub bundled: bool,
    /// True if it needs no download.
    pub installed: bool,
    /// True if it is in use.
    pub active: bool,
    /// Description of its strengths for users.
    pub description: String,
}

/// State of a model download.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "snake_case")]
pub enum ModelProgressState {
    /// Under way.
    Downloading,
    Done,
    /// Stopped by an error.
    Failed,
    /// Cancelled by the worldbuilder.
    Cancelled,
}

/// Progress of a model download.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct DownloadProgress {
    /// Catalogue id of the model.
    pub model_id: String,
    /// Bytes downloaded so far.
    #[specta(type = Number)]
    pub downloaded: f64,
    /// Total bytes; 0 if unknown.
    #[specta(type = Number)]
    pub total: f64,
    pub state: ModelProgressState,
    /// Error message for users.
    pub message: Option<String>,
}
