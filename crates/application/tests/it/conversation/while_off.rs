//! Every tool of the World Agent and every task, tried while memory is switched off. A new one has to be placed here.

use std::sync::Arc;

use inklings_application::{
    conversation::summarise::Extractive,
    error::AppError,
    memory::browse::MAX_PAGE,
    schedule::{TaskTools, all},
    testing::world::everything,
    turn::specs,
};
use inklings_domain::{
    consolidation::run::RunTrigger,
    conversation::message::Role,
    memory::MemoryEntry,
    provenance::{Actor, ActorKind, Interface},
    scope::{MemoryLifetime, Place},
};
use inklings_ports::{
    conversation::store::ConversationFilter,
    model::chat::ToolCall,
    progress::NoProgress,
    testing::builders::{agent, author, draft, task},
};
use serde_json::{Value, json};

use crate::support::World;

/// Everything durable that agents and tasks could add to, as text.
async fn memory(world: &World) -> String {
    let session = &world.session;
    let entries: Vec<MemoryEntry> = session
        .memories()
        .every(&everything(), inklings_domain::memory::filter::Sort::CreatedAsc)
        .await
        .expect("read")
        .into_iter()
        // How often an entry was used is not held up by an author who reads.
        .map(|entry| MemoryEntry { accessed_at: entry.updated_at, access_count: 0, ..entry })
        .collect();
    let proposals = session.proposals().list(None, None, MAX_PAGE).await.expect("read").rows;
    let facts = session.facts().list(None, None, MAX_PAGE).await.expect("read").rows;
    let runs = session.workspace.runs.list(None, MAX_PAGE).await.expect("read");
    let conversations = session
        .conversations()
        .list(&ConversationFilter::default(), None, MAX_PAGE)
        .await
        .expect("read")
        .rows;
    let mut episodes = Vec::new();
    let mut titles = Vec::new();
    for row in conversations {
        titles.push(row.conversation.title);
        episodes.extend(session.episodes().list(row.conversation.id).await.expect("read"));
    }
    format!("{entries:?} {proposals:?} {facts:?} {runs:?} {episodes:?} {titles:?}")
}

/// May be about a world as well as about the worldbuilder.
const DOUBTFUL: &str = "Wants every chapter of a war to open with a letter from a soldier.";

enum Tried {
    /// Refused, because memory is off.
    Refused(Value),
    /// Adds nothing to memory: reads, forgets, or keeps a working note.
    GoesOn(Value),
}

