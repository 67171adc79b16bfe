//! A memory in one file: notes and archives, found by name or by full-text search, without a separate database.
//!
//! All data is in RAM while the file is open. A write is a list of operations ([`Operation`]) and is atomic and
//! durable: the new snapshot is written beside the old one, flushed to the disk, and renamed over it. After a crash,
//! the file is the old or the new snapshot, never a part. Only one process at a time can open a file for writing; others
//! wait for it.

mod entry_id;
mod error;
mod index;
mod snapshot;
mod state;

use std::{
    fs::{File, OpenOptions, TryLockError},
    path::{Path, PathBuf},
    thread,
    time::Duration,
};

use chrono::{DateTime, Utc};

pub use crate::{
    entry_id::EntryId,
    error::{OneFileError, Refusal},
    index::{B, K1, tokens},
    snapshot::{MAX_FILE_BYTES, VERSION},
    state::{Applied, Entry, Kind, Operation},
};
use crate::{snapshot::Place, state::State};

/// Longest wait for a memory that another process has open. A write takes milliseconds.
pub const WAIT: Duration = Duration::from_secs(30);
/// Interval between two attempts to open it.
const ATTEMPT_EVERY: Duration = Duration::from_millis(10);

/// A search result.
#[derive(Debug, Clone, PartialEq)]
pub struct Hit {
    /// The entry found.
    pub entry: Entry,
    /// BM25 score above 0; comparable only within one search.
    pub score: f64,
}

/// An open memory.
#[derive(Debug)]
pub struct OneFileMemory {
    place: Place,
    state: State,
    /// Held while the memory is open; `None` if it is read-only. The operating system releases it when the process
    /// ends.
    lock: Option<File>,
}

impl OneFileMemory {
    /// Opens a memory. If the file does not exist, the memory is empty, and the first write creates the file. Blocks up to
    /// `wait` while another process has it open.
    ///
    /// # Errors
    /// [`OneFileError::Busy`] if another process still has it open then; otherwise the problem with the file, which is left
    /// unchanged.
    pub fn open(path: &Path, wait: Duration) -> Result<Self, OneFileError> {
        let place = Place::of(path)?;
        let lock = lock(place.lock(), wait)?;
        let state = place.read()?;
        Ok(Self { place, state, lock: Some(lock) })
    }

    /// Opens the current state of a memory read-only, even if another process has it open.
    ///
    /// # Errors
    /// The problem with the file.
    pub fn open_to_read(path: &Path) -> Result<Self, OneFileError> {
        let place = Place::of(path)?;
        let state = place.read()?;
        Ok(Self { place, state, lock: None })
    }

    /// The path of the file.
    pub fn path(&self) -> &Path {
        self.place.file()
    }

    /// Applies all operations in order, or none, and returns the result of each. `at` is the creation time of new
    /// entries.
    ///
    /// # Errors
    /// [`OneFileError::Refused`] with the index of the operation (from 0), or [`OneFileError::Io`] if the file cannot
    /// be written. In both cases the memory and the file stay unchanged.
    pub fn apply(
        &mut self,
        operations: &[Operation],
        at: DateTime<Utc>,
    ) -> Result<Vec<Applied>, OneFileError> {
        if self.lock.is_none() {
            return Err(OneFileError::ReadOnly);
        }
        let mut next = self.state.clone();
        let mut done = Vec::with_capacity(operations.len());
        for (index, operation) in operations.iter().enumerate() {
            let applied = next.apply(operation, at);
            done.push(applied.map_err(|refusal| OneFileError::Refused { index, refusal })?);
        }
        if !operations.is_empty() {
            self.place.write(&next)?;
            self.state = next;
        }
        Ok(done)
    }

    /// The entry with a name or an alias, regardless of case.
    pub fn resolve(&self, name: &str) -> Option<&Entry> {
        self.state.resolve(name)
    }

    /// The entry with an id.
    pub fn get(&self, id: EntryId) -> Option<&Entry> {
        self.state.get(id)
    }

    /// All entries, oldest first.
    pub fn entries(&self) -> impl Iterator<Item = &Entry> {
        self.state.entries()
    }

    /// Number of entries.
    pub fn len(&self) -> usize {
        self.state.len()
    }

    /// True if there is no entry.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Every entry that contains a word of the query in its content or name, best first (BM25; ties by age, oldest
    /// first). The caller decides where to cut off. Aliases are not searched; they are resolved by [`Self::resolve`].
    pub fn search(&self, query: &str) -> Vec<Hit> {
        let ranked = self.state.index().search(query);
        let hit = |(id, score)| self.get(id).map(|entry| Hit { entry: entry.clone(), score });
        ranked.into_iter().filter_map(hit).collect()
    }
}

fn lock(path: PathBuf, wait: Duration) -> Result<File, OneFileError> {
    let file = OpenOptions::new().create(true).truncate(false).write(true).open(path)?;
    let mut left = wait;
    loop {
        match file.try_lock() {
            Ok(()) => return Ok(file),
            Err(TryLockError::WouldBlock) if left.is_zero() => return Err(OneFileError::Busy),
            Err(TryLockError::WouldBlock) => {
                let step = left.min(ATTEMPT_EVERY);
                thread::sleep(step);
                left -= step;
            }
            Err(TryLockError::Error(error)) => return Err(error.into()),
        }
    }
}
