//! Actions, and the sequences that they belong to.

use inklings_domain::{
    agent_telemetry::{
        AgentAction, ErrorCode, Target,
        sequence::{PAUSE, Step, is_full, summary},
    },
    ids::AgentSequenceId,
};
use inklings_ports::agent_telemetry::{ActedBy, ActionCursor, ActionFilter, RecordedAction};
use sqlx::{Row, SqliteConnection, sqlite::SqliteRow};
use uuid::Uuid;

use super::count_change;
use crate::{
    error::{DbError, DbResult},
    memory::filter_sql::Sql,
    orientation::ledger::number,
    rows::{maybe, micros, moment, parsed},
    store::SqliteStore,
};

/// Actions of a sequence that its summary is made of.
const MOST_SUMMARISED: i64 = 2_000;

const COLUMNS: &str = "a.id, a.sequence_id, a.at, a.action_type, a.target_type, a.target_id, a.outcome, a.error_code, \
    a.latency_ms, a.client_id, a.conversation_id, a.turn_id";

fn recorded(row: &SqliteRow) -> DbResult<RecordedAction> {
    let target: Option<Uuid> = maybe(row, 5, "target_id")?;
    Ok(RecordedAction {
        action: AgentAction {
            id: parsed(row.try_get(0)?, "id")?,
            at: moment(row.try_get(2)?, "at")?,
            action: parsed(row.try_get(3)?, "action_type")?,
            target: Target { kind: parsed(row.try_get(4)?, "target_type")?, id: target },
            outcome: parsed(row.try_get(6)?, "outcome")?,
            error: maybe(row, 7, "error_code")?,
            latency_ms: u32::try_from(row.try_get::<i64, _>(8)?)
                .map_err(|_| DbError::Row { column: "latency_ms" })?,
            client: maybe(row, 9, "client_id")?,
            conversation: maybe(row, 10, "conversation_id")?,
            turn: maybe(row, 11, "turn_id")?,
        },
        sequence: parsed(row.try_get(1)?, "sequence_id")?,
    })
}

/// A sequence with what is added to it. Without it each action of a long sequence would read all earlier ones.
struct Written {
    sequence: AgentSequenceId,
    ended_at: i64,
    /// Number of added actions.
    actions: i64,
    /// True if the added actions do not change its summary.
    is_summarised: bool,
}

impl Written {
    fn add(&mut self, action: &AgentAction) {
        let at = micros(action.at);
        // One that began before another may stand in front of the steps that are left out.
        self.is_summarised &= at > self.ended_at;
        self.ended_at = self.ended_at.max(at);
        self.actions += 1;
    }
}

impl SqliteStore {
    pub(super) async fn record_actions(&self, actions: &[AgentAction]) -> DbResult<Vec<Step>> {
        let mut tx = self.db.begin_immediate().await?;
        let (mut steps, mut sequences) = (Vec::new(), Vec::<Written>::new());
        for action in actions {
            if !self.is_captured(&mut tx, action).await? {
                continue;
            }
            let sequence = self.sequence_of(&mut tx, action).await?;
            let step = self.insert_action(&mut tx, action, sequence).await?;
            match sequences.iter_mut().find(|written| written.sequence == sequence) {
                Some(written) => written.add(action),
                None => sequences.push(self.written(&mut tx, sequence, action).await?),
            }
            if !steps.contains(&step) && self.may_change_patterns(&mut tx, action, step).await? {
                steps.push(step);
            }
        }
        for written in &sequences {
            if written.is_summarised {
                self.extend_sequence(&mut tx, written).await?;
            } else {
                self.summarise_sequence(&mut tx, written.sequence).await?;
            }
        }
        if !sequences.is_empty() {
            count_change(&mut tx).await?;
        }
        tx.commit().await?;
        Ok(steps)
    }

    /// False if the trigger would leave the row out. Asked first, so that no sequence begins without an action.
    async fn is_captured(&self, conn: &mut SqliteConnection, action: &AgentAction) -> DbResult<bool> {
        let left_out: bool = sqlx::query_scalar(
            "SELECT EXISTS (SELECT 1 FROM memory_off) \
             OR EXISTS (SELECT 1 FROM conversations WHERE workspace_id = ?1 AND id = ?2 AND deleted_at IS NOT NULL) \
             OR EXISTS (SELECT 1 FROM agent_actions WHERE workspace_id = ?1 AND id = ?3)",
        )
        .bind(self.workspace())
        .bind(action.conversation.map(|id| id.to_string()))
        .bind(action.id.to_string())
        .fetch_one(conn)
        .await?;
        Ok(!left_out)
    }

