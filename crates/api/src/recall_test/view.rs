//! Recall tests as the shells see them.

use inklings_domain as domain;
use serde::{Deserialize, Serialize};
use specta::Type;

use crate::{
    orientation::view::WhyRule,
    view::lens::{LensSpec, LensView},
    vocabulary::mirror,
};

mirror!(
    /// What an orientation must do with an item.
    RecallMust = domain::recall_test::Must {
        Come, StayAway,
    }
);

/// What the run followed that turned a test.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "snake_case")]
pub enum RecallCause {
    /// The worldbuilder asked for it.
    Asked,
    /// A run of consolidation.
    Consolidation,
    /// A run was taken back.
    Revert,
    Import,
    /// Another embedding model.
    Model,
    /// Other rates of decay.
    Decay,
    /// Any other change of memory or of settings, found afterwards.
    Change,
}

impl From<domain::recall_test::Cause> for RecallCause {
    fn from(cause: domain::recall_test::Cause) -> Self {
        use domain::recall_test::Cause;
        match cause {
            Cause::Asked => Self::Asked,
            Cause::Consolidation(_) => Self::Consolidation,
            Cause::Revert => Self::Revert,
            Cause::Import(_) => Self::Import,
            Cause::Model => Self::Model,
            Cause::Decay => Self::Decay,
            Cause::Change => Self::Change,
        }
    }
}

/// A recall test to add.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct RecallTestRequest {
    pub question: String,
    /// Ids of memories and facts that must come up.
    pub come: Vec<String>,
    /// Ids of memories and facts that must not come up.
    pub stay_away: Vec<String>,
    /// Whose knowledge is read, and up to when the story has happened; `null`: everything.
    pub lens: Option<LensSpec>,
    /// The channel in scope.
    pub channel_id: Option<String>,
    /// Token budget; that of the settings if `null`.
    pub budget: Option<u32>,
}

/// An item that a test expects, and how the last run found it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct RecallExpectation {
    /// `memory` or `fact`.
    pub kind: RecallKind,
    pub id: String,
    /// The start of its text; empty if it is gone.
    pub label: String,
    /// What is expected.
    pub must: RecallMust,
    /// Why it was not met; `null` if it was met or before the first run.
    pub failure: Option<RecallFailure>,
}

/// Kind of an item that a test expects.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "snake_case")]
pub enum RecallKind {
    /// A memory entry.
    Memory,
    Fact,
}

/// Why an expectation was not met.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct RecallFailure {
    /// The rule that decided about the item.
    pub rule: WhyRule,
    /// Its rank in the order of its layer, from 1.
    pub rank: Option<u32>,
    /// Number of items in that order.
    pub of: Option<u32>,
}

/// What turned a passing test into a failing one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct RecallTurned {
    /// When.
    pub at: String,
    /// What the run followed.
    pub by: RecallCause,
    /// The run that can be reverted.
    pub run_id: Option<String>,
}

/// A recall test with the result of its last run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct RecallTestView {
    pub id: String,
    pub question: String,
    /// Whose knowledge is read, and up to when the story has happened.
    pub lens: Option<LensView>,
    /// Id of the channel in scope.
    pub channel_id: Option<String>,
    /// Name of the channel; `null` without one, or if it is gone.
    pub channel: Option<String>,
    /// Token budget; that of the settings if `null`.
    pub budget: Option<u32>,
    /// What is expected.
    pub expects: Vec<RecallExpectation>,
    /// When it was made.
    pub created_at: String,
    /// When it was run last.
    pub run_at: Option<String>,
    /// True if the last run met all expectations; `null` before the first.
    pub passed: Option<bool>,
    /// What turned it, if it passed before.
    pub turned: Option<RecallTurned>,
}
