//! When a task is due. The wall clock may jump either way: no task runs twice for it, and none waits for ever.

use chrono::{DateTime, Duration, Utc};

use crate::scope::words;

/// How the last run of a task ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TaskOutcome {
    /// As it should.
    Done,
    /// With a fault.
    Failed,
    /// It panicked; the others go on.
    Panicked,
    /// It was stopped.
    Cancelled,
}

words!(TaskOutcome, "outcome", {
    Done => "done", Failed => "failed", Panicked => "panicked", Cancelled => "cancelled",
});

/// Who runs a task, and until when nobody else may.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lease {
    /// Names the process.
    pub owner: String,
    /// When it lapses unless it is renewed.
    pub until: DateTime<Utc>,
}

/// What is kept of a task.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct TaskState {
    /// The task's name.
    pub task: String,
    /// Who runs it now, or was cut off while running it.
    pub lease: Option<Lease>,
    /// When it last began.
    pub last_started_at: Option<DateTime<Utc>>,
    /// When it last ended.
    pub last_finished_at: Option<DateTime<Utc>>,
    /// How it last ended.
    pub outcome: Option<TaskOutcome>,
    /// What it said at its end, for people.
    pub message: Option<String>,
}

/// How long a lease lasts. A run renews it several times within.
pub const LEASE: Duration = Duration::minutes(2);

impl Lease {
    /// True if the lease still keeps others away. One that lies further ahead than a lease can last was taken before the
    /// clock was set back, and does not count.
    pub fn holds(&self, now: DateTime<Utc>) -> bool {
        now < self.until && self.until - now <= LEASE
    }
}

/// When a task that ran last at `last` is due again: `every` later, or at once if it never ran. A last run in the
/// future (the clock was set back) counts as one that began now: the task neither runs twice nor waits for that day.
pub fn due_at(last: Option<DateTime<Utc>>, every: Duration, now: DateTime<Utc>) -> DateTime<Utc> {
    last.map_or(now, |last| last.min(now) + every)
}

#[cfg(test)]
mod tests {
    use chrono::TimeZone;

    use super::*;

    fn at(seconds: i64) -> DateTime<Utc> {
        Utc.timestamp_opt(1_700_000_000 + seconds, 0).single().expect("a valid time")
    }

    #[test]
    fn a_lease_of_a_clock_set_back_keeps_nobody_away() {
        let lease = |until| Lease { owner: "a".into(), until: at(until) };
        assert!(lease(60).holds(at(0)));
        assert!(!lease(0).holds(at(0)));
        assert!(!lease(86_400).holds(at(0)));
    }

    #[test]
    fn a_task_that_missed_many_runs_is_due_once() {
        let every = Duration::hours(6);
        assert_eq!(due_at(None, every, at(0)), at(0));
        assert!(due_at(Some(at(0)), every, at(86_400 * 30)) <= at(86_400 * 30));
    }

    proptest::proptest! {
        #[test]
        fn whatever_the_clock_did_a_task_waits_at_most_one_interval(last in -1_000_000_000i64..1_000_000_000, every in 1i64..100_000) {
            let due = due_at(Some(at(last)), Duration::seconds(every), at(0));
            proptest::prop_assert!(due <= at(every));
            // And it is not due at once because the clock was set back.
            proptest::prop_assert!(last < 0 || due > at(0));
        }
    }
}
