//! A database that is missing or empty where one was known: damage, and never a fresh start.

use std::{
    fs,
    path::{Path, PathBuf},
};

use crate::support::{self, TempFolder, stage::Stage};
use inklings_domain::{
    backup::{BackupId, BackupReason},
    ids::WorkspaceId,
    scope::Place,
};
use inklings_ports::{
    backup::{BackupScope, BackupSet, BackupStore},
    store_error::StoreError,
    testing::builders::{author, draft},
    workspace::catalogue::Catalogue,
};

/// What becomes of a database's file.
#[derive(Debug, Clone, Copy)]
enum Fault {
    Removed,
    Emptied,
}

const FAULTS: [Fault; 2] = [Fault::Removed, Fault::Emptied];

fn with_suffix(file: &Path, end: &str) -> PathBuf {
    PathBuf::from(format!("{}{end}", file.display()))
}

fn strike(file: &Path, fault: Fault) {
    match fault {
        Fault::Removed => fs::remove_file(file).expect("removed"),
        Fault::Emptied => fs::write(file, b"").expect("emptied"),
    }
    let _ = fs::remove_file(with_suffix(file, "-shm"));
    // What a process that was killed had not folded in yet.
    fs::write(with_suffix(file, "-wal"), b"the last words").expect("a log");
}

/// A folder with a memory of the account and a backup of everything; closed.
async fn settled() -> (TempFolder, Stage, BackupSet) {
    let (folder, stage) = support::stage().await;
    let (change, _) = stage.scribe.create(author(), [draft(Place::Account, "Tea without milk.")]);
    stage.account.memory.store.commit(&change).await.expect("written");
    stage.write_one(author(), draft(Place::Workspace, "The gate opens at dawn.")).await;
    let id = BackupId::new(stage.scribe.stamp(author()).at, BackupReason::Asked);
    let set = stage.catalogue.make_backup(id, BackupScope::Everything).await.expect("a backup");
    stage.catalogue.close().await;
    (folder, stage, set)
}

fn assert_as_struck(file: &Path, fault: Fault) {
    match fault {
        Fault::Removed => assert!(!file.exists(), "a database was made"),
        Fault::Emptied => assert_eq!(fs::read(file).expect("still there"), b""),
    }
    assert_eq!(fs::read(with_suffix(file, "-wal")).expect("the log is still there"), b"the last words");
}

async fn memories(folder: &TempFolder) -> Vec<String> {
    let catalogue = folder.open();
    let account = catalogue.account().await.expect("opens");
    let all = inklings_ports::testing::builders::everywhere(Vec::new());
    let sort = inklings_domain::memory::filter::Sort::default();
    let page = account.memory.store.list(&all, sort, None, 10).await.expect("a page");
    catalogue.close().await;
    page.into_iter().map(|row| row.entry.content.as_str().to_owned()).collect()
}

/// Everything that lies in the quarantine, by name.
fn quarantined(folder: &TempFolder) -> Vec<String> {
    let mut names = Vec::new();
    for set in fs::read_dir(folder.path().join("quarantine")).into_iter().flatten() {
        for file in fs::read_dir(set.expect("an entry").path()).expect("a folder") {
            names.push(file.expect("an entry").file_name().to_string_lossy().into_owned());
        }
    }
    names.sort();
    names
}

#[tokio::test]
async fn a_missing_or_empty_database_is_damage_and_is_not_recreated() {
    for (of_account, fault) in [true, false].into_iter().flat_map(|which| FAULTS.map(|f| (which, f))) {
        let (folder, stage, _) = settled().await;
        let workspace = stage.workspace.workspace.id;
        let file = if of_account { folder.account_file() } else { folder.workspace_file(workspace) };
        strike(&file, fault);
        let catalogue = folder.open();
        let opened = if of_account {
            catalogue.account().await.map(|_| ())
        } else {
            catalogue.open(workspace).await.map(|_| ())
        };
        assert!(
            matches!(&opened, Err(StoreError::Missing { file }) if file == "agents.db"),
            "account: {of_account}, {fault:?}: {opened:?}"
        );
        assert_as_struck(&file, fault);
        let findings = catalogue.check().await.expect("the check itself works");
        assert!(findings.iter().any(|f| f.check == "open" && !f.ok), "{fault:?}: the doctor sees nothing");
        assert_as_struck(&file, fault);
        let whose = if of_account { WorkspaceId::ACCOUNT } else { workspace };
        let damaged = catalogue.damaged_files().await.expect("a list");
        assert_eq!(damaged.iter().map(|d| d.workspace).collect::<Vec<_>>(), [whose], "{fault:?}");
        assert_as_struck(&file, fault);
    }
}

