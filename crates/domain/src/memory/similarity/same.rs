//! Decides whether two texts are the same statement.

use crate::{
    language::{
        Kind, Pause, Token, is_english, is_shouted, is_unspaced, looks_english, negates, tokens, value,
    },
    text::fold,
    words::is_stop_word,
};

/// Words whose meaning changes with a capital: months, given names, peoples, planets, and "us" in the United States.
const HOMOGRAPHS: &[&str] = &[
    "amber", "april", "august", "autumn", "basil", "bill", "china", "chase", "cliff", "dale", "dawn", "dean",
    "drew", "earl", "earth", "faith", "flora", "frank", "gene", "ginger", "god", "grace", "grant", "guy",
    "hazel", "holly", "hope", "hunter", "iris", "ivy", "jack", "jade", "jet", "job", "joy", "june", "lance",
    "lily", "march", "mark", "mars", "mason", "max", "may", "melody", "mercury", "mercy", "miles", "misty",
    "nice", "olive", "pat", "patience", "pearl", "penny", "peg", "piper", "polish", "pluto", "reading",
    "rich", "rob", "robin", "rocky", "rose", "ruby", "ruth", "sage", "saturn", "scout", "sky", "star",
    "stone", "storm", "sue", "summer", "tanner", "trinity", "turkey", "us", "venus", "victor", "violet",
    "wade", "ward", "will", "winter", "wolf", "wren",
];

/// Words before which an article changes the meaning: "a few came" and "few came".
const BOUND: &[&str] = &[
    "few", "little", "many", "more", "most", "number", "one", "only", "other", "same", "some", "lot", "while",
];

/// Words that indicate a Romance language or German, where "a" or "an" is not an article.
const FOREIGN: &[&str] = &[
    "das", "de", "del", "der", "des", "el", "en", "es", "est", "et", "gli", "il", "ist", "la", "las", "le",
    "les", "lo", "los", "nicht", "os", "que", "um", "uma", "un", "una", "und", "une", "y", "sich", "wir",
    "sie", "er", "ich", "você",
];

/// True if the texts are the same statement: the same words in the same order, ignoring case, punctuation, spacing,
/// Unicode form and articles. Any other difference makes two statements: a tense, a plural, a sign, a unit.
pub fn near_identical(a: &str, b: &str) -> bool {
    if a == b {
        return !a.is_empty();
    }
    let marks = fold(a) == fold(b) && !fold(a).is_empty();
    let (a, b) = ((tokens(a), is_shouted(a)), (tokens(b), is_shouted(b)));
    let other_language =
        [&a.0, &b.0].into_iter().flatten().any(|token| FOREIGN.contains(&token.folded.as_str()));
    // "Jonas ama a Mira": the "a" is removed only if the text looks English.
    let articles = !other_language && (looks_english(&a.0) || looks_english(&b.0));
    let (x, y) = (Form::of(&a.0, a.1, articles), Form::of(&b.0, b.1, articles));
    if x.words.is_empty() {
        // The texts consist of marks only, so the marks are compared.
        return y.words.is_empty() && marks;
    }
    x.words == y.words && x.admits(&y) && y.admits(&x) && !x.capital_tells(&y)
}

/// A text reduced to the parts that must be equal.
#[derive(Debug, Default)]
struct Form {
    words: Vec<String>,
    /// The pause after each word.
    pauses: Vec<Pause>,
    /// Whether each word is capitalised, where a capital carries information; `None` elsewhere.
    capitals: Vec<Option<bool>>,
    /// True if some words of the text are capitalised and some are not.
    careful: bool,
}

