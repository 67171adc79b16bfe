//! The agent's working notes.

use chrono::{DateTime, Utc};
use inklings_domain::{
    ids::ConversationId,
    scratchpad::{MAX_KEYS, WorkingNote},
};
use inklings_ports::{scratchpad::ScratchpadStore, store_error::StoreError};
use sqlx::{Row, SqliteConnection, sqlite::SqliteRow};

use crate::error::{DbError, DbResult};
use crate::{
    checksum::{self, tables::NOTES},
    rows::{micros, moment, parsed},
    store::SqliteStore,
};

macro_rules! select_notes {
    () => {
        "SELECT conversation_id, key, value, created_at, updated_at, ttl_seconds, expires_at FROM scratchpads \
         WHERE workspace_id = ?1 AND conversation_id = ?2 AND (expires_at IS NULL OR expires_at > ?3)"
    };
}

pub(crate) fn note(row: &SqliteRow) -> DbResult<WorkingNote> {
    let ttl: Option<i64> = row.try_get("ttl_seconds")?;
    let expires: Option<i64> = row.try_get("expires_at")?;
    Ok(WorkingNote {
        conversation: parsed(row.try_get("conversation_id")?, "conversation_id")?,
        key: row.try_get("key")?,
        value: row.try_get("value")?,
        created_at: moment(row.try_get("created_at")?, "created_at")?,
        updated_at: moment(row.try_get("updated_at")?, "updated_at")?,
        ttl_seconds: ttl
            .map(|ttl| u32::try_from(ttl).map_err(|_| DbError::Row { column: "ttl_seconds" }))
            .transpose()?,
        expires_at: expires.map(|at| moment(at, "expires_at")).transpose()?,
    })
}

/// Clears the text of replaced notes that the writes of clients hold, once its expiry time has passed; such a note can no longer
/// be restored.
async fn forget_expired(conn: &mut SqliteConnection, now: DateTime<Utc>) -> DbResult<()> {
    sqlx::query(
        "UPDATE client_writes SET before = NULL, before_expires_at = NULL WHERE before_expires_at <= ?",
    )
    .bind(micros(now))
    .execute(conn)
    .await?;
    Ok(())
}

impl SqliteStore {
    async fn put_note(&self, note: &WorkingNote) -> DbResult<()> {
        let mut tx = self.db.begin_immediate().await?;
        self.put_note_within(&mut tx, note).await?;
        Ok(tx.commit().await?)
    }

    /// Writes a note within a transaction of the caller. Deletes expired notes.
    pub(crate) async fn put_note_within(
        &self,
        conn: &mut SqliteConnection,
        note: &WorkingNote,
    ) -> DbResult<()> {
        self.standing(conn, note.conversation).await?;
        sqlx::query("DELETE FROM scratchpads WHERE expires_at <= ?")
            .bind(micros(note.updated_at))
            .execute(&mut *conn)
            .await?;
        forget_expired(conn, note.updated_at).await?;
        let others: i64 = sqlx::query_scalar(
            "SELECT count(*) FROM scratchpads WHERE workspace_id = ? AND conversation_id = ? AND key <> ?",
        )
        .bind(self.workspace())
        .bind(note.conversation.to_string())
        .bind(&*note.key)
        .fetch_one(&mut *conn)
        .await?;
        if others >= MAX_KEYS as i64 {
            return Err(StoreError::Refused("this scratchpad is full".into()).into());
        }
        sqlx::query(
            "INSERT INTO scratchpads (workspace_id, conversation_id, key, created_at, updated_at, ttl_seconds, \
             expires_at, value) VALUES (?, ?, ?, ?, ?, ?, ?, ?) \
             ON CONFLICT (workspace_id, conversation_id, key) DO UPDATE SET updated_at = excluded.updated_at, \
             ttl_seconds = excluded.ttl_seconds, expires_at = excluded.expires_at, value = excluded.value, \
             checksum = NULL",
        )
        .bind(self.workspace())
        .bind(note.conversation.to_string())
        .bind(&*note.key)
        .bind(micros(note.created_at))
        .bind(micros(note.updated_at))
        .bind(note.ttl_seconds.map(i64::from))
        .bind(note.expires_at.map(micros))
        .bind(&*note.value)
        .execute(&mut *conn)
        .await?;
        let row = [&*self.workspace(), &note.conversation.to_string(), &*note.key];
        checksum::seal_rows(conn, &NOTES, "conversation_id = ?2 AND key = ?3", &row).await
    }

    /// The unexpired notes of a conversation, or the one with a key, read within a transaction of the caller.
    pub(crate) async fn living_notes(
        &self,
        conn: &mut SqliteConnection,
        (conversation, key): (ConversationId, Option<&str>),
        now: DateTime<Utc>,
    ) -> DbResult<Vec<WorkingNote>> {
        let rows = sqlx::query(concat!(select_notes!(), " AND (?4 IS NULL OR key = ?4) ORDER BY key"))
            .bind(self.workspace())
            .bind(conversation.to_string())
            .bind(micros(now))
            .bind(key)
            .fetch_all(conn)
            .await?;
        rows.iter().map(note).collect()
    }

