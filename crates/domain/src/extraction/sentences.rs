//! The sentences of a turn, with what is quoted in them made unreadable for cues.

use crate::text::fold;

/// What stands for a quoted character where cues are looked for.
const MASK: char = '\u{1}';

/// A sentence as it was said.
pub(crate) struct Sentence<'t> {
    pub turn: usize,
    pub text: &'t str,
    /// Folded, with plain apostrophes, and quoted words masked: where cues are looked for.
    pub plain: String,
}

impl Sentence<'_> {
    /// The sentence with single spaces.
    pub(crate) fn told(&self) -> String {
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

/// Which bytes of a text stand between quotation marks, in a code block or in a quoted line. A mark that is never
/// closed quotes to the end of its line.
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
            // An apostrophe within a word closes nothing.
            let apostrophe = matches!(c, '\'' | '’') && next.is_some_and(char::is_alphanumeric);
            if c == mark && !apostrophe {
                closing = None;
            }
        } else {
            closing = match c {
                '"' => Some('"'),
                '“' => Some('”'),
                // German closes with the mark that English opens with.
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
