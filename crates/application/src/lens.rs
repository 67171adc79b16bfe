//! Use cases on the lens: whose knowledge a read shows, and up to when the story has happened.

use std::{num::NonZeroU32, sync::Arc};

use inklings_domain::{
    calendar::{moment::Moment, span::Span, story_point::StoryPoint},
    client::{Grants, Sight},
    conversation::Conversation,
    ids::MemoryId,
    lens::{Lens, ResolvedLens},
    memory::{MemoryEntry, change_set::Action, filter::ScopeFilter},
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

    /// A chapter by its id or its name, with or without the word "chapter" before it, by its reading number after that
    /// word, or a date.
    ///
    /// # Errors
    /// [`AppError::Input`] for what is neither.
    pub async fn point(&self, text: &str) -> Result<StoryPoint, AppError> {
        let everything = ScopeFilter::EVERYTHING;
        let text = text.trim();
        if fold(text) == END {
            return Ok(StoryPoint::Moment(Moment::MAX));
        }
        let chapters = self.session.calendars().chapters(&everything).await?;
        if let Some(id) = chapter_of(&chapters.iter().map(|stored| &stored.entry), text) {
            return Ok(StoryPoint::Chapter(id));
        }
        if after_chapter(text).is_some() {
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

/// What stands behind the word "chapter", folded. A folded text has other lengths than the text itself.
fn after_chapter(text: &str) -> Option<String> {
    fold(text).strip_prefix(CHAPTER).map(str::to_owned)
}

/// The chapter that a text means. A name comes before a number for all chapters: the second to be read may have the name
/// "Chapter 1".
fn chapter_of<'e>(
    chapters: &(impl Iterator<Item = &'e MemoryEntry> + Clone),
    text: &str,
) -> Option<MemoryId> {
    let after_word = after_chapter(text);
    let after_word = after_word.as_deref();
    let number: Option<NonZeroU32> = after_word.and_then(|number| number.parse().ok());
    let find = |is_it: &dyn Fn(&MemoryEntry) -> bool| {
        chapters.clone().find(|entry| is_it(entry)).map(|entry| entry.id)
    };
    find(&|entry| entry.id.to_string() == text)
        .or_else(|| find(&|entry| goes_by(entry, text)))
        .or_else(|| find(&|entry| after_word.is_some_and(|name| goes_by(entry, name))))
        .or_else(|| find(&|entry| number.is_some() && entry.reading_number == number))
}

#[cfg(test)]
mod tests {
    use chrono::DateTime;
    use inklings_domain::{ids::ChangeId, memory::Stamp};
    use inklings_ports::testing::builders::author;
    use proptest::prelude::*;
    use uuid::Uuid;

    use super::*;

    fn chapters(named: &[(u32, &str)]) -> Vec<MemoryEntry> {
        let stamp =
            Stamp { change: ChangeId::from_uuid(Uuid::nil()), actor: author(), at: DateTime::UNIX_EPOCH };
        let chapter = |(number, name): &(u32, &str)| {
            let id = MemoryId::from_uuid(Uuid::from_u128(u128::from(*number)));
            let entry = MemoryEntry::subject(id, name, "chapter", "", stamp).expect("a subject");
            MemoryEntry { reading_number: NonZeroU32::new(*number), ..entry }
        };
        named.iter().map(chapter).collect()
    }

    fn read(all: &[MemoryEntry], text: &str) -> Option<u32> {
        let id = chapter_of(&all.iter(), text)?;
        all.iter().find(|entry| entry.id == id).and_then(|entry| entry.reading_number).map(NonZeroU32::get)
    }

    #[test]
    fn a_text_means_an_id_then_a_name_then_a_name_behind_the_word_then_a_number() {
        let all =
            chapters(&[(1, "3"), (2, "Chapter 1"), (3, "Chapter 2"), (4, "The Flood"), (5, "Epilogue")]);
        for entry in &all {
            let number = entry.reading_number.map(NonZeroU32::get);
            for text in [entry.id.to_string(), entry.name.clone().unwrap_or_default()] {
                assert_eq!(read(&all, &text), number, "{text}");
            }
        }
        let others = [("chapter 2", 3), ("chapter 3", 1), ("Chapter the flood", 4), ("chapter 5", 5)];
        for (text, number) in others {
            assert_eq!(read(&all, text), Some(number), "{text}");
        }
        assert_eq!((read(&all, "5"), read(&all, "chapter 9"), read(&all, "chapter 0")), (None, None, None));
    }

    #[test]
    fn a_chapter_is_read_with_any_space_and_any_width_of_letters() {
        let all = chapters(&[(3, "The Flood")]);
        for text in ["chapter\u{a0}3", "ｃｈａｐｔｅｒ 3", "Chapter\u{3000}３", "chapter\u{a0}the\u{a0}flood"]
        {
            assert_eq!(read(&all, text), Some(3), "{text}");
        }
    }

    proptest! {
        #[test]
        fn any_text_is_read_or_refused(text in "([cCｃ]hapter)?[ \u{a0}\u{3000}ﬁ３]{0,3}\\PC{0,6}") {
            let all = chapters(&[(1, "Prologue"), (2, "Chapter 1"), (3, "ﬁ")]);
            read(&all, &text);
        }
    }
}
