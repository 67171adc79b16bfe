//! The promises of backups.

use chrono::TimeDelta;
use inklings_domain::{
    audit::AuditAct,
    backup::{BackupId, BackupReason},
    fact::{Fact, FactSource},
    ids::{MemoryId, WorkspaceId},
    scope::Place,
    scratchpad::WorkingNote,
    scrub::{ScrubFile, ScrubTarget},
};
use inklings_ports::{
    backup::{BackupScope, BackupSet},
    store_error::StoreError,
    testing::builders::{author, draft},
    workspace::{
        catalogue::{MemoryPorts, WorkspacePorts},
        settings::Topic,
    },
};

use super::{CheckedStage, Stage};

fn id(stage: &Stage, minutes: i64, reason: BackupReason) -> BackupId {
    BackupId::new(stage.scribe.stamp(author()).at + TimeDelta::minutes(minutes), reason)
}

async fn made(stage: &Stage, minutes: i64) -> BackupSet {
    let only = [stage.workspace.workspace.id];
    let id = id(stage, minutes, BackupReason::Asked);
    stage.catalogue.make_backup(id, BackupScope::Only(&only)).await.expect("a backup is made")
}

async fn write(stage: &Stage, memory: &MemoryPorts, place: Place, text: &str) -> MemoryId {
    let (change, entries) = stage.scribe.create(author(), [draft(place, text)]);
    memory.store.commit(&change).await.expect("it is written");
    entries[0].id
}

async fn has(memory: &MemoryPorts, id: MemoryId) -> bool {
    !memory.store.get(&[id]).await.expect("entries are read").is_empty()
}

async fn restore(stage: &Stage, set: &BackupSet) -> BackupSet {
    let before = id(stage, 60, BackupReason::Restore);
    let restored = stage.catalogue.restore_backup(set.id, before, &stage.restore_entry()).await;
    let (restored, before) = restored.expect("it is put back");
    assert_eq!((restored.id, restored.ok), (set.id, Some(true)));
    before
}

/// When, why, how large, whose.
#[tokio::test]
async fn a_backup_is_listed_with_what_is_in_it() {
    let stage = CheckedStage::new().await;
    let other = stage.scribe.workspace("Other");
    stage.catalogue.create(&other).await.expect("a workspace");
    let one = made(&stage, 0).await;
    let here = (stage.workspace.workspace.id, "Contract".to_owned());
    assert_eq!((one.account, &one.workspaces, one.ok), (true, &vec![here.clone()], None));
    assert!(one.bytes > 0 && one.holds(WorkspaceId::ACCOUNT) && one.holds(here.0) && !one.holds(other.id));
    let all = id(&stage, 5, BackupReason::Activity);
    let all = stage.catalogue.make_backup(all, BackupScope::Everything).await.expect("a backup");
    assert!(all.holds(here.0) && all.holds(other.id));
    assert_eq!(stage.folder.catalogue().backups().await.expect("a list"), [all, one]);
}

/// Two of the same moment have different names.
#[tokio::test]
async fn backups_are_listed_newest_first_and_never_share_a_name() {
    let stage = CheckedStage::new().await;
    let at = id(&stage, 0, BackupReason::Asked);
    for _ in 0..3 {
        stage.catalogue.make_backup(at, BackupScope::Everything).await.expect("a backup");
    }
    // The clock was set back meanwhile: what was made last is the newest all the same.
    let newest = made(&stage, -5).await;
    let listed = stage.catalogue.backups().await.expect("a list");
    assert_eq!((listed.len(), listed[0].id), (4, newest.id));
    assert!(listed[1..].windows(2).all(|pair| pair[0].id.at() > pair[1].id.at()));
    assert!(listed.windows(2).all(|pair| pair[0].sequence > pair[1].sequence));
}

/// And the list knows it from then on.
#[tokio::test]
async fn an_intact_backup_passes_its_check_and_the_result_is_stored() {
    let stage = CheckedStage::new().await;
    let set = made(&stage, 0).await;
    let checked = stage.catalogue.check_backup(set.id).await.expect("it is checked");
    assert_eq!(checked, BackupSet { ok: Some(true), ..set });
    assert_eq!(stage.catalogue.backups().await.expect("a list"), [checked]);
}

/// The others stay.
#[tokio::test]
async fn a_deleted_backup_is_not_listed() {
    let stage = CheckedStage::new().await;
    let (one, other) = (made(&stage, 0).await, made(&stage, 1).await);
    stage.catalogue.remove_backup(one.id).await.expect("it is destroyed");
    assert_eq!(stage.catalogue.backups().await.expect("a list"), [other]);
}

/// The other stays, and the log has the deletion.
#[tokio::test]
async fn purging_a_backup_removes_it_and_records_the_purge() {
    let stage = CheckedStage::new().await;
    let (one, other) = (made(&stage, 0).await, made(&stage, 1).await);
    stage.catalogue.purge_backup(one.id, &stage.restore_entry()).await.expect("it is destroyed");
    assert_eq!(stage.catalogue.backups().await.expect("a list"), [other]);
    let rows = stage.account.memory.audit.rows(None, 9).await.expect("rows");
    let of: Vec<_> = rows.iter().map(|row| (row.entry.act, row.entry.scope.clone())).collect();
    assert_eq!(of, [(AuditAct::PurgeBackup, format!("backup {}", one.id))]);
}

