//! Differences between moments in years, months and days, ages, and their addition.
//!
//! Only dates count; the time of the day does not. A year is complete when its month and day are reached again, as in
//! `java.time.Period`: someone born on a leap day is a year older on the day after the last day of the month. Months are those of
//! the calendar that are not intercalary. An intercalary day counts as the end of the month before it.

use super::{
    Calendar,
    date::{DateError, YearDay},
    moment::Moment,
};

/// A length of time in the units of a calendar. All fields are added, so they may have different signs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Period {
    pub years: i64,
    /// Months that are not intercalary.
    pub months: i64,
    pub days: i64,
}

impl Calendar {
    /// The moment a period later, at the same time of the day. Years and months are added first. If the month is shorter, or the
    /// year does not have it, the result before the days is the last day before the missing one. Without months, an intercalary
    /// day stays in its place.
    ///
    /// # Errors
    /// [`DateError::OutOfRange`] if that is no moment.
    pub fn add(&self, moment: Moment, period: Period) -> Result<Moment, DateError> {
        let on = self.shifted(self.year_day(moment), period.years, period.months)?;
        let days = self.day_of(on)?.checked_sub(moment.day()).and_then(|days| days.checked_add(period.days));
        days.and_then(|days| moment.checked_add_days(days)).ok_or(DateError::OutOfRange)
    }

    /// The period from the earlier to the later of two moments, whichever comes first. No field is negative. Added to the earlier
    /// one it gives the date of the later one.
    pub fn difference(&self, one: Moment, other: Moment) -> Period {
        let (earlier, later) = (one.min(other), one.max(other));
        let (from, to) = (self.year_day(earlier), self.year_day(later));
        let years = whole_years(from, to);
        let days_after = |months: i64| {
            let on = self.shifted(from, years, months).and_then(|on| self.day_of(on));
            on.map_or(-1, |day| later.day().saturating_sub(day))
        };
        let passed = self
            .month_number(to)
            .zip(self.month_number(YearDay { year: from.year.saturating_add(years), ..from }));
        let mut months = passed.map_or(0, |(to, from)| to.saturating_sub(from)).max(0);
        // A month is complete when its day is reached. At most the last month is not, and one that ends before an intercalary day.
        while months > 0 && (days_after(months) < 0 || self.is_incomplete(from, to, years, months)) {
            months -= 1;
        }
        Period { years, months, days: days_after(months).max(0) }
    }

    /// Age in whole years at a moment; `None` before the day of birth.
    pub fn age(&self, born: Moment, at: Moment) -> Option<i64> {
        (at.day() >= born.day()).then(|| whole_years(self.year_day(born), self.year_day(at)))
    }

    /// True if the last of these months ends in the month of `to` at a day that was only reached because that month is shorter.
    fn is_incomplete(&self, from: YearDay, to: YearDay, years: i64, months: i64) -> bool {
        let reached = self.shifted(from, years, months);
        reached.is_ok_and(|on| (on.year, on.month) == (to.year, to.month)) && self.month_day(from) > to.day
    }

    /// The day of the month to look for in other months; that of an intercalary day comes after all of them.
    fn month_day(&self, on: YearDay) -> u32 {
        let intercalary = self.definition.months.get(on.month).is_some_and(|month| month.intercalary);
        if intercalary { u32::MAX } else { on.day }
    }

    /// Adds years, then months. The day is limited to the length of the month once, at the end.
    fn shifted(&self, on: YearDay, years: i64, months: i64) -> Result<YearDay, DateError> {
        let year = on.year.checked_add(years).ok_or(DateError::OutOfRange)?;
        let moved = YearDay { year, ..on };
        if months == 0 {
            return Ok(self.limited(moved));
        }
        let number = self.month_number(moved).and_then(|number| number.checked_add(months));
        let (year, nth) = self.cycle.year_of(number.ok_or(DateError::OutOfRange)?, |counts| counts.months);
        let counted = |month: &usize| self.is_counted(year, *month);
        let month = (0..self.definition.months.len()).filter(counted).nth(nth as usize);
        let month = month.ok_or(DateError::OutOfRange)?;
        Ok(self.limited(YearDay { year, month, day: self.month_day(on) }))
    }

