//! Pages that have changed since an entry was made of them. The page is canon: the worldbuilder wrote it.

use std::collections::{BTreeMap, BTreeSet};

use inklings_domain::{
    derivation::{Derivation, SourceKind},
    drift::{Contradiction, Drift, DriftState, Item, Side, block_version},
    ids::{MemoryId, PageId},
    memory::MemoryEntry,
};
use inklings_ports::{drift::Look, vault::filter::PageFilter};

use crate::{error::AppError, memory::browse::MAX_PAGE, services::Drifts, vault::page::page_text};

impl Drifts<'_> {
    /// Files a drift for each entry that was made of a block which these pages no longer have, and closes those whose block is
    /// back. One that was settled at the same versions is not filed again. Returns how many were filed.
    ///
    /// # Errors
    /// [`AppError::Store`] if a database fails.
    pub(crate) async fn look_at_pages(&self, pages: &[PageId]) -> Result<usize, AppError> {
        let ids: Vec<String> = pages.iter().map(ToString::to_string).collect();
        let mut entries = BTreeSet::new();
        for ports in self.session.all_ports() {
            let made = ports.derivations.made_of(SourceKind::Page, &ids).await?;
            entries.extend(made.into_iter().map(|made| made.entry));
        }
        let entries: Vec<MemoryId> = entries.into_iter().collect();
        let mut found = Vec::with_capacity(entries.len());
        for ids in entries.chunks(MAX_PAGE) {
            found.extend(self.session.entries(ids).await?.into_iter().map(|stored| stored.entry));
        }
        self.look_at_sources(&found).await
    }

    /// As above, for all pages that active entries were made of.
    pub(super) async fn look_at_sources(&self, entries: &[MemoryEntry]) -> Result<usize, AppError> {
        let mut made: Vec<(&MemoryEntry, PageId, &str)> = Vec::new();
        for entry in entries.iter().filter(|entry| entry.is_active()) {
            for derivation in &entry.derivations {
                if let Derivation::Page { id, hash } = derivation {
                    made.push((entry, *id, hash));
                }
            }
        }
        if made.is_empty() {
            return Ok(0);
        }
        let blocks = self.blocks(made.iter().map(|(_, id, _)| *id).collect()).await?;
        let has = |id: PageId, hash: &str| blocks.get(&id).is_some_and(|hashes| hashes.contains(hash));
        let now = self.session.clock.now();
        let mut look =
            Look { superseded: self.page_drifts_that_are_void(&made, &has).await?, ..Look::default() };
        for (entry, id, hash) in made.iter().filter(|(_, id, hash)| !has(*id, hash)) {
            let canon = Side { item: Item::Page(*id), version: block_version(hash) };
            let statement = Side { item: Item::Memory(entry.id), version: entry.version };
            let found = Contradiction { canon, statement };
            if !self.is_known(found, entries, &[]).await? {
                look.found.push(Drift::open(self.session.ids.drift_id(), found, now));
            }
        }
        if look.is_empty() {
            Ok(0)
        } else {
            Ok(self.session.workspace.drifts.record_look(&look, now).await?)
        }
    }

    async fn blocks(&self, ids: BTreeSet<PageId>) -> Result<BTreeMap<PageId, BTreeSet<String>>, AppError> {
        let ids: Vec<PageId> = ids.into_iter().collect();
        let mut blocks = BTreeMap::new();
        for ids in ids.chunks(MAX_PAGE) {
            for stored in self.session.workspace.pages.pages(&PageFilter::through(None), ids).await? {
                let read = page_text(&stored);
                blocks.insert(stored.row.id, read.blocks.into_iter().map(|block| block.hash).collect());
            }
        }
        Ok(blocks)
    }

    /// Open drifts of these entries whose block is back.
    async fn page_drifts_that_are_void(
        &self,
        made: &[(&MemoryEntry, PageId, &str)],
        has: &(dyn Fn(PageId, &str) -> bool + Sync),
    ) -> Result<Vec<inklings_domain::ids::DriftId>, AppError> {
        let mut void = Vec::new();
        for (entry, id, hash) in made.iter().filter(|(_, id, hash)| has(*id, hash)) {
            let between = (Item::Page(*id), Item::Memory(entry.id));
            let drifts = self.session.workspace.drifts.drifts_between(between).await?;
            let is_void =
                |drift: &Drift| drift.state == DriftState::Open && drift.canon.version == block_version(hash);
            void.extend(drifts.iter().filter(|drift| is_void(drift)).map(|drift| drift.id));
        }
        Ok(void)
    }
}
