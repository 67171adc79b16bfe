//! Vector search over messages: an exact scan of the unrounded vectors of one model in memory.
//!
//! The text of a message does not change once it is complete, so new vectors are only appended, after the
//! number of the last loaded vector. Removals (a deleted conversation, a text that was imported again) raise
//! the clock's epoch; then the vectors that no longer exist are dropped.

use std::{
    collections::{HashMap, HashSet},
    sync::{Arc, PoisonError, RwLock},
};

use inklings_application::conversation::search_store::{MessageHit, TranscriptFilter};
use inklings_domain::memory::embedding::ModelId;
use sqlx::Row;
use tokio::task;

use super::{
    quantise::{MAX_DIMENSION, exact},
    rows,
    transcript::{HIT, hit, push_rooms},
};
use crate::{
    connection::Database,
    error::{DbError, DbResult},
    memory::filter_sql::Sql,
};

/// Vectors read at once while loading.
const BATCH: i64 = 1_000;
/// The largest difference between a product summed in f32 and the exact one. Generous for unit vectors of any
/// dimension; it only costs a few more exact products.
const SLACK: f32 = 1.0e-3;
/// Number of partial sums, so that the compiler can use SIMD registers.
const LANES: usize = 16;

/// The vectors of one model in memory.
#[derive(Debug)]
pub struct MessageVectors {
    model: ModelId,
    rows: RwLock<Rows>,
    /// The position of the loaded vectors in the database. Locked during updates.
    cursor: tokio::sync::Mutex<Option<Cursor>>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Cursor {
    epoch: i64,
    /// Number of the last loaded vector.
    vector: i64,
}

/// Concatenated vectors, in the order in which they were stored.
#[derive(Debug, Default)]
struct Rows {
    dimension: usize,
    entries: Vec<Entry>,
    numbers: Vec<f32>,
    /// Index of the vector of each message.
    by_message: HashMap<i64, usize>,
    conversations: Vec<String>,
    by_conversation: HashMap<String, u32>,
}

#[derive(Debug, Clone, Copy)]
struct Entry {
    /// Number of the vector.
    vector: i64,
    /// Number of its message.
    message: i64,
    /// Index into the conversations.
    conversation: u32,
}

impl Rows {
    fn push(&mut self, vector: i64, message: i64, conversation: &str, numbers: &[f32]) {
        if self.dimension != numbers.len() {
            // The model's folder holds other files now: the newest vector decides the dimension.
            *self = Self { dimension: numbers.len(), ..Self::default() };
        }
        let conversation = self.by_conversation.get(conversation).copied().unwrap_or_else(|| {
            let index = self.conversations.len() as u32;
            self.conversations.push(conversation.to_owned());
            self.by_conversation.insert(conversation.to_owned(), index);
            index
        });
        self.by_message.insert(message, self.entries.len());
        self.entries.push(Entry { vector, message, conversation });
        self.numbers.extend_from_slice(numbers);
    }

    fn retain(&mut self, left: &HashSet<i64>) {
        let (dimension, mut kept) = (self.dimension, 0);
        for at in 0..self.entries.len() {
            if left.contains(&self.entries[at].vector) {
                self.entries[kept] = self.entries[at];
                self.numbers.copy_within(at * dimension..(at + 1) * dimension, kept * dimension);
                kept += 1;
            }
        }
        self.entries.truncate(kept);
        self.numbers.truncate(kept * dimension);
        self.by_message = self.entries.iter().enumerate().map(|(at, entry)| (entry.message, at)).collect();
    }