/// Whatever is asked of it.
#[tokio::test]
async fn an_unknown_backup_is_not_found() {
    let stage = CheckedStage::new().await;
    let unknown = id(&stage, 9, BackupReason::Asked);
    let before = id(&stage, 10, BackupReason::Restore);
    let catalogue = &stage.catalogue;
    for result in [
        catalogue.check_backup(unknown).await.map(|_| ()),
        catalogue.remove_backup(unknown).await,
        catalogue.purge_backup(unknown, &stage.restore_entry()).await,
        catalogue.restore_backup(unknown, before, &stage.restore_entry()).await.map(|_| ()),
    ] {
        assert!(matches!(result, Err(StoreError::NotFound("backup"))), "{result:?}");
    }
    assert_eq!(catalogue.backups().await.expect("a list"), []);
}

/// In both databases; what is there now is in the backup that is made first.
#[tokio::test]
async fn a_restore_restores_both_databases_and_first_backs_up_the_current_state() {
    let stage = CheckedStage::new().await;
    let (mine, accounts) = (stage.memory(), &stage.account.memory);
    let old = write(&stage, mine, Place::Workspace, "Old.").await;
    let habit = write(&stage, accounts, Place::Account, "Old habit.").await;
    let set = made(&stage, 0).await;
    let new = write(&stage, mine, Place::Workspace, "New.").await;
    let new_habit = write(&stage, accounts, Place::Account, "New habit.").await;
    let before = restore(&stage, &set).await;
    assert_eq!(before.id.reason(), BackupReason::Restore);
    assert!(before.account && before.holds(stage.workspace.workspace.id));
    assert!(stage.catalogue.backups().await.expect("a list").contains(&before));
    let anew = stage.folder.catalogue();
    let (account, workspace) = (anew.account().await, anew.open(stage.workspace.workspace.id).await);
    let (account, workspace) = (account.expect("opens").memory, workspace.expect("opens").memory);
    assert!(has(&workspace, old).await && has(&account, habit).await);
    assert!(!has(&workspace, new).await && !has(&account, new_habit).await);
}

/// What is not in the backup stays as it is, on the list too.
#[tokio::test]
async fn a_restore_does_not_change_other_workspaces() {
    let stage = CheckedStage::new().await;
    let set = made(&stage, 0).await;
    let other = stage.scribe.workspace("Other");
    stage.catalogue.create(&other).await.expect("a workspace");
    let ports: WorkspacePorts = stage.catalogue.open(other.id).await.expect("opens");
    let kept = write(&stage, &ports.memory, Place::Workspace, "Kept.").await;
    restore(&stage, &set).await;
    let listed = stage.catalogue.workspaces().await.expect("a list");
    assert!(listed.iter().any(|workspace| workspace.id == other.id));
    assert!(has(&ports.memory, kept).await);
}

/// Back and forth.
#[tokio::test]
async fn a_restore_is_itself_undone_by_a_restore() {
    let stage = CheckedStage::new().await;
    let set = made(&stage, 0).await;
    let new = write(&stage, stage.memory(), Place::Workspace, "New.").await;
    let before = restore(&stage, &set).await;
    assert!(!has(stage.memory(), new).await);
    restore(&stage, &before).await;
    assert!(has(stage.memory(), new).await);
}

/// A log never loses what was put on record since the backup.
#[tokio::test]
async fn a_restore_is_recorded_after_the_current_audit_log() {
    let stage = CheckedStage::new().await;
    let audit = &stage.memory().audit;
    audit.append(&stage.restore_entry()).await.expect("recorded");
    let set = made(&stage, 0).await;
    let since = audit.append(&stage.restore_entry()).await.expect("recorded");
    restore(&stage, &set).await;
    let rows = audit.rows(None, 10).await.expect("rows");
    assert_eq!((rows.len(), rows[0].sequence, &rows[1]), (3, 3, &since));
    assert_eq!(rows[0].entry.act, AuditAct::Restore);
    for memory in [stage.memory(), &stage.account.memory] {
        assert_eq!(memory.audit.verify().await.expect("a state").broken_at, None);
    }
}

/// In this process and in another one.
#[tokio::test]
async fn open_connections_read_and_write_the_restored_database() {
    let stage = CheckedStage::new().await;
    let workspace = stage.workspace.workspace.id;
    let there = stage.folder.catalogue().open(workspace).await.expect("opens").memory;
    let set = made(&stage, 0).await;
    let gone = write(&stage, stage.memory(), Place::Workspace, "Gone.").await;
    for memory in [stage.memory(), &there] {
        memory.feed.poll().await.expect("news");
    }
    restore(&stage, &set).await;
    for memory in [stage.memory(), &there] {
        assert!(memory.feed.poll().await.expect("news").topics.contains(&Topic::Memories));
        assert!(!has(memory, gone).await);
        let written = write(&stage, memory, Place::Workspace, "Written since.").await;
        let anew = stage.folder.catalogue().open(workspace).await.expect("opens").memory;
        assert!(has(&anew, written).await, "a write after a restore goes into the restored database");
    }
}

