//! Workspaces that cannot be opened: the others open, and each is listed with what is wrong with it.

use std::fs;

use crate::support::{self, TempFolder, raw, stage::Stage};
use inklings_domain::{
    backup::{BackupId, BackupReason},
    ids::WorkspaceId,
    scope::Place,
    workspace::WorkspaceName,
};
use inklings_ports::{
    backup::{BackupScope, BackupStore},
    store_error::StoreError,
    testing::builders::{author, draft},
    workspace::catalogue::{Catalogue, CheckFinding, WorkspaceFault},
};

/// What is done to a workspace.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Harm {
    /// A name that is not allowed, on the list.
    ListedName,
    /// A name that is not allowed, in the folder alone.
    FolderName,
    /// The page of its own file that says whose it is.
    MetaPage,
    /// The same of a folder that is not on the list.
    UnlistedMetaPage,
    /// Another workspace's file in its folder.
    OtherWorkspace,
    /// Another workspace's world in its folder.
    ForeignWorld,
    /// No folder at all.
    Folder,
    /// An emptied database.
    Emptied,
    /// The world's own database is gone.
    World,
    /// A trigger of another program in the database of memory.
    ForeignTrigger,
    /// One of our triggers, changed.
    ChangedTrigger,
    /// A trigger of another program in the world's own database.
    ForeignTriggerInWorld,
}

const HARMS: [(Harm, WorkspaceFault); 12] = [
    (Harm::ForeignTrigger, WorkspaceFault::ForeignSchema),
    (Harm::ChangedTrigger, WorkspaceFault::ForeignSchema),
    (Harm::ForeignTriggerInWorld, WorkspaceFault::ForeignSchema),
    (Harm::ListedName, WorkspaceFault::Name),
    (Harm::FolderName, WorkspaceFault::Name),
    (Harm::MetaPage, WorkspaceFault::Damaged),
    (Harm::UnlistedMetaPage, WorkspaceFault::Damaged),
    (Harm::OtherWorkspace, WorkspaceFault::OtherWorkspace),
    (Harm::ForeignWorld, WorkspaceFault::OtherWorkspace),
    (Harm::Folder, WorkspaceFault::Missing),
    (Harm::Emptied, WorkspaceFault::Missing),
    (Harm::World, WorkspaceFault::Missing),
];

/// Acts on whatever is written.
const FOREIGN: &str = "CREATE TRIGGER other AFTER INSERT ON memories BEGIN DELETE FROM topics; END";

async fn run(path: &std::path::Path, sql: &str) {
    let mut conn = raw(path).await;
    sqlx::raw_sql("PRAGMA secure_delete = ON").execute(&mut conn).await.expect("set");
    sqlx::raw_sql(sqlx::AssertSqlSafe(sql.to_owned())).execute(&mut conn).await.expect("runs");
    sqlx::Connection::close(conn).await.expect("closes");
}

async fn damage_meta(folder: &TempFolder, id: WorkspaceId) {
    let file = folder.workspace_file(id);
    let mut conn = raw(&file).await;
    let (page, size): (usize, usize) = sqlx::query_as(
        "SELECT rootpage, (SELECT page_size FROM pragma_page_size) FROM sqlite_schema WHERE name = 'meta'",
    )
    .fetch_one(&mut conn)
    .await
    .map(|(page, size): (i64, i64)| (page as usize, size as usize))
    .expect("a table");
    sqlx::query("PRAGMA wal_checkpoint(TRUNCATE)").execute(&mut conn).await.expect("folded in");
    sqlx::Connection::close(conn).await.expect("closes");
    let mut bytes = fs::read(&file).expect("a file");
    bytes[(page - 1) * size..page * size].fill(0xa5);
    fs::write(&file, bytes).expect("damaged");
}

