//! Deletes workspaces: moves them to the trash folder, and destroys them only on request.

use std::{
    fs,
    path::{Path, PathBuf},
};

use inklings_domain::{backup::BackupId, ids::WorkspaceId};
use inklings_ports::store_error::StoreError;
use serde::Serialize;
use sqlx::Connection;

use crate::catalogue::{
    OpenDatabase, SqliteCatalogue,
    backup::{
        restore::lock_to_move,
        sets::{Source, write_json},
    },
    open::{close, names_in},
    registry,
};
use crate::{
    connection::{copy::sync_folder, lock::FolderLock},
    error::DbResult,
    layout::holds_something,
};

impl SqliteCatalogue {
    /// Moves the folder to the trash, then unregisters the workspace. A kill in between leaves a registered
    /// workspace without a folder, which the next opening completes. With `purge`, also destroys everything
    /// of it in the trash and the quarantine, including remains of an earlier deletion. The intent is recorded first, so that
    /// the next opening completes that as well.
    pub(super) async fn remove(&self, id: WorkspaceId, purge: bool) -> DbResult<()> {
        // Before the other locks, as in a restore: whoever works on the backups may wait for those.
        let backups = if purge { Some(self.backup_lock().await?) } else { None };
        let mut open = self.open.lock().await;
        let account = self.open_account(&mut open).await?;
        let _lock = self.lock().await?;
        let there = registry::is_listed(&account.db, id).await? || self.has_folder(id);
        // A purge that failed midway can be asked for again.
        let begun = || fs::symlink_metadata(self.layout.purging().join(id.to_string())).is_ok();
        let remains =
            || DbResult::Ok(!self.trashed(id)?.is_empty() || !self.quarantined(id)?.is_empty() || begun());
        if !(there || (purge && remains()?)) {
            return Err(StoreError::NotFound("workspace").into());
        }
        close(&mut open, id).await;
        if purge {
            self.note(&self.layout.purging(), &id, &true)?;
        }
        let unlisted = self.unlist(&account, id).await;
        // A folder that could not be moved back is purged at the next opening, as was asked.
        if unlisted.is_err() && purge && self.has_folder(id) {
            self.forget_note(&self.layout.purging(), &id)?;
        }
        unlisted?;
        match backups {
            Some(backups) => self.purge(&backups, &account, id).await,
            None => Ok(()),
        }
    }

    /// Moves a folder to the trash and unregisters the workspace, or does neither.
    async fn unlist(&self, account: &OpenDatabase, id: WorkspaceId) -> DbResult<()> {
        let trashed = self.move_to_trash(account, id).await?;
        let removed = registry::remove(&account.db, id).await;
        if let (Err(_), Some(trashed)) = (&removed, trashed) {
            // For example on a full disk. A folder without a row would be registered again; a row without a
            // folder could not be opened.
            fs::rename(trashed, self.layout.workspace(id))?;
            sync_folder(&self.layout.workspaces())?;
        }
        removed
    }

    /// Destroys the data of a workspace in the trash, the backups and the quarantine.
    async fn purge(&self, backups: &FolderLock, account: &OpenDatabase, id: WorkspaceId) -> DbResult<()> {
        self.destroy(id)?;
        self.forget_in_backups(backups, id)?;
        self.drop_quarantined(id)?;
        forget_pages(account).await?;
        self.forget_note(&self.layout.purging(), &id)
    }

    /// Completes interrupted deletions. The caller holds the folder's lock. Failures are retried the next
    /// time.
    pub(super) async fn finish_deletions(&self, account: &OpenDatabase) {
        let finished = async {
            for row in registry::rows(&account.db).await? {
                if self.is_deleted(row.id)? {
                    registry::remove(&account.db, row.id).await?;
                    tracing::info!(workspace = %row.id, "a deletion that was cut off is done");
                }
            }
            for name in names_in(&self.layout.purging())? {
                if let Ok(id) = name.parse::<WorkspaceId>() {
                    self.unlist(account, id).await?;
                    let Some(backups) = self.try_backup_lock()? else { continue };
                    self.purge(&backups, account, id).await?;
                    tracing::info!(workspace = %id, "a purge that was cut off is done");
                } else if let Ok(id) = name.parse::<BackupId>() {
                    self.resume_purge(account, id).await?;
                }
            }
            DbResult::Ok(())
        };
        if let Err(error) = finished.await {
            tracing::warn!(%error, "a deletion that was cut off is not finished yet");
        }
    }

