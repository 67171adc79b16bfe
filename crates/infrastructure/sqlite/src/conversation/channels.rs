//! Channels and conversations.

use chrono::{DateTime, Utc};
use inklings_domain::{
    channel::{Channel, ChannelName},
    conversation::{Conversation, ConversationStatus, ModelChoice, ref_code::RefCode, title::TitleSource},
    ids::{ChannelId, ConversationId},
    lens::Lens,
    text::contains_words,
};
use inklings_ports::{
    conversation::store::{
        ChannelSummary, ConversationCursor, ConversationFilter, ConversationStore, ConversationSummary,
    },
    store_error::StoreError,
};
use sqlx::{Row, SqliteConnection, sqlite::SqliteRow};

use crate::{
    conversation::branches::sharing,
    error::{DbError, DbResult},
    memory::filter_sql::{Sql, blank_entries, push_in},
};
use crate::{
    lens::{columns, lens},
    rows::{json_list, maybe_moment, micros, moment, parsed},
    store::SqliteStore,
};

macro_rules! channel_columns {
    () => {
        "c.id, c.workspace_id, c.name, c.description, c.is_default, c.created_at, c.archived_at"
    };
}

macro_rules! conversation_columns {
    () => {
        "c.id, c.ref_code, c.channel_id, c.title, c.started_at, c.ended_at, c.status, c.continues_id, c.active_at, \
         c.knower_id, c.as_of, c.as_of_chapter, c.title_by, c.title_of, c.shares_through, \
         c.chat_model, c.chat_address"
    };
}

fn count(row: &SqliteRow, at: usize) -> DbResult<u64> {
    Ok(row.try_get::<i64, _>(at)?.unsigned_abs())
}

fn channel(row: &SqliteRow) -> DbResult<Channel> {
    Ok(Channel {
        id: parsed(row.try_get(0)?, "id")?,
        workspace_id: parsed(row.try_get(1)?, "workspace_id")?,
        name: ChannelName::new(row.try_get(2)?).map_err(|_| DbError::Row { column: "name" })?,
        description: row.try_get(3)?,
        is_default: row.try_get(4)?,
        created_at: moment(row.try_get(5)?, "created_at")?,
        archived_at: maybe_moment(row, 6, "archived_at")?,
    })
}

fn conversation(row: &SqliteRow) -> DbResult<Conversation> {
    Ok(Conversation {
        id: parsed(row.try_get(0)?, "id")?,
        ref_code: parsed(row.try_get(1)?, "ref_code")?,
        channel_id: parsed(row.try_get(2)?, "channel_id")?,
        title: row.try_get(3)?,
        started_at: moment(row.try_get(4)?, "started_at")?,
        ended_at: maybe_moment(row, 5, "ended_at")?,
        status: parsed(row.try_get(6)?, "status")?,
        continues: row.try_get::<Option<&str>, _>(7)?.map(|id| parsed(id, "continues_id")).transpose()?,
        active_at: moment(row.try_get(8)?, "active_at")?,
        lens: lens(row, 9)?,
        titled: titled(row, 12)?,
        shares_through: row.try_get::<Option<i64>, _>(14)?.map(i64::unsigned_abs),
        model: model(row, 15)?,
    })
}

/// The model of a conversation, from its two columns.
fn model(row: &SqliteRow, at: usize) -> DbResult<Option<ModelChoice>> {
    let names = (row.try_get::<Option<&str>, _>(at)?, row.try_get::<Option<&str>, _>(at + 1)?);
    let (Some(model), Some(address)) = names else { return Ok(None) };
    Ok(Some(ModelChoice::new(model, address).map_err(|_| DbError::Row { column: "chat_model" })?))
}

/// The source of a title, from its two columns.
fn titled(row: &SqliteRow, at: usize) -> DbResult<Option<TitleSource>> {
    let Some(maker) = row.try_get::<Option<&str>, _>(at)? else { return Ok(None) };
    let message = row.try_get::<Option<&str>, _>(at + 1)?.map(|id| parsed(id, "title_of")).transpose()?;
    let source = TitleSource::of(parsed(maker, "title_by")?, message);
    Ok(Some(source.ok_or(DbError::Row { column: "title_of" })?))
}

/// The message that a conversation's title was made of, as a column.
pub fn title_message(conversation: &Conversation) -> Option<String> {
    conversation.titled.and_then(TitleSource::message).map(|id| id.to_string())
}

