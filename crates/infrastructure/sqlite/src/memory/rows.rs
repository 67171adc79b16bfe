//! Converts rows to domain types and back.

use chrono::{DateTime, Utc};
use inklings_application::memory::store::StoredEntry;
use inklings_domain::{
    forget_reason::ForgetReason,
    memory::{
        Forgotten, Importance, MemoryEntry, Origin,
        change_set::{ChangeOrder, JournalRow},
        text_source::TextSource,
    },
    scope::{MemoryScope, Place},
};
use sqlx::{Row, Sqlite, Type, sqlite::SqliteRow};

use crate::error::{DbError, DbResult};

/// The columns of an entry in the order in which [`entry`] reads them, from `memories` or `memory_versions`.
macro_rules! entry_columns {
    ($table:literal, $id:literal) => {
        concat!(
            $table,
            ".",
            $id,
            ", ",
            $table,
            ".scope, ",
            $table,
            ".channel_id, ",
            $table,
            ".conversation_id, ",
            $table,
            ".lifetime, ",
            $table,
            ".curator, ",
            $table,
            ".source, ",
            $table,
            ".kind, ",
            $table,
            ".name, ",
            $table,
            ".aliases, ",
            $table,
            ".content, ",
            $table,
            ".importance, ",
            $table,
            ".tags, ",
            $table,
            ".pinned, ",
            $table,
            ".external_id, ",
            $table,
            ".session, ",
            $table,
            ".speaker, ",
            $table,
            ".said_at, ",
            $table,
            ".source_conversation_id, ",
            $table,
            ".version, ",
            $table,
            ".written_by, ",
            $table,
            ".change_id, ",
            $table,
            ".forgotten_at, ",
            $table,
            ".forgotten_reason, ",
            $table,
            ".forgotten_run, ",
            $table,
            ".consolidated_into, ",
            $table,
            ".access_count, ",
            $table,
            ".created_at, ",
            $table,
            ".updated_at, ",
            $table,
            ".accessed_at, ",
            $table,
            ".derived_from, ",
            $table,
            ".forgotten_code"
        )
    };
}
pub(crate) use entry_columns;

/// The number of columns in [`entry_columns`].
pub const ENTRY_WIDTH: usize = 32;

/// The columns of a journal row over the alias `j`, in the order in which [`journal`] reads them.
macro_rules! journal_columns {
    () => {
        "j.sequence, j.id, j.action, j.hand, j.door, j.run_id, j.at, j.entries, j.undoes, j.undone_by, \
         j.change_order"
    };
}
pub(crate) use journal_columns;

/// Parses a value that a column holds as text in its stable form.
pub fn parsed<T: std::str::FromStr>(text: &str, column: &'static str) -> DbResult<T> {
    text.parse().map_err(|_| DbError::Row { column })
}

fn word<T: std::str::FromStr>(row: &SqliteRow, at: usize, column: &'static str) -> DbResult<T> {
    parsed(row.try_get::<&str, _>(at)?, column)
}

/// Like [`parsed`], for a column that may be NULL.
pub fn maybe<T: std::str::FromStr>(row: &SqliteRow, at: usize, column: &'static str) -> DbResult<Option<T>> {
    row.try_get::<Option<&str>, _>(at)?.map(|text| parsed(text, column)).transpose()
}

fn plain<'r, T: sqlx::Decode<'r, Sqlite> + Type<Sqlite>>(row: &'r SqliteRow, at: usize) -> DbResult<T> {
    Ok(row.try_get(at)?)
}

/// Reads a number that is never negative.
pub fn count(row: &SqliteRow, at: usize, column: &'static str) -> DbResult<u64> {
    u64::try_from(row.try_get::<i64, _>(at)?).map_err(|_| DbError::Row { column })
}

/// Reads a list of texts from a JSON column.
pub fn texts(row: &SqliteRow, at: usize, column: &'static str) -> DbResult<Vec<String>> {
    serde_json::from_str(row.try_get(at)?).map_err(|_| DbError::Row { column })
}

/// Reads the sources of a text from a JSON column. Most texts have none.
pub fn sources(json: &str) -> DbResult<Vec<TextSource>> {
    const COLUMN: &str = "derived_from";
    if json == "[]" {
        return Ok(Vec::new());
    }
    let words: Vec<String> = serde_json::from_str(json).map_err(|_| DbError::Row { column: COLUMN })?;
    words.iter().map(|word| parsed(word, COLUMN)).collect()
}

/// Converts microseconds since 1970 to a time.
pub fn moment(micros: i64, column: &'static str) -> DbResult<DateTime<Utc>> {
    DateTime::from_timestamp_micros(micros).ok_or(DbError::Row { column })
}

/// Like [`moment`], for a column that may be NULL.
pub fn maybe_moment(row: &SqliteRow, at: usize, column: &'static str) -> DbResult<Option<DateTime<Utc>>> {
    row.try_get::<Option<i64>, _>(at)?.map(|at| moment(at, column)).transpose()
}

