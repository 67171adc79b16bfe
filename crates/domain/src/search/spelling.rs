//! What a word that no text holds may mean: a name that is spelled a little differently, or a part of a compound.
//!
//! Invented names are in no dictionary, and German and its relatives write compounds as one word. So the words of the index
//! itself are what a word is compared with.

use unicode_normalization::UnicodeNormalization as _;

use crate::{language::is_ordinary, words::is_accent};

/// Shorter names are too close to too many others.
const MIN_NAME_CHARS: usize = 4;
/// From this length on, two letters may differ instead of one.
const LONG_NAME_CHARS: usize = 8;
/// The most spellings that are searched for.
const MOST_SPELLINGS: usize = 3;
/// The shortest part of a compound.
const MIN_PART_CHARS: usize = 5;
/// The fewest letters that a compound has beside a part. Fewer are an ending.
const MIN_REST_CHARS: usize = 3;
/// The most compounds that are searched for.
const MOST_COMPOUNDS: usize = 8;
/// The longest ending that a stem may lack.
const MOST_ENDING_CHARS: usize = 2;

/// A word of a query, prepared for comparison with the words of an index.
#[derive(Debug, Clone)]
pub struct UnknownWord {
    plain: String,
    /// What a stem of the word has at least: the word without an ending.
    root: String,
    chars: usize,
    may_be_a_name: bool,
}

impl UnknownWord {
    /// `None` if nothing is meant by the word but itself: it has digits, or it is too short.
    pub fn new(word: &str) -> Option<Self> {
        let plain: String = word.nfd().filter(|c| !is_accent(*c)).flat_map(char::to_lowercase).collect();
        let chars = plain.chars().count();
        let is_word = chars >= MIN_NAME_CHARS && plain.chars().all(char::is_alphabetic);
        let may_be_a_name = !is_ordinary(&plain);
        let of_root = chars.saturating_sub(MOST_ENDING_CHARS).max(MIN_PART_CHARS);
        let root = plain.chars().take(of_root).collect();
        (is_word && (may_be_a_name || chars >= MIN_PART_CHARS)).then_some(Self {
            plain,
            root,
            chars,
            may_be_a_name,
        })
    }

    /// The words of an index that may be meant: first the nearest spellings of a name, then compounds, the shortest first.
    /// The words of the index are lower case, without accents, and may be stems. The same words in another order give the
    /// same result.
    pub fn meant<'t>(&self, index: impl Iterator<Item = &'t str>) -> Vec<&'t str> {
        let mut spellings: Vec<(usize, &str)> = Vec::new();
        let mut compounds: Vec<(usize, &str)> = Vec::new();
        for term in index {
            let chars = term.chars().count();
            if let Some(distance) = self.distance(term, chars) {
                spellings.push((distance, term));
            } else if self.chars >= MIN_PART_CHARS
                && chars >= self.chars + MIN_REST_CHARS
                && term.contains(&self.root)
                && term.chars().all(char::is_alphabetic)
            {
                compounds.push((chars, term));
            }
        }
        spellings.sort_unstable();
        compounds.sort_unstable();
        let least = spellings.first().map_or(0, |(distance, _)| *distance);
        let spellings = spellings.into_iter().take_while(|(distance, _)| *distance == least);
        let spellings = spellings.take(MOST_SPELLINGS).map(|(_, term)| term);
        spellings.chain(compounds.into_iter().take(MOST_COMPOUNDS).map(|(_, term)| term)).collect()
    }

    /// The number of letters that differ from a name of the index, two neighbours that changed places counted once; `None`
    /// if they are too many or the term is no name.
    fn distance(&self, term: &str, chars: usize) -> Option<usize> {
        let most = if self.chars >= LONG_NAME_CHARS { 2 } else { 1 };
        if !self.may_be_a_name || chars.abs_diff(self.chars) > most || chars < MIN_NAME_CHARS {
            return None;
        }
        let distance = strsim::osa_distance(&self.plain, term);
        // An ordinary word is known to a reader, and a name is not a wrong spelling of it.
        (distance <= most && term.chars().all(char::is_alphabetic) && !is_ordinary(term)).then_some(distance)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn meant<'t>(word: &str, index: &[&'t str]) -> Vec<&'t str> {
        UnknownWord::new(word).map_or_else(Vec::new, |word| word.meant(index.iter().copied()))
    }

    #[test]
    fn a_name_is_found_by_a_spelling_that_differs_in_a_letter() {
        let index = ["hepzibah", "ysold", "kvothe", "harbour", "anselm", "ama", "vael", "vaelin"];
        for (typed, found) in [
            ("Hepziba", vec!["hepzibah"]),
            ("Hepzibha", vec!["hepzibah"]),
            ("Kvohte", vec!["kvothe"]),
            ("Ánselm", vec!["anselm"]),
            ("Vaelim", vec!["vaelin"]),
            ("Vale", vec!["vael"]),
            ("Amma", vec![]),
            ("Oskar", vec![]),
        ] {
            assert_eq!(meant(typed, &index), found, "{typed}");
        }
    }

    #[test]
    fn an_ordinary_word_is_no_wrong_spelling_of_another_word() {
        assert!(meant("harbor", &["harbour", "barbor"]).is_empty());
        assert!(meant("Harbo", &["harbour"]).is_empty());
    }

    #[test]
    fn a_part_finds_the_compounds_that_hold_it() {
        let index =
            ["hafenmeist", "hafenmeisterin", "oberhafenmeister", "meisterhaft", "meistens", "c0ffeemeister0"];
        assert_eq!(
            meant("Meister", &index),
            ["hafenmeist", "meisterhaft", "hafenmeisterin", "oberhafenmeister"]
        );
        assert_eq!(meant("Hafen", &index), ["hafenmeist", "hafenmeisterin", "oberhafenmeister"]);
        assert!(meant("Tor", &["schlosstor"]).is_empty(), "too short to tell");
    }

    #[test]
    fn numbers_and_short_words_mean_themselves() {
        for word in ["312", "R2D2x", "Ama", "", "世界"] {
            assert!(UnknownWord::new(word).is_none(), "{word}");
        }
    }

    proptest! {
        #[test]
        fn what_is_meant_depends_on_the_words_alone(word in "[a-z]{4,12}", mut index in prop::collection::hash_set("[a-z]{1,16}", 0..40)) {
            index.insert(word.clone());
            let mut words: Vec<&str> = index.iter().map(String::as_str).collect();
            let found = meant(&word, &words);
            words.sort_unstable();
            prop_assert_eq!(&found, &meant(&word, &words));
            prop_assert!(found.len() <= MOST_SPELLINGS + MOST_COMPOUNDS);
            if UnknownWord::new(&word).is_some_and(|word| word.may_be_a_name) {
                prop_assert_eq!(found.first().copied(), Some(word.as_str()));
            }
        }
    }
}
