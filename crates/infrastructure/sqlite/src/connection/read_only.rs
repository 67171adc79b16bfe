//! How to read a database that cannot be written, be it for its rights or for want of room.

use std::{fmt::Write as _, fs::OpenOptions, io::ErrorKind, path::Path, time::Duration};

use inklings_application::store_error::StoreError;
use sqlx::{ConnectOptions, Connection, sqlite::SqliteConnectOptions};

use crate::{
    connection::base,
    error::{CANTOPEN, DbError, DbResult},
    layout::{beside, holds_something},
};

/// A connection that failed is closed by a thread of its own, and until then another one of this process goes by what that one
/// knew of the file: so often, and after such pauses, is it tried without shared memory.
const ATTEMPTS: u32 = 50;
const PAUSE: Duration = Duration::from_millis(10);

/// How to read a file that cannot be written.
///
/// # Errors
/// Whatever SQLite says, or one that tells what lies there.
pub async fn read_only_options(path: &Path) -> DbResult<SqliteConnectOptions> {
    Ok(way_of_reading(path).await?.0)
}

/// The same, and whether each connection reads the log on its own. A write-ahead log needs a file of shared memory beside it,
/// which takes room. Where that cannot be made and nothing is in the log, the file alone is the whole truth and is read as
/// immutable. With something in the log, e.g. after a power cut, each connection keeps its index of the log to itself, as
/// SQLite does with shared memory that it may only read (ADR 20); it notices when somebody writes again.
pub async fn way_of_reading(path: &Path) -> DbResult<(SqliteConnectOptions, bool)> {
    let options = base(path)?.read_only(true);
    let error = match try_reading(&options).await {
        Ok(()) => return Ok((options, false)),
        Err(error) if cannot_share(&error) || error.is_full() => error,
        Err(error) => return Err(error),
    };
    if !has_pending_log(path) {
        return Ok((options.immutable(true), false));
    }
    // If that fails too, what could not be made is what is told.
    let Ok(alone) = without_shared_memory(path, &options) else { return Err(error) };
    for _ in 0..ATTEMPTS {
        if try_reading(&alone).await.is_ok() {
            return Ok((alone, true));
        }
        tokio::time::sleep(PAUSE).await;
    }
    Err(error)
}

async fn try_reading(options: &SqliteConnectOptions) -> DbResult<()> {
    let mut conn = options.clone().connect().await?;
    let read = sqlx::query("SELECT count(*) FROM sqlite_schema").fetch_one(&mut conn).await;
    let closed = conn.close().await;
    read?;
    Ok(closed?)
}

fn without_shared_memory(path: &Path, options: &SqliteConnectOptions) -> DbResult<SqliteConnectOptions> {
    // SQLite wants the file to be there. An empty one takes no room.
    let shared = beside(path, "-shm");
    match inklings_files::open(&shared, OpenOptions::new().write(true).create_new(true)) {
        Err(error) if error.kind() != ErrorKind::AlreadyExists => return Err(error.into()),
        _ => {}
    }
    let text = path.to_str().ok_or_else(|| StoreError::Refused("the path is not valid text".into()))?;
    let mut address = "file:".to_owned();
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() {
            address.push(char::from(byte));
        } else {
            let _ = write!(address, "%{byte:02X}");
        }
    }
    address.push_str("?readonly_shm=1");
    Ok(options.clone().filename(address))
}

/// True if SQLite could not make or use what it needs beside a file.
pub fn cannot_share(error: &DbError) -> bool {
    // CANTOPEN, or READONLY in one of its extended forms (no shared memory, no recovery, read-only folder).
    error.code().is_some_and(|code| matches!(code & 0xff, CANTOPEN | 8))
}

fn has_pending_log(path: &Path) -> bool {
    holds_something(&beside(path, "-wal"))
}
