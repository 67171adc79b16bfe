//! Use cases on channels: create, rename, describe, archive, restore, delete.

use inklings_domain::{
    channel::{Channel, ChannelError, ChannelName},
    ids::ChannelId,
};

use crate::{error::AppError, session::Session, store_error::StoreError};

impl Session {
    /// A channel by id.
    ///
    /// # Errors
    /// [`AppError::NotFound`] if there is none.
    pub async fn channel_by_id(&self, id: ChannelId) -> Result<Channel, AppError> {
        let found = self.workspace.conversations.channel_by_id(id).await?;
        found.ok_or_else(|| AppError::NotFound { what: "channel", name: id.to_string() })
    }

    /// Creates a channel.
    ///
    /// # Errors
    /// [`AppError::Text`] if name or description is invalid, [`StoreError::AlreadyExists`] if the name is
    /// taken.
    pub async fn create_channel(&self, name: &str, description: &str) -> Result<Channel, AppError> {
        let channel = Channel {
            id: self.ids.channel_id(),
            workspace_id: self.workspace.workspace.id,
            name: ChannelName::new(name)?,
            description: Channel::description(description)?,
            is_default: false,
            created_at: self.clock.now(),
            archived_at: None,
        };
        self.workspace.conversations.add_channel(&channel).await?;
        Ok(channel)
    }

    /// Changes a channel's name, description, or both.
    ///
    /// # Errors
    /// [`AppError::Channel`] if `#general` would be renamed; [`StoreError::AlreadyExists`] if the name is taken.
    pub async fn update_channel(
        &self,
        id: ChannelId,
        name: Option<&str>,
        description: Option<&str>,
    ) -> Result<Channel, AppError> {
        let mut channel = self.channel_by_id(id).await?;
        if let Some(name) = name {
            let name = ChannelName::new(name)?;
            if name != channel.name {
                channel = channel.renamed(name)?;
            }
        }
        if let Some(description) = description {
            channel.description = Channel::description(description)?;
        }
        self.workspace.conversations.update_channel(&channel).await?;
        Ok(channel)
    }

    /// Archives a channel. Its contents stay and can still be found.
    ///
    /// # Errors
    /// [`AppError::Channel`] for `#general` or one that is archived already.
    pub async fn archive_channel(&self, id: ChannelId) -> Result<Channel, AppError> {
        let channel = self.channel_by_id(id).await?.archived(self.clock.now())?;
        self.workspace.conversations.update_channel(&channel).await?;
        Ok(channel)
    }

    /// Restores an archived channel.
    ///
    /// # Errors
    /// [`AppError::Channel`] if it is not archived.
    pub async fn restore_channel(&self, id: ChannelId) -> Result<Channel, AppError> {
        let channel = self.channel_by_id(id).await?.restored()?;
        self.workspace.conversations.update_channel(&channel).await?;
        Ok(channel)
    }

    /// Deletes a channel. Its contents move to `move_to`; without one the channel must be empty.
    ///
    /// # Errors
    /// [`AppError::Channel`] if it is `#general`, if it is not empty, or if `move_to` is the channel itself,
    /// archived or unknown.
    pub async fn delete_channel(&self, id: ChannelId, move_to: Option<ChannelId>) -> Result<(), AppError> {
        let channel = self.channel_by_id(id).await?;
        channel.not_fixed()?;
        if let Some(move_to) = move_to {
            let fit = move_to != id && self.channel_by_id(move_to).await?.archived_at.is_none();
            if !fit {
                return Err(ChannelError::BadMoveTarget.into());
            }
        }
        match self.workspace.conversations.delete_channel(id, move_to).await {
            Err(StoreError::Refused(_)) if move_to.is_none() => Err(ChannelError::NotEmpty.into()),
            done => Ok(done?),
        }
    }
}
