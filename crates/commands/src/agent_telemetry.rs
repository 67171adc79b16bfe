//! Commands of the telemetry of agents.

use inklings_api::agent_telemetry::view::{
    AgentActionFilter, AgentActionPage, AgentPatternView, AgentSequenceView, AgentTelemetrySettings,
    MetricRequest, MetricSeriesView, PatternAnnotation,
};

use crate::{Answer, Core};

/// A page of what agents did, newest first.
#[specta::specta]
pub async fn list_agent_actions(core: Core, filter: AgentActionFilter) -> Answer<AgentActionPage> {
    core.app()?.agent_telemetry().list_agent_actions(&filter).await
}

/// The sequences whose steps match a query, best first; the newest ones for an empty query.
#[specta::specta]
pub async fn search_agent_sequences(core: Core, query: String, limit: u32) -> Answer<Vec<AgentSequenceView>> {
    core.app()?.agent_telemetry().search_agent_sequences(&query, limit).await
}

/// All patterns of what agents do, those with the most sequences first.
#[specta::specta]
pub async fn list_agent_patterns(core: Core) -> Answer<Vec<AgentPatternView>> {
    core.app()?.agent_telemetry().list_agent_patterns().await
}

/// Judges a pattern; without a word the judgement is taken away.
#[specta::specta]
pub async fn annotate_agent_pattern(
    core: Core,
    id: String,
    annotation: Option<PatternAnnotation>,
) -> Answer<AgentPatternView> {
    core.app()?.agent_telemetry().annotate_agent_pattern(&id, annotation).await
}

/// Hides a pattern from agents, or shows it again.
#[specta::specta]
pub async fn suppress_agent_pattern(core: Core, id: String, suppress: bool) -> Answer<AgentPatternView> {
    core.app()?.agent_telemetry().suppress_agent_pattern(&id, suppress).await
}

/// The values of every metric over the last days.
#[specta::specta]
pub async fn agent_metrics(core: Core, days: u32) -> Answer<Vec<MetricSeriesView>> {
    core.app()?.agent_telemetry().agent_metrics(days).await
}

/// Defines a metric, and answers its id.
#[specta::specta]
pub async fn define_agent_metric(core: Core, request: MetricRequest) -> Answer<String> {
    core.app()?.agent_telemetry().define_agent_metric(&request).await
}

/// The settings of telemetry.
#[specta::specta]
pub async fn agent_telemetry_settings(core: Core) -> Answer<AgentTelemetrySettings> {
    core.app()?.agent_telemetry().agent_telemetry_settings().await
}

/// Stores the settings of telemetry.
#[specta::specta]
pub async fn set_agent_telemetry_settings(core: Core, settings: AgentTelemetrySettings) -> Answer<()> {
    core.app()?.agent_telemetry().set_agent_telemetry_settings(settings).await
}
