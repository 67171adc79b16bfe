//! Measures search against a naive implementation, on the same synthetic entries in the same run.
//!
//! The naive implementation reads every vector through sqlx and computes the cosine in Rust, and uses FTS5's
//! own ranking over all words. The ratio shows the gain of the optimised search; the milliseconds depend on
//! the machine.

mod corpus;

use std::{path::Path, sync::Arc, time::Instant};

use inklings_domain::{
    ids::MemoryId,
    memory::{
        embedding::{EmbeddingModel, ModelId, dot},
        filter::{MemoryFilter, ScopeFilter},
    },
    scope::MemoryScope,
    search::query::parse,
};
use inklings_ports::{
    memory::vector_store::{NewVectors, VectorStore},
    search::store::MemorySearch,
    store_error::StoreError,
};
use sqlx::Row;

use self::corpus::Corpus;
use super::{SearchIndex, expression, rows};
use crate::{
    connection::{Database, OpenSpec},
    error::DbResult,
    migrate,
    vector::kernels::Kernel,
};

/// The result limit of each list.
const LIMIT: usize = 50;
/// Number of timed searches.
const QUERIES: usize = 200;
/// Number of timed naive searches. Small, because they are slow.
const NAIVE_QUERIES: usize = 20;
/// Number of hits to highlight.
const MARKED: usize = 20;

/// One row of the report.
#[derive(Debug, Clone, PartialEq)]
pub struct ScaleRow {
    /// The measured operation.
    pub what: &'static str,
    /// Median time in milliseconds.
    pub p50_ms: f64,
    /// 95th percentile in milliseconds.
    pub p95_ms: f64,
    /// Median time of the naive implementation in milliseconds, if it was measured.
    pub naive_p50_ms: Option<f64>,
    /// The naive median divided by the optimised median, if both were measured.
    pub ratio: Option<f64>,
}

/// The results of a benchmark.
#[derive(Debug, Clone, PartialEq)]
pub struct ScaleReport {
    /// Entries in the database, each with a vector.
    pub entries: usize,
    /// Components of the vectors.
    pub dimension: usize,
    /// The instruction set that computed the products.
    pub kernel: &'static str,
    /// Memory use of the vectors in bytes.
    pub index_bytes: usize,
    /// Time to load all vectors into memory, in milliseconds.
    pub load_ms: f64,
    /// The timed operations.
    pub rows: Vec<ScaleRow>,
}

struct Query {
    words: String,
    vector: Vec<f32>,
}

/// Creates a database of `entries` in `folder` and measures searches on it. The folder should be empty; the
/// caller removes it.
pub async fn run(folder: &Path, entries: usize, dimension: usize) -> Result<ScaleReport, StoreError> {
    let mut corpus = Corpus::new(dimension);
    let spec = OpenSpec {
        path: folder.join("agents.db"),
        schema: &migrate::WORKSPACE,
        workspace: corpus::workspace(),
        writable: true,
        create: true,
    };
    let db = Arc::new(Database::open(spec).await?);
    corpus::fill(&db, &mut corpus, entries).await.map_err(|error| db.fail(error))?;
    let report = measure(&db, &mut corpus, entries, dimension).await;
    db.close().await;
    report
}

async fn measure(
    db: &Arc<Database>,
    corpus: &mut Corpus,
    entries: usize,
    dimension: usize,
) -> Result<ScaleReport, StoreError> {
    let model = EmbeddingModel { id: ModelId::new(corpus::MODEL), dimension };
    let index = SearchIndex::new(Arc::clone(db));
    let began = Instant::now();
    index.load(&model.id).await?;
    let load_ms = millis(began);
    let queries: Vec<Query> =
        (0..QUERIES).map(|_| Query { words: corpus.query(), vector: corpus.vector() }).collect();
    let few = &queries[..NAIVE_QUERIES];
    let all = MemoryFilter::active(ScopeFilter::EVERYTHING);
    let one_channel =
        MemoryFilter::active(ScopeFilter::new(&[MemoryScope::Channel], Some(corpus::channel(0)), None));

    let naive_text = time(few, async |q| naive_text(db, &q.words).await.map_err(|e| db.fail(e))).await?;
    let naive_meaning =
        time(few, async |q| naive_meaning(db, &q.vector).await.map_err(|e| db.fail(e))).await?;
    let naive_hybrid: Vec<f64> = naive_text.iter().zip(&naive_meaning).map(|(a, b)| a + b).collect();

    let text = async |q: &Query, filter: &MemoryFilter| {
        index.search_text(&parse(&q.words).query, filter, LIMIT).await
    };
    let meaning = async |q: &Query, filter: &MemoryFilter| {
        index.search_meaning(&q.vector, &model.id, filter, LIMIT).await
    };
    let hybrid = async |q: &Query, filter: &MemoryFilter| {
        futures::future::try_join(text(q, filter), meaning(q, filter)).await
    };
    let mut rows = vec![
        row("search by words", time(&queries, async |q| text(q, &all).await).await?, Some(&naive_text)),
        row(
            "search by meaning",
            time(&queries, async |q| meaning(q, &all).await).await?,
            Some(&naive_meaning),
        ),
        row(
            "both at once (hybrid)",
            time(&queries, async |q| hybrid(q, &all).await).await?,
            Some(&naive_hybrid),
        ),
        row(
            "hybrid within one of ten channels",
            time(&queries, async |q| hybrid(q, &one_channel).await).await?,
            None,
        ),
    ];
    let mut found: Vec<Vec<MemoryId>> = Vec::with_capacity(QUERIES);
    for query in &queries {
        let hits = hybrid(query, &all).await?;
        found.push(
            hits.0.iter().take(MARKED / 2).chain(hits.1.iter().take(MARKED / 2)).map(|hit| hit.id).collect(),
        );
    }
    let marked: Vec<(&Query, Vec<MemoryId>)> = queries.iter().zip(found).collect();
    let times = time(&marked, async |(q, ids)| index.highlights(&parse(&q.words).query, ids).await).await?;
    rows.push(row("marking the words of 20 hits", times, None));
    rows.push(row("a new vector, stored and found", stored_and_found(&index, corpus, &model).await?, None));
    Ok(ScaleReport {
        entries,
        dimension,
        kernel: Kernel::detect().name(),
        index_bytes: index.bytes(),
        load_ms,
        rows,
    })
}

