//! The schemas and how a file gets there. Each step and its `user_version` are one transaction, so a kill in
//! the middle leaves the version before.

use sqlx::{AssertSqlSafe, Connection, SqliteConnection};

use crate::{error::DbResult, store::checksum};

/// The statements that lead from one version of a schema to the next.
#[derive(Debug, Clone, Copy)]
pub struct Migration(pub &'static str);

/// What a file of ours looks like.
#[derive(Debug)]
pub struct Schema {
    /// Written into the file's header; tells our files from others and from one another.
    pub application_id: i64,
    /// In order; a file of `user_version` n has the first n behind it.
    pub migrations: &'static [Migration],
    /// The version from which on its entries have checksums; `None` if it holds no entries.
    pub checksums_since: Option<i64>,
}

impl Schema {
    /// The newest version that this release knows.
    pub const fn version(&self) -> i64 {
        self.migrations.len() as i64
    }

    /// True if the entries of a file of this version have checksums.
    pub fn has_checksums(&self, version: i64) -> bool {
        self.checksums_since.is_some_and(|since| version >= since)
    }
}

/// The account's `agents.db`; its id reads `InkA`.
pub const ACCOUNT: Schema = Schema {
    application_id: 0x496e_6b41,
    migrations: &[
        Migration(include_str!("../../../../migrations/account/0001_memory.sql")),
        Migration(include_str!("../../../../migrations/account/0002_keeping.sql")),
        Migration(include_str!("../../../../migrations/account/0003_doors.sql")),
        Migration(include_str!("../../../../migrations/account/0004_transfer.sql")),
        Migration(include_str!("../../../../migrations/account/0005_memory_switch.sql")),
        Migration(include_str!("../../../../migrations/account/0006_text_sources.sql")),
        Migration(include_str!("../../../../migrations/account/0007_new_entries_proposed.sql")),
        Migration(include_str!("../../../../migrations/account/0008_checksums.sql")),
        Migration(include_str!("../../../../migrations/account/0009_change_order.sql")),
    ],
    checksums_since: Some(8),
};

/// A workspace's `agents.db`; its id reads `InkW`.
pub const WORKSPACE: Schema = Schema {
    application_id: 0x496e_6b57,
    migrations: &[
        Migration(include_str!("../../../../migrations/workspace/0001_memory.sql")),
        Migration(include_str!("../../../../migrations/workspace/0002_conversations.sql")),
        Migration(include_str!("../../../../migrations/workspace/0003_keeping.sql")),
        Migration(include_str!("../../../../migrations/workspace/0004_doors.sql")),
        Migration(include_str!("../../../../migrations/workspace/0005_transfer.sql")),
        Migration(include_str!("../../../../migrations/workspace/0006_client_writes.sql")),
        Migration(include_str!("../../../../migrations/workspace/0007_compaction_undo.sql")),
        Migration(include_str!("../../../../migrations/workspace/0008_memory_switch.sql")),
        Migration(include_str!("../../../../migrations/workspace/0009_task_cursors.sql")),
        Migration(include_str!("../../../../migrations/workspace/0010_working_notes.sql")),
        Migration(include_str!("../../../../migrations/workspace/0011_text_sources.sql")),
        Migration(include_str!("../../../../migrations/workspace/0012_new_entries_proposed.sql")),
        Migration(include_str!("../../../../migrations/workspace/0013_reads.sql")),
        Migration(include_str!("../../../../migrations/workspace/0014_checksums.sql")),
        Migration(include_str!("../../../../migrations/workspace/0015_change_order.sql")),
    ],
    checksums_since: Some(14),
};

/// A workspace's `inklings.db`, the world's own content; its id reads `InkC`.
pub const WORLD: Schema = Schema {
    application_id: 0x496e_6b43,
    migrations: &[Migration(include_str!("../../../../migrations/world/0001_meta.sql"))],
    checksums_since: None,
};

/// Brings a file from version `from` to the newest.
///
/// # Errors
/// Whatever SQLite says; the file is at the last version that succeeded then.
pub async fn migrate(conn: &mut SqliteConnection, schema: &Schema, from: i64) -> DbResult<()> {
    migrate_to(conn, schema, from, schema.version()).await
}

async fn migrate_to(conn: &mut SqliteConnection, schema: &Schema, from: i64, to: i64) -> DbResult<()> {
    for (version, Migration(statements)) in (1..=to).zip(schema.migrations) {
        if version <= from {
            continue;
        }
        let mut tx = conn.begin_with("BEGIN IMMEDIATE").await?;
        sqlx::raw_sql(*statements).execute(&mut *tx).await?;
        if schema.checksums_since == Some(version) {
            checksum::fill_in(&mut tx).await?;
        }
        let stamp =
            format!("PRAGMA application_id = {}; PRAGMA user_version = {version}", schema.application_id);
        // Both are numbers of ours; pragmas take no bound values.
        sqlx::raw_sql(AssertSqlSafe(stamp)).execute(&mut *tx).await?;
        tx.commit().await?;
    }
    Ok(())
}

/// Every object of a schema as SQLite keeps it, sorted, for comparing two files.
///
/// # Errors
/// Whatever SQLite says.
pub async fn dump(conn: &mut SqliteConnection) -> DbResult<Vec<String>> {
    let rows: Vec<(String, String, String)> = sqlx::query_as(
        "SELECT type, name, coalesce(sql, '') FROM sqlite_schema \
         WHERE NOT (type = 'table' AND name GLOB 'sqlite_stat[1-4]') ORDER BY type, name",
    )
    .fetch_all(conn)
    .await?;
    Ok(rows.into_iter().map(|(kind, name, sql)| format!("{kind} {name}\n{sql}\n")).collect())
}

/// The objects of a fresh file of this schema at this version.
///
/// # Errors
/// Whatever SQLite says.
pub async fn expected(schema: &Schema, version: i64) -> DbResult<Vec<String>> {
    let mut conn = SqliteConnection::connect("sqlite::memory:").await?;
    migrate_to(&mut conn, schema, 0, version).await?;
    let objects = dump(&mut conn).await?;
    conn.close().await?;
    Ok(objects)
}
