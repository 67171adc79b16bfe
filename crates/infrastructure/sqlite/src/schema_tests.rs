//! Schemas are frozen: what a release wrote, every later one reads. And what happens when one is upgraded.

use std::{fs, path::Path};

use inklings_application::{
    ports::{error::StoreError, memory_store::MemoryStore},
    testing::builders::{Scribe, author, draft},
};
use inklings_domain::{
    filter::{MemoryFilter, Reach},
    ids::WorkspaceId,
    scope::Place,
};
use sqlx::{Connection, SqliteConnection};

use crate::{
    connection::{Database, OpenSpec},
    filter_sql::{Sql, blank_entries, push_filter},
    migrate::{ACCOUNT, Migration, Schema, WORKSPACE, WORLD, dump, expected, migrate},
    store::{SqliteStore, checksum},
};

/// The account's schema as a later release might have it.
const NEXT: Schema = Schema {
    application_id: ACCOUNT.application_id,
    migrations: &[
        ACCOUNT.migrations[0],
        ACCOUNT.migrations[1],
        ACCOUNT.migrations[2],
        ACCOUNT.migrations[3],
        ACCOUNT.migrations[4],
        ACCOUNT.migrations[5],
        ACCOUNT.migrations[6],
        ACCOUNT.migrations[7],
        ACCOUNT.migrations[8],
        Migration("CREATE TABLE later (one INTEGER PRIMARY KEY) STRICT"),
    ],
    checksums_since: ACCOUNT.checksums_since,
};

/// The account's schema before texts kept their sources.
const ACCOUNT_BEFORE_SOURCES: [Migration; 5] = [
    ACCOUNT.migrations[0],
    ACCOUNT.migrations[1],
    ACCOUNT.migrations[2],
    ACCOUNT.migrations[3],
    ACCOUNT.migrations[4],
];

/// One whose last step fails half way.
const BROKEN: Schema = Schema {
    application_id: ACCOUNT.application_id,
    migrations: &[
        ACCOUNT.migrations[0],
        ACCOUNT.migrations[1],
        ACCOUNT.migrations[2],
        ACCOUNT.migrations[3],
        ACCOUNT.migrations[4],
        ACCOUNT.migrations[5],
        ACCOUNT.migrations[6],
        ACCOUNT.migrations[7],
        ACCOUNT.migrations[8],
        Migration("CREATE TABLE later (one INTEGER PRIMARY KEY) STRICT; INSERT INTO nowhere VALUES (1)"),
    ],
    checksums_since: ACCOUNT.checksums_since,
};

async fn open(path: &Path, schema: &Schema) -> Result<Database, StoreError> {
    let spec = OpenSpec {
        path: path.to_owned(),
        schema,
        workspace: WorkspaceId::ACCOUNT,
        create: true,
        writable: true,
    };
    Database::open(spec).await
}

/// A file of this release with one entry in it.
async fn old_file(path: &Path) -> inklings_domain::memory::MemoryEntry {
    let db = std::sync::Arc::new(open(path, &ACCOUNT).await.expect("opens"));
    let (change, entries) = Scribe::default().create(author(), [draft(Place::Account, "An old habit.")]);
    SqliteStore::new(db.clone()).commit(&change).await.expect("commits");
    db.close().await;
    entries[0].clone()
}

async fn objects(path: &Path) -> Vec<String> {
    let mut conn = SqliteConnection::connect(&format!("sqlite:{}", path.display())).await.expect("opens");
    dump(&mut conn).await.expect("a dump")
}

#[tokio::test]
async fn schemas_are_those_that_were_released() {
    for (name, schema) in [("account", &ACCOUNT), ("workspace", &WORKSPACE), ("world", &WORLD)] {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("schema").join(format!("{name}.sql"));
        let made = expected(schema, schema.version()).await.expect("the migrations run").join("\n");
        if std::env::var_os("UPDATE_SCHEMA").is_some() {
            fs::write(&file, &made).expect("writes");
        }
        let frozen = fs::read_to_string(&file).expect("the frozen schema");
        assert!(
            made == frozen,
            "the {name} schema changed. A released migration is never edited: add one, then run with UPDATE_SCHEMA=1"
        );
    }
}

