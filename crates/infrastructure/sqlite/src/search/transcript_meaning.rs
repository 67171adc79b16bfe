//! Vector search over messages: an exact scan of the unrounded vectors of one model in memory. The cosine of a message is
//! that of its best passage.
//!
//! The text of a message does not change once it is complete, so new vectors are only appended, after the
//! number of the last loaded vector. Removals (a deleted conversation, a text that was imported again) raise
//! the clock's epoch; then the vectors that no longer exist are dropped.

use std::{
    borrow::Cow,
    collections::{HashMap, HashSet},
    ops::Range,
    sync::{Arc, PoisonError, RwLock},
};

use inklings_application::search::transcript_store::{MessageHit, TranscriptFilter};
use inklings_domain::memory::embedding::ModelId;
use sqlx::{Row, sqlite::SqliteRow};
use tokio::task;

use super::{
    quantise::{MAX_DIMENSION, exact},
    rows,
    transcript::{HIT, hit, push_conversations},
    utterances::{Comparison, Neighbours, TextVectors, compare, cosine},
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

/// Concatenated vectors, in the order in which they were stored. Those of the passages of a message stand together.
#[derive(Debug, Default)]
struct Rows {
    dimension: usize,
    entries: Vec<Entry>,
    numbers: Vec<f32>,
    /// Index of the first vector of each message.
    by_message: HashMap<i64, usize>,
    /// The passages of messages that have several, by the number of the vector of the first.
    passages: HashMap<i64, Vec<Range<u32>>>,
    conversations: Vec<String>,
    by_conversation: HashMap<String, u32>,
}

#[derive(Debug, Clone, Copy)]
struct Entry {
    /// Number of the vector; that of the first for the other passages of a message.
    vector: i64,
    /// Number of its message.
    message: i64,
    /// Index into the conversations.
    conversation: u32,
}

impl Rows {
    /// Adds the vectors of a message. `passages` are those behind the first; then the first ends at `first_end`.
    fn push(&mut self, entry: (i64, i64, &str), first: &[f32], first_end: u32, passages: &[Behind]) {
        let (vector, message, conversation) = entry;
        if self.dimension != first.len() {
            // The model's folder holds other files now: the newest vector decides the dimension.
            *self = Self { dimension: first.len(), ..Self::default() };
        }
        let conversation = self.by_conversation.get(conversation).copied().unwrap_or_else(|| {
            let index = self.conversations.len() as u32;
            self.conversations.push(conversation.to_owned());
            self.by_conversation.insert(conversation.to_owned(), index);
            index
        });
        self.by_message.insert(message, self.entries.len());
        self.entries.push(Entry { vector, message, conversation });
        self.numbers.extend_from_slice(first);
        let fitting: Vec<&Behind> =
            passages.iter().filter(|other| other.numbers.len() == first.len()).collect();
        if fitting.is_empty() {
            return;
        }
        let mut ranges = Vec::with_capacity(fitting.len() + 1);
        ranges.push(0..first_end);
        for passage in fitting {
            self.entries.push(Entry { vector, message, conversation });
            self.numbers.extend_from_slice(&passage.numbers);
            ranges.push(passage.range.clone());
        }
        self.passages.insert(vector, ranges);
    }

    fn retain(&mut self, left: &HashSet<i64>) {
        let (dimension, mut new_length) = (self.dimension, 0);
        for at in 0..self.entries.len() {
            if left.contains(&self.entries[at].vector) {
                self.entries[new_length] = self.entries[at];
                self.numbers.copy_within(at * dimension..(at + 1) * dimension, new_length * dimension);
                new_length += 1;
            }
        }
        self.entries.truncate(new_length);
        self.numbers.truncate(new_length * dimension);
        self.by_message.clear();
        for (at, entry) in self.entries.iter().enumerate() {
            self.by_message.entry(entry.message).or_insert(at);
        }
        self.passages.retain(|vector, _| left.contains(vector));
    }

    /// The nearest messages in conversations within scope, nearest first, ties newest first.
    fn nearest(&self, vector: &[f32], within: &HashSet<String>, limit: usize) -> Vec<Near> {
        if vector.len() != self.dimension || limit == 0 {
            return Vec::new();
        }
        let seen: Vec<bool> =
            self.conversations.iter().map(|conversation| within.contains(conversation)).collect();
        // The first row of each message, and the greatest product of its rows.
        let mut rough: Vec<(usize, f32)> = Vec::with_capacity(self.entries.len());
        let mut last = None;
        for (at, (entry, numbers)) in
            self.entries.iter().zip(self.numbers.chunks_exact(self.dimension)).enumerate()
        {
            if !seen[entry.conversation as usize] {
                continue;
            }
            let product = product(numbers, vector);
            match rough.last_mut().filter(|_| last == Some(entry.vector)) {
                Some((_, greatest)) => *greatest = greatest.max(product),
                None => rough.push((at, product)),
            }
            last = Some(entry.vector);
        }
        let mut products: Vec<f32> = rough.iter().map(|(_, product)| *product).collect();
        let bar = if products.len() > limit {
            let (_, bar, _) = products.select_nth_unstable_by(limit - 1, |a, b| b.total_cmp(a));
            *bar - 2.0 * SLACK
        } else {
            f32::NEG_INFINITY
        };
        let close = rough.into_iter().filter(|(_, product)| *product >= bar);
        let mut nearest: Vec<Near> = close.map(|(at, _)| self.exactly(at, vector)).collect();
        nearest
            .sort_unstable_by(|a, b| b.cosine.total_cmp(&a.cosine).then_with(|| b.message.cmp(&a.message)));
        nearest.truncate(limit);
        nearest
    }

    /// The message whose first row this is, with the exact cosine of its best passage.
    fn exactly(&self, first: usize, vector: &[f32]) -> Near {
        let entry = self.entries[first];
        let ranges = self.passages.get(&entry.vector);
        let cosine = |at: usize| exact(&self.numbers[at * self.dimension..(at + 1) * self.dimension], vector);
        let mut near = Near { message: entry.message, cosine: cosine(first), passage: None };
        for (n, range) in ranges.into_iter().flatten().enumerate() {
            let cosine = if n == 0 { near.cosine } else { cosine(first + n) };
            if n == 0 || cosine > near.cosine {
                near = Near { cosine, passage: Some(range.start as usize..range.end as usize), ..near };
            }
        }
        near
    }
}

/// The passages of a message stand together, the first before the others.
impl TextVectors for Rows {
    fn first(&self, message: i64) -> Option<Cow<'_, [f32]>> {
        let at = *self.by_message.get(&message)? * self.dimension;
        self.numbers.get(at..at + self.dimension).map(Cow::Borrowed)
    }

    fn nearest_behind(&self, message: i64, query: &[f32]) -> Option<f64> {
        let behind = *self.by_message.get(&message)? + 1;
        let others = self.entries.get(behind..)?.iter().take_while(|entry| entry.message == message).count();
        let numbers = self.numbers.get(behind * self.dimension..(behind + others) * self.dimension)?;
        numbers.chunks_exact(self.dimension).map(|vector| cosine(query, vector)).max_by(f64::total_cmp)
    }
}

