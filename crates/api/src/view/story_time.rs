//! The time of an entry in the story, as a view.

use inklings_application::calendar::written_span;
use inklings_domain::calendar::{
    Calendar,
    moment::{Moment, PARTS_PER_DAY},
    span::Span,
};
use inklings_ports::memory::store::StoredEntry;
use serde::{Deserialize, Serialize};
use specta::Type;
use specta_typescript::Number;

/// A time in the story.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
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
    /// Where it starts, in days of story time, a time of the day as a fraction.
    #[specta(type = Option<Number>)]
    pub start_day: Option<f64>,
    /// Where it ends, likewise: the end of its last day or part of a day.
    #[specta(type = Option<Number>)]
    pub end_day: Option<f64>,
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
        start_day: span.from().map(|from| days(from.first_part(), 0)),
        end_day: span.until().map(|until| days(until.last_part(), 1)),
    }
}

/// Days up to a part of a day, and some parts more.
fn days(moment: Moment, more: u32) -> f64 {
    let parts = moment.part().unwrap_or_default() + more;
    moment.day() as f64 + f64::from(parts) / f64::from(PARTS_PER_DAY)
}
