//! Detects contradictions: two texts that are variants of one statement.

use std::{collections::HashMap, sync::LazyLock};

use unicode_normalization::{UnicodeNormalization, char::is_combining_mark};

use super::verbs::{is_verb, may_have_many};
use crate::language::{
    Kind, Token, is_english, is_function_word, is_ideographic, is_shouted, is_unspaced, negates,
    negates_unspaced, numerals, stem, tokens,
};

/// Maximum size of the alignment table in cells, after removing the common start and end.
const MAX_CELLS: usize = 250_000;
/// Maximum number of places at which two parallel statements differ.
const MAX_PLACES: usize = 2;
/// Maximum number of words in one such place.
pub(crate) const MAX_PLACE_WORDS: usize = 3;

/// Groups of words that exclude each other or differ in meaning, though they are too common to be content words.
const OPPOSED: &[&[&str]] = &[
    &["may", "must", "should", "can", "cannot", "might", "need"],
    &["before", "after", "during"],
    &["with", "without"],
    &["on", "off"],
    &["in", "out", "outside", "inside"],
    &["above", "below", "over", "under", "beneath"],
    &["to", "from"],
    &["all", "some", "most", "few", "many", "no", "none", "every", "any", "half"],
    &["anybody", "anyone", "nobody", "everybody", "everyone", "somebody", "someone"],
    &["always", "never", "sometimes", "often", "rarely", "seldom"],
    &["first", "last"],
];

/// Groups of synonyms; swapping them is no contradiction.
const SYNONYMS: &[&[&str]] = &[
    &["big", "large", "huge", "great"],
    &["small", "little", "tiny"],
    &["begin", "start", "commence"],
    &["end", "finish", "stop"],
    &["sea", "ocean"],
    &["forest", "wood", "woods", "woodland"],
    &["buy", "purchase"],
    &["fear", "dread"],
    &["home", "house"],
    &["child", "kid"],
    &["father", "dad"],
    &["mother", "mum", "mom"],
    &["dead", "deceased"],
    &["rock", "stone"],
    &["road", "street"],
    &["quick", "fast", "swift"],
    &["sad", "unhappy"],
    &["happy", "glad"],
    &["town", "city"],
    &["ship", "boat", "vessel"],
    &["ruler", "sovereign", "monarch"],
    &["live", "dwell", "reside"],
    &["hate", "loathe", "despise"],
    &["favourite", "preferred"],
    &["kill", "slay"],
    &["build", "construct"],
    &["ancient", "old"],
    &["often", "frequently"],
    &["shut", "closed"],
    &["sick", "ill"],
    &["guard", "protect", "watch"],
    &["rich", "wealthy"],
    &["hair", "locks"],
    &["scared", "afraid"],
    &["near", "close"],
];

/// Words before a location.
const PLACE: &[&str] = &["in", "at", "from", "near", "to", "into", "behind", "by", "on"];

/// Words before an owner.
const OF: &[&str] = &["of", "von", "vom", "de", "del", "della", "di", "do", "da", "du", "des"];

/// Words between which names can be swapped without a change of meaning.
const EITHER_WAY: &[&str] =
    &["and", "or", "met", "meets", "married", "with", "sibling", "siblings", "versus", "vs"];

