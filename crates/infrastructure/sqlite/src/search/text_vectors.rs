//! The vectors of messages and pages of one model, and how they are loaded.
//!
//! A vector is never changed under its number: a changed text loses its vectors and gets new ones. So new vectors are only
//! added, after the number of the last loaded vector. Removals raise the clock's epoch; then the vectors that no longer
//! exist are dropped.

use std::{
    collections::{HashMap, HashSet},
    fmt,
    hash::Hash,
    ops::Range,
    str::FromStr,
    sync::Arc,
};

use inklings_domain::memory::{embedding::ModelId, filter::Activity};
use sqlx::{Row, sqlite::SqliteRow};

use super::{
    matrix::{AskedVector, Scan},
    rows,
    utterances::{Comparison, Neighbours},
    vector_index::{Near, Newer, VectorFile, VectorIndex},
};
use crate::{connection::Database, error::DbResult, rows::parsed, vector::quantise::MAX_DIMENSION};

/// Vectors read at once while loading.
const BATCH: i64 = 1_000;

/// Statements that read the vectors of a kind of texts.
#[derive(Debug, Clone, Copy)]
pub struct Texts {
    /// The epoch of the clock, and the number of the newest vector.
    pub clock: &'static str,
    /// Vectors after the number `?1` of the model `?2`, at most `?3`, with the number of their text and its place: the
    /// conversation of a message, the vault of a page.
    pub load: &'static str,
    /// The first vectors with these numbers.
    pub firsts: &'static str,
    /// The passages behind the first of the vectors with these numbers.
    pub passages: &'static str,
    /// The numbers of all vectors of the model `?1`.
    pub left: &'static str,
}

/// The vectors of one model in memory, of texts in places of the type `P`.
#[derive(Debug)]
pub struct TextVectors<P> {
    texts: Texts,
    index: Arc<VectorIndex<P>>,
    /// The position of the loaded vectors in the database. Locked during updates.
    cursor: tokio::sync::Mutex<Option<Cursor>>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Cursor {
    epoch: i64,
    /// Number of the last loaded vector.
    vector: i64,
}

/// A passage behind the first.
struct Behind {
    range: Range<u32>,
    numbers: Vec<f32>,
}

impl<P: Copy + Eq + Hash + FromStr + fmt::Debug + Send + Sync + 'static> TextVectors<P> {
    /// An empty index for a model, which retains at most `whole_bytes` bytes of unrounded vectors.
    pub fn new(texts: Texts, model: ModelId, whole_bytes: usize) -> Self {
        let index = Arc::new(VectorIndex::new(model, whole_bytes));
        Self { texts, index, cursor: tokio::sync::Mutex::new(None) }
    }

    /// The `limit` nearest texts in these places, nearest first, ties newest first.
    pub async fn search(
        &self,
        db: &Database,
        vector: &[f32],
        within: HashSet<P>,
        limit: usize,
    ) -> DbResult<Vec<Near>> {
        let asked = AskedVector::new(vector).filter(|_| limit > 0);
        let Some(asked) = asked else { return Ok(Vec::new()) };
        self.catch_up(db).await?;
        let within = Box::new(move |place| within.contains(&place));
        let scan = Arc::new(Scan { asked, within, activity: Activity::Active, among: None });
        if let Some(nearest) = self.index.nearest_in_memory(&scan, limit).await? {
            return Ok(nearest);
        }
        let file = TextFile { vectors: self, db, query: vector };
        let nearest = self.index.nearest_in_file(&file, &scan, limit).await?;
        Ok(nearest.into_iter().map(|(near, ())| near).collect())
    }

    /// Texts compared with a query. There is no result for any if the query has another dimension.
    pub fn compare(&self, texts: &[Neighbours], query: &[f32]) -> Vec<Option<Comparison>> {
        self.index.compare(texts, query)
    }

