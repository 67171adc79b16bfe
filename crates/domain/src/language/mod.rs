//! Tokenizer for the rules that compare the statements of two texts.
//!
//! A token has its written form and its form for comparison. Symbols are tokens too: "~50" is not "50", "5²" is not
//! "52", and a tick is not a cross.

mod lexicon;
mod numerals;
mod ordinary;

pub(crate) use lexicon::{
    is_english, is_everyday_name, is_function_word, looks_english, negates, negates_unspaced, stem,
};
pub(crate) use numerals::{MONTHS, numerals, value};
pub(crate) use ordinary::is_ordinary;
use unicode_normalization::{UnicodeNormalization, char::is_combining_mark};

use crate::{text::fold, words::is_stop_word};

/// The kind of a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A word without digits.
    Word,
    /// Digits with the separators between them, or a word that holds a digit ("R2D2").
    Number,
    /// Anything that is neither a word nor plain punctuation.
    Symbol,
}

/// The separator after a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Pause {
    /// A space, a hyphen, or nothing.
    None,
    /// A comma, a dash, a bracket, a quotation mark.
    Soft,
    /// The end of a sentence or clause: full stop, semicolon, colon, line end.
    Hard,
}

/// A word, number or symbol of a text.
#[derive(Debug, Clone)]
pub(crate) struct Token<'t> {
    /// The token as written.
    pub raw: &'t str,
    /// Start in bytes.
    pub at: usize,
    /// The form used for comparison.
    pub folded: String,
    pub kind: Kind,
    /// True for the first word of a sentence, line or quotation, or after a colon.
    pub opens: bool,
    /// The separator after it.
    pub pause: Pause,
    /// Index of its sentence, from 0.
    pub sentence: usize,
}

impl Token<'_> {
    /// End in bytes.
    pub fn end(&self) -> usize {
        self.at + self.raw.len()
    }

    /// True if it contains an upper-case letter.
    pub fn is_capital(&self) -> bool {
        self.kind != Kind::Symbol && self.raw.chars().any(char::is_uppercase)
    }

    /// The folded form without a possessive ending.
    pub fn bare(&self) -> &str {
        bare(&self.folded)
    }

    /// The written form without a possessive ending.
    pub fn raw_bare(&self) -> &str {
        bare(self.raw)
    }

    /// True if the word is used as a proper name. Capitals decide, except where every word has them and at the start
    /// of a sentence. There, any word that is not an ordinary English word counts as a name, because it is safer to
    /// keep two texts apart.
    pub fn is_name(&self, shouted: bool) -> bool {
        if self.kind == Kind::Symbol || self.raw.chars().next().is_some_and(char::is_numeric) {
            return false;
        }
        if is_katakana(self.raw) {
            return self.raw.chars().count() > 1;
        }
        let word = self.bare();
        let common = is_stop_word(word)
            || is_contraction(&self.folded)
            || lexicon::NEGATIONS.contains(&word)
            || numerals::is_numeral(word);
        self.is_capital() && !common && !((self.opens || shouted) && is_ordinary(word))
    }
}

fn bare(word: &str) -> &str {
    ["'s", "’s", "'S", "’S", "ʼs"].iter().find_map(|ending| word.strip_suffix(ending)).unwrap_or(word)
}

/// True for "I'm", "they'll", "isn't": not a name, even if capitalised.
fn is_contraction(folded: &str) -> bool {
    let Some((head, tail)) = folded.split_once('\'') else { return folded == "i" };
    matches!(tail, "m" | "ll" | "re" | "ve" | "d" | "t")
        || is_stop_word(head) && tail == "s"
        || folded == "let's"
}

/// True for a text without lower-case letters: its capitals carry no information.
pub(crate) fn is_shouted(text: &str) -> bool {
    text.chars().any(char::is_uppercase) && !text.chars().any(char::is_lowercase)
}

fn is_katakana(word: &str) -> bool {
    !word.is_empty() && word.chars().all(|c| matches!(c, '\u{30A0}'..='\u{30FF}'))
}

