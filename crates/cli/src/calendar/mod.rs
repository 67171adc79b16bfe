//! The `inklings calendar` and `inklings timeline` commands.

pub mod args;
pub mod show;

use std::{fs, path::Path};

use inklings_api::{
    App,
    calendar::view::{CalendarDefinition, NewStoryTime, TimelineRequest},
    error::ErrorCode,
    view::memory::MemoryDetail,
};

use crate::{
    calendar::args::{CalendarVerb, NewCalendar, TimelineVerb},
    failure::Failure,
    output::{Output, texts::standard_input},
    shared_args::Common,
    store,
};

fn definition(app: &App, file: &str) -> Result<CalendarDefinition, Failure> {
    let text = if file == "-" {
        standard_input()?
    } else {
        fs::read_to_string(file).map_err(|error| Failure::file(Path::new(file), &error))?
    };
    Ok(app.calendar().read_definition(&text)?)
}

pub async fn calendar(verb: CalendarVerb, common: &Common, out: &Output) -> Result<(), Failure> {
    let app = store::workspace(common, out).await?;
    let commands = app.calendar();
    match verb {
        CalendarVerb::List => {
            let found = commands.list_calendars().await?;
            out.answer(&found.calendars, |_| show::calendars(&found.calendars))
        }
        CalendarVerb::Show { name } => {
            let found = commands.calendar_at(name.as_deref()).await?;
            out.answer(&found.definition, |_| show::calendar(&found))
        }
        CalendarVerb::Add(NewCalendar { name, preset, file }) => {
            let definition = match (file, preset) {
                (Some(file), _) => definition(&app, &file)?,
                (None, wanted) => {
                    let wanted = wanted.unwrap_or_default();
                    let presets = commands.list_calendars().await?.presets;
                    let found = presets.iter().find(|preset| preset.name.eq_ignore_ascii_case(&wanted));
                    let names: Vec<&str> = presets.iter().map(|preset| preset.name.as_str()).collect();
                    let unknown = || Failure::Usage(format!("the presets are: {}", names.join(", ")));
                    found.map(|preset| preset.definition.clone()).ok_or_else(unknown)?
                }
            };
            let written = commands.add_calendar(&name, &definition).await?;
            out.answer(&written, |_| format!("Added the calendar {name}."))
        }
        CalendarVerb::Define { name, file } => {
            let found = commands.calendar_at(Some(&name)).await?;
            let written =
                commands.define_calendar(&found.id, found.version, &definition(&app, &file)?).await?;
            out.answer(&written, |_| format!("{} has the new definition.", found.name))
        }
        CalendarVerb::Date { date, calendar } => {
            out.answer(&commands.read_date(&date, calendar.as_deref()).await?, show::reading)
        }
        CalendarVerb::Age { subject, at, calendar } => {
            let age = commands.age_at(&subject, &at, calendar.as_deref()).await?;
            out.answer(&age, |age| format!("{} years ({} days)", age.years, age.days))
        }
    }
}

/// The memory with an id, or the named entry of a subject.
async fn entry(app: &App, name: &str) -> Result<MemoryDetail, Failure> {
    let id = match app.subject().subject_at(name).await {
        Ok(subject) => subject.id,
        Err(error) if error.code == ErrorCode::NotFound => name.to_owned(),
        Err(error) => return Err(error.into()),
    };
    Ok(app.memory().get_memory(&id).await?)
}

pub async fn timeline(verb: TimelineVerb, common: &Common, out: &Output) -> Result<(), Failure> {
    let app = store::workspace(common, out).await?;
    let commands = app.calendar();
    let (entry, time) = match verb {
        TimelineVerb::List { within, calendar, kind, csv } => {
            let mut request = TimelineRequest { within, calendar, kind, after: None };
            let mut rows = Vec::new();
            loop {
                let page = commands.list_timeline(&request).await?;
                rows.extend(page.rows);
                request.after = page.next;
                if request.after.is_none() {
                    break;
                }
            }
            if csv {
                let text = show::csv(&rows).map_err(|error| Failure::internal(&error))?;
                return out.answer(&rows, |_| text);
            }
            return out.answer(&*rows, show::rows);
        }
        TimelineVerb::Chapters => {
            return out.answer(&*commands.list_chapters().await?, show::chapters);
        }
        TimelineVerb::Set(new) => {
            let found = entry(&app, &new.entry).await?;
            if new.dates.is_none() && new.reading.is_none() {
                return Err(Failure::Usage("give dates, or --reading".to_owned()));
            }
            let reading_number = new.reading.or(found.reading_number);
            (found, NewStoryTime { text: new.dates, calendar: new.calendar, reading_number })
        }
        TimelineVerb::Unset { entry: name } => {
            let none = NewStoryTime { text: Some(String::new()), calendar: None, reading_number: None };
            (entry(&app, &name).await?, none)
        }
    };
    let written = commands.set_story_time(&entry.row.id, entry.row.version, &time).await?;
    out.answer(&written, |written| show::set(&written.detail))
}
