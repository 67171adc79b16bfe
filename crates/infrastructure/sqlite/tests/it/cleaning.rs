//! A scrub that was killed leaves a file that still has to be cleaned. Whoever opens it does that, or leaves it to the next.

use std::time::Duration;

use inklings_domain::scope::Place;
use inklings_ports::workspace::catalogue::Catalogue as _;
use sqlx::{AssertSqlSafe, Row as _, SqliteConnection};

use crate::support::{self, raw};

async fn is_waiting(conn: &mut SqliteConnection) -> bool {
    let waiting = "SELECT EXISTS (SELECT 1 FROM deletion_permits WHERE memory_id = 'cleaning')";
    sqlx::query_scalar(waiting).fetch_one(conn).await.expect("read")
}

/// True while another connection writes the log back. SQLite says so at once, whatever the busy timeout.
async fn is_being_written_back(conn: &mut SqliteConnection) -> bool {
    let row = sqlx::query("PRAGMA wal_checkpoint(PASSIVE)").fetch_one(conn).await.expect("an answer");
    row.get::<i64, _>(0) == 1
}

async fn is_emptied(conn: &mut SqliteConnection) -> bool {
    let row = sqlx::query("PRAGMA wal_checkpoint(TRUNCATE)").fetch_one(conn).await.expect("an answer");
    row.get::<i64, _>(0) == 0
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_file_in_use_opens_at_once_and_is_cleaned_by_a_later_opening() {
    let (folder, stage) = support::stage().await;
    let id = stage.workspace.workspace.id;
    let file = folder.workspace_file(id);
    let (mut reader, mut other, mut looks) = (raw(&file).await, raw(&file).await, raw(&file).await);
    // A reader of an old state keeps the log from being emptied.
    sqlx::raw_sql("BEGIN; SELECT count(*) FROM memories").execute(&mut reader).await.expect("reads");
    stage.apply(stage.scribe.named(Place::Workspace, "VOICE", "Spare.")).await;
    stage.apply(stage.scribe.named(Place::Workspace, "Rules", "Few.")).await;
    let mark = format!(
        "INSERT INTO deletion_permits (workspace_id, memory_id, manifest, granted_at) VALUES ('{id}', 'cleaning', 'x', 1)"
    );
    sqlx::query(AssertSqlSafe(mark)).execute(&mut looks).await.expect("marked");
    let emptying = tokio::spawn(async move {
        sqlx::query("PRAGMA busy_timeout = 60000").execute(&mut other).await.expect("set");
        // It is refused at once while the loop below looks.
        while !is_emptied(&mut other).await {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
    });
    while !is_being_written_back(&mut looks).await {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    let catalogue = folder.open();
    catalogue.open(id).await.expect("the file opens");
    assert!(is_waiting(&mut looks).await, "the cleaning is left to a later opening");
    catalogue.close().await;
    sqlx::raw_sql("ROLLBACK").execute(&mut reader).await.expect("ended");
    emptying.await.expect("the log is emptied");
    let catalogue = folder.open();
    catalogue.open(id).await.expect("the file opens");
    assert!(!is_waiting(&mut looks).await, "it is clean now");
    catalogue.close().await;
}
