//! Schemas are frozen: every later release reads the files of an earlier one. Also tests upgrades.

use std::{collections::HashSet, fs, io::Read as _, path::Path};

use flate2::read::GzDecoder;
use inklings_domain::{
    ids::{MemoryId, WorkspaceId},
    memory::{
        MemoryPatch,
        filter::{MemoryFilter, ScopeFilter},
    },
    scope::Place,
    search::query::parse,
};
use inklings_ports::{
    memory::store::MemoryStore,
    search::store::MemorySearch,
    store_error::StoreError,
    testing::builders::{Scribe, author, draft},
};
use sqlx::{Connection, SqliteConnection};

use crate::{
    checksum,
    connection::{Database, OpenSpec},
    memory::filter_sql::{Sql, blank_entries, push_filter},
    migrate::{
        ACCOUNT, Migration, Schema, WORKSPACE, WORLD, acting, comparable,
        convert::{convert, fingerprint},
        dump, expected, fresh, joined, migrate, statement, stepped,
    },
    search::SearchIndex,
    store::SqliteStore,
};

/// The account's migrations, and behind them one of a later release.
const fn followed_by(texts: &'static [&'static str]) -> [Migration; ACCOUNT.migrations.len() + 1] {
    joined(ACCOUNT.migrations, &[Migration { texts, words: &[] }])
}

/// The account's schema as a later release might have it.
const NEXT: Schema =
    Schema { migrations: &followed_by(&["CREATE TABLE later (one INTEGER PRIMARY KEY) STRICT"]), ..ACCOUNT };

/// A schema whose last step fails half way.
const BROKEN: Schema = Schema {
    migrations: &followed_by(&[
        "CREATE TABLE later (one INTEGER PRIMARY KEY) STRICT; INSERT INTO nowhere VALUES (1)",
    ]),
    ..ACCOUNT
};

/// A schema whose conversion step fails at its very end.
const BROKEN_CONVERSION: Schema =
    Schema { first_version: ACCOUNT.first_version, migrations: &NOT_OURS, ..ACCOUNT };
const NOT_OURS: [Migration; 1] = [Migration {
    texts: &[
        ACCOUNT.migrations[0].texts[0],
        ACCOUNT.migrations[0].texts[1],
        ACCOUNT.migrations[0].texts[2],
        ACCOUNT.migrations[0].texts[3],
        "CREATE TABLE later (one INTEGER PRIMARY KEY) STRICT",
    ],
    words: ACCOUNT.migrations[0].words,
}];

/// A memory database of the last release before the first migration.
fn before(schema: &Schema) -> Vec<u8> {
    let json_rows: &[u8] = if schema.application_id == ACCOUNT.application_id {
        include_bytes!("../tests/data/before_0001/account.db.gz")
    } else {
        include_bytes!("../tests/data/before_0001/workspace.db.gz")
    };
    let mut bytes = Vec::new();
    GzDecoder::new(json_rows).read_to_end(&mut bytes).expect("a gzip file");
    bytes
}

/// Opens a database, with the tokenizer of the program.
async fn connect(url: &str) -> SqliteConnection {
    let mut conn = SqliteConnection::connect(url).await.expect("opens");
    crate::functions::register(&mut conn).await.expect("registered");
    conn
}

async fn connected(path: &Path) -> SqliteConnection {
    connect(&format!("sqlite:{}", path.display())).await
}

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
    dump(&mut connected(path).await).await.expect("a dump")
}

/// The statements that make this database anew.
async fn statements(conn: &mut SqliteConnection) -> String {
    // The tables of a virtual table are made with it.
    let objects: Vec<(String, String, String)> = sqlx::query_as(
        "SELECT o.type, o.name, o.sql FROM sqlite_schema AS o WHERE o.sql IS NOT NULL AND o.name NOT GLOB 'sqlite_*' \
         AND NOT EXISTS (SELECT 1 FROM pragma_table_list AS t WHERE t.name = o.name AND t.type = 'shadow') ORDER BY o.rowid",
    )
    .fetch_all(&mut *conn)
    .await
    .expect("objects");
    let mut statements = Vec::new();
    for (kind, name, sql) in objects {
        if kind == "table" && !sql.starts_with("CREATE VIRTUAL TABLE") {
            let rows = rows(conn, &name).await;
            statements.push(sql);
            statements.extend(rows.into_iter().map(|values| format!("INSERT INTO {name} VALUES ({values})")));
        } else {
            statements.push(sql);
        }
    }
    statements.into_iter().map(|sql| sql + ";\n\n").collect()
}

