//! How messages of a file were written: while memory was off, or by a client. Both are rows of tables of their own.

use std::collections::{HashMap, HashSet};

use chrono::{DateTime, Utc};
use inklings_ports::transfer::{
    fields::{read_moment, text_of},
    shape::{CLIENT, OFF_RECORD},
    store::{Fields, TransferRow},
};
use serde_json::Value;
use sqlx::SqliteConnection;

use crate::{
    error::DbResult,
    rows::{json_list, micros},
};

/// Adds the marks of messages to their rows.
pub async fn attach(conn: &mut SqliteConnection, workspace: &str, rows: &mut [TransferRow]) -> DbResult<()> {
    let all = |name: &str| -> HashSet<String> {
        rows.iter().filter_map(|row| text_of(&row.fields, name).map(str::to_owned)).collect()
    };
    let ids: Vec<String> = all("id").into_iter().collect();
    let conversations: Vec<String> = all("conversation_id").into_iter().collect();
    let off: Vec<String> = sqlx::query_scalar(
        "SELECT message_id FROM off_record WHERE workspace_id = ? \
         AND message_id IN (SELECT value FROM json_each(?))",
    )
    .bind(workspace)
    .bind(json_list(&ids))
    .fetch_all(&mut *conn)
    .await?;
    let off: HashSet<String> = off.into_iter().collect();
    let written: Vec<(String, String)> = sqlx::query_as(
        "SELECT row_id, client_id FROM client_writes WHERE workspace_id = ? AND kind = 'message' \
         AND undone_at IS NULL AND conversation_id IN (SELECT value FROM json_each(?)) \
         AND row_id IN (SELECT value FROM json_each(?))",
    )
    .bind(workspace)
    .bind(json_list(&conversations))
    .bind(json_list(&ids))
    .fetch_all(&mut *conn)
    .await?;
    let mut clients: HashMap<String, String> = written.into_iter().collect();
    for row in rows {
        let Some(id) = text_of(&row.fields, "id").map(str::to_owned) else { continue };
        if off.contains(&id) {
            row.fields.insert(OFF_RECORD.to_owned(), true.into());
        }
        if let Some(client) = clients.remove(&id) {
            row.fields.insert(CLIENT.to_owned(), client.into());
        }
    }
    Ok(())
}

/// Stores the marks of a message that was just inserted.
pub async fn store(
    conn: &mut SqliteConnection,
    workspace: &str,
    message: &Fields,
    imported_at: DateTime<Utc>,
) -> DbResult<()> {
    let id = text_of(message, "id").unwrap_or_default();
    if message.get(OFF_RECORD).and_then(Value::as_bool).unwrap_or_default() {
        for statement in [
            "INSERT INTO off_record (workspace_id, message_id) VALUES (?, ?) ON CONFLICT DO NOTHING",
            // The trigger queued the message before it was marked.
            "DELETE FROM drift_queue WHERE workspace_id = ? AND message_id = ?",
        ] {
            sqlx::query(statement).bind(workspace).bind(id).execute(&mut *conn).await?;
        }
    }
    if let Some(client) = text_of(message, CLIENT) {
        // A time after the import would be the order of all later changes.
        let at = text_of(message, "at").and_then(read_moment).unwrap_or(imported_at).min(imported_at);
        sqlx::query(
            "INSERT INTO client_writes (workspace_id, client_id, at, kind, row_id, conversation_id) \
             VALUES (?, ?, ?, 'message', ?, ?)",
        )
        .bind(workspace)
        .bind(client)
        .bind(micros(at))
        .bind(id)
        .bind(text_of(message, "conversation_id"))
        .execute(conn)
        .await?;
    }
    Ok(())
}
