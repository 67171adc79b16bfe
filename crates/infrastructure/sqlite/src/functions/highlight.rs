//! Finds the positions of query words in a text, as byte ranges.

use std::ops::Range;

use inklings_domain::text::fold;

/// A text as split by the tokenizer of the index.
#[derive(Debug, Default)]
pub struct Tokens {
    /// The normalised words, concatenated.
    words: Vec<u8>,
    /// For each word, its end in `words` and its range in the text.
    ends: Vec<(usize, Range<usize>)>,
}

/// Words that must follow one another.
#[derive(Debug)]
pub struct Phrase {
    pub words: Tokens,
    /// True if the last word is a prefix.
    pub prefix: bool,
}

impl Tokens {
    pub fn push(&mut self, word: &[u8], range: Range<usize>) {
        self.words.extend_from_slice(word);
        self.ends.push((self.words.len(), range));
    }

    /// Adds a word that was tokenized alone, with its range in the text.
    pub fn push_word(&mut self, word: &Self, range: Range<usize>) {
        self.push(word.word(0).unwrap_or_default(), range);
    }

    const fn len(&self) -> usize {
        self.ends.len()
    }

    fn word(&self, n: usize) -> Option<&[u8]> {
        let start = if n == 0 { 0 } else { self.ends.get(n - 1)?.0 };
        self.words.get(start..self.ends.get(n)?.0)
    }

    fn holds(&self, phrase: &Phrase, at: usize) -> bool {
        let last = phrase.words.len().saturating_sub(1);
        (0..phrase.words.len()).all(|n| match (self.word(at + n), phrase.words.word(n)) {
            (Some(word), Some(wanted)) if phrase.prefix && n == last => word.starts_with(wanted),
            (Some(word), Some(wanted)) => word == wanted,
            _ => false,
        })
    }

    /// The ranges of phrases in the text, in ascending order. Matches that share a word are merged.
    pub fn find(&self, phrases: &[Phrase]) -> Vec<Range<usize>> {
        // Ranges of word numbers first.
        let mut found: Vec<Range<usize>> = Vec::new();
        for at in 0..self.len() {
            for phrase in phrases.iter().filter(|phrase| phrase.words.len() > 0) {
                if !self.holds(phrase, at) {
                    continue;
                }
                let end = at + phrase.words.len();
                match found.last_mut() {
                    Some(last) if at < last.end => last.end = last.end.max(end),
                    _ => found.push(at..end),
                }
            }
        }
        let place = |n: usize| self.ends.get(n).map(|(_, range)| range);
        let bytes = |words: Range<usize>| Some(place(words.start)?.start..place(words.end - 1)?.end);
        // Pairs of characters share one.
        merged(found.into_iter().filter_map(bytes))
    }
}

/// Adds the ranges of single characters to others.
pub fn with_characters(mut ranges: Vec<Range<usize>>, text: &[u8], characters: &[char]) -> Vec<Range<usize>> {
    let Ok(text) = std::str::from_utf8(text) else { return ranges };
    if characters.is_empty() {
        return ranges;
    }
    let wanted = text.char_indices().filter(|(_, c)| characters.contains(c));
    ranges.extend(wanted.map(|(at, c)| at..at + c.len_utf8()));
    ranges.sort_unstable_by_key(|range| range.start);
    merged(ranges)
}

/// Ascending ranges of which those that overlap are one.
fn merged(all: impl IntoIterator<Item = Range<usize>>) -> Vec<Range<usize>> {
    let mut ranges: Vec<Range<usize>> = Vec::new();
    for range in all {
        match ranges.last_mut() {
            Some(last) if range.start < last.end => last.end = last.end.max(range.end),
            _ => ranges.push(range),
        }
    }
    ranges
}

/// For each first letter, the possible second letters of ASCII words that can match a word of a phrase, as
/// bits. Bit 0 means that there is no second letter.
///
/// The index stems words (Porter). Stemming keeps the first letter, and the second if it leaves one, but may
/// change a `y` there to `i`.
#[derive(Debug)]
pub struct Beginnings([u128; 256]);

