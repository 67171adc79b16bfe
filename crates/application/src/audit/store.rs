//! The account of what cannot be taken back, one log a database.

use inklings_domain::audit::{AuditEntry, AuditRow, ChainState};

use crate::store_error::StoreError;

/// Appends to the audit log of one database and reads it. Nothing here changes or removes a row, nor can anything else.
#[async_trait::async_trait]
pub trait AuditStore: Send + Sync {
    /// Puts something on record, behind what is there.
    async fn append(&self, entry: &AuditEntry) -> Result<AuditRow, StoreError>;

    /// Rows with a lower sequence than `before` (all if `None`), the newest first.
    async fn rows(&self, before: Option<u64>, limit: usize) -> Result<Vec<AuditRow>, StoreError>;

    /// Checks the whole chain.
    async fn verify(&self) -> Result<ChainState, StoreError>;
}
