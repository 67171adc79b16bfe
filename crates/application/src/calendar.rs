//! Use cases on calendars, the time of entries in the story, and chapters.

use std::sync::Arc;

use inklings_domain::{
    calendar::{
        Calendar,
        moment::{InvalidMoment, Moment},
        parse::ParseError,
        print::DateStyle,
        span::Span,
        tick::Tick,
    },
    ids::MemoryId,
    memory::{MemoryEntry, change_set::Action, filter::ScopeFilter},
    named_entry::goes_by,
    provenance::Actor,
};
use inklings_ports::{
    calendar::{TimelineCursor, TimelineQuery},
    memory::store::StoredEntry,
};

use crate::{error::AppError, memory::write::WrittenEntry, services::Calendars, subject::kind_wanted};

/// Entries of one page of the timeline.
pub const TIMELINE_PAGE: usize = 200;

/// A page of the timeline.
#[derive(Debug, Clone, PartialEq)]
pub struct TimelinePage {
    /// By their start in the story.
    pub rows: Vec<StoredEntry>,
    /// Where the next page starts, if there is one.
    pub next: Option<TimelineCursor>,
}

/// The age of a subject.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Age {
    /// Whole years of the calendar.
    pub years: i64,
    /// Days in all.
    pub days: i64,
}

/// The refusal of a date. It tells the place of a word that was not understood in characters, as people count them.
pub(crate) fn no_date(error: ParseError, text: &str) -> AppError {
    let place = |end: usize| text.get(..end).map_or(0, |before| before.chars().count());
    let message = match error {
        ParseError::NotUnderstood { start, end, expected } => format!(
            "characters {} to {} of the date are not understood; expected {expected}",
            place(start) + 1,
            place(end)
        ),
        other => other.to_string(),
    };
    AppError::Input { field: "span", message }
}

/// The one of some calendars with a name, an alias or an id; without one, the first, which is that of the workspace.
///
/// # Errors
/// [`AppError::NotFound`] if it is not among them; [`AppError::Input`] if there is none at all.
pub fn find_in<'c>(calendars: &'c [StoredEntry], name: Option<&str>) -> Result<&'c StoredEntry, AppError> {
    let is_it = |entry: &MemoryEntry, name: &str| entry.id.to_string() == name || goes_by(entry, name);
    let found = calendars.iter().find(|stored| name.is_none_or(|name| is_it(&stored.entry, name)));
    found.ok_or_else(|| match name {
        Some(name) => AppError::NotFound { what: "calendar", name: name.chars().take(64).collect() },
        None => AppError::Input {
            field: "calendar",
            message: "this workspace has no calendar yet; add one first".to_owned(),
        },
    })
}

/// Reads dates in the calendar of an entry.
///
/// # Errors
/// [`AppError::Input`] with field `span` and what was not understood; [`AppError::NotFound`] if the entry is no calendar.
pub fn read_in(calendar: &StoredEntry, text: &str) -> Result<Span, AppError> {
    calendar_of(calendar)?.parse_span(text).map_err(|error| no_date(error, text))
}

/// The calendar of an entry that was read as one.
fn calendar_of(stored: &StoredEntry) -> Result<Arc<Calendar>, AppError> {
    let missing = || AppError::NotFound { what: "calendar", name: stored.entry.id.to_string() };
    stored.entry.calendar.clone().ok_or_else(missing)
}

/// When an entry holds in the story, as a calendar writes it; `None` without such a time.
pub fn holds(entry: &MemoryEntry, calendar: Option<&Calendar>) -> Option<String> {
    time_text(entry.span, calendar)
}

/// A time in the story as a calendar writes it; `None` for all of it.
pub fn time_text(span: Span, calendar: Option<&Calendar>) -> Option<String> {
    (span != Span::ALWAYS).then(|| written_span(span, calendar))
}

/// A span as a calendar writes it; without one, by the numbers of its days.
pub fn written_span(span: Span, calendar: Option<&Calendar>) -> String {
    if let Some(calendar) = calendar {
        return calendar.print_span(span, DateStyle::Long);
    }
    let day = |moment: Moment| format!("day {}", moment.day());
    match (span.from().map(day), span.until().map(day)) {
        (Some(from), Some(until)) if from == until => from,
        (from, until) => {
            format!("{} – {}", from.unwrap_or_default(), until.unwrap_or_default()).trim().to_owned()
        }
    }
}

