//! Views of updates.

use serde::{Deserialize, Serialize};
use specta::Type;

/// Whether this build can look for updates, and where.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct UpdateStatus {
    /// The running version.
    pub version: String,
    /// The address that is asked; absent if updates are not set up.
    pub address: Option<String>,
}
