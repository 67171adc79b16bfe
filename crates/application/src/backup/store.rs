//! Copies of whole databases, and putting them back.

use inklings_domain::{audit::AuditEntry, backup::BackupId, ids::WorkspaceId};

use crate::store_error::StoreError;

/// One backup: copies of databases that belong together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BackupSet {
    /// Names it.
    pub id: BackupId,
    /// Its number: a later one has a higher one, whatever the clock says. 0 for all that were made before there were numbers.
    pub sequence: u64,
    /// Its size.
    pub bytes: u64,
    /// The workspaces in it, with the names that they had.
    pub workspaces: Vec<(WorkspaceId, String)>,
    /// True if the account is in it.
    pub account: bool,
    /// How many scrubs and purges the audit logs know of that it does not: putting it back brings back what they destroyed.
    /// Counted where backups are listed.
    pub scrubs_since: u64,
    /// What the last check said; `None` if it was not checked since it was made, and nothing was wrong with its texts then.
    pub ok: Option<bool>,
}

impl BackupSet {
    /// True if it holds the database of a workspace, or of the account.
    pub fn holds(&self, workspace: WorkspaceId) -> bool {
        if workspace == WorkspaceId::ACCOUNT {
            return self.account;
        }
        self.workspaces.iter().any(|(id, _)| *id == workspace)
    }
}

/// Which databases a backup is made of; the account's is always among them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BackupScope<'a> {
    /// Every workspace's.
    Everything,
    /// These workspaces'.
    Only(&'a [WorkspaceId]),
}

/// A database that cannot be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Damaged {
    /// Whose it is.
    pub workspace: WorkspaceId,
    /// Path within the data folder.
    pub file: String,
    /// The folder within the data folder into which it goes when a backup takes its place.
    pub quarantined: String,
}

/// Makes, checks, destroys and puts back backups of a data folder. Works also where a database is damaged.
#[async_trait::async_trait]
pub trait BackupStore: Send + Sync {
    /// Makes a backup: checked and flushed before it counts as one. The name of the one made may be a little later than the
    /// one asked for. A damaged workspace is left out.
    ///
    /// # Errors
    /// [`StoreError::Corrupt`] if the account's database is damaged, [`StoreError::DiskFull`]; nothing is left of it then.
    async fn make_backup(&self, id: BackupId, scope: BackupScope<'_>) -> Result<BackupSet, StoreError>;

    /// Every backup, the newest first. Damaged files that were set aside count with the one that was made then, and are
    /// listed alone where that is gone.
    async fn backups(&self) -> Result<Vec<BackupSet>, StoreError>;

    /// Copies of memory that an unfinished backup or restore keeps, as paths. Those whose owner is dead are removed first.
    async fn leftovers(&self) -> Result<Vec<String>, StoreError>;

    /// The backups whose copy of a database holds one of these entries, messages or facts, the newest first. A copy that
    /// cannot be read counts: what it holds is not known.
    async fn backups_holding(
        &self,
        workspace: WorkspaceId,
        ids: &[String],
    ) -> Result<Vec<BackupSet>, StoreError>;

    /// Reads a backup through and notes whether it is whole.
    ///
    /// # Errors
    /// [`StoreError::NotFound`] if there is none of this name.
    async fn check_backup(&self, id: BackupId) -> Result<BackupSet, StoreError>;

    /// Destroys a backup.
    ///
    /// # Errors
    /// [`StoreError::NotFound`] if there is none of this name.
    async fn remove_backup(&self, id: BackupId) -> Result<(), StoreError>;

    /// Destroys the damaged files that were set aside when a backup took their place; they are named after the backup of what
    /// was there. True if there were any.
    async fn remove_set_aside(&self, id: BackupId) -> Result<bool, StoreError>;

    /// Puts a backup back, whole or not at all, also if the process is killed in the middle. Backs up what is there first,
    /// under the name `before`; a damaged database goes to the quarantine instead. `entry` is put on record in every
    /// database that was put back, behind what the log there said until now. Whoever has one of them open finds the restored
    /// one in its place. Returns what was put back, and what was there.
    ///
    /// # Errors
    /// [`StoreError::NotFound`], [`StoreError::Corrupt`] if the backup is not whole, [`StoreError::NewerSchema`],
    /// [`StoreError::OlderSchema`],
    /// [`StoreError::Busy`] if others hold a database too long; nothing has changed then.
    async fn restore_backup(
        &self,
        id: BackupId,
        before: BackupId,
        entry: &AuditEntry,
    ) -> Result<(BackupSet, BackupSet), StoreError>;

    /// Puts an empty account's database in the place of one that is damaged or missing; what is there of it goes to the
    /// quarantine, named after `before`. `entry` is put on record behind what can still be read of its log. The workspaces
    /// that are there are listed again.
    ///
    /// # Errors
    /// [`StoreError::NotFound`] if the account's database is neither damaged nor missing; nothing has changed then.
    async fn begin_account_anew(&self, before: BackupId, entry: &AuditEntry) -> Result<(), StoreError>;

    /// Databases that are damaged or missing, as far as a look at each tells.
    async fn damaged_files(&self) -> Result<Vec<Damaged>, StoreError>;

    /// A number that moves on with every change of the open databases.
    async fn activity(&self) -> Result<u64, StoreError>;

    /// The folder of the backups, for people.
    fn backup_folder(&self) -> String;
}
