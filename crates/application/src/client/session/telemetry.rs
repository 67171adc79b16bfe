//! The telemetry of agents, for a client with the capability. It is of no tier, and not for a client with a lens.

use inklings_domain::{
    agent_telemetry::{
        metric::{AgentMetric, MetricDefinition},
        pattern::{AgentPattern, Annotation},
    },
    client::Capability,
    ids::AgentPatternId,
    orientation::shown::{Seen, Showing, Through},
};

use super::ClientSession;
use crate::{
    agent_telemetry::{FoundSequence, MetricSeries},
    error::AppError,
    tools::Caller,
};

impl ClientSession {
    /// All patterns, and the sequences whose steps match a query.
    ///
    /// # Errors
    /// [`AppError::Denied`].
    pub async fn search_telemetry(
        &self,
        query: &str,
        limit: usize,
    ) -> Result<(Vec<AgentPattern>, Vec<FoundSequence>), AppError> {
        self.capable(Capability::AgentTelemetry).await?;
        let telemetry = self.session.agent_telemetry();
        let found = (telemetry.patterns().await?, telemetry.search_sequences(query, limit).await?);
        Ok(self.shows(found, showing).await)
    }

    /// The patterns that the client is shown before a task, and the sequences that are like it.
    ///
    /// # Errors
    /// [`AppError::Denied`].
    pub async fn telemetry_context(
        &self,
        query: &str,
        limit: usize,
    ) -> Result<(Vec<AgentPattern>, Vec<FoundSequence>), AppError> {
        let client = self.capable(Capability::AgentTelemetry).await?;
        let telemetry = self.session.agent_telemetry();
        let patterns = telemetry.shown_patterns(Caller::Client(&client.grants)).await?;
        let found = (patterns, telemetry.search_sequences(query, limit).await?);
        Ok(self.shows(found, showing).await)
    }

    /// Judges a pattern, or hides it from agents or shows it again.
    ///
    /// # Errors
    /// [`AppError::Denied`], [`AppError::MemoryOff`], [`AppError::NotFound`]; [`AppError::SuppressedByAuthor`].
    pub async fn judge_pattern(
        &self,
        id: AgentPatternId,
        annotation: Option<Annotation>,
        suppress: Option<bool>,
    ) -> Result<AgentPattern, AppError> {
        self.capable(Capability::AgentTelemetry).await?;
        let (telemetry, actor) = (self.session.agent_telemetry(), self.actor()?.kind());
        self.session.switch().may_capture(actor).await?;
        // First what may be refused, so that nothing is written then.
        let suppressed = match suppress {
            Some(suppress) => Some(telemetry.suppress(id, suppress, actor).await?),
            None => None,
        };
        match (annotation, suppressed) {
            (Some(_), _) => telemetry.annotate(id, annotation, actor).await,
            (None, Some(pattern)) => Ok(pattern),
            (None, None) => {
                let message = "give 'annotation' or 'suppress'".to_owned();
                Err(AppError::Input { field: "annotation", message })
            }
        }
    }

    /// Defines a metric.
    ///
    /// # Errors
    /// [`AppError::Denied`], [`AppError::MemoryOff`]; [`AppError::Input`] if it is defined already, or too many are.
    pub async fn define_metric(&self, definition: MetricDefinition) -> Result<AgentMetric, AppError> {
        self.capable(Capability::AgentTelemetry).await?;
        self.session.switch().may_capture(self.actor()?.kind()).await?;
        self.session.agent_telemetry().define_metric(definition).await
    }

    /// The values of every metric over the last days.
    ///
    /// # Errors
    /// [`AppError::Denied`].
    pub async fn metric_series(&self, days: u32) -> Result<Vec<MetricSeries>, AppError> {
        self.capable(Capability::AgentTelemetry).await?;
        let series = self.session.agent_telemetry().metric_series(days).await?;
        Ok(self.shows(series, |series| Showing::counted(Through::Telemetry, series.len())).await)
    }
}

/// What the ledger records of patterns and sequences.
fn showing((patterns, sequences): &(Vec<AgentPattern>, Vec<FoundSequence>)) -> Showing {
    let seen = patterns.iter().map(|pattern| Seen::pattern(pattern.id)).collect();
    Showing::of(Through::Telemetry, seen).and_counted(sequences.len())
}
