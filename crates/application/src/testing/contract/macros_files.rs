//! The macros of the ports that work on whole files, clients and the audit log; see `macros.rs`.

/// Every promise of `Catalogue`.
#[macro_export]
macro_rules! catalogue_contract {
    ($factory:expr) => {
        $crate::contract_checks! { $factory;
            catalogue: {
                an_empty_folder_has_an_account_and_no_workspace,
                workspaces_are_listed_by_name,
                every_field_of_a_workspace_comes_back,
                workspace_name_twins_are_refused,
                a_workspace_is_renamed_and_keeps_its_memory,
                a_rename_to_a_taken_name_is_refused,
                a_name_may_change_its_case,
                a_deleted_workspace_is_gone,
                a_deleted_workspace_takes_no_more_writes,
                a_purged_workspace_leaves_no_trace,
                a_name_is_free_again_after_deletion,
                unknown_workspaces_are_not_found,
                workspaces_do_not_see_one_another,
                workspaces_outlive_the_process,
                a_closed_catalogue_opens_again,
                the_self_check_finds_nothing_wrong,
            }
        }
    };
}

/// Every promise of `AuditStore`.
#[macro_export]
macro_rules! audit_contract {
    ($factory:expr) => {
        $crate::contract_checks! { $factory;
            audit: {
                every_field_of_an_audit_row_comes_back,
                audit_rows_follow_one_another_newest_first,
                each_database_has_a_chain_of_its_own,
                an_audit_log_outlives_the_process,
            }
        }
    };
}

/// Every promise of `BackupStore`.
#[macro_export]
macro_rules! backup_contract {
    ($factory:expr) => {
        $crate::contract_checks! { $factory;
            backups: {
                a_backup_is_listed_with_what_is_in_it,
                backups_are_listed_newest_first_and_never_share_a_name,
                backups_that_hold_a_row_are_found,
                a_whole_backup_passes_its_check_and_says_so_later,
                a_destroyed_backup_is_gone,
                an_unknown_backup_is_not_found,
                a_restore_brings_back_what_was_and_keeps_what_is,
                a_restore_leaves_other_workspaces_alone,
                a_restore_is_itself_undone_by_a_restore,
                a_restore_is_put_on_record_behind_the_log_that_is,
                who_has_it_open_sees_and_writes_the_restored_one,
                nothing_is_damaged_where_nothing_is,
                activity_moves_on_with_writes_alone,
            }
        }
    };
}

/// Every promise of `ClientStore`.
#[macro_export]
macro_rules! client_contract {
    ($factory:expr) => {
        $crate::contract_checks! { $factory;
            clients: {
                every_field_of_a_client_comes_back,
                a_client_name_is_taken_once,
                a_client_is_found_by_its_present_token,
                a_revoked_client_is_admitted_by_a_new_token_alone,
                grants_are_replaced_whole,
                a_client_is_never_seen_earlier,
                an_unknown_client_is_not_found,
                clients_outlive_the_process_and_are_news,
            }
        }
    };
}

/// Every promise of `SplitStore`.
#[macro_export]
macro_rules! split_contract {
    ($factory:expr) => {
        $crate::contract_checks! { $factory;
            split: {
                a_part_is_done_after_its_workspace_or_not_at_all,
                a_part_that_was_cut_off_follows_its_workspace,
                a_part_that_is_refused_since_is_told_to_its_workspace,
            }
        }
    };
}

/// Every promise of `ScrubStore`.
#[macro_export]
macro_rules! scrub_contract {
    ($factory:expr) => {
        $crate::contract_checks! { $factory;
            scrubs: {
                a_scrub_takes_its_own_tier_and_room_alone,
                the_account_and_the_workspace_are_scrubbed_apart,
                history_and_proposals_go_with_their_entries,
                proposals_of_new_entries_are_scrubbed,
                named_entries_stay_if_they_shall,
                a_scrub_whose_rows_changed_since_is_refused,
                a_scrub_is_put_on_record,
                scrubbed_texts_are_known_again,
                a_scrubbed_change_is_none_to_undo,
                a_purge_takes_what_was_said,
                a_scrub_takes_the_reads_of_its_place,
                an_unknown_room_is_not_scrubbed,
                one_entry_is_scrubbed_by_itself,
                a_subject_is_scrubbed_wherever_it_is_named,
                what_says_the_same_and_stays_is_told,
                tiers_are_told_in_figures,
            }
        }
    };
}
