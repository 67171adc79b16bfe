//! Decides which task is due, independent of jumps of the wall clock.

use std::collections::HashMap;

use chrono::{DateTime, Duration, Utc};
use inklings_domain::{ids::WorkspaceId, schedule::due_at};

/// For last runs that lie in the future because the clock was set back: when each was first seen. A task runs in each
/// workspace for itself.
#[derive(Debug, Clone, Default)]
pub struct Anchors(HashMap<(WorkspaceId, &'static str), DateTime<Utc>>);

impl Anchors {
    /// When a task that last ran in a workspace at `last` is due there. A last run in the future is treated as if it had been at
    /// the time it was first seen. Otherwise the due time would move away with every call.
    pub fn due(
        &mut self,
        (workspace, task): (WorkspaceId, &'static str),
        last: Option<DateTime<Utc>>,
        every: Duration,
        now: DateTime<Utc>,
    ) -> DateTime<Utc> {
        if last.is_none_or(|last| last <= now) {
            self.0.remove(&(workspace, task));
            return due_at(last, every, now);
        }
        let anchor = self.0.entry((workspace, task)).or_insert(now);
        // The clock was set back again: restart the wait, so that it is no longer than one interval.
        *anchor = (*anchor).min(now);
        *anchor + every
    }
}

#[cfg(test)]
mod tests {
    use chrono::TimeZone;

    use super::*;

    proptest::proptest! {
        /// A clock that jumps up to ten years in either direction at any time: no task runs twice within its
        /// interval as measured by a steady clock, and none waits longer than one interval after the last
        /// jump. Another workspace that is asked about in between changes nothing.
        #[test]
        fn a_jumping_clock_neither_runs_a_task_twice_nor_delays_it_beyond_one_interval(
            jumps in proptest::collection::vec((0i64..400, -300_000_000i64..300_000_000), 0..6)
        ) {
            let every = Duration::seconds(100);
            let start = Utc.timestamp_opt(1_700_000_000, 0).single().expect("a valid time");
            let [here, other] = [1, 2].map(|n| WorkspaceId::from_uuid(uuid::Uuid::from_u128(n)));
            let (mut anchors, mut last, mut offset) = (Anchors::default(), None, 0);
            let (mut ran_at, mut jumped_at, mut forward) = (None::<i64>, 0, false);
            for watch in 0..2_000 {
                for (at, by) in &jumps {
                    if *at * 5 == watch {
                        offset += by;
                        jumped_at = watch;
                        forward |= *by > 0;
                    }
                }
                let now = start + Duration::seconds(watch + offset);
                // It ran there a moment ago.
                anchors.due((other, "t"), Some(now), every, now);
                if anchors.due((here, "t"), last, every, now) <= now {
                    // A jump forward may cause one early run, because the wall-clock interval has passed.
                    let early = ran_at.is_some_and(|ran| watch - ran < 100);
                    proptest::prop_assert!(!early || forward, "twice at {}", watch);
                    if early {
                        forward = false;
                    }
                    (last, ran_at) = (Some(now), Some(watch));
                }
                let waited = watch - ran_at.unwrap_or(0).max(jumped_at);
                proptest::prop_assert!(waited <= 100, "starved at {}", watch);
            }
        }
    }
}
