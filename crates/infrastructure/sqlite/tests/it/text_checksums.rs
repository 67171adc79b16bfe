//! Damage to what was said, to facts, summaries and working notes is found on the real file, as damage to entries is.

use std::{fs, path::Path};

use crate::support::{TempFolder, before, carried::World, raw, stage};
use inklings_application::conversation::transcript::NewAttachment;
use inklings_domain::{
    backup::{BackupId, BackupReason},
    fact::FactSource::User,
    ids::WorkspaceId,
    memory::filter::{MemoryFilter, ScopeFilter, Sort},
};
use inklings_ports::{
    backup::{BackupScope, BackupStore},
    store_error::StoreError,
};
use sqlx::{
    AssertSqlSafe, ConnectOptions as _, Connection as _, SqliteConnection, sqlite::SqliteConnectOptions,
};

/// What `doctor` says of the texts of a workspace; empty if all are as they were written.
async fn checksums(folder: &TempFolder, workspace: WorkspaceId) -> Vec<String> {
    let file = format!("workspaces/{workspace}/agents.db");
    let findings = folder.catalogue().check().await.expect("findings");
    let of_texts = findings.into_iter().filter(|found| found.check == "checksums" && found.file == file);
    of_texts.filter(|found| !found.ok).map(|found| found.result).collect()
}

/// Everything of a rich workspace in its main file, and no connection to it.
async fn rich() -> (TempFolder, WorkspaceId) {
    let World { folder, session, .. } = World::rich(12).await;
    let workspace = session.workspace.workspace.id;
    let conversation = session.conversations().begin(None, "").await.expect("begun");
    let attached = [NewAttachment { name: "salt.md".to_owned(), text: "Salt.".to_owned() }];
    session.transcripts().add_with(&conversation, "Where is it from?", &attached).await.expect("added");
    drop(session);
    let mut conn = raw(&folder.workspace_file(workspace)).await;
    sqlx::query("PRAGMA wal_checkpoint(TRUNCATE)").execute(&mut conn).await.expect("one file");
    conn.close().await.expect("closes");
    (folder, workspace)
}

/// Flips the bit that tells capitals apart, in every copy of the byte behind `before` in a file.
fn flip(file: &Path, before: &str) {
    let mut bytes = fs::read(file).expect("reads");
    let text = before.as_bytes();
    let places: Vec<usize> =
        bytes.windows(text.len()).enumerate().filter(|(_, w)| *w == text).map(|(at, _)| at).collect();
    assert!(!places.is_empty(), "{before} is not in the file");
    for at in places {
        bytes[at + text.len() - 1] ^= 0x20;
    }
    fs::write(file, bytes).expect("writes");
}

#[tokio::test]
async fn a_flipped_bit_in_a_message_or_fact_is_detected_and_its_backups_are_marked_as_damaged() {
    for (text, word) in [
        ("Who built the g", "message "),
        ("Thaw", "fact "),
        ("Rain", "fact "),
        ("Mud", "claim "),
        ("They talk", "summary "),
        ("{\"b\": 1,  \"a", "working note of conversation "),
    ] {
        let (folder, workspace) = rich().await;
        assert_eq!(checksums(&folder, workspace).await, Vec::<String>::new());
        flip(&folder.workspace_file(workspace), text);
        let found = checksums(&folder, workspace).await;
        assert_eq!(found.len(), 1, "{text}");
        assert!(found[0].starts_with(&format!("1 not as they were written: {word}")), "{text}: {found:?}");
        assert!(!found[0].contains(text), "{found:?}");
        let catalogue = folder.open();
        let damaged = catalogue.damaged_files().await.expect("a look");
        assert_eq!(damaged.iter().map(|it| it.workspace).collect::<Vec<_>>(), [workspace], "{text}");
        let id = BackupId::new(chrono::DateTime::UNIX_EPOCH, BackupReason::Asked);
        let set = catalogue.make_backup(id, BackupScope::Everything).await.expect("a backup");
        assert_eq!(set.ok, Some(false), "{text}");
        assert_eq!(catalogue.check_backup(set.id).await.expect("checked").ok, Some(false), "{text}");
    }
}

#[tokio::test]
async fn text_that_is_not_utf8_is_reported_as_damage_and_not_as_a_failure() {
    let (folder, workspace) = rich().await;
    let file = folder.workspace_file(workspace);
    let mut conn = unguarded(&file).await;
    let broken = sqlx::query("UPDATE memories SET content = CAST(X'a5a5' AS TEXT)").execute(&mut conn);
    assert!(broken.await.expect("written").rows_affected() > 0);
    conn.close().await.expect("closes");
    let catalogue = folder.open();
    let damaged = catalogue.damaged_files().await.expect("a look");
    assert_eq!(damaged.iter().map(|it| it.workspace).collect::<Vec<_>>(), [workspace]);
    assert_eq!(checksums(&folder, workspace).await.len(), 1);
    let id = BackupId::new(chrono::DateTime::UNIX_EPOCH, BackupReason::Asked);
    catalogue.make_backup(id, BackupScope::Everything).await.expect("a backup of the rest");
    let ports = folder.catalogue().open(workspace).await.expect("opens");
    let everything = MemoryFilter::active(ScopeFilter::EVERYTHING);
    let error = ports
        .memory
        .store
        .list(&everything, Sort::UpdatedDesc, None, 10)
        .await
        .expect_err("a text that cannot be read");
    assert!(matches!(error, StoreError::Corrupt { .. }), "{error:?}");
}

