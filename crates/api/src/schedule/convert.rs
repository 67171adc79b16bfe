//! Converts runs and tasks to views.

use crate::{
    schedule::view::TaskView,
    view::run::{RunCounts, RunView},
    wire::{count, time},
};
use chrono::{DateTime, Duration, Utc};
use inklings_application::schedule::ScheduledTask;
use inklings_domain::{consolidation::run as runs, schedule::TaskState};

/// Converts a task with its stored state to its view.
pub fn task(
    task: &dyn ScheduledTask,
    every: Option<Duration>,
    state: Option<&TaskState>,
    now: DateTime<Utc>,
) -> TaskView {
    let last = state.and_then(|state| state.last_started_at);
    let lease = state.and_then(|state| state.lease.as_ref());
    TaskView {
        name: task.name().to_owned(),
        title: task.title().to_owned(),
        every_minutes: every.map(|every| count(every.num_minutes().max(0))),
        last_started_at: last.map(time),
        last_finished_at: state.and_then(|state| state.last_finished_at).map(time),
        outcome: state.and_then(|state| state.outcome).map(Into::into),
        message: state.and_then(|state| state.message.clone()),
        running: lease.is_some_and(|lease| lease.holds(now)),
        next_due_at: every.map(|every| time(inklings_domain::schedule::due_at(last, every, now))),
    }
}

/// Converts the counts of a run.
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

/// Converts a run to its view.
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
