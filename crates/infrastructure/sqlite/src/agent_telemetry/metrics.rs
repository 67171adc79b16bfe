//! Metrics of agents and their values by day.

use chrono::{DateTime, Days, NaiveDate, NaiveTime};
use inklings_domain::agent_telemetry::{
    ActionType, ErrorCode, Outcome, TargetType,
    metric::{AgentMetric, Benchmark, Measure, MetricDefinition, MetricKey},
};
use sqlx::{Row, sqlite::SqliteRow};

use super::count_change;
use crate::{
    error::{DbError, DbResult},
    rows::{maybe, micros, moment, parsed},
    store::SqliteStore,
};

/// Days since 1970.
fn number_of(day: NaiveDate) -> i64 {
    day.signed_duration_since(DateTime::UNIX_EPOCH.date_naive()).num_days()
}

fn day_of(number: i64) -> DbResult<NaiveDate> {
    let bad = DbError::Row { column: "day" };
    let Ok(days) = u64::try_from(number) else { return Err(bad) };
    DateTime::UNIX_EPOCH.date_naive().checked_add_days(Days::new(days)).ok_or(bad)
}

/// The first moment of a day and of the next one.
fn bounds(day: NaiveDate) -> (i64, i64) {
    let start = micros(day.and_time(NaiveTime::MIN).and_utc());
    (start, start + 86_400_000_000)
}

fn metric(row: &SqliteRow) -> DbResult<AgentMetric> {
    Ok(AgentMetric {
        id: parsed(row.try_get(0)?, "id")?,
        definition: MetricDefinition {
            measure: parsed(row.try_get(1)?, "measure")?,
            action: maybe(row, 2, "action_type")?,
            target: maybe(row, 3, "target_type")?,
            outcome: maybe(row, 4, "outcome")?,
            error: maybe(row, 5, "error_code")?,
        },
        created_at: moment(row.try_get(6)?, "created_at")?,
    })
}

impl SqliteStore {
    pub(super) async fn read_metrics(&self) -> DbResult<Vec<AgentMetric>> {
        let rows = sqlx::query(
            "SELECT id, measure, action_type, target_type, outcome, error_code, created_at FROM agent_metrics \
             WHERE workspace_id = ? ORDER BY created_at, id",
        )
        .bind(self.workspace())
        .fetch_all(&self.db.reader())
        .await?;
        rows.iter().map(metric).collect()
    }

    pub(super) async fn write_metric(&self, metric: &AgentMetric) -> DbResult<()> {
        let mut tx = self.db.begin_immediate().await?;
        sqlx::query(
            "INSERT INTO agent_metrics (workspace_id, id, measure, action_type, target_type, outcome, error_code, \
             created_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
        )
        .bind(self.workspace())
        .bind(metric.id.to_string())
        .bind(metric.definition.measure.as_str())
        .bind(metric.definition.action.map(ActionType::as_str))
        .bind(metric.definition.target.map(TargetType::as_str))
        .bind(metric.definition.outcome.map(Outcome::as_str))
        .bind(metric.definition.error.map(ErrorCode::as_str))
        .bind(micros(metric.created_at))
        .execute(&mut *tx)
        .await?;
        count_change(&mut tx).await?;
        Ok(tx.commit().await?)
    }

    pub(super) async fn read_benchmarks(
        &self,
        metric: MetricKey,
        from: NaiveDate,
    ) -> DbResult<Vec<Benchmark>> {
        let rows: Vec<(i64, f64)> = sqlx::query_as(
            "SELECT day, value FROM agent_benchmarks WHERE workspace_id = ? AND metric = ? AND day >= ? ORDER BY day",
        )
        .bind(self.workspace())
        .bind(metric.to_string())
        .bind(number_of(from))
        .fetch_all(&self.db.reader())
        .await?;
        rows.into_iter().map(|(day, value)| Ok(Benchmark { metric, day: day_of(day)?, value })).collect()
    }

