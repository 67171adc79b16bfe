//! Metrics: one value for each whole day, and the removal of old actions.

use chrono::{Duration, NaiveDate};
use inklings_domain::{
    agent_telemetry::{
        ActionType, Outcome,
        metric::{
            AgentMetric, Benchmark, MAX_METRICS, Measure, MetricDefinition, MetricKey, StandardMetric,
            days_due,
        },
    },
    recall_test::RecallRun,
};

use crate::{error::AppError, services::AgentTelemetry};

/// The values of a metric by day.
#[derive(Debug, Clone, PartialEq)]
pub struct MetricSeries {
    pub key: MetricKey,
    /// Its definition, if it was defined.
    pub definition: Option<MetricDefinition>,
    /// Its values, oldest first. A day without a value has none to show.
    pub values: Vec<Benchmark>,
}

/// What a run of the daily task did.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct MeasuredDays {
    /// Values that were computed.
    pub values: usize,
    /// Actions that were removed.
    pub removed: usize,
}

/// All actions.
const ALL: MetricDefinition =
    MetricDefinition { measure: Measure::Count, action: None, target: None, outcome: None, error: None };

/// What a standard metric counts, if it counts actions.
const fn counted(metric: StandardMetric) -> Option<MetricDefinition> {
    match metric {
        StandardMetric::Refusals => Some(MetricDefinition { outcome: Some(Outcome::Refused), ..ALL }),
        StandardMetric::EmptySearches => Some(MetricDefinition {
            action: Some(ActionType::MemorySearch),
            outcome: Some(Outcome::Empty),
            ..ALL
        }),
        StandardMetric::AcceptedProposals | StandardMetric::RecallTestsGreen => None,
    }
}

impl AgentTelemetry<'_> {
    /// Computes the values of all whole days that have none yet, then removes old actions.
    pub async fn measure_days(&self) -> Result<MeasuredDays, AppError> {
        self.flush().await;
        let (store, now) = (&self.session.workspace.agent_telemetry, self.session.clock.now());
        let (today, first) = (now.date_naive(), store.first_day().await?);
        let mut values = Vec::new();
        for standard in StandardMetric::ALL.iter().copied() {
            let metric = MetricKey::Standard(standard);
            for day in days_due(store.last_day(metric).await?, first, today) {
                let value = self.standard_value(standard, day, today).await?;
                values.extend(value.map(|value| Benchmark { metric, day, value }));
            }
        }
        for AgentMetric { id, definition, .. } in store.metrics().await? {
            let metric = MetricKey::Defined(id);
            for day in days_due(store.last_day(metric).await?, first, today) {
                let value = store.measure(&definition, day).await?;
                values.extend(value.map(|value| Benchmark { metric, day, value }));
            }
        }
        store.put_benchmarks(&values).await?;
        let keep = Duration::days(i64::from(self.settings().await?.keep_days));
        let removed = store.thin(now - keep).await?;
        self.forget_gone_targets().await?;
        Ok(MeasuredDays { values: values.len(), removed })
    }

    async fn standard_value(
        &self,
        metric: StandardMetric,
        day: NaiveDate,
        today: NaiveDate,
    ) -> Result<Option<f64>, AppError> {
        let store = &self.session.workspace.agent_telemetry;
        if let Some(definition) = counted(metric) {
            return Ok(store.measure(&definition, day).await?);
        }
        // A day on which no agent acted has no values, such as one on which memory was off.
        if store.measure(&ALL, day).await?.is_none() {
            return Ok(None);
        }
        if metric == StandardMetric::AcceptedProposals {
            return Ok(Some(store.accepted_proposals(day).await? as f64));
        }
        // Only the last results are stored, so they stand for yesterday alone.
        let tests = self.session.workspace.recall_tests.list().await?;
        let ran = tests.iter().filter_map(|test| test.last.as_ref()).any(|run| run.at.date_naive() <= day);
        let green = tests.iter().filter(|test| test.last.as_ref().is_some_and(RecallRun::passed)).count();
        Ok((day.succ_opt() == Some(today) && ran).then_some(green as f64))
    }

    /// Clears the targets that neither the workspace nor the account holds any more.
    async fn forget_gone_targets(&self) -> Result<(), AppError> {
        let store = &self.session.workspace.agent_telemetry;
        let mut gone = store.foreign_targets().await?;
        let ids: Vec<_> = gone.iter().copied().map(inklings_domain::ids::MemoryId::from_uuid).collect();
        let held = self.session.account.memory.store.get(&ids).await?;
        gone.retain(|id| !held.iter().any(|stored| stored.entry.id.as_uuid() == id));
        if !gone.is_empty() {
            store.forget_targets(&gone).await?;
        }
        Ok(())
    }

    /// Defines a metric. Its days are computed with the next run of the daily task.
    ///
    /// # Errors
    /// [`AppError::Input`] if it is defined already, or too many are.
    pub async fn define_metric(&self, definition: MetricDefinition) -> Result<AgentMetric, AppError> {
        let store = &self.session.workspace.agent_telemetry;
        let known = store.metrics().await?;
        let refused = |message: &str| AppError::Input { field: "metric", message: message.to_owned() };
        if known.iter().any(|metric| metric.definition == definition) {
            return Err(refused("this metric is defined already"));
        }
        if known.len() >= MAX_METRICS {
            return Err(refused("this workspace has 50 defined metrics already"));
        }
        let metric = AgentMetric {
            id: self.session.ids.agent_metric_id(),
            definition,
            created_at: self.session.clock.now(),
        };
        store.put_metric(&metric).await?;
        Ok(metric)
    }

    /// The values of every metric over the last days.
    pub async fn metric_series(&self, days: u32) -> Result<Vec<MetricSeries>, AppError> {
        let store = &self.session.workspace.agent_telemetry;
        let today = self.session.clock.now().date_naive();
        let from = today.checked_sub_days(chrono::Days::new(u64::from(days))).unwrap_or(today);
        let standard = StandardMetric::ALL.iter().map(|metric| (MetricKey::Standard(*metric), None));
        let defined = store.metrics().await?;
        let defined =
            defined.into_iter().map(|metric| (MetricKey::Defined(metric.id), Some(metric.definition)));
        let mut all = Vec::new();
        for (key, definition) in standard.chain(defined) {
            all.push(MetricSeries { key, definition, values: store.benchmarks(key, from).await? });
        }
        Ok(all)
    }
}
