//! Every command of the window, tried while memory is switched off: as an agent where the command writes, and as
//! the author where the app makes something of what was said. The list of commands says which it is.

use std::sync::Arc;

use inklings_api::{
    App, Config, Interface, NoopEvents,
    calendar::view::NewStoryTime,
    error::{CommandError, ErrorCode},
    fact::view::{FactList, NewFact},
    named_entry::view::NewNamedEntry,
    subject::view::NewRelation,
    view::{
        lens::KnowerSpec,
        memory::{BulkProperties, MemoryPatch, NewMemory},
    },
    vocabulary::{Lifetime, Scope},
};
use inklings_application::schedule::all;
use inklings_domain::provenance::ActorKind;

use crate::support::World;

include!("../../../commands/src/listed.rs");

pub(crate) fn new(scope: Scope, content: &str) -> NewMemory {
    NewMemory {
        scope,
        channel_id: None,
        conversation_id: None,
        lifetime: Lifetime::LongTerm,
        title: None,
        keys: Vec::new(),
        content: content.to_owned(),
        importance: 0.5,
        tags: Vec::new(),
        made_of: Vec::new(),
    }
}

fn patch(content: &str) -> MemoryPatch {
    MemoryPatch { content: Some(content.to_owned()), ..MemoryPatch::default() }
}

/// The same folder as another shell opens it, in which kind of actor everything is an agent's or a task's.
async fn shell(world: &World, interface: Interface) -> Arc<App> {
    let config = Config { data_dir: world.path("data"), resources: Some(world.path("none")), interface };
    let app = App::open(config).await.expect("the folder opens");
    let here = app.workspace().list_workspaces().await.expect("read");
    app.workspace().switch_workspace(&here[0].id).await.expect("it opens");
    Arc::new(app)
}

/// What is in use, without what time alone changes.
async fn stands(world: &World) -> Vec<(String, u32, String, Vec<String>)> {
    let all = world.all().await.into_iter();
    all.map(|entry| (entry.row.id, entry.row.version, entry.content, entry.row.tags)).collect()
}

struct Scene {
    /// An entry of an agent that was edited once, with its version and the change that edited it.
    noted: (String, u32, String),
    forgotten: String,
    conversation: String,
    /// Two subjects.
    subjects: (String, String),
    /// A fact of an agent.
    fact: String,
}

fn value(key: &str) -> NewFact {
    NewFact {
        category: "gate".to_owned(),
        key: key.to_owned(),
        value: "iron".to_owned(),
        ..NewFact::default()
    }
}

async fn scene(world: &World, app: &App) -> Scene {
    let made = app.memory().create_memory(new(Scope::Workspace, "The gate is iron.")).await.expect("noted");
    let id = made.detail.row.id;
    let edited = app.memory().update_memory(&id, 1, patch("The gate is old iron.")).await.expect("edited");
    let gone = app.memory().create_memory(new(Scope::Workspace, "The moat is dry.")).await.expect("noted");
    let gone = gone.detail.row.id;
    app.memory().forget_memories(std::slice::from_ref(&gone), "old").await.expect("forgotten");
    let conversation =
        world.app.conversation().start_conversation(None, "").await.expect("a conversation").id;
    for n in 0..40 {
        let message = format!("I decided that gate {n} shall be of iron.");
        world
            .app
            .conversation()
            .add_message_without_answer(&conversation, &message, &[])
            .await
            .expect("said");
    }
    let subject = async |name: &str| {
        let named = NewNamedEntry { scope: Scope::Workspace, name: name.to_owned(), content: String::new() };
        let id = world.app.named_entry().add_named_entry(named).await.expect("named").entry.id;
        world.app.subject().set_subject(&id, 1, Some("place")).await.expect("a subject");
        id
    };
    let gregorian = world.app.calendar().list_calendars().await.expect("presets").presets.remove(0);
    world.app.calendar().add_calendar("Reckoning", &gregorian.definition).await.expect("a calendar");
    let subjects = (subject("Gatehouse").await, subject("Moat").await);
    let fact = app.fact().set_fact(&value("hinges"), ActorKind::Agent).await.expect("a fact").fact.id;
    Scene { noted: (id, 2, edited.change.change_id), forgotten: gone, conversation, subjects, fact }
}

