//! Runs, and conversations whose end waits to be worked up.

use chrono::{DateTime, TimeDelta, Utc};
use inklings_domain::{
    consolidation::run::{Run, RunCounts, RunState, RunTrigger},
    conversation::{Conversation, ConversationStatus},
    ids::RunId,
    scope::Place,
};
use inklings_ports::{
    clock::{Clock, IdGenerator},
    schedule::{PendingPersist, RunCursor, RunStore},
    store_error::StoreError,
    testing::builders::{author, draft, new_text, task},
};

use super::{CheckedStage, Stage, refused};

fn store(stage: &Stage) -> &dyn RunStore {
    stage.workspace.runs.as_ref()
}

async fn put(stage: &Stage, run: Run) -> Run {
    store(stage).put(&run).await.expect("the run is kept");
    run
}

async fn get(stage: &Stage, id: RunId) -> Option<Run> {
    store(stage).get(id).await.expect("runs are read")
}

/// One for each task; and the next process reads it.
#[tokio::test]
async fn the_cursor_of_a_task_is_stored_until_it_is_replaced() {
    let stage = CheckedStage::new().await;
    assert_eq!(store(&stage).cursor("consolidate").await.expect("read"), None);
    for cursor in ["{\"at\":1}", "{\"at\":2}"] {
        store(&stage).set_cursor("consolidate", cursor).await.expect("kept");
    }
    store(&stage).set_cursor("summarise", "other").await.expect("kept");
    for cursor in ["", &"x".repeat(1_001)] {
        refused!(store(&stage).set_cursor("consolidate", cursor).await, StoreError::Refused(_));
    }
    let again = stage.folder.catalogue().open(stage.workspace.workspace.id).await.expect("it opens again");
    assert_eq!(again.runs.cursor("consolidate").await.expect("read").as_deref(), Some("{\"at\":2}"));
    assert_eq!(again.runs.cursor("summarise").await.expect("read").as_deref(), Some("other"));
}

/// In every state, whatever set it off; what is put again is how it stands now.
#[tokio::test]
async fn every_field_of_a_run_is_read_back() {
    let stage = CheckedStage::new().await;
    for (state, trigger) in RunState::ALL.iter().zip(RunTrigger::ALL) {
        let begun = Run { trigger: *trigger, ..stage.scribe.run("consolidate") };
        let begun = put(&stage, begun).await;
        assert_eq!(get(&stage, begun.id).await, Some(begun.clone()));
        let over = begun.started_at + TimeDelta::milliseconds(1_234);
        let now = Run {
            state: *state,
            finished_at: (*state != RunState::Running).then_some(over),
            reverted_at: (*state == RunState::Reverted).then_some(over + TimeDelta::days(1)),
            done: 7,
            total: 9,
            counts: RunCounts {
                scanned: 1,
                promoted: 2,
                faded: 3,
                merged: 4,
                capped: 5,
                rewritten: 6,
                created: 7,
                proposed: 8,
            },
            error: Some("no model answers at \"the endpoint\"".into()),
            ..begun
        };
        let now = put(&stage, now).await;
        assert_eq!(get(&stage, now.id).await, Some(now));
    }
    assert_eq!(get(&stage, stage.scribe.ids.run_id()).await, None);
    assert_eq!(store(&stage).list(None, 99).await.expect("runs are read").len(), RunState::ALL.len());
}

/// Its times fit its state, its task has a name, and how it began is fixed.
#[tokio::test]
async fn an_inconsistent_run_is_refused() {
    let stage = CheckedStage::new().await;
    let run = put(&stage, stage.scribe.run("decay")).await;
    let at = Some(stage.scribe.clock.tick());
    let wrong = [
        Run { finished_at: at, ..run.clone() },
        Run { state: RunState::Done, ..run.clone() },
        Run { state: RunState::Reverted, finished_at: at, ..run.clone() },
        Run { state: RunState::Done, finished_at: at, reverted_at: at, ..run.clone() },
        Run { task: String::new(), ..stage.scribe.run("decay") },
        Run { task: "x".repeat(41), ..stage.scribe.run("decay") },
        Run { task: "persist".into(), ..run.clone() },
        Run { trigger: RunTrigger::Asked, ..run.clone() },
        Run { started_at: run.started_at + TimeDelta::seconds(1), ..run.clone() },
    ];
    for run in wrong {
        refused!(store(&stage).put(&run).await, StoreError::Refused(_));
    }
    assert_eq!(store(&stage).list(None, 99).await.expect("runs are read"), [run]);
}

