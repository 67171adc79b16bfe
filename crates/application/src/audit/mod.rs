//! Reading the account of what cannot be taken back.

pub mod store;

use inklings_domain::audit::{AuditRow, ChainState};

use crate::{audit::store::AuditStore, error::AppError, session::Session};

/// Rows of one log that are listed. Such acts are rare.
const ROWS: usize = 1_000;

/// The log of one database.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuditLog {
    /// The workspace's name; `None` for the account.
    pub workspace: Option<String>,
    /// Its rows, the newest first.
    pub rows: Vec<AuditRow>,
    /// How its chain stands.
    pub chain: ChainState,
}

/// Reads and checks the log of one database.
///
/// # Errors
/// [`AppError::Store`] if it cannot be read.
pub async fn read_log(audit: &dyn AuditStore, workspace: Option<&str>) -> Result<AuditLog, AppError> {
    let (rows, chain) = (audit.rows(None, ROWS).await?, audit.verify().await?);
    Ok(AuditLog { workspace: workspace.map(str::to_owned), rows, chain })
}

impl Session {
    /// The logs of the account and of the workspace, checked.
    ///
    /// # Errors
    /// [`AppError::Store`] if one cannot be read.
    pub async fn audit_logs(&self) -> Result<[AuditLog; 2], AppError> {
        let name = self.workspace.workspace.name.as_str();
        let account = read_log(&*self.account.memory.audit, None).await?;
        Ok([account, read_log(&*self.workspace.memory.audit, Some(name)).await?])
    }
}
