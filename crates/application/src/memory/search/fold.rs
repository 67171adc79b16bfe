//! Folds hits that say the same into one, the newest on top; the others stay reachable.

use std::{
    collections::{HashMap, HashSet},
    ops::Range,
};

use futures::future;
use inklings_domain::{
    embedding::dot, ids::MemoryId, memory::MemoryEntry, query::TextQuery, ranking::Ranked,
    scope::MemoryScope, similarity, text,
};

use super::{Hit, gather::Gathered};
use crate::{
    error::AppError,
    ports::{catalogue::MemoryPorts, error::StoreError, memory_store::StoredEntry},
    session::Session,
};

impl Session {
    /// The first `limit` hits after folding, with their entries.
    pub(super) async fn folded_hits(
        &self,
        ranked: Vec<Ranked>,
        gathered: &Gathered,
        query: &TextQuery,
        limit: usize,
    ) -> Result<Vec<Hit>, AppError> {
        // Half as many again: room for what folding takes away without reading the whole pool.
        let wanted = limit + limit / 2 + 4;
        let ids: Vec<MemoryId> = ranked.iter().take(wanted).map(|hit| hit.id).collect();
        let (entries, mut spans, vectors) = self.read(&ids, gathered, query).await?;
        let mut entries: HashMap<MemoryId, StoredEntry> =
            entries.into_iter().map(|stored| (stored.entry.id, stored)).collect();

        let mut hits: Vec<Hit> = Vec::with_capacity(limit);
        // What each hit is compared by, beside it: the comparison is quadratic in the hits.
        let mut sides: Vec<Side<'_>> = Vec::with_capacity(limit);
        for rank in ranked.into_iter().take(wanted) {
            // An entry can vanish between the lists and here only by a purge; it is simply gone then.
            let Some(stored) = entries.remove(&rank.id) else { continue };
            let side = Side {
                text: text::fold(&stored.entry.content),
                vector: gathered.vectors.get(&rank.id).or_else(|| vectors.get(&rank.id)).map(Vec::as_slice),
            };
            let twin = hits.iter().zip(&sides).position(|(hit, other)| {
                same_room(&hit.stored.entry, &stored.entry) && {
                    let cosine = || side.vector.zip(other.vector).map(|(a, b)| dot(a, b));
                    side.text == other.text
                        || similarity::may_fold(&hit.stored.entry.content, &stored.entry.content, cosine())
                }
            });
            if let Some(twin) = twin {
                if fold_into(&mut hits[twin], stored, gathered) {
                    sides[twin] = side;
                }
            } else if hits.len() < limit {
                hits.push(Hit {
                    decay: gathered.decay[&rank.id],
                    score: rank.score,
                    contributions: rank.contributions,
                    spans: Vec::new(),
                    folded: Vec::new(),
                    stored,
                });
                sides.push(side);
            }
        }
        for hit in &mut hits {
            hit.spans = spans.remove(&hit.stored.entry.id).unwrap_or_default();
        }
        Ok(hits)
    }

    /// The entries with where the query's words stand in them, and the vectors of those that only the text search
    /// found: all asked for at once, of the database that holds them alone.
    async fn read(
        &self,
        ids: &[MemoryId],
        gathered: &Gathered,
        query: &TextQuery,
    ) -> Result<(Vec<StoredEntry>, Spans, Vectors), AppError> {
        let account: HashSet<MemoryId> = gathered
            .candidates
            .iter()
            .filter(|candidate| candidate.scope == MemoryScope::Account)
            .map(|candidate| candidate.id)
            .collect();
        let (account, workspace): (Vec<MemoryId>, Vec<MemoryId>) =
            ids.iter().partition(|id| account.contains(id));
        let parts = [(&self.account.memory, account), (&self.workspace.memory, workspace)];
        let parts = parts.iter().filter(|(_, ids)| !ids.is_empty()).map(|(ports, ids)| async move {
            future::try_join3(
                ports.store.get(ids),
                ports.search.highlights(query, ids),
                missing_vectors(ports, ids, gathered),
            )
            .await
        });
        let (mut entries, mut spans, mut vectors) = (Vec::new(), Spans::new(), Vectors::new());
        for (found, marked, missing) in future::try_join_all(parts).await? {
            entries.extend(found);
            spans.extend(marked.into_iter().map(|highlight| (highlight.id, highlight.spans)));
            vectors.extend(missing);
        }
        Ok((entries, spans, vectors))
    }
}

/// What two hits are compared by.
struct Side<'v> {
    /// The content, folded.
    text: String,
    vector: Option<&'v [f32]>,
}

type Spans = HashMap<MemoryId, Vec<Range<usize>>>;
type Vectors = HashMap<MemoryId, Vec<f32>>;

/// The vectors of hits that only the text search found.
async fn missing_vectors(
    ports: &MemoryPorts,
    ids: &[MemoryId],
    gathered: &Gathered,
) -> Result<Vec<(MemoryId, Vec<f32>)>, StoreError> {
    let Some(model) = &gathered.model else { return Ok(Vec::new()) };
    let missing: Vec<MemoryId> =
        ids.iter().filter(|id| !gathered.vectors.contains_key(id)).copied().collect();
    if missing.is_empty() { Ok(Vec::new()) } else { ports.search.vectors(&missing, model).await }
}

/// Only entries of one room are folded: the same words in two rooms are two facts.
fn same_room(a: &MemoryEntry, b: &MemoryEntry) -> bool {
    a.place == b.place && a.is_active() == b.is_active()
}

/// Puts the newer of two alike entries on top; true if that is the other. Place and score of the better hit stay.
fn fold_into(hit: &mut Hit, other: StoredEntry, gathered: &Gathered) -> bool {
    let newer = other.entry.updated_at > hit.stored.entry.updated_at;
    let older = if newer {
        hit.decay = gathered.decay[&other.entry.id];
        std::mem::replace(&mut hit.stored, other)
    } else {
        other
    };
    hit.folded.push(older.entry.id);
    newer
}
