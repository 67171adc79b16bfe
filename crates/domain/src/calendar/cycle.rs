//! The years after which the leap rules repeat.

use super::{
    definition::{CalendarDefinition, LeapRule, MAX_CYCLE_YEARS},
    invalid::{CalendarProblem, Field, InvalidCalendar},
};

/// What lies before the start of a year, counted from the start of year 1 (negative before it).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Counts {
    pub(super) days: i64,
    /// Days that have weekdays.
    pub(super) week_days: i64,
    /// Months that exist and are not intercalary.
    pub(super) months: i64,
}

/// One repetition of the leap rules: the least common multiple of their intervals, in years.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct YearCycle {
    /// What lies before each year of the cycle, from year 1. One more row holds the totals.
    starts: Vec<Counts>,
}

impl YearCycle {
    pub(super) fn of(definition: &CalendarDefinition) -> Result<Self, InvalidCalendar> {
        let mut years: u64 = 1;
        for (at, rule) in definition.leap_rules.iter().enumerate() {
            for (inner, interval) in rule.intervals.iter().enumerate() {
                let every = u64::from(interval.every.max(1));
                years *= every / common_divisor(years, every);
                if years > u64::from(MAX_CYCLE_YEARS) {
                    let field = Field::item("leap_rules", at).part("intervals").inner(inner, "every");
                    return Err(field.refused(CalendarProblem::CycleTooLong));
                }
            }
        }
        let mut starts = vec![Counts::default()];
        let mut counts = Counts::default();
        for year in 1..=years as i64 {
            for (at, month) in definition.months.iter().enumerate() {
                let days = days_in(definition, year, at);
                counts.days += i64::from(days);
                counts.week_days += if month.in_week { i64::from(days) } else { 0 };
                counts.months += i64::from(days > 0 && !month.intercalary);
            }
            starts.push(counts);
        }
        Ok(Self { starts })
    }

    /// Length of the cycle in years, from 1.
    fn years(&self) -> i64 {
        (self.starts.len() as i64 - 1).max(1)
    }

    fn total(&self) -> Counts {
        self.starts.last().copied().unwrap_or_default()
    }

    /// What lies before a year; `None` if the numbers are too large.
    pub(super) fn before(&self, year: i64) -> Option<Counts> {
        let index = year.checked_sub(1)?;
        let (cycles, total) = (index.div_euclid(self.years()), self.total());
        let start = self.starts.get(index.rem_euclid(self.years()) as usize)?;
        let sum = |of: fn(&Counts) -> i64| cycles.checked_mul(of(&total))?.checked_add(of(start));
        Some(Counts {
            days: sum(|counts| counts.days)?,
            week_days: sum(|counts| counts.week_days)?,
            months: sum(|counts| counts.months)?,
        })
    }

    /// The year that holds a day or a month counted from the start of year 1, and how many of them lie before it in that year.
    pub(super) fn year_of(&self, count: i64, of: fn(&Counts) -> i64) -> (i64, i64) {
        // A validated calendar has a day and a month in each year.
        let total = of(&self.total()).max(1);
        let (cycles, rest) = (count.div_euclid(total), count.rem_euclid(total));
        let after = self.starts.partition_point(|start| of(start) <= rest);
        let index = after.saturating_sub(1);
        let before = self.starts.get(index).map_or(0, of);
        let year = cycles.saturating_mul(self.years()).saturating_add(index as i64).saturating_add(1);
        (year, rest - before)
    }

    /// Days of a month in any year; 0 for a month that the calendar or the year does not have.
    pub(super) fn days_in_month(&self, definition: &CalendarDefinition, year: i64, month: usize) -> u32 {
        // The rules repeat, so the year of the first cycle has the same lengths.
        days_in(definition, year.rem_euclid(self.years()), month)
    }
}

fn days_in(definition: &CalendarDefinition, year: i64, month: usize) -> u32 {
    let base = definition.months.get(month).map_or(0, |month| month.days);
    let rules = definition.leap_rules.iter().filter(|rule| rule.month == month && is_leap(rule, year));
    rules.fold(base, |days, rule| days.saturating_add(rule.days))
}

fn is_leap(rule: &LeapRule, year: i64) -> bool {
    let decides = |every: u32, offset: i64| {
        let every = i64::from(every.max(1));
        year.rem_euclid(every) == offset.rem_euclid(every)
    };
    let last = rule.intervals.iter().rev().find(|interval| decides(interval.every, interval.offset));
    last.is_some_and(|interval| interval.leap)
}

/// Euclid's algorithm, for numbers from 1.
fn common_divisor(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}
