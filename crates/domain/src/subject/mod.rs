//! Subjects of the world and the relations between them. A named entry of the workspace with a kind is a subject; an entry
//! with a relation connects two of them.

pub mod disclosure;
mod lens_rule;
pub mod names;
pub mod story_time;
pub mod structure;

use crate::{
    calendar::span::Span,
    calendar::story_point::StoryPoint,
    ids::MemoryId,
    lens::AUDIENCE,
    memory::{
        InvalidMemory, MemoryDraft, MemoryEntry, Stamp,
        link::{self, Link, LinkRole},
    },
    scope::Place,
    text::{self, TextError},
};

/// The kinds that are offered. Any other short word is a kind too.
pub const KINDS: [&str; 10] =
    ["character", "place", "faction", "item", "event", "chapter", "culture", "rule", "concept", AUDIENCE];

/// Maximum length of a kind and of a relation, in characters.
pub const MAX_WORD_CHARS: usize = 60;

/// Checks a kind of subject: a label of at most [`MAX_WORD_CHARS`] characters, in lower case.
///
/// # Errors
/// [`TextError`] with the broken rule.
pub fn kind(given: &str) -> Result<String, TextError> {
    short("subject", &given.to_lowercase())
}

/// Checks a relation, such as "sister of": a label of at most [`MAX_WORD_CHARS`] characters.
///
/// # Errors
/// [`TextError`] with the broken rule.
pub fn relation(given: &str) -> Result<String, TextError> {
    short("relation", given)
}

fn short(field: &'static str, given: &str) -> Result<String, TextError> {
    let word = text::label(field, given)?;
    let actual = word.chars().count();
    if actual > MAX_WORD_CHARS {
        return Err(TextError::TooLong { field, actual, limit: MAX_WORD_CHARS, unit: "characters" });
    }
    Ok(word)
}

/// The links of a new entry, and when it holds in the story.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct NewLinks {
    /// What it states of two subjects, from the one to the other.
    pub relation: Option<(String, MemoryId, MemoryId)>,
    /// Subjects that it is about.
    pub about: Vec<MemoryId>,
    /// Subjects that know of it, each since a time or always. Empty: everybody does.
    pub known_by: Vec<(MemoryId, Option<StoryPoint>)>,
    /// When it holds.
    pub span: Span,
}

/// The sentence of a relation, which is its text unless somebody writes another.
pub fn sentence(from: &str, relation: &str, to: &str) -> String {
    format!("{from} {relation} {to}.")
}

impl MemoryEntry {
    /// True if the entry connects two subjects.
    pub const fn is_relation(&self) -> bool {
        self.relation.is_some()
    }

    /// The targets of its links with a role.
    pub fn linked(&self, role: LinkRole) -> impl Iterator<Item = MemoryId> {
        self.links.iter().filter(move |link| link.role == role).map(|link| link.target)
    }

    /// The two subjects that a relation connects, from the one to the other.
    pub fn ends(&self) -> Option<(MemoryId, MemoryId)> {
        self.relation.as_ref()?;
        self.linked(LinkRole::From).next().zip(self.linked(LinkRole::To).next())
    }

    /// Creates a subject: a named entry of the workspace with a kind. Its text may be empty.
    ///
    /// # Errors
    /// As [`Self::named`]; [`InvalidMemory`] for an invalid kind.
    pub fn subject(
        id: MemoryId,
        name: &str,
        given: &str,
        content: &str,
        stamp: Stamp,
    ) -> Result<Self, InvalidMemory> {
        let subject = Some(kind(given)?);
        Ok(Self { subject, ..Self::named(id, Place::Workspace, name, content, stamp)? })
    }

