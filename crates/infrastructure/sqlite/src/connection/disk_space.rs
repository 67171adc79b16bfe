//! How much room a disk has.

use std::path::Path;

use inklings_application::store_error::StoreError;

use crate::{
    error::DbResult,
    layout::{beside, size_of},
};

/// What is left for small things, e.g. a row that says what was done.
const MARGIN: u64 = 1024 * 1024;

/// Bytes that can still be written to the disk of a folder; `None` where the system does not say.
#[cfg(unix)]
fn free(folder: &Path) -> Option<u64> {
    let stat = rustix::fs::statvfs(folder).ok()?;
    Some(stat.f_bavail.saturating_mul(stat.f_frsize))
}

#[cfg(not(unix))]
fn free(_folder: &Path) -> Option<u64> {
    None
}

/// Refuses to begin to write a database anew where there is no room for it: its pages go through the log, some of them twice
/// in a large transaction, and what the log holds is folded in only afterwards.
///
/// # Errors
/// [`StoreError::NoRoom`].
pub fn for_writing_anew(database: &Path) -> DbResult<()> {
    let log = size_of(&beside(database, "-wal"));
    let needed = size_of(database).saturating_mul(2).saturating_sub(log).saturating_add(MARGIN);
    match free(database.parent().unwrap_or(database)) {
        Some(free) if free < needed => Err(StoreError::NoRoom { needed, free }.into()),
        _ => Ok(()),
    }
}

/// True if there is room for small things on the disk of a database, or it is not known how much there is.
pub fn for_small_things(database: &Path) -> bool {
    free(database.parent().unwrap_or(database)).is_none_or(|free| free > MARGIN)
}
