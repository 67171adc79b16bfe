//! Converts a file of the last release before all migrations were merged into one (ADR 24).
//!
//! It differs from today's first schema version in the reason why an entry is forgotten: then only a
//! sentence, now a code and a note.

use futures::TryStreamExt;
use inklings_domain::digest::hex;
use inklings_ports::store_error::StoreError;
use sha2::{Digest, Sha256};
use sqlx::{AssertSqlSafe, Connection, SqliteConnection};

use crate::{
    checksum,
    error::DbResult,
    migrate::{Schema, comparable, dump, expected, fresh},
};

/// Adds the columns that such a file lacks.
const COLUMNS: &str = "ALTER TABLE memories ADD COLUMN forgotten_code TEXT CHECK (length(forgotten_code) BETWEEN 1 AND 40); \
     ALTER TABLE memory_versions ADD COLUMN forgotten_code TEXT";

/// A hash that identifies a schema.
pub fn fingerprint(objects: &[String]) -> String {
    hex(&Sha256::digest(comparable(objects).join("\n")))
}

/// True if these are the objects of the version before the first migration.
pub fn is_convertible(objects: &[String], schema: &Schema) -> bool {
    schema.converts == Some(&*fingerprint(objects))
}

/// Converts a file of the version before the first migration, within a transaction of the caller.
///
/// # Errors
/// [`StoreError::Refused`] if the schema is not the one of that version, or a SQLite error.
pub async fn convert(conn: &mut SqliteConnection, schema: &Schema) -> DbResult<()> {
    if !is_convertible(&dump(conn).await?, schema) {
        return Err(StoreError::Refused(
            "the database is of an earlier version and has tables or triggers that are not of Inklings"
                .into(),
        )
        .into());
    }
    // The guards would refuse these writes. They are recreated in their order, because SQLite runs them in
    // it.
    let guards: Vec<String> = sqlx::query_scalar("SELECT name FROM sqlite_schema WHERE type = 'trigger'")
        .fetch_all(&mut *conn)
        .await?;
    for name in guards {
        sqlx::raw_sql(AssertSqlSafe(format!("DROP TRIGGER {name}"))).execute(&mut *conn).await?;
    }
    // A damaged row may violate a CHECK. It is converted as it is, and `doctor` reports it.
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
        // The SQL of the schema, not user input.
        sqlx::raw_sql(AssertSqlSafe(guard)).execute(&mut *conn).await?;
    }
    let wanted = expected(schema, schema.first_version).await?;
    if comparable(&dump(conn).await?) != comparable(&wanted) {
        return Err(StoreError::Refused("the database could not be converted".into()).into());
    }
    Ok(())
}
