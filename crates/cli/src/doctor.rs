//! The `inklings doctor` command.

use inklings_api::{
    doctor::{self, Finding},
    error::ErrorCode,
    system,
};

use crate::{
    args::Doctor,
    backup,
    failure::Failure,
    output::{Output, table},
    shared_args::Common,
};

/// Checks every database without opening it for use: a damaged one is a finding, not an error.
pub async fn run(verb: &Doctor, common: &Common, out: &Output) -> Result<(), Failure> {
    let findings = doctor::examine(system::data_dir(common.data_dir.clone()), verb.repair).await?;
    out.answer(&findings, |findings| {
        if findings.is_empty() { "Nothing is stored yet.".into() } else { list(findings) }
    })?;
    match findings.iter().filter(|finding| !finding.ok).count() {
        0 => Ok(()),
        trouble => {
            let mut summary = format!("{trouble} of {} checks found trouble.", findings.len());
            if findings.iter().any(|finding| !finding.ok && finding.check.ends_with("_index")) {
                summary.push_str(" `inklings doctor --repair` makes a full-text index anew.");
            }
            Err(backup::with_ways_out(Failure::new(ErrorCode::Corrupt, summary), common).await)
        }
    }
}

fn list(findings: &[Finding]) -> String {
    let row = |finding: &Finding| {
        vec![
            if finding.ok { "ok" } else { "TROUBLE" }.to_owned(),
            finding.file.clone(),
            finding.check.clone(),
            finding.result.clone(),
        ]
    };
    table(&["", "file", "check", "result"], &findings.iter().map(row).collect::<Vec<_>>())
}
