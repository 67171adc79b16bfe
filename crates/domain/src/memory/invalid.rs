//! Why an entry, or a change to it, is refused.

use crate::text::TextError;

/// The reason an entry or a change to it was refused. Never contains memory text.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum InvalidMemory {
    /// Not a finite number in [0, 1].
    #[error("importance must be a number from 0 to 1")]
    Importance,
    /// Content, tag, source or name breaks a text rule.
    #[error(transparent)]
    Text(#[from] TextError),
    /// The entry belongs to the author or is pinned, and an agent or task tried to change it.
    #[error("this entry belongs to the author or is pinned: an agent can propose a change, not make it")]
    Locked,
    /// Only the names of named entries can be changed.
    #[error("this entry has no name")]
    NotNamed,
    /// The content of an archive cannot be changed, because it is a record of a conversation.
    #[error("an archive entry is not rewritten")]
    ArchiveContent,
    /// A forgotten entry must be restored before it is changed.
    #[error("this entry is forgotten; restore it first")]
    Forgotten,
    /// Only named notes of the workspace are subjects, and only entries of the workspace are linked to them.
    #[error(
        "only named entries of the workspace can be subjects, and only its memories can be linked to them"
    )]
    NoSubject,
    /// A relation needs two different subjects, and a text is not about itself.
    #[error("a link leads to another entry, not to the same one")]
    LinkedToItself,
    /// Moments are of a workspace, and what a file of the account or an archive tells has none.
    #[error("only notes of a workspace have a time in the story")]
    NoStoryTime,
    /// Only subjects have a reading number.
    #[error("only a subject, such as a chapter, has a reading number, and it is at least 1")]
    NoChapter,
    /// A calendar and a chapter with a reading number are subjects.
    #[error("a calendar, or a chapter with a reading number, stays a subject")]
    StaysSubject,
    /// The entry is no calendar.
    #[error("this entry is no calendar")]
    NoCalendar,
    /// An agent rewrites what only itself knows, because others who know of it would learn what it knows.
    #[error("others know of this entry; only the worldbuilder changes it")]
    KnownByOthers,
    /// Only who knows of an entry learned of it at a time.
    #[error("only a knower has a time since when")]
    Since,
    /// A relation connects two entries and has no name.
    #[error("a relation has no name, and one end on each side")]
    Ends,
    /// The names of a tier are unique in it, and an archive belongs to its conversation.
    #[error("named entries and archives stay where they are")]
    StaysInTier,
    /// The account has no subjects and no story time, so what refers to them would be lost.
    #[error(
        "this entry is linked to subjects of its workspace, is known by some alone, or has a time in the story; \
         remove that before you move it out of the workspace"
    )]
    BoundToWorkspace,
    /// An earlier move to that world was taken back here, and the texts differ since. One of the two would be lost.
    #[error(
        "that world has this memory from an earlier move, and it says something else there; forget it there before you move \
         this one"
    )]
    DiffersThere,
    /// The patch changes nothing.
    #[error("nothing was changed")]
    NoChange,
}

impl InvalidMemory {
    /// The invalid field, if any.
    pub const fn field(&self) -> Option<&'static str> {
        match self {
            Self::Importance => Some("importance"),
            Self::Text(
                TextError::Empty { field }
                | TextError::TooLong { field, .. }
                | TextError::Control { field, .. }
                | TextError::Bidi { field, .. }
                | TextError::Hidden { field, .. },
            ) => Some(field),
            Self::Text(TextError::TooManyTags { .. }) => Some("tags"),
            Self::Text(TextError::TooManyKeys { .. }) => Some("keys"),
            Self::ArchiveContent => Some("content"),
            Self::NoSubject | Self::StaysSubject => Some("subject"),
            Self::Ends => Some("relation"),
            Self::Since | Self::KnownByOthers => Some("known_by"),
            Self::NoStoryTime => Some("span"),
            Self::NoChapter => Some("reading_number"),
            Self::NoCalendar => Some("calendar"),
            Self::LinkedToItself => Some("links"),
            Self::StaysInTier | Self::BoundToWorkspace | Self::DiffersThere => Some("place"),
            Self::Locked | Self::NotNamed | Self::Forgotten | Self::NoChange => None,
        }
    }
}
