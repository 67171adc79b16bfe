//! Cuts long texts into passages, each short enough that an embedding model reads all of it.
//!
//! Lengths are estimated word pieces of the model that ships with the program, which reads 256 of them and ignores
//! the rest. The estimate may be a fifth too low, so a passage has fewer: [`MOST_PIECES`].

use std::{ops::Range, str::CharIndices};

use unicode_normalization::char::is_combining_mark;

use crate::words::is_stop_word;

/// The most estimated word pieces of a passage, including the title in front of it.
pub const MOST_PIECES: usize = 200;
/// A title and a content of at most this many bytes together are one passage: a word piece has at least one byte.
pub const SURELY_ONE_BYTES: usize = MOST_PIECES;
/// The most word pieces that a passage repeats from the one before.
const OVERLAP: usize = 30;
/// The most word pieces of a title in front of one of several passages.
const MOST_OF_TITLE: usize = MOST_PIECES / 2;

/// A part of a text that is embedded on its own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Passage {
    /// Its bytes in the content.
    pub range: Range<usize>,
    /// The text to embed: the title, if there is one, a line end, and this part of the content.
    pub text: String,
}

/// The passages of a text, in order. Together they cover the content; each begins before the end of the one before.
/// A short text is one passage with its whole title and content.
pub fn passages(title: Option<&str>, content: &str) -> Vec<Passage> {
    let script = Script::of(title, content);
    let length = |text: &str| Pieces::of(text, script).take(MOST_PIECES + 1).count();
    let whole = title.map_or(0, length) + length(content) <= MOST_PIECES;
    let title = if whole { title } else { title.map(|title| shortened(title, script)) };
    let most = MOST_PIECES - title.map_or(0, length);
    let passage = |range: Range<usize>| {
        let content = &content[range.clone()];
        let text = title.map_or_else(|| content.to_owned(), |title| format!("{title}\n{content}"));
        Passage { range, text }
    };
    cut(content, script, most).into_iter().map(passage).collect()
}

/// True if a text is one passage.
pub fn is_one(title: Option<&str>, content: &str) -> bool {
    let title = title.unwrap_or_default();
    if title.len() + content.len() <= SURELY_ONE_BYTES {
        return true;
    }
    let script = Script::of(Some(title), content);
    let title = Pieces::of(title, script).take(MOST_OF_TITLE);
    title.chain(Pieces::of(content, script)).nth(MOST_PIECES).is_none()
}

/// The beginning of a title, so that at least half of a passage is content.
fn shortened(title: &str, script: Script) -> &str {
    Pieces::of(title, script).nth(MOST_OF_TITLE).map_or(title, |next| title[..next.at].trim_end())
}

/// Cuts a content into overlapping ranges of at most `most` word pieces each.
fn cut(content: &str, script: Script, most: usize) -> Vec<Range<usize>> {
    let (mut ranges, mut start) = (Vec::new(), 0);
    loop {
        let pieces: Vec<Piece> = Pieces::of(&content[start..], script).take(most + 1).collect();
        if pieces.len() <= most {
            ranges.push(start..content.len());
            return ranges;
        }
        // The latest of the best places in the second half.
        let end = (most / 2..=most).max_by_key(|at| pieces[*at].follows).unwrap_or(most);
        ranges.push(start..start + pieces[end].at);
        let whole_sentence = first_after(&pieces, end - OVERLAP..end, Break::Sentence);
        let short = end - OVERLAP / 2..end;
        let next = whole_sentence
            .or_else(|| first_after(&pieces, short.clone(), Break::Word))
            .or_else(|| first_after(&pieces, short.clone(), Break::Nothing))
            .unwrap_or(short.start);
        start += pieces[next].at;
    }
}

fn first_after(pieces: &[Piece], mut among: Range<usize>, at_least: Break) -> Option<usize> {
    among.find(|at| pieces[*at].follows >= at_least)
}

/// How words of the Latin alphabet are taken apart. The model knows most English words whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Script {
    English,
    Other,
}

impl Script {
    /// English if one in five words is a common English one: between prose (one in three) and text with English in it.
    fn of(title: Option<&str>, content: &str) -> Self {
        let (mut words, mut common, mut lower) = (0, 0, String::new());
        for word in
            title.into_iter().chain([content]).flat_map(|text| text.split(|c: char| !c.is_alphabetic()))
        {
            words += usize::from(!word.is_empty());
            lower.clear();
            lower.extend(word.chars().take(8).map(|c| c.to_ascii_lowercase()));
            common += usize::from(is_stop_word(&lower));
        }
        if common * 5 >= words && words > 0 { Self::English } else { Self::Other }
    }

    /// Letters of a word in one piece.
    const fn letters(self) -> usize {
        match self {
            Self::English => 6,
            Self::Other => 3,
        }
    }
}

