//! Resolves a lens: whose knowledge the knower has, which chapters are reached, which conversations count.

use std::collections::{BTreeMap, BTreeSet};

use super::{AUDIENCE, Knowledge, KnowledgeSource, Lens, LensOnSubjects, LensTime, ResolvedLens};
use crate::{
    calendar::{chapter::Chapter, moment::Moment, span::Span, story_point::StoryPoint},
    ids::{ConversationId, MemoryId},
};

/// A subject that belonged to a group for a time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Membership {
    pub member: MemoryId,
    pub group: MemoryId,
    /// For how long.
    pub span: Span,
}

impl Membership {
    /// True if a member knows by it all that it would know by another one.
    pub fn covers(&self, other: &Self) -> bool {
        let (own, given) = (self.span, other.span);
        (self.member, self.group) == (other.member, other.group)
            && own.first() <= given.first()
            && given.last() <= own.last()
            && (own == Span::ALWAYS || given != Span::ALWAYS)
    }
}

/// A chapter by its entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ChapterPlace {
    /// The entry.
    pub id: MemoryId,
    /// Its place in the order of reading and in story time.
    pub chapter: Chapter,
}

/// What of the world a lens depends on.
#[derive(Debug, Clone, Default)]
pub struct World {
    /// Memberships that the worldbuilder stated.
    pub memberships: Vec<Membership>,
    /// All chapters.
    pub chapters: Vec<ChapterPlace>,
    /// Conversations that were held under a lens.
    pub conversations: Vec<(ConversationId, Lens)>,
    /// Kind of the knower; `None` if there is no such subject.
    pub kind_of_knower: Option<String>,
}

impl World {
    /// Resolves a lens. `None` if its knower or its chapter is not there (any more): then nothing may be shown.
    pub fn resolve(&self, lens: Lens) -> Option<LensOnSubjects> {
        let time = match lens.at {
            None => None,
            Some(at) => Some(self.time_of(at)?),
        };
        let knowledge = match lens.knower {
            None => None,
            Some(knower) => {
                let by_reading = self.kind_of_knower.as_deref()? == AUDIENCE;
                Some(Knowledge {
                    knower,
                    sources: self.sources_of(knower, time),
                    chapters: self.reached(time, by_reading),
                    by_reading,
                })
            }
        };
        let by_reading = knowledge.as_ref().is_some_and(|known| known.by_reading);
        let conversations = self
            .conversations
            .iter()
            .filter(|(_, other)| {
                other.knower == lens.knower && self.shows_no_more(other.at, time, by_reading)
            })
            .map(|(id, _)| *id)
            .collect();
        let withheld = BTreeSet::new();
        Some(LensOnSubjects(ResolvedLens { lens, time, knowledge, conversations, withheld }))
    }

    fn time_of(&self, at: StoryPoint) -> Option<LensTime> {
        match at {
            StoryPoint::Moment(moment) => Some(LensTime { moment: Some(moment.last_part()), reading: None }),
            StoryPoint::Chapter(id) => {
                let place = self.chapters.iter().find(|place| place.id == id)?;
                Some(LensTime {
                    moment: place.chapter.span().map(Span::last),
                    reading: Some(place.chapter.reading_number()),
                })
            }
        }
    }

    /// The knower and the groups whose knowledge has come to it. A member has what its group knew by the end of the
    /// membership, from the day of joining on, and keeps it afterwards.
    fn sources_of(&self, knower: MemoryId, time: Option<LensTime>) -> Vec<KnowledgeSource> {
        let own = match time {
            None => Some(Moment::MAX),
            Some(time) => time.moment,
        };
        let mut until: BTreeMap<MemoryId, Option<Moment>> = BTreeMap::from([(knower, own)]);
        let mut open = vec![knower];
        while let Some(member) = open.pop() {
            let limit = until.get(&member).copied().flatten();
            for membership in self.memberships.iter().filter(|known| known.member == member) {
                let reached = match limit {
                    Some(limit) if membership.span.first() <= limit => {
                        Some(membership.span.last().min(limit))
                    }
                    // Without a known time, only a membership without one counts.
                    None if membership.span == Span::ALWAYS => None,
                    _ => continue,
                };
                let is_more = until.get(&membership.group).is_none_or(|known| *known < reached);
                if is_more {
                    until.insert(membership.group, reached);
                    open.push(membership.group);
                }
            }
        }
        until.into_iter().map(|(subject, until)| KnowledgeSource { subject, until }).collect()
    }

