//! What is known of a text as a part of a conversation: who said it, when, and what was said around it.

use std::collections::{BTreeSet, HashSet};

use crate::{
    search::date::{self, DatePart},
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
    /// Share of the query's date parts that the date of the conversation has.
    pub date_share: f64,
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

    pub(super) fn date(&self) -> f64 {
        self.date_share
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

/// What a query names: people and dates.
#[derive(Debug, Clone)]
pub struct Named {
    words: HashSet<String>,
    date: BTreeSet<DatePart>,
}

impl Named {
    /// Reads a query.
    pub fn in_query(text: &str) -> Self {
        Self { words: words(text).into_iter().collect(), date: date::parts_of(text) }
    }

    /// True if the query contains a part of the speaker's name. Roles are no names.
    pub fn names(&self, speaker: &str) -> bool {
        names_of(speaker).any(|part| self.words.contains(&part))
    }

    /// The share of the query's date parts that a date has.
    pub fn date_share(&self, date: &BTreeSet<DatePart>) -> f64 {
        date::share(&self.date, date)
    }

    /// True if the query names a date, so that dates need to be read at all.
    pub fn has_date(&self) -> bool {
        !self.date.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_query_names_people_and_not_roles() {
        let named = Named::in_query("What did Mira tell the assistant in May 2023?");
        assert!(named.names("Mira Vale") && !named.names("assistant") && !named.names("Toma"));
        assert!(is_machine("Assistant") && !is_machine("Mira") && !is_machine("user"));
        assert!((named.date_share(&date::parts_of("8 May, 2023")) - 1.0).abs() < f64::EPSILON);
    }
}
