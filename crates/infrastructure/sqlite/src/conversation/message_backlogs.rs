//! Lists messages without a vector, and continues where the last list ended.

use inklings_domain::memory::embedding::EmbeddingModel;
use inklings_ports::conversation::transcript_store::PendingMessage;
use sqlx::{AssertSqlSafe, Row};

use crate::{
    connection::Database,
    error::DbResult,
    rows::parsed,
    search::word_codes::in_part,
    store::{MessageBacklog, MessageBacklogs},
};

/// Holds for a message `m` that gets a vector; must match the index that counts them.
pub(super) const EMBEDDABLE: &str =
    "m.archive_id IS NULL AND m.delivery <> 'streaming' AND m.role <> 'system' AND m.content <> ''";

/// Holds for a message without the vectors of its whole text by model `?1`, on which the model did not fail.
const WITHOUT: &str = concat!(
    "NOT EXISTS (SELECT 1 FROM message_vectors AS v \
        WHERE v.workspace_id = m.workspace_id AND v.message_id = m.id AND v.model = ?1 AND ",
    in_part!(),
    " IS NOT TRUE) \
     AND NOT EXISTS (SELECT 1 FROM message_vector_failures AS f \
        WHERE f.workspace_id = m.workspace_id AND f.message_id = m.id AND f.model = ?1)"
);

/// The backlog is rebuilt if more than this many messages changed since it was built.
const MOST_CHANGES: i64 = 2_000;

impl MessageBacklogs {
    /// Up to `limit` texts that need a vector, newest first.
    pub async fn pending(
        &self,
        db: &Database,
        model: &EmbeddingModel,
        limit: usize,
    ) -> DbResult<Vec<PendingMessage>> {
        let limit = i64::try_from(limit).unwrap_or(i64::MAX);
        let mut backlogs = self.0.lock().await;
        let now: i64 = sqlx::query_scalar("SELECT tick FROM message_clock").fetch_one(&db.reader()).await?;
        let known = backlogs.get(&model.id).copied().filter(|known| now - known.tick <= MOST_CHANGES);
        let mut backlog = known.unwrap_or(MessageBacklog { tick: now, below: i64::MAX });
        // The unary plus keeps SQLite from using the index of the sort order: few messages changed, but there
        // may be many in total.
        let fresh = ("m.change_seq > ?2", "+m.seq");
        let mut found = if now > backlog.tick {
            pending(db, model, fresh, backlog.tick, limit).await?
        } else {
            Vec::new()
        };
        if found.is_empty() {
            // No changed message is left over, so later calls only need later changes.
            backlog.tick = now;
        }
        let left = limit - found.len() as i64;
        if left > 0 {
            let older = pending(db, model, ("m.seq < ?2", "m.seq"), backlog.below, left).await?;
            backlog.below = older.first().map_or(0, |(seq, _)| seq + 1);
            for (seq, text) in older {
                if found.iter().all(|(other, _)| *other != seq) {
                    found.push((seq, text));
                }
            }
        }
        backlogs.insert(model.id.clone(), backlog);
        drop(backlogs);
        found.sort_by_key(|(seq, _)| std::cmp::Reverse(*seq));
        Ok(found.into_iter().map(|(_, text)| text).collect())
    }
}

async fn pending(
    db: &Database,
    model: &EmbeddingModel,
    (which, order): (&str, &str),
    bound: i64,
    limit: i64,
) -> DbResult<Vec<(i64, PendingMessage)>> {
    let sql = format!(
        "SELECT m.seq, m.id, m.content FROM messages AS m WHERE {which} AND {EMBEDDABLE} AND {WITHOUT} \
         ORDER BY {order} DESC LIMIT ?3"
    );
    let rows = sqlx::query(AssertSqlSafe(sql))
        .bind(model.id.as_str())
        .bind(bound)
        .bind(limit)
        .fetch_all(&db.reader())
        .await?;
    rows.iter()
        .map(|row| {
            let id = parsed(row.try_get("id")?, "id")?;
            Ok((row.try_get("seq")?, PendingMessage { id, text: row.try_get("content")? }))
        })
        .collect()
}