impl Beginnings {
    pub fn of(phrases: &[Phrase]) -> Self {
        let mut seconds = [0; 256];
        for words in phrases.iter().map(|phrase| &phrase.words) {
            for word in (0..words.len()).filter_map(|n| words.word(n)) {
                seconds[usize::from(word.first().copied().unwrap_or_default())] |= match word.get(1) {
                    // Any longer word may have this stem.
                    None => u128::MAX,
                    Some(b'i') => 1 << b'i' | 1 << b'y',
                    Some(second) if second.is_ascii() => 1 << second,
                    Some(_) => 0,
                };
            }
        }
        Self(seconds)
    }

    /// False if the index cannot turn this word into any word of a phrase.
    pub fn may_begin(&self, word: &[u8]) -> bool {
        let letter = |n: usize| word.get(n).map_or(0, u8::to_ascii_lowercase);
        self.0[usize::from(letter(0))] >> (letter(1) & 0x7f) & 1 == 1
    }
}

/// The words of an ASCII text as the tokenizer of the index splits it: letters and digits. `None` for other
/// texts.
pub fn ascii_words(text: &[u8]) -> Option<impl Iterator<Item = Range<usize>>> {
    text.is_ascii().then(|| {
        let mut at = 0;
        std::iter::from_fn(move || {
            let start = at + text.get(at..)?.iter().position(u8::is_ascii_alphanumeric)?;
            let length = text[start..].iter().position(|byte| !byte.is_ascii_alphanumeric());
            at = length.map_or(text.len(), |length| start + length);
            Some(start..at)
        })
    })
}

/// Formats ranges as `inklings_marks` does: two numbers each, all separated by spaces.
pub fn written(ranges: &[Range<usize>]) -> String {
    let numbers = ranges.iter().flat_map(|range| [range.start, range.end]);
    numbers.map(|number| number.to_string()).collect::<Vec<_>>().join(" ")
}

/// Parses the output of [`written`]; `None` if it is malformed.
pub fn spans(written: &str) -> Option<Vec<Range<usize>>> {
    let numbers: Vec<usize> = written.split(' ').map(|number| number.parse().ok()).collect::<Option<_>>()?;
    let (pairs, rest) = numbers.as_chunks();
    rest.is_empty().then(|| pairs.iter().map(|[start, end]| *start..*end).collect())
}

/// The ranges of a folded text in another text, regardless of case, width and spacing.
pub fn literal(text: &str, folded: &str) -> Vec<Range<usize>> {
    if folded.is_empty() {
        return Vec::new();
    }
    let (all, sources) = folded_with_sources(text);
    let mut ranges: Vec<Range<usize>> = Vec::new();
    let mut from = 0;
    while let Some(found) = all[from..].find(folded) {
        let (start, end) = (from + found, from + found + folded.len());
        let range = sources[start].start..sources[end - 1].end;
        match ranges.last_mut() {
            // One character can fold to several ("ﬃ" to "ffi"), so two matches can touch the same one.
            Some(last) if range.start < last.end => last.end = last.end.max(range.end),
            _ => ranges.push(range),
        }
        from = end;
    }
    ranges
}

/// The folded text, and for each of its bytes the source range in the original. Folds each character together
/// with its combining marks. The result equals folding the whole text, except for a few Korean syllables.
fn folded_with_sources(text: &str) -> (String, Vec<Range<usize>>) {
    let (mut all, mut sources) = (String::with_capacity(text.len()), Vec::with_capacity(text.len()));
    let mut chars = text.char_indices().peekable();
    while let Some((start, c)) = chars.next() {
        let mut end = start + c.len_utf8();
        while let Some((at, mark)) = chars.next_if(|(_, next)| joins_the_one_before(*next)) {
            end = at + mark.len_utf8();
        }
        let piece = if c.is_whitespace() { String::from(" ") } else { fold(&text[start..end]) };
        if piece == " " && (all.is_empty() || all.ends_with(' ')) {
            continue;
        }
        sources.extend(std::iter::repeat_n(start..end, piece.len()));
        all.push_str(&piece);
    }
    (all, sources)
}