    /// Loads new vectors and drops those that no longer exist.
    pub async fn catch_up(&self, db: &Database) -> DbResult<()> {
        let mut cursor = self.cursor.lock().await;
        let row = sqlx::query(self.texts.clock).fetch_one(&db.reader()).await?;
        let now = Cursor { epoch: row.try_get("epoch")?, vector: row.try_get("newest")? };
        if cursor.is_some_and(|at| at.epoch == now.epoch && at.vector >= now.vector) {
            return Ok(());
        }
        let mut last = cursor.map_or(0, |at| at.vector);
        loop {
            let page = sqlx::query(self.texts.load)
                .bind(last)
                .bind(self.index.model().as_str())
                .bind(BATCH)
                .fetch_all(&db.reader())
                .await?;
            let mut behind = self.passages(db, &long(&page)?).await?;
            let mut slot = self.index.write();
            for row in &page {
                last = row.try_get("vector_seq")?;
                let vector = rows::numbers(row.try_get("vector")?);
                if !(1..=MAX_DIMENSION).contains(&vector.len()) {
                    continue;
                }
                let matrix = self.index.matrix_for(&mut slot, vector.len(), Newer::Added, 0);
                let seq = row.try_get("seq")?;
                matrix.put((seq, last), parsed(row.try_get("place")?, "place")?, true, &vector);
                if let Some(passages) = behind.remove(&last) {
                    let first_end = row.try_get::<i64, _>("first_end")?;
                    matrix.begin_passages(seq, u32::try_from(first_end).unwrap_or_default());
                    for passage in passages {
                        matrix.add_passage(seq, passage.range, &passage.numbers);
                    }
                }
            }
            drop(slot);
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

    /// The passages behind the first of the vectors with these numbers. Vectors are never changed under one number, so these belong
    /// together.
    async fn passages(&self, db: &Database, long: &[i64]) -> DbResult<HashMap<i64, Vec<Behind>>> {
        let mut behind: HashMap<i64, Vec<Behind>> = HashMap::new();
        if long.is_empty() {
            return Ok(behind);
        }
        let rows = sqlx::query(self.texts.passages)
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
        let left = sqlx::query_scalar(self.texts.left).bind(self.index.model().as_str());
        let left: HashSet<i64> = left.fetch_all(&db.reader()).await?.into_iter().collect();
        if let Some(matrix) = self.index.write().as_mut() {
            let is_gone = |seq: &i64| matrix.stored_at(*seq).is_none_or(|vector| !left.contains(&vector));
            let gone: Vec<i64> = matrix.seqs().filter(is_gone).collect();
            for seq in gone {
                matrix.remove(seq);
            }
        }
        Ok(())
    }
}

/// The numbers of those vectors that end before their text does.
fn long(page: &[SqliteRow]) -> DbResult<Vec<i64>> {
    let mut long = Vec::new();
    for row in page {
        if row.try_get::<Option<i64>, _>("first_end")?.is_some_and(|end| end > 0) {
            long.push(row.try_get("vector_seq")?);
        }
    }
    Ok(long)
}

/// Reads the vectors of texts that one search compares.
struct TextFile<'a, P> {
    vectors: &'a TextVectors<P>,
    db: &'a Database,
    query: &'a [f32],
}

impl<P: Copy + Eq + Hash + FromStr + fmt::Debug + Send + Sync + 'static> VectorFile for TextFile<'_, P> {
    type Row = ();

    async fn exact(&self, seqs: &[i64]) -> DbResult<Vec<(Near, ())>> {
        let by_number = self.vectors.index.stored_at(seqs);
        let page = sqlx::query(self.vectors.texts.firsts)
            .bind(by_number.keys().copied().collect::<serde_json::Value>().to_string())
            .fetch_all(&self.db.reader())
            .await?;
        let mut behind = self.vectors.passages(self.db, &long(&page)?).await?;
        let mut found = Vec::with_capacity(page.len());
        for row in &page {
            let number = row.try_get("vector_seq")?;
            let vector = rows::numbers(row.try_get("vector")?);
            let Some(seq) = by_number.get(&number).filter(|_| vector.len() == self.query.len()) else {
                continue;
            };
            let mut near = Near::by_first(*seq, vector, row.try_get("first_end")?, self.query);
            for passage in behind.remove(&number).unwrap_or_default() {
                near.offer(passage.range, &passage.numbers, self.query);
            }
            found.push((near, ()));
        }
        Ok(found)
    }
}
