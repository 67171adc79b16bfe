//! News of changes. A feed may say more than it must about a write, but nothing when nothing was written.

use inklings_domain::{
    consolidation::run::RunState,
    conversation::message::Delivery,
    fact::FactSource,
    lens::Lens,
    memory::switch::MemorySwitch,
    orientation::ItemId,
    proposal::{ProposalKind, ProposalState},
    recall_test::{Cause, Expectation, Must, RecallTest, RecallTestDraft},
    schedule::{LEASE, TaskOutcome},
    scope::Place,
    scratchpad::WorkingNote,
};
use inklings_ports::{
    clock::IdGenerator as _,
    memory::{store::Access, vector_store::NewVectors},
    testing::builders::{author, draft, new_text},
    workspace::settings::{ChangeFeed, Topic},
};

use super::{CheckedStage, model};

async fn topics(feed: &dyn ChangeFeed) -> Vec<Topic> {
    feed.poll().await.expect("the feed answers").topics
}

/// Asks once to be up to date, then must hear of a topic.
async fn notifies(feed: &dyn ChangeFeed, topic: Topic, write: impl Future<Output = ()>) {
    topics(feed).await;
    write.await;
    let found = topics(feed).await;
    assert!(found.contains(&topic), "{topic:?} should be reported, got {found:?}");
    assert_eq!(topics(feed).await, [], "and only once");
}

/// However often it is asked; reading is no change.
#[tokio::test]
async fn without_changes_no_topic_is_reported() {
    let stage = CheckedStage::new().await;
    let entry = stage.write_one(author(), draft(Place::Workspace, "One.")).await;
    for feed in [&stage.memory().feed, &stage.account.memory.feed] {
        topics(feed.as_ref()).await;
        for _ in 0..3 {
            stage.read(entry.id).await;
            assert_eq!(topics(feed.as_ref()).await, []);
        }
    }
}

/// New, changed, forgotten, used; in both databases.
#[tokio::test]
async fn writes_of_entries_notify_subscribers() {
    let stage = CheckedStage::new().await;
    let feed = stage.memory().feed.as_ref();
    let (create, made) = stage.scribe.create(author(), [draft(Place::Workspace, "One.")]);
    notifies(feed, Topic::Memories, stage.commit(&create)).await;
    let (edit, edited) = stage.scribe.edit(author(), &made[0], new_text("Two."));
    notifies(feed, Topic::Memories, stage.commit(&edit)).await;
    notifies(feed, Topic::Memories, async {
        let access = Access { id: edited.id, times: 1, at: stage.scribe.clock.tick(), by: None };
        stage.store().record_access(&[access]).await.expect("uses are recorded");
    })
    .await;
    notifies(stage.account.memory.feed.as_ref(), Topic::Memories, async {
        let (change, _) = stage.scribe.create(author(), [draft(Place::Account, "A habit.")]);
        stage.account.memory.store.commit(&change).await.expect("the change is committed");
    })
    .await;
    assert_eq!(topics(feed).await, [], "the account's news is not the workspace's");
}

/// So that a window can tell its own writes from those of others. A use has no row in the journal.
#[tokio::test]
async fn a_notification_lists_its_changes_if_they_are_few_and_complete() {
    let stage = CheckedStage::new().await;
    let feed = stage.memory().feed.as_ref();
    let journalled = async || feed.poll().await.expect("the feed answers").journalled;
    let write = async |text: &str| {
        let (create, made) = stage.scribe.create(author(), [draft(Place::Workspace, text)]);
        stage.commit(&create).await;
        (create.stamp.change, made[0].clone())
    };
    journalled().await;
    let (first, entry) = write("One.").await;
    assert_eq!(journalled().await, Some(vec![first]));
    assert_eq!(journalled().await, None, "nothing was written since");
    let (second, _) = write("Two.").await;
    let (third, _) = write("Three.").await;
    assert_eq!(journalled().await, Some(vec![second, third]), "in their order");
    let access = Access { id: entry.id, times: 1, at: stage.scribe.clock.tick(), by: None };
    let used = async || stage.store().record_access(&[access]).await.expect("uses are recorded");
    used().await;
    assert_eq!(journalled().await, None);
    write("Four.").await;
    used().await;
    assert_eq!(journalled().await, None, "a use as well");
    for n in 0..17 {
        write(&format!("Many {n}.")).await;
    }
    assert_eq!(journalled().await, None, "too many");
    let (last, _) = write("Last.").await;
    assert_eq!(journalled().await, Some(vec![last]));
    stage.configure("key", "1").await;
    let settings = feed.poll().await.expect("the feed answers");
    assert_eq!((settings.topics, settings.journalled), (vec![Topic::Settings], None));
}

