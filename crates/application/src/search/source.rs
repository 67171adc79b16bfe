//! The indexes that a search asks: of memory entries, of messages and of pages. All are asked for the same lists, so that their
//! documents stand in one order.

use std::ops::Range;

use chrono::{DateTime, Utc};
use futures::future;
use inklings_domain::{
    memory::{decay::DecayInputs, embedding::ModelId, filter::MemoryFilter, word_codes::WordCodes},
    scope::MemoryScope,
    search::{
        document::DocumentId,
        query::TextQuery,
        ranking::{Candidate, WordComparison},
    },
};
use inklings_ports::{
    memory::store::StoredEntry,
    search::{
        page_store::{PageHit, PageSearch},
        store::{Asked, Completed, ListHit},
        transcript_store::{MessageHit, TranscriptFilter, TranscriptSearch},
    },
    store_error::StoreError,
    vault::filter::PageFilter,
    workspace::catalogue::MemoryPorts,
};

use super::DocumentSearch;
use crate::session::Session;

/// One index with the filter of its kind of documents.
pub(super) enum Source<'s> {
    /// Of the account or of the workspace.
    Memories {
        ports: &'s MemoryPorts,
        is_account: bool,
        filter: &'s MemoryFilter,
    },
    Messages {
        index: &'s dyn TranscriptSearch,
        filter: &'s TranscriptFilter,
    },
    Pages {
        index: &'s dyn PageSearch,
        filter: &'s PageFilter,
    },
}

/// One hit of a list.
pub(super) struct SourceHit {
    pub(super) id: DocumentId,
    /// Of an entry; `None` for a message and a page.
    pub(super) decay: Option<DecayInputs>,
    pub(super) score: f64,
    pub(super) vector: Option<Vec<f32>>,
    pub(super) passage: Option<Range<usize>>,
}

impl SourceHit {
    /// A hit by name.
    fn named(stored: &StoredEntry) -> Self {
        let (id, decay) = (DocumentId::Memory(stored.entry.id), Some(stored.entry.decay_inputs()));
        Self { id, decay, score: 1.0, vector: None, passage: None }
    }
}

impl From<ListHit> for SourceHit {
    fn from(hit: ListHit) -> Self {
        let ListHit { id, decay, score, vector, passage } = hit;
        Self { id: DocumentId::Memory(id), decay: Some(decay), score, vector, passage }
    }
}

impl From<MessageHit> for SourceHit {
    fn from(hit: MessageHit) -> Self {
        let MessageHit { id, score, passage, .. } = hit;
        Self { id: DocumentId::Message(id), decay: None, score, vector: None, passage }
    }
}

impl From<PageHit> for SourceHit {
    fn from(hit: PageHit) -> Self {
        let PageHit { id, score, passage } = hit;
        Self { id: DocumentId::Page(id), decay: None, score, vector: None, passage }
    }
}

impl<'s> Source<'s> {
    /// The indexes of the kinds that a search asks for.
    pub(super) fn all(session: &'s Session, search: &'s DocumentSearch) -> Vec<Self> {
        let memories = search.memories.iter().flat_map(|filter| {
            let ports = session.ports_within(&filter.scope_filter).into_iter();
            let account = session.ports(MemoryScope::Account);
            let is_account = |ports| std::ptr::eq::<MemoryPorts>(ports, account);
            ports.map(move |ports| Self::Memories { ports, is_account: is_account(ports), filter })
        });
        let messages = search.messages.iter().map(|filter| {
            let index = &*session.workspace.transcript_search;
            Self::Messages { index, filter }
        });
        let pages = search.pages.iter().map(|filter| {
            let index = &*session.workspace.page_search;
            Self::Pages { index, filter }
        });
        memories.chain(messages).chain(pages).collect()
    }

    pub(super) async fn search_text(
        &self,
        query: &TextQuery,
        limit: usize,
    ) -> Result<Vec<SourceHit>, StoreError> {
        match self {
            Self::Memories { ports, filter, .. } => {
                Ok(of_kind(ports.search.search_text(query, filter, limit).await?))
            }
            Self::Messages { index, filter } => Ok(of_kind(index.search_text(query, filter, limit).await?)),
            Self::Pages { index, filter } => Ok(of_kind(index.search_text(query, filter, limit).await?)),
        }
    }

    pub(super) async fn search_meaning(
        &self,
        vector: &[f32],
        model: &ModelId,
        limit: usize,
    ) -> Result<Vec<SourceHit>, StoreError> {
        match self {
            Self::Memories { ports, filter, .. } => {
                Ok(of_kind(ports.search.search_meaning(vector, model, filter, limit).await?))
            }
            Self::Messages { index, filter } => {
                Ok(of_kind(index.search_meaning(vector, model, filter, limit).await?))
            }
            Self::Pages { index, filter } => {
                Ok(of_kind(index.search_meaning(vector, model, filter, limit).await?))
            }
        }
    }

    /// False while the vectors of the model are still being loaded.
    pub(super) fn meaning_ready(&self, model: &ModelId) -> bool {
        match self {
            Self::Memories { ports, .. } => ports.search.meaning_ready(model),
            Self::Messages { .. } | Self::Pages { .. } => true,
        }
    }

