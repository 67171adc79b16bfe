//! Days that a question names relative to the day on which it is asked: "yesterday", "two weeks ago", "last Monday".
//!
//! A story has such words too: "Yesterday the siege began", "Where did Toma live four years ago?". They tell when something happened, and
//! not when it was told. So the words count in a sentence that has a word for who speaks or for what was said ("What did we decide
//! yesterday?"), and in one that says little else ("What happened yesterday?"); in a message only if it asks for something. English,
//! German and French are read.

use chrono::{Datelike as _, Days as Count, Months, NaiveDate, Weekday};

use super::date::month_of;
use crate::language::is_question;

/// The days that a question names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DaySpan {
    pub first: NaiveDate,
    /// The last day, not before the first.
    pub last: NaiveDate,
}

impl DaySpan {
    /// How well a day fits, from 0 to 1: 1 within the span, half of it nearby. People are seldom exact, and a session may go on after
    /// midnight.
    pub fn share(self, day: NaiveDate) -> f64 {
        let outside = (self.first - day).num_days().max((day - self.last).num_days());
        match outside {
            ..=0 => 1.0,
            days if days <= self.near() => 0.5,
            _ => 0.0,
        }
    }

    /// All days that have a share; `None` if one of them is beyond the calendar.
    pub fn with_near_days(self) -> Option<Self> {
        let near = Count::new(self.near().unsigned_abs());
        Some(Self { first: self.first.checked_sub_days(near)?, last: self.last.checked_add_days(near)? })
    }

    /// How many days outside the span are nearby.
    fn near(self) -> i64 {
        ((self.last - self.first).num_days() / 2).max(1)
    }

    fn with(self, other: Self) -> Self {
        Self { first: self.first.min(other.first), last: self.last.max(other.last) }
    }
}

/// A unit of time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Unit {
    Day,
    Week,
    Month,
    Year,
}

/// Phrases without a number, the longer ones first, with their unit and how many of it they go back. "This year" is most of what
/// there is, and left out.
const PHRASES: &[(&[&str], Unit, u32)] = &[
    (&["day", "before", "yesterday"], Unit::Day, 2),
    (&["yesterday"], Unit::Day, 1),
    (&["last", "night"], Unit::Day, 1),
    (&["today"], Unit::Day, 0),
    (&["tonight"], Unit::Day, 0),
    (&["this", "morning"], Unit::Day, 0),
    (&["this", "afternoon"], Unit::Day, 0),
    (&["this", "evening"], Unit::Day, 0),
    (&["last", "week"], Unit::Week, 1),
    (&["this", "week"], Unit::Week, 0),
    (&["last", "month"], Unit::Month, 1),
    (&["this", "month"], Unit::Month, 0),
    (&["last", "year"], Unit::Year, 1),
    (&["vorgestern"], Unit::Day, 2),
    (&["gestern"], Unit::Day, 1),
    (&["heute"], Unit::Day, 0),
    (&["diese", "woche"], Unit::Week, 0),
    (&["dieser", "woche"], Unit::Week, 0),
    (&["diesen", "monat"], Unit::Month, 0),
    (&["diesem", "monat"], Unit::Month, 0),
    (&["avant", "hier"], Unit::Day, 2),
    (&["hier"], Unit::Day, 1),
    (&["aujourd", "hui"], Unit::Day, 0),
    (&["ce", "matin"], Unit::Day, 0),
    (&["ce", "soir"], Unit::Day, 0),
    (&["cet", "après", "midi"], Unit::Day, 0),
    (&["cette", "semaine"], Unit::Week, 0),
    (&["ce", "mois"], Unit::Month, 0),
];

/// Words for the one before, in front of what they belong to ("last Monday", "letzte Woche").
const LAST: &[&str] = &["last", "past"];
/// Beginnings of German words for the one before; they have endings.
const LAST_GERMAN: &[&str] = &["letzte", "vorige", "vergangene"];
/// French words for the one before, behind what they belong to ("lundi dernier").
const LAST_FRENCH: &[&str] = &["dernier", "dernière", "passé", "passée"];

/// Weekdays in English, German and French, Monday first.
const WEEKDAYS: [[&str; 3]; 7] = [
    ["monday", "montag", "lundi"],
    ["tuesday", "dienstag", "mardi"],
    ["wednesday", "mittwoch", "mercredi"],
    ["thursday", "donnerstag", "jeudi"],
    ["friday", "freitag", "vendredi"],
    ["saturday", "samstag", "samedi"],
    ["sunday", "sonntag", "dimanche"],
];