/// The rows of a table, each as the literals of its values.
async fn rows(conn: &mut SqliteConnection, table: &str) -> Vec<String> {
    let columns: Vec<String> = sqlx::query_scalar("SELECT 'quote(' || name || ')' FROM pragma_table_info(?)")
        .bind(table)
        .fetch_all(&mut *conn)
        .await
        .expect("columns");
    let values = columns.join(" || ', ' || ");
    let sql = sqlx::AssertSqlSafe(format!("SELECT {values} FROM {table} ORDER BY 1"));
    sqlx::query_scalar(sql).fetch_all(&mut *conn).await.expect("rows")
}

#[tokio::test]
async fn schemas_are_those_that_were_released() {
    let schemas = [("account", &ACCOUNT), ("workspace", &WORKSPACE), ("world", &WORLD)];
    let file = |name: &str| Path::new(env!("CARGO_MANIFEST_DIR")).join("schema").join(format!("{name}.sql"));
    for (name, schema) in schemas {
        let mut conn = stepped(schema, schema.version()).await.expect("the migrations run");
        let made = statements(&mut conn).await;
        if std::env::var_os("UPDATE_SCHEMA").is_some() {
            // This program still has the earlier files in it. The next run compares.
            fs::write(file(name), made).expect("writes");
            continue;
        }
        let frozen = fs::read_to_string(file(name)).expect("the frozen schema");
        assert!(
            made == frozen,
            "the {name} schema changed. A released migration is never edited: add one, then run with UPDATE_SCHEMA=1"
        );
        let known: HashSet<&str> = schema.statements().collect();
        for object in acting(&mut conn).await.expect("triggers and views") {
            let title = object.lines().next().unwrap_or_default();
            assert!(known.contains(statement(&object)), "{name}: an opening takes {title} for a foreign one");
        }
    }
}

/// A new file is made by other statements than one of an earlier release.
#[tokio::test]
async fn a_new_file_equals_one_that_took_every_migration() {
    for schema in [&ACCOUNT, &WORKSPACE, &WORLD] {
        let mut new = fresh(schema, schema.version()).await.expect("a new file");
        let mut stepped = stepped(schema, schema.version()).await.expect("the migrations run");
        assert_eq!(dump(&mut new).await.expect("a dump"), dump(&mut stepped).await.expect("a dump"));
        // Objects in their order, and rows.
        assert_eq!(statements(&mut new).await, statements(&mut stepped).await);
        assert_eq!(version_of(&mut new).await, version_of(&mut stepped).await);
    }
}

/// Application id and version in the header of a file.
async fn version_of(conn: &mut SqliteConnection) -> (i64, i64) {
    let sql = "SELECT application_id, user_version FROM pragma_application_id, pragma_user_version";
    sqlx::query_as(sql).fetch_one(conn).await.expect("a header")
}

