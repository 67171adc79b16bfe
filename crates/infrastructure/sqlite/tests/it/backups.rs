//! Backups and restores on disk: what the port's promises cannot say of files.

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

use crate::support::{self, TempFolder, before, raw, stage::Stage};
use chrono::TimeDelta;
use inklings_application::{
    backup::{Backups, ScrubbedData},
    workspace::Workspaces,
};
use inklings_domain::{
    audit::AuditEntry,
    backup::{BackupId, BackupReason},
    ids::{MemoryId, WorkspaceId},
    scope::Place,
};
use inklings_ports::{
    backup::{BackupScope, BackupSet, BackupStore},
    store_error::StoreError,
    testing::{
        builders::{Scribe, author, draft},
        clock::{ManualClock, SequentialIds},
    },
    workspace::catalogue::Catalogue,
};
use inklings_sqlite::SqliteCatalogue;

fn id(stage: &Stage, reason: BackupReason) -> BackupId {
    BackupId::new(stage.scribe.stamp(author()).at, reason)
}

async fn made(stage: &Stage) -> BackupSet {
    let id = id(stage, BackupReason::Asked);
    stage.catalogue.make_backup(id, BackupScope::Everything).await.expect("a backup is made")
}

async fn write(stage: &Stage, text: &str) -> MemoryId {
    stage.write(author(), [draft(Place::Workspace, text)]).await[0].id
}

fn set_folder(folder: &TempFolder, set: &BackupSet) -> PathBuf {
    folder.path().join("backups/sets").join(set.id.to_string())
}

async fn is_there(folder: &TempFolder, workspace: WorkspaceId, id: MemoryId) -> bool {
    let ports = folder.catalogue().open(workspace).await.expect("opens");
    !ports.memory.store.get(&[id]).await.expect("reads").is_empty()
}

async fn trouble(folder: &TempFolder) -> Vec<String> {
    let findings = folder.catalogue().check().await.expect("findings");
    findings.into_iter().filter(|f| !f.ok).map(|f| format!("{} {} {}", f.file, f.check, f.result)).collect()
}

fn files_in(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(folder)
        .map(|entries| {
            entries.map(|e| e.expect("an entry").file_name().to_string_lossy().into_owned()).collect()
        })
        .unwrap_or_default();
    names.sort();
    names
}

#[tokio::test]
async fn a_backup_set_contains_only_the_copies_and_its_manifests() {
    let (folder, stage) = support::stage().await;
    let set = made(&stage).await;
    stage.catalogue.check_backup(set.id).await.expect("checked");
    let here = set_folder(&folder, &set);
    assert_eq!(files_in(&here), ["agents.db", "check.json", "manifest.json", "workspaces"]);
    let inside = here.join("workspaces").join(stage.workspace.workspace.id.to_string());
    assert_eq!(files_in(&inside), ["agents.db", "inklings.db"]);
}

#[tokio::test]
async fn a_changed_or_missing_copy_fails_the_check_and_is_not_restored() {
    let (folder, stage) = support::stage().await;
    let kept = write(&stage, "Kept.").await;
    for harm in ["flip", "remove", "manifest"] {
        let set = made(&stage).await;
        let file = set_folder(&folder, &set).join("agents.db");
        match harm {
            "flip" => {
                let mut bytes = fs::read(&file).expect("reads");
                let middle = bytes.len() / 2;
                bytes[middle] ^= 1;
                fs::write(&file, bytes).expect("writes");
            }
            "remove" => fs::remove_file(&file).expect("removes"),
            _ => fs::write(set_folder(&folder, &set).join("manifest.json"), "{").expect("writes"),
        }
        let checked = stage.catalogue.check_backup(set.id).await.expect("checked");
        assert_eq!(checked.ok, Some(false), "{harm}");
        let before = id(&stage, BackupReason::Restore);
        let refused = stage.catalogue.restore_backup(set.id, before, &stage.restore_entry()).await;
        assert!(matches!(refused, Err(StoreError::Corrupt { .. })), "{harm}: {refused:?}");
    }
    assert!(is_there(&folder, stage.workspace.workspace.id, kept).await);
    assert_eq!(trouble(&folder).await, Vec::<String>::new());
}

