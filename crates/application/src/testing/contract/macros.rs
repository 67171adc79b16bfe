//! One macro per port, naming every check there is; a test compares the names with the checks.

/// Makes one test per check. For the macros below.
#[doc(hidden)]
#[macro_export]
macro_rules! contract_checks {
    ($factory:expr; $($module:ident: { $($check:ident),+ $(,)? })+) => { $($(
        #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
        async fn $check() {
            let factory = $factory;
            $crate::testing::contract::$module::$check(&factory).await;
        }
    )+)+ };
}

/// Every promise of `MemoryStore`.
#[macro_export]
macro_rules! memory_store_contract {
    ($factory:expr) => {
        $crate::contract_checks! { $factory;
            writes: {
                every_field_of_a_new_entry_comes_back,
                every_field_of_a_change_comes_back,
                long_and_strange_text_comes_back_as_it_was,
                entries_outlive_the_process,
                unknown_ids_are_left_out,
                many_ids_are_read_at_once,
                an_id_is_inserted_only_once,
                a_stale_update_is_refused,
                an_update_that_skips_a_version_is_refused,
                an_update_of_nothing_is_refused,
                an_entry_stays_where_it_was_written,
                a_write_under_a_false_declaration_is_refused,
                a_change_is_committed_only_once,
                a_large_change_is_written_whole,
                many_writers_at_once_all_get_through,
                a_refused_change_leaves_nothing_behind,
                only_one_of_two_racing_writers_wins,
                world_memory_never_enters_the_accounts_database,
                account_memory_never_enters_a_workspaces_database,
                an_entry_needs_a_room_that_exists,
            }
            memory_switch: {
                switched_off_agents_and_tasks_change_nothing,
                switched_off_the_account_takes_nothing_from_agents,
                switched_off_nothing_is_proposed_or_stated,
                switched_off_nothing_is_summarised,
                what_was_said_while_off_is_never_summarised,
                what_ends_while_off_does_not_wait,
            }
            history: {
                every_version_is_kept_with_its_change,
                history_tells_forgetting_and_restoring,
                an_unknown_entry_has_no_history,
                the_journal_says_who_when_and_through_which_door,
                a_change_knows_what_it_replaced,
                an_unknown_change_is_none,
                an_undone_change_says_by_which,
                a_change_is_undone_only_once,
                the_last_undoable_change_is_the_newest_that_stands,
                changes_of_agents_are_not_the_authors_to_undo,
                changes_of_both_databases_have_one_order,
                the_journal_is_paged_newest_first,
                what_was_set_up_was_nobodys_doing,
                a_change_names_an_entry_that_it_wrote,
            }
            locks: {
                no_agent_changes_what_the_author_wrote,
                no_agent_changes_what_was_imported,
                no_agent_changes_a_named_entry,
                no_agent_changes_what_is_pinned,
                no_agent_pins,
                one_locked_entry_holds_the_whole_change_back,
                no_agent_writes_in_the_authors_name,
                agents_change_what_is_theirs,
                the_author_changes_everything,
                a_clients_text_names_the_client,
                the_author_rewrites_a_clients_text_and_takes_it_back,
                a_merged_text_keeps_the_sources_of_its_originals,
            }
            lists: {
                pages_hold_every_entry_once_in_order,
                pages_keep_their_place_under_new_entries,
                each_facet_narrows_to_its_value,
                alternatives_add_up_and_exclusions_take_away,
                lists_let_through_what_the_filter_says,
                reach_limits_lists_to_its_rooms,
                counts_agree_with_a_recount,
                counts_look_beyond_the_reach,
                facets_agree_with_a_recount,
                facets_can_be_counted_among_chosen_entries,
                an_empty_store_lists_and_counts_nothing,
                the_account_lists_its_own_tier,
            }
            uses: {
                imported_entries_are_found_by_their_former_ids,
                former_ids_belong_to_one_place,
                a_former_id_is_used_once_in_a_place,
                a_name_is_used_once_in_a_tier,
                names_in_use_are_listed,
                uses_add_up_without_a_new_version,
                an_older_use_does_not_turn_the_clock_back,
                uses_of_locked_entries_are_counted,
                uses_by_a_client_of_its_own_words_do_not_count,
                a_write_does_not_lose_uses_counted_meanwhile,
                open_days_are_kept_once_and_rising,
            }
            named: {
                names_and_aliases_share_one_space,
                aliases_are_kept_and_freed_with_their_entry,
                a_name_is_handed_over_in_one_change,
                named_notes_come_by_tier_and_name,
                what_nothing_was_written_into_is_listed_nowhere,
                only_a_named_entry_is_empty,
                names_in_a_text_are_found_within_the_filter,
            }
        }
    };
}

