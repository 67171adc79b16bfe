//! Storage of messages, compact markers and episodes of one workspace.

use chrono::{DateTime, Utc};
use inklings_domain::{
    conversation::{
        episode::Episode,
        message::{Delivery, Message, NewMessage},
    },
    ids::{ConversationId, EpisodeId, MessageId},
    memory::{Importance, change_set::ChangeSet, embedding::EmbeddingModel},
};

use crate::{memory::vector_store::EmbeddingCounts, store_error::StoreError};

/// The workspace's setting (`true`) under which messages are deleted once a summary stands for them.
pub const KEEP_ONLY_SUMMARIES: &str = "episodes.keep_only_summaries";

/// Which messages a page holds; always in rising order of position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MessageRange {
    /// The last ones.
    Newest,
    /// The last ones before a position.
    Before(u64),
    /// The first ones behind a position.
    After(u64),
}

/// A message that still needs a vector.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PendingMessage {
    /// Which message.
    pub id: MessageId,
    /// What to embed.
    pub text: String,
}

/// Reads and writes messages. Every write raises its conversation's tick, so that copies in memory notice.
#[async_trait::async_trait]
pub trait TranscriptStore: Send + Sync {
    /// Adds messages at the end of a conversation in one transaction; gives them their positions and marks the
    /// conversation as active at the time of the last one.
    ///
    /// # Errors
    /// [`StoreError::NotFound`] if there is no such conversation, [`StoreError::Moved`] if it is not active,
    /// [`StoreError::AlreadyExists`] if an id or a former id within the conversation is taken.
    async fn append(
        &self,
        conversation: ConversationId,
        messages: &[NewMessage],
    ) -> Result<Vec<Message>, StoreError>;

    /// As [`Self::append`], for an import: into a conversation of any status, whose time of activity becomes the
    /// latest time said. Messages whose former id is there already replace that one's text instead.
    /// Gives how many were added and how many were there already, with the same text or another.
    ///
    /// # Errors
    /// [`StoreError::NotFound`] if there is no such conversation, [`StoreError::AlreadyExists`] if an id is taken.
    async fn import(
        &self,
        conversation: ConversationId,
        messages: &[NewMessage],
    ) -> Result<(usize, usize), StoreError>;

    /// Writes what has arrived of a streaming message. A message that is no longer streaming is left as it is.
    /// True if it was written.
    async fn deliver(
        &self,
        id: MessageId,
        content: &str,
        calls: Option<&str>,
        delivery: Delivery,
        at: DateTime<Utc>,
    ) -> Result<bool, StoreError>;

    /// Marks streaming messages of a conversation (of all, if `None`) that have not moved since `before` as failed:
    /// their writer is gone. Gives how many.
    async fn abandon(
        &self,
        conversation: Option<ConversationId>,
        before: DateTime<Utc>,
        now: DateTime<Utc>,
    ) -> Result<usize, StoreError>;

    /// Sets how much a message matters.
    ///
    /// # Errors
    /// [`StoreError::NotFound`].
    async fn set_importance(
        &self,
        id: MessageId,
        importance: Importance,
        at: DateTime<Utc>,
    ) -> Result<(), StoreError>;

    /// Messages by id, in any order; unknown ones are left out.
    async fn messages(&self, ids: &[MessageId]) -> Result<Vec<Message>, StoreError>;

    /// At most `limit` messages of a conversation.
    async fn page(
        &self,
        conversation: ConversationId,
        range: MessageRange,
        limit: usize,
    ) -> Result<Vec<Message>, StoreError>;

    /// Messages that matter at least so much, the newest `limit`, in rising order of position. No markers.
    async fn salient(
        &self,
        conversation: ConversationId,
        at_least: Importance,
        limit: usize,
    ) -> Result<Vec<Message>, StoreError>;

    /// The compact marker that counts: of those whose archive is in use, the one that covers most. A marker whose archive
    /// was forgotten, or whose compaction was undone, does not count while that is so.
    async fn latest_marker(&self, conversation: ConversationId) -> Result<Option<Message>, StoreError>;

    /// The messages of a conversation that were said, or went on arriving, while the workspace's memory was off.
    async fn off_record(&self, conversation: ConversationId) -> Result<Vec<MessageId>, StoreError>;

    /// A number that changes with every change of a conversation's messages; `None` if there is no such conversation.
    async fn tick(&self, conversation: ConversationId) -> Result<Option<u64>, StoreError>;

    /// Commits an archive entry and the marker that points to it in one transaction. With `delete_through`, the messages
    /// up to that position are deleted in the same transaction (the workspace keeps only summaries); earlier markers
    /// stay, and so does what was said while memory was off, for which no summary stands.
    ///
    /// # Errors
    /// [`StoreError::NotFound`] if there is no such conversation; [`StoreError::Refused`] if messages shall be deleted
    /// but the workspace's setting does not say so (the database itself checks);
    /// [`StoreError::Moved`] if an archive in use covers the messages up to the marker's position or further already;
    /// [`StoreError::AlreadyExists`] if the archive's name is taken; [`StoreError::MemoryOff`]. Nothing is written then.
    async fn compact(
        &self,
        conversation: ConversationId,
        archive: &ChangeSet,
        marker: &NewMessage,
        delete_through: Option<u64>,
    ) -> Result<Message, StoreError>;

    /// Stores an episode and marks its sources as taken up, or deletes them, in one transaction.
    ///
    /// # Errors
    /// [`StoreError::NotFound`] if there is no such conversation; [`StoreError::Moved`] if a source is gone or was taken
    /// up meanwhile; [`StoreError::Refused`] if sources shall be deleted
    /// but the workspace's setting does not say so, or if one was said while memory was off (the database itself checks
    /// both); [`StoreError::MemoryOff`].
    async fn fold(&self, episode: &Episode, delete_sources: bool) -> Result<(), StoreError>;

    /// The newest `limit` episodes of a conversation, oldest first; removed ones are left out.
    async fn episodes(&self, conversation: ConversationId, limit: usize) -> Result<Vec<Episode>, StoreError>;

    /// Takes an episode out of use. True if it was in use.
    async fn remove_episode(&self, id: EpisodeId, at: DateTime<Utc>) -> Result<bool, StoreError>;

    /// Up to `limit` messages without a vector of this model, newest first: whole ones with a text, no markers, none
    /// of the system, none marked failed.
    async fn pending_vectors(
        &self,
        model: &EmbeddingModel,
        limit: usize,
    ) -> Result<Vec<PendingMessage>, StoreError>;

    /// Stores vectors in one transaction; messages that are gone, or get none, are passed over. Gives how many were
    /// stored.
    ///
    /// # Errors
    /// [`StoreError::Refused`] if a vector is not of the model's dimension or not finite.
    async fn put_vectors(
        &self,
        model: &EmbeddingModel,
        vectors: &[(MessageId, Vec<f32>)],
    ) -> Result<usize, StoreError>;

    /// Keeps why a model could not embed a message, so that it is not tried for ever.
    async fn vector_failed(
        &self,
        model: &EmbeddingModel,
        id: MessageId,
        error: &str,
    ) -> Result<(), StoreError>;

    /// How far embedding of messages has come.
    async fn vector_counts(&self, model: &EmbeddingModel) -> Result<EmbeddingCounts, StoreError>;
}
