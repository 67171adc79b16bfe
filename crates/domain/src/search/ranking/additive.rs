//! The default order: an additive model over the lists.

use super::{FusionStrategy, ListName, ListValues};

/// Adds a share of each list's weight. BM25 is divided by the best score; the cosine and the similarity of words are stretched
/// to the range of the candidates; the other lists have shares from 0 to 1. Every candidate has a value in every list, so that the shares are
/// comparable. How the weights were chosen and what each is worth is in `docs/recall.md`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Additive {
    /// Weight of full-text search.
    pub text: f64,
    /// Weight of vector search.
    pub meaning: f64,
    /// Weight of the words compared one by one.
    pub word_meaning: f64,
    /// Weight of full-text search over the joined texts.
    pub around_text: f64,
    /// Weight of the meaning of what was said around it.
    pub around_meaning: f64,
    /// Weight of a named speaker.
    pub speaker: f64,
    /// Weight of the date.
    pub date: f64,
    /// Weight of the days. A text of these days comes before one that fits in words and meaning alone.
    pub days: f64,
    /// Weight of the length.
    pub length: f64,
    /// Weight of what a person said.
    pub person: f64,
    /// Weight of what follows a question.
    pub answer: f64,
    /// Weight of what is no question.
    pub statement: f64,
    /// Weight of freshness. It only separates results that are otherwise close, as nearness does.
    pub freshness: f64,
    /// Weight of nearness.
    pub nearness: f64,
}

impl Default for Additive {
    fn default() -> Self {
        Self {
            text: 0.75,
            meaning: 2.0,
            word_meaning: 2.0,
            around_text: 1.75,
            around_meaning: 1.75,
            speaker: 0.75,
            date: 3.5,
            days: 6.5,
            length: 0.75,
            person: 2.0,
            answer: 1.25,
            statement: 0.75,
            freshness: 0.05,
            nearness: 0.05,
        }
    }
}

impl FusionStrategy for Additive {
    fn name(&self) -> &'static str {
        "additive"
    }

    fn weight(&self, list: ListName) -> f64 {
        match list {
            ListName::Name => 0.0,
            ListName::Text => self.text,
            ListName::Meaning => self.meaning,
            ListName::WordMeaning => self.word_meaning,
            ListName::Freshness => self.freshness,
            ListName::Nearness => self.nearness,
            ListName::AroundText => self.around_text,
            ListName::AroundMeaning => self.around_meaning,
            ListName::Speaker => self.speaker,
            ListName::Date => self.date,
            ListName::Days => self.days,
            ListName::Length => self.length,
            ListName::Person => self.person,
            ListName::Answer => self.answer,
            ListName::Statement => self.statement,
        }
    }

    fn share(&self, values: &ListValues, _: usize, raw: f64) -> f64 {
        match values.list {
            ListName::Text | ListName::Freshness => values.of_best(raw),
            ListName::Meaning | ListName::WordMeaning => values.of_range(raw),
            ListName::Nearness => 1.0 + raw / 4.0,
            ListName::Name
            | ListName::AroundText
            | ListName::AroundMeaning
            | ListName::Speaker
            | ListName::Date
            | ListName::Days
            | ListName::Length
            | ListName::Person
            | ListName::Answer
            | ListName::Statement => raw,
        }
    }
}