    fn reached(&self, time: Option<LensTime>, by_reading: bool) -> BTreeMap<MemoryId, Option<Moment>> {
        let is_reached = |chapter| time.is_none_or(|time| is_reached(chapter, time, by_reading));
        let reached = self.chapters.iter().filter(|place| is_reached(place.chapter));
        reached.map(|place| (place.id, place.chapter.span().map(Span::first))).collect()
    }

    /// True if a lens with this time shows no more than one with `time`.
    fn shows_no_more(&self, other: Option<StoryPoint>, time: Option<LensTime>, by_reading: bool) -> bool {
        let Some(time) = time else { return true };
        let Some(other) = other.and_then(|at| self.time_of(at)) else { return false };
        if by_reading && let Some(read_then) = other.reading {
            // What an audience was told when it had read less, it has been told.
            return time.reading.is_some_and(|reading| read_then <= reading);
        }
        if other.reading.is_none() && time.reading.is_some() {
            // What was said by a day has been said in a chapter behind it, whatever was read by then.
            return other.moment.is_some() && other.moment <= time.moment;
        }
        // A date says nothing of what was read, and a chapter nothing of when others happen: each of them is compared.
        let shows = |chapter: Chapter, time: LensTime| {
            time.has_come(Some(chapter.reading_number()), chapter.span().and_then(Span::from))
        };
        let shows_no_more_of = |chapter: Chapter| {
            (!shows(chapter, other) || shows(chapter, time))
                && (!is_reached(chapter, other, by_reading) || is_reached(chapter, time, by_reading))
        };
        // Without a moment, nothing that has a time is shown.
        other.moment <= time.moment && self.chapters.iter().all(|place| shows_no_more_of(place.chapter))
    }
}

