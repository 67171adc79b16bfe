//! Why an orientation holds an entry, or does not: for any entry, also one that was never a candidate. The answer comes
//! from the assembled document and from the order of the layer's own search. Asking records nothing and counts no use.

use inklings_domain::{
    conversation::Conversation,
    ids::{MemoryId, OrientationId},
    memory::{
        MemoryEntry,
        filter::{MemoryFilter, ScopeFilter, Sort},
    },
    orientation::{ItemId, Layer, LayerUse, LedgerItem, LeftOut, Orientation, Rule},
    scope::{MemoryScope, Place},
    search::{conversation_query::ConversationQuery, ranking::Contribution},
};
use inklings_ports::{memory::store::StoredEntry, vault::store::PageRow};

use super::OrientRequest;
use crate::{
    error::AppError,
    memory::browse::MAX_PAGE,
    search::{EntryPlace, Fate, TimeWords},
    services::Orientations,
};

/// The most entries that are read to find the rank of one in a layer without a query.
const MOST_LISTED: usize = 20 * MAX_PAGE;

/// The rule that decided about an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ruling {
    /// It is in the document; true if its text was cut to fit.
    Taken(bool),
    /// It was a candidate, and was left out.
    LeftOut(LeftOut),
    Forgotten,
    /// It belongs to a channel or conversation that is not in scope.
    OutOfReach,
    /// It has no text.
    Blank,
    /// Its layer could not be read.
    LayerFailed,
    /// Neither its words nor its meaning match the query.
    NoMatch,
    /// It was found, and is folded into this entry, which says the same.
    Folded(MemoryId),
    /// It ranks behind those that its layer reads.
    BehindTheCut,
    /// It matches, but more of the others match better than the search compares.
    BeyondTheLists,
}

impl Ruling {
    /// The rule without what it names.
    pub fn rule(self) -> Rule {
        match self {
            Self::Taken(_) => Rule::Taken,
            Self::LeftOut(left_out) => left_out.into(),
            Self::Forgotten => Rule::Forgotten,
            Self::OutOfReach => Rule::OutOfReach,
            Self::Blank => Rule::Blank,
            Self::LayerFailed => Rule::LayerFailed,
            Self::NoMatch => Rule::NoMatch,
            Self::Folded(_) => Rule::Folded,
            Self::BehindTheCut => Rule::BehindTheCut,
            Self::BeyondTheLists => Rule::BeyondTheLists,
        }
    }
}

/// The place of an entry in the order of its layer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rank {
    /// From 1.
    pub rank: usize,
    /// Number of entries in the order; `None` if it was not recorded.
    pub of: Option<usize>,
}

/// What is asked about.
#[derive(Debug, Clone, PartialEq)]
pub enum WhyItem {
    /// A memory entry.
    Entry(Box<StoredEntry>),
    /// A page of a linked vault.
    Page(PageRow),
}

/// The answer about one entry or page.
#[derive(Debug, Clone, PartialEq)]
pub struct Why {
    /// The entry or page.
    pub item: WhyItem,
    /// The layer that decided.
    pub layer: Layer,
    /// The rule.
    pub ruling: Ruling,
    /// True if it is a named entry that found no room among the named entries, and competed as a memory of its tier.
    pub named_without_room: bool,
    /// Its rank; `None` if it has none, or one far behind the cut in a layer without a query.
    pub rank: Option<Rank>,
    /// Its score, if a search orders the layer.
    pub score: Option<f64>,
    /// The contribution of each list to it.
    pub parts: Vec<Contribution>,
    /// Tokens that it took or would have taken, if it was a candidate.
    pub tokens: Option<u64>,
    /// What the layer had and used.
    pub usage: LayerUse,
    /// True if this is what the ledger recorded; false if it was worked out now.
    pub recorded: bool,
}

