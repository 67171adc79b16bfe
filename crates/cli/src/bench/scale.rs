//! `inklings bench scale`: measures latencies on synthetic entries and compares them with targets.

use std::path::Path;

use inklings_api::{
    App, Config, Interface,
    bench::scale::{self, Footprint, IndexLine, IndexTimes, Timing, UseCaseTimes},
};
use serde::Serialize;

use crate::{
    failure::Failure,
    output::{Output, table},
};

/// Name of the workspace that is filled.
const WORKSPACE: &str = "Bench";

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Line {
    what: &'static str,
    p50: Option<f64>,
    /// The value compared with the target: the 95th percentile of a latency, or a rate or size.
    figure: f64,
    unit: &'static str,
    target: Option<f64>,
    pass: Option<bool>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Report {
    entries: u32,
    optimised: bool,
    lines: Vec<Line>,
    /// Latencies of the use cases, end to end.
    times: UseCaseTimes,
    /// Resident memory of a process that searches these entries minus that of one on an empty workspace, in
    /// MB; `null` where the system does not report it.
    memory_mb: Option<f64>,
    /// Time of that process to load all vectors, which a process before it had loaded, in milliseconds.
    later_load_ms: f64,
    /// Latencies of the index, compared with a naive baseline in the same run.
    index: IndexTimes,
}

/// Direction of the target.
#[derive(Clone, Copy)]
enum Bound {
    AtMost(f64),
    AtLeast(f64),
    None,
}

fn line(what: &'static str, p50: Option<f64>, figure: f64, unit: &'static str, bound: Bound) -> Line {
    let (target, pass) = match bound {
        Bound::AtMost(most) => (Some(most), Some(figure <= most)),
        Bound::AtLeast(least) => (Some(least), Some(figure >= least)),
        Bound::None => (None, None),
    };
    Line { what, p50, figure, unit, target, pass }
}

/// Targets for up to 10,000, 100,000 and 1,000,000 entries.
fn up_to(entries: u32, targets: [f64; 3]) -> Bound {
    match entries {
        0..=10_000 => Bound::AtMost(targets[0]),
        10_001..=100_000 => Bound::AtMost(targets[1]),
        100_001..=1_000_000 => Bound::AtMost(targets[2]),
        _ => Bound::None,
    }
}

/// Measures in temporary folders, which are removed afterwards.
pub async fn run(entries: u32, out: &Output) -> Result<(), Failure> {
    let optimised = !cfg!(debug_assertions);
    if !optimised {
        out.note("This build is not optimised; the figures say little. Use a release build.");
    }
    let folder = tempfile::tempdir().map_err(|error| Failure::internal(&error))?;
    let app = App::open(config(folder.path())).await?;
    app.workspace().create_workspace(WORKSPACE).await?;
    app.workspace().open_workspace(WORKSPACE).await?;
    let times = scale::measure(&app, entries as usize, &|step| out.note(step)).await?;
    drop(app);
    out.note("measuring memory in a process of its own");
    let empty = tempfile::tempdir().map_err(|error| Failure::internal(&error))?;
    let app = App::open(config(empty.path())).await?;
    app.workspace().create_workspace(WORKSPACE).await?;
    drop(app);
    let (full, blank) = (footprint_of(folder.path())?, footprint_of(empty.path())?);
    let memory_mb = full.resident_mb.zip(blank.resident_mb).map(|(full, blank)| full - blank);
    drop((folder, empty));

    out.note("orienting");
    let folder = tempfile::tempdir().map_err(|error| Failure::internal(&error))?;
    let app = App::open(config(folder.path())).await?;
    app.workspace().create_workspace(WORKSPACE).await?;
    app.workspace().open_workspace(WORKSPACE).await?;
    let orientation = scale::measure_orientation(&app, entries as usize).await?;
    drop((app, folder));

    out.note("searching the index alone, and the naive way");
    let folder = tempfile::tempdir().map_err(|error| Failure::internal(&error))?;
    let index = scale::measure_index(folder.path(), entries as usize).await?;
    let report = Report {
        entries,
        optimised,
        lines: lines(entries, &times, orientation, memory_mb, full.load_vectors_ms),
        times,
        memory_mb,
        later_load_ms: full.load_vectors_ms,
        index,
    };
    out.answer(&report, text)
}

/// Prints what this process needs to load and search a folder that the benchmark has filled.
pub async fn memory(folder: &Path, out: &Output) -> Result<(), Failure> {
    let app = App::open(config(folder)).await?;
    app.workspace().open_workspace(WORKSPACE).await?;
    let footprint = scale::footprint(&app).await?;
    out.answer(&footprint, |footprint| footprint.resident_mb.map_or_else(String::new, figure))
}

fn config(folder: &Path) -> Config {
    Config { data_dir: folder.to_owned(), resources: None, interface: Interface::Cli }
}

/// The result of [`memory`] in a new process.
fn footprint_of(folder: &Path) -> Result<Footprint, Failure> {
    let this = std::env::current_exe().map_err(|error| Failure::internal(&error))?;
    let done = std::process::Command::new(this)
        .args(["--json", "bench", "memory"])
        .arg(folder)
        .output()
        .map_err(|error| Failure::internal(&error))?;
    serde_json::from_slice(&done.stdout).map_err(|error| Failure::internal(&error))
}

fn lines(
    entries: u32,
    times: &UseCaseTimes,
    orientation: Timing,
    memory_mb: Option<f64>,
    later_load_ms: f64,
) -> Vec<Line> {
    let span = |what, timing: Timing, bound| line(what, Some(timing.p50_ms), timing.p95_ms, "ms", bound);
    let hybrid = up_to(entries, [2.0, 15.0, 60.0]);
    let mut lines = vec![
        span("hybrid search, best 10", times.hybrid_top10, hybrid),
        span("hybrid search, best 50", times.hybrid_top50, hybrid),
        span("search by words, best 10", times.text_top10, Bound::None),
        span("orientation document, all four tiers", orientation, up_to(entries, [10.0, 40.0, 150.0])),
        span("one write, acknowledged", times.write, up_to(entries, [10.0, 10.0, 15.0])),
        line("bulk import, text only", None, times.import_per_second, "entries/s", Bound::AtLeast(20_000.0)),
        line("vectors stored", None, times.vectors_per_second, "vectors/s", Bound::None),
        line("vectors into memory, first start", None, times.load_vectors_ms, "ms", Bound::None),
        line(
            "vectors into memory, later start",
            None,
            later_load_ms,
            "ms",
            up_to(entries, [100.0, 300.0, 2_000.0]),
        ),
    ];
    if let Some(memory) = memory_mb {
        lines.push(line("memory in use", None, memory, "MB", up_to(entries, [80.0, 250.0, 1_500.0])));
    }
    lines
}

fn text(report: &Report) -> String {
    let row = |line: &Line| {
        vec![
            line.what.to_owned(),
            line.p50.map_or_else(String::new, figure),
            figure(line.figure),
            line.unit.to_owned(),
            line.target.map_or_else(String::new, figure),
            line.pass.map_or("", |pass| if pass { "pass" } else { "MISS" }).to_owned(),
        ]
    };
    let head = ["end to end", "p50", "p95", "", "target", ""];
    let rows: Vec<_> = report.lines.iter().map(row).collect();
    let times = table(&head, &rows);
    let IndexTimes { kernel, dimension, vectors_mb, lines } = &report.index;
    let row = |line: &IndexLine| {
        vec![
            line.what.clone(),
            figure(line.p50_ms),
            figure(line.p95_ms),
            "ms".to_owned(),
            line.naive_p50_ms.map_or_else(String::new, figure),
            line.ratio.map_or_else(String::new, |ratio| format!("{ratio:.1} x")),
        ]
    };
    let head = ["index alone, best 50", "p50", "p95", "", "naive p50", "faster"];
    let index = table(&head, &lines.iter().map(row).collect::<Vec<_>>());
    let json = serde_json::to_string(report).unwrap_or_default();
    let entries = report.entries;
    format!(
        "{entries} entries\n{times}\n\n{index}\n{dimension} components ({kernel}), {vectors_mb:.1} MB in memory\n\n{json}"
    )
}

fn figure(value: f64) -> String {
    if value >= 1_000.0 { format!("{value:.0}") } else { format!("{value:.2}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_target_applies_up_to_its_size_and_none_beyond() {
        assert!(matches!(up_to(10_000, [1.0, 2.0, 3.0]), Bound::AtMost(most) if most < 1.5));
        assert!(matches!(up_to(10_001, [1.0, 2.0, 3.0]), Bound::AtMost(most) if most > 1.5));
        assert!(matches!(up_to(2_000_000, [1.0, 2.0, 3.0]), Bound::None));
        assert_eq!(line("x", None, 3.0, "ms", Bound::AtMost(2.0)).pass, Some(false));
    }
}
