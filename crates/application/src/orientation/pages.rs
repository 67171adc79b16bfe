//! The layer of pages of linked vaults, and the question why it holds one.

use inklings_domain::{
    ids::{OrientationId, PageId},
    lens::Withheld,
    memory::embedding::Embedding,
    orientation::{Framing, ItemId, Layer, LedgerItem, LeftOut},
    scope::Place,
};
use inklings_ports::vault::filter::PageFilter;

use super::{
    OrientRequest,
    query::query_text,
    why::{Own, Rank, Ruling, Why, WhyItem, ruling_of},
};
use crate::{
    error::AppError,
    search::{
        DocumentHit, DocumentSearch, Fate,
        pages::{FoundPage, PageExcerpt},
    },
    services::Orientations,
};

/// Pages read. Includes a few more than are usually taken, so that the ledger shows what was left out.
const LOOKED_AT: usize = 16;

impl OrientRequest<'_> {
    /// The pages that the reader may read.
    fn pages(&self) -> PageFilter {
        PageFilter::within(&self.of(Place::Workspace))
    }
}

impl Orientations<'_> {
    /// The parts of pages that fit the query best. Without a query none: no page is more important than another.
    pub(super) async fn pages(
        &self,
        request: &OrientRequest<'_>,
        query: &str,
        embedding: Option<&Embedding>,
    ) -> Result<Vec<PageExcerpt>, AppError> {
        if query.trim().is_empty() {
            return Ok(Vec::new());
        }
        let Some(filter) = self.session.vaults().searched(request.pages()).await? else {
            return Ok(Vec::new());
        };
        let search = search_of(filter, query, embedding);
        let found = Box::pin(self.session.search().documents(search)).await?.hits;
        let excerpts = found.into_iter().filter_map(DocumentHit::page).map(FoundPage::excerpt);
        Ok(excerpts.filter(|page| !page.text.is_empty()).collect())
    }

    /// The pages that a lens withholds, as the ledger has them.
    pub(super) async fn withheld_pages(
        &self,
        open: &OrientRequest<'_>,
        query: &str,
        embedding: Option<&Embedding>,
    ) -> Result<Vec<LedgerItem>, AppError> {
        let item = |page: PageExcerpt| LedgerItem {
            layer: Layer::Pages,
            id: ItemId::Page(page.id),
            version: 0,
            framing: Framing::default(),
            score: None,
            parts: Vec::new(),
            tokens: 0,
            shortened: false,
            left_out: Some(LeftOut::Withheld(Withheld::Unknown)),
        };
        Ok(self.pages(open, query, embedding).await?.into_iter().map(item).collect())
    }

    /// Why the orientation of a request holds a page, or does not.
    ///
    /// # Errors
    /// [`AppError::NotFound`] if there is no such page, or the reader may not read it; else as [`Self::orient`].
    pub async fn why_page(&self, request: OrientRequest<'_>, id: PageId) -> Result<Why, AppError> {
        let request = self.through_lens(request).await?;
        // A client is told of nothing that it may not read; the worldbuilder is told what the lens withholds.
        let readable = if request.within.is_some() { request.pages() } else { PageFilter::through(None) };
        let row = self.session.vaults().row(&readable, id).await?;
        let orientation = self.orient(request.clone()).await?.orientation;
        let layer = Layer::Pages;
        let usage = *orientation.layers.get(layer);
        let own = Own::of(&orientation, ItemId::Page(id)).decisive;
        let place = if own.is_some() {
            None
        } else {
            let search = search_of(request.pages(), &orientation.query, None);
            self.session.search().place_of_page(search, id).await?
        };
        let ruling = match (own, &place) {
            (Some((item, _)), _) => ruling_of(item),
            (None, _) if request.lens.is_some() => Ruling::LeftOut(LeftOut::Withheld(Withheld::Unknown)),
            (None, _) if usage.failed => Ruling::LayerFailed,
            (None, None) => Ruling::NoMatch,
            (None, Some(place)) if place.fate == Fate::BeyondTheLists => Ruling::BeyondTheLists,
            (None, Some(_)) => Ruling::BehindTheCut,
        };
        let rank = place.as_ref().map(|place| Rank { rank: place.rank, of: Some(place.of) });
        let score = place.as_ref().map(|place| place.score).or_else(|| own.and_then(|(item, _)| item.score));
        let parts = place.map(|place| place.contributions);
        Ok(Why {
            item: WhyItem::Page(row),
            layer,
            ruling,
            named_without_room: false,
            rank: rank.or_else(|| own.map(|(_, rank)| Rank { rank, of: None })),
            score,
            parts: parts.or_else(|| own.map(|(item, _)| item.parts.clone())).unwrap_or_default(),
            tokens: own.map(|(item, _)| item.tokens),
            usage,
            recorded: false,
        })
    }

    /// Why a recorded orientation held a page, or did not. What the ledger does not tell is worked out now, for the same
    /// query and budget.
    ///
    /// # Errors
    /// [`AppError::NotFound`] if there is no such orientation or page.
    pub async fn why_page_recorded(&self, recorded: OrientationId, id: PageId) -> Result<Why, AppError> {
        let orientation = self.get(recorded).await?;
        let Some((item, rank)) = Own::of(&orientation, ItemId::Page(id)).decisive else {
            let conversation = self.conversation_of(&orientation).await;
            let request = self.request_of(&orientation, conversation.as_ref()).await?;
            return self.why_page(request, id).await;
        };
        Ok(Why {
            item: WhyItem::Page(self.session.vaults().row(&PageFilter::through(None), id).await?),
            layer: item.layer,
            ruling: ruling_of(item),
            named_without_room: false,
            rank: Some(Rank { rank, of: None }),
            score: item.score,
            parts: item.parts.clone(),
            tokens: Some(item.tokens),
            usage: *orientation.layers.get(item.layer),
            recorded: true,
        })
    }
}

/// The search for the pages of an orientation.
fn search_of(filter: PageFilter, query: &str, embedding: Option<&Embedding>) -> DocumentSearch {
    DocumentSearch {
        query: query_text(query),
        pages: Some(filter),
        limit: LOOKED_AT,
        embedding: embedding.cloned(),
        marked: true,
        ..DocumentSearch::default()
    }
}