impl Orientations<'_> {
    /// Why the orientation of a request holds an entry, or does not.
    ///
    /// # Errors
    /// [`AppError::NoMemory`] if there is no such entry, or the reader may not read it; else as [`Self::orient`].
    pub async fn why(&self, request: OrientRequest<'_>, id: MemoryId) -> Result<Why, AppError> {
        let request = self.through_lens(request).await?;
        let stored = self.session.entry(id).await?;
        let entry = &stored.entry;
        // A client is told of nothing that it may not read; the worldbuilder is told what the lens withholds.
        if request.within.is_some() && !request.admits(entry) {
            return Err(AppError::NoMemory(id));
        }
        let orientation = self.orient(request.clone()).await?.orientation;
        let own = Own::of(&orientation, ItemId::Memory(id));
        let withheld = request.of(entry.place).withholds(entry).map(LeftOut::Withheld);
        let tier = Layer::of(entry.scope());
        let within = request.place_of(entry.scope()).filter(|place| *place == entry.place);
        let failed = orientation.layers.get(tier).failed;
        let has_standing = entry.is_active() && !entry.content.is_empty() && !failed;
        let standing = match within.filter(|_| has_standing) {
            Some(place) => self.standing(&request, place, &orientation.query, entry).await?,
            None => Standing::Searched(None),
        };
        let (layer, ruling) =
            match own.decisive.filter(|(item, _)| item.left_out.is_none() || item.layer != Layer::Named) {
                Some((item, _)) => (item.layer, ruling_of(item)),
                None if !entry.is_active() => (tier, Ruling::Forgotten),
                None if entry.content.is_empty() => (tier, Ruling::Blank),
                None if within.is_none() => (tier, Ruling::OutOfReach),
                None if withheld.is_some() => (tier, withheld.map_or(Ruling::NoMatch, Ruling::LeftOut)),
                None if failed => (tier, Ruling::LayerFailed),
                None => (tier, standing.ruling()),
            };
        let item = own.decisive.filter(|(item, _)| item.layer == layer);
        let standing = if layer == tier { standing } else { Standing::Searched(None) };
        let rank = standing.rank().or_else(|| item.map(|(_, rank)| Rank { rank, of: None }));
        let (score, parts) = match standing.place() {
            Some(place) => (Some(place.score), place.contributions),
            None => (None, Vec::new()),
        };
        Ok(Why {
            layer,
            ruling,
            named_without_room: own.named_without_room && layer != Layer::Named,
            rank,
            score,
            parts,
            tokens: item.map(|(item, _)| item.tokens),
            usage: *orientation.layers.get(layer),
            recorded: false,
            item: WhyItem::Entry(Box::new(stored)),
        })
    }

    /// Why a recorded orientation held an entry, or did not. What the ledger does not tell is worked out now, for the
    /// same query and budget.
    ///
    /// # Errors
    /// [`AppError::NotFound`] if there is no such orientation; [`AppError::NoMemory`] if there is no such entry.
    pub async fn why_recorded(&self, recorded: OrientationId, id: MemoryId) -> Result<Why, AppError> {
        let orientation = self.get(recorded).await?;
        let own = Own::of(&orientation, ItemId::Memory(id));
        if let Some((item, rank)) = own.decisive {
            return Ok(Why {
                item: WhyItem::Entry(Box::new(self.session.entry(id).await?)),
                layer: item.layer,
                ruling: ruling_of(item),
                named_without_room: own.named_without_room && item.layer != Layer::Named,
                rank: Some(Rank { rank, of: None }),
                score: item.score,
                parts: item.parts.clone(),
                tokens: Some(item.tokens),
                usage: *orientation.layers.get(item.layer),
                recorded: true,
            });
        }
        let conversation = self.conversation_of(&orientation).await;
        let request = self.request_of(&orientation, conversation.as_ref()).await?;
        self.why(request, id).await
    }

    /// The conversation of a recorded orientation, if it still exists.
    pub(super) async fn conversation_of(&self, orientation: &Orientation) -> Option<Conversation> {
        self.session.conversations().by_id(orientation.conversation?).await.ok()
    }

    /// The request that would give a recorded orientation again.
    pub(super) async fn request_of<'c>(
        &self,
        orientation: &Orientation,
        conversation: Option<&'c Conversation>,
    ) -> Result<OrientRequest<'c>, AppError> {
        Ok(OrientRequest {
            conversation,
            channel: orientation.channel,
            query: ConversationQuery::Exactly(orientation.query.clone()),
            time_words: TimeWords::From(orientation.at),
            budget: Some(orientation.budget),
            lens: self.session.lenses().resolve(orientation.lens).await?,
            without_lens: orientation.lens.is_none(),
            ..OrientRequest::default()
        })
    }

    /// Where an entry stands in the order in which its layer is read.
    async fn standing(
        &self,
        request: &OrientRequest<'_>,
        place: Place,
        query: &str,
        entry: &MemoryEntry,
    ) -> Result<Standing, AppError> {
        let is_listed = place.scope() == MemoryScope::Conversation || query.trim().is_empty();
        if !is_listed {
            let search = request.search_in(place, query, None);
            let place = self.session.search().place_of(search, entry).await?;
            return Ok(Standing::Searched(place));
        }
        let sort =
            if place.scope() == MemoryScope::Conversation { Sort::CreatedDesc } else { Sort::ImportanceDesc };
        Ok(Standing::Listed(self.listed(place, request.of(place), sort, entry.id).await?))
    }

    /// The rank of an entry in a list of its place; `None` if it is not among the first [`MOST_LISTED`].
    async fn listed(
        &self,
        place: Place,
        filter: ScopeFilter,
        sort: Sort,
        id: MemoryId,
    ) -> Result<Option<Rank>, AppError> {
        let filter = MemoryFilter::active(filter);
        let of = usize::try_from(*self.session.memories().count(&filter).await?.get(place.scope())).ok();
        let (mut before, mut after) = (0, None);
        while before < MOST_LISTED {
            let page = self.session.memories().list(&filter, sort, after.as_ref(), MAX_PAGE).await?;
            if let Some(at) = page.entries.iter().position(|stored| stored.entry.id == id) {
                return Ok(Some(Rank { rank: before + at + 1, of }));
            }
            before += page.entries.len();
            after = page.next;
            if after.is_none() {
                break;
            }
        }
        Ok(None)
    }
}

