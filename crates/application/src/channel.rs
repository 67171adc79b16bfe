//! Use cases on channels: create, rename, describe, archive, restore, delete.

use inklings_domain::{
    channel::{Channel, ChannelError, ChannelName},
    ids::ChannelId,
};
use inklings_ports::{conversation::store::ChannelSummary, store_error::StoreError};

use crate::{error::AppError, services::Channels};

impl Channels<'_> {
    /// All channels with their entry counts.
    pub async fn list(&self) -> Result<Vec<ChannelSummary>, AppError> {
        Ok(self.session.workspace.conversations.channels().await?)
    }

    /// A channel with its entry counts.
    ///
    /// # Errors
    /// [`AppError::NotFound`] if there is none.
    pub async fn summary(&self, id: ChannelId) -> Result<ChannelSummary, AppError> {
        let found = self.session.workspace.conversations.channel_summary(id).await?;
        found.ok_or_else(|| AppError::NotFound { what: "channel", name: id.to_string() })
    }

    /// A channel by name.
    ///
    /// # Errors
    /// [`AppError::NotFound`] if there is none.
    pub async fn named(&self, name: &str) -> Result<Channel, AppError> {
        let name = ChannelName::new(name)?;
        let found = self.session.workspace.conversations.channel_named(&name).await?;
        found.ok_or_else(|| AppError::NotFound { what: "channel", name: name.as_str().to_owned() })
    }

    /// A channel by name, created if it does not exist. Returns whether it was created.
    ///
    /// # Errors
    /// [`AppError::Text`] if the name is invalid.
    pub async fn named_or_new(&self, name: &str, description: &str) -> Result<(Channel, bool), AppError> {
        let name = ChannelName::new(name)?;
        if let Some(found) = self.session.workspace.conversations.channel_named(&name).await? {
            return Ok((found, false));
        }
        let channel = Channel {
            id: self.session.ids.channel_id(),
            workspace_id: self.session.workspace.workspace.id,
            name,
            description: description.to_owned(),
            is_default: false,
            created_at: self.session.clock.now(),
            archived_at: None,
        };
        match self.session.workspace.conversations.add_channel(&channel).await {
            Ok(()) => Ok((channel, true)),
            // Another process created it in between.
            Err(StoreError::AlreadyExists(_)) => Ok((self.named(channel.name.as_str()).await?, false)),
            Err(error) => Err(error.into()),
        }
    }

    /// A channel by id.
    ///
    /// # Errors
    /// [`AppError::NotFound`] if there is none.
    pub async fn by_id(&self, id: ChannelId) -> Result<Channel, AppError> {
        let found = self.session.workspace.conversations.channel_by_id(id).await?;
        found.ok_or_else(|| AppError::NotFound { what: "channel", name: id.to_string() })
    }

    /// A channel that a conversation or a memory may come into. An import and a restore write what was in an archived channel
    /// before, and take it by [`Self::by_id`].
    ///
    /// # Errors
    /// [`AppError::NotFound`] if there is none; [`AppError::Input`] with field `channel` if it is archived.
    pub async fn in_use(&self, id: ChannelId) -> Result<Channel, AppError> {
        let channel = self.by_id(id).await?;
        if channel.archived_at.is_none() {
            return Ok(channel);
        }
        let message = "this channel is archived; restore it, or choose another one".to_owned();
        Err(AppError::Input { field: "channel", message })
    }

    /// Creates a channel.
    ///
    /// # Errors
    /// [`AppError::Text`] if name or description is invalid, [`StoreError::AlreadyExists`] if the name is
    /// taken.
    pub async fn create(&self, name: &str, description: &str) -> Result<Channel, AppError> {
        let channel = Channel {
            id: self.session.ids.channel_id(),
            workspace_id: self.session.workspace.workspace.id,
            name: ChannelName::new(name)?,
            description: Channel::description(description)?,
            is_default: false,
            created_at: self.session.clock.now(),
            archived_at: None,
        };
        self.session.workspace.conversations.add_channel(&channel).await?;
        Ok(channel)
    }

    /// Changes a channel's name, description, or both.
    ///
    /// # Errors
    /// [`AppError::Channel`] if `#general` would be renamed; [`StoreError::AlreadyExists`] if the name is taken.
    pub async fn update(
        &self,
        id: ChannelId,
        name: Option<&str>,
        description: Option<&str>,
    ) -> Result<Channel, AppError> {
        let mut channel = self.by_id(id).await?;
        if let Some(name) = name {
            let name = ChannelName::new(name)?;
            if name != channel.name {
                channel = channel.renamed(name)?;
            }
        }
        if let Some(description) = description {
            channel.description = Channel::description(description)?;
        }
        self.session.workspace.conversations.update_channel(&channel).await?;
        Ok(channel)
    }

    /// Archives a channel. Its contents stay and can still be found.
    ///
    /// # Errors
    /// [`AppError::Channel`] for `#general` or one that is archived already.
    pub async fn archive(&self, id: ChannelId) -> Result<Channel, AppError> {
        let channel = self.by_id(id).await?.archived(self.session.clock.now())?;
        self.session.workspace.conversations.update_channel(&channel).await?;
        Ok(channel)
    }

    /// Restores an archived channel.
    ///
    /// # Errors
    /// [`AppError::Channel`] if it is not archived.
    pub async fn restore(&self, id: ChannelId) -> Result<Channel, AppError> {
        let channel = self.by_id(id).await?.restored()?;
        self.session.workspace.conversations.update_channel(&channel).await?;
        Ok(channel)
    }

    /// Deletes a channel. Its contents move to `move_to`; without one the channel must be empty.
    ///
    /// # Errors
    /// [`AppError::Channel`] if it is `#general`, if it is not empty, or if `move_to` is the channel itself,
    /// archived or unknown.
    pub async fn delete(&self, id: ChannelId, move_to: Option<ChannelId>) -> Result<(), AppError> {
        let channel = self.by_id(id).await?;
        channel.not_fixed()?;
        if let Some(move_to) = move_to {
            let fit = move_to != id && self.by_id(move_to).await?.archived_at.is_none();
            if !fit {
                return Err(ChannelError::BadMoveTarget.into());
            }
        }
        match self.session.workspace.conversations.delete_channel(id, move_to).await {
            Err(StoreError::Refused(_)) if move_to.is_none() => Err(ChannelError::NotEmpty.into()),
            done => Ok(done?),
        }
    }
}