/// Selects conversations with their counts, in the column order of [`summary`].
macro_rules! select_summaries {
    () => {
        concat!(
            "SELECT ",
            conversation_columns!(),
            ", (SELECT count(*) FROM messages AS m WHERE m.workspace_id = c.workspace_id \
               AND m.conversation_id = c.id) - \
              (SELECT count(*) FROM messages AS m WHERE m.workspace_id = c.workspace_id \
               AND m.conversation_id = c.id AND m.through IS NOT NULL), \
             (SELECT count(*) FROM memories AS m WHERE m.conversation_id = c.id AND m.forgotten_at IS NULL) - \
              (SELECT count(*) FROM ",
            blank_entries!(),
            " AND m.conversation_id = c.id AND m.forgotten_at IS NULL) FROM conversations AS c"
        )
    };
}

/// The first column behind those of `conversation_columns!`.
const SUMMED: usize = 17;

fn summary(row: &SqliteRow) -> DbResult<ConversationSummary> {
    Ok(ConversationSummary {
        conversation: conversation(row)?,
        messages: count(row, SUMMED)?,
        memories: count(row, SUMMED + 1)?,
    })
}

/// Adds a channel within a transaction.
///
/// # Errors
/// A unique violation if its id or name is taken.
pub async fn insert_channel(conn: &mut SqliteConnection, channel: &Channel) -> DbResult<()> {
    sqlx::query(
        "INSERT INTO channels (workspace_id, id, name, name_folded, description, is_default, created_at, \
         archived_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
    )
    .bind(channel.workspace_id.to_string())
    .bind(channel.id.to_string())
    .bind(channel.name.as_str().to_owned())
    .bind(channel.name.folded())
    .bind(channel.description.clone())
    .bind(channel.is_default)
    .bind(micros(channel.created_at))
    .bind(channel.archived_at.map(micros))
    .execute(conn)
    .await?;
    Ok(())
}

impl SqliteStore {
    /// All channels, or one.
    async fn read_channels(&self, only: Option<ChannelId>) -> DbResult<Vec<ChannelSummary>> {
        let found = sqlx::query(concat!(
            "SELECT ",
            channel_columns!(),
            ", (SELECT count(*) FROM memories AS m WHERE m.channel_id = c.id AND m.forgotten_at IS NULL) - \
              (SELECT count(*) FROM ",
            blank_entries!(),
            " AND m.channel_id = c.id AND m.forgotten_at IS NULL), \
             (SELECT count(*) FROM conversations AS t WHERE t.workspace_id = c.workspace_id \
              AND t.channel_id = c.id AND t.status IN ('active', 'idle') AND t.deleted_at IS NULL), \
             (SELECT count(*) FROM conversations AS t WHERE t.workspace_id = c.workspace_id \
              AND t.channel_id = c.id AND t.status = 'archived' AND t.deleted_at IS NULL) \
             FROM channels AS c WHERE c.workspace_id = ?1 AND (?2 IS NULL OR c.id = ?2) \
             ORDER BY c.is_default DESC, c.name_folded"
        ))
        .bind(self.workspace())
        .bind(only.map(|id| id.to_string()))
        .fetch_all(&self.db.reader())
        .await?;
        found
            .iter()
            .map(|row| {
                Ok(ChannelSummary {
                    channel: channel(row)?,
                    memories: count(row, 7)?,
                    conversations: count(row, 8)?,
                    archived_conversations: count(row, 9)?,
                })
            })
            .collect()
    }

    async fn read_channel_by_id(&self, id: ChannelId) -> DbResult<Option<Channel>> {
        let row = sqlx::query(concat!(
            "SELECT ",
            channel_columns!(),
            " FROM channels AS c WHERE c.workspace_id = ? AND c.id = ?"
        ))
        .bind(self.workspace())
        .bind(id.to_string())
        .fetch_optional(&self.db.reader())
        .await?;
        row.as_ref().map(channel).transpose()
    }

