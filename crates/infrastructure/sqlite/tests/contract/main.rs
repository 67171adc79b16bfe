//! The specification of the store: every promise of the storage ports is a test here, and its name says the promise.

mod agent_telemetry;
mod audit;
mod backups;
mod calendars;
mod candidates;
mod catalogue;
mod change_feed;
mod client_writes;
mod clients;
mod conversation_import;
mod conversations;
mod derivations;
mod drifts;
mod facts;
mod history;
mod languages;
mod ledger;
mod lists;
mod locks;
mod meaning_search;
mod memory_switch;
mod named;
mod pages;
mod population;
mod proposals;
mod purges;
mod recall_tests;
mod relocations;
mod runs;
mod saved_searches;
mod schedule;
mod scratchpads;
mod scrubs;
mod settings;
mod split;
mod subjects;
mod summaries;
#[path = "../support/mod.rs"]
mod support;
mod text_search;
mod token_usage;
mod transcript;
mod transcript_search;
mod transcript_vectors;
mod transfer;
mod uses;
mod vectors;
mod writes;

use std::ops::Deref;

use inklings_domain::{
    ids::MemoryId,
    memory::{
        MemoryEntry,
        change_set::{ChangeSet, MemoryWrite},
    },
};
use inklings_ports::backup::BackupStore as _;

use support::{
    TempFolder,
    stage::{Stage, model, named},
};

/// A folder whose databases are checked when its test is over: whatever was written, its checksums hold.
struct CheckedFolder(TempFolder);

impl CheckedFolder {
    fn new() -> Self {
        Self(TempFolder::new())
    }
}

impl Deref for CheckedFolder {
    type Target = TempFolder;

    fn deref(&self) -> &TempFolder {
        &self.0
    }
}

impl Drop for CheckedFolder {
    fn drop(&mut self) {
        if std::thread::panicking() {
            return;
        }
        let catalogue = self.0.open();
        let look = move || {
            let runtime =
                tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
            runtime.block_on(catalogue.damaged_files()).expect("a look")
        };
        // The test still runs on a runtime of its own.
        assert_eq!(std::thread::spawn(look).join().expect("the look ends"), []);
    }
}

/// A stage in a checked folder.
struct CheckedStage {
    // The databases are closed before the folder is checked.
    stage: Stage,
    folder: CheckedFolder,
}

impl CheckedStage {
    async fn new() -> Self {
        let folder = CheckedFolder::new();
        Self { stage: Stage::set(&folder).await, folder }
    }
}

impl Deref for CheckedStage {
    type Target = Stage;

    fn deref(&self) -> &Stage {
        &self.stage
    }
}

/// The ids of entries, sorted.
fn ids<'a>(entries: impl IntoIterator<Item = &'a MemoryEntry>) -> Vec<MemoryId> {
    let mut ids: Vec<MemoryId> = entries.into_iter().map(|e| e.id).collect();
    ids.sort_unstable();
    ids
}

/// Two writes as one change under the first one's stamp.
fn together(mut first: ChangeSet, second: &ChangeSet) -> ChangeSet {
    let adopt = |write: &MemoryWrite| {
        let entry = MemoryEntry { change: first.stamp.change, ..write.entry().clone() };
        match write {
            MemoryWrite::Insert(_) => MemoryWrite::Insert(entry),
            MemoryWrite::Update(_) => MemoryWrite::Update(entry),
            MemoryWrite::Move(_) => MemoryWrite::Move(entry),
        }
    };
    first.writes.extend(second.writes.iter().map(adopt).collect::<Vec<_>>());
    first
}

/// Asserts that a store refused with the errors of a pattern.
macro_rules! refused {
    ($result:expr, $($pattern:tt)+) => {{
        let result = $result;
        assert!(matches!(result, Err($($pattern)+)), "should be refused as {}, got {result:?}", stringify!($($pattern)+));
    }};
}
use refused;