/// Converts a time to microseconds since 1970; finer parts are truncated.
pub const fn micros(at: DateTime<Utc>) -> i64 {
    at.timestamp_micros()
}

/// Reads an entry from the columns of `entry_columns!`, which start at `from`.
pub fn entry(row: &SqliteRow, from: usize) -> DbResult<MemoryEntry> {
    let at = |n: usize| from + n;
    Ok(MemoryEntry {
        id: word(row, at(0), "id")?,
        place: place(row, from)?,
        lifetime: word(row, at(4), "lifetime")?,
        curator: word(row, at(5), "curator")?,
        source: plain(row, at(6))?,
        kind: word(row, at(7), "kind")?,
        name: plain(row, at(8))?,
        aliases: texts(row, at(9), "aliases")?,
        content: plain(row, at(10))?,
        importance: Importance::new(plain(row, at(11))?)
            .map_err(|_| DbError::Row { column: "importance" })?,
        tags: texts(row, at(12), "tags")?,
        pinned: plain(row, at(13))?,
        origin: origin(row, at(14))?,
        version: count(row, at(19), "version")?,
        written_by: word(row, at(20), "written_by")?,
        change: word(row, at(21), "change_id")?,
        forgotten: forgotten(row, at(22), at(31))?,
        consolidated_into: maybe(row, at(25), "consolidated_into")?,
        access_count: count(row, at(26), "access_count")?,
        created_at: moment(plain(row, at(27))?, "created_at")?,
        updated_at: moment(plain(row, at(28))?, "updated_at")?,
        accessed_at: moment(plain(row, at(29))?, "accessed_at")?,
        derived_from: sources(row.try_get(at(30))?)?,
    })
}

/// Reads an entry followed by the model of its newest vector.
pub fn stored(row: &SqliteRow) -> DbResult<StoredEntry> {
    Ok(StoredEntry { entry: entry(row, 0)?, embedded_by: plain(row, ENTRY_WIDTH)? })
}

fn place(row: &SqliteRow, from: usize) -> DbResult<Place> {
    let channel = || maybe(row, from + 2, "channel_id")?.ok_or(DbError::Row { column: "channel_id" });
    let conversation =
        || maybe(row, from + 3, "conversation_id")?.ok_or(DbError::Row { column: "conversation_id" });
    Ok(match word(row, from + 1, "scope")? {
        MemoryScope::Account => Place::Account,
        MemoryScope::Workspace => Place::Workspace,
        MemoryScope::Channel => Place::Channel(channel()?),
        MemoryScope::Conversation => Place::Conversation(channel()?, conversation()?),
    })
}

fn origin(row: &SqliteRow, from: usize) -> DbResult<Option<Origin>> {
    let origin = Origin {
        external_id: plain(row, from)?,
        session: plain(row, from + 1)?,
        speaker: plain(row, from + 2)?,
        said_at: plain(row, from + 3)?,
        conversation: maybe(row, from + 4, "source_conversation_id")?,
    };
    Ok((origin != Origin::default()).then_some(origin))
}

fn forgotten(row: &SqliteRow, from: usize, code: usize) -> DbResult<Option<Forgotten>> {
    let Some(at) = plain::<Option<i64>>(row, from)? else { return Ok(None) };
    Ok(Some(Forgotten {
        at: moment(at, "forgotten_at")?,
        reason: forget_reason(plain(row, code)?, plain(row, from + 1)?)?,
        run: maybe(row, from + 2, "forgotten_run")?,
    }))
}

/// The reason why an entry is forgotten, from its code and its text. A row of an earlier release has only a
/// text.
pub fn forget_reason(code: Option<&str>, words: &str) -> DbResult<ForgetReason> {
    let Some(code) = code else { return Ok(ForgetReason::of_text(words)) };
    ForgetReason::of_code(code, Some(words.to_owned())).ok_or(DbError::Row { column: "forgotten_code" })
}

/// Reads a journal row from the columns of `journal_columns!`, which start at `from`.
pub fn journal(row: &SqliteRow, from: usize) -> DbResult<JournalRow> {
    Ok(JournalRow {
        sequence: count(row, from, "sequence")?,
        change: word(row, from + 1, "id")?,
        action: word(row, from + 2, "action")?,
        actor_kind: word(row, from + 3, "hand")?,
        interface: word(row, from + 4, "door")?,
        run: maybe(row, from + 5, "run_id")?,
        at: moment(plain(row, from + 6)?, "at")?,
        entries: count(row, from + 7, "entries")?,
        undoes: maybe(row, from + 8, "undoes")?,
        undone_by: maybe(row, from + 9, "undone_by")?,
        order: ChangeOrder(count(row, from + 10, "change_order")?),
    })
}

/// Formats ids or texts as one JSON argument for `json_each`, so that one prepared statement serves lists of
/// any length.
pub fn json_list(values: impl IntoIterator<Item: ToString>) -> String {
    let texts: Vec<String> = values.into_iter().map(|value| value.to_string()).collect();
    serde_json::Value::from(texts).to_string()
}