    async fn read_channel(&self, name: &ChannelName) -> DbResult<Option<Channel>> {
        let row = sqlx::query(concat!(
            "SELECT ",
            channel_columns!(),
            " FROM channels AS c WHERE c.workspace_id = ? AND c.name_folded = ?"
        ))
        .bind(self.workspace())
        .bind(name.folded())
        .fetch_optional(&self.db.reader())
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
            " FROM conversations AS c WHERE c.workspace_id = ? AND c.deleted_at IS NULL \
             AND c.id IN (SELECT value FROM json_each(?))"
        ))
        .bind(self.workspace())
        .bind(json_list(ids))
        .fetch_all(&self.db.reader())
        .await?;
        found.iter().map(conversation).collect()
    }

    async fn read_branches(&self, id: ConversationId) -> DbResult<Vec<Conversation>> {
        // One that shares nothing is a branch too.
        let found = sqlx::query(concat!(
            sharing!("workspace_id = ?1 AND continues_id = ?2"),
            "SELECT ",
            conversation_columns!(),
            " FROM conversations AS c WHERE c.workspace_id = ?1 AND c.deleted_at IS NULL \
             AND ((c.continues_id = ?2 AND c.shares_through IS NOT NULL) OR c.id IN (SELECT id FROM sharing)) \
             AND c.id <> ?2 ORDER BY c.started_at, c.id"
        ))
        .bind(self.workspace())
        .bind(id.to_string())
        .fetch_all(&self.db.reader())
        .await?;
        found.iter().map(conversation).collect()
    }

    async fn read_conversation(&self, code: RefCode) -> DbResult<Option<Conversation>> {
        let row = sqlx::query(concat!(
            "SELECT ",
            conversation_columns!(),
            " FROM conversations AS c WHERE c.workspace_id = ? AND c.ref_code = ? AND c.deleted_at IS NULL"
        ))
        .bind(self.workspace())
        .bind(code.to_string())
        .fetch_optional(&self.db.reader())
        .await?;
        row.as_ref().map(conversation).transpose()
    }

    async fn read_latest_active(&self, channel: ChannelId) -> DbResult<Option<Conversation>> {
        let row = sqlx::query(concat!(
            "SELECT ",
            conversation_columns!(),
            " FROM conversations AS c WHERE c.workspace_id = ? AND c.channel_id = ? AND c.status = 'active' \
             AND c.deleted_at IS NULL ORDER BY c.started_at DESC, c.id DESC LIMIT 1"
        ))
        .bind(self.workspace())
        .bind(channel.to_string())
        .fetch_optional(&self.db.reader())
        .await?;
        row.as_ref().map(conversation).transpose()
    }

    async fn write_lens(&self, id: ConversationId, lens: Lens) -> DbResult<bool> {
        let (knower, moment, chapter) = columns(lens);
        let mut tx = self.db.begin_immediate().await?;
        let set = sqlx::query(
            "UPDATE conversations SET knower_id = ?, as_of = ?, as_of_chapter = ? \
             WHERE workspace_id = ? AND id = ? AND last_position = 0 AND deleted_at IS NULL",
        );
        let set = set.bind(knower).bind(moment).bind(chapter).bind(self.workspace()).bind(id.to_string());
        let changed = set.execute(&mut *tx).await?.rows_affected();
        tx.commit().await?;
        Ok(changed == 1)
    }

    async fn write_model(&self, id: ConversationId, choice: Option<&ModelChoice>) -> DbResult<bool> {
        let mut tx = self.db.begin_immediate().await?;
        let written = sqlx::query(
            "UPDATE conversations SET chat_model = ?, chat_address = ? \
             WHERE workspace_id = ? AND id = ? AND deleted_at IS NULL",
        )
        .bind(choice.map(ModelChoice::model))
        .bind(choice.map(ModelChoice::address))
        .bind(self.workspace())
        .bind(id.to_string())
        .execute(&mut *tx)
        .await?;
        tx.commit().await?;
        Ok(written.rows_affected() == 1)
    }

    async fn write_conversation(&self, conversation: &Conversation) -> DbResult<()> {
        let mut tx = self.db.begin_immediate().await?;
        self.insert_conversation(&mut tx, conversation, None).await?;
        Ok(tx.commit().await?)
    }

    /// Adds a conversation within a transaction, with its former id if it is imported.
    pub(crate) async fn insert_conversation(
        &self,
        conn: &mut SqliteConnection,
        conversation: &Conversation,
        external_id: Option<&str>,
    ) -> DbResult<()> {
        let (knower, moment, chapter) = columns(conversation.lens);
        sqlx::query(
            "INSERT INTO conversations \
             (workspace_id, id, channel_id, ref_code, title, status, started_at, ended_at, continues_id, \
              active_at, external_id, knower_id, as_of, as_of_chapter, title_by, title_of, shares_through, last_position, \
              chat_model, chat_address) \
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, coalesce(?17, 0), ?18, ?19)",
        )
        .bind(self.workspace())
        .bind(conversation.id.to_string())
        .bind(conversation.channel_id.to_string())
        .bind(conversation.ref_code.to_string())
        .bind(conversation.title.clone())
        .bind(conversation.status.as_str())
        .bind(micros(conversation.started_at))
        .bind(conversation.ended_at.map(micros))
        .bind(conversation.continues.map(|id| id.to_string()))
        .bind(micros(conversation.active_at))
        .bind(external_id.map(str::to_owned))
        .bind(knower)
        .bind(moment)
        .bind(chapter)
        .bind(conversation.titled.map(|source| source.maker().as_str()))
        .bind(title_message(conversation))
        .bind(conversation.shares_through.map(|position| position as i64))
        .bind(conversation.model.as_ref().map(|choice| choice.model().to_owned()))
        .bind(conversation.model.as_ref().map(|choice| choice.address().to_owned()))
        .execute(conn)
        .await?;
        Ok(())
    }

    async fn read_conversation_page(
        &self,
        filter: &ConversationFilter,
        after: Option<ConversationCursor>,
        limit: usize,
    ) -> DbResult<Vec<ConversationSummary>> {
        let titled;
        let (filter, after) = match &filter.title {
            None => (filter, after),
            Some(words) => {
                titled = ConversationFilter {
                    only: Some(self.read_titled(words, filter, after, limit).await?),
                    statuses: ConversationStatus::ALL.to_vec(),
                    ..ConversationFilter::default()
                };
                (&titled, None)
            }
        };
        let mut sql = Sql::new(select_summaries!());
        self.push_conversation_page(&mut sql, filter, after, limit);
        let found = sql.build().fetch_all(&self.db.reader()).await?;
        found.iter().map(summary).collect()
    }

    /// The first conversations of a list whose titles contain the words. SQLite folds the case of ASCII alone.
    async fn read_titled(
        &self,
        words: &str,
        filter: &ConversationFilter,
        after: Option<ConversationCursor>,
        limit: usize,
    ) -> DbResult<Vec<ConversationId>> {
        let mut sql = Sql::new("SELECT c.id, c.title FROM conversations c");
        self.push_conversation_page(&mut sql, filter, after, usize::MAX);
        let listed = sql.build().fetch_all(&self.db.reader()).await?;
        let mut ids = Vec::new();
        for row in &listed {
            if ids.len() == limit {
                break;
            }
            if contains_words(row.try_get(1)?, words) {
                ids.push(parsed(row.try_get(0)?, "id")?);
            }
        }
        Ok(ids)
    }

    /// Appends conditions, order and limit of a list of conversations `c`. The title is no condition of it.
    fn push_conversation_page(
        &self,
        sql: &mut Sql,
        filter: &ConversationFilter,
        after: Option<ConversationCursor>,
        limit: usize,
    ) {
        // The unary pluses make SQLite choose the index by the sort order, so a page can stop early.
        sql.push(" WHERE c.deleted_at IS NULL AND +c.workspace_id = ").push_bind(self.workspace());
        if let Some(channel) = filter.channel {
            sql.push(" AND +c.channel_id = ").push_bind(channel.to_string());
        }
        if let Some(only) = &filter.only {
            sql.push(" AND ");
            push_in(sql, "c.id", only);
        }
        let all = [ConversationStatus::Active, ConversationStatus::Idle];
        let statuses = if filter.statuses.is_empty() { &all } else { filter.statuses.as_slice() };
        sql.push(" AND ");
        push_in(sql, "+c.status", statuses);
        if let Some(after) = after {
            sql.push(" AND (c.active_at, c.id) < (").push_bind(micros(after.active_at));
            sql.push(", ").push_bind(after.id.to_string()).push(")");
        }
        sql.push(" ORDER BY c.active_at DESC, c.id DESC LIMIT ");
        sql.push_bind(i64::try_from(limit).unwrap_or(i64::MAX));
    }

    async fn read_summary(&self, id: ConversationId) -> DbResult<Option<ConversationSummary>> {
        let row = sqlx::query(concat!(
            select_summaries!(),
            " WHERE c.deleted_at IS NULL AND c.workspace_id = ? AND c.id = ?"
        ))
        .bind(self.workspace())
        .bind(id.to_string())
        .fetch_optional(&self.db.reader())
        .await?;
        row.as_ref().map(summary).transpose()
    }

    async fn read_channel_names(&self) -> DbResult<Vec<(ChannelId, ChannelName)>> {
        let found = sqlx::query("SELECT id, name FROM channels WHERE workspace_id = ?")
            .bind(self.workspace())
            .fetch_all(&self.db.reader())
            .await?;
        let name = |row: &SqliteRow| {
            let name = ChannelName::new(row.try_get(1)?).map_err(|_| DbError::Row { column: "name" })?;
            Ok((parsed(row.try_get(0)?, "id")?, name))
        };
        found.iter().map(name).collect()
    }
}

