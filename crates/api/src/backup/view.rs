//! Views of backups.

use crate::vocabulary::mirror;
use inklings_domain as domain;
use serde::{Deserialize, Serialize};
use specta::Type;
use specta_typescript::Number;

mirror!(
    /// Reason for a backup.
    BackupReason = domain::backup::BackupReason {
        Activity, Asked, Migration, Import, Scrub, Run, Restore, Update,
    }
);

/// One backup.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct BackupView {
    pub id: String,
    pub at: String,
    pub reason: BackupReason,
    /// Size in bytes.
    #[specta(type = Number)]
    pub bytes: f64,
    /// Names of the workspaces that it contains.
    pub workspaces: Vec<String>,
    /// True if it contains the account.
    pub account: bool,
    /// Number of later scrubs; restoring the backup brings back the data that they destroyed.
    pub scrubs_since: u32,
    /// Result of the last check; absent if it was not checked since its creation.
    pub ok: Option<bool>,
}

impl BackupView {
    /// Number of later scrubs as text; `None` if there were none.
    pub fn scrubs_in_words(&self) -> Option<String> {
        (self.scrubs_since > 0).then(|| domain::backup::scrubs(self.scrubs_since.into()))
    }
}

mirror!(
    /// What happens to data that was scrubbed after a backup was made, when the backup is restored.
    ScrubbedData = inklings_application::backup::ScrubbedData {
        Refuse, ScrubFirst, BringBack,
    }
);

/// The list of backups.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct BackupList {
    /// Backups, newest first.
    pub rows: Vec<BackupView>,
    /// Total size in bytes.
    #[specta(type = Number)]
    pub bytes: f64,
    /// Size limit in bytes.
    #[specta(type = Number)]
    pub max_bytes: f64,
    /// Path of the backup folder.
    pub folder: String,
}

/// Result of a restore.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct Restored {
    pub restored: BackupView,
    /// Backup of the previous state, which can be restored too.
    pub before: BackupView,
}

/// Settings of automatic backups.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct BackupSettings {
    /// Minutes of activity between backups; 0 for never.
    pub every_minutes: u32,
    /// Size limit of all backups in megabytes.
    pub max_megabytes: u32,
}

/// A database that cannot be read.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct DamagedFile {
    /// Path within the data folder.
    pub file: String,
    /// True for the account's database.
    pub account: bool,
    /// Path to which it is moved when a backup replaces it.
    pub quarantined: String,
    /// The newest intact backup that contains it.
    pub newest: Option<BackupView>,
}
