//! Changes of the account and a workspace: the workspace's commit decides, also where the process ends before the account's.

use inklings_domain::{
    ids::MemoryId,
    memory::{
        MemoryEntry,
        change_set::{ChangeSet, MemoryWrite},
    },
    scope::Place,
};
use inklings_ports::{
    memory::split_store::PreparedPart,
    store_error::StoreError,
    testing::builders::{author, draft, new_text},
    workspace::catalogue::AccountPorts,
};

use super::{CheckedStage, Stage, TempFolder, refused, together};

/// A change that edits an entry of the account and makes one of the workspace: the two parts.
struct Both {
    account: ChangeSet,
    workspace: ChangeSet,
    habit: MemoryEntry,
    gate: MemoryId,
}

async fn both(stage: &Stage) -> Both {
    let (change, made) = stage.scribe.create(author(), [draft(Place::Account, "A habit.")]);
    stage.account.memory.store.commit(&change).await.expect("written");
    let (edit, _) = stage.scribe.edit(author(), &made[0], new_text("Another habit."));
    let (create, gates) = stage.scribe.create(author(), [draft(Place::Workspace, "A gate.")]);
    let whole = together(edit, &create);
    let part = |account: bool| {
        let writes = whole.writes.iter().filter(|write| (write.entry().place == Place::Account) == account);
        ChangeSet { writes: writes.cloned().collect::<Vec<MemoryWrite>>(), ..whole.clone() }
    };
    Both { account: part(true), workspace: part(false), habit: made[0].clone(), gate: gates[0].id }
}

async fn prepared(stage: &Stage, part: &ChangeSet) -> Box<dyn PreparedPart> {
    let prepared = stage.account.split.prepare(part, stage.workspace.workspace.id).await;
    prepared.expect("the account's part is kept")
}

async fn habit(account: &AccountPorts, id: MemoryId) -> String {
    account.memory.store.get(&[id]).await.expect("read").remove(0).entry.content
}

async fn reopened(folder: &TempFolder) -> AccountPorts {
    folder.catalogue().account().await.expect("the account opens")
}

/// Undisturbed, or abandoned: nothing is left to settle. What the account refuses is not prepared.
#[tokio::test]
async fn the_accounts_part_is_committed_after_the_workspaces_or_not_at_all() {
    let stage = CheckedStage::new().await;
    for whole in [true, false] {
        let both = both(&stage).await;
        let part = prepared(&stage, &both.account).await;
        if whole {
            stage.commit(&both.workspace).await;
            part.commit().await.expect("it is done");
        } else {
            part.abandon().await;
        }
        let expected = if whole { "Another habit." } else { "A habit." };
        assert_eq!(habit(&stage.account, both.habit.id).await, expected);
        assert_eq!(habit(&reopened(&stage.folder).await, both.habit.id).await, expected);
        assert_eq!(stage.find(both.gate).await.is_some(), whole);
        if whole {
            let again = stage.account.split.prepare(&both.account, stage.workspace.workspace.id).await;
            assert!(matches!(again.map(drop), Err(StoreError::AlreadyExists(_))));
        }
    }
}

/// Cut off after the workspace's commit it is done by whoever opens the folder next, once; before it, it is dropped.
#[tokio::test]
async fn an_interrupted_account_part_follows_the_workspace() {
    let stage = CheckedStage::new().await;
    for decided in [true, false] {
        let both = both(&stage).await;
        let part = prepared(&stage, &both.account).await;
        if decided {
            stage.commit(&both.workspace).await;
        }
        drop(part);
        let expected = if decided { "Another habit." } else { "A habit." };
        for _ in 0..2 {
            let account = reopened(&stage.folder).await;
            assert_eq!(habit(&account, both.habit.id).await, expected);
            assert_eq!(account.split.refused(stage.workspace.workspace.id).await.expect("read"), []);
        }
        if !decided {
            // It was settled: what the workspace commits later decides nothing any more.
            stage.commit(&both.workspace).await;
            assert_eq!(habit(&reopened(&stage.folder).await, both.habit.id).await, "A habit.");
        }
    }
}

/// What somebody wrote in the account since stays theirs, and the workspace is told, until it says that it was taken back.
#[tokio::test]
async fn a_refused_account_part_is_reported_to_its_workspace() {
    let stage = CheckedStage::new().await;
    let both = both(&stage).await;
    let part = prepared(&stage, &both.account).await;
    stage.commit(&both.workspace).await;
    drop(part);
    let (mine, _) = stage.scribe.edit(author(), &both.habit, new_text("Mine, since."));
    stage.account.memory.store.commit(&mine).await.expect("somebody writes on");
    let (change, here) = (both.account.stamp.change, stage.workspace.workspace.id);
    let account = reopened(&stage.folder).await;
    assert_eq!(habit(&account, both.habit.id).await, "Mine, since.");
    assert_eq!(account.split.refused(here).await.expect("read"), [change]);
    let elsewhere = stage.scribe.workspace("Elsewhere").id;
    assert_eq!(account.split.refused(elsewhere).await.expect("read"), []);
    account.split.taken_back(change, here).await.expect("noted");
    assert_eq!(reopened(&stage.folder).await.split.refused(here).await.expect("read"), []);
    refused!(account.memory.store.commit(&both.account).await, StoreError::Stale { .. });
}
