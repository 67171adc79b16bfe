//! Copies databases before operations that could damage them.

use std::{
    fs,
    path::{Path, PathBuf},
};

use inklings_ports::store_error::StoreError;
use sqlx::{ConnectOptions, Connection};

use crate::{
    connection::{base, connect, file_name},
    error::DbResult,
};

/// Copies a file of an older schema into `backups/` beside it, before its migration. An existing copy of this
/// version (from a failed migration) is kept, because it is the older state.
///
/// # Errors
/// If no checked copy could be made; the migration must not start then.
pub async fn before_migration(path: &Path, version: i64) -> DbResult<()> {
    let folder = path.with_file_name("backups");
    inklings_files::folder(&folder)?;
    fs::create_dir_all(&folder)?;
    let target = folder.join(before_migration_name(path, version));
    if target.exists() {
        return Ok(());
    }
    copy(path, &target).await
}

/// The file name of the copy of a version.
pub fn before_migration_name(path: &Path, version: i64) -> String {
    let stem = path.file_stem().map_or_else(String::new, |stem| stem.to_string_lossy().into_owned());
    format!("{stem}-v{version}.db")
}

/// Copies a database, including its log, to a file that does not exist yet. The copy is written under another
/// name, flushed, checked, then renamed. So a file with the final name is always complete.
///
/// # Errors
/// A SQLite or file system error; no partial copy remains then.
pub async fn copy(source: &Path, target: &Path) -> DbResult<()> {
    let part = part_of(target);
    remove_if_there(&part)?;
    let made = make(source, &part).await;
    if made.is_err() {
        remove_if_there(&part)?;
    }
    made?;
    fs::rename(&part, target)?;
    if let Some(folder) = target.parent() {
        sync_folder(folder)?;
    }
    Ok(())
}

async fn make(source: &Path, part: &Path) -> DbResult<()> {
    let mut conn = base(source)?.connect().await?;
    let text = part.to_str().ok_or_else(|| StoreError::Refused("the path is not valid text".into()))?;
    sqlx::query("VACUUM INTO ?").bind(text.to_owned()).execute(&mut conn).await?;
    conn.close().await?;
    // `VACUUM INTO` does not sync its output.
    inklings_files::sync(part)?;
    check(part).await
}

/// Checks the integrity of a whole copy.
///
/// # Errors
/// [`StoreError::Corrupt`] if it is damaged.
pub async fn check(path: &Path) -> DbResult<()> {
    // Copies are never written to, and the check must not create a log beside one.
    let mut conn = connect(&base(path)?.read_only(true).immutable(true)).await?;
    let result: String = sqlx::query_scalar("PRAGMA integrity_check(1)").fetch_one(&mut conn).await?;
    conn.close().await?;
    if result == "ok" { Ok(()) } else { Err(StoreError::Corrupt { file: file_name(path) }.into()) }
}

fn part_of(target: &Path) -> PathBuf {
    let mut name = target.as_os_str().to_owned();
    name.push(".part");
    PathBuf::from(name)
}

fn remove_if_there(path: &Path) -> DbResult<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(error.into()),
        _ => Ok(()),
    }
}

/// Makes a rename or removal in a folder durable. Windows has no such call and needs none.
///
/// # Errors
/// A file system error.
pub fn sync_folder(folder: &Path) -> DbResult<()> {
    Ok(inklings_files::sync_folder(folder)?)
}
