//! Converts rows to domain types and back: single columns, a row of the journal, and an entry (`entry_row`); and writes many rows in
//! one statement (`insert`).

pub(crate) mod entry_row;
pub(crate) mod insert;

use chrono::{DateTime, Utc};
use inklings_domain::{
    forget_reason::ForgetReason,
    memory::{change_set::ChangeOrder, change_set::JournalRow, text_source::TextSource},
};
use sqlx::{Row, Sqlite, Type, sqlite::SqliteRow};

use crate::error::{DbError, DbResult};

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
