//! Messages. Positions are assigned inside the writing transaction, so writers of several processes never get
//! the same one.

use chrono::{DateTime, Utc};
use inklings_domain::{
    conversation::{
        ConversationStatus,
        episode::Episode,
        message::{Delivery, Message, NewMessage},
    },
    ids::{ConversationId, EpisodeId, MessageId},
    memory::{Importance, change_set::ChangeSet, embedding::EmbeddingModel},
};
use inklings_ports::{
    conversation::transcript_store::{
        ALL_POSITIONS, MessageRange, PendingMessage, Streaming, TranscriptPart, TranscriptStore,
    },
    memory::vector_store::{EmbeddingCounts, TextVectors},
    store_error::StoreError,
};
use sqlx::{Row, SqliteConnection, sqlite::SqliteRow};

use crate::error::DbResult;
use crate::{
    checksum::{self, tables::MESSAGES},
    conversation::transcript_rows::{message, message_columns, next_tick, written},
    rows::{json_list, micros, parsed},
    store::SqliteStore,
};

impl SqliteStore {
    async fn append_messages(
        &self,
        conversation: ConversationId,
        messages: &[NewMessage],
    ) -> DbResult<Vec<Message>> {
        let mut tx = self.db.begin_immediate().await?;
        let written = self.append_within(&mut tx, conversation, messages).await?;
        tx.commit().await?;
        Ok(written)
    }

    /// Adds messages within a transaction of the caller.
    pub(crate) async fn append_within(
        &self,
        conn: &mut SqliteConnection,
        conversation: ConversationId,
        messages: &[NewMessage],
    ) -> DbResult<Vec<Message>> {
        let standing = self.standing(conn, conversation).await?;
        if standing.status != ConversationStatus::Active {
            return Err(StoreError::Moved("conversation").into());
        }
        let first = standing.last_position + 1;
        self.insert_messages(conn, conversation, first, messages).await?;
        Ok((first..).zip(messages).map(|(position, new)| written(conversation, position, new)).collect())
    }

    /// Sets the last activity of an imported conversation to the time of its last message, not to the time of
    /// import.
    pub(crate) async fn settle_activity(
        &self,
        conn: &mut SqliteConnection,
        conversation: ConversationId,
    ) -> DbResult<()> {
        sqlx::query(
            "UPDATE conversations SET active_at = coalesce( \
               (SELECT max(at) FROM messages AS m WHERE m.workspace_id = ?1 AND m.conversation_id = ?2 \
                AND m.archive_id IS NULL), active_at) WHERE workspace_id = ?1 AND id = ?2",
        )
        .bind(self.workspace())
        .bind(conversation.to_string())
        .execute(conn)
        .await?;
        Ok(())
    }

    /// Replaces the text of the message with this former id. Returns whether it changed; `None` if there is
    /// no such message.
    pub(crate) async fn replace_imported(
        &self,
        conn: &mut SqliteConnection,
        conversation: ConversationId,
        new: &NewMessage,
    ) -> DbResult<Option<bool>> {
        let Some(external) = new.origin.as_ref().and_then(|origin| origin.external_id.as_deref()) else {
            return Ok(None);
        };
        let known: Option<i64> = sqlx::query_scalar(
            "SELECT seq FROM messages WHERE workspace_id = ? AND conversation_id = ? AND external_id = ?",
        )
        .bind(self.workspace())
        .bind(conversation.to_string())
        .bind(external)
        .fetch_optional(&mut *conn)
        .await?;
        match known {
            Some(seq) => Ok(Some(self.rewrite_imported(conn, seq, new).await?)),
            None => Ok(None),
        }
    }

    /// Replaces the text of the message in a row. False if it is unchanged.
    pub(crate) async fn rewrite_imported(
        &self,
        conn: &mut SqliteConnection,
        seq: i64,
        new: &NewMessage,
    ) -> DbResult<bool> {
        let written: Option<String> = sqlx::query_scalar(concat!(
            "UPDATE messages SET content = ?2, updated_at = max(updated_at, ?3), checksum = NULL, change_seq = ",
            next_tick!(),
            " WHERE seq = ?1 AND content <> ?2 RETURNING id"
        ))
        .bind(seq)
        .bind(&*new.content)
        .bind(micros(new.at))
        .fetch_optional(&mut *conn)
        .await?;
        self.seal_message(conn, written.as_deref()).await
    }

