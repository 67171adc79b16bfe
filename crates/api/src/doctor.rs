//! The self-check, made so that it also works on a folder that cannot be opened for use.

use std::path::PathBuf;

use inklings_application::ports::catalogue::Catalogue;
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

/// Checks every database in a data folder: integrity, full-text index, foreign keys, versions. A file that is
/// damaged, of a newer release or none of ours is a finding.
///
/// # Errors
/// [`CommandError`] if the folder cannot be read at all.
pub async fn examine(data_dir: PathBuf) -> Result<Vec<Finding>, CommandError> {
    if !data_dir.exists() {
        // Nothing to check, and a check is no reason to make a folder.
        return Ok(Vec::new());
    }
    let findings = SqliteCatalogue::new(data_dir).check().await?;
    Ok(findings
        .into_iter()
        .map(|found| Finding { file: found.file, check: found.check, result: found.result, ok: found.ok })
        .collect())
}
