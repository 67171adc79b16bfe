//! The rule of the lens for one entry. The store applies the same rule inside its searches and lists; a test compares both.

use std::num::NonZeroU32;

use crate::{
    calendar::{span::Span, story_point::StoryPoint},
    fact::{Fact, FactSource},
    ids::ConversationId,
    lens::{Knowledge, LensTime, ResolvedLens, Withheld},
    memory::{
        MemoryEntry, MemoryKind,
        filter::ScopeFilter,
        link::{Link, LinkRole},
    },
    named_entry,
    provenance::Curator,
    scope::{MemoryScope, Place},
};

impl Knowledge {
    /// True if one who learned something at a time, or always knew it, has passed it to the knower.
    fn has(&self, link: &Link) -> bool {
        let source = self.sources.iter().find(|source| source.subject == link.target);
        source.is_some_and(|source| match link.since {
            None => true,
            Some(StoryPoint::Moment(since)) => source.until.is_some_and(|until| since <= until),
            Some(StoryPoint::Chapter(chapter)) => self.chapters.get(&chapter).is_some_and(|first| {
                self.takes_every_chapter(source)
                    || first.zip(source.until).is_some_and(|(first, until)| first <= until)
            }),
        })
    }

    fn holds(&self, entry: &MemoryEntry) -> bool {
        if entry.scope() == MemoryScope::Account {
            return is_standing(entry);
        }
        // A subject knows of itself, and a group is known to those who have its knowledge.
        if entry.subject.is_some() && self.sources.iter().any(|source| source.subject == entry.id) {
            return true;
        }
        let mut known_by = entry.links.iter().filter(|link| link.role == LinkRole::KnownBy).peekable();
        if known_by.peek().is_some() {
            return known_by.any(|link| self.has(link));
        }
        if entry.kind != MemoryKind::Note {
            return true;
        }
        if entry.name.is_some() && entry.subject.is_none() {
            return is_standing(entry);
        }
        // What an agent wrote without saying who knows it was said to somebody who sees everything.
        entry.curator != Curator::Agent
    }
}

/// VOICE and SOUL are for every voice.
fn is_standing(entry: &MemoryEntry) -> bool {
    named_entry::names_of(entry).any(|name| named_entry::standing(entry.scope(), name).is_some())
}

impl ResolvedLens {
    /// True if what was said in a conversation counts.
    pub fn holds_conversation(&self, id: ConversationId) -> bool {
        self.conversations.contains(&id)
    }

    /// Why an entry is withheld; `None` if it is shown.
    pub fn withholds(&self, entry: &MemoryEntry) -> Option<Withheld> {
        let reason = if self.knowledge.is_some() { Withheld::Unknown } else { Withheld::NotThen };
        let reading_number = entry.reading_number.map(NonZeroU32::get);
        if self.time.is_some_and(|time| !time.has_come(reading_number, entry.span.from())) {
            return Some(Withheld::NotThen);
        }
        let is_elsewhere = match entry.place {
            Place::Conversation(_, id) => !self.holds_conversation(id),
            Place::Account | Place::Workspace | Place::Channel(_) => false,
        };
        if is_elsewhere || self.is_of_another_conversation(entry) || self.is_linked_to_withheld(entry) {
            return Some(reason);
        }
        self.knowledge.as_ref().filter(|known| !known.holds(entry)).map(|_| Withheld::Unknown)
    }

    /// Why a fact is withheld; `None` if it is shown.
    pub fn withholds_fact(&self, fact: &Fact) -> Option<Withheld> {
        // A key has one value at a time: the one of then. If that time is not known, only what always holds is shown.
        let holds = |time: LensTime| match time.moment {
            Some(moment) => fact.span.overlaps(Span::at(moment)),
            None => fact.span == Span::ALWAYS,
        };
        if !self.time.is_none_or(holds) {
            return Some(Withheld::NotThen);
        }
        let knows = |knowledge: &Knowledge| match fact.known_by.as_slice() {
            // What an agent said without saying who knows it was said to somebody who sees everything.
            [] => fact.source != FactSource::Agent,
            known_by => known_by.iter().any(|link| knowledge.has(link)),
        };
        (!self.knowledge.as_ref().is_none_or(knows)).then_some(Withheld::Unknown)
    }

    /// True if it shows what agents claim against the facts that it shows. Nobody in the story knows of a claim.
    pub const fn shows_claims(&self) -> bool {
        self.knowledge.is_none()
    }

    /// True for what is linked to a subject that is withheld, unless somebody in particular is said to know of it: its text
    /// tells of the subject.
    fn is_linked_to_withheld(&self, entry: &MemoryEntry) -> bool {
        let has_knower = entry.links.iter().any(|link| link.role == LinkRole::KnownBy);
        !has_knower && entry.links.iter().any(|link| self.withheld.contains(&link.target))
    }

