//! Measures the use cases on synthetic entries. Excludes the embedding model, whose speed depends on the
//! machine.

use std::{path::Path, sync::Arc, time::Instant};

use inklings_application::{error::AppError, orientation::OrientRequest, search::Search, session::Session};
use inklings_domain::{
    conversation::message::Role,
    memory::{
        MemoryDraft,
        embedding::{Embedding, EmbeddingModel, ModelId},
        filter::{MemoryFilter, ScopeFilter},
    },
    scope::{MemoryLifetime, Place},
    search::{conversation_query::ConversationQuery, query::QueryText},
};
use inklings_ports::{
    memory::vector_store::{NewVectors, TextVectors},
    model::embedding::{EmbedError, Embedder},
};
use serde::{Deserialize, Serialize};

use super::synthetic::Synthetic;
use crate::{
    App,
    error::CommandError,
    view::memory::NewMemory,
    vocabulary::{Lifetime, Scope},
};

/// The file that made-up entries tell to be of.
const BENCH_FILE: &str = "bench.jsonl";
/// Dimension of the synthetic vectors, as of the bundled model.
const DIMENSION: usize = 384;
/// Word pieces of a query, as of a question of six words.
const WORDS_ASKED: usize = 8;
/// Number of measured searches.
const SEARCHES: usize = 400;
/// Number of measured writes.
const WRITES: usize = 200;
/// Entries per import, so that a million lines are not in memory at once.
const PER_IMPORT: usize = 20_000;
/// Vectors stored per write.
const PER_PUT: usize = 2_000;

/// Latencies of one kind of request.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Timing {
    /// Median in milliseconds.
    pub p50_ms: f64,
    /// 95th percentile in milliseconds.
    pub p95_ms: f64,
    /// Number of samples.
    pub samples: usize,
}

impl Timing {
    /// Computes percentiles of times in milliseconds.
    pub fn of(mut times: Vec<f64>) -> Self {
        times.sort_by(f64::total_cmp);
        let at = |share: f64| {
            let last = times.len().saturating_sub(1);
            times.get((last as f64 * share).round() as usize).copied().unwrap_or(0.0)
        };
        Self { p50_ms: at(0.5), p95_ms: at(0.95), samples: times.len() }
    }
}

/// Latency of one index operation, with that of a naive implementation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct IndexLine {
    /// The measured operation.
    pub what: String,
    /// Median in milliseconds.
    pub p50_ms: f64,
    /// 95th percentile in milliseconds.
    pub p95_ms: f64,
    /// Median of the naive implementation in milliseconds: rows through sqlx, cosine in Rust, FTS5's ranking.
    pub naive_p50_ms: Option<f64>,
    /// Naive time divided by index time.
    pub ratio: Option<f64>,
}

/// Latencies of the index alone.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct IndexTimes {
    /// Instruction set used for the dot products.
    pub kernel: String,
    /// Dimension of the vectors.
    pub dimension: usize,
    /// Memory used by the vectors, in MB.
    pub vectors_mb: f64,
    /// Latencies by operation.
    pub lines: Vec<IndexLine>,
}

/// Compares the index with a naive implementation in the same run on the same entries. `folder` should be
/// empty.
pub async fn measure_index(folder: &Path, entries: usize) -> Result<IndexTimes, CommandError> {
    let report = inklings_sqlite::search::bench::run(folder, entries, DIMENSION).await?;
    Ok(IndexTimes {
        kernel: report.kernel.to_owned(),
        dimension: report.dimension,
        vectors_mb: report.index_bytes as f64 / f64::from(1 << 20),
        lines: report
            .rows
            .into_iter()
            .map(|row| IndexLine {
                what: row.what.to_owned(),
                p50_ms: row.p50_ms,
                p95_ms: row.p95_ms,
                naive_p50_ms: row.naive_p50_ms,
                ratio: row.ratio,
            })
            .collect(),
    })
}

/// Results of the measurement of use cases.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct UseCaseTimes {
    /// Entries imported per second without vectors, from JSON Lines to commit.
    pub import_per_second: f64,
    /// Vectors stored per second.
    pub vectors_per_second: f64,
    /// Time to load all vectors into memory for the first time, in milliseconds.
    pub load_vectors_ms: f64,
    /// Hybrid search for the best 10, with a given query vector.
    pub hybrid_top10: Timing,
    /// Hybrid search for the best 50, with a given query vector.
    pub hybrid_top50: Timing,
    /// Full-text search for the best 10.
    pub text_top10: Timing,
    /// Committed creation of one entry. Each was found by full-text search right after.
    pub write: Timing,
}

/// Has the identity of a model but computes no vectors; the benchmark supplies them.
struct Given(EmbeddingModel);

#[async_trait::async_trait]
impl Embedder for Given {
    fn model(&self) -> EmbeddingModel {
        self.0.clone()
    }