/// Number words. "A few" and its like are three.
const NUMBERS: &[(&str, u32)] = &[
    ("a", 1),
    ("an", 1),
    ("one", 1),
    ("two", 2),
    ("couple", 2),
    ("three", 3),
    ("few", 3),
    ("four", 4),
    ("five", 5),
    ("six", 6),
    ("seven", 7),
    ("eight", 8),
    ("nine", 9),
    ("ten", 10),
    ("einem", 1),
    ("einer", 1),
    ("zwei", 2),
    ("drei", 3),
    ("paar", 3),
    ("vier", 4),
    ("fünf", 5),
    ("sechs", 6),
    ("sieben", 7),
    ("acht", 8),
    ("neun", 9),
    ("zehn", 10),
    ("un", 1),
    ("une", 1),
    ("deux", 2),
    ("trois", 3),
    ("quelques", 3),
    ("quatre", 4),
    ("cinq", 5),
    ("sept", 7),
    ("huit", 8),
    ("neuf", 9),
    ("dix", 10),
];
/// A sentence of at most so many words says little but the days.
const FEW_WORDS: usize = 4;
/// A number of units above this is no time that anybody remembers by.
const MOST_UNITS: u32 = 400;

/// Words for who speaks, and for what was said. "On" of French is a word of English, and "ihr" stands for her as well.
const SPEAKING: &[&str] = &[
    "i",
    "we",
    "you",
    "us",
    "me",
    "my",
    "our",
    "your",
    "session",
    "sessions",
    "conversation",
    "chat",
    "notes",
    "ich",
    "wir",
    "du",
    "mich",
    "mir",
    "uns",
    "mein",
    "meine",
    "dir",
    "dich",
    "unser",
    "unsere",
    "euch",
    "sitzung",
    "gespräch",
    "notizen",
    "je",
    "j",
    "nous",
    "tu",
    "vous",
    "moi",
    "toi",
    "notre",
    "nos",
    "séance",
    "discussion",
];
/// First words of a sentence that asks for something without a question mark.
const REQUESTS: &[&str] = &[
    "show",
    "tell",
    "list",
    "give",
    "find",
    "recap",
    "summarise",
    "summarize",
    "remind",
    "please",
    "zeig",
    "zeige",
    "nenn",
    "nenne",
    "erzähl",
    "erinnere",
    "fass",
    "fasse",
    "bitte",
    "montre",
    "dis",
    "donne",
    "trouve",
    "rappelle",
    "résume",
];
/// Words of German that no French sentence has. "Hier" is here in German, and yesterday in French.
const GERMAN: &[&str] = &[
    "ich", "wir", "ist", "sind", "war", "waren", "haben", "hat", "was", "wer", "wo", "wie", "der", "die",
    "das", "und", "uns", "sie", "gibt", "warum", "wann", "lebt", "kein", "nicht",
];

/// The days that a text which is typed as a search names relative to the day on which it is asked: those of its first sentence that
/// names any.
pub fn days_in(text: &str, today: NaiveDate) -> Option<DaySpan> {
    sentences(text).find_map(|sentence| days_of(&words_of(sentence), today))
}

/// As [`days_in`], for a message: of the sentences that ask for something.
pub fn days_asked_in(text: &str, today: NaiveDate) -> Option<DaySpan> {
    sentences(text).find_map(|sentence| {
        let words = words_of(sentence);
        let is_request = words.first().is_some_and(|word| REQUESTS.contains(&word.as_str()));
        if is_request || sentence.contains(is_question) { days_of(&words, today) } else { None }
    })
}

fn sentences(text: &str) -> impl Iterator<Item = &str> {
    text.split_inclusive(|c: char| matches!(c, '.' | '!' | '\n') || is_question(c))
}

fn words_of(sentence: &str) -> Vec<String> {
    let words = sentence.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.map(str::to_lowercase).collect()
}

fn days_of(sentence: &[String], today: NaiveDate) -> Option<DaySpan> {
    let words: Vec<&str> = sentence.iter().map(String::as_str).collect();
    if words.len() > FEW_WORDS && !words.iter().any(|word| SPEAKING.contains(word)) {
        return None;
    }
    let (mut found, mut at) = (None::<DaySpan>, 0);
    while at < words.len() {
        // "The last year of the war" is a time of the story.
        let named = phrase(&words, at, today).filter(|(_, length)| words.get(at + length) != Some(&"of"));
        let Some((days, length)) = named else {
            at += 1;
            continue;
        };
        found = Some(found.map_or(days, |other| other.with(days)));
        at += length;
    }
    found
}

