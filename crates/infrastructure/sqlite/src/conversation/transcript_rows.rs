//! Converts message rows to domain types and back.

use std::{
    borrow::{Borrow, Cow},
    sync::LazyLock,
};

use inklings_domain::{
    conversation::{
        ConversationStatus,
        attachment::Attachment,
        message::{CompactMarker, Message, MessageOrigin, NewMessage, ToolUse},
    },
    ids::ConversationId,
    memory::Importance,
};
use inklings_ports::store_error::StoreError;
use sqlx::{QueryBuilder, Row, Sqlite, SqliteConnection, sqlite::SqliteRow};

use crate::error::{DbError, DbResult};
use crate::{
    checksum::{self, tables::MESSAGES},
    rows::{
        entry_row::Value,
        insert::{ROWS_PER_INSERT, kept_if_usual, may_have, push_value},
        micros, moment, parsed,
    },
    store::SqliteStore,
};

/// The columns of a message over the alias `m`, as [`message`] reads them.
macro_rules! message_columns {
    () => {
        "m.id, m.conversation_id, m.position, m.role, m.content, m.importance, m.tool_call_id, m.tool_name, \
         m.tool_calls, m.delivery, m.archive_id, m.archive_name, m.archived_at, m.through, m.external_id, \
         m.session, m.speaker, m.said_at, m.at, m.updated_at, m.consolidated_at, m.attached_name"
    };
}
pub(crate) use message_columns;

/// The next tick of the message clock.
macro_rules! next_tick {
    () => {
        "(SELECT tick + 1 FROM message_clock)"
    };
}
pub(crate) use next_tick;

/// The columns of a new message, in the order of [`values`].
const COLUMNS: [&str; 22] = [
    "workspace_id",
    "id",
    "conversation_id",
    "position",
    "role",
    "delivery",
    "importance",
    "at",
    "updated_at",
    "tool_call_id",
    "tool_name",
    "archive_id",
    "archive_name",
    "archived_at",
    "through",
    "external_id",
    "session",
    "speaker",
    "said_at",
    "tool_calls",
    "content",
    "attached_name",
];

const _: () = assert!(may_have(COLUMNS.len() + 1));

/// The beginning of an INSERT; the values of the rows follow. The tick is read once for all of them: each of several reads would keep
/// a cursor open, and SQLite goes through all open cursors for each one that it opens. Who reads on from an earlier tick gets them all.
static INSERT: LazyLock<String> = LazyLock::new(|| {
    format!(
        "INSERT INTO messages ({}, checksum, change_seq) SELECT own.*, {} FROM (",
        COLUMNS.join(", "),
        next_tick!()
    )
});

/// The values of a new message, in the order of [`COLUMNS`].
fn values<'m>(
    workspace: &'m str,
    conversation: ConversationId,
    position: i64,
    new: &'m NewMessage,
) -> [Value<'m>; COLUMNS.len()] {
    let (tool, marker, origin) = (new.tool.as_ref(), new.marker.as_ref(), new.origin.as_ref());
    let text = |text: Option<&'m str>| Value::Text(text.map(Cow::Borrowed));
    let id = |id: Option<String>| Value::Text(id.map(Cow::Owned));
    let part = |part: fn(&MessageOrigin) -> Option<&String>| text(origin.and_then(part).map(|part| &**part));
    [
        text(Some(workspace)),
        id(Some(new.id.to_string())),
        id(Some(conversation.to_string())),
        Value::Whole(Some(position)),
        text(Some(new.role.as_str())),
        text(Some(new.delivery.as_str())),
        Value::Real(new.importance.get()),
        Value::Whole(Some(micros(new.at))),
        Value::Whole(Some(micros(new.at))),
        text(tool.map(|tool| &*tool.call_id)),
        text(tool.map(|tool| &*tool.name)),
        id(marker.map(|marker| marker.archive.to_string())),
        text(marker.map(|marker| &*marker.archive_name)),
        Value::Whole(marker.map(|marker| micros(marker.archived_at))),
        Value::Whole(marker.map(|marker| marker.through as i64)),
        part(|origin| origin.external_id.as_ref()),
        part(|origin| origin.session.as_ref()),
        part(|origin| origin.speaker.as_ref()),
        part(|origin| origin.said_at.as_ref()),
        text(new.calls.as_deref()),
        text(Some(&new.content)),
        text(new.attachment.as_ref().map(Attachment::name)),
    ]
}

fn word<T: std::str::FromStr>(row: &SqliteRow, column: &'static str) -> DbResult<T> {
    parsed(row.try_get::<&str, _>(column)?, column)
}

fn text(row: &SqliteRow, column: &'static str) -> DbResult<Option<String>> {
    Ok(row.try_get(column)?)
}

