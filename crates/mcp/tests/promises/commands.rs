//! Every command of the window, tool of a client, tool of the World Agent and task: driven by a step, or left out for a
//! reason. A new one that is neither fails here.

use std::collections::BTreeSet;

use inklings_application::{
    schedule,
    tools::{Action, TOOLS},
    turn::specs,
};
use serde_json::json;

use super::step::DRIVEN;

include!("../../../commands/src/listed.rs");

const SETTINGS: &str = "it sets how the program works, and writes no memory";
const MODELS: &str = "it is about the embedding model, and there is none here";
const RECALL_TESTS: &str =
    "a test changes no memory; tests of recall tests hold that, and that a scrub destroys them";
const SAVED_SEARCHES: &str = "it changes no memory; tests of the application and of the store hold that, and that a scrub destroys them";
const VAULTS: &str = "it changes no memory; tests/it/vault.rs of the application drives vaults";
const TELEMETRY: &str = "it writes no memory; tests/it/agent_telemetry.rs of the application and e2e/processes/telemetry drive it";
const UPDATES: &str =
    "it writes no memory; tests/it/update.rs of the application and e2e/window/update drive it";
const RUNS_ALONE: &str = "it stops work that is under way; here everything runs to its end";

/// Why a command is not driven.
const LEFT_OUT: &[(&str, &str)] = &[
    ("link_vault", VAULTS),
    ("unlink_vault", VAULTS),
    ("set_promotion_page", VAULTS),
    ("append_memory", VAULTS),
    ("sync_vault", VAULTS),
    ("cancel_vault_sync", RUNS_ALONE),
    (
        "move_memories",
        "an entry stays where it is here; tests/it/memory/relocate.rs of the application moves entries at random",
    ),
    ("begin_account_anew", "no database is missing here; tests/it/missing.rs of the store takes them away"),
    (
        "rebuild_indexes",
        "it changes no text; tests/it/damaged_workspaces.rs of the store takes indexes out of touch",
    ),
    ("create_workspace", "the two workspaces are made once, for all sequences"),
    ("rename_workspace", SETTINGS),
    ("delete_workspace", "one of two is left; tests of the catalogue and e2e/processes/faults delete them"),
    ("load_sample_world", "it makes a third workspace"),
    ("dismiss_sample", SETTINGS),
    ("get_settings", SETTINGS),
    ("update_settings", SETTINGS),
    ("set_search_strategy", SETTINGS),
    ("list_models", MODELS),
    ("model_status", MODELS),
    ("fetch_model", MODELS),
    ("cancel_fetch", MODELS),
    ("use_model", MODELS),
    ("use_model_folder", MODELS),
    ("set_own_model", MODELS),
    ("embed_now", MODELS),
    ("conversation_settings", SETTINGS),
    ("set_conversation_settings", SETTINGS),
    ("set_message_importance", "it changes no text; tests of the transcript hold what it means for an undo"),
    ("remove_episode", "tests/it/transcript/sequences.rs of the store drives episodes"),
    ("answer_again", "it is the same turn as that of the World Agent here"),
    ("cancel_answer", RUNS_ALONE),
    ("set_conversation_model", SETTINGS),
    ("chat_settings", SETTINGS),
    ("set_chat_endpoint", SETTINGS),
    ("test_chat_endpoint", SETTINGS),
    ("preview_conversation_import", "tests of api and formats bring conversations in"),
    ("import_conversations", "tests of api and formats bring conversations in"),
    ("cancel_conversation_import", RUNS_ALONE),
    (
        "set_conversation_lens",
        "it is set before anything is said; tests of the lens and the probes hold what it shows",
    ),
    ("add_recall_test", RECALL_TESTS),
    ("remove_recall_test", RECALL_TESTS),
    ("run_recall_tests", RECALL_TESTS),
    ("save_search", SAVED_SEARCHES),
    ("rename_saved_search", SAVED_SEARCHES),
    ("move_saved_search", SAVED_SEARCHES),
    ("remove_saved_search", SAVED_SEARCHES),
    ("annotate_agent_pattern", TELEMETRY),
    ("suppress_agent_pattern", TELEMETRY),
    ("define_agent_metric", TELEMETRY),
    ("set_agent_telemetry_settings", SETTINGS),
    ("mcp:agent_telemetry search", TELEMETRY),
    ("mcp:agent_telemetry context", TELEMETRY),
    ("mcp:agent_telemetry annotate", TELEMETRY),
    ("mcp:agent_telemetry metric_create", TELEMETRY),
    ("mcp:agent_telemetry benchmark_get", TELEMETRY),
    ("orient", "the tool 'orient' and every turn call the same use case"),
    ("orientation_settings", SETTINGS),
    ("set_orientation_settings", SETTINGS),
    (
        "list_drifts",
        "it files what contradicts canon and changes no memory; tests/it/drift.rs of the application has it",
    ),
    (
        "settle_drift",
        "it calls use cases that other steps drive; tests/it/drift.rs of the application has it",
    ),
    ("cancel_run", RUNS_ALONE),
    ("consolidation_settings", SETTINGS),
    ("set_consolidation_settings", SETTINGS),
    ("cancel_transfer", RUNS_ALONE),
    ("add_client", "the four clients are made once, for all sequences"),
    ("mcp_status", SETTINGS),
    ("set_mcp", SETTINGS),
    ("back_up_now", "tests/it/backups.rs of the store and e2e/processes/faults drive backups"),
    ("check_backup", "tests/it/backups.rs of the store and e2e/processes/faults drive backups"),
    ("restore_backup", "tests/it/backups.rs of the store and e2e/processes/faults drive backups"),
    ("purge_backup", "tests/it/backups.rs of the store and e2e/processes/faults drive backups"),
    ("find_update", UPDATES),
    ("install_update", UPDATES),
    ("cancel_update", UPDATES),
    ("backup_settings", SETTINGS),
    ("set_backup_settings", SETTINGS),
    (
        "mcp:scrub preview",
        "tests of the guest hold where a client may scrub; the author's scrub is the same use case",
    ),
    (
        "mcp:scrub execute",
        "tests of the guest hold where a client may scrub; the author's scrub is the same use case",
    ),
];