/// The phrase that begins at a word, and its length in words.
fn phrase(words: &[&str], at: usize, today: NaiveDate) -> Option<(DaySpan, usize)> {
    let rest = &words[at..];
    if let Some((phrase, unit, back)) = PHRASES.iter().find(|(phrase, ..)| rest.starts_with(phrase)) {
        let is_german = *phrase == ["hier"] && words.iter().any(|word| GERMAN.contains(word));
        return if is_german { None } else { Some((calendar(today, *unit, *back)?, phrase.len())) };
    }
    last_one(rest, today).or_else(|| counted(rest, today))
}

/// "last Monday", "letzten März", "semaine dernière", "on Monday".
fn last_one(rest: &[&str], today: NaiveDate) -> Option<(DaySpan, usize)> {
    let (first, second) = (*rest.first()?, *rest.get(1)?);
    let is_last = LAST.contains(&first) || LAST_GERMAN.iter().any(|last| first.starts_with(last));
    if is_last || matches!(first, "on" | "am") {
        let named = weekday(second).map(|day| before(today, day));
        let of_unit = || calendar(today, unit(second).filter(|unit| *unit != Unit::Day)?, 1);
        let month = || latest_month(today, month_of(second)?);
        let days = named.or_else(|| if is_last { of_unit().or_else(month) } else { None })?;
        return Some((days, 2));
    }
    if LAST_FRENCH.contains(&second) {
        let named = weekday(first).map(|day| before(today, day));
        let of_unit = || calendar(today, unit(first).filter(|unit| *unit != Unit::Day)?, 1);
        return Some((named.or_else(of_unit).or_else(|| latest_month(today, month_of(first)?))?, 2));
    }
    None
}

/// "two weeks ago", "vor zwei Wochen", "il y a deux semaines", "the last three days", "les trois derniers jours".
fn counted(rest: &[&str], today: NaiveDate) -> Option<(DaySpan, usize)> {
    let first = *rest.first()?;
    let lead = match rest {
        ["il", "y", "a", ..] => 3,
        _ if first == "vor"
            || LAST.contains(&first)
            || LAST_GERMAN.iter().any(|last| first.starts_with(last)) =>
        {
            1
        }
        _ => 0,
    };
    let (count, length) = number(&rest[lead..])?;
    let behind = &rest[lead + length..];
    if lead == 0 && behind.first().is_some_and(|word| word.starts_with("derni")) {
        return Some((until(today, count, unit(behind.get(1)?)?)?, length + 2));
    }
    let of = unit(behind.first()?)?;
    let length = lead + length + 1;
    match (lead, behind.get(1)) {
        (0, Some(&"ago")) => Some((around(today, count, of)?, length + 1)),
        (0, _) => None,
        _ if first == "vor" || first == "il" => Some((around(today, count, of)?, length)),
        _ => Some((until(today, count, of)?, length)),
    }
}

/// A number, and its length in words: "3", "three", "a couple of", "ein paar".
fn number(words: &[&str]) -> Option<(u32, usize)> {
    let of = |word: &str| {
        let written = || NUMBERS.iter().find(|(name, _)| *name == word).map(|(_, number)| *number);
        word.parse().ok().or_else(written).filter(|number| (1..=MOST_UNITS).contains(number))
    };
    match words {
        ["a", "couple", "of", ..] => Some((2, 3)),
        ["a", "few", ..] | ["ein", "paar", ..] => Some((3, 2)),
        [word, ..] => Some((of(word)?, 1)),
        [] => None,
    }
}

fn unit(word: &str) -> Option<Unit> {
    Some(match word {
        "day" | "days" | "tag" | "tage" | "tagen" | "jour" | "jours" => Unit::Day,
        "week" | "weeks" | "woche" | "wochen" | "semaine" | "semaines" => Unit::Week,
        "month" | "months" | "monat" | "monate" | "monaten" | "mois" => Unit::Month,
        "year" | "years" | "jahr" | "jahre" | "jahren" | "an" | "ans" | "année" | "années" => Unit::Year,
        _ => return None,
    })
}

fn weekday(word: &str) -> Option<Weekday> {
    let at = WEEKDAYS.iter().position(|names| names.contains(&word))?;
    Weekday::try_from(u8::try_from(at).ok()?).ok()
}

/// The day that many units ago.
fn back(today: NaiveDate, count: u32, unit: Unit) -> Option<NaiveDate> {
    match unit {
        Unit::Day => today.checked_sub_days(Count::new(count.into())),
        Unit::Week => today.checked_sub_days(Count::new(7 * u64::from(count))),
        Unit::Month => today.checked_sub_months(Months::new(count)),
        Unit::Year => today.checked_sub_months(Months::new(12 * count)),
    }
}

