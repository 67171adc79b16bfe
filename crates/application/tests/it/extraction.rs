//! The promises of persist, kept on SQLite.

use std::sync::Arc;

use inklings_application::{
    conversation::summarise::Extractive,
    extraction::Helpers,
    scrub::{Operator, ScrubRequest},
    testing::world::everything,
};
use inklings_domain::{
    consolidation::run::{Run, RunState, RunTrigger},
    conversation::{
        Conversation,
        message::{Delivery, NewMessage, Role},
    },
    memory::{
        MemoryDraft, MemoryEntry,
        filter::{MemoryFilter, ScopeFilter, Sort},
    },
    provenance::Interface,
    scope::{MemoryLifetime, MemoryScope, Place},
    scrub::{ScrubMode, ScrubTarget},
};
use inklings_ports::{
    model::chat::{ChatError, ChatModel},
    testing::{
        builders::{agent, author, draft},
        chat::{Play, ScriptedModel},
    },
};

use crate::support::{World, faults::Faults};

async fn ended() -> (World, Conversation) {
    let world = World::new().await;
    let conversation = world.conversation().await;
    world
        .say(&conversation, Role::User, "From now on the harbour of Veyra freezes every third winter.")
        .await;
    world.say(&conversation, Role::Assistant, "Noted. Shall the quay be closed then?").await;
    world.say(&conversation, Role::User, "I prefer short chapters with a cold open.").await;
    (world, conversation)
}

async fn work_up(world: &World, model: Option<Arc<dyn ChatModel>>) -> Vec<Run> {
    let helpers = Helpers { summariser: &Extractive, model };
    world
        .session
        .extraction()
        .pending(&helpers, RunTrigger::Closed, Interface::Task)
        .await
        .expect("worked up")
}

async fn active(world: &World, scope: MemoryScope) -> Vec<MemoryEntry> {
    let page =
        world.session.memories().list(&everything(), Sort::CreatedAsc, None, 500).await.expect("a list");
    page.entries.into_iter().map(|s| s.entry).filter(|e| e.scope() == scope).collect()
}

#[tokio::test]
async fn decisions_and_preferences_are_extracted_when_a_conversation_ends() {
    let (world, conversation) = ended().await;
    assert!(work_up(&world, None).await.is_empty(), "it has not ended");
    world.session.conversations().set_idle(conversation.id).await.expect("ended");
    let runs = work_up(&world, None).await;
    assert_eq!((runs.len(), runs[0].state), (1, RunState::Done));
    let kept: Vec<String> =
        active(&world, MemoryScope::Channel).await.into_iter().map(|e| e.content).collect();
    assert!(kept.iter().any(|text| text.contains("freezes every third winter")), "{kept:?}");
    assert!(kept.iter().any(|text| text.contains("short chapters")), "{kept:?}");
    assert_eq!(world.session.episodes().list(conversation.id).await.expect("read").len(), 1);
}

#[tokio::test]
async fn a_conversation_that_another_process_ended_waits_for_its_answer() {
    let (world, conversation) = ended().await;
    let session = &world.session;
    let arriving = NewMessage::arriving(session.ids.message_id(), session.clock.now());
    let transcript = &session.workspace.transcript;
    transcript.append(conversation.id, std::slice::from_ref(&arriving)).await.expect("begun");
    let streaming = Delivery::Streaming;
    let written = transcript.deliver(arriving.id, "The quay", None, streaming, session.clock.now()).await;
    assert!(written.expect("written"));
    session.conversations().set_idle(conversation.id).await.expect("ended");
    assert!(work_up(&world, None).await.is_empty(), "the answer is still arriving");
    assert_eq!(session.extraction().persist_waits_since().await.expect("read"), None);
    let end = "The quay is closed.";
    let written = transcript.deliver(arriving.id, end, None, Delivery::Complete, session.clock.now()).await;
    assert!(written.expect("written"));
    world.clock.tick();
    assert_eq!(work_up(&world, None).await.len(), 1);
    let episodes = session.episodes().list(conversation.id).await.expect("read");
    assert!(episodes[0].sources.contains(&arriving.id));
}

