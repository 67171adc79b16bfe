//! Channels: channels and conversations inside a workspace that group conversations by topic.

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
    /// Its id.
    pub id: ChannelId,
    /// The workspace it belongs to.
    pub workspace_id: WorkspaceId,
    /// Its name without the leading `#`, unique in the workspace regardless of case.
    pub name: ChannelName,
    /// What it is for; may be empty.
    pub description: String,
    /// True for `#general`.
    pub is_default: bool,
    /// When it was made.
    pub created_at: DateTime<Utc>,
    /// When it was put away; `#general` never is.
    pub archived_at: Option<DateTime<Utc>>,
}

/// Why a channel was not changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ChannelError {
    /// `#general` has its name and its place for good.
    #[error("#general is fixed: it cannot be renamed, archived or deleted")]
    Fixed,
    /// It is archived already.
    #[error("this channel is archived already")]
    AlreadyArchived,
    /// It is not archived.
    #[error("this channel is not archived")]
    NotArchived,
    /// Something still lives in it.
    #[error("this channel still holds conversations or memories: choose a channel that takes them over")]
    NotEmpty,
    /// It cannot hand its contents to itself or to an archived channel.
    #[error("choose another channel, one that is in use")]
    BadMoveTarget,
}

/// The most characters of a description.
pub const MAX_DESCRIPTION_CHARS: usize = 2_000;

impl Channel {
    /// The channel under another name.
    ///
    /// # Errors
    /// [`ChannelError::Fixed`] for `#general`.
    pub fn renamed(&self, name: ChannelName) -> Result<Self, ChannelError> {
        self.not_fixed()?;
        Ok(Self { name, ..self.clone() })
    }

    /// The channel put away.
    ///
    /// # Errors
    /// [`ChannelError`] if it is fixed or archived already.
    pub fn archived(&self, now: DateTime<Utc>) -> Result<Self, ChannelError> {
        self.not_fixed()?;
        match self.archived_at {
            Some(_) => Err(ChannelError::AlreadyArchived),
            None => Ok(Self { archived_at: Some(now), ..self.clone() }),
        }
    }

    /// The channel back in use.
    ///
    /// # Errors
    /// [`ChannelError::NotArchived`].
    pub fn restored(&self) -> Result<Self, ChannelError> {
        match self.archived_at {
            Some(_) => Ok(Self { archived_at: None, ..self.clone() }),
            None => Err(ChannelError::NotArchived),
        }
    }

    /// Whether it may be deleted at all.
    ///
    /// # Errors
    /// [`ChannelError::Fixed`] for `#general`.
    pub const fn not_fixed(&self) -> Result<(), ChannelError> {
        if self.is_default { Err(ChannelError::Fixed) } else { Ok(()) }
    }

    /// Checks a description; outer white space is dropped, and it may be empty.
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
    /// Checks a name; a leading `#` is dropped.
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

    /// The form in which names are compared.
    pub fn folded(&self) -> String {
        text::fold(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hash_is_how_it_is_shown_not_part_of_the_name() {
        assert_eq!(
            ChannelName::new("#Plot threads").map(|n| n.as_str().to_owned()),
            Ok("Plot threads".into())
        );
        assert!(ChannelName::new("#").is_err());
    }
}
