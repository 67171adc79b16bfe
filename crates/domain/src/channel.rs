//! Channels group the conversations of a workspace by topic.

use chrono::{DateTime, Utc};

use crate::{
    ids::{ChannelId, WorkspaceId},
    text::{self, TextError},
};

/// The name of the channel that every workspace has and that cannot be deleted.
pub const DEFAULT_CHANNEL: &str = "general";

/// A topic inside a workspace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Channel {
    pub id: ChannelId,
    /// The workspace that contains the channel.
    pub workspace_id: WorkspaceId,
    /// Name without the leading `#`, unique in the workspace regardless of case.
    pub name: ChannelName,
    /// True for the default channel, `#general`.
    pub description: String,
    /// True for `#general`.
    pub is_default: bool,
    pub created_at: DateTime<Utc>,
    /// The time the channel was archived; `None` while it is in use. `#general` is never archived.
    pub archived_at: Option<DateTime<Utc>>,
}

/// The reason a change to a channel was refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ChannelError {
    /// `#general` cannot be renamed, archived or deleted.
    #[error("#general is fixed: it cannot be renamed, archived or deleted")]
    Fixed,
    #[error("this channel is archived already")]
    AlreadyArchived,
    #[error("this channel is not archived")]
    NotArchived,
    /// The channel still has contents.
    #[error("this channel still holds conversations or memories: choose a channel that takes them over")]
    NotEmpty,
    /// The target is the channel itself or an archived channel.
    #[error("choose another channel, one that is in use")]
    BadMoveTarget,
}

/// The maximum length of a description, in characters.
pub const MAX_DESCRIPTION_CHARS: usize = 2_000;

impl Channel {
    /// Returns the channel with another name.
    ///
    /// # Errors
    /// [`ChannelError::Fixed`] for `#general`.
    pub fn renamed(&self, name: ChannelName) -> Result<Self, ChannelError> {
        self.not_fixed()?;
        Ok(Self { name, ..self.clone() })
    }

    /// Returns the channel as archived.
    ///
    /// # Errors
    /// [`ChannelError`] if it is `#general` or already archived.
    pub fn archived(&self, now: DateTime<Utc>) -> Result<Self, ChannelError> {
        self.not_fixed()?;
        match self.archived_at {
            Some(_) => Err(ChannelError::AlreadyArchived),
            None => Ok(Self { archived_at: Some(now), ..self.clone() }),
        }
    }

    /// Returns the channel as not archived.
    ///
    /// # Errors
    /// [`ChannelError::NotArchived`].
    pub fn restored(&self) -> Result<Self, ChannelError> {
        match self.archived_at {
            Some(_) => Ok(Self { archived_at: None, ..self.clone() }),
            None => Err(ChannelError::NotArchived),
        }
    }

    /// Checks that the channel is not the default channel.
    ///
    /// # Errors
    /// [`ChannelError::Fixed`] for `#general`.
    pub const fn not_fixed(&self) -> Result<(), ChannelError> {
        if self.is_default { Err(ChannelError::Fixed) } else { Ok(()) }
    }

    /// Checks a description. It may be empty; surrounding white space is removed.
    ///
    /// # Errors
    /// [`TextError`] if it is too long or holds control characters.
    pub fn description(text: &str) -> Result<String, TextError> {
        let field = "description";
        let actual = text.chars().count();
        if actual > MAX_DESCRIPTION_CHARS {
            let (limit, unit) = (MAX_DESCRIPTION_CHARS, "characters");
            return Err(TextError::TooLong { field, actual, limit, unit });
        }
        match text::content(text) {
            Ok(text) => Ok(text),
            Err(TextError::Empty { .. }) => Ok(String::new()),
            Err(TextError::Control { code, position, .. }) => {
                Err(TextError::Control { field, code, position })
            }
            Err(other) => Err(other),
        }
    }
}

/// A channel's name: one line, without a leading `#`.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct ChannelName(String);

impl ChannelName {
    /// Checks a name and removes a leading `#`.
    ///
    /// # Errors
    /// [`TextError`] if it is empty, too long, or holds control or direction characters.
    pub fn new(name: &str) -> Result<Self, TextError> {
        text::label("channel name", name.trim().trim_start_matches('#')).map(Self)
    }

    /// The name of the default channel.
    pub fn general() -> Self {
        Self(DEFAULT_CHANNEL.to_owned())
    }

    /// The name as typed.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The case-folded form used for comparison.
    pub fn folded(&self) -> String {
        text::fold(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_leading_hash_is_not_part_of_a_channel_name() {
        assert_eq!(
            ChannelName::new("#Plot threads").map(|n| n.as_str().to_owned()),
            Ok("Plot threads".into())
        );
        assert!(ChannelName::new("#").is_err());
    }
}
