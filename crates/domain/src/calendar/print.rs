//! Dates as text. [`super::parse`] reads all of them back.

use std::fmt::Write as _;

use super::{Calendar, date::Date, moment::Moment};

/// How much of a date is printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum DateStyle {
    /// With the weekday: "Fourthday, 14 Thaw, 312 after the Dry, 06:30".
    Full,
    /// "14 Thaw, 312 after the Dry, 06:30".
    Long,
    /// With abbreviations, where there are any: "14 Th, 312 AD, 06:30".
    Short,
}

impl Calendar {
    /// The text of a moment: day, month, year and era, then hours and minutes unless it is a whole day. What is smaller than a
    /// minute of the calendar is left out. The only day of an intercalary "month" has no number: "Midsummer, 312 AD".
    pub fn print(&self, moment: Moment, style: DateStyle) -> String {
        let date = self.date_of(moment);
        let mut text = String::new();
        if style == DateStyle::Full
            && let Some(weekday) = self.weekday_name(&date)
        {
            text.push_str(weekday);
            text.push_str(", ");
        }
        let year = self.year_of(moment);
        text.push_str(&self.print_day(&date, year, style));
        text.push_str(", ");
        text.push_str(&self.print_year(year, style));
        if let Some(time) = date.time {
            let _ = write!(text, ", {:02}:{:02}", time.hour, time.minute);
        }
        text
    }

    /// The text of a day within its year: "14 Thaw".
    pub(super) fn print_day(&self, date: &Date, year: i64, style: DateStyle) -> String {
        let month = self.month_name(date.month, style);
        let is_intercalary = self.definition.months.get(date.month).is_some_and(|month| month.intercalary);
        if is_intercalary && self.days_in_month(year, date.month) == 1 {
            month.to_owned()
        } else {
            format!("{} {month}", date.day)
        }
    }

    /// The text of a year with its era: "312 AD". The year is counted from the epoch.
    pub fn print_year(&self, year: i64, style: DateStyle) -> String {
        let (era, number) = self.era_of(year);
        era.map_or_else(|| number.to_string(), |era| format!("{number} {}", self.era_name(era, style)))
    }

    /// The text of a month and its year: "Thaw, 312 AD". The year is counted from the epoch.
    pub fn print_month(&self, year: i64, month: usize, style: DateStyle) -> String {
        format!("{}, {}", self.month_name(month, style), self.print_year(year, style))
    }

    /// The name of the weekday of a date of this calendar, if it has one.
    pub fn weekday_name(&self, date: &Date) -> Option<&str> {
        let day = self.definition.week.as_ref()?.days.get(date.weekday?)?;
        Some(&day.name)
    }

    pub(super) fn month_name(&self, month: usize, style: DateStyle) -> &str {
        self.definition
            .months
            .get(month)
            .map_or("", |month| chosen(&month.name, month.short.as_deref(), style))
    }

    pub(super) fn era_name(&self, era: usize, style: DateStyle) -> &str {
        self.definition.eras.get(era).map_or("", |era| chosen(&era.name, era.short.as_deref(), style))
    }
}

fn chosen<'n>(name: &'n str, short: Option<&'n str>, style: DateStyle) -> &'n str {
    if style == DateStyle::Short { short.unwrap_or(name) } else { name }
}
