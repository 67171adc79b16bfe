//! The `inklings audit` commands.

use clap::Subcommand;
use inklings_api::{
    audit::view::{AuditLog, AuditView, LogAnew},
    error::ErrorCode,
};

use crate::{
    failure::Failure,
    output::{Output, minute, one_line, table, word},
    shared_args::Common,
    store,
};

#[derive(Debug, Subcommand)]
pub enum AuditVerb {
    /// List the operations that cannot be undone
    List,
    /// Verify that the log was not changed; exits with 1 if it was
    Verify,
}

pub async fn run(verb: AuditVerb, common: &Common, out: &Output) -> Result<(), Failure> {
    let app = store::workspace(common, out).await?;
    let log = app.audit().audit_log().await?;
    match verb {
        AuditVerb::List => out.answer(&log, |log| list(&log.rows)),
        AuditVerb::Verify => verify(&log, out),
    }
}

fn list(rows: &[AuditView]) -> String {
    let row = |row: &AuditView| {
        vec![
            row.file.clone(),
            row.sequence.to_string(),
            minute(&row.at),
            word(row.act),
            row.mode.map(word).unwrap_or_default(),
            row.rows.to_string(),
            row.operator.clone(),
            word(row.interface),
            one_line(&row.scope, 60),
        ]
    };
    let head = ["file", "row", "when", "act", "mode", "rows", "by", "interface", "what"];
    table(&head, &rows.iter().map(row).collect::<Vec<_>>())
}

/// The note that a log was restarted: an intact chain does not prove that no earlier rows are missing.
fn began_anew(anew: &LogAnew) -> String {
    let lost = match anew.last_row {
        Some(row) => format!("the log before ended at row {row}"),
        None => "where the log before ended is not known".to_owned(),
    };
    let (row, why) = (anew.row, &anew.why);
    format!("whole, but began anew at row {row} from a backup ({why}); {lost}")
}

fn verify(log: &AuditLog, out: &Output) -> Result<(), Failure> {
    out.answer(&log.chains, |_| {
        let row = |chain: &inklings_api::audit::view::AuditChain| {
            let state = match (chain.broken_at, &chain.anew) {
                (Some(row), _) => format!("BROKEN at row {row}"),
                (None, None) => "whole".to_owned(),
                (None, Some(anew)) => began_anew(anew),
            };
            vec![chain.file.clone(), chain.rows.to_string(), state]
        };
        table(&["file", "rows", "chain"], &log.chains.iter().map(row).collect::<Vec<_>>())
    })?;
    if log.chains.iter().all(|chain| chain.ok) {
        return Ok(());
    }
    Err(Failure::new(ErrorCode::Corrupt, "An audit log was changed by another hand."))
}
