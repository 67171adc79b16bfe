//! Memory switched off and on again, on SQLite.

use inklings_application::{
    agent_write::remember::Observed, conversation::summarise::Extractive, error::AppError,
    extraction::Helpers, testing::world::everything,
};
use inklings_domain::{
    consolidation::run::{RunState, RunTrigger},
    conversation::{Conversation, message::Role},
    memory::filter::Sort,
    provenance::Interface,
    scope::Place,
};
use inklings_ports::testing::builders::{agent, author, draft};

use crate::support::World;

#[tokio::test]
async fn while_memory_is_off_agents_add_nothing_and_the_worldbuilder_can_write() {
    let world = World::new().await;
    let session = &world.session;
    session.switch().set_enabled(false).await.expect("switched off");
    let observed = |text| Observed {
        draft: draft(Place::Workspace, text),
        conversation: None,
        shown: &[],
        within: None,
        links: inklings_domain::subject::NewLinks::default(),
    };
    let refused = session.agent_writes().remember(observed("The gate is iron."), agent()).await;
    assert!(matches!(refused, Err(AppError::MemoryOff)));
    let refused = session.facts().set("gate", "metal", "iron", None, agent()).await;
    assert!(matches!(refused, Err(AppError::MemoryOff)));
    assert!(session.agent_writes().remember(observed("The gate is iron."), author()).await.is_ok());
    let conversation = world.conversation().await;
    session.scratchpad().write(conversation.id, "plan", "1", None).await.expect("working notes go on");

    session.switch().set_enabled(true).await.expect("switched on");
    assert!(session.agent_writes().remember(observed("The moat is dry."), agent()).await.is_ok());
}

#[tokio::test]
async fn nothing_is_extracted_from_a_conversation_that_ends_while_memory_is_off() {
    let world = World::new().await;
    let session = &world.session;
    session.switch().set_enabled(false).await.expect("switched off");
    let conversation = world.conversation().await;
    session.conversations().set_idle(conversation.id).await.expect("ended");
    assert_eq!(session.extraction().persist_waits_since().await.expect("read"), None);
    session.switch().set_enabled(true).await.expect("switched on");
    assert_eq!(
        session.extraction().persist_waits_since().await.expect("read"),
        None,
        "nothing is filled in later"
    );
}

/// The middle of a conversation is said while memory is off: what is made of the conversation afterwards knows nothing of it.
#[tokio::test]
async fn messages_sent_while_memory_was_off_reach_no_memory_episode_or_archive() {
    let made = |world: World, conversation: Conversation| async move {
        let session = &world.session;
        let mut texts = Vec::new();
        let archive = session
            .compaction()
            .compact(&conversation, Some(0), None, &Extractive, author())
            .await
            .expect("compacted")
            .and_then(|marker| marker.body.marker)
            .expect("an archive");
        texts.push(world.entry(archive.archive).await.content);
        session.conversations().set_idle(conversation.id).await.expect("it ends");
        let helpers = Helpers { summariser: &Extractive, model: None };
        let runs = session.extraction().pending(&helpers, RunTrigger::Closed, Interface::Task).await;
        assert!(runs.expect("worked up").iter().all(|run| run.state == RunState::Done));
        texts.extend(
            session.episodes().list(conversation.id).await.expect("read").into_iter().map(|e| e.summary),
        );
        let kept = session.memories().every(&everything(), Sort::CreatedAsc).await.expect("read");
        texts.extend(kept.into_iter().map(|entry| entry.content));
        texts.join("\n")
    };
    for paused in [false, true] {
        let world = World::new().await;
        let conversation = world.conversation().await;
        for (n, said) in [
            "I decided that the gate of Aldmoor shall be of iron.",
            "I decided that the tower of Brennholt burned in the war.",
            "I decided that the moat of Aldmoor shall be dry.",
        ]
        .into_iter()
        .enumerate()
        {
            world.session.switch().set_enabled(!(paused && n == 1)).await.expect("switched");
            world.say(&conversation, Role::User, said).await;
            world.say(&conversation, Role::Assistant, &format!("Noted: {said}")).await;
        }
        let texts = made(world, conversation).await;
        assert!(texts.contains("iron") && texts.contains("moat"), "{texts}");
        assert_eq!(texts.contains("Brennholt"), !paused, "{texts}");
    }
}
