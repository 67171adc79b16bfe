//! The words of a text, and which of them distinguish nothing.

use std::ops::Range;

/// English words too common to distinguish entries. The list is small and closed; doubtful words are not in it.
const STOP_WORDS: &[&str] = &[
    "a", "about", "after", "all", "also", "am", "an", "and", "any", "are", "as", "at", "be", "been",
    "before", "but", "by", "can", "could", "did", "do", "does", "doing", "for", "from", "had", "has", "have",
    "he", "her", "hers", "him", "his", "how", "i", "if", "in", "into", "is", "it", "its", "just", "me", "my",
    "of", "on", "or", "our", "she", "should", "so", "some", "than", "that", "the", "their", "them", "then",
    "there", "these", "they", "this", "those", "to", "was", "we", "were", "what", "when", "where", "which",
    "while", "who", "whom", "whose", "why", "will", "with", "would", "you", "your",
];

/// True for a word (lower case) without search value.
pub fn is_stop_word(word: &str) -> bool {
    STOP_WORDS.binary_search(&word).is_ok()
}

/// The words of a text in lower case, split like in the full-text index: runs of letters, digits and marks.
pub fn words(text: &str) -> Vec<String> {
    word_ranges(text).map(|word| text[word].to_lowercase()).collect()
}

/// The bytes of each of the [`words`] in the text.
pub fn word_ranges(text: &str) -> impl Iterator<Item = Range<usize>> {
    let mut from = 0;
    let runs = text.split(|c: char| !(c.is_alphanumeric() || is_accent(c))).map(move |run| {
        let word = from..from + run.len();
        // One character ends each run.
        from = word.end + text[word.end..].chars().next().map_or(0, char::len_utf8);
        word
    });
    runs.filter(|word| text[word.clone()].chars().any(char::is_alphanumeric))
}

/// True for an accent that stands behind its letter. Vowel signs of Indic and other scripts are none.
pub(crate) const fn is_accent(c: char) -> bool {
    matches!(c, '\u{0300}'..='\u{036F}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_stop_words_are_sorted_for_binary_search() {
        assert!(STOP_WORDS.is_sorted());
    }
}
