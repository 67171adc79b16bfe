//! The account's part of an import into both databases: it is kept before the workspace's commit, which decides.

use std::collections::BTreeMap;

use inklings_domain::{
    consolidation::run::Run,
    memory::{MemoryEntry, Stamp},
    provenance::{Actor, ActorKind, Interface},
    scope::Place,
};
use inklings_ports::{
    testing::{
        builders::{author, draft},
        clock::start_of_tests,
    },
    transfer::store::ImportStamp,
    workspace::catalogue::AccountPorts,
};
use serde_json::{Value, json};

use super::{
    super::{CheckedFolder, Stage, TempFolder},
    a_run, begin, by_section, found, of_account, of_workspace, prepared, put, stamp,
};

/// The account's part of an import that also changes an entry, prepared and then dropped, as when its process is killed.
async fn cut_off(stage: &Stage, run: &Run) -> MemoryEntry {
    let stamp = ImportStamp { follows: Some(stage.workspace.workspace.id), ..stamp(stage, run.id) };
    let (change, entries) = stage.scribe.create(author(), [draft(Place::Account, "From before.")]);
    stage.account.memory.store.commit(&change).await.expect("written");
    let mut writer = begin(&*stage.account.transfer, stamp).await;
    put(&mut *writer, &of_account()).await;
    writer.put_member("maps", &json!([1])).await.expect("is kept");
    let actor = Actor::new(ActorKind::Import, Interface::Cli, Some(run.id)).expect("an actor");
    let stamp = Stamp { change: stamp.change, actor, at: stamp.at };
    let after = MemoryEntry {
        content: "From the file.".into(),
        version: 2,
        written_by: ActorKind::Import,
        change: stamp.change,
        updated_at: stamp.at,
        ..entries[0].clone()
    };
    writer.update(&after).await.expect("is changed");
    writer.prepare(&*stage.scribe.ids).await.expect("is prepared");
    after
}

async fn account_of(folder: &TempFolder) -> AccountPorts {
    folder.catalogue().account().await.expect("the account opens")
}

/// Killed between the two commits: the run stands, so whoever opens the folder next finishes the account's part. Once.
#[tokio::test]
async fn a_prepared_account_part_is_committed_if_its_run_was() {
    let folder = CheckedFolder::new();
    let stage = Stage::set(&folder).await;
    let run = a_run(&stage);
    let after = cut_off(&stage, &run).await;
    let workspace = prepared(&stage, &*stage.workspace.transfer, &of_workspace()).await;
    workspace.commit(Some(&run)).await.expect("is committed");
    for _ in 0..2 {
        let account = account_of(&folder).await;
        assert_eq!(found(&*account.transfer, true).await, by_section(&of_account()));
        let members =
            account.transfer.snapshot(start_of_tests()).await.expect("opens").members().await.expect("reads");
        assert_eq!(Value::Object(members), json!({ "maps": [1] }));
        let stored = account.memory.store.get(&[after.id]).await.expect("reads").pop().expect("is there");
        assert_eq!(stored.entry, after);
        let changes = account.memory.store.changes_of_run(run.id).await.expect("changes");
        let first =
            account.memory.store.change(changes[0].change).await.expect("reads").expect("is told").journal;
        assert_eq!((changes.len(), first.entries, first.run), (3, 4, Some(run.id)));
    }
}

/// Killed before the workspace's commit: nothing of it is there, then or later.
#[tokio::test]
async fn a_prepared_account_part_is_discarded_without_its_run() {
    let folder = CheckedFolder::new();
    let stage = Stage::set(&folder).await;
    let run = a_run(&stage);
    let after = cut_off(&stage, &run).await;
    drop(prepared(&stage, &*stage.workspace.transfer, &of_workspace()).await);
    let nothing = async || {
        let account = account_of(&folder).await;
        assert_eq!(found(&*account.transfer, true).await, BTreeMap::new());
        let stored = account.memory.store.get(&[after.id]).await.expect("reads").pop().expect("is there");
        assert_eq!(stored.entry.content, "From before.");
        assert_eq!(account.memory.store.changes_of_run(run.id).await.expect("changes"), []);
    };
    nothing().await;
    // It was settled: a run of this name that comes later decides nothing any more.
    stage.workspace.runs.put(&run).await.expect("a run");
    nothing().await;
}

/// Undisturbed the two commits leave nothing to settle.
#[tokio::test]
async fn a_committed_account_part_is_applied_once() {
    let folder = CheckedFolder::new();
    let stage = Stage::set(&folder).await;
    let run = a_run(&stage);
    let stamp = ImportStamp { follows: Some(stage.workspace.workspace.id), ..stamp(&stage, run.id) };
    let mut writer = begin(&*stage.account.transfer, stamp).await;
    put(&mut *writer, &of_account()).await;
    writer.prepare(&*stage.scribe.ids).await.expect("is prepared");
    let workspace = prepared(&stage, &*stage.workspace.transfer, &of_workspace()).await;
    workspace.commit(Some(&run)).await.expect("is committed");
    writer.commit(None).await.expect("is committed");
    for _ in 0..2 {
        let account = account_of(&folder).await;
        assert_eq!(found(&*account.transfer, true).await, by_section(&of_account()));
        assert_eq!(account.memory.store.changes_of_run(run.id).await.expect("changes").len(), 3);
    }
}
