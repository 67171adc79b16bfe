//! How far consolidation has compared entries with their neighbours.

use chrono::{DateTime, Utc};
use inklings_domain::{ids::MemoryId, memory::MemoryEntry};
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

/// Progress of all runs so far.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Progress {
    /// The last compared entry; `None` if there is none.
    pub(crate) through: Option<Position>,
    /// Entries that the last run left to the next one, because it reached a limit or wrote them itself.
    pub(crate) left: u64,
}

impl Progress {
    fn to_text(self) -> Option<String> {
        let Position { at, id } = self.through?;
        Some(json!({ "at": at.timestamp_micros(), "id": id.to_string(), "left": self.left }).to_string())
    }

    fn read(text: &str) -> Option<Self> {
        let value: Value = serde_json::from_str(text).ok()?;
        let at = DateTime::from_timestamp_micros(value.get("at")?.as_i64()?)?;
        let id = value.get("id")?.as_str()?.parse().ok()?;
        Some(Self { through: Some(Position { at, id }), left: value.get("left").and_then(Value::as_u64)? })
    }
}

impl Consolidation<'_> {
    /// Progress of all runs so far. A position in the future was stored before the clock was set back;
    /// comparison then starts again from the first entry.
    pub(crate) async fn progress(&self) -> Result<Progress, AppError> {
        let stored = self.session.workspace.runs.cursor(TASK).await?;
        let progress = stored.as_deref().and_then(Progress::read).unwrap_or_default();
        let future = progress.through.is_some_and(|through| through.at > self.session.clock.now());
        Ok(if future { Progress::default() } else { progress })
    }

    /// Stores the progress of a run.
    pub(crate) async fn record_progress(&self, progress: Progress) -> Result<(), AppError> {
        match progress.to_text() {
            Some(text) => Ok(self.session.workspace.runs.set_cursor(TASK, &text).await?),
            None => Ok(()),
        }
    }
}
