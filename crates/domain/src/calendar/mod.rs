//! Invented calendars, story moments, spans and chapters.
//!
//! A [`Moment`] is one integer without a calendar. A [`Calendar`] names moments: it converts them to dates and back, prints and
//! parses them, and calculates with months and years. Conversions take the same time for any year: the leap rules repeat, and a
//! table holds one repetition, in which a binary search finds the year.
//!
//! Years are counted in two ways. The year of an era is what people read. The year counted from the epoch is one number for all
//! eras: 1 is the year of the epoch, 0 and -1 are before it. Leap rules and functions without an era take the second.

pub mod chapter;
mod cycle;
pub mod date;
pub mod definition;
mod era;
pub mod invalid;
pub mod moment;
pub mod moon;
mod name;
pub mod parse;
mod parse_span;
mod parts;
pub mod period;
pub mod preset;
pub mod print;
mod print_span;
pub mod span;
pub mod story_point;
#[cfg(test)]
mod testing;
pub mod tick;
mod validate;

use cycle::YearCycle;
use date::DateError;
pub use definition::CalendarDefinition;
use invalid::InvalidCalendar;
use moment::Moment;
use name::Names;
use span::Span;

/// A calendar whose definition was checked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Calendar {
    definition: CalendarDefinition,
    cycle: YearCycle,
    names: Names,
}

impl Calendar {
    /// Checks a definition and normalises its texts.
    ///
    /// # Errors
    /// [`InvalidCalendar`] with the first field that is wrong.
    pub fn new(definition: CalendarDefinition) -> Result<Self, InvalidCalendar> {
        let definition = validate::checked(definition)?;
        let names = Names::of(&definition)?;
        let cycle = YearCycle::of(&definition)?;
        Ok(Self { definition, cycle, names })
    }

    /// The checked definition, to store or to edit.
    pub const fn definition(&self) -> &CalendarDefinition {
        &self.definition
    }

    /// Days of a month in a year; 0 if the calendar has no such month, or the year does not have it. Years are counted from the
    /// epoch, months from 0.
    pub fn days_in_month(&self, year: i64, month: usize) -> u32 {
        self.cycle.days_in_month(&self.definition, year, month)
    }

    /// The whole of a year. Years are counted from the epoch.
    ///
    /// # Errors
    /// [`DateError::OutOfRange`] if a day of it is no moment.
    pub fn year_span(&self, year: i64) -> Result<Span, DateError> {
        let next = year.checked_add(1).ok_or(DateError::OutOfRange)?;
        days_span(self.first_day(year)?, self.first_day(next)?)
    }

    /// The whole of a month. Years are counted from the epoch, months from 0.
    ///
    /// # Errors
    /// [`DateError::NoSuchMonth`] if the year does not have it; [`DateError::OutOfRange`] if a day of it is no moment.
    pub fn month_span(&self, year: i64, month: usize) -> Result<Span, DateError> {
        let days = self.days_in_month(year, month);
        if days == 0 {
            return Err(DateError::NoSuchMonth);
        }
        let earlier: i64 = (0..month).map(|month| i64::from(self.days_in_month(year, month))).sum();
        let first = self.first_day(year)?.checked_add(earlier).ok_or(DateError::OutOfRange)?;
        days_span(first, first.checked_add(i64::from(days)).ok_or(DateError::OutOfRange)?)
    }

    /// The day of story time on which a year starts. It may be no moment.
    fn first_day(&self, year: i64) -> Result<i64, DateError> {
        let before = self.cycle.before(year).ok_or(DateError::OutOfRange)?;
        before.days.checked_add(self.definition.epoch_day).ok_or(DateError::OutOfRange)
    }
}

/// The span from one day to the day before another.
fn days_span(first: i64, next: i64) -> Result<Span, DateError> {
    let day = |day| Moment::on_day(day).map_err(|_| DateError::OutOfRange);
    Span::new(Some(day(first)?), Some(day(next.saturating_sub(1))?)).map_err(|_| DateError::OutOfRange)
}