/// True if a knower has reached a chapter by a time.
fn is_reached(chapter: Chapter, time: LensTime, by_reading: bool) -> bool {
    let is_read = time.reading.is_some_and(|reading| chapter.reading_number() <= reading);
    match (chapter.span().map(Span::first), time.moment) {
        (Some(first), Some(moment)) if !by_reading => first <= moment,
        _ => is_read,
    }
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroU32;

    use chrono::DateTime;
    use proptest::prelude::*;
    use uuid::Uuid;

    use super::*;
    use crate::{
        ids::ChangeId,
        memory::{MemoryEntry, Stamp, link::Link},
        provenance::{Actor, Interface},
        scope::Place,
    };

    fn id(n: u128) -> MemoryId {
        MemoryId::from_uuid(Uuid::from_u128(n))
    }

    fn day(day: i64) -> Moment {
        Moment::on_day(day).expect("in range")
    }

    fn span(from: Option<i64>, until: Option<i64>) -> Span {
        Span::new(from.map(day), until.map(day)).expect("in order")
    }

    fn chapter(n: u128, reading: u32, days: Option<(i64, i64)>) -> ChapterPlace {
        let span = days.map(|(from, until)| span(Some(from), Some(until)));
        ChapterPlace { id: id(n), chapter: Chapter::new(NonZeroU32::new(reading).expect("from 1"), span) }
    }

    fn at_day(n: i64) -> LensTime {
        LensTime { moment: Some(day(n).last_part()), reading: None }
    }

    #[test]
    fn a_lens_on_what_is_not_there_is_not_resolved() {
        let world = World::default();
        assert!(world.resolve(Lens { knower: Some(id(1)), at: None }).is_none());
        assert!(world.resolve(Lens { knower: None, at: Some(StoryPoint::Chapter(id(2))) }).is_none());
    }

    #[test]
    fn a_reader_reaches_chapters_by_their_numbers_and_a_character_by_their_time() {
        let chapters =
            vec![chapter(1, 1, Some((10, 12))), chapter(2, 2, Some((20, 22))), chapter(3, 3, Some((1, 2)))];
        let of = |kind: &str| World {
            chapters: chapters.clone(),
            kind_of_knower: Some(kind.to_owned()),
            ..World::default()
        };
        let lens = Lens { knower: Some(id(9)), at: Some(StoryPoint::Chapter(id(1))) };
        let reached = |kind| {
            let known = of(kind).resolve(lens).and_then(|lens| lens.0.knowledge).expect("resolved");
            known.chapters.into_keys().collect::<Vec<_>>()
        };
        assert_eq!(reached("character"), [id(1), id(3)], "the flashback lies before the first chapter");
        assert_eq!(reached(AUDIENCE), [id(1)]);
    }

    #[test]
    fn a_conversation_counts_if_its_own_lens_shows_no_more() {
        let world = World {
            chapters: vec![chapter(1, 1, Some((10, 12))), chapter(2, 2, Some((20, 22)))],
            conversations: vec![
                (
                    ConversationId::from_uuid(Uuid::from_u128(1)),
                    Lens { knower: Some(id(9)), at: Some(StoryPoint::Chapter(id(1))) },
                ),
                (
                    ConversationId::from_uuid(Uuid::from_u128(2)),
                    Lens { knower: Some(id(9)), at: Some(StoryPoint::Chapter(id(2))) },
                ),
                (ConversationId::from_uuid(Uuid::from_u128(3)), Lens { knower: Some(id(9)), at: None }),
                (ConversationId::from_uuid(Uuid::from_u128(4)), Lens { knower: Some(id(8)), at: None }),
                (
                    ConversationId::from_uuid(Uuid::from_u128(5)),
                    Lens { knower: Some(id(9)), at: Some(StoryPoint::Moment(day(5))) },
                ),
            ],
            kind_of_knower: Some("character".to_owned()),
            ..World::default()
        };
        let counted = |at| {
            let lens = world.resolve(Lens { knower: Some(id(9)), at }).expect("resolved").0;
            lens.conversations.len()
        };
        assert_eq!(counted(Some(StoryPoint::Chapter(id(1)))), 2);
        assert_eq!(counted(Some(StoryPoint::Chapter(id(2)))), 3);
        assert_eq!(counted(None), 4);
        assert_eq!(counted(Some(StoryPoint::Moment(day(4)))), 0);
    }

    #[test]
    fn a_conversation_at_a_chapter_counts_at_a_date_by_which_all_that_was_read_had_happened() {
        let held = |chapters: Vec<ChapterPlace>| {
            let lens = Lens { knower: Some(id(9)), at: Some(StoryPoint::Chapter(id(2))) };
            let world = World {
                chapters,
                conversations: vec![(ConversationId::from_uuid(Uuid::from_u128(1)), lens)],
                kind_of_knower: Some("character".to_owned()),
                ..World::default()
            };
            let at = Some(StoryPoint::Moment(day(30)));
            !world.resolve(Lens { knower: Some(id(9)), at }).expect("resolved").0.conversations.is_empty()
        };
        let second = chapter(2, 2, Some((20, 22)));
        assert!(held(vec![chapter(1, 1, Some((10, 12))), second, chapter(3, 3, Some((40, 41)))]));
        assert!(!held(vec![chapter(1, 1, None), second]), "what was learned there is known at no date");
        assert!(!held(vec![chapter(1, 1, Some((40, 41))), second]), "it tells of what comes later");
    }

    /// What each subject knows, day by day: each learns a secret on its own day, and a member knows what its group knows while
    /// it is a member.
    fn lived(
        memberships: &[Membership],
        knower: MemoryId,
        secret_of: MemoryId,
        learned: i64,
        last: i64,
    ) -> bool {
        let mut known: Vec<MemoryId> = Vec::new();
        for now in 0..=last {
            if now >= learned && !known.contains(&secret_of) {
                known.push(secret_of);
            }
            loop {
                let new = memberships.iter().find(|it| {
                    it.span.contains(day(now)) && known.contains(&it.group) && !known.contains(&it.member)
                });
                let Some(new) = new else { break };
                known.push(new.member);
            }
        }
        known.contains(&knower)
    }

    proptest! {
        /// A knower has exactly what would have come to it if the days were lived one by one, also through groups that are
        /// members of each other.
        #[test]
        fn knowledge_passes_as_it_would_day_by_day(
            edges in prop::collection::vec((0u128..4, 0u128..4, 0i64..8, 0i64..8), 0..8),
            learned in 0i64..8, now in 0i64..8, secret_of in 0u128..4,
        ) {
            let memberships: Vec<Membership> = edges
                .iter()
                .filter(|(member, group, ..)| member != group)
                .map(|(member, group, from, length)| Membership {
                    member: id(*member),
                    group: id(*group),
                    span: span(Some(*from), Some(from + length)),
                })
                .collect();
            let world = World { memberships: memberships.clone(), ..World::default() };
            let sources = world.sources_of(id(0), Some(at_day(now)));
            let knows = sources.iter().any(|source| {
                source.subject == id(secret_of) && source.until.is_some_and(|until| day(learned) <= until)
            });
            prop_assert_eq!(knows, lived(&memberships, id(0), id(secret_of), learned, now));
        }

        /// A conversation counts only if everything that its own lens shows is shown: entries, chapters, and what is learned
        /// at a time or in a chapter, by the knower or a group. One that was held on a day is a part of the story itself, and counts
        /// at each chapter behind that day.
        #[test]
        fn a_conversation_that_counts_shows_nothing_that_the_lens_withholds(
            times in prop::collection::vec((1u32..5, prop::option::of(0i64..6)), 1..6),
            memberships in prop::collection::vec((0u128..3, 0u128..3, prop::option::of(0i64..6)), 0..4),
            points in prop::collection::vec((any::<bool>(), 0usize..6), 2),
        ) {
            let chapters: Vec<ChapterPlace> = (100u128..)
                .zip(&times)
                .map(|(n, (reading, day))| chapter(n, *reading, day.map(|day| (day, day))))
                .collect();
            let place = Place::Workspace;
            let point = |(at_chapter, n): (bool, usize)| match chapters.get(n) {
                Some(chapter) if at_chapter => StoryPoint::Chapter(chapter.id),
                _ => StoryPoint::Moment(day(n as i64)),
            };
            let lens = |point| Lens { knower: Some(id(0)), at: Some(point) };
            let (held, asked) = (lens(point(points[0])), lens(point(points[1])));
            let is_at_day = |lens: Lens| matches!(lens.at, Some(StoryPoint::Moment(_)));
            prop_assume!(!is_at_day(held) || is_at_day(asked));
            let membership = |(member, group, from): &(u128, u128, Option<i64>)| Membership {
                member: id(*member),
                group: id(*group),
                span: from.map_or(Span::ALWAYS, |from| span(Some(from), None)),
            };
            let world = World {
                memberships: memberships.iter().map(membership).collect(),
                chapters: chapters.clone(),
                conversations: vec![(ConversationId::from_uuid(Uuid::from_u128(1)), held)],
                kind_of_knower: Some("character".to_owned()),
            };
            let (held, asked) =
                (world.resolve(held).expect("resolved").0, world.resolve(asked).expect("resolved").0);
            prop_assume!(!asked.conversations.is_empty());
            let stamp = Stamp {
                change: ChangeId::from_uuid(Uuid::nil()),
                actor: Actor::of_interface(Interface::Window),
                at: DateTime::UNIX_EPOCH,
            };
            let blank = MemoryEntry::blank(id(1_000), place, stamp);
            let days = (0..7).map(day).map(StoryPoint::Moment);
            let since: Vec<_> = days.chain(chapters.iter().map(|place| StoryPoint::Chapter(place.id))).collect();
            let learned = (0..3).flat_map(|knower| since.iter().map(move |since| (knower, *since)));
            let entries = learned
                .map(|(knower, since)| MemoryEntry {
                    links: vec![Link::known_by(id(knower), Some(since))],
                    ..blank.clone()
                })
                .chain((0..7).map(|n| MemoryEntry { span: Span::at(day(n)), ..blank.clone() }))
                .chain(chapters.iter().map(|place| MemoryEntry {
                    reading_number: NonZeroU32::new(place.chapter.reading_number()),
                    span: place.chapter.span().unwrap_or_default(),
                    ..blank.clone()
                }));
            for entry in entries.filter(|entry| held.withholds(entry).is_none()) {
                prop_assert_eq!(asked.withholds(&entry), None, "{:?}", entry.links);
            }
        }
    }
}