    /// Makes a named entry a subject of this kind, or no subject any more.
    ///
    /// # Errors
    /// [`InvalidMemory`]: locked, forgotten, not a named note of the workspace, an invalid kind, or the current one.
    pub fn with_subject(&self, given: Option<&str>, stamp: Stamp) -> Result<Self, InvalidMemory> {
        let (mut next, _) = self.next_named(stamp)?;
        if given.is_none() && (self.calendar.is_some() || self.reading_number.is_some()) {
            return Err(InvalidMemory::StaysSubject);
        }
        next.subject = given.map(kind).transpose()?;
        let next = next.with_checked_structure()?;
        if next.subject == self.subject { Err(InvalidMemory::NoChange) } else { Ok(next) }
    }

    /// Creates an entry with links.
    ///
    /// # Errors
    /// [`InvalidMemory`] for an invalid field, a relation with two equal ends, too many links, or links in the account.
    pub fn create_linked(
        id: MemoryId,
        draft: MemoryDraft,
        new: &NewLinks,
        stamp: Stamp,
    ) -> Result<Self, InvalidMemory> {
        let about = new.about.iter().map(|target| Link::new(LinkRole::About, *target));
        let known_by = new.known_by.iter().map(|(target, since)| Link::known_by(*target, *since));
        let mut links: Vec<Link> = about.chain(known_by).collect();
        if let Some((_, from, to)) = &new.relation {
            links.push(Link::new(LinkRole::From, *from));
            links.push(Link::new(LinkRole::To, *to));
        }
        Self {
            relation: new.relation.as_ref().map(|(given, ..)| relation(given)).transpose()?,
            links: link::sorted(links)?,
            span: new.span,
            ..Self::create(id, draft, stamp)?
        }
        .with_checked_structure()
    }

    /// Sets the subjects that the text is about.
    ///
    /// # Errors
    /// [`InvalidMemory`]: locked, forgotten, an entry of the account or an archive, too many, itself, or the current ones.
    pub fn with_about(&self, subjects: &[MemoryId], stamp: Stamp) -> Result<Self, InvalidMemory> {
        let about = subjects.iter().map(|target| Link::new(LinkRole::About, *target));
        self.with_links(LinkRole::About, about, stamp)
    }

    /// Sets who knows of the entry, each since a time or always. Nobody named: everybody does.
    pub fn with_known_by(
        &self,
        knowers: &[(MemoryId, Option<StoryPoint>)],
        stamp: Stamp,
    ) -> Result<Self, InvalidMemory> {
        let known_by = knowers.iter().map(|(target, since)| Link::known_by(*target, *since));
        self.with_links(LinkRole::KnownBy, known_by, stamp)
    }

    /// Replaces the links of a role.
    fn with_links(
        &self,
        role: LinkRole,
        links: impl Iterator<Item = Link>,
        stamp: Stamp,
    ) -> Result<Self, InvalidMemory> {
        let mut next = self.next(stamp)?;
        if self.forgotten.is_some() {
            return Err(InvalidMemory::Forgotten);
        }
        let others = self.links.iter().copied().filter(|link| link.role != role);
        next.links = link::sorted(others.chain(links).collect())?;
        let next = next.with_checked_structure()?;
        if next.links == self.links { Err(InvalidMemory::NoChange) } else { Ok(next) }
    }
}

#[cfg(test)]
mod tests {
    use chrono::{TimeZone, Utc};
    use proptest::prelude::*;
    use uuid::Uuid;

