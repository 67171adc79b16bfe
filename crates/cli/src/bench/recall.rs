//! `inklings bench recall`: measures how well search finds the expected documents of a test set. Each unit
//! gets its own store, filled and searched through the regular use cases. The results are scored by other
//! tools.

use std::{
    collections::{HashMap, HashSet},
    fs::{self, File},
    io::{BufRead, BufReader, BufWriter, Write},
    path::{Path, PathBuf},
    time::Instant,
};

use inklings_api::{
    App, Config, Interface,
    bench::Turn,
    commands::MemoryCommands,
    error::ErrorCode,
    memory::{by_name::ScopeFilterSpec, embed::BulkModel},
    search::view::SearchHit,
    vocabulary::Scope,
};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{args::UnitKind, failure::Failure, output::Output, progress::EmbedBar};

/// Maximum hits per query.
const LIMIT: u32 = 50;
/// Maximum bytes of a memory's content; longer documents are truncated.
const MOST_BYTES: usize = 64 * 1024;
const DOCS: &str = ".docs.jsonl";
const QUERIES: &str = ".queries.jsonl";

#[derive(Deserialize)]
struct Query {
    id: Value,
    text: String,
}

/// One line of the run file.
#[derive(Serialize)]
struct Answer<'a> {
    id: &'a Value,
    ranked: Vec<String>,
    ms: f64,
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
pub async fn run(
    dir: &Path,
    file: &Path,
    strategy: Option<String>,
    kind: UnitKind,
    out: &Output,
) -> Result<(), Failure> {
    if let Some(name) = &strategy
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
        let report = measure(dir, &unit, (strategy.as_deref(), kind), &model, &mut run, out).await?;
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
    out.answer(&reports, String::new)
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
    (strategy, kind): (Option<&str>, UnitKind),
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

    let began = Instant::now();
    let loaded = match kind {
        UnitKind::Memories => {
            app.memory().import_jsonl(Scope::Channel, Some(unit), docs.as_bytes(), false).await?;
            None
        }
        UnitKind::Conversation => Some(app.bench().load_turns(unit, &turns(&docs)).await?),
    };
    let import_seconds = began.elapsed().as_secs_f64();

    let began = Instant::now();
    app.memory().use_bulk_model(model);
    let bar = EmbedBar::new(unit);
    let embedded = app.model().embed_pending(&bar).await;
    bar.clear();
    embedded?;
    app.memory().wait_for_vectors().await?;
    let embed_seconds = began.elapsed().as_secs_f64();

    let ids = app.bench().external_ids().await?;
    let scope_filter =
        ScopeFilterSpec { scopes: vec![Scope::Channel], channel: Some(unit.to_owned()), conversation: None };
    let began = Instant::now();
    for query in &queries {
        let strategy = strategy.map(str::to_owned);
        let (ranked, ms) = if let Some(loaded) = loaded {
            app.bench().find_turns(loaded, &query.text, LIMIT, strategy).await?
        } else {
            let found =
                app.memory().search_by_name(query.text.clone(), &scope_filter, LIMIT, strategy).await?;
            (ranked(&found.hits, &ids), found.took_ms)
        };
        let answer = Answer { id: &query.id, ranked, ms };
        let line = serde_json::to_string(&answer).map_err(|error| Failure::internal(&error))?;
        writeln!(run, "{line}").map_err(|error| Failure::internal(&error))?;
    }
    Ok(Report {
        unit: unit.to_owned(),
        docs: docs.lines().count(),
        queries: queries.len(),
        import_seconds,
        embed_seconds,
        search_seconds: began.elapsed().as_secs_f64(),
    })
}

/// The test set's ids of the hits. Entries folded into a hit directly follow it.
fn ranked(hits: &[SearchHit], ids: &HashMap<String, String>) -> Vec<String> {
    let mut seen = HashSet::new();
    hits.iter()
        .flat_map(|hit| std::iter::once(&hit.row.id).chain(&hit.folded))
        .filter_map(|id| ids.get(id))
        .filter(|id| seen.insert(id.as_str()))
        .take(LIMIT as usize)
        .cloned()
        .collect()
}

/// The documents as import lines. Truncates documents above the limit of a memory, so that one pasted log
/// does not fail the test set.
fn docs(path: &PathBuf, out: &Output) -> Result<String, Failure> {
    let mut lines = String::new();
    for line in lines_of(path)? {
        let line = line.map_err(|error| Failure::file(path, &error))?;
        let mut doc: Value = serde_json::from_str(&line).map_err(|_| unreadable(path))?;
        if let Some(text) = doc.get("text").and_then(Value::as_str).filter(|text| text.len() > MOST_BYTES) {
            let end = text.floor_char_boundary(MOST_BYTES);
            let cut = text[..end].to_owned();
            out.progress(format_args!("{}: document {} is cut to {end} bytes", path.display(), doc["id"]));
            doc["text"] = Value::String(cut);
        }
        lines.push_str(&doc.to_string());
        lines.push('\n');
    }
    Ok(lines)
}

/// The documents as turns of a conversation.
fn turns(docs: &str) -> Vec<Turn> {
    let word = |doc: &Value, field: &str| match &doc[field] {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    };
    docs.lines()
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