    pub(super) async fn write_benchmarks(&self, values: &[Benchmark]) -> DbResult<()> {
        if values.is_empty() {
            return Ok(());
        }
        let mut tx = self.db.begin_immediate().await?;
        for Benchmark { metric, day, value } in values {
            sqlx::query(
                "INSERT INTO agent_benchmarks (workspace_id, metric, day, value) VALUES (?, ?, ?, ?) \
                 ON CONFLICT DO NOTHING",
            )
            .bind(self.workspace())
            .bind(metric.to_string())
            .bind(number_of(*day))
            .bind(*value)
            .execute(&mut *tx)
            .await?;
        }
        count_change(&mut tx).await?;
        Ok(tx.commit().await?)
    }

    pub(super) async fn read_last_day(&self, metric: MetricKey) -> DbResult<Option<NaiveDate>> {
        let day: Option<i64> =
            sqlx::query_scalar("SELECT max(day) FROM agent_benchmarks WHERE workspace_id = ? AND metric = ?")
                .bind(self.workspace())
                .bind(metric.to_string())
                .fetch_one(&self.db.reader())
                .await?;
        day.map(day_of).transpose()
    }

    pub(super) async fn read_first_day(&self) -> DbResult<Option<NaiveDate>> {
        let at: Option<i64> = sqlx::query_scalar("SELECT min(at) FROM agent_actions WHERE workspace_id = ?")
            .bind(self.workspace())
            .fetch_one(&self.db.reader())
            .await?;
        Ok(at.map(|at| moment(at, "at")).transpose()?.map(|at| at.date_naive()))
    }

    pub(super) async fn measure_day(
        &self,
        definition: &MetricDefinition,
        day: NaiveDate,
    ) -> DbResult<Option<f64>> {
        let (from, to) = bounds(day);
        let acted: bool = sqlx::query_scalar(
            "SELECT EXISTS (SELECT 1 FROM agent_actions WHERE workspace_id = ? AND at >= ? AND at < ?)",
        )
        .bind(self.workspace())
        .bind(from)
        .bind(to)
        .fetch_one(&self.db.reader())
        .await?;
        if !acted {
            return Ok(None);
        }
        // Of the actions of the type on the target: all, those that end so, and the mean latency of those.
        let (all, ended, latency): (i64, i64, Option<f64>) = sqlx::query_as(
            "SELECT count(*), coalesce(sum(ends), 0), avg(CASE WHEN ends THEN latency_ms END) FROM \
             (SELECT latency_ms, (?6 IS NULL OR outcome = ?6) AND (?7 IS NULL OR error_code IS ?7) AS ends \
              FROM agent_actions WHERE workspace_id = ?1 AND at >= ?2 AND at < ?3 \
              AND (?4 IS NULL OR action_type = ?4) AND (?5 IS NULL OR target_type = ?5))",
        )
        .bind(self.workspace())
        .bind(from)
        .bind(to)
        .bind(definition.action.map(ActionType::as_str))
        .bind(definition.target.map(TargetType::as_str))
        .bind(definition.outcome.map(Outcome::as_str))
        .bind(definition.error.map(ErrorCode::as_str))
        .fetch_one(&self.db.reader())
        .await?;
        Ok(match definition.measure {
            Measure::Count => Some(ended as f64),
            Measure::Percent => (all > 0).then(|| 100.0 * ended as f64 / all as f64),
            Measure::MeanLatency => latency,
        })
    }

    pub(super) async fn count_accepted_proposals(&self, day: NaiveDate) -> DbResult<u64> {
        let (from, to) = bounds(day);
        let accepted: i64 = sqlx::query_scalar(
            "SELECT count(*) FROM proposals WHERE workspace_id = ? AND hand = 'agent' AND state = 'accepted' \
             AND decided_at >= ? AND decided_at < ?",
        )
        .bind(self.workspace())
        .bind(from)
        .bind(to)
        .fetch_one(&self.db.reader())
        .await?;
        Ok(accepted.unsigned_abs())
    }
}
