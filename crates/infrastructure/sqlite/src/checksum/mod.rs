//! The checksum of a row that holds text. It detects damage to stored text. It protects against accidents, not
//! against tampering. ADR 19 says what it covers and why.

use std::sync::LazyLock;

use futures::TryStreamExt;
use inklings_domain::{forget_reason::ForgetReason, ids::MemoryId};
use sha2::{Digest, Sha256};
use sqlx::{AssertSqlSafe, Row, SqliteConnection, sqlite::SqliteRow};

use self::tables::{ENTRIES, TABLES, Table, VERSIONS};
use crate::{
    error::DbResult,
    rows::entry_row::{COVERED, Kind, Value, position},
};

pub mod tables;

const POSITIONS: [usize; COVERED.len()] = {
    let mut positions = [0; COVERED.len()];
    let mut at = 0;
    while at < COVERED.len() {
        positions[at] = position(COVERED[at].0);
        at += 1;
    }
    positions
};
const REASON: usize = 14;

/// The columns of a table in this file. Empty if there is no such table.
async fn columns_of(conn: &mut SqliteConnection, table: &Table) -> DbResult<Vec<String>> {
    let columns = sqlx::query_scalar("SELECT name FROM pragma_table_info(?)");
    Ok(columns.bind(table.name).fetch_all(conn).await?)
}

/// The columns that the checksum covers, then the checksum and the key of the row. A file of an earlier release lacks
/// the later ones; `None` if it has no checksums in this table.
async fn select(conn: &mut SqliteConnection, table: &Table, rest: &str) -> DbResult<Option<String>> {
    let here = columns_of(conn, table).await?;
    let has = |column: &str| here.iter().any(|name| name == column);
    Ok(has("checksum").then(|| select_of(table, rest, has)))
}

fn select_of(table: &Table, rest: &str, has: impl Fn(&str) -> bool) -> String {
    let columns: String = table
        .covered
        .iter()
        .map(|(column, kind)| match (*column, kind) {
            ("id", _) => format!("{}, ", table.id),
            (column, Kind::Added | Kind::Named | Kind::NamedWhole) if !has(column) => "NULL, ".to_owned(),
            (column, _) => format!("{column}, "),
        })
        .collect();
    format!("SELECT {columns}checksum, {} FROM {} {rest}", table.key.join(", "), table.name)
}

/// The row of an entry, in a file that was migrated. An import reads it for every entry.
static BY_ID: LazyLock<String> =
    LazyLock::new(|| select_of(&ENTRIES, "WHERE workspace_id = ? AND id = ?", |_| true));

/// Rows that are read before they are written.
const BATCH: i64 = 500;

#[derive(Default)]
struct Sum(Sha256);

impl Sum {
    fn text(mut self, text: Option<impl AsRef<[u8]>>) -> Self {
        if let Some(text) = text {
            let text = text.as_ref();
            // The length separates columns: the end of one cannot count as the beginning of the next.
            self.0.update([1]);
            self.0.update((text.len() as u64).to_le_bytes());
            self.0.update(text);
        } else {
            self.0.update([0]);
        }
        self
    }

    /// Adds a column of a later release: without a value the checksum does not change.
    fn more(self, text: Option<impl AsRef<[u8]>>) -> Self {
        if text.is_some() { self.text(text) } else { self }
    }

    fn named(self, column: &str, text: Option<impl AsRef<[u8]>>) -> Self {
        if text.is_some() { self.text(Some(column)).text(text) } else { self }
    }

    fn named_whole(self, column: &str, number: Option<i64>) -> Self {
        if number.is_some() { self.text(Some(column)).whole(number) } else { self }
    }

    fn whole(mut self, number: Option<i64>) -> Self {
        if let Some(number) = number {
            self.0.update([2]);
            self.0.update(number.to_le_bytes());
        } else {
            self.0.update([0]);
        }
        self
    }

    fn real(mut self, number: f64) -> Self {
        self.0.update([3]);
        // SQLite stores no negative zero.
        self.0.update((number + 0.0).to_le_bytes());
        self
    }

    fn done(self) -> i64 {
        let mut first = [0; 8];
        first.copy_from_slice(&self.0.finalize()[..8]);
        i64::from_be_bytes(first)
    }
}

/// The checksum of an entry before it is written, from the values of its row.
pub fn of_values(values: &[Value<'_>]) -> i64 {
    of_covered(COVERED.iter().zip(POSITIONS).map(|((name, kind), at)| (*name, *kind, &values[at])))
}

/// The checksum of a row before it is written, from the values of the columns with these names.
pub fn of_columns(table: &Table, columns: &[&str], values: &[Value<'_>]) -> i64 {
    const NONE: &Value<'_> = &Value::Text(None);
    let value = |name: &str| columns.iter().position(|column| *column == name).map_or(NONE, |at| &values[at]);
    of_covered(table.covered.iter().map(|(name, kind)| (*name, *kind, value(name))))
}

fn of_covered<'v>(covered: impl Iterator<Item = (&'static str, Kind, &'v Value<'v>)>) -> i64 {
    covered
        .fold(Sum::default(), |sum, (column, kind, value)| match value {
            Value::Text(text) if matches!(kind, Kind::Named) => sum.named(column, text.as_deref()),
            Value::Text(text) if matches!(kind, Kind::Added) => sum.more(text.as_deref()),
            Value::Text(text) => sum.text(text.as_deref()),
            Value::Whole(number) if matches!(kind, Kind::NamedWhole) => sum.named_whole(column, *number),
            Value::Whole(number) => sum.whole(*number),
            Value::Real(number) => sum.real(*number),
        })
        .done()
}

