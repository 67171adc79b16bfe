//! The lens: whose knowledge a read shows, and what of the story has happened by then. It is part of the scope filter, so
//! that no read passes it by.

mod resolve;

use std::collections::{BTreeMap, BTreeSet};

use crate::{
    calendar::{moment::Moment, story_point::StoryPoint},
    ids::{ConversationId, MemoryId},
    scope::words,
    text::fold,
};

pub use self::resolve::{ChapterPlace, Membership, World};

/// The kind of subject of those who the story is told to: the Reader, the Player of a game. They learn by the order of
/// reading and not by story time.
pub const AUDIENCE: &str = "audience";
/// The relation that passes the knowledge of a group to its members.
pub const MEMBER_OF: &str = "member of";

/// True if a relation passes the knowledge of a group to its members.
pub fn is_member_of(relation: &str) -> bool {
    fold(relation) == MEMBER_OF
}

/// A lens as it is chosen and stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub struct Lens {
    /// The subject whose knowledge is shown; `None`: whatever anybody knows.
    pub knower: Option<MemoryId>,
    /// Up to when the story has happened; `None`: all of it.
    pub at: Option<StoryPoint>,
}

impl Lens {
    /// No lens: the worldbuilder sees everything.
    pub const NONE: Self = Self { knower: None, at: None };

    /// True if it withholds nothing.
    pub fn is_none(&self) -> bool {
        *self == Self::NONE
    }

    /// Who knows of what is written under it: the knower, from then on. What is written at the end of the story is known then
    /// and not before.
    pub fn known_by(&self) -> Vec<(MemoryId, Option<StoryPoint>)> {
        let at = self.at.unwrap_or(StoryPoint::Moment(Moment::MAX));
        self.knower.map(|knower| (knower, Some(at))).into_iter().collect()
    }
}

/// Why an entry is withheld.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Withheld {
    /// It is later in the story.
    NotThen,
    /// The knower does not know it.
    Unknown,
}

words!(Withheld, "reason", { NotThen => "not_then", Unknown => "unknown" });

/// Up to when the story has happened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LensTime {
    /// The last part of a day that has happened; `None` if a chapter was named that has no time. Then nothing that has a
    /// time is shown.
    pub moment: Option<Moment>,
    /// The reading number of the chapter, if one was named.
    pub reading: Option<u32>,
}

impl LensTime {
    /// True if an entry with this reading number and start has happened, or begun, by then. A chapter is told by its place in
    /// the order of reading.
    pub fn has_come(self, reading_number: Option<u32>, from: Option<Moment>) -> bool {
        match (reading_number, self.reading) {
            (Some(number), Some(reading)) => number <= reading,
            _ => from.is_none_or(|from| self.moment.is_some_and(|moment| from <= moment)),
        }
    }
}

/// A subject whose knowledge the knower has: itself, or a group.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KnowledgeSource {
    pub subject: MemoryId,
    /// What it learned up to here has come to the knower; `None`: only what it always knew.
    pub until: Option<Moment>,
}

/// What a knower knows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Knowledge {
    pub knower: MemoryId,
    /// Whose knowledge it has, the knower's own included.
    pub sources: Vec<KnowledgeSource>,
    /// The chapters that the knower has reached, with the first moment of each that has a time.
    pub chapters: BTreeMap<MemoryId, Option<Moment>>,
    /// True if chapters count by the order of reading alone.
    pub by_reading: bool,
}

impl Knowledge {
    /// True if a source passes on what it learned in any chapter that is reached: the knower itself, or one whose membership
    /// has no end.
    pub fn takes_every_chapter(&self, source: &KnowledgeSource) -> bool {
        source.subject == self.knower || source.until == Some(Moment::MAX)
    }
}

/// A lens with all that is needed to decide about an entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ResolvedLens {
    /// As it was chosen.
    pub lens: Lens,
    /// Up to when the story has happened; `None`: all of it.
    pub time: Option<LensTime>,
    /// What the knower knows; `None`: whatever anybody knows.
    pub knowledge: Option<Knowledge>,
    /// Conversations that were held under a lens that shows no more.
    pub conversations: Vec<ConversationId>,
    /// Subjects that it withholds, also those that are none any more. What is linked to one of them and has no knowers of its own
    /// is withheld too.
    pub withheld: BTreeSet<MemoryId>,
}

/// A lens of which it is not known yet which subjects it withholds. It decides about what others are linked to, and about nothing
/// else.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LensOnSubjects(ResolvedLens);

impl LensOnSubjects {
    /// The lens for a look at subjects.
    pub const fn on_subjects(&self) -> &ResolvedLens {
        &self.0
    }

    /// The lens for every read.
    pub fn withholding(self, subjects: BTreeSet<MemoryId>) -> ResolvedLens {
        ResolvedLens { withheld: subjects, ..self.0 }
    }
}
