//! The audit log as it crosses the boundary.

use crate::scrub::view::ScrubMode;
use crate::vocabulary::{Interface, mirror};
use inklings_domain as domain;
use serde::{Deserialize, Serialize};
use specta::Type;

mirror!(
    /// What was put on record.
    AuditAct = domain::audit::AuditAct {
        /// A tier was scrubbed.
        Scrub,
        /// A conversation was purged.
        Purge,
        /// A backup was put back.
        Restore,
        /// A backup was destroyed.
        PurgeBackup,
    }
);

/// One row of an audit log.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct AuditView {
    /// From 1, without a gap.
    pub sequence: u32,
    /// "account", or the workspace's name.
    pub file: String,
    /// What was done.
    pub act: AuditAct,
    /// To what: kind and id.
    pub scope: String,
    /// In which mode, for a scrub.
    pub mode: Option<ScrubMode>,
    /// Rows that were destroyed, or files that were put back.
    pub rows: u32,
    /// Who did it.
    pub operator: String,
    /// Through which interface.
    pub interface: Interface,
    /// When.
    pub at: String,
    /// Its seal, 64 hex digits.
    pub hash: String,
}

/// How the chain of a log stands.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct AuditChain {
    /// "account", or the workspace's name.
    pub file: String,
    /// Rows it has.
    pub rows: u32,
    /// True if it is whole.
    pub ok: bool,
    /// The row at which it breaks first.
    pub broken_at: Option<u32>,
    /// Where it began anew last, behind a log that could not be taken over.
    #[serde(default)]
    #[specta(optional)]
    pub anew: Option<LogAnew>,
}

/// That a log goes on from a backup, because the one that was there could not be read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct LogAnew {
    /// The row of the restore that tells of it; rows may be missing before it.
    pub row: u32,
    /// Why: `damaged`, `missing` or `another log`.
    pub why: String,
    /// Where the lost log ended, if that could be read.
    pub last_row: Option<u32>,
    /// The hash of that row.
    pub last_hash: Option<String>,
}

/// The audit logs of the account and of the workspace in use.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct AuditLog {
    /// Their rows, the newest first.
    pub rows: Vec<AuditView>,
    /// How their chains stand.
    pub chains: Vec<AuditChain>,
}
