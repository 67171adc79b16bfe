//! Phrases to search texts for, word by word: the name of a subject, or the sentences of an entry.

use thiserror::Error;

use super::{SENTENCE_WORDS, fingerprint_forms, words_of};

/// Maximum length of a subject's name, in characters.
const LONGEST: usize = 120;
/// Minimum number of letters or digits. One letter does not identify a subject.
const SHORTEST: usize = 2;

/// The name of a subject is too short or too long.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("name the subject with {SHORTEST} letters or more, and at most {LONGEST} characters")]
pub struct InvalidSubject;

/// The name of a subject. A scrub matches every text that contains it as whole words, in any case.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct SubjectName {
    given: String,
    words: String,
}

impl SubjectName {
    /// Checks a name as typed.
    ///
    /// # Errors
    /// [`InvalidSubject`] if it is too short or too long.
    pub fn new(given: &str) -> Result<Self, InvalidSubject> {
        let given = given.trim();
        let words = words_of(given).join(" ");
        let letters = words.chars().filter(|c| *c != ' ').count();
        if letters < SHORTEST || given.chars().count() > LONGEST {
            return Err(InvalidSubject);
        }
        Ok(Self { given: given.to_owned(), words })
    }

    /// The name as it was typed.
    pub fn as_str(&self) -> &str {
        &self.given
    }

    /// The words of the name in lower case, separated by single spaces.
    pub fn words(&self) -> &str {
        &self.words
    }
}

/// Word sequences to search texts for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Phrases(Vec<String>);

impl Phrases {
    /// Searches for the name of a subject.
    pub fn of_subject(name: &SubjectName) -> Self {
        Self(vec![format!(" {} ", name.words())])
    }

    /// Searches for a whole text and for each of its sentences that is long enough to be distinctive.
    pub fn of_text(text: &str) -> Self {
        let forms = fingerprint_forms(text);
        let long = |form: &&String| form.split(' ').count() >= SENTENCE_WORDS;
        let phrases: Vec<String> = forms.iter().filter(long).map(|form| format!(" {form} ")).collect();
        if phrases.is_empty() {
            Self(forms.iter().map(|form| format!(" {form} ")).collect())
        } else {
            Self(phrases)
        }
    }

    /// True if a text contains one of the phrases.
    pub fn are_in(&self, text: &str) -> bool {
        if self.0.is_empty() {
            return false;
        }
        let words = format!(" {} ", words_of(text).join(" "));
        self.0.iter().any(|phrase| words.contains(phrase.as_str()))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn subject(name: &str) -> Phrases {
        Phrases::of_subject(&SubjectName::new(name).expect("a name"))
    }

    #[test]
    fn a_subject_is_found_as_whole_words_whatever_case_and_punctuation() {
        for text in ["Oskar hid it.", "It was OSKAR'S.", "(oskar)", "Who? Oskar, of course"] {
            assert!(subject("Oskar").are_in(text), "{text}");
        }
        for text in ["Oskarsson hid it.", "Os kar", ""] {
            assert!(!subject("Oskar").are_in(text), "{text}");
        }
        assert!(subject("the Ash Gate").are_in("Beyond the Ash-Gate"));
        assert!(!subject("Ash Gate").are_in("Ash fell on the Gate"));
    }

    #[test]
    fn a_name_of_one_letter_or_of_symbols_only_is_refused() {
        for name in ["", " ", "O", "…!", &"x".repeat(LONGEST + 1)] {
            assert_eq!(SubjectName::new(name), Err(InvalidSubject), "{name}");
        }
    }

    #[test]
    fn a_text_is_found_again_by_each_of_its_sentences() {
        let phrases = Phrases::of_text("Oskar hid the ledger. The Ash Gate opens at dawn! Yes.");
        assert!(phrases.are_in("I heard that the ash gate opens at dawn, always."));
        assert!(phrases.are_in("oskar hid the ledger"));
        assert!(!phrases.are_in("Yes."));
        assert!(!Phrases::of_text("").are_in("anything"));
        assert!(Phrases::of_text("Iron gate.").are_in("an iron gate"), "a short text is looked for whole");
    }

    proptest! {
        #[test]
        fn a_text_contains_its_own_phrases(text in "[a-zA-Z]{1,8}( [a-zA-Z]{1,8}){0,6}[.!]?") {
            let within = format!("Before. {text} After.");
            prop_assert!(Phrases::of_text(&text).are_in(&within));
        }
    }
}
