//! Decides whether two entries say the same or only look alike.
//!
//! A vector cannot distinguish "favourite colour: purple" from "favourite colour: cyan". So names, numbers and
//! negations are compared as well, and texts that differ in one of these are never treated as equal.

use std::collections::BTreeSet;

mod parallel;
mod same;
mod verbs;

pub(crate) use parallel::{Contrast, Item, MAX_PLACE_WORDS, PRONOUNS, Part, Sort, contrasts, items};
pub use same::near_identical;

use crate::{
    language::is_question,
    text::fold,
    words::{is_stop_word, words},
};

/// Cosine above which two search results are folded into one.
pub const FOLD_COSINE: f32 = 0.9;

const NEGATIONS: &[&str] =
    &["no", "not", "never", "none", "nobody", "nothing", "nowhere", "neither", "nor", "without", "cannot"];

/// What identifies a statement: names, numbers, negations, and whether it asks.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Identity {
    names: BTreeSet<String>,
    numbers: BTreeSet<String>,
    negations: usize,
    /// True for a question: it says nothing that a statement of the same words says.
    asks: bool,
}

impl Identity {
    /// Reads a text. A name is a capitalised word that is not a stop word. The first word of a sentence counts too,
    /// which errs on the side of keeping two texts apart.
    pub fn of(text: &str) -> Self {
        let mut identity = Self { asks: asks(text), ..Self::default() };
        for word in text.split(|c: char| !(c.is_alphanumeric() || c == '\'' || c == '’')) {
            let word = word.trim_matches(['\'', '’']);
            let Some(first) = word.chars().next() else { continue };
            let folded = fold(word);
            if word.chars().any(char::is_numeric) {
                identity.numbers.insert(folded);
            } else if NEGATIONS.contains(&folded.as_str())
                || folded.ends_with("n't")
                || folded.ends_with("n’t")
            {
                identity.negations += 1;
            } else if first.is_uppercase() && !is_stop_word(&folded) {
                identity.names.insert(folded);
            }
        }
        identity
    }

    /// The folded names.
    pub const fn names(&self) -> &BTreeSet<String> {
        &self.names
    }

    /// The words that hold a digit, folded.
    pub const fn numbers(&self) -> &BTreeSet<String> {
        &self.numbers
    }

    /// The number of negation words.
    pub const fn negations(&self) -> usize {
        self.negations
    }
}

fn asks(text: &str) -> bool {
    text.trim_end().ends_with(is_question)
}

/// True if both texts have the same names, numbers and negations, and both or none of them ask.
pub fn same_identity(a: &str, b: &str) -> bool {
    Identity::of(a) == Identity::of(b)
}

/// Number of common first letters for two words to count as forms of one word.
const STEM_LETTERS: usize = 4;
/// Maximum number of swapped words for two sentences to count as variants of one sentence.
const MAX_SWAPS: usize = 2;

/// True if the texts differ only in one or two swapped words ("grey eyes" / "brown eyes"): the vectors are close, but
/// the statements differ.
pub fn swaps_a_word(a: &str, b: &str) -> bool {
    let (a, b) = (words(a), words(b));
    if a.len() != b.len() {
        return false;
    }
    let same_stem =
        |x: &str, y: &str| x.chars().zip(y.chars()).take_while(|(p, q)| p == q).count() >= STEM_LETTERS;
    let swapped = a.iter().zip(&b).filter(|(x, y)| x != y && !same_stem(x, y)).count();
    (1..=MAX_SWAPS).contains(&swapped)
}

/// True if two results with different texts may be folded into one: close in meaning, with equal names, numbers and
/// negations, and without a swapped word. Without vectors only equal texts are folded (compare them by
/// [`crate::text::fold`]).
pub fn may_fold(a: &str, b: &str, cosine: Option<f32>) -> bool {
    cosine.is_some_and(|cosine| cosine > FOLD_COSINE) && same_identity(a, b) && !swaps_a_word(a, b)
}

/// Cosine above which two entries are neighbours: the same statement or a contradiction, which vectors alone cannot
/// distinguish.
pub const MERGE_COSINE: f32 = 0.95;

/// The relation of two texts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Likeness {
    /// The same statement: one text can replace the other.
    Same,
    /// Variants of one statement: both cannot be true, or a person has to check.
    Conflict,
    /// Two different statements.
    Different,
}

/// Compares two texts. A cosine never makes them the same; only [`near_identical`] does. A cosine at or below
/// [`MERGE_COSINE`] makes them different regardless of their words. Without a cosine the words alone decide.
pub fn likeness(a: &str, b: &str, cosine: Option<f32>) -> Likeness {
    if near_identical(a, b) {
        Likeness::Same
    } else if cosine.is_none_or(|cosine| cosine > MERGE_COSINE) && parallel::contradict(a, b) {
        Likeness::Conflict
    } else {
        Likeness::Different
    }
}