#[tokio::test]
async fn scrubbed_texts_are_not_extracted_from_conversations_again() {
    let (twin, conversation) = ended().await;
    twin.session.conversations().set_idle(conversation.id).await.expect("ended");
    work_up(&twin, None).await;
    let learned = active(&twin, MemoryScope::Channel).await.remove(0).content;

    let (world, conversation) = ended().await;
    let place = Place::Conversation(conversation.channel_id, conversation.id);
    world.write(Place::Workspace, &learned).await;
    let carried = "Mira hid the ledger under the quay.";
    world.write(Place::Workspace, carried).await;
    let (target, mode) = (ScrubTarget::Workspace, ScrubMode::Full);
    let own = MemoryDraft { importance: 0.9, ..draft(place, carried) };
    world.remember(own, agent()).await;
    let hash = world.session.scrubs().preview(&target, mode).await.expect("a manifest").hash;
    let request = ScrubRequest { target, mode, hash, phrase: "scrub workspace".into() };
    world.session.scrubs().execute(&request, &Operator::author(author())).await.expect("scrubbed");
    world.session.conversations().set_idle(conversation.id).await.expect("ended");
    assert_eq!(work_up(&world, None).await[0].state, RunState::Done);
    let kept: Vec<String> =
        active(&world, MemoryScope::Channel).await.into_iter().map(|e| e.content).collect();
    assert!(
        !kept.is_empty() && !kept.contains(&learned) && !kept.iter().any(|text| text == carried),
        "{kept:?}"
    );
}

#[tokio::test]
async fn extraction_runs_once_for_each_conversation() {
    let (world, conversation) = ended().await;
    world.session.conversations().set_idle(conversation.id).await.expect("ended");
    work_up(&world, None).await;
    let before = active(&world, MemoryScope::Channel).await;
    assert!(work_up(&world, None).await.is_empty());
    world.session.conversations().archive(conversation.id).await.expect("archived");
    assert!(work_up(&world, None).await.is_empty(), "archiving what was worked up is no second end");
    assert_eq!(active(&world, MemoryScope::Channel).await, before);
}

#[tokio::test]
async fn entries_of_an_ended_conversation_are_promoted_or_forgotten_except_the_authors() {
    let (world, conversation) = ended().await;
    let place = Place::Conversation(conversation.channel_id, conversation.id);
    let with = |importance, text: &str| MemoryDraft {
        importance,
        lifetime: MemoryLifetime::Conversation,
        ..draft(place, text)
    };
    let matters = world.remember(with(0.9, "The quay keeper is bribed."), agent()).await;
    let passing = world.remember(with(0.2, "We look at chapter four."), agent()).await;
    let mine = world.write(place, "Ask about the keeper again.").await;
    world.session.conversations().set_idle(conversation.id).await.expect("ended");
    let run = work_up(&world, None).await.pop().expect("a run");
    let carried = world.entry(matters).await.consolidated_into.expect("the channel remembers it");
    let carried = world.entry(carried).await;
    assert_eq!(
        (carried.content.as_str(), carried.scope()),
        ("The quay keeper is bribed.", MemoryScope::Channel)
    );
    assert_eq!(carried.origin.and_then(|origin| origin.conversation), Some(conversation.id));
    let gone = world.entry(passing).await;
    assert_eq!(gone.forgotten.as_ref().and_then(|mark| mark.run), Some(run.id));
    assert!(world.entry(mine).await.is_active(), "the author's words are the author's");
    world.session.consolidation().revert_run(run.id, author()).await.expect("taken back");
    assert!(world.entry(passing).await.is_active() && world.entry(matters).await.is_active());
    assert!(active(&world, MemoryScope::Channel).await.is_empty());
}

#[tokio::test]
async fn an_interrupted_extraction_is_resumed() {
    let (mut world, conversation) = ended().await;
    world.session.conversations().set_idle(conversation.id).await.expect("ended");
    // The first attempt dies in the middle of its only change.
    Faults::of_workspace(&mut world.session).fail_once("commit");
    assert_eq!(work_up(&world, None).await[0].state, RunState::Failed);
    assert!(active(&world, MemoryScope::Channel).await.is_empty(), "nothing of it is half there");
    assert_eq!(work_up(&world, None).await[0].state, RunState::Done);
    assert!(!active(&world, MemoryScope::Channel).await.is_empty());
    assert_eq!(
        world.session.episodes().list(conversation.id).await.expect("read").len(),
        1,
        "the episode was not told twice"
    );
}

