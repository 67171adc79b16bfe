//! Prints calendars and times in the story as text.

use inklings_api::{
    calendar::view::{CalendarView, DateReading, TimelineRow},
    view::memory::MemoryDetail,
};

use crate::output::texts::{line, lines, word};

pub fn calendars(found: &[CalendarView]) -> String {
    if found.is_empty() {
        return "no calendars yet; `inklings calendar add NAME --preset Gregorian` adds one".to_owned();
    }
    lines(found, |calendar| {
        let definition = &calendar.definition;
        let days: u32 = definition.months.iter().map(|month| month.days).sum();
        format!("{}  {} months, {days} days", calendar.name, definition.months.len())
    })
}

pub fn calendar(found: &CalendarView) -> String {
    let definition = &found.definition;
    let mut parts = vec![found.name.clone()];
    parts.push(lines(&definition.months, |month| {
        let outside = if month.intercalary { "  outside the months" } else { "" };
        format!("  {}  {} days{outside}", month.name, month.days)
    }));
    if let Some(week) = &definition.week {
        let days: Vec<&str> = week.days.iter().map(|day| day.name.as_str()).collect();
        parts.push(format!("Week: {}", days.join(", ")));
    }
    if !definition.eras.is_empty() {
        let eras: Vec<&str> = definition.eras.iter().map(|era| era.name.as_str()).collect();
        parts.push(format!("Eras: {}", eras.join(", ")));
    }
    if !definition.moons.is_empty() {
        let moons: Vec<&str> = definition.moons.iter().map(|moon| moon.name.as_str()).collect();
        parts.push(format!("Moons: {}", moons.join(", ")));
    }
    parts.push(format!(
        "A day has {} hours of {} minutes.",
        definition.hours_per_day, definition.minutes_per_hour
    ));
    parts.join("\n")
}

pub fn reading(reading: &DateReading) -> String {
    let mut parts = vec![reading.time.text.clone()];
    parts.extend(reading.weekday.clone());
    parts.extend(reading.moons.iter().map(|moon| format!("{}: {}", moon.name, moon.phase.replace('_', " "))));
    parts.extend(reading.elsewhere.iter().map(|other| format!("{}: {}", other.calendar, other.text)));
    parts.join("\n")
}

/// What an entry is called in a list: its name, its title or the beginning of its text.
fn called(row: &TimelineRow) -> String {
    let name = row.row.name.as_ref().or(row.row.title.as_ref());
    name.cloned().unwrap_or_else(|| line(&row.row.preview))
}

fn time(row: &TimelineRow) -> String {
    row.time.as_ref().map(|time| format!("{}  ", time.text)).unwrap_or_default()
}

pub fn rows(rows: &[TimelineRow]) -> String {
    if rows.is_empty() {
        return "nothing has a time in the story here; `inklings timeline set` gives one".to_owned();
    }
    lines(rows, |row| {
        let kind = row.subject.as_ref().map(|kind| format!("  {kind}")).unwrap_or_default();
        format!("{}  {}{}{kind}", row.row.id, time(row), called(row))
    })
}

/// The timeline as CSV (RFC 4180), with a line of headings.
pub fn csv(rows: &[TimelineRow]) -> Result<String, csv::Error> {
    let mut table = csv::WriterBuilder::new().from_writer(Vec::new());
    table.write_record([
        "id",
        "name",
        "kind",
        "reading_number",
        "from",
        "until",
        "dates",
        "scope",
        "channel",
        "text",
    ])?;
    let number = |moment: Option<i64>| moment.map(|moment| moment.to_string()).unwrap_or_default();
    for row in rows {
        let entry = &row.row;
        let time = row.time.as_ref();
        table.write_record([
            entry.id.as_str(),
            entry.name.as_ref().or(entry.title.as_ref()).map_or("", String::as_str),
            row.subject.as_deref().unwrap_or_default(),
            &row.reading_number.map(|number| number.to_string()).unwrap_or_default(),
            &number(time.and_then(|time| time.from)),
            &number(time.and_then(|time| time.until)),
            time.map_or("", |time| time.text.as_str()),
            &word(&entry.scope),
            entry.channel_name.as_deref().unwrap_or_default(),
            entry.preview.as_str(),
        ])?;
    }
    let bytes = table.into_inner().map_err(csv::IntoInnerError::into_error)?;
    Ok(String::from_utf8_lossy(&bytes).trim_end().to_owned())
}

pub fn chapters(rows: &[TimelineRow]) -> String {
    if rows.is_empty() {
        return "no chapters yet; `inklings timeline set NAME --reading 1` makes a subject one".to_owned();
    }
    lines(rows, |row| {
        let back = if row.flashback { "  (flashback)" } else { "" };
        format!("{}. {}{}{back}", row.reading_number.unwrap_or_default(), time(row), called(row))
    })
}

pub fn set(detail: &MemoryDetail) -> String {
    let reading =
        detail.reading_number.map(|number| format!(" It is number {number} in the order of reading."));
    let time = match &detail.story_time {
        Some(time) => format!("It holds: {}.", time.text),
        None => "It has no time in the story.".to_owned(),
    };
    format!("{time}{}", reading.unwrap_or_default())
}
