//! Prints the telemetry of agents as text.

use std::fmt::Write as _;

use inklings_api::agent_telemetry::view::{
    AgentActionPage, AgentActionView, AgentPatternView, AgentSequenceView, MetricSeriesView,
};

use crate::output::{minute, texts::line, word};

pub fn actions(page: &AgentActionPage) -> String {
    if page.rows.is_empty() {
        return "No actions.".to_owned();
    }
    let mut text = page.rows.iter().map(action).collect::<Vec<_>>().join("\n");
    if let Some(next) = &page.next {
        let _ = write!(text, "\nMore: --after {next}");
    }
    text
}

fn action(view: &AgentActionView) -> String {
    let by = view.client.as_deref().map_or_else(|| "World Agent".to_owned(), line);
    let outcome = match view.error {
        Some(error) => format!("{} ({})", word(view.outcome), word(error)),
        None => word(view.outcome),
    };
    let mut text = format!(
        "{}  {by}  {} on {}  {outcome}  {} ms",
        minute(&view.at),
        view.action,
        word(view.target),
        view.latency_ms
    );
    if let Some(id) = &view.target_id {
        let _ = write!(text, "  {id}  {}", line(&view.label));
    }
    text
}

pub fn sequences(views: &[AgentSequenceView]) -> String {
    if views.is_empty() {
        return "No sequences.".to_owned();
    }
    let sequence = |view: &AgentSequenceView| {
        let by = view.client.as_deref().map_or_else(|| "World Agent".to_owned(), line);
        format!("{}  {}  {by}  {} actions: {}", view.id, minute(&view.ended_at), view.actions, view.summary)
    };
    views.iter().map(sequence).collect::<Vec<_>>().join("\n")
}

pub fn patterns(views: &[AgentPatternView]) -> String {
    if views.is_empty() {
        return "No patterns.".to_owned();
    }
    views.iter().map(pattern).collect::<Vec<_>>().join("\n")
}

fn pattern(view: &AgentPatternView) -> String {
    let state = match (view.suppressed_by, view.holds) {
        (Some(by), _) => format!("suppressed by {}", word(by)),
        (None, true) => "shown".to_owned(),
        (None, false) => "no longer holds".to_owned(),
    };
    format!("{}  {state}  {}", view.id, view.line)
}

pub fn metrics(views: &[MetricSeriesView]) -> String {
    let series = |view: &MetricSeriesView| {
        let mut text = view.name.clone();
        for value in &view.values {
            let _ = write!(text, "\n  {}  {}", value.day, value.value);
        }
        if view.values.is_empty() {
            text.push_str("\n  no values yet");
        }
        text
    };
    views.iter().map(series).collect::<Vec<_>>().join("\n")
}
