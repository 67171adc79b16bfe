//! Checks before an entry is stored: whether it says anything new, and which names it mentions.

use std::collections::BTreeSet;

use crate::{
    language::{Kind, Pause, Token, is_english, is_ordinary, is_shouted, negates, numerals, stem, tokens},
    memory::similarity::near_identical,
};

/// Words that limit a statement. If the known text has one of them, the two statements differ.
const HEDGES: &[&str] = &[
    "if",
    "unless",
    "probably",
    "maybe",
    "perhaps",
    "possibly",
    "may",
    "might",
    "must",
    "could",
    "would",
    "should",
    "said",
    "says",
    "say",
    "believes",
    "believe",
    "believed",
    "thinks",
    "thought",
    "claims",
    "claimed",
    "rumour",
    "rumor",
    "rumoured",
    "rumored",
    "allegedly",
    "supposedly",
    "nearly",
    "almost",
    "once",
    "formerly",
    "until",
    "when",
    "before",
    "after",
    "some",
    "most",
    "few",
    "many",
    "only",
    "false",
    "pretends",
    "pretended",
    "dreams",
    "doubts",
    "denies",
    "denied",
    "except",
    "lie",
    "lies",
    "seems",
    "apparently",
    "half",
    "elder",
    "younger",
    "whether",
    "hopes",
    "fears",
    "wants",
    "likely",
    "unlikely",
    "reportedly",
    "partly",
    "sometimes",
    "or",
    "as",
    "like",
];

/// True if the new text adds nothing to the known text. Either the two are near-identical, or one sentence of the
/// known text holds every word of the new text except articles. The words must stand in order and close together,
/// from the beginning of a clause, with the same names, numbers and negations, and without a hedge between them.
pub fn says_the_same(new: &str, known: &str) -> bool {
    if near_identical(new, known) {
        return true;
    }
    let list = tokens(new);
    let wanted = Facts::of(&list, is_shouted(new));
    if wanted.words.is_empty() {
        return false;
    }
    let all = tokens(known);
    let shouted = is_shouted(known);
    all.chunk_by(|x, y| x.sentence == y.sentence).any(|sentence| {
        let held = Facts::of(sentence, shouted);
        wanted.marks == held.marks && wanted.stands_in(&held)
    })
}

/// A sentence reduced to the compared parts.
struct Facts {
    words: Vec<String>,
    /// True for words that begin a clause.
    begins: Vec<bool>,
    /// Names, numbers, and the number of negations.
    marks: (BTreeSet<String>, Vec<String>, usize),
}

