//! Dates of a calendar, and their conversion from and to moments.

use super::{
    Calendar,
    cycle::Counts,
    definition::WeekRestart,
    moment::{Moment, PARTS_PER_DAY},
};

/// A date of one calendar. Positions count from 0 in the lists of its definition.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Date {
    /// Position of the era; `None` if the calendar has no eras.
    pub era: Option<usize>,
    /// Number of the year in the era.
    pub year: i64,
    /// Position of the month, or of the days between months.
    pub month: usize,
    /// Day of the month, from 1.
    pub day: u32,
    /// Position of the weekday. `None` if the day has none; to [`Calendar::moment_of`] `None` also means that it is not known.
    pub weekday: Option<usize>,
    /// The time of the day; `None` for a whole day.
    pub time: Option<TimeOfDay>,
}

/// A time in the hours and minutes of a calendar.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TimeOfDay {
    /// Hour, from 0.
    pub hour: u32,
    /// Minute of the hour, from 0.
    pub minute: u32,
    /// Parts of a day ([`PARTS_PER_DAY`]) since the start of the minute: 0 at a full minute. A calendar with long minutes loses
    /// nothing of a moment that another calendar set.
    pub rest: u32,
}

/// The reason a date is no moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum DateError {
    /// The calendar has no such era, or the date names none although the calendar has eras.
    #[error("the calendar has no such era")]
    NoSuchEra,
    /// The number is before the start or after the end of the era.
    #[error("the era has no such year")]
    NoSuchYear,
    /// The calendar has no such month, or only leap years have it.
    #[error("the year has no such month")]
    NoSuchMonth,
    /// The month has fewer days in this year, or the day is 0.
    #[error("the month has {days} days in this year")]
    NoSuchDay {
        /// Days of the month in this year.
        days: u32,
    },
    /// The hour, the minute or the rest is too high.
    #[error("the day has {hours} hours of {minutes} minutes")]
    NoSuchTime {
        /// Hours of a day.
        hours: u32,
        /// Minutes of an hour.
        minutes: u32,
    },
    /// The day is another day of the week.
    #[error("the day is another weekday")]
    WrongWeekday {
        /// Position of its weekday; `None` if it has none.
        weekday: Option<usize>,
    },
    /// The date is beyond [`super::moment::MAX_DAY`].
    #[error("the date is too far in the past or in the future")]
    OutOfRange,
}

/// A day by its year, counted from the epoch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct YearDay {
    pub(super) year: i64,
    pub(super) month: usize,
    pub(super) day: u32,
}

impl Calendar {
    /// The date of a moment. Each moment has one, and [`Self::moment_of`] returns the same moment for it.
    pub fn date_of(&self, moment: Moment) -> Date {
        let on = self.year_day(moment);
        let (era, year) = self.era_of(on.year);
        let time = moment.part().map(|part| self.time_of(part));
        Date { era, year, month: on.month, day: on.day, weekday: self.weekday_of(on), time }
    }

    /// The moment of a date.
    ///
    /// # Errors
    /// [`DateError`] for a date that the calendar does not have.
    pub fn moment_of(&self, date: &Date) -> Result<Moment, DateError> {
        let on = YearDay { year: self.year_in_era(date.era, date.year)?, month: date.month, day: date.day };
        let days = self.days_in_month(on.year, on.month);
        if days == 0 {
            return Err(DateError::NoSuchMonth);
        }
        if on.day == 0 || on.day > days {
            return Err(DateError::NoSuchDay { days });
        }
        let day = self.day_of(on)?;
        if date.weekday.is_some() {
            let weekday = self.weekday_of(on);
            if weekday != date.weekday {
                return Err(DateError::WrongWeekday { weekday });
            }
        }
        match date.time {
            None => Moment::on_day(day),
            Some(time) => Moment::at_part(day, self.part_of(time)?),
        }
        .map_err(|_| DateError::OutOfRange)
    }

    /// The year of a moment, counted from the epoch.
    pub fn year_of(&self, moment: Moment) -> i64 {
        self.year_day(moment).year
    }

    pub(super) fn year_day(&self, moment: Moment) -> YearDay {
        let since_epoch = moment.day().saturating_sub(self.definition.epoch_day);
        let (year, mut rest) = self.cycle.year_of(since_epoch, |counts| counts.days);
        let last = self.definition.months.len().saturating_sub(1);
        for month in 0..last {
            let days = i64::from(self.days_in_month(year, month));
            if rest < days {
                return YearDay { year, month, day: rest as u32 + 1 };
            }
            rest -= days;
        }
        YearDay { year, month: last, day: rest as u32 + 1 }
    }

