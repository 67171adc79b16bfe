//! What the lens of an orientation withholds: for the ledger, so that the worldbuilder sees it. A bound client never does.

use inklings_domain::{
    lens::ResolvedLens,
    memory::{MemoryEntry, embedding::Embedding, filter::ScopeFilter},
    orientation::{Framing, ItemId, Layer, LedgerItem, LeftOut},
    scope::{MemoryScope, Place},
};

use super::OrientRequest;
use crate::{error::AppError, services::Orientations};

impl Orientations<'_> {
    /// What would be a candidate without the lens, each once.
    pub(super) async fn withheld(
        &self,
        request: &OrientRequest<'_>,
        query: &str,
        embedding: Option<&Embedding>,
    ) -> Result<Vec<LedgerItem>, AppError> {
        let Some(lens) = request.lens.as_deref().filter(|_| request.within.is_none()) else {
            return Ok(Vec::new());
        };
        let open = OrientRequest { lens: None, embedding: None, ..request.clone() };
        let mut found: Vec<LedgerItem> = Vec::new();
        let mut add = |layer: Layer, entry: &MemoryEntry| {
            let id = ItemId::Memory(entry.id);
            if let Some(item) = item(lens, layer, entry)
                && !found.iter().any(|known| known.id == id)
            {
                found.push(item);
            }
        };
        for ports in [&self.session.workspace.memory, &self.session.account.memory] {
            for entry in ports.store.named().await? {
                let is_standing = entry.subject.is_none() && !entry.content.is_empty();
                if is_standing && matches!(entry.place, Place::Account | Place::Workspace) {
                    add(Layer::Named, &entry);
                }
            }
        }
        let subjects = self.session.subjects();
        let filter: ScopeFilter = open.scope_filter();
        let named = subjects.mentioned_in(query, &filter).await?;
        let ids: Vec<_> = named.iter().map(|row| row.id).collect();
        for stored in self.session.entries(&ids).await? {
            add(Layer::Subjects, &stored.entry);
        }
        for near in subjects.neighbourhood(&ids, &filter, super::gather::NEIGHBOURS).await? {
            add(Layer::Subjects, &near.stored.entry);
        }
        if let Some(place) = open.place_of(MemoryScope::Conversation) {
            for entry in self.noted_in(open.of(place)).await? {
                add(Layer::Conversation, &entry);
            }
        }
        for scope in [MemoryScope::Channel, MemoryScope::Workspace, MemoryScope::Account] {
            let Some(place) = open.place_of(scope) else { continue };
            for hit in self.hits(&open, place, query, embedding).await? {
                add(Layer::of(scope), &hit.stored.entry);
            }
        }
        found.extend(self.withheld_pages(&open, query, embedding).await?);
        Ok(found)
    }
}

fn item(lens: &ResolvedLens, layer: Layer, entry: &MemoryEntry) -> Option<LedgerItem> {
    let reason = lens.withholds(entry)?;
    Some(LedgerItem {
        layer,
        id: ItemId::Memory(entry.id),
        version: entry.version,
        framing: Framing {
            curator: Some(entry.curator),
            importance: Some(entry.importance.get()),
            ..Framing::default()
        },
        score: None,
        parts: Vec::new(),
        tokens: 0,
        shortened: false,
        left_out: Some(LeftOut::Withheld(reason)),
    })
}
