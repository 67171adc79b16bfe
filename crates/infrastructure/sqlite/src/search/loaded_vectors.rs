//! Vector search over messages and pages: an exact scan of the unrounded vectors of one model in memory. The cosine of a text
//! is that of its best passage.
//!
//! A vector is never changed under its number: a changed text loses its vectors and gets new ones. So new vectors are only
//! appended, after the number of the last loaded vector. Removals raise the clock's epoch; then the vectors that no longer
//! exist are dropped.

use std::{
    collections::{HashMap, HashSet},
    ops::Range,
    sync::{Arc, PoisonError, RwLock},
};

use inklings_domain::memory::embedding::{ModelId, dot};
use rustc_hash::FxHashMap;
use sqlx::{Row, sqlite::SqliteRow};
use tokio::task;

use super::{
    quantise::{MAX_DIMENSION, exact},
    rows,
    utterances::{Comparison, Neighbours, TextVectors, compare},
};
use crate::{
    connection::Database,
    error::{DbError, DbResult},
};

/// Vectors read at once while loading.
const BATCH: i64 = 1_000;
/// The largest difference between a product summed in f32 and the exact one. Generous for unit vectors of any
/// dimension; it only costs a few more exact products.
const SLACK: f32 = 1.0e-3;

/// Statements that read the vectors of a kind of texts.
#[derive(Debug, Clone, Copy)]
pub struct Texts {
    /// The epoch of the clock, and the number of the newest vector.
    pub clock: &'static str,
    /// Vectors after the number `?1` of the model `?2`, at most `?3`, with the number of their text and its place: the
    /// place of a text, the vault of a page.
    pub load: &'static str,
    /// The passages behind the first of the vectors with these numbers.
    pub passages: &'static str,
    /// The numbers of all vectors of the model `?1`.
    pub left: &'static str,
}