/// Newest first; of equal times by falling id; every one once. The newest of a task is the first of its own.
#[tokio::test]
async fn runs_are_paged_newest_first() {
    let stage = CheckedStage::new().await;
    let at = stage.scribe.clock.now();
    let mut all = Vec::new();
    for n in 0..9 {
        let started_at = at + TimeDelta::milliseconds(n / 4);
        let task = if n % 2 == 0 { "decay" } else { "persist" };
        all.push(put(&stage, Run { started_at, ..stage.scribe.run(task) }).await);
    }
    all.sort_by_key(|run| std::cmp::Reverse((run.started_at, run.id)));
    for limit in [1, 2, 4, 100] {
        let (mut found, mut after) = (Vec::new(), None);
        loop {
            let page = store(&stage).list(after, limit).await.expect("runs are read");
            assert!(page.len() <= limit);
            let Some(last) = page.last() else { break };
            after = Some(RunCursor { started_at: last.started_at, id: last.id });
            found.extend(page);
        }
        assert_eq!(found, all, "by {limit}");
    }
    for task in ["decay", "persist", "never"] {
        let newest = all.iter().find(|run| run.task == task).cloned();
        assert_eq!(store(&stage).latest(task).await.expect("runs are read"), newest);
    }
}

/// Oldest first, those of other runs and of nobody's run left out.
#[tokio::test]
async fn a_run_lists_its_changes() {
    let stage = CheckedStage::new().await;
    let (run, other) = (stage.scribe.ids.run_id(), stage.scribe.ids.run_id());
    let mut expected = Vec::new();
    let entry = stage.write_one(task(), draft(Place::Workspace, "One.")).await;
    for (n, of) in [run, other, run].into_iter().enumerate() {
        let entry = stage.read(entry.id).await.entry;
        let text = new_text(&format!("Text {n}."));
        let after = stage.apply(stage.scribe.edit(task().in_run(of), &entry, text)).await;
        if of == run {
            expected.push(after.change);
        }
    }
    let last = stage.read(entry.id).await.entry;
    let (undo, _) = stage.scribe.undo(author(), last.change, &last, &entry);
    stage.commit(&undo).await;
    let rows = stage.store().changes_of_run(run).await.expect("the journal is read");
    let reported: Vec<_> = rows.iter().map(|row| (row.change, row.run, row.entries, row.undone_by)).collect();
    assert_eq!(
        reported,
        [(expected[0], Some(run), 1, None), (expected[1], Some(run), 1, Some(undo.stamp.change))]
    );
    let unknown = stage.scribe.ids.run_id();
    assert_eq!(stage.store().changes_of_run(unknown).await.expect("the journal is read"), []);
}

async fn waiting(stage: &Stage) -> Vec<PendingPersist> {
    store(stage).pending_persists(None, 99).await.expect("they are read")
}

async fn end(stage: &Stage, conversation: &Conversation, at: DateTime<Utc>, archived: bool) -> Conversation {
    let after = if archived { conversation.archive(at) } else { conversation.idle(at) };
    let after = after.expect("it may end");
    let store = &stage.workspace.conversations;
    store.update_conversation(&after, conversation.status).await.expect("it is changed");
    after
}

const fn ended(conversation: &Conversation, since: DateTime<Utc>) -> PendingPersist {
    PendingPersist { conversation: conversation.id, since, run: None, attempts: 0 }
}

/// Idle or put away straight from its life, and once: putting an idle one away is no second end. Another title is none.
#[tokio::test]
async fn an_ended_conversation_is_pending_once() {
    let stage = CheckedStage::new().await;
    let at = stage.scribe.clock.tick();
    let titled = Conversation { title: "The gate".into(), ..stage.conversation.clone() };
    let places = &stage.workspace.conversations;
    places.update_conversation(&titled, ConversationStatus::Active).await.expect("it is changed");
    assert_eq!(waiting(&stage).await, []);
    let idle = end(&stage, &titled, at, false).await;
    assert_eq!(waiting(&stage).await, [ended(&idle, at)]);
    let later = at - TimeDelta::hours(1);
    let put_away = end(&stage, &stage.side_conversation, later, true).await;
    let expected = [ended(&put_away, later), ended(&idle, at)];
    assert_eq!(waiting(&stage).await, expected);
    end(&stage, &idle, stage.scribe.clock.tick(), true).await;
    assert_eq!(waiting(&stage).await, expected);
    assert_eq!(store(&stage).pending_persists(None, 1).await.expect("they are read"), expected[..1]);
    let again = stage.folder.catalogue().open(stage.workspace.workspace.id).await.expect("it opens again");
    assert_eq!(again.runs.pending_persists(None, 9).await.expect("they are read"), expected);
}

