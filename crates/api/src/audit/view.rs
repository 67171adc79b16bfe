//! Views of the audit log.

use crate::scrub::view::ScrubMode;
use crate::vocabulary::{Interface, mirror};
use inklings_domain as domain;
use serde::{Deserialize, Serialize};
use specta::Type;

mirror!(
    /// The recorded operation.
    AuditAct = domain::audit::AuditAct {
        Scrub, Purge, Restore, PurgeBackup,
    }
);

/// One row of an audit log.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct AuditView {
    /// Consecutive number from 1.
    pub sequence: u32,
    /// "account", or the workspace's name.
    pub file: String,
    /// The operation.
    pub act: AuditAct,
    /// Kind and id of the target.
    pub scope: String,
    pub mode: Option<ScrubMode>,
    /// Number of rows destroyed, or of files restored.
    pub rows: u32,
    /// Name of the operator.
    pub operator: String,
    /// The interface used.
    pub interface: Interface,
    /// Time of the operation.
    pub at: String,
    /// Hash of the row, 64 hex digits.
    pub hash: String,
}

/// Verification result of a log's hash chain.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct AuditChain {
    /// "account", or the workspace's name.
    pub file: String,
    /// Number of rows.
    pub rows: u32,
    /// True if the chain is intact.
    pub ok: bool,
    /// The first row at which the chain breaks.
    pub broken_at: Option<u32>,
    /// The last restart of the log after the previous log could not be continued.
    #[serde(default)]
    #[specta(optional)]
    pub anew: Option<LogAnew>,
}

/// The log was continued from a backup because the existing log could not be read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct LogAnew {
    /// The row of the restore that recorded it; rows may be missing before it.
    pub row: u32,
    /// Reason: `damaged`, `missing` or `another log`.
    pub why: String,
    /// Last row number of the lost log, if it could be read.
    pub last_row: Option<u32>,
    /// The hash of that row.
    pub last_hash: Option<String>,
}

/// The audit logs of the account and of the workspace in use.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct AuditLog {
    /// Rows, newest first.
    pub rows: Vec<AuditView>,
    /// Verification results of the chains.
    pub chains: Vec<AuditChain>,
}
