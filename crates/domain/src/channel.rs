//! Channels: rooms inside a workspace that group conversations by topic.

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