/// A word in an alignment.
#[derive(Debug, Clone)]
pub(crate) struct Item {
    /// Equal for words of equal meaning.
    pub(crate) key: String,
    pub(crate) word: String,
    pub(crate) sort: Sort,
    /// True after "the".
    pub(crate) definite: bool,
    /// True behind "a" or "an".
    pub(crate) indefinite: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Sort {
    Name,
    Number,
    Negation,
    Pronoun,
    Content,
    Function,
}

pub(crate) const PRONOUNS: &[&str] = &[
    "he", "she", "it", "they", "i", "we", "you", "his", "her", "hers", "its", "their", "my", "our", "your",
    "him", "them", "this", "that", "these", "those", "who", "which",
];

pub(crate) fn items(text: &str) -> Vec<Item> {
    let list = tokens(text);
    let (english, shouted) = (is_english(&list), is_shouted(text));
    let mut numbers = numerals(&list, english).into_iter().peekable();
    let mut items = Vec::new();
    let mut n = 0;
    while n < list.len() {
        let token = &list[n];
        if let Some(numeral) = numbers.next_if(|numeral| numeral.first == n) {
            items.push(Item {
                key: numeral.key,
                word: token.folded.clone(),
                sort: Sort::Number,
                definite: false,
                indefinite: false,
            });
            n = numeral.last + 1;
            continue;
        }
        n += 1;
        if is_ideographic(&token.folded) {
            // One item per sign: Chinese words cannot be separated without a dictionary.
            for sign in token.folded.chars() {
                let word = sign.to_string();
                let sort = if negates_unspaced(&word) { Sort::Negation } else { Sort::Content };
                items.push(Item { key: word.clone(), word, sort, definite: false, indefinite: false });
            }
        } else if !matches!(token.folded.as_str(), "a" | "an" | "the" | "?") {
            let before = if n > 1 { list[n - 2].folded.as_str() } else { "" };
            let (definite, indefinite) = (before == "the", matches!(before, "a" | "an"));
            items.push(Item { definite, indefinite, ..item(token, english, shouted) });
        }
    }
    items
}

fn item(token: &Token<'_>, english: bool, shouted: bool) -> Item {
    let word = token.folded.clone();
    let sort = if negates(token, english) {
        Sort::Negation
    } else if PRONOUNS.contains(&word.as_str()) {
        Sort::Pronoun
    } else if token.is_name(shouted) {
        Sort::Name
    } else if is_function_word(&word) || OPPOSED.iter().any(|group| group.contains(&word.as_str())) {
        Sort::Function
    } else {
        Sort::Content
    };
    let key = match sort {
        Sort::Content => meaning(&word),
        Sort::Name => token.bare().to_owned(),
        Sort::Number | Sort::Negation | Sort::Pronoun | Sort::Function => word.clone(),
    };
    let key = without_accents(key);
    let sort = if token.kind == Kind::Symbol { Sort::Content } else { sort };
    Item { key, word, sort, definite: false, indefinite: false }
}

/// Removes accents from a Latin word: "Elodie" for "Élodie" is no contradiction.
fn without_accents(word: String) -> String {
    if word.is_ascii() {
        return word;
    }
    let bare: String = word.nfd().filter(|c| !is_combining_mark(*c)).collect();
    if bare.is_ascii() && !bare.is_empty() { bare } else { word }
}

/// The stem of a word, or of the first word in its group of synonyms.
fn meaning(word: &str) -> String {
    static FIRST: LazyLock<HashMap<String, String>> = LazyLock::new(|| {
        let stems = |group: &&[&'static str]| {
            let first = stem(group[0]);
            group.iter().map(|word| (stem(word), first.clone())).collect::<Vec<_>>()
        };
        SYNONYMS.iter().flat_map(stems).collect()
    });
    let own = stem(word);
    FIRST.get(&own).cloned().unwrap_or(own)
}

/// A place at which two statements differ, with the words of each.
struct Place<'i> {
    here: &'i [Item],
    there: &'i [Item],
    /// True after a verb that may have several objects, or between the members of a list.
    adds: bool,
    /// True if a content word, name or number common to both follows.
    goes_on: bool,
    /// True if the difference is the subject or the owner, and the rest may be true of several.
    of_many: bool,
    part: Part,
    /// Where it begins and ends in the first statement.
    at: (usize, usize),
}

/// The part of the statement that contains a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Part {
    Subject,
    /// The owner of the subject: "the horse of Anselm".
    Owner,
    /// The predicate.
    Told,
}

/// A place at which two contradicting statements differ, with the words of each.
#[derive(Debug, Clone)]
pub(crate) struct Contrast {
    pub(crate) here: Vec<Item>,
    pub(crate) there: Vec<Item>,
    pub(crate) part: Part,
    /// The words of the first statement before the place.
    pub(crate) before: Vec<Item>,
    /// The words of the first statement behind the place.
    pub(crate) behind: Vec<Item>,
}

/// True if the texts are one statement that differs in a name, a number, a negation or a rare word.
pub(crate) fn contradict(a: &str, b: &str) -> bool {
    // A fixed order makes the result symmetric: among equally long alignments the first one found is used.
    let (a, b) = if a <= b { (items(a), items(b)) } else { (items(b), items(a)) };
    contrasts(&a, &b).is_some()
}