#[tokio::test]
async fn every_table_is_strict() {
    for schema in [&ACCOUNT, &WORKSPACE, &WORLD] {
        let objects = expected(schema, schema.version()).await.expect("the migrations run");
        // A virtual table and the tables that it makes for itself, which begin with its name, cannot be strict.
        let is_virtual = |object: &&String| object.contains("\nCREATE VIRTUAL TABLE ");
        let virtual_tables: Vec<&str> =
            objects.iter().filter(is_virtual).filter_map(|object| object.lines().next()).collect();
        let loose = |object: &&String| {
            object.starts_with("table ")
                && !object.contains("STRICT")
                && !virtual_tables.iter().any(|name| object.starts_with(name))
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
async fn a_full_disk_gives_a_specific_error_and_writing_recovers() {
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
        std::sync::Arc::new(inklings_ports::testing::clock::SequentialIds::seeded(77)),
    );
    let drafts = (0..200).map(|n| draft(Place::Account, &format!("{n} {}", "word ".repeat(1_000))));
    let (change, entries) = scribe.create(author(), drafts);
    // SQLite's own limit gives the same error as a full disk.
    limit("PRAGMA max_page_count = 60").await;
    let refused = store.commit(&change).await;
    assert!(matches!(refused, Err(StoreError::DiskFull)), "{refused:?}");
    assert!(store.get(&[entries[0].id]).await.expect("reads").is_empty());
    limit("PRAGMA max_page_count = 1000000").await;
    store.commit(&change).await.expect("there is room again");
}

/// The steps in which SQLite would run a query.
pub(crate) async fn plan(db: &Database, sql: &str) -> Vec<String> {
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
    push_filter(&mut filter, &MemoryFilter::active(ScopeFilter::EVERYTHING), WorkspaceId::ACCOUNT);
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

/// The names of the triggers in SQLite's storage order, which is also their execution order.
async fn triggers(conn: &mut SqliteConnection) -> Vec<String> {
    sqlx::query_scalar("SELECT name FROM sqlite_schema WHERE type = 'trigger' ORDER BY rowid")
        .fetch_all(conn)
        .await
        .expect("names")
}

#[tokio::test]
async fn a_converted_file_equals_a_fresh_one() {
    for schema in [&ACCOUNT, &WORKSPACE] {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("agents.db");
        fs::write(&path, before(schema)).expect("writes");
        let found = objects(&path).await;
        assert_eq!(Some(&*fingerprint(&found)), schema.converts, "the schema of the release before");
        let mut conn = connected(&path).await;
        migrate(&mut conn, schema, schema.oldest_version()).await.expect("converts");
        let mut model = fresh(schema, schema.version()).await.expect("a fresh one");
        let (found, wanted) =
            (dump(&mut conn).await.expect("a dump"), dump(&mut model).await.expect("a dump"));
        assert_eq!(comparable(&found), comparable(&wanted));
        assert_eq!(triggers(&mut conn).await, triggers(&mut model).await);
        assert_eq!(checksum::damaged(&mut conn).await.expect("reads"), Vec::<String>::new());
        let well: String =
            sqlx::query_scalar("PRAGMA integrity_check").fetch_one(&mut conn).await.expect("an answer");
        assert_eq!(well, "ok");
    }
}

#[tokio::test]
async fn an_interrupted_conversion_leaves_the_file_unchanged() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("agents.db");
    fs::write(&path, before(&ACCOUNT)).expect("writes");
    let was = objects(&path).await;
    let rows = async || -> Vec<(String, Option<String>)> {
        let reasons = "SELECT id, forgotten_reason FROM memories ORDER BY seq";
        sqlx::query_as(reasons).fetch_all(&mut connected(&path).await).await.expect("reads")
    };
    let reasons = rows().await;
    for cut in ["by a fault", "in the middle"] {
        if cut == "by a fault" {
            assert!(open(&path, &BROKEN_CONVERSION).await.is_err());
        } else {
            let mut conn = connected(&path).await;
            let mut tx = conn.begin_with("BEGIN IMMEDIATE").await.expect("begins");
            convert(&mut tx, &ACCOUNT).await.expect("converts");
            // Simulates a killed process: no commit.
            drop(tx);
        }
        assert_eq!(objects(&path).await, was, "{cut}");
        assert_eq!(rows().await, reasons, "{cut}");
        let version: i64 = sqlx::query_scalar("PRAGMA user_version")
            .fetch_one(&mut connected(&path).await)
            .await
            .expect("one");
        assert_eq!(version, ACCOUNT.oldest_version(), "{cut}");
    }
    open(&path, &ACCOUNT).await.expect("converts").close().await;
    let backup = folder.path().join("backups").join(format!("agents-v{}.db", ACCOUNT.oldest_version()));
    assert_eq!(objects(&backup).await, was, "the copy from before");
}

/// A conversion keeps the order of earlier changes and client writes; new ones continue it.
#[tokio::test]
async fn an_upgrade_orders_earlier_changes_by_their_times_and_puts_new_ones_behind() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("agents.db");
    fs::write(&path, before(&WORKSPACE)).expect("writes");
    let mut conn = connected(&path).await;
    let orders = async |conn: &mut SqliteConnection| -> Vec<i64> {
        let all = "SELECT change_order FROM journal ORDER BY sequence";
        sqlx::query_scalar(all).fetch_all(conn).await.expect("reads")
    };
    let earlier = orders(&mut conn).await;
    migrate(&mut conn, &WORKSPACE, WORKSPACE.oldest_version()).await.expect("converts");
    assert_eq!(orders(&mut conn).await, earlier);
    let last = *earlier.iter().max().expect("a change");
    let (change, client) = ("00000000-0000-7000-8000-000000000013", "00000000-0000-7000-8000-000000000002");
    let behind = |table: &str, columns: &str, values: &str| {
        format!(
            "INSERT INTO {table} (workspace_id, at, {columns}) SELECT workspace_id, 2500, {values} FROM meta; "
        )
    };
    let statements =
        behind(
            "journal",
            "id, action, hand, door, entries",
            &format!("'{change}', 'edit', 'author', 'cli', 1"),
        ) + &behind("client_writes", "client_id, kind, row_id", &format!("'{client}', 'setting', 'key'"));
    sqlx::raw_sql(sqlx::AssertSqlSafe(statements)).execute(&mut conn).await.expect("written");
    assert_eq!(orders(&mut conn).await[earlier.len()..], [last + 1]);
    let write: i64 = sqlx::query_scalar("SELECT change_order FROM client_writes WHERE row_id = 'key'")
        .fetch_one(&mut conn)
        .await
        .expect("reads");
    assert_eq!(write, last + 2);
}

/// A conversion keeps the sources of texts, and all checksums stay valid.
#[tokio::test]
async fn a_conversion_retains_the_sources_of_texts() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("agents.db");
    fs::write(&path, before(&ACCOUNT)).expect("writes");
    let mut conn = connected(&path).await;
    let sources = async |conn: &mut SqliteConnection| -> Vec<(String, i64, String)> {
        let all = "SELECT id, version, derived_from FROM memories \
                   UNION ALL SELECT memory_id, version, derived_from FROM memory_versions ORDER BY 1, 2";
        sqlx::query_as(all).fetch_all(conn).await.expect("reads")
    };
    let earlier = sources(&mut conn).await;
    migrate(&mut conn, &ACCOUNT, ACCOUNT.oldest_version()).await.expect("converts");
    assert_eq!(sources(&mut conn).await, earlier);
    assert_eq!(checksum::damaged(&mut conn).await.expect("reads"), Vec::<String>::new());
}

