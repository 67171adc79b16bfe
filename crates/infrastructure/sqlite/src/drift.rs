//! Contradictions between what is canon and what is stated elsewhere, and how far they have been looked for.

use chrono::{DateTime, Utc};
use inklings_domain::{
    drift::{Drift, DriftDecision, DriftState, Item, ItemKind, Side},
    ids::{ChangeId, DriftId, MessageId},
};
use inklings_ports::{
    drift::{DriftCursor, DriftStore, Look},
    store_error::StoreError,
};
use sqlx::{Row, SqliteConnection, sqlite::SqliteRow};

use crate::{
    error::DbResult,
    memory::filter_sql::Sql,
    rows::{count, json_list, maybe, maybe_moment, micros, moment, parsed},
    store::SqliteStore,
};

const SELECT: &str = "SELECT id, canon_kind, canon_id, canon_version, statement_kind, statement_id, statement_version, \
    state, decision, change_id, created_at, settled_at FROM drifts WHERE ";

/// The item of the columns `at` (kind) and `at + 1` (id), with the version behind them.
fn side(row: &SqliteRow, at: usize) -> DbResult<Side> {
    let id: &str = row.try_get(at + 1)?;
    let item = match parsed(row.try_get(at)?, "kind")? {
        ItemKind::Memory => Item::Memory(parsed(id, "memory_id")?),
        ItemKind::Fact => Item::Fact(parsed(id, "fact_id")?),
        ItemKind::Message => Item::Message(parsed(id, "message_id")?),
        ItemKind::Page => Item::Page(parsed(id, "page_id")?),
    };
    Ok(Side { item, version: count(row, at + 2, "version")? })
}

fn drift(row: &SqliteRow) -> DbResult<Drift> {
    let decision: Option<&str> = row.try_get(8)?;
    Ok(Drift {
        id: parsed(row.try_get(0)?, "id")?,
        canon: side(row, 1)?,
        statement: side(row, 4)?,
        state: parsed(row.try_get(7)?, "state")?,
        decision: decision.map(|decision| parsed(decision, "decision")).transpose()?,
        change: maybe(row, 9, "change_id")?,
        created_at: moment(row.try_get(10)?, "created_at")?,
        settled_at: maybe_moment(row, 11, "settled_at")?,
    })
}

fn version(side: Side) -> i64 {
    i64::try_from(side.version).unwrap_or(i64::MAX)
}

impl SqliteStore {
    async fn read_looked(&self) -> DbResult<Vec<Side>> {
        sqlx::query("SELECT kind, item_id, version FROM drift_looks WHERE workspace_id = ?")
            .bind(self.workspace())
            .fetch_all(&self.db.reader())
            .await?
            .iter()
            .map(|row| side(row, 0))
            .collect()
    }

    async fn read_queued(&self, limit: usize) -> DbResult<Vec<MessageId>> {
        sqlx::query("SELECT message_id FROM drift_queue WHERE workspace_id = ? ORDER BY message_id LIMIT ?")
            .bind(self.workspace())
            .bind(i64::try_from(limit).unwrap_or(i64::MAX))
            .fetch_all(&self.db.reader())
            .await?
            .iter()
            .map(|row| parsed(row.try_get(0)?, "message_id"))
            .collect()
    }

