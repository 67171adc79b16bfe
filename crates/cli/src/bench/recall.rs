//! `inklings bench recall`: measures how well search finds the expected documents of a test set. Each unit
//! gets its own store, filled and searched through the regular use cases. The results are scored by other
//! tools.

use std::{
    collections::{BTreeMap, HashMap, HashSet},
    fs::{self, File},
    io::{BufRead, BufReader, BufWriter, Write},
    path::{Path, PathBuf},
    time::Instant,
};

use inklings_api::{
    App, Config, Interface,
    bench::{LoadedConversation, TestSetId, Turn},
    commands::MemoryCommands,
    error::ErrorCode,
    memory::embed::BulkModel,
    search::parts::Contribution,
    vocabulary::{DocumentKind, ListName, Scope},
};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{args::UnitKind, failure::Failure, output::Output, progress::EmbedBar};

/// Maximum hits per query.
const LIMIT: u32 = 50;
/// Candidates per query whose shares are written.
const CANDIDATES: u32 = 200;
/// Maximum bytes of a memory's content; longer documents are truncated.
const MOST_BYTES: usize = 64 * 1024;
const DOCS: &str = ".docs.jsonl";
const QUERIES: &str = ".queries.jsonl";

#[derive(Deserialize)]
struct Query {
    id: Value,
    text: String,
    /// Number of documents at the beginning of the unit's file that stand before the query; all if `None`.
    before: Option<usize>,
}

impl Query {
    /// How many of all documents count.
    fn documents(&self, all: usize) -> usize {
        self.before.map_or(all, |before| before.min(all))
    }
}

/// How the queries of a test set are run.
pub struct Choice {
    /// Name of the fusion strategy; the default if `None`.
    pub strategy: Option<String>,
    /// What each unit is loaded as.
    pub kind: UnitKind,
    /// True to write what each list contributed.
    pub shares: bool,
}

/// One line of the run file.
#[derive(Serialize)]
struct Answer<'a> {
    id: &'a Value,
    ranked: Vec<&'a str>,
    ms: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    candidates: Option<Vec<Candidate<'a>>>,
}

/// A candidate of a query.
#[derive(Serialize)]
struct Candidate<'a> {
    id: &'a str,
    /// Weight, share of the weight and rank of each list.
    parts: BTreeMap<ListName, (f64, f64, u32)>,
}

impl<'a> Candidate<'a> {
    fn new(id: &'a str, contributions: &[Contribution]) -> Self {
        let part = |c: &Contribution| (c.list, (c.weight, c.score / c.weight, c.rank));
        Self { id, parts: contributions.iter().map(part).collect() }
    }
}

/// Result of one unit.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Report {
    unit: String,
    docs: usize,
    queries: usize,
    import_seconds: f64,
    embed_seconds: f64,
    search_seconds: f64,
}

/// Runs all units of a test set, ordered by name.
pub async fn run(dir: &Path, file: &Path, choice: Choice, out: &Output) -> Result<(), Failure> {
    if let Some(name) = &choice.strategy
        && !MemoryCommands::strategies().contains(&name.as_str())
    {
        let known = MemoryCommands::strategies().join(", ");
        return Err(Failure::Usage(format!("'{name}' is not a strategy; choose one of: {known}")));
    }
    let units = units(dir)?;
    // Opened first, so that a folder that cannot be written is detected before hours of work.
    let mut run = BufWriter::new(File::create(file).map_err(|error| Failure::file(file, &error))?);
    let model = BulkModel::load().await?;
    let mut reports = Vec::new();
    for unit in units {
        let report = measure(dir, &unit, &choice, &model, &mut run, out).await?;
        out.progress(format_args!(
            "{}: {} docs, {} queries; import {:.1} s, embedding {:.1} s, searches {:.1} s",
            report.unit,
            report.docs,
            report.queries,
            report.import_seconds,
            report.embed_seconds,
            report.search_seconds
        ));
        run.flush().map_err(|error| Failure::file(file, &error))?;
        reports.push(report);
    }
    out.answer(&reports, |_| String::new())
}

fn units(dir: &Path) -> Result<Vec<String>, Failure> {
    let entries = fs::read_dir(dir).map_err(|error| Failure::file(dir, &error))?;
    let mut units: Vec<String> = entries
        .filter_map(Result::ok)
        .filter_map(|entry| entry.file_name().to_string_lossy().strip_suffix(DOCS).map(str::to_owned))
        .collect();
    units.sort_unstable();
    if units.is_empty() {
        let message = format!("There is no UNIT{DOCS} in '{}'.", dir.display());
        return Err(Failure::new(ErrorCode::NotFound, message));
    }
    Ok(units)
}