/// The place of an entry in the order of its layer.
enum Standing {
    /// Its place in a search; `None` if the search does not find it.
    Searched(Option<EntryPlace>),
    /// Its rank in a list; `None` if the list ends before it.
    Listed(Option<Rank>),
}

impl Standing {
    fn rank(&self) -> Option<Rank> {
        match self {
            Self::Searched(place) => {
                place.as_ref().map(|place| Rank { rank: place.rank, of: Some(place.of) })
            }
            Self::Listed(rank) => *rank,
        }
    }

    /// Its place, if the layer is a search that finds it.
    fn place(self) -> Option<EntryPlace> {
        match self {
            Self::Searched(place) => place,
            Self::Listed(_) => None,
        }
    }

    /// The rule for an entry that is no candidate.
    fn ruling(&self) -> Ruling {
        match self {
            Self::Searched(None) => Ruling::NoMatch,
            Self::Listed(_) => Ruling::BehindTheCut,
            Self::Searched(Some(place)) => match place.fate {
                Fate::Folded(other) => Ruling::Folded(other),
                Fate::BeyondTheLists => Ruling::BeyondTheLists,
                // A hit is a candidate, unless it was written since the document was made.
                Fate::Hit | Fate::BehindTheHits => Ruling::BehindTheCut,
            },
        }
    }
}

/// What an orientation says of an entry or a page.
pub(super) struct Own<'a> {
    /// The item that decided, and its rank within the layer: the one that was taken, else that of the tier.
    pub(super) decisive: Option<(&'a LedgerItem, usize)>,
    named_without_room: bool,
}

impl<'a> Own<'a> {
    pub(super) fn of(orientation: &'a Orientation, id: ItemId) -> Self {
        let own = || orientation.items.iter().filter(move |item| item.id == id);
        let decisive = own()
            .find(|item| item.left_out.is_none())
            .or_else(|| own().find(|item| item.layer != Layer::Named))
            .or_else(|| own().next());
        let rank = |of: &LedgerItem| {
            let layer = orientation.items.iter().filter(|item| item.layer == of.layer);
            1 + layer.take_while(|item| item.id != of.id).count()
        };
        Self {
            decisive: decisive.map(|item| (item, rank(item))),
            named_without_room: own().any(|item| item.layer == Layer::Named && item.left_out.is_some()),
        }
    }
}

pub(super) fn ruling_of(item: &LedgerItem) -> Ruling {
    item.left_out.map_or(Ruling::Taken(item.shortened), Ruling::LeftOut)
}
