//! Checks the free space of a disk.

use std::path::Path;

use inklings_ports::store_error::StoreError;

use crate::{
    error::DbResult,
    layout::{size_of, with_suffix},
};

/// Bytes reserved for small writes, such as a row that records an operation.
const MARGIN: u64 = 1024 * 1024;

/// Free bytes on the disk of a folder; `None` if the system does not report it.
#[cfg(unix)]
fn free(folder: &Path) -> Option<u64> {
    let stat = rustix::fs::statvfs(folder).ok()?;
    Some(stat.f_bavail.saturating_mul(stat.f_frsize))
}

#[cfg(not(unix))]
fn free(_folder: &Path) -> Option<u64> {
    None
}

/// Checks that there is room to rewrite a database. Its pages go through the log, some of them twice in a
/// large transaction, and the log is checkpointed only afterwards.
///
/// # Errors
/// [`StoreError::NoRoom`] if there is not.
pub fn for_writing_anew(database: &Path) -> DbResult<()> {
    let log = size_of(&with_suffix(database, "-wal"));
    let needed = size_of(database).saturating_mul(2).saturating_sub(log).saturating_add(MARGIN);
    match free(database.parent().unwrap_or(database)) {
        Some(free) if free < needed => Err(StoreError::NoRoom { needed, free }.into()),
        _ => Ok(()),
    }
}

/// True if the disk of a database has room for small writes, or if its free space is unknown.
pub fn for_small_things(database: &Path) -> bool {
    free(database.parent().unwrap_or(database)).is_none_or(|free| free > MARGIN)
}