#[tokio::test]
async fn a_damaged_text_is_detected_and_its_backups_are_marked_as_damaged() {
    let (folder, stage) = support::stage().await;
    let (workspace, kept) = (stage.workspace.workspace.id, write(&stage, "The gate is iron.").await);
    let before_damage = made(&stage).await;
    assert_eq!(stage.catalogue.check_backup(before_damage.id).await.expect("checked").ok, Some(true));
    stage.catalogue.close().await;
    let file = folder.workspace_file(workspace);
    let mut bytes = fs::read(&file).expect("reads");
    let text = b"gate is iron";
    // The index keeps words alone, so a bit of the text itself can be flipped so that no index notices.
    let places: Vec<usize> =
        bytes.windows(text.len()).enumerate().filter(|(_, w)| w == text).map(|(n, _)| n).collect();
    assert!(!places.is_empty());
    for at in places {
        bytes[at] ^= 0x20;
    }
    fs::write(&file, bytes).expect("writes");
    assert_eq!(
        trouble(&folder).await,
        [format!("workspaces/{workspace}/agents.db checksums 1 not as they were written: {kept}")]
    );
    let catalogue = folder.open();
    let found = catalogue.damaged_files().await.expect("a look");
    assert_eq!(found.iter().map(|damaged| damaged.workspace).collect::<Vec<_>>(), [workspace]);
    // Everything else in it is as it was written: it is copied, never called whole, and put back if a person asks.
    let set =
        catalogue.make_backup(id(&stage, BackupReason::Asked), BackupScope::Everything).await.expect("made");
    assert_eq!(set.ok, Some(false));
    assert!(set.holds(workspace));
    assert_eq!(catalogue.check_backup(set.id).await.expect("checked").ok, Some(false));
    let offered = Backups { catalogue: Arc::new(folder.open()), clock: stage.scribe.clock.clone() };
    let offered = offered.damaged().await.expect("a look");
    assert_eq!(offered[0].newest.as_ref().map(|set| set.id), Some(before_damage.id));
    let before = id(&stage, BackupReason::Restore);
    let (restored, was) =
        catalogue.restore_backup(before_damage.id, before, &stage.restore_entry()).await.expect("put back");
    assert_eq!((restored.ok, was.ok), (Some(true), Some(false)));
    assert_eq!(trouble(&folder).await, Vec::<String>::new());
    let before = id(&stage, BackupReason::Restore);
    let (restored, _) =
        catalogue.restore_backup(was.id, before, &stage.restore_entry()).await.expect("put back");
    assert_eq!(restored.ok, Some(false));
    assert_eq!(trouble(&folder).await.len(), 1);
}

#[tokio::test]
async fn a_backup_without_the_damaged_file_is_not_offered_and_the_one_with_it_is_kept() {
    let (folder, stage) = support::stage().await;
    let workspace = stage.workspace.workspace.id;
    let with_it =
        stage.catalogue.make_backup(id(&stage, BackupReason::Activity), BackupScope::Everything).await;
    let with_it = with_it.expect("made").id;
    let clock = stage.scribe.clock.clone();
    stage.catalogue.close().await;
    let file = folder.workspace_folder(workspace).join("inklings.db");
    let mut bytes = fs::read(&file).expect("reads");
    bytes[..64].fill(0);
    fs::write(&file, bytes).expect("writes");
    let catalogue = folder.catalogue();
    let backups = Backups { catalogue: Arc::clone(&catalogue), clock: clock.clone() };
    let workspaces = Workspaces {
        catalogue: Arc::clone(&catalogue),
        clock: clock.clone(),
        ids: Arc::new(SequentialIds::default()),
    };
    for _ in 0..3 {
        clock.advance(TimeDelta::days(20));
        let without = backups.make(BackupReason::Activity, BackupScope::Everything).await.expect("made");
        assert!(without.holds(workspace) && without.ok.is_none());
    }
    let offered = backups.damaged().await.expect("a look");
    assert_eq!(offered[0].newest.as_ref().map(|set| set.id), Some(with_it));
    let offered = workspaces.damaged().await.expect("a look");
    assert_eq!(offered[0].1.as_ref().map(|set| set.id), Some(with_it));
    backups.restore(&with_it.to_string(), ScrubbedData::Refuse, author()).await.expect("put back");
    assert_eq!(catalogue.damaged_files().await.expect("a look"), []);
    assert_eq!(catalogue.damaged_workspaces().await.expect("a look"), []);
}