const fn joins_the_one_before(c: char) -> bool {
    matches!(c,
        '\u{0300}'..='\u{036F}' | '\u{1AB0}'..='\u{1AFF}' | '\u{1DC0}'..='\u{1DFF}' | '\u{20D0}'..='\u{20FF}'
        | '\u{3099}'..='\u{309A}' | '\u{FE00}'..='\u{FE0F}' | '\u{FE20}'..='\u{FE2F}' | '\u{FF9E}'..='\u{FF9F}')
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn tokens(text: &str) -> Tokens {
        let mut tokens = Tokens::default();
        let mut at = 0;
        for word in text.split(' ') {
            tokens.push(word.as_bytes(), at..at + word.len());
            at += word.len() + 1;
        }
        tokens
    }

    #[test]
    #[allow(clippy::single_range_in_vec_init, reason = "one range is what is expected")]
    fn phrases_are_found_word_by_word_and_joined_where_they_share_one() {
        let find = |phrases: &[(&str, bool)]| {
            let phrases: Vec<Phrase> = phrases
                .iter()
                .map(|(words, prefix)| Phrase { words: tokens(words), prefix: *prefix })
                .collect();
            tokens("the salt gate salt").find(&phrases)
        };
        assert_eq!(find(&[("salt", false), ("gate", false)]), [4..8, 9..13, 14..18]);
        assert_eq!(find(&[("salt gate", false)]), [4..13]);
        assert_eq!(find(&[("salt gate", false), ("gate salt", false)]), [4..18]);
        assert_eq!(find(&[("salt ga", true), ("sal", false)]), [4..13]);
        assert!(find(&[("salt ga", false), ("gate salt the", true)]).is_empty());
        assert!(Tokens::default().find(&[Phrase { words: Tokens::default(), prefix: true }]).is_empty());
    }

    #[test]
    fn words_of_plain_texts_are_runs_of_letters_and_digits() {
        let words = |text: &str| {
            ascii_words(text.as_bytes()).map(|words| words.map(|range| text[range].to_owned()).collect())
        };
        assert_eq!(
            words(" salt_gate 7th\0x--"),
            Some(["salt", "gate", "7th", "x"].map(String::from).to_vec())
        );
        assert_eq!(words(""), Some(Vec::new()));
        assert_eq!(words("Tor\u{e9}"), None);
    }

    #[test]
    #[allow(clippy::single_range_in_vec_init, reason = "one range is what is expected")]
    fn literals_are_found_whatever_their_case_width_and_spacing() {
        assert_eq!(literal("Das TOR, das Tor", "tor"), [4..7, 13..16]);
        assert_eq!(literal("a \u{FF27}\u{FF21}te", "gate"), vec![2..10]);
        assert_eq!(literal("one  \n two", "one two"), vec![0..10]);
        assert_eq!(literal("see 🐉 and 🐉", "🐉"), [4..8, 13..17]);
        assert_eq!(literal("世界の門", "界の"), vec![3..9]);
        assert_eq!(literal("aaaa", "aa"), [0..2, 2..4]);
        assert_eq!(literal("o\u{FB03}ce", "off"), vec![0..4]);
        assert_eq!(literal("text", ""), Vec::<Range<usize>>::new());
    }

    proptest! {
        #[test]
        fn ranges_rise_and_lie_on_character_boundaries(text in "\\PC{0,60}", from in 0usize..20, take in 1usize..6) {
            let needle: String = fold(&text).chars().skip(from).take(take).collect();
            let mut end = 0;
            for range in literal(&text, fold(&needle).as_str()) {
                prop_assert!(range.start >= end && range.end > range.start);
                prop_assert!(text.is_char_boundary(range.start) && text.is_char_boundary(range.end));
                end = range.end;
            }
        }
    }
}
