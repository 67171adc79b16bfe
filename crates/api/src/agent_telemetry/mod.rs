//! Commands on the telemetry of agents.

pub mod view;

use std::collections::HashMap;

use inklings_application::{
    agent_telemetry::{AgentTelemetrySettings as Settings, FoundSequence, MetricSeries},
    session::Session,
};
use inklings_domain::{
    agent_telemetry::{TargetType, metric::MetricDefinition, pattern::AgentPattern},
    ids::{ClientId, ConversationId, FactId, MemoryId},
    orientation::ItemId,
};
use inklings_ports::agent_telemetry::{ActedBy, ActionCursor, ActionFilter, RecordedAction};

use self::view::{
    AgentActionFilter, AgentActionPage, AgentActionView, AgentPatternView, AgentSequenceView,
    AgentTelemetrySettings, MetricRequest, MetricSeriesView, MetricValue, PatternAnnotation,
};
use crate::{
    commands::AgentTelemetryCommands,
    error::CommandError,
    orientation::{label, labels},
    reference::conversations_by_id,
    wire::{count, cursor, time},
};

/// Filter word for the actions of the World Agent.
const WORLD_AGENT: &str = "world_agent";

impl AgentTelemetryCommands<'_> {
    /// A page of actions, newest first.
    ///
    /// # Errors
    /// [`CommandError`] of code `not_found` for an unknown client, `invalid` for an id or a cursor that is none.
    pub async fn list_agent_actions(
        &self,
        filter: &AgentActionFilter,
    ) -> Result<AgentActionPage, CommandError> {
        let session = self.app.session()?;
        let by = match filter.by.as_deref() {
            Some(WORLD_AGENT) => Some(ActedBy::WorldAgent),
            Some(name) => Some(ActedBy::Client(self.app.clients.named(name).await?.id)),
            None => None,
        };
        let target = filter.target_id.as_deref().map(|id| crate::wire::id("targetId", id)).transpose()?;
        let sequence =
            filter.sequence_id.as_deref().map(|id| crate::wire::id("sequenceId", id)).transpose()?;
        let wanted = ActionFilter {
            by,
            outcome: filter.outcome.map(Into::into),
            target,
            conversation: None,
            sequence,
        };
        let after = cursor::after(filter.after.as_deref())?.map(|(at, id)| ActionCursor { at, id });
        let telemetry = session.agent_telemetry();
        let (rows, next) = telemetry.actions(wanted, after, filter.limit as usize).await?;
        Ok(AgentActionPage {
            rows: self.action_views(&session, &rows).await?,
            next: next.map(|next| cursor::text(&(next.at, next.id))),
            dropped: count(telemetry.dropped()),
        })
    }

    async fn action_views(
        &self,
        session: &Session,
        rows: &[RecordedAction],
    ) -> Result<Vec<AgentActionView>, CommandError> {
        let names = self.client_names().await?;
        let item = |row: &RecordedAction| {
            let target = row.action.target;
            match target.kind {
                TargetType::Memory | TargetType::Subject => {
                    target.id.map(|id| ItemId::Memory(MemoryId::from_uuid(id)))
                }
                TargetType::Fact => target.id.map(|id| ItemId::Fact(FactId::from_uuid(id))),
                _ => None,
            }
        };
        let known = labels(session, rows.iter().filter_map(item), None).await?;
        let of_conversation = |row: &RecordedAction| {
            let target = row.action.target;
            let id = target.id.filter(|_| target.kind == TargetType::Conversation);
            id.map(ConversationId::from_uuid)
        };
        let conversations =
            conversations_by_id(session, rows.iter().filter_map(of_conversation).collect()).await?;
        let view = |row: &RecordedAction| {
            let action = row.action;
            let code = of_conversation(row).and_then(|id| conversations.get(&id));
            let text = item(row).map(|item| label(&known, &item));
            AgentActionView {
                id: action.id.to_string(),
                at: time(action.at),
                action: action.action.to_string(),
                target: action.target.kind.into(),
                target_id: action.target.id.map(|id| id.to_string()),
                label: text.or_else(|| code.map(|c| c.ref_code.as_str().to_owned())).unwrap_or_default(),
                outcome: action.outcome.into(),
                error: action.error.map(Into::into),
                latency_ms: action.latency_ms,
                client: action.client.map(|id| name_of(&names, id)),
                conversation_id: action.conversation.map(|id| id.to_string()),
                turn_id: action.turn.map(|id| id.to_string()),
                sequence_id: row.sequence.to_string(),
            }
        };
        Ok(rows.iter().map(view).collect())
    }

    async fn client_names(&self) -> Result<HashMap<ClientId, String>, CommandError> {
        Ok(self.app.clients.list().await?.into_iter().map(|client| (client.id, client.name)).collect())
    }

    /// The sequences whose steps match a query, best first; the newest ones for an empty query.
    pub async fn search_agent_sequences(
        &self,
        query: &str,
        limit: u32,
    ) -> Result<Vec<AgentSequenceView>, CommandError> {
        let session = self.app.session()?;
        let names = self.client_names().await?;
        let found = session.agent_telemetry().search_sequences(query, limit as usize).await?;
        Ok(found.iter().map(|found| sequence_view(found, &names)).collect())
    }

    /// All patterns, those with the most sequences first.
    pub async fn list_agent_patterns(&self) -> Result<Vec<AgentPatternView>, CommandError> {
        Ok(self.app.session()?.agent_telemetry().patterns().await?.iter().map(pattern_view).collect())
    }

    /// Judges a pattern; without a word the judgement is taken away.
    ///
    /// # Errors
    /// [`CommandError`] of code `not_found`.
    pub async fn annotate_agent_pattern(
        &self,
        id: &str,
        annotation: Option<PatternAnnotation>,
    ) -> Result<AgentPatternView, CommandError> {
        let id = crate::wire::id("id", id)?;
        let (session, actor) = (self.app.session()?, self.app.actor.kind());
        let pattern = session.agent_telemetry().annotate(id, annotation.map(Into::into), actor).await?;
        Ok(pattern_view(&pattern))
    }

    /// Hides a pattern from agents, or shows it again.
    ///
    /// # Errors
    /// [`CommandError`] of code `not_found`; `locked` if an agent would lift a suppression of the worldbuilder.
    pub async fn suppress_agent_pattern(
        &self,
        id: &str,
        suppress: bool,
    ) -> Result<AgentPatternView, CommandError> {
        let id = crate::wire::id("id", id)?;
        let (session, actor) = (self.app.session()?, self.app.actor.kind());
        Ok(pattern_view(&session.agent_telemetry().suppress(id, suppress, actor).await?))
    }

    /// The values of every metric over the last days.
    pub async fn agent_metrics(&self, days: u32) -> Result<Vec<MetricSeriesView>, CommandError> {
        let series = self.app.session()?.agent_telemetry().metric_series(days).await?;
        Ok(series.iter().map(series_view).collect())
    }

    /// Defines a metric.
    ///
    /// # Errors
    /// [`CommandError`] of code `invalid` for an unknown action or a metric that is defined already.
    pub async fn define_agent_metric(&self, request: &MetricRequest) -> Result<String, CommandError> {
        let action = request.action.as_deref().map(|word| crate::wire::id("action", word)).transpose()?;
        let definition = MetricDefinition {
            measure: request.measure.into(),
            action,
            target: request.target.map(Into::into),
            outcome: request.outcome.map(Into::into),
            error: request.error.map(Into::into),
        };
        let metric = self.app.session()?.agent_telemetry().define_metric(definition).await?;
        Ok(metric.id.to_string())
    }

    /// The settings of telemetry.
    pub async fn agent_telemetry_settings(&self) -> Result<AgentTelemetrySettings, CommandError> {
        let Settings { keep_days } = self.app.session()?.agent_telemetry().settings().await?;
        Ok(AgentTelemetrySettings { keep_days })
    }

    /// Stores the settings of telemetry.
    ///
    /// # Errors
    /// [`CommandError`] of code `invalid` for a number of days out of range.
    pub async fn set_agent_telemetry_settings(
        &self,
        settings: AgentTelemetrySettings,
    ) -> Result<(), CommandError> {
        let settings = Settings { keep_days: settings.keep_days };
        Ok(self.app.session()?.agent_telemetry().set_settings(settings).await?)
    }
}

