//! Consolidation: a mechanical pass, then what contradicts itself becomes a proposal, then what belongs together is told
//! in one text. One run is one journalled unit: it can be watched, stopped, gone on with after a crash, and taken back.

mod cursor;
mod near;
mod plan;
#[cfg(test)]
mod promises;
mod refused;
mod revert;
mod run;
mod settings;
#[cfg(test)]
mod tests;
mod waiting;

pub use self::{
    plan::PlannedItem,
    revert::Reverted,
    run::{Preview, RunItem, RunSink},
    settings::ConsolidationSettings,
};

/// The task's name, in schedules and runs.
pub const TASK: &str = "consolidate";