/// Scripts written without spaces, by kind of letter. A change of kind is nearly always a word boundary.
fn unspaced(c: char) -> u8 {
    match c {
        '\u{3040}'..='\u{309F}' => 1,
        '\u{30A0}'..='\u{30FF}' => 2,
        '\u{3005}'
        | '\u{3400}'..='\u{4DBF}'
        | '\u{4E00}'..='\u{9FFF}'
        | '\u{F900}'..='\u{FAFF}'
        | '\u{20000}'..='\u{2FA1F}' => 3,
        _ => 0,
    }
}

/// True if the word's script has no spaces between words.
pub(crate) fn is_unspaced(word: &str) -> bool {
    word.chars().any(|c| unspaced(c) != 0)
}

/// True for a run of Chinese characters.
pub(crate) fn is_ideographic(word: &str) -> bool {
    !word.is_empty() && word.chars().all(|c| unspaced(c) == 3)
}

const fn is_apostrophe(c: char) -> bool {
    matches!(c, '\'' | '’' | 'ʼ')
}

/// Superscripts, fractions, circled numbers: their compatibility forms would merge with adjacent digits.
fn is_odd_number(c: char) -> bool {
    c.is_numeric() && !c.is_alphabetic() && digit(c).is_none()
}

/// The value of a decimal digit, for the scripts whose digits people type.
pub(crate) fn digit(c: char) -> Option<u32> {
    let zero = match c {
        '0'..='9' => '0',
        '\u{0660}'..='\u{0669}' => '\u{0660}',
        '\u{06F0}'..='\u{06F9}' => '\u{06F0}',
        '\u{0966}'..='\u{096F}' => '\u{0966}',
        '\u{FF10}'..='\u{FF19}' => '\u{FF10}',
        _ => return None,
    };
    Some(u32::from(c) - u32::from(zero))
}

fn is_letter(c: char) -> bool {
    !is_invisible(c) && ((c.is_alphanumeric() && !is_odd_number(c)) || is_combining_mark(c))
}

/// Invisible characters: joiners, direction marks, variation selectors, the soft hyphen.
const fn is_invisible(c: char) -> bool {
    matches!(
        c,
        '\u{00AD}' | '\u{200B}'..='\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2060}'..='\u{2069}' | '\u{FE00}'
            ..='\u{FE0F}' | '\u{FEFF}' | '\u{061C}'
    )
}

pub(crate) const fn is_question(c: char) -> bool {
    matches!(c, '?' | '؟' | '？' | '՞')
}

const fn is_hard(c: char) -> bool {
    matches!(c, '.' | '!' | ';' | ':' | '…' | '。' | '！' | '．' | '：' | '；' | '؛' | '।' | '\n')
        || is_question(c)
}

/// Marks without a meaning of their own. Marks that are not listed are symbols and are compared.
const fn is_soft(c: char) -> bool {
    matches!(
        c,
        ',' | '"' | '\'' | '(' | ')' | '[' | ']' | '{' | '}' | '*' | '#' | '_' | '`' | '|' | '\\' | '·' | '•'
            | '«' | '»' | '‹' | '›' | '¿' | '¡' | '،' | '、' | '，' | '（' | '）' | '־' | '׳' | '״' | '†' | '‡' | 'ʼ'
            | '・'
            | '\u{2010}'..='\u{201F}' | '\u{2024}'..='\u{2027}' | '\u{3008}'..='\u{3011}'
    )
}

const fn is_dash(c: char) -> bool {
    matches!(c, '-' | '\u{2010}'..='\u{2015}' | '\u{2212}' | '－')
}

/// Abbreviations whose full stop does not end a sentence.
const ABBREVIATIONS: &[&str] = &[
    "approx", "bzw", "ca", "capt", "dr", "etc", "gen", "lt", "mr", "mrs", "ms", "mt", "nr", "prof", "sr",
    "sra", "st", "vs",
];

/// Splits a text into words, numbers and symbols, in order.
pub(crate) fn tokens(text: &str) -> Vec<Token<'_>> {
    let chars: Vec<(usize, char)> = text.char_indices().collect();
    let mut reader = Reader { text, chars, found: Vec::new(), opens: true, sentence: 0, first: 0 };
    reader.read();
    reader.found
}

