//! Commands of calendars, the time of entries in the story, and chapters.

use inklings_api::{
    calendar::view::{
        AgeView, CalendarDefinition, CalendarList, DateReading, NewStoryTime, TickRequest, TickView,
        TimelineRequest, TimelineRow, TimelineView,
    },
    view::change::WriteResult,
};

use crate::{Answer, Core};

/// The calendars of the workspace, the oldest first, and definitions to start from.
#[specta::specta]
pub async fn list_calendars(core: Core) -> Answer<CalendarList> {
    core.app()?.calendar().list_calendars().await
}

/// Adds a calendar.
#[specta::specta]
pub async fn add_calendar(core: Core, name: String, definition: CalendarDefinition) -> Answer<WriteResult> {
    core.app()?.calendar().add_calendar(&name, &definition).await
}

/// Replaces the definition of a calendar. Entries keep their moments; some may read as other dates.
#[specta::specta]
pub async fn define_calendar(
    core: Core,
    id: String,
    version: u32,
    definition: CalendarDefinition,
) -> Answer<WriteResult> {
    core.app()?.calendar().define_calendar(&id, version, &definition).await
}

/// How a date reads in a calendar of the workspace, or in the first one.
#[specta::specta]
pub async fn read_date(core: Core, text: String, calendar: Option<String>) -> Answer<DateReading> {
    core.app()?.calendar().read_date(&text, calendar.as_deref()).await
}

/// Sets when an entry holds in the story, and the reading number of a chapter.
#[specta::specta]
pub async fn set_story_time(
    core: Core,
    id: String,
    version: u32,
    request: NewStoryTime,
) -> Answer<WriteResult> {
    core.app()?.calendar().set_story_time(&id, version, &request).await
}

/// A page of the entries that have a time in the story, by their start.
#[specta::specta]
pub async fn list_timeline(core: Core, request: TimelineRequest) -> Answer<TimelineView> {
    core.app()?.calendar().list_timeline(&request).await
}

/// The marks of a scale between two days of story time, at most so many, as the calendar of the workspace writes them.
#[specta::specta]
pub async fn timeline_ticks(core: Core, request: TickRequest) -> Answer<Vec<TickView>> {
    core.app()?.calendar().timeline_ticks(&request).await
}

/// Chapters and sessions in the order of reading.
#[specta::specta]
pub async fn list_chapters(core: Core) -> Answer<Vec<TimelineRow>> {
    core.app()?.calendar().list_chapters().await
}

/// The age of a subject (a name, an alias or an id) at a date.
#[specta::specta]
pub async fn age_at(core: Core, subject: String, text: String, calendar: Option<String>) -> Answer<AgeView> {
    core.app()?.calendar().age_at(&subject, &text, calendar.as_deref()).await
}