#[tokio::test]
async fn a_manifest_with_paths_outside_the_folder_is_refused() {
    let (folder, stage) = support::stage().await;
    let set = made(&stage).await;
    let manifest = set_folder(&folder, &set).join("manifest.json");
    let text = fs::read_to_string(&manifest).expect("reads");
    fs::write(&manifest, text.replacen("\"agents.db\"", "\"../../../outside.db\"", 1)).expect("writes");
    assert_eq!(stage.catalogue.check_backup(set.id).await.expect("checked").ok, Some(false));
    let before = id(&stage, BackupReason::Restore);
    assert!(stage.catalogue.restore_backup(set.id, before, &stage.restore_entry()).await.is_err());
}

#[tokio::test]
async fn a_damaged_database_is_not_changed_until_a_backup_replaces_it() {
    for account in [true, false] {
        let (folder, stage) = support::stage().await;
        let workspace = stage.workspace.workspace.id;
        let kept = write(&stage, "Kept.").await;
        let set = made(&stage).await;
        stage.close().await;
        let file = if account { folder.account_file() } else { folder.workspace_file(workspace) };
        let damage = b"this was a database once".repeat(300);
        for suffix in ["", "-wal", "-shm"] {
            let _ = fs::remove_file(PathBuf::from(format!("{}{suffix}", file.display())));
        }
        fs::write(&file, &damage).expect("writes");
        let catalogue = folder.open();
        let found = catalogue.damaged_files().await.expect("a look");
        let reported: Vec<&str> = found.iter().map(|damaged| damaged.file.as_str()).collect();
        assert_eq!(folder.path().join(reported[0]), file);
        assert_eq!(reported.len(), 1);
        assert_eq!(fs::read(&file).expect("reads"), damage, "looking changes nothing");
        let (_other, elsewhere) = support::stage().await;
        let before = id(&elsewhere, BackupReason::Restore);
        let (_, was) =
            catalogue.restore_backup(set.id, before, &elsewhere.restore_entry()).await.expect("put back");
        assert_eq!(was.account, !account, "what is damaged is in no backup");
        let name = if account { "agents.db".to_owned() } else { format!("workspaces_{workspace}_agents.db") };
        let quarantined = folder.path().join("quarantine").join(was.id.to_string()).join(name);
        assert_eq!(fs::read(quarantined).expect("it was kept"), damage);
        assert!(is_there(&folder, workspace, kept).await);
        assert_eq!(trouble(&folder).await, Vec::<String>::new());
        assert_eq!(catalogue.damaged_files().await.expect("a look"), []);
    }
}

#[tokio::test]
async fn a_restore_interrupted_before_its_plan_is_discarded() {
    let (folder, stage) = support::stage().await;
    let kept = write(&stage, "Kept.").await;
    let staged = folder.path().join(".restore/new");
    fs::create_dir_all(&staged).expect("a folder");
    fs::write(staged.join("agents.db"), "half a copy").expect("writes");
    assert!(is_there(&folder, stage.workspace.workspace.id, kept).await);
    assert!(!folder.path().join(".restore").exists());
}

