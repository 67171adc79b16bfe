//! INSERT statements of many rows.

use std::borrow::Cow;

use sqlx::{Sqlite, query::Query, query_builder::Separated, sqlite::SqliteArguments};

use super::entry_row::Value;

/// Rows of one statement. A full-text index writes its words out before each statement that can fail in the middle, however many
/// bytes of them it may collect, so that fewer statements leave fewer segments to merge.
pub const ROWS_PER_INSERT: usize = 512;
/// The most variables of a statement: SQLite's own bound.
const MOST_VARIABLES: usize = 32_766;

/// True if a statement of [`ROWS_PER_INSERT`] rows may have so many variables for each.
pub const fn may_have(variables_per_row: usize) -> bool {
    ROWS_PER_INSERT * variables_per_row <= MOST_VARIABLES
}

/// Binds a value of a row.
pub fn push_value(row: &mut Separated<'_, Sqlite, &str>, value: Value<'_>) {
    match value {
        Value::Text(text) => row.push_bind(text.map(Cow::into_owned)),
        Value::Whole(number) => row.push_bind(number),
        Value::Real(number) => row.push_bind(number),
    };
}

/// Keeps the compiled statement for the next one if that is likely to have as many rows. A compiled statement of hundreds of rows
/// takes about a megabyte.
pub fn kept_if_usual(
    query: Query<'_, Sqlite, SqliteArguments>,
    rows: usize,
) -> Query<'_, Sqlite, SqliteArguments> {
    query.persistent(rows == 1 || rows == ROWS_PER_INSERT)
}