    async fn touch_note(
        &self,
        conversation: ConversationId,
        key: &str,
        now: DateTime<Utc>,
    ) -> DbResult<Option<WorkingNote>> {
        let row = sqlx::query(concat!(select_notes!(), " AND key = ?4"))
            .bind(self.workspace())
            .bind(conversation.to_string())
            .bind(micros(now))
            .bind(key)
            .fetch_optional(&self.db.reader())
            .await?;
        let Some(mut found) = row.as_ref().map(note).transpose()? else { return Ok(None) };
        let renewed = found.expiry(now);
        if renewed > found.expires_at && !self.db.is_read_only() {
            let mut tx = self.db.begin_immediate().await?;
            // Only if the note still has the same lifetime: another writer may have replaced it meanwhile.
            sqlx::query(
                "UPDATE scratchpads SET expires_at = ?1 WHERE workspace_id = ?2 AND conversation_id = ?3 \
                 AND key = ?4 AND ttl_seconds = ?5 AND expires_at < ?1",
            )
            .bind(renewed.map(micros))
            .bind(self.workspace())
            .bind(conversation.to_string())
            .bind(key)
            .bind(found.ttl_seconds.map(i64::from))
            .execute(&mut *tx)
            .await?;
            tx.commit().await?;
            found.expires_at = renewed;
        }
        Ok(Some(found))
    }

    async fn read_notes(
        &self,
        conversation: ConversationId,
        now: DateTime<Utc>,
    ) -> DbResult<Vec<WorkingNote>> {
        let rows = sqlx::query(concat!(select_notes!(), " ORDER BY key"))
            .bind(self.workspace())
            .bind(conversation.to_string())
            .bind(micros(now))
            .fetch_all(&self.db.reader())
            .await?;
        rows.iter().map(note).collect()
    }

    async fn read_newest_notes(&self, now: DateTime<Utc>, limit: usize) -> DbResult<Vec<WorkingNote>> {
        let rows = sqlx::query(
            "SELECT conversation_id, key, value, created_at, updated_at, ttl_seconds, expires_at \
             FROM scratchpads WHERE workspace_id = ? AND (expires_at IS NULL OR expires_at > ?) \
             ORDER BY updated_at DESC, key LIMIT ?",
        )
        .bind(self.workspace())
        .bind(micros(now))
        .bind(i64::try_from(limit).unwrap_or(i64::MAX))
        .fetch_all(&self.db.reader())
        .await?;
        rows.iter().map(note).collect()
    }

    async fn delete_notes(
        &self,
        conversation: ConversationId,
        key: Option<&str>,
        working_only: bool,
    ) -> DbResult<usize> {
        let mut tx = self.db.begin_immediate().await?;
        let cleared = self.delete_notes_within(&mut tx, (conversation, key), working_only).await?;
        tx.commit().await?;
        Ok(cleared)
    }

    /// Removes notes within a transaction of the caller.
    pub(crate) async fn delete_notes_within(
        &self,
        conn: &mut SqliteConnection,
        (conversation, key): (ConversationId, Option<&str>),
        working_only: bool,
    ) -> DbResult<usize> {
        let cleared = sqlx::query(
            "DELETE FROM scratchpads WHERE workspace_id = ?1 AND conversation_id = ?2 \
             AND (?3 IS NULL OR key = ?3) AND (NOT ?4 OR ttl_seconds IS NOT NULL)",
        )
        .bind(self.workspace())
        .bind(conversation.to_string())
        .bind(key)
        .bind(working_only)
        .execute(conn)
        .await?;
        Ok(usize::try_from(cleared.rows_affected()).unwrap_or(usize::MAX))
    }
}

#[async_trait::async_trait]
impl ScratchpadStore for SqliteStore {
    async fn write_note(&self, note: &WorkingNote) -> Result<(), StoreError> {
        self.public(self.put_note(note).await)
    }

    async fn read_note(
        &self,
        conversation: ConversationId,
        key: &str,
        now: DateTime<Utc>,
    ) -> Result<Option<WorkingNote>, StoreError> {
        self.public(self.touch_note(conversation, key, now).await)
    }

    async fn notes(
        &self,
        conversation: ConversationId,
        now: DateTime<Utc>,
    ) -> Result<Vec<WorkingNote>, StoreError> {
        self.public(self.read_notes(conversation, now).await)
    }

    async fn newest_notes(&self, now: DateTime<Utc>, limit: usize) -> Result<Vec<WorkingNote>, StoreError> {
        self.public(self.read_newest_notes(now, limit).await)
    }

    async fn clear_notes(
        &self,
        conversation: ConversationId,
        key: Option<&str>,
        working_only: bool,
    ) -> Result<usize, StoreError> {
        self.public(self.delete_notes(conversation, key, working_only).await)
    }
}
