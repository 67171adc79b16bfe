//! Reads entries by their time in the story.

use inklings_domain::{calendar::span::Span, memory::filter::ScopeFilter};
use inklings_ports::{
    calendar::{CalendarStore, TimelineQuery},
    memory::store::StoredEntry,
    store_error::StoreError,
};

use crate::{error::DbResult, store::SqliteStore};

impl SqliteStore {
    async fn read_timeline(&self, query: TimelineQuery<'_>) -> DbResult<Vec<StoredEntry>> {
        const START: &str = "coalesce(m.holds_from, -9000000000000000)";
        let TimelineQuery { within, kind, filter, after, limit } = query;
        let mut sql = self.active_entries_from("memories AS m INDEXED BY memories_in_story_time", filter);
        sql.push(" AND (m.holds_from IS NOT NULL OR m.holds_until IS NOT NULL)");
        if within != Span::ALWAYS {
            // An end is the last part of its day if it is a whole day.
            sql.push(" AND (m.holds_from IS NULL OR m.holds_from <= ").push_bind(within.last().value());
            sql.push(") AND (m.holds_until IS NULL OR iif(m.holds_until % 10000 = 0, m.holds_until + 8640, m.holds_until) >= ");
            sql.push_bind(within.first().value()).push(")");
        }
        if let Some(kind) = kind {
            sql.push(" AND m.subject = ").push_bind(kind.to_owned());
        }
        if let Some(after) = after {
            sql.push(" AND (").push(START).push(", m.id) > (").push_bind(after.from);
            sql.push(", ").push_bind(after.id.to_string()).push(")");
        }
        sql.push(" ORDER BY ").push(START).push(", m.id LIMIT ").push_bind(limit as i64);
        self.fetch_entries(sql).await
    }
}

#[async_trait::async_trait]
impl CalendarStore for SqliteStore {
    async fn calendars(&self, filter: &ScopeFilter) -> Result<Vec<StoredEntry>, StoreError> {
        // An orientation asks for them. Without the index SQLite may read all entries in the order of their making.
        let mut sql = self.active_entries_from("memories AS m INDEXED BY memories_of_calendars", filter);
        sql.push(" AND m.calendar IS NOT NULL ORDER BY m.created_at, m.id");
        self.public(self.fetch_entries(sql).await)
    }

    async fn timeline(&self, query: TimelineQuery<'_>) -> Result<Vec<StoredEntry>, StoreError> {
        self.public(self.read_timeline(query).await)
    }

    async fn chapters(&self, filter: &ScopeFilter) -> Result<Vec<StoredEntry>, StoreError> {
        let mut sql = self.active_entries_from("memories AS m INDEXED BY memories_by_reading", filter);
        sql.push(" AND m.reading_number IS NOT NULL ORDER BY m.reading_number, m.id");
        self.public(self.fetch_entries(sql).await)
    }
}

#[cfg(test)]
mod tests {
    use inklings_domain::calendar::moment::Moment;

    #[test]
    fn the_open_start_of_the_timeline_is_the_first_moment() {
        assert_eq!(Moment::MIN.value(), -9_000_000_000_000_000);
    }
}