/// Plays a process that died after any number of the plan's steps: the next one finishes it.
#[tokio::test]
async fn a_restore_interrupted_after_its_plan_is_finished_at_the_next_opening() {
    for died_after in 0..=6 {
        let (folder, stage) = support::stage().await;
        let workspace = stage.workspace.workspace.id;
        let old = write(&stage, "Old.").await;
        let set = made(&stage).await;
        let new = write(&stage, "New.").await;
        stage.close().await;
        // Everything is closed; copies stand for what a restore makes ready.
        let files = [
            "agents.db".to_owned(),
            format!("workspaces/{workspace}/agents.db"),
            format!("workspaces/{workspace}/inklings.db"),
        ];
        let (restoring, mut steps) = (folder.path().join(".restore"), Vec::new());
        for file in &files {
            let to = restoring.join("new").join(file);
            fs::create_dir_all(to.parent().expect("a folder")).expect("a folder");
            fs::copy(set_folder(&folder, &set).join(file), to).expect("copies");
            steps.push(format!(
                "{{\"target\":\"{file}\",\"staged\":\".restore/new/{file}\",\"aside\":\".restore/old/{file}\"}}"
            ));
        }
        fs::write(restoring.join("plan.json"), format!("{{\"steps\":[{}]}}", steps.join(",")))
            .expect("a plan");
        for step in 0..died_after {
            let file = &files[step / 2];
            let target = folder.path().join(file);
            if step % 2 == 0 {
                let aside = restoring.join("old").join(file);
                fs::create_dir_all(aside.parent().expect("a folder")).expect("a folder");
                for suffix in ["-wal", "-shm", ""] {
                    let from = format!("{}{suffix}", target.display());
                    let _ = fs::rename(from, format!("{}{suffix}", aside.display()));
                }
            } else {
                fs::rename(restoring.join("new").join(file), target).expect("renames");
            }
        }
        assert!(is_there(&folder, workspace, old).await, "after {died_after} steps");
        assert!(!is_there(&folder, workspace, new).await, "after {died_after} steps");
        assert_eq!(trouble(&folder).await, Vec::<String>::new(), "after {died_after} steps");
        assert!(!restoring.exists());
    }
}

/// Rubbish, a plan that leads out of the data folder, and what is no file: kept, told of, and destroyed like a backup.
#[tokio::test]
async fn an_unreadable_restore_plan_is_moved_aside_and_blocks_nothing() {
    type Put = fn(&Path);
    const OUTSIDE: &str = "{\"steps\":[{\"target\":\"../x\",\"staged\":\".restore/new/agents.db\",\"aside\":\".restore/old/x\"}]}";
    let puts: [Put; 4] = [
        |plan| fs::write(plan, "holiday notes").expect("written"),
        |plan| fs::write(plan, OUTSIDE).expect("written"),
        |plan| fs::create_dir(plan).expect("made"),
        |plan| {
            fs::remove_dir(plan.parent().expect("a folder")).expect("removed");
            fs::write(plan.parent().expect("a folder"), "no folder").expect("written");
        },
    ];
    for (n, put) in puts.into_iter().enumerate() {
        let (folder, stage) = support::stage().await;
        let kept = write(&stage, "Kept.").await;
        let restoring = folder.path().join(".restore");
        fs::create_dir(&restoring).expect("a folder");
        put(&restoring.join("plan.json"));
        assert!(is_there(&folder, stage.workspace.workspace.id, kept).await, "plan {n}");
        assert!(!restoring.exists(), "plan {n}");
        let aside = files_in(&folder.path().join("quarantine"));
        assert_eq!(aside.len(), 1, "plan {n}");
        let catalogue = folder.open();
        let findings = catalogue.check().await.expect("a check");
        assert!(findings.iter().all(|found| found.ok), "plan {n}: {findings:?}");
        if n < 3 {
            assert!(findings.iter().any(|found| found.check == "restore_plan"), "plan {n}: {findings:?}");
            let id = aside[0].parse().expect("named like a backup");
            catalogue.purge_backup(id, &stage.restore_entry()).await.expect("destroyed");
            assert_eq!(files_in(&folder.path().join("quarantine")), Vec::<String>::new(), "plan {n}");
        }
    }
}