/// Channels and conversations.
#[tokio::test]
async fn new_channels_and_conversations_notify_subscribers() {
    let stage = CheckedStage::new().await;
    let (feed, rooms) = (stage.memory().feed.as_ref(), &stage.workspace.conversations);
    notifies(feed, Topic::Channels, async {
        let channel = stage.scribe.channel(stage.workspace.workspace.id, "New");
        rooms.add_channel(&channel).await.expect("a channel is added");
    })
    .await;
    notifies(feed, Topic::Channels, async {
        let conversation = stage.scribe.conversation(stage.side.id);
        rooms.add_conversation(&conversation).await.expect("a conversation is added");
    })
    .await;
}

/// So that the window shows how far embedding has come.
#[tokio::test]
async fn new_vectors_notify_subscribers() {
    let stage = CheckedStage::new().await;
    let entry = stage.write_one(author(), draft(Place::Workspace, "One.")).await;
    notifies(stage.memory().feed.as_ref(), Topic::Models, async {
        let vector = NewVectors { id: entry.id, version: 1, vectors: vec![1.0, 0.0].into() };
        stage.memory().vectors.put(&model("contract", 2), &[vector]).await.expect("vectors are stored");
    })
    .await;
}

/// Said, delivered, folded; facts and working notes.
#[tokio::test]
async fn messages_facts_and_notes_notify_subscribers() {
    let stage = CheckedStage::new().await;
    let (feed, transcript) = (stage.memory().feed.as_ref(), &stage.workspace.transcript);
    let arriving = stage.scribe.arriving();
    notifies(feed, Topic::Transcript, async {
        stage.say(&stage.conversation, std::slice::from_ref(&arriving)).await;
    })
    .await;
    notifies(feed, Topic::Transcript, async {
        let at = stage.scribe.clock.tick();
        transcript.deliver(arriving.id, "Here.", None, Delivery::Complete, at).await.expect("delivered");
    })
    .await;
    notifies(feed, Topic::Models, async {
        let vectors = [(arriving.id, vec![1.0, 0.0].into())];
        transcript.put_vectors(&model("contract", 2), &vectors).await.expect("vectors are stored");
    })
    .await;
    notifies(feed, Topic::Transcript, async {
        let fact = stage.scribe.fact("People", "Mira", "a smith", FactSource::User);
        stage.workspace.facts.put_fact(&fact, FactSource::User, None).await.expect("the fact is written");
    })
    .await;
    notifies(feed, Topic::Transcript, async {
        let now = stage.scribe.clock.tick();
        let note =
            WorkingNote::write(stage.conversation.id, "plan", "1".into(), None, now).expect("a valid note");
        stage.workspace.scratchpads.write_note(&note).await.expect("the note is kept");
    })
    .await;
    notifies(feed, Topic::Transcript, async {
        let at = stage.scribe.clock.tick();
        stage
            .workspace
            .conversations
            .delete_conversation(stage.conversation.id, at)
            .await
            .expect("it is deleted");
    })
    .await;
}

/// Proposals filed and decided, in both databases; runs and tasks; what was shown, thinned or gone with its
/// conversation. A lease that is merely renewed is not worth telling.
#[tokio::test]
async fn proposals_runs_tasks_and_ledger_changes_notify_subscribers() {
    let stage = CheckedStage::new().await;
    let feed = stage.memory().feed.as_ref();
    let entry = stage.write_one(author(), draft(Place::Workspace, "One.")).await;
    let proposal = stage.scribe.proposal(ProposalKind::Retire, &[&entry], None);
    let (id, at) = (proposal.id, stage.scribe.clock.tick());
    notifies(feed, Topic::Proposals, async {
        assert!(stage.memory().proposals.file(&proposal, MemorySwitch::On).await.expect("it is filed"));
    })
    .await;
    notifies(feed, Topic::Proposals, async {
        stage.memory().proposals.close(&[id], ProposalState::Rejected, at).await.expect("it is closed");
    })
    .await;
    assert!(!stage.memory().proposals.file(&proposal, MemorySwitch::On).await.expect("it is known"));
    assert_eq!(
        stage.memory().proposals.close(&[id], ProposalState::Rejected, at).await.expect("passed over"),
        0
    );
    assert_eq!(topics(feed).await, []);
    let (runs, tasks) = (stage.workspace.runs.as_ref(), stage.workspace.schedule.as_ref());
    let run = stage.scribe.run("decay");
    notifies(feed, Topic::Runs, async { runs.put(&run).await.expect("it is kept") }).await;
    let done = run.ended(RunState::Done, None, at);
    notifies(feed, Topic::Runs, async { runs.put(&done).await.expect("it is kept") }).await;
    notifies(feed, Topic::Runs, async {
        assert!(tasks.acquire("decay", "one", at, at + LEASE).await.expect("it is asked for"));
    })
    .await;
    assert!(tasks.renew("decay", "one", at + LEASE * 2).await.expect("it is asked for"));
    assert!(!tasks.acquire("decay", "two", at + LEASE, at + LEASE * 2).await.expect("it is asked for"));
    assert_eq!(topics(feed).await, []);
    notifies(feed, Topic::Runs, async {
        assert!(tasks.release("decay", "one", TaskOutcome::Done, None, at).await.expect("it is asked for"));
    })
    .await;
    let ledger = stage.workspace.ledger.as_ref();
    let shown = stage.scribe.orientation(&stage.conversation, &[&entry]);
    let bound = shown.at + LEASE;
    notifies(feed, Topic::Orientations, async { ledger.put(&shown).await.expect("it is kept") }).await;
    notifies(feed, Topic::Orientations, async {
        assert_eq!(ledger.thin(bound, shown.at).await.expect("it is thinned"), 1);
    })
    .await;
    notifies(feed, Topic::Orientations, async {
        assert!(
            stage
                .workspace
                .conversations
                .delete_conversation(stage.conversation.id, at)
                .await
                .expect("it is deleted")
        );
    })
    .await;
    let tests = stage.workspace.recall_tests.as_ref();
    let expected = Expectation { item: ItemId::Memory(entry.id), must: Must::Come };
    let asked = RecallTestDraft::new("Who?", vec![expected], (Lens::NONE, None, None)).expect("it is valid");
    let test = RecallTest { id: stage.scribe.ids.recall_test_id(), draft: asked, created_at: at, last: None };
    notifies(feed, Topic::RecallTests, async { tests.put(&test).await.expect("it is kept") }).await;
    let run = test.clone().after(Cause::Asked, at, None, Vec::new());
    notifies(feed, Topic::RecallTests, async { tests.put_runs(&[run]).await.expect("it is kept") }).await;
    notifies(feed, Topic::RecallTests, async {
        assert!(tests.remove(test.id).await.expect("it is removed"));
    })
    .await;
    notifies(stage.account.memory.feed.as_ref(), Topic::Proposals, async {
        let ports = &stage.account.memory;
        let (change, made) = stage.scribe.create(author(), [draft(Place::Account, "A habit.")]);
        ports.store.commit(&change).await.expect("the change is committed");
        let proposal = stage.scribe.proposal(ProposalKind::Retire, &[&made[0]], None);
        assert!(ports.proposals.file(&proposal, MemorySwitch::On).await.expect("it is filed"));
    })
    .await;
}

