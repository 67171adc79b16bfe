//! The memories that name a page.

use inklings_domain::{
    memory::filter::{MemoryFilter, ScopeFilter},
    search::query::QueryText,
};
use inklings_ports::{memory::store::StoredEntry, vault::store::PageRow};

use crate::{
    error::AppError,
    search::{Search, TimeWords},
    services::Vaults,
};

/// The most memories that a page tells of.
const MAX_MEMORIES: usize = 50;
/// The most names of a page that memories are searched for.
const MAX_NAMES: usize = 8;

impl Vaults<'_> {
    /// The subject of the page's name with what is linked to it, then the memories that have a name of the page in their text.
    pub(super) async fn naming(&self, row: &PageRow) -> Result<Vec<StoredEntry>, AppError> {
        let mut found: Vec<StoredEntry> = Vec::new();
        let mut add = |stored: StoredEntry| {
            if found.len() < MAX_MEMORIES && found.iter().all(|known| known.entry.id != stored.entry.id) {
                found.push(stored);
            }
        };
        let everything = ScopeFilter::EVERYTHING;
        let names = std::iter::once(&row.title).chain(&row.aliases).take(MAX_NAMES);
        for name in names.clone() {
            let subject = match self.session.subjects().find(name, &everything).await {
                Err(AppError::NotFound { .. }) => continue,
                found => found?,
            };
            let linked = self.session.subjects().get(subject.id, &everything).await?;
            let relations = linked.relations.into_iter().map(|relation| relation.stored);
            std::iter::once(linked.stored).chain(relations).chain(linked.about).for_each(&mut add);
        }
        for name in names {
            // In quotes, a name is found as it stands.
            let query = QueryText::Typed(format!("\"{}\"", name.replace('"', " ")));
            let filter = MemoryFilter::active(everything.clone());
            let search =
                Search { time_words: TimeWords::Ignored, ..Search::new(query, filter, MAX_MEMORIES) };
            let hits = Box::pin(self.session.search().memories(search)).await?.hits;
            hits.into_iter().map(|hit| hit.stored).for_each(&mut add);
        }
        Ok(found)
    }
}