impl Calendars<'_> {
    /// Active calendars within a filter, the oldest first. The first one is the calendar of the workspace.
    pub async fn list(&self, filter: &ScopeFilter) -> Result<Vec<StoredEntry>, AppError> {
        Ok(self.session.workspace.calendars.calendars(filter).await?)
    }

    /// The calendar with a name, an alias or an id; without one, the calendar of the workspace.
    pub async fn find(&self, name: Option<&str>, filter: &ScopeFilter) -> Result<StoredEntry, AppError> {
        find_in(&self.list(filter).await?, name).cloned()
    }

    /// The calendar that writes the dates of the workspace, if it has one within the filter.
    pub async fn of_workspace(&self, filter: &ScopeFilter) -> Result<Option<Arc<Calendar>>, AppError> {
        Ok(self.list(filter).await?.into_iter().find_map(|stored| stored.entry.calendar))
    }

    /// The calendar of the workspace, if one of these entries has a time in the story to write with it.
    pub async fn for_times_of(
        &self,
        entries: impl Iterator<Item = &MemoryEntry> + Send,
        filter: &ScopeFilter,
    ) -> Result<Option<Arc<Calendar>>, AppError> {
        self.for_spans(entries.map(|entry| entry.span), filter).await
    }

    /// The calendar of the workspace, if one of these is a time in the story to write with it.
    pub async fn for_spans(
        &self,
        mut spans: impl Iterator<Item = Span> + Send,
        filter: &ScopeFilter,
    ) -> Result<Option<Arc<Calendar>>, AppError> {
        if spans.all(|span| span == Span::ALWAYS) {
            return Ok(None);
        }
        self.of_workspace(filter).await
    }

    /// Adds a calendar; its text may be empty.
    ///
    /// # Errors
    /// [`AppError::Store`] with `AlreadyExists` if the workspace has the name; [`AppError::Memory`] for an invalid name or
    /// an actor without permission.
    pub async fn add(
        &self,
        name: &str,
        calendar: Calendar,
        content: &str,
        actor: Actor,
    ) -> Result<WrittenEntry, AppError> {
        let stamp = self.session.stamp(actor);
        let entry = MemoryEntry::calendar(self.session.ids.memory_id(), name, calendar, content, stamp)?;
        self.session.memories().commit_new(stamp, Action::Create, entry).await
    }

    /// Replaces the definition of a calendar. Times in the story keep their moments and may get other dates.
    ///
    /// # Errors
    /// [`AppError::Stale`]; [`AppError::Memory`] if the entry is no calendar or for an actor without permission.
    pub async fn define(
        &self,
        id: MemoryId,
        version: u64,
        calendar: Calendar,
        actor: Actor,
    ) -> Result<WrittenEntry, AppError> {
        let found = self.session.entry_at(id, version).await?;
        let stamp = self.session.stamp(actor);
        let next = found.next(found.entry.with_calendar(calendar, stamp)?);
        self.session.memories().commit_next(stamp, Action::Edit, next, Vec::new()).await
    }

    /// Reads a date, a month, a year, an era or a span of them in a calendar.
    ///
    /// # Errors
    /// As [`find_in`] and [`read_in`].
    pub async fn read(
        &self,
        text: &str,
        calendar: Option<&str>,
        filter: &ScopeFilter,
    ) -> Result<Span, AppError> {
        read_in(find_in(&self.list(filter).await?, calendar)?, text)
    }

    /// Sets when an entry holds in the story, if a span is given, and the reading number of a chapter.
    ///
    /// # Errors
    /// [`AppError::Stale`]; [`AppError::Memory`] for an entry that has no time in the story, or an actor without permission.
    pub async fn set_story_time(
        &self,
        id: MemoryId,
        version: u64,
        span: Option<Span>,
        reading_number: Option<u32>,
        actor: Actor,
    ) -> Result<WrittenEntry, AppError> {
        let found = self.session.entry_at(id, version).await?;
        let stamp = self.session.stamp(actor);
        let span = span.unwrap_or(found.entry.span);
        let next = found.next(found.entry.with_story_time(span, reading_number, stamp)?);
        self.session.memories().commit_next(stamp, Action::Edit, next, Vec::new()).await
    }

    /// A page of the entries that have a time in the story.
    ///
    /// # Errors
    /// [`AppError::Memory`] for what can be no kind.
    pub async fn timeline(&self, query: TimelineQuery<'_>) -> Result<TimelinePage, AppError> {
        let limit = query.limit.clamp(1, TIMELINE_PAGE);
        let kind = kind_wanted(query.kind)?;
        let more = TimelineQuery { kind: kind.as_deref(), limit: limit + 1, ..query };
        let mut rows = self.session.workspace.calendars.timeline(more).await?;
        let next = (rows.len() > limit).then(|| rows.get(limit - 1).map(TimelineCursor::of)).flatten();
        rows.truncate(limit);
        Ok(TimelinePage { rows, next })
    }

    /// The marks of a scale between two days, by a calendar or by the calendar of the workspace.
    ///
    /// # Errors
    /// [`AppError::NotFound`] or [`AppError::Input`] for the calendar; [`AppError::Input`] if a day is no day of story time.
    pub async fn ticks(
        &self,
        from: i64,
        until: i64,
        most: usize,
        calendar: Option<&str>,
        filter: &ScopeFilter,
    ) -> Result<Vec<Tick>, AppError> {
        let calendar = calendar_of(&self.find(calendar, filter).await?)?;
        let day = |day| {
            let refused = |error: InvalidMoment| AppError::Input { field: "day", message: error.to_string() };
            Moment::on_day(day).map_err(refused)
        };
        Ok(calendar.ticks(day(from)?, day(until)?.last_part(), most))
    }

    /// Chapters and sessions in the order of reading.
    pub async fn chapters(&self, filter: &ScopeFilter) -> Result<Vec<StoredEntry>, AppError> {
        Ok(self.session.workspace.calendars.chapters(filter).await?)
    }

    /// The age of a subject at a date: from the start of its time in the story to the start of the date.
    ///
    /// # Errors
    /// [`AppError::NotFound`] for the subject or the calendar; [`AppError::Input`] if the text is no date, the subject has
    /// no start, or it starts later.
    pub async fn age(
        &self,
        subject: &str,
        at: &str,
        calendar: Option<&str>,
        filter: &ScopeFilter,
    ) -> Result<Age, AppError> {
        let row = self.session.subjects().find(subject, filter).await?;
        let span = self.session.entry(row.id).await?.entry.span;
        let refused = |field, message: &str| AppError::Input { field, message: message.to_owned() };
        let born = span.from().ok_or_else(|| refused("subject", "its time in the story has no start"))?;
        let reader = self.find(calendar, filter).await?;
        let at = read_in(&reader, at)?.from().ok_or_else(|| refused("span", "this date has no start"))?;
        let years =
            calendar_of(&reader)?.age(born, at).ok_or_else(|| refused("span", "this is before its start"))?;
        Ok(Age { years, days: at.days_since(born) })
    }
}
