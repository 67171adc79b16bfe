//! Consolidation: a mechanical pass, then what contradicts itself becomes a proposal, then what belongs together is told
//! in one text. One run is one journalled unit: it can be watched, stopped, gone on with after a crash, and taken back.

mod cursor;
mod near;
mod plan;
mod refused;
mod revert;
mod run;
mod settings;
mod waiting;

pub use self::{
    near::MOST_LOOKED_UP,
    plan::{MOST_CLUSTERS, MOST_CONFLICTS, PlannedItem},
    revert::Reverted,
    run::{Preview, RunItem, RunSink},
    settings::ConsolidationSettings,
};

/// The task's name, in schedules and runs.
pub const TASK: &str = "consolidate";