/// A folder with a good workspace and one that was harmed; closed.
async fn harmed(harm: Harm) -> (TempFolder, Stage, WorkspaceId) {
    let (folder, stage) = support::stage().await;
    stage.write_one(author(), draft(Place::Workspace, "Still to be read.")).await;
    let good = stage.workspace.workspace.id;
    let bad = stage.scribe.workspace("Bad");
    stage.catalogue.create(&bad).await.expect("made");
    stage.catalogue.open(bad.id).await.expect("opens");
    stage.catalogue.close().await;
    let unlist = "DELETE FROM workspaces WHERE name = 'Bad'";
    match harm {
        Harm::ListedName => {
            run(&folder.account_file(), "UPDATE workspaces SET name = 'B\u{202E}ad' WHERE name = 'Bad'")
                .await;
        }
        Harm::FolderName => {
            run(&folder.account_file(), unlist).await;
            run(&folder.workspace_file(bad.id), "UPDATE meta SET name = 'B\u{202E}ad'").await;
        }
        Harm::MetaPage => damage_meta(&folder, bad.id).await,
        Harm::UnlistedMetaPage => {
            run(&folder.account_file(), unlist).await;
            damage_meta(&folder, bad.id).await;
        }
        Harm::OtherWorkspace => {
            fs::copy(folder.workspace_file(good), folder.workspace_file(bad.id)).expect("copies");
        }
        Harm::ForeignWorld => {
            let world = |id| folder.workspace_folder(id).join("inklings.db");
            fs::copy(world(good), world(bad.id)).expect("copies");
        }
        Harm::Folder => fs::remove_dir_all(folder.workspace_folder(bad.id)).expect("removed"),
        Harm::Emptied => fs::write(folder.workspace_file(bad.id), b"").expect("emptied"),
        Harm::World => {
            fs::remove_file(folder.workspace_folder(bad.id).join("inklings.db")).expect("removed");
        }
        Harm::ForeignTrigger => run(&folder.workspace_file(bad.id), FOREIGN).await,
        Harm::ChangedTrigger => {
            let change = "DROP TRIGGER channels_default; CREATE TRIGGER channels_default BEFORE DELETE ON channels \
                          BEGIN DELETE FROM topics; END";
            run(&folder.workspace_file(bad.id), change).await;
        }
        Harm::ForeignTriggerInWorld => {
            let file = folder.workspace_folder(bad.id).join("inklings.db");
            run(&file, "CREATE TRIGGER other AFTER UPDATE ON meta BEGIN DELETE FROM meta; END").await;
        }
    }
    (folder, stage, bad.id)
}

#[tokio::test]
async fn a_damaged_workspace_blocks_no_other_and_is_listed_with_its_fault() {
    for (harm, fault) in HARMS {
        let (folder, stage, bad) = harmed(harm).await;
        let good = stage.workspace.workspace.id;
        let catalogue = folder.open();
        let listed = catalogue.workspaces().await.unwrap_or_else(|e| panic!("{harm:?}: no list: {e}"));
        assert!(listed.iter().any(|w| w.id == good), "{harm:?}: {listed:?}");
        let damaged = catalogue.damaged_workspaces().await.expect("a list");
        assert_eq!(
            damaged.iter().map(|it| (it.id, it.fault)).collect::<Vec<_>>(),
            [(bad, fault)],
            "{harm:?}"
        );
        assert!(damaged.iter().all(|it| !it.name.contains('\u{202E}')), "{harm:?}: {damaged:?}");
        catalogue.open(good).await.unwrap_or_else(|e| panic!("{harm:?}: the other does not open: {e}"));
        let opened = catalogue.open(bad).await.map(|_| ());
        assert!(
            matches!(
                opened,
                Err(StoreError::Corrupt { .. } | StoreError::Missing { .. } | StoreError::Refused(_))
            ),
            "{harm:?}: {opened:?}"
        );
        if matches!(harm, Harm::OtherWorkspace | Harm::ForeignWorld) {
            let files = catalogue.damaged_files().await.expect("a look");
            assert_eq!(files.iter().map(|it| it.workspace).collect::<Vec<_>>(), [bad], "{harm:?}");
        }
        let findings = folder.open().check().await.expect("a check");
        let about = |f: &&CheckFinding| f.file.contains(&bad.to_string());
        assert!(findings.iter().filter(about).any(|f| !f.ok), "{harm:?}: the doctor sees nothing");
    }
}

#[tokio::test]
async fn a_damaged_workspace_can_be_moved_to_trash() {
    for (harm, _) in HARMS {
        let (folder, stage, bad) = harmed(harm).await;
        let catalogue = folder.open();
        catalogue.delete(bad, false).await.unwrap_or_else(|e| panic!("{harm:?}: {e}"));
        assert_eq!(catalogue.damaged_workspaces().await.expect("a list"), [], "{harm:?}");
        let listed = catalogue.workspaces().await.expect("a list");
        let good = stage.workspace.workspace.id;
        assert_eq!(listed.iter().map(|w| w.id).collect::<Vec<_>>(), [good], "{harm:?}");
    }
}

