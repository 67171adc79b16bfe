//! Port for storing the telemetry of agents.

use chrono::{DateTime, NaiveDate, Utc};
use inklings_domain::{
    agent_telemetry::{
        AgentAction, ErrorCode, Outcome,
        metric::{AgentMetric, Benchmark, MetricDefinition, MetricKey},
        pattern::{AgentPattern, Annotation, SuppressedBy},
        sequence::{AgentSequence, Step},
    },
    ids::{AgentActionId, AgentPatternId, AgentSequenceId, ClientId, ConversationId},
    memory::embedding::EmbeddingModel,
};
use uuid::Uuid;

use crate::store_error::StoreError;

/// Who acted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ActedBy {
    WorldAgent,
    Client(ClientId),
}

/// Which actions are listed: those that match every given part.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ActionFilter {
    pub by: Option<ActedBy>,
    /// How it ended.
    pub outcome: Option<Outcome>,
    /// What it was done to: the id of an entry, fact or conversation. For a subject also the entries that link to it.
    pub target: Option<Uuid>,
    pub conversation: Option<ConversationId>,
    pub sequence: Option<AgentSequenceId>,
}

/// The last action of a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ActionCursor {
    /// When it began.
    pub at: DateTime<Utc>,
    pub id: AgentActionId,
}

/// An action with its sequence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RecordedAction {
    pub action: AgentAction,
    pub sequence: AgentSequenceId,
}

/// Stores the telemetry of a workspace.
#[async_trait::async_trait]
pub trait AgentTelemetryStore: Send + Sync {
    /// Writes actions and their sequences. Leaves out those of a time when memory is off and those of deleted
    /// conversations. Returns the steps whose patterns may change.
    async fn record(&self, actions: &[AgentAction]) -> Result<Vec<Step>, StoreError>;

    /// Actions, newest first.
    async fn actions(
        &self,
        filter: ActionFilter,
        after: Option<ActionCursor>,
        limit: usize,
    ) -> Result<Vec<RecordedAction>, StoreError>;

    /// The different summaries of all sequences.
    async fn summaries(&self) -> Result<Vec<String>, StoreError>;

    /// The newest sequences with these summaries, newest first.
    async fn sequences(&self, summaries: &[String], limit: usize) -> Result<Vec<AgentSequence>, StoreError>;

    /// The vectors of summaries, of those that have one.
    async fn summary_vectors(&self, model: &EmbeddingModel) -> Result<Vec<(String, Vec<f32>)>, StoreError>;

    /// Stores vectors of summaries.
    async fn put_summary_vectors(
        &self,
        model: &EmbeddingModel,
        vectors: &[(String, Vec<f32>)],
    ) -> Result<(), StoreError>;

    /// The code with which the last such step of each sequence ended.
    async fn last_codes(&self, step: Step) -> Result<Vec<Option<ErrorCode>>, StoreError>;

    /// All patterns, those with the most sequences first.
    async fn patterns(&self) -> Result<Vec<AgentPattern>, StoreError>;

    /// Stores the evidence of patterns, new ones included. Does not change how they are judged.
    async fn put_evidence(&self, patterns: &[AgentPattern]) -> Result<(), StoreError>;

    /// Stores how a pattern is judged. False if there is none.
    ///
    /// # Errors
    /// [`StoreError::Locked`] if an agent would lift a suppression of the worldbuilder.
    async fn judge(
        &self,
        id: AgentPatternId,
        annotation: Option<Annotation>,
        suppressed_by: Option<SuppressedBy>,
        judged_by: SuppressedBy,
    ) -> Result<bool, StoreError>;

    /// All defined metrics, oldest first.
    async fn metrics(&self) -> Result<Vec<AgentMetric>, StoreError>;

    /// Stores a defined metric.
    async fn put_metric(&self, metric: &AgentMetric) -> Result<(), StoreError>;

    /// The values of a metric from a day on, oldest first.
    async fn benchmarks(&self, metric: MetricKey, from: NaiveDate) -> Result<Vec<Benchmark>, StoreError>;

    /// Stores values. A day that has a value keeps it.
    async fn put_benchmarks(&self, values: &[Benchmark]) -> Result<(), StoreError>;

    /// The last day that a metric has a value for.
    async fn last_day(&self, metric: MetricKey) -> Result<Option<NaiveDate>, StoreError>;

    /// The day of the oldest action.
    async fn first_day(&self) -> Result<Option<NaiveDate>, StoreError>;

    /// What a definition measures on a day; `None` if there is nothing to measure, as on a day without any action.
    async fn measure(&self, definition: &MetricDefinition, day: NaiveDate)
    -> Result<Option<f64>, StoreError>;

    /// Proposals of agents that the worldbuilder accepted on a day.
    async fn accepted_proposals(&self, day: NaiveDate) -> Result<u64, StoreError>;

    /// Removes the actions before a time, sequences without actions and vectors without sequences. Returns the number of
    /// actions.
    async fn thin(&self, before: DateTime<Utc>) -> Result<usize, StoreError>;

    /// The ids of the memories that are targets and that the workspace's own file does not hold.
    async fn foreign_targets(&self) -> Result<Vec<Uuid>, StoreError>;

    /// Clears these targets.
    async fn forget_targets(&self, targets: &[Uuid]) -> Result<(), StoreError>;
}
