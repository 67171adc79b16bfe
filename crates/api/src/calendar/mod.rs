//! Use cases of calendars, the time of entries in the story, and chapters.

pub mod view;

use inklings_application::{
    calendar::{find_in, read_in},
    error::AppError,
    services::Calendars,
};
use inklings_domain::{
    calendar::{Calendar, preset::presets, print::DateStyle, span::Span},
    memory::filter::ScopeFilter,
};
use inklings_ports::{
    calendar::{
        TimelineQuery,
        json::{self, InvalidDefinition},
    },
    memory::store::StoredEntry,
};
use serde_json::Value;

use crate::{
    calendar::view::{
        AgeView, CalendarDefinition, CalendarList, CalendarPreset, CalendarView, DateElsewhere, DateReading,
        MoonReading, NewStoryTime, TickRequest, TickView, TimelineRequest, TimelineRow, TimelineView,
    },
    commands::CalendarCommands,
    error::CommandError,
    named_entry::taken,
    view::{
        change::WriteResult,
        story_time::{story_time, story_time_of},
    },
    wire::{count, cursor},
};

const ALL: ScopeFilter = ScopeFilter::EVERYTHING;

impl CalendarCommands<'_> {
    /// The calendars of the workspace, and definitions to start from.
    pub async fn list_calendars(&self) -> Result<CalendarList, CommandError> {
        let found = self.app.session()?.calendars().list(&ALL).await?;
        let presets = presets().map(|(name, definition)| {
            let definition = shown_definition(json::definition_value(&definition))?;
            Ok(CalendarPreset { name: name.to_owned(), definition })
        });
        Ok(CalendarList {
            calendars: found.iter().map(calendar).collect::<Result<_, _>>()?,
            presets: presets.into_iter().collect::<Result<_, CommandError>>()?,
        })
    }

    /// The calendar with a name, an alias or an id; without one, the calendar of the workspace.
    ///
    /// # Errors
    /// [`CommandError`] of code `not_found`.
    pub async fn calendar_at(&self, name: Option<&str>) -> Result<CalendarView, CommandError> {
        calendar(&self.app.session()?.calendars().find(name, &ALL).await?)
    }

    /// A definition from the JSON of a file. What a file may leave out has its usual value.
    ///
    /// # Errors
    /// [`CommandError`] of code `invalid` with the first wrong field, or the place in the text that is no JSON.
    pub fn read_definition(&self, text: &str) -> Result<CalendarDefinition, CommandError> {
        let value: Value = serde_json::from_str(text).map_err(|error| {
            let (line, column) = (error.line(), error.column());
            CommandError::invalid("definition", format!("Line {line}, column {column}: this is no JSON."))
        })?;
        shown_definition(json::calendar_value(&json::calendar_of(&value).map_err(|error| refused(&error))?))
    }

    /// Adds a calendar.
    ///
    /// # Errors
    /// [`CommandError`] of code `already_exists` with field `name`, or `invalid` with the first wrong field.
    pub async fn add_calendar(
        &self,
        name: &str,
        definition: &CalendarDefinition,
    ) -> Result<WriteResult, CommandError> {
        let calendar = checked(definition)?;
        let session = self.app.session()?;
        match session.calendars().add(name, calendar, "", self.app.actor).await {
            Err(error @ AppError::Store(_)) => Err(taken(error.into(), "name")),
            written => self.app.memory().answer(written).await,
        }
    }

    /// Replaces the definition of a calendar. Entries keep their moments; some may read as other dates.
    ///
    /// # Errors
    /// [`CommandError`] of code `stale_version` with both versions, or `invalid` with the first wrong field.
    pub async fn define_calendar(
        &self,
        id: &str,
        version: u32,
        definition: &CalendarDefinition,
    ) -> Result<WriteResult, CommandError> {
        let id = crate::wire::id("id", id)?;
        let calendar = checked(definition)?;
        let session = self.app.session()?;
        self.app
            .memory()
            .answer(session.calendars().define(id, version.into(), calendar, self.app.actor).await)
            .await
    }

    /// How a date reads in a calendar of the workspace, or in the first one.
    ///
    /// # Errors
    /// [`CommandError`] of code `invalid` with what was not understood, or `not_found`.
    pub async fn read_date(&self, text: &str, calendar: Option<&str>) -> Result<DateReading, CommandError> {
        let session = self.app.session()?;
        let calendars = session.calendars().list(&ALL).await?;
        let reader = find_in(&calendars, calendar)?;
        let span = read_in(reader, text)?;
        let own = reader.entry.calendar.as_deref();
        let start = span.from();
        let moons = own.zip(start).map_or_else(Vec::new, |(own, start)| {
            let moons = own.definition().moons.iter().enumerate();
            moons
                .filter_map(|(at, moon)| {
                    let phase = own.moon_phase(at, start)?.as_str().to_owned();
                    Some(MoonReading { name: moon.name.clone(), phase })
                })
                .collect()
        });
        let others = calendars.iter().filter(|other| other.entry.id != reader.entry.id);
        let elsewhere = others.filter_map(|other| {
            let text = other.entry.calendar.as_deref()?.print_span(span, DateStyle::Long);
            Some(DateElsewhere { calendar: other.entry.name.clone()?, text })
        });
        Ok(DateReading {
            time: story_time(span, own),
            weekday: own
                .zip(start)
                .and_then(|(own, start)| own.weekday_name(&own.date_of(start)).map(str::to_owned)),
            moons,
            elsewhere: elsewhere.collect(),
        })
    }

    /// Sets when an entry holds in the story, and the reading number of a chapter.
    ///
    /// # Errors
    /// [`CommandError`] of code `stale_version` with both versions, `locked`, or `invalid` with what was not understood.
    pub async fn set_story_time(
        &self,
        id: &str,
        version: u32,
        new: &NewStoryTime,
    ) -> Result<WriteResult, CommandError> {
        let id = crate::wire::id("id", id)?;
        let session = self.app.session()?;
        let calendars = session.calendars();
        let span = match &new.text {
            Some(text) => Some(read_span(&calendars, Some(text), new.calendar.as_deref()).await?),
            None => None,
        };
        let set = calendars.set_story_time(id, version.into(), span, new.reading_number, self.app.actor);
        self.app.memory().answer(set.await).await
    }

    /// A page of the entries that have a time in the story.
    ///
    /// # Errors
    /// [`CommandError`] of code `invalid` with what was not understood of the dates.
    pub async fn list_timeline(&self, request: &TimelineRequest) -> Result<TimelineView, CommandError> {
        let session = self.app.session()?;
        let calendars = session.calendars();
        let within = read_span(&calendars, request.within.as_deref(), request.calendar.as_deref()).await?;
        let after = cursor::after(request.after.as_deref())?;
        let kind = request.kind.as_deref();
        let query = TimelineQuery { within, kind, filter: &ALL, after, limit: usize::MAX };
        let page = calendars.timeline(query).await?;
        let next = page.next.as_ref().map(cursor::text);
        Ok(TimelineView { rows: self.timeline_rows(&page.rows).await?, next })
    }

    /// The marks of a scale between two days, at most so many.
    ///
    /// # Errors
    /// [`CommandError`] of code `invalid` without a calendar, or for what is no day.
    pub async fn timeline_ticks(&self, request: &TickRequest) -> Result<Vec<TickView>, CommandError> {
        let session = self.app.session()?;
        let TickRequest { from, until, most } = *request;
        let ticks = session.calendars().ticks(from, until, most as usize, None, &ALL).await?;
        Ok(ticks.into_iter().map(|tick| TickView { day: tick.at.day(), text: tick.text }).collect())
    }

    /// Chapters and sessions in the order of reading.
    pub async fn list_chapters(&self) -> Result<Vec<TimelineRow>, CommandError> {
        let chapters = self.app.session()?.calendars().chapters(&ALL).await?;
        let mut rows = self.timeline_rows(&chapters).await?;
        for (at, row) in rows.iter_mut().enumerate() {
            let chapter = chapters[at].entry.chapter();
            let earlier = chapters[..at].iter().filter_map(|stored| stored.entry.chapter());
            row.flashback =
                chapter.is_some_and(|own| earlier.clone().any(|other| own.flashes_back_before(other)));
        }
        Ok(rows)
    }

    /// The age of a subject (a name, an alias or an id) at a date.
    ///
    /// # Errors
    /// [`CommandError`] of code `not_found`, or `invalid` if the subject has no start or starts later.
    pub async fn age_at(
        &self,
        subject: &str,
        text: &str,
        calendar: Option<&str>,
    ) -> Result<AgeView, CommandError> {
        let age = self.app.session()?.calendars().age(subject, text, calendar, &ALL).await?;
        Ok(AgeView { years: age.years, days: age.days })
    }

    async fn timeline_rows(&self, entries: &[StoredEntry]) -> Result<Vec<TimelineRow>, CommandError> {
        let timed = entries.iter().map(|stored| &stored.entry);
        let calendar = self.app.session()?.calendars().for_times_of(timed, &ALL).await?;
        let rows = self.app.memory().rows(entries).await?;
        let row = |(stored, row): (&StoredEntry, _)| TimelineRow {
            row,
            time: story_time_of(stored, calendar.as_deref()),
            subject: stored.entry.subject.clone(),
            reading_number: stored.entry.reading_number.map(std::num::NonZeroU32::get),
            flashback: false,
        };
        Ok(entries.iter().zip(rows).map(row).collect())
    }
}

