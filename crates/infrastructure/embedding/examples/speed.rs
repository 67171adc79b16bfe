//! Measures the bundled model on this machine: `cargo run -p inklings-embedding --example speed [THREADS]`.
#![allow(clippy::print_stdout, reason = "printing is what it is for")]

use std::error::Error;
use std::sync::Arc;
use std::time::{Duration, Instant};
use std::{env, fs};

use inklings_domain::memory::embedding::ModelId;
use inklings_embedding::{BUNDLED, FastEmbedCatalogue, resources_dir};
use inklings_ports::model::embedding::{Embedder, ModelCatalogue};

/// Words of a text of about forty tokens.
const WORDS: usize = 34;

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let threads = env::args().nth(1).map_or(Ok(1), |text| text.parse())?;
    println!("threads per call           {threads}");
    let started = Instant::now();
    let catalogue = FastEmbedCatalogue::new(resources_dir(), env::temp_dir()).with_threads(threads);
    let model = catalogue.load(&ModelId::new(BUNDLED)).await?;
    println!("load                       {:.0} ms", milliseconds(started.elapsed()));

    let (alone, _) = queries(&model, "alone", 200).await?;
    println!("query of 6 words, alone    {alone}");

    let texts: Vec<String> = (0..600).map(text).collect();
    let started = Instant::now();
    model.embed_documents(&texts).await?;
    let seconds = started.elapsed().as_secs_f64();
    println!("documents of ~40 tokens    {:.0} per second", texts.len() as f64 / seconds);
    println!("memory after them          {}", memory());

    let background = tokio::spawn({
        let model = Arc::clone(&model);
        async move { model.embed_documents(&(0..20_000).map(text).collect::<Vec<_>>()).await.map(drop) }
    });
    tokio::time::sleep(Duration::from_millis(200)).await;
    let (beside, slowest) = queries(&model, "beside", 100).await?;
    println!("query beside a bulk job    {beside}, slowest {slowest:.0} ms");
    background.abort();
    Ok(())
}

async fn queries(
    model: &Arc<dyn Embedder>,
    mark: &str,
    count: usize,
) -> Result<(String, f64), Box<dyn Error>> {
    let mut times = Vec::new();
    for at in 0..count {
        let query = format!("who {mark} hid the key {at}");
        let started = Instant::now();
        model.embed_query(&query).await?;
        times.push(milliseconds(started.elapsed()));
        tokio::time::sleep(Duration::from_millis(5)).await; // nobody types without a pause
    }
    times.sort_by(f64::total_cmp);
    let at = |share: f64| times[((count - 1) as f64 * share) as usize];
    Ok((format!("median {:.1} ms, p95 {:.1} ms", at(0.5), at(0.95)), at(1.0)))
}

fn text(seed: usize) -> String {
    const VOCABULARY: [&str; 12] = [
        "harbour",
        "the",
        "captain",
        "winter",
        "of",
        "lighthouse",
        "buried",
        "and",
        "silver",
        "road",
        "never",
        "river",
    ];
    (0..WORDS)
        .map(|at| VOCABULARY[(seed * 7 + at * at + seed * at) % VOCABULARY.len()])
        .collect::<Vec<_>>()
        .join(" ")
}

fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

/// Resident memory now and at its highest, where the system tells.
fn memory() -> String {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let field = |name: &str| {
        let line = status.lines().find_map(|line| line.strip_prefix(name));
        line.and_then(|value| value.trim().trim_end_matches(" kB").parse::<f64>().ok())
            .map_or(0.0, |kb| kb / 1024.0)
    };
    format!("{:.0} MB resident, {:.0} MB at most", field("VmRSS:"), field("VmHWM:"))
}