    async fn write_look(&self, look: &Look, at: DateTime<Utc>) -> DbResult<usize> {
        let mut tx = self.db.begin_immediate().await?;
        let gone = json_list(&look.gone);
        for statement in [
            "DELETE FROM drifts WHERE workspace_id = ?1 AND (canon_id IN (SELECT value FROM json_each(?2)) \
             OR statement_id IN (SELECT value FROM json_each(?2)))",
            "DELETE FROM drift_looks WHERE workspace_id = ?1 AND item_id IN (SELECT value FROM json_each(?2))",
        ] {
            if !look.gone.is_empty() {
                sqlx::query(statement).bind(self.workspace()).bind(&gone).execute(&mut *tx).await?;
            }
        }
        sqlx::query(
            "UPDATE drifts SET state = 'superseded', settled_at = ? WHERE workspace_id = ? AND state = 'open' \
             AND id IN (SELECT value FROM json_each(?))",
        )
        .bind(micros(at))
        .bind(self.workspace())
        .bind(json_list(&look.superseded))
        .execute(&mut *tx)
        .await?;
        for (statement, messages) in [
            (
                "DELETE FROM drift_queue WHERE workspace_id = ?1 \
                 AND message_id IN (SELECT value FROM json_each(?2))",
                &look.messages_looked,
            ),
            (
                // A message may be deleted meanwhile.
                "INSERT INTO drift_queue (workspace_id, message_id) SELECT workspace_id, id FROM messages \
                 WHERE workspace_id = ?1 AND id IN (SELECT value FROM json_each(?2)) ON CONFLICT DO NOTHING",
                &look.messages_again,
            ),
        ] {
            if !messages.is_empty() {
                let messages = json_list(messages);
                sqlx::query(statement).bind(self.workspace()).bind(messages).execute(&mut *tx).await?;
            }
        }
        for side in &look.looked {
            sqlx::query(
                "INSERT INTO drift_looks (workspace_id, item_id, kind, version) VALUES (?, ?, ?, ?) \
                 ON CONFLICT (workspace_id, item_id) DO UPDATE SET version = excluded.version",
            )
            .bind(self.workspace())
            .bind(side.item.to_string())
            .bind(side.item.kind().as_str())
            .bind(version(*side))
            .execute(&mut *tx)
            .await?;
        }
        let mut filed = 0;
        for drift in &look.found {
            filed += usize::from(self.insert_drift(&mut tx, drift).await?);
        }
        tx.commit().await?;
        Ok(filed)
    }

    /// False if the same was filed before.
    async fn insert_drift(&self, conn: &mut SqliteConnection, drift: &Drift) -> DbResult<bool> {
        let written = sqlx::query(
            "INSERT INTO drifts (workspace_id, id, canon_kind, canon_id, canon_version, statement_kind, statement_id, \
             statement_version, state, fingerprint, created_at) \
             SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11 \
             WHERE NOT EXISTS (SELECT 1 FROM drifts WHERE workspace_id = ?1 AND fingerprint = ?10)",
        )
        .bind(self.workspace())
        .bind(drift.id.to_string())
        .bind(drift.canon.item.kind().as_str())
        .bind(drift.canon.item.to_string())
        .bind(version(drift.canon))
        .bind(drift.statement.item.kind().as_str())
        .bind(drift.statement.item.to_string())
        .bind(version(drift.statement))
        .bind(drift.state.as_str())
        .bind(drift.fingerprint())
        .bind(micros(drift.created_at))
        .execute(conn)
        .await?;
        Ok(written.rows_affected() > 0)
    }

    async fn read_drifts(
        &self,
        state: Option<DriftState>,
        after: Option<DriftCursor>,
        limit: usize,
    ) -> DbResult<Vec<Drift>> {
        // The unary plus makes SQLite choose the index by the sort order.
        let mut sql = Sql::new(SELECT);
        sql.push("+workspace_id = ").push_bind(self.workspace());
        if let Some(state) = state {
            sql.push(" AND state = ").push_bind(state.as_str());
        }
        if let Some(after) = after {
            sql.push(" AND (created_at, id) < (").push_bind(micros(after.created_at));
            sql.push(", ").push_bind(after.id.to_string()).push(")");
        }
        sql.push(" ORDER BY created_at DESC, id DESC LIMIT ");
        sql.push_bind(i64::try_from(limit).unwrap_or(i64::MAX));
        sql.build().fetch_all(&self.db.reader()).await?.iter().map(drift).collect()
    }

    async fn read_drift(&self, id: DriftId) -> DbResult<Option<Drift>> {
        let mut sql = Sql::new(SELECT);
        sql.push("workspace_id = ").push_bind(self.workspace());
        sql.push(" AND id = ").push_bind(id.to_string());
        sql.build().fetch_optional(&self.db.reader()).await?.as_ref().map(drift).transpose()
    }