    /// Sets the checksum of a message whose text was written. False if there is none.
    async fn seal_message(&self, conn: &mut SqliteConnection, id: Option<&str>) -> DbResult<bool> {
        let Some(id) = id else { return Ok(false) };
        checksum::seal_rows(conn, &MESSAGES, "id = ?2", &[&self.workspace(), id]).await?;
        Ok(true)
    }

    async fn write_delivery(
        &self,
        id: MessageId,
        (content, calls): (&str, Option<&str>),
        delivery: Delivery,
        at: DateTime<Utc>,
    ) -> DbResult<bool> {
        let mut tx = self.db.begin_immediate().await?;
        let written: Option<String> = sqlx::query_scalar(concat!(
            "UPDATE messages SET content = ?, tool_calls = ?, delivery = ?, updated_at = ?, checksum = NULL, \
             change_seq = ",
            next_tick!(),
            " WHERE workspace_id = ? AND id = ? AND delivery = 'streaming' RETURNING id"
        ))
        .bind(content)
        .bind(calls)
        .bind(delivery.as_str())
        .bind(micros(at))
        .bind(self.workspace())
        .bind(id.to_string())
        .fetch_optional(&mut *tx)
        .await?;
        let written = self.seal_message(&mut tx, written.as_deref()).await?;
        tx.commit().await?;
        Ok(written)
    }

    async fn abandon_streaming(
        &self,
        streaming: Streaming<'_>,
        before: DateTime<Utc>,
        now: DateTime<Utc>,
    ) -> DbResult<usize> {
        let (own, others) = match streaming {
            Streaming::Of(conversation) => {
                (Some(conversation.to_string()), json_list(std::iter::empty::<String>()))
            }
            Streaming::AllBut(others) => (None, json_list(others)),
        };
        let mut tx = self.db.begin_immediate().await?;
        let written = sqlx::query(concat!(
            "UPDATE messages SET delivery = 'failed', updated_at = ?3, change_seq = ",
            next_tick!(),
            " WHERE delivery = 'streaming' AND updated_at < ?2 AND (?1 IS NULL OR conversation_id = ?1) ",
            "AND conversation_id NOT IN (SELECT value FROM json_each(?4))"
        ))
        .bind(own)
        .bind(micros(before))
        .bind(micros(now))
        .bind(others)
        .execute(&mut *tx)
        .await?;
        tx.commit().await?;
        Ok(usize::try_from(written.rows_affected()).unwrap_or(usize::MAX))
    }

    async fn write_importance(
        &self,
        id: MessageId,
        importance: Importance,
        at: DateTime<Utc>,
    ) -> DbResult<()> {
        let mut tx = self.db.begin_immediate().await?;
        let written = sqlx::query(
            "UPDATE messages SET importance = ?, updated_at = ? WHERE workspace_id = ? AND id = ?",
        )
        .bind(importance.get())
        .bind(micros(at))
        .bind(self.workspace())
        .bind(id.to_string())
        .execute(&mut *tx)
        .await?;
        if written.rows_affected() == 0 {
            return Err(StoreError::NotFound("message").into());
        }
        Ok(tx.commit().await?)
    }

    async fn read_messages(&self, ids: &[MessageId]) -> DbResult<Vec<Message>> {
        let found = sqlx::query(concat!(
            "SELECT ",
            message_columns!(),
            " FROM messages AS m WHERE m.workspace_id = ? AND m.id IN (SELECT value FROM json_each(?))"
        ))
        .bind(self.workspace())
        .bind(json_list(ids))
        .fetch_all(&self.db.reader())
        .await?;
        found.iter().map(message).collect()
    }

