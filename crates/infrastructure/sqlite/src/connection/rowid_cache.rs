//! Caches id → rowid lookups.
//!
//! Finding an entry by rowid takes half the time of finding it by id. A rowid never changes and is never
//! reused, unless rows are destroyed: then an entry may return under another rowid.

use std::{
    collections::HashMap,
    sync::{Mutex, PoisonError},
};

use inklings_domain::ids::MemoryId;

/// Number of entries at which the cache is cleared: about 6 megabytes.
const MOST: usize = 150_000;

/// The cached rowids of one database. They may be stale: then a lookup by rowid finds nothing, and the caller
/// has to look up the id.
#[derive(Debug, Default)]
pub struct RowidCache(Mutex<Cached>);

#[derive(Debug, Default)]
struct Cached {
    /// The change clock's epoch of the cached rowids; it increases when rows are destroyed.
    epoch: i64,
    seqs: HashMap<MemoryId, i64>,
}

impl RowidCache {
    /// The rowids of these entries, where they are cached.
    pub fn of(&self, ids: &[MemoryId]) -> Vec<Option<i64>> {
        let cache = self.lock();
        ids.iter().map(|id| cache.seqs.get(id).copied()).collect()
    }

    /// Caches rowids that were read in this epoch.
    pub fn learn(&self, epoch: i64, read: impl ExactSizeIterator<Item = (MemoryId, i64)>) {
        let mut cache = self.lock();
        if epoch < cache.epoch {
            return;
        }
        if epoch > cache.epoch || cache.seqs.len() + read.len() > MOST {
            *cache = Cached { epoch, ..Cached::default() };
        }
        cache.seqs.extend(read);
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Cached> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    #[test]
    fn rowids_read_before_a_deletion_are_discarded() {
        let [a, b] = [1, 2].map(|n| MemoryId::from_uuid(Uuid::from_u128(n)));
        let numbers = RowidCache::default();
        numbers.learn(3, [(a, 7)].into_iter());
        assert_eq!(numbers.of(&[b, a]), [None, Some(7)]);
        numbers.learn(4, [(b, 8)].into_iter());
        assert_eq!(numbers.of(&[b, a]), [Some(8), None]);
        numbers.learn(3, [(a, 7)].into_iter());
        assert_eq!(numbers.of(&[a]), [None], "a read that began earlier and came later");
    }
}
