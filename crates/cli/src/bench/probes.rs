//! `inklings bench probes`: asks for secrets of a generated story through every way in.

use inklings_api::{
    App, Config, Interface,
    bench::probes::{self, ProbeReport},
    error::ErrorCode,
};

use crate::{
    failure::Failure,
    output::{Output, table},
};

/// Name of the workspace that is filled.
const WORKSPACE: &str = "Probes";

pub async fn run(probes: u32, seed: u64, out: &Output) -> Result<(), Failure> {
    let folder = tempfile::tempdir().map_err(|error| Failure::internal(&error))?;
    let config = Config { data_dir: folder.path().to_owned(), resources: None, interface: Interface::Cli };
    let app = App::open(config).await?;
    app.workspace().create_workspace(WORKSPACE).await?;
    app.workspace().open_workspace(WORKSPACE).await?;
    let report = probes::run(&app, probes, seed).await?;
    out.answer(&report, text)?;
    if report.leaks + report.withheld_wrongly == 0 {
        return Ok(());
    }
    let message = format!("{} leaks, {} withheld wrongly.", report.leaks, report.withheld_wrongly);
    Err(Failure::new(ErrorCode::Invalid, message))
}

fn text(report: &ProbeReport) -> String {
    let row = |line: &probes::WayLine| {
        vec![
            line.way.clone(),
            line.probes.to_string(),
            line.hidden.to_string(),
            line.leaks.to_string(),
            line.withheld_wrongly.to_string(),
        ]
    };
    let rows: Vec<_> = report.ways.iter().map(row).collect();
    let head = ["way in", "probes", "not to be shown", "leaks", "withheld wrongly"];
    let meaning = if report.by_meaning { "by words and meaning" } else { "by words alone" };
    let mut lines = vec![table(&head, &rows), String::new()];
    lines.extend(report.failures.iter().cloned());
    lines.push(format!(
        "{} probes {meaning}, seed {}: {} leaks, {} withheld wrongly",
        report.probes, report.seed, report.leaks, report.withheld_wrongly
    ));
    lines.join("\n")
}
