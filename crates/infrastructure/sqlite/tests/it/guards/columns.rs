//! The columns of an entry that are guarded.

use sqlx::{AssertSqlSafe, SqliteConnection};

use crate::support::{self, raw};
use inklings_domain::scope::Place;
use inklings_ports::testing::builders::{author, draft};

/// Columns of an entry that only a declared write may change, with a value that differs. [`other_writers_columns`] has those
/// for which any value will do.
pub(super) const WRITERS_COLUMNS: &[(&str, &str)] = &[
    ("lifetime", "'short_term'"),
    ("kind", "'archive'"),
    ("importance", "0.99"),
    ("pinned", "1"),
    ("source", "'somebody else'"),
    ("speaker", "'Nobody'"),
    ("tags", "'[\"stolen\"]'"),
    ("external_id", "'X'"),
    ("session", "'S'"),
    ("said_at", "'never'"),
    ("source_conversation_id", "'00000000-0000-7000-8000-000000000000'"),
    ("consolidated_into", "'00000000-0000-7000-8000-000000000000'"),
    ("derived_from", "'[\"agent\"]'"),
    ("content", "'rewritten'"),
    ("title", "'Rewritten'"),
    ("keys", "'[\"rewritten\"]'"),
    ("subject", "'place'"),
    ("links", LINKS),
    ("links = NULL, relation", "'knows'"),
    ("holds_from", "10000"),
    ("holds_until", "20001"),
    ("reading_number", "1"),
    ("calendar", "'{}'"),
    ("derivations", DERIVATIONS),
    ("updated_at", "updated_at + 1"),
    ("checksum", "1"),
    ("version", "version + 1"),
    ("written_by", "CASE written_by WHEN 'agent' THEN 'author' ELSE 'agent' END"),
    ("change_id", "'00000000-0000-7000-8000-000000000000'"),
    ("curator", "CASE curator WHEN 'agent' THEN 'author' ELSE 'agent' END"),
    ("forgotten_at = 1, forgotten_reason", "'gone'"),
    ("forgotten_code", "'faded'"),
    ("name_folded = 'mine', name", "'Mine'"),
    ("name_folded = 'mine', name = 'Mine', aliases_folded = '[\"me\"]', aliases", "'[\"Me\"]'"),
];

/// A message as a source.
const DERIVATIONS: &str = r#"'[{"kind":"message","id":"00000000-0000-7000-8000-00000000000f"}]'"#;

/// Links of no relation.
pub(super) const LINKS: &str = r#"'[{"role":"about","id":"00000000-0000-7000-8000-00000000000f"}]'"#;

/// Columns that are fixed, which other triggers guard, and those that change without a declaration: uses and bookkeeping.
const NOT_WRITTEN: &[&str] = &[
    "seq",
    "workspace_id",
    "id",
    "scope",
    "channel_id",
    "conversation_id",
    "created_at",
    "access_count",
    "accessed_at",
    "change_seq",
    "embedded_by",
];

/// A column of a table in a file.
pub(super) struct Column {
    pub(super) name: String,
    kind: String,
}

impl Column {
    /// A value that no row of these tests has. It is of the column's type, and need not be a valid one.
    fn other_value(&self) -> String {
        match self.kind.as_str() {
            "TEXT" => format!("'other {}'", self.name),
            "INTEGER" => (1_000_000 + self.name.bytes().map(u32::from).sum::<u32>()).to_string(),
            "REAL" => "0.375".to_owned(),
            other => panic!("a column of type {other}"),
        }
    }
}

/// The columns of a table, without generated ones.
pub(super) async fn columns_of(conn: &mut SqliteConnection, table: &str) -> Vec<Column> {
    let columns: Vec<(String, String)> = sqlx::query_as("SELECT name, type FROM pragma_table_info(?)")
        .bind(table.to_owned())
        .fetch_all(conn)
        .await
        .expect("columns");
    columns.into_iter().map(|(name, kind)| Column { name, kind }).collect()
}

/// Every column that only a declared write may change and that is not in [`WRITERS_COLUMNS`], with a value that differs.
pub(super) async fn other_writers_columns(conn: &mut SqliteConnection) -> Vec<(String, String)> {
    // A line with several columns is listed by its last one.
    let last_of = |columns: &'static str| columns.rsplit(' ').next().unwrap_or(columns);
    let listed = |name: &str| WRITERS_COLUMNS.iter().any(|(columns, _)| last_of(columns) == name);
    let others: Vec<_> = columns_of(conn, "memories")
        .await
        .into_iter()
        .filter(|column| !listed(&column.name) && !NOT_WRITTEN.contains(&column.name.as_str()))
        .map(|column| (column.name.clone(), column.other_value()))
        .collect();
    assert!(!others.is_empty(), "the folded names are among them");
    others
}

/// Columns of an entry that a version has under another name or not at all: the row number, bookkeeping, and what is made of
/// other columns.
const NOT_KEPT: &[&str] = &["seq", "id", "embedded_by", "change_seq", "name_folded", "aliases_folded"];

#[tokio::test]
async fn an_earlier_version_keeps_every_column() {
    let (folder, stage) = support::stage().await;
    let (account, _) = stage.scribe.create(author(), [draft(Place::Account, "A habit.")]);
    stage.account.memory.store.commit(&account).await.expect("written");
    stage.write_one(author(), draft(Place::Workspace, "A gate.")).await;
    for file in [folder.account_file(), folder.workspace_file(stage.workspace.workspace.id)] {
        let mut conn = raw(&file).await;
        let run = async |conn: &mut SqliteConnection, sql: String| {
            sqlx::raw_sql(AssertSqlSafe(sql)).execute(conn).await.expect("it runs");
        };
        // Any value will do here, so nothing but the trigger that keeps a version takes part.
        let triggers: Vec<String> = sqlx::query_scalar(
            "SELECT name FROM sqlite_schema WHERE type = 'trigger' AND name <> 'memories_keep_version'",
        )
        .fetch_all(&mut conn)
        .await
        .expect("names");
        run(&mut conn, "PRAGMA foreign_keys = OFF; PRAGMA ignore_check_constraints = ON".into()).await;
        for trigger in triggers {
            run(&mut conn, format!("DROP TRIGGER {trigger}")).await;
        }
        let kept: Vec<Column> = columns_of(&mut conn, "memories")
            .await
            .into_iter()
            .filter(|column| !NOT_KEPT.contains(&column.name.as_str()))
            .collect();
        let values: Vec<String> =
            kept.iter().map(|column| format!("{} = {}", column.name, column.other_value())).collect();
        run(&mut conn, format!("UPDATE memories SET {}", values.join(", "))).await;
        run(&mut conn, "DELETE FROM memory_versions; UPDATE memories SET version = version + 1".into()).await;
        for column in kept {
            let is_kept = format!("SELECT {} = {} FROM memory_versions", column.name, column.other_value());
            let is_kept: Option<bool> =
                sqlx::query_scalar(AssertSqlSafe(is_kept)).fetch_one(&mut conn).await.expect("a version");
            assert_eq!(is_kept, Some(true), "{} is not kept", column.name);
        }
    }
}
