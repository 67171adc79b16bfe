//! Views of calendars and of the time in the story. A definition has the JSON form of files, so its fields keep their names there.

use serde::{Deserialize, Serialize};
use specta::Type;
use specta_typescript::Number;

use crate::view::{memory::MemoryRow, story_time::StoryTime};

/// The calendars of a workspace.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct CalendarList {
    /// The oldest first. The first one writes the dates of the workspace.
    pub calendars: Vec<CalendarView>,
    /// Definitions to start from.
    pub presets: Vec<CalendarPreset>,
}

/// A calendar.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct CalendarView {
    /// Id of its entry.
    pub id: String,
    /// Version, required for edits.
    pub version: u32,
    pub name: String,
    /// What it defines.
    pub definition: CalendarDefinition,
}

/// A definition to start from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct CalendarPreset {
    pub name: String,
    /// What it defines.
    pub definition: CalendarDefinition,
}

/// What a calendar defines. Positions count from 0.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(deny_unknown_fields)]
pub struct CalendarDefinition {
    /// The months of a year in their order.
    pub months: Vec<Month>,
    /// Which months get more days in which years.
    pub leap_rules: Vec<LeapRule>,
    /// The week; `null` if days have no names.
    pub week: Option<Week>,
    /// The eras in the order of time.
    pub eras: Vec<Era>,
    pub moons: Vec<Moon>,
    pub hours_per_day: u32,
    pub minutes_per_hour: u32,
    /// The day of story time that is the first day of year 1.
    #[specta(type = Number)]
    pub epoch_day: i64,
}

/// A month, or days that belong to no month.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(deny_unknown_fields)]
pub struct Month {
    pub name: String,
    /// Its abbreviation.
    pub short: Option<String>,
    /// Its days in a year without leap days.
    pub days: u32,
    /// True for days between the months, such as a festival.
    pub intercalary: bool,
    /// True if its days have weekdays.
    pub in_week: bool,
}

/// Adds days to a month in some years.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(deny_unknown_fields)]
pub struct LeapRule {
    /// Position of the month.
    pub month: u32,
    /// Days that it adds.
    pub days: u32,
    /// Which years; the last one that a year is in decides.
    pub intervals: Vec<Interval>,
}

/// Years at an equal distance.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(deny_unknown_fields)]
pub struct Interval {
    /// Distance of the years.
    pub every: u32,
    /// One year of them, counted from the epoch.
    #[specta(type = Number)]
    pub offset: i64,
    /// True if these are leap years, false if they are exceptions.
    pub leap: bool,
}

/// The week.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(deny_unknown_fields)]
pub struct Week {
    /// The weekdays in their order.
    pub days: Vec<Weekday>,
    /// Position of the first weekday.
    pub first: u32,
    /// Where it starts again: `never`, `month` or `year`.
    pub restart: String,
}

/// A day of the week.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(deny_unknown_fields)]
pub struct Weekday {
    pub name: String,
    /// Its abbreviation.
    pub short: Option<String>,
}

/// An era.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(deny_unknown_fields)]
pub struct Era {
    /// Its name, as it stands after the year.
    pub name: String,
    /// Its abbreviation.
    pub short: Option<String>,
    /// The year with the number `first_number`, counted from the epoch.
    #[specta(type = Number)]
    pub anchor: i64,
    /// The number of that year.
    #[specta(type = Number)]
    pub first_number: i64,
    /// In which direction its years are counted: `forward` or `backward`.
    pub counting: String,
}

/// A moon.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(deny_unknown_fields)]
pub struct Moon {
    pub name: String,
    /// Time from one new moon to the next, in millionths of a day.
    #[specta(type = Number)]
    pub cycle: i64,
    /// A new moon, in millionths of a day from the start of the epoch.
    #[specta(type = Number)]
    pub shift: i64,
}

/// Which scale of story time to mark.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct TickRequest {
    /// Its first day.
    #[specta(type = Number)]
    pub from: i64,
    /// Its last day.
    #[specta(type = Number)]
    pub until: i64,
    /// How many marks fit.
    pub most: u32,
}

/// A mark of a scale of story time.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct TickView {
    /// The day of story time that starts there.
    #[specta(type = Number)]
    pub day: i64,
    /// Its text: a year, a month or a day.
    pub text: String,
}

/// How a date reads.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct DateReading {
    /// What it covers, as the calendar that read it writes it.
    pub time: StoryTime,
    /// The weekday of its start.
    pub weekday: Option<String>,
    /// The moons at its start.
    pub moons: Vec<MoonReading>,
    /// As the other calendars of the workspace write it.
    pub elsewhere: Vec<DateElsewhere>,
}

/// A moon on a day.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct MoonReading {
    pub name: String,
    /// Its phase: `new`, `waxing_crescent`, `first_quarter`, `waxing_gibbous`, `full`, `waning_gibbous`, `last_quarter` or
    /// `waning_crescent`.
    pub phase: String,
}

/// A date of another calendar.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct DateElsewhere {
    /// Name of the calendar.
    pub calendar: String,
    /// The date there.
    pub text: String,
}

/// The age of a subject.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct AgeView {
    /// Whole years of the calendar.
    #[specta(type = Number)]
    pub years: i64,
    /// Days in all.
    #[specta(type = Number)]
    pub days: i64,
}

/// Which part of the timeline to read.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase", default)]
pub struct TimelineRequest {
    /// Only what holds at some time in these dates.
    pub within: Option<String>,
    /// The calendar of those dates; the calendar of the workspace if `null`.
    pub calendar: Option<String>,
    /// Only subjects of this kind.
    pub kind: Option<String>,
    /// Where the page starts, as the page before it says.
    pub after: Option<String>,
}

/// A page of the timeline.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct TimelineView {
    /// By their start in the story.
    pub rows: Vec<TimelineRow>,
    /// Where the next page starts; `null` after the last one.
    pub next: Option<String>,
}

/// An entry with a time in the story.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct TimelineRow {
    /// The fields of a list row.
    pub row: MemoryRow,
    /// When it holds.
    pub time: Option<StoryTime>,
    /// Kind of subject.
    pub subject: Option<String>,
    /// Its place in the order of reading.
    pub reading_number: Option<u32>,
    /// True for a chapter that ends before one that is read earlier starts.
    pub flashback: bool,
}

/// A new time of an entry.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct NewStoryTime {
    /// The dates, such as "14 Thaw, 312 – 3 Seed, 313"; blank: none; `null`: as they are.
    pub text: Option<String>,
    /// The calendar of the dates; the calendar of the workspace if `null`.
    pub calendar: Option<String>,
    /// The place of a chapter in the order of reading; `null`: none.
    pub reading_number: Option<u32>,
}