#[tokio::test]
async fn every_table_is_strict() {
    for schema in [&ACCOUNT, &WORKSPACE, &WORLD] {
        let objects = expected(schema, schema.version()).await.expect("the migrations run");
        let loose = |object: &&String| {
            object.starts_with("table ")
                && !object.contains("STRICT")
                && !object.starts_with("table memories_fts")
                && !object.starts_with("table messages_fts")
                && !object.starts_with("table sqlite_")
        };
        assert_eq!(objects.iter().find(loose), None);
    }
}

#[tokio::test]
async fn an_upgraded_file_equals_a_fresh_one_and_keeps_its_rows() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("agents.db");
    let entry = old_file(&path).await;
    let db = open(&path, &NEXT).await.expect("upgrades");
    let store = SqliteStore::new(std::sync::Arc::new(db));
    assert_eq!(store.get(&[entry.id]).await.expect("reads")[0].entry, entry);
    assert_eq!(objects(&path).await, expected(&NEXT, NEXT.version()).await.expect("a fresh one"));
    let backup = folder.path().join("backups").join(format!("agents-v{}.db", ACCOUNT.version()));
    assert_eq!(objects(&backup).await, expected(&ACCOUNT, ACCOUNT.version()).await.expect("a fresh one"));
    let old = open(&path, &ACCOUNT).await.map(|_| ());
    let here = ACCOUNT.version();
    let newer = matches!(old, Err(StoreError::NewerSchema { found, supported, .. }) if (found, supported) == (here + 1, here));
    assert!(newer, "{old:?}");
}

#[tokio::test]
async fn a_failed_upgrade_leaves_the_old_file_and_its_backup() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("agents.db");
    let entry = old_file(&path).await;
    let failed = open(&path, &BROKEN).await.map(|_| ());
    assert!(failed.is_err());
    let backup = folder.path().join("backups").join(format!("agents-v{}.db", ACCOUNT.version()));
    for file in [&path, &backup] {
        let db = open(file, &ACCOUNT).await.expect("still of the old version");
        let store = SqliteStore::new(std::sync::Arc::new(db));
        assert_eq!(store.get(&[entry.id]).await.expect("reads")[0].entry, entry);
    }
}

#[tokio::test]
async fn a_full_disk_is_said_so_and_recovers() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("agents.db");
    old_file(&path).await;
    let db = std::sync::Arc::new(open(&path, &ACCOUNT).await.expect("opens"));
    let store = SqliteStore::new(db.clone());
    let limit = async |pages: &'static str| {
        let mut tx = db.begin_immediate().await.expect("begins");
        sqlx::query(pages).fetch_one(&mut *tx).await.expect("a limit");
        tx.commit().await.expect("commits");
    };
    let scribe = Scribe::new(
        std::sync::Arc::default(),
        std::sync::Arc::new(inklings_application::testing::clock::SequentialIds::seeded(77)),
    );
    let drafts = (0..200).map(|n| draft(Place::Account, &format!("{n} {}", "word ".repeat(1_000))));
    let (change, entries) = scribe.create(author(), drafts);
    // SQLite's own limit gives the same error as a disk without room.
    limit("PRAGMA max_page_count = 60").await;
    let refused = store.commit(&change).await;
    assert!(matches!(refused, Err(StoreError::DiskFull)), "{refused:?}");
    assert!(store.get(&[entries[0].id]).await.expect("reads").is_empty());
    limit("PRAGMA max_page_count = 1000000").await;
    store.commit(&change).await.expect("there is room again");
}

async fn plan(db: &Database, sql: &str) -> Vec<String> {
    let explain = sqlx::AssertSqlSafe(format!("EXPLAIN QUERY PLAN {sql}"));
    let steps: Vec<(i64, i64, i64, String)> =
        sqlx::query_as(explain).fetch_all(&db.reader()).await.expect("a plan");
    steps.into_iter().map(|step| step.3).collect()
}