#[tokio::test]
async fn an_interrupted_backup_is_not_listed_and_is_removed() {
    let (folder, stage) = support::stage().await;
    let half = folder.path().join("backups/sets/.new-20261121T120000000Z-asked");
    fs::create_dir_all(&half).expect("a folder");
    fs::write(half.join("agents.db.part"), "half").expect("writes");
    assert_eq!(stage.catalogue.backups().await.expect("a list"), []);
    made(&stage).await;
    assert!(!half.exists());
}

#[tokio::test]
async fn purging_a_workspace_removes_it_from_all_backups() {
    let (folder, stage) = support::stage().await;
    let workspace = stage.workspace.workspace.id;
    write(&stage, "A secret of the Salt Archivists.").await;
    let set = made(&stage).await;
    stage.catalogue.delete(workspace, true).await.expect("removed");
    let mut found = Vec::new();
    support::look(folder.path(), "Salt Archivists", &mut found);
    assert_eq!(found, Vec::<String>::new());
    let left = stage.catalogue.check_backup(set.id).await.expect("checked");
    assert_eq!((left.ok, left.account, left.workspaces), (Some(true), true, Vec::new()));
}

#[tokio::test]
async fn scrub_fingerprints_are_retained_by_a_restore() {
    let (folder, stage) = support::stage().await;
    let set = made(&stage).await;
    let file = folder.workspace_file(stage.workspace.workspace.id);
    let mut conn = raw(&file).await;
    let known = "INSERT INTO scrubbed SELECT workspace_id, lower(hex(zeroblob(32))), 7 FROM meta";
    sqlx::query(known).execute(&mut conn).await.expect("written");
    drop(conn);
    let before = id(&stage, BackupReason::Restore);
    stage.catalogue.restore_backup(set.id, before, &stage.restore_entry()).await.expect("put back");
    let mut conn = raw(&file).await;
    let count: i64 =
        sqlx::query_scalar("SELECT count(*) FROM scrubbed").fetch_one(&mut conn).await.expect("counts");
    assert_eq!(count, 1);
}

/// What a migration of another release left beside its database.
async fn copy_from_before(file: &Path, version: i64) -> PathBuf {
    let copy = file.with_file_name("backups").join(format!("agents-v{version}.db"));
    fs::create_dir_all(copy.parent().expect("a folder")).expect("a folder");
    let mut conn = raw(file).await;
    sqlx::query("VACUUM INTO ?").bind(copy.to_str()).execute(&mut conn).await.expect("copied");
    sqlx::Connection::close(conn).await.expect("closes");
    copy
}

#[tokio::test]
async fn copies_from_before_a_migration_are_backups_like_any_other_and_can_be_destroyed() {
    let (folder, stage) = support::stage().await;
    let workspace = stage.workspace.workspace.id;
    write(&stage, "A secret of the Salt Archivists.").await;
    let copies = [
        copy_from_before(&folder.account_file(), 1).await,
        copy_from_before(&folder.workspace_file(workspace), 2).await,
    ];
    let sets = stage.catalogue.backups().await.expect("a list");
    let mut holds: Vec<(bool, usize)> = sets.iter().map(|set| (set.account, set.workspaces.len())).collect();
    holds.sort_unstable();
    assert_eq!(holds, [(false, 1), (true, 0)]);
    assert!(sets.iter().all(|set| set.id.reason() == BackupReason::Migration && set.bytes > 0));
    assert!(copies.iter().all(|copy| !copy.exists()), "they lie in their sets");
    assert!(!folder.workspace_folder(workspace).join("backups").exists());
    assert_eq!(stage.catalogue.backups().await.expect("a list"), sets, "once is enough");
    let of_workspace = sets.iter().find(|set| set.holds(workspace)).expect("one");
    let checked = stage.catalogue.check_backup(of_workspace.id).await.expect("checked");
    assert_eq!(checked.ok, Some(true));

    let mut found = Vec::new();
    support::look(&folder.path().join("backups"), "Salt Archivists", &mut found);
    assert_eq!(found.len(), 1, "{found:?}");
    for set in sets {
        stage.catalogue.remove_backup(set.id).await.expect("destroyed");
    }
    let mut found = Vec::new();
    support::look(&folder.path().join("backups"), "Salt Archivists", &mut found);
    assert_eq!(found, Vec::<String>::new());
}

