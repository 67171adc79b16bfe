//! The names of those who speak, and queries without them.

use std::{borrow::Cow, collections::HashSet, ops::Range};

use super::ranking::utterance::names_of;
use crate::words::{is_stop_word, word_ranges, words};

/// The names of everybody who said something in a store.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Speakers(HashSet<String>);

impl Speakers {
    /// Adds a speaker. Roles, such as "user" and "assistant", are no names.
    pub fn add(&mut self, speaker: &str) {
        self.0.extend(names_of(speaker));
    }

    /// Those of both.
    #[must_use]
    pub fn and(mut self, others: Self) -> Self {
        self.0.extend(others.0);
        self
    }

    /// A query as it is compared by meaning: without the names of speakers. Everything that a person says is near to a query
    /// that names the person, whatever it is about; that the query names the speaker counts by itself. A query of names alone
    /// stays as it is.
    pub fn without_names<'q>(&self, query: &'q str) -> Cow<'q, str> {
        let named: Vec<Range<usize>> =
            capitalised(query).filter(|word| self.0.contains(&query[word.clone()].to_lowercase())).collect();
        if named.is_empty() {
            return Cow::Borrowed(query);
        }
        let mut rest = String::with_capacity(query.len());
        let mut from = 0;
        for word in named {
            rest.push_str(&query[from..word.start]);
            from = word.end + possessive(&query[word.end..]);
        }
        rest.push_str(&query[from..]);
        let rest = rest.split_whitespace().collect::<Vec<_>>().join(" ");
        if words(&rest).is_empty() { Cow::Borrowed(query) } else { Cow::Owned(rest) }
    }
}

/// True if a query may name somebody, so that the speakers need to be read at all.
pub fn may_name_somebody(query: &str) -> bool {
    capitalised(query).any(|word| !is_stop_word(&query[word].to_lowercase()))
}

/// The words that begin with a capital, as ranges.
fn capitalised(text: &str) -> impl Iterator<Item = Range<usize>> {
    word_ranges(text).filter(|word| text[word.clone()].starts_with(char::is_uppercase))
}

/// The length of the ending of a possessive.
fn possessive(rest: &str) -> usize {
    let ending =
        rest.strip_prefix('\'').or_else(|| rest.strip_prefix('’')).and_then(|rest| rest.strip_prefix('s'));
    match ending {
        Some(after) if !after.starts_with(char::is_alphanumeric) => rest.len() - after.len(),
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn speakers() -> Speakers {
        let mut speakers = Speakers::default();
        for speaker in ["Mira Vale", "Élodie", "Zoe\u{301}", "assistant", "user", "Toma"] {
            speakers.add(speaker);
        }
        speakers
    }

    #[test]
    fn names_of_speakers_are_left_out_of_a_query() {
        for (query, rest) in [
            ("What did Mira tell Toma about the gate?", "What did tell about the gate?"),
            ("Where is Mira's boat?", "Where is boat?"),
            ("What are Élodie’s plans", "What are plans"),
            // The accent of a speaker's name that was written behind its letter.
            ("Is Zoe\u{301} there", "Is there"),
            ("Mira Vale", "Mira Vale"),
            ("Mira's", "Mira's"),
            ("the vale of tears", "the vale of tears"),
            ("What did User say", "What did User say"),
            ("Who keeps the gate?", "Who keeps the gate?"),
            ("Did Mirabel sing", "Did Mirabel sing"),
        ] {
            assert_eq!(speakers().without_names(query), rest, "{query}");
        }
    }

    #[test]
    fn a_query_of_ordinary_words_needs_no_speakers() {
        assert!(may_name_somebody("What did Mira say?") && may_name_somebody("Mira"));
        assert!(
            !may_name_somebody("What was it about?") && !may_name_somebody("") && !may_name_somebody("ÿ ’s")
        );
    }

    proptest! {
        #[test]
        fn any_query_stays_a_text_without_names(query in "(\\PC|Mira|Toma| |'s|’s){0,30}") {
            let rest = speakers().without_names(&query);
            prop_assert!(rest.len() <= query.len());
            if rest != query {
                prop_assert!(!words(&rest).is_empty());
                let again = speakers().without_names(&rest);
                prop_assert!(again == rest || again.len() < rest.len());
            }
        }
    }
}
