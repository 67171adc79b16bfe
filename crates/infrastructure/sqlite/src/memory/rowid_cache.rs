//! Under which row number an entry stands, as far as reads have come upon it.
//!
//! By its number an entry is found in half the time that it takes by its id. The number never changes, and no other entry
//! ever gets it, as long as nothing is destroyed: then an entry may come back under another one.

use std::{
    collections::HashMap,
    sync::{Mutex, PoisonError},
};

use inklings_domain::ids::MemoryId;

/// Numbers kept before all are given up: a few megabytes.
const MOST: usize = 50_000;

/// The row numbers of one database. They may be out of date: whoever looks for an entry by its number finds none then,
/// and has to look for its id.
#[derive(Debug, Default)]
pub struct RowidCache(Mutex<Cached>);

#[derive(Debug, Default)]
struct Cached {
    /// How often rows had been destroyed by then.
    epoch: i64,
    seqs: HashMap<MemoryId, i64>,
}

impl RowidCache {
    /// The row numbers of these entries, where they are known.
    pub fn of(&self, ids: &[MemoryId]) -> Vec<Option<i64>> {
        let kept = self.lock();
        ids.iter().map(|id| kept.seqs.get(id).copied()).collect()
    }

    /// Keeps what was read when rows had been destroyed this often.
    pub fn learn(&self, epoch: i64, read: impl ExactSizeIterator<Item = (MemoryId, i64)>) {
        let mut kept = self.lock();
        if epoch < kept.epoch {
            return;
        }
        if epoch > kept.epoch || kept.seqs.len() + read.len() > MOST {
            *kept = Cached { epoch, ..Cached::default() };
        }
        kept.seqs.extend(read);
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
    fn what_was_read_before_rows_were_destroyed_is_given_up() {
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