struct Reader<'t> {
    text: &'t str,
    chars: Vec<(usize, char)>,
    found: Vec<Token<'t>>,
    opens: bool,
    sentence: usize,
    /// Index of the first token of the sentence.
    first: usize,
}

impl Reader<'_> {
    fn char(&self, n: usize) -> Option<char> {
        self.chars.get(n).map(|(_, c)| *c)
    }

    fn read(&mut self) {
        let mut n = 0;
        while let Some(c) = self.char(n) {
            n = if digit(c).is_some() {
                self.number(n)
            } else if is_letter(c) {
                self.word(n)
            } else {
                self.mark(n, c);
                n + 1
            };
        }
    }

    fn push(&mut self, from: usize, to: usize, kind: Kind, folded: Option<String>) {
        let at = self.chars[from].0;
        let end = self.chars.get(to).map_or(self.text.len(), |(at, _)| *at);
        let raw = &self.text[at..end];
        let folded = folded.unwrap_or_else(|| {
            let visible: String = raw.chars().filter(|c| !is_invisible(*c)).collect();
            fold(&visible).replace(['’', 'ʼ'], "'")
        });
        let opens = std::mem::replace(&mut self.opens, false);
        let sentence = self.sentence;
        self.found.push(Token { raw, at, folded, kind, opens, pause: Pause::None, sentence });
    }

    fn word(&mut self, from: usize) -> usize {
        let script = self.char(from).map_or(0, unspaced);
        let mut n = from + 1;
        let mut holds_digit = false;
        while let Some(c) = self.char(n) {
            let inside = is_apostrophe(c) && self.char(n + 1).is_some_and(char::is_alphabetic);
            let goes_on = is_letter(c) && (unspaced(c) == script || is_combining_mark(c) || c == 'ー');
            if !(goes_on || (script == 0 && inside) || is_invisible(c)) || (script != 0 && digit(c).is_some())
            {
                break;
            }
            holds_digit |= digit(c).is_some();
            n += 1;
        }
        self.push(from, n, if holds_digit { Kind::Number } else { Kind::Word }, None);
        n
    }

    /// Reads digits and their separators. Ordinal endings are included, units are not ("5km" is "5 km").
    fn number(&mut self, from: usize) -> usize {
        let mut n = from;
        while let Some(c) = self.char(n) {
            let between = (matches!(c, '.' | ',' | ':' | '/' | '٫' | '٬') || is_apostrophe(c))
                && self.char(n + 1).is_some_and(|c| digit(c).is_some());
            if digit(c).is_none() && !between {
                break;
            }
            n += 1;
        }
        let ending: String =
            (n..n + 3).map_while(|n| self.char(n)).take_while(|c| c.is_alphabetic()).collect();
        if matches!(ending.to_lowercase().as_str(), "st" | "nd" | "rd" | "th") {
            n += 2;
        }
        let before = from.checked_sub(1).and_then(|n| self.char(n));
        let minus = before.is_some_and(|c| matches!(c, '-' | '\u{2212}' | '－'))
            && from
                .checked_sub(2)
                .and_then(|n| self.char(n))
                .is_none_or(|c| c.is_whitespace() || "([".contains(c));
        let at = self.chars[from].0;
        let end = self.chars.get(n).map_or(self.text.len(), |(at, _)| *at);
        let written: String = self.text[at..end]
            .chars()
            .map(|c| match digit(c) {
                Some(value) => char::from_digit(value, 10).unwrap_or(c),
                None if is_apostrophe(c) => '\'',
                None if c == '٫' => '.',
                None if c == '٬' => '\'',
                None => c,
            })
            .collect();
        let folded = if minus { format!("-{}", fold(&written)) } else { fold(&written) };
        self.push(from, n, Kind::Number, Some(folded));
        n
    }

    fn mark(&mut self, n: usize, c: char) {
        if is_invisible(c) || (c.is_whitespace() && c != '\n') {
            return;
        }
        if let Some(sign) = self.sign(n, c) {
            self.push(n, n + 1, Kind::Symbol, Some(sign.to_owned()));
            return;
        }
        if is_dash(c) {
            self.dash(n);
            return;
        }
        if is_hard(c) {
            self.stop(n, c);
        } else if is_soft(c) {
            let before = n.checked_sub(1).and_then(|n| self.char(n));
            let opening = matches!(c, '"' | '“' | '„' | '«' | '‘' | '\'' | '(' | '「' | '『')
                && before.is_none_or(|c| !c.is_alphanumeric());
            self.pause(if matches!(c, '*' | '_' | '`' | '#') { Pause::None } else { Pause::Soft });
            self.opens |= opening && matches!(c, '"' | '“' | '„' | '«' | '「' | '『' | '(');
        } else {
            let folded: String = if is_odd_number(c) { c.to_string() } else { c.nfkc().collect() };
            self.push(n, n + 1, Kind::Symbol, Some(folded));
        }
    }

    /// Punctuation used as a sign: feet and inches, a product, a sharp.
    fn sign(&self, n: usize, c: char) -> Option<&'static str> {
        let before = n.checked_sub(1).and_then(|n| self.char(n))?;
        let counts = digit(before).is_some();
        let closes = |mark: fn(char) -> bool| self.chars[..n].iter().any(|(_, c)| mark(*c));
        match c {
            '\'' | '’' if counts && !closes(|c| matches!(c, '\'' | '‘')) => Some("′"),
            '"' | '”' if counts && !closes(|c| matches!(c, '"' | '“' | '„')) => Some("″"),
            '*' | '·' if counts && self.char(n + 1).is_some_and(|c| digit(c).is_some()) => Some("×"),
            '#' if before.is_alphanumeric() => Some("♯"),
            _ => None,
        }
    }

    /// A dash between two numbers is a range; between words it is a pause or a hyphen.
    fn dash(&mut self, n: usize) {
        let next = (n + 1..n + 3).filter_map(|n| self.char(n)).find(|c| !c.is_whitespace());
        let range = self.found.last().is_some_and(|token| token.kind == Kind::Number)
            && next.is_some_and(|c| digit(c).is_some())
            && self.found.last().is_some_and(|token| token.pause == Pause::None);
        if range {
            self.push(n, n + 1, Kind::Symbol, Some("-".to_owned()));
            return;
        }
        let open = n.checked_sub(1).and_then(|n| self.char(n)).is_none_or(char::is_whitespace);
        self.pause(if open || self.char(n) == Some('—') { Pause::Soft } else { Pause::None });
    }

    fn stop(&mut self, n: usize, c: char) {
        let next = self.char(n + 1);
        let ends = next.is_none_or(|c| c.is_whitespace() || is_soft(c) || is_hard(c))
            || matches!(c, '。' | '！' | '？' | '؟' | '\n' | '।' | '；' | '：');
        let doubts = is_question(c);
        if doubts && !self.asks_anyway() {
            self.push(n, n + 1, Kind::Symbol, Some("?".to_owned()));
        }
        if !ends {
            self.pause(Pause::Soft);
            return;
        }
        let short = c == '.'
            && self.found.last().is_some_and(|token| {
                token.end() == self.chars[n].0
                    && (ABBREVIATIONS.contains(&token.folded.as_str())
                        || (token.is_capital() && token.raw.chars().count() == 1))
            });
        if short && self.char(n + 1).is_some() {
            return;
        }
        self.pause(Pause::Hard);
        self.opens = true;
        if !matches!(c, ';' | ':' | '；' | '：' | '؛')
            && self.found.last().is_some_and(|t| t.sentence == self.sentence)
        {
            self.sentence += 1;
            self.first = self.found.len();
        }
    }

    /// True if the first word marks the sentence as a question, with or without a question mark.
    fn asks_anyway(&self) -> bool {
        self.found.get(self.first).is_some_and(|token| lexicon::ASKING.contains(&token.folded.as_str()))
    }

    fn pause(&mut self, pause: Pause) {
        if let Some(last) = self.found.last_mut() {
            last.pause = last.pause.max(pause);
        }
    }
}