fn name_of(names: &HashMap<ClientId, String>, id: ClientId) -> String {
    names.get(&id).cloned().unwrap_or_else(|| id.to_string())
}

fn sequence_view(found: &FoundSequence, names: &HashMap<ClientId, String>) -> AgentSequenceView {
    let sequence = &found.sequence;
    AgentSequenceView {
        id: sequence.id.to_string(),
        client: sequence.client.map(|id| name_of(names, id)),
        conversation_id: sequence.conversation.map(|id| id.to_string()),
        started_at: time(sequence.started_at),
        ended_at: time(sequence.ended_at),
        actions: count(sequence.actions),
        summary: sequence.summary.clone(),
        score: found.score,
    }
}

fn pattern_view(pattern: &AgentPattern) -> AgentPatternView {
    AgentPatternView {
        id: pattern.id.to_string(),
        action: pattern.key.action.to_string(),
        target: pattern.key.target.into(),
        error: pattern.key.error.into(),
        sequences: count(pattern.evidence.sequences),
        of_sequences: count(pattern.evidence.of),
        holds: pattern.holds,
        promoted_at: time(pattern.promoted_at),
        updated_at: time(pattern.updated_at),
        annotation: pattern.annotation.map(Into::into),
        suppressed_by: pattern.suppressed_by.map(Into::into),
        shown: pattern.is_shown(),
        line: pattern.line(),
    }
}

fn series_view(series: &MetricSeries) -> MetricSeriesView {
    let definition = series.definition.as_ref();
    MetricSeriesView {
        metric: series.key.to_string(),
        name: definition.map_or_else(|| series.key.to_string().replace('_', " "), MetricDefinition::name),
        defined: definition.is_some(),
        values: series
            .values
            .iter()
            .map(|value| MetricValue { day: value.day.to_string(), value: value.value })
            .collect(),
    }
}
