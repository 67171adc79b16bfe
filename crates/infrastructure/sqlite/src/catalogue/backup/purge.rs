//! Deletes a backup that the author purges, together with its row in the audit log, and a purged workspace in all backups.

use std::{fs, path::PathBuf};

use chrono::DateTime;
use inklings_domain::{
    audit::{AuditAct, AuditEntry},
    backup::BackupId,
    ids::WorkspaceId,
};
use inklings_ports::store_error::StoreError;
use serde::{Deserialize, Serialize};

use crate::{
    audit::recording_once,
    catalogue::{
        OpenDatabase, SqliteCatalogue,
        backup::sets::{MANIFEST, write_json},
    },
    connection::{copy::sync_folder, lock::FolderLock},
    error::DbResult,
};

/// A purge that has begun: what its audit row says besides the act and the backup.
#[derive(Serialize, Deserialize)]
struct Intent {
    manifest: String,
    operator: String,
    interface: String,
    /// Microseconds since 1970.
    at: i64,
}

impl Intent {
    fn of(entry: &AuditEntry) -> Self {
        Self {
            manifest: entry.manifest.clone(),
            operator: entry.operator.clone(),
            interface: entry.interface.to_string(),
            at: entry.at.timestamp_micros(),
        }
    }

    fn entry(self, scope: String) -> Option<AuditEntry> {
        Some(AuditEntry {
            act: AuditAct::PurgeBackup,
            scope,
            mode: None,
            manifest: self.manifest,
            operator: self.operator,
            interface: self.interface.parse().ok()?,
            at: DateTime::from_timestamp_micros(self.at)?,
        })
    }
}

fn scope_of(id: BackupId) -> String {
    format!("backup {id}")
}

impl SqliteCatalogue {
    /// Records the intent, then the audit row, then deletes. A kill after the first step leaves the rest to
    /// the next opening of the data folder, so a deletion is never without its row, nor a row without the
    /// deletion. So does a commit that fails: its row may be on the disk all the same.
    pub(super) async fn purge_set(&self, id: BackupId, entry: &AuditEntry) -> DbResult<()> {
        let account = {
            let mut open = self.open.lock().await;
            self.open_account(&mut open).await?
        };
        let _lock = self.backup_lock().await?;
        let is_there = |folder: PathBuf| self.layout.has_folder(&folder);
        if !is_there(self.set_folder(id))? && !is_there(self.set_aside(id))? {
            return Err(StoreError::NotFound("backup").into());
        }
        let entry = AuditEntry { act: AuditAct::PurgeBackup, scope: scope_of(id), ..entry.clone() };
        self.note(&self.layout.purging(), &id, &Intent::of(&entry))?;
        let recording = match recording_once(&account.db, &entry).await {
            Ok(recording) => recording,
            Err(error) => {
                self.forget_note(&self.layout.purging(), &id)?;
                return Err(error);
            }
        };
        recording.commit().await?;
        self.finish_purge(id)
    }

    /// Completes a purge that was interrupted. Does nothing while another process works on the backups.
    pub(in crate::catalogue) async fn resume_purge(
        &self,
        account: &OpenDatabase,
        id: BackupId,
    ) -> DbResult<()> {
        let Some(_lock) = self.try_backup_lock()? else { return Ok(()) };
        let path = self.layout.purging().join(id.to_string());
        let text = match inklings_files::read(&path) {
            // The process that held the lock has completed it.
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(()),
            text => text?,
        };
        let intent: Option<Intent> = serde_json::from_slice(&text).ok();
        let Some(entry) = intent.and_then(|intent| intent.entry(scope_of(id))) else {
            return Err(StoreError::Corrupt { file: self.layout.shown(&path) }.into());
        };
        recording_once(&account.db, &entry).await?.commit().await?;
        self.finish_purge(id)?;
        tracing::info!(backup = %id, "a purge that was cut off is done");
        Ok(())
    }

    /// Deletes the set and the quarantined files of the same name, then the intent.
    fn finish_purge(&self, id: BackupId) -> DbResult<()> {
        self.drop_set_aside(id)?;
        self.drop_set(id)?;
        self.forget_note(&self.layout.purging(), &id)
    }

    /// Removes a workspace that was purged from every set. The caller holds the lock of the backups.
    pub(in crate::catalogue) fn forget_in_backups(
        &self,
        _backups: &FolderLock,
        id: WorkspaceId,
    ) -> DbResult<()> {
        if !self.layout.has_folder(&self.sets())? {
            return Ok(());
        }
        let named = Some(id.to_string());
        // Also of a set that has its index of pages alone, which names no workspace, or whose manifest cannot be read.
        for set in self.list_sets()? {
            let folder = self.set_folder(set.id);
            if !self.layout.has_folder(&folder)? {
                continue;
            }
            let copies = folder.join("workspaces").join(id.to_string());
            if self.layout.has_folder(&copies)? {
                fs::remove_dir_all(&copies)?;
            }
            let manifest = self.manifest(set.id).ok();
            let holding =
                manifest.filter(|manifest| manifest.files.iter().any(|file| file.workspace == named));
            if let Some(mut manifest) = holding {
                manifest.files.retain(|file| file.workspace != named);
                write_json(&folder.join(MANIFEST), &manifest)?;
            }
            sync_folder(&folder)?;
        }
        Ok(())
    }

    /// Deletes the files that were quarantined when this backup was made, if there are any.
    fn drop_set_aside(&self, id: BackupId) -> DbResult<()> {
        let folder = self.set_aside(id);
        if self.layout.has_folder(&folder)? {
            fs::remove_dir_all(&folder)?;
            sync_folder(&self.layout.quarantine())?;
        }
        Ok(())
    }
}
