//! The review: anything that can turn a recall test or make a contradiction makes it due, and nothing else does.

use std::sync::Arc;

use chrono::Duration;
use inklings_application::{
    conversation::summarise::Extractive,
    orientation::{OrientRequest, OrientationSettings},
    schedule::{Review, ScheduledTask, TaskTools},
    session::{EmbedderSlot, Session},
};
use inklings_domain::{
    consolidation::run::RunTrigger,
    conversation::message::Role,
    drift::DriftState,
    ids::RecallTestId,
    lens::Lens,
    orientation::ItemId,
    provenance::Interface,
    recall_test::{Cause, Expectation, Must, RecallTestDraft},
    scope::Place,
    search::conversation_query::ConversationQuery,
    workspace::{Workspace, WorkspaceName},
};
use inklings_ports::{
    clock::Clock,
    memory::store::Access,
    progress::NoProgress,
    testing::builders::{agent, author, draft, new_tags},
};

use crate::support::World;

async fn add_test(world: &World) -> RecallTestId {
    let lamp = world.write(Place::Workspace, "The lamp of the crane is green.").await;
    // A run waits for the vectors, by the clock.
    world.embed().await;
    let expects = vec![Expectation { item: ItemId::Memory(lamp), must: Must::Come }];
    let draft =
        RecallTestDraft::new("What colour is the lamp of the crane?", expects, (Lens::NONE, None, None));
    world.session.recall_tests().add(draft.expect("valid")).await.expect("added").id
}

async fn is_due(world: &World) -> bool {
    let reviews = world.session.reviews();
    reviews.is_due(&reviews.state().await.expect("read")).await.expect("read")
}

async fn review(world: &World) -> inklings_application::review::Review {
    world.session.reviews().review().await.expect("reviewed")
}

#[tokio::test]
async fn every_change_of_memory_or_settings_makes_a_review_due_and_no_read_does() {
    let world = World::new().await;
    let session = &world.session;
    add_test(&world).await;
    let conversation = world.conversation().await;
    let other = world.write(Place::Workspace, "The weir is deep.").await;
    let fact = session.facts().set("gate", "metal", "iron", None, author()).await.expect("set").fact.fact.id;
    review(&world).await;
    for act in [
        "write",
        "edit",
        "forget",
        "restore",
        "undo",
        "account",
        "fact",
        "removed fact",
        "message",
        "strategy",
        "orientation",
        "switch",
        "vectors",
        "day",
    ] {
        assert!(!is_due(&world).await, "before: {act}");
        let done = match act {
            "write" => {
                session.memories().create(draft(Place::Workspace, "Salt is dear."), agent()).await.map(|_| ())
            }
            "edit" => session.memories().edit(other, 1, new_tags(&["water"]), author()).await.map(|_| ()),
            "forget" => session.memories().forget(&[other], "old", author()).await.map(|_| ()),
            "restore" => session.memories().restore(&[other], author()).await.map(|_| ()),
            "undo" => session.memories().undo_last(author()).await.map(|_| ()),
            "account" => {
                session.memories().create(draft(Place::Account, "I like rain."), author()).await.map(|_| ())
            }
            "fact" => session.facts().set("gate", "age", "old", None, author()).await.map(|_| ()),
            "removed fact" => session.facts().remove(fact, author()).await.map(|_| ()),
            "message" => {
                world.say(&conversation, Role::User, "The weir is deep.").await;
                Ok(())
            }
            "strategy" => session.search().choose_strategy("rrf").await,
            "orientation" => {
                let settings = session.orientations().settings().await.expect("read");
                session.orientations().set_settings(OrientationSettings { budget: 900, ..settings }).await
            }
            "switch" => session.switch().set_enabled(false).await,
            "vectors" => {
                world.embed().await;
                Ok(())
            }
            "day" => {
                world.clock.advance(Duration::days(1));
                Ok(())
            }
            _ => unreachable!("{act}"),
        };
        done.expect(act);
        assert!(is_due(&world).await, "{act}");
        review(&world).await;
        assert!(!is_due(&world).await, "after: {act}");
        session.switch().set_enabled(true).await.expect("on");
        review(&world).await;
    }
    let request =
        OrientRequest { query: ConversationQuery::Next("lamp".to_owned()), ..OrientRequest::default() };
    session.orientations().orient(request).await.expect("oriented");
    let used = Access { id: other, times: 1, at: world.clock.now(), by: None };
    session.workspace.memory.store.record_access(&[used]).await.expect("counted");
    session.recall_tests().run(&[]).await.expect("run");
    session.drifts().look().await.expect("a look");
    assert!(!is_due(&world).await, "a read");
}

#[tokio::test]
async fn another_open_workspace_does_not_delay_the_review() {
    let world = World::new().await;
    let session = &world.session;
    add_test(&world).await;
    let name = WorkspaceName::new("The High Fells").expect("a name");
    let (id, created_at) = (session.ids.workspace_id(), world.clock.now());
    world.catalogue.create(&Workspace { id, name, created_at }).await.expect("created");
    let (account, ports) = (world.catalogue.account().await, world.catalogue.open(id).await);
    let (clock, ids) = (Arc::clone(&session.clock), Arc::clone(&session.ids));
    let (account, ports) = (account.expect("opens"), ports.expect("opens"));
    let other = Session::new(account, ports, clock, ids, EmbedderSlot::default());
    let task = Review::default();
    let wanted = async |session: &Session| task.wanted(session, false).await.expect("asked");
    assert_eq!(wanted(session).await, None, "the first look");
    wanted(&other).await;
    assert_eq!(wanted(session).await, Some(RunTrigger::Idle));
}

#[tokio::test]
async fn the_task_waits_until_memory_rests_and_tells_what_turned() {
    let world = World::new().await;
    let session = &world.session;
    let id = add_test(&world).await;
    let tools = TaskTools {
        interface: Interface::Task,
        summariser: Arc::new(Extractive),
        model: None,
        sink: Arc::new(NoProgress),
    };
    let task = Review::default();
    let wanted = async || task.wanted(session, false).await.expect("asked");
    assert_eq!(wanted().await, None, "the first look");
    assert_eq!(wanted().await, Some(RunTrigger::Idle));
    let text = task.run(session, RunTrigger::Idle, &tools).await.expect("run");
    assert_eq!(text, "No new contradiction was found; all 1 recall tests pass.");
    assert_eq!(wanted().await, None, "nothing has changed");
    let only = async || session.recall_tests().list().await.expect("read").pop().expect("one");
    let ItemId::Memory(lamp) = only().await.draft.expects()[0].item else { panic!("a memory") };
    session.memories().forget(&[lamp], "old", author()).await.expect("forgotten");
    world.remember(draft(Place::Workspace, "Mira is 34 years old."), author()).await;
    let conversation = world.conversation().await;
    world.say(&conversation, Role::Assistant, "Mira is 36 years old.").await;
    assert_eq!(wanted().await, None, "it has just changed");
    assert_eq!(wanted().await, Some(RunTrigger::Idle));
    let text = task.run(session, RunTrigger::Idle, &tools).await.expect("run");
    assert_eq!(text, "1 contradiction was found; 1 of 1 recall tests fail.");
    assert_eq!(only().await.id, id);
    assert_eq!(only().await.last.and_then(|last| last.turned).map(|turned| turned.by), Some(Cause::Change));
    let open = session.drifts().page(Some(DriftState::Open), None, 9).await.expect("read").rows;
    assert_eq!(open.len(), 1);
    assert_eq!(wanted().await, None);
}
