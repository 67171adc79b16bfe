//! Reads dates that people write: "14 Thaw, 312 after the Dry", "the 14th of Thaw 312 AD", "Thaw 14, 312", "Midsummer 312",
//! "Thaw 312", "312 AD", "after the Dry", "312-01-14 AD".
//!
//! Names and abbreviations are found regardless of case, accents and full stops, the longest first. The parts may stand in any
//! order, with these rules: the number next to the era is the year; of two numbers the other is the day, and without an era the
//! first is the day. A single number is the year, so it stands after the month or next to the era. Without an era, the year is one
//! of the last era. A date of digits alone is year-month-day, and its month counts from 1 in the list of the definition.

pub use super::parts::DatePart;
use super::{
    Calendar,
    date::{Date, DateError},
    moment::Moment,
    name::Named,
    parts::{Fields, Number, Parts, Placed, Word, clock, numeric, words_of},
    span::{InvertedSpan, Span},
};

/// Maximum length of a text with a date, in characters.
pub const MAX_DATE_CHARS: usize = 1_000;

/// Words that are skipped where no name starts.
const FILLERS: [&str; 8] = ["the", "of", "in", "on", "at", "day", "month", "year"];

/// What a text says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ParsedDate {
    /// A day, or a minute of it.
    Moment(Moment),
    /// A whole month, a whole year or an era.
    Span(Span),
}

impl ParsedDate {
    /// The span that it covers.
    pub const fn span(self) -> Span {
        match self {
            Self::Moment(moment) => Span::at(moment),
            Self::Span(span) => span,
        }
    }
}