async fn measure(
    dir: &Path,
    unit: &str,
    choice: &Choice,
    model: &BulkModel,
    run: &mut impl Write,
    out: &Output,
) -> Result<Report, Failure> {
    let docs = docs(&dir.join(format!("{unit}{DOCS}")), out)?;
    let queries = queries(&dir.join(format!("{unit}{QUERIES}")))?;
    let folder = tempfile::tempdir().map_err(|error| Failure::internal(&error))?;
    let config = Config { data_dir: folder.path().to_owned(), resources: None, interface: Interface::Cli };
    let app = App::open(config).await?;
    app.workspace().create_workspace("Bench").await?;
    app.workspace().open_workspace("Bench").await?;
    app.memory().use_bulk_model(model)?;
    let mut store = Store::new(&app, unit, &docs, choice.kind).await?;

    // The store grows from one position to the next, so that no later document is in an index or its counts.
    let mut order: Vec<usize> = (0..queries.len()).collect();
    order.sort_by_key(|at| queries[*at].documents(docs.len()));
    let mut found: Vec<Found> = queries.iter().map(|_| Found::default()).collect();
    let mut search_seconds = 0.0;
    for at in order {
        let query = &queries[at];
        store.grow_to(query.documents(docs.len())).await?;
        let began = Instant::now();
        found[at] = store.search(&query.text, choice).await?;
        search_seconds += began.elapsed().as_secs_f64();
    }
    store.grow_to(docs.len()).await?;

    let ids = app.bench().external_ids().await?;
    for (query, found) in queries.iter().zip(&found) {
        let hits = found.of_test_set(&ids);
        let ranked = hits.iter().map(|(id, _)| *id).take(LIMIT as usize).collect();
        let candidates = hits.iter().map(|(id, contributions)| Candidate::new(id, contributions));
        let candidates = choice.shares.then(|| candidates.collect());
        let answer = Answer { id: &query.id, ms: found.ms, ranked, candidates };
        let line = serde_json::to_string(&answer).map_err(|error| Failure::internal(&error))?;
        writeln!(run, "{line}").map_err(|error| Failure::internal(&error))?;
    }
    Ok(Report {
        unit: unit.to_owned(),
        docs: docs.len(),
        queries: queries.len(),
        import_seconds: store.import_seconds,
        embed_seconds: store.embed_seconds,
        search_seconds,
    })
}

/// The store of a unit, with its first documents so far.
struct Store<'a> {
    app: &'a App,
    unit: &'a str,
    docs: &'a [String],
    loaded: usize,
    kind: UnitKind,
    /// Set if documents are the turns of a conversation.
    conversation: Option<LoadedConversation>,
    /// The session of the latest document.
    session: Option<String>,
    /// How many sessions there were.
    sessions: usize,
    import_seconds: f64,
    embed_seconds: f64,
}

impl<'a> Store<'a> {
    async fn new(app: &'a App, unit: &'a str, docs: &'a [String], kind: UnitKind) -> Result<Self, Failure> {
        let conversation = match kind {
            UnitKind::Memories => None,
            UnitKind::Conversation | UnitKind::Both => Some(app.bench().begin_turns(unit, docs.len()).await?),
        };
        Ok(Self {
            app,
            unit,
            docs,
            loaded: 0,
            kind,
            conversation,
            session: None,
            sessions: 0,
            import_seconds: 0.0,
            embed_seconds: 0.0,
        })
    }

    /// Documents as lines of an import of entries, and as turns of the conversation.
    fn by_kind(&mut self, docs: &[String]) -> (Vec<String>, Vec<Turn>) {
        match self.kind {
            UnitKind::Memories => (docs.to_vec(), Vec::new()),
            UnitKind::Conversation => (Vec::new(), turns(docs)),
            UnitKind::Both => {
                let (mut lines, mut messages) = (Vec::new(), Vec::new());
                for (line, turn) in docs.iter().zip(turns(docs)) {
                    let session = Some(turn.session.clone().unwrap_or_default());
                    if self.session != session {
                        self.session = session;
                        self.sessions += 1;
                    }
                    if self.sessions.is_multiple_of(2) {
                        lines.push(line.clone());
                    } else {
                        messages.push(turn);
                    }
                }
                (lines, messages)
            }
        }
    }

