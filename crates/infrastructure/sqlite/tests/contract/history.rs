//! Versions, journal, and what undo needs to know.

use chrono::TimeDelta;
use inklings_domain::{
    conversation::message::Role,
    ids::ClientId,
    memory::{
        MemoryEntry,
        change_set::{Action, ChangeSet, JournalRow, MemoryWrite, ReplacedVersion},
    },
    provenance::{Actor, ActorKind, Interface},
    scope::Place,
};
use inklings_ports::{
    client::write_store::ClientAct,
    clock::IdGenerator,
    memory::store::{CommittedChange, HistoryVersion},
    store_error::StoreError,
    testing::builders::{agent, author, change, draft, import, new_tags, new_text, task},
};

use super::{CheckedStage, Stage, refused};

async fn history(stage: &Stage, entry: &MemoryEntry) -> Vec<HistoryVersion> {
    stage.store().history(entry.id).await.expect("history is read")
}

async fn committed(stage: &Stage, change: &ChangeSet) -> CommittedChange {
    let found = stage.store().change(change.stamp.change).await.expect("changes are read");
    found.expect("the change is in the journal")
}

async fn last_undoable(stage: &Stage) -> Option<JournalRow> {
    stage.store().last_undoable().await.expect("the journal is read")
}

/// Newest first, each version whole, with the change that made it.
#[tokio::test]
async fn every_version_is_stored_with_its_change() {
    let stage = CheckedStage::new().await;
    let one = stage.write_one(author(), draft(Place::Workspace, "One.")).await;
    let two = stage.apply(stage.scribe.edit(author(), &one, new_text("Two."))).await;
    let three = stage.apply(stage.scribe.edit(author(), &two, new_tags(&["third"]))).await;
    let versions = history(&stage, &one).await;
    let entries: Vec<MemoryEntry> = versions.iter().map(|v| v.entry.clone()).collect();
    assert_eq!(entries, [three, two, one]);
    assert!(versions.iter().all(|v| v.journal.change == v.entry.change));
    assert!(versions.is_sorted_by(|a, b| a.journal.sequence > b.journal.sequence));
    let actions: Vec<Action> = versions.iter().map(|v| v.journal.action).collect();
    assert_eq!(actions, [Action::Edit, Action::Edit, Action::Create]);
}

/// The marks of forgetting are part of a version.
#[tokio::test]
async fn the_history_includes_forgetting_and_restoring() {
    let stage = CheckedStage::new().await;
    let one = stage.write_one(author(), draft(Place::Channel(stage.side.id), "One.")).await;
    let gone = stage.apply(stage.scribe.forget(author(), &one)).await;
    let back = stage.apply(stage.scribe.restore(author(), &gone)).await;
    let reported: Vec<MemoryEntry> = history(&stage, &one).await.into_iter().map(|v| v.entry).collect();
    assert_eq!(reported, [back, gone, one]);
}

/// No entry, no history, and no error.
#[tokio::test]
async fn an_unknown_entry_has_no_history() {
    let stage = CheckedStage::new().await;
    let versions = stage.store().history(stage.scribe.ids.memory_id()).await.expect("history is read");
    assert_eq!(versions, []);
}

/// Hand, door, run, action, time and size of every change.
#[tokio::test]
async fn the_journal_records_actor_time_and_interface() {
    let stage = CheckedStage::new().await;
    let run = stage.scribe.ids.run_id();
    let as_agent = Actor::new(ActorKind::Agent, Interface::Cli, None).expect("a lesser hand");
    let mut last = 0;
    for (actor, size) in [(author(), 1), (agent(), 2), (import(), 3), (task().in_run(run), 1), (as_agent, 1)]
    {
        let drafts = (0..size).map(|n| draft(Place::Workspace, &format!("Note {n}.")));
        let (change, _) = stage.scribe.create(actor, drafts);
        stage.commit(&change).await;
        let row = committed(&stage, &change).await.journal;
        assert!(row.sequence > last, "the journal counts upwards");
        last = row.sequence;
        let expected = JournalRow {
            sequence: row.sequence,
            order: row.order,
            change: change.stamp.change,
            action: change.action,
            actor_kind: actor.kind(),
            interface: actor.interface(),
            run: actor.run(),
            at: change.stamp.at,
            entries: size,
            undoes: None,
            undone_by: None,
        };
        assert_eq!(row, expected);
    }
}

/// For a new entry nothing, for a changed one the version before.
#[tokio::test]
async fn a_change_contains_the_versions_it_replaced() {
    let stage = CheckedStage::new().await;
    let (create, made) = stage
        .scribe
        .create(author(), [draft(Place::Workspace, "One."), draft(Place::Channel(stage.general.id), "Two.")]);
    stage.commit(&create).await;
    let stamp = stage.scribe.stamp(author());
    let edited = |e: &MemoryEntry| e.edited(new_tags(&["both"]), stamp).expect("a valid patch");
    let writes = made.iter().map(edited).map(MemoryWrite::Update);
    let both = change(stamp, Action::Edit, writes);
    stage.commit(&both).await;
    let replaced = |change: CommittedChange| {
        let mut replaced = change.replaced;
        replaced.sort_by_key(|r| r.id);
        replaced
    };
    let parts = |made_version: u64, before: bool| -> Vec<ReplacedVersion> {
        let before = |e: &MemoryEntry| before.then(|| e.clone());
        made.iter().map(|e| ReplacedVersion { id: e.id, made: made_version, before: before(e) }).collect()
    };
    assert_eq!(replaced(committed(&stage, &create).await), parts(1, false));
    assert_eq!(replaced(committed(&stage, &both).await), parts(2, true));
}