#[async_trait::async_trait]
impl ConversationStore for SqliteStore {
    async fn channels(&self) -> Result<Vec<ChannelSummary>, StoreError> {
        self.public(self.read_channels(None).await)
    }

    async fn channel_summary(&self, id: ChannelId) -> Result<Option<ChannelSummary>, StoreError> {
        Ok(self.public(self.read_channels(Some(id)).await)?.pop())
    }

    async fn channel_names(&self) -> Result<Vec<(ChannelId, ChannelName)>, StoreError> {
        self.public(self.read_channel_names().await)
    }

    async fn channel_named(&self, name: &ChannelName) -> Result<Option<Channel>, StoreError> {
        self.public(self.read_channel(name).await)
    }

    async fn channel_by_id(&self, id: ChannelId) -> Result<Option<Channel>, StoreError> {
        self.public(self.read_channel_by_id(id).await)
    }

    async fn add_channel(&self, channel: &Channel) -> Result<(), StoreError> {
        self.public(self.write_channel(channel).await)
    }

    async fn update_channel(&self, channel: &Channel) -> Result<(), StoreError> {
        self.public(self.replace_channel(channel).await)
    }

    async fn delete_channel(&self, id: ChannelId, move_to: Option<ChannelId>) -> Result<(), StoreError> {
        self.public(self.dissolve_channel(id, move_to).await)
    }

