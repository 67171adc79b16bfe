//! A data folder of the last release before the first migrations: opened, used, backed up, and its backups put back.

use std::{collections::BTreeMap, fs, path::Path};

use crate::support::{
    before::{self, SET, VERSIONS},
    carried::{EVERYTHING, World, timeless},
    raw,
};
use inklings_application::{
    backup::{Backups, ScrubbedData},
    error::AppError,
};
use inklings_domain::{
    backup::BackupReason, forget_reason::ForgetReason, ids::MemoryId, memory::MemoryEntry, scope::Place,
};
use inklings_ports::{
    backup::BackupScope,
    store_error::StoreError,
    testing::builders::{author, draft, new_text},
    workspace::catalogue::Catalogue as _,
};
use sqlx::Connection as _;

fn backups(world: &World) -> Backups {
    Backups { catalogue: std::sync::Arc::new(world.folder.open()), clock: world.scribe.clock.clone() }
}

fn assert_same_export(found: &str, expected: &str) {
    for (a, b) in timeless(found).lines().zip(timeless(expected).lines()) {
        assert_eq!(a, b);
    }
    assert_eq!(timeless(found), timeless(expected));
}

async fn number(file: &Path, sql: &'static str) -> i64 {
    let mut conn = raw(file).await;
    let number = sqlx::query_scalar(sql).fetch_one(&mut conn).await.expect("a number");
    conn.close().await.expect("closes");
    number
}

/// Why each entry and version of a file is out of use: rows of each code and note.
async fn reasons(file: &Path) -> BTreeMap<(Option<String>, String), i64> {
    let mut conn = raw(file).await;
    let rows: Vec<(Option<String>, String, i64)> = sqlx::query_as(
        "SELECT forgotten_code, forgotten_reason, count(*) FROM ( \
         SELECT forgotten_code, forgotten_reason FROM memories WHERE forgotten_at IS NOT NULL \
         UNION ALL SELECT forgotten_code, forgotten_reason FROM memory_versions WHERE forgotten_at IS NOT NULL) \
         GROUP BY 1, 2",
    )
    .fetch_all(&mut conn)
    .await
    .expect("reasons");
    conn.close().await.expect("closes");
    rows.into_iter().map(|(code, words, count)| ((code, words), count)).collect()
}

#[tokio::test]
async fn a_converted_folder_of_the_previous_release_exports_the_same_bytes() {
    let world = before::opened(before::folder()).await;
    assert_same_export(&world.export(EVERYTHING).await, &before::export());
    world.healthy().await;
    for file in [world.folder.account_file(), world.folder.workspace_file(before::workspace())] {
        let found = reasons(&file).await;
        // The previous release moved nothing.
        for reason in ForgetReason::CODES.iter().filter(|code| **code != ForgetReason::Moved(None).code()) {
            let codes = found.keys().filter(|(code, _)| code.as_deref() == Some(*reason));
            assert!(codes.count() >= 1, "{reason} of {found:?}");
        }
        let noted = |note: &str| found.get(&(Some("asked".to_owned()), note.to_owned())).copied();
        for note in ["", "by hand", "It had faded", "wrong: see the charter (\u{c6}nd)"] {
            assert_eq!(noted(note), Some(2), "{note} of {found:?}");
        }
        assert!(found.keys().all(|(code, note)| code.as_deref() == Some("asked") || note.is_empty()));
    }
}

async fn forgotten_as(world: &World, code: &'static str) -> MemoryId {
    let file = world.folder.workspace_file(before::workspace());
    let mut conn = raw(&file).await;
    let id: String =
        sqlx::query_scalar("SELECT id FROM memories WHERE forgotten_code = ? ORDER BY seq LIMIT 1")
            .bind(code)
            .fetch_one(&mut conn)
            .await
            .expect("an entry");
    conn.close().await.expect("closes");
    id.parse().expect("an id")
}

async fn entry(world: &World, id: MemoryId) -> MemoryEntry {
    world.session.workspace.memory.store.get(&[id]).await.expect("reads")[0].entry.clone()
}