/// Every promise of `MemorySearch`.
#[macro_export]
macro_rules! memory_search_contract {
    ($factory:expr) => {
        $crate::contract_checks! { $factory;
            text_search: {
                words_are_found_regardless_of_case,
                names_are_searched_too,
                the_more_words_match_the_better,
                the_rarer_word_weighs_more,
                phrases_are_found_in_their_order,
                the_last_word_may_go_on,
                alternatives_and_exclusions_are_honoured,
                symbols_and_unspaced_scripts_are_found_as_they_stand,
                wildcards_of_the_database_mean_nothing,
                the_best_are_the_best_within_reach,
                text_search_respects_every_filter,
                forgotten_entries_are_not_found_unless_asked_for,
                an_edit_changes_what_is_found,
                hits_carry_what_decay_needs,
                any_string_can_be_looked_for,
                nothing_finds_nothing,
                highlights_cover_the_words_and_nothing_else,
                highlights_cover_phrases,
                highlights_of_symbols_are_on_character_boundaries,
            }
            meaning_search: {
                the_nearest_are_those_of_brute_force,
                near_twins_come_in_exact_order,
                vectors_of_other_models_are_never_compared,
                forgotten_entries_are_left_out_unless_asked_for,
                the_nearest_are_the_nearest_within_reach,
                meaning_search_respects_every_filter,
                a_rewritten_entry_is_not_found_by_its_old_vector,
                nearby_hits_carry_what_decay_needs,
                stored_vectors_are_given_out_by_model,
                vectors_outlive_the_process,
                vectors_of_another_process_are_found_after_a_poll,
            }
        }
    };
}

/// Every promise of `VectorStore`.
#[macro_export]
macro_rules! vector_store_contract {
    ($factory:expr) => {
        $crate::contract_checks! { $factory;
            vectors: {
                new_entries_wait_for_a_vector_newest_first,
                a_stored_vector_ends_the_wait,
                each_model_has_its_own_queue,
                a_vector_of_an_old_text_is_dropped,
                a_vector_of_an_unknown_entry_is_dropped,
                a_rewritten_text_waits_again,
                a_tagged_entry_keeps_its_vector,
                a_text_that_failed_is_not_tried_again,
                a_rewritten_text_is_tried_again_after_a_failure,
                forgotten_entries_do_not_wait,
                a_restored_entry_is_embedded_or_waits,
                counts_follow_what_happens,
                an_entry_names_the_newest_model_that_embedded_it,
            }
        }
    };
}

/// Every promise of `RoomStore`.
#[macro_export]
macro_rules! room_store_contract {
    ($factory:expr) => {
        $crate::contract_checks! { $factory;
            rooms: {
                a_new_workspace_has_general_alone,
                channels_come_with_general_first,
                every_field_of_a_channel_comes_back,
                channels_are_found_regardless_of_case,
                channel_name_twins_are_refused,
                channels_count_their_active_entries,
                every_field_of_a_conversation_comes_back,
                conversations_are_found_by_reference_code,
                reference_code_twins_are_refused,
                the_latest_active_conversation_began_last,
            }
            room_changes: {
                every_changed_field_of_a_channel_comes_back,
                a_channel_is_not_renamed_over_another,
                channels_count_their_conversations,
                a_dissolved_channel_hands_everything_to_its_heir,
                a_channel_that_holds_something_needs_an_heir,
                the_default_channel_stays,
                channels_with_one_former_id_do_not_become_one,
                every_changed_field_of_a_conversation_comes_back,
                a_conversation_that_moved_on_is_not_overwritten,
                a_conversation_ends_with_the_beginning_of_the_next_or_not_at_all,
                entries_move_with_their_conversation,
                conversations_are_listed_by_latest_activity,
                lists_of_conversations_keep_to_channel_and_status,
                a_listed_conversation_says_what_it_holds,
                a_deleted_conversation_is_gone_and_its_memories_stay,
            }
        }
    };
}

