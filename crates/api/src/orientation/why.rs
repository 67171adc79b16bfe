//! The question why an orientation holds an entry, or does not, for any entry.

use inklings_application::{
    error::AppError,
    orientation::{
        OrientRequest as Request,
        why::{Ruling, Why, WhyItem},
    },
    session::Session,
};
use inklings_domain::{
    ids::{MemoryId, PageId},
    orientation::{ItemId, LeftOut},
};
use inklings_ports::vault::filter::PageFilter;

use crate::{
    commands::OrientationCommands,
    error::CommandError,
    orientation::{
        Asked, label, labels,
        view::{WhyRequest, WhyView},
    },
    search::convert::contribution,
    vault::convert,
    wire::count,
};

impl OrientationCommands<'_> {
    /// Why an orientation holds an entry, or does not: a recorded one, or the one that the request would give. Records
    /// nothing.
    ///
    /// # Errors
    /// [`CommandError`] of code `not_found` for an unknown entry, orientation, channel or conversation.
    pub async fn why_orientation(&self, request: WhyRequest) -> Result<WhyView, CommandError> {
        let session = self.app.session()?;
        // Ids of memories and of pages have one form.
        let id: MemoryId = crate::wire::id("id", &request.id)?;
        let page = PageId::from_uuid(*id.as_uuid());
        let is_page = !session.vaults().rows(&PageFilter::through(None), &[page]).await?.is_empty();
        let orientations = session.orientations();
        let why = if let Some(recorded) = &request.orientation_id {
            let recorded = crate::wire::id("orientationId", recorded)?;
            if is_page {
                orientations.why_page_recorded(recorded, page).await?
            } else {
                orientations.why_recorded(recorded, id).await?
            }
        } else {
            let asked = Asked::read(&session, request.orient).await?;
            let request = Request { context_tokens: self.context_tokens().await, ..asked.request() };
            if is_page {
                orientations.why_page(request, page).await?
            } else {
                orientations.why(request, id).await?
            }
        };
        self.view(&session, why).await
    }

    async fn view(&self, session: &Session, why: Why) -> Result<WhyView, CommandError> {
        let other = other(why.ruling);
        let others = labels(session, other.into_iter(), None).await?;
        let (row, page) = match &why.item {
            WhyItem::Entry(entry) => {
                let row = self.app.memory().rows_in(session, std::slice::from_ref(&**entry)).await?.pop();
                (Some(row.ok_or(AppError::NoMemory(entry.entry.id))?), None)
            }
            WhyItem::Page(page) => (None, Some(convert::row(page))),
        };
        Ok(WhyView {
            row,
            page,
            layer: why.layer.into(),
            rule: why.ruling.rule().into(),
            shortened: why.ruling == Ruling::Taken(true),
            other_id: other.map(|other| other.id()),
            other_label: other.map(|other| label(&others, &other)),
            named_without_room: why.named_without_room,
            rank: why.rank.map(|rank| count(rank.rank)),
            of: why.rank.and_then(|rank| rank.of).map(count),
            score: why.score,
            parts: why.parts.iter().map(contribution).collect(),
            tokens: why.tokens.map(count),
            layer_budget: count(why.usage.budget),
            layer_used: count(why.usage.used),
            recorded: why.recorded,
        })
    }
}

/// The item that says the same, if that is the rule.
fn other(ruling: Ruling) -> Option<ItemId> {
    match ruling {
        Ruling::LeftOut(LeftOut::Repeats(other)) => Some(other),
        Ruling::Folded(other) => Some(ItemId::Memory(other)),
        Ruling::Taken(_)
        | Ruling::LeftOut(LeftOut::Budget | LeftOut::Limit | LeftOut::Refined | LeftOut::Withheld(_))
        | Ruling::Forgotten
        | Ruling::OutOfReach
        | Ruling::Blank
        | Ruling::LayerFailed
        | Ruling::NoMatch
        | Ruling::BehindTheCut
        | Ruling::BeyondTheLists => None,
    }
}
