//! The checksum of an entry. It detects damage to stored text. It protects against accidents, not against
//! tampering. ADR 19 says what it covers and why.

use futures::TryStreamExt;
use inklings_domain::{forget_reason::ForgetReason, ids::MemoryId, memory::MemoryEntry};
use sha2::{Digest, Sha256};
use sqlx::{Row, SqliteConnection, sqlite::SqliteRow};

use super::{
    commit::{list_json, sources_json},
    rows::micros,
};
use crate::error::DbResult;

/// The columns that the checksum covers, in the order in which [`of_row`] reads them, followed by the
/// checksum itself and the row number. A version has all of them, so it keeps the checksum of the entry.
/// Files of earlier releases have no code.
macro_rules! select {
    ($id:literal, $from:literal) => {
        select!($id, "forgotten_code", $from)
    };
    ($id:literal, $code:literal, $from:literal) => {
        concat!(
            "SELECT ",
            $id,
            ", version, change_id, scope, lifetime, curator, kind, importance, pinned, source, written_by, created_at, \
             updated_at, forgotten_at, forgotten_reason, forgotten_run, consolidated_into, external_id, session, speaker, \
             said_at, source_conversation_id, derived_from, tags, name, aliases, content, ",
            $code,
            ", checksum, rowid FROM ",
            $from
        )
    };
}
const REASON: usize = 14;
const CODE: usize = 27;
const CHECKSUM: usize = CODE + 1;
const ROW: usize = CHECKSUM + 1;

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

/// The checksum of an entry before it is written.
pub fn of_entry(entry: &MemoryEntry) -> i64 {
    let origin = entry.origin.as_ref();
    let forgotten = entry.forgotten.as_ref();
    Sum::default()
        .text(Some(entry.id.to_string()))
        .whole(Some(entry.version as i64))
        .text(Some(entry.change.to_string()))
        .text(Some(entry.scope().as_str()))
        .text(Some(entry.lifetime.as_str()))
        .text(Some(entry.curator.as_str()))
        .text(Some(entry.kind.as_str()))
        .real(entry.importance.get())
        .whole(Some(entry.pinned.into()))
        .text(Some(&*entry.source))
        .text(Some(entry.written_by.as_str()))
        .whole(Some(micros(entry.created_at)))
        .whole(Some(micros(entry.updated_at)))
        .whole(forgotten.map(|f| micros(f.at)))
        .text(forgotten.map(|f| f.reason.note().unwrap_or_default()))
        .text(forgotten.and_then(|f| f.run).map(|run| run.to_string()))
        .text(entry.consolidated_into.map(|id| id.to_string()))
        .text(origin.and_then(|o| o.external_id.as_deref()))
        .text(origin.and_then(|o| o.session.as_deref()))
        .text(origin.and_then(|o| o.speaker.as_deref()))
        .text(origin.and_then(|o| o.said_at.as_deref()))
        .text(origin.and_then(|o| o.conversation).map(|id| id.to_string()))
        .text(Some(sources_json(entry)))
        .text(Some(list_json(&entry.tags)))
        .text(entry.name.as_deref())
        .text(Some(list_json(&entry.aliases)))
        .text(Some(&*entry.content))
        .more(forgotten.map(|f| f.reason.code()))
        .done()
}

/// The checksum of a stored row. Reads the raw column values, because damage may have made them undecodable.
fn of_row(row: &SqliteRow) -> DbResult<i64> {
    let text = |n: usize| row.try_get_unchecked::<Option<&[u8]>, _>(n);
    let whole = |n: usize| row.try_get_unchecked::<Option<i64>, _>(n);
    let sum = Sum::default()
        .text(text(0)?)
        .whole(whole(1)?)
        .text(text(2)?)
        .text(text(3)?)
        .text(text(4)?)
        .text(text(5)?)
        .text(text(6)?)
        .real(row.try_get_unchecked(7)?)
        .whole(whole(8)?)
        .text(text(9)?)
        .text(text(10)?)
        .whole(whole(11)?)
        .whole(whole(12)?)
        .whole(whole(13)?);
    let sum = (14..CODE).try_fold(sum, |sum, n| DbResult::Ok(sum.text(text(n)?)))?;
    Ok(sum.more(text(CODE)?).done())
}

/// Sets the checksum of an entry, within the transaction that wrote it without one.
pub async fn seal(conn: &mut SqliteConnection, workspace: &str, id: &str) -> DbResult<()> {
    let row = sqlx::query(select!("id", "memories WHERE workspace_id = ? AND id = ?"))
        .bind(workspace)
        .bind(id)
        .fetch_one(&mut *conn)
        .await?;
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
    for (read, code, write) in [
        (
            select!("id", "memories WHERE forgotten_at IS NOT NULL AND rowid > ? ORDER BY rowid LIMIT ?"),
            "UPDATE memories SET forgotten_reason = ?, forgotten_code = ? WHERE rowid = ?",
            "UPDATE memories SET checksum = ? WHERE rowid = ?",
        ),
        (
            select!(
                "memory_id",
                "memory_versions WHERE forgotten_at IS NOT NULL AND rowid > ? ORDER BY rowid LIMIT ?"
            ),
            "UPDATE memory_versions SET forgotten_reason = ?, forgotten_code = ? WHERE rowid = ?",
            "UPDATE memory_versions SET checksum = ? WHERE rowid = ?",
        ),
    ] {
        let mut last = i64::MIN;
        loop {
            let rows = sqlx::query(read).bind(last).bind(BATCH).fetch_all(&mut *conn).await?;
            for row in &rows {
                let before = last;
                last = row.try_get(ROW)?;
                // Damage may have made the text undecodable: then it stays unchanged.
                let Ok(words) = str::from_utf8(row.try_get_unchecked(REASON)?) else { continue };
                let reason = ForgetReason::of_text(words);
                let note = reason.note().unwrap_or_default();
                sqlx::query(code).bind(note).bind(reason.code()).bind(last).execute(&mut *conn).await?;
                if row.try_get::<Option<i64>, _>(CHECKSUM)? == Some(of_row(row)?) {
                    let coded = sqlx::query(read).bind(before).bind(1).fetch_one(&mut *conn).await?;
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
    let coded: bool = sqlx::query_scalar(
        "SELECT EXISTS (SELECT 1 FROM pragma_table_info('memories') WHERE name = 'forgotten_code')",
    )
    .fetch_one(&mut *conn)
    .await?;
    let statements = if coded {
        [select!("id", "memories"), select!("memory_id", "memory_versions")]
    } else {
        [select!("id", "NULL", "memories"), select!("memory_id", "NULL", "memory_versions")]
    };
    for (statement, of_versions) in statements.into_iter().zip([false, true]) {
        let mut rows = sqlx::query(statement).fetch(&mut *conn);
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