/// A file that the first release with this schema wrote, with one entry and its change.
async fn of_first_version(path: &Path, schema: &Schema, workspace: &str) -> MemoryId {
    const CHANGE: &str = "00000000-0000-7000-8000-000000000021";
    let id: MemoryId = "00000000-0000-7000-8000-000000000022".parse().expect("an id");
    let scope = if schema.application_id == ACCOUNT.application_id { "account" } else { "workspace" };
    // The checksums as that release computed them.
    let sum = if scope == "account" { -2_130_941_828_041_827_474 } else { -3_673_562_296_935_410_855_i64 };
    let first = Schema { migrations: &schema.migrations[..1], ..*schema };
    let mut conn = connect(&format!("sqlite:{}?mode=rwc", path.display())).await;
    migrate(&mut conn, &first, 0).await.expect("the first version");
    if scope == "workspace" {
        let meta = format!(
            "INSERT INTO meta (one, workspace_id, name, created_at) VALUES (1, '{workspace}', 'A', 0)"
        );
        sqlx::raw_sql(sqlx::AssertSqlSafe(meta)).execute(&mut conn).await.expect("a workspace");
    }
    let rows = format!(
        "INSERT INTO journal (workspace_id, id, action, hand, door, at, entries) \
         VALUES ('{workspace}', '{CHANGE}', 'create', 'author', 'window', 1, 1);
         INSERT INTO memories (workspace_id, id, scope, lifetime, curator, kind, importance, source, version, \
           written_by, change_id, created_at, accessed_at, updated_at, content, checksum, change_seq) \
         SELECT '{workspace}', '{id}', '{scope}', 'long_term', 'author', 'note', 0.5, 'user', 1, 'author', '{CHANGE}', \
           1, 1, 1, 'The basilisk sleeps under the salt gate.', {sum}, tick FROM change_clock"
    );
    sqlx::raw_sql(sqlx::AssertSqlSafe(rows)).execute(&mut conn).await.expect("an entry");
    conn.close().await.expect("closes");
    id
}

