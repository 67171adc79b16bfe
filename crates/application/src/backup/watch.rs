//! Decides when an automatic backup is due.

use std::collections::HashMap;

use chrono::{DateTime, TimeDelta, Utc};
use inklings_domain::ids::WorkspaceId;

/// What is written to the open databases, and what of it is in a backup.
#[derive(Debug, Clone, Default)]
pub struct Watch {
    databases: HashMap<WorkspaceId, WatchedDatabase>,
    began: bool,
}

#[derive(Debug, Clone, Copy)]
struct WatchedDatabase {
    /// Activity counter at the time of the newest backup.
    saved: u64,
    /// When activity after the newest backup was first seen.
    since: Option<DateTime<Utc>>,
}

impl Watch {
    /// The workspaces, or the account, that a backup is due for: there was a write, and `every_minutes` have passed since.
    pub fn due(
        &mut self,
        activity: &[(WorkspaceId, u64)],
        now: DateTime<Utc>,
        every_minutes: u64,
    ) -> Vec<WorkspaceId> {
        let mut due = Vec::new();
        for (id, counter) in activity {
            // A database that was opened since the check before may have been written already.
            let saved = if self.began { 0 } else { *counter };
            let database = self.databases.entry(*id).or_insert(WatchedDatabase { saved, since: None });
            if database.is_due(*counter, now, every_minutes) {
                due.push(*id);
            }
        }
        self.began = true;
        due
    }

    /// Records that a backup covers a database up to this activity counter.
    pub fn saved(&mut self, id: WorkspaceId, counter: u64) {
        self.databases.insert(id, WatchedDatabase { saved: counter, since: None });
    }

    /// Records that no backup could be made: it is due after another interval.
    pub fn postponed(&mut self, id: WorkspaceId, now: DateTime<Utc>) {
        if let Some(database) = self.databases.get_mut(&id) {
            database.since = Some(now);
        }
    }
}

impl WatchedDatabase {
    fn is_due(&mut self, counter: u64, now: DateTime<Utc>, every_minutes: u64) -> bool {
        if self.saved == counter {
            self.since = None;
            return false;
        }
        let since = *self.since.get_or_insert(now);
        // A clock that was set back must not postpone the backup indefinitely.
        if now < since {
            self.since = Some(now);
        }
        every_minutes > 0 && now - since >= TimeDelta::minutes(every_minutes as i64)
    }
}
