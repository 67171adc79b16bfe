//! Every command of the window, tried while memory is switched off: in the hand of an agent where the command writes, and in
//! the author's where the app makes something of what was said. A new command has to be placed here.

use std::sync::Arc;

use inklings_api::{
    App, Config, Door, NoopEvents,
    error::{CommandError, ErrorCode},
    views::{
        memory::{MemoryPatch, NewMemory},
        talk::FactList,
        vocabulary::{Lifetime, Scope},
    },
};
use inklings_application::schedule::all;
use inklings_domain::provenance::Hand;

use crate::support::World;

macro_rules! commands {
    ($($subject:ident :: $name:ident),* $(,)?) => {
        const COMMANDS: &[&str] = &[$(stringify!($name)),*];
    };
}
include!("../../../commands/src/registry.rs");

/// What a command does while memory is off.
enum Off {
    /// It changes nothing at all.
    Reads,
    /// It changes something, and adds nothing to memory: rooms, what is said, working notes, settings, clients, backups; or
    /// it takes something away.
    AddsNothing,
    /// It is the worldbuilder's own act, whoever holds the app: an agent is refused it anyway.
    AuthorsOwn,
    /// It writes memory in the hand of whoever asks: the author may, an agent is refused.
    RefusedToAgents,
    /// It makes memory of what was said or noted: refused to everybody.
    RefusedToAll,
}

fn off(command: &str) -> Off {
    match command {
        "app_status" | "list_workspaces" | "list_channels" | "scope_counts" | "facet_counts"
        | "list_memories" | "search_memories" | "get_memory" | "memory_history" | "decay_curve"
        | "preview_decay" | "get_settings" | "list_models" | "model_status" | "list_conversations"
        | "get_conversation" | "conversation_settings" | "list_messages" | "search_messages"
        | "preview_context" | "preview_compaction" | "list_episodes" | "chat_settings"
        | "test_chat_endpoint" | "list_scratchpad" | "read_scratchpad" | "list_facts" | "fact_history"
        | "list_named_entries" | "orient" | "list_orientations" | "list_reads" | "get_orientation"
        | "orientation_settings" | "list_proposals" | "count_proposals" | "list_runs" | "run_items"
        | "preview_consolidation" | "consolidation_settings" | "list_tasks" | "list_changes"
        | "export_memory" | "preview_import" | "preview_conversation_import" | "list_clients"
        | "client_changes" | "mcp_status" | "client_snippets" | "memory_enabled" | "memory_overview"
        | "preview_scrub" | "audit_log" | "list_backups" | "check_backup" | "backup_settings"
        | "damaged_files" => Off::Reads,
        "create_workspace" | "switch_workspace" | "rename_workspace" | "delete_workspace"
        // It goes into a workspace of its own, whose memory is on.
        | "load_sample_world"
        | "dismiss_sample" | "forget_memories" | "update_settings" | "fetch_model" | "cancel_fetch"
        | "use_model" | "use_model_folder" | "embed_now" | "create_channel" | "update_channel"
        | "archive_channel" | "restore_channel" | "delete_channel" | "start_conversation"
        | "rename_conversation" | "move_conversation" | "idle_conversation" | "archive_conversation"
        | "continue_conversation" | "delete_conversation" | "set_conversation_settings"
        | "set_message_importance" | "remove_episode"
        // What is said goes on; the tools of the World Agent are tried where they live.
        | "say" | "answer_again" | "cancel_answer"
        | "set_chat_endpoint" | "write_scratchpad" | "clear_scratchpad" | "remove_fact"
        | "import_conversations" | "cancel_conversation_import" | "set_orientation_settings" | "cancel_run"
        | "set_consolidation_settings" | "cancel_transfer" | "add_client" | "set_grants" | "renew_token"
        | "revoke_client" | "set_mcp" | "set_memory_enabled" | "execute_scrub" | "back_up_now"
        | "restore_backup" | "begin_account_anew" | "purge_backup" | "set_backup_settings" => Off::AddsNothing,
        "add_named_entry" | "write_named_entry" | "rename_named_entry" | "alias_named_entry"
        | "remove_named_entry" | "settle_claim" | "decide_proposals" | "revert_run" | "undo_client"
        | "import_memory" => Off::AuthorsOwn,
        "create_memory" | "update_memory" | "restore_memories" | "tag_memories" | "set_lifetime"
        | "undo_change" | "undo_last" | "restore_version" | "set_fact" => Off::RefusedToAgents,
        "compact_conversation" | "summarise_old_turns" | "run_consolidation" | "run_task" => Off::RefusedToAll,
        other => panic!("what does the command '{other}' do while memory is off?"),
    }
}

fn new(scope: Scope, content: &str) -> NewMemory {
    NewMemory {
        scope,
        channel_id: None,
        conversation_id: None,
        lifetime: Lifetime::LongTerm,
        content: content.to_owned(),
        importance: 0.5,
        tags: Vec::new(),
    }
}

fn patch(content: &str) -> MemoryPatch {
    MemoryPatch { content: Some(content.to_owned()), ..MemoryPatch::default() }
}

/// The same folder as another shell opens it, in whose hand everything is an agent's or a task's.
async fn shell(world: &World, door: Door) -> Arc<App> {
    let config = Config { data_dir: world.path("data"), resources: Some(world.path("none")), door };
    let app = App::open(config).await.expect("the folder opens");
    let here = app.list_workspaces().await.expect("read");
    app.switch_workspace(&here[0].id).await.expect("it opens");
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
    talk: String,
}