/// What ends where a word piece begins, from the worst to the best place for a cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Break {
    /// The piece continues a character: it is a combining mark, or the second letter of a Korean syllable.
    Inside,
    Nothing,
    Word,
    Line,
    Sentence,
    Paragraph,
}

/// An estimated word piece.
#[derive(Debug, Clone, Copy)]
struct Piece {
    /// Its first byte.
    at: usize,
    follows: Break,
}

/// How the model's tokeniser treats a character.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// White space and control characters, which are no part of a word piece.
    Space,
    /// A letter of the Latin alphabet.
    Letter,
    Digit,
    /// A Korean syllable, which it takes apart.
    Syllable,
    /// A punctuation mark, or a character of another script: at most one word piece.
    Single,
    /// A mark on the character before.
    Mark,
}

impl Kind {
    fn of(c: char) -> Self {
        match c {
            'a'..='z' | 'A'..='Z' => Self::Letter,
            '0'..='9' => Self::Digit,
            _ if c.is_whitespace() || c.is_control() => Self::Space,
            '\u{c0}'..='\u{24f}' | '\u{1e00}'..='\u{1eff}' if c.is_alphabetic() => Self::Letter,
            '\u{ac00}'..='\u{d7a3}' => Self::Syllable,
            _ if is_combining_mark(c) => Self::Mark,
            _ => Self::Single,
        }
    }

    /// Characters of a word or number in one piece.
    const fn in_one(self, script: Script) -> usize {
        match self {
            Self::Letter => script.letters(),
            Self::Digit => 2,
            Self::Space | Self::Syllable | Self::Single | Self::Mark => 1,
        }
    }
}

/// Whether the characters read last end a sentence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum End {
    None,
    /// If white space follows.
    IfSpace,
    /// In any case: an end mark of a script without spaces between words.
    Surely,
}

impl End {
    /// After one more character. Closing quotes and brackets belong to the sentence.
    const fn then(self, c: char) -> Self {
        match c {
            '.' | '!' | '?' | '…' => Self::IfSpace,
            '。' | '！' | '？' | '．' | '｡' | '।' | '॥' => Self::Surely,
            '"' | '\'' | '”' | '’' | '»' | ')' | ']' | '*' | '_' | '」' | '』' | '）' | '】' => self,
            _ => Self::None,
        }
    }
}

/// The estimated word pieces of a text.
struct Pieces<'t> {
    chars: CharIndices<'t>,
    script: Script,
    /// The kind and number of the characters of the current word or number.
    run: (Kind, usize),
    /// The greatest break since the last piece, and the line ends in it.
    passed: Break,
    lines: usize,
    end: End,
    /// A piece that begins with the same character as the last one.
    owed: Option<Piece>,
}

impl<'t> Pieces<'t> {
    fn of(text: &'t str, script: Script) -> Self {
        Self {
            chars: text.char_indices(),
            script,
            run: (Kind::Space, 0),
            passed: Break::Nothing,
            lines: 0,
            end: End::None,
            owed: None,
        }
    }

    fn pass_space(&mut self, c: char) {
        self.run = (Kind::Space, 0);
        self.lines += usize::from(c == '\n');
        let passed = match (self.lines, self.end) {
            (2.., _) => Break::Paragraph,
            (_, End::IfSpace | End::Surely) => Break::Sentence,
            (1, End::None) => Break::Line,
            (0, End::None) => Break::Word,
        };
        self.passed = self.passed.max(passed);
    }
}

