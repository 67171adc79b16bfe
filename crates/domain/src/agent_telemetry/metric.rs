//! Metrics of agents, one value for each day.

use chrono::{DateTime, NaiveDate, Utc};

use super::{ActionType, ErrorCode, Outcome, TargetType};
use crate::{ids::AgentMetricId, scope::words};

/// Maximum number of defined metrics in a workspace.
pub const MAX_METRICS: usize = 50;
/// Most days that are computed in one go after the program was not running.
pub const MOST_DAYS: u64 = 90;

/// The metrics that every workspace has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum StandardMetric {
    /// Actions that were refused.
    Refusals,
    /// Searches that found nothing.
    EmptySearches,
    /// Proposals of agents that the worldbuilder accepted.
    AcceptedProposals,
    /// Recall tests that pass.
    RecallTestsGreen,
}

words!(StandardMetric, "metric", {
    Refusals => "refusals", EmptySearches => "empty_searches", AcceptedProposals => "accepted_proposals",
    RecallTestsGreen => "recall_tests_green",
});

/// What a defined metric measures of the actions that it counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Measure {
    /// How many there are.
    Count,
    /// Percent of the actions of the same type on the same target that end so.
    Percent,
    /// Their mean latency in milliseconds.
    MeanLatency,
}

words!(Measure, "measure", { Count => "count", Percent => "percent", MeanLatency => "mean_latency" });

/// Which actions a metric counts: all that match every given part.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct MetricDefinition {
    /// What is measured.
    pub measure: Measure,
    /// Only this action.
    pub action: Option<ActionType>,
    /// Only on this type of target.
    pub target: Option<TargetType>,
    /// Only with this outcome.
    pub outcome: Option<Outcome>,
    /// Only with this code.
    pub error: Option<ErrorCode>,
}

impl MetricDefinition {
    /// A name made of its parts, such as "count of fact.set on fact, refused, locked".
    pub fn name(&self) -> String {
        let mut text = format!("{} of {}", self.measure, self.action.map_or("actions", ActionType::as_str));
        if let Some(target) = self.target {
            text.push_str(" on ");
            text.push_str(target.as_str());
        }
        for part in
            [self.outcome.map(Outcome::as_str), self.error.map(ErrorCode::as_str)].into_iter().flatten()
        {
            text.push_str(", ");
            text.push_str(part);
        }
        text
    }
}

/// A metric.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum MetricKey {
    /// One that every workspace has.
    Standard(StandardMetric),
    Defined(AgentMetricId),
}

impl std::fmt::Display for MetricKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Standard(metric) => metric.fmt(f),
            Self::Defined(id) => id.fmt(f),
        }
    }
}

impl std::str::FromStr for MetricKey {
    type Err = crate::scope::UnknownWord;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text.parse() {
            Ok(id) => Ok(Self::Defined(id)),
            Err(_) => text.parse().map(Self::Standard),
        }
    }
}

/// A defined metric.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AgentMetric {
    pub id: AgentMetricId,
    /// What it counts.
    pub definition: MetricDefinition,
    /// When it was defined.
    pub created_at: DateTime<Utc>,
}

/// The value of a metric on a day.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Benchmark {
    pub metric: MetricKey,
    /// The day in UTC.
    pub day: NaiveDate,
    pub value: f64,
}

/// The whole days that are still to be computed: those after the last computed day, or from the first action, up to
/// yesterday. At most [`MOST_DAYS`], the newest ones.
pub fn days_due(
    last: Option<NaiveDate>,
    first_action: Option<NaiveDate>,
    today: NaiveDate,
) -> Vec<NaiveDate> {
    let Some(from) = last.and_then(|day| day.succ_opt()).or(first_action) else { return Vec::new() };
    let from = today.checked_sub_days(chrono::Days::new(MOST_DAYS)).map_or(from, |limit| from.max(limit));
    from.iter_days().take_while(|day| *day < today).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn day(number: u32) -> NaiveDate {
        NaiveDate::from_ymd_opt(2026, 1, 1).expect("a day") + chrono::Days::new(u64::from(number))
    }

    #[test]
    fn a_definition_names_itself_by_its_parts() {
        let definition = MetricDefinition {
            measure: Measure::Count,
            action: Some(ActionType::FactSet),
            target: Some(TargetType::Fact),
            outcome: Some(Outcome::Refused),
            error: Some(ErrorCode::Locked),
        };
        assert_eq!(definition.name(), "count of fact.set on fact, refused, locked");
    }

    proptest! {
        #[test]
        fn missed_days_are_caught_up_once_and_today_is_never_computed(last in 0u32..400, first in 0u32..400, today in 0u32..400) {
            for last in [None, Some(day(last))] {
                let due = days_due(last, Some(day(first)), day(today));
                prop_assert!(due.len() as u64 <= MOST_DAYS);
                prop_assert!(due.iter().all(|due| *due < day(today) && last.is_none_or(|last| *due > last)));
                if let Some(newest) = due.last() {
                    prop_assert_eq!(newest.succ_opt(), Some(day(today)));
                    prop_assert!(days_due(Some(*newest), Some(day(first)), day(today)).is_empty());
                }
                prop_assert!(due.is_sorted());
            }
            prop_assert!(days_due(None, None, day(today)).is_empty());
        }
    }
}