async fn scene(world: &World, app: &App) -> Scene {
    let made = app.create_memory(new(Scope::Workspace, "The gate is iron.")).await.expect("noted");
    let id = made.detail.row.id;
    let edited = app.update_memory(&id, 1, patch("The gate is old iron.")).await.expect("edited");
    let gone = app.create_memory(new(Scope::Workspace, "The moat is dry.")).await.expect("noted");
    let gone = gone.detail.row.id;
    app.forget_memories(std::slice::from_ref(&gone), "old").await.expect("forgotten");
    let talk = world.app.start_conversation(None, "").await.expect("a conversation").id;
    for n in 0..40 {
        let said = format!("I decided that gate {n} shall be of iron.");
        world.app.keep_message(&talk, &said).await.expect("said");
    }
    Scene { noted: (id, 2, edited.change.change_id), forgotten: gone, talk }
}

/// Runs a command that writes memory in the hand of the shell.
async fn attempt(command: &str, app: &App, scene: &Scene) -> Result<(), CommandError> {
    let (id, version, change) = &scene.noted;
    let ids = std::slice::from_ref(id);
    match command {
        "create_memory" => {
            for scope in [Scope::Channel, Scope::Account] {
                let written = app.create_memory(new(scope, "Prefers short answers.")).await;
                assert!(written.is_err(), "{scope:?}");
            }
            app.create_memory(new(Scope::Workspace, "The tower leans.")).await.map(drop)
        }
        "update_memory" => app.update_memory(id, *version, patch("The gate is bronze.")).await.map(drop),
        "restore_memories" => app.restore_memories(std::slice::from_ref(&scene.forgotten)).await.map(drop),
        "tag_memories" => app.tag_memories(ids, &["gate".to_owned()], &[]).await.map(drop),
        "set_lifetime" => app.set_lifetime(ids, Lifetime::ShortTerm).await.map(drop),
        "undo_change" => app.undo_change(change).await.map(drop),
        "undo_last" => app.undo_last().await.map(drop),
        "restore_version" => app.restore_version(id, 1, *version).await.map(drop),
        "set_fact" => app.set_fact("gate", "metal", "iron", None, Hand::Agent).await.map(drop),
        other => panic!("how is the command '{other}' tried in an agent's hand?"),
    }
}

/// Runs a command that makes memory of what is there, every way it can.
async fn make(command: &str, app: &Arc<App>, scene: &Scene) -> Vec<Result<(), CommandError>> {
    match command {
        "compact_conversation" => {
            vec![app.compact_conversation(&scene.talk, Some(2), None).await.map(drop)]
        }
        "summarise_old_turns" => {
            vec![app.summarise_old_turns(&scene.talk, Some(0), Some(0)).await.map(drop)]
        }
        "run_consolidation" => vec![
            app.run_consolidation(Arc::new(NoopEvents)).await.map(drop),
            app.consolidate_and_wait(Arc::new(NoopEvents)).await.map(drop),
        ],
        "run_task" => {
            let mut tried = Vec::new();
            for task in all().iter().filter(|task| task.adds_to_memory()) {
                tried.push(app.run_task(task.name(), Arc::new(NoopEvents)).await.map(drop));
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
async fn switched_off_no_command_adds_to_memory_but_the_authors_own() {
    for door in [Door::Mcp, Door::Task] {
        let world = World::new().await;
        let author = shell(&world, Door::Window).await;
        let agent = shell(&world, door).await;
        let scene = scene(&world, &agent).await;
        world.app.set_memory_enabled(false).await.expect("switched off");
        let before = stands(&world).await;
        let facts = async || {
            let request = FactList { limit: 50, ..FactList::default() };
            world.app.list_facts(request).await.expect("read").rows.len()
        };
        for &command in COMMANDS {
            match off(command) {
                Off::Reads | Off::AddsNothing | Off::AuthorsOwn => {}
                // It takes back the author's newest change, and there is none.
                Off::RefusedToAgents if command == "undo_last" => {
                    attempt(command, &agent, &scene).await.expect_err(command);
                }
                Off::RefusedToAgents => refused(command, attempt(command, &agent, &scene).await),
                Off::RefusedToAll => {
                    for app in [&agent, &author] {
                        for answer in make(command, app, &scene).await {
                            refused(command, answer);
                        }
                    }
                }
            }
            assert_eq!(stands(&world).await, before, "{command} left something");
        }
        assert_eq!(facts().await, 0);
        assert!(world.app.list_episodes(&scene.talk).await.expect("read").is_empty());
        // What only the command line offers.
        for scope in [Scope::Workspace, Scope::Account] {
            let note = new(scope, "Prefers short answers.");
            let noted = author.create_memory_as(note, None, None, None, Hand::Agent).await;
            refused("memory add", noted.map(drop));
        }
        world.app.persist_now(Arc::new(NoopEvents)).await.expect("there is nothing to keep");
        assert_eq!(stands(&world).await, before);
        // The author's own hand.
        author.create_memory(new(Scope::Workspace, "The author writes as ever.")).await.expect("written");
        author.set_fact("gate", "metal", "iron", None, Hand::Author).await.expect("a fact");
        assert_eq!((stands(&world).await.len(), facts().await), (before.len() + 1, 1));
    }
}
