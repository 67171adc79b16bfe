//! Commands of channels.

use inklings_api::channel::view::ChannelView;

use crate::{Answer, Core};

/// Creates a channel.
#[specta::specta]
pub async fn create_channel(core: Core, name: String, description: String) -> Answer<ChannelView> {
    core.app()?.channel().create_channel(&name, &description).await
}

/// Changes a channel; `null` fields are left unchanged.
#[specta::specta]
pub async fn update_channel(
    core: Core,
    id: String,
    name: Option<String>,
    description: Option<String>,
) -> Answer<ChannelView> {
    core.app()?.channel().update_channel(&id, name.as_deref(), description.as_deref()).await
}

/// Archives a channel.
#[specta::specta]
pub async fn archive_channel(core: Core, id: String) -> Answer<ChannelView> {
    core.app()?.channel().archive_channel(&id).await
}

/// Restores an archived channel.
#[specta::specta]
pub async fn restore_channel(core: Core, id: String) -> Answer<ChannelView> {
    core.app()?.channel().restore_channel(&id).await
}

/// Deletes a channel and moves its contents to another channel.
#[specta::specta]
pub async fn delete_channel(core: Core, id: String, move_to: Option<String>) -> Answer<()> {
    core.app()?.channel().delete_channel(&id, move_to.as_deref()).await
}
