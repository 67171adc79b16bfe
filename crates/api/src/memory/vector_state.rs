//! Entries as a run or an undo left them, with the stored state of their vectors.

use std::collections::HashMap;

use inklings_application::session::Session;
use inklings_domain::{ids::MemoryId, memory::MemoryEntry};
use inklings_ports::memory::store::StoredEntry;

use crate::error::CommandError;

/// Combines entries with the stored state of their vectors.
pub(crate) async fn with_vector_state(
    session: &Session,
    entries: Vec<MemoryEntry>,
) -> Result<Vec<StoredEntry>, CommandError> {
    let ids: Vec<MemoryId> = entries.iter().map(|entry| entry.id).collect();
    let stored = session.entries(&ids).await?.into_iter();
    let mut vectors: HashMap<MemoryId, Option<String>> =
        stored.map(|stored| (stored.entry.id, stored.embedded_by)).collect();
    let with_vector =
        |entry: MemoryEntry| StoredEntry { embedded_by: vectors.remove(&entry.id).flatten(), entry };
    Ok(entries.into_iter().map(with_vector).collect())
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    #[tokio::test]
    async fn entries_of_a_run_are_returned_with_the_state_of_their_vector() {
        let folder = tempfile::tempdir().expect("a folder");
        let catalogue = Arc::new(inklings_sqlite::SqliteCatalogue::new(folder.path().to_owned()));
        let world = inklings_application::testing::world::World::on(catalogue).await;
        let with = world.write(inklings_domain::scope::Place::Workspace, "The gate is iron.").await;
        world.embed().await;
        let without = world.write(inklings_domain::scope::Place::Account, "Likes tea.").await;
        // The state that the run left, not the current state.
        let mut entries = vec![world.entry(with).await, world.entry(without).await];
        entries[0].content = "The gate was iron.".into();
        let stored = with_vector_state(&world.session, entries.clone()).await.expect("read");
        assert_eq!(stored.iter().map(|s| s.entry.clone()).collect::<Vec<_>>(), entries);
        assert_eq!(stored.iter().map(|s| s.embedded_by.is_some()).collect::<Vec<_>>(), [true, false]);
    }
}
