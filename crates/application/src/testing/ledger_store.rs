//! The orientation ledger of an [`InMemoryDatabase`].

use std::cmp::Reverse;

use chrono::{DateTime, Utc};
use inklings_domain::{
    ids::{ConversationId, OrientationId},
    orientation::{Framing, LedgerItem, Orientation},
};

use super::memory_store::{InMemoryDatabase, Tables};
use crate::ports::{
    error::StoreError,
    ledger_store::{LedgerCursor, LedgerStore},
    settings::Topic,
};

impl Tables {
    /// Drops orientations whole; gives how many.
    pub(super) fn forget_shown(&mut self, gone: impl Fn(&Orientation) -> bool) -> usize {
        let before = self.ledger.len();
        self.ledger.retain(|_, orientation| !gone(orientation));
        let dropped = before - self.ledger.len();
        if dropped > 0 {
            self.announce(Topic::Orientations);
        }
        dropped
    }
}

fn kept(item: &LedgerItem) -> LedgerItem {
    LedgerItem { framing: Framing { note: None, ..item.framing.clone() }, ..item.clone() }
}

#[async_trait::async_trait]
impl LedgerStore for InMemoryDatabase {
    async fn put(&self, orientation: &Orientation) -> Result<(), StoreError> {
        let mut tables = self.tables();
        if let Some(conversation) = orientation.conversation {
            tables.conversation(conversation)?;
        }
        if tables.ledger.contains_key(&orientation.id) {
            return Err(StoreError::AlreadyExists("orientation"));
        }
        let items = orientation.items.iter().map(kept).collect();
        tables.ledger.insert(orientation.id, Orientation { items, ..orientation.clone() });
        tables.announce(Topic::Orientations);
        Ok(())
    }

    async fn get(&self, id: OrientationId) -> Result<Option<Orientation>, StoreError> {
        Ok(self.tables().ledger.get(&id).cloned())
    }

    async fn list(
        &self,
        conversation: ConversationId,
        after: Option<LedgerCursor>,
        limit: usize,
    ) -> Result<Vec<Orientation>, StoreError> {
        let wanted = |o: &&Orientation| {
            o.conversation == Some(conversation) && after.is_none_or(|c| (o.at, o.id) < (c.at, c.id))
        };
        let mut found: Vec<Orientation> = self.tables().ledger.values().filter(wanted).cloned().collect();
        found.sort_by_key(|o| Reverse((o.at, o.id)));
        found.truncate(limit);
        Ok(found)
    }

    async fn thin(
        &self,
        thin_before: DateTime<Utc>,
        drop_before: DateTime<Utc>,
    ) -> Result<usize, StoreError> {
        let mut tables = self.tables();
        let dropped = tables.forget_shown(|o| o.at < drop_before);
        let mut thinned = 0;
        for orientation in tables.ledger.values_mut().filter(|o| o.at < thin_before && !o.thinned) {
            orientation.items.retain(|item| item.left_out.is_none());
            orientation.thinned = true;
            thinned += 1;
        }
        if thinned > 0 {
            tables.announce(Topic::Orientations);
        }
        Ok(dropped + thinned)
    }
}
