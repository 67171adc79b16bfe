//! Consolidation in three passes: a mechanical pass, conflicts filed as proposals, and clusters merged into
//! one text each. A run is journalled as one unit: it can be observed, stopped, resumed after a crash and
//! reverted.

mod cursor;
mod due;
mod near;
mod plan;
mod refused;
mod revert;
mod run;
mod settings;
mod waiting;

pub use self::{
    due::Due,
    near::MOST_LOOKED_UP,
    plan::{MOST_CLUSTERS, MOST_CONFLICTS, PlannedItem},
    revert::Reverted,
    run::{Preview, RunItem, RunSink},
    settings::{ConsolidationSettings, QueueDepths},
};

/// Name of the task in schedules and runs.
pub const TASK: &str = "consolidate";
