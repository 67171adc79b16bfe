//! Chooses how to read a database that cannot be written, for lack of permission or of room.

use std::{fmt::Write as _, fs::OpenOptions, io::ErrorKind, path::Path, time::Duration};

use inklings_ports::store_error::StoreError;
use sqlx::{
    ConnectOptions, Connection, SqliteConnection,
    sqlite::{SqliteConnectOptions, SqliteLockingMode},
};

use crate::{
    connection::{ATTEMPT_TIMEOUT, base},
    error::{CANTOPEN, DbError, DbResult},
    layout::{holds_something, with_suffix},
};

/// Number of attempts without shared memory, and the pause between them. A failed connection is closed by its
/// own thread, and until then other connections of this process share its state of the file.
const ATTEMPTS: u32 = 50;
const PAUSE: Duration = Duration::from_millis(10);
/// SQLite's file access without locks.
const NO_LOCKS: &str = if cfg!(windows) { "win32-none" } else { "unix-none" };

/// Connects to a file to read it, also where it cannot be written.
///
/// # Errors
/// A SQLite error, or one that names a file of the wrong kind.
pub async fn connect_to_read(path: &Path) -> DbResult<SqliteConnection> {
    Ok(open_to_read(path).await?.0)
}

/// The options to read a file that cannot be written, and whether each connection has a private index of the log.
pub async fn way_of_reading(path: &Path) -> DbResult<(SqliteConnectOptions, bool)> {
    let (conn, options, has_private_log_index) = open_to_read(path).await?;
    conn.close().await?;
    Ok((options, has_private_log_index))
}

/// A connection that has read the schema, and what [`way_of_reading`] returns. A write-ahead log needs a shared-memory file
/// beside it, which takes room. If that file cannot be created and the log is empty, the database file is complete and is
/// opened as immutable. If the log is not empty, e.g. after a power cut, each connection keeps a private index of the log,
/// as SQLite does with read-only shared memory (ADR 20). It notices later writes. Where even an empty file for shared memory
/// cannot be created, e.g. in a copy on a read-only disk, it does the same without locks, and notices none.
async fn open_to_read(path: &Path) -> DbResult<(SqliteConnection, SqliteConnectOptions, bool)> {
    let options = base(path)?.read_only(true);
    let error = match try_reading(&options).await {
        Ok(conn) => return Ok((conn, options, false)),
        Err(error) if cannot_share(&error) || error.is_full() => error,
        Err(error) => return Err(error),
    };
    if !has_pending_log(path) {
        let options = options.immutable(true);
        return Ok((try_reading(&options).await?, options, false));
    }
    let unshared = match without_shared_memory(path, &options.clone().busy_timeout(ATTEMPT_TIMEOUT)) {
        Ok(unshared) => unshared,
        Err(_) => without_locks(options),
    };
    // If this fails too, the first error is reported, because it is the cause.
    for _ in 0..ATTEMPTS {
        if let Ok(conn) = try_reading(&unshared).await {
            return Ok((conn, unshared, true));
        }
        tokio::time::sleep(PAUSE).await;
    }
    Err(error)
}

/// A connection that could read.
async fn try_reading(options: &SqliteConnectOptions) -> DbResult<SqliteConnection> {
    let mut conn = options.clone().connect().await?;
    match sqlx::query("SELECT count(*) FROM sqlite_schema").fetch_one(&mut conn).await {
        Ok(_) => Ok(conn),
        Err(error) => {
            // The error of the read is the cause.
            let _ = conn.close().await;
            Err(error.into())
        }
    }
}

fn without_shared_memory(path: &Path, options: &SqliteConnectOptions) -> DbResult<SqliteConnectOptions> {
    // SQLite requires the file to exist. An empty one takes no room.
    let shared = with_suffix(path, "-shm");
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

/// An exclusive connection keeps the index of the log in its own memory. It needs a write lock, which a file opened for reading
/// does not give.
fn without_locks(options: SqliteConnectOptions) -> SqliteConnectOptions {
    options.vfs(NO_LOCKS).locking_mode(SqliteLockingMode::Exclusive)
}

/// True if SQLite could not create or use the files that it needs beside a database.
pub fn cannot_share(error: &DbError) -> bool {
    // CANTOPEN, or READONLY in one of its extended forms (no shared memory, no recovery, read-only folder).
    error.code().is_some_and(|code| matches!(code & 0xff, CANTOPEN | 8))
}

fn has_pending_log(path: &Path) -> bool {
    holds_something(&with_suffix(path, "-wal"))
}
