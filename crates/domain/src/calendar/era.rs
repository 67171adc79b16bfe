//! Years of eras, and years counted from the epoch.

use super::{
    Calendar,
    date::DateError,
    definition::{Era, EraCounting},
};

impl Calendar {
    /// The era of a year, by its position, and the year's number in it. Without eras it is the year itself.
    pub fn era_of(&self, year: i64) -> (Option<usize>, i64) {
        let eras = &self.definition.eras;
        let Some(at) = eras.len().checked_sub(1) else { return (None, year) };
        let at = (1..=at).rev().find(|at| begins_by(&eras[*at], year)).unwrap_or(0);
        // The validated anchors and numbers are far from the limits of i64, and so is any year with moments.
        let era = &eras[at];
        let distance = match era.counting {
            EraCounting::Forward => year.saturating_sub(era.anchor),
            EraCounting::Backward => era.anchor.saturating_sub(year),
        };
        (Some(at), distance.saturating_add(era.first_number))
    }

    /// The year, counted from the epoch, that has a number in an era.
    ///
    /// # Errors
    /// [`DateError::NoSuchEra`] for a position without an era, and for `None` if the calendar has eras;
    /// [`DateError::NoSuchYear`] if the era has no such year; [`DateError::OutOfRange`] for a number that is too large.
    pub fn year_in_era(&self, era: Option<usize>, number: i64) -> Result<i64, DateError> {
        let eras = &self.definition.eras;
        let Some(at) = era else {
            return if eras.is_empty() { Ok(number) } else { Err(DateError::NoSuchEra) };
        };
        let found = eras.get(at).ok_or(DateError::NoSuchEra)?;
        let distance = number.checked_sub(found.first_number).ok_or(DateError::OutOfRange)?;
        let year = match found.counting {
            EraCounting::Forward => found.anchor.checked_add(distance),
            EraCounting::Backward => found.anchor.checked_sub(distance),
        };
        let year = year.ok_or(DateError::OutOfRange)?;
        if self.era_of(year) == (era, number) { Ok(year) } else { Err(DateError::NoSuchYear) }
    }
}

const fn begins_by(era: &Era, year: i64) -> bool {
    era.anchor <= year
}