    /// The sequence of an action: its turn, or the one in which its client is at work. Begins it if there is none.
    async fn sequence_of(
        &self,
        conn: &mut SqliteConnection,
        action: &AgentAction,
    ) -> DbResult<AgentSequenceId> {
        let own = action.turn.map_or(*action.id.as_uuid(), |turn| *turn.as_uuid());
        let mut id = AgentSequenceId::from_uuid(own).to_string();
        if let Some(client) = action.client {
            let open: Option<String> = sqlx::query_scalar(
                "SELECT id FROM agent_sequences WHERE workspace_id = ? AND client_id = ? AND ended_at >= ? \
                 ORDER BY ended_at DESC LIMIT 1",
            )
            .bind(self.workspace())
            .bind(client.to_string())
            .bind(micros(action.at - PAUSE))
            .fetch_optional(&mut *conn)
            .await?;
            id = open.unwrap_or(id);
        }
        let of_turn = action.conversation.filter(|_| action.client.is_none());
        sqlx::query(
            "INSERT INTO agent_sequences (workspace_id, id, client_id, conversation_id, turn_id, started_at, ended_at, \
             actions, summary) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?6, 0, '') ON CONFLICT DO NOTHING",
        )
        .bind(self.workspace())
        .bind(&*id)
        .bind(action.client.map(|id| id.to_string()))
        .bind(of_turn.map(|id| id.to_string()))
        .bind(action.turn.map(|id| id.to_string()))
        .bind(micros(action.at))
        .execute(conn)
        .await?;
        parsed(&id, "id")
    }

    /// Writes an action. A memory that is a subject is recorded as one; the caller of a tool does not say which it is.
    async fn insert_action(
        &self,
        conn: &mut SqliteConnection,
        action: &AgentAction,
        sequence: AgentSequenceId,
    ) -> DbResult<Step> {
        let target: String = sqlx::query_scalar(
            "INSERT INTO agent_actions (workspace_id, id, sequence_id, at, action_type, target_type, target_id, outcome, \
             error_code, latency_ms, client_id, conversation_id, turn_id) \
             VALUES (?1, ?2, ?3, ?4, ?5, CASE WHEN ?6 = 'memory' AND EXISTS \
               (SELECT 1 FROM memories WHERE workspace_id = ?1 AND id = ?7 AND subject IS NOT NULL) \
               THEN 'subject' ELSE ?6 END, ?7, ?8, ?9, ?10, ?11, ?12, ?13) RETURNING target_type",
        )
        .bind(self.workspace())
        .bind(action.id.to_string())
        .bind(sequence.to_string())
        .bind(micros(action.at))
        .bind(action.action.as_str())
        .bind(action.target.kind.as_str())
        .bind(action.target.id.map(|id| id.to_string()))
        .bind(action.outcome.as_str())
        .bind(action.error.map(ErrorCode::as_str))
        .bind(i64::from(action.latency_ms))
        .bind(action.client.map(|id| id.to_string()))
        .bind(action.conversation.map(|id| id.to_string()))
        .bind(action.turn.map(|id| id.to_string()))
        .fetch_one(conn)
        .await?;
        Ok((action.action, parsed(&target, "target_type")?))
    }

    /// A step without a code changes patterns only where there is one.
    async fn may_change_patterns(
        &self,
        conn: &mut SqliteConnection,
        action: &AgentAction,
        step: Step,
    ) -> DbResult<bool> {
        if action.error.is_some() {
            return Ok(true);
        }
        let known = sqlx::query_scalar(
            "SELECT EXISTS (SELECT 1 FROM agent_patterns WHERE workspace_id = ? AND action_type = ? AND target_type = ?)",
        );
        Ok(known.bind(self.workspace()).bind(step.0.as_str()).bind(step.1.as_str()).fetch_one(conn).await?)
    }

    /// A sequence that an action was added to.
    async fn written(
        &self,
        conn: &mut SqliteConnection,
        sequence: AgentSequenceId,
        action: &AgentAction,
    ) -> DbResult<Written> {
        let (ended_at, actions, summary): (i64, i64, String) = sqlx::query_as(
            "SELECT ended_at, actions, summary FROM agent_sequences WHERE workspace_id = ? AND id = ?",
        )
        .bind(self.workspace())
        .bind(sequence.to_string())
        .fetch_one(conn)
        .await?;
        let is_summarised = is_full(&summary) || actions >= MOST_SUMMARISED;
        let mut written = Written { sequence, ended_at, actions: 0, is_summarised };
        written.add(action);
        Ok(written)
    }

    /// Adds actions to a sequence whose summary stays.
    async fn extend_sequence(&self, conn: &mut SqliteConnection, written: &Written) -> DbResult<()> {
        sqlx::query(
            "UPDATE agent_sequences SET ended_at = ?3, actions = actions + ?4 WHERE workspace_id = ?1 AND id = ?2",
        )
        .bind(self.workspace())
        .bind(written.sequence.to_string())
        .bind(written.ended_at)
        .bind(written.actions)
        .execute(conn)
        .await?;
        Ok(())
    }

