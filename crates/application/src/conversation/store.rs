//! Storage of channels and conversations: the channels and conversations that entries and messages belong to.

use chrono::{DateTime, Utc};
use inklings_domain::{
    channel::{Channel, ChannelName},
    conversation::{Conversation, ConversationStatus, ref_code::RefCode},
    ids::{ChannelId, ConversationId},
};

use crate::store_error::StoreError;

/// A channel with what it holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChannelSummary {
    /// The channel.
    pub channel: Channel,
    /// Active entries: its own and those of its conversations.
    pub memories: u64,
    /// Conversations that are not archived.
    pub conversations: u64,
    /// Archived conversations.
    pub archived_conversations: u64,
}

/// A conversation with what it holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConversationSummary {
    /// The conversation.
    pub conversation: Conversation,
    /// Messages, compact markers left out.
    pub messages: u64,
    /// Active entries of its tier.
    pub memories: u64,
}

/// Which conversations a list shows.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ConversationFilter {
    /// Only those of this channel.
    pub channel: Option<ChannelId>,
    /// Only these.
    pub only: Option<Vec<ConversationId>>,
    /// Only those of these states; empty: all but the archived ones.
    pub statuses: Vec<ConversationStatus>,
}

/// Where a page of conversations ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ConversationCursor {
    /// The last one's time of activity.
    pub active_at: DateTime<Utc>,
    /// Its id.
    pub id: ConversationId,
}

/// Reads and writes channels and conversations of one workspace. Deleted conversations are found by id and reference code no more.
#[async_trait::async_trait]
pub trait ConversationStore: Send + Sync {
    /// Every channel, archived ones too: `#general` first, then by name.
    async fn channels(&self) -> Result<Vec<ChannelSummary>, StoreError>;

    /// The names of all channels; cheap, nothing is counted.
    async fn channel_names(&self) -> Result<Vec<(ChannelId, ChannelName)>, StoreError>;

    /// A channel by its name, regardless of case.
    async fn channel_named(&self, name: &ChannelName) -> Result<Option<Channel>, StoreError>;

    /// A channel by id.
    async fn channel_by_id(&self, id: ChannelId) -> Result<Option<Channel>, StoreError>;

    /// Adds a channel.
    ///
    /// # Errors
    /// [`StoreError::AlreadyExists`] if the name is taken.
    async fn add_channel(&self, channel: &Channel) -> Result<(), StoreError>;

    /// Replaces name, description and archive mark of a channel.
    ///
    /// # Errors
    /// [`StoreError::AlreadyExists`] if the name is taken, [`StoreError::NotFound`] if the channel is gone.
    async fn update_channel(&self, channel: &Channel) -> Result<(), StoreError>;

    /// Deletes a channel in one transaction. Its conversations and entries move to `move_to`; without an channel to move to it must
    /// hold none (deleted conversations and forgotten entries count too).
    ///
    /// # Errors
    /// [`StoreError::NotFound`] if it or its channel to move to is gone;
    /// [`StoreError::Refused`] if it is not empty and has no channel to move to, is its own channel to move to, or is the default channel;
    /// [`StoreError::AlreadyExists`] if both hold an imported entry of the same former id.
    async fn delete_channel(&self, id: ChannelId, move_to: Option<ChannelId>) -> Result<(), StoreError>;

    /// Conversations by id; unknown and deleted ones are left out.
    async fn conversations(&self, ids: &[ConversationId]) -> Result<Vec<Conversation>, StoreError>;

    /// A conversation by its reference code.
    async fn conversation_by_ref(&self, code: RefCode) -> Result<Option<Conversation>, StoreError>;

    /// The active conversation of a channel that began last.
    async fn latest_active_conversation(
        &self,
        channel: ChannelId,
    ) -> Result<Option<Conversation>, StoreError>;

    /// A page of conversations, latest activity first (ties by falling id).
    async fn list_conversations(
        &self,
        filter: &ConversationFilter,
        after: Option<ConversationCursor>,
        limit: usize,
    ) -> Result<Vec<ConversationSummary>, StoreError>;

    /// A conversation with what it holds.
    async fn conversation_summary(
        &self,
        id: ConversationId,
    ) -> Result<Option<ConversationSummary>, StoreError>;

    /// Adds a conversation.
    ///
    /// # Errors
    /// [`StoreError::AlreadyExists`] if its reference code is taken.
    async fn add_conversation(&self, conversation: &Conversation) -> Result<(), StoreError>;

    /// Replaces title, channel, status and end of a conversation that still is as the caller read it. Its entries
    /// move along to another channel.
    ///
    /// # Errors
    /// [`StoreError::Moved`] if its status is no longer `was`; [`StoreError::NotFound`].
    async fn update_conversation(
        &self,
        conversation: &Conversation,
        was: ConversationStatus,
    ) -> Result<(), StoreError>;

    /// Replaces a conversation as [`Self::update_conversation`] does, and adds the one that goes on from it. Both or neither.
    ///
    /// # Errors
    /// As those two.
    async fn end_and_continue(
        &self,
        ended: &Conversation,
        was: ConversationStatus,
        next: &Conversation,
    ) -> Result<(), StoreError>;

    /// Deletes a conversation in one transaction: messages with their vectors and index, markers, episodes, scratchpad
    /// and facts' references to it. Its row stays, empty and without its title, for the entries that came from it (which the caller forgets).
    /// True if there was one.
    async fn delete_conversation(&self, id: ConversationId, at: DateTime<Utc>) -> Result<bool, StoreError>;
}
