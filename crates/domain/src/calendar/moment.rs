//! Story moments. A moment is one integer that no calendar is needed for: calendars only name it.

/// Parts of a day that a moment distinguishes. One part is ten seconds of a day of 24 hours.
///
/// A calendar divides the day into at most as many minutes, so each minute of each calendar has a part of its own.
pub const PARTS_PER_DAY: u32 = 8_640;

/// Latest day, and the negative of the earliest: about 2.4 thousand million years of 365 days on each side.
///
/// With the 10 000 values of a day it keeps each value below 2^53 in size, so JSON and JavaScript represent it exactly.
pub const MAX_DAY: i64 = 900_000_000_000;

/// Distance of the values of two days that follow each other. It is a power of ten, so the day can be read from a stored value.
const DAY_STEP: i64 = 10_000;

/// A moment of story time: a day, or a part of a day.
///
/// The value is `day * 10_000 + slot`. Slot 0 is the whole day, slot `n + 1` is part `n` of it. Values sort by time; a
/// whole day sorts before its parts. Day 0 has no meaning of its own: each calendar places its epoch.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Moment(i64);

/// The reason a value is no moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum InvalidMoment {
    /// The day is beyond [`MAX_DAY`].
    #[error("the day is out of range: at most {MAX_DAY} days before or after day 0")]
    Day,
    /// The part is not below [`PARTS_PER_DAY`].
    #[error("the part of the day is out of range: a day has {PARTS_PER_DAY} parts")]
    Part,
}

impl Moment {
    /// The first and the last moment there is.
    pub const MIN: Self = Self(-MAX_DAY * DAY_STEP);
    /// See [`Self::MIN`].
    pub const MAX: Self = Self(MAX_DAY * DAY_STEP + PARTS_PER_DAY as i64);

    /// Reads a stored value.
    ///
    /// # Errors
    /// [`InvalidMoment`] for a value that [`Self::value`] never returns.
    pub const fn from_value(value: i64) -> Result<Self, InvalidMoment> {
        if value < Self::MIN.0 || value > Self::MAX.0 {
            return Err(InvalidMoment::Day);
        }
        if value.rem_euclid(DAY_STEP) > PARTS_PER_DAY as i64 {
            return Err(InvalidMoment::Part);
        }
        Ok(Self(value))
    }

    /// A whole day.
    ///
    /// # Errors
    /// [`InvalidMoment::Day`] beyond [`MAX_DAY`].
    pub const fn on_day(day: i64) -> Result<Self, InvalidMoment> {
        if day < -MAX_DAY || day > MAX_DAY { Err(InvalidMoment::Day) } else { Ok(Self(day * DAY_STEP)) }
    }

    /// A part of a day, counted from 0.
    ///
    /// # Errors
    /// [`InvalidMoment`] for a day beyond [`MAX_DAY`] or a part that is not below [`PARTS_PER_DAY`].
    pub const fn at_part(day: i64, part: u32) -> Result<Self, InvalidMoment> {
        if part >= PARTS_PER_DAY {
            return Err(InvalidMoment::Part);
        }
        match Self::on_day(day) {
            Ok(whole) => Ok(whole.with_part(part)),
            refused @ Err(_) => refused,
        }
    }

    /// Only for a whole day and a part below [`PARTS_PER_DAY`].
    const fn with_part(self, part: u32) -> Self {
        Self(self.0 + 1 + part as i64)
    }

    /// The stored form.
    pub const fn value(self) -> i64 {
        self.0
    }

    /// The day, from `-MAX_DAY` to `MAX_DAY`.
    pub const fn day(self) -> i64 {
        self.0.div_euclid(DAY_STEP)
    }

    /// The part of the day, from 0; `None` for a whole day.
    pub const fn part(self) -> Option<u32> {
        let slot = self.0.rem_euclid(DAY_STEP);
        if slot == 0 { None } else { Some((slot - 1) as u32) }
    }

    /// The whole day that it lies in.
    #[must_use]
    pub const fn whole_day(self) -> Self {
        Self(self.day() * DAY_STEP)
    }

    /// Its first part: part 0 of a whole day, or itself.
    #[must_use]
    pub const fn first_part(self) -> Self {
        if self.part().is_none() { self.with_part(0) } else { self }
    }

    /// Its last part: the end of a whole day, or itself.
    #[must_use]
    pub const fn last_part(self) -> Self {
        if self.part().is_none() { self.with_part(PARTS_PER_DAY - 1) } else { self }
    }

    /// The moment some days later, at the same part of the day; earlier for a negative number. `None` out of range.
    pub fn checked_add_days(self, days: i64) -> Option<Self> {
        let whole = Self::on_day(self.day().checked_add(days)?).ok()?;
        Some(self.part().map_or(whole, |part| whole.with_part(part)))
    }

    /// Days from another moment to this one, by date alone.
    pub const fn days_since(self, earlier: Self) -> i64 {
        self.day() - earlier.day()
    }

    /// Parts of a day from the start of another moment to the start of this one.
    pub fn parts_since(self, earlier: Self) -> i64 {
        let part = |moment: Self| i64::from(moment.part().unwrap_or(0));
        self.days_since(earlier) * i64::from(PARTS_PER_DAY) + part(self) - part(earlier)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_whole_day_sorts_before_its_parts_and_after_the_day_before() {
        let day = Moment::on_day(-3).expect("in range");
        let first = Moment::at_part(-3, 0).expect("in range");
        let before = Moment::at_part(-4, PARTS_PER_DAY - 1).expect("in range");
        assert!(before < day && day < first && first < day.last_part());
        assert_eq!(day.value(), -30_000);
    }

    #[test]
    fn values_stay_exact_in_javascript() {
        assert!(Moment::MAX.value() < 1 << 53 && Moment::MIN.value() > -(1 << 53));
        assert_eq!(Moment::MAX, Moment::at_part(MAX_DAY, PARTS_PER_DAY - 1).expect("in range"));
        assert_eq!(Moment::MIN, Moment::on_day(-MAX_DAY).expect("in range"));
    }

    proptest! {
        #[test]
        fn any_integer_is_a_moment_or_refused(value: i64, days: i64) {
            for value in [value, value % (1 << 54), value % 100_000_000] {
                let Ok(moment) = Moment::from_value(value) else { continue };
                prop_assert_eq!(moment.value(), value);
                let again = match moment.part() {
                    None => Moment::on_day(moment.day()),
                    Some(part) => Moment::at_part(moment.day(), part),
                };
                prop_assert_eq!(again, Ok(moment));
                prop_assert!(moment.first_part() <= moment.last_part());
                for days in [days, days % 1_000_000] {
                    let Some(later) = moment.checked_add_days(days) else { continue };
                    prop_assert_eq!(later.days_since(moment), days);
                    prop_assert_eq!(later.parts_since(moment), days * i64::from(PARTS_PER_DAY));
                    prop_assert_eq!(later.checked_add_days(-days), Some(moment));
                }
            }
        }
    }
}
