//! Versions of an entry, and restoring an earlier version.

use inklings_domain::{ids::MemoryId, memory::change_set::Action, provenance::Actor};
use inklings_ports::memory::store::HistoryVersion;

use super::write::WrittenEntry;
use crate::{error::AppError, services::Memories};

impl Memories<'_> {
    /// All versions of an entry, newest first.
    ///
    /// # Errors
    /// [`AppError::NoMemory`] if there is none with this id.
    pub async fn history(&self, id: MemoryId) -> Result<Vec<HistoryVersion>, AppError> {
        let entry = self.session.entry(id).await?.entry;
        Ok(self.session.ports(entry.scope()).store.history(id).await?)
    }

    /// Writes an earlier version again as a new version.
    ///
    /// # Errors
    /// [`AppError::Stale`] if the entry is not at `current_version`; [`AppError::NotFound`] for an unknown version.
    pub async fn restore_version(
        &self,
        id: MemoryId,
        version: u64,
        current_version: u64,
        actor: Actor,
    ) -> Result<WrittenEntry, AppError> {
        let current = self.session.entry_at(id, current_version).await?;
        let history = self.session.ports(current.entry.scope()).store.history(id).await?;
        let earlier = history
            .into_iter()
            .find(|item| item.entry.version == version)
            .ok_or_else(|| AppError::NotFound { what: "version", name: version.to_string() })?;
        let stamp = self.session.stamp(actor);
        let next = current.next(current.entry.reverted_to(&earlier.entry, stamp)?);
        self.commit_next(stamp, Action::Revert, next, Vec::new()).await
    }
}
