//! What a restored database takes over from the one that it replaces.

use std::path::Path;

use inklings_domain::{
    audit::{AuditRow, verify},
    ids::WorkspaceId,
};
use sqlx::Connection;

use crate::{
    audit,
    connection::{probe::refuse_other_owner, read_only::connect_to_read},
    error::{DbError, DbResult},
};

/// The data that the restored file takes over from the current one.
#[derive(Debug, Default)]
pub(super) struct Carried {
    pub(super) audit: Vec<AuditRow>,
    pub(super) scrubbed: Vec<(String, i64)>,
    /// Tick and epoch of the change clock, then of the message clock, then the highest tick of a
    /// conversation.
    pub(super) clocks: [i64; 5],
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
    // Closing can fail on a damaged file.
    let _ = conn.close().await;
    let scrubbed = scrubbed.unwrap_or_default();
    let end = last.as_ref().map(|(sequence, hash)| (*sequence, hash.as_str()));
    match audit {
        Ok(audit) if verify(workspace, &audit, end).broken_at.is_none() => {
            (Carried { audit, scrubbed, ..Carried::default() }, None)
        }
        _ => (Carried { scrubbed, ..Carried::default() }, Some(Lost { why: "damaged", last })),
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
        DbResult::Ok(Carried { audit, scrubbed, clocks })
    };
    let read = read.await;
    conn.close().await?;
    read
}