/// The vectors of one model in memory.
#[derive(Debug)]
pub struct LoadedVectors {
    texts: Texts,
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

/// Concatenated vectors, in the order in which they were stored. Those of the passages of a text stand together.
#[derive(Debug, Default)]
struct Rows {
    dimension: usize,
    entries: Vec<Entry>,
    numbers: Vec<f32>,
    /// Index of the first vector of each text.
    by_text: FxHashMap<i64, usize>,
    /// The passages of texts that have several, by the number of the vector of the first.
    passages: HashMap<i64, Vec<Range<u32>>>,
    places: Vec<String>,
    by_place: HashMap<String, u32>,
}

#[derive(Debug, Clone, Copy)]
struct Entry {
    /// Number of the vector; that of the first for the other passages of a text.
    vector: i64,
    /// Number of its text.
    text: i64,
    /// Index into the places.
    place: u32,
}

impl Rows {
    /// Adds the vectors of a text. `passages` are those behind the first; then the first ends at `first_end`.
    fn push(&mut self, entry: (i64, i64, &str), first: &[f32], first_end: u32, passages: &[Behind]) {
        let (vector, text, place) = entry;
        if self.dimension != first.len() {
            // The model's folder holds other files now: the newest vector decides the dimension.
            *self = Self { dimension: first.len(), ..Self::default() };
        }
        let place = self.by_place.get(place).copied().unwrap_or_else(|| {
            let index = self.places.len() as u32;
            self.places.push(place.to_owned());
            self.by_place.insert(place.to_owned(), index);
            index
        });
        self.by_text.insert(text, self.entries.len());
        self.entries.push(Entry { vector, text, place });
        self.numbers.extend_from_slice(first);
        let fitting: Vec<&Behind> =
            passages.iter().filter(|other| other.numbers.len() == first.len()).collect();
        if fitting.is_empty() {
            return;
        }
        let mut ranges = Vec::with_capacity(fitting.len() + 1);
        ranges.push(0..first_end);
        for passage in fitting {
            self.entries.push(Entry { vector, text, place });
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
        self.by_text.clear();
        for (at, entry) in self.entries.iter().enumerate() {
            self.by_text.entry(entry.text).or_insert(at);
        }
        self.passages.retain(|vector, _| left.contains(vector));
    }

    /// The nearest texts in places within scope, nearest first, ties newest first.
    fn nearest(&self, vector: &[f32], within: &HashSet<String>, limit: usize) -> Vec<Near> {
        if vector.len() != self.dimension || limit == 0 {
            return Vec::new();
        }
        let seen: Vec<bool> = self.places.iter().map(|place| within.contains(place)).collect();
        // The first row of each text, and the greatest product of its rows.
        let mut rough: Vec<(usize, f32)> = Vec::with_capacity(self.entries.len());
        let mut last = None;
        for (at, (entry, numbers)) in
            self.entries.iter().zip(self.numbers.chunks_exact(self.dimension)).enumerate()
        {
            if !seen[entry.place as usize] {
                continue;
            }
            let product = dot(numbers, vector);
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
        nearest.sort_unstable_by(|a, b| b.cosine.total_cmp(&a.cosine).then_with(|| b.text.cmp(&a.text)));
        nearest.truncate(limit);
        nearest
    }

    fn row(&self, at: usize) -> &[f32] {
        &self.numbers[at * self.dimension..(at + 1) * self.dimension]
    }

    /// The text whose first row this is, with the exact cosine of its best passage.
    fn exactly(&self, first: usize, vector: &[f32]) -> Near {
        let entry = self.entries[first];
        let ranges = self.passages.get(&entry.vector);
        let cosine = |at: usize| exact(self.row(at), vector);
        let mut near = Near { text: entry.text, cosine: cosine(first), passage: None };
        for (n, range) in ranges.into_iter().flatten().enumerate() {
            let cosine = if n == 0 { near.cosine } else { cosine(first + n) };
            if n == 0 || cosine > near.cosine {
                near = Near { cosine, passage: Some(range.start as usize..range.end as usize), ..near };
            }
        }
        near
    }
}

/// The passages of a text stand together, the first before the others.
impl TextVectors<[f32]> for Rows {
    fn first(&self, text: i64) -> Option<usize> {
        self.by_text.get(&text).copied()
    }

    fn cosine(&self, row: usize, query: &[f32]) -> f64 {
        f64::from(dot(self.row(row), query))
    }

    fn product(&self, a: usize, b: usize) -> f64 {
        f64::from(dot(self.row(a), self.row(b)))
    }

    fn nearest_behind(&self, text: i64, query: &[f32]) -> Option<f64> {
        let behind = *self.by_text.get(&text)? + 1;
        let others = self.entries.get(behind..)?.iter().take_while(|entry| entry.text == text).count();
        (behind..behind + others).map(|row| self.cosine(row, query)).max_by(f64::total_cmp)
    }
}

/// A text with the cosine of its best passage, and that passage if it has several.
#[derive(Debug)]
pub struct Near {
    /// Number of the text.
    pub text: i64,
    /// Cosine of its best passage.
    pub cosine: f64,
    /// That passage.
    pub passage: Option<Range<usize>>,
}

/// A passage behind the first.
struct Behind {
    range: Range<u32>,
    numbers: Vec<f32>,
}

impl LoadedVectors {
    /// An empty index for a model.
    pub fn new(texts: Texts, model: ModelId) -> Self {
        Self { texts, model, rows: RwLock::default(), cursor: tokio::sync::Mutex::new(None) }
    }

    /// The `limit` nearest texts in these places, nearest first.
    pub async fn search(
        self: &Arc<Self>,
        db: &Database,
        vector: &[f32],
        within: HashSet<String>,
        limit: usize,
    ) -> DbResult<Vec<Near>> {
        let direction = vector.iter().all(|x| x.is_finite()) && vector.iter().any(|x| *x != 0.0);
        if limit == 0 || !direction || vector.len() > MAX_DIMENSION {
            return Ok(Vec::new());
        }
        self.catch_up(db).await?;
        let (this, vector) = (Arc::clone(self), vector.to_vec());
        let nearest = task::spawn_blocking(move || {
            this.rows.read().unwrap_or_else(PoisonError::into_inner).nearest(&vector, &within, limit)
        });
        nearest.await.map_err(|_| DbError::Io(std::io::Error::other("the search by meaning broke off")))
    }

    /// Messages compared with a query. There is no result for any if the query has another dimension.
    pub fn compare(&self, texts: &[Neighbours], query: &[f32]) -> Vec<Option<Comparison>> {
        let rows = self.rows.read().unwrap_or_else(PoisonError::into_inner);
        if rows.dimension == query.len() { compare(&*rows, query, texts) } else { Vec::new() }
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
                    let entry = (last, row.try_get("seq")?, row.try_get("place")?);
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

    /// The passages behind the first of a page's texts, by the number of the first one's vector. Vectors are never
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
        let left: Vec<i64> =
            sqlx::query_scalar(self.texts.left).bind(self.model.as_str()).fetch_all(&db.reader()).await?;
        let left: HashSet<i64> = left.into_iter().collect();
        self.rows.write().unwrap_or_else(PoisonError::into_inner).retain(&left);
        Ok(())
    }
}