/// In the account's database and in a workspace's.
#[tokio::test]
async fn changes_of_settings_notify_subscribers() {
    let stage = CheckedStage::new().await;
    notifies(stage.account.memory.feed.as_ref(), Topic::Settings, async {
        stage.account.settings.set_setting("theme", "\"dark\"").await.expect("a setting is kept");
    })
    .await;
    notifies(stage.memory().feed.as_ref(), Topic::Settings, stage.configure("key", "1")).await;
}

/// In the account's database: made, renamed, deleted.
#[tokio::test]
async fn changes_of_the_workspace_list_notify_subscribers() {
    let stage = CheckedStage::new().await;
    let feed = stage.account.memory.feed.as_ref();
    let new = stage.scribe.workspace("New");
    let name = stage.scribe.workspace("Renamed").name;
    let expect = "the list of workspaces is changed";
    let create = async { stage.catalogue.create(&new).await.expect(expect) };
    notifies(feed, Topic::Workspaces, create).await;
    let rename = async { stage.catalogue.rename(new.id, &name).await.expect(expect) };
    notifies(feed, Topic::Workspaces, rename).await;
    let delete = async { stage.catalogue.delete(new.id, true).await.expect(expect) };
    notifies(feed, Topic::Workspaces, delete).await;
}

/// What was rolled back did not happen.
#[tokio::test]
async fn refused_changes_notify_nobody() {
    let stage = CheckedStage::new().await;
    let seen = stage.write_one(author(), draft(Place::Workspace, "One.")).await;
    stage.apply(stage.scribe.edit(author(), &seen, new_text("Two."))).await;
    topics(stage.memory().feed.as_ref()).await;
    let (late, _) = stage.scribe.edit(author(), &seen, new_text("Late."));
    assert!(stage.store().commit(&late).await.is_err());
    assert_eq!(topics(stage.memory().feed.as_ref()).await, []);
}

/// A process hears what another one wrote.
#[tokio::test]
async fn writes_of_another_process_notify_subscribers() {
    let stage = CheckedStage::new().await;
    let catalogue = stage.folder.catalogue();
    let other = catalogue.open(stage.workspace.workspace.id).await.expect("it opens again");
    let account = catalogue.account().await.expect("the account's database opens");
    notifies(stage.memory().feed.as_ref(), Topic::Memories, async {
        let (change, _) = stage.scribe.create(author(), [draft(Place::Workspace, "From over there.")]);
        other.memory.store.commit(&change).await.expect("the change is committed");
    })
    .await;
    notifies(stage.account.memory.feed.as_ref(), Topic::Settings, async {
        account.settings.set_setting("theme", "\"dark\"").await.expect("a setting is kept");
    })
    .await;
    notifies(other.memory.feed.as_ref(), Topic::Memories, async {
        stage.write_one(author(), draft(Place::Workspace, "And back.")).await;
    })
    .await;
}