/// Reads a message from the columns of `message_columns!`.
pub fn message(row: &SqliteRow) -> DbResult<Message> {
    let importance =
        Importance::new(row.try_get("importance")?).map_err(|_| DbError::Row { column: "importance" })?;
    let body = NewMessage {
        id: word(row, "id")?,
        role: word(row, "role")?,
        content: row.try_get("content")?,
        importance,
        tool: tool(row)?,
        calls: text(row, "tool_calls")?,
        delivery: word(row, "delivery")?,
        marker: marker(row)?,
        origin: origin(row)?,
        attachment: attachment(row)?,
        at: moment(row.try_get("at")?, "at")?,
    };
    let consolidated: Option<i64> = row.try_get("consolidated_at")?;
    Ok(Message {
        conversation: word(row, "conversation_id")?,
        position: position(row)?,
        body,
        updated_at: moment(row.try_get("updated_at")?, "updated_at")?,
        consolidated_at: consolidated.map(|at| moment(at, "consolidated_at")).transpose()?,
    })
}

/// Reads a message's position in its conversation.
pub fn position(row: &SqliteRow) -> DbResult<u64> {
    u64::try_from(row.try_get::<i64, _>("position")?).map_err(|_| DbError::Row { column: "position" })
}

fn tool(row: &SqliteRow) -> DbResult<Option<ToolUse>> {
    let (call_id, name) = (text(row, "tool_call_id")?, text(row, "tool_name")?);
    Ok(call_id.zip(name).map(|(call_id, name)| ToolUse { call_id, name }))
}

fn marker(row: &SqliteRow) -> DbResult<Option<CompactMarker>> {
    let Some(archive) = row.try_get::<Option<&str>, _>("archive_id")? else { return Ok(None) };
    Ok(Some(CompactMarker {
        archive: parsed(archive, "archive_id")?,
        archive_name: row.try_get("archive_name")?,
        archived_at: moment(row.try_get("archived_at")?, "archived_at")?,
        through: row.try_get::<i64, _>("through")?.unsigned_abs(),
    }))
}

fn origin(row: &SqliteRow) -> DbResult<Option<MessageOrigin>> {
    let origin = MessageOrigin {
        external_id: text(row, "external_id")?,
        session: text(row, "session")?,
        speaker: text(row, "speaker")?,
        said_at: text(row, "said_at")?,
    };
    Ok((origin != MessageOrigin::default()).then_some(origin))
}

fn attachment(row: &SqliteRow) -> DbResult<Option<Attachment>> {
    let name = text(row, "attached_name")?;
    let attachment = name.map(|name| Attachment::of_file(&name)).transpose();
    attachment.map_err(|_| DbError::Row { column: "attached_name" })
}

/// The state of a conversation that was not deleted, and its last assigned position.
pub struct Standing {
    pub status: ConversationStatus,
    pub last_position: i64,
}

impl SqliteStore {
    pub(crate) async fn standing(
        &self,
        conn: &mut SqliteConnection,
        conversation: ConversationId,
    ) -> DbResult<Standing> {
        let row = sqlx::query(
            "SELECT status, last_position FROM conversations \
             WHERE workspace_id = ? AND id = ? AND deleted_at IS NULL",
        )
        .bind(self.workspace())
        .bind(conversation.to_string())
        .fetch_optional(conn)
        .await?
        .ok_or(StoreError::NotFound("conversation"))?;
        Ok(Standing { status: word(&row, "status")?, last_position: row.try_get("last_position")? })
    }

    /// Adds messages at positions from `first` on.
    pub(crate) async fn insert_messages(
        &self,
        conn: &mut SqliteConnection,
        conversation: ConversationId,
        first: i64,
        messages: &[impl Borrow<NewMessage> + Sync],
    ) -> DbResult<()> {
        let (workspace, mut positions) = (self.workspace(), first..);
        for chunk in messages.chunks(ROWS_PER_INSERT) {
            let mut sql = QueryBuilder::<Sqlite>::new(INSERT.as_str());
            sql.push_values(chunk.iter().zip(positions.by_ref()), |mut row, (new, position)| {
                let values = values(&workspace, conversation, position, new.borrow());
                let checksum = checksum::of_columns(&MESSAGES, &COLUMNS, &values);
                for value in values {
                    push_value(&mut row, value);
                }
                row.push_bind(checksum);
            });
            sql.push(") AS own");
            kept_if_usual(sql.build(), chunk.len()).execute(&mut *conn).await?;
        }
        Ok(())
    }

    /// Adds a message after the last position.
    pub(crate) async fn insert_message(
        &self,
        conn: &mut SqliteConnection,
        conversation: ConversationId,
        position: i64,
        new: &NewMessage,
    ) -> DbResult<Message> {
        self.insert_messages(conn, conversation, position, std::slice::from_ref(new)).await?;
        Ok(written(conversation, position, new))
    }
}

/// A new message as it is read back.
pub fn written(conversation: ConversationId, position: i64, new: &NewMessage) -> Message {
    Message {
        conversation,
        position: position.unsigned_abs(),
        body: new.clone(),
        updated_at: new.at,
        consolidated_at: None,
    }
}
