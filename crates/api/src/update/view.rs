//! Views of updates.

use serde::{Deserialize, Serialize};
use specta::Type;
use specta_typescript::Number;

/// Whether this build can look for updates, and where.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct UpdateStatus {
    /// The running version.
    pub version: String,
    /// The address that is asked; absent if updates are not set up.
    pub address: Option<String>,
}

/// Progress of the download of an update.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct UpdateStep {
    /// Bytes downloaded so far.
    #[specta(type = Number)]
    pub downloaded: f64,
    /// Total bytes; 0 if unknown.
    #[specta(type = Number)]
    pub total: f64,
}