    async fn read_drifts_between(&self, (one, two): (Item, Item)) -> DbResult<Vec<Drift>> {
        let mut sql = Sql::new(SELECT);
        let ids = json_list([one, two]);
        sql.push("workspace_id = ").push_bind(self.workspace());
        sql.push(" AND canon_id IN (SELECT value FROM json_each(").push_bind(ids.clone());
        sql.push(")) AND statement_id IN (SELECT value FROM json_each(").push_bind(ids).push("))");
        sql.build().fetch_all(&self.db.reader()).await?.iter().map(drift).collect()
    }

    async fn read_contested(&self, items: &[Item]) -> DbResult<Vec<Item>> {
        let rows: Vec<String> = sqlx::query_scalar(
            "SELECT j.value FROM json_each(?2) AS j \
             WHERE EXISTS (SELECT 1 FROM drifts WHERE workspace_id = ?1 AND state = 'open' \
                           AND canon_kind <> 'page' AND canon_id = j.value) \
                OR EXISTS (SELECT 1 FROM drifts WHERE workspace_id = ?1 AND state = 'open' \
                           AND canon_kind <> 'page' AND statement_id = j.value)",
        )
        .bind(self.workspace())
        .bind(json_list(items))
        .fetch_all(&self.db.reader())
        .await?;
        Ok(items.iter().filter(|item| rows.contains(&item.to_string())).copied().collect())
    }

    async fn read_open_drifts(&self) -> DbResult<u64> {
        let open: i64 = sqlx::query_scalar("SELECT count(*) FROM drifts WHERE state = 'open'")
            .fetch_one(&self.db.reader())
            .await?;
        Ok(open.unsigned_abs())
    }

    async fn write_decision(
        &self,
        id: DriftId,
        decision: DriftDecision,
        change: Option<ChangeId>,
        at: DateTime<Utc>,
    ) -> DbResult<()> {
        let mut tx = self.db.begin_immediate().await?;
        let written = sqlx::query(
            "UPDATE drifts SET state = 'settled', decision = ?, change_id = ?, settled_at = ? \
             WHERE workspace_id = ? AND id = ? AND state = 'open'",
        )
        .bind(decision.as_str())
        .bind(change.map(|id| id.to_string()))
        .bind(micros(at))
        .bind(self.workspace())
        .bind(id.to_string())
        .execute(&mut *tx)
        .await?;
        if written.rows_affected() == 0 {
            return Err(StoreError::Moved("contradiction").into());
        }
        Ok(tx.commit().await?)
    }
}

#[async_trait::async_trait]
impl DriftStore for SqliteStore {
    async fn looked(&self) -> Result<Vec<Side>, StoreError> {
        self.public(self.read_looked().await)
    }

    async fn queued_messages(&self, limit: usize) -> Result<Vec<MessageId>, StoreError> {
        self.public(self.read_queued(limit).await)
    }

    async fn record_look(&self, look: &Look, at: DateTime<Utc>) -> Result<usize, StoreError> {
        self.public(self.write_look(look, at).await)
    }

    async fn drifts(
        &self,
        state: Option<DriftState>,
        after: Option<DriftCursor>,
        limit: usize,
    ) -> Result<Vec<Drift>, StoreError> {
        self.public(self.read_drifts(state, after, limit).await)
    }

    async fn drift(&self, id: DriftId) -> Result<Option<Drift>, StoreError> {
        self.public(self.read_drift(id).await)
    }

    async fn drifts_between(&self, items: (Item, Item)) -> Result<Vec<Drift>, StoreError> {
        self.public(self.read_drifts_between(items).await)
    }

    async fn contested(&self, items: &[Item]) -> Result<Vec<Item>, StoreError> {
        self.public(self.read_contested(items).await)
    }

    async fn count_open_drifts(&self) -> Result<u64, StoreError> {
        self.public(self.read_open_drifts().await)
    }

    async fn settle_drift(
        &self,
        id: DriftId,
        decision: DriftDecision,
        change: Option<ChangeId>,
        at: DateTime<Utc>,
    ) -> Result<(), StoreError> {
        self.public(self.write_decision(id, decision, change, at).await)
    }
}
