//! Files that are not what they should be: each gives a typed error, and not a byte of it changes.

use std::{
    fs,
    path::{Path, PathBuf},
};

use crate::support::{self, TempFolder, look, stage::Stage};
use inklings_domain::{ids::WorkspaceId, memory::filter::Sort, scope::Place};
use inklings_ports::{
    store_error::StoreError,
    testing::builders::{author, draft},
    workspace::catalogue::Catalogue,
};
use sqlx::{AssertSqlSafe, ConnectOptions, Connection, sqlite::SqliteConnectOptions};

/// A folder with one workspace that holds one entry, everything closed.
async fn settled() -> (TempFolder, WorkspaceId) {
    let (folder, stage) = support::stage().await;
    stage.write_one(author(), draft(Place::Workspace, "The word that must survive.")).await;
    let id = stage.workspace.workspace.id;
    stage.catalogue.close().await;
    (folder, id)
}

async fn run(path: &Path, sql: &str) {
    let mut conn = SqliteConnectOptions::new()
        .filename(path)
        .create_if_missing(true)
        .connect()
        .await
        .expect("the file opens");
    support::with_tokenizer(&mut conn).await;
    sqlx::raw_sql(AssertSqlSafe(sql.to_owned())).execute(&mut conn).await.expect("runs");
    conn.close().await.expect("closes");
}

/// What is left when the error has come back: the same bytes, and no log or journal beside them.
fn assert_untouched(path: &Path, before: &[u8]) {
    assert!(fs::read(path).expect("still there") == before, "the file was changed");
}

#[tokio::test]
async fn a_closed_catalogue_leaves_no_log_and_its_ports_fail() {
    let (folder, stage) = support::stage().await;
    let id = stage.workspace.workspace.id;
    stage.write_one(author(), draft(Place::Workspace, "Folded into the file.")).await;
    stage.catalogue.close().await;
    for file in [folder.account_file(), folder.workspace_file(id)] {
        for suffix in ["-wal", "-shm"] {
            let sibling = PathBuf::from(format!("{}{suffix}", file.display()));
            assert!(!sibling.exists(), "{} is still open", sibling.display());
        }
    }
    let (change, _) = stage.scribe.create(author(), [draft(Place::Workspace, "Too late.")]);
    assert!(stage.workspace.memory.store.commit(&change).await.is_err());
}

#[tokio::test]
async fn a_file_that_is_no_database_is_refused_unchanged() {
    let whole = settled().await.0;
    let database = fs::read(whole.account_file()).expect("a file");
    let mut zeroed = database.clone();
    zeroed[..100].fill(0);
    let mut flipped = database.clone();
    flipped[16] = 0x7f; // the page size in the header
    let cases = [
        ("text", b"Dear diary, this is not a database.".to_vec()),
        ("a short file", b"SQLite".to_vec()),
        ("a header alone", database[..16].to_vec()),
        ("a zeroed header", zeroed),
        ("an impossible page size", flipped),
        ("half a file", database[..database.len() / 2].to_vec()),
    ];
    for (what, bytes) in cases {
        let folder = TempFolder::new();
        fs::write(folder.account_file(), &bytes).expect("writes");
        let found = folder.open().account().await.map(|_| ());
        assert!(
            matches!(&found, Err(StoreError::Corrupt { file }) if file == "agents.db"),
            "{what}: {found:?}"
        );
        assert_untouched(&folder.account_file(), &bytes);
        let findings = folder.open().check().await.expect("the check itself works");
        assert!(findings.iter().any(|finding| !finding.ok), "{what}: the doctor sees nothing");
        assert_untouched(&folder.account_file(), &bytes);
    }
}

#[tokio::test]
async fn a_database_of_another_program_is_refused_unchanged() {
    let folder = TempFolder::new();
    run(&folder.account_file(), "CREATE TABLE bookmarks (url TEXT); PRAGMA user_version = 3").await;
    let before = fs::read(folder.account_file()).expect("a file");
    let found = folder.open().account().await.map(|_| ());
    assert!(matches!(found, Err(StoreError::Corrupt { .. })), "{found:?}");
    assert_untouched(&folder.account_file(), &before);
}

#[tokio::test]
async fn a_database_of_the_wrong_kind_is_refused_unchanged() {
    let (folder, id) = settled().await;
    let other = TempFolder::new();
    fs::copy(folder.workspace_file(id), other.account_file()).expect("copies");
    let found = other.open().account().await.map(|_| ());
    assert!(matches!(found, Err(StoreError::Corrupt { .. })), "{found:?}");
}

