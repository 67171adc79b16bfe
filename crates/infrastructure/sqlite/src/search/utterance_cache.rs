//! Caches what was said around candidates, until the database changes.
//!
//! A search completes some hundred candidates, each with several texts around it. To look up and decode each of them takes longer
//! than the rest of the search, and the next search while typing asks for most of them again. Rows are cached whatever a filter
//! says; the filter applies to what is taken out.

use std::{
    collections::{HashMap, HashSet},
    hash::Hash,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use super::utterances::{READ_AROUND, Said, UtteranceRow};

/// Number of rows at which a new cache is begun: about ten megabytes.
const MOST: usize = 50_000;

/// The cached rows of the newest version `V` that was asked for.
#[derive(Debug)]
pub struct UtteranceCache<I, V>(Mutex<Option<(V, Arc<CachedUtterances<I>>)>>);

impl<I, V> Default for UtteranceCache<I, V> {
    fn default() -> Self {
        Self(Mutex::new(None))
    }
}

impl<I, V: PartialEq> UtteranceCache<I, V> {
    /// The rows cached for a version. A search keeps what it got until it ends, whatever version another one asks for.
    pub fn at(&self, version: V) -> Arc<CachedUtterances<I>> {
        let mut newest = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match &*newest {
            Some((at, cached)) if *at == version && cached.lock().at.len() < MOST => Arc::clone(cached),
            _ => {
                let cached = Arc::default();
                *newest = Some((version, Arc::clone(&cached)));
                cached
            }
        }
    }
}

/// The cached rows of one version.
#[derive(Debug)]
pub struct CachedUtterances<I>(Mutex<Rows<I>>);

impl<I> Default for CachedUtterances<I> {
    fn default() -> Self {
        Self(Mutex::new(Rows { groups: HashMap::new(), at: HashMap::new(), read: HashMap::new() }))
    }
}

#[derive(Debug)]
struct Rows<I> {
    /// Numbers of the conversations and sessions, or their like.
    groups: HashMap<String, u32>,
    at: HashMap<(u32, i64), Arc<UtteranceRow<I>>>,
    /// Where the texts stand around which everything was read; `None` for those that are no part of a conversation.
    read: HashMap<I, Option<(u32, i64)>>,
}

impl<I> CachedUtterances<I> {
    fn lock(&self) -> MutexGuard<'_, Rows<I>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<I: Copy + Eq + Hash> CachedUtterances<I> {
    /// These of the given texts around which nothing was read.
    pub fn missing(&self, ids: &[I]) -> Vec<I> {
        let rows = self.lock();
        ids.iter().copied().filter(|id| !rows.read.contains_key(id)).collect()
    }

    /// Adds all that stands around these texts: rows with the names of their groups.
    pub fn keep(&self, ids: &[I], read: Vec<(String, UtteranceRow<I>)>) {
        let mut rows = self.lock();
        rows.read.extend(ids.iter().map(|id| (*id, None)));
        let asked: HashSet<&I> = ids.iter().collect();
        for (group, row) in read {
            let next = rows.groups.len() as u32;
            let place = (*rows.groups.entry(group).or_insert(next), row.order);
            if asked.contains(&row.id) {
                rows.read.insert(row.id, Some(place));
            }
            rows.at.entry(place).or_insert_with(|| Arc::new(row));
        }
    }

    /// These texts with all that stands around them, in the order in which they were said.
    pub fn around(&self, ids: &[I]) -> Vec<Said<I>> {
        let rows = self.lock();
        let wanted: HashSet<(u32, i64)> = ids.iter().filter_map(|id| *rows.read.get(id)?).collect();
        let near = READ_AROUND as i64;
        let mut places: Vec<(u32, i64)> = wanted
            .iter()
            .flat_map(|(group, order)| (order - near..=order + near).map(|order| (*group, order)))
            .collect();
        places.sort_unstable();
        places.dedup();
        let said = |place: (u32, i64)| {
            let row = Arc::clone(rows.at.get(&place)?);
            Some(Said { row, group: place.0, wanted: wanted.contains(&place) })
        };
        places.into_iter().filter_map(said).collect()
    }
}
