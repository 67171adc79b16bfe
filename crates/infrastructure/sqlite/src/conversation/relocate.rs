//! Moves, dissolves and empties channels and conversations with content.

use chrono::{DateTime, Utc};
use inklings_domain::{
    channel::Channel,
    conversation::{Conversation, ConversationStatus, title::TitleSource},
    ids::{ChannelId, ConversationId},
};
use inklings_ports::store_error::StoreError;
use sqlx::{AssertSqlSafe, SqliteConnection};

use crate::error::DbResult;
use crate::{
    conversation::{branches::ORIENTATIONS_THAT_QUOTE, channels::title_message},
    rows::micros,
    store::SqliteStore,
};

impl SqliteStore {
    pub(crate) async fn replace_channel(&self, channel: &Channel) -> DbResult<()> {
        let mut tx = self.db.begin_immediate().await?;
        let replaced = sqlx::query(
            "UPDATE channels SET name = ?, name_folded = ?, description = ?, archived_at = ? \
             WHERE workspace_id = ? AND id = ?",
        )
        .bind(channel.name.as_str())
        .bind(channel.name.folded())
        .bind(&*channel.description)
        .bind(channel.archived_at.map(micros))
        .bind(self.workspace())
        .bind(channel.id.to_string())
        .execute(&mut *tx)
        .await?;
        if replaced.rows_affected() == 0 {
            return Err(StoreError::NotFound("channel").into());
        }
        Ok(tx.commit().await?)
    }

    pub(crate) async fn dissolve_channel(&self, id: ChannelId, move_to: Option<ChannelId>) -> DbResult<()> {
        let mut tx = self.db.begin_immediate().await?;
        if self.is_default(&mut tx, id).await? {
            return Err(StoreError::Refused("the default channel stays".into()).into());
        }
        match move_to {
            None => self.refuse_unless_empty(&mut tx, id).await?,
            Some(move_to) if move_to == id => {
                return Err(StoreError::Refused("a channel is not its own heir".into()).into());
            }
            Some(move_to) => {
                self.is_default(&mut tx, move_to).await?;
                self.move_content(&mut tx, id, move_to).await?;
            }
        }
        sqlx::query("DELETE FROM channels WHERE workspace_id = ? AND id = ?")
            .bind(self.workspace())
            .bind(id.to_string())
            .execute(&mut *tx)
            .await?;
        Ok(tx.commit().await?)
    }

    async fn is_default(&self, conn: &mut SqliteConnection, id: ChannelId) -> DbResult<bool> {
        let found: Option<bool> =
            sqlx::query_scalar("SELECT is_default FROM channels WHERE workspace_id = ? AND id = ?")
                .bind(self.workspace())
                .bind(id.to_string())
                .fetch_optional(conn)
                .await?;
        Ok(found.ok_or(StoreError::NotFound("channel"))?)
    }

    async fn refuse_unless_empty(&self, conn: &mut SqliteConnection, id: ChannelId) -> DbResult<()> {
        let holds: bool = sqlx::query_scalar(
            "SELECT EXISTS (SELECT 1 FROM conversations WHERE workspace_id = ?1 AND channel_id = ?2) \
             OR EXISTS (SELECT 1 FROM memories WHERE channel_id = ?2)",
        )
        .bind(self.workspace())
        .bind(id.to_string())
        .fetch_one(conn)
        .await?;
        if holds { Err(StoreError::Refused("the channel is not empty".into()).into()) } else { Ok(()) }
    }

    /// Moves all content of a channel to its target channel. The foreign key updates the entries of each
    /// conversation; the mark on the channel lets the guards accept the move of the channel's own entries.
    async fn move_content(
        &self,
        conn: &mut SqliteConnection,
        id: ChannelId,
        move_to: ChannelId,
    ) -> DbResult<()> {
        for step in [
            "UPDATE channels SET dissolved_into = ?3 WHERE workspace_id = ?1 AND id = ?2",
            "UPDATE conversations SET channel_id = ?3 WHERE workspace_id = ?1 AND channel_id = ?2",
            "UPDATE memories SET channel_id = ?3, change_seq = (SELECT tick FROM change_clock) \
             WHERE workspace_id = ?1 AND channel_id = ?2",
        ] {
            sqlx::query(step)
                .bind(self.workspace())
                .bind(id.to_string())
                .bind(move_to.to_string())
                .execute(&mut *conn)
                .await?;
        }
        Ok(())
    }