    /// Entries in the filter whose name occurs in the query. They rank first, whether or not the lists found them, and so do
    /// entries whose title or key is the whole query, and pages that a link with the whole query could mean. Messages have no
    /// names.
    pub(super) async fn named(&self, text: &str) -> Result<Vec<SourceHit>, StoreError> {
        let (ports, filter) = match self {
            Self::Memories { ports, filter, .. } => (ports, filter),
            Self::Messages { .. } => return Ok(Vec::new()),
            Self::Pages { index, filter } => {
                let called = index.called(text, filter).await?.into_iter();
                let hit = |id| SourceHit::from(PageHit { id, score: 1.0, passage: None });
                return Ok(called.map(hit).collect());
            }
        };
        let (mentioned, called) =
            future::try_join(ports.store.mentioned_in(text, filter), ports.search.called(text, filter))
                .await?;
        Ok(mentioned.iter().map(SourceHit::named).chain(called.into_iter().map(SourceHit::from)).collect())
    }

    /// The newest documents of a time. Pages have none: a file changes for many reasons.
    pub(super) async fn in_time(
        &self,
        within: Range<DateTime<Utc>>,
        limit: usize,
    ) -> Result<Vec<SourceHit>, StoreError> {
        match self {
            Self::Memories { ports, filter, .. } => {
                Ok(of_kind(ports.search.in_time(within, filter, limit).await?))
            }
            Self::Messages { index, filter } => Ok(of_kind(index.in_time(within, filter, limit).await?)),
            Self::Pages { .. } => Ok(Vec::new()),
        }
    }

    /// The ids of the candidates of this kind that lie in the index. The tier of an entry tells which of two it lies in.
    fn own<'c, I>(
        &self,
        candidates: impl Iterator<Item = &'c Candidate<DocumentId>>,
        id: impl Fn(&DocumentId) -> Option<I>,
    ) -> Vec<I> {
        let is_here = |candidate: &&Candidate<DocumentId>| match (self, candidate.scope) {
            (Self::Memories { is_account, .. }, Some(scope)) => {
                (scope == MemoryScope::Account) == *is_account
            }
            _ => true,
        };
        candidates.filter(is_here).filter_map(|candidate| id(&candidate.id)).collect()
    }

    /// Compares the candidates of the index with the query in every way, and those next to them.
    pub(super) async fn complete(
        &self,
        asked: Asked<'_>,
        candidates: &[Candidate<DocumentId>],
    ) -> Result<Vec<Completed<DocumentId>>, StoreError> {
        let candidates = candidates.iter();
        match self {
            Self::Memories { ports, filter, .. } => {
                let ids = self.own(candidates, DocumentId::memory);
                if ids.is_empty() {
                    return Ok(Vec::new());
                }
                let completed = ports.search.complete(asked, filter, &ids).await?;
                Ok(completed.into_iter().map(|completed| completed.map_id(DocumentId::Memory)).collect())
            }
            Self::Messages { index, filter } => {
                let ids = self.own(candidates, DocumentId::message);
                if ids.is_empty() {
                    return Ok(Vec::new());
                }
                let completed = index.complete(asked, filter, &ids).await?;
                Ok(completed.into_iter().map(|completed| completed.map_id(DocumentId::Message)).collect())
            }
            Self::Pages { index, filter } => {
                let ids = self.own(candidates, DocumentId::page);
                if ids.is_empty() {
                    return Ok(Vec::new());
                }
                let completed = index.complete(asked, filter, &ids).await?;
                Ok(completed.into_iter().map(|completed| completed.map_id(DocumentId::Page)).collect())
            }
        }
    }

    /// Compares the words of the candidates of the index with the query's. Pages are compared by their passages.
    pub(super) async fn compare_words<'c>(
        &self,
        words: &WordCodes,
        model: &ModelId,
        candidates: impl Iterator<Item = &'c Candidate<DocumentId>>,
    ) -> Result<Vec<(DocumentId, WordComparison)>, StoreError> {
        match self {
            Self::Memories { ports, filter, .. } => {
                let ids = self.own(candidates, DocumentId::memory);
                if ids.is_empty() {
                    return Ok(Vec::new());
                }
                let compared = ports.search.compare_words(words, model, filter, &ids).await?;
                Ok(compared.into_iter().map(|(id, compared)| (DocumentId::Memory(id), compared)).collect())
            }
            Self::Messages { index, filter } => {
                let ids = self.own(candidates, DocumentId::message);
                if ids.is_empty() {
                    return Ok(Vec::new());
                }
                let compared = index.compare_words(words, model, filter, &ids).await?;
                Ok(compared.into_iter().map(|(id, compared)| (DocumentId::Message(id), compared)).collect())
            }
            Self::Pages { .. } => Ok(Vec::new()),
        }
    }
}

fn of_kind<H: Into<SourceHit>>(hits: Vec<H>) -> Vec<SourceHit> {
    hits.into_iter().map(Into::into).collect()
}