#[tokio::test]
async fn a_model_adds_extractions_and_its_failure_loses_none() {
    for play in [
        Play::Says(vec![
            "[{\"kind\": \"decision\", \"text\": \"Veyra's harbour freezes.\", \"importance\": 0.8}]",
        ]),
        Play::Refuses(ChatError::Timeout),
        Play::Says(vec!["I cannot do that."]),
    ] {
        let (world, conversation) = ended().await;
        world.session.conversations().set_idle(conversation.id).await.expect("ended");
        let answers = matches!(&play, Play::Says(pieces) if pieces[0].starts_with('['));
        let run = work_up(&world, Some(Arc::new(ScriptedModel::new([play])))).await.pop().expect("a run");
        assert_eq!(run.state, RunState::Done);
        let kept = active(&world, MemoryScope::Channel).await;
        assert!(!kept.is_empty());
        assert_eq!(kept.iter().any(|entry| entry.content == "Veyra's harbour freezes."), answers);
    }
}

#[tokio::test]
async fn an_empty_conversation_leaves_no_entries() {
    let world = World::new().await;
    let conversation = world.conversation().await;
    world.session.conversations().set_idle(conversation.id).await.expect("ended");
    assert_eq!(work_up(&world, None).await[0].state, RunState::Done);
    let filter = MemoryFilter::active(ScopeFilter::EVERYTHING);
    assert!(
        world
            .session
            .memories()
            .list(&filter, Sort::CreatedAsc, None, 10)
            .await
            .expect("a list")
            .entries
            .is_empty()
    );
}

#[tokio::test]
async fn an_answered_question_is_not_stored_as_open() {
    for (answer, kept) in [("Three of them, off Veyra.", false), ("Do you mean the first voyage?", true)] {
        let world = World::new().await;
        let conversation = world.conversation().await;
        world.say(&conversation, Role::User, "How many ships did Captain Lind lose at Veyra?").await;
        world.say(&conversation, Role::Assistant, answer).await;
        world.session.conversations().set_idle(conversation.id).await.expect("ended");
        work_up(&world, None).await;
        let notes = active(&world, MemoryScope::Channel).await;
        assert_eq!(notes.iter().any(|entry| entry.content.contains("Lind")), kept, "{answer}");
    }
}

#[tokio::test]
async fn conversations_that_failed_too_often_do_not_block_others_and_are_processed_on_request() {
    let world = World::new().await;
    let runs = &world.session.workspace.runs;
    let mut conversations = Vec::new();
    for n in 0..inklings_application::extraction::MOST_AT_ONCE + 3 {
        let conversation = world.conversation().await;
        world.say(&conversation, Role::User, &format!("From now on gate {n} of Veyra is shut.")).await;
        world.session.conversations().set_idle(conversation.id).await.expect("ended");
        conversations.push(conversation);
    }
    for conversation in &conversations[..inklings_application::extraction::MOST_AT_ONCE] {
        for _ in 0..inklings_application::extraction::MOST_ATTEMPTS {
            let run = Run::begun(
                world.session.ids.run_id(),
                inklings_application::extraction::TASK,
                RunTrigger::Closed,
                conversation.started_at,
            );
            let failed = run.ended(RunState::Failed, None, conversation.started_at);
            runs.end_persist(conversation.id, &failed).await.expect("noted");
        }
    }
    assert!(world.session.extraction().persist_waits_since().await.expect("asked").is_some());
    assert_eq!(work_up(&world, None).await.len(), 3, "those that did not fail");
    assert_eq!(world.session.extraction().persist_waits_since().await.expect("asked"), None);
    assert!(work_up(&world, None).await.is_empty(), "the others are left alone");
    let helpers = Helpers { summariser: &Extractive, model: None };
    let asked = world
        .session
        .extraction()
        .pending(&helpers, RunTrigger::Asked, Interface::Task)
        .await
        .expect("worked up");
    assert_eq!(asked.len(), inklings_application::extraction::MOST_AT_ONCE);
    assert!(asked.iter().all(|run| run.state == RunState::Done));
    assert!(runs.pending_persists(None, 99).await.expect("read").is_empty());
}