#[tokio::test]
async fn converted_entries_can_be_changed_and_changes_undone() {
    let world = before::opened(before::folder()).await;
    let session = &world.session;
    let faded = forgotten_as(&world, "faded").await;
    let as_it_was = entry(&world, faded).await;
    assert!(as_it_was.is_forgotten_for(&ForgetReason::Faded));
    let restored = session.memories().restore(&[faded], author()).await.expect("restored");
    assert!(entry(&world, faded).await.is_active());
    session.memories().undo_change(restored.change, author()).await.expect("taken back");
    assert!(entry(&world, faded).await.same_body(&as_it_was));

    let made = session
        .memories()
        .create(draft(Place::Workspace, "Written after it."), author())
        .await
        .expect("made");
    session.memories().edit(made.id(), 1, new_text("Rewritten."), author()).await.expect("edited");
    let words = ForgetReason::Faded.to_string();
    session.memories().forget(&[made.id()], &words, author()).await.expect("forgotten");
    let forgotten = entry(&world, made.id()).await;
    assert_eq!(forgotten.forgotten.expect("forgotten").reason, ForgetReason::Asked(Some(words)));
    // The newest entry of a change before: its creation is taken back.
    let history = session.workspace.memory.store.history(faded).await.expect("a history");
    let creation = history.last().expect("the first version").journal.change;
    let refused = session.memories().undo_change(creation, author()).await;
    assert!(matches!(refused, Err(AppError::Stale { .. })), "{refused:?}");
    world.healthy().await;
}

#[tokio::test]
async fn backups_from_before_and_after_a_conversion_can_be_restored() {
    let world = before::opened(before::folder()).await;
    let of_before = backups(&world).list().await.expect("a list");
    let set = of_before.iter().find(|set| set.id.to_string() == SET).expect("the backup");
    let checked = backups(&world).check(SET).await.expect("checked");
    assert_eq!((checked.ok, set.account, set.workspaces.len()), (Some(true), true, 1));

    world
        .session
        .memories()
        .create(draft(Place::Workspace, "Written after it."), author())
        .await
        .expect("made");
    let written = world.export(EVERYTHING).await;
    world.scribe.clock.tick();
    let since = backups(&world).make(BackupReason::Asked, BackupScope::Everything).await.expect("a backup");
    world.scribe.clock.tick();
    backups(&world).restore(SET, ScrubbedData::Refuse, author()).await.expect("put back");
    let World { folder, .. } = world;
    let world = before::opened(folder).await;
    assert_same_export(&world.export(EVERYTHING).await, &before::export());
    world.healthy().await;

    world.scribe.clock.advance(chrono::TimeDelta::hours(1));
    backups(&world).restore(&since.id.to_string(), ScrubbedData::Refuse, author()).await.expect("put back");
    let World { folder, .. } = world;
    let world = before::opened(folder).await;
    assert_same_export(&world.export(EVERYTHING).await, &written);
    world.healthy().await;
}

#[tokio::test]
async fn copies_made_before_a_conversion_are_backups_and_can_be_restored() {
    let world = before::opened(before::folder()).await;
    let sets = backups(&world).list().await.expect("a list");
    let copies: Vec<_> = sets.iter().filter(|set| set.id.reason() == BackupReason::Migration).collect();
    assert_eq!(copies.len(), 2, "{sets:?}");
    world
        .session
        .memories()
        .create(draft(Place::Workspace, "Written after it."), author())
        .await
        .expect("made");
    for copy in copies {
        world.scribe.clock.advance(chrono::TimeDelta::hours(1));
        backups(&world)
            .restore(&copy.id.to_string(), ScrubbedData::Refuse, author())
            .await
            .expect("put back");
    }
    let World { folder, .. } = world;
    let world = before::opened(folder).await;
    assert_same_export(&world.export(EVERYTHING).await, &before::export());
}