    async fn read_range(
        &self,
        conversation: ConversationId,
        range: MessageRange,
        limit: usize,
    ) -> DbResult<Vec<Message>> {
        // One position bounds every range: positions are at least 1 and less than the greatest integer.
        let (query, bound) = match range {
            MessageRange::Newest => (BEFORE, i64::MAX),
            MessageRange::Before(position) => (BEFORE, i64::try_from(position).unwrap_or(i64::MAX)),
            MessageRange::After(position) => (AFTER, i64::try_from(position).unwrap_or(i64::MAX)),
        };
        let found = sqlx::query(query)
            .bind(self.workspace())
            .bind(conversation.to_string())
            .bind(bound)
            .bind(i64::try_from(limit).unwrap_or(i64::MAX))
            .fetch_all(&self.db.reader())
            .await?;
        let mut found = found.iter().map(message).collect::<DbResult<Vec<_>>>()?;
        found.sort_by_key(|m| m.position);
        Ok(found)
    }

    async fn read_salient(
        &self,
        conversation: ConversationId,
        through: u64,
        at_least: Importance,
        limit: usize,
    ) -> DbResult<Vec<Message>> {
        let found = sqlx::query(concat!(
            "SELECT ",
            message_columns!(),
            " FROM messages AS m WHERE m.workspace_id = ? AND m.conversation_id = ? AND m.importance >= ? \
             AND m.position <= ? AND m.archive_id IS NULL ORDER BY m.position DESC LIMIT ?"
        ))
        .bind(self.workspace())
        .bind(conversation.to_string())
        .bind(at_least.get())
        .bind(i64::try_from(through).unwrap_or(i64::MAX))
        .bind(i64::try_from(limit).unwrap_or(i64::MAX))
        .fetch_all(&self.db.reader())
        .await?;
        found.iter().rev().map(message).collect()
    }

    async fn read_latest_marker(
        &self,
        conversation: ConversationId,
        through: u64,
    ) -> DbResult<Option<Message>> {
        let found = sqlx::query(concat!(
            "SELECT ",
            message_columns!(),
            " FROM messages AS m WHERE m.workspace_id = ? AND m.conversation_id = ? AND m.through <= ? \
             AND EXISTS (SELECT 1 FROM memories AS e WHERE e.workspace_id = m.workspace_id AND e.id = m.archive_id \
                         AND e.forgotten_at IS NULL) \
             ORDER BY m.through DESC, m.position DESC LIMIT 1"
        ))
        .bind(self.workspace())
        .bind(conversation.to_string())
        .bind(i64::try_from(through).unwrap_or(i64::MAX))
        .fetch_optional(&self.db.reader())
        .await?;
        found.as_ref().map(message).transpose()
    }

    async fn read_parts(&self, conversation: ConversationId) -> DbResult<Vec<TranscriptPart>> {
        // A conversation that was deleted has no messages, but what it shared of another one is still there.
        let found = sqlx::query(
            "WITH RECURSIVE parts (id, through, tick, depth) AS ( \
               SELECT c.id, ?3, c.message_tick, 0 FROM conversations AS c \
               WHERE c.workspace_id = ?1 AND c.id = ?2 AND c.deleted_at IS NULL \
               UNION ALL \
               SELECT p.id, min(parts.through, c.shares_through), p.message_tick, parts.depth + 1 FROM parts \
               JOIN conversations AS c ON c.workspace_id = ?1 AND c.id = parts.id \
               JOIN conversations AS p ON p.workspace_id = ?1 AND p.id = c.continues_id \
               WHERE c.shares_through IS NOT NULL AND parts.depth < ?4) \
             SELECT id, through, tick FROM parts ORDER BY depth",
        )
        .bind(self.workspace())
        .bind(conversation.to_string())
        .bind(ALL_POSITIONS as i64)
        .bind(MOST_PARTS)
        .fetch_all(&self.db.reader())
        .await?;
        let part = |row: &SqliteRow| {
            Ok(TranscriptPart {
                conversation: parsed(row.try_get("id")?, "id")?,
                through: row.try_get::<i64, _>("through")?.unsigned_abs(),
                tick: row.try_get::<i64, _>("tick")?.unsigned_abs(),
            })
        };
        found.iter().map(part).collect()
    }
}

/// Branches of branches that a transcript is read through. An import could contain a circle.
const MOST_PARTS: i64 = 1_000;

const BEFORE: &str = concat!(
    "SELECT ",
    message_columns!(),
    " FROM messages AS m WHERE m.workspace_id = ? AND m.conversation_id = ? AND m.position < ? \
     ORDER BY m.position DESC LIMIT ?"
);

