//! Port of the append-only audit log. Each database has its own log.

use inklings_domain::audit::{AuditEntry, AuditRow, ChainState};

use crate::store_error::StoreError;

/// Appends to and reads the audit log of one database. Rows are never changed or removed.
#[async_trait::async_trait]
pub trait AuditStore: Send + Sync {
    /// Appends a row to the end of the log.
    async fn append(&self, entry: &AuditEntry) -> Result<AuditRow, StoreError>;

    /// Rows with a sequence below `before` (all if `None`), newest first.
    async fn rows(&self, before: Option<u64>, limit: usize) -> Result<Vec<AuditRow>, StoreError>;

    /// Verifies the whole hash chain.
    async fn verify(&self) -> Result<ChainState, StoreError>;
}