    /// The day of story time. The month and day must exist in the year.
    pub(super) fn day_of(&self, on: YearDay) -> Result<i64, DateError> {
        let first = self.first_day(on.year)?;
        let earlier: i64 = (0..on.month).map(|month| i64::from(self.days_in_month(on.year, month))).sum();
        first.checked_add(earlier + i64::from(on.day) - 1).ok_or(DateError::OutOfRange)
    }

    /// Position of the weekday; `None` without a week, and for days that the week skips.
    fn weekday_of(&self, on: YearDay) -> Option<usize> {
        let week = self.definition.week.as_ref()?;
        if !self.definition.months.get(on.month)?.in_week {
            return None;
        }
        let earlier_months = || -> i64 {
            let months = self.definition.months.iter().enumerate().take(on.month);
            months
                .filter(|(_, month)| month.in_week)
                .map(|(at, _)| self.days_in_month(on.year, at))
                .map(i64::from)
                .sum()
        };
        let before = match week.restart {
            WeekRestart::Never => {
                let Counts { week_days, .. } = self.cycle.before(on.year)?;
                week_days.checked_add(earlier_months())?
            }
            WeekRestart::Year => earlier_months(),
            WeekRestart::Month => 0,
        };
        let count = before.checked_add(i64::from(on.day) - 1)?.checked_add(week.first as i64)?;
        Some(count.rem_euclid((week.days.len() as i64).max(1)) as usize)
    }

    fn minutes_per_day(&self) -> u64 {
        (u64::from(self.definition.hours_per_day) * u64::from(self.definition.minutes_per_hour)).max(1)
    }

    /// The first part of a minute of the day. A day has at least as many parts as minutes, so [`Self::time_of`] is its inverse.
    fn first_part_of(&self, minute: u64) -> u64 {
        (minute * u64::from(PARTS_PER_DAY)).div_ceil(self.minutes_per_day())
    }

    fn time_of(&self, part: u32) -> TimeOfDay {
        let minute = u64::from(part) * self.minutes_per_day() / u64::from(PARTS_PER_DAY);
        let per_hour = u64::from(self.definition.minutes_per_hour).max(1);
        let rest = u64::from(part).saturating_sub(self.first_part_of(minute));
        TimeOfDay { hour: (minute / per_hour) as u32, minute: (minute % per_hour) as u32, rest: rest as u32 }
    }

    fn part_of(&self, time: TimeOfDay) -> Result<u32, DateError> {
        let (hours, minutes) = (self.definition.hours_per_day, self.definition.minutes_per_hour);
        let refused = DateError::NoSuchTime { hours, minutes };
        if time.hour >= hours || time.minute >= minutes {
            return Err(refused);
        }
        let minute = u64::from(time.hour) * u64::from(minutes) + u64::from(time.minute);
        let part = self.first_part_of(minute) + u64::from(time.rest);
        if part < self.first_part_of(minute + 1) { Ok(part as u32) } else { Err(refused) }
    }
}

#[cfg(test)]
mod tests {
    use chrono::{Datelike as _, NaiveDate};
    use proptest::prelude::*;

    use super::*;
    use crate::calendar::{
        moment::MAX_DAY,
        testing::{calendars, dry, dry_with_leap_festival, gregorian, moments, valid},
    };

    fn on(day: i64) -> Moment {
        Moment::on_day(day).expect("in range")
    }

    #[test]
    fn the_day_before_the_epoch_is_the_last_of_the_era_before() {
        let calendar = valid(dry());
        let epoch = calendar.date_of(on(0));
        assert_eq!((epoch.era, epoch.year, epoch.month, epoch.day), (Some(1), 1, 0, 1));
        assert_eq!(epoch.weekday, Some(0));
        let before = calendar.date_of(on(-1));
        assert_eq!((before.era, before.year, before.month, before.day), (Some(0), 1, 13, 28));
        // 364 days with weekdays are 60 weeks and 4 days.
        assert_eq!(before.weekday, Some(5));
        assert_eq!(calendar.date_of(on(365)).weekday, Some(4));
    }

    #[test]
    fn the_week_skips_a_day_between_months() {
        let calendar = valid(dry());
        let weekday = |day| calendar.date_of(on(day)).weekday;
        assert_eq!([weekday(167), weekday(168), weekday(169)], [Some(5), None, Some(0)]);
    }

    #[test]
    fn a_festival_of_leap_years_exists_in_leap_years_alone() {
        let calendar = valid(dry_with_leap_festival());
        let date = |year| Date { era: Some(1), year, month: 7, day: 1, weekday: None, time: None };
        assert!(calendar.moment_of(&date(4)).is_ok());
        assert_eq!(calendar.moment_of(&date(5)), Err(DateError::NoSuchMonth));
        assert_eq!(calendar.moment_of(&Date { day: 2, ..date(4) }), Err(DateError::NoSuchDay { days: 1 }));
        assert_eq!(calendar.moment_of(&Date { year: 0, ..date(4) }), Err(DateError::NoSuchYear));
        assert_eq!(calendar.moment_of(&Date { era: None, ..date(4) }), Err(DateError::NoSuchEra));
        assert_eq!(
            calendar.moment_of(&Date { year: i64::MAX, month: 0, ..date(4) }),
            Err(DateError::OutOfRange)
        );
    }

