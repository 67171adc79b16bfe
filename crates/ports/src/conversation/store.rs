//! Port for storing channels and conversations.

use chrono::{DateTime, Utc};
use inklings_domain::{
    channel::{Channel, ChannelName},
    conversation::{Conversation, ConversationStatus, ModelChoice, ref_code::RefCode, title::TitleSource},
    ids::{ChannelId, ConversationId},
    lens::Lens,
};

use crate::store_error::StoreError;

/// A channel with the counts of its contents.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChannelSummary {
    pub channel: Channel,
    /// Active entries of the channel and of its conversations.
    pub memories: u64,
    /// Conversations that are not archived.
    pub conversations: u64,
    pub archived_conversations: u64,
}

/// A conversation with the counts of its contents.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConversationSummary {
    pub conversation: Conversation,
    /// Number of messages without compact markers.
    pub messages: u64,
    /// Number of active entries of its tier.
    pub memories: u64,
}

/// Filter for listing conversations.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ConversationFilter {
    /// Only conversations of this channel.
    pub channel: Option<ChannelId>,
    /// Only these conversations.
    pub only: Option<Vec<ConversationId>>,
    /// Only conversations in one of these states; empty: all except archived ones.
    pub statuses: Vec<ConversationStatus>,
    /// Only conversations whose title contains each of these words, ignoring case.
    pub title: Option<String>,
}

/// The last row of a page. The next page starts after it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ConversationCursor {
    /// Activity time of the last row.
    pub active_at: DateTime<Utc>,
    /// Id of the last row.
    pub id: ConversationId,
}

/// Reads and writes the channels and conversations of one workspace. Lookups by id and reference code do not
/// return deleted conversations.
#[async_trait::async_trait]
pub trait ConversationStore: Send + Sync {
    /// All channels, including archived ones: `#general` first, then by name.
    async fn channels(&self) -> Result<Vec<ChannelSummary>, StoreError>;

    /// A channel with the counts of its contents.
    async fn channel_summary(&self, id: ChannelId) -> Result<Option<ChannelSummary>, StoreError>;

    /// Names of all channels. Cheap, because it counts no contents.
    async fn channel_names(&self) -> Result<Vec<(ChannelId, ChannelName)>, StoreError>;

    /// A channel by name, ignoring case.
    async fn channel_named(&self, name: &ChannelName) -> Result<Option<Channel>, StoreError>;

    /// A channel by id.
    async fn channel_by_id(&self, id: ChannelId) -> Result<Option<Channel>, StoreError>;

    /// Adds a channel.
    ///
    /// # Errors
    /// [`StoreError::AlreadyExists`] if the name is taken.
    async fn add_channel(&self, channel: &Channel) -> Result<(), StoreError>;

    /// Replaces name, description and archive time of a channel.
    ///
    /// # Errors
    /// [`StoreError::AlreadyExists`] if the name is taken, [`StoreError::NotFound`] if the channel is gone.
    async fn update_channel(&self, channel: &Channel) -> Result<(), StoreError>;

    /// Deletes a channel in one transaction. Moves its conversations and entries to `move_to`. Without
    /// `move_to` the channel must be empty; deleted conversations and forgotten entries count as contents.
    ///
    /// # Errors
    /// [`StoreError::NotFound`] if one of the channels does not exist; [`StoreError::Refused`] if the channel
    /// is not empty and `move_to` is `None`, if both are the same, or if it is the default channel;
    /// [`StoreError::AlreadyExists`] if both contain an imported entry with the same external id.
    async fn delete_channel(&self, id: ChannelId, move_to: Option<ChannelId>) -> Result<(), StoreError>;

    /// Conversations by id; unknown and deleted ones are left out.
    async fn conversations(&self, ids: &[ConversationId]) -> Result<Vec<Conversation>, StoreError>;

    /// The branches of a conversation and the branches of these that share messages of it, oldest first. Those that are deleted are
    /// left out.
    async fn branches(&self, id: ConversationId) -> Result<Vec<Conversation>, StoreError>;

    /// A conversation by its reference code.
    async fn conversation_by_ref(&self, code: RefCode) -> Result<Option<Conversation>, StoreError>;

    /// The active conversation of a channel that started last.
    async fn latest_active_conversation(
        &self,
        channel: ChannelId,
    ) -> Result<Option<Conversation>, StoreError>;

    /// A page of conversations, latest activity first (ties by descending id).
    async fn list_conversations(
        &self,
        filter: &ConversationFilter,
        after: Option<ConversationCursor>,
        limit: usize,
    ) -> Result<Vec<ConversationSummary>, StoreError>;

    /// A conversation with the counts of its contents.
    async fn conversation_summary(
        &self,
        id: ConversationId,
    ) -> Result<Option<ConversationSummary>, StoreError>;

    /// Sets the lens of a conversation. False if something was said in it already, or it was deleted.
    async fn set_lens(&self, id: ConversationId, lens: Lens) -> Result<bool, StoreError>;

    /// Sets the model of a conversation; `None` for the account's. False if there is no such conversation.
    async fn set_model(&self, id: ConversationId, model: Option<&ModelChoice>) -> Result<bool, StoreError>;

    /// Gives a conversation a title that nobody typed. Words of a message take the place of no title, those of a model also
    /// the place of such words. False if a person gave or removed the title, if the message is gone or was written while
    /// memory was off, or if memory is off now.
    async fn set_own_title(
        &self,
        id: ConversationId,
        title: &str,
        source: TitleSource,
    ) -> Result<bool, StoreError>;

    /// Adds a conversation.
    ///
    /// # Errors
    /// [`StoreError::AlreadyExists`] if its reference code is taken.
    async fn add_conversation(&self, conversation: &Conversation) -> Result<(), StoreError>;

    /// Replaces title with its source, channel, status and end time of a conversation if its status is still `was`. Its
    /// entries move with it to another channel.
    ///
    /// # Errors
    /// [`StoreError::Moved`] if its status is no longer `was`; [`StoreError::NotFound`].
    async fn update_conversation(
        &self,
        conversation: &Conversation,
        was: ConversationStatus,
    ) -> Result<(), StoreError>;

    /// Replaces a conversation as [`Self::update_conversation`] does and adds the one that continues it, in
    /// one transaction.
    async fn end_and_continue(
        &self,
        ended: &Conversation,
        was: ConversationStatus,
        next: &Conversation,
    ) -> Result<(), StoreError>;

    /// Deletes a conversation in one transaction: messages with their vectors and index rows, markers,
    /// episodes and scratchpad. An empty row without title stays for the entries and facts that came from it; the
    /// caller forgets the entries. True if it existed.
    async fn delete_conversation(&self, id: ConversationId, at: DateTime<Utc>) -> Result<bool, StoreError>;
}