    async fn summarise_sequence(&self, conn: &mut SqliteConnection, id: AgentSequenceId) -> DbResult<()> {
        let rows: Vec<(String, String)> = sqlx::query_as(
            "SELECT action_type, target_type FROM agent_actions WHERE workspace_id = ? AND sequence_id = ? \
             ORDER BY at, id LIMIT ?",
        )
        .bind(self.workspace())
        .bind(id.to_string())
        .bind(MOST_SUMMARISED)
        .fetch_all(&mut *conn)
        .await?;
        let mut steps: Vec<Step> = Vec::with_capacity(rows.len());
        for (action, target) in &rows {
            steps.push((parsed(action, "action_type")?, parsed(target, "target_type")?));
        }
        sqlx::query(
            "UPDATE agent_sequences SET summary = ?3, \
             (started_at, ended_at, actions) = (SELECT min(at), max(at), count(*) FROM agent_actions \
                WHERE workspace_id = ?1 AND sequence_id = ?2) WHERE workspace_id = ?1 AND id = ?2",
        )
        .bind(self.workspace())
        .bind(id.to_string())
        .bind(summary(steps))
        .execute(conn)
        .await?;
        Ok(())
    }

    pub(super) async fn read_actions(
        &self,
        filter: ActionFilter,
        after: Option<ActionCursor>,
        limit: usize,
    ) -> DbResult<Vec<RecordedAction>> {
        let mut sql = Sql::new("SELECT ");
        sql.push(COLUMNS)
            .push(" FROM agent_actions AS a WHERE a.workspace_id = ")
            .push_bind(self.workspace());
        match filter.by {
            Some(ActedBy::WorldAgent) => {
                sql.push(" AND a.client_id IS NULL");
            }
            Some(ActedBy::Client(id)) => {
                sql.push(" AND a.client_id = ").push_bind(id.to_string());
            }
            None => {}
        }
        if let Some(outcome) = filter.outcome {
            sql.push(" AND a.outcome = ").push_bind(outcome.as_str());
        }
        if let Some(target) = filter.target {
            // From a subject one step: what was done to it, and to what links to it.
            sql.push(" AND a.target_id IN (SELECT ").push_bind(target.to_string());
            sql.push(" UNION SELECT entry_id FROM entry_links WHERE workspace_id = ")
                .push_bind(self.workspace());
            sql.push(" AND target_id = ").push_bind(target.to_string()).push(")");
        }
        if let Some(conversation) = filter.conversation {
            sql.push(" AND a.conversation_id = ").push_bind(conversation.to_string());
        }
        if let Some(sequence) = filter.sequence {
            sql.push(" AND a.sequence_id = ").push_bind(sequence.to_string());
        }
        if let Some(after) = after {
            sql.push(" AND (a.at, a.id) < (").push_bind(micros(after.at));
            sql.push(", ").push_bind(after.id.to_string()).push(")");
        }
        sql.push(" ORDER BY a.at DESC, a.id DESC LIMIT ").push_bind(number(limit as u64));
        let rows = sql.build().fetch_all(&self.db.reader()).await?;
        rows.iter().map(recorded).collect()
    }

    pub(super) async fn read_foreign_targets(&self) -> DbResult<Vec<Uuid>> {
        let rows: Vec<String> = sqlx::query_scalar(
            "SELECT DISTINCT target_id FROM agent_actions AS a WHERE workspace_id = ? AND target_id IS NOT NULL \
             AND target_type = 'memory' AND NOT EXISTS \
             (SELECT 1 FROM memories AS m WHERE m.workspace_id = a.workspace_id AND m.id = a.target_id)",
        )
        .bind(self.workspace())
        .fetch_all(&self.db.reader())
        .await?;
        rows.iter().map(|id| parsed(id, "target_id")).collect()
    }

    pub(super) async fn clear_targets(&self, targets: &[Uuid]) -> DbResult<()> {
        let mut tx = self.db.begin_immediate().await?;
        sqlx::query(
            "UPDATE agent_actions SET target_id = NULL WHERE workspace_id = ? \
             AND target_id IN (SELECT value FROM json_each(?))",
        )
        .bind(self.workspace())
        .bind(crate::rows::json_list(targets))
        .execute(&mut *tx)
        .await?;
        count_change(&mut tx).await?;
        Ok(tx.commit().await?)
    }

    pub(super) async fn thin_actions(&self, before: i64) -> DbResult<usize> {
        let mut tx = self.db.begin_immediate().await?;
        let removed = sqlx::query("DELETE FROM agent_actions WHERE workspace_id = ? AND at < ?")
            .bind(self.workspace())
            .bind(before)
            .execute(&mut *tx)
            .await?
            .rows_affected();
        if removed > 0 {
            for statement in [
                "DELETE FROM agent_sequences WHERE workspace_id = ?1 AND NOT EXISTS (SELECT 1 FROM agent_actions AS a \
                 WHERE a.workspace_id = agent_sequences.workspace_id AND a.sequence_id = agent_sequences.id)",
                "DELETE FROM agent_summary_vectors WHERE workspace_id = ?1 \
                 AND summary NOT IN (SELECT summary FROM agent_sequences WHERE workspace_id = ?1)",
            ] {
                sqlx::query(statement).bind(self.workspace()).execute(&mut *tx).await?;
            }
            count_change(&mut tx).await?;
        }
        tx.commit().await?;
        Ok(usize::try_from(removed).unwrap_or(usize::MAX))
    }
}