/// No change, and no error.
#[tokio::test]
async fn an_unknown_change_is_none() {
    let stage = CheckedStage::new().await;
    let found = stage.store().change(stage.scribe.ids.change_id()).await.expect("changes are read");
    assert_eq!(found, None);
}

/// Taking a change back marks it, and the one that did it says so.
#[tokio::test]
async fn an_undone_change_refers_to_the_change_that_undid_it() {
    let stage = CheckedStage::new().await;
    let one = stage.write_one(author(), draft(Place::Workspace, "One.")).await;
    let (edit, two) = stage.scribe.edit(author(), &one, new_text("Two."));
    stage.commit(&edit).await;
    let (undo, back) = stage.scribe.undo(author(), edit.stamp.change, &two, &one);
    stage.commit(&undo).await;
    assert_eq!(committed(&stage, &edit).await.journal.undone_by, Some(undo.stamp.change));
    let row = committed(&stage, &undo).await.journal;
    assert_eq!((row.undoes, row.undone_by), (Some(edit.stamp.change), None));
    assert_eq!(stage.read(one.id).await.entry, back);
}

/// What was taken back is not taken back again, and what never was cannot be.
#[tokio::test]
async fn a_change_is_undone_only_once() {
    let stage = CheckedStage::new().await;
    let one = stage.write_one(author(), draft(Place::Workspace, "One.")).await;
    let (edit, two) = stage.scribe.edit(author(), &one, new_text("Two."));
    stage.commit(&edit).await;
    let (undo, back) = stage.scribe.undo(author(), edit.stamp.change, &two, &one);
    stage.commit(&undo).await;
    for undone in [edit.stamp.change, stage.scribe.ids.change_id()] {
        let (again, _) = stage.scribe.undo(author(), undone, &back, &two);
        refused!(stage.store().commit(&again).await, StoreError::Refused(_) | StoreError::NotFound(_));
        assert_eq!(stage.read(one.id).await.entry, back);
    }
    assert_eq!(committed(&stage, &edit).await.journal.undone_by, Some(undo.stamp.change));
}

/// Steps back through the author's changes, past those that were undone and those that undo.
#[tokio::test]
async fn the_last_undoable_change_is_the_newest_that_was_not_undone() {
    let stage = CheckedStage::new().await;
    assert_eq!(last_undoable(&stage).await, None);
    let (create, made) = stage.scribe.create(author(), [draft(Place::Workspace, "One.")]);
    stage.commit(&create).await;
    let (edit, two) = stage.scribe.edit(author(), &made[0], new_text("Two."));
    stage.commit(&edit).await;
    let last = |row: Option<JournalRow>| row.map(|r| r.change);
    assert_eq!(last(last_undoable(&stage).await), Some(edit.stamp.change));
    let (undo, _) = stage.scribe.undo(author(), edit.stamp.change, &two, &made[0]);
    stage.commit(&undo).await;
    assert_eq!(last(last_undoable(&stage).await), Some(create.stamp.change));
    // One that takes back parts of several changes names none of them.
    let (mut partly, _) =
        stage.scribe.edit(author(), &stage.read(made[0].id).await.entry, new_text("Three."));
    partly.action = Action::Undo;
    stage.commit(&partly).await;
    assert_eq!(last(last_undoable(&stage).await), Some(create.stamp.change));
    let (brought_in, _) = stage.scribe.create(import(), [draft(Place::Workspace, "Brought in.")]);
    stage.commit(&brought_in).await;
    assert_eq!(last(last_undoable(&stage).await), Some(brought_in.stamp.change));
}

/// What an agent or a task did later does not stand in the author's way.
#[tokio::test]
async fn undo_skips_changes_of_agents() {
    let stage = CheckedStage::new().await;
    stage.write_one(agent(), draft(Place::Workspace, "The agent's.")).await;
    assert_eq!(last_undoable(&stage).await, None);
    let (mine, _) = stage.scribe.create(author(), [draft(Place::Workspace, "Mine.")]);
    stage.commit(&mine).await;
    stage.write_one(agent(), draft(Place::Workspace, "The agent's.")).await;
    stage.write_one(task(), draft(Place::Workspace, "The task's.")).await;
    assert_eq!(last_undoable(&stage).await.map(|row| row.change), Some(mine.stamp.change));
}

