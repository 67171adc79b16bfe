//! Storage of channels and conversations: the rooms that entries belong to.

use inklings_domain::{
    channel::{Channel, ChannelName},
    conversation::Conversation,
    ids::{ChannelId, ConversationId},
    ref_code::RefCode,
};

use super::error::StoreError;

/// A channel with how many active entries it holds (its own and those of its conversations).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChannelSummary {
    /// The channel.
    pub channel: Channel,
    /// Active entries.
    pub memories: u64,
}

/// Reads and writes rooms of one workspace.
#[async_trait::async_trait]
pub trait RoomStore: Send + Sync {
    /// Every channel, `#general` first, then by name.
    async fn channels(&self) -> Result<Vec<ChannelSummary>, StoreError>;

    /// A channel by its name, regardless of case.
    async fn channel_named(&self, name: &ChannelName) -> Result<Option<Channel>, StoreError>;

    /// Adds a channel.
    ///
    /// # Errors
    /// [`StoreError::AlreadyExists`] if the name is taken.
    async fn add_channel(&self, channel: &Channel) -> Result<(), StoreError>;

    /// Conversations by id; unknown ids are left out.
    async fn conversations(&self, ids: &[ConversationId]) -> Result<Vec<Conversation>, StoreError>;

    /// A conversation by its reference code.
    async fn conversation_by_ref(&self, code: RefCode) -> Result<Option<Conversation>, StoreError>;

    /// The active conversation of a channel that began last.
    async fn latest_active_conversation(
        &self,
        channel: ChannelId,
    ) -> Result<Option<Conversation>, StoreError>;

    /// Adds a conversation.
    ///
    /// # Errors
    /// [`StoreError::AlreadyExists`] if its reference code is taken.
    async fn add_conversation(&self, conversation: &Conversation) -> Result<(), StoreError>;
}
