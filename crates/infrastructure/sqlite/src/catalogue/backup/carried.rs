//! What a restored database takes over from the one that it replaces.

use std::path::Path;

use chrono::{DateTime, Utc};
use inklings_domain::{
    audit::{AuditRow, verify},
    ids::WorkspaceId,
};
use inklings_ports::store_error::StoreError;
use sqlx::{Connection, SqliteConnection};

use crate::{
    audit,
    connection::{probe::refuse_other_owner, read_only::connect_to_read},
    error::{DbError, DbResult},
    rows::micros,
};

/// The data that the restored file takes over from the current one.
#[derive(Debug, Default)]
pub(super) struct Carried {
    pub(super) audit: Vec<AuditRow>,
    pub(super) scrubbed: Vec<(String, i64)>,
    /// Tick and epoch of the change clock, then of the message clock, then the highest tick of a
    /// conversation.
    pub(super) clocks: [i64; 5],
    /// The clients of the account; `None` if they cannot be read.
    pub(super) clients: Option<Vec<CarriedClient>>,
}

/// What decides whether a client is let in.
#[derive(Debug)]
pub(super) struct CarriedClient {
    id: String,
    token_hash: Option<String>,
    /// Microseconds since 1970.
    revoked_at: Option<i64>,
}

/// Why the restored file cannot continue the audit log of the current database.
#[derive(Debug)]
pub(super) struct Lost {
    pub(super) why: &'static str,
    /// The last row of the log that can still be read: sequence and hash.
    pub(super) last: Option<(u64, String)>,
}

/// The manifest for the audit row of a restore. If the log is interrupted, it includes the last sequence and
/// hash, so that a user who kept the last hash can identify the interrupted log.
pub(super) fn on_record(manifest: &str, lost: Option<&Lost>) -> String {
    let Some(Lost { why, last }) = lost else { return manifest.to_owned() };
    let mut parsed: serde_json::Value = serde_json::from_str(manifest).unwrap_or_default();
    parsed["anew"] = match last {
        Some((sequence, hash)) => serde_json::json!({ "why": why, "sequence": sequence, "hash": hash }),
        None => serde_json::json!({ "why": why }),
    };
    parsed.to_string()
}

/// Reads what can still be read of a damaged database: its audit log, if all rows are present and the chain
/// is valid, and the scrub fingerprints.
pub(super) async fn salvaged(path: &Path, workspace: WorkspaceId) -> (Carried, Option<Lost>) {
    let Ok(mut conn) = connect_to_read(path).await else {
        return (Carried::default(), Some(Lost { why: "damaged", last: None }));
    };
    if let Err(DbError::OtherWorkspace) = refuse_other_owner(&mut conn, workspace).await {
        let _ = conn.close().await;
        return (Carried::default(), Some(Lost { why: "another log", last: None }));
    }
    let audit = audit::all_rows(&mut conn).await;
    let head: Option<(i64, String)> = sqlx::query_as("SELECT sequence, hash FROM audit_head")
        .fetch_optional(&mut conn)
        .await
        .ok()
        .flatten();
    let last = head.map(|(sequence, hash)| (sequence.unsigned_abs(), hash));
    let scrubbed = sqlx::query_as("SELECT fingerprint, at FROM scrubbed").fetch_all(&mut conn).await;
    let clients = clients_in(&mut conn, workspace).await.unwrap_or_default();
    // Closing can fail on a damaged file.
    let _ = conn.close().await;
    let scrubbed = scrubbed.unwrap_or_default();
    let end = last.as_ref().map(|(sequence, hash)| (*sequence, hash.as_str()));
    match audit {
        Ok(audit) if verify(workspace, &audit, end).broken_at.is_none() => {
            (Carried { audit, scrubbed, clients, ..Carried::default() }, None)
        }
        _ => (Carried { scrubbed, clients, ..Carried::default() }, Some(Lost { why: "damaged", last })),
    }
}

/// Reads the data that survives a restore from the current database. A database of an older release has none.
pub(super) async fn carried(path: &Path, workspace: WorkspaceId) -> DbResult<Carried> {
    let mut conn = connect_to_read(path).await?;
    let read = async {
        let tables: i64 =
            sqlx::query_scalar("SELECT count(*) FROM sqlite_schema WHERE name IN ('audit', 'scrubbed')")
                .fetch_one(&mut conn)
                .await?;
        if tables < 2 {
            return Ok(Carried::default());
        }
        let audit = audit::all_rows(&mut conn).await?;
        let scrubbed = sqlx::query_as("SELECT fingerprint, at FROM scrubbed").fetch_all(&mut conn).await?;
        let (tick, epoch): (i64, i64) =
            sqlx::query_as("SELECT tick, epoch FROM change_clock").fetch_one(&mut conn).await?;
        let mut clocks = [tick, epoch, 0, 0, 0];
        if workspace != WorkspaceId::ACCOUNT {
            let (tick, epoch, most): (i64, i64, i64) = sqlx::query_as(
                "SELECT tick, epoch, (SELECT coalesce(max(message_tick), 0) FROM conversations) FROM message_clock",
            )
            .fetch_one(&mut conn)
            .await?;
            clocks[2..].copy_from_slice(&[tick, epoch, most]);
        }
        let clients = clients_in(&mut conn, workspace).await?;
        DbResult::Ok(Carried { audit, scrubbed, clocks, clients })
    };
    let read = read.await;
    conn.close().await?;
    read
}

async fn clients_in(
    conn: &mut SqliteConnection,
    workspace: WorkspaceId,
) -> DbResult<Option<Vec<CarriedClient>>> {
    if workspace != WorkspaceId::ACCOUNT {
        return Ok(None);
    }
    let rows: Vec<(String, Option<String>, Option<i64>)> =
        sqlx::query_as("SELECT id, token_hash, revoked_at FROM clients").fetch_all(conn).await?;
    let client = |(id, token_hash, revoked_at)| CarriedClient { id, token_hash, revoked_at };
    Ok(Some(rows.into_iter().map(client).collect()))
}

/// Lets in exactly the clients of the restored account that the present one lets in, with their present tokens: a restore
/// undoes no revocation. Without `present`, none is let in.
pub(super) async fn carry_clients(
    conn: &mut SqliteConnection,
    present: Option<&[CarriedClient]>,
    now: DateTime<Utc>,
) -> DbResult<()> {
    let present = present.unwrap_or_default();
    for client in present {
        // The table refuses that a revoked client is let in again with its old token.
        sqlx::query(
            "UPDATE clients SET token_hash = ?1, \
             revoked_at = CASE WHEN token_hash IS ?1 THEN coalesce(?2, revoked_at) ELSE ?2 END WHERE id = ?3",
        )
        .bind(&client.token_hash)
        .bind(client.revoked_at)
        .bind(&client.id)
        .execute(&mut *conn)
        .await?;
    }
    let known: Vec<&str> = present.iter().map(|client| &*client.id).collect();
    let known = serde_json::to_string(&known).map_err(|error| StoreError::Internal(Box::new(error)))?;
    sqlx::query(
        "UPDATE clients SET revoked_at = ? \
         WHERE revoked_at IS NULL AND id NOT IN (SELECT value FROM json_each(?))",
    )
    .bind(micros(now))
    .bind(known)
    .execute(conn)
    .await?;
    Ok(())
}
