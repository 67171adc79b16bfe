//! Channel use cases of [`App`].

pub mod convert;
pub mod view;

use inklings_application::conversation::lookup::ChannelRef;
use inklings_domain::ids::ChannelId;

use crate::{channel::view::ChannelView, commands::ChannelCommands, error::CommandError};

/// The channel that a request names by id, if it names one.
pub(crate) fn by_id(id: Option<&str>) -> Result<Option<ChannelRef<'static>>, CommandError> {
    Ok(id.map(|id| crate::wire::id("channelId", id)).transpose()?.map(ChannelRef::Id))
}

impl ChannelCommands<'_> {
    /// Creates a channel.
    ///
    /// # Errors
    /// [`CommandError`] of code `invalid` or `already_exists`.
    pub async fn create_channel(&self, name: &str, description: &str) -> Result<ChannelView, CommandError> {
        let channel = self.app.session()?.channels().create(name, description).await?;
        self.channel_view(channel.id).await
    }

    /// Changes a channel's name, description, or both.
    ///
    /// # Errors
    /// [`CommandError`] of code `invalid` (also for the name of `#general`) or `already_exists`.
    pub async fn update_channel(
        &self,
        id: &str,
        name: Option<&str>,
        description: Option<&str>,
    ) -> Result<ChannelView, CommandError> {
        let channel =
            self.app.session()?.channels().update(crate::wire::id("id", id)?, name, description).await?;
        self.channel_view(channel.id).await
    }

    /// Archives a channel.
    ///
    /// # Errors
    /// [`CommandError`] of code `invalid` for `#general` or a channel that is archived already.
    pub async fn archive_channel(&self, id: &str) -> Result<ChannelView, CommandError> {
        let channel = self.app.session()?.channels().archive(crate::wire::id("id", id)?).await?;
        self.channel_view(channel.id).await
    }

    /// Restores an archived channel.
    ///
    /// # Errors
    /// [`CommandError`] of code `invalid` if it is not archived.
    pub async fn restore_channel(&self, id: &str) -> Result<ChannelView, CommandError> {
        let channel = self.app.session()?.channels().restore(crate::wire::id("id", id)?).await?;
        self.channel_view(channel.id).await
    }

    /// Deletes a channel and moves its conversations and entries to `move_to`.
    ///
    /// # Errors
    /// [`CommandError`] of code `invalid`, field `move_to`, if the channel is not empty and no valid target
    /// is given.
    pub async fn delete_channel(&self, id: &str, move_to: Option<&str>) -> Result<(), CommandError> {
        let move_to = move_to.map(|move_to| crate::wire::id("moveTo", move_to)).transpose()?;
        Ok(self.app.session()?.channels().delete(crate::wire::id("id", id)?, move_to).await?)
    }

    /// Looks up the id of a channel by name.
    ///
    /// # Errors
    /// [`CommandError`] of code `not_found`.
    pub async fn channel_id(&self, name: &str) -> Result<String, CommandError> {
        Ok(self.app.session()?.channels().named(name).await?.id.to_string())
    }

    async fn channel_view(&self, id: ChannelId) -> Result<ChannelView, CommandError> {
        Ok(convert::channel(&self.app.session()?.channels().summary(id).await?))
    }
}
