//! The writes of MCP clients besides memory: each is carried out together with the row that records it, and
//! marked when it is undone.

use chrono::{DateTime, Utc};
use inklings_domain::{
    client::write::{ClientWrite, NoteMark, WriteKind, Wrote},
    fact::FactSource,
    ids::{ClaimId, ClientId, ConversationId, FactId, MessageId},
    memory::change_set::ChangeOrder,
    scratchpad::WorkingNote,
};
use inklings_ports::{
    client::write_store::{ClientAct, ClientWriteStore, Reversal},
    fact::Settlement,
    store_error::StoreError,
};
use sqlx::{Row, SqliteConnection, sqlite::SqliteRow};

use crate::error::{DbError, DbResult};
use crate::{
    rows::{count, maybe, maybe_moment, micros, moment, parsed},
    scratchpad::note,
    store::SqliteStore,
};

/// The record of a write and what it replaced, before it is stored.
#[derive(Default)]
struct ReplacedRow {
    row_id: String,
    fact: Option<FactId>,
    conversation: Option<ConversationId>,
    made: Option<String>,
    before: Option<String>,
    note: Option<WorkingNote>,
}

fn write(row: &SqliteRow) -> DbResult<ClientWrite> {
    let made: Option<String> = row.try_get(7)?;
    let row_id: String = row.try_get(4)?;
    let damaged = |column| DbError::Row { column };
    let fact = || maybe(row, 5, "fact_id")?.ok_or(damaged("fact_id"));
    let conversation = || maybe(row, 6, "conversation_id")?.ok_or(damaged("conversation_id"));
    let wrote = match parsed::<WriteKind>(row.try_get(3)?, "kind")? {
        WriteKind::Fact => {
            Wrote::Fact { fact: fact()?, made: parsed(made.as_deref().unwrap_or_default(), "made")? }
        }
        WriteKind::Claim => Wrote::Claim { claim: parsed(&row_id, "row_id")?, fact: fact()? },
        WriteKind::Message => {
            Wrote::Message { message: parsed(&row_id, "row_id")?, conversation: conversation()? }
        }
        WriteKind::Note => {
            Wrote::Note { conversation: conversation()?, key: row_id, made: made.map(NoteMark::from_stored) }
        }
        WriteKind::Setting => {
            Wrote::Setting { key: row_id, before: row.try_get(9)?, made: made.ok_or(damaged("made"))? }
        }
    };
    Ok(ClientWrite {
        sequence: row.try_get::<i64, _>(0)?.unsigned_abs(),
        order: ChangeOrder(count(row, 10, "change_order")?),
        client: parsed(row.try_get(1)?, "client_id")?,
        at: moment(row.try_get(2)?, "at")?,
        wrote,
        undone_at: maybe_moment(row, 8, "undone_at")?,
    })
}

/// True if a summary that is in use stands for the message `m`, in its conversation or in a branch that shares it.
macro_rules! is_summarised {
    () => {
        "EXISTS (WITH RECURSIVE sharing (id) AS ( \
           SELECT m.conversation_id \
           UNION SELECT c.id FROM conversations AS c JOIN sharing ON c.continues_id = sharing.id \
                 WHERE c.workspace_id = m.workspace_id AND c.shares_through >= m.position) \
         SELECT 1 FROM sharing JOIN messages AS a ON a.workspace_id = m.workspace_id \
             AND a.conversation_id = sharing.id AND a.through >= m.position AND a.through IS NOT NULL \
           JOIN memories AS e ON e.workspace_id = a.workspace_id AND e.id = a.archive_id AND e.forgotten_at IS NULL)"
    };
}

fn moved() -> DbError {
    StoreError::Moved("client write").into()
}

impl SqliteStore {
    async fn read_messages_of_clients(
        &self,
        conversation: ConversationId,
    ) -> DbResult<Vec<(MessageId, ClientId)>> {
        let rows: Vec<(String, String)> = sqlx::query_as(
            "SELECT row_id, client_id FROM client_writes WHERE workspace_id = ? AND conversation_id = ? \
             AND kind = 'message' AND undone_at IS NULL ORDER BY sequence",
        )
        .bind(self.workspace())
        .bind(conversation.to_string())
        .fetch_all(&self.db.reader())
        .await?;
        rows.iter().map(|(id, client)| Ok((parsed(id, "row_id")?, parsed(client, "client_id")?))).collect()
    }

