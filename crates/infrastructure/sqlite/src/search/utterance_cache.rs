//! Caches what was said around candidates.
//!
//! A search completes some hundred candidates, each with several texts around it. To look up and decode each of them takes longer
//! than the rest of the search. Rows are cached whatever a filter says; the filter applies to what is taken out. A change of a
//! text drops it and what was read around it; the rest stays.

use std::{
    collections::{BTreeMap, HashMap, HashSet},
    hash::Hash,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use super::utterances::{PlacedUtterance, READ_AROUND, UtteranceRow};

/// Number of rows at which the cache is emptied: about 40 megabytes.
const MOST: usize = 150_000;

/// The state of a table: its clock, and its count of changes that may have destroyed rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct State {
    pub tick: i64,
    pub epoch: i64,
}

/// A text that has changed.
#[derive(Debug)]
pub struct Changed<I> {
    pub id: I,
    /// The conversation and session, or their like; `None` if it is no part of one.
    pub group: Option<String>,
    /// Its place there.
    pub order: i64,
}

/// The cached rows of one table.
#[derive(Debug)]
pub struct UtteranceCache<I>(Mutex<Rows<I>>);

#[derive(Debug)]
struct Rows<I> {
    state: Option<State>,
    /// Numbers of the conversations and sessions, or their like.
    numbers: HashMap<String, u32>,
    /// The texts of each, by their place in it.
    groups: Vec<BTreeMap<i64, Arc<UtteranceRow<I>>>>,
    /// Where each text stands.
    places: HashMap<I, (u32, i64)>,
    /// The texts around which everything was read.
    read: HashSet<I>,
}

impl<I> Rows<I> {
    fn at(state: Option<State>) -> Self {
        Self {
            state,
            numbers: HashMap::new(),
            groups: Vec::new(),
            places: HashMap::new(),
            read: HashSet::new(),
        }
    }
}

impl<I> Default for UtteranceCache<I> {
    fn default() -> Self {
        Self(Mutex::new(Rows::at(None)))
    }
}

/// What a search gets from the cache.
#[derive(Debug)]
pub enum Around<I> {
    /// The texts that were asked for with all that stands around them, in the order in which they were said.
    All(Vec<PlacedUtterance<I>>),
    /// The texts around which nothing was read.
    Missing(Vec<I>),
}

impl<I: Copy + Eq + Hash> UtteranceCache<I> {
    /// The state of the table that the cache knows.
    pub fn state(&self) -> Option<State> {
        self.lock().state
    }

    /// Goes on from a state that the cache knows to a newer one. These texts have changed in between; `None` for too many.
    pub fn catch_up(&self, from: Option<State>, to: State, changed: Option<Vec<Changed<I>>>) {
        let mut rows = self.lock();
        if rows.state != from {
            return;
        }
        match changed.filter(|_| from.is_some_and(|from| from.epoch == to.epoch)) {
            Some(changed) => {
                for text in &changed {
                    rows.drop_around(text);
                }
                rows.state = Some(to);
            }
            None => *rows = Rows::at(Some(to)),
        }
    }

    /// Adds all that stands around these texts: rows with the names of their groups, read after `state` was known. What has changed
    /// since may be older than the cache, so it is not kept then.
    pub fn keep(&self, state: State, ids: &[I], read: Vec<(String, UtteranceRow<I>)>) {
        let mut rows = self.lock();
        if rows.state != Some(state) {
            return;
        }
        if rows.places.len() + read.len() > MOST {
            *rows = Rows::at(Some(state));
        }
        rows.read.extend(ids);
        for (group, row) in read {
            let next = rows.groups.len() as u32;
            let number = *rows.numbers.entry(group).or_insert(next);
            if number == next {
                rows.groups.push(BTreeMap::new());
            }
            rows.places.insert(row.id, (number, row.order));
            if let Some(group) = rows.groups.get_mut(number as usize) {
                group.insert(row.order, Arc::new(row));
            }
        }
    }

    /// These texts with all that stands around them. Those that are no part of a conversation are left out.
    pub fn around(&self, ids: &[I]) -> Around<I> {
        let rows = self.lock();
        let missing: Vec<I> = ids.iter().copied().filter(|id| !rows.read.contains(id)).collect();
        if missing.is_empty() { Around::All(rows.around(ids)) } else { Around::Missing(missing) }
    }

    /// Like [`Self::around`], with what there is of texts around which nothing was read.
    pub fn known_around(&self, ids: &[I]) -> Vec<PlacedUtterance<I>> {
        self.lock().around(ids)
    }

    fn lock(&self) -> MutexGuard<'_, Rows<I>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<I: Copy + Eq + Hash> Rows<I> {
    /// Drops a text, and that all was read around those that stand near it, where it stood and where it stands.
    fn drop_around(&mut self, text: &Changed<I>) {
        self.read.remove(&text.id);
        let number = text.group.as_ref().and_then(|group| self.numbers.get(group));
        let now = number.map(|number| (*number, text.order));
        let before = self.places.remove(&text.id);
        for (number, order) in now.into_iter().chain(before) {
            let Some(group) = self.groups.get_mut(number as usize) else { continue };
            let near = READ_AROUND as i64;
            for row in group.range(order - near..=order + near).map(|(_, row)| row) {
                self.read.remove(&row.id);
            }
            group.remove(&order);
        }
    }

