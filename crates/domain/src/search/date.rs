//! Months, days and years named in a text, to compare a question with the date of what was said. Days relative to the one on which
//! it is asked are in [`super::time_words`].

use std::collections::BTreeSet;

use chrono::{Datelike as _, NaiveDate};

use crate::language::MONTHS;

/// German and French months, and abbreviations, where they differ from English ones.
const OTHER_MONTHS: &[(&str, u32)] = &[
    ("januar", 1),
    ("jänner", 1),
    ("janvier", 1),
    ("janv", 1),
    ("februar", 2),
    ("février", 2),
    ("févr", 2),
    ("fév", 2),
    ("märz", 3),
    ("mär", 3),
    ("mars", 3),
    ("avril", 4),
    ("avr", 4),
    ("mai", 5),
    ("juni", 6),
    ("juin", 6),
    ("juli", 7),
    ("juillet", 7),
    ("juil", 7),
    ("août", 8),
    ("sept", 9),
    ("septembre", 9),
    ("oktober", 10),
    ("okt", 10),
    ("octobre", 10),
    ("novembre", 11),
    ("dezember", 12),
    ("dez", 12),
    ("décembre", 12),
    ("déc", 12),
];

/// A part of a date. Parts are compared one by one, because a question often names only a month or a year.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum DatePart {
    /// Year, 1900 to 2099.
    Year(u32),
    /// Month, 1 to 12.
    Month(u32),
    /// Day of the month, 1 to 31.
    Day(u32),
}

/// The date parts named in a text. A number is a day only in a text that also names a month, and "may" is a month only
/// if it is written with a capital inside the text or beside a number. Months are read in English, German and French.
pub fn parts_of(text: &str) -> BTreeSet<DatePart> {
    let words = split(text);
    let mut parts = BTreeSet::new();
    let mut days = BTreeSet::new();
    for (at, word) in words.iter().enumerate() {
        if let Some(month) = month(&words, at) {
            parts.insert(DatePart::Month(month));
        } else if let Some((year, month, day)) = iso(word.text) {
            parts.extend([DatePart::Year(year), DatePart::Month(month), DatePart::Day(day)]);
        } else if let Some(year) = year(word.text) {
            parts.insert(DatePart::Year(year));
        } else if let Some(day) = day(word) {
            days.insert(DatePart::Day(day));
        }
    }
    if parts.iter().any(|part| matches!(part, DatePart::Month(_))) {
        parts.extend(days);
    }
    parts
}

/// The date parts of a day.
pub(super) fn parts_on(day: NaiveDate) -> BTreeSet<DatePart> {
    let year = u32::try_from(day.year()).unwrap_or(0);
    BTreeSet::from([DatePart::Year(year), DatePart::Month(day.month()), DatePart::Day(day.day())])
}

/// The day of date parts, if they have one year, month and day.
pub(super) fn day_of(parts: &BTreeSet<DatePart>) -> Option<NaiveDate> {
    let mut parts = parts.iter();
    // In the order of the kinds.
    let (Some(DatePart::Year(year)), Some(DatePart::Month(month)), Some(DatePart::Day(day)), None) =
        (parts.next(), parts.next(), parts.next(), parts.next())
    else {
        return None;
    };
    NaiveDate::from_ymd_opt(i32::try_from(*year).ok()?, *month, *day)
}

struct Word<'t> {
    text: &'t str,
    /// True for a part of a clock time ("1:56").
    clock: bool,
}

/// Splits at everything but letters, digits and the hyphens of an ISO date.
fn split(text: &str) -> Vec<Word<'_>> {
    let mut words = Vec::new();
    for chunk in text.split(|c: char| !(c.is_alphanumeric() || c == '-' || c == ':')) {
        let date = chunk.split_once('T').map_or(chunk, |(date, _)| date);
        if iso(date).is_some() {
            words.push(Word { text: date, clock: false });
            continue;
        }
        let clock = chunk.contains(':') && chunk.split(':').all(|part| part.parse::<u32>().is_ok());
        let parts = chunk.split(['-', ':']).filter(|part| !part.is_empty());
        words.extend(parts.map(|text| Word { text, clock }));
    }
    words
}

/// The month that a word in lower case names in English, German or French.
pub(super) fn month_of(lower: &str) -> Option<u32> {
    let english =
        MONTHS.iter().position(|month| *month == lower || (lower.len() == 3 && month.starts_with(lower)));
    match english {
        Some(at) => u32::try_from(at + 1).ok(),
        None => OTHER_MONTHS.iter().find(|(name, _)| *name == lower).map(|(_, month)| *month),
    }
}

