//! Validation and normalisation of text from people and agents: content, tags, names.

use std::collections::HashSet;

use unicode_normalization::UnicodeNormalization;

use crate::hidden;
pub use crate::text_error::TextError;

/// Maximum size of an entry's content in UTF-8 bytes: 64 KiB.
pub const MAX_CONTENT_BYTES: usize = 64 * 1024;
/// Maximum length of a tag in characters.
pub const MAX_TAG_CHARS: usize = 64;
/// Maximum number of tags per entry.
pub const MAX_TAGS: usize = 32;
/// Maximum length of a title and of a key, in characters.
pub const MAX_TITLE_CHARS: usize = 300;
/// Maximum number of keys per entry.
pub const MAX_KEYS: usize = 1_000;
/// Maximum size of all keys of an entry, in UTF-8 bytes.
pub const MAX_KEYS_BYTES: usize = 64 * 1024;
/// Maximum length of the question of a recall test, in characters.
pub const MAX_QUESTION_CHARS: usize = 500;
/// Maximum length of a short single-line text (source, channel name, title, speaker), in characters.
pub const MAX_LABEL_CHARS: usize = 120;

/// True for explicit bidirectional formatting characters (Unicode UAX #9: embeddings, overrides, isolates, marks).
pub const fn is_bidi_control(c: char) -> bool {
    matches!(c, '\u{061C}' | '\u{200E}' | '\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}')
}

fn is_forbidden_control(c: char, multi_line: bool) -> bool {
    let white = matches!(c, '\t' | '\n' | '\r');
    c.is_control() && !(multi_line && white)
}

fn refuse_controls(field: &'static str, text: &str, multi_line: bool) -> Result<(), TextError> {
    // Fast path: most texts are plain ASCII, and checking bytes is several times faster than checking characters.
    if text.bytes().all(|byte| matches!(byte, b' '..=b'~') || (multi_line && byte == b'\n')) {
        return Ok(());
    }
    match text.chars().enumerate().find(|(_, c)| is_forbidden_control(*c, multi_line)) {
        Some((position, c)) => Err(TextError::Control { field, code: u32::from(c), position }),
        None => Ok(()),
    }
}

/// Checks an entry's content: non-empty after trimming, at most [`MAX_CONTENT_BYTES`], no control characters except
/// tab and line ends. Returns it with line ends as `\n` and without surrounding white space.
///
/// # Errors
/// [`TextError`] with the broken rule.
pub fn content(text: &str) -> Result<String, TextError> {
    let text = body(text)?;
    if text.is_empty() { Err(TextError::Empty { field: "content" }) } else { Ok(text) }
}

/// Like [`content`], but the text may be empty, because a named entry can exist without content.
///
/// # Errors
/// [`TextError`] with the broken rule.
pub fn body(text: &str) -> Result<String, TextError> {
    let field = "content";
    if text.len() > MAX_CONTENT_BYTES {
        return Err(TextError::TooLong {
            field,
            actual: text.len(),
            limit: MAX_CONTENT_BYTES,
            unit: "bytes",
        });
    }
    refuse_controls(field, text, true)?;
    if text.contains('\r') {
        return Ok(text.replace("\r\n", "\n").replace('\r', "\n").trim().to_owned());
    }
    Ok(text.trim().to_owned())
}

/// Checks a short single-line text: trimmed, NFC, non-empty, at most [`MAX_LABEL_CHARS`] characters, no control or
/// direction characters.
///
/// # Errors
/// [`TextError`] with the broken rule.
pub fn label(field: &'static str, text: &str) -> Result<String, TextError> {
    limited_label(field, text, MAX_LABEL_CHARS)
}

fn limited_label(field: &'static str, text: &str, limit: usize) -> Result<String, TextError> {
    refuse_controls(field, text.trim(), false)?;
    if let Some(c) = text.chars().find(|c| is_bidi_control(*c)) {
        return Err(TextError::Bidi { field, code: u32::from(c) });
    }
    hidden::refuse(field, text)?;
    let mut text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if !text.is_ascii() {
        text = text.nfc().collect();
    }
    if text.is_empty() {
        return Err(TextError::Empty { field });
    }
    let actual = text.chars().count();
    if actual > limit {
        return Err(TextError::TooLong { field, actual, limit, unit: "characters" });
    }
    Ok(text)
}

