//! What is known of a text as a part of a conversation: who said it, when, and what was said around it.

use std::{
    collections::{BTreeSet, HashSet},
    ops::Range,
};

use chrono::{DateTime, FixedOffset, NaiveDate, Utc};

use crate::{
    search::{
        date::{self, DatePart},
        time_words::{DaySpan, days_asked_in, days_in},
    },
    words::words,
};

/// The most messages before and after one whose words and meaning are joined with its own.
pub const AROUND: u64 = 2;
/// Length in bytes of a full statement: about 25 English words.
pub const FULL_STATEMENT: usize = 140;
/// The mean length in bytes of the texts around one up to which they count in full. Short turns need each other; a long
/// text says what it is about.
const SHORT_TURN: f64 = 300.0;
/// Names of speakers that are no persons.
const MACHINES: [&str; 8] = ["ai", "assistant", "bot", "chatgpt", "claude", "model", "system", "tool"];
/// The name of the person in a conversation with an assistant. It names nobody.
const USER: &str = "user";

/// A text as a part of a conversation, compared with one query.
#[derive(Debug, Clone, PartialEq)]
pub struct Utterance {
    /// The part of the query's words that the text or one around it has, from 0 to 1, rare words counted more; `None` if none of
    /// them has a word of the query.
    pub around_text: Option<f64>,
    /// Cosine of the joined vectors of the text and its two neighbours.
    pub around_meaning: Option<f64>,
    /// The mean similarity of the query's words to the nearest word each, of the text and those around it; `None` without codes.
    pub around_words: Option<f64>,
    /// Cosine of the beginning of the text, which says what a long text is about.
    pub first_meaning: Option<f64>,
    /// The text before it in the session.
    pub previous: Option<Previous>,
    /// True if it asks something itself.
    pub asks: bool,
    /// True if the query names the speaker.
    pub speaker_named: bool,
    /// Length in bytes.
    pub bytes: usize,
    /// Mean length in bytes of the text and those around it.
    pub around_bytes: f64,
    /// True if a person said it.
    pub by_person: bool,
}

/// The text before another one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Previous {
    /// BM25 score; `None` if it has no word of the query.
    pub text: Option<f64>,
    /// True if it asks something.
    pub asks: bool,
}

/// True if a speaker is a machine, by the names that exports use.
pub fn is_machine(speaker: &str) -> bool {
    MACHINES.contains(&speaker.trim().to_lowercase().as_str())
}

impl Utterance {
    pub(super) fn speaker(&self) -> f64 {
        f64::from(u8::from(self.speaker_named))
    }

    pub(super) fn length(&self) -> f64 {
        self.bytes.min(FULL_STATEMENT) as f64 / FULL_STATEMENT as f64
    }

    pub(super) fn person(&self) -> f64 {
        f64::from(u8::from(self.by_person))
    }

    /// What is said in short turns answers the question before it.
    pub(super) fn answer(&self, best_previous: f64) -> f64 {
        let asked = self.previous.filter(|previous| previous.asks).and_then(|previous| previous.text);
        let share = asked.map_or(0.0, |text| text / best_previous);
        if share.is_finite() { self.part_of_around() * share } else { 0.0 }
    }

    pub(super) fn statement(&self) -> f64 {
        if self.asks { 0.0 } else { self.part_of_around() }
    }

    /// How much the texts around count instead of the text itself, from 0 to 1.
    pub(super) fn part_of_around(&self) -> f64 {
        (SHORT_TURN / self.around_bytes.max(1.0)).min(1.0)
    }
}

/// The parts of a speaker's name in lower case. A role has none.
pub fn names_of(speaker: &str) -> impl Iterator<Item = String> {
    words(speaker).into_iter().filter(|part| part.chars().count() > 1 && part != USER && !is_machine(part))
}

/// What a query names: people, dates, and days relative to the one on which it is asked.
#[derive(Debug, Clone)]
pub struct Named {
    words: HashSet<String>,
    date: BTreeSet<DatePart>,
    days: Option<DaySpan>,
    zone: FixedOffset,
}

impl Named {
    /// Reads a query that is asked at a time. Days are those of its zone.
    pub fn in_query(text: &str, asked_at: DateTime<FixedOffset>) -> Self {
        Self { days: days_in(text, asked_at.date_naive()), ..Self::in_text(text, asked_at) }
    }

    /// Reads a message that is sent at a time.
    pub fn in_message(text: &str, sent_at: DateTime<FixedOffset>) -> Self {
        Self { days: days_asked_in(text, sent_at.date_naive()), ..Self::in_text(text, sent_at) }
    }

    /// Reads a text that asks nothing, and so names no days relative to its own.
    pub fn in_text(text: &str, at: DateTime<FixedOffset>) -> Self {
        Self {
            words: words(text).into_iter().collect(),
            date: date::parts_of(text),
            days: None,
            zone: *at.offset(),
        }
    }

