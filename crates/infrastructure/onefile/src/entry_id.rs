//! Numbers of entries.

use serde::{Deserialize, Serialize};

/// The number of an entry. Numbers rise and are never reused, even after a removal or after closing the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct EntryId(pub u64);
