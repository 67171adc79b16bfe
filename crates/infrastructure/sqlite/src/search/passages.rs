//! Writes and reads what a text has beside the row of its vector: the vectors of the other passages of a long text, and the codes
//! of the words of a short one.

use inklings_domain::memory::embedding::EmbeddingModel;
use inklings_ports::memory::vector_store::TextVectors;
use sqlx::{AssertSqlSafe, SqliteConnection};

use super::{rows::blob, word_codes};
use crate::error::DbResult;

/// A table of passages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Table {
    /// Of entries.
    Memories,
    Messages,
    Pages,
}

impl Table {
    /// Its name, and the column of the text's id.
    const fn names(self) -> (&'static str, &'static str) {
        match self {
            Self::Memories => ("memory_passages", "memory_id"),
            Self::Messages => ("message_passages", "message_id"),
            Self::Pages => ("page_passages", "page_id"),
        }
    }

    /// The table of the codes of the same texts. Pages are compared by their passages alone.
    const fn word_codes(self) -> Option<word_codes::Table> {
        match self {
            Self::Memories => Some(word_codes::MEMORIES),
            Self::Messages => Some(word_codes::MESSAGES),
            Self::Pages => None,
        }
    }
}

/// What the row of a text holds: where the first of several passages ends, and the first vector.
pub fn first(vectors: &TextVectors) -> (Option<i64>, &[f32]) {
    match vectors {
        TextVectors::One(one) => (None, &one.vector),
        TextVectors::Passages(passages) => match passages.first() {
            Some(first) => (Some(bytes(first.range.end)), &first.vector),
            None => (None, &[]),
        },
    }
}

/// Writes the passages behind the first and the codes of words, in place of earlier ones. The row of the text exists. `text` is its
/// workspace and id.
pub async fn replace(
    conn: &mut SqliteConnection,
    table: Table,
    text: &(String, String),
    model: &EmbeddingModel,
    vectors: &TextVectors,
) -> DbResult<()> {
    if let Some(codes) = table.word_codes() {
        word_codes::replace(conn, codes, text, model, vectors).await?;
    }
    let (table, key) = table.names();
    let delete = format!("DELETE FROM {table} WHERE workspace_id = ? AND {key} = ? AND model = ?");
    sqlx::query(AssertSqlSafe(delete))
        .bind(&text.0)
        .bind(&text.1)
        .bind(model.id.as_str())
        .execute(&mut *conn)
        .await?;
    let TextVectors::Passages(passages) = vectors else { return Ok(()) };
    let insert = format!(
        "INSERT INTO {table} (workspace_id, {key}, model, ordinal, starts, ends, dimension, vector) \
         VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
    );
    for (at, passage) in passages.iter().enumerate().skip(1) {
        sqlx::query(AssertSqlSafe(insert.clone()))
            .bind(&text.0)
            .bind(&text.1)
            .bind(model.id.as_str())
            .bind(bytes(at + 1))
            .bind(bytes(passage.range.start))
            .bind(bytes(passage.range.end))
            .bind(bytes(model.dimension))
            .bind(blob(&passage.vector))
            .execute(&mut *conn)
            .await?;
    }
    Ok(())
}

fn bytes(count: usize) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}