/// Every promise of `TranscriptStore`.
#[macro_export]
macro_rules! transcript_contract {
    ($factory:expr) => {
        $crate::contract_checks! { $factory;
            transcript: {
                every_field_of_a_message_comes_back,
                positions_rise_from_one,
                only_an_active_conversation_takes_messages,
                taken_ids_of_messages_are_refused,
                stretches_hold_their_messages_in_order,
                salient_messages_are_those_that_matter_enough,
                a_streaming_message_is_written_until_it_is_whole,
                abandoned_messages_count_as_failed,
                the_importance_of_a_message_can_be_set,
                the_tick_changes_with_every_change,
                imported_messages_are_added_once_and_then_replaced,
                two_processes_share_a_conversation,
            }
            summaries: {
                an_archive_and_its_marker_come_together,
                a_stretch_is_compacted_only_once,
                a_forgotten_archive_covers_nothing_and_its_stretch_can_be_compacted_again,
                a_refused_archive_leaves_no_marker,
                compacted_messages_stay_unless_only_summaries_are_kept,
                every_field_of_an_episode_comes_back,
                messages_are_taken_up_only_once,
                sources_are_deleted_only_where_the_setting_says_so,
                episodes_in_use_are_listed,
                an_agent_names_an_archive_and_no_other_entry,
            }
            transcript_vectors: {
                new_messages_wait_for_a_vector_newest_first,
                only_finished_speech_waits_for_a_vector,
                a_message_that_failed_is_not_tried_again,
                a_text_imported_anew_waits_again,
                vectors_of_messages_that_are_gone_are_passed_over,
            }
        }
    };
}

/// Every promise of `TranscriptSearch`.
#[macro_export]
macro_rules! transcript_search_contract {
    ($factory:expr) => {
        $crate::contract_checks! { $factory;
            transcript_search: {
                words_of_messages_are_found,
                any_string_can_be_looked_for_in_messages,
                only_what_was_said_is_found,
                search_of_messages_keeps_to_its_reach,
                the_best_messages_are_the_best_within_reach,
                messages_of_deleted_conversations_are_never_found,
                the_nearest_messages_are_those_of_brute_force,
                new_vectors_of_messages_are_searched_at_once,
                messages_are_found_by_their_places,
                highlights_of_messages_cover_the_words,
            }
        }
    };
}

/// Every promise of `FactStore`.
#[macro_export]
macro_rules! fact_store_contract {
    ($factory:expr) => {
        $crate::contract_checks! { $factory;
            facts: {
                every_field_of_a_fact_comes_back,
                every_value_of_a_fact_is_kept,
                facts_are_listed_by_category_and_key,
                the_values_of_a_moment_are_those_that_held_then,
                a_fact_that_changed_meanwhile_is_not_overwritten,
                no_agent_changes_the_authors_fact,
                claims_wait_beside_their_fact,
                a_claim_is_settled_once,
                facts_outlive_the_conversation_they_came_from,
            }
        }
    };
}

/// Every promise of `ScratchpadStore`.
#[macro_export]
macro_rules! scratchpad_contract {
    ($factory:expr) => {
        $crate::contract_checks! { $factory;
            scratchpads: {
                every_field_of_a_note_comes_back,
                a_note_with_a_time_to_live_vanishes,
                notes_are_listed_by_key,
                a_full_scratchpad_takes_no_more_keys,
                notes_are_cleared,
                notes_go_with_their_conversation,
                notes_with_a_time_to_live_end_with_their_conversation,
                no_reader_gets_a_note_whose_time_is_over,
            }
        }
    };
}

/// Every promise of `ClientWriteStore`.
#[macro_export]
macro_rules! client_write_contract {
    ($factory:expr) => {
        $crate::contract_checks! { $factory;
            client_writes: {
                every_kind_of_write_is_carried_out_and_kept,
                a_refused_write_of_a_client_leaves_nothing_behind,
                a_write_that_changes_nothing_is_not_kept,
                every_kind_of_write_is_taken_back_once,
                what_moved_on_is_not_taken_back,
                a_message_that_a_summary_stands_for_is_not_withdrawn,
                a_replaced_note_is_kept_until_its_time_is_over,
                messages_of_clients_are_told_from_the_others,
                writes_of_clients_go_with_their_conversation,
                writes_of_clients_are_news_and_outlive_the_process,
            }
        }
    };
}

/// Every promise of `ConversationImport`.
#[macro_export]
macro_rules! conversation_import_contract {
    ($factory:expr) => {
        $crate::contract_checks! { $factory;
            conversation_import: {
                an_import_comes_in_whole,
                an_import_that_is_dropped_leaves_nothing,
                nothing_of_an_import_is_seen_before_its_end,
                importing_again_updates_instead_of_doubling,
                what_the_worldbuilder_changed_survives_importing_again,
                a_conversation_may_come_twice_in_one_import,
                a_deleted_conversation_comes_in_anew,
                a_taken_reference_code_does_not_end_an_import,
                an_import_needs_a_channel_that_exists,
            }
        }
    };
}

