//! Which entries are near each other: by their vectors and by their words.

use std::collections::HashMap;

use inklings_domain::{
    consolidation::{CLUSTER_COSINE, Scored},
    ids::MemoryId,
    memory::filter::{MemoryFilter, ScopeFilter},
    scope::Place,
    search::query,
};

use super::cursor::Position;
use crate::{error::AppError, session::Session, workspace::catalogue::MemoryPorts};

/// Neighbours of an entry that are looked at.
const NEIGHBOURS: usize = 8;
/// Entries whose neighbours one run looks for; the next run goes on behind them.
pub const MOST_LOOKED_UP: usize = 2_000;
/// Words of an entry that are looked up.
const MOST_WORDS: usize = 24;

/// Two entries of one place with their cosine, where it is known; the smaller id first.
pub(crate) type Pair = (MemoryId, MemoryId, Option<f32>);

/// An entry with the entries near it.
pub(crate) struct Neighbourhood {
    /// Where the entry stands in the order in which entries are compared.
    pub(crate) at: Position,
    /// It and each of its neighbours.
    pub(crate) pairs: Vec<Pair>,
}

impl Session {
    /// The neighbourhoods of the entries behind `since`, in order, at most so many as one run looks up; and how many entries
    /// there are behind `since` in all.
    pub(crate) async fn neighbourhoods(
        &self,
        entries: &[&Scored],
        since: Option<Position>,
    ) -> Result<(Vec<Neighbourhood>, usize), AppError> {
        let mut fresh: Vec<&Scored> = entries
            .iter()
            .copied()
            .filter(|scored| scored.entry.name.is_none())
            .filter(|scored| since.is_none_or(|since| Position::of(&scored.entry) > since))
            .collect();
        fresh.sort_by_key(|scored| Position::of(&scored.entry));
        let waiting = fresh.len();
        fresh.truncate(MOST_LOOKED_UP);
        let places: HashMap<MemoryId, Place> =
            entries.iter().map(|scored| (scored.entry.id, scored.entry.place)).collect();
        let mut found = Vec::with_capacity(fresh.len());
        for scored in fresh {
            let (id, place) = (scored.entry.id, scored.entry.place);
            let filter = MemoryFilter::active(ScopeFilter::of(place));
            let near = self.neighbours(self.ports(place.scope()), scored, &filter).await?;
            let near =
                near.into_iter().filter(|(other, _)| *other != id && places.get(other) == Some(&place));
            let pairs = near.map(|(other, cosine)| (id.min(other), id.max(other), cosine)).collect();
            found.push(Neighbourhood { at: Position::of(&scored.entry), pairs });
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