    /// The day itself, or the last day before it that the year has; the first day of the year if there is none.
    fn limited(&self, on: YearDay) -> YearDay {
        let days = self.days_in_month(on.year, on.month);
        if days > 0 {
            return YearDay { day: on.day.min(days), ..on };
        }
        let exists = |month: &usize| self.days_in_month(on.year, *month) > 0;
        let before = (0..on.month).rev().find(exists);
        let last = before.map(|month| YearDay { month, day: self.days_in_month(on.year, month), ..on });
        let first = (on.month..self.definition.months.len()).find(exists).unwrap_or(0);
        last.unwrap_or(YearDay { month: first, day: 1, ..on })
    }

    /// Number of the month since the epoch, from 0. Intercalary days, and a month that the year does not have, count to the one
    /// before them.
    fn month_number(&self, on: YearDay) -> Option<i64> {
        let before = self.cycle.before(on.year)?.months;
        let within = (0..=on.month).filter(|month| self.is_counted(on.year, *month)).count();
        before.checked_add(within as i64 - 1)
    }

    /// True if the year has the month, and it is not intercalary.
    fn is_counted(&self, year: i64, month: usize) -> bool {
        let intercalary = self.definition.months.get(month).is_none_or(|month| month.intercalary);
        !intercalary && self.days_in_month(year, month) > 0
    }
}

/// Years until the month and day are reached for the last time.
fn whole_years(from: YearDay, to: YearDay) -> i64 {
    let years = to.year.saturating_sub(from.year);
    if (to.month, to.day) < (from.month, from.day) { (years - 1).max(0) } else { years }
}

#[cfg(test)]
mod tests {
    use chrono::{Datelike as _, Months, NaiveDate};
    use proptest::prelude::*;

    use super::*;
    use crate::calendar::{
        date::Date,
        testing::{calendars, dry, dry_with_leap_festival, gregorian, moments, valid},
    };

    fn period(years: i64, months: i64, days: i64) -> Period {
        Period { years, months, days }
    }

    fn gregorian_day(year: i32, month: u32, day: u32) -> Moment {
        let date = NaiveDate::from_ymd_opt(year, month, day).expect("a date");
        Moment::on_day(i64::from(date.num_days_from_ce())).expect("in range")
    }

    #[test]
    fn someone_born_on_a_leap_day_is_older_on_the_first_of_march() {
        let (calendar, born) = (gregorian(), gregorian_day(2000, 2, 29));
        let age = |year, month, day| calendar.age(born, gregorian_day(year, month, day));
        assert_eq!(
            [age(2001, 2, 28), age(2001, 3, 1), age(2004, 2, 28), age(2004, 2, 29)],
            [Some(0), Some(1), Some(3), Some(4),]
        );
        assert_eq!([age(2000, 2, 29), age(2000, 2, 28)], [Some(0), None]);
    }

    #[test]
    fn differences_are_those_that_people_count() {
        let calendar = gregorian();
        let difference = |one: (i32, u32, u32), other: (i32, u32, u32)| {
            calendar.difference(gregorian_day(one.0, one.1, one.2), gregorian_day(other.0, other.1, other.2))
        };
        assert_eq!(difference((2020, 1, 31), (2021, 2, 28)), period(1, 0, 28));
        assert_eq!(difference((2021, 3, 1), (2020, 1, 31)), period(1, 1, 1));
        assert_eq!(difference((2000, 2, 29), (2001, 2, 28)), period(0, 11, 30));
        assert_eq!(difference((2000, 2, 29), (2001, 3, 29)), period(1, 1, 0));
        assert_eq!(difference((2020, 5, 5), (2020, 5, 5)), period(0, 0, 0));
    }

