//! The port of telemetry on SQLite.

use chrono::{DateTime, NaiveDate, Utc};
use inklings_domain::{
    agent_telemetry::{
        AgentAction, ErrorCode,
        metric::{AgentMetric, Benchmark, MetricDefinition, MetricKey},
        pattern::{AgentPattern, Annotation, SuppressedBy},
        sequence::{AgentSequence, Step},
    },
    ids::AgentPatternId,
    memory::embedding::EmbeddingModel,
};
use inklings_ports::{
    agent_telemetry::{ActionCursor, ActionFilter, AgentTelemetryStore, RecordedAction},
    store_error::StoreError,
};
use uuid::Uuid;

use crate::{rows::micros, store::SqliteStore};

#[async_trait::async_trait]
impl AgentTelemetryStore for SqliteStore {
    async fn record(&self, actions: &[AgentAction]) -> Result<Vec<Step>, StoreError> {
        self.public(self.record_actions(actions).await)
    }

    async fn actions(
        &self,
        filter: ActionFilter,
        after: Option<ActionCursor>,
        limit: usize,
    ) -> Result<Vec<RecordedAction>, StoreError> {
        self.public(self.read_actions(filter, after, limit).await)
    }

    async fn summaries(&self) -> Result<Vec<String>, StoreError> {
        self.public(self.read_summaries().await)
    }

    async fn sequences(&self, summaries: &[String], limit: usize) -> Result<Vec<AgentSequence>, StoreError> {
        self.public(self.read_sequences(summaries, limit).await)
    }

    async fn summary_vectors(&self, model: &EmbeddingModel) -> Result<Vec<(String, Vec<f32>)>, StoreError> {
        self.public(self.read_summary_vectors(model).await)
    }

    async fn put_summary_vectors(
        &self,
        model: &EmbeddingModel,
        vectors: &[(String, Vec<f32>)],
    ) -> Result<(), StoreError> {
        self.public(self.write_summary_vectors(model, vectors).await)
    }

    async fn last_codes(&self, step: Step) -> Result<Vec<Option<ErrorCode>>, StoreError> {
        self.public(self.read_last_codes(step).await)
    }

    async fn patterns(&self) -> Result<Vec<AgentPattern>, StoreError> {
        self.public(self.read_patterns().await)
    }

    async fn put_evidence(&self, patterns: &[AgentPattern]) -> Result<(), StoreError> {
        self.public(self.write_evidence(patterns).await)
    }

    async fn judge(
        &self,
        id: AgentPatternId,
        annotation: Option<Annotation>,
        suppressed_by: Option<SuppressedBy>,
        judged_by: SuppressedBy,
    ) -> Result<bool, StoreError> {
        self.public(self.judge_pattern(id, annotation, suppressed_by, judged_by).await)
    }

    async fn metrics(&self) -> Result<Vec<AgentMetric>, StoreError> {
        self.public(self.read_metrics().await)
    }

    async fn put_metric(&self, metric: &AgentMetric) -> Result<(), StoreError> {
        self.public(self.write_metric(metric).await)
    }

    async fn benchmarks(&self, metric: MetricKey, from: NaiveDate) -> Result<Vec<Benchmark>, StoreError> {
        self.public(self.read_benchmarks(metric, from).await)
    }

    async fn put_benchmarks(&self, values: &[Benchmark]) -> Result<(), StoreError> {
        self.public(self.write_benchmarks(values).await)
    }

    async fn last_day(&self, metric: MetricKey) -> Result<Option<NaiveDate>, StoreError> {
        self.public(self.read_last_day(metric).await)
    }

    async fn first_day(&self) -> Result<Option<NaiveDate>, StoreError> {
        self.public(self.read_first_day().await)
    }

    async fn measure(
        &self,
        definition: &MetricDefinition,
        day: NaiveDate,
    ) -> Result<Option<f64>, StoreError> {
        self.public(self.measure_day(definition, day).await)
    }

    async fn accepted_proposals(&self, day: NaiveDate) -> Result<u64, StoreError> {
        self.public(self.count_accepted_proposals(day).await)
    }

    async fn thin(&self, before: DateTime<Utc>) -> Result<usize, StoreError> {
        self.public(self.thin_actions(micros(before)).await)
    }

    async fn foreign_targets(&self) -> Result<Vec<Uuid>, StoreError> {
        self.public(self.read_foreign_targets().await)
    }

    async fn forget_targets(&self, targets: &[Uuid]) -> Result<(), StoreError> {
        self.public(self.clear_targets(targets).await)
    }
}
