//! Folds hits that say the same into one, the newest on top; the others stay reachable.

use std::collections::HashMap;

use inklings_domain::{
    embedding::dot, ids::MemoryId, memory::MemoryEntry, ranking::Ranked, similarity, text,
};

use super::{Hit, gather::Gathered};
use crate::{error::AppError, ports::memory_store::StoredEntry, session::Session};

impl Session {
    /// The first `limit` hits after folding, with their entries.
    pub(super) async fn folded_hits(
        &self,
        ranked: Vec<Ranked>,
        gathered: &Gathered,
        limit: usize,
    ) -> Result<Vec<Hit>, AppError> {
        // Half as many again: room for what folding takes away without reading the whole pool.
        let wanted = limit + limit / 2 + 4;
        let ids: Vec<MemoryId> = ranked.iter().take(wanted).map(|hit| hit.id).collect();
        let mut entries: HashMap<MemoryId, StoredEntry> =
            self.entries(&ids).await?.into_iter().map(|stored| (stored.entry.id, stored)).collect();
        let vectors = self.missing_vectors(&ids, gathered).await?;
        // Folded once each: the comparison below is quadratic in the hits.
        let texts: HashMap<MemoryId, String> =
            entries.values().map(|stored| (stored.entry.id, text::fold(&stored.entry.content))).collect();
        let vector = |id: &MemoryId| gathered.vectors.get(id).or_else(|| vectors.get(id));

        let mut hits: Vec<Hit> = Vec::with_capacity(limit);
        for rank in ranked.into_iter().take(wanted) {
            // An entry can vanish between the lists and here only by a purge; it is simply gone then.
            let Some(stored) = entries.remove(&rank.id) else { continue };
            let own = vector(&rank.id);
            let twin = hits.iter().position(|hit| {
                let other = &hit.stored.entry;
                let cosine = || own.zip(vector(&other.id)).map(|(a, b)| dot(a, b));
                same_room(other, &stored.entry)
                    && (texts[&other.id] == texts[&rank.id]
                        || similarity::may_fold(&other.content, &stored.entry.content, cosine()))
            });
            match twin {
                Some(twin) => fold_into(&mut hits[twin], stored, gathered),
                None if hits.len() < limit => hits.push(Hit {
                    decay: gathered.decay[&rank.id],
                    score: rank.score,
                    contributions: rank.contributions,
                    spans: Vec::new(),
                    folded: Vec::new(),
                    stored,
                }),
                None => {}
            }
        }
        Ok(hits)
    }

    /// The vectors of hits that only the text search found.
    async fn missing_vectors(
        &self,
        ids: &[MemoryId],
        gathered: &Gathered,
    ) -> Result<HashMap<MemoryId, Vec<f32>>, AppError> {
        let Some(model) = &gathered.model else { return Ok(HashMap::new()) };
        let missing: Vec<MemoryId> =
            ids.iter().filter(|id| !gathered.vectors.contains_key(id)).copied().collect();
        let mut vectors = HashMap::new();
        if !missing.is_empty() {
            for ports in self.all_ports() {
                vectors.extend(ports.search.vectors(&missing, model).await?);
            }
        }
        Ok(vectors)
    }
}

/// Only entries of one room are folded: the same words in two rooms are two facts.
fn same_room(a: &MemoryEntry, b: &MemoryEntry) -> bool {
    a.place == b.place && a.is_active() == b.is_active()
}

/// Puts the newer of two alike entries on top. Place and score of the better hit stay.
fn fold_into(hit: &mut Hit, other: StoredEntry, gathered: &Gathered) {
    let older = if other.entry.updated_at > hit.stored.entry.updated_at {
        hit.decay = gathered.decay[&other.entry.id];
        std::mem::replace(&mut hit.stored, other)
    } else {
        other
    };
    hit.folded.push(older.entry.id);
}
