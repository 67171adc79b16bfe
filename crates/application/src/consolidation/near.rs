//! Finds entries near each other, by vector and by words.

use std::collections::HashMap;

use inklings_domain::{
    consolidation::{CLUSTER_COSINE, Scored},
    ids::MemoryId,
    memory::{
        MemoryEntry,
        filter::{MemoryFilter, ScopeFilter},
    },
    scope::MemoryScope,
    search::query,
    words,
};
use inklings_ports::{search::store::ListHit, workspace::catalogue::MemoryPorts};

use super::cursor::{Position, Progress};
use crate::{error::AppError, services::Consolidation};

/// Maximum neighbours examined per entry and list.
const NEIGHBOURS: usize = 8;
/// Entries whose neighbours one run looks up; the next run continues after them.
pub const MOST_LOOKED_UP: usize = 2_000;
/// Maximum words of an entry in the text query.
const MOST_WORDS: usize = 24;

/// Two entries of one place with their cosine, if known; the smaller id first.
pub(crate) type Pair = (MemoryId, MemoryId, Option<f32>);

/// An entry with its neighbours.
pub(crate) struct Neighbourhood {
    /// Tier of the entry.
    pub(crate) tier: MemoryScope,
    /// Position of the entry in the comparison order.
    pub(crate) at: Position,
    /// The entry paired with each neighbour.
    pub(crate) pairs: Vec<Pair>,
}

impl Consolidation<'_> {
    /// Neighbourhoods of the entries after the progress of their tiers, in order, up to the limit of one run, and the tier
    /// of each entry that waited.
    pub(crate) async fn neighbourhoods(
        &self,
        entries: &[&Scored],
        since: &Progress,
    ) -> Result<(Vec<Neighbourhood>, Vec<MemoryScope>), AppError> {
        let mut fresh: Vec<&Scored> = entries
            .iter()
            .copied()
            .filter(|scored| scored.entry.name.is_none())
            .filter(|scored| {
                let through = since.of(scored.entry.scope()).through;
                through.is_none_or(|through| Position::of(&scored.entry) > through)
            })
            .collect();
        fresh.sort_by_key(|scored| Position::of(&scored.entry));
        let waiting = fresh.iter().map(|scored| scored.entry.scope()).collect();
        fresh.truncate(MOST_LOOKED_UP);
        let by_id: HashMap<MemoryId, &MemoryEntry> =
            entries.iter().map(|scored| (scored.entry.id, &scored.entry)).collect();
        let mut found = Vec::with_capacity(fresh.len());
        for scored in fresh {
            let (id, place) = (scored.entry.id, scored.entry.place);
            let filter = MemoryFilter::active(ScopeFilter::of(place));
            let near = self.neighbours(self.session.ports(place.scope()), scored, &filter).await?;
            let comparable = |other: &MemoryEntry| {
                other.id != id && other.place == place && other.has_links_and_span_of(&scored.entry)
            };
            let near =
                near.into_iter().filter(|(other, _)| by_id.get(other).is_some_and(|it| comparable(it)));
            let pairs = near.map(|(other, cosine)| (id.min(other), id.max(other), cosine)).collect();
            found.push(Neighbourhood { tier: place.scope(), at: Position::of(&scored.entry), pairs });
        }
        Ok((found, waiting))
    }

    async fn neighbours(
        &self,
        ports: &MemoryPorts,
        scored: &Scored,
        filter: &MemoryFilter,
    ) -> Result<Vec<(MemoryId, Option<f32>)>, AppError> {
        let mut near: Vec<(MemoryId, Option<f32>)> = Vec::new();
        if let Some(embedder) = self.session.embedder.get() {
            let model = embedder.model().id;
            let own = ports.search.vectors(&[scored.entry.id], &model).await?;
            if let Some((_, vector)) = own.into_iter().next() {
                let hits = ports.search.search_meaning(&vector, &model, filter, NEIGHBOURS).await?;
                // A long text of which one passage is near is not near as a whole.
                let near_as_whole =
                    |hit: &ListHit| hit.passage.is_none() && hit.score >= f64::from(CLUSTER_COSINE);
                let hits = hits.into_iter().filter(near_as_whole);
                near.extend(hits.map(|hit| (hit.id, Some(hit.score as f32))));
            }
        }
        // Also search by words, with or without a model: a small model can place two sentences that differ
        // only in a colour far apart.
        let mut words: Vec<String> = words::words(&scored.entry.content);
        words.retain(|word| !words::is_stop_word(word));
        words.truncate(MOST_WORDS);
        let query = query::parse_plain(&words.join(" ")).query;
        let hits = ports.search.search_text(&query, filter, NEIGHBOURS).await?;
        near.extend(hits.into_iter().map(|hit| (hit.id, None)));
        Ok(near)
    }
}