#[tokio::test]
async fn a_backup_replaces_a_missing_database_and_the_remaining_files_are_quarantined() {
    for (of_account, fault) in [true, false].into_iter().flat_map(|which| FAULTS.map(|f| (which, f))) {
        let (folder, stage, set) = settled().await;
        let workspace = stage.workspace.workspace.id;
        let file = if of_account { folder.account_file() } else { folder.workspace_file(workspace) };
        strike(&file, fault);
        let before = BackupId::new(stage.scribe.stamp(author()).at, BackupReason::Restore);
        folder.open().restore_backup(set.id, before, &stage.restore_entry()).await.expect("put back");
        assert_eq!(memories(&folder).await, ["Tea without milk."]);
        let name =
            if of_account { "agents.db".to_owned() } else { format!("workspaces_{workspace}_agents.db") };
        let kept = quarantined(&folder);
        assert!(kept.contains(&format!("{name}-wal")), "{fault:?}: {kept:?}");
        let findings = folder.open().check().await.expect("a check");
        let trouble: Vec<_> = findings.iter().filter(|f| !f.ok).collect();
        assert!(trouble.is_empty(), "{fault:?}: {trouble:?}");
    }
}

#[tokio::test]
async fn a_missing_account_is_damage_if_there_is_any_trace_of_one() {
    type Trace = fn(&TempFolder, &Stage);
    let traces: [(&str, Trace); 4] = [
        ("a marker", |folder, _| {
            fs::remove_dir_all(folder.path().join("workspaces")).expect("removed");
            fs::remove_dir_all(folder.path().join("backups")).expect("removed");
        }),
        ("a backup", |folder, _| {
            fs::remove_dir_all(folder.path().join("workspaces")).expect("removed");
            fs::remove_file(folder.path().join(".account")).expect("removed");
        }),
        ("a workspace", |folder, _| {
            fs::remove_dir_all(folder.path().join("backups")).expect("removed");
            fs::remove_file(folder.path().join(".account")).expect("removed");
        }),
        ("a log without its database", |folder, _| {
            for name in ["workspaces", "backups"] {
                fs::remove_dir_all(folder.path().join(name)).expect("removed");
            }
            fs::remove_file(folder.path().join(".account")).expect("removed");
            fs::write(with_suffix(&folder.account_file(), "-wal"), b"the last words").expect("a log");
        }),
    ];
    for (what, leave) in traces {
        let (folder, stage, _) = settled().await;
        fs::remove_file(folder.account_file()).expect("removed");
        leave(&folder, &stage);
        let opened = folder.open().account().await.map(|_| ());
        assert!(matches!(opened, Err(StoreError::Missing { .. })), "{what}: {opened:?}");
        assert!(!folder.account_file().exists(), "{what}");
    }
}

#[tokio::test]
async fn a_new_folder_has_no_findings() {
    let folder = TempFolder::new();
    let catalogue = folder.open();
    assert_eq!(catalogue.damaged_files().await.expect("a list"), []);
    catalogue.account().await.expect("opens");
    catalogue.close().await;
    let findings = folder.open().check().await.expect("a check");
    assert!(findings.iter().all(|f| f.ok), "{findings:?}");
}

/// The way out where there is no backup: asked for, never by itself.
#[tokio::test]
async fn a_new_account_is_created_only_on_request_and_lists_the_existing_workspaces() {
    for fault in FAULTS {
        let (folder, stage, _) = settled().await;
        fs::remove_dir_all(folder.path().join("backups")).expect("removed");
        strike(&folder.account_file(), fault);
        let catalogue = folder.open();
        let before = BackupId::new(stage.scribe.stamp(author()).at, BackupReason::Restore);
        catalogue.begin_account_anew(before, &stage.restore_entry()).await.expect("begun anew");
        let listed = catalogue.workspaces().await.expect("a list");
        assert_eq!(listed.iter().map(|w| w.id).collect::<Vec<_>>(), [stage.workspace.workspace.id]);
        assert!(quarantined(&folder).contains(&"agents.db-wal".to_owned()));
        let rows = catalogue.account().await.expect("opens").memory.audit.rows(None, 9).await.expect("rows");
        assert_eq!(rows[0].entry.manifest, "{\"anew\":{\"why\":\"missing\"}}");
        assert_eq!(catalogue.damaged_files().await.expect("a list"), []);
        let again = catalogue.begin_account_anew(before, &stage.restore_entry()).await;
        assert!(matches!(again, Err(StoreError::NotFound(_))), "a whole one is not replaced: {again:?}");
        catalogue.close().await;
    }
}