/// The checksum of a stored row. Reads the raw column values, because damage may have made them undecodable.
fn of_row(row: &SqliteRow, table: &Table) -> DbResult<i64> {
    let sum = table.covered.iter().enumerate().try_fold(Sum::default(), |sum, (at, (column, kind))| {
        DbResult::Ok(match kind {
            Kind::Text => sum.text(row.try_get_unchecked::<Option<&[u8]>, _>(at)?),
            Kind::Added => sum.more(row.try_get_unchecked::<Option<&[u8]>, _>(at)?),
            Kind::Named => sum.named(column, row.try_get_unchecked::<Option<&[u8]>, _>(at)?),
            Kind::NamedWhole => sum.named_whole(column, row.try_get_unchecked(at)?),
            Kind::Whole => sum.whole(row.try_get_unchecked(at)?),
            Kind::Real => sum.real(row.try_get_unchecked(at)?),
        })
    })?;
    Ok(sum.done())
}

/// True if the row has the checksum of what it holds.
fn is_intact(row: &SqliteRow, table: &Table) -> DbResult<bool> {
    Ok(row.try_get::<Option<i64>, _>(table.checksum_at())? == Some(of_row(row, table)?))
}

/// Sets the checksum of an entry, within the transaction that wrote it without one.
pub async fn seal(conn: &mut SqliteConnection, workspace: &str, id: &str) -> DbResult<()> {
    let row = sqlx::query(BY_ID.as_str()).bind(workspace).bind(id).fetch_one(&mut *conn).await?;
    write_sum(conn, &ENTRIES, &row).await
}

/// Sets the checksums of the rows that a condition selects, within the transaction that wrote them without one. The
/// first of the values is the workspace (`?1`); the others stand for `?2` and so on.
pub async fn seal_rows(
    conn: &mut SqliteConnection,
    table: &Table,
    which: &str,
    values: &[&str],
) -> DbResult<()> {
    for row in rows_of(conn, table, which, values).await? {
        write_sum(conn, table, &row).await?;
    }
    Ok(())
}

/// True if all rows that a condition selects (see [`seal_rows`]) have the checksum of what they hold.
pub async fn are_intact(
    conn: &mut SqliteConnection,
    table: &Table,
    which: &str,
    values: &[&str],
) -> DbResult<bool> {
    let rows = rows_of(conn, table, which, values).await?;
    rows.iter().try_fold(true, |intact, row| Ok(intact && is_intact(row, table)?))
}

async fn rows_of(
    conn: &mut SqliteConnection,
    table: &Table,
    which: &str,
    values: &[&str],
) -> DbResult<Vec<SqliteRow>> {
    // The condition is a constant of this program, and its values are bound.
    let read = select_of(table, &format!("WHERE workspace_id = ?1 AND {which}"), |_| true);
    let mut query = sqlx::query(AssertSqlSafe(read));
    for value in values {
        query = query.bind((*value).to_owned());
    }
    Ok(query.fetch_all(conn).await?)
}

async fn write_sum(conn: &mut SqliteConnection, table: &Table, row: &SqliteRow) -> DbResult<()> {
    let (key, sum) = (key_of(row, table)?, of_row(row, table)?);
    write_sum_of(conn, &table.sealing(), &key, sum).await
}

async fn write_sum_of(
    conn: &mut SqliteConnection,
    sealing: &str,
    key: &[Value<'static>],
    sum: i64,
) -> DbResult<()> {
    // The statement is one of this program's own.
    let mut query = sqlx::query(AssertSqlSafe(sealing.to_owned())).bind(sum);
    for part in key {
        query = match part {
            Value::Text(text) => query.bind(text.as_deref().map(str::to_owned)),
            Value::Whole(number) => query.bind(*number),
            Value::Real(number) => query.bind(*number),
        };
    }
    query.execute(conn).await?;
    Ok(())
}

/// The values of the key of a row.
fn key_of(row: &SqliteRow, table: &Table) -> DbResult<Vec<Value<'static>>> {
    let parts = table.key_at()..table.key_at() + table.key.len();
    parts
        .map(|at| {
            Ok(match row.try_get::<i64, _>(at) {
                Ok(number) => Value::Whole(Some(number)),
                Err(_) => Value::Text(Some(row.try_get::<String, _>(at)?.into())),
            })
        })
        .collect()
}

