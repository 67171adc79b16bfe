//! Copies outside of the backups: listed before a scrub, and destroyed with a workspace that is purged.

use std::{fs, path::Path, time::Duration};

use crate::support::{self, look, stage::Stage};
use inklings_domain::{
    backup::{BackupId, BackupReason},
    ids::WorkspaceId,
    scope::Place,
};
use inklings_ports::{
    backup::BackupScope,
    testing::builders::{author, draft},
};

fn put(path: &Path) {
    fs::create_dir_all(path.parent().expect("a folder")).expect("folders");
    fs::write(path, b"memory").expect("a copy");
}

async fn made(stage: &Stage) -> BackupId {
    let id = BackupId::new(stage.scribe.stamp(author()).at, BackupReason::Asked);
    stage.catalogue.make_backup(id, BackupScope::Everything).await.expect("a backup").id
}

/// What damage and a restore, and a restore whose plan cannot be read, leave in quarantine. The first are of the workspace.
fn quarantined(folder: &Path, id: WorkspaceId) -> (Vec<String>, Vec<String>) {
    let quarantine = folder.join("quarantine");
    let (restored, plan) =
        (quarantine.join("20260101T000000000Z-restore"), quarantine.join("20260102T000000000Z-restore"));
    let alone = quarantine.join("20260103T000000000Z-restore");
    let of_workspace = [
        plan.join(format!("new/workspaces/{id}")),
        plan.join(format!("old/workspaces/{id}")),
        restored.join(format!("workspaces_{id}_agents.db")),
        restored.join(format!("workspaces_{id}_agents.db-wal")),
        alone.join(format!("workspaces_{id}_inklings.db")),
    ];
    for path in &of_workspace {
        put(&if path.starts_with(&plan) { path.join("agents.db") } else { path.clone() });
    }
    let others = [
        restored.join("agents.db"),
        restored.join("workspaces_0190bbbb-0000-7000-8000-000000000000_agents.db"),
        plan.join("plan.json"),
    ];
    for path in &others {
        put(path);
    }
    let shown = |paths: &[std::path::PathBuf]| {
        let mut all: Vec<_> = paths.iter().map(|path| path.display().to_string()).collect();
        all.sort();
        all
    };
    (shown(&of_workspace), shown(&others))
}

#[tokio::test]
async fn a_purged_workspace_leaves_no_copy_in_quarantine_or_in_any_backup() {
    let (folder, stage) = support::stage().await;
    let id = stage.workspace.workspace.id;
    stage.write(author(), [draft(Place::Workspace, "Vesperglass sings.")]).await;
    made(&stage).await;
    // A set with the index of pages alone, as one whose other file was damaged.
    let set = folder.path().join("backups/sets").join(made(&stage).await.to_string());
    let manifest = set.join("manifest.json");
    let mut files: serde_json::Value =
        serde_json::from_slice(&fs::read(&manifest).expect("a manifest")).expect("JSON");
    let memory = format!("workspaces/{id}/agents.db");
    files["files"].as_array_mut().expect("files").retain(|file| file["path"] != *memory);
    fs::write(&manifest, files.to_string()).expect("writes");
    fs::remove_file(set.join(memory)).expect("removes");
    assert!(set.join(format!("workspaces/{id}/inklings.db")).exists());
    // A set whose manifest cannot be read.
    let broken = folder.path().join("backups/sets").join(made(&stage).await.to_string());
    fs::write(broken.join("manifest.json"), b"{").expect("writes");
    let (listed, others) = quarantined(folder.path(), id);
    assert_eq!(stage.catalogue.leftovers(id).await.expect("a list"), listed);
    stage.catalogue.delete(id, true).await.expect("purged");
    let mut traces = Vec::new();
    look(folder.path(), &id.to_string(), &mut traces);
    // The account's database of then had it on its list.
    let sets = folder.path().join("backups/sets");
    traces.retain(|path| Path::new(path).ancestors().nth(2) != Some(&*sets));
    look(folder.path(), "Vesperglass", &mut traces);
    assert!(traces.is_empty(), "{traces:?}");
    assert!(others.iter().all(|path| Path::new(path).exists()), "{others:?}");
    assert!(
        !folder.path().join("quarantine/20260103T000000000Z-restore").exists(),
        "no folder is left empty"
    );
}

