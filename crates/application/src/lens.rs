//! Use cases on the lens: whose knowledge a read shows, and up to when the story has happened.

use std::sync::Arc;

use inklings_domain::{
    calendar::{moment::Moment, span::Span, story_point::StoryPoint},
    client::{Grants, Sight},
    conversation::Conversation,
    ids::MemoryId,
    lens::{Lens, ResolvedLens},
    memory::{change_set::Action, filter::ScopeFilter},
    named_entry::goes_by,
    provenance::Actor,
    scope::Place,
    text::fold,
};

use crate::{calendar::written_span, error::AppError, memory::write::WrittenEntry, services::Lenses};

/// The word before a chapter's name where a date could stand.
const CHAPTER: &str = "chapter ";
/// The time after everything that happens, as it is written and read: what was written through a lens without a time is known then.
const END: &str = "the end of the story";

impl Lenses<'_> {
    /// Resolves a lens; `None` without one.
    ///
    /// # Errors
    /// [`AppError::NotFound`] if its knower or its chapter is not there (any more).
    pub async fn resolve(&self, lens: Lens) -> Result<Option<Arc<ResolvedLens>>, AppError> {
        if lens.is_none() {
            return Ok(None);
        }
        let world = self.session.workspace.lenses.world(lens.knower).await?;
        if let Some(resolved) = world.resolve(lens) {
            let withheld = self.session.workspace.lenses.withheld_subjects(&resolved).await?;
            return Ok(Some(Arc::new(resolved.withholding(withheld))));
        }
        let (what, id) = match (lens.knower, lens.at) {
            (Some(knower), _) if world.kind_of_knower.is_none() => ("knower", knower.to_string()),
            (_, Some(StoryPoint::Chapter(chapter))) => ("chapter", chapter.to_string()),
            _ => ("knower", String::new()),
        };
        Err(AppError::NotFound { what, name: id })
    }

    /// The lens through which an agent sees: that of the client, else that of the conversation.
    pub(crate) async fn of_reader(
        &self,
        within: Option<&Grants>,
        conversation: Option<&Conversation>,
    ) -> Result<Option<Arc<ResolvedLens>>, AppError> {
        match (within.map(|grants| &grants.sight), conversation) {
            (Some(Sight::Through(lens)), _) => Ok(Some(Arc::clone(lens))),
            (Some(Sight::Bound(lens)), _) => self.resolve(*lens).await,
            (Some(Sight::Whole) | None, Some(conversation)) => self.resolve(conversation.lens).await,
            (Some(Sight::Whole) | None, None) => Ok(None),
        }
    }

    /// Everything that the World Agent sees in a conversation.
    pub async fn seen_from(&self, conversation: &Conversation) -> Result<ScopeFilter, AppError> {
        let place = Place::Conversation(conversation.channel_id, conversation.id);
        Ok(ScopeFilter::seen_from(place).through(self.resolve(conversation.lens).await?))
    }

    /// The lens that names tell: a subject, and a date or a chapter.
    ///
    /// # Errors
    /// [`AppError::NotFound`] for a name of no subject; [`AppError::Input`] for what is neither a date nor a chapter.
    pub async fn named(&self, knower: Option<&str>, at: Option<&str>) -> Result<Lens, AppError> {
        let everything = ScopeFilter::EVERYTHING;
        let knower = match knower {
            Some(name) => Some(self.session.subjects().find(name, &everything).await?.id),
            None => None,
        };
        let at = match at {
            Some(text) => Some(self.point(text).await?),
            None => None,
        };
        Ok(Lens { knower, at })
    }

    /// Checks who is to know of an entry or a fact.
    ///
    /// # Errors
    /// [`AppError::NotFound`] if one is no subject, or learns of it in what is no chapter.
    pub(crate) async fn check_knowers(
        &self,
        knowers: &[(MemoryId, Option<StoryPoint>)],
    ) -> Result<(), AppError> {
        for (knower, since) in knowers {
            self.resolve(Lens { knower: Some(*knower), at: *since }).await?;
        }
        Ok(())
    }

    /// Sets who knows of an entry. Nobody named: everybody does.
    ///
    /// # Errors
    /// [`AppError::NotFound`] if one is no subject; [`AppError::Stale`]; [`AppError::Memory`] for an entry that cannot be
    /// linked or is locked against the actor.
    pub async fn set_known_by(
        &self,
        id: MemoryId,
        version: u64,
        knowers: &[(MemoryId, Option<StoryPoint>)],
        actor: Actor,
    ) -> Result<WrittenEntry, AppError> {
        self.check_knowers(knowers).await?;
        let found = self.session.entry_at(id, version).await?;
        let stamp = self.session.stamp(actor);
        let next = found.next(found.entry.with_known_by(knowers, stamp)?);
        self.session.memories().commit_next(stamp, Action::Edit, next, Vec::new()).await
    }

    /// A chapter by its name, with or without the word "chapter" before it, by its reading number after that word, or a
    /// date.
    ///
    /// # Errors
    /// [`AppError::Input`] for what is neither.
    pub async fn point(&self, text: &str) -> Result<StoryPoint, AppError> {
        let everything = ScopeFilter::EVERYTHING;
        let text = text.trim();
        if fold(text) == END {
            return Ok(StoryPoint::Moment(Moment::MAX));
        }
        let after_word = fold(text).strip_prefix(CHAPTER).map(|_| text[CHAPTER.len()..].trim());
        let chapters = self.session.calendars().chapters(&everything).await?;
        for chapter in &chapters {
            let entry = &chapter.entry;
            let is_number = after_word.is_some_and(|number| {
                number.parse().ok() == entry.reading_number.map(std::num::NonZeroU32::get)
            });
            let names = [Some(text), after_word];
            let is_name = names.into_iter().flatten().any(|name| goes_by(entry, name));
            if is_name || is_number || entry.id.to_string() == text {
                return Ok(StoryPoint::Chapter(entry.id));
            }
        }
        if after_word.is_some() {
            return Err(AppError::NotFound { what: "chapter", name: text.chars().take(64).collect() });
        }
        let span = self.session.calendars().read(text, None, &everything).await?;
        span.until()
            .map(StoryPoint::Moment)
            .ok_or_else(|| AppError::Input { field: "at", message: "name a date or a chapter".to_owned() })
    }

    /// A point of the story as people read it: the name of the chapter, or the date.
    pub async fn print_point(&self, at: StoryPoint) -> Result<String, AppError> {
        match at {
            StoryPoint::Chapter(id) => Ok(self.name_of(id).await?),
            StoryPoint::Moment(Moment::MAX) => Ok(END.to_owned()),
            StoryPoint::Moment(moment) => {
                let calendar = self.session.calendars().of_workspace(&ScopeFilter::EVERYTHING).await?;
                Ok(written_span(Span::at(moment), calendar.as_deref()))
            }
        }
    }

    /// The name of a subject; its id if it is not there (any more).
    pub async fn name_of(&self, id: MemoryId) -> Result<String, AppError> {
        match self.session.entry(id).await {
            Ok(stored) => Ok(stored.entry.name.unwrap_or_else(|| id.to_string())),
            Err(AppError::NoMemory(_)) => Ok(id.to_string()),
            Err(error) => Err(error),
        }
    }
}