/// Checks a single-line text of another program and returns it unchanged, because an answer must repeat it exactly.
/// The rules are those of [`label`], with at most `limit` characters.
///
/// # Errors
/// [`TextError`] with the broken rule.
pub fn given(field: &'static str, text: &str, limit: usize) -> Result<String, TextError> {
    limited_label(field, text, limit).map(|_| text.to_owned())
}

/// Normalises tags: NFC, lower case, single inner spaces, no leading `#`, sorted, without duplicates and empty tags.
///
/// # Errors
/// [`TextError`] for a tag that is too long or holds control or direction characters, or for too many tags.
pub fn tags<S: AsRef<str>>(given: impl IntoIterator<Item = S>) -> Result<Vec<String>, TextError> {
    let mut tags = Vec::new();
    for tag in given {
        let tag = tag.as_ref().trim().trim_start_matches('#').trim();
        if !tag.is_empty() {
            tags.push(limited_label("tag", &tag.to_lowercase(), MAX_TAG_CHARS)?);
        }
    }
    tags.sort_unstable();
    tags.dedup();
    if tags.len() > MAX_TAGS {
        return Err(TextError::TooManyTags { actual: tags.len(), limit: MAX_TAGS });
    }
    Ok(tags)
}

/// Checks the title of an entry: as [`label`], with at most [`MAX_TITLE_CHARS`] characters. A blank text is no title.
///
/// # Errors
/// [`TextError`] with the broken rule.
pub fn title(text: &str) -> Result<Option<String>, TextError> {
    if text.trim().is_empty() { Ok(None) } else { limited_label("title", text, MAX_TITLE_CHARS).map(Some) }
}

/// Checks a question: as [`label`], with at most [`MAX_QUESTION_CHARS`] characters.
///
/// # Errors
/// [`TextError`] with the broken rule.
pub fn question(text: &str) -> Result<String, TextError> {
    limited_label("question", text, MAX_QUESTION_CHARS)
}

/// Checks the keys of an entry, each as a title. Their order stays; blank and repeated ones are left out.
///
/// # Errors
/// [`TextError`] with the broken rule.
pub fn keys<S: AsRef<str>>(given: impl IntoIterator<Item = S>) -> Result<Vec<String>, TextError> {
    let mut keys: Vec<String> = Vec::new();
    let mut seen = HashSet::new();
    for key in given {
        if key.as_ref().trim().is_empty() {
            continue;
        }
        let key = limited_label("key", key.as_ref(), MAX_TITLE_CHARS)?;
        if seen.insert(key.clone()) {
            keys.push(key);
        }
    }
    if keys.len() > MAX_KEYS {
        return Err(TextError::TooManyKeys { actual: keys.len(), limit: MAX_KEYS });
    }
    let actual = keys.iter().map(String::len).sum();
    if actual > MAX_KEYS_BYTES {
        return Err(TextError::TooLong { field: "keys", actual, limit: MAX_KEYS_BYTES, unit: "bytes" });
    }
    Ok(keys)
}

/// Makes any text displayable as a label by removing characters that [`label`] does not allow.
pub fn shown_label(text: &str) -> String {
    let plain = |c: &char| !is_bidi_control(*c) && (!c.is_control() || c.is_whitespace());
    let text: String = text.chars().filter(plain).collect();
    text.split_whitespace().collect::<Vec<_>>().join(" ").chars().take(MAX_LABEL_CHARS).collect()
}