#[tokio::test]
async fn while_memory_is_off_no_tool_of_the_world_agent_adds_to_memory() {
    let world = World::new().await;
    let session = &world.session;
    let conversation = world.conversation().await;
    let noted = world.remember(draft(Place::Workspace, "The gate is iron."), agent()).await;
    let own = world.write(Place::Workspace, "Edda keeps the keys.").await;
    let scrub_targets = world.remember(draft(Place::Workspace, "The moat is dry."), agent()).await;
    session.facts().set("gate", "metal", "iron", None, author()).await.expect("a fact");
    session.switch().set_enabled(false).await.expect("switched off");
    let tries: Vec<(&str, Vec<Tried>)> = specs()
        .iter()
        .map(|spec| {
            let tries = match spec.name {
                "memory_search" => vec![Tried::GoesOn(json!({ "query": "gate" }))],
                "memory_get" => vec![Tried::GoesOn(json!({ "id": own.to_string() }))],
                "memory_put" => ["conversation", "channel", "workspace", "account"]
                    .map(|tier| Tried::Refused(json!({ "tier": tier, "content": "Prefers short answers." })))
                    .into_iter()
                    // A proposal.
                    .chain([Tried::Refused(json!({ "tier": "account", "content": DOUBTFUL }))])
                    .collect(),
                "memory_update" => vec![
                    Tried::Refused(json!({ "id": noted.to_string(), "content": "The gate is bronze." })),
                    Tried::Refused(json!({ "id": noted.to_string(), "importance": 0.9 })),
                    // A proposal.
                    Tried::Refused(json!({ "id": own.to_string(), "content": "Knut keeps the keys." })),
                ],
                "memory_forget" => vec![
                    Tried::Refused(json!({ "id": own.to_string(), "reason": "old" })),
                    Tried::GoesOn(json!({ "id": scrub_targets.to_string(), "reason": "old" })),
                ],
                "fact" => vec![
                    Tried::Refused(
                        json!({ "action": "set", "category": "gate", "key": "height", "value": "tall" }),
                    ),
                    // A claim.
                    Tried::Refused(
                        json!({ "action": "set", "category": "gate", "key": "metal", "value": "bronze" }),
                    ),
                    Tried::GoesOn(json!({ "action": "get", "category": "gate" })),
                ],
                "scratchpad" => ["write", "read", "clear"]
                    .map(|action| Tried::GoesOn(json!({ "action": action, "key": "plan", "value": 1 })))
                    .into(),
                "conversation" => ["list", "read", "search"]
                    .map(|action| Tried::GoesOn(json!({ "action": action, "query": "gate" })))
                    .into(),
                other => panic!("what does '{other}' do while memory is off?"),
            };
            (spec.name, tries)
        })
        .collect();
    let mut before = memory(&world).await;
    let mut refused = 0;
    let run = Actor::new(ActorKind::Agent, Interface::Window, Some(session.ids.run_id())).expect("admitted");
    for (name, tries) in &tries {
        for tried in tries {
            let (Tried::Refused(arguments) | Tried::GoesOn(arguments)) = tried;
            let call = ToolCall { id: "1".into(), name: (*name).into(), arguments: arguments.to_string() };
            let (answer, _) = session.turns().run_tool(&conversation, &call, &[], run).await;
            let off = answer.contains("memory is switched off");
            assert_eq!(off, matches!(tried, Tried::Refused(_)), "{name}: {answer}");
            if off {
                refused += 1;
                assert_eq!(memory(&world).await, before, "{name} left something");
            } else {
                before = memory(&world).await;
            }
        }
    }
    assert!(refused >= 10, "{refused}");
}

async fn prepared(world: &World) {
    let session = &world.session;
    for n in 0..3 {
        world.remember(draft(Place::Workspace, "The gate is iron."), task()).await;
        let note = draft(Place::Workspace, &format!("The lamp number {n} burns all night at the gate."));
        world
            .remember(
                inklings_domain::memory::MemoryDraft { lifetime: MemoryLifetime::ShortTerm, ..note },
                agent(),
            )
            .await;
    }
    let conversation = world.conversation().await;
    for n in 0..40 {
        world.say(&conversation, Role::User, &format!("I decided that gate {n} shall be of iron.")).await;
    }
    session.conversations().set_idle(conversation.id).await.expect("it ends");
    world.clock.advance(chrono::Duration::days(60));
}

#[tokio::test]
async fn while_memory_is_off_no_task_adds_to_memory() {
    let tools = || TaskTools {
        interface: Interface::Task,
        summariser: Arc::new(Extractive),
        model: None,
        sink: Arc::new(NoProgress),
    };
    for task in all() {
        let world = World::new().await;
        let session = &world.session;
        prepared(&world).await;
        session.switch().set_enabled(false).await.expect("switched off");
        let before = memory(&world).await;
        assert_eq!(
            session.schedule().may_run(&*task).await.expect("read"),
            !task.adds_to_memory(),
            "{}",
            task.name()
        );
        let ran = task.run(session, RunTrigger::Asked, &tools()).await;
        assert_eq!(memory(&world).await, before, "{} left something", task.name());
        if task.adds_to_memory() {
            assert!(matches!(ran, Err(AppError::MemoryOff)), "{}: {ran:?}", task.name());
            session.switch().set_enabled(true).await.expect("switched on");
            task.run(session, RunTrigger::Asked, &tools()).await.expect("it runs again");
            assert_ne!(memory(&world).await, before, "{} has something to do here", task.name());
        } else {
            ran.expect("it goes on");
        }
    }
}
