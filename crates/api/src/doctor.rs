//! The self-check, made so that it also works on a folder that cannot be opened for use.

use std::path::PathBuf;

use inklings_application::workspace::catalogue::Catalogue;
use inklings_sqlite::SqliteCatalogue;
use serde::{Deserialize, Serialize};

use crate::error::CommandError;

/// One finding of the self-check.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Finding {
    /// Database, as a path relative to the data folder.
    pub file: String,
    /// Which check.
    pub check: String,
    /// What it found; "ok" when all is well.
    pub result: String,
    /// True when all is well.
    pub ok: bool,
}

/// Checks every database in a data folder: integrity, checksums, full-text index, foreign keys, versions. A file that is
/// damaged, of a newer release or none of ours is a finding. With `repair`, a full-text index that lost touch with its texts is
/// made anew.
///
/// # Errors
/// [`CommandError`] if the folder cannot be read at all, or cannot be written to repair it.
pub async fn examine(data_dir: PathBuf, repair: bool) -> Result<Vec<Finding>, CommandError> {
    if !data_dir.exists() {
        // Nothing to check, and a check is no reason to make a folder.
        return Ok(Vec::new());
    }
    let catalogue = SqliteCatalogue::new(data_dir);
    let findings = if repair { catalogue.repair().await? } else { catalogue.check().await? };
    Ok(findings
        .into_iter()
        .map(|found| Finding { file: found.file, check: found.check, result: found.result, ok: found.ok })
        .collect())
}
