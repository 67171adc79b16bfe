//! Port for reading entries by their time in the story. Times and calendars are written as entries.

pub mod json;

use inklings_domain::{
    calendar::{moment::Moment, span::Span},
    ids::MemoryId,
    memory::filter::ScopeFilter,
};

use crate::{memory::store::StoredEntry, store_error::StoreError};

/// Which entries of the timeline to read.
#[derive(Debug, Clone, Copy)]
pub struct TimelineQuery<'q> {
    /// Only entries that hold at some time in this span.
    pub within: Span,
    /// Only subjects of this kind.
    pub kind: Option<&'q str>,
    /// What may be seen.
    pub filter: &'q ScopeFilter,
    /// The last entry of the page before.
    pub after: Option<TimelineCursor>,
    /// Maximum number of entries.
    pub limit: usize,
}

/// The place of an entry in the timeline.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TimelineCursor {
    /// The value of the moment that the entry holds from; the first there is for an open start.
    pub from: i64,
    pub id: MemoryId,
}

impl TimelineCursor {
    /// The place of an entry.
    pub fn of(stored: &StoredEntry) -> Self {
        let from = stored.entry.span.from().unwrap_or(Moment::MIN).value();
        Self { from, id: stored.entry.id }
    }
}

/// Reads the calendars, the timeline and the chapters of one workspace.
#[async_trait::async_trait]
pub trait CalendarStore: Send + Sync {
    /// Active calendars within a filter, the oldest first.
    async fn calendars(&self, filter: &ScopeFilter) -> Result<Vec<StoredEntry>, StoreError>;

    /// Active entries with a start or an end in story time, by their start, then by id. An open start comes first.
    async fn timeline(&self, query: TimelineQuery<'_>) -> Result<Vec<StoredEntry>, StoreError>;

    /// Active entries with a reading number within a filter, by that number, then by id.
    async fn chapters(&self, filter: &ScopeFilter) -> Result<Vec<StoredEntry>, StoreError>;
}
