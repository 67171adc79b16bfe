//! Calls of the tool `agent_telemetry`.

use inklings_application::{
    agent_telemetry::{FoundSequence, MetricSeries},
    client::ClientSession,
    tools::{
        InvalidArgument,
        argument::{Whole, needed},
        arguments::{AgentTelemetry, AgentTelemetryAction, STANDARD_FOUND},
    },
};
use inklings_domain::agent_telemetry::{
    metric::MetricDefinition,
    pattern::{AgentPattern, Annotation, SuppressedBy},
};
use rmcp::model::CallToolResult;
use serde_json::{Value, json};

use crate::{answer::plain, refusal::Refusal};

/// Days of a metric's values without a number of days.
const DAYS: u32 = 30;

/// Answers a call.
///
/// # Errors
/// [`Refusal`] for invalid arguments, a missing grant, or an error of the use case.
pub async fn agent_telemetry(
    client: &ClientSession,
    args: AgentTelemetry,
) -> Result<CallToolResult, Refusal> {
    let limit =
        args.limit.map_or(STANDARD_FOUND, |Whole(limit)| usize::try_from(limit).unwrap_or(STANDARD_FOUND));
    match args.action {
        AgentTelemetryAction::Search => {
            let query = args.query.unwrap_or_default();
            Ok(found(client.search_telemetry(&query, limit).await?))
        }
        AgentTelemetryAction::Context => {
            let query = needed(args.query, "query")?;
            Ok(found(client.telemetry_context(&query, limit).await?))
        }
        AgentTelemetryAction::Annotate => {
            let unknown = || Refusal::invalid("'id' is no id of a pattern; search tells them");
            let id = needed(args.id, "id")?.trim().parse().map_err(|_| unknown())?;
            let pattern = client.judge_pattern(id, args.annotation, args.suppress).await?;
            Ok(plain(json!({ "pattern": pattern_json(&pattern) })))
        }
        AgentTelemetryAction::MetricCreate => {
            let measure = args.measure.ok_or_else(|| InvalidArgument::Missing {
                field: "measure",
                expected: "count, percent or mean_latency".to_owned(),
            })?;
            let (action, target, outcome, error) = (args.of, args.target, args.outcome, args.error);
            let definition = MetricDefinition { measure, action, target, outcome, error };
            let metric = client.define_metric(definition).await?;
            Ok(plain(json!({ "metric": metric.id.to_string(), "name": definition.name() })))
        }
        AgentTelemetryAction::BenchmarkGet => {
            let days = args.days.map_or(DAYS, |Whole(days)| u32::try_from(days).unwrap_or(DAYS));
            let series = client.metric_series(days).await?;
            let wanted = |series: &&MetricSeries| {
                args.metric.as_deref().is_none_or(|metric| series.key.to_string() == metric.trim())
            };
            let list: Vec<Value> = series.iter().filter(wanted).map(series_json).collect();
            if list.is_empty() {
                return Err(Refusal::invalid("there is no such metric; leave 'metric' out for all"));
            }
            Ok(plain(json!({ "metrics": list })))
        }
    }
}

fn found((patterns, sequences): (Vec<AgentPattern>, Vec<FoundSequence>)) -> CallToolResult {
    let patterns: Vec<Value> = patterns.iter().map(pattern_json).collect();
    let sequences: Vec<Value> = sequences
        .iter()
        .map(|found| {
            let sequence = &found.sequence;
            json!({ "steps": sequence.summary, "actions": sequence.actions, "score": found.score,
                    "ended": sequence.ended_at.to_rfc3339() })
        })
        .collect();
    plain(json!({ "patterns": patterns, "sequences": sequences }))
}

fn pattern_json(pattern: &AgentPattern) -> Value {
    json!({
        "id": pattern.id.to_string(), "says": pattern.line(), "holds": pattern.holds,
        "annotation": pattern.annotation.map(Annotation::as_str),
        "suppressed_by": pattern.suppressed_by.map(SuppressedBy::as_str),
    })
}

fn series_json(series: &MetricSeries) -> Value {
    let values: Vec<Value> = series
        .values
        .iter()
        .map(|value| json!({ "day": value.day.to_string(), "value": value.value }))
        .collect();
    json!({ "metric": series.key.to_string(), "name": series.definition.as_ref().map(MetricDefinition::name),
            "values": values })
}
