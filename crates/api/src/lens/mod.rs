//! Commands on lenses: who knows of an entry, and whose knowledge the turns of a conversation show.

use std::{collections::HashMap, sync::Arc};

use inklings_application::session::Session;
use inklings_domain::{
    calendar::story_point::StoryPoint,
    ids::MemoryId,
    lens::{Lens, ResolvedLens},
    memory::link::{Link, LinkRole},
};

use crate::{
    commands::LensCommands,
    error::CommandError,
    view::{
        change::WriteResult,
        lens::{KnowerSpec, KnowerView, LensSpec, LensView},
    },
};

impl LensCommands<'_> {
    /// Reads a lens as it is typed; `None` without one.
    ///
    /// # Errors
    /// [`CommandError`] of code `not_found` for what is no subject, or `invalid` for what is no date and no chapter.
    pub async fn read_lens(&self, lens: &LensSpec) -> Result<Option<LensView>, CommandError> {
        let session = self.app.session()?;
        let lens = lens_of(&session, lens).await?;
        session.lenses().resolve(lens).await?;
        lens_view(&session, lens).await
    }

    /// Sets who knows of an entry. Nobody named: everybody does.
    ///
    /// # Errors
    /// [`CommandError`] of code `stale_version` with both versions, `not_found` for what is no subject, or `locked`.
    pub async fn set_known_by(
        &self,
        id: &str,
        version: u32,
        knowers: &[KnowerSpec],
    ) -> Result<WriteResult, CommandError> {
        let id = crate::wire::id("id", id)?;
        let session = self.app.session()?;
        let knowers = knowers_named(&session, knowers).await?;
        let written = session.lenses().set_known_by(id, version.into(), &knowers, self.app.actor).await;
        self.app.memory().answer(written).await
    }
}

/// The lens that a person means.
pub(crate) async fn lens_of(session: &Session, spec: &LensSpec) -> Result<Lens, CommandError> {
    let given = |text: &Option<String>| text.clone().filter(|text| !text.trim().is_empty());
    let (knower, at) = (given(&spec.knower), given(&spec.at));
    Ok(session.lenses().named(knower.as_deref(), at.as_deref()).await?)
}

/// The lens that a person means, resolved; `None` without one.
pub(crate) async fn resolved(
    session: &Session,
    spec: Option<&LensSpec>,
) -> Result<Option<Arc<ResolvedLens>>, CommandError> {
    match spec {
        None => Ok(None),
        Some(spec) => Ok(session.lenses().resolve(lens_of(session, spec).await?).await?),
    }
}

/// A lens as a view; `None` without one.
pub(crate) async fn lens_view(session: &Session, lens: Lens) -> Result<Option<LensView>, CommandError> {
    if lens.is_none() {
        return Ok(None);
    }
    let knower = match lens.knower {
        Some(id) => Some(session.lenses().name_of(id).await?),
        None => None,
    };
    let at = match lens.at {
        Some(at) => Some(session.lenses().print_point(at).await?),
        None => None,
    };
    let (knower_id, chapter_id) = (lens.knower.map(|id| id.to_string()), lens.at.and_then(chapter_id));
    Ok(Some(LensView { knower_id, knower, at, chapter_id }))
}

/// The id of the chapter that a point of the story is, if it is one.
fn chapter_id(at: StoryPoint) -> Option<String> {
    match at {
        StoryPoint::Chapter(id) => Some(id.to_string()),
        StoryPoint::Moment(_) => None,
    }
}

/// The subjects that a person names as those who know of something.
pub(crate) async fn knowers_named(
    session: &Session,
    knowers: &[KnowerSpec],
) -> Result<Vec<(MemoryId, Option<StoryPoint>)>, CommandError> {
    let mut named = Vec::new();
    for knower in knowers {
        let lens = session.lenses().named(Some(&knower.subject), knower.since.as_deref()).await?;
        named.extend(lens.knower.map(|knower| (knower, lens.at)));
    }
    Ok(named)
}

/// Views of those who know of the rows of a list. Each is read once.
#[derive(Debug, Default)]
pub(crate) struct Knowers(HashMap<Link, KnowerView>);

impl Knowers {
    /// Reads the names and times of all who know of something among the links of the rows.
    pub(crate) async fn of_rows(
        session: &Session,
        links: impl Iterator<Item = Link> + Send,
    ) -> Result<Self, CommandError> {
        let mut known = HashMap::new();
        for link in links.filter(|link| link.role == LinkRole::KnownBy) {
            if known.contains_key(&link) {
                continue;
            }
            let since = match link.since {
                Some(since) => Some(session.lenses().print_point(since).await?),
                None => None,
            };
            let name = session.lenses().name_of(link.target).await?;
            let chapter_id = link.since.and_then(chapter_id);
            known.insert(link, KnowerView { id: link.target.to_string(), name, since, chapter_id });
        }
        Ok(Self(known))
    }

    /// Those of one row, in the order of their names.
    pub(crate) fn of(&self, links: &[Link]) -> Vec<KnowerView> {
        let mut knowers: Vec<KnowerView> =
            links.iter().filter_map(|link| self.0.get(link)).cloned().collect();
        knowers.sort_by_cached_key(|knower| inklings_domain::named_entry::key(&knower.name));
        knowers
    }
}

/// Who is named in links as one who knows, in the order of their names.
pub(crate) async fn knowers(session: &Session, links: &[Link]) -> Result<Vec<KnowerView>, CommandError> {
    Ok(Knowers::of_rows(session, links.iter().copied()).await?.of(links))
}
