//! Port for storing messages, compact markers and episodes of one workspace.

use chrono::{DateTime, Utc};
use inklings_domain::{
    conversation::{
        episode::Episode,
        message::{Delivery, Message, NewMessage},
    },
    ids::{ConversationId, EpisodeId, MessageId},
    memory::{Importance, change_set::ChangeSet, embedding::EmbeddingModel},
};

use crate::{
    memory::vector_store::{EmbeddingCounts, TextVectors},
    store_error::StoreError,
};

/// Workspace setting: if `true`, messages are deleted once a summary replaces them.
pub const KEEP_ONLY_SUMMARIES: &str = "episodes.keep_only_summaries";

/// Selects a page of messages; pages are in ascending order of position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MessageRange {
    /// The last messages.
    Newest,
    /// The last messages before a position.
    Before(u64),
    /// The first messages after a position.
    After(u64),
}

/// A part of a transcript: the messages of one conversation up to a position. A conversation that is no branch has one part.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TranscriptPart {
    /// The conversation that contains the messages.
    pub conversation: ConversationId,
    /// Position of the last one that belongs to the transcript; [`ALL_POSITIONS`] for the conversation's own part.
    pub through: u64,
    /// A number that changes with every change of the conversation's messages.
    pub tick: u64,
}

/// Streaming messages, by their conversation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Streaming<'c> {
    /// Those of one conversation.
    Of(ConversationId),
    /// Those of all conversations but these.
    AllBut(&'c [ConversationId]),
}

/// Behind every position.
pub const ALL_POSITIONS: u64 = i64::MAX as u64;

/// A message without vectors, or with one that covers only its beginning.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PendingMessage {
    pub id: MessageId,
    /// Text to embed.
    pub text: String,
}

/// Reads and writes messages. Every write increases the tick of its conversation, which invalidates cached
/// copies.
#[async_trait::async_trait]
pub trait TranscriptStore: Send + Sync {
    /// Appends messages to a conversation in one transaction. Assigns their positions and sets the
    /// conversation's activity time to the time of the last message.
    ///
    /// # Errors
    /// [`StoreError::NotFound`] if there is no such conversation, [`StoreError::Moved`] if it is not active,
    /// [`StoreError::AlreadyExists`] if an id, or an external id within the conversation, is taken.
    async fn append(
        &self,
        conversation: ConversationId,
        messages: &[NewMessage],
    ) -> Result<Vec<Message>, StoreError>;

    /// Writes the text received so far of a streaming message. A message that is no longer streaming is not
    /// changed. True if it was written.
    async fn deliver(
        &self,
        id: MessageId,
        content: &str,
        calls: Option<&str>,
        delivery: Delivery,
        at: DateTime<Utc>,
    ) -> Result<bool, StoreError>;

    /// Marks those of these streaming messages that nobody has written since `before` as failed, because their writer is gone.
    /// Returns how many were marked.
    async fn abandon(
        &self,
        streaming: Streaming<'_>,
        before: DateTime<Utc>,
        now: DateTime<Utc>,
    ) -> Result<usize, StoreError>;

    /// Sets the importance of a message.
    ///
    /// # Errors
    /// [`StoreError::NotFound`].
    async fn set_importance(
        &self,
        id: MessageId,
        importance: Importance,
        at: DateTime<Utc>,
    ) -> Result<(), StoreError>;

    /// Messages by id, in any order; unknown ids are left out.
    async fn messages(&self, ids: &[MessageId]) -> Result<Vec<Message>, StoreError>;

    /// At most `limit` messages of a conversation.
    async fn page(
        &self,
        conversation: ConversationId,
        range: MessageRange,
        limit: usize,
    ) -> Result<Vec<Message>, StoreError>;

    /// The newest `limit` messages of at least this importance up to a position, in ascending order of position, without
    /// markers.
    async fn salient(
        &self,
        conversation: ConversationId,
        through: u64,
        at_least: Importance,
        limit: usize,
    ) -> Result<Vec<Message>, StoreError>;