    /// True for an archive of a conversation that does not count, and for an imported part of one that nobody in
    /// particular is said to know.
    fn is_of_another_conversation(&self, entry: &MemoryEntry) -> bool {
        if entry.kind == MemoryKind::Note {
            let has_knower = entry.links.iter().any(|link| link.role == LinkRole::KnownBy);
            return entry.origin.as_ref().is_some_and(|origin| origin.session.is_some()) && !has_knower;
        }
        let conversation = entry.origin.as_ref().and_then(|origin| origin.conversation);
        !conversation.is_some_and(|id| self.holds_conversation(id))
    }
}

impl ScopeFilter {
    /// True if the filter shows an entry: its place and its lens do.
    pub fn admits(&self, entry: &MemoryEntry) -> bool {
        self.holds(entry.place) && self.withholds(entry).is_none()
    }

    /// Why the lens withholds an entry; `None` if it shows it, or there is no lens.
    pub fn withholds(&self, entry: &MemoryEntry) -> Option<Withheld> {
        self.lens.as_ref().and_then(|lens| lens.withholds(entry))
    }
}

#[cfg(test)]
mod tests {
    use chrono::DateTime;
    use uuid::Uuid;

    use super::*;
    use crate::{
        calendar::moment::Moment,
        fact::FactKey,
        ids::{FactId, MemoryId},
        lens::{Lens, World},
    };

    fn id(n: u128) -> MemoryId {
        MemoryId::from_uuid(Uuid::from_u128(n))
    }

    fn day(n: i64) -> Moment {
        Moment::on_day(n).expect("in range")
    }

    fn fact(source: FactSource, span: Span, known_by: Vec<Link>) -> Fact {
        Fact {
            id: FactId::from_uuid(Uuid::from_u128(1)),
            key: FactKey::new("Ambry", "ruler").expect("valid"),
            value: "Bera".to_owned(),
            span,
            known_by,
            source,
            conversation: None,
            created_at: DateTime::UNIX_EPOCH,
            updated_at: DateTime::UNIX_EPOCH,
            version: 1,
            removed_at: None,
        }
    }

    fn withheld(knower: Option<u128>, at: Option<i64>, fact: &Fact) -> Option<Withheld> {
        let world = World { kind_of_knower: Some("character".to_owned()), ..World::default() };
        let lens = Lens { knower: knower.map(id), at: at.map(|n| StoryPoint::Moment(day(n))) };
        world.resolve(lens).expect("resolved").on_subjects().withholds_fact(fact)
    }

    #[test]
    fn a_fact_is_shown_to_those_who_know_of_it_and_one_of_an_agent_to_nobody_else() {
        use FactSource::{Agent, User};
        let since = Some(StoryPoint::Moment(day(5)));
        for source in [User, Agent] {
            let secret =
                fact(source, Span::ALWAYS, vec![Link::known_by(id(7), since), Link::known_by(id(8), None)]);
            assert_eq!(withheld(Some(7), None, &secret), None);
            assert_eq!(withheld(Some(7), Some(5), &secret), None);
            assert_eq!(withheld(Some(7), Some(4), &secret), Some(Withheld::Unknown));
            assert_eq!(withheld(Some(8), Some(4), &secret), None);
            assert_eq!(withheld(Some(9), None, &secret), Some(Withheld::Unknown));
            assert_eq!(withheld(None, Some(4), &secret), None, "anybody may know it");
        }
        assert_eq!(withheld(Some(9), None, &fact(User, Span::ALWAYS, Vec::new())), None);
        assert_eq!(withheld(Some(9), None, &fact(Agent, Span::ALWAYS, Vec::new())), Some(Withheld::Unknown));
        assert_eq!(withheld(None, Some(4), &fact(Agent, Span::ALWAYS, Vec::new())), None);
    }

    #[test]
    fn a_fact_that_somebody_knows_is_shown_only_at_its_time() {
        let span = Span::new(Some(day(3)), Some(day(6))).expect("in order");
        let secret = fact(FactSource::User, span, vec![Link::known_by(id(7), None)]);
        let at = |n| withheld(Some(7), Some(n), &secret);
        assert_eq!([at(2), at(3), at(6)], [Some(Withheld::NotThen), None, None]);
        assert_eq!(at(7), Some(Withheld::NotThen));
        assert_eq!(withheld(Some(9), Some(4), &secret), Some(Withheld::Unknown));
        assert_eq!(withheld(Some(7), None, &secret), None);
    }
}
