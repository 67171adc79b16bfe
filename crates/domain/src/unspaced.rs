//! Scripts that are written without spaces between words. The full-text index has the pairs of neighbouring characters of
//! such a text in place of its words, and so has a query.

use std::ops::Range;

/// True for characters of a script without spaces between words, and for Korean syllables: Korean separates words, but
/// joins particles to them.
pub const fn is_unspaced(c: char) -> bool {
    matches!(c,
        // Thai, Lao, Burmese and Khmer: letters, vowel signs and tones.
        '\u{0E01}'..='\u{0E3A}' | '\u{0E40}'..='\u{0E4E}' | '\u{0E81}'..='\u{0ECE}' | '\u{0EDC}'..='\u{0EDF}'
        | '\u{1000}'..='\u{103F}' | '\u{1050}'..='\u{108F}' | '\u{1780}'..='\u{17D3}' | '\u{17D7}'
        // Japanese.
        | '\u{3005}'..='\u{3007}' | '\u{3041}'..='\u{3096}' | '\u{3099}'..='\u{309A}' | '\u{309D}'..='\u{309F}'
        | '\u{30A1}'..='\u{30FA}' | '\u{30FC}'..='\u{30FF}' | '\u{FF66}'..='\u{FF9F}'
        // Chinese characters.
        | '\u{3400}'..='\u{4DBF}' | '\u{4E00}'..='\u{9FFF}' | '\u{F900}'..='\u{FAFF}' | '\u{20000}'..='\u{3FFFF}'
    ) || is_korean(c)
}

/// True for Korean syllables.
pub const fn is_korean(c: char) -> bool {
    matches!(c, '\u{AC00}'..='\u{D7A3}')
}

/// A part of a text that is wholly of unspaced scripts, or has nothing of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Segment<'t> {
    /// The part.
    pub text: &'t str,
    /// Its first byte in the text.
    pub start: usize,
    /// True if it is of unspaced scripts.
    pub unspaced: bool,
}

/// Splits a text into its longest segments.
pub fn segments(text: &str) -> impl Iterator<Item = Segment<'_>> {
    let mut start = 0;
    std::iter::from_fn(move || {
        let rest = text.get(start..)?;
        let unspaced = is_unspaced(rest.chars().next()?);
        let end = rest.find(|c| is_unspaced(c) != unspaced).unwrap_or(rest.len());
        let segment = Segment { text: &rest[..end], start, unspaced };
        start += end;
        Some(segment)
    })
}

/// The number of words that a run of letters may have: in a script without spaces, one for two characters.
pub fn words_in(word: &str) -> usize {
    let of = |unspaced: bool, text: &str| if unspaced { text.chars().count().div_ceil(2) } else { 1 };
    segments(word).map(|segment| of(segment.unspaced, segment.text)).sum()
}

/// The number of words of a text.
pub fn word_count(text: &str) -> usize {
    text.split_whitespace().map(words_in).sum()
}

/// The bytes of each pair of neighbouring characters of a segment; of its only character if there is just one.
pub fn pairs(run: &str) -> impl Iterator<Item = Range<usize>> {
    let ends = run.char_indices().map(|(at, c)| at + c.len_utf8());
    let mut pairs = run.char_indices().map(|(at, _)| at).zip(ends.skip(1)).peekable();
    let single = (pairs.peek().is_none() && !run.is_empty()).then_some(0..run.len());
    pairs.map(|(start, end)| start..end).chain(single)
}

/// The character, if the text is a single one of these scripts. The index has such characters as the beginnings of pairs.
pub fn single(text: &str) -> Option<char> {
    let mut characters = text.chars();
    characters.next().filter(|c| is_unspaced(*c) && characters.next().is_none())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pairs_of(run: &str) -> Vec<&str> {
        pairs(run).map(|range| &run[range]).collect()
    }

    #[test]
    fn a_run_is_cut_into_overlapping_pairs() {
        assert_eq!(pairs_of("鉄の門"), ["鉄の", "の門"]);
        assert_eq!(pairs_of("門"), ["門"]);
        assert!(pairs_of("").is_empty());
    }

    #[test]
    fn a_text_of_several_scripts_is_cut_where_the_script_changes() {
        let segments: Vec<(&str, bool)> =
            segments("Mira は鉄の門, 2").map(|segment| (segment.text, segment.unspaced)).collect();
        assert_eq!(segments, [("Mira ", false), ("は鉄の門", true), (", 2", false)]);
    }

    proptest::proptest! {
        #[test]
        fn segments_are_the_whole_text_and_pairs_cover_a_segment(text in "[a-c ,門鉄のกข가나]{0,20}") {
            let all: Vec<Segment<'_>> = segments(&text).collect();
            proptest::prop_assert_eq!(all.iter().map(|segment| segment.text).collect::<String>(), text.clone());
            for segment in all {
                proptest::prop_assert_eq!(&text[segment.start..][..segment.text.len()], segment.text);
                proptest::prop_assert!(segment.text.chars().all(|c| is_unspaced(c) == segment.unspaced));
                let pairs: Vec<_> = pairs(segment.text).collect();
                proptest::prop_assert_eq!(pairs.len(), segment.text.chars().count().saturating_sub(1).max(1));
                proptest::prop_assert_eq!(pairs[0].start, 0);
                proptest::prop_assert_eq!(pairs[pairs.len() - 1].end, segment.text.len());
            }
        }
    }
}