/// Runs a command that writes memory in the hand of the shell.
async fn attempt(command: &str, app: &App, scene: &Scene) -> Result<(), CommandError> {
    let (id, version, change) = &scene.noted;
    let ids = std::slice::from_ref(id);
    match command {
        "create_memory" => {
            for scope in [Scope::Channel, Scope::Account] {
                let written = app.memory().create_memory(new(scope, "Prefers short answers.")).await;
                assert!(written.is_err(), "{scope:?}");
            }
            app.memory().create_memory(new(Scope::Workspace, "The tower leans.")).await.map(drop)
        }
        "update_memory" => {
            app.memory().update_memory(id, *version, patch("The gate is bronze.")).await.map(drop)
        }
        "add_relation" => {
            let (from, to) = scene.subjects.clone();
            let relation = "stands beside".to_owned();
            let new = NewRelation { from, relation, to, content: None, channel_id: None };
            app.subject().add_relation(new).await.map(drop)
        }
        "set_about" => {
            app.subject().set_about(id, *version, std::slice::from_ref(&scene.subjects.0)).await.map(drop)
        }
        "set_known_by" => {
            let knower = KnowerSpec { subject: scene.subjects.0.clone(), since: None };
            app.lens().set_known_by(id, *version, &[knower]).await.map(drop)
        }
        "set_story_time" => {
            let time = NewStoryTime { text: Some("3 May, 812".to_owned()), ..NewStoryTime::default() };
            app.calendar().set_story_time(id, *version, &time).await.map(drop)
        }
        "restore_memories" => {
            app.memory().restore_memories(std::slice::from_ref(&scene.forgotten)).await.map(drop)
        }
        "tag_memories" => app.memory().tag_memories(ids, &["gate".to_owned()], &[]).await.map(drop),
        "set_memory_properties" => {
            let lifetime = Some(Lifetime::ShortTerm);
            let properties = BulkProperties { lifetime, ..BulkProperties::default() };
            app.memory().set_memory_properties(ids, properties).await.map(drop)
        }
        "undo_change" => app.memory().undo_change(change).await.map(drop),
        "undo_last" => app.memory().undo_last().await.map(drop),
        "restore_version" => app.memory().restore_version(id, 1, *version).await.map(drop),
        "set_fact" => app.fact().set_fact(&value("metal"), ActorKind::Agent).await.map(drop),
        "change_fact" => app.fact().change_fact(&scene.fact, "bronze", None).await.map(drop),
        "set_fact_time" => {
            let facts = app.fact();
            facts.set_fact_time(&scene.fact, "3 May, 812", None, ActorKind::Agent).await.map(drop)
        }
        "set_fact_known_by" => {
            let knower = KnowerSpec { subject: scene.subjects.0.clone(), since: None };
            app.fact().set_fact_known_by(&scene.fact, &[knower]).await.map(drop)
        }
        other => panic!("how is the command '{other}' tried in an agent's hand?"),
    }
}

/// Runs a command that makes memory of what is there, every way it can.
async fn make(command: &str, app: &Arc<App>, scene: &Scene) -> Vec<Result<(), CommandError>> {
    match command {
        "compact_conversation" => {
            vec![app.conversation().compact_conversation(&scene.conversation, Some(2), None).await.map(drop)]
        }
        "summarise_old_turns" => {
            vec![
                app.conversation().summarise_old_turns(&scene.conversation, Some(0), Some(0)).await.map(drop),
            ]
        }
        "run_consolidation" => vec![
            inklings_api::consolidation::run_consolidation(Arc::clone(app), Arc::new(NoopEvents))
                .await
                .map(drop),
            app.consolidation().consolidate_and_wait(Arc::new(NoopEvents)).await.map(drop),
        ],
        "run_task" => {
            let mut tried = Vec::new();
            for task in all().iter().filter(|task| task.adds_to_memory()) {
                tried.push(app.schedule().run_task(task.name(), Arc::new(NoopEvents)).await.map(drop));
            }
            assert!(tried.len() >= 3);
            tried
        }
        other => panic!("how is the command '{other}' tried?"),
    }
}

fn refused(command: &str, answer: Result<(), CommandError>) {
    let error = answer.expect_err(command);
    assert_eq!(error.code, ErrorCode::Locked, "{command}: {error}");
    assert!(error.message.contains("switched off"), "{command}: {error}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn while_memory_is_off_only_the_authors_own_commands_add_to_memory() {
    for interface in [Interface::Mcp, Interface::Task] {
        let world = World::new().await;
        let author = shell(&world, Interface::Window).await;
        let agent = shell(&world, interface).await;
        let scene = scene(&world, &agent).await;
        world.app.client().set_memory_enabled(false).await.expect("switched off");
        let before = stands(&world).await;
        let facts = async || {
            let request = FactList { limit: 50, ..FactList::default() };
            world.app.fact().list_facts(request).await.expect("read").rows.len()
        };
        for &(command, effect) in COMMANDS {
            match effect {
                "reads" | "acts" | "decides" => {}
                // It takes back the author's newest change, and there is none.
                "remembers" if command == "undo_last" => {
                    attempt(command, &agent, &scene).await.expect_err(command);
                }
                "remembers" => refused(command, attempt(command, &agent, &scene).await),
                "derives" => {
                    for app in [&agent, &author] {
                        for answer in make(command, app, &scene).await {
                            refused(command, answer);
                        }
                    }
                }
                other => panic!("the list of commands has no effect '{other}'"),
            }
            assert_eq!(stands(&world).await, before, "{command} left something");
        }
        assert_eq!(facts().await, 1);
        assert!(world.app.conversation().list_episodes(&scene.conversation).await.expect("read").is_empty());
        // What only the command line offers.
        for scope in [Scope::Workspace, Scope::Account] {
            let note = new(scope, "Prefers short answers.");
            let noted = author.memory().create_memory_as(note, None, None, None, ActorKind::Agent).await;
            refused("memory add", noted.map(drop));
        }
        world.app.consolidation().persist_now(Arc::new(NoopEvents)).await.expect("there is nothing to keep");
        assert_eq!(stands(&world).await, before);
        // The author's own hand.
        author
            .memory()
            .create_memory(new(Scope::Workspace, "The author writes as ever."))
            .await
            .expect("written");
        author.fact().set_fact(&value("metal"), ActorKind::Author).await.expect("a fact");
        assert_eq!((stands(&world).await.len(), facts().await), (before.len() + 1, 2));
    }
}