    /// The nearest messages in conversations within scope: number and cosine, nearest first, ties newest
    /// first.
    fn nearest(&self, vector: &[f32], within: &HashSet<String>, limit: usize) -> Vec<(i64, f64)> {
        if vector.len() != self.dimension || limit == 0 {
            return Vec::new();
        }
        let seen: Vec<bool> =
            self.conversations.iter().map(|conversation| within.contains(conversation)).collect();
        let rough: Vec<(usize, f32)> = self
            .entries
            .iter()
            .zip(self.numbers.chunks_exact(self.dimension))
            .enumerate()
            .filter(|(_, (entry, _))| seen[entry.conversation as usize])
            .map(|(at, (_, numbers))| (at, product(numbers, vector)))
            .collect();
        let mut products: Vec<f32> = rough.iter().map(|(_, product)| *product).collect();
        let bar = if products.len() > limit {
            let (_, bar, _) = products.select_nth_unstable_by(limit - 1, |a, b| b.total_cmp(a));
            *bar - 2.0 * SLACK
        } else {
            f32::NEG_INFINITY
        };
        let close = rough.into_iter().filter(|(_, product)| *product >= bar);
        let mut nearest: Vec<(i64, f64)> = close
            .map(|(at, _)| {
                let numbers = &self.numbers[at * self.dimension..(at + 1) * self.dimension];
                (self.entries[at].message, exact(numbers, vector))
            })
            .collect();
        nearest.sort_unstable_by(|a, b| b.1.total_cmp(&a.1).then_with(|| b.0.cmp(&a.0)));
        nearest.truncate(limit);
        nearest
    }
}

fn product(a: &[f32], b: &[f32]) -> f32 {
    let mut sums = [0.0_f32; LANES];
    let (whole_a, rest_a) = a.as_chunks::<LANES>();
    let (whole_b, rest_b) = b.as_chunks::<LANES>();
    for (x, y) in whole_a.iter().zip(whole_b) {
        for lane in 0..LANES {
            sums[lane] += x[lane] * y[lane];
        }
    }
    sums.iter().sum::<f32>() + rest_a.iter().zip(rest_b).map(|(x, y)| x * y).sum::<f32>()
}

impl MessageVectors {
    /// An empty index for a model.
    pub fn new(model: ModelId) -> Self {
        Self { model, rows: RwLock::default(), cursor: tokio::sync::Mutex::new(None) }
    }

    /// The `limit` nearest messages, nearest first.
    pub async fn search(
        self: &Arc<Self>,
        db: &Database,
        vector: &[f32],
        scope_filter: &TranscriptFilter,
        limit: usize,
    ) -> DbResult<Vec<MessageHit>> {
        let direction = vector.iter().all(|x| x.is_finite()) && vector.iter().any(|x| *x != 0.0);
        if limit == 0 || !direction || vector.len() > MAX_DIMENSION {
            return Ok(Vec::new());
        }
        self.catch_up(db).await?;
        let within = conversations(db, scope_filter).await?;
        let (this, vector) = (Arc::clone(self), vector.to_vec());
        let nearest = task::spawn_blocking(move || {
            this.rows.read().unwrap_or_else(PoisonError::into_inner).nearest(&vector, &within, limit)
        });
        let nearest = nearest
            .await
            .map_err(|_| DbError::Io(std::io::Error::other("the search by meaning broke off")))?;
        hits(db, nearest).await
    }

    /// The vectors of the messages with these row numbers. Those of another dimension are left out.
    pub fn vectors(&self, seqs: &[i64], dimension: usize) -> HashMap<i64, Vec<f32>> {
        let rows = self.rows.read().unwrap_or_else(PoisonError::into_inner);
        if rows.dimension != dimension {
            return HashMap::new();
        }
        let vector = |seq: &i64| {
            let at = *rows.by_message.get(seq)? * dimension;
            Some((*seq, rows.numbers.get(at..at + dimension)?.to_vec()))
        };
        seqs.iter().filter_map(vector).collect()
    }