#[tokio::test]
async fn a_copy_of_a_migration_that_failed_stays_where_the_next_try_finds_it() {
    let (folder, stage) = support::stage().await;
    let workspace = stage.workspace.workspace.id;
    let file = folder.workspace_file(workspace);
    let copy = copy_from_before(&file, before::VERSIONS.1).await;
    stage.close().await;
    let mut conn = raw(&file).await;
    let back = sqlx::AssertSqlSafe(format!("PRAGMA user_version = {}", before::VERSIONS.1));
    sqlx::query(back).execute(&mut conn).await.expect("set back");
    sqlx::Connection::close(conn).await.expect("closes");
    assert_eq!(folder.catalogue().backups().await.expect("a list"), []);
    assert!(copy.exists());
}

/// A real upgrade of an account of an earlier release: its copy is listed, and put back it is the account again.
#[tokio::test]
async fn the_copy_made_by_an_upgrade_can_be_restored() {
    let folder = TempFolder::new();
    before::write_account(&folder.account_file());
    let mut conn = raw(&folder.account_file()).await;
    // Its workspace does not come along.
    sqlx::query("DELETE FROM workspaces").execute(&mut conn).await.expect("an empty list");
    let setting = "INSERT INTO settings (key, value, updated_at) VALUES ('theme', '\"dark\"', 0)";
    sqlx::query(setting).execute(&mut conn).await.expect("a setting");
    sqlx::Connection::close(conn).await.expect("closes");

    let stage = Stage::set(&folder).await;
    stage.account.settings.set_setting("theme", "\"light\"").await.expect("set");
    let sets = stage.catalogue.backups().await.expect("a list");
    assert_eq!(sets.iter().map(|set| set.id.reason()).collect::<Vec<_>>(), [BackupReason::Migration]);
    assert!(!folder.path().join(format!("backups/agents-v{}.db", before::VERSIONS.0)).exists());
    let before = id(&stage, BackupReason::Restore);
    stage.catalogue.restore_backup(sets[0].id, before, &stage.restore_entry()).await.expect("put back");
    let account = folder.catalogue().account().await.expect("opens");
    assert_eq!(account.settings.setting("theme").await.expect("read").as_deref(), Some("\"dark\""));
    assert_eq!(trouble(&folder).await, Vec::<String>::new());
}

async fn log(folder: &TempFolder) -> Vec<String> {
    let account = folder.catalogue().account().await.expect("opens");
    assert_eq!(account.memory.audit.verify().await.expect("a state").broken_at, None);
    let rows = account.memory.audit.rows(None, 99).await.expect("rows");
    rows.into_iter().rev().map(|row| row.entry.manifest).collect()
}

/// The account with two acts on record, one of them younger than the backup; closed.
async fn account_with_a_log() -> (TempFolder, BackupSet, AuditEntry) {
    let (folder, stage) = support::stage().await;
    let numbered = |n: u32| AuditEntry { manifest: format!("{{\"n\":{n}}}"), ..stage.restore_entry() };
    stage.account.memory.audit.append(&numbered(1)).await.expect("on record");
    let set = made(&stage).await;
    stage.account.memory.audit.append(&numbered(2)).await.expect("on record");
    let entry = stage.restore_entry();
    stage.catalogue.close().await;
    (folder, set, entry)
}