#[tokio::test]
async fn a_purge_that_waits_for_the_backups_has_destroyed_nothing() {
    let (folder, stage) = support::stage().await;
    let id = stage.workspace.workspace.id;
    stage.write(author(), [draft(Place::Workspace, "Vesperglass sings.")]).await;
    made(&stage).await;
    let held = fs::File::open(folder.path().join("backups/.lock")).expect("a lock");
    held.try_lock().expect("free");
    let waiting = tokio::time::timeout(Duration::from_millis(300), stage.catalogue.delete(id, true));
    waiting.await.expect_err("another process works on the backups");
    let listed = stage.catalogue.workspaces().await.expect("a list");
    assert!(listed.iter().any(|workspace| workspace.id == id));
    assert!(folder.workspace_file(id).exists());
    assert!(!folder.path().join(".purging").exists());
    held.unlock().expect("released");
    stage.catalogue.delete(id, true).await.expect("purged");
    let mut traces = Vec::new();
    look(folder.path(), "Vesperglass", &mut traces);
    assert_eq!(traces, Vec::<String>::new());
}

#[tokio::test]
async fn a_purge_that_failed_midway_can_be_asked_for_again() {
    let (folder, stage) = support::stage().await;
    let id = stage.workspace.workspace.id;
    stage.write(author(), [draft(Place::Workspace, "Vesperglass sings.")]).await;
    let set = folder.path().join("backups/sets").join(made(&stage).await.to_string());
    let copies = set.join(format!("workspaces/{id}"));
    fs::rename(&copies, set.join("elsewhere")).expect("moved");
    fs::write(&copies, "no folder").expect("written");
    stage.catalogue.delete(id, true).await.expect_err("the backup cannot be cleared");
    fs::remove_file(&copies).expect("removed");
    fs::rename(set.join("elsewhere"), &copies).expect("moved back");
    stage.catalogue.delete(id, true).await.expect("purged");
    let mut traces = Vec::new();
    look(folder.path(), "Vesperglass", &mut traces);
    assert_eq!(traces, Vec::<String>::new());
}

#[tokio::test]
async fn copies_in_quarantine_and_in_the_trash_are_listed_for_their_own_database() {
    let (folder, stage) = support::stage().await;
    let id = stage.workspace.workspace.id;
    let set = made(&stage).await;
    stage.catalogue.delete(id, false).await.expect("deleted");
    let before = BackupId::new(stage.scribe.stamp(author()).at, BackupReason::Restore);
    stage.catalogue.restore_backup(set, before, &stage.restore_entry()).await.expect("put back");
    let trashed: Vec<String> = fs::read_dir(folder.path().join("trash"))
        .expect("a folder")
        .map(|entry| entry.expect("an entry").path().display().to_string())
        .collect();
    assert_eq!(trashed.len(), 1);
    assert_eq!(stage.catalogue.leftovers(id).await.expect("a list"), trashed);
    let (mut listed, others) = quarantined(folder.path(), id);
    listed.extend(trashed);
    assert_eq!(stage.catalogue.leftovers(id).await.expect("a list"), listed);
    let of_account = stage.catalogue.leftovers(WorkspaceId::ACCOUNT).await.expect("a list");
    assert_eq!(of_account, others[..1]);
    // Also if nothing but that is left of it.
    stage.catalogue.delete(id, true).await.expect("purged");
    quarantined(folder.path(), id);
    stage.catalogue.delete(id, true).await.expect("purged");
    assert_eq!(stage.catalogue.leftovers(id).await.expect("a list"), Vec::<String>::new());
}
