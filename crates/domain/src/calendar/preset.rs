//! Definitions to start from.

use super::definition::{
    CalendarDefinition, Era, EraCounting, Interval, LeapRule, Month, Week, WeekRestart, Weekday,
};

const GREGORIAN_MONTHS: [(&str, &str, u32); 12] = [
    ("January", "Jan", 31),
    ("February", "Feb", 28),
    ("March", "Mar", 31),
    ("April", "Apr", 30),
    ("May", "May", 31),
    ("June", "Jun", 30),
    ("July", "Jul", 31),
    ("August", "Aug", 31),
    ("September", "Sep", 30),
    ("October", "Oct", 31),
    ("November", "Nov", 30),
    ("December", "Dec", 31),
];

const GREGORIAN_WEEKDAYS: [(&str, &str); 7] = [
    ("Monday", "Mon"),
    ("Tuesday", "Tue"),
    ("Wednesday", "Wed"),
    ("Thursday", "Thu"),
    ("Friday", "Fri"),
    ("Saturday", "Sat"),
    ("Sunday", "Sun"),
];

/// The definitions by the names that a person chooses from.
pub fn presets() -> [(&'static str, CalendarDefinition); 1] {
    [("Gregorian", gregorian())]
}

/// The proleptic Gregorian calendar: today's rules also before 1582. Day 1 of story time is 1 January 1, as in the day count "rata
/// die" of *Calendrical Calculations* (Dershowitz and Reingold). The moon has its mean cycle of 29.530588 days from the new moon of
/// 6 January 2000, 18:14 UTC; the real one differs by up to a day.
pub fn gregorian() -> CalendarDefinition {
    let month = |(name, short, days): &(&str, &str, u32)| Month {
        name: (*name).to_owned(),
        short: Some((*short).to_owned()),
        days: *days,
        intercalary: false,
        in_week: true,
    };
    let weekday =
        |(name, short): &(&str, &str)| Weekday { name: (*name).to_owned(), short: Some((*short).to_owned()) };
    let interval = |every, leap| Interval { every, offset: 0, leap };
    let era = |name: &str, short: &str, anchor, counting| Era {
        name: name.to_owned(),
        short: Some(short.to_owned()),
        anchor,
        first_number: 1,
        counting,
    };
    CalendarDefinition {
        months: GREGORIAN_MONTHS.iter().map(month).collect(),
        leap_rules: vec![LeapRule {
            month: 1,
            days: 1,
            intervals: vec![interval(4, true), interval(100, false), interval(400, true)],
        }],
        week: Some(Week {
            days: GREGORIAN_WEEKDAYS.iter().map(weekday).collect(),
            first: 0,
            restart: WeekRestart::Never,
        }),
        eras: vec![
            era("Before Christ", "BC", 0, EraCounting::Backward),
            era("Anno Domini", "AD", 1, EraCounting::Forward),
        ],
        moons: vec![super::definition::Moon {
            name: "Moon".to_owned(),
            cycle: 29_530_588,
            shift: 10_502_010,
        }],
        hours_per_day: 24,
        minutes_per_hour: 60,
        epoch_day: 1,
    }
}
