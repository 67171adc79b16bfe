//! The definition of a calendar as plain data: what a person edits, and what storage and files contain.
//! [`super::Calendar::new`] checks it. Positions in its lists count from 0.

use crate::scope::words;

/// Maximum number of months, those outside the months included.
pub const MAX_MONTHS: usize = 64;
/// Maximum number of days of a month, and of days that one leap rule adds.
pub const MAX_MONTH_DAYS: u32 = 10_000;
/// Maximum number of leap rules.
pub const MAX_LEAP_RULES: usize = 16;
/// Maximum number of intervals of a leap rule.
pub const MAX_INTERVALS: usize = 64;
/// Maximum number of years after which the leap rules repeat: the least common multiple of all intervals. The validated calendar
/// holds a table with one row for each of these years.
pub const MAX_CYCLE_YEARS: u32 = 10_000;
/// Maximum number of weekdays.
pub const MAX_WEEKDAYS: usize = 64;
/// Maximum number of eras.
pub const MAX_ERAS: usize = 64;
/// Maximum number of moons.
pub const MAX_MOONS: usize = 16;
/// Maximum distance of the anchor of an era from year 1, and maximum number of its first year.
pub const MAX_ERA_YEAR: i64 = 1_000_000_000_000;
/// Maximum length of a cycle of a moon, in millionths of a day: a million days.
pub const MAX_MOON_CYCLE: i64 = 1_000_000_000_000;

/// A calendar as a person defines it. Its name is that of the entry that holds it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CalendarDefinition {
    /// The months of a year in their order, at least one of them not intercalary.
    pub months: Vec<Month>,
    /// Which months get more days in which years. The rules add up.
    pub leap_rules: Vec<LeapRule>,
    /// The week; `None` if days have no names.
    pub week: Option<Week>,
    /// The eras in the order of time. Without any, years are shown as they are counted: 1 is the year of the epoch, 0 and -1 are
    /// before it.
    pub eras: Vec<Era>,
    pub moons: Vec<Moon>,
    /// Hours of a day, from 1.
    pub hours_per_day: u32,
    /// Minutes of an hour, from 1. A day has at most [`super::moment::PARTS_PER_DAY`] minutes.
    pub minutes_per_hour: u32,
    /// The day of story time that is the first day of year 1.
    pub epoch_day: i64,
}

/// A month, or days that belong to no month.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Month {
    pub name: String,
    /// Its abbreviation.
    pub short: Option<String>,
    /// Its days in a year without leap days. A month of 0 days exists only in years in which a leap rule gives it days, such as a
    /// leap month or a festival of leap years.
    pub days: u32,
    /// True for days between the months, such as a festival. They are printed without "of a month", and adding months skips them.
    pub intercalary: bool,
    /// True if its days have weekdays. False for days that the week skips: the weekday after them follows the one before them.
    pub in_week: bool,
}

/// Adds days to the end of a month in some years.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeapRule {
    /// Position of the month.
    pub month: usize,
    /// Number of days that it adds, from 1.
    pub days: u32,
    /// Which years. The last interval that a year is in decides; a year in none is no leap year. Gregorian leap years are: every
    /// 4 years, not every 100, but every 400.
    pub intervals: Vec<Interval>,
}

/// Years at an equal distance, counted from year 1 of the epoch, not by era.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Interval {
    /// Distance of the years, from 1.
    pub every: u32,
    /// One year of them. The years are `offset`, `offset + every`, `offset - every` and so on.
    pub offset: i64,
    /// True if these years are leap years, false if they are exceptions.
    pub leap: bool,
}

/// The week.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Week {
    /// The weekdays in their order.
    pub days: Vec<Weekday>,
    /// Position of the weekday of the first day of year 1 that the week includes; with a restart, of each month or year.
    pub first: usize,
    /// Where the week starts again.
    pub restart: WeekRestart,
}

/// A day of the week.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Weekday {
    pub name: String,
    /// Its abbreviation.
    pub short: Option<String>,
}

/// Where the week starts with its first day again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum WeekRestart {
    /// It runs on through months and years.
    Never,
    /// On the first day of each month, intercalary days included.
    Month,
    /// On the first day of each year.
    Year,
}

words!(WeekRestart, "week restart", { Never => "never", Month => "month", Year => "year" });

/// An era. It lasts until the next one starts.
///
/// Only the first era may count backward; it ends with the year before the next. If the first era counts forward, the years
/// before its anchor have the numbers below `first_number`, down to 0 and less.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Era {
    /// Its name, as it stands after the year: "after the Dry".
    pub name: String,
    /// Its abbreviation: "AD".
    pub short: Option<String>,
    /// The year that has the number `first_number`, counted from the epoch. For an era that counts backward it is the last year.
    pub anchor: i64,
    /// The number of the anchor, from 0. 0 makes a year zero.
    pub first_number: i64,
    /// In which direction its years are counted.
    pub counting: EraCounting,
}

/// The direction in which an era counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum EraCounting {
    /// Later years have higher numbers.
    Forward,
    /// Later years have lower numbers, as in "before" eras.
    Backward,
}

words!(EraCounting, "era counting", { Forward => "forward", Backward => "backward" });

/// A moon with phases of equal length.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Moon {
    pub name: String,
    /// Time from one new moon to the next, in millionths of a day, at least one day: 29.530588 days are `29_530_588`.
    pub cycle: i64,
    /// A new moon, in millionths of a day from the start of the epoch, less than one cycle before or after it.
    pub shift: i64,
}
