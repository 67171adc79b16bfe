//! Reads the documents of the ranked candidates and makes the hits.

use std::{
    borrow::Cow,
    collections::{HashMap, HashSet},
    ops::Range,
};

use futures::future;
use inklings_domain::{
    conversation::message::Message,
    ids::{MemoryId, MessageId, PageId},
    scope::MemoryScope,
    search::{
        document::DocumentId,
        query::TextQuery,
        ranking::{Fused, Ranked},
    },
};
use inklings_ports::{
    memory::store::StoredEntry, search::store::Highlight, store_error::StoreError, vault::store::StoredPage,
    workspace::catalogue::MemoryPorts,
};

use super::{
    DocumentHit, Hit,
    fold::{Side, fold_into},
    gather::Gathered,
};
use crate::{
    error::AppError,
    search::{messages::FoundMessage, pages::FoundPage},
    services::Searcher,
};

/// Documents read beyond the last place, because entries with the same content often rank close behind a hit
/// and the newest of them goes on top.
const BEYOND: usize = 6;

/// What is read of a batch of documents.
#[derive(Default)]
struct Batch {
    entries: HashMap<MemoryId, StoredEntry>,
    messages: HashMap<MessageId, Message>,
    pages: HashMap<PageId, StoredPage>,
    /// Of entries that only the text search found.
    vectors: HashMap<MemoryId, Vec<f32>>,
}

type Spans = HashMap<DocumentId, Vec<Range<usize>>>;