/// A folder in order has nothing to show.
/// The check reads while others write.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_file_that_is_written_to_is_not_called_damaged() {
    let stage = CheckedStage::new().await;
    let writes = async {
        for n in 0..300 {
            let text = format!("Stone {n} of the weir stands by the river.");
            stage.write_one(author(), draft(Place::Workspace, &text)).await;
        }
    };
    let looks = async {
        loop {
            assert_eq!(stage.catalogue.damaged_files().await.expect("a look"), []);
        }
    };
    tokio::select! { () = writes => {}, () = looks => {} }
}

#[tokio::test]
async fn an_intact_folder_has_no_damaged_files() {
    let stage = CheckedStage::new().await;
    assert_eq!(stage.catalogue.damaged_files().await.expect("a look"), []);
}

/// Reading and waiting do not count.
#[tokio::test]
async fn only_writes_increase_the_activity_number() {
    let stage = CheckedStage::new().await;
    let here = stage.workspace.workspace.id;
    let activity = async || {
        let all = stage.catalogue.activity().await.expect("counters");
        [WorkspaceId::ACCOUNT, here].map(|id| all.iter().find(|(of, _)| *of == id).expect("open").1)
    };
    let still = activity().await;
    stage.memory().store.names().await.expect("names");
    assert_eq!(activity().await, still);
    write(&stage, stage.memory(), Place::Workspace, "One.").await;
    let moved = activity().await;
    assert!(moved[0] == still[0] && moved[1] > still[1], "each has its own: {still:?} {moved:?}");
    write(&stage, &stage.account.memory, Place::Account, "Two.").await;
    let after = activity().await;
    assert!(after[0] > moved[0] && after[1] == moved[1], "{moved:?} {after:?}");
}

/// By what stands in its copies, not by when it was made.
#[tokio::test]
async fn backups_that_contain_a_row_are_found() {
    let stage = CheckedStage::new().await;
    let without = made(&stage, 0).await;
    let entry = write(&stage, stage.memory(), Place::Workspace, "The gate is of iron.").await;
    let with = made(&stage, 1).await;
    let workspace = stage.workspace.workspace.id;
    let held = async |workspace: WorkspaceId, id: MemoryId| -> Vec<BackupId> {
        let target = ScrubTarget::Entry(id, ScrubFile::Workspace);
        let found = stage.catalogue.backups_holding(workspace, &target, &[id.to_string()]).await;
        found.expect("backups are searched").iter().map(|set| set.id).collect()
    };
    assert_eq!(held(workspace, entry).await, [with.id], "{} does not hold it", without.id);
    assert!(held(WorkspaceId::ACCOUNT, entry).await.is_empty());
}

/// Though the manifest names none of its rows.
#[tokio::test]
async fn backups_that_contain_a_deleted_conversation_are_found() {
    let stage = CheckedStage::new().await;
    let without = made(&stage, 0).await;
    let conversation = stage.conversation.id;
    let mut fact = stage.scribe.fact("People", "Mira", "a smith", FactSource::Agent);
    fact.conversation = Some(conversation);
    stage.workspace.facts.put_fact(&fact, FactSource::Agent, None).await.expect("a fact");
    let next = Fact { conversation: None, ..stage.scribe.next_value(&fact, "a thief", FactSource::Agent) };
    stage.workspace.facts.put_fact(&next, FactSource::Agent, None).await.expect("a value");
    let of_fact = made(&stage, 1).await;
    stage.add_texts(&stage.side_conversation, &["The heron eats eels."]).await;
    let note =
        WorkingNote::write(stage.side_conversation.id, "plan", "1".into(), None, stage.scribe.clock.tick());
    stage.workspace.scratchpads.write_note(&note.expect("a note")).await.expect("it is written");
    let of_both = made(&stage, 2).await;
    for id in [conversation, stage.side_conversation.id] {
        let at = stage.scribe.clock.tick();
        stage.workspace.conversations.delete_conversation(id, at).await.expect("it is deleted");
    }
    let workspace = stage.workspace.workspace.id;
    let held = async |target: ScrubTarget| -> Vec<BackupId> {
        let found = stage.catalogue.backups_holding(workspace, &target, &[]).await;
        found.expect("backups are searched").iter().map(|set| set.id).collect()
    };
    let purge = held(ScrubTarget::Purge(conversation)).await;
    assert_eq!(purge, [of_both.id, of_fact.id], "{} does not hold it", without.id);
    for target in [ScrubTarget::Purge, ScrubTarget::Conversation] {
        assert_eq!(held(target(stage.side_conversation.id)).await, [of_both.id]);
    }
    assert_eq!(held(ScrubTarget::Conversation(conversation)).await, [], "its facts are not scrubbed then");
}