    pub(crate) async fn replace_conversation(
        &self,
        conversation: &Conversation,
        was: ConversationStatus,
    ) -> DbResult<()> {
        let mut tx = self.db.begin_immediate().await?;
        self.replace_within(&mut tx, conversation, was).await?;
        Ok(tx.commit().await?)
    }

    pub(crate) async fn write_end_and_next(
        &self,
        ended: &Conversation,
        was: ConversationStatus,
        next: &Conversation,
    ) -> DbResult<()> {
        let mut tx = self.db.begin_immediate().await?;
        self.replace_within(&mut tx, ended, was).await?;
        self.insert_conversation(&mut tx, next, None).await?;
        Ok(tx.commit().await?)
    }

    async fn replace_within(
        &self,
        conn: &mut SqliteConnection,
        conversation: &Conversation,
        was: ConversationStatus,
    ) -> DbResult<()> {
        if self.standing(&mut *conn, conversation.id).await?.status != was {
            return Err(StoreError::Moved("conversation").into());
        }
        sqlx::query(
            "UPDATE conversations SET title = ?, title_by = ?, title_of = ?, channel_id = ?, status = ?, ended_at = ? \
             WHERE workspace_id = ? AND id = ?",
        )
        .bind(&*conversation.title)
        .bind(conversation.titled.map(|source| source.maker().as_str()))
        .bind(title_message(conversation))
        .bind(conversation.channel_id.to_string())
        .bind(conversation.status.as_str())
        .bind(conversation.ended_at.map(micros))
        .bind(self.workspace())
        .bind(conversation.id.to_string())
        .execute(conn)
        .await?;
        Ok(())
    }

    pub(crate) async fn write_own_title(
        &self,
        id: ConversationId,
        title: &str,
        source: TitleSource,
    ) -> DbResult<bool> {
        let mut tx = self.db.begin_immediate().await?;
        let written = sqlx::query(
            "UPDATE conversations SET title = ?3, title_by = ?4, title_of = ?5 \
             WHERE workspace_id = ?1 AND id = ?2 AND deleted_at IS NULL \
             AND ((title_by IS NULL AND title = '') OR (?4 = 'model' AND title_by = 'message')) \
             AND EXISTS (SELECT 1 FROM messages AS m WHERE m.workspace_id = ?1 AND m.id = ?5 \
                         AND m.conversation_id = ?2) \
             AND NOT EXISTS (SELECT 1 FROM off_record AS o WHERE o.workspace_id = ?1 AND o.message_id = ?5) \
             AND NOT EXISTS (SELECT 1 FROM memory_off)",
        )
        .bind(self.workspace())
        .bind(id.to_string())
        .bind(title)
        .bind(source.maker().as_str())
        .bind(source.message().map(|id| id.to_string()))
        .execute(&mut *tx)
        .await?;
        tx.commit().await?;
        Ok(written.rows_affected() == 1)
    }

    pub(crate) async fn empty_conversation(&self, id: ConversationId, at: DateTime<Utc>) -> DbResult<bool> {
        let mut tx = self.db.begin_immediate().await?;
        // Sets the mark first: the guard only allows messages to be deleted with their conversation.
        let marked = sqlx::query(
            "UPDATE conversations SET deleted_at = ?, title = '', title_by = NULL, title_of = NULL \
             WHERE workspace_id = ? AND id = ? AND deleted_at IS NULL",
        )
        .bind(micros(at))
        .bind(self.workspace())
        .bind(id.to_string())
        .execute(&mut *tx)
        .await?;
        if marked.rows_affected() == 0 {
            return Ok(false);
        }
        // While the messages are there to tell what is a quote.
        sqlx::query(AssertSqlSafe(format!("DELETE FROM orientations WHERE {ORIENTATIONS_THAT_QUOTE}")))
            .bind(id.to_string())
            .execute(&mut *tx)
            .await?;
        // Facts keep the conversation that they are from: a later purge finds them by it.
        for step in [
            "DELETE FROM messages WHERE workspace_id = ? AND conversation_id = ?",
            "DELETE FROM episodes WHERE workspace_id = ? AND conversation_id = ?",
            "DELETE FROM scratchpads WHERE workspace_id = ? AND conversation_id = ?",
        ] {
            sqlx::query(step).bind(self.workspace()).bind(id.to_string()).execute(&mut *tx).await?;
        }
        tx.commit().await?;
        Ok(true)
    }
}