/// A message with the cosine of its best passage, and that passage if it has several.
#[derive(Debug)]
struct Near {
    message: i64,
    cosine: f64,
    passage: Option<Range<usize>>,
}

/// A passage behind the first.
struct Behind {
    range: Range<u32>,
    numbers: Vec<f32>,
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

    /// Messages compared with a query. There is no result for any if the query has another dimension.
    pub fn compare(&self, messages: &[Neighbours], query: &[f32]) -> Vec<Option<Comparison>> {
        let rows = self.rows.read().unwrap_or_else(PoisonError::into_inner);
        if rows.dimension == query.len() { compare(&*rows, query, messages) } else { Vec::new() }
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
                "SELECT v.seq AS vector_seq, m.seq, m.conversation_id, v.first_end, v.vector \
                 FROM message_vectors AS v \
                 CROSS JOIN messages AS m ON m.workspace_id = v.workspace_id AND m.id = v.message_id \
                 WHERE v.seq > ? AND v.model = ? ORDER BY v.seq LIMIT ?",
            )
            .bind(last)
            .bind(self.model.as_str())
            .bind(BATCH)
            .fetch_all(&db.reader())
            .await?;
            let mut behind = self.passages(db, &page).await?;
            let mut rows = self.rows.write().unwrap_or_else(PoisonError::into_inner);
            for row in &page {
                last = row.try_get("vector_seq")?;
                let numbers = rows::numbers(row.try_get("vector")?);
                if (1..=MAX_DIMENSION).contains(&numbers.len()) {
                    let entry = (last, row.try_get("seq")?, row.try_get("conversation_id")?);
                    let first_end =
                        u32::try_from(row.try_get::<Option<i64>, _>("first_end")?.unwrap_or_default());
                    let passages = behind.remove(&last).unwrap_or_default();
                    rows.push(entry, &numbers, first_end.unwrap_or_default(), &passages);
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

    /// The passages behind the first of a page's messages, by the number of the first one's vector. Vectors are never
    /// changed under one number, so these belong together.
    async fn passages(&self, db: &Database, page: &[SqliteRow]) -> DbResult<HashMap<i64, Vec<Behind>>> {
        let mut long: Vec<i64> = Vec::new();
        for row in page {
            if row.try_get::<Option<i64>, _>("first_end")?.is_some_and(|end| end > 0) {
                long.push(row.try_get("vector_seq")?);
            }
        }
        let mut behind: HashMap<i64, Vec<Behind>> = HashMap::new();
        if long.is_empty() {
            return Ok(behind);
        }
        let rows = sqlx::query(
            "SELECT v.seq AS vector_seq, p.starts, p.ends, p.vector FROM json_each(?) AS j \
             CROSS JOIN message_vectors AS v ON v.seq = j.value \
             CROSS JOIN message_passages AS p \
             ON p.workspace_id = v.workspace_id AND p.message_id = v.message_id AND p.model = v.model \
             ORDER BY v.seq, p.ordinal",
        )
        .bind(serde_json::Value::from(long).to_string())
        .fetch_all(&db.reader())
        .await?;
        for row in &rows {
            let passage =
                Behind { range: rows::passage(row)?, numbers: rows::numbers(row.try_get("vector")?) };
            behind.entry(row.try_get("vector_seq")?).or_default().push(passage);
        }
        Ok(behind)
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
    push_conversations(&mut sql, scope_filter);
    if let Some(id) = scope_filter.conversation {
        sql.push(" AND c.workspace_id = ").push_bind(db.workspace_id().to_string());
        sql.push(" AND c.id = ").push_bind(id.to_string());
    }
    let ids: Vec<String> = sql.build_query_scalar().fetch_all(&db.reader()).await?;
    Ok(ids.into_iter().collect())
}

/// Reads the rows of messages found in memory. Messages that no longer exist are dropped.
async fn hits(db: &Database, nearest: Vec<Near>) -> DbResult<Vec<MessageHit>> {
    let seqs: Vec<i64> = nearest.iter().map(|near| near.message).collect();
    let mut sql = Sql::new("SELECT m.seq, ");
    sql.push(HIT).push(" FROM json_each(").push_bind(serde_json::Value::from(seqs).to_string());
    sql.push(") AS j CROSS JOIN messages AS m ON m.seq = j.value ORDER BY j.key");
    let rows = sql.build().fetch_all(&db.reader()).await?;
    let mut nearest: HashMap<i64, Near> = nearest.into_iter().map(|near| (near.message, near)).collect();
    let mut hits = Vec::with_capacity(rows.len());
    for row in &rows {
        let near = nearest.remove(&row.try_get("seq")?);
        let score = near.as_ref().map_or(0.0, |near| near.cosine);
        hits.push(MessageHit { passage: near.and_then(|near| near.passage), ..hit(row, score)? });
    }
    Ok(hits)
}
