//! The tables whose rows have checksums, with the columns that the checksum covers.

use crate::rows::entry_row::{COVERED, Kind};

/// A table whose rows have a checksum each.
pub struct Table {
    /// The name in the database.
    pub name: &'static str,
    /// What a row is called in reports, with a space behind; empty for entries.
    pub word: &'static str,
    /// The columns that the checksum covers, in its order. The first one is the id of the row.
    pub covered: &'static [(&'static str, Kind)],
    /// The column that `id` stands for in `covered`.
    pub id: &'static str,
    /// True if the second covered column is the version, which belongs to the name of the row.
    pub has_versions: bool,
    /// The columns by which one row is found again.
    pub key: &'static [&'static str],
}

impl Table {
    /// The position of the checksum in a row.
    pub const fn checksum_at(&self) -> usize {
        self.covered.len()
    }

    /// The position of the first column of the key in a row.
    pub const fn key_at(&self) -> usize {
        self.covered.len() + 1
    }

    /// The statement that sets the checksum of a row.
    pub fn sealing(&self) -> String {
        format!("UPDATE {} SET checksum = ? WHERE {} = ?", self.name, self.key.join(" = ? AND "))
    }
}

const ROW: &[&str] = &["rowid"];

const PLAIN: Table = Table { name: "", word: "", covered: COVERED, id: "id", has_versions: false, key: ROW };

/// Entries.
pub const ENTRIES: Table = Table { name: "memories", ..PLAIN };

/// Earlier versions of entries.
pub const VERSIONS: Table = Table { name: "memory_versions", id: "memory_id", has_versions: true, ..PLAIN };

/// Messages. Importance, delivery and the mark of an episode change without the text.
pub const MESSAGES: Table = Table {
    name: "messages",
    word: "message ",
    covered: &[
        ("id", Kind::Text),
        ("conversation_id", Kind::Text),
        ("position", Kind::Whole),
        ("role", Kind::Text),
        ("at", Kind::Whole),
        ("tool_call_id", Kind::Text),
        ("tool_name", Kind::Text),
        ("tool_calls", Kind::Text),
        ("archive_id", Kind::Text),
        ("archive_name", Kind::Text),
        ("archived_at", Kind::Whole),
        ("through", Kind::Whole),
        ("external_id", Kind::Text),
        ("session", Kind::Text),
        ("speaker", Kind::Text),
        ("said_at", Kind::Text),
        ("content", Kind::Text),
        ("attached_name", Kind::Named),
    ],
    ..PLAIN
};

/// Facts. Earlier releases took the conversation off them when it was deleted.
pub const FACTS: Table = Table {
    name: "facts",
    word: "fact ",
    covered: &[
        ("id", Kind::Text),
        ("version", Kind::Whole),
        ("category", Kind::Text),
        ("category_folded", Kind::Text),
        ("key", Kind::Text),
        ("key_folded", Kind::Text),
        ("source", Kind::Text),
        ("written_by", Kind::Text),
        ("created_at", Kind::Whole),
        ("updated_at", Kind::Whole),
        ("removed_at", Kind::Whole),
        ("value", Kind::Text),
        ("holds_from", Kind::NamedWhole),
        ("holds_until", Kind::NamedWhole),
        ("known_by", Kind::Named),
    ],
    ..PLAIN
};

/// Earlier values of facts.
pub const FACT_VALUES: Table = Table {
    name: "fact_values",
    word: "fact ",
    covered: &[
        ("id", Kind::Text),
        ("version", Kind::Whole),
        ("source", Kind::Text),
        ("from_at", Kind::Whole),
        ("until_at", Kind::Whole),
        ("removed", Kind::Whole),
        ("value", Kind::Text),
        ("holds_from", Kind::NamedWhole),
        ("holds_until", Kind::NamedWhole),
        ("known_by", Kind::Named),
    ],
    id: "fact_id",
    has_versions: true,
    ..PLAIN
};

/// Claims against facts. They are settled without a change of text.
pub const FACT_CLAIMS: Table = Table {
    name: "fact_claims",
    word: "claim ",
    covered: &[("id", Kind::Text), ("fact_id", Kind::Text), ("at", Kind::Whole), ("value", Kind::Text)],
    ..PLAIN
};

/// Summaries of parts of conversations. They are removed without a change of text.
pub const EPISODES: Table = Table {
    name: "episodes",
    word: "summary ",
    covered: &[
        ("id", Kind::Text),
        ("maker", Kind::Text),
        ("turn_count", Kind::Whole),
        ("source_ids", Kind::Text),
        ("from_at", Kind::Whole),
        ("until_at", Kind::Whole),
        ("created_at", Kind::Whole),
        ("summary", Kind::Text),
    ],
    ..PLAIN
};

/// Working notes. Reading one moves its end.
pub const NOTES: Table = Table {
    name: "scratchpads",
    word: "working note of conversation ",
    covered: &[
        ("id", Kind::Text),
        ("key", Kind::Text),
        ("created_at", Kind::Whole),
        ("updated_at", Kind::Whole),
        ("ttl_seconds", Kind::Whole),
        ("value", Kind::Text),
    ],
    id: "conversation_id",
    key: &["conversation_id", "key"],
    ..PLAIN
};

/// All of them, in the order of reports.
pub const TABLES: &[Table] = &[ENTRIES, VERSIONS, MESSAGES, FACTS, FACT_VALUES, FACT_CLAIMS, EPISODES, NOTES];
