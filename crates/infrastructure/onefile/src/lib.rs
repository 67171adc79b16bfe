//! A memory in one file (seed 003): notes and archives, found by name or by words, without a database beside it.
//!
//! Everything is in memory while the file is open. A write is a list of the closed operations ([`Operation`]); it either
//! happens whole or not at all, and once it has happened the file holds it: the new snapshot is written beside the old
//! one, forced to the disk, and put in its place. A process that is killed leaves the old file or the new one, never a
//! part. One process at a time has a file open for writing.

mod error;
mod index;
mod snapshot;
mod state;

use std::{
    fs::{File, OpenOptions, TryLockError},
    path::{Path, PathBuf},
};

use chrono::{DateTime, Utc};

pub use crate::{
    error::{OneFileError, Refusal},
    index::{B, K1, tokens},
    snapshot::{MAX_FILE_BYTES, VERSION},
    state::{Applied, Entry, EntryId, Kind, Operation},
};
use crate::{snapshot::Place, state::State};

/// An entry that a search found.
#[derive(Debug, Clone, PartialEq)]
pub struct Hit {
    /// The entry.
    pub entry: Entry,
    /// Its BM25 score, above 0; only good to compare with others of the same search.
    pub score: f64,
}

/// One memory, open.
#[derive(Debug)]
pub struct OneFileMemory {
    place: Place,
    state: State,
    /// Held while it is open; `None` if it is open for reading alone. The system lets go of it when the process dies.
    lock: Option<File>,
}

impl OneFileMemory {
    /// Opens a memory. Where there is no file yet the memory is empty, and the first write makes the file.
    ///
    /// # Errors
    /// [`OneFileError::Busy`] if another process has it open; otherwise what is wrong with the file, which is left as
    /// it is.
    pub fn open(path: &Path) -> Result<Self, OneFileError> {
        let place = Place::of(path)?;
        let lock = lock(place.lock())?;
        let state = place.read()?;
        Ok(Self { place, state, lock: Some(lock) })
    }

    /// Opens a memory for reading alone: as it is at this moment, whoever else has it open.
    ///
    /// # Errors
    /// What is wrong with the file.
    pub fn open_to_read(path: &Path) -> Result<Self, OneFileError> {
        let place = Place::of(path)?;
        let state = place.read()?;
        Ok(Self { place, state, lock: None })
    }

    /// The file.
    pub fn path(&self) -> &Path {
        self.place.file()
    }

    /// Does all of these operations, in order, or none; what happened to each comes back. `at` is the time that new
    /// entries get.
    ///
    /// # Errors
    /// [`OneFileError::Refused`] naming the operation (from 0) that cannot be done, [`OneFileError::Io`] if the file
    /// cannot be written. The memory and the file are as they were then.
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

    /// The entry that goes by a name or an alias, regardless of case.
    pub fn resolve(&self, name: &str) -> Option<&Entry> {
        self.state.resolve(name)
    }

    /// The entry with an id.
    pub fn get(&self, id: EntryId) -> Option<&Entry> {
        self.state.get(id)
    }

    /// Every entry, the oldest first.
    pub fn entries(&self) -> impl Iterator<Item = &Entry> {
        self.state.entries()
    }

    /// How many entries there are.
    pub fn len(&self) -> usize {
        self.state.len()
    }

    /// True if there is no entry.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Every entry that holds a word of the query in its content or its name, the best first (BM25; ties by age, the
    /// oldest first). Where to cut off is the caller's choice. Aliases lead to an entry ([`Self::resolve`]); they are
    /// not searched.
    pub fn search(&self, query: &str) -> Vec<Hit> {
        let ranked = self.state.index().search(query);
        let hit = |(id, score)| self.get(id).map(|entry| Hit { entry: entry.clone(), score });
        ranked.into_iter().filter_map(hit).collect()
    }
}

fn lock(path: PathBuf) -> Result<File, OneFileError> {
    let file = OpenOptions::new().create(true).truncate(false).write(true).open(path)?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(OneFileError::Busy),
        Err(TryLockError::Error(error)) => Err(error.into()),
    }
}
