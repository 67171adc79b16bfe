//! Makes the views of runs of consolidation from domain types.

use crate::{
    schedule::view::{ConsolidationSettings, RunCounts, RunView},
    wire::{count, time},
};
use inklings_application::consolidation as use_case;
use inklings_domain::{consolidation::run as runs, forget_reason::ForgetReason};

/// Counts of a run.
pub fn run_counts(counts: &runs::RunCounts) -> RunCounts {
    RunCounts {
        scanned: count(counts.scanned),
        promoted: count(counts.promoted),
        faded: count(counts.faded),
        merged: count(counts.merged),
        capped: count(counts.capped),
        rewritten: count(counts.rewritten),
        created: count(counts.created),
        proposed: count(counts.proposed),
    }
}

/// A run.
pub fn run(run: &runs::Run) -> RunView {
    RunView {
        id: run.id.to_string(),
        task: run.task.clone(),
        state: run.state.into(),
        trigger: run.trigger.into(),
        started_at: time(run.started_at),
        finished_at: run.finished_at.map(time),
        done: count(run.done),
        total: count(run.total),
        counts: run_counts(&run.counts),
        error: run.error.as_deref().map(crate::error::sentence),
        reverted_at: run.reverted_at.map(time),
    }
}

/// Why something would happen to an entry, where no mark says so yet.
pub fn reason(act: runs::RunAct) -> String {
    match act {
        runs::RunAct::Promoted => "it proved useful".to_owned(),
        runs::RunAct::Faded => ForgetReason::Faded.to_string(),
        runs::RunAct::Capped => ForgetReason::Capped.to_string(),
        runs::RunAct::Merged => ForgetReason::Merged.to_string(),
        runs::RunAct::Rewritten => "it belongs together with others".to_owned(),
        runs::RunAct::Created => "it tells several entries in one text".to_owned(),
    }
}

/// Why a run of persist wrote an entry.
pub const LEFT_BEHIND: &str = "a conversation left it behind";

/// What is set about consolidation.
pub fn consolidation_settings(set: &use_case::ConsolidationSettings) -> ConsolidationSettings {
    ConsolidationSettings {
        automatic: set.automatic,
        idle_minutes: count(set.idle_minutes),
        queue_depth: count(set.queue_depth),
        cap: count(set.cap),
        rewrite: set.rewrite,
    }
}

/// The same, read.
pub fn read_consolidation_settings(set: &ConsolidationSettings) -> use_case::ConsolidationSettings {
    use_case::ConsolidationSettings {
        automatic: set.automatic,
        idle_minutes: set.idle_minutes.into(),
        queue_depth: set.queue_depth as usize,
        cap: set.cap as usize,
        rewrite: set.rewrite,
    }
}