/// The form in which texts are compared for equality: NFKC, lower case, white space folded.
pub fn fold(text: &str) -> String {
    if text.is_ascii() {
        return fold_ascii(text);
    }
    let lowered: String = text.nfkc().collect::<String>().to_lowercase();
    lowered.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The same for ASCII text, which NFKC does not change.
fn fold_ascii(text: &str) -> String {
    let mut folded = String::with_capacity(text.len());
    for word in text.split_whitespace() {
        if !folded.is_empty() {
            folded.push(' ');
        }
        folded.push_str(word);
    }
    folded.make_ascii_lowercase();
    folded
}

/// True if each of the words stands in the text, ignoring case and width.
pub fn contains_words(text: &str, words: &str) -> bool {
    let text = fold(text);
    fold(words).split(' ').all(|word| text.contains(word))
}

/// Hash of bytes (FNV-1a, 64 bits), equal in every release and on every machine. It distinguishes texts without
/// storing them. It is not collision-resistant against an attacker.
pub fn mark(bytes: impl IntoIterator<Item = u8>) -> u64 {
    bytes
        .into_iter()
        .fold(0xcbf2_9ce4_8422_2325, |mark, byte| (mark ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mark_is_the_same_in_every_release() {
        // Test vectors of the algorithm's authors.
        assert_eq!(mark([]), 0xcbf2_9ce4_8422_2325);
        assert_eq!(mark(*b"a"), 0xaf63_dc4c_8601_ec8c);
        assert_eq!(mark(*b"foobar"), 0x8594_4171_f739_67e8);
    }

    #[test]
    fn words_are_found_in_any_order_and_case_and_inside_of_words() {
        for words in ["tide quar", "QUARREL tables", "ide", "", "  "] {
            assert!(contains_words("Quarrel over the Tide tables", words), "{words}");
        }
        assert!(contains_words("Ｄer Ärger", "ärger der"));
        assert!(!contains_words("Quarrel over the Tide tables", "tide moat"));
    }

    proptest::proptest! {
        #[test]
        fn ascii_folds_as_every_other_text_does(text in "[ -~\\t\\n\\r\\x0B\\x0C\\x1C-\\x1F]{0,60}") {
            let lowered = text.nfkc().collect::<String>().to_lowercase();
            let all = lowered.split_whitespace().collect::<Vec<_>>().join(" ");
            proptest::prop_assert_eq!(fold(&text), all);
        }
    }

    proptest::proptest! {
        #[test]
        fn control_characters_are_refused_in_plain_texts_as_in_others(text in "[\0-\x7F\u{80}-\u{9F}é]{0,20}", lines: bool) {
            let forbidden = text.chars().position(|c| is_forbidden_control(c, lines));
            let refused = match refuse_controls("name", &text, lines) {
                Ok(()) => None,
                Err(TextError::Control { position, .. }) => Some(position),
                Err(other) => panic!("{other}"),
            };
            proptest::prop_assert_eq!(refused, forbidden);
        }
    }

    #[test]
    fn content_loses_outer_white_space_and_nothing_else() {
        assert_eq!(content("  a\r\n\tb  \n\n").as_deref(), Ok("a\n\tb"));
    }

    #[test]
    fn empty_huge_and_nul_content_is_refused_with_the_reason() {
        assert_eq!(content(" \n\t "), Err(TextError::Empty { field: "content" }));
        assert!(matches!(content(&"x".repeat(MAX_CONTENT_BYTES + 1)), Err(TextError::TooLong { .. })));
        assert!(content(&"x".repeat(MAX_CONTENT_BYTES)).is_ok());
        assert_eq!(content("a\0b"), Err(TextError::Control { field: "content", code: 0, position: 1 }));
    }

    #[test]
    fn prose_may_be_right_to_left_but_a_label_may_not_hide_its_order() {
        assert!(content("שלום \u{200F}עולם").is_ok());
        assert!(matches!(label("name", "abc\u{202E}fdp"), Err(TextError::Bidi { .. })));
    }

    #[test]
    fn tags_are_normalised() {
        assert_eq!(
            tags(["#Magic ", "magic", "  Old   Gods", "", "#"]).as_deref(),
            Ok(["magic".to_owned(), "old gods".to_owned()].as_slice())
        );
    }

    #[test]
    fn folding_ignores_case_width_and_spacing() {
        assert_eq!(fold(" The  Ｇate\n"), fold("the gate"));
    }

    proptest::proptest! {
        #[test]
        fn normalising_twice_changes_nothing(text in "\\PC{0,200}") {
            if let Ok(once) = content(&text) {
                proptest::prop_assert_eq!(content(&once), Ok(once.clone()));
            }
            if let Ok(once) = tags([&text]) {
                proptest::prop_assert_eq!(tags(&once), Ok(once.clone()));
            }
            if let Ok(Some(once)) = title(&text) {
                proptest::prop_assert_eq!(title(&once), Ok(Some(once.clone())));
            }
            if let Ok(once) = keys([&text]) {
                proptest::prop_assert_eq!(keys(&once), Ok(once.clone()));
            }
            if let Ok(once) = label("name", &text) {
                proptest::prop_assert_eq!(label("name", &once), Ok(once.clone()));
            }
        }
    }
}