    /// Loads new vectors and drops those that no longer exist.
    pub async fn catch_up(&self, db: &Database) -> DbResult<()> {
        let mut cursor = self.cursor.lock().await;
        let row = sqlx::query(
            "SELECT epoch, (SELECT coalesce(max(seq), 0) FROM message_vectors) AS newest FROM message_clock",
        )
        .fetch_one(&db.reader())
        .await?;
        let now = Cursor { epoch: row.try_get("epoch")?, vector: row.try_get("newest")? };
        if cursor.is_some_and(|at| at.epoch == now.epoch && at.vector >= now.vector) {
            return Ok(());
        }
        let mut last = cursor.map_or(0, |at| at.vector);
        loop {
            let page = sqlx::query(
                "SELECT v.seq AS vector_seq, m.seq, m.conversation_id, v.vector FROM message_vectors AS v \
                 CROSS JOIN messages AS m ON m.workspace_id = v.workspace_id AND m.id = v.message_id \
                 WHERE v.seq > ? AND v.model = ? ORDER BY v.seq LIMIT ?",
            )
            .bind(last)
            .bind(self.model.as_str())
            .bind(BATCH)
            .fetch_all(&db.reader())
            .await?;
            let mut rows = self.rows.write().unwrap_or_else(PoisonError::into_inner);
            for row in &page {
                last = row.try_get("vector_seq")?;
                let numbers = rows::numbers(row.try_get("vector")?);
                if (1..=MAX_DIMENSION).contains(&numbers.len()) {
                    rows.push(last, row.try_get("seq")?, row.try_get("conversation_id")?, &numbers);
                }
            }
            drop(rows);
            // Stored after every page, so that a cancelled search does not load anything twice.
            *cursor = Some(Cursor { epoch: cursor.map_or(now.epoch, |at| at.epoch), vector: last });
            if (page.len() as i64) < BATCH {
                break;
            }
        }
        if cursor.is_some_and(|at| at.epoch != now.epoch) {
            self.drop_gone(db).await?;
        }
        *cursor = Some(Cursor { epoch: now.epoch, vector: last.max(now.vector) });
        Ok(())
    }

    async fn drop_gone(&self, db: &Database) -> DbResult<()> {
        let left: Vec<i64> = sqlx::query_scalar("SELECT seq FROM message_vectors WHERE model = ?")
            .bind(self.model.as_str())
            .fetch_all(&db.reader())
            .await?;
        let left: HashSet<i64> = left.into_iter().collect();
        self.rows.write().unwrap_or_else(PoisonError::into_inner).retain(&left);
        Ok(())
    }
}

/// The conversations within scope.
async fn conversations(db: &Database, scope_filter: &TranscriptFilter) -> DbResult<HashSet<String>> {
    let mut sql = Sql::new("SELECT c.id FROM conversations AS c WHERE ");
    push_rooms(&mut sql, scope_filter);
    if let Some(id) = scope_filter.conversation {
        sql.push(" AND c.workspace_id = ").push_bind(db.workspace_id().to_string());
        sql.push(" AND c.id = ").push_bind(id.to_string());
    }
    let ids: Vec<String> = sql.build_query_scalar().fetch_all(&db.reader()).await?;
    Ok(ids.into_iter().collect())
}

/// Reads the rows of messages found in memory. Messages that no longer exist are dropped.
async fn hits(db: &Database, nearest: Vec<(i64, f64)>) -> DbResult<Vec<MessageHit>> {
    let seqs: Vec<i64> = nearest.iter().map(|(seq, _)| *seq).collect();
    let mut sql = Sql::new("SELECT m.seq, ");
    sql.push(HIT).push(" FROM json_each(").push_bind(serde_json::Value::from(seqs).to_string());
    sql.push(") AS j CROSS JOIN messages AS m ON m.seq = j.value ORDER BY j.key");
    let rows = sql.build().fetch_all(&db.reader()).await?;
    let scores: HashMap<i64, f64> = nearest.into_iter().collect();
    rows.iter().map(|row| hit(row, scores.get(&row.try_get("seq")?).copied().unwrap_or(0.0))).collect()
}