/// Every action of every tool that the callers have.
fn actions<'a>(
    caller: &'a str,
    offered: &'a [&str],
    has: fn(&&Action) -> bool,
) -> impl Iterator<Item = String> + 'a {
    let tools = TOOLS.iter().filter(|tool| offered.contains(&tool.name));
    let name =
        move |tool: &str, action: &Action| format!("{caller}:{tool} {}", action.word).trim_end().to_owned();
    tools.flat_map(move |tool| tool.actions.iter().filter(has).map(move |action| name(tool.name, action)))
}

pub fn every_command_is_placed() {
    let mut all: BTreeSet<String> = COMMANDS.iter().map(|(name, _)| (*name).to_owned()).collect();
    let every: Vec<&str> = TOOLS.iter().map(|tool| tool.name).collect();
    let agents: Vec<&str> = specs().iter().map(|spec| spec.name).collect();
    all.extend(actions("mcp", &every, |_| true));
    all.extend(actions("agent", &agents, |action| action.world_agent));
    assert!(!schedule::all().is_empty());
    // Every task comes up: a step takes its number from the list.
    all.insert("task:*".to_owned());
    let driven: BTreeSet<&str> = DRIVEN.iter().copied().collect();
    let left_out: BTreeSet<&str> = LEFT_OUT.iter().map(|(name, _)| *name).collect();
    // The snapshot after every step reads the same rows.
    let reads: BTreeSet<&str> =
        COMMANDS.iter().filter(|(_, effect)| *effect == "reads").map(|(name, _)| *name).collect();
    for name in &all {
        let (driven, left_out) = (driven.contains(name.as_str()), left_out.contains(name.as_str()));
        assert!(
            driven || left_out || reads.contains(name.as_str()),
            "{name}: drive it in a step, or say why not"
        );
        assert!(!(driven && left_out), "{name} is driven: it needs no reason");
    }
    let is_unknown = |name: &&str| !all.contains(*name);
    let unknown: Vec<&&str> = driven.iter().chain(&left_out).filter(|name| is_unknown(name)).collect();
    assert!(unknown.is_empty(), "no such command: {unknown:?}");
    assert!(LEFT_OUT.iter().all(|(_, reason)| reason.len() > 8), "{}", json!(LEFT_OUT.len()));
}
