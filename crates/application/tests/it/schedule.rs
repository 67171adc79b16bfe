//! The promises of the scheduler's use cases, kept on SQLite.

use std::sync::Arc;

use chrono::Duration;
use inklings_application::{
    consolidation::{ConsolidationSettings, Due, QueueDepths},
    conversation::summarise::Extractive,
    schedule::{Consolidate, Embed, Persist, ScheduledTask, Summarise, TaskTools, Thin},
};
use inklings_domain::{
    consolidation::run::RunTrigger,
    conversation::message::Role,
    memory::MemoryDraft,
    provenance::Interface,
    schedule::{LEASE, TaskOutcome},
    scope::{MemoryScope, Place},
};
use inklings_ports::{
    progress::NoProgress,
    testing::builders::{agent, author, draft, new_text},
};

use crate::support::World;

fn tools() -> TaskTools {
    TaskTools {
        interface: Interface::Task,
        summariser: Arc::new(Extractive),
        model: None,
        sink: Arc::new(NoProgress),
    }
}

#[tokio::test]
async fn one_process_at_a_time_runs_a_task() {
    let world = World::new().await;
    let session = &world.session;
    assert!(session.schedule().take_task("t", "one").await.expect("asked"));
    assert!(!session.schedule().take_task("t", "two").await.expect("asked"));
    world.clock.advance(LEASE / 2);
    assert!(session.schedule().renew_task("t", "one").await.expect("asked"));
    world.clock.advance(LEASE / 2 + Duration::seconds(1));
    assert!(!session.schedule().take_task("t", "two").await.expect("asked"), "it was renewed");
    session.schedule().end_task("t", "one", TaskOutcome::Done, Some("Fine.")).await.expect("ended");
    assert!(session.schedule().take_task("t", "two").await.expect("asked"));
    let state = &session.schedule().task_states().await.expect("read")[0];
    assert_eq!((state.outcome, state.message.as_deref()), (Some(TaskOutcome::Done), Some("Fine.")));
}

#[tokio::test]
async fn the_lease_of_a_dead_owner_expires() {
    let world = World::new().await;
    assert!(world.session.schedule().take_task("t", "one").await.expect("asked"));
    world.clock.advance(LEASE + Duration::seconds(1));
    assert!(world.session.schedule().take_task("t", "two").await.expect("asked"));
    assert!(!world.session.schedule().renew_task("t", "one").await.expect("asked"), "it is another's now");
}

