//! Port for making and restoring copies of whole databases.

use inklings_domain::{audit::AuditEntry, backup::BackupId, ids::WorkspaceId, scrub::ScrubTarget};

use crate::store_error::StoreError;

/// One backup: a consistent set of database copies.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BackupSet {
    /// Identifies the backup.
    pub id: BackupId,
    /// Creation order: a later backup has a higher number, whatever the clock says. 0 for backups made before
    /// numbering.
    pub sequence: u64,
    /// Size in bytes.
    pub bytes: u64,
    /// The paths of the databases in it, within the data folder. A damaged database is not in it.
    pub files: Vec<String>,
    /// The workspaces in it, with their names at the time of the backup.
    pub workspaces: Vec<(WorkspaceId, String)>,
    /// True if the account database is in it.
    pub account: bool,
    /// Number of scrubs and purges in the current audit logs that are missing from the backup's own logs.
    /// Restoring it brings back what they destroyed. Computed when backups are listed.
    pub scrubs_since: u64,
    /// Result of the last check; `None` if it was not checked since it was made and its texts were intact
    /// then.
    pub ok: Option<bool>,
}

impl BackupSet {
    /// True if it contains the database of this workspace, or of the account.
    pub fn holds(&self, workspace: WorkspaceId) -> bool {
        if workspace == WorkspaceId::ACCOUNT {
            return self.account;
        }
        self.workspaces.iter().any(|(id, _)| *id == workspace)
    }

    /// True if it contains all of these databases, named by their paths within the data folder.
    pub fn holds_all(&self, files: &[String]) -> bool {
        files.iter().all(|file| self.files.contains(file))
    }
}

/// The databases that a backup includes. The account's is always included.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BackupScope<'a> {
    /// All workspaces.
    Everything,
    /// Only these workspaces.
    Only(&'a [WorkspaceId]),
}

/// A database that cannot be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Damaged {
    /// The workspace, or the account, that it belongs to.
    pub workspace: WorkspaceId,
    /// Path within the data folder.
    pub file: String,
    /// Quarantine folder, relative to the data folder. The file is moved there when a backup replaces it.
    pub quarantined: String,
}

/// Makes, checks, deletes and restores backups of a data folder. Also works if a database is damaged.
#[async_trait::async_trait]
pub trait BackupStore: Send + Sync {
    /// Makes a backup. It becomes visible only after it was checked and flushed. The id of the result may be
    /// slightly later than `id`. Damaged workspaces are left out.
    ///
    /// # Errors
    /// [`StoreError::Corrupt`] if the account's database is damaged, [`StoreError::DiskFull`]; the partial
    /// backup is removed then.
    async fn make_backup(&self, id: BackupId, scope: BackupScope<'_>) -> Result<BackupSet, StoreError>;

    /// Lists all backups, newest first. Quarantined files are grouped with the backup made at the same time;
    /// if that backup is gone, they are listed on their own.
    async fn backups(&self) -> Result<Vec<BackupSet>, StoreError>;

    /// Paths of copies of a database outside of the backups: those that an unfinished backup or restore left behind, of any
    /// database, those in quarantine and those in the trash. Unfinished copies whose owning process has died are removed
    /// first.
    async fn leftovers(&self, workspace: WorkspaceId) -> Result<Vec<String>, StoreError>;

    /// Backups whose copy of a database contains any of the rows of a scrub, newest first: entries, messages or facts that it
    /// names, or what belongs to its conversation, also if that was deleted here before. An unreadable copy counts,
    /// because its contents are unknown.
    async fn backups_holding(
        &self,
        workspace: WorkspaceId,
        target: &ScrubTarget,
        ids: &[String],
    ) -> Result<Vec<BackupSet>, StoreError>;

    /// Verifies a backup and records whether it is intact.
    ///
    /// # Errors
    /// [`StoreError::NotFound`] if no backup has this id.
    async fn check_backup(&self, id: BackupId) -> Result<BackupSet, StoreError>;

    /// Deletes a backup permanently.
    ///
    /// # Errors
    /// [`StoreError::NotFound`] if no backup has this id.
    async fn remove_backup(&self, id: BackupId) -> Result<(), StoreError>;

    /// Deletes a backup permanently, with the damaged files that were quarantined when it was made, and
    /// appends `entry` to the account's audit log: both or neither, also if the process is killed.
    ///
    /// # Errors
    /// [`StoreError::NotFound`] if no backup has this id; one of opening the account.
    async fn purge_backup(&self, id: BackupId, entry: &AuditEntry) -> Result<(), StoreError>;

    /// Restores a backup atomically, also if the process is killed during the restore. First backs up the
    /// current state as `before`; a damaged database is moved to the quarantine instead. Appends `entry` to
    /// the audit log of every restored database, after the log rows from before the restore. Open connections
    /// see the restored database. Returns the restored backup and the backup of the previous state.
    ///
    /// # Errors
    /// [`StoreError::NotFound`], [`StoreError::Corrupt`] if the backup is not intact,
    /// [`StoreError::NewerSchema`], [`StoreError::OlderSchema`], [`StoreError::Busy`] if other processes hold
    /// a database too long. Nothing has changed then.
    async fn restore_backup(
        &self,
        id: BackupId,
        before: BackupId,
        entry: &AuditEntry,
    ) -> Result<(BackupSet, BackupSet), StoreError>;

    /// Like [`Self::restore_backup`], but first repeats on the copies the scrubs that the current audit logs record since
    /// the backup, so that nothing that they destroyed comes back. The backup itself stays as it is.
    ///
    /// # Errors
    /// As [`Self::restore_backup`]; [`StoreError::Refused`] if it is not known what a scrub destroyed, because the
    /// current audit log or the key of the fingerprints cannot be read. Nothing has changed then.
    async fn restore_scrubbed(
        &self,
        id: BackupId,
        before: BackupId,
        entry: &AuditEntry,
    ) -> Result<(BackupSet, BackupSet), StoreError>;

    /// Replaces a damaged or missing account database with an empty one. Moves what is left of the old one to
    /// the quarantine, named after `before`. Appends `entry` after the log rows that can still be read.
    /// Registers the existing workspaces again.
    ///
    /// # Errors
    /// [`StoreError::NotFound`] if the account's database is neither damaged nor missing; nothing has changed then.
    async fn begin_account_anew(&self, before: BackupId, entry: &AuditEntry) -> Result<(), StoreError>;

    /// Rebuilds the full-text indexes that differ from their texts, also of databases in use. Changes no text. Returns
    /// their number. Damaged databases are left out.
    ///
    /// # Errors
    /// [`StoreError::ReadOnly`], [`StoreError::DiskFull`], or another error of a database. Indexes before it are rebuilt.
    async fn rebuild_indexes(&self) -> Result<u64, StoreError>;

    /// Databases that are damaged or missing. A quick check, not a full verification.
    async fn damaged_files(&self) -> Result<Vec<Damaged>, StoreError>;

    /// A counter of each open workspace and of the account, which grows with every change.
    async fn activity(&self) -> Result<Vec<(WorkspaceId, u64)>, StoreError>;

    /// Path of the backup folder, for display.
    fn backup_folder(&self) -> String;
}