#[tokio::test]
async fn entries_of_a_file_without_titles_keep_their_checksums_are_found_and_take_a_title() {
    for (schema, workspace) in [
        (&ACCOUNT, WorkspaceId::ACCOUNT),
        (&WORKSPACE, "00000000-0000-7000-8000-000000000020".parse().expect("one")),
    ] {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("agents.db");
        let id = of_first_version(&path, schema, &workspace.to_string()).await;
        let spec = OpenSpec { path: path.clone(), schema, workspace, create: false, writable: true };
        let db = std::sync::Arc::new(Database::open(spec).await.expect("upgrades"));
        let mut conn = connected(&path).await;
        assert_eq!(checksum::damaged(&mut conn).await.expect("reads"), Vec::<String>::new());
        let (store, index) = (SqliteStore::new(db.clone()), SearchIndex::new(db.clone()));
        let entry = store.get(&[id]).await.expect("reads").remove(0).entry;
        assert_eq!((entry.title.clone(), entry.keys.len()), (None, 0));
        let found = async |text: &str| -> Vec<MemoryId> {
            let filter = MemoryFilter::active(ScopeFilter::EVERYTHING);
            let hits = index.search_text(&parse(text).query, &filter, 9).await.expect("an answer");
            hits.into_iter().map(|hit| hit.id).collect()
        };
        assert_eq!((found("basilisk").await, found("serpent").await), (vec![id], vec![]));
        let new_title = MemoryPatch { title: Some("The Serpent King".into()), ..MemoryPatch::default() };
        let (change, titled) = Scribe::default().edit(author(), &entry, new_title);
        store.commit(&change).await.expect("commits");
        assert_eq!((found("basilisk").await, found("serpent").await), (vec![id], vec![id]));
        assert_eq!(store.get(&[id]).await.expect("reads")[0].entry, titled);
        let history = store.history(id).await.expect("reads");
        let called: Vec<_> = history.iter().map(|version| version.entry.title.as_deref()).collect();
        assert_eq!(called, [Some("The Serpent King"), None]);
        assert_eq!(checksum::damaged(&mut conn).await.expect("reads"), Vec::<String>::new());
    }
}