#[tokio::test]
async fn a_workspace_with_a_bad_name_opens_again_under_another_one() {
    for harm in [Harm::ListedName, Harm::FolderName] {
        let (folder, _, bad) = harmed(harm).await;
        let catalogue = folder.open();
        let name = WorkspaceName::new("Mended").expect("a name");
        catalogue.rename(bad, &name).await.unwrap_or_else(|e| panic!("{harm:?}: {e}"));
        assert_eq!(catalogue.damaged_workspaces().await.expect("a list"), [], "{harm:?}");
        assert_eq!(catalogue.open(bad).await.expect("opens").workspace.name, name);
        catalogue.close().await;
        assert_eq!(folder.open().damaged_workspaces().await.expect("a list"), [], "{harm:?}");
    }
}

/// Where a deletion is cut off.
#[derive(Debug, Clone, Copy)]
enum Cut {
    /// Behind the move to the trash.
    Moved,
    /// A purge, right behind its beginning.
    PurgeBegun,
    /// A purge that took the workspace off the list and had not destroyed it yet.
    PurgeUnlisted,
}

#[tokio::test]
async fn an_interrupted_deletion_is_finished_at_the_next_start() {
    for cut in [Cut::Moved, Cut::PurgeBegun, Cut::PurgeUnlisted] {
        let (folder, stage) = support::stage().await;
        let scrub_targets = stage.scribe.workspace("Doomed");
        stage.catalogue.create(&scrub_targets).await.expect("made");
        stage.catalogue.close().await;
        let trash = folder.path().join("trash");
        let to_trash = || {
            fs::create_dir_all(&trash).expect("a folder");
            let trashed = trash.join(format!("{}-20260101T000000000Z", scrub_targets.id));
            fs::rename(folder.workspace_folder(scrub_targets.id), trashed).expect("moved");
        };
        if matches!(cut, Cut::PurgeBegun | Cut::PurgeUnlisted) {
            fs::create_dir_all(folder.path().join(".purging")).expect("a folder");
            fs::write(folder.path().join(".purging").join(scrub_targets.id.to_string()), b"true")
                .expect("a note");
        }
        match cut {
            Cut::PurgeBegun => {}
            Cut::Moved => to_trash(),
            Cut::PurgeUnlisted => {
                to_trash();
                run(&folder.account_file(), "DELETE FROM workspaces WHERE name = 'Doomed'").await;
            }
        }
        let catalogue = folder.open();
        let listed = catalogue.workspaces().await.expect("a list");
        assert!(listed.iter().all(|w| w.id != scrub_targets.id), "{cut:?}: {listed:?}");
        assert_eq!(catalogue.damaged_workspaces().await.expect("a list"), [], "{cut:?}");
        catalogue.close().await;
        let mut traces = Vec::new();
        support::look(folder.path(), &scrub_targets.id.to_string(), &mut traces);
        assert_eq!(traces.is_empty(), !matches!(cut, Cut::Moved), "{cut:?}: {traces:?}");
    }
}

#[tokio::test]
async fn a_deletion_that_cannot_be_recorded_leaves_the_workspace_unchanged() {
    let (folder, stage) = support::stage().await;
    let kept = stage.scribe.workspace("Kept");
    stage.catalogue.create(&kept).await.expect("made");
    // The list cannot be written any more, as on a full disk.
    run(
        &folder.account_file(),
        "CREATE TRIGGER full BEFORE DELETE ON workspaces BEGIN SELECT raise(ABORT, 'refused: full'); END",
    )
    .await;
    for purge in [false, true] {
        assert!(stage.catalogue.delete(kept.id, purge).await.is_err());
        assert!(folder.workspace_folder(kept.id).is_dir());
        stage.catalogue.open(kept.id).await.expect("it opens as before");
    }
    run(&folder.account_file(), "DROP TRIGGER full").await;
    stage.catalogue.close().await;
    assert!(folder.open().workspaces().await.expect("a list").iter().any(|w| w.id == kept.id));
}