    async fn read_is_summarised(&self, message: MessageId) -> DbResult<bool> {
        Ok(sqlx::query_scalar(concat!(
            "SELECT EXISTS (SELECT 1 FROM messages AS m WHERE m.workspace_id = ? AND m.id = ? AND ",
            is_summarised!(),
            ")"
        ))
        .bind(self.workspace())
        .bind(message.to_string())
        .fetch_one(&self.db.reader())
        .await?)
    }

    async fn write_as(&self, client: ClientId, act: ClientAct<'_>, at: DateTime<Utc>) -> DbResult<usize> {
        let mut tx = self.db.begin_immediate().await?;
        self.follow_peers(&mut tx).await?;
        let result = self.carry_out_act(&mut tx, act, at).await?;
        for (kind, row) in &result {
            let note = row.note.as_ref();
            sqlx::query(
                "INSERT INTO client_writes (workspace_id, client_id, at, kind, row_id, fact_id, conversation_id, \
                 made, before, before_created_at, before_updated_at, before_ttl_seconds, before_expires_at) \
                 VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            )
            .bind(self.workspace())
            .bind(client.to_string())
            .bind(micros(at))
            .bind(kind.as_str())
            .bind(&*row.row_id)
            .bind(row.fact.map(|id| id.to_string()))
            .bind(row.conversation.map(|id| id.to_string()))
            .bind(row.made.as_deref())
            .bind(note.map(|note| &*note.value).or(row.before.as_deref()))
            .bind(note.map(|note| micros(note.created_at)))
            .bind(note.map(|note| micros(note.updated_at)))
            .bind(note.and_then(|note| note.ttl_seconds.map(i64::from)))
            .bind(note.and_then(|note| note.expires_at.map(micros)))
            .execute(&mut *tx)
            .await?;
        }
        tx.commit().await?;
        Ok(result.len())
    }

    /// Carries out a write and returns its record.
    async fn carry_out_act(
        &self,
        conn: &mut SqliteConnection,
        act: ClientAct<'_>,
        at: DateTime<Utc>,
    ) -> DbResult<Vec<(WriteKind, ReplacedRow)>> {
        let one = |kind, row| Ok(vec![(kind, row)]);
        match act {
            ClientAct::Fact(fact) => {
                self.put_fact_within(conn, fact, FactSource::Agent).await?;
                let made = Some(fact.version.to_string());
                let row = ReplacedRow {
                    row_id: fact.id.to_string(),
                    fact: Some(fact.id),
                    made,
                    ..ReplacedRow::default()
                };
                one(WriteKind::Fact, row)
            }
            ClientAct::Claim(claim) => {
                if !self.insert_claim(conn, claim).await? {
                    return Ok(Vec::new());
                }
                let (row_id, fact) = (claim.id.to_string(), Some(claim.fact));
                one(WriteKind::Claim, ReplacedRow { row_id, fact, ..ReplacedRow::default() })
            }
            ClientAct::Say(conversation, message) => {
                self.append_within(conn, conversation, std::slice::from_ref(message)).await?;
                let (row_id, conversation) = (message.id.to_string(), Some(conversation));
                one(WriteKind::Message, ReplacedRow { row_id, conversation, ..ReplacedRow::default() })
            }
            ClientAct::Note(note) => {
                let place = (note.conversation, Some(&*note.key));
                let before = self.living_notes(conn, place, note.updated_at).await?.pop();
                self.put_note_within(conn, note).await?;
                let made = Some(NoteMark::of(note).as_str().to_owned());
                one(WriteKind::Note, of_note(note.conversation, note.key.clone(), made, before))
            }
            ClientAct::ClearNotes(conversation, key) => {
                let gone = self.living_notes(conn, (conversation, key), at).await?;
                self.delete_notes_within(conn, (conversation, key), false).await?;
                let row = |note: WorkingNote| {
                    (WriteKind::Note, of_note(conversation, note.key.clone(), None, Some(note)))
                };
                Ok(gone.into_iter().map(row).collect())
            }
            ClientAct::Setting(key, value) => {
                let before = self.read_setting_within(conn, key).await?;
                if before.as_deref() == Some(value) {
                    return Ok(Vec::new());
                }
                self.write_setting_within(conn, key, value).await?;
                let (row_id, made) = (key.to_owned(), Some(value.to_owned()));
                one(WriteKind::Setting, ReplacedRow { row_id, made, before, ..ReplacedRow::default() })
            }
        }
    }

    async fn read_writes_of(&self, client: ClientId) -> DbResult<Vec<ClientWrite>> {
        // The earlier value of a setting is short; the earlier text of a note is read only where it is
        // needed.
        let rows = sqlx::query(
            "SELECT sequence, client_id, at, kind, row_id, fact_id, conversation_id, made, undone_at, \
             iif(kind = 'setting', before, NULL), change_order \
             FROM client_writes WHERE client_id = ? AND +workspace_id = ? ORDER BY sequence",
        )
        .bind(client.to_string())
        .bind(self.workspace())
        .fetch_all(&self.db.reader())
        .await?;
        rows.iter().map(write).collect()
    }

    async fn read_note_before(&self, sequence: u64) -> DbResult<Option<WorkingNote>> {
        let row = sqlx::query(
            "SELECT conversation_id, row_id AS key, before AS value, before_created_at AS created_at, \
             before_updated_at AS updated_at, before_ttl_seconds AS ttl_seconds, before_expires_at AS expires_at \
             FROM client_writes WHERE workspace_id = ? AND sequence = ? AND kind = 'note' AND before IS NOT NULL",
        )
        .bind(self.workspace())
        .bind(i64::try_from(sequence).unwrap_or(i64::MAX))
        .fetch_optional(&self.db.reader())
        .await?;
        row.as_ref().map(note).transpose()
    }

    async fn read_accepted(&self, claim: ClaimId) -> DbResult<bool> {
        Ok(sqlx::query_scalar(
            "SELECT EXISTS (SELECT 1 FROM fact_claims WHERE workspace_id = ? AND id = ? AND state = 'accepted')",
        )
        .bind(self.workspace())
        .bind(claim.to_string())
        .fetch_one(&self.db.reader())
        .await?)
    }

    async fn write_back(&self, sequence: u64, reversal: &Reversal, at: DateTime<Utc>) -> DbResult<()> {
        let mut tx = self.db.begin_immediate().await?;
        let marked = sqlx::query(
            "UPDATE client_writes SET undone_at = ?, before = iif(kind = 'note', NULL, before) \
             WHERE workspace_id = ? AND sequence = ? AND undone_at IS NULL",
        )
        .bind(micros(at))
        .bind(self.workspace())
        .bind(i64::try_from(sequence).unwrap_or(i64::MAX))
        .execute(&mut *tx)
        .await?;
        if marked.rows_affected() == 0 {
            return Err(moved());
        }
        match reversal {
            Reversal::Nothing => {}
            Reversal::Fact(fact) => self.put_fact_within(&mut tx, fact, FactSource::User).await?,
            Reversal::Reject(claim) => {
                self.settle(&mut tx, (*claim, None), Settlement::Rejected, at).await?;
            }
            Reversal::Withdraw(message) => self.withdraw(&mut tx, *message, at).await?,
            Reversal::Note { conversation, key, stands, becomes } => {
                let place = (*conversation, Some(&**key));
                let current = self.living_notes(&mut tx, place, at).await?.pop();
                if current.as_ref().map(NoteMark::of) != *stands {
                    return Err(moved());
                }
                match becomes {
                    Some(note) => {
                        // The row is inserted again, because a note with an existing key would keep its
                        // creation time.
                        self.delete_notes_within(&mut tx, place, false).await?;
                        self.put_note_within(&mut tx, note).await?;
                    }
                    None => drop(self.delete_notes_within(&mut tx, place, false).await?),
                }
            }
            Reversal::Setting { key, stands, becomes } => {
                let current = self.read_setting_within(&mut tx, key).await?;
                if current.as_ref() != Some(stands) {
                    return Err(moved());
                }
                self.write_setting_within(&mut tx, key, becomes).await?;
            }
        }
        Ok(tx.commit().await?)
    }

    /// Deletes a message that no summary covers, under a permit that ends with the transaction.
    async fn withdraw(
        &self,
        conn: &mut SqliteConnection,
        message: MessageId,
        at: DateTime<Utc>,
    ) -> DbResult<()> {
        let found = sqlx::query(concat!(
            "SELECT m.conversation_id FROM messages AS m WHERE m.workspace_id = ?1 AND m.id = ?2 \
             AND m.consolidated_at IS NULL AND m.archive_id IS NULL AND NOT ",
            is_summarised!()
        ))
        .bind(self.workspace())
        .bind(message.to_string())
        .fetch_optional(&mut *conn)
        .await?;
        let Some(found) = found else { return Err(moved()) };
        let conversation: ConversationId = parsed(found.try_get(0)?, "conversation_id")?;
        sqlx::query(
            "INSERT INTO deletion_permits (workspace_id, memory_id, manifest, granted_at) \
             VALUES (?, ?, 'withdrawn', ?)",
        )
        .bind(self.workspace())
        .bind(message.to_string())
        .bind(micros(at))
        .execute(&mut *conn)
        .await?;
        for statement in [
            "DELETE FROM messages WHERE workspace_id = ? AND id = ?",
            "DELETE FROM deletion_permits WHERE workspace_id = ? AND memory_id = ?",
        ] {
            let query = sqlx::query(statement).bind(self.workspace()).bind(message.to_string());
            query.execute(&mut *conn).await?;
        }
        sqlx::query(
            "UPDATE conversations SET active_at = coalesce( \
               (SELECT max(at) FROM messages AS m WHERE m.workspace_id = ?1 AND m.conversation_id = ?2 \
                AND m.archive_id IS NULL), started_at) WHERE workspace_id = ?1 AND id = ?2",
        )
        .bind(self.workspace())
        .bind(conversation.to_string())
        .execute(conn)
        .await?;
        Ok(())
    }
}

fn of_note(
    conversation: ConversationId,
    key: String,
    made: Option<String>,
    before: Option<WorkingNote>,
) -> ReplacedRow {
    ReplacedRow {
        row_id: key,
        conversation: Some(conversation),
        made,
        note: before,
        ..ReplacedRow::default()
    }
}

#[async_trait::async_trait]
impl ClientWriteStore for SqliteStore {
    async fn write(
        &self,
        client: ClientId,
        act: ClientAct<'_>,
        at: DateTime<Utc>,
    ) -> Result<usize, StoreError> {
        self.public(self.write_as(client, act, at).await)
    }

    async fn writes_of(&self, client: ClientId) -> Result<Vec<ClientWrite>, StoreError> {
        self.public(self.read_writes_of(client).await)
    }

    async fn messages_of_clients(
        &self,
        conversation: ConversationId,
    ) -> Result<Vec<(MessageId, ClientId)>, StoreError> {
        self.public(self.read_messages_of_clients(conversation).await)
    }

    async fn is_summarised(&self, message: MessageId) -> Result<bool, StoreError> {
        self.public(self.read_is_summarised(message).await)
    }

    async fn note_before(&self, write: u64) -> Result<Option<WorkingNote>, StoreError> {
        self.public(self.read_note_before(write).await)
    }

    async fn was_accepted(&self, claim: ClaimId) -> Result<bool, StoreError> {
        self.public(self.read_accepted(claim).await)
    }

    async fn take_back(&self, write: u64, reversal: &Reversal, at: DateTime<Utc>) -> Result<(), StoreError> {
        self.public(self.write_back(write, reversal, at).await)
    }
}
