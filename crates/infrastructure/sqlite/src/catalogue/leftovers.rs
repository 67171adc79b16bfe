//! Removes the files that killed processes left: unfinished copies of memory. Only copies without a living
//! owner are removed. Also lists the copies outside of the backups that remain.

use std::fs;

use inklings_domain::ids::WorkspaceId;

use super::{SqliteCatalogue, open::names_in};
use crate::{connection::copy::sync_folder, error::DbResult, layout::NURSERY};

impl SqliteCatalogue {
    /// Removes unfinished backups. The process that makes one holds the lock of the backups, so they have no
    /// owner while it is free.
    pub(super) fn clear_leftovers(&self) -> DbResult<()> {
        if self.unfinished_sets()?.is_empty() || !self.is_writable() {
            return Ok(());
        }
        self.layout.look_on_the_way(&self.sets())?;
        let Some(_lock) = self.try_backup_lock()? else { return Ok(()) };
        for name in self.unfinished_sets()? {
            fs::remove_dir_all(self.sets().join(name))?;
        }
        sync_folder(&self.sets())
    }

    fn unfinished_sets(&self) -> DbResult<Vec<String>> {
        Ok(names_in(&self.sets())?.into_iter().filter(|name| name.starts_with(NURSERY)).collect())
    }

    /// The paths of copies of a database outside of the backups: unfinished files, those of a running backup or restore; what is
    /// in quarantine; and what is in the trash, if it was deleted and put back since.
    pub(super) fn find_leftovers(&self, workspace: WorkspaceId) -> DbResult<Vec<String>> {
        if let Err(error) = self.clear_leftovers() {
            tracing::warn!(%error, "what a backup that was cut off left is still there");
        }
        let sets = self.unfinished_sets()?.into_iter().map(|name| self.sets().join(name));
        let restore = Some(self.layout.restoring()).filter(|folder| folder.exists());
        let aside = self.quarantined(workspace)?.into_iter().chain(self.trashed(workspace)?);
        Ok(sets.chain(restore).chain(aside).map(|path| path.display().to_string()).collect())
    }
}