/// A renaming that was cut off right after the list was written, and a folder whose own file says another name.
#[tokio::test]
async fn the_name_in_the_workspace_list_replaces_the_name_in_the_file() {
    for noted in [true, false] {
        let (folder, stage) = support::stage().await;
        let id = stage.workspace.workspace.id;
        stage.catalogue.close().await;
        run(&folder.account_file(), "UPDATE workspaces SET name = 'Farther', name_folded = 'farther'").await;
        let notes = folder.path().join(".renaming");
        if noted {
            fs::create_dir(&notes).expect("a folder");
            fs::write(notes.join(id.to_string()), b"true").expect("a note");
        }
        let catalogue = folder.open();
        if noted {
            catalogue.account().await.expect("opens");
        } else {
            assert_eq!(catalogue.open(id).await.expect("opens").workspace.name.as_str(), "Farther");
        }
        catalogue.close().await;
        let mut conn = raw(&folder.workspace_file(id)).await;
        let name: String =
            sqlx::query_scalar("SELECT name FROM meta").fetch_one(&mut conn).await.expect("a name");
        sqlx::Connection::close(conn).await.expect("closes");
        assert_eq!(name, "Farther", "noted: {noted}");
        assert!(!notes.exists());
    }
}

#[tokio::test]
async fn a_file_of_another_workspace_is_not_written_and_can_be_replaced_by_a_backup() {
    let (folder, stage) = support::stage().await;
    stage.write_one(author(), draft(Place::Workspace, "Of the first.")).await;
    let (one, other) = (stage.workspace.workspace.id, stage.scribe.workspace("Other"));
    stage.catalogue.create(&other).await.expect("made");
    stage.catalogue.open(other.id).await.expect("opens");
    let at = stage.scribe.stamp(author()).at;
    let set =
        stage.catalogue.make_backup(BackupId::new(at, BackupReason::Asked), BackupScope::Everything).await;
    let set = set.expect("a backup");
    stage.catalogue.close().await;
    for name in ["agents.db", "inklings.db"] {
        let (mine, theirs) =
            (folder.workspace_folder(one).join(name), folder.workspace_folder(other.id).join(name));
        let swapped = folder.path().join("swapped");
        for (from, to) in [(&mine, &swapped), (&theirs, &mine), (&swapped, &theirs)] {
            fs::rename(from, to).expect("moved");
        }
        let bytes = [fs::read(&mine).expect("a file"), fs::read(&theirs).expect("a file")];
        let catalogue = folder.open();
        for id in [one, other.id] {
            assert!(matches!(catalogue.open(id).await.map(|_| ()), Err(StoreError::Refused(_))), "{name}");
        }
        assert_eq!(catalogue.damaged_files().await.expect("a look").len(), 2, "{name}");
        let wrong = catalogue.check().await.expect("a check");
        assert_eq!(wrong.iter().filter(|f| f.check == "open" && !f.ok).count(), 2, "{name}: {wrong:?}");
        // What is not its own is in no backup of a workspace.
        let later = BackupId::new(stage.scribe.stamp(author()).at, BackupReason::Asked);
        let made = catalogue.make_backup(later, BackupScope::Everything).await.expect("a backup");
        assert_eq!(made.workspaces.is_empty(), name == "agents.db");
        assert_eq!([fs::read(&mine).expect("a file"), fs::read(&theirs).expect("a file")], bytes, "{name}");
        let before = BackupId::new(stage.scribe.stamp(author()).at, BackupReason::Restore);
        let entry = stage.restore_entry();
        catalogue.restore_backup(set.id, before, &entry).await.expect("put back");
        assert_eq!(catalogue.damaged_files().await.expect("a look"), [], "{name}");
        let wrong = catalogue.check().await.expect("a check");
        assert_eq!(wrong.iter().find(|f| !f.ok), None, "{name}");
        catalogue.open(one).await.expect("opens again");
        catalogue.close().await;
    }
}