impl Form {
    fn of(list: &[Token<'_>], shouted: bool, articles: bool) -> Self {
        let english = is_english(list);
        let words = || list.iter().filter(|token| token.kind == Kind::Word);
        let careful = words().any(Token::is_capital) && words().any(|token| !token.is_capital());
        let mut form = Self { careful, ..Self::default() };
        for (n, token) in list.iter().enumerate() {
            let next = list.get(n + 1);
            if is_article(token, next, articles) {
                continue;
            }
            let capital = capital(list, n, shouted);
            if token.kind == Kind::Word && is_unspaced(&token.folded) {
                // The script has no spaces, so spaces are ignored.
                for c in token.folded.chars() {
                    form.push(c.to_string(), Pause::None, None);
                }
                form.pause(token.pause);
                continue;
            }
            let unit = n > 0 && list[n - 1].kind == Kind::Number && list[n - 1].pause == Pause::None;
            let word = if unit && token.raw.len() <= 2 {
                // "5 M" is not "5 m".
                token.raw.to_owned()
            } else if token.kind == Kind::Number {
                without_groups(token, english)
            } else {
                token.folded.clone()
            };
            form.push(word, token.pause, capital);
            // "No, Mira stays" is not "no Mira stays".
            if next.is_some() && token.pause > Pause::None && negates(token, english) {
                form.push("|".to_owned(), token.pause, None);
            }
        }
        form
    }

    fn push(&mut self, word: String, pause: Pause, capital: Option<bool>) {
        self.words.push(word);
        self.pauses.push(pause);
        self.capitals.push(capital);
    }

    fn pause(&mut self, pause: Pause) {
        if let Some(last) = self.pauses.last_mut() {
            *last = pause;
        }
    }

    /// True if this text has compatible sentence boundaries: where the other has a full stop, this one has some mark,
    /// or it has no marks at all.
    fn admits(&self, other: &Self) -> bool {
        let inner = self.pauses.len().saturating_sub(1);
        let without_pause = self.pauses[..inner].iter().all(|pause| *pause == Pause::None);
        without_pause
            || self.pauses[..inner]
                .iter()
                .zip(&other.pauses)
                .all(|(own, theirs)| *theirs != Pause::Hard || *own != Pause::None)
    }

    /// True if a word is a name in one text and an ordinary word in the other ("March" and "march").
    fn capital_tells(&self, other: &Self) -> bool {
        // A text without capitals, or with a capital at every word, gives no information.
        let careful = self.careful && other.careful;
        self.words.iter().zip(self.capitals.iter().zip(&other.capitals)).any(|(word, (own, theirs))| {
            matches!((own, theirs), (Some(own), Some(theirs)) if own != theirs)
                && (careful || HOMOGRAPHS.contains(&word.as_str()))
        })
    }
}

/// Words after which a capital may be only a mark of respect: "the Gate", "her King".
const DETERMINERS: &[&str] =
    &["a", "an", "the", "this", "that", "his", "her", "its", "their", "my", "our", "your", "every", "each"];

/// Whether the word is capitalised, where that distinguishes a name from an ordinary word. Not at the start of a
/// sentence, not in an upper-case text or word, and after a determiner only for words known to change with their
/// capital.
fn capital(list: &[Token<'_>], n: usize, shouted: bool) -> Option<bool> {
    let token = &list[n];
    let known = HOMOGRAPHS.contains(&token.folded.as_str());
    let titled =
        list[n.saturating_sub(2)..n].iter().any(|token| DETERMINERS.contains(&token.folded.as_str()));
    let loud = token.raw.chars().count() > 1 && is_shouted(token.raw);
    let tells = !shouted
        && !token.opens
        && token.folded != "i"
        && (known || !(titled || loud || is_stop_word(&token.folded)));
    tells.then(|| token.is_capital())
}

/// True for an optional article. At the end of a clause it is a letter ("plan A"), and so is a capital inside one.
fn is_article(token: &Token<'_>, next: Option<&Token<'_>>, indefinite: bool) -> bool {
    let follows = next.is_some_and(|next| {
        token.pause == Pause::None
            && next.kind != Kind::Symbol
            && !BOUND.contains(&next.folded.as_str())
            // "Variable a is 3": no noun follows.
            && !is_stop_word(&next.folded)
    });
    follows
        && match token.folded.as_str() {
            "the" => true,
            "a" | "an" => indefinite && (token.opens || !token.is_capital() || token.raw.len() > 1),
            _ => false,
        }
}

/// The digits as written, without separators that are certainly thousands separators.
fn without_groups(token: &Token<'_>, english: bool) -> String {
    let written = &token.folded;
    let value = value(written, english);
    // "1,5" and "1.5" may be lists, sections or amounts: only thousands separators are removed.
    let fewer =
        value.len() < written.len() && value.replace('.', "") == written.replace([',', '\'', '.'], "");
    if fewer { value } else { written.clone() }
}
