//! The telemetry of agents as the shells see it.

use inklings_domain as domain;
use serde::{Deserialize, Serialize};
use specta::Type;
use specta_typescript::Number;

use crate::vocabulary::mirror;

mirror!(
    /// What an agent's action was done to.
    AgentTarget = domain::agent_telemetry::TargetType {
        Memory, Subject, Fact, Conversation, Note, Page, Workspace, Telemetry, Unknown,
    }
);
mirror!(
    /// How an agent's action ended.
    AgentOutcome = domain::agent_telemetry::Outcome {
        Done, Empty, Proposed, Refused, Failed,
    }
);
mirror!(
    /// Why an agent's action was not done.
    AgentErrorCode = domain::agent_telemetry::ErrorCode {
        NothingFound, Invalid, Revoked, NotGranted, MemoryOff, Locked, NoChange, Forgotten, AlreadyNoted,
        NamesWorld, Unclear, Scrubbed, Derivable, StaleVersion, NotFound, Ended, Busy, ReadOnly, Io,
        Refused, Internal,
    }
);
mirror!(
    /// A judgement about a pattern.
    PatternAnnotation = domain::agent_telemetry::pattern::Annotation {
        Useful, Expected, Misleading, Resolved,
    }
);
mirror!(
    /// Who hides a pattern from agents.
    PatternSuppression = domain::agent_telemetry::pattern::SuppressedBy {
        Author, Agent,
    }
);
mirror!(
    /// What a metric measures of the actions that it counts.
    MetricMeasure = domain::agent_telemetry::metric::Measure {
        Count, Percent, MeanLatency,
    }
);

/// Which actions are listed: those that match every given part.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase", default)]
pub struct AgentActionFilter {
    /// Name or id of a client, or `world_agent`.
    pub by: Option<String>,
    /// How it ended.
    pub outcome: Option<AgentOutcome>,
    /// Id of an entry, fact or conversation. For a subject also what was done to the entries that link to it.
    pub target_id: Option<String>,
    pub sequence_id: Option<String>,
    /// Cursor of the page before.
    pub after: Option<String>,
    /// Most rows.
    pub limit: u32,
}

/// One call of a tool.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct AgentActionView {
    pub id: String,
    /// When it began.
    pub at: String,
    /// The tool and its action, such as `fact.set`.
    pub action: String,
    /// What it was done to.
    pub target: AgentTarget,
    /// Id of that, if it was one thing.
    pub target_id: Option<String>,
    /// The start of its current text, or the reference code of a conversation; empty if it is gone.
    pub label: String,
    /// How it ended.
    pub outcome: AgentOutcome,
    /// Why it was not done.
    pub error: Option<AgentErrorCode>,
    /// Milliseconds that it took.
    pub latency_ms: u32,
    /// Name of the client; `null` for the World Agent.
    pub client: Option<String>,
    pub conversation_id: Option<String>,
    /// Id of the turn of the World Agent.
    pub turn_id: Option<String>,
    pub sequence_id: String,
}

/// A page of actions, newest first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct AgentActionPage {
    pub rows: Vec<AgentActionView>,
    /// Cursor of the next page; `null` on the last one.
    pub next: Option<String>,
    /// Actions that this process could not record since it started.
    pub dropped: u32,
}

/// A sequence of actions.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct AgentSequenceView {
    pub id: String,
    /// Name of the client; `null` for the World Agent.
    pub client: Option<String>,
    /// Id of the conversation of the turn.
    pub conversation_id: Option<String>,
    /// When its first action began.
    pub started_at: String,
    /// When its last action began.
    pub ended_at: String,
    /// Number of actions.
    pub actions: u32,
    /// Its steps in words.
    pub summary: String,
    /// How well it matches, from 0 to 1.
    #[specta(type = Number)]
    pub score: f64,
}

/// An outcome that recurs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct AgentPatternView {
    pub id: String,
    /// The tool and its action.
    pub action: String,
    /// What it was done to.
    pub target: AgentTarget,
    /// How it ended.
    pub error: AgentErrorCode,
    /// Sequences that ended so.
    pub sequences: u32,
    /// All sequences with the action on the target.
    pub of_sequences: u32,
    /// True while the newest evidence makes it a pattern.
    pub holds: bool,
    /// When it became a pattern.
    pub promoted_at: String,
    /// When its evidence was counted last.
    pub updated_at: String,
    /// The judgement about it.
    pub annotation: Option<PatternAnnotation>,
    /// Who hides it from agents.
    pub suppressed_by: Option<PatternSuppression>,
    /// True if agents may be shown it.
    pub shown: bool,
    /// The line that agents are shown.
    pub line: String,
}

/// The value of a metric on a day.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct MetricValue {
    /// The day in UTC, as `2026-01-31`.
    pub day: String,
    #[specta(type = Number)]
    pub value: f64,
}

/// The values of a metric by day.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct MetricSeriesView {
    /// The metric: a word, or the id of a defined one.
    pub metric: String,
    /// Its name, made of its definition.
    pub name: String,
    /// True if it was defined by the worldbuilder or a client.
    pub defined: bool,
    /// Its values, oldest first.
    pub values: Vec<MetricValue>,
}

/// A metric to define: the actions that match every given part.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct MetricRequest {
    /// What is measured.
    pub measure: MetricMeasure,
    /// Only this action, such as `fact.set`.
    pub action: Option<String>,
    /// Only on this type of target.
    pub target: Option<AgentTarget>,
    /// Only with this outcome.
    pub outcome: Option<AgentOutcome>,
    /// Only with this code.
    pub error: Option<AgentErrorCode>,
}

/// Settings of telemetry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct AgentTelemetrySettings {
    /// Days after which actions are removed, 7 to 3,650.
    pub keep_days: u32,
}