impl Facts {
    fn of(list: &[Token<'_>], shouted: bool) -> Self {
        let english = is_english(list);
        let names = list.iter().filter(|t| t.is_name(shouted)).map(|t| t.bare().to_owned()).collect();
        let mut numbers: Vec<String> =
            numerals(list, english).into_iter().map(|numeral| numeral.key).collect();
        numbers.sort_unstable();
        let negations = list.iter().filter(|token| negates(token, english)).count();
        let (mut words, mut begins) = (Vec::new(), Vec::new());
        let mut begin = true;
        for token in list {
            let article = matches!(token.folded.as_str(), "a" | "an" | "the");
            if !article {
                words.push(token.folded.clone());
                begins.push(begin);
            }
            begin = token.pause > Pause::None
                || matches!(token.folded.as_str(), "and" | "but")
                || (begin && article);
        }
        Self { words, begins, marks: (names, numbers, negations) }
    }

    fn stands_in(&self, held: &Self) -> bool {
        if held.words.iter().any(|word| HEDGES.contains(&word.as_str()) && !self.words.contains(word)) {
            return false;
        }
        let most = self.words.len().max(3);
        (0..held.words.len()).filter(|n| held.begins[*n] && held.words[*n] == self.words[0]).any(|from| {
            let mut at = from;
            self.words.iter().all(|word| {
                let found = held.words[at..].iter().position(|other| other == word);
                at += found.unwrap_or(0) + 1;
                at = at.min(held.words.len());
                found.is_some()
            }) && at - from <= self.words.len() + most
        })
    }
}

/// Words that add nothing to a fact's category, key and value.
const FILLING: &[&str] = &[
    "a",
    "an",
    "the",
    "is",
    "are",
    "of",
    "has",
    "have",
    "my",
    "his",
    "her",
    "their",
    "its",
    "our",
    "your",
    "user",
    "user's",
    "worldbuilder",
    "worldbuilder's",
    "author",
    "author's",
];
/// Categories that name only the type of a fact's subject and need not be repeated.
const SORTS: &[&str] = &[
    "author",
    "character",
    "general",
    "identity",
    "person",
    "place",
    "preference",
    "preferences",
    "profile",
    "project",
    "setting",
    "style",
    "user",
    "world",
    "worldbuilder",
    "writing",
];

/// True if the text says no more than this fact: its words come from the category, the key and the value, it holds
/// the whole key and value, and the value comes last ("Mira's eye colour is grey").
pub fn states_fact(new: &str, category: &str, key: &str, value: &str) -> bool {
    let text = tokens(new);
    let (category, key, value) = (tokens(category), tokens(key), tokens(value));
    let stated = content(&text);
    let (about, named, value_words) = (content(&category), content(&key), content(&value));
    if value_words.is_empty() || named.is_empty() || stated.len() < value_words.len() {
        return false;
    }
    let (subject, end) = stated.split_at(stated.len() - value_words.len());
    let sort = category.iter().all(|token| SORTS.contains(&token.folded.as_str()));
    end == value_words
        && negations(&text) == negations(&key) + negations(&value)
        && named.iter().all(|word| subject.contains(word))
        && (sort || about.iter().all(|word| subject.contains(word)))
        && subject.iter().all(|word| named.contains(word) || about.contains(word))
}

fn negations(list: &[Token<'_>]) -> usize {
    let english = is_english(list);
    list.iter().filter(|token| negates(token, english)).count()
}

fn content(list: &[Token<'_>]) -> Vec<String> {
    list.iter()
        .filter(|token| !FILLING.contains(&token.folded.as_str()))
        .map(|token| if token.kind == Kind::Word { stem(&token.folded) } else { token.folded.clone() })
        .collect()
}

/// The possible proper names of a text, as written, without duplicates: each run of capitalised words, and each word
/// of such a run. The first word of a sentence is included unless it is an ordinary English word.
pub fn proper_names(text: &str) -> Vec<String> {
    let list = tokens(text);
    let shouted = is_shouted(text);
    let mut found: Vec<String> = Vec::new();
    let mut add = |name: &str| {
        if !found.iter().any(|known| known == name) {
            found.push(name.to_owned());
        }
    };
    let mut n = 0;
    while n < list.len() {
        if !list[n].is_name(shouted) {
            n += 1;
            continue;
        }
        let mut end = n;
        while joins(&list[end]) && list.get(end + 1).is_some_and(|next| next.is_name(shouted)) {
            end += 1;
        }
        let tail = &list[end];
        add(&text[list[n].at..tail.at + tail.raw_bare().len()]);
        for token in &list[n..=end] {
            add(token.raw_bare());
        }
        n = end + 1;
    }
    found
}

/// True if a name may continue after this word.
fn joins(token: &Token<'_>) -> bool {
    token.pause == Pause::None && token.raw == token.raw_bare()
}

/// True if the text uses this name (folded) as a proper name. If the text has no capitals, or its script has none, an
/// equal word is enough, unless it is an ordinary word.
pub fn mentions_name(text: &str, name_folded: &str) -> bool {
    let wanted = tokens(name_folded);
    if wanted.is_empty() {
        return false;
    }
    let list = tokens(text);
    let shouted = is_shouted(text);
    let small = !text.chars().any(char::is_uppercase);
    let caseless = !name_folded.chars().any(|c| c.is_lowercase() || c.is_uppercase());
    list.windows(wanted.len()).any(|run| {
        let same = run.iter().zip(&wanted).all(|(token, word)| token.bare() == word.bare());
        let evident = run.iter().any(|token| token.is_name(shouted));
        let plain = wanted.iter().all(|word| is_ordinary(word.bare()));
        same && (evident || caseless || (small && !plain))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_contained_in_a_known_sentence_is_not_new() {
        for (new, known) in [
            ("The gate is iron.", "the gate is IRON"),
            (
                "Mira guards the gate.",
                "The harbour is cold. Mira guards the old iron gate at night. It is late.",
            ),
            ("The gate is iron.", "The gate is iron and old."),
            ("Mira is 34.", "Mira is 34 years old."),
            ("Jonas is not dead.", "Jonas is not dead and not far."),
        ] {
            let twice = known.matches("not").count() > 1;
            assert_eq!(says_the_same(new, known), !twice, "{new} / {known}");
        }
    }

    #[test]
    fn a_text_that_differs_in_a_significant_word_is_new() {
        for (new, known) in [
            ("The gate is open.", "The gate is not open."),
            ("The gate is not open.", "The gate is open."),
            ("Mira guards the gate.", "Jonas told Mira that Toma guards the gate."),
            ("Mira guards the gate.", "The brother of Mira guards the gate."),
            ("Mira guards the gate.", "Toma guards the gate."),
            ("Mira is queen.", "Mira was queen."),
            ("Mira is dead.", "Mira is probably dead."),
            ("The king is dead.", "If the king is dead, the heir rules."),
            ("Guests must leave.", "Guests may leave."),
            ("Jonas loves Mira.", "Mira loves Jonas."),
            ("The gate is iron.", "The door is iron. The gate is old."),
            ("Mira is 34.", "Mira is 43."),
            ("The gate is iron and oak.", "The gate is iron."),
            ("Mira is queen.", "Is Mira queen?"),
            ("", "The gate is iron."),
            ("?!", "The gate is iron."),
        ] {
            assert!(!says_the_same(new, known), "{new} / {known}");
        }
    }

    #[test]
    fn a_text_states_a_fact_only_if_it_adds_nothing() {
        assert!(states_fact("Mira's eye colour is grey.", "Mira", "eye colour", "grey"));
        assert!(states_fact("Mira: eye colour: grey", "Mira", "eye_colour", "grey"));
        assert!(states_fact(
            "The user's favourite colour is purple.",
            "preferences",
            "favourite colour",
            "purple"
        ));
        assert!(states_fact("My favourite colour is purple", "user", "favourite_colour", "Purple"));
        assert!(states_fact("The capital of Veyra is Soln.", "Veyra", "capital", "Soln"));
        for (new, category, key, value) in [
            ("Mira's eye colour is cyan.", "Mira", "eye colour", "grey"),
            ("Mira's eye colour is grey and green.", "Mira", "eye colour", "grey"),
            ("Mira's eye colour was grey.", "Mira", "eye colour", "grey"),
            ("Mira's eye colour is not grey.", "Mira", "eye colour", "grey"),
            ("Mira is grey.", "Mira", "eye colour", "grey"),
            ("Jonas loves Mira.", "Mira", "loves", "Jonas"),
            ("The eye colour is grey.", "Mira", "eye colour", "grey"),
            ("Toma's eye colour is grey.", "Mira", "eye colour", "grey"),
            ("grey", "Mira", "eye colour", "grey"),
            ("", "Mira", "eye colour", ""),
        ] {
            assert!(!states_fact(new, category, key, value), "{new}");
        }
    }

    #[test]
    fn proper_names_are_runs_and_their_words() {
        assert_eq!(
            proper_names(
                "When Mira met Jonas Hale in Veyra's hall, the rain fell. Toma, Oskar Lind's son, was there."
            ),
            ["Mira", "Jonas Hale", "Jonas", "Hale", "Veyra", "Toma", "Oskar Lind", "Oskar", "Lind"]
        );
        assert_eq!(proper_names("The user prefers short chapters. Always use metric units."), [""; 0]);
        assert_eq!(proper_names("MIRA PREFERS SHORT CHAPTERS"), ["MIRA"]);
        assert_eq!(proper_names("ミラ は門を守る"), ["ミラ"]);
    }

    #[test]
    fn a_name_is_mentioned_where_it_is_used_as_one() {
        for (text, name) in [
            ("The user writes about Mira.", "mira"),
            ("Mira's story comes first.", "mira"),
            ("They meet at the Salt Gate.", "salt gate"),
            ("Rose is the heroine.", "rose"),
            ("MIRA IS THE HEROINE", "mira"),
            ("ミラは門を守る", "ミラ"),
            ("البوابة مفتوحة", "البوابة"),
            ("keep mira out of it", "mira"),
            ("They come in March.", "march"),
            ("Jonas Hale came.", "hale"),
        ] {
            assert!(mentions_name(text, name), "{text} / {name}");
        }
        for (text, name) in [
            ("The user likes a rose.", "rose"),
            ("Chapters march along.", "march"),
            ("Grey is preferred.", "grey"),
            ("Miranda is the heroine.", "mira"),
            ("the gate is old", "gate"),
            ("Anything.", ""),
        ] {
            assert!(!mentions_name(text, name), "{text} / {name}");
        }
    }

    proptest::proptest! {
        #[test]
        fn every_text_says_the_same_as_itself(text in "\\PC{1,80}", more in "\\PC{0,40}") {
            proptest::prop_assert!(says_the_same(&text, &text));
            // No input causes a panic.
            says_the_same(&more, &text);
            states_fact(&text, &more, &text, &more);
            mentions_name(&text, &more);
        }

        #[test]
        fn names_found_are_names_mentioned(text in "([A-Z]?[a-z]{2,6}[ ,.]{1,2}){1,8}") {
            for name in proper_names(&text) {
                proptest::prop_assert!(mentions_name(&text, &crate::text::fold(&name)), "{} in {}", name, text);
            }
        }
    }
}