#[tokio::test]
async fn a_readable_audit_log_of_a_damaged_database_is_continued() {
    let (folder, set, entry) = account_with_a_log().await;
    let file = folder.account_file();
    let mut conn = raw(&file).await;
    let (page, size): (i64, i64) = sqlx::query_as(
        "SELECT rootpage, (SELECT page_size FROM pragma_page_size) FROM sqlite_schema WHERE name = 'journal_by_hand'",
    )
    .fetch_one(&mut conn)
    .await
    .expect("an index");
    sqlx::query("PRAGMA wal_checkpoint(TRUNCATE)").execute(&mut conn).await.expect("folded in");
    sqlx::Connection::close(conn).await.expect("closes");
    let mut bytes = fs::read(&file).expect("a file");
    let at = usize::try_from((page - 1) * size).expect("a place");
    bytes[at..at + 64].fill(0xff);
    fs::write(&file, bytes).expect("damaged");
    let catalogue = folder.catalogue();
    let before = BackupId::new(entry.at, BackupReason::Restore);
    catalogue.restore_backup(set.id, before, &entry).await.expect("put back");
    assert_eq!(log(&folder).await, ["{\"n\":1}", "{\"n\":2}", "{}"]);
}

#[tokio::test]
async fn an_unreadable_audit_log_is_recorded_as_newly_begun() {
    let (folder, set, entry) = account_with_a_log().await;
    let file = folder.account_file();
    fs::write(&file, b"this is no database any more").expect("damaged");
    let catalogue = folder.catalogue();
    let before = BackupId::new(entry.at, BackupReason::Restore);
    catalogue.restore_backup(set.id, before, &entry).await.expect("put back");
    assert_eq!(log(&folder).await, ["{\"n\":1}", "{\"anew\":{\"why\":\"damaged\"}}"]);
}

/// Writers of other processes go on while a backup is put back again and again. What was acknowledged is in the live file, or
/// in a backup: nowhere else can it be got back from.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_acknowledged_write_is_lost_to_a_restore() {
    const RESTORES: u32 = 6;
    let (folder, stage) = support::stage().await;
    let workspace = stage.workspace.workspace.id;
    let set = made(&stage).await;
    let stop = Arc::new(AtomicBool::new(false));
    let writer = |n: u64| {
        let (path, stop) = (folder.path().to_owned(), Arc::clone(&stop));
        tokio::spawn(async move {
            let catalogue = SqliteCatalogue::new(path);
            let ports = catalogue.open(workspace).await.expect("opens");
            let scribe = Scribe::new(Arc::new(ManualClock::default()), Arc::new(SequentialIds::seeded(n)));
            let mut acknowledged = Vec::new();
            while !stop.load(Ordering::SeqCst) {
                // The window's watch for changes opens a replaced file too, at any moment.
                let (change, entries) = scribe.create(author(), [draft(Place::Workspace, "A word.")]);
                let (written, _) = tokio::join!(ports.memory.store.commit(&change), ports.memory.feed.poll());
                if written.is_ok() {
                    acknowledged.push(entries[0].id.to_string());
                }
            }
            acknowledged
        })
    };
    let writers = [writer(11), writer(12), writer(13)];
    for n in 1..=RESTORES {
        let before = id(&stage, BackupReason::Restore);
        let restored = stage.catalogue.restore_backup(set.id, before, &stage.restore_entry()).await;
        restored.unwrap_or_else(|error| panic!("restore {n}: {error}"));
    }
    stop.store(true, Ordering::SeqCst);
    // The files are read when nobody writes any more: a write may be acknowledged after the stop.
    let mut all = Vec::new();
    for writer in writers {
        all.extend(writer.await.expect("no panic"));
    }
    let mut kept: BTreeSet<String> = BTreeSet::new();
    let copies = stage.catalogue.backups().await.expect("backups").into_iter();
    let copies =
        copies.map(|set| set_folder(&folder, &set).join(format!("workspaces/{workspace}/agents.db")));
    for file in copies.chain([folder.workspace_file(workspace)]) {
        let ids = sqlx::query_scalar("SELECT id FROM memories").fetch_all(&mut raw(&file).await).await;
        kept.extend::<Vec<String>>(ids.expect("ids"));
    }
    let (acknowledged, lost) = (all.len(), all.iter().filter(|id| !kept.contains(*id)).count());
    println!("{acknowledged} writes were acknowledged under {RESTORES} restores, {lost} lost");
    assert!(acknowledged > 0);
    assert_eq!(lost, 0, "of {acknowledged}");
}
