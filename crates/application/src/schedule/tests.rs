//! The promises of the scheduler's use cases, kept on the in-memory fakes.

use std::sync::Arc;

use chrono::Duration;
use inklings_domain::{
    provenance::Door,
    run::{Run, RunTrigger},
    schedule::{LEASE, TaskOutcome},
    scope::Place,
};

use super::{Consolidate, Embed, Persist, ScheduledTask, Summarise, TaskTools, Thin};
use crate::{
    consolidate::RunSink,
    conversation::summarise::Extractive,
    testing::{
        builders::{agent, draft},
        world::World,
    },
};

struct Deaf;

impl RunSink for Deaf {
    fn progress(&self, _run: &Run, _stage: &'static str) {}

    fn cancelled(&self) -> bool {
        false
    }
}

fn tools() -> TaskTools {
    TaskTools { door: Door::Task, summariser: Arc::new(Extractive), model: None, sink: Arc::new(Deaf) }
}

#[tokio::test]
async fn one_process_at_a_time_runs_a_task() {
    let world = World::new().await;
    let session = &world.session;
    assert!(session.take_task("t", "one").await.expect("asked"));
    assert!(!session.take_task("t", "two").await.expect("asked"));
    world.clock.advance(LEASE / 2);
    assert!(session.renew_task("t", "one").await.expect("asked"));
    world.clock.advance(LEASE / 2 + Duration::seconds(1));
    assert!(!session.take_task("t", "two").await.expect("asked"), "it was renewed");
    session.end_task("t", "one", TaskOutcome::Done, Some("Fine.")).await.expect("ended");
    assert!(session.take_task("t", "two").await.expect("asked"));
    let state = &session.task_states().await.expect("read")[0];
    assert_eq!((state.outcome, state.message.as_deref()), (Some(TaskOutcome::Done), Some("Fine.")));
}

#[tokio::test]
async fn a_lease_whose_owner_died_lapses() {
    let world = World::new().await;
    assert!(world.session.take_task("t", "one").await.expect("asked"));
    world.clock.advance(LEASE + Duration::seconds(1));
    assert!(world.session.take_task("t", "two").await.expect("asked"));
    assert!(!world.session.renew_task("t", "one").await.expect("asked"), "it is another's now");
}

#[tokio::test]
async fn the_embedding_task_gives_fifty_texts_a_vector_a_run_and_is_quiet_without_a_model() {
    let world = World::new().await;
    for n in 0..60 {
        world.write(Place::Workspace, &format!("Note number {n}.")).await;
    }
    let message = Embed.run(&world.session, RunTrigger::Asked, &tools()).await.expect("done");
    assert_eq!(message, "50 texts got a vector.");
    world.session.embedder.set(None);
    Embed.run(&world.session, RunTrigger::Asked, &tools()).await.expect("no error without a model");
}

#[tokio::test]
async fn a_conversation_that_ended_wants_to_be_worked_up() {
    let world = World::new().await;
    let talk = world.conversation().await;
    assert_eq!(Persist.wanted(&world.session, false).await.expect("asked"), None);
    world.session.idle_conversation(talk.id).await.expect("ended");
    assert_eq!(Persist.wanted(&world.session, false).await.expect("asked"), Some(RunTrigger::Closed));
    assert_eq!(
        Persist.wanted(&world.session, true).await.expect("asked"),
        Some(RunTrigger::Closed),
        "just now"
    );
    world.clock.advance(Duration::minutes(2));
    assert_eq!(Persist.wanted(&world.session, true).await.expect("asked"), Some(RunTrigger::Startup));
    let message = Persist.run(&world.session, RunTrigger::Closed, &tools()).await.expect("done");
    assert_eq!(message, "1 conversation was worked up.");
    assert_eq!(Persist.wanted(&world.session, false).await.expect("asked"), None);
}

#[tokio::test]
async fn consolidation_is_set_off_by_many_changes_or_a_quiet_while_and_not_by_the_clock() {
    let world = World::new().await;
    let session = &world.session;
    world.clock.advance(Duration::days(30));
    assert_eq!(Consolidate.wanted(session, false).await.expect("asked"), None, "nothing changed");
    for n in 0..6 {
        world.remember(draft(Place::Workspace, &format!("Note {n}.")), agent()).await;
    }
    assert_eq!(Consolidate.wanted(session, false).await.expect("asked"), None, "somebody is writing");
    world.clock.advance(Duration::minutes(11));
    assert_eq!(Consolidate.wanted(session, false).await.expect("asked"), Some(RunTrigger::Idle));
    Consolidate.run(session, RunTrigger::Idle, &tools()).await.expect("done");
    world.clock.advance(Duration::hours(5));
    assert_eq!(Consolidate.wanted(session, false).await.expect("asked"), None, "it did its work");
    for n in 0..60 {
        world.remember(draft(Place::Workspace, &format!("Later note {n}.")), agent()).await;
    }
    assert_eq!(Consolidate.wanted(session, false).await.expect("asked"), Some(RunTrigger::Queue));
    assert_eq!(Consolidate.wanted(session, true).await.expect("asked"), Some(RunTrigger::Startup));
    let off = crate::consolidate::ConsolidationSettings { automatic: false, ..Default::default() };
    session.set_consolidation_settings(off).await.expect("set");
    assert_eq!(Consolidate.wanted(session, true).await.expect("asked"), None);
}

#[tokio::test]
async fn the_other_tasks_say_when_there_is_nothing_to_do() {
    let world = World::new().await;
    assert_eq!(
        Summarise.run(&world.session, RunTrigger::Asked, &tools()).await.expect("done"),
        "No turns were old enough."
    );
    assert_eq!(
        Thin.run(&world.session, RunTrigger::Asked, &tools()).await.expect("done"),
        "Nothing was old enough."
    );
}
