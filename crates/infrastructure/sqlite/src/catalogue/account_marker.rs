//! Records whether a folder has held an account database. If it has, a missing or empty database is damage
//! and not a first start. Also replaces a damaged account database by an empty one at the user's request, for
//! users without a backup.

use inklings_domain::{audit::AuditEntry, backup::BackupId};
use inklings_ports::store_error::StoreError;

use crate::catalogue::{
    SqliteCatalogue,
    backup::sets::{Source, write_json},
    open::names_in,
};
use crate::{
    error::DbResult,
    layout::{holds_something, with_suffix},
};

impl SqliteCatalogue {
    /// True if there is a trace of an account database: the marker written on its creation, workspaces,
    /// trash, backups, or a log without its database.
    pub(super) fn has_account_trace(&self) -> DbResult<bool> {
        let file = self.layout.account();
        let orphaned = !holds_something(&file) && holds_something(&with_suffix(&file, "-wal"));
        if orphaned || self.layout.account_marker().exists() || !self.folders()?.is_empty() {
            return Ok(true);
        }
        if !names_in(&self.layout.trash())?.is_empty() {
            return Ok(true);
        }
        Ok(self.list_sets()?.iter().any(|set| set.account))
    }

    /// Records that an account database exists from now on. The caller holds the folder's lock.
    pub(super) fn mark_account(&self) -> DbResult<()> {
        let marker = self.layout.account_marker();
        if marker.exists() { Ok(()) } else { write_json(&marker, &true) }
    }

    /// Moves the damaged account database and its log to quarantine, and creates an empty one in its place.
    /// The new one continues what can still be read of the audit log and of the scrub fingerprints.
    pub(super) async fn begin_anew(&self, before: BackupId, entry: &AuditEntry) -> DbResult<()> {
        let _backups = self.backup_lock().await?;
        let mut open = self.open.lock().await;
        let _lock = self.lock().await?;
        self.finish_restore().await?;
        let source = Source::account();
        let held = open.account.as_ref().map(|account| &*account.db);
        if !self.is_damaged(&source, held).await? {
            return Err(StoreError::NotFound("damaged account database").into());
        }
        let sources = [source];
        let staged = self.stage_empty(&sources, self.free_id(before)?, entry).await;
        self.put_in_place(staged, &mut open, &sources, Vec::new()).await
    }

    /// This id, or the next one that names neither a backup nor a quarantine folder.
    pub(super) fn free_id(&self, mut id: BackupId) -> DbResult<BackupId> {
        let taken: Vec<BackupId> = self.list_sets()?.into_iter().map(|set| set.id).collect();
        while taken.contains(&id) {
            id = id.later();
        }
        Ok(id)
    }
}