    /// Adds documents until the store has so many.
    async fn grow_to(&mut self, count: usize) -> Result<(), Failure> {
        let Some(docs) = self.docs.get(self.loaded..count).filter(|docs| !docs.is_empty()) else {
            return Ok(());
        };
        let began = Instant::now();
        let (lines, turns) = self.by_kind(docs);
        if let Some(conversation) = &mut self.conversation {
            self.app.bench().load_turns(conversation, &turns).await?;
        }
        if !lines.is_empty() {
            let (memory, lines) = (self.app.memory(), lines.join("\n"));
            memory
                .import_jsonl(Scope::Channel, Some(self.unit), lines.as_bytes(), false, "bench.jsonl")
                .await?;
        }
        self.import_seconds += began.elapsed().as_secs_f64();
        let began = Instant::now();
        let bar = EmbedBar::new(self.unit);
        let embedded = self.app.model().embed_pending(&bar).await;
        bar.clear();
        embedded?;
        self.app.memory().wait_for_vectors().await?;
        self.embed_seconds += began.elapsed().as_secs_f64();
        self.loaded = count;
        Ok(())
    }

    async fn search(&self, query: &str, choice: &Choice) -> Result<Found, Failure> {
        if self.loaded == 0 {
            return Ok(Found::default());
        }
        let kinds = match self.kind {
            UnitKind::Memories => &[DocumentKind::Memory][..],
            UnitKind::Conversation => &[DocumentKind::Message],
            UnitKind::Both => &[DocumentKind::Memory, DocumentKind::Message],
        };
        let strategy = choice.strategy.clone();
        let limit = if choice.shares { CANDIDATES } else { LIMIT };
        let (hits, ms) = self.app.bench().find(kinds, query, limit, strategy).await?;
        Ok(Found { hits, ms })
    }
}

/// The hits of a query, best first.
#[derive(Default)]
struct Found {
    hits: Vec<(TestSetId, Vec<Contribution>)>,
    ms: f64,
}

impl Found {
    /// The hits by the test set's ids, each once.
    fn of_test_set<'a>(&'a self, ids: &'a HashMap<String, String>) -> Vec<(&'a str, &'a [Contribution])> {
        let mut seen = HashSet::new();
        self.hits
            .iter()
            .filter_map(|(id, contributions)| {
                let id = match id {
                    TestSetId::Known(id) => id,
                    TestSetId::OfEntry(entry) => ids.get(entry)?,
                };
                Some((id.as_str(), contributions.as_slice()))
            })
            .filter(|(id, _)| seen.insert(*id))
            .collect()
    }
}

/// The documents as import lines. Truncates documents above the limit of a memory, so that one pasted log
/// does not fail the test set.
fn docs(path: &PathBuf, out: &Output) -> Result<Vec<String>, Failure> {
    let mut lines = Vec::new();
    for line in lines_of(path)? {
        let line = line.map_err(|error| Failure::file(path, &error))?;
        let mut doc: Value = serde_json::from_str(&line).map_err(|_| unreadable(path))?;
        if let Some(text) = doc.get("text").and_then(Value::as_str).filter(|text| text.len() > MOST_BYTES) {
            let end = text.floor_char_boundary(MOST_BYTES);
            let cut = text[..end].to_owned();
            out.progress(format_args!("{}: document {} is cut to {end} bytes", path.display(), doc["id"]));
            doc["text"] = Value::String(cut);
        }
        lines.push(doc.to_string());
    }
    Ok(lines)
}

/// The documents as turns of a conversation.
fn turns(docs: &[String]) -> Vec<Turn> {
    let word = |doc: &Value, field: &str| match &doc[field] {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    };
    docs.iter()
        .filter_map(|line| serde_json::from_str::<Value>(line).ok())
        .map(|doc| Turn {
            id: word(&doc, "id").unwrap_or_default(),
            text: word(&doc, "text").unwrap_or_default(),
            session: word(&doc, "session"),
            speaker: word(&doc, "speaker"),
            ts: word(&doc, "ts"),
        })
        .collect()
}

fn queries(path: &PathBuf) -> Result<Vec<Query>, Failure> {
    lines_of(path)?
        .map(|line| {
            let line = line.map_err(|error| Failure::file(path, &error))?;
            serde_json::from_str(&line).map_err(|_| unreadable(path))
        })
        .collect()
}

fn lines_of(path: &PathBuf) -> Result<impl Iterator<Item = std::io::Result<String>>, Failure> {
    let file = File::open(path).map_err(|error| Failure::file(path, &error))?;
    Ok(BufReader::new(file).lines().filter(|line| line.as_ref().map_or(true, |line| !line.trim().is_empty())))
}

fn unreadable(path: &Path) -> Failure {
    Failure::new(ErrorCode::Invalid, format!("'{}' has a line that cannot be read.", path.display()))
}