#[tokio::test]
async fn the_embedding_task_embeds_fifty_texts_a_run_and_does_nothing_without_a_model() {
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
async fn an_ended_conversation_triggers_extraction() {
    let world = World::new().await;
    let conversation = world.conversation().await;
    assert_eq!(Persist.wanted(&world.session, false).await.expect("asked"), None);
    world.session.conversations().set_idle(conversation.id).await.expect("ended");
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
async fn consolidation_is_triggered_by_many_changes_or_idle_time_and_not_by_the_clock() {
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
    let off = ConsolidationSettings { automatic: false, ..Default::default() };
    session.consolidation().set_settings(off).await.expect("set");
    assert_eq!(Consolidate.wanted(session, true).await.expect("asked"), None);
}

#[tokio::test]
async fn consolidation_waits_for_exactly_as_many_changes_as_were_set() {
    for queue_depth in [1, 3, 600] {
        let world = World::new().await;
        let settings = ConsolidationSettings {
            queue_depths: QueueDepths::all(queue_depth),
            ..ConsolidationSettings::default()
        };
        world.session.consolidation().set_settings(settings).await.expect("set");
        let wanted = async || Consolidate.wanted(&world.session, false).await.expect("asked");
        for n in 1..queue_depth {
            world.write(Place::Workspace, &format!("Note {n}.")).await;
        }
        assert_eq!(wanted().await, None, "{queue_depth}: one is missing");
        world.write(Place::Workspace, "The last note.").await;
        assert_eq!(wanted().await, Some(RunTrigger::Queue), "{queue_depth}");
    }
}

#[tokio::test]
async fn each_tier_is_consolidated_at_a_cadence_of_its_own() {
    let world = World::new().await;
    let session = &world.session;
    let conversation = world.conversation().await;
    let channel = Place::Channel(conversation.channel_id);
    let settings = ConsolidationSettings {
        queue_depths: QueueDepths { account: 8, workspace: 8, channel: 4 },
        ..ConsolidationSettings::default()
    };
    session.consolidation().set_settings(settings).await.expect("set");
    let due = async || session.consolidation().due(false).await.expect("asked");
    let is_short_lived = |place| MemoryDraft { importance: 0.001, ..draft(place, "A passing thought.") };
    let kept = world.remember(is_short_lived(Place::Workspace), agent()).await;
    let gone = world.remember(is_short_lived(channel), agent()).await;
    for n in 0..3 {
        world.remember(draft(Place::Workspace, &format!("The gate has lock {n}.")), agent()).await;
        world.remember(draft(channel, &format!("The tower has step {n}.")), agent()).await;
    }
    let of_channel = Due { trigger: RunTrigger::Queue, tiers: vec![MemoryScope::Channel] };
    assert_eq!(due().await, Some(of_channel));
    Consolidate.run(session, RunTrigger::Queue, &tools()).await.expect("done");
    assert!(!world.entry(gone).await.is_active());
    assert!(world.entry(kept).await.is_active(), "its tier was not due");
    world.clock.advance(Duration::minutes(11));
    for n in 0..4 {
        world.remember(draft(Place::Workspace, &format!("The wall has stone {n}.")), agent()).await;
    }
    let of_workspace = Due { trigger: RunTrigger::Queue, tiers: vec![MemoryScope::Workspace] };
    assert_eq!(due().await, Some(of_workspace), "what waited before counts");
    Consolidate.run(session, RunTrigger::Queue, &tools()).await.expect("done");
    assert!(!world.entry(kept).await.is_active());
    world.clock.advance(Duration::minutes(11));
    assert_eq!(due().await, None);
}

#[tokio::test]
async fn memories_of_a_conversation_are_consolidated_when_one_ends_and_not_before() {
    let world = World::new().await;
    let session = &world.session;
    let (open, ended) = (world.conversation().await, world.conversation().await);
    let of_one = Place::Conversation(open.channel_id, open.id);
    Consolidate.run(session, RunTrigger::Asked, &tools()).await.expect("done");
    world.clock.advance(Duration::minutes(11));
    for n in 0..60 {
        world.remember(draft(of_one, &format!("Mira counts ship {n}.")), agent()).await;
    }
    let due = async || session.consolidation().due(false).await.expect("asked");
    assert_eq!(due().await, None);
    world.say(&ended, Role::User, "The harbour froze.").await;
    session.conversations().set_idle(ended.id).await.expect("ended");
    Persist.run(session, RunTrigger::Closed, &tools()).await.expect("done");
    let of_conversations = Due { trigger: RunTrigger::Closed, tiers: vec![MemoryScope::Conversation] };
    assert_eq!(due().await, Some(of_conversations));
}

#[tokio::test]
async fn changes_to_canon_trigger_a_run_before_the_queue_is_full() {
    let world = World::new().await;
    let session = &world.session;
    let mut canon = Vec::new();
    for n in 0..3 {
        canon.push(
            world.remember(draft(Place::Workspace, &format!("House {n} is of stone.")), author()).await,
        );
    }
    Consolidate.run(session, RunTrigger::Asked, &tools()).await.expect("done");
    world.clock.advance(Duration::minutes(11));
    let wanted = async || Consolidate.wanted(session, false).await.expect("asked");
    for (n, id) in canon.iter().enumerate() {
        world.clock.advance(Duration::minutes(2));
        assert_eq!(wanted().await, None, "{n} of 3 changes");
        let wood = new_text(&format!("House {n} is of wood."));
        session.memories().edit(*id, 1, wood, author()).await.expect("edited");
        assert_eq!(wanted().await, None, "somebody is writing");
    }
    world.clock.advance(Duration::minutes(2));
    assert_eq!(wanted().await, Some(RunTrigger::Revision));
    Consolidate.run(session, RunTrigger::Revision, &tools()).await.expect("done");
    let last = session.workspace.runs.latest(inklings_application::consolidation::TASK).await;
    assert_eq!(last.expect("read").expect("a run").trigger, RunTrigger::Revision);
    world.clock.advance(Duration::minutes(11));
    assert_eq!(wanted().await, None, "once for these changes");
}

#[tokio::test]
async fn a_reverted_run_does_not_trigger_the_next_one() {
    let world = World::new().await;
    let session = &world.session;
    for n in 0..12 {
        let note = draft(Place::Workspace, &format!("Passing thought number {n}."));
        let note = MemoryDraft { importance: 0.001, ..note };
        world.remember(note, agent()).await;
    }
    world.clock.advance(Duration::minutes(11));
    assert_eq!(Consolidate.wanted(session, false).await.expect("asked"), Some(RunTrigger::Idle));
    Consolidate.run(session, RunTrigger::Idle, &tools()).await.expect("done");
    let run = session
        .workspace
        .runs
        .latest(inklings_application::consolidation::TASK)
        .await
        .expect("read")
        .expect("a run");
    assert_eq!(run.counts.faded, 12);
    session.consolidation().revert_run(run.id, author()).await.expect("taken back");
    world.clock.advance(Duration::minutes(60));
    for startup in [false, true] {
        assert_eq!(Consolidate.wanted(session, startup).await.expect("asked"), None, "startup: {startup}");
    }
}

/// Nobody changes anything: what fades is put away all the same, once a day and at the start.
#[tokio::test]
async fn fading_entries_alone_trigger_consolidation() {
    for startup in [false, true] {
        let world = World::new().await;
        let session = &world.session;
        let note = draft(Place::Workspace, "A passing thought.");
        let note = MemoryDraft { importance: 0.001, ..note };
        let id = world.remember(note, agent()).await;
        world.clock.advance(Duration::hours(23));
        assert_eq!(Consolidate.wanted(session, startup).await.expect("asked"), None);
        world.clock.advance(Duration::hours(2));
        let expected = if startup { RunTrigger::Startup } else { RunTrigger::Idle };
        assert_eq!(Consolidate.wanted(session, startup).await.expect("asked"), Some(expected));
        Consolidate.run(session, expected, &tools()).await.expect("done");
        assert!(!world.entry(id).await.is_active());
        // A day later again, however little there is to do; and not before.
        world.write(Place::Workspace, "The gate is iron.").await;
        world.clock.advance(Duration::hours(23));
        assert_eq!(Consolidate.wanted(session, startup).await.expect("asked"), None);
        world.clock.advance(Duration::hours(2));
        assert_eq!(Consolidate.wanted(session, startup).await.expect("asked"), Some(expected));
    }
}

#[tokio::test]
async fn work_left_by_the_limits_of_a_run_triggers_the_next_one() {
    let world = World::new().await;
    let session = &world.session;
    for n in 0..70 {
        let name = format!(
            "Ba{}{}",
            ["lo", "mu", "ri", "sa", "te", "no", "ki"][n % 7],
            ["x", "d", "f", "g", "h", "k", "l", "m", "p", "q"][n / 7]
        );
        for colour in ["red", "blue"] {
            world
                .remember(draft(Place::Workspace, &format!("The banner of {name} is {colour}.")), agent())
                .await;
        }
    }
    session.embedder.set(None);
    let mut proposed = 0;
    for run in 0..3 {
        Consolidate.run(session, RunTrigger::Queue, &tools()).await.expect("done");
        world.clock.advance(Duration::minutes(11));
        let filed = session
            .workspace
            .runs
            .latest(inklings_application::consolidation::TASK)
            .await
            .expect("read")
            .expect("a run");
        proposed += filed.counts.proposed;
        let expected = (run == 0).then_some(RunTrigger::Queue);
        assert_eq!(Consolidate.wanted(session, false).await.expect("asked"), expected, "run {run}");
    }
    assert_eq!(proposed, 70);
}

/// More conversations than one run looks at; one that was never closed, one that was put away.
#[tokio::test]
async fn summaries_include_the_oldest_and_the_never_closed_conversations() {
    let world = World::new().await;
    let session = &world.session;
    let mut conversations = Vec::new();
    for n in 0..3 {
        let conversation = world.conversation().await;
        for line in 0..30 {
            world
                .say(&conversation, Role::User, &format!("In the year {line} Oskar Lind counted ships."))
                .await;
        }
        if n == 1 {
            session.conversations().set_idle(conversation.id).await.expect("idle");
        }
        conversations.push(conversation);
    }
    for _ in 0..inklings_application::schedule::MOST_CONVERSATIONS {
        let _ = world.conversation().await;
    }
    world.clock.advance(Duration::days(40));
    let episode_counts = async || {
        let mut counts = Vec::new();
        for conversation in &conversations {
            counts.push(session.episodes().list(conversation.id).await.expect("read").len());
        }
        counts
    };
    Summarise.run(session, RunTrigger::Idle, &tools()).await.expect("done");
    assert_eq!(episode_counts().await, [0, 0, 0], "they lie behind the conversations that one run looks at");
    Summarise.run(session, RunTrigger::Idle, &tools()).await.expect("done");
    assert_eq!(episode_counts().await, [1, 1, 1]);
    // And from the first again.
    let newest = world.conversation().await;
    for line in 0..30 {
        world.say(&newest, Role::User, &format!("In the year {line} Veyra fell.")).await;
    }
    world.clock.advance(Duration::days(40));
    Summarise.run(session, RunTrigger::Idle, &tools()).await.expect("done");
    assert_eq!(session.episodes().list(newest.id).await.expect("read").len(), 1);
}

#[tokio::test]
async fn tasks_report_that_there_is_nothing_to_do() {
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