#[tokio::test]
async fn lists_in_their_order_need_no_sorting() {
    let folder = tempfile::tempdir().expect("a folder");
    let db = open(&folder.path().join("agents.db"), &ACCOUNT).await.expect("opens");
    let mut filter = Sql::new("");
    push_filter(&mut filter, &MemoryFilter::active(Reach::EVERYTHING), WorkspaceId::ACCOUNT);
    let filter = filter.into_string();
    for order in ["updated_at", "created_at", "importance"] {
        let sql = format!(
            "SELECT m.content FROM memories AS m WHERE {filter} \
             AND (m.{order}, m.id) < (?, ?) ORDER BY m.{order} DESC, m.id DESC LIMIT ?"
        );
        let steps = plan(&db, &sql).await;
        assert!(steps.iter().all(|step| !step.contains("TEMP B-TREE")), "{order}: {steps:?}");
        assert!(steps.iter().any(|step| step.contains("COVERING INDEX memories_blank")), "{steps:?}");
    }
}

#[tokio::test]
async fn counts_stay_within_their_index() {
    let folder = tempfile::tempdir().expect("a folder");
    let db = open(&folder.path().join("agents.db"), &ACCOUNT).await.expect("opens");
    let all =
        "SELECT m.scope, count(*) FROM memories AS m WHERE TRUE AND m.forgotten_at IS NULL GROUP BY m.scope";
    let steps = plan(&db, all).await;
    assert_eq!(steps, ["SCAN m USING COVERING INDEX memories_by_scope"]);
    let blank = concat!("SELECT count(*) FROM ", blank_entries!(), " AND m.forgotten_at IS NULL");
    assert_eq!(plan(&db, blank).await, ["SCAN m USING INDEX memories_blank"]);
    let named = "SELECT m.id FROM memories AS m \
                 WHERE m.name_folded IS NOT NULL AND m.kind = 'note' AND m.forgotten_at IS NULL";
    assert_eq!(plan(&db, named).await, ["SCAN m USING INDEX memories_named"]);
}

/// Changes and writes of clients under an earlier release, the clock of which went back once.
#[tokio::test]
async fn an_upgrade_orders_earlier_changes_by_their_times_and_puts_new_ones_behind() {
    let ordered = |Migration(sql): &Migration| sql.contains("CREATE TRIGGER journal_order");
    let step = WORKSPACE.migrations.iter().position(ordered).expect("a migration");
    let before = Schema { migrations: &WORKSPACE.migrations[..step], ..WORKSPACE };
    let mut conn = SqliteConnection::connect("sqlite::memory:").await.expect("opens");
    migrate(&mut conn, &before, 0).await.expect("an earlier release");
    let id = |n: u32| format!("00000000-0000-7000-8000-{n:012}");
    let change = |n: u32, at: i64| {
        format!(
            "INSERT INTO journal (workspace_id, id, action, hand, door, at, entries) \
             VALUES ('{}', '{}', 'edit', 'author', 'cli', {at}, 1);",
            id(1),
            id(n)
        )
    };
    let write = |at: i64| {
        format!(
            "INSERT INTO client_writes (workspace_id, client_id, at, kind, row_id) \
             VALUES ('{}', '{}', {at}, 'setting', 'key');",
            id(1),
            id(2)
        )
    };
    let run = async |conn: &mut SqliteConnection, statement: String| {
        sqlx::raw_sql(sqlx::AssertSqlSafe(statement)).execute(conn).await.expect("written");
    };
    let meta =
        format!("INSERT INTO meta (one, workspace_id, name, created_at) VALUES (1, '{}', 'w', 0)", id(1));
    run(&mut conn, meta).await;
    for (n, at) in [(10, 1_000), (11, 3_000), (12, 2_000)] {
        run(&mut conn, change(n, at)).await;
    }
    run(&mut conn, write(3_500)).await;
    migrate(&mut conn, &WORKSPACE, before.version()).await.expect("upgrades");
    run(&mut conn, change(13, 2_500)).await;
    run(&mut conn, write(2_500)).await;
    run(&mut conn, change(14, 9_000)).await;
    for (table, expected) in
        [("journal", &[1_000, 3_000, 3_000, 3_501, 9_000][..]), ("client_writes", &[3_500, 3_502])]
    {
        let sql = format!("SELECT change_order FROM {table} ORDER BY sequence");
        let found: Vec<i64> =
            sqlx::query_scalar(sqlx::AssertSqlSafe(sql)).fetch_all(&mut conn).await.expect("reads");
        assert_eq!(found, expected, "{table}");
    }
}