    use super::*;
    use crate::{
        ids::{ChangeId, ChannelId},
        provenance::{Actor, ActorKind, Interface},
        scope::MemoryLifetime,
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

    fn named(place: Place) -> MemoryEntry {
        MemoryEntry::named(id(1), place, "Mira", "", stamp(ActorKind::Author)).expect("a valid name")
    }

    fn draft(place: Place) -> MemoryDraft {
        MemoryDraft {
            place,
            lifetime: MemoryLifetime::LongTerm,
            source: "user".into(),
            title: None,
            keys: Vec::new(),
            content: "Mira is the sister of Toma.".into(),
            importance: 0.5,
            tags: Vec::new(),
            origin: None,
            derivations: Vec::new(),
        }
    }

    fn related(
        place: Place,
        word: &str,
        (from, to): (MemoryId, MemoryId),
        stamp: Stamp,
    ) -> Result<MemoryEntry, InvalidMemory> {
        let links = NewLinks { relation: Some((word.to_owned(), from, to)), ..NewLinks::default() };
        MemoryEntry::create_linked(id(3), draft(place), &links, stamp)
    }

    fn note(actor_kind: ActorKind) -> MemoryEntry {
        MemoryEntry::create(id(2), draft(Place::Workspace), stamp(actor_kind)).expect("a valid note")
    }

    #[test]
    fn only_the_worldbuilder_makes_a_subject_and_only_of_a_named_entry_of_the_workspace() {
        let author = stamp(ActorKind::Author);
        let made = named(Place::Workspace).with_subject(Some(" Character "), author).expect("a subject");
        assert_eq!(made.subject.as_deref(), Some("character"));
        assert_eq!(made.with_subject(Some("character"), author), Err(InvalidMemory::NoChange));
        assert_eq!(made.with_subject(None, author).expect("no subject").subject, None);
        assert_eq!(named(Place::Account).with_subject(Some("place"), author), Err(InvalidMemory::NoSubject));
        assert_eq!(note(ActorKind::Author).with_subject(Some("place"), author), Err(InvalidMemory::NotNamed));
        for actor_kind in [ActorKind::Agent, ActorKind::System] {
            let refused = named(Place::Workspace).with_subject(Some("place"), stamp(actor_kind));
            assert_eq!(refused, Err(InvalidMemory::Locked));
        }
    }

    #[test]
    fn a_relation_connects_two_different_subjects_of_the_workspace() {
        let agent = stamp(ActorKind::Agent);
        let channel = Place::Channel(ChannelId::from_uuid(Uuid::from_u128(7)));
        for place in [Place::Workspace, channel] {
            let made = related(place, "sister  of", (id(1), id(4)), agent).expect("a relation");
            assert_eq!((made.relation.as_deref(), made.ends()), (Some("sister of"), Some((id(1), id(4)))));
        }
        let with = |place, ends| related(place, "knows", ends, agent);
        assert_eq!(with(Place::Workspace, (id(1), id(1))), Err(InvalidMemory::LinkedToItself));
        assert_eq!(with(Place::Account, (id(1), id(4))), Err(InvalidMemory::NoSubject));
        let empty = related(channel, " ", (id(1), id(4)), agent);
        assert!(matches!(empty, Err(InvalidMemory::Text(TextError::Empty { field: "relation" }))));
    }

    #[test]
    fn an_agent_links_its_own_entries_only() {
        let agent = stamp(ActorKind::Agent);
        assert!(note(ActorKind::Agent).with_about(&[id(1)], agent).is_ok());
        assert_eq!(note(ActorKind::Author).with_about(&[id(1)], agent), Err(InvalidMemory::Locked));
        assert_eq!(note(ActorKind::Agent).with_about(&[id(2)], agent), Err(InvalidMemory::LinkedToItself));
    }

    proptest! {
        /// Whatever is set, links are sorted, each once, and the ends of a relation stay.
        #[test]
        fn links_stay_sorted_and_a_relation_keeps_its_ends(sets in prop::collection::vec(
            prop::collection::vec(10_u128..20, 0..12), 1..6))
        {
            let author = stamp(ActorKind::Author);
            let mut entry = related(Place::Workspace, "knows", (id(1), id(4)), author).expect("made");
            for set in sets {
                let set: Vec<MemoryId> = set.into_iter().map(id).collect();
                let Ok(next) = entry.with_about(&set, author) else { continue };
                prop_assert!(next.links.windows(2).all(|pair| pair[0] < pair[1]));
                prop_assert_eq!(next.ends(), Some((id(1), id(4))));
                prop_assert!(set.iter().all(|target| next.linked(LinkRole::About).any(|held| held == *target)));
                entry = next;
            }
        }
    }
}
