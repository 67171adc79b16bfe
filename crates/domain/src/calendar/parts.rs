//! The words of a text with a date, and the parts of a date that they are.

use super::{date::TimeOfDay, name};

/// A part of a date.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum DatePart {
    /// The day of the month.
    Day,
    /// A month, or days between months.
    Month,
    /// The number of the year.
    Year,
    Era,
    /// Nothing: the date is complete.
    End,
}

impl std::fmt::Display for DatePart {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Day => "a day of the month",
            Self::Month => "a month of this calendar",
            Self::Year => "a year",
            Self::Era => "an era of this calendar",
            Self::End => "nothing more",
        })
    }
}

/// A word of the text in folded form.
pub(super) struct Word {
    pub(super) text: String,
    /// Start and end in the text, in bytes.
    pub(super) start: usize,
    pub(super) end: usize,
    /// True if a comma follows.
    pub(super) comma: bool,
}

pub(super) fn words_of(text: &str) -> Vec<Word> {
    let mut words: Vec<Word> = Vec::new();
    let mut start = 0;
    for piece in text.split_inclusive(|c: char| c.is_whitespace() || name::is_comma(c)) {
        let plain = piece.trim_end_matches(|c: char| c.is_whitespace() || name::is_comma(c));
        let folded = name::fold(plain);
        if !folded.is_empty() {
            words.push(Word { text: folded, start, end: start + plain.len(), comma: false });
        }
        if piece.ends_with(name::is_comma)
            && let Some(word) = words.last_mut()
        {
            word.comma = true;
        }
        start += piece.len();
    }
    words
}

/// The parts that were found.
#[derive(Default)]
pub(super) struct Parts {
    pub(super) weekday: Option<usize>,
    /// The month, and how many numbers stand before it.
    pub(super) month: Option<(usize, usize)>,
    /// The era, its first word, and the word after it.
    pub(super) era: Option<(usize, usize, usize)>,
    /// True if a comma follows the era.
    pub(super) era_comma: bool,
    pub(super) numbers: Vec<Placed>,
    /// True if the numbers are the day and the year of a date of digits.
    pub(super) numeric: bool,
    pub(super) time: Option<TimeOfDay>,
}

/// The parts by their meaning. The year is a number of the era.
#[derive(Debug, Clone, Copy)]
pub(super) struct Fields {
    pub(super) weekday: Option<usize>,
    pub(super) day: Option<i64>,
    pub(super) month: Option<usize>,
    pub(super) year: Option<i64>,
    pub(super) era: Option<usize>,
    pub(super) time: Option<TimeOfDay>,
}

pub(super) struct Placed {
    /// Which word it is.
    pub(super) at: usize,
    pub(super) comma: bool,
    pub(super) number: Number,
}

impl Parts {
    pub(super) fn fields(&self) -> Fields {
        let (day, year) = self.day_and_year();
        let month = self.month.map(|(month, _)| month);
        let era = self.era.map(|(era, ..)| era);
        Fields { weekday: self.weekday, day, month, year, era, time: self.time }
    }

    /// The day and the year among the numbers.
    fn day_and_year(&self) -> (Option<i64>, Option<i64>) {
        let before_era =
            |placed: &Placed| self.era.is_some_and(|(_, start, _)| placed.at + 1 == start) && !placed.comma;
        let after_era =
            |placed: &Placed| self.era.is_some_and(|(_, _, end)| placed.at == end) && !self.era_comma;
        match &self.numbers[..] {
            [] => (None, None),
            [only] => {
                let by_era = before_era(only) || after_era(only);
                let before_month = self.month.is_some_and(|(_, numbers)| numbers == 1);
                let is_day = self.month.is_some() && !by_era && (before_month || only.number.ordinal);
                if is_day { (Some(only.number.value), None) } else { (None, Some(only.number.value)) }
            }
            [first, second, ..] => {
                let swapped =
                    !self.numeric && (before_era(first) || (after_era(first) && !before_era(second)));
                let (day, year) = if swapped { (second, first) } else { (first, second) };
                (Some(day.number.value), Some(year.number.value))
            }
        }
    }

    /// The first part that was not found yet.
    pub(super) fn open(&self) -> DatePart {
        match (self.month, self.numbers.len(), self.era) {
            (None, ..) => DatePart::Month,
            (_, 0 | 1, None) => DatePart::Year,
            (.., None) => DatePart::Era,
            _ => DatePart::End,
        }
    }
}

#[derive(Clone, Copy)]
pub(super) struct Number {
    pub(super) value: i64,
    /// True for "14th", which is a day.
    pub(super) ordinal: bool,
}

impl Number {
    /// Reads digits with a sign before them or an English ordinal ending behind them. A number beyond `i64` becomes its limit, which
    /// no day and no year reaches.
    pub(super) fn read(word: &str) -> Option<Self> {
        let ending = ["st", "nd", "rd", "th"].iter().find_map(|ending| word.strip_suffix(ending));
        let (digits, ordinal) = ending.map_or((word, false), |digits| (digits, true));
        let unsigned = digits.strip_prefix(['-', '\u{2212}']);
        let (digits, negative) = unsigned.map_or((digits, false), |digits| (digits, true));
        if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
            return None;
        }
        let value = digits.parse::<i64>().unwrap_or(i64::MAX);
        Some(Self { value: if negative { -value } else { value }, ordinal })
    }
}

/// Hours and minutes: "06:30".
pub(super) fn clock(word: &str) -> Option<TimeOfDay> {
    let (hour, minute) = word.split_once(':')?;
    let read = |digits: &str| {
        let plain = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
        plain.then(|| digits.parse::<u32>().unwrap_or(u32::MAX))
    };
    Some(TimeOfDay { hour: read(hour)?, minute: read(minute)?, rest: 0 })
}

/// Year, position of the month and day: "312-01-14". A month 0 has a position that no month has.
pub(super) fn numeric(word: &str) -> Option<(Number, usize, Number)> {
    let mut parts = word.rsplitn(3, '-');
    let (day, month, year) = (parts.next()?, parts.next()?, parts.next()?);
    let unsigned = |digits: &str| Number::read(digits).filter(|number| number.value >= 0 && !number.ordinal);
    let (day, month) = (unsigned(day)?, unsigned(month)?);
    let year = Number::read(year).filter(|year| !year.ordinal)?;
    let position = usize::try_from(month.value).ok().and_then(|month| month.checked_sub(1));
    Some((year, position.unwrap_or(usize::MAX), day))
}
