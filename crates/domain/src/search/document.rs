//! The documents that a search can find.

use std::cmp::Ordering;

use uuid::Uuid;

use crate::{
    ids::{MemoryId, MessageId, PageId},
    scope::words,
};

/// A kind of searchable documents.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum DocumentKind {
    /// Memory entries.
    Memory,
    /// Messages of conversations.
    Message,
    /// Pages of linked vaults.
    Page,
}

words!(DocumentKind, "kind", { Memory => "memory", Message => "message", Page => "page" });

/// Identifies a searchable document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum DocumentId {
    /// A memory entry.
    Memory(MemoryId),
    Message(MessageId),
    Page(PageId),
}

impl DocumentId {
    /// The kind of the document.
    pub const fn kind(&self) -> DocumentKind {
        match self {
            Self::Memory(_) => DocumentKind::Memory,
            Self::Message(_) => DocumentKind::Message,
            Self::Page(_) => DocumentKind::Page,
        }
    }

    /// The memory entry, if it is one.
    pub const fn memory(&self) -> Option<MemoryId> {
        match self {
            Self::Memory(id) => Some(*id),
            Self::Message(_) | Self::Page(_) => None,
        }
    }

    /// The message, if it is one.
    pub const fn message(&self) -> Option<MessageId> {
        match self {
            Self::Message(id) => Some(*id),
            Self::Memory(_) | Self::Page(_) => None,
        }
    }

    /// The page, if it is one.
    pub const fn page(&self) -> Option<PageId> {
        match self {
            Self::Page(id) => Some(*id),
            Self::Memory(_) | Self::Message(_) => None,
        }
    }

    const fn uuid(&self) -> &Uuid {
        match self {
            Self::Memory(id) => id.as_uuid(),
            Self::Message(id) => id.as_uuid(),
            Self::Page(id) => id.as_uuid(),
        }
    }
}

/// Ids are ordered by their time of creation, whatever the kind.
impl Ord for DocumentId {
    fn cmp(&self, other: &Self) -> Ordering {
        self.uuid().cmp(other.uuid()).then_with(|| self.kind().cmp(&other.kind()))
    }
}

impl PartialOrd for DocumentId {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_of_different_kinds_are_ordered_by_time() {
        let memory = |n| DocumentId::Memory(MemoryId::from_uuid(Uuid::from_u128(n)));
        let message = |n| DocumentId::Message(MessageId::from_uuid(Uuid::from_u128(n)));
        assert!(memory(1) < message(2) && message(2) < memory(3));
        assert!(memory(1) < message(1) && memory(1) != message(1));
    }
}
