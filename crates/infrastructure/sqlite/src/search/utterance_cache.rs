//! Caches what was said around candidates, until the database changes.
//!
//! A search completes some hundred candidates, each with several texts around it. To look up and decode each of them takes longer
//! than the rest of the search, and the next search while typing asks for most of them again. Rows are cached whatever a filter
//! says; the filter applies to what is taken out.

use std::{
    collections::{BTreeMap, HashMap, HashSet},
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
            Some((at, cached)) if *at == version && cached.lock().count < MOST => Arc::clone(cached),
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
        Self(Mutex::new(Rows { numbers: HashMap::new(), groups: Vec::new(), count: 0, read: HashMap::new() }))
    }
}

#[derive(Debug)]
struct Rows<I> {
    /// Numbers of the conversations and sessions, or their like.
    numbers: HashMap<String, u32>,
    /// The texts of each, by their place in it.
    groups: Vec<BTreeMap<i64, Arc<UtteranceRow<I>>>>,
    /// Number of texts.
    count: usize,
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
            let number = *rows.numbers.entry(group).or_insert(next);
            if number == next {
                rows.groups.push(BTreeMap::new());
            }
            if asked.contains(&row.id) {
                rows.read.insert(row.id, Some((number, row.order)));
            }
            let Some(group) = rows.groups.get_mut(number as usize) else { continue };
            if group.insert(row.order, Arc::new(row)).is_none() {
                rows.count += 1;
            }
        }
    }

    /// These texts with all that stands around them, in the order in which they were said.
    pub fn around(&self, ids: &[I]) -> Vec<Said<I>> {
        let rows = self.lock();
        let mut wanted: Vec<(u32, i64)> = ids.iter().filter_map(|id| *rows.read.get(id)?).collect();
        wanted.sort_unstable();
        let (near, mut all) = (READ_AROUND as i64, Vec::new());
        // Behind the last text that was taken, so that each is taken once.
        let mut free = (0, i64::MIN);
        for (number, order) in &wanted {
            if free.0 != *number {
                free = (*number, i64::MIN);
            }
            let Some(group) = rows.groups.get(*number as usize) else { continue };
            let places = free.1.max(order - near)..=order + near;
            free.1 = order + near + 1;
            if places.is_empty() {
                continue;
            }
            all.extend(group.range(places).map(|(order, row)| Said {
                row: Arc::clone(row),
                group: *number,
                wanted: wanted.binary_search(&(*number, *order)).is_ok(),
            }));
        }
        all
    }
}