    /// True if its folder is in the trash, even if it is still registered.
    pub(super) fn is_deleted(&self, id: WorkspaceId) -> DbResult<bool> {
        Ok(!self.has_folder(id) && !self.trashed(id)?.is_empty())
    }

    pub(super) fn has_folder(&self, id: WorkspaceId) -> bool {
        fs::symlink_metadata(self.layout.workspace(id)).is_ok()
    }

    /// Records the start of an operation on a workspace or a backup in a folder, so that the next opening of
    /// the data folder completes it.
    pub(super) fn note<T: Serialize>(&self, folder: &Path, id: &impl ToString, content: &T) -> DbResult<()> {
        inklings_files::folder(folder)?;
        fs::create_dir_all(folder)?;
        write_json(&folder.join(id.to_string()), content)?;
        sync_folder(self.layout.root())
    }

    /// Removes the record of a completed operation.
    pub(super) fn forget_note(&self, folder: &Path, id: &impl ToString) -> DbResult<()> {
        fs::remove_file(folder.join(id.to_string()))?;
        if names_in(folder)?.is_empty() {
            fs::remove_dir(folder)?;
        }
        sync_folder(self.layout.root())
    }

    /// Returns the new path of the folder; `None` if there was no folder.
    async fn move_to_trash(&self, account: &OpenDatabase, id: WorkspaceId) -> DbResult<Option<PathBuf>> {
        let folder = self.layout.workspace(id);
        if !self.layout.has_folder(&folder)? {
            return Ok(None);
        }
        inklings_files::folder(&self.layout.trash())?;
        fs::create_dir_all(self.layout.trash())?;
        let time: String = sqlx::query_scalar("SELECT strftime('%Y%m%dT%H%M%fZ', 'now')")
            .fetch_one(&account.db.reader())
            .await?;
        let trashed = self.layout.trash().join(format!("{id}-{}", time.replace('.', "")));
        let mut held = Vec::new();
        for source in Source::of_workspace(id) {
            let path = self.place_of(&source)?;
            if !holds_something(&path) {
                continue;
            }
            match lock_to_move(&path, &source).await {
                Ok(conn) => held.push(conn),
                // Nothing writes to a damaged file. On a full disk the lock may need room, which the deletion
                // frees.
                Err(error) if error.is_damage() || error.is_full() => {}
                Err(error) => return Err(error),
            }
        }
        if cfg!(windows) {
            // Windows cannot rename an open file, so no other process has it open either.
            held.clear();
        }
        fs::rename(&folder, &trashed)?;
        for mut conn in held {
            // The file in the trash should be complete without its log. If the checkpoint fails, the log
            // stays beside it.
            for statement in ["ROLLBACK", "PRAGMA wal_checkpoint"] {
                let _ = sqlx::raw_sql(statement).execute(&mut conn).await;
            }
            // SQLite notices that the file has moved and does not touch the log.
            let _ = conn.close().await;
        }
        sync_folder(&self.layout.workspaces())?;
        sync_folder(&self.layout.trash())?;
        Ok(Some(trashed))
    }

    /// The trash folders of a workspace.
    pub(super) fn trashed(&self, id: WorkspaceId) -> DbResult<Vec<PathBuf>> {
        let prefix = format!("{id}-");
        let names = names_in(&self.layout.trash())?.into_iter().filter(|name| name.starts_with(&prefix));
        Ok(names.map(|name| self.layout.trash().join(name)).collect())
    }

    fn destroy(&self, id: WorkspaceId) -> DbResult<()> {
        for path in self.trashed(id)? {
            // Does not follow links: removes a link inside, not its target.
            fs::remove_dir_all(path)?;
        }
        // An empty trash folder would suggest that something was deleted.
        if names_in(&self.layout.trash()).is_ok_and(|names| names.is_empty()) && self.layout.trash().exists()
        {
            fs::remove_dir(self.layout.trash())?;
        }
        sync_folder(self.layout.root())
    }
}

/// Checkpoints the log, so that old page images with the name are removed.
async fn forget_pages(account: &OpenDatabase) -> DbResult<()> {
    account.db.truncate_log().await
}
