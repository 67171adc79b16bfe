//! What agents and clients find: memories and parts of pages, in one order.

use inklings_domain::{
    ids::MemoryId,
    memory::{
        MemoryEntry,
        filter::{MemoryFilter, Sort},
    },
    orientation::shown::Seen,
    scope::MemoryScope,
    search::query::QueryText,
};
use inklings_ports::vault::filter::PageFilter;

use super::{DocumentHit, DocumentSearch, pages::PageExcerpt};
use crate::{error::AppError, services::Searcher};

/// A search of an agent or a client.
#[derive(Debug, Clone)]
pub(crate) struct AgentSearch {
    /// The query; blank: the most important entries.
    pub(crate) query: String,
    /// The entries that it may see.
    pub(crate) memories: MemoryFilter,
    /// The pages that it may see.
    pub(crate) pages: PageFilter,
    /// Most hits.
    pub(crate) limit: usize,
}

/// A hit of an agent or a client.
#[derive(Debug, Clone, PartialEq)]
pub enum FoundText {
    Memory(Box<MemoryEntry>),
    /// A part of a page.
    Page(Box<PageExcerpt>),
}

impl FoundText {
    /// The record of it for the ledger.
    pub fn seen(&self) -> Seen {
        match self {
            Self::Memory(entry) => Seen::entry(entry),
            Self::Page(page) => Seen::page(page.id),
        }
    }

    /// The memory, if it is one.
    pub fn memory(&self) -> Option<&MemoryEntry> {
        match self {
            Self::Memory(entry) => Some(entry),
            Self::Page(_) => None,
        }
    }

    /// Id and tier of a memory, to count its use.
    pub(crate) fn used(&self) -> Option<(MemoryId, MemoryScope)> {
        self.memory().map(|entry| (entry.id, entry.scope()))
    }
}

impl Searcher<'_> {
    /// Memories and parts of pages for a query, best first; without one, the most important memories.
    pub(crate) async fn for_agents(&self, search: AgentSearch) -> Result<Vec<FoundText>, AppError> {
        let AgentSearch { query, memories, pages, limit } = search;
        if query.trim().is_empty() {
            let page = self.session.memories().list(&memories, Sort::ImportanceDesc, None, limit).await?;
            let entries = page.entries.into_iter().map(|stored| FoundText::Memory(Box::new(stored.entry)));
            return Ok(entries.collect());
        }
        let pages = self.session.vaults().searched(pages).await?;
        let search = DocumentSearch {
            query: QueryText::Typed(query),
            memories: Some(memories),
            // Without pages, nobody needs the places of the words.
            marked: pages.is_some(),
            pages,
            limit,
            ..DocumentSearch::default()
        };
        let text = |hit: DocumentHit| match hit {
            DocumentHit::Memory(hit) => Some(FoundText::Memory(Box::new(hit.stored.entry))),
            DocumentHit::Page(hit) => Some(FoundText::Page(Box::new(hit.excerpt()))),
            DocumentHit::Message(_) => None,
        };
        let found = Box::pin(self.documents(search)).await?;
        Ok(found.hits.into_iter().filter_map(text).collect())
    }
}
