//! Use cases that read the audit log of permanent deletions.

use inklings_domain::audit::{AuditRow, ChainState};
use inklings_ports::audit::AuditStore;

use crate::{error::AppError, services::Audit};

/// Maximum rows listed per log. Audited actions are rare, so one page is enough.
const ROWS: usize = 1_000;

/// The audit log of one database.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuditLog {
    /// The workspace's name; `None` for the account.
    pub workspace: Option<String>,
    /// Log rows, newest first.
    pub rows: Vec<AuditRow>,
    /// Result of verifying the hash chain.
    pub chain: ChainState,
}

/// Reads and checks the log of one database.
pub async fn read_log(audit: &dyn AuditStore, workspace: Option<&str>) -> Result<AuditLog, AppError> {
    let (rows, chain) = (audit.rows(None, ROWS).await?, audit.verify().await?);
    Ok(AuditLog { workspace: workspace.map(str::to_owned), rows, chain })
}

impl Audit<'_> {
    /// Reads and verifies the audit logs of the account and of the workspace.
    pub async fn logs(&self) -> Result<[AuditLog; 2], AppError> {
        let name = self.session.workspace.workspace.name.as_str();
        let account = read_log(&*self.session.account.memory.audit, None).await?;
        Ok([account, read_log(&*self.session.workspace.memory.audit, Some(name)).await?])
    }
}