impl Iterator for Pieces<'_> {
    type Item = Piece;

    fn next(&mut self) -> Option<Piece> {
        if let Some(piece) = self.owed.take() {
            return Some(piece);
        }
        while let Some((at, c)) = self.chars.next() {
            let kind = Kind::of(c);
            match kind {
                Kind::Space => {
                    self.pass_space(c);
                    continue;
                }
                Kind::Mark => return Some(Piece { at, follows: Break::Inside }),
                Kind::Letter | Kind::Digit | Kind::Syllable | Kind::Single => {}
            }
            let (end, passed) = (self.end, std::mem::replace(&mut self.passed, Break::Nothing));
            self.end = end.then(c);
            self.lines = 0;
            if self.run.0 == kind && !self.run.1.is_multiple_of(kind.in_one(self.script)) {
                self.run.1 += 1;
                continue;
            }
            self.run = (kind, if self.run.0 == kind { self.run.1 + 1 } else { 1 });
            // A closing quote behind an end mark leaves the end as it was.
            let ended = end == End::Surely && self.end != End::Surely;
            let follows = if ended { passed.max(Break::Sentence) } else { passed };
            self.owed = (kind == Kind::Syllable).then_some(Piece { at, follows: Break::Inside });
            return Some(Piece { at, follows });
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn count(text: &str, of: (Option<&str>, &str)) -> usize {
        Pieces::of(text, Script::of(of.0, of.1)).count()
    }

    fn ranges(content: &str) -> Vec<Range<usize>> {
        passages(None, content).into_iter().map(|passage| passage.range).collect()
    }

    #[test]
    fn a_short_text_is_one_passage_with_its_whole_title() {
        let title = "t ".repeat(150);
        for (title, content) in
            [(None, "One."), (Some("Gate"), "It is iron."), (Some(&*title), "x"), (None, "")]
        {
            let whole = title.map_or_else(|| content.to_owned(), |title| format!("{title}\n{content}"));
            assert_eq!(passages(title, content), [Passage { range: 0..content.len(), text: whole }]);
        }
    }

    #[test]
    fn cuts_are_at_ends_of_paragraphs_then_of_sentences_then_of_words() {
        let sentence = "The old gate of the town is of iron and it stands by the river. ";
        let paragraphs = format!("{}\n\n{}", sentence.repeat(9), sentence.repeat(9));
        let first = &paragraphs[ranges(&paragraphs)[0].clone()];
        assert!(first.ends_with("\n\n"), "{first}");
        let sentences = sentence.repeat(30);
        for range in ranges(&sentences) {
            assert!(sentences[range.clone()].starts_with("The old") && sentences[range].ends_with("river. "));
        }
        let words = "gate ".repeat(900);
        for range in ranges(&words) {
            assert!(words[range.clone()].starts_with('g') && words[range].ends_with(' '));
        }
    }

    #[test]
    fn scripts_without_spaces_are_cut_at_their_sentences() {
        let chinese = "这座城市建在河边，每年春天河水都会涨到城门口。".repeat(40);
        assert!(ranges(&chinese).len() > 4);
        for range in ranges(&chinese) {
            assert!(chinese[range.clone()].starts_with('这') && chinese[range].ends_with('。'));
        }
        let quoted = "老守门人记得。「桥还是木头做的！」".repeat(40);
        for range in ranges(&quoted) {
            assert!(quoted[range].ends_with(['。', '」']));
        }
    }

    #[test]
    fn the_title_is_in_front_of_every_passage() {
        let content = "word ".repeat(1_000);
        for passage in passages(Some("The Iron Gate"), &content) {
            assert_eq!(passage.text, format!("The Iron Gate\n{}", &content[passage.range]));
        }
        let long = "title ".repeat(50);
        for passage in passages(Some(&long), &content) {
            assert!(
                passage.text.starts_with("title title") && passage.text.ends_with(&content[passage.range])
            );
            assert!(count(&passage.text, (Some(&long), &content)) <= MOST_PIECES);
        }
        let fits = "word ".repeat(40);
        let one = passages(Some(&long), &fits);
        assert!(one.len() == 1 && one[0].text.starts_with("title title") && one[0].text.ends_with(&fits));
    }

    #[test]
    fn a_text_of_two_thousand_words_is_about_a_dozen_passages() {
        let content =
            "The keeper of the northern lighthouse counted every ship that passed the reef. ".repeat(154);
        let found = ranges(&content).len();
        assert!((12..=16).contains(&found), "{found} passages");
    }

    proptest! {
        #[test]
        fn passages_cover_the_content_and_none_is_too_long(
            title in proptest::option::of("\\PC{1,300}"),
            parts in proptest::collection::vec(
                ("[a-z]{1,12} ?|[A-Z][a-z]{2,8}[.!?] |\\PC|[0-9]{1,9}|[\\u{4e00}-\\u{4eff}]|[가-힣]|\n|\u{e01}\u{e48}", 1..60usize),
                0..16,
            ),
        ) {
            let content: String = parts.iter().map(|(part, times)| part.repeat(*times)).collect();
            let found = passages(title.as_deref(), &content);
            prop_assert_eq!(&found, &passages(title.as_deref(), &content));
            prop_assert_eq!(found[0].range.start, 0);
            prop_assert_eq!(found[found.len() - 1].range.end, content.len());
            for pair in found.windows(2) {
                let (a, b) = (&pair[0].range, &pair[1].range);
                prop_assert!(a.start < b.start && b.start < a.end && a.end < b.end, "{a:?} {b:?}");
            }
            let one = found.len() == 1;
            prop_assert_eq!(one, is_one(title.as_deref(), &content));
            for passage in &found {
                prop_assert!(count(&passage.text, (title.as_deref(), &content)) <= MOST_PIECES);
                // Also checks that the range is on character boundaries.
                prop_assert!(passage.text.ends_with(&content[passage.range.clone()]));
            }
            let whole = format!("{}{content}", title.as_ref().map(|title| format!("{title}\n")).unwrap_or_default());
            if count(&whole, (title.as_deref(), &content)) <= MOST_PIECES {
                prop_assert_eq!(&found, &[Passage { range: 0..content.len(), text: whole }]);
            }
        }

        #[test]
        fn a_word_piece_has_at_least_one_byte(text in "\\PC{0,300}") {
            prop_assert!(count(&text, (None, "")) <= text.len());
        }
    }
}