/// Where two contradicting statements differ. Empty if two words are swapped; `None` if they do not contradict each other.
pub(crate) fn contrasts(a: &[Item], b: &[Item]) -> Option<Vec<Contrast>> {
    let (shorter, longer) = (a.len().min(b.len()), a.len().max(b.len()));
    if shorter * 2 < longer {
        return None;
    }
    if let Some(swapped) = changes_places(a, b) {
        return swapped.then(Vec::new);
    }
    let pairs = common(a, b)?;
    let carries = |item: &Item| !matches!(item.sort, Sort::Function | Sort::Pronoun);
    let places = places(a, b, &pairs);
    let denied = a.iter().filter(|i| i.sort == Sort::Negation).count()
        != b.iter().filter(|i| i.sort == Sort::Negation).count();
    let verdicts: Vec<Verdict> = places.iter().map(|place| place.verdict(denied)).collect();
    let differing = verdicts.iter().filter(|verdict| **verdict == Verdict::Apart).count();
    // Two values of two subjects are no contradiction.
    let about_two = differing > 1
        && places
            .iter()
            .zip(&verdicts)
            .any(|(place, verdicts)| *verdicts == Verdict::Apart && place.tells_subjects_apart());
    let shared = pairs.len() + verdicts.iter().filter(|verdict| **verdict == Verdict::Alike).count();
    let enough = shared * 2 >= longer && pairs.iter().any(|(n, _)| carries(&a[*n]));
    let contradicting = enough
        && !about_two
        && !verdicts.contains(&Verdict::More)
        && (1..=MAX_PLACES).contains(&differing)
        && (differing < 2 || shared * 5 >= longer * 3);
    let apart = places.iter().zip(&verdicts).filter(|(_, verdict)| **verdict == Verdict::Apart);
    let contrast = |(place, _): (&Place<'_>, _)| Contrast {
        here: place.here.to_vec(),
        there: place.there.to_vec(),
        part: place.part,
        before: a[..place.at.0].to_vec(),
        behind: a[place.at.1.min(a.len())..].to_vec(),
    };
    contradicting.then(|| apart.map(contrast).collect())
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Verdict {
    /// The same meaning in other words, or no content.
    Alike,
    /// A contradiction.
    Apart,
    /// A different or additional statement.
    More,
}

impl Place<'_> {
    fn verdict(&self, denied: bool) -> Verdict {
        let of = |side: &[Item], sort: Sort| {
            side.iter().filter(|i| i.sort == sort).map(|i| i.key.clone()).collect()
        };
        let sorts =
            |sort: Sort| -> (Vec<String>, Vec<String>) { (of(self.here, sort), of(self.there, sort)) };
        let (here, there) = sorts(Sort::Negation);
        let content = sorts(Sort::Content);
        let (names, numbers) = (sorts(Sort::Name), sorts(Sort::Number));
        let bare = |pair: &(Vec<String>, Vec<String>)| pair.0.is_empty() && pair.1.is_empty();
        let alike = |pair: &(Vec<String>, Vec<String>)| pair.0 == pair.1;
        if here.len() != there.len() && denied {
            // "is" / "is not", "swims" / "does not swim", "has" / "lacks".
            let same = alike(&content) && alike(&names) && alike(&numbers) || self.is_conjugated();
            return if same { Verdict::Apart } else { Verdict::More };
        }
        if self.here.len().max(self.there.len()) > MAX_PLACE_WORDS {
            return Verdict::More;
        }
        if bare(&content) && bare(&names) && bare(&numbers) {
            return self.function_words();
        }
        if self.here.is_empty() || self.there.is_empty() {
            return Verdict::More;
        }
        let pronoun = |side: &[Item]| side.iter().any(|item| item.sort == Sort::Pronoun);
        if pronoun(self.here) || pronoun(self.there) {
            return Verdict::More;
        }
        let both = |pair: &(Vec<String>, Vec<String>)| !pair.0.is_empty() && !pair.1.is_empty();
        let one = |pair: &(Vec<String>, Vec<String>)| pair.0.is_empty() != pair.1.is_empty();
        // A name for a word, or a number for a word: another aspect of the same thing.
        if one(&names) || one(&numbers) || one(&content) {
            return Verdict::More;
        }
        let apart = |pair: &(Vec<String>, Vec<String>)| both(pair) && !alike(pair);
        // Owner and value differ together: "Colour of Anselm: cyan".
        let several = self.here.len() > 1 && self.there.len() > 1;
        let values = apart(&content) || apart(&numbers);
        let other = self.here.iter().zip(self.there).all(|(one, two)| one.key != two.key);
        if self.part != Part::Told
            && several
            && (apart(&names) && values || self.part == Part::Owner && other)
        {
            return Verdict::More;
        }
        if apart(&numbers) {
            return Verdict::Apart;
        }
        if self.of_many && !(alike(&names) && alike(&content)) {
            return Verdict::More;
        }
        let adds = self.adds && !self.goes_on;
        if !alike(&names) || !alike(&content) {
            return if adds { Verdict::More } else { Verdict::Apart };
        }
        Verdict::Alike
    }

    /// True if a name, a number or a word of the subject differs.
    fn tells_subjects_apart(&self) -> bool {
        let of = |side: &'_ [Item]| -> Vec<String> {
            let carries = |i: &&Item| matches!(i.sort, Sort::Name | Sort::Number | Sort::Content);
            side.iter().filter(carries).map(|i| i.key.clone()).collect()
        };
        let (here, there) = (of(self.here), of(self.there));
        self.part != Part::Told && !here.is_empty() && !there.is_empty() && here != there
    }

    /// True for two forms of one word in a script without spaces, one of them negated: いている, いていない.
    fn is_conjugated(&self) -> bool {
        let ([here], [there]) = (self.here, self.there) else { return false };
        is_unspaced(&here.word)
            && is_unspaced(&there.word)
            && here.word.chars().next() == there.word.chars().next()
    }

    fn function_words(&self) -> Verdict {
        let (here, there) = (self.here, self.there);
        let opposed = OPPOSED.iter().any(|group| {
            let of = |side: &[Item]| side.iter().any(|item| group.contains(&item.word.as_str()));
            of(here) && of(there)
        });
        let pronouns = |side: &[Item]| side.iter().any(|item| item.sort == Sort::Pronoun);
        if opposed {
            Verdict::Apart
        } else if pronouns(here) && pronouns(there) {
            Verdict::More
        } else {
            Verdict::Alike
        }
    }
}

