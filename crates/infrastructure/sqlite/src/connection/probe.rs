//! Inspects a file before it is opened, so that a third-party, damaged or newer file stays unchanged.

use std::{
    collections::{BTreeMap, HashSet},
    io::{ErrorKind, Read},
    path::Path,
    sync::{Arc, Mutex, PoisonError},
};

use inklings_domain::ids::WorkspaceId;
use inklings_ports::store_error::StoreError;
use sqlx::{Connection, SqliteConnection};

use crate::{
    connection::{file_name, read_only::connect_to_read},
    error::{DbError, DbResult},
    migrate::{self, Schema, WORKSPACE, WORLD},
};

const MAGIC: &[u8; 16] = b"SQLite format 3\0";

/// The schema version of a file; `None` if it is missing or empty.
///
/// # Errors
/// [`StoreError::Corrupt`] if it is no database of this kind, [`StoreError::NewerSchema`] if it is of a newer
/// release, [`StoreError::OlderSchema`] if it is of a release that is no longer supported,
/// [`DbError::OtherWorkspace`] if it is another workspace's, [`DbError::ForeignSchema`] if a workspace's file holds a
/// trigger or view that is not ours.
pub async fn version_of(path: &Path, schema: &Schema, workspace: WorkspaceId) -> DbResult<Option<i64>> {
    let file = file_name(path);
    let corrupt = || StoreError::Corrupt { file: file.clone() };
    match header(path)? {
        Header::Absent => return Ok(None),
        Header::Other => return Err(corrupt().into()),
        Header::Sqlite => {}
    }
    // Read-only, because closing a writing connection would checkpoint the log.
    let mut conn = connect_to_read(path).await?;
    let application_id: i64 = sqlx::query_scalar("PRAGMA application_id").fetch_one(&mut conn).await?;
    let version: i64 = sqlx::query_scalar("PRAGMA user_version").fetch_one(&mut conn).await?;
    let objects: i64 = sqlx::query_scalar("SELECT count(*) FROM sqlite_schema").fetch_one(&mut conn).await?;
    let ours = application_id == schema.application_id
        && (schema.oldest_version()..=schema.version()).contains(&version);
    let owned = if ours { refuse_other_owner(&mut conn, workspace).await } else { Ok(()) };
    conn.close().await?;
    owned?;
    if application_id == 0 && version == 0 && objects == 0 {
        // Created by a process that was killed before its first migration.
        return Ok(None);
    }
    if application_id != schema.application_id || version < 1 {
        return Err(corrupt().into());
    }
    if version > schema.version() {
        return Err(StoreError::NewerSchema { file, found: version, supported: schema.version() }.into());
    }
    if version < schema.oldest_version() {
        return Err(StoreError::OlderSchema { file, found: version, oldest: schema.oldest_version() }.into());
    }
    Ok(Some(version))
}

/// Refuses a file that names another workspace as its owner, or holds a trigger or view that is not ours. The
/// account's file names no owner: it has its own application id.
///
/// # Errors
/// [`DbError::OtherWorkspace`], [`DbError::ForeignSchema`], or a SQLite error.
pub async fn refuse_other_owner(conn: &mut SqliteConnection, workspace: WorkspaceId) -> DbResult<()> {
    if workspace == WorkspaceId::ACCOUNT {
        return Ok(());
    }
    let owner: Option<String> =
        sqlx::query_scalar("SELECT workspace_id FROM meta").fetch_optional(&mut *conn).await?;
    // A file without an owner is accepted here. Callers that need an owner check for it.
    if owner.is_some_and(|owner| owner != workspace.to_string()) {
        return Err(DbError::OtherWorkspace);
    }
    refuse_unexpected_schema(conn).await
}

/// Refuses triggers and views that no version of ours has made. Whatever else differs is harmless while the file is
/// open, and `doctor` tells of it.
async fn refuse_unexpected_schema(conn: &mut SqliteConnection) -> DbResult<()> {
    let application_id: i64 = sqlx::query_scalar("PRAGMA application_id").fetch_one(&mut *conn).await?;
    let version: i64 = sqlx::query_scalar("PRAGMA user_version").fetch_one(&mut *conn).await?;
    let schema = [&WORKSPACE, &WORLD].into_iter().find(|schema| schema.application_id == application_id);
    // A file of another version is refused or converted by others, who look at all of it.
    let Some(schema) = schema.filter(|schema| (schema.first_version..=schema.version()).contains(&version))
    else {
        return Ok(());
    };
    let found = migrate::acting(conn).await?;
    if version == schema.version() {
        // Almost every file. Making a model of the schema takes longer than opening the file.
        let newest: HashSet<&str> = schema.statements().collect();
        if found.iter().all(|object| newest.contains(migrate::statement(object))) {
            return Ok(());
        }
    }
    let ours = our_acting(schema, version).await?;
    let is_ours = migrate::comparable(&found).iter().all(|object| ours.contains(object));
    if is_ours { Ok(()) } else { Err(DbError::ForeignSchema) }
}

/// The triggers and views of our schemas by application id and version, as [`migrate::comparable`] has them.
static OURS: Mutex<BTreeMap<(i64, i64), Objects>> = Mutex::new(BTreeMap::new());

type Objects = Arc<Vec<String>>;

async fn our_acting(schema: &Schema, version: i64) -> DbResult<Objects> {
    let key = (schema.application_id, version);
    let known = OURS.lock().unwrap_or_else(PoisonError::into_inner).get(&key).cloned();
    if let Some(known) = known {
        return Ok(known);
    }
    let mut model = migrate::fresh(schema, version).await?;
    let ours = Arc::new(migrate::comparable(&migrate::acting(&mut model).await?));
    model.close().await?;
    OURS.lock().unwrap_or_else(PoisonError::into_inner).insert(key, Arc::clone(&ours));
    Ok(ours)
}

enum Header {
    Absent,
    Sqlite,
    Other,
}

fn header(path: &Path) -> DbResult<Header> {
    let mut file = match inklings_files::open_to_read(path) {
        Ok(file) => file,
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
            return Ok(Header::Absent);
        }
        Err(error) => return Err(error.into()),
    };
    let mut start = Vec::with_capacity(MAGIC.len());
    file.by_ref().take(MAGIC.len() as u64).read_to_end(&mut start)?;
    Ok(match start.as_slice() {
        [] => Header::Absent,
        start if start == MAGIC => Header::Sqlite,
        _ => Header::Other,
    })
}
