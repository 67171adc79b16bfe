//! How far consolidation has compared entries with their neighbours, and when it ran, for each tier.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use inklings_domain::{ids::MemoryId, memory::MemoryEntry, scope::MemoryScope};
use serde_json::{Value, json};

use super::TASK;
use crate::{error::AppError, services::Consolidation};

/// Position of an entry in the comparison order, which is the order of last writes. A written entry moves to
/// the end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Position {
    at: DateTime<Utc>,
    id: MemoryId,
}

impl Position {
    pub(crate) const fn of(entry: &MemoryEntry) -> Self {
        Self { at: entry.updated_at, id: entry.id }
    }
}

/// Progress of all runs of one tier so far.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct TierProgress {
    /// Start of the last run of this tier.
    pub(crate) ran_at: Option<DateTime<Utc>>,
    /// The last compared entry; `None` if there is none.
    pub(crate) through: Option<Position>,
    /// Entries that the last run left to the next one, because it reached a limit or wrote them itself.
    pub(crate) left: u64,
}

impl TierProgress {
    fn to_value(self) -> Value {
        let time = |at: DateTime<Utc>| at.timestamp_micros();
        json!({
            "ran_at": self.ran_at.map(time), "at": self.through.map(|through| time(through.at)),
            "id": self.through.map(|through| through.id.to_string()), "left": self.left,
        })
    }

    fn read(value: &Value) -> Self {
        let time = |name: &str| value.get(name)?.as_i64().and_then(DateTime::from_timestamp_micros);
        let id = value.get("id").and_then(Value::as_str).and_then(|id| id.parse().ok());
        Self {
            // Before each tier had its own progress, only the position was stored.
            ran_at: time("ran_at").or_else(|| time("at")),
            through: time("at").zip(id).map(|(at, id)| Position { at, id }),
            left: value.get("left").and_then(Value::as_u64).unwrap_or(0),
        }
    }

    /// A time in the future was stored before the clock was set back; comparison then starts again from the first entry.
    fn unless_future(self, now: DateTime<Utc>) -> Self {
        let is_past = |through: &Position| through.at <= now;
        if self.through.is_some_and(|through| !is_past(&through)) {
            return Self { ran_at: self.ran_at.filter(|at| *at <= now), ..Self::default() };
        }
        self
    }
}

/// Progress of all runs so far.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Progress(BTreeMap<MemoryScope, TierProgress>);

impl Progress {
    pub(crate) fn of(&self, tier: MemoryScope) -> TierProgress {
        self.0.get(&tier).copied().unwrap_or_default()
    }

    pub(crate) fn set(&mut self, tier: MemoryScope, progress: TierProgress) {
        self.0.insert(tier, progress);
    }

    fn to_text(&self) -> String {
        let tiers = self.0.iter().map(|(tier, progress)| (tier.to_string(), progress.to_value()));
        json!({ "tiers": tiers.collect::<serde_json::Map<_, _>>() }).to_string()
    }

    fn read(text: &str, now: DateTime<Utc>) -> Option<Self> {
        let value: Value = serde_json::from_str(text).ok()?;
        let of = |tier: MemoryScope| match value.get("tiers") {
            Some(tiers) => tiers.get(tier.to_string()).map(TierProgress::read),
            None => Some(TierProgress::read(&value)),
        };
        let tiers = MemoryScope::ALL.iter().filter_map(|tier| Some((*tier, of(*tier)?.unless_future(now))));
        Some(Self(tiers.collect()))
    }
}

impl Consolidation<'_> {
    /// Progress of all runs so far.
    pub(crate) async fn progress(&self) -> Result<Progress, AppError> {
        let stored = self.session.workspace.runs.cursor(TASK).await?;
        let now = self.session.clock.now();
        Ok(stored.and_then(|text| Progress::read(&text, now)).unwrap_or_default())
    }

    /// Stores that a run of these tiers began. One that fails or is cancelled is not tried again before more changes.
    pub(crate) async fn record_start(
        &self,
        tiers: &[MemoryScope],
        at: DateTime<Utc>,
    ) -> Result<(), AppError> {
        let mut progress = self.progress().await?;
        for tier in tiers {
            progress.set(*tier, TierProgress { ran_at: Some(at), ..progress.of(*tier) });
        }
        self.record_progress(&progress).await
    }

    /// Stores the progress of a run.
    pub(crate) async fn record_progress(&self, progress: &Progress) -> Result<(), AppError> {
        Ok(self.session.workspace.runs.set_cursor(TASK, &progress.to_text()).await?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(seconds: i64) -> DateTime<Utc> {
        DateTime::from_timestamp(1_700_000_000 + seconds, 0).expect("a time")
    }

    fn progress(id: MemoryId) -> TierProgress {
        TierProgress { ran_at: Some(at(20)), through: Some(Position { at: at(10), id }), left: 3 }
    }

    #[test]
    fn the_progress_of_each_tier_is_read_as_it_was_stored() {
        let id = "01890a5d-ac96-774b-bcce-b302099a8057".parse().expect("an id");
        let mut stored = Progress::default();
        stored.set(MemoryScope::Workspace, progress(id));
        stored.set(MemoryScope::Account, TierProgress { ran_at: Some(at(5)), ..TierProgress::default() });
        assert_eq!(Progress::read(&stored.to_text(), at(60)), Some(stored));
    }

    #[test]
    fn progress_stored_before_tiers_had_their_own_counts_for_each() {
        let id: MemoryId = "01890a5d-ac96-774b-bcce-b302099a8057".parse().expect("an id");
        let text = json!({ "at": at(10).timestamp_micros(), "id": id.to_string(), "left": 3 }).to_string();
        let read = Progress::read(&text, at(60)).expect("read");
        for tier in MemoryScope::ALL {
            assert_eq!(read.of(*tier), TierProgress { ran_at: Some(at(10)), ..progress(id) }, "{tier}");
        }
    }

    #[test]
    fn a_position_in_the_future_starts_again() {
        let id = "01890a5d-ac96-774b-bcce-b302099a8057".parse().expect("an id");
        let mut stored = Progress::default();
        stored.set(MemoryScope::Workspace, progress(id));
        let read = Progress::read(&stored.to_text(), at(0)).expect("read");
        assert_eq!(read.of(MemoryScope::Workspace), TierProgress::default());
    }
}
