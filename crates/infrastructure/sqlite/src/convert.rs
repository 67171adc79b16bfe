//! Converts a file of the releases before the migrations were made one (ADR 24).
//!
//! Such a file differs from one that begins with today's first migration in what is stored of why an entry is out of use: a
//! sentence alone then, a code and a note now.

use futures::TryStreamExt;
use inklings_application::store_error::StoreError;
use inklings_domain::audit::hex;
use sha2::{Digest, Sha256};
use sqlx::{AssertSqlSafe, Connection, SqliteConnection};

use crate::{
    error::DbResult,
    memory::checksum,
    migrate::{Schema, comparable, dump, expected, fresh},
};

/// What such a file lacks.
const COLUMNS: &str = "ALTER TABLE memories ADD COLUMN forgotten_code TEXT CHECK (length(forgotten_code) BETWEEN 1 AND 40); \
     ALTER TABLE memory_versions ADD COLUMN forgotten_code TEXT";

/// Tells a schema from any other.
pub fn fingerprint(objects: &[String]) -> String {
    hex(&Sha256::digest(comparable(objects).join("\n")))
}

/// True if these are the objects of the version before the first.
pub fn is_convertible(objects: &[String], schema: &Schema) -> bool {
    schema.converts == Some(&*fingerprint(objects))
}

/// Converts a file of the version before the first, within the transaction of the caller.
///
/// # Errors
/// [`StoreError::Refused`] if the schema is not the one of that version, or whatever SQLite says.
pub async fn convert(conn: &mut SqliteConnection, schema: &Schema) -> DbResult<()> {
    if !is_convertible(&dump(conn).await?, schema) {
        return Err(StoreError::Refused(
            "the database is of an earlier version and has tables or triggers that are not of Inklings"
                .into(),
        )
        .into());
    }
    // The guards refuse what is done here. They are made anew in their order: SQLite runs them by it.
    let guards: Vec<String> = sqlx::query_scalar("SELECT name FROM sqlite_schema WHERE type = 'trigger'")
        .fetch_all(&mut *conn)
        .await?;
    for name in guards {
        sqlx::raw_sql(AssertSqlSafe(format!("DROP TRIGGER {name}"))).execute(&mut *conn).await?;
    }
    // A damaged row may break a CHECK. It is converted as it is, and `doctor` tells of it.
    sqlx::raw_sql("PRAGMA ignore_check_constraints = ON").execute(&mut *conn).await?;
    sqlx::raw_sql(COLUMNS).execute(&mut *conn).await?;
    let coded = checksum::give_codes(conn).await;
    sqlx::raw_sql("PRAGMA ignore_check_constraints = OFF").execute(&mut *conn).await?;
    coded?;
    let mut model = fresh(schema, schema.first_version).await?;
    let guards: Vec<String> =
        sqlx::query_scalar("SELECT sql FROM sqlite_schema WHERE type = 'trigger' ORDER BY rowid")
            .fetch(&mut model)
            .try_collect()
            .await?;
    model.close().await?;
    for guard in guards {
        // The schema's own words.
        sqlx::raw_sql(AssertSqlSafe(guard)).execute(&mut *conn).await?;
    }
    let wanted = expected(schema, schema.first_version).await?;
    if comparable(&dump(conn).await?) != comparable(&wanted) {
        return Err(StoreError::Refused("the database could not be converted".into()).into());
    }
    Ok(())
}