#[tokio::test]
async fn a_folder_with_an_unknown_trigger_is_not_adopted() {
    let (folder, stage) = support::stage().await;
    let other = stage.scribe.workspace("Other");
    stage.catalogue.create(&other).await.expect("made");
    stage.catalogue.open(other.id).await.expect("opens");
    stage.catalogue.close().await;
    for (make, drop) in [
        (
            "CREATE TRIGGER sqlitexstat1 AFTER INSERT ON memories BEGIN DELETE FROM topics; END",
            "DROP TRIGGER sqlitexstat1",
        ),
        ("CREATE VIEW told AS SELECT content FROM memories", "DROP VIEW told"),
        ("CREATE TABLE sqlitexstat2 (one)", "DROP TABLE sqlitexstat2"),
    ] {
        run(&folder.account_file(), &format!("DELETE FROM workspaces WHERE id = '{}'", other.id)).await;
        run(&folder.workspace_file(other.id), make).await;
        let bytes = fs::read(folder.workspace_file(other.id)).expect("a file");
        let catalogue = folder.open();
        assert_eq!(catalogue.workspaces().await.expect("a list").len(), 1, "{make}");
        let findings = catalogue.check().await.expect("a check");
        let of_it = findings.iter().filter(|f| f.file.contains(&other.id.to_string()) && f.check == "schema");
        assert_eq!(of_it.map(|f| f.ok).collect::<Vec<_>>(), [false], "{make}");
        catalogue.close().await;
        assert_eq!(fs::read(folder.workspace_file(other.id)).expect("a file"), bytes, "{make}");
        run(&folder.workspace_file(other.id), drop).await;
        let catalogue = folder.open();
        assert_eq!(catalogue.workspaces().await.expect("a list").len(), 2, "{drop}");
        catalogue.close().await;
    }
}

/// Otherwise the trigger would act on the first write, and a backup would carry it on.
#[tokio::test]
async fn a_listed_workspace_with_an_unknown_trigger_is_refused_unchanged() {
    let (folder, stage) = support::stage().await;
    let id = stage.workspace.workspace.id;
    let kept = stage.write_one(author(), draft(Place::Workspace, "The gate is iron.")).await.id;
    let backup = |reason| BackupId::new(stage.scribe.stamp(author()).at, reason);
    let before = stage
        .catalogue
        .make_backup(backup(BackupReason::Asked), BackupScope::Everything)
        .await
        .expect("made");
    stage.catalogue.close().await;
    let file = folder.workspace_file(id);
    run(&file, FOREIGN).await;
    let bytes = fs::read(&file).expect("a file");
    let catalogue = folder.open();
    let refused = catalogue.open(id).await.map(|_| ());
    assert!(matches!(refused, Err(StoreError::Refused(_))), "{refused:?}");
    let renamed = catalogue.rename(id, &WorkspaceName::new("Else").expect("a name")).await;
    assert!(matches!(renamed, Err(StoreError::Refused(_))), "{renamed:?}");
    let findings = catalogue.check().await.expect("a check");
    let reported = findings.iter().find(|f| f.check == "workspace" && f.file.ends_with(&id.to_string()));
    assert!(reported.is_some_and(|f| !f.ok && f.result.contains("trigger")), "{reported:?}");
    assert_eq!(fs::read(&file).expect("a file"), bytes, "looking changes nothing");
    let after = catalogue
        .make_backup(backup(BackupReason::Asked), BackupScope::Everything)
        .await
        .expect("a backup of the others");
    assert!(!after.holds(id) && after.account);
    // A backup takes its place; the file itself is kept.
    let entry = stage.restore_entry();
    let (_, was) =
        catalogue.restore_backup(before.id, backup(BackupReason::Restore), &entry).await.expect("put back");
    let ports = catalogue.open(id).await.expect("opens again");
    assert_eq!(ports.memory.store.get(&[kept]).await.expect("reads").len(), 1);
    let quarantined =
        folder.path().join("quarantine").join(was.id.to_string()).join(format!("workspaces_{id}_agents.db"));
    assert_eq!(fs::read(quarantined).expect("it was kept"), bytes);
}

#[cfg(unix)]
#[tokio::test]
async fn links_in_place_of_databases_are_detected() {
    let (folder, stage) = support::stage().await;
    stage.catalogue.close().await;
    let file = folder.workspace_file(stage.workspace.workspace.id);
    let links = async || {
        let findings = folder.open().check().await.expect("a check");
        findings.into_iter().filter(|f| f.check == "link").map(|f| (f.file, f.ok)).collect::<Vec<_>>()
    };
    assert_eq!(links().await, []);
    let named = file.strip_prefix(folder.path()).expect("within").display().to_string();
    fs::hard_link(&file, folder.path().join("another name")).expect("linked");
    assert_eq!(links().await, [(named.clone(), false)]);
    fs::remove_file(folder.path().join("another name")).expect("removed");
    fs::rename(&file, folder.path().join("elsewhere")).expect("moved");
    std::os::unix::fs::symlink(folder.path().join("elsewhere"), &file).expect("linked");
    assert_eq!(links().await, [(named, false)]);
    fs::rename(folder.path().join("workspaces"), folder.path().join("others")).expect("moved");
    std::os::unix::fs::symlink(folder.path().join("others"), folder.path().join("workspaces"))
        .expect("linked");
    assert!(links().await.contains(&("workspaces".to_owned(), false)));
}

