//! Converts tasks to views.

use crate::{
    schedule::view::TaskView,
    wire::{count, time},
};
use chrono::{DateTime, Duration, Utc};
use inklings_application::schedule::ScheduledTask;
use inklings_domain::schedule::TaskState;

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
