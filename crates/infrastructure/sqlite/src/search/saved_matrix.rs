//! The copy of the matrix of entries beside the database, for the next start.
//!
//! The database is the truth. The copy has the change clock and the newest change set of the state that it was made from; a database
//! whose history has both is caught up from there. Any other copy, and a damaged one, is passed over: then all vectors are read. It is
//! made only where the unrounded vectors of a model do not fit into memory, since fewer are read fast enough.

use std::{fs, io, path::Path};

use sqlx::Row as _;
use tokio::task;

use super::{
    entry_vectors::EntryVectors,
    matrix::{
        Matrix,
        file::{self, SavedState},
    },
    refresh::Cursor,
};
use crate::{connection::Database, error::DbResult, layout::with_suffix, vector::kernels::Kernel};

/// What follows the name of the database in the name of the copy. A copy of another model is replaced.
const SUFFIX: &str = "-vectors";
/// The same, until the copy is complete.
const UNFINISHED: &str = "-vectors.new";
/// A copy is made anew when more than the `SHARE`th part of the entries changed since it was made.
const SHARE: i64 = 16;

impl EntryVectors {
    /// Takes the copy, if there is one of an earlier state of this database. Returns the position of that state in the changes.
    pub(super) async fn load_saved(&self, db: &Database) -> DbResult<Option<Cursor>> {
        let path = with_suffix(db.path(), SUFFIX);
        if !path.exists() {
            return Ok(None);
        }
        let now = state(db, self.index.model().as_str()).await?;
        let (wanted, whole_bytes) = (now.clone(), self.index.whole_bytes());
        let read = task::spawn_blocking(move || {
            file::read(&path, Kernel::detect(), |saved, bytes| {
                saved.model == wanted.model && saved.tick <= wanted.tick && bytes > whole_bytes
            })
        });
        let (matrix, saved) = match read.await.map_err(io::Error::other).flatten() {
            Ok(Some(read)) => read,
            Ok(None) => return Ok(None),
            Err(error) => {
                tracing::warn!(%error, "the copy of the vectors was not used");
                return Ok(None);
            }
        };
        if saved.change != now.change && !has_change(db, saved.change.as_deref()).await? {
            return Ok(None);
        }
        let cursor = Cursor::after(saved.tick, saved.epoch);
        *self.index.write() = Some(matrix);
        Ok(Some(cursor))
    }

    /// True if the matrix has as many entries as the database has with a vector.
    pub(super) async fn is_complete(&self, db: &Database) -> DbResult<bool> {
        let stored: i64 =
            sqlx::query_scalar("SELECT count(*) FROM memory_vectors WHERE workspace_id = ?1 AND model = ?2")
                .bind(db.workspace_id().to_string())
                .bind(self.index.model().as_str())
                .fetch_one(&db.reader())
                .await?;
        let loaded = self.index.read().as_ref().map_or(0, |matrix| matrix.seqs().count());
        Ok(i64::try_from(loaded).is_ok_and(|loaded| loaded == stored))
    }

    /// Makes the copy, unless there is a recent one, and removes one that is not needed. `saved` is the position that the last copy had. A failure is no error: the next
    /// start reads all vectors.
    pub(super) async fn save(&self, db: &Database, saved: Option<Cursor>) {
        let made = async {
            if !db.is_writable() {
                return Ok(());
            }
            if self.index.read().as_ref().is_none_or(Matrix::is_whole) {
                // One of a time when there were more entries, or of another file that a restore replaced.
                return Ok(remove_saved(db.path())?);
            }
            if let Some(saved) = saved
                && !is_old(db, saved).await?
            {
                return Ok(());
            }
            self.save_now(db).await
        };
        if let Err(error) = made.await {
            tracing::warn!(%error, "a copy of the vectors could not be made");
        }
    }

    async fn save_now(&self, db: &Database) -> DbResult<()> {
        let cursor = self.cursor.lock().await;
        let now = state(db, self.index.model().as_str()).await?;
        if cursor.is_none_or(|at| !at.is_level(now.tick, now.epoch)) {
            // Something was written meanwhile; a later start makes the copy.
            return Ok(());
        }
        let (index, epoch) = (self.index.clone(), now.epoch);
        let (unfinished, copy) = (with_suffix(db.path(), UNFINISHED), with_suffix(db.path(), SUFFIX));
        let written = task::spawn_blocking(move || -> io::Result<()> {
            let mut file =
                inklings_files::open(&unfinished, fs::OpenOptions::new().write(true).create(true))?;
            // Another process that makes the same copy holds the lock until it is done or dies.
            if file.try_lock().is_err() {
                return Ok(());
            }
            file.set_len(0)?;
            if let Some(matrix) = index.read().as_ref() {
                file::write(matrix, now, &mut file)?;
            }
            file.sync_all()?;
            fs::rename(&unfinished, &copy)
        });
        written.await.map_err(io::Error::other).flatten()?;
        drop(cursor);
        // A scrub may have removed the copy in between.
        if db.db_version().await?.epoch != epoch {
            remove_saved(db.path())?;
        }
        Ok(())
    }
}

/// Removes the copy beside a database: a scrub leaves no vectors of what it destroyed.
///
/// # Errors
/// The error of the file system.
pub fn remove_saved(database: &Path) -> io::Result<()> {
    for suffix in [SUFFIX, UNFINISHED] {
        match fs::remove_file(with_suffix(database, suffix)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
    }
    Ok(())
}

/// True if many entries changed since a position, or some were destroyed.
async fn is_old(db: &Database, saved: Cursor) -> DbResult<bool> {
    let row = sqlx::query(
        "SELECT (SELECT count(*) FROM memories WHERE change_seq > ?1) AS changed, \
                (SELECT count(*) FROM memories) AS entries, (SELECT epoch FROM change_clock) AS epoch",
    )
    .bind(saved.tick())
    .fetch_one(&db.reader())
    .await?;
    let (changed, entries): (i64, i64) = (row.try_get("changed")?, row.try_get("entries")?);
    Ok(changed > entries / SHARE || row.try_get::<i64, _>("epoch")? != saved.epoch())
}

/// The state of a database, for a copy of the vectors of a model.
async fn state(db: &Database, model: &str) -> DbResult<SavedState> {
    let row = sqlx::query(
        "SELECT tick, epoch, (SELECT id FROM journal ORDER BY sequence DESC LIMIT 1) AS change \
         FROM change_clock",
    )
    .fetch_one(&db.reader())
    .await?;
    let (tick, epoch) = (row.try_get("tick")?, row.try_get("epoch")?);
    Ok(SavedState { model: model.to_owned(), tick, epoch, change: row.try_get("change")? })
}

async fn has_change(db: &Database, change: Option<&str>) -> DbResult<bool> {
    let Some(change) = change else { return Ok(true) };
    let found =
        sqlx::query_scalar("SELECT EXISTS (SELECT 1 FROM journal WHERE workspace_id = ?1 AND id = ?2)")
            .bind(db.workspace_id().to_string())
            .bind(change)
            .fetch_one(&db.reader())
            .await?;
    Ok(found)
}
