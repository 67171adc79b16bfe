//! Where the words of a query stand in a text, as byte ranges.

use std::ops::Range;

use inklings_domain::text::fold;

/// What the index puts before a word it found. Content holds no control characters, so it cannot be taken for text.
pub const OPEN: char = '\u{2}';
/// What it puts behind it.
pub const CLOSE: char = '\u{3}';

/// Reads the ranges out of a text with marks. `None` if the marks do not fit a text of this many bytes: then the
/// text held such characters itself, and no range would be right.
pub fn ranges(marked: &str, bytes: usize) -> Option<Vec<Range<usize>>> {
    let mut ranges = Vec::new();
    let (mut at, mut open) = (0, None);
    for c in marked.chars() {
        match c {
            OPEN if open.is_none() => open = Some(at),
            CLOSE => {
                let start = open.take()?;
                if start < at {
                    ranges.push(start..at);
                }
            }
            OPEN => return None,
            _ => at += c.len_utf8(),
        }
    }
    (open.is_none() && at == bytes).then_some(ranges)
}

/// Where a folded text stands in another, whatever its case, width and spacing.
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
            // One character can fold to several ("ﬃ" to "ffi"), so two finds can touch the same one.
            Some(last) if range.start < last.end => last.end = last.end.max(range.end),
            _ => ranges.push(range),
        }
        from = end;
    }
    ranges
}

/// The folded text, and for each of its bytes the range of the original that it came from. Folds character by
/// character with the marks behind it, which is what folding the whole does but for a few Korean syllables.
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

    #[test]
    fn marks_become_ranges_of_the_text_without_them() {
        assert_eq!(ranges("the \u{2}gate\u{3} ist \u{2}größer\u{3}", 21), Some(vec![4..8, 13..21]));
        assert_eq!(ranges("no marks", 8), Some(vec![]));
    }

    #[test]
    fn marks_that_do_not_fit_give_nothing_rather_than_a_wrong_range() {
        for (marked, bytes) in [("\u{2}a", 1), ("a\u{3}", 1), ("\u{2}\u{2}a\u{3}", 1), ("\u{2}a\u{3}", 2)] {
            assert_eq!(ranges(marked, bytes), None, "{marked:?}");
        }
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

        #[test]
        fn marking_and_reading_gives_back_the_ranges(words in prop::collection::vec(("[a-zé🐉]{1,5}", any::<bool>()), 0..20)) {
            let (mut plain, mut marked, mut expected) = (String::new(), String::new(), Vec::new());
            for (word, hit) in words {
                if hit {
                    expected.push(plain.len()..plain.len() + word.len());
                    marked.push(OPEN);
                }
                plain.push_str(&word);
                marked.push_str(&word);
                if hit {
                    marked.push(CLOSE);
                }
                plain.push(' ');
                marked.push(' ');
            }
            prop_assert_eq!(ranges(&marked, plain.len()), Some(expected));
        }
    }
}
