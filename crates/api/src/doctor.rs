//! The self-check. It also works on a data folder that cannot be opened for use.

use std::path::PathBuf;

use inklings_ports::workspace::catalogue::Catalogue;
use inklings_sqlite::SqliteCatalogue;
use serde::{Deserialize, Serialize};

use crate::error::CommandError;

/// One finding of the self-check.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Finding {
    /// Path of the database relative to the data folder.
    pub file: String,
    /// Name of the check.
    pub check: String,
    /// Result of the check; "ok" if it passed.
    pub result: String,
    /// True if the check passed.
    pub ok: bool,
}

/// Checks every database in a data folder: integrity, checksums, full-text index, foreign keys, versions. A
/// file that is damaged, of a newer release or not an Inklings database is a finding. With `repair`, rebuilds
/// a full-text index that does not match its texts.
///
/// # Errors
/// [`CommandError`] if the folder cannot be read at all, or cannot be written during a repair.
pub async fn examine(data_dir: PathBuf, repair: bool) -> Result<Vec<Finding>, CommandError> {
    if !data_dir.exists() {
        // A check must not create the folder.
        return Ok(Vec::new());
    }
    let catalogue = SqliteCatalogue::new(data_dir);
    let findings = if repair { catalogue.repair().await? } else { catalogue.check().await? };
    Ok(findings
        .into_iter()
        .map(|found| Finding { file: found.file, check: found.check, result: found.result, ok: found.ok })
        .collect())
}