/// Every promise of `TransferStore`.
#[macro_export]
macro_rules! transfer_contract {
    ($factory:expr) => {
        $crate::contract_checks! { $factory;
            transfer: {
                rows_of_every_section_come_back_as_they_went_in,
                what_was_written_here_is_told_with_its_past,
                a_transfer_that_is_dropped_leaves_nothing,
                pages_follow_one_another,
                an_export_of_a_room_takes_that_room_alone,
                a_snapshot_stays_as_it_was,
                a_refused_row_leaves_the_others,
                the_journal_tells_of_an_import,
                the_run_comes_with_the_rows,
                an_import_finds_what_is_here,
                rows_of_a_channel_go_into_the_one_it_stands_for,
                unknown_fields_stay_with_their_rows,
                what_a_file_says_of_itself_is_kept,
                what_was_prepared_is_kept_if_its_run_stands,
                what_was_prepared_goes_without_its_run,
                what_was_prepared_and_committed_is_there_once,
                an_export_of_an_unknown_room_is_empty,
            }
        }
    };
}

/// Every promise of `ProposalStore`.
#[macro_export]
macro_rules! proposal_contract {
    ($factory:expr) => {
        $crate::contract_checks! { $factory;
            proposals: {
                every_field_of_a_proposal_comes_back,
                the_same_is_not_proposed_twice,
                a_proposal_is_about_entries_that_exist,
                proposals_are_paged_newest_first,
                acceptance_and_its_change_are_one,
                a_proposal_is_decided_once,
                the_worldbuilder_alone_accepts,
                the_account_keeps_proposals_too,
                a_new_entry_is_proposed_and_keeps_who_worded_it,
            }
        }
    };
}

/// Every promise of `RunStore`.
#[macro_export]
macro_rules! run_contract {
    ($factory:expr) => {
        $crate::contract_checks! { $factory;
            runs: {
                every_field_of_a_run_comes_back,
                a_run_that_makes_no_sense_is_refused,
                runs_are_paged_newest_first,
                a_run_knows_its_changes,
                the_cursor_of_a_task_is_kept_until_it_moves_on,
                the_end_of_a_conversation_waits,
                an_end_waits_until_it_was_worked_up,
                a_deleted_conversation_does_not_wait,
                imported_conversations_do_not_wait,
            }
        }
    };
}

/// Every promise of `ScheduleStore`.
#[macro_export]
macro_rules! schedule_contract {
    ($factory:expr) => {
        $crate::contract_checks! { $factory;
            schedule: {
                a_task_remembers_how_it_ran,
                a_lease_keeps_others_away,
                a_lapsed_lease_is_anybodys,
                runs_that_were_cut_off_end_with_the_lease,
                leases_hold_as_the_domain_says,
                of_racing_processes_one_gets_the_lease,
            }
        }
    };
}

/// Every promise of `LedgerStore`.
#[macro_export]
macro_rules! ledger_contract {
    ($factory:expr) => {
        $crate::contract_checks! { $factory;
            ledger: {
                every_field_of_an_orientation_comes_back,
                notes_of_the_framing_are_not_kept,
                the_ledger_is_paged_newest_first,
                the_ledger_is_thinned_by_age,
                the_ledger_keeps_no_words_that_are_deleted,
                a_deleted_conversation_leaves_no_ledger,
                every_field_of_a_read_comes_back,
                reads_are_found_by_conversation_and_client,
                reads_go_as_orientations_go,
            }
        }
    };
}

/// Every promise of `SettingsStore`.
#[macro_export]
macro_rules! settings_contract {
    ($factory:expr) => {
        $crate::contract_checks! { $factory;
            settings: {
                a_setting_comes_back_as_it_was,
                an_unset_setting_is_none,
                a_setting_is_replaced,
                a_setting_is_replaced_only_as_it_was_read,
                settings_outlive_the_process,
                settings_of_a_workspace_are_its_own,
            }
        }
    };
}

/// Every promise of `ChangeFeed`.
#[macro_export]
macro_rules! change_feed_contract {
    ($factory:expr) => {
        $crate::contract_checks! { $factory;
            change_feed: {
                a_quiet_database_has_no_news,
                written_entries_are_news,
                new_rooms_are_news,
                new_vectors_are_news,
                what_is_said_is_news,
                what_keeps_memory_in_order_is_news,
                changed_settings_are_news,
                a_changed_list_of_workspaces_is_news,
                refused_changes_are_no_news,
                writes_of_another_process_are_news,
            }
        }
    };
}