    async fn embed_query(&self, _: &str) -> Result<Embedding, EmbedError> {
        Err(EmbedError::Unavailable("the bench gives its own vectors".into()))
    }

    async fn embed_documents(&self, _: &[String]) -> Result<Vec<Embedding>, EmbedError> {
        Err(EmbedError::Unavailable("the bench gives its own vectors".into()))
    }
}

/// Fills the workspace in use with `entries` synthetic entries and measures the use cases. `step` receives
/// the current step.
///
/// # Errors
/// [`CommandError`] if no workspace is open or something failed.
pub async fn measure(
    app: &App,
    entries: usize,
    step: &(dyn Fn(&str) + Sync),
) -> Result<UseCaseTimes, CommandError> {
    let session = app.session()?;
    let mut made_up = Synthetic::new(DIMENSION);

    step("importing");
    let import_per_second = import(app, entries, &mut made_up).await?;
    step("storing vectors");
    let model = EmbeddingModel { id: ModelId::new("bench"), dimension: DIMENSION };
    let vectors_per_second = store_vectors(&session, &model, &mut made_up).await?;
    session.embedder.set(Some(Arc::new(Given(model))));
    step("loading vectors");
    let began = Instant::now();
    app.memory().wait_for_vectors().await?;
    let load_vectors_ms = millis(began);

    step("searching");
    let hybrid_top10 = searches(&session, &mut made_up, 10, true).await?;
    let hybrid_top50 = searches(&session, &mut made_up, 50, true).await?;
    let text_top10 = searches(&session, &mut made_up, 10, false).await?;
    step("writing");
    let write = writes(app, &session).await?;
    Ok(UseCaseTimes {
        import_per_second,
        vectors_per_second,
        load_vectors_ms,
        hybrid_top10,
        hybrid_top50,
        text_top10,
        write,
    })
}

/// What a process needs that opens a workspace and searches it.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Footprint {
    /// Resident memory in MB; `None` where the system does not report it.
    pub resident_mb: Option<f64>,
    /// Time to load all vectors into memory, in milliseconds.
    pub load_vectors_ms: f64,
}

/// Opens the workspace in use, loads its vectors and searches. Run it in a new process, and again on an empty
/// workspace: the difference is the index and the caches, without the program and the data generator.
///
/// # Errors
/// [`CommandError`] if no workspace is open or something failed.
pub async fn footprint(app: &App) -> Result<Footprint, CommandError> {
    let session = app.session()?;
    let mut made_up = Synthetic::new(DIMENSION);
    let model = EmbeddingModel { id: ModelId::new("bench"), dimension: DIMENSION };
    session.embedder.set(Some(Arc::new(Given(model))));
    let began = Instant::now();
    app.memory().wait_for_vectors().await?;
    let load_vectors_ms = millis(began);
    searches(&session, &mut made_up, 10, true).await?;
    searches(&session, &mut made_up, 50, true).await?;
    searches(&session, &mut made_up, 10, false).await?;
    Ok(Footprint { resident_mb: resident_mb(), load_vectors_ms })
}

fn millis(since: Instant) -> f64 {
    since.elapsed().as_secs_f64() * 1000.0
}

async fn import(app: &App, entries: usize, made_up: &mut Synthetic) -> Result<f64, CommandError> {
    let (mut done, mut seconds) = (0, 0.0);
    while done < entries {
        let count = PER_IMPORT.min(entries - done);
        let lines = made_up.lines(done, count);
        let began = Instant::now();
        app.memory().import_jsonl(Scope::Channel, Some("bench"), lines.as_bytes(), false, BENCH_FILE).await?;
        seconds += began.elapsed().as_secs_f64();
        done += count;
    }
    Ok(entries as f64 / seconds)
}

async fn store_vectors(
    session: &Session,
    model: &EmbeddingModel,
    made_up: &mut Synthetic,
) -> Result<f64, CommandError> {
    let vectors = &session.workspace.memory.vectors;
    let (mut stored, mut seconds) = (0, 0.0);
    loop {
        let pending = vectors.pending(model, PER_PUT).await?;
        if pending.is_empty() {
            return Ok(f64::from(u32::try_from(stored).unwrap_or(u32::MAX)) / f64::max(seconds, 1e-9));
        }
        let new: Vec<NewVectors> = pending
            .into_iter()
            .map(|text| NewVectors {
                id: text.id,
                version: text.version,
                vectors: TextVectors::One(made_up.embedding_of_entry()),
            })
            .collect();
        let began = Instant::now();
        stored += vectors.put(model, &new).await?;
        seconds += began.elapsed().as_secs_f64();
    }
}

