//! Exports rows to a file and imports them. The fields of a file are the columns of its tables, so one
//! description of their kinds serves reading and writing.

mod history;
mod intent;
mod read;
mod unknown_fields;
mod values;
mod write;

use chrono::{DateTime, Utc};
use inklings_application::{
    store_error::StoreError,
    transfer::{
        shape::Section,
        store::{ImportStamp, TransferSnapshot, TransferStore, TransferWriter},
    },
};

pub use self::intent::carry_out;
use self::{read::Snapshot, write::Writer};
use crate::store::SqliteStore;

/// The table of a section, and its key columns in the order of the file.
const fn table(section: Section) -> (&'static str, &'static [&'static str]) {
    match section {
        // The default channel comes first, whatever its id.
        Section::Channels => ("channels", &["NOT t.is_default", "t.id"]),
        Section::Conversations => ("conversations", &["t.id"]),
        Section::Memories | Section::NamedEntries => ("memories", &["t.id"]),
        Section::Messages => ("messages", &["t.conversation_id", "t.position"]),
        Section::Episodes => ("episodes", &["t.id"]),
        Section::Facts => ("facts", &["t.id"]),
        Section::Scratchpads => ("scratchpads", &["t.conversation_id", "t.key"]),
        Section::Journal => ("journal", &["t.sequence"]),
    }
}

/// Where a nested list is stored: its table, the column of the parent row, and its order.
const fn list_table(section: Section, list: &str) -> (&'static str, &'static str, &'static str) {
    match (section, list.as_bytes()) {
        (Section::Messages, b"passages") => ("message_passages", "message_id", "model, ordinal"),
        (Section::Messages, _) => ("message_vectors", "message_id", "seq"),
        (Section::Facts, b"values") => ("fact_values", "fact_id", "version"),
        (Section::Facts, _) => ("fact_claims", "fact_id", "at, id"),
        (_, b"history") => ("memory_versions", "memory_id", "version"),
        (_, b"passages") => ("memory_passages", "memory_id", "model, ordinal"),
        _ => ("memory_vectors", "memory_id", "rowid"),
    }
}

#[async_trait::async_trait]
impl TransferStore for SqliteStore {
    async fn snapshot(&self, now: DateTime<Utc>) -> Result<Box<dyn TransferSnapshot>, StoreError> {
        Ok(Box::new(self.public(Snapshot::begin(self, now).await)?))
    }

    async fn begin_transfer(&self, stamp: ImportStamp) -> Result<Box<dyn TransferWriter>, StoreError> {
        if stamp.follows.is_some() {
            crate::memory::intents::settle(self).await;
        }
        Ok(Box::new(self.public(Writer::begin(self, stamp).await)?))
    }
}
