//! A time in the story as people tell it: a date, or a chapter.

use super::moment::Moment;
use crate::ids::MemoryId;

/// A moment, or a chapter by its entry. A chapter keeps its meaning when the order of reading changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum StoryPoint {
    /// A moment of story time.
    Moment(Moment),
    /// A chapter, or a session of a game.
    Chapter(MemoryId),
}
