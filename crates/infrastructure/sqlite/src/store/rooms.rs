//! Channels and conversations.

use inklings_application::ports::{
    error::StoreError,
    room_store::{ChannelSummary, RoomStore},
};
use inklings_domain::{
    channel::{Channel, ChannelName},
    conversation::Conversation,
    ids::{ChannelId, ConversationId},
    ref_code::RefCode,
};
use sqlx::{Row, SqliteConnection, sqlite::SqliteRow};

use super::{
    SqliteStore,
    rows::{json_list, micros, moment, parsed},
};
use crate::error::{DbError, DbResult};

macro_rules! channel_columns {
    () => {
        "c.id, c.workspace_id, c.name, c.description, c.is_default, c.created_at"
    };
}

macro_rules! conversation_columns {
    () => {
        "c.id, c.ref_code, c.channel_id, c.title, c.started_at, c.ended_at, c.status"
    };
}

fn channel(row: &SqliteRow) -> DbResult<Channel> {
    Ok(Channel {
        id: parsed(row.try_get(0)?, "id")?,
        workspace_id: parsed(row.try_get(1)?, "workspace_id")?,
        name: ChannelName::new(row.try_get(2)?).map_err(|_| DbError::Row { column: "name" })?,
        description: row.try_get(3)?,
        is_default: row.try_get(4)?,
        created_at: moment(row.try_get(5)?, "created_at")?,
    })
}

fn conversation(row: &SqliteRow) -> DbResult<Conversation> {
    Ok(Conversation {
        id: parsed(row.try_get(0)?, "id")?,
        ref_code: parsed(row.try_get(1)?, "ref_code")?,
        channel_id: parsed(row.try_get(2)?, "channel_id")?,
        title: row.try_get(3)?,
        started_at: moment(row.try_get(4)?, "started_at")?,
        ended_at: row.try_get::<Option<i64>, _>(5)?.map(|at| moment(at, "ended_at")).transpose()?,
        status: parsed(row.try_get(6)?, "status")?,
    })
}

/// Adds a channel within a transaction.
///
/// # Errors
/// A unique violation if its id or name is taken.
pub async fn insert_channel(conn: &mut SqliteConnection, channel: &Channel) -> DbResult<()> {
    sqlx::query(
        "INSERT INTO channels (workspace_id, id, name, name_folded, description, is_default, created_at) \
         VALUES (?, ?, ?, ?, ?, ?, ?)",
    )
    .bind(channel.workspace_id.to_string())
    .bind(channel.id.to_string())
    .bind(channel.name.as_str().to_owned())
    .bind(channel.name.folded())
    .bind(channel.description.clone())
    .bind(channel.is_default)
    .bind(micros(channel.created_at))
    .execute(conn)
    .await?;
    Ok(())
}

impl SqliteStore {
    async fn read_channels(&self) -> DbResult<Vec<ChannelSummary>> {
        let found = sqlx::query(concat!(
            "SELECT ",
            channel_columns!(),
            ", (SELECT count(*) FROM memories AS m WHERE m.channel_id = c.id AND m.forgotten_at IS NULL) \
             FROM channels AS c WHERE c.workspace_id = ? ORDER BY c.is_default DESC, c.name_folded"
        ))
        .bind(self.workspace())
        .fetch_all(self.db.reader())
        .await?;
        found
            .iter()
            .map(|row| {
                Ok(ChannelSummary { channel: channel(row)?, memories: row.try_get::<i64, _>(6)? as u64 })
            })
            .collect()
    }

    async fn read_channel(&self, name: &ChannelName) -> DbResult<Option<Channel>> {
        let row = sqlx::query(concat!(
            "SELECT ",
            channel_columns!(),
            " FROM channels AS c WHERE c.workspace_id = ? AND c.name_folded = ?"
        ))
        .bind(self.workspace())
        .bind(name.folded())
        .fetch_optional(self.db.reader())
        .await?;
        row.as_ref().map(channel).transpose()
    }

    async fn write_channel(&self, channel: &Channel) -> DbResult<()> {
        let mut tx = self.db.begin_immediate().await?;
        insert_channel(&mut tx, channel).await?;
        Ok(tx.commit().await?)
    }

    async fn read_conversations(&self, ids: &[ConversationId]) -> DbResult<Vec<Conversation>> {
        let found = sqlx::query(concat!(
            "SELECT ",
            conversation_columns!(),
            " FROM conversations AS c WHERE c.workspace_id = ? AND c.id IN (SELECT value FROM json_each(?))"
        ))
        .bind(self.workspace())
        .bind(json_list(ids))
        .fetch_all(self.db.reader())
        .await?;
        found.iter().map(conversation).collect()
    }

    async fn read_conversation(&self, code: RefCode) -> DbResult<Option<Conversation>> {
        let row = sqlx::query(concat!(
            "SELECT ",
            conversation_columns!(),
            " FROM conversations AS c WHERE c.workspace_id = ? AND c.ref_code = ?"
        ))
        .bind(self.workspace())
        .bind(code.to_string())
        .fetch_optional(self.db.reader())
        .await?;
        row.as_ref().map(conversation).transpose()
    }

    async fn read_latest_active(&self, channel: ChannelId) -> DbResult<Option<Conversation>> {
        let row = sqlx::query(concat!(
            "SELECT ",
            conversation_columns!(),
            " FROM conversations AS c WHERE c.workspace_id = ? AND c.channel_id = ? AND c.status = 'active' \
             ORDER BY c.started_at DESC, c.id DESC LIMIT 1"
        ))
        .bind(self.workspace())
        .bind(channel.to_string())
        .fetch_optional(self.db.reader())
        .await?;
        row.as_ref().map(conversation).transpose()
    }

    async fn write_conversation(&self, conversation: &Conversation) -> DbResult<()> {
        let mut tx = self.db.begin_immediate().await?;
        sqlx::query(
            "INSERT INTO conversations \
             (workspace_id, id, channel_id, ref_code, title, status, started_at, ended_at) \
             VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        )
        .bind(self.workspace())
        .bind(conversation.id.to_string())
        .bind(conversation.channel_id.to_string())
        .bind(conversation.ref_code.to_string())
        .bind(conversation.title.clone())
        .bind(conversation.status.as_str())
        .bind(micros(conversation.started_at))
        .bind(conversation.ended_at.map(micros))
        .execute(&mut *tx)
        .await?;
        Ok(tx.commit().await?)
    }
}

#[async_trait::async_trait]
impl RoomStore for SqliteStore {
    async fn channels(&self) -> Result<Vec<ChannelSummary>, StoreError> {
        self.public(self.read_channels().await)
    }

    async fn channel_named(&self, name: &ChannelName) -> Result<Option<Channel>, StoreError> {
        self.public(self.read_channel(name).await)
    }

    async fn add_channel(&self, channel: &Channel) -> Result<(), StoreError> {
        self.public(self.write_channel(channel).await)
    }

    async fn conversations(&self, ids: &[ConversationId]) -> Result<Vec<Conversation>, StoreError> {
        self.public(self.read_conversations(ids).await)
    }

    async fn conversation_by_ref(&self, code: RefCode) -> Result<Option<Conversation>, StoreError> {
        self.public(self.read_conversation(code).await)
    }

    async fn latest_active_conversation(
        &self,
        channel: ChannelId,
    ) -> Result<Option<Conversation>, StoreError> {
        self.public(self.read_latest_active(channel).await)
    }

    async fn add_conversation(&self, conversation: &Conversation) -> Result<(), StoreError> {
        self.public(self.write_conversation(conversation).await)
    }
}