    /// The effective compact marker: of those whose archive is active and which cover nothing behind `through`, the one that
    /// covers most. A marker does not count while its archive is forgotten or its compaction is undone.
    async fn latest_marker(
        &self,
        conversation: ConversationId,
        through: u64,
    ) -> Result<Option<Message>, StoreError>;

    /// Messages of a conversation that were written, or were still streaming, while the workspace's memory
    /// was off.
    async fn off_record(&self, conversation: ConversationId) -> Result<Vec<MessageId>, StoreError>;

    /// The parts of a transcript: its own, then those of the conversations that it branched from, the nearest first. Empty if
    /// there is no such conversation.
    async fn parts(&self, conversation: ConversationId) -> Result<Vec<TranscriptPart>, StoreError>;

    /// Commits an archive entry and its marker in one transaction. With `delete_through`, also deletes the
    /// messages up to that position, because the workspace keeps only summaries. Earlier markers stay, and so
    /// do messages written while memory was off, because no summary covers them, and those that a branch shares.
    ///
    /// # Errors
    /// [`StoreError::NotFound`] if there is no such conversation; [`StoreError::Refused`] if messages are to
    /// be deleted but the workspace's setting does not allow it (the database checks this itself);
    /// [`StoreError::Moved`] if an active archive already covers the messages up to the marker's position or
    /// beyond; [`StoreError::AlreadyExists`] if the archive's name is taken; [`StoreError::MemoryOff`].
    /// Nothing is written then.
    async fn compact(
        &self,
        conversation: ConversationId,
        archive: &ChangeSet,
        marker: &NewMessage,
        delete_through: Option<u64>,
    ) -> Result<Message, StoreError>;

    /// Stores an episode and marks its source messages as summarised, or deletes those that no branch shares, in one
    /// transaction.
    ///
    /// # Errors
    /// [`StoreError::NotFound`] if there is no such conversation; [`StoreError::Moved`] if a source is gone
    /// or was summarised meanwhile; [`StoreError::Refused`] if sources are to be deleted but the workspace's
    /// setting does not allow it, or if one was written while memory was off (the database checks both
    /// itself); [`StoreError::MemoryOff`].
    async fn fold(&self, episode: &Episode, delete_sources: bool) -> Result<(), StoreError>;

    /// The newest `limit` episodes of a conversation, oldest first, without removed ones.
    async fn episodes(&self, conversation: ConversationId, limit: usize) -> Result<Vec<Episode>, StoreError>;

    /// Removes an episode from use. True if it was in use.
    async fn remove_episode(&self, id: EpisodeId, at: DateTime<Utc>) -> Result<bool, StoreError>;

    /// Up to `limit` messages without the vectors of their whole text by this model, newest first. Only complete
    /// messages with text; no markers, no system messages, none marked as failed.
    async fn pending_vectors(
        &self,
        model: &EmbeddingModel,
        limit: usize,
    ) -> Result<Vec<PendingMessage>, StoreError>;

    /// Stores the vectors of messages in one transaction, in place of earlier ones; skips messages that are gone or
    /// get no vector. Returns how many messages were stored.
    ///
    /// # Errors
    /// [`StoreError::Refused`] if a vector is not of the model's dimension or not finite.
    async fn put_vectors(
        &self,
        model: &EmbeddingModel,
        vectors: &[(MessageId, TextVectors)],
    ) -> Result<usize, StoreError>;

    /// Records why a model could not embed a message, so that it is not tried again.
    async fn vector_failed(
        &self,
        model: &EmbeddingModel,
        id: MessageId,
        error: &str,
    ) -> Result<(), StoreError>;

    /// Embedding progress for messages.
    async fn vector_counts(&self, model: &EmbeddingModel) -> Result<EmbeddingCounts, StoreError>;
}
