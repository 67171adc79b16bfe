use std::{path::Path, sync::Arc};

use inklings_domain::{
    ids::WorkspaceId,
    memory::{Importance, MemoryEntry, Origin},
    scope::Place,
};
use inklings_ports::{
    memory::store::MemoryStore,
    testing::builders::{Scribe, author, draft, import, new_text},
};
use proptest::{prelude::*, test_runner::TestRunner};
use sqlx::{AssertSqlSafe, ConnectOptions};
use tokio::runtime::Runtime;

use super::*;
use crate::{
    connection::{Database, OpenSpec, base},
    migrate::ACCOUNT,
    rows::entry_row::COLUMNS,
    store::SqliteStore,
};

/// The text columns of an entry, all of which a version has too.
const TEXTS: &[&str] = &[
    "change_id",
    "scope",
    "lifetime",
    "curator",
    "kind",
    "source",
    "written_by",
    "forgotten_reason",
    "forgotten_code",
    "external_id",
    "session",
    "speaker",
    "said_at",
    "derived_from",
    "tags",
    "name",
    "aliases",
    "content",
    "title",
    "keys",
];

fn runtime() -> Runtime {
    tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime")
}

async fn account(folder: &Path) -> Arc<Database> {
    let spec = OpenSpec {
        path: folder.join("agents.db"),
        schema: &ACCOUNT,
        workspace: WorkspaceId::ACCOUNT,
        create: true,
        writable: true,
    };
    Arc::new(Database::open(spec).await.expect("opens"))
}

/// Writes entries of every kind, each with an earlier version.
async fn written(folder: &Path) {
    let db = account(folder).await;
    let store = SqliteStore::new(db.clone());
    let scribe = Scribe::default();
    let (plain, one) = scribe.create(author(), [draft(Place::Account, "The gate is iron: Ænd \u{1f5dd}.")]);
    let entry = scribe.entry(draft(Place::Account, "Speak plainly."), scribe.stamp(import()));
    let (named, two) = scribe.insert_raw(
        import(),
        [MemoryEntry {
            name: Some("VOICE".into()),
            aliases: vec!["tone".into(), "Ton".into()],
            title: Some("The sound of it".into()),
            keys: vec!["pitch".into(), "timbre".into()],
            tags: vec!["style".into()],
            importance: Importance::new(0.1 + 0.2).expect("an importance"),
            origin: Some(Origin {
                external_id: Some("D1".into()),
                session: Some("s".into()),
                speaker: Some("Ada".into()),
                said_at: Some("noon".into()),
                conversation: None,
            }),
            ..entry
        }],
    );
    for change in [plain, named] {
        store.commit(&change).await.expect("commits");
    }
    for entry in one.iter().chain(&two) {
        let (change, edited) = scribe.edit(author(), entry, new_text("Another text."));
        store.commit(&change).await.expect("commits");
        let (change, forgotten) = scribe.forget(author(), &edited);
        store.commit(&change).await.expect("commits");
        if forgotten.name.is_some() {
            let (change, _) = scribe.restore(author(), &forgotten);
            store.commit(&change).await.expect("commits");
        }
    }
    db.close().await;
}

/// A connection without the guards, to simulate damage.
async fn unguarded(folder: &Path) -> SqliteConnection {
    let path = folder.join("agents.db");
    let mut conn = base(&path)
        .expect("a path that can be opened")
        .foreign_keys(false)
        .pragma("ignore_check_constraints", "ON")
        .connect()
        .await
        .expect("opens");
    crate::functions::register(&mut conn).await.expect("registered");
    let guards: Vec<String> = sqlx::query_scalar("SELECT name FROM sqlite_schema WHERE type = 'trigger'")
        .fetch_all(&mut conn)
        .await
        .expect("names");
    for guard in guards {
        let drop = AssertSqlSafe(format!("DROP TRIGGER {guard}"));
        sqlx::query(drop).execute(&mut conn).await.expect("it goes");
    }
    conn
}

async fn put(conn: &mut SqliteConnection, table: &str, column: &str, row: i64, bytes: &[u8]) {
    let set = AssertSqlSafe(format!("UPDATE {table} SET {column} = CAST(? AS TEXT) WHERE rowid = ?"));
    sqlx::query(set).bind(bytes).bind(row).execute(&mut *conn).await.expect("written");
}