    /// True if the query contains a part of the speaker's name. Roles are no names.
    pub fn names(&self, speaker: &str) -> bool {
        names_of(speaker).any(|part| self.words.contains(&part))
    }

    /// The share of the query's date that a date in the form of its source has; `None` if the query names none.
    pub fn share_of_date(&self, written: &str) -> Option<f64> {
        (!self.date.is_empty()).then(|| self.share(&date::parts_of(written)))
    }

    /// As [`Self::share_of_date`], for a point in time.
    pub fn share_of_time(&self, at: DateTime<Utc>) -> Option<f64> {
        (!self.date.is_empty()).then(|| self.share(&date::parts_on(self.day_of(at))))
    }

    /// How well the day of a point in time fits the days that the query names relative to its own; `None` if it names none.
    pub fn fit_of_time(&self, at: DateTime<Utc>) -> Option<f64> {
        Some(self.days?.share(self.day_of(at)))
    }

    /// As [`Self::fit_of_time`], for a date in the form of its source; also `None` if it is not that of a day.
    pub fn fit_of_date(&self, written: &str) -> Option<f64> {
        let days = self.days?;
        Some(days.share(date::day_of(&date::parts_of(written))?))
    }

    /// True if it names a date or days, so that dates need to be read at all.
    pub fn names_time(&self) -> bool {
        !self.date.is_empty() || self.days.is_some()
    }

    /// The time of all days that have a share of those that the query names relative to its own.
    pub fn time(&self) -> Option<Range<DateTime<Utc>>> {
        let DaySpan { first, last } = self.days?.with_near_days()?;
        let begin =
            |day: NaiveDate| Some(day.and_hms_opt(0, 0, 0)?.and_local_timezone(self.zone).single()?.to_utc());
        Some(begin(first)?..begin(last.succ_opt()?)?)
    }

    fn day_of(&self, at: DateTime<Utc>) -> NaiveDate {
        at.with_timezone(&self.zone).date_naive()
    }

    fn share(&self, date: &BTreeSet<DatePart>) -> f64 {
        date.intersection(&self.date).count() as f64 / self.date.len() as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(text: &str) -> Named {
        Named::in_query(text, "2026-03-12T01:30:00+02:00".parse().expect("a time"))
    }

    fn at(time: &str) -> DateTime<Utc> {
        time.parse().expect("a time")
    }

    #[test]
    fn a_query_names_people_and_not_roles() {
        let named = named("What did Mira tell the assistant in May 2023?");
        assert!(named.names("Mira Vale") && !named.names("assistant") && !named.names("Toma"));
        assert!(is_machine("Assistant") && !is_machine("Mira") && !is_machine("user"));
        assert_eq!(named.share_of_date("8 May, 2023"), Some(1.0));
    }

    #[test]
    fn days_are_those_of_the_zone_in_which_it_is_asked() {
        let named = named("What did we decide yesterday?");
        assert_eq!(named.fit_of_time(at("2026-03-10T22:00:00Z")), Some(1.0));
        assert_eq!(named.fit_of_time(at("2026-03-10T21:59:00Z")), Some(0.5));
        assert_eq!(named.fit_of_date("11 March 2026"), Some(1.0));
        assert_eq!(named.fit_of_date("March 2026"), None, "no day is known");
        assert_eq!(named.time(), Some(at("2026-03-09T22:00:00Z")..at("2026-03-12T22:00:00Z")));
        assert_eq!(
            (named.share_of_date("11 March 2026"), named.share_of_time(at("2026-03-10T22:00:00Z"))),
            (None, None)
        );
    }

    #[test]
    fn a_message_names_days_where_it_asks_and_a_text_names_none() {
        let (query, question) = ("gate yesterday", "Who came yesterday?");
        let time = "2026-03-12T01:30:00+02:00".parse().expect("a time");
        let days = |named: Named| named.time().is_some();
        assert_eq!([query, question].map(|text| days(Named::in_query(text, time))), [true, true]);
        assert_eq!([query, question].map(|text| days(Named::in_message(text, time))), [false, true]);
        assert_eq!([query, question].map(|text| days(Named::in_text(text, time))), [false, false]);
    }

    #[test]
    fn a_date_counts_by_the_parts_that_a_question_names() {
        let asked = named("Who came on 11 March 2026?");
        assert_eq!(
            asked.share_of_time(at("2026-03-10T22:00:00Z")),
            Some(1.0),
            "of the zone in which it is asked"
        );
        assert_eq!(asked.share_of_date("11 May 2026"), Some(2.0 / 3.0));
        assert_eq!((asked.fit_of_date("11 March 2026"), asked.time()), (None, None));
        assert_eq!(named("Who keeps the gate?").share_of_date("11 May 2026"), None);
    }
}
