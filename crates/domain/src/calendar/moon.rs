//! Phases of moons.

use super::{
    Calendar,
    moment::{Moment, PARTS_PER_DAY},
};
use crate::scope::words;

/// Units of a moon's cycle in a day.
pub const MICRODAYS: i64 = 1_000_000;

/// A phase of a moon: an eighth of its cycle. The new moon is in the middle of its phase.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum MoonPhase {
    /// Not lit.
    New,
    /// Less than half lit, and growing.
    WaxingCrescent,
    /// Half lit, and growing.
    FirstQuarter,
    /// More than half lit, and growing.
    WaxingGibbous,
    /// Lit.
    Full,
    /// More than half lit, and shrinking.
    WaningGibbous,
    /// Half lit, and shrinking.
    LastQuarter,
    /// Less than half lit, and shrinking.
    WaningCrescent,
}

words!(MoonPhase, "moon phase", {
    New => "new",
    WaxingCrescent => "waxing_crescent",
    FirstQuarter => "first_quarter",
    WaxingGibbous => "waxing_gibbous",
    Full => "full",
    WaningGibbous => "waning_gibbous",
    LastQuarter => "last_quarter",
    WaningCrescent => "waning_crescent",
});

impl Calendar {
    /// Time since the last new moon, in millionths of a day, below the cycle. For a whole day it is that at the middle of the day.
    /// `None` for a position without a moon.
    pub fn moon_age(&self, moon: usize, moment: Moment) -> Option<i64> {
        let moon = self.definition.moons.get(moon)?;
        let days = i128::from(moment.day()) - i128::from(self.definition.epoch_day);
        let part = i128::from(moment.part().unwrap_or(PARTS_PER_DAY / 2));
        let unit = i128::from(MICRODAYS);
        let since_epoch = days * unit + part * unit / i128::from(PARTS_PER_DAY);
        let age = (since_epoch - i128::from(moon.shift)).rem_euclid(i128::from(moon.cycle).max(1));
        i64::try_from(age).ok()
    }

    /// The phase of a moon; for a whole day, that at the middle of the day. `None` for a position without a moon.
    pub fn moon_phase(&self, moon: usize, moment: Moment) -> Option<MoonPhase> {
        let cycle = i128::from(self.definition.moons.get(moon)?.cycle).max(1);
        let age = i128::from(self.moon_age(moon, moment)?);
        // Eighths of the cycle, rounded to the nearest; the last half of an eighth belongs to the next new moon.
        let eighth = (16 * age + cycle) / (2 * cycle);
        MoonPhase::ALL.get(eighth as usize % MoonPhase::ALL.len()).copied()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::calendar::testing::{dry, gregorian, moments, valid};

    fn noon_phase(calendar: &Calendar, day: i64) -> MoonPhase {
        calendar.moon_phase(0, Moment::on_day(day).expect("in range")).expect("a moon")
    }

    #[test]
    fn a_cycle_of_28_days_has_its_quarters_a_week_apart() {
        let calendar = valid(dry());
        let at = |day| {
            let start = Moment::at_part(day, 0).expect("in range");
            calendar.moon_phase(0, start).expect("a moon")
        };
        assert_eq!(
            [0, 7, 14, 21].map(at),
            [MoonPhase::New, MoonPhase::FirstQuarter, MoonPhase::Full, MoonPhase::LastQuarter,]
        );
        assert_eq!(
            [-28, 3, 11, 17, 25, 27].map(at),
            [
                MoonPhase::New,
                MoonPhase::WaxingCrescent,
                MoonPhase::WaxingGibbous,
                MoonPhase::WaningGibbous,
                MoonPhase::WaningCrescent,
                MoonPhase::New,
            ]
        );
        assert_eq!(calendar.moon_age(1, Moment::at_part(2, 0).expect("in range")), Some(0));
        assert_eq!(calendar.moon_phase(2, Moment::MIN), None);
    }

    #[test]
    fn the_gregorian_moon_is_full_and_new_when_it_was() {
        let calendar = gregorian();
        // 23 April 2024 (full) and 8 April 2024 (new, a solar eclipse), as days since 1 January 1.
        assert_eq!(noon_phase(&calendar, 738_999), MoonPhase::Full);
        assert_eq!(noon_phase(&calendar, 738_984), MoonPhase::New);
    }

    proptest! {
        #[test]
        fn a_moon_has_the_same_age_a_cycle_later(moment in moments(), cycles in -1_000_i64..1_000) {
            let calendar = valid(dry());
            let age = calendar.moon_age(0, moment).expect("a moon");
            prop_assert!((0..28_000_000).contains(&age));
            prop_assert!(calendar.moon_phase(1, moment).is_some());
            if let Some(later) = moment.checked_add_days(28 * cycles) {
                prop_assert_eq!(calendar.moon_age(0, later), Some(age));
            }
        }
    }
}