#[tokio::test]
async fn an_inconsistent_index_is_rebuilt_on_request() {
    let (folder, stage) = support::stage().await;
    stage.write_one(author(), draft(Place::Workspace, "The stone of Veyra.")).await;
    stage.add_texts(&stage.conversation, &["What stone?"]).await;
    stage.catalogue.close().await;
    let file = folder.workspace_file(stage.workspace.workspace.id);
    for index in ["memories_fts", "messages_fts"] {
        run(&file, &format!("INSERT INTO {index} ({index}) VALUES ('delete-all')")).await;
    }
    let catalogue = folder.open();
    let wrong = |findings: Vec<CheckFinding>| {
        findings.into_iter().filter(|f| !f.ok).map(|f| f.check).collect::<Vec<_>>()
    };
    let found = wrong(catalogue.check().await.expect("a check"));
    assert_eq!(found, ["full_text_index", "message_index", "message_index_count"]);
    let repaired = catalogue.repair().await.expect("a repair");
    let anew = repaired.iter().filter(|f| f.result.ends_with("made anew")).map(|f| f.check.as_str());
    assert_eq!(anew.collect::<Vec<_>>(), ["full_text_index", "message_index"]);
    assert_eq!(wrong(repaired), Vec::<String>::new());
    assert_eq!(wrong(catalogue.check().await.expect("a check")), Vec::<String>::new());
    let reported = catalogue.repair().await.expect("a repair");
    assert!(reported.iter().all(|f| f.ok && f.result == "ok"), "nothing is left to make anew: {reported:?}");
}

/// As the window does it: the databases are in use meanwhile, and those of others are not.
#[tokio::test]
async fn an_inconsistent_index_is_rebuilt_while_its_database_is_in_use() {
    let (folder, stage) = support::stage().await;
    let other = stage.scribe.workspace("Other");
    stage.catalogue.create(&other).await.expect("made");
    stage.catalogue.open(other.id).await.expect("opens");
    let stone = stage.write_one(author(), draft(Place::Workspace, "The stone of Veyra.")).await;
    stage.catalogue.close().await;
    let open = stage.workspace.workspace.id;
    for id in [open, other.id] {
        run(&folder.workspace_file(id), "INSERT INTO memories_fts (rowid, content) VALUES (77, 'lost')")
            .await;
    }
    let catalogue = folder.open();
    let ports = catalogue.open(open).await.expect("opens");
    assert_eq!(catalogue.rebuild_indexes().await.expect("made anew"), 2);
    assert_eq!(catalogue.rebuild_indexes().await.expect("looked at"), 0);
    assert_eq!(ports.memory.store.get(&[stone.id]).await.expect("reads").len(), 1);
    catalogue.close().await;
    let wrong = folder.open().check().await.expect("a check").into_iter().filter(|found| !found.ok);
    assert_eq!(wrong.collect::<Vec<_>>(), []);
}

#[cfg(unix)]
#[tokio::test]
async fn a_process_writes_nothing_into_a_file_of_another_workspace_that_replaced_its_own() {
    let (folder, stage) = support::stage().await;
    let (one, other) = (stage.workspace.workspace.id, stage.scribe.workspace("Other"));
    stage.catalogue.create(&other).await.expect("made");
    let (mine, theirs) = (folder.workspace_file(one), folder.workspace_file(other.id));
    let bytes = fs::read(&theirs).expect("a file");
    for suffix in ["", "-wal", "-shm"] {
        let aside = folder.path().join(format!("aside{suffix}"));
        fs::rename(format!("{}{suffix}", mine.display()), aside).expect("moved");
    }
    fs::copy(&theirs, &mine).expect("copied");
    let (change, _) = stage.scribe.create(author(), [draft(Place::Workspace, "No.")]);
    let refused = stage.store().commit(&change).await;
    assert!(matches!(refused, Err(StoreError::Refused(_))), "{refused:?}");
    assert_eq!(fs::read(&mine).expect("a file"), bytes);
}
