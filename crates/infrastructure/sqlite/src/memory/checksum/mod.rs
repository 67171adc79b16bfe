//! The checksum of an entry. It detects damage to stored text. It protects against accidents, not against
//! tampering. ADR 19 says what it covers and why.

use std::sync::LazyLock;

use futures::TryStreamExt;
use inklings_domain::{forget_reason::ForgetReason, ids::MemoryId};
use sha2::{Digest, Sha256};
use sqlx::{AssertSqlSafe, Row, SqliteConnection, sqlite::SqliteRow};

use super::entry_row::{COVERED, Kind, Value, position};
use crate::error::DbResult;

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
const CHECKSUM: usize = COVERED.len();
const ROW: usize = CHECKSUM + 1;

/// The columns of [`COVERED`], then the checksum and the row number, of entries or versions. A file of an earlier release
/// lacks the later ones.
async fn select(conn: &mut SqliteConnection, table: &str, rest: &str) -> DbResult<String> {
    let here: Vec<String> =
        sqlx::query_scalar("SELECT name FROM pragma_table_info(?)").bind(table).fetch_all(conn).await?;
    Ok(select_of(table, rest, |column| here.iter().any(|name| name == column)))
}

fn select_of(table: &str, rest: &str, has: impl Fn(&str) -> bool) -> String {
    let columns: String = COVERED
        .iter()
        .map(|(column, kind)| match (*column, kind) {
            ("id", _) if table == "memory_versions" => "memory_id, ".to_owned(),
            (column, Kind::Added | Kind::Named) if !has(column) => "NULL, ".to_owned(),
            (column, _) => format!("{column}, "),
        })
        .collect();
    format!("SELECT {columns}checksum, rowid FROM {table} {rest}")
}

/// The row of an entry, in a file that was migrated. An import reads it for every entry.
static BY_ID: LazyLock<String> =
    LazyLock::new(|| select_of("memories", "WHERE workspace_id = ? AND id = ?", |_| true));

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
    let covered = COVERED.iter().zip(POSITIONS);
    covered
        .fold(Sum::default(), |sum, ((column, kind), at)| match &values[at] {
            Value::Text(text) if matches!(kind, Kind::Named) => sum.named(column, text.as_deref()),
            Value::Text(text) if matches!(kind, Kind::Added) => sum.more(text.as_deref()),
            Value::Text(text) => sum.text(text.as_deref()),
            Value::Whole(number) => sum.whole(*number),
            Value::Real(number) => sum.real(*number),
        })
        .done()
}

/// The checksum of a stored row. Reads the raw column values, because damage may have made them undecodable.
fn of_row(row: &SqliteRow) -> DbResult<i64> {
    let sum = COVERED.iter().enumerate().try_fold(Sum::default(), |sum, (at, (column, kind))| {
        DbResult::Ok(match kind {
            Kind::Text => sum.text(row.try_get_unchecked::<Option<&[u8]>, _>(at)?),
            Kind::Added => sum.more(row.try_get_unchecked::<Option<&[u8]>, _>(at)?),
            Kind::Named => sum.named(column, row.try_get_unchecked::<Option<&[u8]>, _>(at)?),
            Kind::Whole => sum.whole(row.try_get_unchecked(at)?),
            Kind::Real => sum.real(row.try_get_unchecked(at)?),
        })
    })?;
    Ok(sum.done())
}

/// Sets the checksum of an entry, within the transaction that wrote it without one.
pub async fn seal(conn: &mut SqliteConnection, workspace: &str, id: &str) -> DbResult<()> {
    let row = sqlx::query(BY_ID.as_str()).bind(workspace).bind(id).fetch_one(&mut *conn).await?;
    sqlx::query("UPDATE memories SET checksum = ? WHERE seq = ?")
        .bind(of_row(&row)?)
        .bind(row.try_get::<i64, _>(ROW)?)
        .execute(conn)
        .await?;
    Ok(())
}

/// Sets the reason code of every forgotten entry and version, which earlier releases stored only as a
/// sentence. A valid checksum is updated; an invalid one shows damage and stays.
pub async fn give_codes(conn: &mut SqliteConnection) -> DbResult<()> {
    for (table, code, write) in [
        (
            "memories",
            "UPDATE memories SET forgotten_reason = ?, forgotten_code = ? WHERE rowid = ?",
            "UPDATE memories SET checksum = ? WHERE rowid = ?",
        ),
        (
            "memory_versions",
            "UPDATE memory_versions SET forgotten_reason = ?, forgotten_code = ? WHERE rowid = ?",
            "UPDATE memory_versions SET checksum = ? WHERE rowid = ?",
        ),
    ] {
        let read = select(conn, table, "WHERE forgotten_at IS NOT NULL AND rowid > ? ORDER BY rowid LIMIT ?")
            .await?;
        let mut last = i64::MIN;
        loop {
            let rows =
                sqlx::query(AssertSqlSafe(read.clone())).bind(last).bind(BATCH).fetch_all(&mut *conn).await?;
            for row in &rows {
                let before = last;
                last = row.try_get(ROW)?;
                // Damage may have made the text undecodable: then it stays unchanged.
                let Ok(words) = str::from_utf8(row.try_get_unchecked(REASON)?) else { continue };
                let reason = ForgetReason::of_text(words);
                let note = reason.note().unwrap_or_default();
                sqlx::query(code).bind(note).bind(reason.code()).bind(last).execute(&mut *conn).await?;
                if row.try_get::<Option<i64>, _>(CHECKSUM)? == Some(of_row(row)?) {
                    let coded = sqlx::query(AssertSqlSafe(read.clone()))
                        .bind(before)
                        .bind(1)
                        .fetch_one(&mut *conn)
                        .await?;
                    sqlx::query(write).bind(of_row(&coded)?).bind(last).execute(&mut *conn).await?;
                }
            }
            if rows.is_empty() {
                break;
            }
        }
    }
    Ok(())
}

/// Every entry (`ID`) and every version (`ID@VERSION`) with an invalid or missing checksum.
pub async fn damaged(conn: &mut SqliteConnection) -> DbResult<Vec<String>> {
    let mut found = Vec::new();
    for (table, of_versions) in [("memories", false), ("memory_versions", true)] {
        let statement = select(conn, table, "").await?;
        let mut rows = sqlx::query(AssertSqlSafe(statement)).fetch(&mut *conn);
        while let Some(row) = rows.try_next().await? {
            if row.try_get::<Option<i64>, _>(CHECKSUM)? != Some(of_row(&row)?) {
                found.push(named(&row, of_versions)?);
            }
        }
    }
    Ok(found)
}

/// The name of a row in reports: its id if that can still be read.
fn named(row: &SqliteRow, of_versions: bool) -> DbResult<String> {
    let id = str::from_utf8(row.try_get_unchecked::<&[u8], _>(0)?).ok();
    let Some(id) = id.and_then(|id| id.parse::<MemoryId>().ok()) else {
        return Ok(format!("row {}", row.try_get::<i64, _>(ROW)?));
    };
    let version: i64 = row.try_get_unchecked(1)?;
    Ok(if of_versions { format!("{id}@{version}") } else { id.to_string() })
}

#[cfg(test)]
mod tests;