#[test]
fn any_flipped_bit_in_a_text_is_detected() {
    let (folder, runtime) = (tempfile::tempdir().expect("a folder"), runtime());
    runtime.block_on(written(folder.path()));
    let mut conn = runtime.block_on(unguarded(folder.path()));
    let mut texts: Vec<(&str, &str, i64, Vec<u8>)> = Vec::new();
    for table in ["memories", "memory_versions"] {
        for column in TEXTS {
            let all = AssertSqlSafe(format!(
                "SELECT rowid, CAST({column} AS BLOB) FROM {table} WHERE length({column}) > 0 ORDER BY rowid"
            ));
            let rows: Vec<(i64, Vec<u8>)> =
                runtime.block_on(sqlx::query_as(all).fetch_all(&mut conn)).expect("texts");
            assert!(!rows.is_empty(), "nothing is tried of {table}.{column}");
            texts.extend(rows.into_iter().map(|(row, text)| (table, *column, row, text)));
        }
    }
    let flip = (any::<prop::sample::Index>(), any::<prop::sample::Index>(), 0..8_u32);
    let conn = tokio::sync::Mutex::new(conn);
    let tried = TestRunner::new(ProptestConfig::with_cases(512)).run(&flip, |(which, byte, bit)| {
        let (table, column, row, text) = which.get(&texts);
        let mut flipped = text.clone();
        flipped[byte.index(text.len())] ^= 1 << bit;
        let found = runtime.block_on(async {
            let conn = &mut *conn.lock().await;
            put(conn, table, column, *row, &flipped).await;
            let found = damaged(conn).await;
            put(conn, table, column, *row, text).await;
            found
        });
        prop_assert_eq!(found.expect("reads").len(), 1, "{}.{} of row {}", table, column, row);
        Ok(())
    });
    tried.expect("every bit is found");
    assert_eq!(runtime.block_on(damaged(&mut conn.into_inner())).expect("reads"), Vec::<String>::new());
}

/// Two columns of a later release without their names would give one checksum to a value that moved between them.
#[test]
fn a_value_in_another_column_gives_another_checksum() {
    for table in TABLES {
        let columns: Vec<&str> = table.covered.iter().map(|(column, _)| *column).collect();
        let mut columns_by_sum = std::collections::HashMap::new();
        for (at, (column, _)) in table.covered.iter().enumerate() {
            let value_at = |here: usize| match table.covered[here].1 {
                Kind::Text | Kind::Added | Kind::Named => {
                    Value::Text((here == at).then_some(std::borrow::Cow::Borrowed("1")))
                }
                Kind::Whole | Kind::NamedWhole => Value::Whole((here == at).then_some(1)),
                Kind::Real => Value::Real(f64::from(u8::from(here == at))),
            };
            let values: Vec<Value<'_>> = (0..columns.len()).map(value_at).collect();
            let other = columns_by_sum.insert(of_columns(table, &columns, &values), *column);
            assert_eq!(
                other,
                None,
                "{} and {column} of {} have one checksum",
                other.unwrap_or("?"),
                table.name
            );
        }
    }
}

/// The columns of an entry that change without a version, and so are not covered by its checksum.
const NOT_COVERED: &[&str] = &["channel_id", "conversation_id", "access_count", "accessed_at", "embedded_by"];

#[test]
fn the_checksum_covers_every_column_of_an_entry() {
    let covered: Vec<&str> = COVERED.iter().map(|(column, _)| *column).collect();
    let left: Vec<_> =
        COLUMNS.iter().filter(|column| !covered.contains(column) && !NOT_COVERED.contains(column)).collect();
    assert!(left.is_empty(), "{left:?}");
}

#[tokio::test]
async fn damaged_rows_are_reported_by_id_and_never_by_text() {
    let folder = tempfile::tempdir().expect("a folder");
    written(folder.path()).await;
    let mut conn = unguarded(folder.path()).await;
    assert_eq!(damaged(&mut conn).await.expect("reads"), Vec::<String>::new());
    let ids: Vec<String> =
        sqlx::query_scalar("SELECT id FROM memories ORDER BY seq").fetch_all(&mut conn).await.expect("ids");
    put(&mut conn, "memories", "content", 1, b"Not what was written.").await;
    put(&mut conn, "memories", "id", 2, b"no id at all, and as long as one is.").await;
    sqlx::query("UPDATE memory_versions SET importance = 0.9, checksum = NULL WHERE rowid = 1")
        .execute(&mut conn)
        .await
        .expect("written");
    let found = damaged(&mut conn).await.expect("reads");
    assert_eq!(found, [ids[0].clone(), "row 2".into(), format!("{}@1", ids[0])]);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn written_entries_have_the_checksum_of_the_stored_text(
        entries in prop::collection::vec(
            ("[ -~\u{0}-\u{2fff}]{1,200}", prop::collection::vec("\\PC{1,12}", 0..4), 0.0..=1.0_f64, any::<bool>()),
            1..20,
        ),
    ) {
        runtime().block_on(async {
            let folder = tempfile::tempdir().expect("a folder");
            let db = account(folder.path()).await;
            let scribe = Scribe::default();
            let made = entries.into_iter().map(|(content, tags, importance, pinned)| {
                let entry = scribe.entry(draft(Place::Account, "A text."), scribe.stamp(author()));
                let importance = Importance::new(importance).expect("an importance");
                MemoryEntry { content, tags, importance, pinned, ..entry }
            });
            let made: Vec<MemoryEntry> = made.collect();
            let (change, _) = scribe.insert_raw(author(), made);
            SqliteStore::new(db.clone()).commit(&change).await.expect("commits");
            let found = damaged(&mut db.reader().acquire().await.expect("connects")).await;
            prop_assert_eq!(found.expect("reads"), Vec::<String>::new());
            db.close().await;
            Ok(())
        })?;
    }
}
