//! The schemas and how a file gets there. Each step and its `user_version` are one transaction, so a kill in
//! the middle leaves the version before.

use sqlx::{AssertSqlSafe, Connection, SqliteConnection};

use crate::error::DbResult;

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
}

impl Schema {
    /// The newest version that this release knows.
    pub const fn version(&self) -> i64 {
        self.migrations.len() as i64
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
        Migration(include_str!("../../../../migrations/account/0009_change_order.sql")),
    ],
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
        Migration(include_str!("../../../../migrations/workspace/0015_change_order.sql")),
    ],
};

/// A workspace's `inklings.db`, the world's own content; its id reads `InkC`.
pub const WORLD: Schema = Schema {
    application_id: 0x496e_6b43,
    migrations: &[Migration(include_str!("../../../../migrations/world/0001_meta.sql"))],
};

/// Brings a file from version `from` to the newest.
///
/// # Errors
/// Whatever SQLite says; the file is at the last version that succeeded then.
pub async fn migrate(conn: &mut SqliteConnection, schema: &Schema, from: i64) -> DbResult<()> {
    let done = usize::try_from(from).unwrap_or(0);
    for (step, Migration(statements)) in schema.migrations.iter().enumerate().skip(done) {
        let mut tx = conn.begin_with("BEGIN IMMEDIATE").await?;
        sqlx::raw_sql(*statements).execute(&mut *tx).await?;
        let stamp =
            format!("PRAGMA application_id = {}; PRAGMA user_version = {}", schema.application_id, step + 1);
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
         WHERE name NOT LIKE 'sqlite_stat%' ORDER BY type, name",
    )
    .fetch_all(conn)
    .await?;
    Ok(rows.into_iter().map(|(kind, name, sql)| format!("{kind} {name}\n{sql}\n")).collect())
}

/// The objects of a fresh file of this schema.
///
/// # Errors
/// Whatever SQLite says.
pub async fn expected(schema: &Schema) -> DbResult<Vec<String>> {
    let mut conn = SqliteConnection::connect("sqlite::memory:").await?;
    migrate(&mut conn, schema, 0).await?;
    let objects = dump(&mut conn).await?;
    conn.close().await?;
    Ok(objects)
}