/// Also while the clock goes back: what a client did besides memory too, and by whichever process.
#[tokio::test]
async fn changes_of_both_databases_have_one_order() {
    let stage = CheckedStage::new().await;
    let again = stage.folder.catalogue();
    let elsewhere = again.account().await.expect("the account opens");
    again.open(stage.workspace.workspace.id).await.expect("the workspace opens");
    let client = ClientId::from_uuid(stage.scribe.ids.uuid());
    let mut orders = Vec::new();
    for n in 0..4 {
        for place in [Place::Account, Place::Workspace] {
            stage.scribe.clock.advance(TimeDelta::days(-1));
            let (change, _) = stage.scribe.create(author(), [draft(place, &format!("Note {n}."))]);
            let store = match place {
                Place::Account if n % 2 == 0 => &elsewhere.memory.store,
                Place::Account => &stage.account.memory.store,
                _ => &stage.workspace.memory.store,
            };
            store.commit(&change).await.expect("written");
            let row = store.change(change.stamp.change).await.expect("read").expect("there").journal;
            orders.push(row.order);
        }
        let (writes, at) = (&stage.workspace.client_writes, stage.scribe.clock.advance(TimeDelta::days(-1)));
        let message = stage.scribe.message_of_role(Role::Assistant, &format!("Word {n}."));
        writes.write(client, ClientAct::Say(stage.conversation.id, &message), at).await.expect("said");
        let last = writes.writes_of(client).await.expect("read").pop().expect("one");
        orders.push(last.order);
    }
    assert!(orders.is_sorted_by(|a, b| a < b), "{orders:?}");
}

/// Before any number, by any hand; every row once.
#[tokio::test]
async fn the_journal_is_paged_newest_first() {
    let stage = CheckedStage::new().await;
    let mut all = Vec::new();
    for n in 0..9 {
        let actor = [author(), agent(), task()][n % 3];
        let (change, _) = stage.scribe.create(actor, [draft(Place::Workspace, &format!("Note {n}."))]);
        stage.commit(&change).await;
        all.insert(0, committed(&stage, &change).await.journal);
    }
    for actor_kind in [None, Some(ActorKind::Author), Some(ActorKind::Agent), Some(ActorKind::Import)] {
        let expected: Vec<JournalRow> =
            all.iter().filter(|row| actor_kind.is_none_or(|only| only == row.actor_kind)).cloned().collect();
        for limit in [1, 2, 4, 100] {
            let (mut found, mut before) = (Vec::new(), None);
            loop {
                let page =
                    stage.store().journal(before, actor_kind, limit).await.expect("the journal is read");
                assert!(page.len() <= limit);
                let Some(last) = page.last() else { break };
                before = Some(last.sequence);
                found.extend(page);
            }
            assert_eq!(found, expected, "{actor_kind:?} by {limit}");
        }
    }
}

/// Listed as by the program, although it stands in the author's name.
#[tokio::test]
async fn initial_entries_are_attributed_to_the_program() {
    let stage = CheckedStage::new().await;
    let (mut setup, _) = stage.scribe.create(author(), [draft(Place::Workspace, "Begins with this.")]);
    setup.action = Action::Setup;
    stage.commit(&setup).await;
    let (own, _) = stage.scribe.create(author(), [draft(Place::Workspace, "Written by hand.")]);
    stage.commit(&own).await;
    for (actor_kind, expected) in [(ActorKind::System, &setup), (ActorKind::Author, &own)] {
        let rows = stage.store().journal(None, Some(actor_kind), 9).await.expect("the journal is read");
        assert_eq!(rows.iter().map(|row| row.change).collect::<Vec<_>>(), [expected.stamp.change]);
        assert_eq!(rows[0].by(), actor_kind);
    }
}

/// Whether it made the entry or changed it, and however often it was changed since.
#[tokio::test]
async fn a_change_names_an_entry_that_it_wrote() {
    let stage = CheckedStage::new().await;
    let drafts = ["One.", "Two.", "Three."].map(|text| draft(Place::Workspace, text));
    let (create, made) = stage.scribe.create(author(), drafts);
    stage.commit(&create).await;
    let least = made.iter().map(|entry| entry.id).min().expect("three entries");
    let greatest = made.iter().max_by_key(|entry| entry.id).expect("three entries");
    let mut expected = vec![(create.stamp.change, least)];
    let mut entry = greatest.clone();
    for tag in ["a", "b"] {
        let stamp = stage.scribe.stamp(author());
        entry = entry.edited(new_tags(&[tag]), stamp).expect("a valid patch");
        stage.commit(&change(stamp, Action::Edit, [MemoryWrite::Update(entry.clone())])).await;
        expected.push((stamp.change, greatest.id));
    }
    let mut asked: Vec<_> = expected.iter().map(|(change, _)| *change).collect();
    asked.push(stage.scribe.stamp(author()).change);
    let mut found = stage.store().written_by(&asked).await.expect("the journal is read");
    found.sort_by_key(|(change, _)| expected.iter().position(|(known, _)| known == change));
    assert_eq!(found, expected);
    assert_eq!(stage.store().written_by(&[]).await.expect("the journal is read"), []);
}
