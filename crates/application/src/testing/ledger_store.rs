//! The orientation ledger of an [`InMemoryDatabase`].

use std::cmp::Reverse;

use chrono::{DateTime, Utc};
use inklings_domain::{
    ids::{ConversationId, OrientationId},
    orientation::{Framing, LedgerItem, Orientation},
    shown::{Reader, ShownRead},
};

use super::memory_store::{InMemoryDatabase, Tables};
use crate::ports::{
    error::StoreError,
    ledger_store::{LedgerCursor, LedgerStore, MOST_READS, ReadCursor, ReadFilter},
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

    /// Drops reads; gives how many.
    pub(super) fn forget_reads(&mut self, gone: impl Fn(&ShownRead) -> bool) -> usize {
        let before = self.reads.len();
        self.reads.retain(|_, read| !gone(read));
        before - self.reads.len()
    }

    /// Reads, the newest first.
    fn newest_reads(&self) -> Vec<ShownRead> {
        let mut reads: Vec<ShownRead> = self.reads.values().cloned().collect();
        reads.sort_by_key(|read| Reverse((read.at, read.id)));
        reads
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

    async fn put_read(&self, read: &ShownRead) -> Result<(), StoreError> {
        let mut tables = self.tables();
        if let Some(conversation) = read.showing.conversation {
            tables.conversation(conversation)?;
        }
        if tables.reads.contains_key(&read.id) {
            return Err(StoreError::AlreadyExists("read"));
        }
        tables.reads.insert(read.id, read.clone());
        Ok(())
    }

    async fn reads(
        &self,
        filter: ReadFilter,
        after: Option<ReadCursor>,
        limit: usize,
    ) -> Result<Vec<ShownRead>, StoreError> {
        let wanted = |read: &ShownRead| {
            filter.conversation.is_none_or(|id| read.showing.conversation == Some(id))
                && filter.client.is_none_or(|id| read.reader == Reader::Client(id))
                && after.is_none_or(|cursor| (read.at, read.id) < (cursor.at, cursor.id))
        };
        let mut found = self.tables().newest_reads();
        found.retain(wanted);
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
        let beyond = tables.newest_reads().get(MOST_READS).map(|read| (read.at, read.id));
        let dropped = dropped
            + tables.forget_reads(|read| {
                read.at < drop_before || beyond.is_some_and(|beyond| (read.at, read.id) <= beyond)
            });
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