/// The span of dates; all of story time without any.
pub(crate) async fn read_span(
    calendars: &Calendars<'_>,
    text: Option<&str>,
    calendar: Option<&str>,
) -> Result<Span, CommandError> {
    match text.filter(|text| !text.trim().is_empty()) {
        Some(text) => Ok(calendars.read(text, calendar, &ALL).await?),
        None => Ok(Span::ALWAYS),
    }
}

fn calendar(stored: &StoredEntry) -> Result<CalendarView, CommandError> {
    let entry = &stored.entry;
    let value = entry.calendar.as_deref().map(json::calendar_value).unwrap_or_default();
    Ok(CalendarView {
        id: entry.id.to_string(),
        version: count(entry.version),
        name: entry.name.clone().unwrap_or_default(),
        definition: shown_definition(value)?,
    })
}

/// The view has the JSON form of files, so it is read from that.
fn shown_definition(value: Value) -> Result<CalendarDefinition, CommandError> {
    serde_json::from_value(value).map_err(|_| refused(&InvalidDefinition::Shape))
}

fn checked(definition: &CalendarDefinition) -> Result<Calendar, CommandError> {
    let value = serde_json::to_value(definition).map_err(|_| refused(&InvalidDefinition::Shape))?;
    json::calendar_of(&value).map_err(|error| refused(&error))
}

fn refused(error: &InvalidDefinition) -> CommandError {
    AppError::Input { field: "definition", message: error.to_string() }.into()
}