/// What clients wrote under an earlier release, and what consolidation made of it then.
#[tokio::test]
async fn an_upgrade_finds_the_sources_of_texts_that_are_here() {
    let before = Schema { migrations: &ACCOUNT_BEFORE_SOURCES, ..ACCOUNT };
    let mut conn = SqliteConnection::connect("sqlite::memory:").await.expect("opens");
    migrate(&mut conn, &before, 0).await.expect("an earlier release");
    let account = WorkspaceId::ACCOUNT;
    let id = |n: u32| format!("00000000-0000-7000-8000-{n:012}");
    let (client, original, made, own) = (id(1), id(2), id(3), id(4));
    let declare = |change: u32, action: &str, hand: &str, door: &str, run: &str| {
        format!(
            "INSERT INTO journal (workspace_id, id, action, hand, door, run_id, at, entries) \
             VALUES ('{account}', '{}', '{action}', '{hand}', '{door}', '{run}', 1, 1);",
            id(change)
        )
    };
    let entry = |memory: &str, change: u32, hand: &str, source: &str| {
        format!(
            "INSERT INTO memories (workspace_id, id, scope, lifetime, curator, kind, importance, source, change_seq, \
             version, written_by, change_id, created_at, accessed_at, updated_at, content) \
             VALUES ('{account}', '{memory}', 'account', 'short_term', 'agent', 'note', 0.5, '{source}', \
             (SELECT tick FROM change_clock), 1, '{hand}', '{}', 1, 1, 1, 'Text of {memory}.');",
            id(change)
        )
    };
    let retire = format!(
        "UPDATE memories SET version = 2, written_by = 'system', change_id = '{}', forgotten_at = 2, \
         forgotten_reason = 'told', consolidated_into = '{made}', updated_at = 2, \
         change_seq = (SELECT tick FROM change_clock) WHERE id = '{original}';",
        id(11)
    );
    let statements = [
        declare(10, "create", "agent", "mcp", &client),
        entry(&original, 10, "agent", "Editor"),
        declare(11, "consolidate", "system", "task", &id(20)),
        entry(&made, 11, "system", "consolidation"),
        retire,
        declare(12, "create", "agent", "cli", &id(21)),
        entry(&own, 12, "agent", "orchestrator"),
    ];
    for statement in statements {
        sqlx::raw_sql(sqlx::AssertSqlSafe(statement)).execute(&mut conn).await.expect("written");
    }
    migrate(&mut conn, &ACCOUNT, before.version()).await.expect("upgrades");
    let rows: Vec<(String, String)> = sqlx::query_as(
        "SELECT id, derived_from FROM memories \
         UNION ALL SELECT memory_id, derived_from FROM memory_versions ORDER BY 1",
    )
    .fetch_all(&mut conn)
    .await
    .expect("reads");
    let named = format!("[\"client:{client}\"]");
    let expected = [(&original, &*named), (&original, &named), (&made, &named), (&own, "[]")];
    assert_eq!(rows, expected.map(|(id, sources)| (id.clone(), sources.to_owned())));
    assert_eq!(
        checksum::damaged(&mut conn).await.expect("reads"),
        Vec::<String>::new(),
        "each has a checksum"
    );
}
