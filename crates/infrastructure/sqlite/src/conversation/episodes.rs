//! Conversation archives with their markers, and episodes.

use chrono::{DateTime, Utc};
use inklings_domain::{
    conversation::{
        episode::Episode,
        message::{Message, NewMessage},
    },
    ids::{ConversationId, EpisodeId, MessageId},
    memory::change_set::ChangeSet,
};
use inklings_ports::store_error::StoreError;
use sqlx::{Row, sqlite::SqliteRow};

use crate::error::{DbError, DbResult};
use crate::{
    checksum::{self, tables::EPISODES},
    conversation::branches::shared_through,
    rows::{json_list, micros, moment, parsed},
    store::SqliteStore,
};

fn episode(row: &SqliteRow) -> DbResult<Episode> {
    let sources: Vec<String> = serde_json::from_str(row.try_get("source_ids")?)
        .map_err(|_| DbError::Row { column: "source_ids" })?;
    Ok(Episode {
        id: parsed(row.try_get("id")?, "id")?,
        conversation: parsed(row.try_get("conversation_id")?, "conversation_id")?,
        summary: row.try_get("summary")?,
        sources: sources.iter().map(|id| parsed(id, "source_ids")).collect::<DbResult<_>>()?,
        from: moment(row.try_get("from_at")?, "from_at")?,
        until: moment(row.try_get("until_at")?, "until_at")?,
        maker: parsed(row.try_get("maker")?, "maker")?,
        created_at: moment(row.try_get("created_at")?, "created_at")?,
    })
}

impl SqliteStore {
    pub(crate) async fn write_compact(
        &self,
        conversation: ConversationId,
        archive: &ChangeSet,
        marker: &NewMessage,
        delete_through: Option<u64>,
    ) -> DbResult<Message> {
        let Some(through) = marker.marker.as_ref().map(|marker| marker.through as i64) else {
            return Err(StoreError::Refused("a message without an archive is no marker".into()).into());
        };
        let mut tx = self.db.begin_immediate().await?;
        let standing = self.standing(&mut tx, conversation).await?;
        let compacted: Option<i64> = sqlx::query_scalar(
            "SELECT max(m.through) FROM messages AS m JOIN memories AS e \
               ON e.workspace_id = m.workspace_id AND e.id = m.archive_id AND e.forgotten_at IS NULL \
             WHERE m.workspace_id = ? AND m.conversation_id = ? AND m.through IS NOT NULL",
        )
        .bind(self.workspace())
        .bind(conversation.to_string())
        .fetch_one(&mut *tx)
        .await?;
        if compacted.is_some_and(|other| other >= through) {
            return Err(StoreError::Moved("conversation").into());
        }
        self.write_within(&mut tx, archive).await?;
        if let Some(last) = delete_through {
            // Earlier markers stay: each points to a summary that stays.
            let shared = shared_through(&mut tx, &self.workspace(), conversation).await?;
            sqlx::query(
                "DELETE FROM messages WHERE workspace_id = ? AND conversation_id = ? AND position <= ? \
                 AND archive_id IS NULL AND NOT EXISTS (SELECT 1 FROM off_record AS o \
                  WHERE o.workspace_id = messages.workspace_id AND o.message_id = messages.id) AND position > ?",
            )
            .bind(self.workspace())
            .bind(conversation.to_string())
            .bind(i64::try_from(last).unwrap_or(i64::MAX))
            .bind(shared)
            .execute(&mut *tx)
            .await?;
        }
        let written = self.insert_message(&mut tx, conversation, standing.last_position + 1, marker).await?;
        tx.commit().await?;
        Ok(written)
    }

    pub(crate) async fn write_episode(&self, episode: &Episode, delete_sources: bool) -> DbResult<()> {
        let mut tx = self.db.begin_immediate().await?;
        self.standing(&mut tx, episode.conversation).await?;
        let sources = json_list(&episode.sources);
        // Marks before deleting: the count of marked rows shows whether all of them are still free.
        let marked = sqlx::query(
            "UPDATE messages SET consolidated_at = ?1 WHERE workspace_id = ?2 AND +conversation_id = ?3 \
             AND consolidated_at IS NULL AND delivery <> 'streaming' AND id IN (SELECT value FROM json_each(?4))",
        )
        .bind(micros(episode.created_at))
        .bind(self.workspace())
        .bind(episode.conversation.to_string())
        .bind(sources.clone())
        .execute(&mut *tx)
        .await?;
        if marked.rows_affected() != episode.sources.len() as u64 {
            return Err(StoreError::Moved("conversation").into());
        }
        if delete_sources {
            let shared = shared_through(&mut tx, &self.workspace(), episode.conversation).await?;
            sqlx::query(
                "DELETE FROM messages WHERE workspace_id = ? AND id IN (SELECT value FROM json_each(?)) \
                 AND position > ?",
            )
            .bind(self.workspace())
            .bind(sources.clone())
            .bind(shared)
            .execute(&mut *tx)
            .await?;
        }
        sqlx::query(
            "INSERT INTO episodes (workspace_id, id, conversation_id, maker, turn_count, source_ids, from_at, \
             until_at, created_at, summary) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        )
        .bind(self.workspace())
        .bind(episode.id.to_string())
        .bind(episode.conversation.to_string())
        .bind(episode.maker.as_str())
        .bind(episode.sources.len() as i64)
        .bind(sources)
        .bind(micros(episode.from))
        .bind(micros(episode.until))
        .bind(micros(episode.created_at))
        .bind(&*episode.summary)
        .execute(&mut *tx)
        .await?;
        let row = [&*self.workspace(), &episode.id.to_string()];
        checksum::seal_rows(&mut tx, &EPISODES, "id = ?2", &row).await?;
        Ok(tx.commit().await?)
    }

    pub(crate) async fn read_off_record(&self, conversation: ConversationId) -> DbResult<Vec<MessageId>> {
        let ids: Vec<String> = sqlx::query_scalar(
            "SELECT m.id FROM off_record AS o \
             JOIN messages AS m ON m.workspace_id = o.workspace_id AND m.id = o.message_id \
             WHERE o.workspace_id = ? AND m.conversation_id = ?",
        )
        .bind(self.workspace())
        .bind(conversation.to_string())
        .fetch_all(&self.db.reader())
        .await?;
        ids.iter().map(|id| parsed(id, "message_id")).collect()
    }

    pub(crate) async fn read_episodes(
        &self,
        conversation: ConversationId,
        limit: usize,
    ) -> DbResult<Vec<Episode>> {
        let found = sqlx::query(
            "SELECT id, conversation_id, summary, source_ids, from_at, until_at, maker, created_at \
             FROM episodes WHERE workspace_id = ? AND conversation_id = ? AND removed_at IS NULL \
             ORDER BY until_at DESC, id DESC LIMIT ?",
        )
        .bind(self.workspace())
        .bind(conversation.to_string())
        .bind(i64::try_from(limit).unwrap_or(i64::MAX))
        .fetch_all(&self.db.reader())
        .await?;
        found.iter().rev().map(episode).collect()
    }

    pub(crate) async fn retire_episode(&self, id: EpisodeId, at: DateTime<Utc>) -> DbResult<bool> {
        let mut tx = self.db.begin_immediate().await?;
        let retired = sqlx::query(
            "UPDATE episodes SET removed_at = ? WHERE workspace_id = ? AND id = ? AND removed_at IS NULL",
        )
        .bind(micros(at))
        .bind(self.workspace())
        .bind(id.to_string())
        .execute(&mut *tx)
        .await?;
        tx.commit().await?;
        Ok(retired.rows_affected() > 0)
    }
}