/// The tables that have checksums in this file.
pub async fn tables_with(conn: &mut SqliteConnection) -> DbResult<Vec<&'static str>> {
    let mut names = Vec::new();
    for table in TABLES {
        if columns_of(conn, table).await?.iter().any(|name| name == "checksum") {
            names.push(table.name);
        }
    }
    Ok(names)
}

/// Sets the checksums of all rows of the tables that had none before: their names are not in `before`.
pub async fn seal_standing(conn: &mut SqliteConnection, before: &[&str]) -> DbResult<()> {
    // A damaged row may violate a CHECK. It does not stop a migration.
    sqlx::raw_sql("PRAGMA ignore_check_constraints = ON").execute(&mut *conn).await?;
    let sealed = seal_standing_rows(conn, before).await;
    sqlx::raw_sql("PRAGMA ignore_check_constraints = OFF").execute(&mut *conn).await?;
    sealed
}

async fn seal_standing_rows(conn: &mut SqliteConnection, before: &[&str]) -> DbResult<()> {
    for table in TABLES.iter().filter(|table| !before.contains(&table.name)) {
        let Some(read) = select(conn, table, "").await? else { continue };
        let mut sums = Vec::new();
        let mut rows = sqlx::query(AssertSqlSafe(read)).fetch(&mut *conn);
        while let Some(row) = rows.try_next().await? {
            // A row whose key cannot be read is damaged, and stays without a checksum.
            if let Ok(key) = key_of(&row, table) {
                sums.push((key, of_row(&row, table)?));
            }
        }
        drop(rows);
        let sealing = table.sealing();
        for (key, sum) in sums {
            write_sum_of(conn, &sealing, &key, sum).await?;
        }
    }
    Ok(())
}

/// Sets the reason code of every forgotten entry and version, which earlier releases stored only as a
/// sentence. A valid checksum is updated; an invalid one shows damage and stays.
pub async fn give_codes(conn: &mut SqliteConnection) -> DbResult<()> {
    for (table, code, write) in [
        (
            &ENTRIES,
            "UPDATE memories SET forgotten_reason = ?, forgotten_code = ? WHERE rowid = ?",
            "UPDATE memories SET checksum = ? WHERE rowid = ?",
        ),
        (
            &VERSIONS,
            "UPDATE memory_versions SET forgotten_reason = ?, forgotten_code = ? WHERE rowid = ?",
            "UPDATE memory_versions SET checksum = ? WHERE rowid = ?",
        ),
    ] {
        let which = "WHERE forgotten_at IS NOT NULL AND rowid > ? ORDER BY rowid LIMIT ?";
        let Some(read) = select(conn, table, which).await? else { continue };
        let mut last = i64::MIN;
        loop {
            let rows =
                sqlx::query(AssertSqlSafe(read.clone())).bind(last).bind(BATCH).fetch_all(&mut *conn).await?;
            for row in &rows {
                let before = last;
                last = row.try_get(table.key_at())?;
                // Damage may have made the text undecodable: then it stays unchanged.
                let Ok(words) = str::from_utf8(row.try_get_unchecked(REASON)?) else { continue };
                let reason = ForgetReason::of_text(words);
                let note = reason.note().unwrap_or_default();
                sqlx::query(code).bind(note).bind(reason.code()).bind(last).execute(&mut *conn).await?;
                if is_intact(row, table)? {
                    let coded = sqlx::query(AssertSqlSafe(read.clone()))
                        .bind(before)
                        .bind(1)
                        .fetch_one(&mut *conn)
                        .await?;
                    sqlx::query(write).bind(of_row(&coded, table)?).bind(last).execute(&mut *conn).await?;
                }
            }
            if rows.is_empty() {
                break;
            }
        }
    }
    Ok(())
}

/// Every row with an invalid or missing checksum: entries as `ID`, their versions as `ID@VERSION`, others with a word
/// before (`message ID`).
pub async fn damaged(conn: &mut SqliteConnection) -> DbResult<Vec<String>> {
    let mut found = Vec::new();
    for table in TABLES {
        let Some(statement) = select(conn, table, "").await? else { continue };
        let mut rows = sqlx::query(AssertSqlSafe(statement)).fetch(&mut *conn);
        while let Some(row) = rows.try_next().await? {
            if !is_intact(&row, table)? {
                found.push(named(&row, table)?);
            }
        }
    }
    Ok(found)
}

/// The name of a row in reports: its id if that can still be read, never its text.
fn named(row: &SqliteRow, table: &Table) -> DbResult<String> {
    let id = str::from_utf8(row.try_get_unchecked::<&[u8], _>(0)?).ok();
    let Some(id) = id.and_then(|id| id.parse::<MemoryId>().ok()) else {
        return Ok(match row.try_get::<i64, _>(table.key_at()) {
            Ok(row) => format!("{}row {row}", table.word),
            Err(_) => format!("{}row of an unreadable id", table.word),
        });
    };
    if !table.has_versions {
        return Ok(format!("{}{id}", table.word));
    }
    let version: i64 = row.try_get_unchecked(1)?;
    Ok(format!("{}{id}@{version}", table.word))
}

#[cfg(test)]
mod tests;