/// Begun by a run, cut off, begun again, failed, and done at last.
#[tokio::test]
async fn an_ended_conversation_is_pending_until_its_extraction_succeeds() {
    let stage = CheckedStage::new().await;
    let at = stage.scribe.clock.tick();
    let (one, two) = (stage.scribe.run("persist"), stage.scribe.run("persist"));
    let over = |run: &Run, state| run.clone().ended(state, None, at);
    refused!(store(&stage).begin_persist(stage.conversation.id, &one).await, StoreError::NotFound(_));
    assert_eq!(
        store(&stage).get(one.id).await.expect("it is asked for"),
        None,
        "a run without work was written"
    );
    store(&stage)
        .end_persist(stage.conversation.id, &over(&one, RunState::Done))
        .await
        .expect("nothing waits");
    let conversation = end(&stage, &stage.conversation, at, false).await;
    for run in [&one, &two] {
        store(&stage).begin_persist(conversation.id, run).await.expect("it waits");
        assert_eq!(waiting(&stage).await, [PendingPersist { run: Some(run.id), ..ended(&conversation, at) }]);
        assert_eq!(store(&stage).get(run.id).await.expect("it is read").as_ref(), Some(run));
    }
    for attempts in [1, 2] {
        let failed = over(&two, RunState::Failed);
        store(&stage).end_persist(conversation.id, &failed).await.expect("it is noted");
        assert_eq!(store(&stage).get(two.id).await.expect("it is read"), Some(failed));
        assert_eq!(waiting(&stage).await, [PendingPersist { attempts, ..ended(&conversation, at) }]);
    }
    // Who failed waits behind who did not, and is left out where so many failures are too many.
    let later = at + TimeDelta::hours(1);
    let side = end(&stage, &stage.side_conversation, later, false).await;
    let failed = PendingPersist { attempts: 2, ..ended(&conversation, at) };
    assert_eq!(waiting(&stage).await, [ended(&side, later), failed]);
    for (fewer_than, expected) in [(2, vec![ended(&side, later)]), (3, vec![ended(&side, later), failed])] {
        let found = store(&stage).pending_persists(Some(fewer_than), 9).await.expect("they are read");
        assert_eq!(found, expected);
    }
    store(&stage).end_persist(side.id, &over(&one, RunState::Done)).await.expect("it is noted");
    store(&stage).begin_persist(conversation.id, &two).await.expect("it waits");
    store(&stage).end_persist(conversation.id, &over(&two, RunState::Done)).await.expect("it is noted");
    assert_eq!(waiting(&stage).await, []);
    refused!(store(&stage).begin_persist(conversation.id, &one).await, StoreError::NotFound(_));
    store(&stage).end_persist(conversation.id, &over(&one, RunState::Failed)).await.expect("nothing waits");
    assert_eq!(waiting(&stage).await, []);
    end(&stage, &conversation, at, true).await;
    assert_eq!(waiting(&stage).await, []);
}

/// There is nothing left to work up.
#[tokio::test]
async fn a_deleted_conversation_is_not_pending() {
    let stage = CheckedStage::new().await;
    let at = stage.scribe.clock.tick();
    end(&stage, &stage.conversation, at, false).await;
    let places = &stage.workspace.conversations;
    for id in [stage.conversation.id, stage.side_conversation.id] {
        assert!(places.delete_conversation(id, at).await.expect("it is deleted"));
    }
    assert_eq!(waiting(&stage).await, []);
    refused!(
        store(&stage).begin_persist(stage.conversation.id, &stage.scribe.run("persist")).await,
        StoreError::NotFound(_)
    );
}

/// They ended elsewhere, long ago.
#[tokio::test]
async fn imported_conversations_are_not_pending() {
    let stage = CheckedStage::new().await;
    let conversation = stage.scribe.conversation(stage.side.id);
    let at = stage.scribe.clock.tick();
    let idle = conversation.idle(at).expect("it may end");
    let mut import = stage.workspace.import.begin_import().await.expect("an import begins");
    let message = [stage.scribe.message_with_external_id("m1", "Who guards the gate?")];
    import.take_in("chatgpt:1", &idle, &message).await.expect("it is taken in");
    import.take_in("chatgpt:1", &idle, &message).await.expect("it is known");
    import.commit().await.expect("the import ends");
    let archived = stage.scribe.conversation(stage.side.id).archive(at).expect("it may end");
    stage.workspace.conversations.add_conversation(&archived).await.expect("a conversation is added");
    assert_eq!(waiting(&stage).await, []);
}
