//! The time of an entry in the story, as a view.

use inklings_application::{calendar::written_span, memory::store::StoredEntry};
use inklings_domain::calendar::{Calendar, moment::Moment, span::Span};
use serde::{Deserialize, Serialize};
use specta::Type;
use specta_typescript::Number;

/// A time in the story.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct StoryTime {
    /// As the calendar of the workspace writes it.
    pub text: String,
    /// First moment, as a number; `null` without a start.
    #[specta(type = Option<Number>)]
    pub from: Option<i64>,
    /// Last moment, which is part of it; `null` without an end.
    #[specta(type = Option<Number>)]
    pub until: Option<i64>,
}

/// The time of an entry as a view, if it has one.
pub(crate) fn story_time_of(stored: &StoredEntry, calendar: Option<&Calendar>) -> Option<StoryTime> {
    (stored.entry.span != Span::ALWAYS).then(|| story_time(stored.entry.span, calendar))
}

/// A span as a view, written by a calendar.
pub(crate) fn story_time(span: Span, calendar: Option<&Calendar>) -> StoryTime {
    StoryTime {
        text: written_span(span, calendar),
        from: span.from().map(Moment::value),
        until: span.until().map(Moment::value),
    }
}