#[tokio::test]
async fn a_database_of_a_newer_release_is_refused_unchanged() {
    let (folder, id) = settled().await;
    run(&folder.workspace_file(id), "PRAGMA user_version = 99").await;
    let before = fs::read(folder.workspace_file(id)).expect("a file");
    let found = folder.open().open(id).await.map(|_| ());
    assert!(
        matches!(&found, Err(StoreError::NewerSchema { file, found: 99, .. }) if file == "agents.db"),
        "{found:?}"
    );
    assert_untouched(&folder.workspace_file(id), &before);
}

#[tokio::test]
async fn a_missing_or_emptied_workspace_file_is_not_replaced_by_an_empty_one() {
    let (folder, id) = settled().await;
    let file = folder.workspace_file(id);
    fs::write(&file, b"").expect("empties");
    let found = folder.open().open(id).await.map(|_| ());
    assert!(matches!(found, Err(StoreError::Missing { .. })), "{found:?}");
    fs::remove_file(&file).expect("removes");
    let found = folder.open().open(id).await.map(|_| ());
    assert!(matches!(found, Err(StoreError::Missing { .. })), "{found:?}");
    assert!(!file.exists());
    fs::remove_dir_all(folder.workspace_folder(id)).expect("removes");
    let found = folder.open().open(id).await.map(|_| ());
    assert!(matches!(found, Err(StoreError::Missing { .. })), "{found:?}");
}

#[tokio::test]
async fn damage_inside_a_file_is_found_by_the_check() {
    let (folder, id) = settled().await;
    let file = folder.workspace_file(id);
    let mut bytes = fs::read(&file).expect("a file");
    let start = bytes.len() - bytes.len() / 3;
    bytes[start..].fill(0xa5);
    fs::write(&file, &bytes).expect("writes");
    let findings = folder.open().check().await.expect("the check itself works");
    let about = |f: &&inklings_ports::workspace::catalogue::CheckFinding| f.file.contains(&id.to_string());
    assert!(findings.iter().filter(about).any(|f| !f.ok), "{findings:?}");
    assert!(findings.iter().filter(|f| f.file == "agents.db").all(|f| f.ok), "{findings:?}");
}

#[tokio::test]
async fn the_check_detects_an_inconsistent_full_text_index() {
    let (folder, id) = settled().await;
    run(
        &folder.workspace_file(id),
        "INSERT INTO memories_fts (memories_fts, rowid, content, name, reach) \
         VALUES ('delete', 1, 'The word that must survive.', NULL, 'active sworkspace')",
    )
    .await;
    let findings = folder.open().check().await.expect("the check itself works");
    let failed: Vec<&str> = findings.iter().filter(|f| !f.ok).map(|f| f.check.as_str()).collect();
    assert_eq!(failed, ["full_text_index"]);
}

#[tokio::test]
async fn a_changed_schema_is_found_by_the_check() {
    let (folder, id) = settled().await;
    run(&folder.workspace_file(id), "DROP TRIGGER memories_update").await;
    let findings = folder.open().check().await.expect("the check itself works");
    let failed: Vec<&str> = findings.iter().filter(|f| !f.ok).map(|f| f.check.as_str()).collect();
    assert_eq!(failed, ["schema"]);
}

/// The lock file made unusable stands for a folder that cannot be written: it stops root too.
fn make_read_only(folder: &TempFolder) {
    let lock = folder.path().join(".lock");
    let _ = fs::remove_file(&lock);
    fs::create_dir(lock).expect("a folder in the lock's place");
}

#[tokio::test]
async fn a_read_only_folder_can_be_read_and_is_written_again_later() {
    let (folder, id) = settled().await;
    make_read_only(&folder);
    let catalogue = folder.open();
    assert!(catalogue.is_read_only());
    assert_eq!(catalogue.workspaces().await.expect("the list is read").len(), 1);
    let ports = catalogue.open(id).await.expect("it opens for reading");
    let all = inklings_ports::testing::builders::everywhere(Vec::new());
    let page = ports.memory.store.list(&all, Sort::default(), None, 10).await.expect("a page");
    assert_eq!(page.len(), 1);
    let scribe = inklings_ports::testing::builders::Scribe::default();
    let (change, _) = scribe.create(author(), [draft(Place::Workspace, "Too late.")]);
    let refused = ports.memory.store.commit(&change).await;
    assert!(matches!(refused, Err(StoreError::ReadOnly)), "{refused:?}");
    let refused = catalogue.create(&scribe.workspace("New")).await;
    assert!(matches!(refused, Err(StoreError::WrongKind { found: "a folder", .. })), "{refused:?}");
    let findings = catalogue.check().await.expect("a check");
    let trouble: Vec<_> = findings.iter().filter(|f| !f.ok).map(|f| (&*f.file, &*f.check)).collect();
    assert_eq!(trouble, [(".lock", "path")], "the databases are sound");

    fs::remove_dir(folder.path().join(".lock")).expect("writable again");
    assert!(!catalogue.is_read_only());
    let ports = catalogue.open(id).await.expect("it opens again");
    ports.memory.store.commit(&change).await.expect("writes work again");
}