async fn stored_and_found(
    index: &SearchIndex,
    corpus: &mut Corpus,
    model: &EmbeddingModel,
) -> Result<Vec<f64>, StoreError> {
    let mut times = Vec::with_capacity(QUERIES);
    for n in 0..QUERIES {
        let vector = corpus.vector();
        let new = NewVectors { id: corpus::id(n), version: 1, vectors: vector.clone().into() };
        let began = Instant::now();
        index.put(model, std::slice::from_ref(&new)).await?;
        let all = MemoryFilter::active(ScopeFilter::EVERYTHING);
        let hits = index.search_meaning(&vector, &model.id, &all, 1).await?;
        times.push(millis(began));
        if hits.first().is_none_or(|hit| hit.id != new.id) {
            return Err(StoreError::NotFound("vector right after it was stored"));
        }
    }
    Ok(times)
}

async fn time<Q, T>(
    queries: &[Q],
    search: impl AsyncFn(&Q) -> Result<T, StoreError>,
) -> Result<Vec<f64>, StoreError> {
    // The first queries warm the page and statement caches.
    for query in queries.iter().take(10) {
        search(query).await?;
    }
    let mut times = Vec::with_capacity(queries.len());
    for query in queries {
        let began = Instant::now();
        search(query).await?;
        times.push(millis(began));
    }
    Ok(times)
}

fn row(what: &'static str, mut times: Vec<f64>, naive: Option<&Vec<f64>>) -> ScaleRow {
    let p50_ms = percentile(&mut times, 50);
    let naive_p50_ms = naive.map(|times| percentile(&mut times.clone(), 50));
    ScaleRow {
        what,
        p50_ms,
        p95_ms: percentile(&mut times, 95),
        naive_p50_ms,
        ratio: naive_p50_ms.map(|naive| naive / p50_ms.max(1e-6)),
    }
}

fn percentile(times: &mut [f64], percent: usize) -> f64 {
    times.sort_by(f64::total_cmp);
    let at = (times.len() * percent).div_ceil(100).saturating_sub(1);
    times.get(at).copied().unwrap_or(0.0)
}

fn millis(since: Instant) -> f64 {
    since.elapsed().as_secs_f64() * 1_000.0
}

/// Reads every vector through sqlx and computes the cosine in Rust.
async fn naive_meaning(db: &Database, vector: &[f32]) -> DbResult<Vec<(i64, f32)>> {
    let rows = sqlx::query(
        "SELECT m.seq, v.vector FROM memory_vectors AS v JOIN memories AS m \
         ON m.workspace_id = v.workspace_id AND m.id = v.memory_id \
         WHERE v.model = ? AND m.forgotten_at IS NULL",
    )
    .bind(corpus::MODEL)
    .fetch_all(&db.reader())
    .await?;
    let mut scored = Vec::with_capacity(rows.len());
    for row in &rows {
        scored.push((row.try_get::<i64, _>("seq")?, dot(&rows::numbers(row.try_get("vector")?), vector)));
    }
    scored.sort_by(|a, b| b.1.total_cmp(&a.1));
    scored.truncate(LIMIT);
    Ok(scored)
}

/// Searches all words with FTS5's own ranking and joins the row of every match.
async fn naive_text(db: &Database, words: &str) -> DbResult<usize> {
    let Some(expression) = expression::text(&parse(words).query) else { return Ok(0) };
    let rows = sqlx::query(
        "SELECT m.id, m.importance FROM memories_fts JOIN memories AS m ON m.seq = memories_fts.rowid \
         WHERE memories_fts MATCH ? AND m.forgotten_at IS NULL ORDER BY rank LIMIT ?",
    )
    .bind(expression)
    .bind(LIMIT as i64)
    .fetch_all(&db.reader())
    .await?;
    Ok(rows.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_small_run_reports_every_line() {
        let folder = tempfile::tempdir().expect("a folder");
        let report = run(folder.path(), 300, 48).await.expect("a report");
        assert_eq!((report.entries, report.dimension, report.rows.len()), (300, 48, 6));
        assert!(report.rows.iter().all(|row| row.p50_ms > 0.0 && row.p50_ms <= row.p95_ms));
        assert!(report.index_bytes > 300 * 48);
    }

    #[test]
    fn a_percentile_is_one_of_the_times() {
        let mut times: Vec<f64> = (1..=20).map(f64::from).collect();
        assert!((percentile(&mut times, 50) - 10.0).abs() < 1e-9);
        assert!((percentile(&mut times, 95) - 19.0).abs() < 1e-9);
        assert!(percentile(&mut [], 95).abs() < 1e-9);
    }
}