    fn around(&self, ids: &[I]) -> Vec<PlacedUtterance<I>> {
        let mut wanted: Vec<(u32, i64)> = ids.iter().filter_map(|id| self.places.get(id).copied()).collect();
        wanted.sort_unstable();
        let (near, mut all) = (READ_AROUND as i64, Vec::new());
        // Behind the last text that was taken, so that each is taken once.
        let mut free = (0, i64::MIN);
        for (number, order) in &wanted {
            if free.0 != *number {
                free = (*number, i64::MIN);
            }
            let places = free.1.max(order - near)..=order + near;
            free.1 = order + near + 1;
            let Some(group) = self.groups.get(*number as usize).filter(|_| !places.is_empty()) else {
                continue;
            };
            all.extend(group.range(places).map(|(order, row)| PlacedUtterance {
                row: Arc::clone(row),
                group: *number,
                wanted: wanted.binary_search(&(*number, *order)).is_ok(),
            }));
        }
        all
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const FIRST: State = State { tick: 1, epoch: 0 };

    fn row(id: u32, order: i64) -> UtteranceRow<u32> {
        UtteranceRow {
            seq: order,
            id,
            place: None,
            is_active: true,
            order,
            bytes: 1,
            asks: false,
            role: None,
            speaker: None,
            date: None,
            at: None,
        }
    }

    /// Texts by id: their group and place.
    type Table = BTreeMap<u32, (u32, i64)>;

    /// What a read of the table would find around a text.
    fn around(table: &Table, id: u32) -> Vec<(String, UtteranceRow<u32>)> {
        let Some((group, order)) = table.get(&id) else { return Vec::new() };
        let is_near = |place: &(u32, i64)| place.0 == *group && place.1.abs_diff(*order) <= READ_AROUND;
        let near = table.iter().filter(|(_, place)| is_near(place));
        near.map(|(id, (group, order))| (group.to_string(), row(*id, *order))).collect()
    }

    fn asked(cache: &UtteranceCache<u32>, table: &Table, state: State, ids: &[u32]) -> Vec<(u32, i64, bool)> {
        if let Around::Missing(missing) = cache.around(ids) {
            let mut read: Vec<_> = missing.iter().flat_map(|id| around(table, *id)).collect();
            read.sort_by_key(|(_, row)| row.id);
            read.dedup_by_key(|(_, row)| row.id);
            cache.keep(state, &missing, read);
        }
        let Around::All(utterances) = cache.around(ids) else { panic!("all was read") };
        utterances.iter().map(|text| (text.row.id, text.row.order, text.wanted)).collect()
    }

    fn expected(table: &Table, ids: &[u32]) -> Vec<(u32, i64, bool)> {
        let mut all: Vec<(u32, i64, bool)> = ids
            .iter()
            .flat_map(|id| around(table, *id))
            .map(|(_, row)| (row.id, row.order, ids.contains(&row.id)))
            .collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    proptest! {
        #[test]
        fn after_any_changes_the_cache_tells_what_the_table_holds(
            places in proptest::collection::vec((0_u32..3, 0_i64..30), 1..40),
            steps in proptest::collection::vec((0_usize..40, 0_u32..4, 0_i64..30, proptest::collection::vec(0_u32..40, 0..6)), 0..20),
        ) {
            let mut table = Table::new();
            let is_free = |table: &Table, place: (u32, i64)| !table.values().any(|other| *other == place);
            for (id, place) in (0_u32..).zip(places) {
                if is_free(&table, place) {
                    table.insert(id, place);
                }
            }
            let (cache, mut state) = (UtteranceCache::default(), FIRST);
            cache.catch_up(None, state, None);
            for (n, group, order, ids) in steps {
                // A text moves, or a new one is written; the fourth group stands for no conversation.
                let id = n as u32;
                let next = State { tick: state.tick + 1, ..state };
                let group = (group < 3).then_some(group);
                if group.is_none_or(|group| is_free(&table, (group, order))) {
                    match group {
                        Some(group) => table.insert(id, (group, order)),
                        None => table.remove(&id),
                    };
                    let changed = Changed { id, group: group.map(|group| group.to_string()), order };
                    cache.catch_up(Some(state), next, Some(vec![changed]));
                    state = next;
                }
                let mut found = asked(&cache, &table, state, &ids);
                found.sort_unstable();
                prop_assert_eq!(found, expected(&table, &ids));
            }
        }
    }

    #[test]
    fn the_cache_has_a_bound_and_goes_on_behind_it() {
        let cache = UtteranceCache::default();
        cache.catch_up(None, FIRST, None);
        let page = |first: u32| {
            let ids: Vec<u32> = (first..first + 1_000).collect();
            let rows = ids.iter().map(|id| ("a".to_owned(), row(*id, i64::from(*id)))).collect();
            cache.keep(FIRST, &ids, rows);
        };
        (0..MOST as u32).step_by(1_000).for_each(page);
        assert!(matches!(cache.around(&[0]), Around::All(_)));
        page(MOST as u32);
        assert!(matches!(cache.around(&[0]), Around::Missing(_)));
        let Around::All(newest) = cache.around(&[MOST as u32]) else { panic!("it was just read") };
        assert_eq!(newest.len(), 1 + READ_AROUND as usize);
    }

    #[test]
    fn what_was_read_before_a_change_is_not_kept_after_it() {
        let cache = UtteranceCache::default();
        cache.catch_up(None, FIRST, None);
        let next = State { tick: 2, epoch: 0 };
        cache.catch_up(Some(FIRST), next, Some(Vec::new()));
        cache.keep(FIRST, &[1], vec![("a".to_owned(), row(1, 1))]);
        assert!(matches!(cache.around(&[1]), Around::Missing(_)));
        cache.keep(next, &[1], vec![("a".to_owned(), row(1, 1))]);
        assert!(matches!(cache.around(&[1]), Around::All(_)));
        cache.catch_up(Some(next), State { tick: 3, epoch: 1 }, Some(Vec::new()));
        assert!(matches!(cache.around(&[1]), Around::Missing(_)), "rows may have been destroyed");
    }
}