/// The day, week, month or year of the calendar that many back, up to today.
fn calendar(today: NaiveDate, unit: Unit, count: u32) -> Option<DaySpan> {
    let day = back(today, count, unit)?;
    let (first, next) = match unit {
        Unit::Day => (day, day.succ_opt()?),
        Unit::Week => {
            let monday = day.checked_sub_days(Count::new(day.weekday().num_days_from_monday().into()))?;
            (monday, monday.checked_add_days(Count::new(7))?)
        }
        Unit::Month => (day.with_day(1)?, day.with_day(1)?.checked_add_months(Months::new(1))?),
        Unit::Year => {
            let first = day.with_day(1)?.with_month(1)?;
            (first, first.checked_add_months(Months::new(12))?)
        }
    };
    Some(DaySpan { first, last: next.pred_opt()?.min(today) })
}

/// Half a unit before and behind the day that many units ago.
fn around(today: NaiveDate, count: u32, unit: Unit) -> Option<DaySpan> {
    let day = back(today, count, unit)?;
    let half = Count::new(match unit {
        Unit::Day => 0,
        Unit::Week => 3,
        Unit::Month => 15,
        Unit::Year => 182,
    });
    Some(DaySpan { first: day.checked_sub_days(half)?, last: day.checked_add_days(half)?.min(today) })
}

/// The last so many units, up to today.
fn until(today: NaiveDate, count: u32, unit: Unit) -> Option<DaySpan> {
    Some(DaySpan { first: back(today, count, unit)?, last: today })
}

/// The latest such day of the week before today.
fn before(today: NaiveDate, day: Weekday) -> DaySpan {
    let since = (7 + today.weekday().num_days_from_monday() - day.num_days_from_monday()) % 7;
    let ago = if since == 0 { 7 } else { since };
    let day = today.checked_sub_days(Count::new(ago.into())).unwrap_or(today);
    DaySpan { first: day, last: day }
}

