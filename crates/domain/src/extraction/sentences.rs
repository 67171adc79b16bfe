//! Splits a turn into sentences and masks quoted text, so that cues do not match in it.

use crate::text::fold;

/// Replaces a quoted character in the text that is searched for cues.
const MASK: char = '\u{1}';

/// One sentence of a turn.
pub(crate) struct Sentence<'t> {
    pub turn: usize,
    pub text: &'t str,
    /// Folded, with plain apostrophes and masked quotations, for the cue search.
    pub plain: String,
}

impl Sentence<'_> {
    /// The sentence with single spaces.
    pub(crate) fn single_spaced(&self) -> String {
        let text = self.text.trim_start_matches(|c: char| c.is_whitespace() || "-*•#".contains(c));
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    }
}

pub(crate) fn sentences(turn: usize, text: &str) -> Vec<Sentence<'_>> {
    let hidden = quoted(text);
    let mut found = Vec::new();
    let mut from = 0;
    let chars: Vec<(usize, char)> = text.char_indices().collect();
    for (n, (at, c)) in chars.iter().enumerate() {
        let next = chars.get(n + 1).map(|(_, c)| *c);
        let stops = matches!(c, '.' | '!' | '?' | '…' | '。' | '！' | '？');
        let ends = *c == '\n'
            || (stops
                && !hidden[*at]
                && next.is_none_or(|c| c.is_whitespace() || matches!(c, ')' | '"' | '”')));
        if ends {
            let to = at + c.len_utf8();
            push(&mut found, turn, text, &hidden, from, to);
            from = to;
        }
    }
    push(&mut found, turn, text, &hidden, from, text.len());
    found
}

fn push<'t>(
    found: &mut Vec<Sentence<'t>>,
    turn: usize,
    text: &'t str,
    hidden: &[bool],
    from: usize,
    to: usize,
) {
    let sentence = &text[from..to];
    if !sentence.chars().any(char::is_alphanumeric) {
        return;
    }
    let masked: String =
        sentence.char_indices().map(|(at, c)| if hidden[from + at] { MASK } else { c }).collect();
    let plain = fold(&masked).replace(['’', 'ʼ'], "'");
    let plain = plain.trim_start_matches(|c: char| !c.is_alphanumeric() && c != MASK).to_owned();
    found.push(Sentence { turn, text: sentence.trim(), plain });
}

/// The bytes of a text inside quotation marks, code blocks or quoted lines. An unclosed mark quotes to the end of its
/// line.
fn quoted(text: &str) -> Vec<bool> {
    let mut hidden = vec![false; text.len()];
    let mut fenced = false;
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let bare = line.trim_start();
        let fence = bare.starts_with("```");
        if fenced || fence || bare.starts_with('>') {
            hidden[start..start + line.len()].fill(true);
        } else {
            quoted_in_line(line, &mut hidden[start..start + line.len()]);
        }
        fenced ^= fence;
        start += line.len();
    }
    hidden
}

fn quoted_in_line(line: &str, hidden: &mut [bool]) {
    let mut closing: Option<char> = None;
    let mut before: Option<char> = None;
    let mut chars = line.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let next = chars.peek().map(|(_, c)| *c);
        let starts = before.is_none_or(|c| !c.is_alphanumeric()) && next.is_some_and(|c| !c.is_whitespace());
        if let Some(mark) = closing {
            hidden[at..at + c.len_utf8()].fill(true);
            // An apostrophe inside a word closes no quotation.
            let apostrophe = matches!(c, '\'' | '’') && next.is_some_and(char::is_alphanumeric);
            if c == mark && !apostrophe {
                closing = None;
            }
        } else {
            closing = match c {
                '"' => Some('"'),
                '“' => Some('”'),
                // The German closing mark is the English opening mark.
                '„' => Some(if line[at..].contains('“') { '“' } else { '”' }),
                '«' => Some('»'),
                '「' => Some('」'),
                '‘' if starts => Some('’'),
                '\'' if starts => Some('\''),
                _ => None,
            };
            hidden[at] = closing.is_some();
        }
        before = Some(c);
    }
}
