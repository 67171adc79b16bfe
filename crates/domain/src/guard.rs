//! Guards before a memory is stored: does it say anything new, and does it speak of the world?

use std::collections::BTreeSet;

use crate::{
    reading::{Kind, Pause, Token, is_english, is_ordinary, is_shouted, negates, numerals, stem, tokens},
    similarity::near_identical,
};

/// Words that change how far a statement holds: where the known text has one of them, it says something else.
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

/// True if the new text says nothing that the known text does not say: the two are near-identical, or one sentence of
/// the known text holds every word of the new one but articles, in order and close together, from the beginning of a
/// clause, with the same names, numbers and negations, and nothing between them that hedges.
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

/// A sentence, reduced to what is compared.
struct Facts {
    words: Vec<String>,
    /// True for words with which a clause begins.
    begins: Vec<bool>,
    /// Names, numbers, and how many negations.
    marks: (BTreeSet<String>, Vec<String>, usize),
}

impl Facts {
    fn of(list: &[Token<'_>], shouted: bool) -> Self {
        let english = is_english(list);
        let names = list.iter().filter(|t| t.is_name(shouted)).map(|t| t.bare().to_owned()).collect();
        let mut numbers: Vec<String> = numerals(list).into_iter().map(|numeral| numeral.key).collect();
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
        let room = self.words.len().max(3);
        (0..held.words.len()).filter(|n| held.begins[*n] && held.words[*n] == self.words[0]).any(|from| {
            let mut at = from;
            self.words.iter().all(|word| {
                let found = held.words[at..].iter().position(|other| other == word);
                at += found.unwrap_or(0) + 1;
                at = at.min(held.words.len());
                found.is_some()
            }) && at - from <= self.words.len() + room
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
/// Categories that say what sort of thing a fact is about and need not be repeated.
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

/// True if the text says no more than this fact: its words are those of the category, the key and the value, the key
/// and the value are told whole, and the value comes last ("Mira's eye colour is grey").
pub fn states_fact(new: &str, category: &str, key: &str, value: &str) -> bool {
    let text = tokens(new);
    let (category, key, value) = (tokens(category), tokens(key), tokens(value));
    let said = content(&text);
    let (about, named, told) = (content(&category), content(&key), content(&value));
    if told.is_empty() || named.is_empty() || said.len() < told.len() {
        return false;
    }
    let (subject, end) = said.split_at(said.len() - told.len());
    let sort = about.iter().all(|word| SORTS.contains(&word.as_str()));
    end == told
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

/// The proper names that a text may hold, as written, without doubles: each run of capitalised words, and each word of
/// such a run. Words that open a sentence are among them unless they are ordinary English words.
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
        let last = &list[end];
        add(&text[list[n].at..last.at + last.raw_bare().len()]);
        for token in &list[n..=end] {
            add(token.raw_bare());
        }
        n = end + 1;
    }
    found
}

/// True if a name may go on behind this word.
fn joins(token: &Token<'_>) -> bool {
    token.pause == Pause::None && token.raw == token.raw_bare()
}

/// True if the text uses this name (folded) as a proper name. Where a text has no capitals at all, or its script has
/// none, the word itself has to do, unless it is an ordinary one.
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
