//! Why a definition of a calendar is refused.

use std::fmt;

use super::definition::{MAX_CYCLE_YEARS, MAX_MOON_CYCLE};
use crate::text::TextError;

/// A field of a definition: `leap_rules[1].intervals[0].every`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Field {
    /// The list or field of the definition.
    pub list: &'static str,
    /// Position in the list, from 0; `None` for the list as a whole and for a field that is no list.
    pub at: Option<u8>,
    /// The field of the item; `None` for the item as a whole.
    pub part: Option<&'static str>,
    /// Position in a list of the item.
    pub inner: Option<u8>,
    /// The field there.
    pub inner_part: Option<&'static str>,
}

impl Field {
    pub(super) const fn whole(list: &'static str) -> Self {
        Self { list, at: None, part: None, inner: None, inner_part: None }
    }

    /// Positions fit, because the limits of the lists are lower and checked first.
    pub(super) const fn item(list: &'static str, at: usize) -> Self {
        Self { list, at: Some(at as u8), part: None, inner: None, inner_part: None }
    }

    pub(super) const fn part(self, part: &'static str) -> Self {
        Self { part: Some(part), ..self }
    }

    pub(super) const fn inner(self, at: usize, part: &'static str) -> Self {
        Self { inner: Some(at as u8), inner_part: Some(part), ..self }
    }

    pub(super) const fn refused(self, problem: CalendarProblem) -> InvalidCalendar {
        InvalidCalendar { field: self, problem }
    }
}

impl fmt::Display for Field {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.list)?;
        if let Some(at) = self.at {
            write!(f, "[{at}]")?;
        }
        if let Some(part) = self.part {
            write!(f, ".{part}")?;
        }
        if let Some(inner) = self.inner {
            write!(f, "[{inner}]")?;
        }
        if let Some(part) = self.inner_part {
            write!(f, ".{part}")?;
        }
        Ok(())
    }
}

/// A definition was refused: the field, and what is wrong with it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{field}: {problem}")]
pub struct InvalidCalendar {
    /// The first field that is wrong.
    pub field: Field,
    /// What is wrong.
    pub problem: CalendarProblem,
}

/// What is wrong with a field of a definition. Messages never contain the text of the field.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CalendarProblem {
    /// The text breaks a rule of all short texts.
    #[error(transparent)]
    Text(#[from] TextError),
    /// The name could not be read back from a date: it starts with a digit or a sign.
    #[error("a name in a date starts with a letter, so that it can be read back")]
    NotALetter,
    /// The name could not be read back from a date, in which a comma separates the parts.
    #[error("a name in a date has no comma, so that it can be read back")]
    Comma,
    /// Another month, weekday or era has this name or abbreviation, regardless of case, accents and full stops.
    #[error("the name is already used in this calendar")]
    Duplicate,
    /// The list has too many items.
    #[error("{actual} are too many: at most {limit}")]
    TooMany {
        /// Actual number.
        actual: usize,
        /// Maximum number.
        limit: usize,
    },
    /// The list is empty.
    #[error("at least one is needed")]
    Missing,
    /// The number is too low or too high.
    #[error("{actual} is out of range: {min} to {max}")]
    OutOfRange {
        /// Actual number.
        actual: i64,
        /// Minimum.
        min: i64,
        /// Maximum.
        max: i64,
    },
    /// No leap rule gives days to a month of 0 days.
    #[error("the month has no days, and no leap rule adds any")]
    NeverHasDays,
    /// All months are intercalary or have days in leap years only.
    #[error("a year needs a month that is not intercalary and has days in every year")]
    NoMonth,
    /// The leap rules repeat after too many years.
    #[error(
        "the leap rules repeat after more than {MAX_CYCLE_YEARS} years; choose intervals with common factors"
    )]
    CycleTooLong,
    /// The era does not start after the one before it.
    #[error("eras are in the order of time, each with a later year than the one before it")]
    EraOrder,
    /// An era that counts backward is not the first of several.
    #[error("an era that counts backward is the first, and another one follows it")]
    BackwardEra,
    /// The anchor of an era that counts backward is not the year before the next era.
    #[error("an era that counts backward is anchored at the year before the next era")]
    BackwardAnchor,
    /// The shift of a moon is not less than its cycle.
    #[error("the shift is less than a cycle, and a cycle is at most {MAX_MOON_CYCLE} millionths of a day")]
    Shift,
}
