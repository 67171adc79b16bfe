//! The stores in memory keep the promises of the ports, and the macros run every check there is.

use std::{collections::BTreeSet, sync::Arc};

use super::{catalogue::InMemoryCatalogue, contract::StoreFactory};
use crate::ports::catalogue::Catalogue;

#[async_trait::async_trait]
impl StoreFactory for InMemoryCatalogue {
    async fn catalogue(&self) -> Arc<dyn Catalogue> {
        Arc::new(self.another_process())
    }
}

mod memory_store {
    crate::memory_store_contract!(super::InMemoryCatalogue::default());
}
mod memory_search {
    crate::memory_search_contract!(super::InMemoryCatalogue::default());
}
mod vector_store {
    crate::vector_store_contract!(super::InMemoryCatalogue::default());
}
mod room_store {
    crate::room_store_contract!(super::InMemoryCatalogue::default());
}
mod conversation_import {
    crate::conversation_import_contract!(super::InMemoryCatalogue::default());
}
mod transcript {
    crate::transcript_contract!(super::InMemoryCatalogue::default());
}
mod transcript_search {
    crate::transcript_search_contract!(super::InMemoryCatalogue::default());
}
mod fact_store {
    crate::fact_store_contract!(super::InMemoryCatalogue::default());
}
mod scratchpad {
    crate::scratchpad_contract!(super::InMemoryCatalogue::default());
}
mod proposal {
    crate::proposal_contract!(super::InMemoryCatalogue::default());
}
mod run {
    crate::run_contract!(super::InMemoryCatalogue::default());
}
mod schedule {
    crate::schedule_contract!(super::InMemoryCatalogue::default());
}
mod ledger {
    crate::ledger_contract!(super::InMemoryCatalogue::default());
}
mod split {
    crate::split_contract!(super::InMemoryCatalogue::default());
}
mod audit {
    crate::audit_contract!(super::InMemoryCatalogue::default());
}
mod backup {
    crate::backup_contract!(super::InMemoryCatalogue::default());
}
mod scrub {
    crate::scrub_contract!(super::InMemoryCatalogue::default());
}
mod transfer {
    crate::transfer_contract!(super::InMemoryCatalogue::default());
}
mod settings {
    crate::settings_contract!(super::InMemoryCatalogue::default());
}
mod change_feed {
    crate::change_feed_contract!(super::InMemoryCatalogue::default());
}
mod client {
    crate::client_contract!(super::InMemoryCatalogue::default());
}
mod client_write {
    crate::client_write_contract!(super::InMemoryCatalogue::default());
}
mod catalogue {
    crate::catalogue_contract!(super::InMemoryCatalogue::default());
}

/// A check that no macro names would never run, and nothing would say so.
#[test]
fn every_check_is_run_by_a_macro() {
    let macros = concat!(include_str!("contract/macros.rs"), include_str!("contract/macros_files.rs"));
    let checks = [
        include_str!("contract/audit.rs"),
        include_str!("contract/backups.rs"),
        include_str!("contract/catalogue.rs"),
        include_str!("contract/change_feed.rs"),
        include_str!("contract/client_writes.rs"),
        include_str!("contract/clients.rs"),
        include_str!("contract/conversation_import.rs"),
        include_str!("contract/facts.rs"),
        include_str!("contract/history.rs"),
        include_str!("contract/ledger.rs"),
        include_str!("contract/lists.rs"),
        include_str!("contract/locks.rs"),
        include_str!("contract/meaning_search.rs"),
        include_str!("contract/memory_switch.rs"),
        include_str!("contract/named.rs"),
        include_str!("contract/proposals.rs"),
        include_str!("contract/room_changes.rs"),
        include_str!("contract/rooms.rs"),
        include_str!("contract/runs.rs"),
        include_str!("contract/schedule.rs"),
        include_str!("contract/scratchpads.rs"),
        include_str!("contract/scrubs.rs"),
        include_str!("contract/settings.rs"),
        include_str!("contract/summaries.rs"),
        include_str!("contract/text_search.rs"),
        include_str!("contract/transcript.rs"),
        include_str!("contract/transcript_search.rs"),
        include_str!("contract/transcript_vectors.rs"),
        include_str!("contract/transfer.rs"),
        include_str!("contract/uses.rs"),
        include_str!("contract/vectors.rs"),
        include_str!("contract/writes.rs"),
    ];
    let written: BTreeSet<&str> = checks
        .iter()
        .flat_map(|source| source.lines())
        .filter_map(|line| line.strip_prefix("pub async fn ")?.split('(').next())
        .collect();
    let run: BTreeSet<&str> = macros
        .lines()
        .filter_map(|line| line.trim().strip_suffix(','))
        .filter(|line| line.contains('_') && line.chars().all(|c| c.is_ascii_lowercase() || c == '_'))
        .collect();
    assert!(written.len() > 100);
    assert_eq!(written.difference(&run).collect::<Vec<_>>(), Vec::<&&str>::new());
}
