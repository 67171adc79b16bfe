use super::*;

#[tokio::test]
async fn the_linked_sqlite_is_new_enough_for_two_writing_processes() {
    let mut conn = SqliteConnection::connect("sqlite::memory:").await.expect("opens");
    let version: String =
        sqlx::query_scalar("SELECT sqlite_version()").fetch_one(&mut conn).await.expect("a version");
    assert!(numbers(&version) >= Some(MIN_SQLITE), "{version}");
}

#[test]
fn versions_compare_as_numbers() {
    assert!(numbers("3.51.3") > numbers("3.9.9"));
    assert_eq!(numbers("three"), None);
}

/// How long a connection waits for a lock, in milliseconds.
async fn timeout_of(conn: &mut SqliteConnection) -> u128 {
    let wait: i64 = sqlx::query_scalar("PRAGMA busy_timeout").fetch_one(conn).await.expect("a timeout");
    u128::from(wait.unsigned_abs())
}

#[tokio::test]
async fn every_connection_waits_half_a_minute_for_a_lock() {
    let folder = tempfile::tempdir().expect("a folder");
    let db = world(folder.path()).await;
    let most = BUSY_TIMEOUT.as_millis();
    let mut reader = db.reader().acquire().await.expect("a connection");
    assert_eq!(timeout_of(&mut reader).await, most);
    assert_eq!(timeout_of(&mut db.watcher().await.expect("a connection")).await, most);
    assert_eq!(timeout_of(&mut connect_to_read(db.path()).await.expect("a connection")).await, most);
    // The start of a transaction is tried several times.
    let mut writer = db.writing().await.expect("the writing connection");
    assert_eq!(timeout_of(&mut writer).await * u128::from(ATTEMPTS), most);
}

async fn world(folder: &Path) -> Database {
    let spec = OpenSpec {
        path: folder.join("inklings.db"),
        schema: &migrate::WORLD,
        workspace: WorkspaceId::ACCOUNT,
        create: true,
        writable: true,
    };
    Database::open(spec).await.expect("opens")
}

/// Makes SQLite report a full disk on the open connection.
async fn fill_up(db: &Database) {
    let mut conn = db.writing().await.expect("the writing connection");
    let pages: i64 =
        sqlx::query_scalar("PRAGMA page_count").fetch_one(&mut *conn).await.expect("a number of pages");
    let limit = format!("PRAGMA max_page_count = {}", pages + 2);
    sqlx::query(AssertSqlSafe(limit)).execute(&mut *conn).await.expect("a limit");
}

async fn insert(db: &Database, bytes: i64) -> DbResult<()> {
    let mut tx = db.begin_immediate().await?;
    sqlx::query("INSERT INTO scraps (bytes) VALUES (randomblob(?))").bind(bytes).execute(&mut *tx).await?;
    tx.commit().await?;
    Ok(())
}

#[tokio::test]
async fn a_write_that_failed_on_a_full_disk_does_not_block_later_writes() {
    let folder = tempfile::tempdir().expect("a folder");
    let db = world(folder.path()).await;
    let mut tx = db.begin_immediate().await.expect("begins");
    sqlx::query("CREATE TABLE scraps (bytes BLOB)").execute(&mut *tx).await.expect("a table");
    tx.commit().await.expect("commits");
    for _ in 0..3 {
        fill_up(&db).await;
        let refused = insert(&db, 1 << 20).await.map_err(|error| db.fail(error));
        assert!(matches!(refused, Err(StoreError::DiskFull)), "{refused:?}");
        // The limit belongs to the connection that failed, so its replacement has room again.
        insert(&db, 1 << 20).await.expect("the next write succeeds");
    }
    let count: i64 =
        sqlx::query_scalar("SELECT count(*) FROM scraps").fetch_one(&db.reader()).await.expect("a count");
    assert_eq!(count, 3);
}