/// The latest such month of the calendar before this one.
fn latest_month(today: NaiveDate, month: u32) -> Option<DaySpan> {
    let year = if month < today.month() { today.year() } else { today.year() - 1 };
    let first = NaiveDate::from_ymd_opt(year, month, 1)?;
    Some(DaySpan { first, last: first.checked_add_months(Months::new(1))?.pred_opt()? })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn day(year: i32, month: u32, day: u32) -> NaiveDate {
        NaiveDate::from_ymd_opt(year, month, day).expect("a day")
    }

    /// The days that a question names on Thursday, 12 March 2026, as "MM-DD" or "MM-DD..MM-DD".
    fn named(text: &str) -> Option<String> {
        let DaySpan { first, last } = days_asked_in(text, day(2026, 3, 12))?;
        let shown = |day: NaiveDate| day.format("%m-%d").to_string();
        Some(if first == last { shown(first) } else { format!("{}..{}", shown(first), shown(last)) })
    }

    #[test]
    fn days_are_named_in_three_languages() {
        for (text, days) in [
            ("What did we decide today?", "03-12"),
            ("What happened this morning?", "03-12"),
            ("Show me yesterday's session", "03-11"),
            ("What did I tell you last night?", "03-11"),
            ("Who was with us the day before yesterday?", "03-10"),
            ("What did we say three days ago?", "03-09"),
            ("What did we say 3 days ago?", "03-09"),
            ("Who came on Monday?", "03-09"),
            ("Who came last Thursday?", "03-05"),
            ("Was haben wir gestern beschlossen?", "03-11"),
            ("Wer kam vorgestern?", "03-10"),
            ("Was habe ich vor drei Tagen gesagt?", "03-09"),
            ("Wer kam am Montag?", "03-09"),
            ("Was haben wir heute früh besprochen?", "03-12"),
            ("Qu’avons-nous décidé hier ?", "03-11"),
            ("Qu’avons-nous dit avant-hier ?", "03-10"),
            ("Qu’ai-je dit il y a trois jours ?", "03-09"),
            ("Qu’avons-nous dit lundi dernier ?", "03-09"),
            ("Qu’avons-nous dit aujourd’hui ?", "03-12"),
        ] {
            assert_eq!(named(text).as_deref(), Some(days), "{text}");
        }
    }

    #[test]
    fn weeks_months_and_years_are_named_in_three_languages() {
        for (text, days) in [
            ("What did we decide last week?", "03-02..03-08"),
            ("What did we decide this week?", "03-09..03-12"),
            ("What did we decide last month?", "02-01..02-28"),
            ("What did I write two weeks ago?", "02-23..03-01"),
            ("What did I write a couple of weeks ago?", "02-23..03-01"),
            ("What did I write in the last 3 days?", "03-09..03-12"),
            ("What did we decide last March?", "03-01..03-31"),
            ("What did we decide last February?", "02-01..02-28"),
            ("Was haben wir letzte Woche beschlossen?", "03-02..03-08"),
            ("Was stand vor zwei Wochen in meinen Notizen?", "02-23..03-01"),
            ("Was taten wir im letzten Februar?", "02-01..02-28"),
            ("Was haben wir in den letzten drei Tagen getan?", "03-09..03-12"),
            ("Qu’avons-nous décidé la semaine dernière ?", "03-02..03-08"),
            ("Qu’ai-je écrit il y a deux semaines ?", "02-23..03-01"),
            ("Qu’avons-nous fait en février dernier ?", "02-01..02-28"),
            ("Qu’avons-nous fait les trois derniers jours ?", "03-09..03-12"),
            ("Did we say it yesterday or on Monday?", "03-09..03-11"),
        ] {
            assert_eq!(named(text).as_deref(), Some(days), "{text}");
        }
    }

    #[test]
    fn what_a_story_tells_and_what_names_no_day_is_left_out() {
        for text in [
            "",
            "Yesterday the siege began.",
            "Yesterday we took the gate of my city.",
            "My king turned thirty this year. What now?",
            "The last king ruled two hundred years.",
            "Who is the last of the Vales?",
            "Who led in the last year of the war?",
            "Wer wohnt hier?",
            "Was haben wir hier gefunden?",
            "Who rules on the hill?",
            "What did the last seven kings want?",
            "Where did Toma live before he came here four years ago?",
            "What did Mira write yesterday that was read in the hall?",
            "Wo lebte Toma, bevor er vor vier Jahren herkam?",
            "Who was born in March?",
            "What are the 12 days of the feast?",
        ] {
            assert_eq!(named(text), None, "{text}");
        }
        assert_eq!(named("Yesterday the siege began. Who led it?"), None);
        let typed = ["siege yesterday", "Where did Toma live before the siege four years ago"];
        assert_eq!(typed.map(|text| days_in(text, day(2026, 3, 12)).is_some()), [true, false]);
        assert_eq!(named("Who led it?\nWhat did we say yesterday?"), Some("03-11".to_owned()));
    }

    #[test]
    fn a_day_near_the_days_counts_half() {
        let week = days_in("What did we do last week?", day(2026, 3, 12)).expect("days");
        let shares = [day(2026, 3, 2), day(2026, 3, 8), day(2026, 3, 11), day(2026, 3, 12), day(2026, 2, 27)];
        assert_eq!(shares.map(|day| Some(week.share(day))), [1.0, 1.0, 0.5, 0.0, 0.5].map(Some));
        let yesterday = days_in("What did we do yesterday?", day(2026, 3, 12)).expect("days");
        assert_eq!(
            [10, 11, 12, 9].map(|at| Some(yesterday.share(day(2026, 3, at)))),
            [0.5, 1.0, 0.5, 0.0].map(Some)
        );
    }

    proptest! {
        /// Whatever is asked on whatever day: the days are in order, and none is in the future.
        #[test]
        fn days_are_in_order_and_not_in_the_future(
            at in 0u64..200_000,
            words in proptest::collection::vec(
                proptest::sample::select(vec![
                    "last", "two", "400", "weeks", "years", "ago", "vor", "einem", "monat", "il", "y", "a", "on", "monday",
                    "février", "dernier", "yesterday", "this", "month", "letzten", "we",
                ]),
                0..12,
            ),
        ) {
            let today = day(1900, 1, 1).checked_add_days(Count::new(at)).expect("a day");
            if let Some(days) = days_in(&format!("{}?", words.join(" ")), today) {
                let DaySpan { first, last } = days;
                prop_assert!(first <= last && last <= today);
                let wide = days.with_near_days().expect("days");
                let shares = [wide.first, first, last, wide.last].map(|day| Some(days.share(day)));
                prop_assert_eq!(shares, [0.5, 1.0, 1.0, 0.5].map(Some));
                let outside = [wide.first.pred_opt(), wide.last.succ_opt()].map(|day| day.map(|day| days.share(day)));
                prop_assert_eq!(outside, [Some(0.0); 2]);
            }
        }

        #[test]
        fn any_text_is_read(text in ".{0,200}") {
            let (all, asked) = (days_in(&text, day(2026, 3, 12)), days_asked_in(&text, day(2026, 3, 12)));
            prop_assert!(asked.is_none() || all.is_some());
        }
    }
}