fn month(words: &[Word<'_>], at: usize) -> Option<u32> {
    let lower = words[at].text.to_lowercase();
    let month = month_of(&lower)?;
    let numbered = |at: usize| words.get(at).is_some_and(|w| day(w).is_some() || year(w.text).is_some());
    let before = at.checked_sub(1);
    let is_month = match lower.as_str() {
        // Words of English, unless they have a capital within the text.
        "may" | "mar" => before.is_some() && words[at].text.starts_with(char::is_uppercase),
        // A name and a planet, unless it is "im Mai" or "en mars".
        "mai" | "mars" => before.is_some_and(|at| matches!(words[at].text, "im" | "en")),
        _ => true,
    };
    (is_month || numbered(at + 1) || before.is_some_and(numbered)).then_some(month)
}

fn year(text: &str) -> Option<u32> {
    text.parse().ok().filter(|year| text.len() == 4 && (1900..2100).contains(year))
}

fn day(word: &Word<'_>) -> Option<u32> {
    let lower = word.text.to_lowercase();
    let digits =
        ["st", "nd", "rd", "th", "er"].iter().find_map(|ending| lower.strip_suffix(ending)).unwrap_or(&lower);
    digits.parse().ok().filter(|day| !word.clock && digits.len() <= 2 && (1..=31).contains(day))
}

/// Year, month and day of `2023-05-08`.
fn iso(text: &str) -> Option<(u32, u32, u32)> {
    let mut parts = text.split('-');
    let (year, month, day) = (year(parts.next()?)?, parts.next()?, parts.next()?);
    if parts.next().is_some() || month.len() != 2 || day.len() != 2 {
        return None;
    }
    let (month, day) = (month.parse().ok()?, day.parse().ok()?);
    ((1..=12).contains(&month) && (1..=31).contains(&day)).then_some((year, month, day))
}

#[cfg(test)]
mod tests {
    use super::{DatePart::*, *};

    fn parts(text: &str) -> Vec<DatePart> {
        parts_of(text).into_iter().collect()
    }

    #[test]
    fn dates_are_read_in_the_forms_of_chats_and_questions() {
        assert_eq!(parts("1:56 pm on 8 May, 2023"), [Year(2023), Month(5), Day(8)]);
        assert_eq!(parts("March-15-2024"), [Year(2024), Month(3), Day(15)]);
        assert_eq!(parts("2023-05-08T13:56:00Z"), [Year(2023), Month(5), Day(8)]);
        assert_eq!(parts("2023-05-08"), [Year(2023), Month(5), Day(8)]);
        assert_eq!(parts("What did Mira paint on the 3rd of Feb?"), [Month(2), Day(3)]);
        assert_eq!(parts("Which gift came in 2022?"), [Year(2022)]);
    }

    #[test]
    fn words_and_numbers_that_are_no_date_are_left_out() {
        assert_eq!(parts("May we name 3 things that may happen at 10:30?"), []);
        assert_eq!(parts("Who came in May?"), [Month(5)]);
        assert_eq!(parts("room 2500, page 12, the 40th"), []);
    }

    #[test]
    fn months_are_read_in_german_and_in_french() {
        assert_eq!(parts("Was sagte Mira am 3. März 2023?"), [Year(2023), Month(3), Day(3)]);
        assert_eq!(parts("Wer kam im Oktober?"), [Month(10)]);
        assert_eq!(parts("Qu’a dit Mira le 14 juillet 2022 ?"), [Year(2022), Month(7), Day(14)]);
        assert_eq!(parts("le 2 mars"), [Month(3), Day(2)]);
        assert_eq!(parts("Le 1er mai"), [Month(5), Day(1)]);
        assert_eq!(
            (parts("Wer kam im Mai?"), parts("Qui est venu en mars ?")),
            (vec![Month(5)], vec![Month(3)])
        );
        assert_eq!(parts("What did Mai see on Mars?"), []);
        for (name, month) in OTHER_MONTHS {
            assert_eq!(parts(&format!("the 5 {name}")), [Month(*month), Day(5)]);
        }
    }

    #[test]
    fn a_day_is_known_by_all_its_parts_alone() {
        let day = NaiveDate::from_ymd_opt(2023, 5, 8).expect("a day");
        assert_eq!((day_of(&parts_on(day)), day_of(&parts_of("8 May, 2023"))), (Some(day), Some(day)));
        for text in ["May 2023", "2023", "8 May 2022 or 2023", "30 February 2023", ""] {
            assert_eq!(day_of(&parts_of(text)), None, "{text}");
        }
    }

    proptest::proptest! {
        #[test]
        fn any_text_is_read(text in "\\PC{0,60}") {
            day_of(&parts_of(&text));
        }
    }
}
