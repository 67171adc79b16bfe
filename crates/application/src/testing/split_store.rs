//! The account's parts of changes in an [`InMemoryDatabase`].

use inklings_domain::{
    change_set::ChangeSet,
    ids::{ChangeId, WorkspaceId},
};

use super::memory_store::{InMemoryDatabase, Tables};
use crate::ports::{
    error::StoreError,
    split_store::{PreparedPart, SplitStore},
};

/// Parts that wait for their workspace, and those that were refused.
#[derive(Debug, Clone, Default)]
pub(super) struct Parts {
    waiting: Vec<(ChangeSet, WorkspaceId)>,
    refused: Vec<(ChangeId, WorkspaceId)>,
}

impl Tables {
    /// True if a change stands here.
    pub(super) fn stands(&self, change: ChangeId) -> bool {
        self.journal.iter().any(|row| row.change == change && row.undone_by.is_none())
    }

    /// Ends what was cut off: done if its workspace committed its part, dropped if not.
    pub(super) fn settle_parts(&mut self, decides: impl Fn(WorkspaceId, ChangeId) -> bool) {
        for (part, follows) in std::mem::take(&mut self.parts.waiting) {
            let change = part.stamp.change;
            if self.journal.iter().any(|row| row.change == change) || !decides(follows, change) {
                continue;
            }
            match self.check(&part) {
                Ok(()) => self.carry_out(&part),
                Err(_) => self.parts.refused.push((change, follows)),
            }
        }
    }
}

struct Prepared {
    database: InMemoryDatabase,
    part: ChangeSet,
}

impl Prepared {
    fn forget(&self) {
        let change = self.part.stamp.change;
        self.database.tables().parts.waiting.retain(|(part, _)| part.stamp.change != change);
    }
}

#[async_trait::async_trait]
impl SplitStore for InMemoryDatabase {
    async fn prepare(
        &self,
        part: &ChangeSet,
        follows: WorkspaceId,
    ) -> Result<Box<dyn PreparedPart>, StoreError> {
        let mut tables = self.tables();
        tables.check(part)?;
        tables.parts.waiting.push((part.clone(), follows));
        Ok(Box::new(Prepared { database: self.clone(), part: part.clone() }))
    }

    /// The folder does it when it is opened.
    async fn settle(&self) -> Result<(), StoreError> {
        Ok(())
    }

    async fn refused(&self, workspace: WorkspaceId) -> Result<Vec<ChangeId>, StoreError> {
        let tables = self.tables();
        let of_it = tables.parts.refused.iter().filter(|(_, of)| *of == workspace);
        Ok(of_it.map(|(change, _)| *change).collect())
    }

    async fn taken_back(&self, change: ChangeId, workspace: WorkspaceId) -> Result<(), StoreError> {
        self.tables().parts.refused.retain(|refused| *refused != (change, workspace));
        Ok(())
    }
}

#[async_trait::async_trait]
impl PreparedPart for Prepared {
    async fn commit(self: Box<Self>) -> Result<(), StoreError> {
        let mut tables = self.database.tables();
        if let Some(error) = tables.broken.0.take() {
            return Err(error);
        }
        tables.check(&self.part)?;
        tables.carry_out(&self.part);
        drop(tables);
        self.forget();
        Ok(())
    }

    async fn abandon(self: Box<Self>) {
        self.forget();
    }
}