const AFTER: &str = concat!(
    "SELECT ",
    message_columns!(),
    " FROM messages AS m WHERE m.workspace_id = ? AND m.conversation_id = ? AND m.position > ? \
     ORDER BY m.position LIMIT ?"
);

#[async_trait::async_trait]
impl TranscriptStore for SqliteStore {
    async fn append(
        &self,
        conversation: ConversationId,
        messages: &[NewMessage],
    ) -> Result<Vec<Message>, StoreError> {
        self.public(self.append_messages(conversation, messages).await)
    }

    async fn deliver(
        &self,
        id: MessageId,
        content: &str,
        calls: Option<&str>,
        delivery: Delivery,
        at: DateTime<Utc>,
    ) -> Result<bool, StoreError> {
        self.public(self.write_delivery(id, (content, calls), delivery, at).await)
    }

    async fn abandon(
        &self,
        streaming: Streaming<'_>,
        before: DateTime<Utc>,
        now: DateTime<Utc>,
    ) -> Result<usize, StoreError> {
        self.public(self.abandon_streaming(streaming, before, now).await)
    }

    async fn set_importance(
        &self,
        id: MessageId,
        importance: Importance,
        at: DateTime<Utc>,
    ) -> Result<(), StoreError> {
        self.public(self.write_importance(id, importance, at).await)
    }

    async fn messages(&self, ids: &[MessageId]) -> Result<Vec<Message>, StoreError> {
        self.public(self.read_messages(ids).await)
    }

    async fn page(
        &self,
        conversation: ConversationId,
        range: MessageRange,
        limit: usize,
    ) -> Result<Vec<Message>, StoreError> {
        self.public(self.read_range(conversation, range, limit).await)
    }

    async fn salient(
        &self,
        conversation: ConversationId,
        through: u64,
        at_least: Importance,
        limit: usize,
    ) -> Result<Vec<Message>, StoreError> {
        self.public(self.read_salient(conversation, through, at_least, limit).await)
    }

    async fn latest_marker(
        &self,
        conversation: ConversationId,
        through: u64,
    ) -> Result<Option<Message>, StoreError> {
        self.public(self.read_latest_marker(conversation, through).await)
    }

    async fn off_record(&self, conversation: ConversationId) -> Result<Vec<MessageId>, StoreError> {
        self.public(self.read_off_record(conversation).await)
    }

    async fn parts(&self, conversation: ConversationId) -> Result<Vec<TranscriptPart>, StoreError> {
        self.public(self.read_parts(conversation).await)
    }

    async fn compact(
        &self,
        conversation: ConversationId,
        archive: &ChangeSet,
        marker: &NewMessage,
        delete_through: Option<u64>,
    ) -> Result<Message, StoreError> {
        self.public(self.write_compact(conversation, archive, marker, delete_through).await)
    }

    async fn fold(&self, episode: &Episode, delete_sources: bool) -> Result<(), StoreError> {
        self.public(self.write_episode(episode, delete_sources).await)
    }

    async fn episodes(&self, conversation: ConversationId, limit: usize) -> Result<Vec<Episode>, StoreError> {
        self.public(self.read_episodes(conversation, limit).await)
    }

    async fn remove_episode(&self, id: EpisodeId, at: DateTime<Utc>) -> Result<bool, StoreError> {
        self.public(self.retire_episode(id, at).await)
    }

    async fn pending_vectors(
        &self,
        model: &EmbeddingModel,
        limit: usize,
    ) -> Result<Vec<PendingMessage>, StoreError> {
        self.public(self.backlogs.pending(&self.db, model, limit).await)
    }

    async fn put_vectors(
        &self,
        model: &EmbeddingModel,
        vectors: &[(MessageId, TextVectors)],
    ) -> Result<usize, StoreError> {
        self.public(self.write_message_vectors(model, vectors).await)
    }

    async fn vector_failed(
        &self,
        model: &EmbeddingModel,
        id: MessageId,
        error: &str,
    ) -> Result<(), StoreError> {
        self.public(self.write_vector_failure(model, id, error).await)
    }

    async fn vector_counts(&self, model: &EmbeddingModel) -> Result<EmbeddingCounts, StoreError> {
        self.public(self.count_message_vectors(model).await)
    }
}
