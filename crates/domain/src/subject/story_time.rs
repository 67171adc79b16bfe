//! The time of entries in the story, the order of chapters, and calendars as entries.

use std::{num::NonZeroU32, sync::Arc};

use crate::{
    calendar::{Calendar, chapter::Chapter, span::Span},
    ids::MemoryId,
    memory::{InvalidMemory, MemoryEntry, Stamp},
};

/// The kind of subject of a calendar.
pub const CALENDAR: &str = "calendar";

impl MemoryEntry {
    /// Creates a calendar: a subject of the workspace with a definition. Its text may be empty.
    pub fn calendar(
        id: MemoryId,
        name: &str,
        calendar: Calendar,
        content: &str,
        stamp: Stamp,
    ) -> Result<Self, InvalidMemory> {
        let calendar = Some(Arc::new(calendar));
        Ok(Self { calendar, ..Self::subject(id, name, CALENDAR, content, stamp)? })
    }

    /// Replaces the definition of a calendar. No moment changes, but moments may get other dates.
    ///
    /// # Errors
    /// [`InvalidMemory`]: locked, forgotten, no calendar, or the current definition.
    pub fn with_calendar(&self, calendar: Calendar, stamp: Stamp) -> Result<Self, InvalidMemory> {
        let (mut next, _) = self.next_named(stamp)?;
        if self.calendar.is_none() {
            return Err(InvalidMemory::NoCalendar);
        }
        next.calendar = Some(Arc::new(calendar));
        if next.calendar == self.calendar { Err(InvalidMemory::NoChange) } else { Ok(next) }
    }

    /// Sets the span of story time in which the entry holds, and the reading number of a chapter.
    ///
    /// # Errors
    /// [`InvalidMemory`]: locked, forgotten, an entry of the account or an archive, a reading number without a subject or
    /// of 0, or the current values.
    pub fn with_story_time(
        &self,
        span: Span,
        reading_number: Option<u32>,
        stamp: Stamp,
    ) -> Result<Self, InvalidMemory> {
        let mut next = self.next(stamp)?;
        if self.forgotten.is_some() {
            return Err(InvalidMemory::Forgotten);
        }
        let number = reading_number.map(|number| NonZeroU32::new(number).ok_or(InvalidMemory::NoChapter));
        next.reading_number = number.transpose()?;
        next.span = span;
        let next = next.with_checked_structure()?;
        let is_same = (next.span, next.reading_number) == (self.span, self.reading_number);
        if is_same { Err(InvalidMemory::NoChange) } else { Ok(next) }
    }

    /// Its place in the order of reading and in story time, if it has a reading number.
    pub fn chapter(&self) -> Option<Chapter> {
        let span = (self.span != Span::ALWAYS).then_some(self.span);
        Some(Chapter::new(self.reading_number?, span))
    }
}

#[cfg(test)]
mod tests {
    use chrono::{TimeZone, Utc};
    use proptest::prelude::*;
    use uuid::Uuid;

    use super::*;
    use crate::{
        calendar::{moment::Moment, preset::gregorian},
        ids::{ChangeId, ChannelId},
        memory::MemoryDraft,
        provenance::{Actor, ActorKind, Interface},
        scope::{MemoryLifetime, Place},
    };

    fn stamp(actor_kind: ActorKind) -> Stamp {
        Stamp {
            change: ChangeId::from_uuid(Uuid::from_u128(9)),
            actor: Actor::new(actor_kind, Interface::Cli, None).expect("the command line admits every actor"),
            at: Utc.timestamp_opt(1_700_000_000, 0).single().expect("a valid time"),
        }
    }

    fn id(n: u128) -> MemoryId {
        MemoryId::from_uuid(Uuid::from_u128(n))
    }

    fn note(place: Place, actor_kind: ActorKind) -> MemoryEntry {
        let draft = MemoryDraft {
            place,
            lifetime: MemoryLifetime::LongTerm,
            source: "user".into(),
            title: None,
            keys: Vec::new(),
            content: "The bridge stands.".into(),
            importance: 0.5,
            tags: Vec::new(),
            origin: None,
            derivations: Vec::new(),
        };
        MemoryEntry::create(id(2), draft, stamp(actor_kind)).expect("a valid note")
    }

