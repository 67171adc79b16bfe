//! The `inklings telemetry` commands.

pub mod args;
pub mod show;

use inklings_api::agent_telemetry::view::{AgentActionFilter, AgentOutcome, PatternAnnotation};

use self::args::{AnnotationArg, ListActions, OutcomeArg, TelemetryVerb};
use crate::{failure::Failure, output::Output, shared_args::Common, store};

impl From<OutcomeArg> for AgentOutcome {
    fn from(outcome: OutcomeArg) -> Self {
        match outcome {
            OutcomeArg::Done => Self::Done,
            OutcomeArg::Empty => Self::Empty,
            OutcomeArg::Proposed => Self::Proposed,
            OutcomeArg::Refused => Self::Refused,
            OutcomeArg::Failed => Self::Failed,
        }
    }
}

impl From<AnnotationArg> for PatternAnnotation {
    fn from(annotation: AnnotationArg) -> Self {
        match annotation {
            AnnotationArg::Useful => Self::Useful,
            AnnotationArg::Expected => Self::Expected,
            AnnotationArg::Misleading => Self::Misleading,
            AnnotationArg::Resolved => Self::Resolved,
        }
    }
}

impl From<ListActions> for AgentActionFilter {
    fn from(list: ListActions) -> Self {
        Self {
            by: list.by,
            outcome: list.outcome.map(Into::into),
            target_id: list.target,
            sequence_id: list.sequence,
            after: list.after,
            limit: list.limit,
        }
    }
}

pub async fn telemetry(verb: TelemetryVerb, common: &Common, out: &Output) -> Result<(), Failure> {
    let app = store::workspace(common, out).await?;
    let telemetry = app.agent_telemetry();
    match verb {
        TelemetryVerb::List(list) => {
            out.answer(&telemetry.list_agent_actions(&list.into()).await?, show::actions)
        }
        TelemetryVerb::Search { query, limit } => {
            if !query.is_empty() {
                app.model().load_model().await;
            }
            out.answer(&*telemetry.search_agent_sequences(&query, limit).await?, show::sequences)
        }
        TelemetryVerb::Show { id: None } => {
            out.answer(&*telemetry.list_agent_patterns().await?, show::patterns)
        }
        TelemetryVerb::Show { id } => {
            let filter = AgentActionFilter { sequence_id: id, limit: 500, ..AgentActionFilter::default() };
            out.answer(&telemetry.list_agent_actions(&filter).await?, show::actions)
        }
        TelemetryVerb::Annotate { id, annotation } => {
            let pattern = telemetry.annotate_agent_pattern(&id, annotation.map(Into::into)).await?;
            out.answer(&pattern, |pattern| show::patterns(std::slice::from_ref(pattern)))
        }
        TelemetryVerb::Suppress { id, lift } => {
            let pattern = telemetry.suppress_agent_pattern(&id, !lift).await?;
            out.answer(&pattern, |pattern| show::patterns(std::slice::from_ref(pattern)))
        }
        TelemetryVerb::Metrics { days } => out.answer(&*telemetry.agent_metrics(days).await?, show::metrics),
    }
}