async fn searches(
    session: &Session,
    made_up: &mut Synthetic,
    limit: usize,
    hybrid: bool,
) -> Result<Timing, CommandError> {
    let mut times = Vec::with_capacity(SEARCHES);
    // The first searches warm the caches and are not measured.
    for n in 0..SEARCHES + SEARCHES / 10 {
        let query = QueryText::Typed(made_up.query(if hybrid { 4 } else { 2 }));
        let search = Search {
            embedding: hybrid.then(|| made_up.embedding(WORDS_ASKED)),
            marked: true,
            ..Search::new(query, MemoryFilter::active(ScopeFilter::EVERYTHING), limit)
        };
        let began = Instant::now();
        session.search().memories(search).await?;
        if n >= SEARCHES / 10 {
            times.push(millis(began));
        }
    }
    Ok(Timing::of(times))
}

async fn writes(app: &App, session: &Session) -> Result<Timing, CommandError> {
    let mut times = Vec::with_capacity(WRITES);
    for n in 0..WRITES {
        let word = format!("benchword{n:05}x");
        let new = NewMemory {
            scope: Scope::Workspace,
            channel_id: None,
            conversation_id: None,
            lifetime: Lifetime::LongTerm,
            title: None,
            keys: Vec::new(),
            content: format!("The {word} was written while somebody watched the clock of the tower."),
            importance: 0.5,
            tags: vec!["bench".to_owned()],
            made_of: Vec::new(),
        };
        let began = Instant::now();
        let written = app.memory().create_memory(new).await?;
        times.push(millis(began));
        let search = Search::new(QueryText::Typed(word), MemoryFilter::active(ScopeFilter::EVERYTHING), 1);
        let found = session.search().memories(search).await?;
        let hit = found.hits.first().map(|hit| hit.stored.entry.id.to_string());
        if hit.as_ref() != Some(&written.detail.row.id) {
            return Err(
                AppError::NotFound { what: "entry right after its write", name: n.to_string() }.into()
            );
        }
    }
    Ok(Timing::of(times))
}

/// Measures the orientation document of a conversation with items in every layer, with a given query vector.
/// Half of the entries are in its channel, the others in the workspace and the account. The workspace in use
/// should be empty.
///
/// # Errors
/// [`CommandError`] if no workspace is open or something failed.
pub async fn measure_orientation(app: &App, entries: usize) -> Result<Timing, CommandError> {
    let session = app.session()?;
    let made_up = &mut Synthetic::new(DIMENSION);
    let model = EmbeddingModel { id: ModelId::new("bench"), dimension: DIMENSION };
    import(app, entries / 2, made_up).await?;
    let channel = session.channels().named("bench").await?.id;
    let conversation = session.conversations().begin(Some(channel), "").await?;
    for (n, scope) in [Scope::Workspace, Scope::Account].into_iter().enumerate() {
        let lines = made_up.lines((n + 1) * 10_000_000, entries / 4);
        app.memory().import_jsonl(scope, None, lines.as_bytes(), true, BENCH_FILE).await?;
    }
    for n in 0..24 {
        let role = if n % 2 == 0 { Role::User } else { Role::Assistant };
        session.transcripts().add(&conversation, role, &made_up.query(12)).await?;
        let fact = (format!("person {n}"), made_up.query(3));
        session.facts().set(&fact.0, "is", &fact.1, Some(conversation.id), app.actor).await?;
        let draft = MemoryDraft {
            place: Place::Conversation(channel, conversation.id),
            lifetime: MemoryLifetime::Conversation,
            source: "bench".to_owned(),
            title: None,
            keys: Vec::new(),
            content: made_up.query(20),
            importance: 0.5,
            tags: Vec::new(),
            origin: None,
            derivations: Vec::new(),
        };
        session.memories().create(draft, app.actor).await?;
    }
    for ports in session.all_ports() {
        loop {
            let pending = ports.vectors.pending(&model, PER_PUT).await?;
            if pending.is_empty() {
                break;
            }
            let new: Vec<NewVectors> = pending
                .into_iter()
                .map(|text| NewVectors {
                    id: text.id,
                    version: text.version,
                    vectors: TextVectors::One(made_up.embedding_of_entry()),
                })
                .collect();
            ports.vectors.put(&model, &new).await?;
        }
    }
    session.embedder.set(Some(Arc::new(Given(model))));
    app.memory().wait_for_vectors().await?;
    let mut times = Vec::with_capacity(SEARCHES);
    for n in 0..SEARCHES + SEARCHES / 10 {
        let request = OrientRequest {
            conversation: Some(&conversation),
            query: ConversationQuery::Next(made_up.query(6)),
            embedding: Some(made_up.embedding(WORDS_ASKED)),
            ..OrientRequest::default()
        };
        let began = Instant::now();
        session.orientations().orient(request).await?;
        if n >= SEARCHES / 10 {
            times.push(millis(began));
        }
    }
    Ok(Timing::of(times))
}

/// Resident memory of this process in MB; `None` where `/proc` does not report it.
fn resident_mb() -> Option<f64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    line.trim().trim_end_matches("kB").trim().parse::<f64>().ok().map(|kb| kb / 1024.0)
}