#[tokio::test]
async fn facts_of_a_file_without_spans_keep_their_values_claims_and_checksums() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("agents.db");
    let workspace: WorkspaceId = "00000000-0000-7000-8000-000000000020".parse().expect("one");
    of_first_version(&path, &WORKSPACE, &workspace.to_string()).await;
    let (fact, claim) = ("00000000-0000-7000-8000-000000000030", "00000000-0000-7000-8000-000000000031");
    let rows = format!(
        "INSERT INTO facts (workspace_id, id, category, category_folded, key, key_folded, source, written_by, version, \
           created_at, updated_at, value) \
         VALUES ('{workspace}', '{fact}', 'Gate', 'gate', 'Metal', 'metal', 'agent', 'agent', 1, 1, 1, 'iron');
         UPDATE facts SET value = 'bronze', source = 'user', written_by = 'user', version = 2, updated_at = 2;
         INSERT INTO fact_claims (workspace_id, id, fact_id, at, value) VALUES ('{workspace}', '{claim}', '{fact}', 3, 'tin')"
    );
    let mut conn = connected(&path).await;
    sqlx::raw_sql(sqlx::AssertSqlSafe(rows)).execute(&mut conn).await.expect("a fact");
    // As the program opens its files: a dropped table would take its children along.
    sqlx::raw_sql("PRAGMA foreign_keys = ON").execute(&mut conn).await.expect("set");
    migrate(&mut conn, &WORKSPACE, WORKSPACE.first_version).await.expect("upgrades");
    assert_eq!(checksum::damaged(&mut conn).await.expect("reads"), Vec::<String>::new());
    let all = "SELECT value, version, holds_from IS NULL AND holds_until IS NULL FROM facts \
               UNION ALL SELECT value, version, holds_from IS NULL AND holds_until IS NULL FROM fact_values \
               UNION ALL SELECT value, 0, state = 'open' FROM fact_claims";
    let found: Vec<(String, i64, bool)> = sqlx::query_as(all).fetch_all(&mut conn).await.expect("reads");
    let expected = [("bronze", 2, true), ("iron", 1, true), ("tin", 0, true)];
    assert_eq!(found, expected.map(|(value, version, so)| (value.to_owned(), version, so)));
    let broken: Vec<(String,)> = sqlx::query_as("SELECT \"table\" FROM pragma_foreign_key_check")
        .fetch_all(&mut conn)
        .await
        .expect("an answer");
    assert!(broken.is_empty(), "{broken:?}");
    let orphan = "INSERT INTO fact_claims (workspace_id, id, fact_id, at, value) \
                  SELECT workspace_id, fact_id, workspace_id, 3, 'lead' FROM fact_claims";
    let orphan = sqlx::raw_sql(orphan).execute(&mut conn).await;
    assert!(orphan.is_err_and(|error| error.to_string().contains("FOREIGN KEY")));
}

/// How long the checksums of 100,000 standing messages take when their file is opened.
#[tokio::test]
#[ignore = "a measurement, not a check"]
async fn measure_adding_checksums_to_existing_messages() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("agents.db");
    let mut conn = connect(&format!("sqlite:{}?mode=rwc", path.display())).await;
    let first = Schema { migrations: &WORKSPACE.migrations[..1], ..WORKSPACE };
    migrate(&mut conn, &first, 0).await.expect("the first version");
    let (workspace, channel) =
        ("00000000-0000-7000-8000-000000000001", "00000000-0000-7000-8000-000000000002");
    let fill = format!(
        "INSERT INTO meta VALUES (1, '{workspace}', 'A world', 0); \
         INSERT INTO channels (workspace_id, id, name, name_folded, is_default, created_at) \
         VALUES ('{workspace}', '{channel}', 'General', 'general', 1, 0); \
         INSERT INTO conversations (workspace_id, id, channel_id, ref_code, status, started_at, active_at) \
         VALUES ('{workspace}', '{channel}', '{channel}', 'aaa-aaa-aaa', 'active', 0, 0); \
         WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < 100000) \
         INSERT INTO messages (workspace_id, id, conversation_id, position, role, delivery, importance, at, \
           updated_at, change_seq, content) \
         SELECT '{workspace}', printf('00000000-0000-7000-8000-%012d', n), '{channel}', n, 'user', 'complete', 0.5, n, n, n, \
           printf('%d ', n) || replace(hex(zeroblob(20)), '0000', 'word by word ') FROM n"
    );
    sqlx::raw_sql(sqlx::AssertSqlSafe(fill)).execute(&mut conn).await.expect("messages");
    let begun = std::time::Instant::now();
    migrate(&mut conn, &WORKSPACE, WORKSPACE.first_version).await.expect("upgrades");
    println!("100,000 messages: {:.1} s", begun.elapsed().as_secs_f64());
    assert_eq!(checksum::damaged(&mut conn).await.expect("reads"), Vec::<String>::new());
    let begun = std::time::Instant::now();
    checksum::damaged(&mut conn).await.expect("reads");
    println!("looking through them: {:.1} s", begun.elapsed().as_secs_f64());
}
