//! The JSON form of the definition of a calendar, in the database, in exports and in files that people write.

use inklings_domain::calendar::{
    Calendar,
    definition::{
        CalendarDefinition, Era, EraCounting, Interval, LeapRule, Month, Moon, Week, WeekRestart, Weekday,
    },
    invalid::InvalidCalendar,
};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The reason JSON defines no calendar. Messages name the field and never contain its text.
#[derive(Debug, thiserror::Error)]
pub enum InvalidDefinition {
    /// A field is missing, unknown or of another type.
    #[error("this defines no calendar: a field is missing, unknown or of another type")]
    Shape,
    /// A field breaks a rule.
    #[error(transparent)]
    Calendar(#[from] InvalidCalendar),
}

/// A calendar from JSON.
///
/// # Errors
/// [`InvalidDefinition`] with the first field that is wrong.
pub fn calendar_of(value: &Value) -> Result<Calendar, InvalidDefinition> {
    let stored = StoredCalendar::deserialize(value).map_err(|_| InvalidDefinition::Shape)?;
    Ok(Calendar::new(stored.definition().ok_or(InvalidDefinition::Shape)?)?)
}

/// A calendar as JSON.
pub fn calendar_value(calendar: &Calendar) -> Value {
    definition_value(calendar.definition())
}

/// A definition as JSON. It need not be valid.
pub fn definition_value(definition: &CalendarDefinition) -> Value {
    // Numbers, texts and lists always have a JSON form.
    serde_json::to_value(StoredCalendar::of(definition)).unwrap_or_default()
}

const fn yes() -> bool {
    true
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct StoredCalendar {
    months: Vec<StoredMonth>,
    #[serde(default)]
    leap_rules: Vec<StoredLeapRule>,
    #[serde(default)]
    week: Option<StoredWeek>,
    #[serde(default)]
    eras: Vec<StoredEra>,
    #[serde(default)]
    moons: Vec<StoredMoon>,
    hours_per_day: u32,
    minutes_per_hour: u32,
    #[serde(default)]
    epoch_day: i64,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct StoredMonth {
    name: String,
    #[serde(default)]
    short: Option<String>,
    days: u32,
    #[serde(default)]
    intercalary: bool,
    #[serde(default = "yes")]
    in_week: bool,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct StoredLeapRule {
    month: u32,
    days: u32,
    intervals: Vec<StoredInterval>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct StoredInterval {
    every: u32,
    #[serde(default)]
    offset: i64,
    #[serde(default = "yes")]
    leap: bool,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct StoredWeek {
    days: Vec<StoredWeekday>,
    #[serde(default)]
    first: u32,
    restart: String,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct StoredWeekday {
    name: String,
    #[serde(default)]
    short: Option<String>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct StoredEra {
    name: String,
    #[serde(default)]
    short: Option<String>,
    anchor: i64,
    first_number: i64,
    counting: String,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct StoredMoon {
    name: String,
    cycle: i64,
    #[serde(default)]
    shift: i64,
}

/// A position as a number of JSON. The limits of the lists are lower.
fn position(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(u32::MAX)
}

impl StoredCalendar {
    fn of(definition: &CalendarDefinition) -> Self {
        Self {
            months: definition
                .months
                .iter()
                .map(|month| StoredMonth {
                    name: month.name.clone(),
                    short: month.short.clone(),
                    days: month.days,
                    intercalary: month.intercalary,
                    in_week: month.in_week,
                })
                .collect(),
            leap_rules: definition
                .leap_rules
                .iter()
                .map(|rule| StoredLeapRule {
                    month: position(rule.month),
                    days: rule.days,
                    intervals: rule
                        .intervals
                        .iter()
                        .map(|years| StoredInterval {
                            every: years.every,
                            offset: years.offset,
                            leap: years.leap,
                        })
                        .collect(),
                })
                .collect(),
            week: definition.week.as_ref().map(|week| StoredWeek {
                days: week
                    .days
                    .iter()
                    .map(|day| StoredWeekday { name: day.name.clone(), short: day.short.clone() })
                    .collect(),
                first: position(week.first),
                restart: week.restart.as_str().to_owned(),
            }),
            eras: definition
                .eras
                .iter()
                .map(|era| StoredEra {
                    name: era.name.clone(),
                    short: era.short.clone(),
                    anchor: era.anchor,
                    first_number: era.first_number,
                    counting: era.counting.as_str().to_owned(),
                })
                .collect(),
            moons: definition
                .moons
                .iter()
                .map(|moon| StoredMoon { name: moon.name.clone(), cycle: moon.cycle, shift: moon.shift })
                .collect(),
            hours_per_day: definition.hours_per_day,
            minutes_per_hour: definition.minutes_per_hour,
            epoch_day: definition.epoch_day,
        }
    }

    /// `None` if a word is unknown.
    fn definition(self) -> Option<CalendarDefinition> {
        let week = match self.week {
            None => None,
            Some(week) => Some(Week {
                days: week.days.into_iter().map(|day| Weekday { name: day.name, short: day.short }).collect(),
                first: week.first as usize,
                restart: week.restart.parse::<WeekRestart>().ok()?,
            }),
        };
        let eras: Option<Vec<Era>> = self
            .eras
            .into_iter()
            .map(|era| {
                Some(Era {
                    name: era.name,
                    short: era.short,
                    anchor: era.anchor,
                    first_number: era.first_number,
                    counting: era.counting.parse::<EraCounting>().ok()?,
                })
            })
            .collect();
        Some(CalendarDefinition {
            months: self
                .months
                .into_iter()
                .map(|month| Month {
                    name: month.name,
                    short: month.short,
                    days: month.days,
                    intercalary: month.intercalary,
                    in_week: month.in_week,
                })
                .collect(),
            leap_rules: self
                .leap_rules
                .into_iter()
                .map(|rule| LeapRule {
                    month: rule.month as usize,
                    days: rule.days,
                    intervals: rule
                        .intervals
                        .into_iter()
                        .map(|years| Interval { every: years.every, offset: years.offset, leap: years.leap })
                        .collect(),
                })
                .collect(),
            week,
            eras: eras?,
            moons: self
                .moons
                .into_iter()
                .map(|moon| Moon { name: moon.name, cycle: moon.cycle, shift: moon.shift })
                .collect(),
            hours_per_day: self.hours_per_day,
            minutes_per_hour: self.minutes_per_hour,
            epoch_day: self.epoch_day,
        })
    }
}

#[cfg(test)]
mod tests {
    use inklings_domain::calendar::preset::gregorian;
    use serde_json::json;

    use super::*;

    #[test]
    fn a_calendar_is_read_as_it_was_written() {
        let mut definition = gregorian();
        definition.months[1].short = None;
        definition.months[2].in_week = false;
        let calendar = Calendar::new(definition).expect("valid");
        let value = calendar_value(&calendar);
        assert_eq!(calendar_of(&value).expect("reads"), calendar);
        let again: Value = serde_json::from_str(&value.to_string()).expect("JSON");
        assert_eq!(calendar_of(&again).expect("reads"), calendar);
    }

    #[test]
    fn a_short_definition_needs_only_months_and_the_length_of_a_day() {
        let least = json!({ "months": [{ "name": "Thaw", "days": 30 }], "hours_per_day": 24, "minutes_per_hour": 60 });
        let calendar = calendar_of(&least).expect("reads");
        assert_eq!(calendar.definition().months.len(), 1);
        assert!(calendar.definition().months[0].in_week);
    }

    #[test]
    fn a_wrong_definition_is_refused_with_its_field_and_without_its_text() {
        let of = |change: fn(&mut Value)| {
            let mut value = definition_value(&gregorian());
            change(&mut value);
            calendar_of(&value).expect_err("refused").to_string()
        };
        assert!(
            of(|it| it["months"][0]["days"] = 10_001.into())
                .starts_with("months[0].days: 10001 is out of range")
        );
        let unknown = of(|it| it["secret"] = "the text".into());
        assert!(unknown.starts_with("this defines no calendar") && !unknown.contains("the text"));
        assert!(of(|it| it["week"]["restart"] = "sometimes".into()).starts_with("this defines no calendar"));
    }
}