/// Compares two texts with the same words: `Some(true)` if exactly two words are swapped and that changes the meaning
/// ("Mira killed Jonas"), `Some(false)` if the order does not matter, `None` if the words differ.
fn changes_places(a: &[Item], b: &[Item]) -> Option<bool> {
    let mut sorted: [Vec<&str>; 2] = [a, b].map(|side| side.iter().map(|item| item.key.as_str()).collect());
    for side in &mut sorted {
        side.sort_unstable();
    }
    if sorted[0] != sorted[1] {
        return None;
    }
    let at: Vec<usize> = (0..a.len()).filter(|n| a[*n].key != b[*n].key).collect();
    let [first, second] = at[..] else { return Some(false) };
    let between = &a[first + 1..second];
    let telling = [first, second].iter().all(|n| !matches!(a[*n].sort, Sort::Function | Sort::Negation));
    Some(
        telling
            && !between.is_empty()
            && !between.iter().any(|item| EITHER_WAY.contains(&item.word.as_str())),
    )
}

/// The pairs of positions with equal words, in order: a longest common subsequence. `None` if the texts are too long
/// to align.
fn common(a: &[Item], b: &[Item]) -> Option<Vec<(usize, usize)>> {
    let head = a.iter().zip(b).take_while(|(x, y)| x.key == y.key).count();
    let tail = a[head..].iter().rev().zip(b[head..].iter().rev()).take_while(|(x, y)| x.key == y.key).count();
    let (rows, columns) = (a.len() - head - tail, b.len() - head - tail);
    if rows * columns > MAX_CELLS {
        return None;
    }
    let width = columns + 1;
    let mut longest = vec![0u32; (rows + 1) * width];
    for i in (0..rows).rev() {
        for j in (0..columns).rev() {
            longest[i * width + j] = if a[head + i].key == b[head + j].key {
                longest[(i + 1) * width + j + 1] + 1
            } else {
                longest[(i + 1) * width + j].max(longest[i * width + j + 1])
            };
        }
    }
    let mut pairs: Vec<(usize, usize)> = (0..head).map(|n| (n, n)).collect();
    let (mut i, mut j) = (0, 0);
    while i < rows && j < columns {
        if a[head + i].key == b[head + j].key {
            pairs.push((head + i, head + j));
            (i, j) = (i + 1, j + 1);
        } else if longest[(i + 1) * width + j] >= longest[i * width + j + 1] {
            i += 1;
        } else {
            j += 1;
        }
    }
    pairs.extend((0..tail).map(|n| (a.len() - tail + n, b.len() - tail + n)));
    Some(pairs)
}