    #[test]
    fn months_skip_festivals_and_years_keep_them() {
        let calendar = valid(dry());
        let date = |year, month, day| {
            let date = Date { era: Some(1), year, month, day, weekday: None, time: None };
            calendar.moment_of(&date).expect("a date")
        };
        // Position 6 is the festival between the sixth month (5) and the seventh (7).
        assert_eq!(calendar.add(date(3, 5, 14), period(0, 1, 0)), Ok(date(3, 7, 14)));
        assert_eq!(calendar.add(date(3, 6, 1), period(0, 1, 0)), Ok(date(3, 7, 28)));
        assert_eq!(calendar.add(date(3, 6, 1), period(2, 0, 0)), Ok(date(5, 6, 1)));
        assert_eq!(calendar.add(date(3, 13, 28), period(0, -13, 1)), Ok(date(3, 0, 1)));
        assert_eq!(calendar.difference(date(3, 5, 14), date(4, 7, 14)), period(1, 1, 0));
        let far = period(i64::MAX, 0, 0);
        assert_eq!(calendar.add(date(3, 6, 1), far), Err(DateError::OutOfRange));
    }

    #[test]
    fn a_festival_of_leap_years_moves_to_the_day_before_it_in_common_years() {
        let calendar = valid(dry_with_leap_festival());
        let date = |year, month| Date { era: Some(1), year, month, day: 1, weekday: None, time: None };
        let festival = calendar.moment_of(&date(4, 7)).expect("a leap year");
        let before = calendar.moment_of(&date(5, 6)).expect("Midsummer");
        assert_eq!(calendar.add(festival, period(1, 0, 0)), Ok(before));
        assert_eq!(calendar.age(festival, before), Some(0));
        assert_eq!(calendar.age(festival, before.checked_add_days(1).expect("in range")), Some(1));
    }

    proptest! {
        #[test]
        fn a_difference_added_to_the_earlier_day_is_the_later(
            calendar in calendars(), one in moments(), distance in prop_oneof![0_i64..2_000, 0_i64..1_000_000_000]
        ) {
            let Some(other) = one.checked_add_days(distance) else { return Ok(()) };
            let difference = calendar.difference(one, other);
            prop_assert_eq!(difference, calendar.difference(other, one));
            prop_assert!(difference.years >= 0 && difference.months >= 0 && difference.days >= 0);
            prop_assert_eq!(calendar.age(one, other), Some(difference.years));
            prop_assert_eq!(calendar.add(one, difference), Ok(other));
        }

        #[test]
        fn later_is_never_younger(calendar in calendars(), born in moments(), days in 0_i64..5_000, more in 0_i64..500) {
            let Some(at) = born.checked_add_days(days) else { return Ok(()) };
            let Some(later) = at.checked_add_days(more) else { return Ok(()) };
            prop_assert!(calendar.age(born, at) <= calendar.age(born, later));
        }

        #[test]
        fn any_period_is_added_or_refused(
            calendar in calendars(), moment in moments(),
            years in prop_oneof![-100_i64..100, any::<i64>()], months in prop_oneof![-100_i64..100, any::<i64>()],
            days in prop_oneof![-100_i64..100, any::<i64>()],
        ) {
            if let Ok(sum) = calendar.add(moment, period(years, months, days)) {
                prop_assert_eq!(sum.part(), moment.part());
            }
            prop_assert_eq!(calendar.add(moment, Period::default()), Ok(moment));
        }

        #[test]
        fn gregorian_months_are_added_as_chrono_does(day in 1_i64..3_000_000, months in 0_u32..20_000) {
            let date = NaiveDate::from_num_days_from_ce_opt(day as i32).expect("in range");
            let Some(expected) = date.checked_add_months(Months::new(months)) else { return Ok(()) };
            let moment = Moment::on_day(day).expect("in range");
            let calendar = gregorian();
            let years = period(i64::from(months / 12), i64::from(months % 12), 0);
            for period in [period(0, i64::from(months), 0), years] {
                let sum = calendar.add(moment, period).expect("in range");
                prop_assert_eq!(sum.day(), i64::from(expected.num_days_from_ce()));
            }
        }

        #[test]
        fn gregorian_ages_are_those_of_chrono(born in 1_i64..1_000_000, days in 0_i64..200_000) {
            let date = |day: i64| NaiveDate::from_num_days_from_ce_opt(day as i32).expect("in range");
            let moment = |day| Moment::on_day(day).expect("in range");
            let age = gregorian().age(moment(born), moment(born + days));
            let expected = date(born + days).years_since(date(born));
            prop_assert_eq!(age, expected.map(i64::from));
        }
    }
}