    #[test]
    fn each_calendar_names_the_same_part_of_the_day() {
        let noon = Moment::at_part(0, PARTS_PER_DAY / 2).expect("in range");
        assert_eq!(valid(dry()).date_of(noon).time, Some(TimeOfDay { hour: 10, minute: 0, rest: 0 }));
        assert_eq!(gregorian().date_of(noon).time, Some(TimeOfDay { hour: 12, minute: 0, rest: 0 }));
        let late =
            Date { time: Some(TimeOfDay { hour: 20, minute: 0, rest: 0 }), ..valid(dry()).date_of(noon) };
        assert_eq!(valid(dry()).moment_of(&late), Err(DateError::NoSuchTime { hours: 20, minutes: 50 }));
    }

    #[test]
    fn the_first_and_the_last_day_have_dates() {
        for calendar in [gregorian(), valid(dry())] {
            for moment in [Moment::MIN, Moment::MAX, on(MAX_DAY)] {
                assert_eq!(calendar.moment_of(&calendar.date_of(moment)), Ok(moment));
            }
        }
    }

    proptest! {
        #[test]
        fn a_date_of_any_calendar_is_the_moment_again(calendar in calendars(), moment in moments()) {
            let date = calendar.date_of(moment);
            prop_assert_eq!(calendar.moment_of(&date), Ok(moment));
            let year = calendar.year_of(moment);
            prop_assert!(date.day >= 1 && date.day <= calendar.days_in_month(year, date.month));
            if let Ok(month) = calendar.month_span(year, date.month) {
                prop_assert!(month.contains(moment));
            }
            if let Ok(span) = calendar.year_span(year) {
                prop_assert!(span.contains(moment));
            }
        }

        #[test]
        fn days_that_follow_each_other_have_dates_that_do(calendar in calendars(), moment in moments()) {
            let Some(next) = moment.whole_day().checked_add_days(1) else { return Ok(()) };
            let (one, two) = (calendar.year_day(moment), calendar.year_day(next));
            let starts_month = two.day == 1 && one.day == calendar.days_in_month(one.year, one.month);
            let within = (one.year, one.month, one.day + 1) == (two.year, two.month, two.day);
            prop_assert!(within || (starts_month && (one.year, one.month) < (two.year, two.month)));
            let (Some(week), Some(weekday)) = (&calendar.definition.week, calendar.weekday_of(two)) else {
                return Ok(());
            };
            let restarts = match week.restart {
                WeekRestart::Never => false,
                WeekRestart::Month => two.day == 1,
                WeekRestart::Year => two.day == 1 && one.year != two.year,
            };
            match calendar.weekday_of(one) {
                _ if restarts => prop_assert_eq!(weekday, week.first),
                Some(before) => prop_assert_eq!(weekday, (before + 1) % week.days.len()),
                None => {}
            }
        }

        #[test]
        fn any_date_is_a_moment_or_refused(
            calendar in calendars(),
            era in prop::option::of(0_usize..7),
            year in prop_oneof![-20_i64..20, any::<i64>()],
            month in 0_usize..14,
            day in prop_oneof![0_u32..45, any::<u32>()],
            time in prop::option::of((0_u32..60, 0_u32..120, prop_oneof![0_u32..9_000, any::<u32>()])),
        ) {
            let time = time.map(|(hour, minute, rest)| TimeOfDay { hour, minute, rest });
            let date = Date { era, year, month, day, weekday: None, time };
            if let Ok(moment) = calendar.moment_of(&date) {
                prop_assert_eq!(Date { weekday: None, ..calendar.date_of(moment) }, date);
            }
        }

        #[test]
        fn gregorian_dates_are_those_of_chrono(day in -90_000_000_i32..90_000_000) {
            let Some(expected) = NaiveDate::from_num_days_from_ce_opt(day) else { return Ok(()) };
            let calendar = gregorian();
            let moment = on(i64::from(day));
            let date = calendar.date_of(moment);
            prop_assert_eq!(calendar.year_of(moment), i64::from(expected.year()));
            prop_assert_eq!((date.month as u32, date.day), (expected.month0(), expected.day()));
            prop_assert_eq!(date.weekday, Some(expected.weekday().num_days_from_monday() as usize));
            let (common, year) = expected.year_ce();
            prop_assert_eq!((date.era, date.year), (Some(usize::from(common)), i64::from(year)));
        }
    }
}
