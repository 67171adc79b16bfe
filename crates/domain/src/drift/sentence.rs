//! The sentences of a text that state something, each with the words that it is compared by.

use crate::{
    language::{Pause, tokens},
    memory::similarity::{Item, PRONOUNS, Sort, items},
    text::fold,
};

/// Sentences with more words are left out: they say more than one thing.
const MOST_WORDS: usize = 40;

/// Words of a sentence that states nothing for certain, or that tells of a change.
const HEDGES: &[&str] = &[
    "if",
    "maybe",
    "perhaps",
    "might",
    "could",
    "would",
    "should",
    "may",
    "rumour",
    "rumor",
    "rumours",
    "rumors",
    "rumoured",
    "rumored",
    "supposedly",
    "allegedly",
    "apparently",
    "legend",
    "legends",
    "dream",
    "dreams",
    "dreamed",
    "dreamt",
    "believes",
    "believe",
    "believed",
    "thinks",
    "think",
    "thought",
    "claims",
    "claimed",
    "says",
    "say",
    "said",
    "tells",
    "told",
    "lied",
    "pretends",
    "pretended",
    "imagines",
    "imagined",
    "wonders",
    "suppose",
    "formerly",
    "previously",
    "used",
    "longer",
    "later",
    "now",
    "once",
    "became",
    "becomes",
    "become",
    "wants",
    "wishes",
    "hopes",
    "hoped",
    "wanted",
    "plans",
    "planned",
    "will",
    "shall",
    "almost",
    "nearly",
    "about",
    "roughly",
    "around",
    "unless",
    "either",
    "whether",
    "sometimes",
    "often",
    "usually",
    "today",
    "then",
    "calls",
    "called",
    "seems",
    "seemed",
    "mistakes",
    "except",
    "meanwhile",
    "recently",
    "yesterday",
    "tomorrow",
];

/// A sentence that states something.
#[derive(Debug, Clone)]
pub(super) struct Sentence {
    /// The sentence, with the name for a pronoun at its start.
    pub(super) text: String,
    pub(super) items: Vec<Item>,
    /// Words that say when it holds. A state is compared with one of the same time.
    pub(super) times: Vec<String>,
    /// True if it tells of a state that may be over.
    pub(super) past: bool,
}

impl Sentence {
    /// `None` for a question, a guess or a sentence that is too long.
    pub(super) fn of(text: &str) -> Option<Self> {
        let text = text.trim().trim_start_matches(['-', '*', '#', '•', ' ']).trim_end_matches(['.', '!']);
        let items = items(text);
        let hedged = |item: &Item| HEDGES.contains(&item.word.as_str());
        if items.len() < 2
            || items.len() > MOST_WORDS
            || text.contains(['?', '"', '“', '”'])
            || items.iter().any(hedged)
        {
            return None;
        }
        let times = times(&items);
        let past = items.iter().any(|item| matches!(item.word.as_str(), "was" | "were" | "had"));
        Some(Self { text: text.to_owned(), items, times, past })
    }

    /// True if both hold at the same time, as far as their words say so.
    pub(super) fn is_contemporary(&self, other: &Self) -> bool {
        self.times == other.times && self.past == other.past
    }
}

/// Numbers of years and words behind "during" and the like.
fn times(items: &[Item]) -> Vec<String> {
    let mut found = Vec::new();
    for (n, item) in items.iter().enumerate() {
        let before = n.checked_sub(1).map_or("", |n| items[n].word.as_str());
        let is_year = item.sort == Sort::Number
            && (is_time_word(before)
                || before == "in" && items.get(n + 1).is_none_or(|next| next.sort == Sort::Function)
                || matches!(before, "year" | "circa"));
        let is_event = is_time_word(before) && item.sort != Sort::Function;
        if is_year || is_event {
            found.push(item.key.clone());
        }
    }
    found.sort();
    found
}

fn is_time_word(word: &str) -> bool {
    matches!(word, "during" | "after" | "before" | "when" | "while" | "since" | "until")
}

/// The sentences of a text. A pronoun at the start of one becomes the subject of the one before, or the heading; a sentence
/// whose pronoun stands for nothing known is left out.
pub(super) fn sentences(text: &str, heading: Option<&str>) -> Vec<Sentence> {
    let mut found = Vec::new();
    let mut subject = heading.map(str::to_owned);
    for part in parts(text) {
        let part = labelled(part, heading);
        let Some(resolved) = resolved(&part, subject.as_deref()) else { continue };
        if let Some(name) = leading_name(&resolved) {
            subject = Some(name);
        }
        found.extend(Sentence::of(&resolved));
    }
    found
}

/// True if the text is one sentence, so that replacing it loses nothing else.
pub fn states_one_thing(text: &str) -> bool {
    parts(text).len() <= 1
}

/// Cuts a text at the ends of sentences and lines.
fn parts(text: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut from = 0;
    for (at, c) in text.char_indices() {
        let ends = match c {
            '\n' | ';' => true,
            '.' | '!' | '?' => {
                let rest = &text[at + 1..];
                rest.is_empty() || rest.starts_with(char::is_whitespace)
            }
            _ => false,
        };
        if ends {
            // The question mark stays, so that a question is seen.
            let to = if c == '?' { at + 1 } else { at };
            parts.push(&text[from..to]);
            from = at + c.len_utf8();
        }
    }
    parts.push(&text[from..]);
    parts.retain(|part| part.chars().any(char::is_alphanumeric));
    parts
}

/// "Eyes: grey" under a heading as a sentence.
fn labelled(part: &str, heading: Option<&str>) -> String {
    let (Some((label, value)), Some(heading)) = (part.split_once(':'), heading) else {
        return part.to_owned();
    };
    let short = |text: &str| (1..=4).contains(&text.split_whitespace().count());
    if short(label) && short(value) {
        let label = label.trim().trim_start_matches(['-', '*', '#', '•', ' ']);
        return format!("{heading}'s {} is {}", fold(label), value.trim());
    }
    part.to_owned()
}

/// The sentence with the subject in place of a pronoun at its start.
fn resolved(part: &str, subject: Option<&str>) -> Option<String> {
    let part = part.trim();
    let first = part.split_whitespace().next()?;
    let word = fold(first);
    if !PRONOUNS.contains(&word.as_str()) {
        return Some(part.to_owned());
    }
    let rest = part[first.len()..].trim_start();
    match word.as_str() {
        "he" | "she" | "it" | "they" => Some(format!("{} {rest}", subject?)),
        "his" | "its" | "their" | "her" => Some(format!("{}'s {rest}", subject?)),
        _ => None,
    }
}

/// The name that a sentence begins with.
fn leading_name(part: &str) -> Option<String> {
    let list = tokens(part);
    let names: Vec<_> = list.iter().take_while(|token| token.is_name(false)).collect();
    let mut end = None;
    for token in names {
        end = Some(token.at + token.raw_bare().len());
        if token.pause > Pause::None || token.raw_bare().len() < token.raw.len() {
            break;
        }
    }
    end.map(|end| part[list.first().map_or(0, |token| token.at)..end].to_owned())
}