    fn span(from: i64, until: i64) -> Span {
        let day = |day| Some(Moment::on_day(day).expect("in range"));
        Span::new(day(from), day(until)).expect("in order")
    }

    fn calendar() -> Calendar {
        Calendar::new(gregorian()).expect("valid")
    }

    #[test]
    fn notes_of_a_workspace_have_a_story_time_and_an_agent_sets_that_of_its_own_alone() {
        let channel = Place::Channel(ChannelId::from_uuid(Uuid::from_u128(7)));
        let agent = stamp(ActorKind::Agent);
        for place in [Place::Workspace, channel] {
            let made = note(place, ActorKind::Agent).with_story_time(span(1, 2), None, agent).expect("set");
            assert_eq!((made.span, made.version), (span(1, 2), 2));
            assert_eq!(made.with_story_time(span(1, 2), None, agent), Err(InvalidMemory::NoChange));
        }
        let of_author = note(Place::Workspace, ActorKind::Author);
        assert_eq!(of_author.with_story_time(span(1, 2), None, agent), Err(InvalidMemory::Locked));
        let of_account = note(Place::Account, ActorKind::Author);
        let author = stamp(ActorKind::Author);
        assert_eq!(of_account.with_story_time(span(1, 2), None, author), Err(InvalidMemory::NoStoryTime));
        assert_eq!(of_author.with_story_time(span(1, 2), Some(1), author), Err(InvalidMemory::NoChapter));
    }

    #[test]
    fn a_chapter_with_a_reading_number_and_a_calendar_stay_subjects() {
        let author = stamp(ActorKind::Author);
        let chapter = MemoryEntry::subject(id(3), "The Flood", "chapter", "", author).expect("a subject");
        assert_eq!(chapter.with_story_time(Span::ALWAYS, Some(0), author), Err(InvalidMemory::NoChapter));
        let chapter = chapter.with_story_time(span(5, 9), Some(3), author).expect("set");
        assert_eq!(chapter.chapter().map(|it| (it.reading_number(), it.span())), Some((3, Some(span(5, 9)))));
        assert_eq!(chapter.with_subject(None, author), Err(InvalidMemory::StaysSubject));
        let made = MemoryEntry::calendar(id(4), "Common Reckoning", calendar(), "", author).expect("made");
        assert_eq!(made.with_subject(None, author), Err(InvalidMemory::StaysSubject));
    }

    #[test]
    fn only_the_worldbuilder_defines_a_calendar() {
        let author = stamp(ActorKind::Author);
        let made = MemoryEntry::calendar(id(4), "Common Reckoning", calendar(), "", author).expect("made");
        assert_eq!(made.with_calendar(calendar(), author), Err(InvalidMemory::NoChange));
        let mut shorter = gregorian();
        shorter.months[0].days = 30;
        let shorter = Calendar::new(shorter).expect("valid");
        assert_eq!(
            made.with_calendar(shorter.clone(), author).expect("edited").calendar,
            Some(Arc::new(shorter))
        );
        assert_eq!(made.with_calendar(calendar(), stamp(ActorKind::Agent)), Err(InvalidMemory::Locked));
        let place = MemoryEntry::subject(id(3), "Ambry", "place", "", author).expect("a subject");
        assert_eq!(place.with_calendar(calendar(), author), Err(InvalidMemory::NoCalendar));
    }

    proptest! {
        /// What is undone has the time that it had.
        #[test]
        fn a_reverted_entry_has_the_story_time_of_before(spans in prop::collection::vec((0_i64..9, 0_i64..9), 1..6)) {
            let author = stamp(ActorKind::Author);
            let first = note(Place::Workspace, ActorKind::Author);
            let mut entry = first.clone();
            for (from, length) in spans {
                entry = entry.with_story_time(span(from, from + length), None, author).unwrap_or(entry);
            }
            let Ok(reverted) = entry.reverted_to(&first, author) else { return Ok(()) };
            prop_assert_eq!(reverted.span, Span::ALWAYS);
            prop_assert!(reverted.same_body(&first));
        }
    }
}