/// The reason a text is no date. Messages never contain the text; `start..end` is the part of it that was not understood.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ParseError {
    /// The text has no words.
    #[error("the date is empty")]
    Empty,
    /// The text is longer than [`MAX_DATE_CHARS`].
    #[error("the date is too long: {actual} characters, at most {limit}")]
    TooLong {
        /// Actual length.
        actual: usize,
        /// Maximum length.
        limit: usize,
    },
    /// A word is no part of a date, or stands for a part that there is already.
    #[error("bytes {start} to {end} of the date are not understood; expected {expected}")]
    NotUnderstood {
        /// Start of the word in bytes.
        start: usize,
        /// End of the word in bytes.
        end: usize,
        /// The part that is still open.
        expected: DatePart,
    },
    /// All words were understood, but a part is missing.
    #[error("the date is incomplete: {expected} is missing")]
    Missing { expected: DatePart },
    /// All words were understood, but the calendar has no such date.
    #[error(transparent)]
    Date(#[from] DateError),
    /// It is two dates, and the second is earlier.
    #[error(transparent)]
    Inverted(#[from] InvertedSpan),
}

impl Calendar {
    /// Reads a date, a month, a year or an era.
    ///
    /// # Errors
    /// [`ParseError`] with what was not understood and what was expected.
    pub fn parse(&self, text: &str) -> Result<ParsedDate, ParseError> {
        self.resolved(&self.fields_of(text)?)
    }

    pub(super) fn fields_of(&self, text: &str) -> Result<Fields, ParseError> {
        let actual = text.chars().count();
        if actual > MAX_DATE_CHARS {
            return Err(ParseError::TooLong { actual, limit: MAX_DATE_CHARS });
        }
        let words = words_of(text);
        if words.is_empty() {
            return Err(ParseError::Empty);
        }
        Ok(self.parts_of(&words)?.fields())
    }

    fn parts_of(&self, words: &[Word]) -> Result<Parts, ParseError> {
        let mut parts = Parts::default();
        let mut at = 0;
        while let Some(word) = words.get(at) {
            let refused = |expected| ParseError::NotUnderstood { start: word.start, end: word.end, expected };
            let before_comma =
                words[at..].iter().position(|word| word.comma).map_or(words.len(), |comma| at + comma + 1);
            let rest = words[at..before_comma].iter().map(|word| word.text.as_str());
            if let Some((named, length)) = self.names.at_start(&rest) {
                let again = match named {
                    Named::Month(month) => parts.month.replace((month, parts.numbers.len())).is_some(),
                    Named::Weekday(weekday) => parts.weekday.replace(weekday).is_some(),
                    Named::Era(era) => parts.era.replace((era, at, at + length)).is_some(),
                };
                if again {
                    return Err(refused(parts.open()));
                }
                at += length;
            } else if let Some(number) = Number::read(&word.text) {
                if parts.numbers.len() == 2 {
                    return Err(refused(parts.open()));
                }
                parts.numbers.push(Placed { at, comma: word.comma, number });
                at += 1;
            } else if let Some((year, month, day)) = numeric(&word.text) {
                if parts.month.is_some() || !parts.numbers.is_empty() {
                    return Err(refused(parts.open()));
                }
                parts.numeric = true;
                parts.month = Some((month, 0));
                parts.numbers.extend([day, year].map(|number| Placed { at, comma: false, number }));
                at += 1;
            } else if let Some(time) = clock(&word.text) {
                if parts.time.replace(time).is_some() {
                    return Err(refused(parts.open()));
                }
                at += 1;
            } else if FILLERS.contains(&word.text.as_str()) {
                at += 1;
            } else {
                return Err(refused(parts.open()));
            }
        }
        parts.era_comma =
            parts.era.is_some_and(|(_, _, end)| words.get(end - 1).is_some_and(|word| word.comma));
        Ok(parts)
    }

    pub(super) fn resolved(&self, fields: &Fields) -> Result<ParsedDate, ParseError> {
        let Fields { weekday, day, month, year, era, time } = *fields;
        let missing = |expected| Err(ParseError::Missing { expected });
        let timed = weekday.is_some() || time.is_some();
        let (Some(month), Some(number)) = (month, year) else {
            return match (day, month, year, era) {
                (None, None, Some(number), _) if !timed => {
                    Ok(ParsedDate::Span(self.year_span(self.year_of_number(era, number)?)?))
                }
                (None, None, None, Some(era)) if !timed => Ok(ParsedDate::Span(self.era_span(era)?)),
                (_, None, ..) => missing(DatePart::Month),
                _ => missing(DatePart::Year),
            };
        };
        let year = self.year_of_number(era, number)?;
        let days = self.days_in_month(year, month);
        let only_day = days == 1 && self.definition.months.get(month).is_some_and(|month| month.intercalary);
        let day = match day {
            Some(day) => u32::try_from(day).map_err(|_| DateError::NoSuchDay { days })?,
            None if only_day => 1,
            None if timed => return missing(DatePart::Day),
            None => return Ok(ParsedDate::Span(self.month_span(year, month)?)),
        };
        let (era, year) = self.era_of(year);
        Ok(ParsedDate::Moment(self.moment_of(&Date { era, year, month, day, weekday, time })?))
    }

    /// The year counted from the epoch. Without an era it is one of the last era.
    fn year_of_number(&self, era: Option<usize>, number: i64) -> Result<i64, DateError> {
        self.year_in_era(era.or(self.definition.eras.len().checked_sub(1)), number)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::calendar::{
        definition::EraCounting,
        print::DateStyle,
        testing::{calendars, dry, dry_with_leap_festival, era, gregorian, moments, month, valid},
    };

    const STYLES: [DateStyle; 3] = [DateStyle::Full, DateStyle::Long, DateStyle::Short];

    fn printed(calendar: &Calendar, text: &str) -> String {
        let date = calendar.parse(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        calendar.print_span(date.span(), DateStyle::Long)
    }

    #[test]
    fn one_date_is_read_in_the_forms_that_people_write() {
        let calendar = valid(dry());
        for text in [
            "14 Thaw, 312 after the Dry",
            "14th of thaw, 312 AD",
            "the 14th day of Thaw in the year 312 A.D.",
            "Thaw 14, 312",
            "  THAW  14 312 ",
            "14 Tw 312 ad",
            "14 Thaw AD 312",
            "AD 312, Thaw 14",
            "312 AD, 14 Thaw",
            "14. Thaw 312",
        ] {
            assert_eq!(printed(&calendar, text), "14 Thaw, 312 after the Dry", "{text}");
        }
        assert_eq!(printed(&calendar, "1st of elan 3 bd"), "1 Élan, 3 before the Dry");
        assert_eq!(printed(&calendar, "Midsummer 7 BD at 6:05"), "Midsummer, 7 before the Dry, 06:05");
        assert_eq!(printed(&calendar, "312-02-03, 6:05"), "3 Seed, 312 after the Dry, 06:05");
        assert_eq!(printed(&calendar, "1-14-28 BD"), "28 Élan, 1 before the Dry");
        assert_eq!(printed(&gregorian(), "2024-05-07"), "7 May, 2024 Anno Domini");
        assert_eq!(printed(&gregorian(), "Tuesday, 7 may 2024"), "7 May, 2024 Anno Domini");
    }

    #[test]
    fn a_month_and_a_year_are_spans() {
        let calendar = valid(dry());
        let days = |text: &str| {
            let span = calendar.parse(text).expect("a date").span();
            span.from().zip(span.until()).map(|(from, until)| (from.day(), until.day()))
        };
        assert_eq!(days("Thaw 1"), Some((0, 27)));
        assert_eq!(days("Élan, 1 BD"), Some((-28, -1)));
        assert_eq!(days("1 AD"), Some((0, 364)));
        assert_eq!(days("the year 1 before the Dry"), Some((-365, -1)));
        assert_eq!(days("2"), Some((365, 729)));
        assert_eq!(days("Midsummer 1"), Some((168, 168)));
        let era = |text: &str| calendar.parse(text).expect("an era").span();
        assert_eq!(Some(era("after the Dry")), Span::new(Moment::on_day(0).ok(), None).ok());
        assert_eq!(Some(era("B.D.")), Span::new(None, Moment::on_day(-1).ok()).ok());
    }

    #[test]
    fn what_is_not_understood_is_marked_with_what_was_expected() {
        let calendar = valid(dry_with_leap_festival());
        let refused = |text: &str| calendar.parse(text).expect_err(text);
        let not_understood = |start, end, expected| ParseError::NotUnderstood { start, end, expected };
        assert_eq!(refused("14 Élam 312"), not_understood(3, 8, DatePart::Month));
        assert_eq!(refused("14 Thaw 312 XX"), not_understood(12, 14, DatePart::Era));
        assert_eq!(refused("14 Thaw 312 AD BD"), not_understood(15, 17, DatePart::End));
        assert_eq!(refused("14 Thaw Seed 3"), not_understood(8, 12, DatePart::Year));
        assert_eq!(refused("14 Thaw 312-01-01"), not_understood(8, 17, DatePart::Year));
        assert_eq!(refused("2024-00-01"), DateError::NoSuchMonth.into());
        assert_eq!(refused("AD 06:30"), ParseError::Missing { expected: DatePart::Month });
        assert_eq!(refused("Thaw AD"), ParseError::Missing { expected: DatePart::Year });
        assert_eq!(refused("14 Thaw"), ParseError::Missing { expected: DatePart::Year });
        assert_eq!(refused("14 312 AD"), ParseError::Missing { expected: DatePart::Month });
        assert_eq!(refused("Thaw 312, 06:30"), ParseError::Missing { expected: DatePart::Day });
        assert_eq!(refused(" ,. "), ParseError::Empty);
        assert_eq!(refused("29 Thaw 312"), DateError::NoSuchDay { days: 28 }.into());
        assert_eq!(refused("Shieldday 5"), DateError::NoSuchMonth.into());
        assert_eq!(refused("0 AD"), DateError::NoSuchYear.into());
        assert_eq!(refused("14 Thaw 312 20:00"), DateError::NoSuchTime { hours: 20, minutes: 50 }.into());
        assert_eq!(refused("99999999999999999999 AD"), DateError::OutOfRange.into());
        assert_eq!(refused("Secondday, 1 Thaw 1"), DateError::WrongWeekday { weekday: Some(0) }.into());
        assert!(matches!(refused(&"a".repeat(1_001)), ParseError::TooLong { actual: 1_001, .. }));
    }

    #[test]
    fn the_longest_name_is_read_and_a_comma_ends_it() {
        let mut definition = dry();
        definition.months = vec![month("Month", None, 30), month("Month 3", None, 30)];
        definition.eras =
            vec![era("Age", "A", 1, EraCounting::Forward), era("Age of Ash", "AA", 10, EraCounting::Forward)];
        let calendar = valid(definition);
        assert_eq!(printed(&calendar, "5 month 3, 2 age"), "5 Month 3, 2 Age");
        assert_eq!(printed(&calendar, "5 month, 3 age"), "5 Month, 3 Age");
        assert_eq!(printed(&calendar, "month 3 5 age of ash"), "Month 3, 5 Age of Ash");
    }

    proptest! {
        #[test]
        fn a_printed_date_of_any_calendar_is_read_back(calendar in calendars(), moment in moments()) {
            let mut date = calendar.date_of(moment);
            if let Some(time) = &mut date.time {
                time.rest = 0;
            }
            let moment = calendar.moment_of(&date).expect("a full minute");
            for style in STYLES {
                let text = calendar.print(moment, style);
                prop_assert_eq!(calendar.parse(&text), Ok(ParsedDate::Moment(moment)), "{}", text);
                let shouted = text.to_uppercase();
                prop_assert_eq!(calendar.parse(&shouted), Ok(ParsedDate::Moment(moment)), "{}", shouted);
            }
        }

        #[test]
        fn any_text_is_read_or_refused(calendar in calendars(), text in "(\\PC|[0-9 ,.:–]|month|year|b\\.a\\.){0,40}") {
            match calendar.parse(&text) {
                Ok(date) => prop_assert!(date.span().first() <= date.span().last()),
                Err(ParseError::NotUnderstood { start, end, .. }) => {
                    prop_assert!(text.get(start..end).is_some_and(|word| !word.trim().is_empty()));
                }
                Err(_) => {}
            }
            let _ = calendar.parse_span(&text);
        }
    }
}
