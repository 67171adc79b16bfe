//! The audit log of operations that cannot be undone.

pub mod view;

use inklings_application::audit::AuditLog as Log;
use inklings_domain::audit::AuditRow;

use crate::{
    audit::view::{AuditChain, AuditLog, AuditView, LogAnew},
    commands::AuditCommands,
    error::CommandError,
    wire::{count, time},
};

impl AuditCommands<'_> {
    /// The audit logs of the account and of the workspace in use, checked.
    ///
    /// # Errors
    /// [`CommandError`] if no workspace is open or a log cannot be read.
    pub async fn audit_log(&self) -> Result<AuditLog, CommandError> {
        let logs = self.app.session()?.audit().logs().await?;
        let mut rows: Vec<(_, AuditView)> = logs.iter().flat_map(views).collect();
        rows.sort_by_key(|(at, view)| std::cmp::Reverse((*at, view.sequence)));
        let chains = logs.iter().map(|log| AuditChain {
            file: file(log),
            rows: count(log.chain.rows),
            ok: log.chain.broken_at.is_none(),
            broken_at: log.chain.broken_at.map(count),
            anew: log.rows.iter().find_map(anew),
        });
        Ok(AuditLog { rows: rows.into_iter().map(|(_, view)| view).collect(), chains: chains.collect() })
    }
}

fn file(log: &Log) -> String {
    log.workspace.clone().unwrap_or_else(|| "account".to_owned())
}

fn views(log: &Log) -> impl Iterator<Item = (chrono::DateTime<chrono::Utc>, AuditView)> {
    log.rows.iter().map(|row| {
        let entry = &row.entry;
        let view = AuditView {
            sequence: count(row.sequence),
            file: file(log),
            act: entry.act.into(),
            scope: entry.scope.clone(),
            mode: entry.mode.map(Into::into),
            rows: total(&entry.manifest),
            operator: entry.operator.clone(),
            interface: entry.interface.into(),
            at: time(entry.at),
            hash: row.hash.clone(),
        };
        (entry.at, view)
    })
}

/// Reads from a row that the log restarted because the previous database could not be read.
fn anew(row: &AuditRow) -> Option<LogAnew> {
    let manifest: serde_json::Value = serde_json::from_str(&row.entry.manifest).unwrap_or_default();
    let again = manifest.get("anew")?;
    let text = |key: &str| again.get(key).and_then(serde_json::Value::as_str).map(str::to_owned);
    Some(LogAnew {
        row: count(row.sequence),
        why: text("why").unwrap_or_default(),
        last_row: again.get("sequence").and_then(serde_json::Value::as_u64).map(count),
        last_hash: text("hash"),
    })
}

/// The row count in a manifest.
fn total(manifest: &str) -> u32 {
    let manifest: serde_json::Value = serde_json::from_str(manifest).unwrap_or_default();
    manifest.get("total").and_then(serde_json::Value::as_u64).map_or(0, count)
}
