//! The audit log in an [`InMemoryDatabase`].

use inklings_domain::{
    audit::{AuditEntry, AuditRow, ChainState, verify},
    ids::WorkspaceId,
};

use super::memory_store::{InMemoryDatabase, Tables};
use crate::ports::{audit_store::AuditStore, error::StoreError};

impl Tables {
    /// Puts something on record.
    pub(super) fn put_on_record(&mut self, entry: &AuditEntry) -> AuditRow {
        let last = self.audit.last().map(|row| (row.sequence, row.hash.as_str()));
        let row = AuditRow::sealed(self.workspace.unwrap_or(WorkspaceId::ACCOUNT), last, entry.clone());
        self.audit.push(row.clone());
        row
    }
}

#[async_trait::async_trait]
impl AuditStore for InMemoryDatabase {
    async fn append(&self, entry: &AuditEntry) -> Result<AuditRow, StoreError> {
        Ok(self.tables().put_on_record(entry))
    }

    async fn rows(&self, before: Option<u64>, limit: usize) -> Result<Vec<AuditRow>, StoreError> {
        let tables = self.tables();
        let rows = tables.audit.iter().rev().filter(|row| before.is_none_or(|before| row.sequence < before));
        Ok(rows.take(limit).cloned().collect())
    }

    async fn verify(&self) -> Result<ChainState, StoreError> {
        let tables = self.tables();
        let head = tables.audit.last().map(|row| (row.sequence, row.hash.as_str()));
        Ok(verify(tables.workspace.unwrap_or(WorkspaceId::ACCOUNT), &tables.audit, head))
    }
}
