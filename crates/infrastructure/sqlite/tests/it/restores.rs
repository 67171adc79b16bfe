//! What a restore does to writers of other processes and to the clients of the account.

use std::{fs, path::Path};

use crate::support::{self, TempFolder, raw, stage::Stage};
use inklings_domain::{
    backup::{BackupId, BackupReason},
    client::{Client, Grants},
    ids::{ClientId, MemoryId, WorkspaceId},
    scope::Place,
};
use inklings_ports::{
    backup::{BackupScope, BackupSet},
    store_error::StoreError,
    testing::builders::{author, draft},
};
use uuid::Uuid;

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
        let listed = stage.catalogue.leftovers(workspace).await.expect("a list");
        for name in ["agents.db", "inklings.db"] {
            let name = format!("workspaces_{workspace}_{name}");
            assert!(listed.iter().any(|path| path.ends_with(&name)), "{name}: {listed:?}");
        }
    }
}

fn client(n: u128) -> Client {
    Client {
        id: ClientId::from_uuid(Uuid::from_u128(n)),
        name: format!("Client {n}"),
        workspace: WorkspaceId::from_uuid(Uuid::from_u128(77)),
        grants: Grants::default(),
        token_hash: Some(n.to_string().repeat(64)),
        created_at: inklings_ports::testing::clock::start_of_tests(),
        seen_at: None,
        revoked_at: None,
    }
}

#[tokio::test]
async fn a_restore_lets_in_no_revoked_client_and_no_old_token() {
    let (folder, stage) = support::stage().await;
    let [revoked, renewed, kept, later] = [1, 2, 3, 4].map(client);
    let clients = &stage.account.clients;
    for client in [&revoked, &renewed, &kept] {
        clients.add(client).await.expect("added");
    }
    let set = made(&stage).await;
    let now = stage.scribe.stamp(author()).at;
    clients.revoke(revoked.id, now).await.expect("revoked");
    let token = "f".repeat(64);
    clients.set_token(renewed.id, &token).await.expect("renewed");
    clients.add(&later).await.expect("added");
    let restore = async || {
        let (before, entry) = (id(&stage, BackupReason::Restore), stage.restore_entry());
        stage.catalogue.restore_backup(set.id, before, &entry).await.expect("put back");
    };
    restore().await;
    let found = async |id| clients.client(id).await.expect("read").expect("there");
    assert_eq!(found(revoked.id).await.revoked_at, Some(now), "still revoked");
    assert_eq!(found(kept.id).await, kept);
    let by_token = async |hash: Option<&String>| {
        clients.client_of_token(hash.expect("a hash")).await.expect("read").map(|client| client.id)
    };
    assert_eq!(by_token(renewed.token_hash.as_ref()).await, None, "the old token finds nobody");
    assert_eq!(by_token(Some(&token)).await, Some(renewed.id));
    assert_eq!(by_token(later.token_hash.as_ref()).await, None);
    // Once more, from an account that cannot be read.
    stage.catalogue.close().await;
    fs::write(folder.account_file(), "no database").expect("damaged");
    let catalogue = folder.catalogue();
    let (before, entry) = (id(&stage, BackupReason::Restore), stage.restore_entry());
    catalogue.restore_backup(set.id, before, &entry).await.expect("put back");
    let all = catalogue.account().await.expect("opens").clients.clients().await.expect("read");
    assert!(all.len() == 3 && all.iter().all(|client| client.revoked_at.is_some()), "{all:?}");
}
