//! Where a scale of story time has its marks: years, months or days, so that at most a given number of them fit.

use super::{Calendar, date::DateError, definition::EraCounting, moment::Moment, print::DateStyle};

/// The most marks that are made.
pub const MAX_TICKS: usize = 200;

/// A mark of a scale.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tick {
    /// The day that starts there.
    pub at: Moment,
    /// Its text: a year, a month or a day.
    pub text: String,
}

impl Calendar {
    /// The marks between two moments, in their order: days or months if they fit, else years at a distance of 1, 2 or 5 times
    /// a power of ten. At most `most` and [`MAX_TICKS`] of them.
    pub fn ticks(&self, from: Moment, until: Moment, most: usize) -> Vec<Tick> {
        let most = most.clamp(1, MAX_TICKS);
        if until < from {
            return Vec::new();
        }
        let days = until.days_since(from).saturating_add(1);
        let fits = |count: i64| usize::try_from(count).is_ok_and(|count| count <= most);
        if fits(days) {
            return self.day_ticks(from, until, most);
        }
        let (first, last) = (self.year_of(from), self.year_of(until));
        let years = last.saturating_sub(first).saturating_add(1);
        let months = i64::try_from(self.definition.months.len()).unwrap_or(i64::MAX);
        if fits(years.saturating_mul(months)) {
            return self.month_ticks(from, until, (first, last), most);
        }
        let mut step: i64 = 1;
        let mut power: i64 = 1;
        for factor in [1, 2, 5].into_iter().cycle() {
            step = power.saturating_mul(factor);
            if fits(years / step + 1) {
                break;
            }
            if factor == 5 {
                power = power.saturating_mul(10);
            }
        }
        self.year_ticks(from, until, (first, last, step), most)
    }

    fn day_ticks(&self, from: Moment, until: Moment, most: usize) -> Vec<Tick> {
        let mut ticks = Vec::new();
        let mut day = from.whole_day();
        while day <= until && ticks.len() < most {
            if day >= from {
                ticks.push(Tick { at: day, text: self.print(day, DateStyle::Short) });
            }
            let Some(next) = day.checked_add_days(1) else { break };
            day = next;
        }
        ticks
    }

    fn month_ticks(&self, from: Moment, until: Moment, (first, last): (i64, i64), most: usize) -> Vec<Tick> {
        let of_year = |year: i64| {
            let months = 0..self.definition.months.len();
            let start = move |month| Some((year, month, self.month_span(year, month).ok()?.from()?));
            months.filter_map(start)
        };
        let within = (first..=last).flat_map(of_year).filter(|(.., at)| *at >= from && *at <= until);
        let tick = |(year, month, at)| Tick { at, text: self.print_month(year, month, DateStyle::Short) };
        within.map(tick).take(most).collect()
    }

    fn year_ticks(
        &self,
        from: Moment,
        until: Moment,
        (first, last, step): (i64, i64, i64),
        most: usize,
    ) -> Vec<Tick> {
        let mut ticks = Vec::new();
        let mut year = first.div_euclid(step).saturating_mul(step);
        let mut latest = None;
        while year <= last && ticks.len() < most {
            let round = self.round_year(year, step);
            if let Ok(at) = self.start_of_year(round)
                && at >= from
                && at <= until
                && latest.is_none_or(|latest| latest < at)
            {
                ticks.push(Tick { at, text: self.print_year(round, DateStyle::Short) });
                latest = Some(at);
            }
            year = year.saturating_add(step);
        }
        ticks
    }

    /// The year near this one of which the number in its era is a multiple of the step: people read "50 BD", not "51 BD".
    fn round_year(&self, year: i64, step: i64) -> i64 {
        let (era, number) = self.era_of(year);
        let counting = era.and_then(|era| self.definition.eras.get(era)).map(|era| era.counting);
        let over = number.rem_euclid(step);
        match counting {
            Some(EraCounting::Backward) => year.saturating_add(over),
            _ => year.saturating_sub(over),
        }
    }

    fn start_of_year(&self, year: i64) -> Result<Moment, DateError> {
        self.year_span(year)?.from().ok_or(DateError::OutOfRange)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::calendar::testing::{calendars, dry, moments, valid};

    fn texts(from: &str, until: &str, most: usize) -> Vec<String> {
        let calendar = valid(dry());
        let from = calendar.parse_span(from).expect(from).from().expect("a start");
        let until = calendar.parse_span(until).expect(until).until().expect("an end");
        calendar.ticks(from, until, most).into_iter().map(|tick| tick.text).collect()
    }

    #[test]
    fn marks_are_days_or_months_or_years_as_they_fit() {
        assert_eq!(texts("27 Thaw 312", "2 Seed 312", 10).len(), 4);
        assert_eq!(texts("Thaw 312", "Seed 312", 20), ["Tw, 312 AD", "Sd, 312 AD"]);
        assert_eq!(
            texts("1 AD", "100 AD", 12),
            [
                "1 AD", "10 AD", "20 AD", "30 AD", "40 AD", "50 AD", "60 AD", "70 AD", "80 AD", "90 AD",
                "100 AD"
            ]
        );
        assert_eq!(texts("100 BD", "100 AD", 6), ["100 BD", "50 BD", "1 AD", "50 AD", "100 AD"]);
        assert_eq!(texts("2 BD", "2 AD", 5), ["2 BD", "1 BD", "1 AD", "2 AD"]);
    }

    proptest! {
        #[test]
        fn marks_of_any_calendar_are_in_order_within_the_span_and_not_too_many(
            calendar in calendars(), from in moments(), until in moments(), most in 0_usize..300
        ) {
            let ticks = calendar.ticks(from, until, most);
            prop_assert!(ticks.len() <= most.clamp(1, MAX_TICKS));
            prop_assert!(ticks.windows(2).all(|pair| pair[0].at < pair[1].at));
            prop_assert!(ticks.iter().all(|tick| tick.at >= from && tick.at <= until && tick.at.part().is_none()));
        }

        #[test]
        fn a_scale_of_all_of_story_time_ends(calendar in calendars(), most in 1_usize..20) {
            prop_assert!(calendar.ticks(Moment::MIN, Moment::MAX, most).len() <= most);
        }
    }
}