#[cfg(test)]
mod tests {
    use proptest::strategy::Strategy;

    use super::*;

    #[test]
    fn texts_that_differ_in_a_name_number_negation_or_question_are_never_folded() {
        for (a, b) in [
            ("Mira guards the gate.", "Toma guards the gate."),
            ("The bridge has 7 arches.", "The bridge has 9 arches."),
            ("The gate is open.", "The gate is not open."),
            ("He can swim.", "He can't swim."),
            ("Her eyes are grey.", "Her eyes are brown."),
            ("The gate is iron.", "The gate is iron?"),
        ] {
            assert!(!may_fold(a, b, Some(0.99)), "{a} / {b}");
        }
    }

    #[test]
    fn equal_statements_with_a_high_cosine_are_folded() {
        assert!(may_fold("The gate is made of iron.", "The gate is iron-made.", Some(0.95)));
        assert!(!may_fold("The gate is made of iron.", "The gate is iron-made.", None));
        assert!(!may_fold("The gate is made of iron.", "The gate is iron-made.", Some(0.85)));
    }

    proptest::proptest! {
        #[test]
        fn folding_does_not_depend_on_the_order(a in "\\PC{0,60}", b in "\\PC{0,60}", c in 0.0f32..1.0) {
            proptest::prop_assert_eq!(may_fold(&a, &b, Some(c)), may_fold(&b, &a, Some(c)));
        }
    }

    /// Similar sentences, so that every rule is reached.
    fn sentence() -> impl Strategy<Value = String> {
        const WORDS: &[&str] = &[
            "the",
            "a",
            "Mira",
            "Jonas",
            "gate",
            "is",
            "not",
            "was",
            "open",
            "3",
            "three",
            "43",
            "no",
            "never",
            "and",
            "loves",
            "A",
            "iron",
            "grey",
            "gray",
            "March",
            "march",
            "門は",
            "開いていない",
            "🐉",
            "-5",
            "1,000",
            "few",
            "No,",
            "open.",
            "Mira's",
            "nicht",
            "?",
            "US",
            "us",
        ];
        proptest::collection::vec(proptest::sample::select(WORDS), 1..9).prop_map(|words| words.join(" "))
    }

    proptest::proptest! {
        #![proptest_config(proptest::test_runner::Config::with_cases(1024))]

        #[test]
        fn likeness_is_symmetric(a in sentence(), b in sentence()) {
            for cosine in [None, Some(0.99), Some(0.5)] {
                proptest::prop_assert_eq!(likeness(&a, &b, cosine), likeness(&b, &a, cosine));
            }
        }

        #[test]
        fn every_text_is_the_same_as_itself(a in "\\PC{1,80}", b in sentence()) {
            for text in [&a, &b] {
                proptest::prop_assert_eq!(likeness(text, text, None), Likeness::Same);
                let spaced = ["  ", text, "\n"].concat();
                proptest::prop_assert!(near_identical(text, &spaced) || text.trim().is_empty());
            }
        }

        /// Equal texts have equal names, numbers and negations, so that merging loses none of them.
        #[test]
        fn near_identical_texts_have_equal_names_numbers_and_negations(a in sentence(), b in sentence()) {
            if near_identical(&a, &b) {
                let numbers = |text: &str| Identity::of(text).numbers().clone();
                proptest::prop_assert_eq!(numbers(&a), numbers(&b));
                proptest::prop_assert_eq!(Identity::of(&a).negations(), Identity::of(&b).negations());
            }
        }

        #[test]
        fn a_low_cosine_separates_all_texts_that_are_not_near_identical(a in "\\PC{0,60}", b in "\\PC{0,60}") {
            let found = likeness(&a, &b, Some(MERGE_COSINE));
            proptest::prop_assert!(found != Likeness::Conflict);
            proptest::prop_assert_eq!(found == Likeness::Same, near_identical(&a, &b));
        }

        /// Replacing one word never gives the same statement.
        #[test]
        fn adding_or_replacing_a_word_gives_another_statement(a in sentence(), word in "[b-z]{3,8}", other in "[b-z]{3,8}") {
            proptest::prop_assume!(word != other);
            let (one, two) = ([&a, " ", &word].concat(), [&a, " ", &other].concat());
            proptest::prop_assert!(!near_identical(&one, &two));
            proptest::prop_assert!(!near_identical(&one, &a));
        }
    }
}
