//! Deleting a workspace: off to the trash folder first, destroyed only when asked to.

use std::{fs, path::PathBuf};

use inklings_application::ports::error::StoreError;
use inklings_domain::ids::WorkspaceId;

use super::{
    OpenDatabase, SqliteCatalogue,
    open::{close, names_in},
    registry,
};
use crate::{backup::sync_folder, error::DbResult, layout::refuse_link};

impl SqliteCatalogue {
    /// Moves the folder, then takes it off the list. A kill in between leaves a listed workspace without a
    /// folder, which the next call finishes. With `purge`, everything of it in the trash goes too, also what an
    /// earlier deletion left there.
    pub(super) async fn remove(&self, id: WorkspaceId, purge: bool) -> DbResult<()> {
        let mut open = self.open.lock().await;
        let account = self.open_account(&mut open).await?;
        let _lock = self.lock().await?;
        let listed = registry::find(&account.db, id).await?.is_some();
        if !listed && (!purge || self.trashed(id)?.is_empty()) {
            return Err(StoreError::NotFound("workspace").into());
        }
        close(&mut open, id).await;
        self.move_to_trash(&account, id).await?;
        registry::remove(&account.db, id).await?;
        if purge {
            self.destroy(id)?;
            self.forget_in_backups(id).await?;
            forget_pages(&account).await?;
        }
        Ok(())
    }

    async fn move_to_trash(&self, account: &OpenDatabase, id: WorkspaceId) -> DbResult<()> {
        let folder = self.layout.workspace(id);
        refuse_link(&self.layout.workspaces())?;
        refuse_link(&folder)?;
        if !folder.exists() {
            return Ok(());
        }
        refuse_link(&self.layout.trash())?;
        fs::create_dir_all(self.layout.trash())?;
        let time: String = sqlx::query_scalar("SELECT strftime('%Y%m%dT%H%M%fZ', 'now')")
            .fetch_one(&account.db.reader())
            .await?;
        fs::rename(&folder, self.layout.trash().join(format!("{id}-{}", time.replace('.', ""))))?;
        sync_folder(&self.layout.workspaces())?;
        sync_folder(&self.layout.trash())
    }

    /// What lies in the trash of a workspace.
    fn trashed(&self, id: WorkspaceId) -> DbResult<Vec<PathBuf>> {
        let prefix = format!("{id}-");
        let names = names_in(&self.layout.trash())?.into_iter().filter(|name| name.starts_with(&prefix));
        Ok(names.map(|name| self.layout.trash().join(name)).collect())
    }

    fn destroy(&self, id: WorkspaceId) -> DbResult<()> {
        for path in self.trashed(id)? {
            // Does not follow links: a link inside is removed, not what it points to.
            fs::remove_dir_all(path)?;
        }
        // An empty trash folder would say that something was there.
        if fs::read_dir(self.layout.trash()).is_ok_and(|mut entries| entries.next().is_none()) {
            fs::remove_dir(self.layout.trash())?;
        }
        sync_folder(self.layout.root())
    }
}

/// Folds the log into the file, so that the name's old page images go with it.
async fn forget_pages(account: &OpenDatabase) -> DbResult<()> {
    account.db.truncate_log().await
}
