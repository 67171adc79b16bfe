//! The list of commands and events, and the TypeScript that is generated from it.

use tauri::Wry;
use tauri_specta::{Builder, ErrorHandlingMode, collect_commands, collect_events};

use crate::{
    commands::{
        backup, channel, chat, client, conversation, fact, memory, model, named, orientation, proposal, run,
        scratchpad, scrub, settings, transcript, transfer, workspace,
    },
    events::{
        DataChanged, EmbedProgress, ImportProgress, ModelProgress, RunProgress, TransferProgress,
        TurnProgress,
    },
};

/// Everything the page can call and hear.
#[allow(clippy::too_many_lines, reason = "a list, one line a command")]
pub fn builder() -> Builder<Wry> {
    Builder::<Wry>::new()
        .error_handling(ErrorHandlingMode::Throw)
        .disable_serde_phases()
        .events(collect_events![
            DataChanged,
            ModelProgress,
            EmbedProgress,
            TurnProgress,
            ImportProgress,
            RunProgress,
            TransferProgress
        ])
        .typ::<inklings_api::error::CommandError>()
        .commands(collect_commands![
            settings::app_status,
            workspace::list_workspaces,
            workspace::create_workspace,
            workspace::switch_workspace,
            workspace::rename_workspace,
            workspace::delete_workspace,
            workspace::load_sample_world,
            workspace::dismiss_sample,
            workspace::list_channels,
            memory::scope_counts,
            memory::facet_counts,
            memory::list_memories,
            memory::search_memories,
            memory::get_memory,
            memory::create_memory,
            memory::update_memory,
            memory::forget_memories,
            memory::restore_memories,
            memory::tag_memories,
            memory::set_lifetime,
            memory::undo_change,
            memory::undo_last,
            memory::memory_history,
            memory::restore_version,
            memory::decay_curve,
            settings::preview_decay,
            settings::get_settings,
            settings::update_settings,
            model::list_models,
            model::model_status,
            model::fetch_model,
            model::cancel_fetch,
            model::use_model,
            model::use_model_folder,
            model::embed_now,
            channel::create_channel,
            channel::update_channel,
            channel::archive_channel,
            channel::restore_channel,
            channel::delete_channel,
            conversation::start_conversation,
            conversation::list_conversations,
            conversation::get_conversation,
            conversation::rename_conversation,
            conversation::move_conversation,
            conversation::idle_conversation,
            conversation::archive_conversation,
            conversation::continue_conversation,
            conversation::delete_conversation,
            conversation::preview_conversation_import,
            conversation::import_conversations,
            conversation::cancel_conversation_import,
            conversation::conversation_settings,
            conversation::set_conversation_settings,
            transcript::list_messages,
            transcript::set_message_importance,
            transcript::search_messages,
            transcript::preview_context,
            transcript::preview_compaction,
            transcript::compact_conversation,
            transcript::list_episodes,
            transcript::summarise_old_turns,
            transcript::remove_episode,
            chat::say,
            chat::answer_again,
            chat::cancel_answer,
            chat::chat_settings,
            chat::set_chat_endpoint,
            chat::test_chat_endpoint,
            scratchpad::list_scratchpad,
            scratchpad::read_scratchpad,
            scratchpad::write_scratchpad,
            scratchpad::clear_scratchpad,
            fact::list_facts,
            fact::set_fact,
            fact::remove_fact,
            fact::fact_history,
            fact::settle_claim,
            named::list_named_entries,
            named::add_named_entry,
            named::write_named_entry,
            named::rename_named_entry,
            named::alias_named_entry,
            named::remove_named_entry,
            orientation::orient,
            orientation::list_orientations,
            orientation::list_reads,
            orientation::get_orientation,
            orientation::orientation_settings,
            orientation::set_orientation_settings,
            proposal::list_proposals,
            proposal::count_proposals,
            proposal::decide_proposals,
            run::list_runs,
            run::run_items,
            run::preview_consolidation,
            run::run_consolidation,
            run::cancel_run,
            run::revert_run,
            run::consolidation_settings,
            run::set_consolidation_settings,
            run::list_tasks,
            run::run_task,
            run::list_changes,
            transfer::export_memory,
            transfer::cancel_transfer,
            transfer::preview_import,
            transfer::import_memory,
            client::list_clients,
            client::add_client,
            client::set_grants,
            client::renew_token,
            client::revoke_client,
            client::client_changes,
            client::undo_client,
            client::mcp_status,
            client::set_mcp,
            client::client_snippets,
            client::memory_enabled,
            client::set_memory_enabled,
            scrub::memory_overview,
            scrub::preview_scrub,
            scrub::execute_scrub,
            scrub::audit_log,
            backup::list_backups,
            backup::back_up_now,
            backup::check_backup,
            backup::restore_backup,
            backup::purge_backup,
            backup::backup_settings,
            backup::set_backup_settings,
            backup::damaged_files,
            backup::begin_account_anew,
        ])
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use specta_typescript::Typescript;

    use super::*;

    const HEADER: &str =
        "// Generated from the Rust commands by `make bindings`. Do not edit.\n/* eslint-disable */\n";

    #[test]
    fn the_bindings_the_page_uses_are_those_of_these_commands() {
        let checked_in = Path::new(env!("CARGO_MANIFEST_DIR")).join("../ui/src/ipc/bindings.gen.ts");
        let folder = tempfile::tempdir().expect("a temporary folder");
        let fresh = folder.path().join("bindings.ts");
        builder()
            .export(Typescript::default().header(HEADER), &fresh)
            .expect("the bindings can be generated");
        let fresh = std::fs::read_to_string(fresh).expect("they were written");
        if std::env::var_os("UPDATE_BINDINGS").is_some() {
            std::fs::write(&checked_in, &fresh).expect("the bindings can be written");
        }
        let checked_in = std::fs::read_to_string(checked_in).unwrap_or_default();
        assert!(checked_in == fresh, "the bindings are out of date: run `make bindings`");
    }

    #[test]
    fn the_window_is_granted_exactly_the_commands_there_are() {
        let listed: Vec<&str> = include_str!("../commands.list").lines().collect();
        let folder = tempfile::tempdir().expect("a temporary folder");
        let generated = folder.path().join("bindings.ts");
        builder().export(Typescript::default(), &generated).expect("the bindings can be generated");
        let generated = std::fs::read_to_string(generated).expect("they were written");
        let calls = generated.lines().filter(|line| line.contains("__TAURI_INVOKE<"));
        let mut registered: Vec<&str> = calls.filter_map(|line| line.split('"').nth(1)).collect();
        let mut expected = listed.clone();
        registered.sort_unstable();
        expected.sort_unstable();
        assert_eq!(registered, expected);
        let capability = include_str!("../capabilities/main.json");
        for command in listed {
            let permission = format!("\"allow-{}\"", command.replace('_', "-"));
            assert!(capability.contains(&permission), "{permission} is missing");
        }
    }
}