impl Searcher<'_> {
    /// The first `limit` hits after folding, with their documents, and with the positions of the words of
    /// `marked`.
    pub(super) async fn hits(
        &self,
        fused: &Fused<'_, DocumentId>,
        gathered: &Gathered,
        marked: Option<&TextQuery>,
        limit: usize,
    ) -> Result<Vec<DocumentHit>, AppError> {
        // Entries with precomputed comparison data, because the comparison is quadratic in the entries.
        let mut hits: Vec<(DocumentHit, Option<Side<'_>>)> = Vec::with_capacity(limit);
        let mut spans = Spans::new();
        let mut left = fused.ranked();
        while hits.len() < limit {
            let (batch, behind) = left.split_at(left.len().min(limit - hits.len() + BEYOND));
            if batch.is_empty() {
                break;
            }
            left = behind;
            let mut read = self.read(batch, gathered, marked, &mut spans).await?;
            for rank in batch {
                // Only a purge can remove a document between the list query and this read; skip it.
                match rank.id {
                    DocumentId::Message(id) => {
                        let Some(message) = read.messages.remove(&id).filter(|_| hits.len() < limit) else {
                            continue;
                        };
                        let (score, contributions) = (rank.score, fused.contributions(rank));
                        let hit =
                            FoundMessage { message, score, contributions, spans: Vec::new(), passage: None };
                        hits.push((DocumentHit::Message(Box::new(hit)), None));
                    }
                    DocumentId::Page(id) => {
                        let Some(page) = read.pages.remove(&id).filter(|_| hits.len() < limit) else {
                            continue;
                        };
                        let (score, contributions) = (rank.score, fused.contributions(rank));
                        let hit = FoundPage { page, score, contributions, spans: Vec::new(), passage: None };
                        hits.push((DocumentHit::Page(Box::new(hit)), None));
                    }
                    DocumentId::Memory(id) => {
                        let Some(stored) = read.entries.remove(&id) else { continue };
                        let known = gathered.vectors.get(&id).map(|vector| Cow::Borrowed(vector.as_slice()));
                        let vector = known.or_else(|| read.vectors.remove(&id).map(Cow::Owned));
                        let side = Side::new(&stored.entry.content, vector);
                        let twin = hits.iter_mut().find_map(|(hit, other)| match (hit, other) {
                            (DocumentHit::Memory(hit), Some(other))
                                if other.folds(&hit.stored.entry, &side, &stored.entry) =>
                            {
                                Some((hit, other))
                            }
                            _ => None,
                        });
                        if let Some((hit, other)) = twin {
                            if fold_into(hit, stored, gathered) {
                                *other = side;
                            }
                        } else if hits.len() < limit {
                            let hit = Hit {
                                decay: gathered.decay[&id],
                                score: rank.score,
                                contributions: fused.contributions(rank),
                                spans: Vec::new(),
                                passage: None,
                                folded: Vec::new(),
                                stored,
                            };
                            hits.push((DocumentHit::Memory(Box::new(hit)), Some(side)));
                        }
                    }
                }
            }
        }
        let mut hits: Vec<DocumentHit> = hits.into_iter().map(|(hit, _)| hit).collect();
        for hit in &mut hits {
            let (id, shown, passage) = match hit {
                DocumentHit::Memory(hit) => {
                    (DocumentId::Memory(hit.stored.entry.id), &mut hit.spans, &mut hit.passage)
                }
                DocumentHit::Message(hit) => {
                    (DocumentId::Message(hit.message.id()), &mut hit.spans, &mut hit.passage)
                }
                DocumentHit::Page(hit) => {
                    (DocumentId::Page(hit.page.row.id), &mut hit.spans, &mut hit.passage)
                }
            };
            *shown = spans.remove(&id).unwrap_or_default();
            *passage = gathered.passages.get(&id).cloned();
        }
        Ok(hits)
    }

    /// Reads the documents of a batch, the positions of the query's words in them, and vectors of entries that only the text
    /// search found. Reads them concurrently, and each id only from the database that holds it.
    async fn read(
        &self,
        batch: &[Ranked<DocumentId>],
        gathered: &Gathered,
        marked: Option<&TextQuery>,
        spans: &mut Spans,
    ) -> Result<Batch, AppError> {
        let memories: Vec<MemoryId> = batch.iter().filter_map(|rank| rank.id.memory()).collect();
        let messages: Vec<MessageId> = batch.iter().filter_map(|rank| rank.id.message()).collect();
        let pages: Vec<PageId> = batch.iter().filter_map(|rank| rank.id.page()).collect();
        let (memories, messages, pages) = future::try_join3(
            self.read_memories(&memories, gathered, marked),
            self.read_messages(&messages, marked),
            self.read_pages(&pages, gathered, marked),
        )
        .await?;
        let mut read = Batch::default();
        for (found, marked, missing) in memories {
            read.entries.extend(found.into_iter().map(|stored| (stored.entry.id, stored)));
            read.vectors.extend(missing);
            spans.extend(
                marked.into_iter().map(|highlight| (DocumentId::Memory(highlight.id), highlight.spans)),
            );
        }
        let (found, marked) = messages;
        read.messages.extend(found.into_iter().map(|message| (message.id(), message)));
        spans.extend(marked.into_iter().map(|(id, spans)| (DocumentId::Message(id), spans)));
        let (pages, marked) = pages;
        read.pages = pages.into_iter().map(|page| (page.row.id, page)).collect();
        spans.extend(marked.into_iter().map(|(id, spans)| (DocumentId::Page(id), spans)));
        Ok(read)
    }

    async fn read_memories(
        &self,
        ids: &[MemoryId],
        gathered: &Gathered,
        marked: Option<&TextQuery>,
    ) -> Result<Vec<ReadMemories>, StoreError> {
        let account: HashSet<DocumentId> = gathered
            .candidates
            .iter()
            .filter(|candidate| candidate.scope == Some(MemoryScope::Account))
            .map(|candidate| candidate.id)
            .collect();
        let (account, workspace): (Vec<MemoryId>, Vec<MemoryId>) =
            ids.iter().partition(|id| account.contains(&DocumentId::Memory(**id)));
        let parts = [(&self.session.account.memory, account), (&self.session.workspace.memory, workspace)];
        let parts = parts.iter().filter(|(_, ids)| !ids.is_empty()).map(|(ports, ids)| {
            future::try_join3(
                ports.store.get(ids),
                highlights(ports, ids, marked),
                missing_vectors(ports, ids, gathered),
            )
        });
        future::try_join_all(parts).await
    }

    async fn read_pages(
        &self,
        ids: &[PageId],
        gathered: &Gathered,
        marked: Option<&TextQuery>,
    ) -> Result<(Vec<StoredPage>, Vec<(PageId, Vec<Range<usize>>)>), StoreError> {
        let Some(filter) = gathered.pages.as_ref().filter(|_| !ids.is_empty()) else {
            return Ok((Vec::new(), Vec::new()));
        };
        let workspace = &self.session.workspace;
        let marks = async {
            match marked {
                Some(query) => workspace.page_search.highlights(query, ids).await,
                None => Ok(Vec::new()),
            }
        };
        future::try_join(workspace.pages.pages(filter, ids), marks).await
    }

    async fn read_messages(
        &self,
        ids: &[MessageId],
        marked: Option<&TextQuery>,
    ) -> Result<(Vec<Message>, Vec<(MessageId, Vec<Range<usize>>)>), StoreError> {
        if ids.is_empty() {
            return Ok((Vec::new(), Vec::new()));
        }
        let workspace = &self.session.workspace;
        let marks = async {
            match marked {
                Some(query) => workspace.transcript_search.highlights(query, ids).await,
                None => Ok(Vec::new()),
            }
        };
        future::try_join(workspace.transcript.messages(ids), marks).await
    }
}

/// Entries, the positions of words in them, and vectors.
type ReadMemories = (Vec<StoredEntry>, Vec<Highlight>, Vec<(MemoryId, Vec<f32>)>);

async fn highlights(
    ports: &MemoryPorts,
    ids: &[MemoryId],
    marked: Option<&TextQuery>,
) -> Result<Vec<Highlight>, StoreError> {
    match marked {
        Some(query) => ports.search.highlights(query, ids).await,
        None => Ok(Vec::new()),
    }
}

/// Vectors of hits that only the text search found.
async fn missing_vectors(
    ports: &MemoryPorts,
    ids: &[MemoryId],
    gathered: &Gathered,
) -> Result<Vec<(MemoryId, Vec<f32>)>, StoreError> {
    let Some((_, model)) = &gathered.asked else { return Ok(Vec::new()) };
    let missing: Vec<MemoryId> = ids.iter().filter(|id| !gathered.knows_vector(**id)).copied().collect();
    if missing.is_empty() { Ok(Vec::new()) } else { ports.search.vectors(&missing, model).await }
}
