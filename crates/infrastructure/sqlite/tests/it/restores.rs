//! What a restore does to writers of other processes.

use std::{fs, path::Path};

use crate::support::{self, TempFolder, raw, stage::Stage};
use inklings_domain::{
    backup::{BackupId, BackupReason},
    ids::{MemoryId, WorkspaceId},
    scope::Place,
};
use inklings_ports::{
    backup::{BackupScope, BackupSet},
    store_error::StoreError,
    testing::builders::{author, draft},
};

fn id(stage: &Stage, reason: BackupReason) -> BackupId {
    BackupId::new(stage.scribe.stamp(author()).at, reason)
}

async fn made(stage: &Stage) -> BackupSet {
    let id = id(stage, BackupReason::Asked);
    stage.catalogue.make_backup(id, BackupScope::Everything).await.expect("a backup is made")
}

async fn is_there(folder: &TempFolder, workspace: WorkspaceId, id: MemoryId) -> bool {
    let ports = folder.catalogue().open(workspace).await.expect("opens");
    !ports.memory.store.get(&[id]).await.expect("reads").is_empty()
}

/// Leaves what a restore leaves that was killed right after it wrote its plan.
fn cut_off(folder: &Path, set: &BackupSet) {
    let restoring = folder.join(".restore");
    let mut steps = Vec::new();
    for file in &set.files {
        let to = restoring.join("new").join(file);
        fs::create_dir_all(to.parent().expect("a folder")).expect("a folder");
        fs::copy(folder.join("backups/sets").join(set.id.to_string()).join(file), to).expect("copies");
        steps.push(serde_json::json!({
            "target": file, "staged": format!(".restore/new/{file}"), "aside": format!(".restore/old/{file}"),
        }));
    }
    let plan = serde_json::json!({ "steps": steps }).to_string();
    fs::write(restoring.join("plan.json"), plan).expect("a plan");
}

#[tokio::test]
async fn a_write_after_a_restore_was_cut_off_is_refused_and_no_earlier_one_is_destroyed() {
    for finished_here in [true, false] {
        let (folder, stage) = support::stage().await;
        let workspace = stage.workspace.workspace.id;
        let old = stage.write_one(author(), draft(Place::Workspace, "Old.")).await.id;
        let set = made(&stage).await;
        let new = stage.write_one(author(), draft(Place::Workspace, "New.")).await.id;
        cut_off(folder.path(), &set);
        let (change, _) = stage.scribe.create(author(), [draft(Place::Workspace, "Acknowledged?")]);
        let refused = stage.store().commit(&change).await;
        assert!(matches!(refused, Err(StoreError::Busy)), "{refused:?}");
        if finished_here {
            stage.catalogue.workspaces().await.expect("a list");
        }
        assert!(is_there(&folder, workspace, old).await);
        assert!(!is_there(&folder, workspace, new).await, "the restore is done");
        let last = stage.write_one(author(), draft(Place::Workspace, "Last.")).await.id;
        assert!(
            is_there(&folder, workspace, last).await,
            "whoever had the folder open writes to the new file"
        );
        // The plan may be older than the write.
        let sets = fs::read_dir(folder.path().join("quarantine")).expect("a folder");
        let kept: Vec<_> = sets.map(|entry| entry.expect("an entry").path()).collect();
        let [kept] = kept.as_slice() else { panic!("{kept:?}") };
        let file = kept.join(format!("workspaces_{workspace}_agents.db"));
        let ids: Vec<String> = sqlx::query_scalar("SELECT id FROM memories")
            .fetch_all(&mut raw(&file).await)
            .await
            .expect("ids");
        assert!(ids.contains(&new.to_string()));
        assert_eq!(
            stage.catalogue.leftovers(workspace).await.expect("a list").len(),
            2,
            "both files are listed"
        );
    }
}