/// True if the next word is one of several possible objects of a preceding verb. Only words that describe the object
/// may stand in between, and no preposition: "has grey …", but not "carries the key to …".
fn adds_behind(before: &[Item]) -> bool {
    let near = before.iter().rev().take(MAX_PLACE_WORDS).enumerate();
    for (n, item) in near {
        let word = item.word.as_str();
        if may_have_many(word) && (n == 0 || !matches!(word, "and" | "or" | "can" | "cannot")) {
            return true;
        }
        if !matches!(item.sort, Sort::Content | Sort::Pronoun | Sort::Number) {
            return false;
        }
    }
    false
}

/// True for a verb that several subjects may share for the same object; an owned object has one owner.
fn is_of_many(verb: &str) -> bool {
    may_have_many(verb)
        && !["has", "have", "had", "owns", "own", "owned", "carries", "wrote", "teaches"].contains(&verb)
}

/// The index at which the predicate begins; `None` if no verb is found.
fn predicate(items: &[Item]) -> Option<usize> {
    let tells = |item: &Item| {
        let word = item.word.as_str();
        let past = item.sort == Sort::Content && word.len() > 4 && word.ends_with("ed");
        past || item.sort != Sort::Name && is_verb(word)
    };
    (1..items.len()).find(|n| tells(&items[*n]))
}

/// True if the predicate can hold for one subject only: it names the one object of the action. Several subjects can
/// be at, or come from, the same place.
fn tells_of_one(rest: &[Item]) -> bool {
    let mut at_a_place = false;
    rest.iter().any(|item| {
        at_a_place = match item.sort {
            Sort::Function => PLACE.contains(&item.word.as_str()),
            _ => at_a_place,
        };
        !at_a_place && (item.definite || item.sort == Sort::Name)
    })
}

/// True if a part of a text may be the subject: it comes first, or no verb precedes it.
fn is_subject(items: &[Item], from: usize, to: usize) -> bool {
    from == 0 || predicate(items).is_none_or(|verb| to <= verb)
}

/// True after "of".
fn belongs(items: &[Item], from: usize) -> bool {
    from > 0 && OF.contains(&items[from - 1].word.as_str())
}

fn places<'i>(a: &'i [Item], b: &'i [Item], pairs: &[(usize, usize)]) -> Vec<Place<'i>> {
    let mut places = Vec::new();
    let (mut i, mut j) = (0, 0);
    for n in 0..=pairs.len() {
        let (to_i, to_j) = pairs.get(n).copied().unwrap_or((a.len(), b.len()));
        if i < to_i || j < to_j {
            let adds = adds_behind(&a[..i]);
            let rest = &a[to_i.min(a.len())..];
            let of_many =
                i == 0 && (rest.first().is_some_and(|item| is_of_many(&item.word)) || !tells_of_one(rest));
            let goes_on = pairs[n.min(pairs.len())..]
                .iter()
                .any(|(n, _)| matches!(a[*n].sort, Sort::Content | Sort::Name | Sort::Number));
            let subject = is_subject(a, i, to_i) && is_subject(b, j, to_j);
            let possessive = |side: &[Item]| side.last().is_some_and(|item| item.word.ends_with("'s"));
            let behind_of = belongs(a, i) && belongs(b, j);
            let part = match (subject, behind_of) {
                (false, _) => Part::Told,
                (true, false) => Part::Subject,
                (true, true) => Part::Owner,
            };
            let possessed = behind_of || possessive(&a[i..to_i]) && possessive(&b[j..to_j]);
            let of_many = of_many || subject && goes_on && possessed;
            let (here, there) = (&a[i..to_i], &b[j..to_j]);
            places.push(Place { here, there, adds, goes_on, of_many, part, at: (i, to_i) });
        }
        (i, j) = (to_i + 1, to_j + 1);
    }
    places
}