#[tokio::test]
async fn a_folder_that_cannot_be_created_is_read_only() {
    let folder = TempFolder::new();
    let file = folder.path().join("a file");
    fs::write(&file, b"x").expect("writes");
    let catalogue = inklings_sqlite::SqliteCatalogue::new(file.join("data"));
    assert!(catalogue.is_read_only());
    let found = catalogue.account().await.map(|_| ());
    assert!(matches!(found, Err(StoreError::ReadOnly)), "{found:?}");
}

#[cfg(unix)]
#[tokio::test]
async fn a_workspace_folder_that_is_a_link_is_refused() {
    let (folder, id) = settled().await;
    let outside = TempFolder::new();
    let target = outside.path().join("elsewhere");
    fs::rename(folder.workspace_folder(id), &target).expect("moves");
    std::os::unix::fs::symlink(&target, folder.workspace_folder(id)).expect("links");
    let catalogue = folder.open();
    for found in [catalogue.open(id).await.map(|_| ()), catalogue.delete(id, true).await] {
        assert!(matches!(found, Err(StoreError::WrongKind { found: "a link", .. })), "{found:?}");
    }
    assert!(target.join("agents.db").exists());
}

#[tokio::test]
async fn a_copied_workspace_folder_is_refused_as_another_workspace() {
    let (folder, stage) = support::stage().await;
    let id = stage.workspace.workspace.id;
    let other = stage.scribe.workspace("Other");
    stage.catalogue.create(&other).await.expect("made");
    stage.catalogue.close().await;
    fs::copy(folder.workspace_file(id), folder.workspace_file(other.id)).expect("copies");
    let found = folder.open().open(other.id).await.map(|_| ());
    assert!(matches!(found, Err(StoreError::Refused(_))), "{found:?}");
}

#[tokio::test]
async fn purging_a_workspace_leaves_neither_its_name_nor_its_texts() {
    let folder = TempFolder::new();
    let stage = Stage::set(&folder).await;
    let scrub_targets = stage.scribe.workspace("Zanzibarland");
    stage.catalogue.create(&scrub_targets).await.expect("made");
    let ports = stage.catalogue.open(scrub_targets.id).await.expect("opens");
    let (change, _) = stage.scribe.create(author(), [draft(Place::Workspace, "Quixotical secrets.")]);
    ports.memory.store.commit(&change).await.expect("written");
    stage.catalogue.delete(scrub_targets.id, true).await.expect("purged");
    for needle in ["anzibarland", "uixotical", &scrub_targets.id.to_string()] {
        let mut traces = Vec::new();
        look(folder.path(), needle, &mut traces);
        assert!(traces.is_empty(), "{needle}: {traces:?}");
    }
}

#[tokio::test]
async fn a_workspace_in_the_trash_can_be_purged() {
    let (folder, stage) = support::stage().await;
    let id = stage.workspace.workspace.id;
    stage.catalogue.delete(id, false).await.expect("deleted");
    let mut traces = Vec::new();
    look(&folder.path().join("trash"), &id.to_string(), &mut traces);
    assert!(!traces.is_empty());
    assert!(!folder.workspace_folder(id).exists());
    stage.catalogue.delete(id, true).await.expect("purged");
    let again = stage.catalogue.delete(id, true).await;
    assert!(matches!(again, Err(StoreError::NotFound(_))), "{again:?}");
    let mut traces = Vec::new();
    look(folder.path(), &id.to_string(), &mut traces);
    assert!(traces.is_empty(), "{traces:?}");
}

#[tokio::test]
async fn a_write_to_a_workspace_that_another_process_deleted_is_refused() {
    let (folder, stage) = support::stage().await;
    let id = stage.workspace.workspace.id;
    for purge in [false, true] {
        folder.open().delete(id, purge).await.expect("deleted by another process");
        let (change, _) = stage.scribe.create(author(), [draft(Place::Workspace, "Into the void.")]);
        let refused = stage.store().commit(&change).await;
        assert!(matches!(refused, Err(StoreError::NotFound(_))), "{refused:?}");
    }
    let found = stage.catalogue.open(id).await.map(|_| ());
    assert!(matches!(found, Err(StoreError::NotFound(_))), "{found:?}");
}
