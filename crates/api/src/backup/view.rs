//! Backups as they cross the boundary.

use crate::vocabulary::mirror;
use inklings_domain as domain;
use serde::{Deserialize, Serialize};
use specta::Type;
use specta_typescript::Number;

mirror!(
    /// Why a backup was made.
    BackupReason = domain::backup::BackupReason {
        /// Something had been written for a while.
        Activity,
        /// The worldbuilder asked.
        Asked,
        /// Before a migration.
        Migration,
        /// Before an import.
        Import,
        /// Before a scrub.
        Scrub,
        /// Before a big run.
        Run,
        /// Before a restore.
        Restore,
    }
);

/// One backup.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct BackupView {
    /// Names it.
    pub id: String,
    /// When it was made.
    pub at: String,
    /// Why it was made.
    pub reason: BackupReason,
    /// Its size.
    #[specta(type = Number)]
    pub bytes: f64,
    /// Names of the workspaces in it.
    pub workspaces: Vec<String>,
    /// True if the account is in it.
    pub account: bool,
    /// How many scrubs were made since: putting it back brings back what they destroyed.
    pub scrubs_since: u32,
    /// What the last check said; absent if it was not checked since it was made.
    pub ok: Option<bool>,
}

impl BackupView {
    /// How many scrubs were made since, in words; nothing if there was none.
    pub fn scrubs_in_words(&self) -> Option<String> {
        (self.scrubs_since > 0).then(|| domain::backup::scrubs(self.scrubs_since.into()))
    }
}

/// Every backup.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct BackupList {
    /// The newest first.
    pub rows: Vec<BackupView>,
    /// Size of all of them.
    #[specta(type = Number)]
    pub bytes: f64,
    /// Size that they may have.
    #[specta(type = Number)]
    pub max_bytes: f64,
    /// Where they lie.
    pub folder: String,
}

/// What a restore did.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct Restored {
    /// What was put back.
    pub restored: BackupView,
    /// What was there before; can be put back too.
    pub before: BackupView,
}

/// When backups are made by themselves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct BackupSettings {
    /// Minutes of activity; 0: never.
    pub every_minutes: u32,
    /// Megabytes that all backups may have together.
    pub max_megabytes: u32,
}

/// A database that cannot be read.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct DamagedFile {
    /// Path within the data folder.
    pub file: String,
    /// True if it is the account's.
    pub account: bool,
    /// Where it is put when a backup takes its place.
    pub quarantined: String,
    /// The newest good backup that holds it.
    pub newest: Option<BackupView>,
}
