//! Names that recur in texts: what may be worth a page of its own.

use std::collections::{BTreeMap, HashMap};

use crate::{
    language::{Kind, Pause, Token, is_everyday_name, is_ordinary, is_shouted, tokens},
    text::fold,
};

/// The most words of a name. A small word ends it: "Queen Ama of Ambry" is two names.
const MOST_WORDS: usize = 3;
/// The fewest letters of a name of one word.
const MIN_CHARS: usize = 3;
/// Capitals tell nothing in a text in which more than one word in so many begins with one inside a sentence: a list of
/// titles, or a language that writes every noun so.
const CAPITALS: usize = 5;

/// A name with the number of texts that have it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecurringName {
    /// As the first of the texts writes it.
    pub name: String,
    /// Number of texts.
    pub texts: u32,
}

/// Counts the names of texts, each once a text.
#[derive(Debug, Default)]
pub struct RecurringNames(HashMap<String, RecurringName>);

impl RecurringNames {
    /// Adds a text.
    pub fn add(&mut self, text: &str) {
        for (key, name) in names_in(text) {
            let found = self.0.entry(key).or_insert(RecurringName { name, texts: 0 });
            found.texts = found.texts.saturating_add(1);
        }
    }

    /// Names of at least so many texts, the most frequent first, then the longer one.
    pub fn of_at_least(self, texts: u32) -> Vec<RecurringName> {
        let mut found: Vec<RecurringName> =
            self.0.into_values().filter(|found| found.texts >= texts).collect();
        found.sort_by(|a, b| {
            (b.texts, b.name.chars().count())
                .cmp(&(a.texts, a.name.chars().count()))
                .then(a.name.cmp(&b.name))
        });
        found
    }
}

/// The names of a text by their keys.
fn names_in(text: &str) -> BTreeMap<String, String> {
    let tokens = tokens(text);
    let shouted = is_shouted(text);
    let mut names = BTreeMap::new();
    if shouted || are_capitals_common(&tokens) {
        return names;
    }
    let mut run: Vec<&Token<'_>> = Vec::new();
    for token in &tokens {
        let is_name = token.is_name(shouted);
        let goes_on = run.last().is_some_and(|last| last.pause == Pause::None && last.bare() == last.folded);
        if (!is_name || !goes_on || run.len() == MOST_WORDS) && !run.is_empty() {
            note(text, &run, &mut names);
            run.clear();
        }
        if is_name {
            run.push(token);
        }
    }
    note(text, &run, &mut names);
    names
}

/// Adds the name of a run of tokens, if it is one.
fn note(text: &str, run: &[&Token<'_>], names: &mut BTreeMap<String, String>) {
    let (Some(first), Some(last)) = (run.first(), run.last()) else { return };
    let name = &text[first.at..last.at + last.raw_bare().len()];
    let is_single = run.len() == 1;
    if is_single
        && (name.chars().count() < MIN_CHARS || is_ordinary(first.bare()) || is_everyday_name(first.bare()))
    {
        return;
    }
    names.entry(fold(name)).or_insert_with(|| name.to_owned());
}

fn are_capitals_common(tokens: &[Token<'_>]) -> bool {
    let inside = || tokens.iter().filter(|token| token.kind == Kind::Word && !token.opens);
    let capitals = inside().filter(|token| token.raw.starts_with(char::is_uppercase)).count();
    // A short text may be a name with a few words around it.
    inside().count() >= 3 * CAPITALS && capitals * CAPITALS > inside().count()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn recurring(texts: &[&str], at_least: u32) -> Vec<(String, u32)> {
        let mut names = RecurringNames::default();
        for text in texts {
            names.add(text);
        }
        names.of_at_least(at_least).into_iter().map(|found| (found.name, found.texts)).collect()
    }

    #[test]
    fn a_name_is_counted_once_a_text_and_a_possessive_is_the_same_name() {
        let texts = [
            "Ysolde keeps the bees. In the evening Ysolde sings.",
            "He lost Ysolde's lamp at the Salt Gate.",
            "Nobody at the Salt Gate knows ysolde.",
            "The harbour is closed at the Salt Gate.",
        ];
        assert_eq!(recurring(&texts, 2), [("Salt Gate".to_owned(), 3), ("Ysolde".to_owned(), 2)]);
    }

    #[test]
    fn ordinary_words_and_openings_of_sentences_are_no_names() {
        let texts =
            ["The harbour is closed. Nobody came. Salt is dear.", "The Queen came on Monday. I saw it."];
        assert_eq!(recurring(&texts, 1), []);
    }

    #[test]
    fn capitals_tell_nothing_where_every_noun_has_one() {
        let german = "Der alte Hafenmeister schloss am frühen Morgen das große Tor, und die müden Händler der \
                      Stadt warteten mit ihren Karren vor der Mauer auf das Zeichen der Glocke.";
        assert_eq!(recurring(&[german], 1), []);
    }

    #[test]
    fn neighbours_across_a_comma_are_two_names() {
        assert_eq!(recurring(&["We met Ysolde, Teodric and old Brannoch there."], 1).len(), 3);
    }

    proptest! {
        #[test]
        fn any_text_gives_names_that_stand_in_it(text in "\\PC{0,120}") {
            let mut names = RecurringNames::default();
            names.add(&text);
            for found in names.of_at_least(1) {
                prop_assert!(text.contains(&found.name) && found.texts == 1);
            }
        }
    }
}
