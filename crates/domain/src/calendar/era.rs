//! Years of eras, and years counted from the epoch.

use super::{
    Calendar,
    date::DateError,
    definition::{Era, EraCounting},
    span::Span,
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

    /// All years of an era. The first era has no start and the last one no end.
    ///
    /// # Errors
    /// [`DateError::NoSuchEra`] for a position without an era; [`DateError::OutOfRange`] if its start or end is no moment.
    pub fn era_span(&self, era: usize) -> Result<Span, DateError> {
        let eras = &self.definition.eras;
        let found = eras.get(era).ok_or(DateError::NoSuchEra)?;
        let from = if era == 0 { None } else { self.year_span(found.anchor)?.from() };
        let until =
            eras.get(era + 1).map(|next| self.year_span(next.anchor.saturating_sub(1))).transpose()?;
        Span::new(from, until.and_then(Span::until)).map_err(|_| DateError::OutOfRange)
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

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use crate::calendar::{print::DateStyle, testing::calendars};

    proptest! {
        #[test]
        fn each_year_is_in_one_era(calendar in calendars(), year in -10_000_i64..10_000) {
            let (era, number) = calendar.era_of(year);
            prop_assert_eq!(calendar.year_in_era(era, number), Ok(year));
            let year = calendar.year_span(year).expect("in range");
            for other in 0..calendar.definition.eras.len() {
                let span = calendar.era_span(other).expect("in range");
                let both = span.intersect(year);
                prop_assert_eq!(both, (era == Some(other)).then_some(year));
            }
        }

        #[test]
        fn any_year_is_accepted_or_refused(calendar in calendars(), year: i64, month in 0_usize..15) {
            for year in [year, i64::MIN, i64::MAX] {
                let (era, number) = calendar.era_of(year);
                if calendar.year_span(year).is_ok() {
                    prop_assert_eq!(calendar.year_in_era(era, number), Ok(year));
                }
                let _ = calendar.year_in_era(era, year);
                let _ = calendar.month_span(year, month);
                prop_assert!(!calendar.print_month(year, month, DateStyle::Short).is_empty());
            }
        }
    }
}
