//! Embedding models as they cross the boundary.

use serde::{Deserialize, Serialize};
use specta::Type;

/// How the embedding model is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "snake_case")]
pub enum ModelState {
    /// In use.
    Ready,
    /// Being loaded; text search works meanwhile.
    Loading,
    /// Not installed.
    Missing,
    /// Being downloaded.
    Downloading,
    /// It could not be loaded.
    Failed,
    /// None is chosen.
    TextOnly,
}

/// How search by meaning is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ModelStatus {
    /// How the model is.
    pub state: ModelState,
    /// Which model.
    pub active_id: Option<String>,
    /// What is wrong, for people.
    pub message: Option<String>,
    /// Entries with a vector of it.
    pub embedded: u32,
    /// Entries that wait for one.
    pub pending: u32,
}

/// A model on offer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ModelView {
    /// Its id.
    pub id: String,
    /// Its name for people.
    pub name: String,
    /// Components per vector.
    pub dimension: u32,
    /// Size on disk in MB.
    pub size_mb: u32,
    /// SPDX licence.
    pub license: String,
    /// Which languages it understands.
    pub languages: String,
    /// True if it ships with the app.
    pub bundled: bool,
    /// True if it needs no download.
    pub installed: bool,
    /// True if it is the one in use.
    pub active: bool,
    /// What it is good for.
    pub description: String,
}
