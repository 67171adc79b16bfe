//! Lists, counts and facets over the account's and the workspace's databases together.

use std::{
    cmp::Ordering,
    collections::{BTreeSet, HashSet},
};

use futures::future;
use inklings_domain::{
    ids::MemoryId,
    memory::{
        MemoryEntry,
        filter::{Facet, MemoryFilter, Sort},
    },
    scope::PerTier,
    search::query::QueryText,
};
use inklings_ports::memory::store::{Cursor, FacetCount, SortKey, StoredEntry};

use crate::{
    error::AppError,
    search::{MAX_HITS, Search},
    services::Memories,
};

/// Maximum entries per page.
pub const MAX_PAGE: usize = 500;

/// A page of a list.
#[derive(Debug, Clone, PartialEq)]
pub struct Page {
    pub entries: Vec<StoredEntry>,
    /// Where the next page starts; `None` at the end.
    pub next: Option<Cursor>,
}

impl Memories<'_> {
    /// A page of the entries that match a filter.
    pub async fn list(
        &self,
        filter: &MemoryFilter,
        sort: Sort,
        after: Option<&Cursor>,
        limit: usize,
    ) -> Result<Page, AppError> {
        let limit = limit.clamp(1, MAX_PAGE);
        let mut entries = Vec::new();
        let mut more = false;
        for ports in self.session.ports_within(&filter.scope_filter) {
            // Read one row more than asked for, to know whether there is another page.
            let part = ports.store.list(filter, sort, after, limit + 1).await?;
            more |= part.len() > limit;
            entries.extend(part);
        }
        entries.sort_by(|a, b| order(&a.entry, &b.entry, sort));
        more |= entries.len() > limit;
        entries.truncate(limit);
        let next = entries
            .last()
            .filter(|_| more)
            .map(|last| Cursor { key: SortKey::of(&last.entry, sort), id: last.entry.id });
        Ok(Page { entries, next })
    }

    /// All entries that match a filter, in order. Meant for small scope filters, or for work that needs all
    /// entries.
    pub async fn every(&self, filter: &MemoryFilter, sort: Sort) -> Result<Vec<MemoryEntry>, AppError> {
        let (mut all, mut after) = (Vec::new(), None);
        loop {
            let page = self.list(filter, sort, after.as_ref(), MAX_PAGE).await?;
            all.extend(page.entries.into_iter().map(|stored| stored.entry));
            match page.next {
                Some(next) => after = Some(next),
                None => return Ok(all),
            }
        }
    }

    /// Number of entries per tier that match a filter's conditions, ignoring its scope filter.
    pub async fn count(&self, filter: &MemoryFilter) -> Result<PerTier<u64>, AppError> {
        let workspace = self.session.workspace.memory.store.count(filter).await?;
        let account = self.session.account.memory.store.count(filter).await?;
        Ok(PerTier { account: account.account, ..workspace })
    }

    /// Facet values with their counts within a filter's scope; only among what a query finds, if one is given.
    pub async fn facets(
        &self,
        filter: &MemoryFilter,
        query: Option<QueryText>,
    ) -> Result<Vec<FacetCount>, AppError> {
        let among = match query {
            Some(query) => Some(self.found_for_facets(filter, query).await?),
            None => None,
        };
        let mut facets: Vec<FacetCount> =
            Facet::ALL.iter().map(|facet| FacetCount { facet: *facet, values: Vec::new() }).collect();
        for ports in self.session.ports_within(&filter.scope_filter) {
            for part in ports.store.facets(filter, among.as_deref()).await? {
                let Some(whole) = facets.iter_mut().find(|f| f.facet == part.facet) else { continue };
                for (value, count) in part.values {
                    match whole.values.iter_mut().find(|(v, _)| *v == value) {
                        Some((_, sum)) => *sum += count,
                        None => whole.values.push((value, count)),
                    }
                }
            }
        }
        for facet in &mut facets {
            facet.values.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
        }
        Ok(facets)
    }

    /// What a query finds within a filter, and what it finds without the terms of one facet: each facet is counted with the
    /// conditions of the others.
    async fn found_for_facets(
        &self,
        filter: &MemoryFilter,
        query: QueryText,
    ) -> Result<Vec<MemoryId>, AppError> {
        let facets: HashSet<Facet> = filter.terms.iter().map(|term| term.facet).collect();
        let without = |facet: Facet| MemoryFilter {
            terms: filter.terms.iter().filter(|term| term.facet != facet).cloned().collect(),
            ..filter.clone()
        };
        let filters = std::iter::once(filter.clone()).chain(facets.into_iter().map(without));
        let search = self.session.search();
        let found = filters.map(|filter| search.memories(Search::new(query.clone(), filter, MAX_HITS)));
        let found = future::try_join_all(found).await?;
        let hits = found.into_iter().flat_map(|found| found.hits);
        let ids = hits.flat_map(|hit| std::iter::once(hit.stored.entry.id).chain(hit.folded));
        Ok(ids.collect::<BTreeSet<_>>().into_iter().collect())
    }
}

/// The sort order of the stores, for merging two of their lists.
fn order(a: &MemoryEntry, b: &MemoryEntry, sort: Sort) -> Ordering {
    let rising = match (SortKey::of(a, sort), SortKey::of(b, sort)) {
        (SortKey::Time(x), SortKey::Time(y)) => x.cmp(&y),
        (SortKey::Number(x), SortKey::Number(y)) => x.total_cmp(&y),
        (SortKey::Time(_), SortKey::Number(_)) => Ordering::Less,
        (SortKey::Number(_), SortKey::Time(_)) => Ordering::Greater,
    }
    .then_with(|| a.id.cmp(&b.id));
    match sort {
        Sort::CreatedAsc => rising,
        Sort::UpdatedDesc | Sort::CreatedDesc | Sort::ImportanceDesc => rising.reverse(),
    }
}
