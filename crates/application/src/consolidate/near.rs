//! Which entries are near each other: by their vectors and by their words.

use std::collections::{BTreeMap, HashMap};

use chrono::{DateTime, Utc};
use inklings_domain::{
    consolidation::{CLUSTER_COSINE, Scored},
    filter::{MemoryFilter, Reach},
    ids::MemoryId,
    query,
    scope::Place,
};

use crate::{error::AppError, ports::catalogue::MemoryPorts, session::Session};

/// Neighbours of an entry that are looked at.
const NEIGHBOURS: usize = 8;
/// Entries whose neighbours one run looks for: the newest come first, the next run takes the others.
const MOST_LOOKED_UP: usize = 2_000;
/// Words of an entry that are looked up.
const MOST_WORDS: usize = 24;

/// Two entries of one place with their cosine, where it is known; the smaller id first.
pub(super) type Pair = (MemoryId, MemoryId, Option<f32>);

impl Session {
    /// Pairs of near entries of which at least one was written after `since`.
    pub(super) async fn near_pairs(
        &self,
        entries: &[&Scored],
        since: Option<DateTime<Utc>>,
    ) -> Result<Vec<Pair>, AppError> {
        let mut fresh: Vec<&Scored> = entries
            .iter()
            .copied()
            .filter(|scored| scored.entry.name.is_none())
            .filter(|scored| since.is_none_or(|since| scored.entry.updated_at > since))
            .collect();
        fresh.sort_by_key(|scored| (std::cmp::Reverse(scored.entry.updated_at), scored.entry.id));
        fresh.truncate(MOST_LOOKED_UP);
        let places: HashMap<MemoryId, Place> =
            entries.iter().map(|scored| (scored.entry.id, scored.entry.place)).collect();
        let mut pairs: BTreeMap<(MemoryId, MemoryId), Option<f32>> = BTreeMap::new();
        for scored in fresh {
            let (id, place) = (scored.entry.id, scored.entry.place);
            let ports = self.ports(place.scope());
            let filter = MemoryFilter::active(Reach::of(place));
            for (other, cosine) in self.neighbours(ports, scored, &filter).await? {
                if other != id && places.get(&other) == Some(&place) {
                    let known = pairs.entry((id.min(other), id.max(other))).or_default();
                    *known = known.or(cosine);
                }
            }
        }
        Ok(pairs.into_iter().map(|((a, b), cosine)| (a, b, cosine)).collect())
    }

    async fn neighbours(
        &self,
        ports: &MemoryPorts,
        scored: &Scored,
        filter: &MemoryFilter,
    ) -> Result<Vec<(MemoryId, Option<f32>)>, AppError> {
        let mut near: Vec<(MemoryId, Option<f32>)> = Vec::new();
        if let Some(embedder) = self.embedder.get() {
            let model = embedder.model().id;
            let own = ports.search.vectors(&[scored.entry.id], &model).await?;
            if let Some((_, vector)) = own.into_iter().next() {
                let hits = ports.search.search_meaning(&vector, &model, filter, NEIGHBOURS).await?;
                let hits = hits.into_iter().filter(|hit| hit.score >= f64::from(CLUSTER_COSINE));
                near.extend(hits.map(|hit| (hit.id, Some(hit.score as f32))));
            }
        }
        // And by words, model or not: two colours in one sentence can lie far apart for a small model.
        let mut words: Vec<String> = query::words(&scored.entry.content);
        words.retain(|word| !query::is_stop_word(word));
        words.truncate(MOST_WORDS);
        let query = query::parse(&words.join(" ")).query;
        let hits = ports.search.search_text(&query, filter, NEIGHBOURS).await?;
        near.extend(hits.into_iter().map(|hit| (hit.id, None)));
        Ok(near)
    }
}
