//! Exports rows to a file and imports them. The fields of a file are the columns of its tables, so one
//! description of their kinds serves reading and writing.

mod history;
pub(crate) mod intent;
mod marks;
mod port;
mod read;
mod unknown_fields;
mod values;
mod write;

use inklings_ports::transfer::shape::Section;

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