/// A connection without the guards, as damage knows none.
async fn unguarded(file: &Path) -> SqliteConnection {
    let options = SqliteConnectOptions::new().filename(file).foreign_keys(false);
    let mut conn = options.pragma("ignore_check_constraints", "ON").connect().await.expect("opens");
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

/// The columns of each table that hold words of somebody, or say whose they are.
const TEXTS: &[(&str, &[&str])] = &[
    (
        "messages",
        &[
            "id",
            "conversation_id",
            "role",
            "tool_call_id",
            "tool_name",
            "tool_calls",
            "archive_id",
            "archive_name",
            "external_id",
            "content",
            "attached_name",
        ],
    ),
    ("facts", &["id", "category", "category_folded", "key", "key_folded", "source", "written_by", "value"]),
    ("fact_values", &["fact_id", "source", "value"]),
    ("fact_claims", &["id", "fact_id", "value"]),
    ("episodes", &["id", "maker", "source_ids", "summary"]),
    ("scratchpads", &["conversation_id", "key", "value"]),
];

#[tokio::test]
async fn one_bit_in_any_text_of_a_row_is_found() {
    let (folder, workspace) = rich().await;
    let mut conn = unguarded(&folder.workspace_file(workspace)).await;
    for (table, columns) in TEXTS {
        for column in *columns {
            let read =
                format!("SELECT CAST({column} AS BLOB) FROM {table} WHERE length({column}) > 0 LIMIT 1");
            let text: Vec<u8> = sqlx::query_scalar(AssertSqlSafe(read))
                .fetch_optional(&mut conn)
                .await
                .expect("reads")
                .unwrap_or_else(|| panic!("nothing is tried of {table}.{column}"));
            let mut flipped = text.clone();
            flipped[text.len() / 2] ^= 1;
            let write =
                format!("UPDATE {table} SET {column} = CAST(?1 AS TEXT) WHERE CAST({column} AS BLOB) = ?2");
            for (from, to, damaged) in [(&text, &flipped, true), (&flipped, &text, false)] {
                sqlx::query(AssertSqlSafe(write.clone()))
                    .bind(to)
                    .bind(from)
                    .execute(&mut conn)
                    .await
                    .expect("written");
                let found = checksums(&folder, workspace).await;
                assert_eq!(!found.is_empty(), damaged, "{table}.{column}: {found:?}");
            }
        }
    }
}

#[tokio::test]
async fn a_row_whose_checksum_is_lost_counts_as_damaged() {
    let (folder, workspace) = rich().await;
    let mut conn = unguarded(&folder.workspace_file(workspace)).await;
    for (table, _) in TEXTS {
        let lose = format!("UPDATE {table} SET checksum = NULL");
        sqlx::query(AssertSqlSafe(lose)).execute(&mut conn).await.expect("written");
        assert_eq!(checksums(&folder, workspace).await.len(), 1, "{table}");
    }
}

/// Otherwise the next value would pass the damage on to the history, with a checksum that holds.
#[tokio::test]
async fn a_damaged_value_of_a_fact_stays_damaged_after_a_new_value() {
    let (folder, set) = stage().await;
    let workspace = set.workspace.workspace.id;
    let fact = set.scribe.fact("people", "Mira", "a smith", User);
    set.workspace.facts.put_fact(&fact, User, None).await.expect("a fact");
    let mut conn = raw(&folder.workspace_file(workspace)).await;
    sqlx::query("DROP TRIGGER facts_update").execute(&mut conn).await.expect("no guard");
    sqlx::query("UPDATE facts SET value = 'a smitH'").execute(&mut conn).await.expect("damaged");
    let next = set.scribe.next_value(&fact, "a thief", User);
    set.workspace.facts.put_fact(&next, User, None).await.expect("a new value");
    assert_eq!(
        checksums(&folder, workspace).await,
        [format!("1 not as they were written: fact {}@1", fact.id)]
    );
}

/// As the release before this one left it: rows without checksums, and a schema that knows none.
#[tokio::test]
async fn rows_of_an_earlier_release_get_their_checksums_when_the_file_is_opened() {
    let (folder, workspace) = (before::folder(), before::workspace());
    let file = folder.workspace_file(workspace);
    let rows = async |sql: &'static str| -> i64 {
        let mut conn = raw(&file).await;
        let count = sqlx::query_scalar(sql).fetch_one(&mut conn).await.expect("counts");
        conn.close().await.expect("closes");
        count
    };
    for (table, _) in TEXTS {
        let count = rows(match *table {
            "messages" => "SELECT count(*) FROM messages",
            "facts" => "SELECT count(*) FROM facts",
            "fact_values" => "SELECT count(*) FROM fact_values",
            "fact_claims" => "SELECT count(*) FROM fact_claims",
            "episodes" => "SELECT count(*) FROM episodes",
            _ => "SELECT count(*) FROM scratchpads",
        });
        assert!(count.await > 0, "nothing is tried of {table}");
    }
    folder.catalogue().open(workspace).await.expect("converted and opened");
    assert_eq!(checksums(&folder, workspace).await, Vec::<String>::new());
    assert_eq!(rows("SELECT count(*) FROM messages WHERE checksum IS NULL").await, 0);
    assert_eq!(rows("SELECT count(*) FROM facts WHERE checksum IS NULL").await, 0);
}