#[tokio::test]
async fn a_file_older_than_the_previous_release_is_refused_unchanged() {
    for (version, of_account) in [(VERSIONS.0 - 1, true), (VERSIONS.1 - 1, false)] {
        let folder = before::folder();
        let file =
            if of_account { folder.account_file() } else { folder.workspace_file(before::workspace()) };
        let mut conn = raw(&file).await;
        let older = sqlx::AssertSqlSafe(format!("PRAGMA user_version = {version}"));
        sqlx::raw_sql(older).execute(&mut conn).await.expect("set back");
        conn.close().await.expect("closes");
        let bytes = fs::read(&file).expect("a file");
        let opened = folder.open();
        let refused = match opened.account().await {
            Ok(_) => opened.open(before::workspace()).await.map(|_| ()),
            Err(error) => Err(error),
        };
        let reported = matches!(&refused, Err(StoreError::OlderSchema { file, found, .. })
                            if file == "agents.db" && *found == version);
        assert!(reported, "{refused:?}");
        opened.close().await;
        assert!(fs::read(&file).expect("a file") == bytes, "it was written to");
        assert!(!folder.path().join("backups").join(format!("agents-v{version}.db")).exists());
    }
}

#[tokio::test]
async fn a_file_of_the_previous_release_with_an_unknown_trigger_is_not_converted() {
    let folder = before::folder();
    let file = folder.account_file();
    let mut conn = raw(&file).await;
    sqlx::raw_sql("CREATE TRIGGER stranger AFTER INSERT ON settings BEGIN DELETE FROM clients; END")
        .execute(&mut conn)
        .await
        .expect("a trigger");
    conn.close().await.expect("closes");
    let refused = folder.open().account().await.map(|_| ());
    assert!(matches!(refused, Err(StoreError::Refused(_))), "{refused:?}");
    assert_eq!(number(&file, "PRAGMA user_version").await, VERSIONS.0);
    assert_eq!(
        number(&file, "SELECT count(*) FROM pragma_table_info('memories') WHERE name = 'forgotten_code'")
            .await,
        0
    );
}

#[tokio::test]
async fn a_text_that_was_damaged_before_the_conversion_still_counts_as_damaged() {
    const TEXT: &[u8] = b"Entry 3 that is out of use.";
    let folder = before::folder();
    let file = folder.workspace_file(before::workspace());
    let mut bytes = fs::read(&file).expect("a file");
    let found: Vec<usize> =
        (0..bytes.len() - TEXT.len()).filter(|at| bytes[*at..].starts_with(TEXT)).collect();
    for at in &found {
        bytes[*at] = b'e';
    }
    assert!(!found.is_empty());
    fs::write(&file, bytes).expect("writes");
    let world = before::opened(folder).await;
    let findings = world.folder.open().check().await.expect("checked");
    let wrong: Vec<_> = findings.iter().filter(|finding| !finding.ok).collect();
    let sums = wrong.iter().filter(|finding| finding.check == "checksums");
    assert_eq!(sums.count(), 1, "{wrong:?}");
    assert!(
        wrong.iter().all(|finding| finding.result.starts_with("2 not as they were written")
            || finding.check == "full_text_index"),
        "{wrong:?}"
    );
}

#[tokio::test]
async fn a_damaged_row_that_violates_constraints_does_not_stop_a_conversion() {
    const WORDS: &[u8] = b"long_termagentnote";
    let folder = before::folder();
    let file = folder.workspace_file(before::workspace());
    let mut bytes = fs::read(&file).expect("a file");
    let found: Vec<usize> =
        (0..bytes.len() - WORDS.len()).filter(|at| bytes[*at..].starts_with(WORDS)).collect();
    assert!(!found.is_empty());
    for at in found {
        bytes[at] = b'L';
    }
    fs::write(&file, bytes).expect("writes");
    let catalogue = folder.open();
    catalogue.account().await.expect("opens");
    catalogue.open(before::workspace()).await.expect("opens");
    let findings = catalogue.check().await.expect("checked");
    assert!(findings.iter().any(|finding| finding.check == "checksums" && !finding.ok), "{findings:?}");
    catalogue.close().await;
    assert!(number(&file, "PRAGMA user_version").await > VERSIONS.1);
}
