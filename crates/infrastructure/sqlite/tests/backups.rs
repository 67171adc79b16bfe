//! Backups and restores on disk: what the port's promises cannot say of files.

mod support;

use std::{
    fs,
    path::{Path, PathBuf},
};

use inklings_application::{
    ports::{
        backup_store::{BackupScope, BackupSet, BackupStore},
        error::StoreError,
    },
    testing::{
        builders::{author, draft},
        contract::{Stage, StoreFactory},
    },
};
use inklings_domain::{
    audit::{AuditAct, AuditEntry},
    backup::{BackupId, BackupReason},
    ids::{MemoryId, WorkspaceId},
    provenance::Door,
    scope::Place,
};
use support::{TempFolder, raw};

fn id(stage: &Stage, reason: BackupReason) -> BackupId {
    BackupId::new(stage.scribe.stamp(author()).at, reason)
}

fn entry(stage: &Stage) -> AuditEntry {
    AuditEntry {
        act: AuditAct::Restore,
        scope: "backup".into(),
        mode: None,
        manifest: "{}".into(),
        operator: "author".into(),
        door: Door::Cli,
        at: stage.scribe.stamp(author()).at,
    }
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
    let ports = folder.catalogue().await.open(workspace).await.expect("opens");
    !ports.memory.store.get(&[id]).await.expect("reads").is_empty()
}

async fn trouble(folder: &TempFolder) -> Vec<String> {
    let findings = folder.catalogue().await.check().await.expect("findings");
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
async fn a_set_holds_the_copies_and_nothing_beside_them() {
    let (folder, stage) = support::stage().await;
    let set = made(&stage).await;
    stage.catalogue.check_backup(set.id).await.expect("checked");
    let here = set_folder(&folder, &set);
    assert_eq!(files_in(&here), ["agents.db", "check.json", "manifest.json", "workspaces"]);
    let inside = here.join("workspaces").join(stage.workspace.workspace.id.to_string());
    assert_eq!(files_in(&inside), ["agents.db", "inklings.db"]);
}

#[tokio::test]
async fn a_changed_or_missing_copy_fails_the_check_and_is_not_put_back() {
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
        let refused = stage.catalogue.restore_backup(set.id, before, &entry(&stage)).await;
        assert!(matches!(refused, Err(StoreError::Corrupt { .. })), "{harm}: {refused:?}");
    }
    assert!(is_there(&folder, stage.workspace.workspace.id, kept).await);
    assert_eq!(trouble(&folder).await, Vec::<String>::new());
}

#[tokio::test]
async fn a_manifest_that_leads_out_of_the_folder_is_not_followed() {
    let (folder, stage) = support::stage().await;
    let set = made(&stage).await;
    let manifest = set_folder(&folder, &set).join("manifest.json");
    let text = fs::read_to_string(&manifest).expect("reads");
    fs::write(&manifest, text.replacen("\"agents.db\"", "\"../../../outside.db\"", 1)).expect("writes");
    assert_eq!(stage.catalogue.check_backup(set.id).await.expect("checked").ok, Some(false));
    let before = id(&stage, BackupReason::Restore);
    assert!(stage.catalogue.restore_backup(set.id, before, &entry(&stage)).await.is_err());
}

#[tokio::test]
async fn a_damaged_database_is_left_where_it_is_until_a_backup_takes_its_place() {
    for account in [true, false] {
        let (folder, stage) = support::stage().await;
        let workspace = stage.workspace.workspace.id;
        let kept = write(&stage, "Kept.").await;
        let set = made(&stage).await;
        drop(stage);
        let file = if account { folder.account_file() } else { folder.workspace_file(workspace) };
        let damage = b"this was a database once".repeat(300);
        for suffix in ["", "-wal", "-shm"] {
            let _ = fs::remove_file(PathBuf::from(format!("{}{suffix}", file.display())));
        }
        fs::write(&file, &damage).expect("writes");
        let catalogue = folder.open();
        let found = catalogue.damaged_files().await.expect("a look");
        let told: Vec<&str> = found.iter().map(|damaged| damaged.file.as_str()).collect();
        assert_eq!(folder.path().join(told[0]), file);
        assert_eq!(told.len(), 1);
        assert_eq!(fs::read(&file).expect("reads"), damage, "looking changes nothing");
        let (_other, elsewhere) = support::stage().await;
        let before = id(&elsewhere, BackupReason::Restore);
        let (_, was) = catalogue.restore_backup(set.id, before, &entry(&elsewhere)).await.expect("put back");
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
async fn a_restore_cut_off_before_its_plan_never_happened() {
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
async fn a_restore_cut_off_after_its_plan_is_finished_by_whoever_opens_next() {
    for died_after in 0..=6 {
        let (folder, stage) = support::stage().await;
        let workspace = stage.workspace.workspace.id;
        let old = write(&stage, "Old.").await;
        let set = made(&stage).await;
        let new = write(&stage, "New.").await;
        drop(stage);
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

#[tokio::test]
async fn a_backup_cut_off_in_the_middle_is_no_backup_and_is_cleared_away() {
    let (folder, stage) = support::stage().await;
    let half = folder.path().join("backups/sets/.new-20261121T120000000Z-asked");
    fs::create_dir_all(&half).expect("a folder");
    fs::write(half.join("agents.db.part"), "half").expect("writes");
    assert_eq!(stage.catalogue.backups().await.expect("a list"), []);
    made(&stage).await;
    assert!(!half.exists());
}

#[tokio::test]
async fn a_workspace_removed_for_good_is_in_no_backup_either() {
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
async fn what_was_scrubbed_stays_known_after_a_restore() {
    let (folder, stage) = support::stage().await;
    let set = made(&stage).await;
    let file = folder.workspace_file(stage.workspace.workspace.id);
    let mut conn = raw(&file).await;
    let known = "INSERT INTO scrubbed SELECT workspace_id, lower(hex(zeroblob(32))), 7 FROM meta";
    sqlx::query(known).execute(&mut conn).await.expect("written");
    drop(conn);
    let before = id(&stage, BackupReason::Restore);
    stage.catalogue.restore_backup(set.id, before, &entry(&stage)).await.expect("put back");
    let mut conn = raw(&file).await;
    let count: i64 =
        sqlx::query_scalar("SELECT count(*) FROM scrubbed").fetch_one(&mut conn).await.expect("counts");
    assert_eq!(count, 1);
}