    async fn conversations(&self, ids: &[ConversationId]) -> Result<Vec<Conversation>, StoreError> {
        self.public(self.read_conversations(ids).await)
    }

    async fn branches(&self, id: ConversationId) -> Result<Vec<Conversation>, StoreError> {
        self.public(self.read_branches(id).await)
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

    async fn list_conversations(
        &self,
        filter: &ConversationFilter,
        after: Option<ConversationCursor>,
        limit: usize,
    ) -> Result<Vec<ConversationSummary>, StoreError> {
        self.public(self.read_conversation_page(filter, after, limit).await)
    }

    async fn conversation_summary(
        &self,
        id: ConversationId,
    ) -> Result<Option<ConversationSummary>, StoreError> {
        self.public(self.read_summary(id).await)
    }

    async fn set_lens(&self, id: ConversationId, lens: Lens) -> Result<bool, StoreError> {
        self.public(self.write_lens(id, lens).await)
    }

    async fn set_model(&self, id: ConversationId, model: Option<&ModelChoice>) -> Result<bool, StoreError> {
        self.public(self.write_model(id, model).await)
    }

    async fn set_own_title(
        &self,
        id: ConversationId,
        title: &str,
        source: TitleSource,
    ) -> Result<bool, StoreError> {
        self.public(self.write_own_title(id, title, source).await)
    }

    async fn add_conversation(&self, conversation: &Conversation) -> Result<(), StoreError> {
        self.public(self.write_conversation(conversation).await)
    }

    async fn update_conversation(
        &self,
        conversation: &Conversation,
        was: ConversationStatus,
    ) -> Result<(), StoreError> {
        self.public(self.replace_conversation(conversation, was).await)
    }

    async fn end_and_continue(
        &self,
        ended: &Conversation,
        was: ConversationStatus,
        next: &Conversation,
    ) -> Result<(), StoreError> {
        self.public(self.write_end_and_next(ended, was, next).await)
    }

    async fn delete_conversation(&self, id: ConversationId, at: DateTime<Utc>) -> Result<bool, StoreError> {
        self.public(self.empty_conversation(id, at).await)
    }
}
