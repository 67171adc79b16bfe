//! Task schedules. If the wall clock jumps in either direction, no task runs twice and none waits forever.

use chrono::{DateTime, Duration, Utc};

use crate::scope::words;

/// The outcome of a task's last run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TaskOutcome {
    /// It completed.
    Done,
    /// It ended with an error.
    Failed,
    /// It panicked; other tasks continue.
    Panicked,
    Cancelled,
}

words!(TaskOutcome, "outcome", {
    Done => "done", Failed => "failed", Panicked => "panicked", Cancelled => "cancelled",
});

/// The exclusive right to run a task until a given time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lease {
    /// Identifies the process.
    pub owner: String,
    /// Expiry time unless it is renewed.
    pub until: DateTime<Utc>,
}

/// The stored state of a task.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct TaskState {
    /// Name of the task.
    pub task: String,
    /// The lease of the current run, or of an interrupted one.
    pub lease: Option<Lease>,
    /// Start of the last run.
    pub last_started_at: Option<DateTime<Utc>>,
    /// End of the last run.
    pub last_finished_at: Option<DateTime<Utc>>,
    /// Outcome of the last run.
    pub outcome: Option<TaskOutcome>,
    /// Final message of the last run, for people.
    pub message: Option<String>,
}

/// Duration of a lease. A run renews it several times within this period.
pub const LEASE: Duration = Duration::minutes(2);

impl Lease {
    /// True if the lease is still valid. A lease further in the future than a lease can last was taken before the
    /// clock was set back, and is invalid.
    pub fn holds(&self, now: DateTime<Utc>) -> bool {
        now < self.until && self.until - now <= LEASE
    }
}

/// The time at which a task that last ran at `last` is due: `every` later, or at once if it never ran. A last run in
/// the future (the clock was set back) counts as `now`, so that the task neither runs twice nor waits for that time.
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
    fn a_lease_from_a_clock_that_was_set_back_is_not_held() {
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
        fn under_any_clock_a_task_waits_at_most_one_interval(last in -1_000_000_000i64..1_000_000_000, every in 1i64..100_000) {
            let due = due_at(Some(at(last)), Duration::seconds(every), at(0));
            proptest::prop_assert!(due <= at(every));
            // Setting the clock back does not make it due at once.
            proptest::prop_assert!(last < 0 || due > at(0));
        }
    }
}
