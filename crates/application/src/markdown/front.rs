//! Front matter of a Markdown file between two lines `---`: keys with values in simple YAML.
//!
//! Every key retains its original lines, so that unsupported syntax is not lost.

use serde_json::{Value, json};

/// A key of the front matter with its lines.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Block {
    /// The key; empty for lines before the first key.
    pub key: String,
    /// Original lines, each with its line end.
    pub raw: String,
}

/// Parsed front matter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Head<'a> {
    /// The delimiter lines.
    pub fences: [&'a str; 2],
    /// The keys.
    pub blocks: Vec<Block>,
}

/// The front matter and the rest of a file; `None` for a file without front matter.
pub fn split(text: &str) -> Option<(Head<'_>, &str)> {
    let (first, mut rest) = line(text);
    if first.trim_end() != "---" || !first.ends_with('\n') {
        return None;
    }
    let mut blocks: Vec<Block> = Vec::new();
    while !rest.is_empty() {
        let (text, after) = line(rest);
        rest = after;
        if matches!(text.trim_end(), "---" | "...") {
            return Some((Head { fences: [first, text], blocks }, rest));
        }
        match (key(text), blocks.last_mut()) {
            (None, Some(block)) => block.raw.push_str(text),
            (key, _) => {
                blocks.push(Block { key: key.unwrap_or_default().to_owned(), raw: text.to_owned() });
            }
        }
    }
    None
}

fn line(text: &str) -> (&str, &str) {
    text.split_at(text.find('\n').map_or(text.len(), |end| end + 1))
}

/// The key at the start of a line.
fn key(line: &str) -> Option<&str> {
    let first = line.chars().next()?;
    if first.is_whitespace()
        || matches!(first, '-' | '#' | '[' | '{' | '"' | '\'' | '&' | '*' | '!' | '|' | '>')
    {
        return None;
    }
    let (key, rest) = line.split_once(':')?;
    let ends = rest.is_empty() || rest.starts_with(char::is_whitespace);
    (ends && !key.trim().is_empty()).then(|| key.trim())
}

impl Block {
    /// A key with a value: a string, a number, a boolean, null, or a list of strings.
    pub fn written(key: &str, value: &Value) -> Self {
        let raw = match value {
            Value::Array(items) => {
                let lines = items.iter().map(|item| format!("\n  - {}", scalar(item)));
                format!("{key}:{}\n", lines.collect::<Vec<_>>().concat())
            }
            value => format!("{key}: {}\n", scalar(value)),
        };
        Self { key: key.to_owned(), raw }
    }

    fn after_key(&self) -> (&str, &str) {
        let (first, rest) = line(&self.raw);
        (first.split_once(':').map_or("", |(_, value)| value).trim(), rest)
    }

    /// The single value; `None` if there is none or its syntax is not supported.
    pub fn text(&self) -> Option<String> {
        let (value, rest) = self.after_key();
        let more = rest.lines().any(|line| !line.trim().is_empty() && !line.trim_start().starts_with('#'));
        if more { None } else { read_scalar(value) }
    }

    /// True for an explicit null.
    pub fn is_nothing(&self) -> bool {
        let (value, rest) = self.after_key();
        rest.trim().is_empty() && matches!(value, "" | "~" | "null")
    }

    /// True for an explicit empty list.
    pub fn is_empty_list(&self) -> bool {
        let (value, rest) = self.after_key();
        rest.trim().is_empty() && without_comment(value) == "[]"
    }

    /// The list: in brackets, as lines with a dash, or one comma-separated value; `None` if its syntax is not
    /// supported.
    pub fn list(&self) -> Option<Vec<String>> {
        let (value, rest) = self.after_key();
        let mut items = Vec::new();
        if value.is_empty() || value.starts_with('#') {
            for line in rest.lines().map(str::trim) {
                if line.is_empty() || line.starts_with('#') {
                    continue;
                }
                let item = line.strip_prefix('-').filter(|item| item.is_empty() || item.starts_with(' '))?;
                items.extend(read_scalar(item.trim()));
            }
        } else if let Some(inner) = value.strip_prefix('[') {
            let inner = without_comment(inner).strip_suffix(']').filter(|_| rest.trim().is_empty())?;
            for item in pieces(inner)? {
                items.extend(read_scalar(item.trim()));
            }
        } else if value.starts_with(['"', '\'']) {
            items.push(self.text()?);
        } else {
            let text = self.text()?;
            items.extend(text.split(',').map(|item| item.trim().to_owned()));
        }
        items.retain(|item| !item.trim().is_empty());
        Some(items)
    }
}

/// Splits at commas outside quotes; `None` for nested lists and unclosed quotes.
fn pieces(inner: &str) -> Option<Vec<&str>> {
    let mut pieces = Vec::new();
    let (mut from, mut quote, mut escaped) = (0, None, false);
    for (at, c) in inner.char_indices() {
        match quote {
            Some('"') if c == '\\' && !escaped => {
                escaped = true;
                continue;
            }
            Some(open) if c == open && !escaped => quote = None,
            None if c == ',' => {
                pieces.push(&inner[from..at]);
                from = at + 1;
            }
            // A quote within a word is an apostrophe.
            None if matches!(c, '"' | '\'') && inner[from..at].trim().is_empty() => quote = Some(c),
            None if matches!(c, '[' | ']' | '{' | '}') => return None,
            _ => {}
        }
        escaped = false;
    }
    pieces.push(&inner[from..]);
    quote.is_none().then_some(pieces)
}

fn without_comment(value: &str) -> &str {
    value.split_once(" #").map_or(value, |(value, _)| value).trim_end()
}

fn read_scalar(value: &str) -> Option<String> {
    match value.chars().next() {
        Some('"') => {
            // Inklings and most other programs write JSON strings.
            let mut texts = serde_json::Deserializer::from_str(value).into_iter::<String>();
            let text = texts.next()?.ok()?;
            let rest = value[texts.byte_offset()..].trim();
            (rest.is_empty() || rest.starts_with('#')).then_some(text)
        }
        Some('\'') => {
            let inner = without_comment(value).strip_prefix('\'')?.strip_suffix('\'')?;
            Some(inner.replace("''", "'"))
        }
        Some('|' | '>' | '&' | '*' | '!' | '{' | '[' | '@' | '`' | '%' | '#') | None => None,
        Some(_) if matches!(value, "~" | "null") => None,
        Some(_) => Some(without_comment(value).to_owned()).filter(|value| !value.is_empty()),
    }
}

/// A value on one line: unquoted if it is unambiguous, else as JSON.
fn scalar(value: &Value) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::String(text) => {
            let starts = text.chars().next().is_some_and(char::is_alphabetic);
            let ends = text.chars().next_back().is_some_and(char::is_alphanumeric);
            let plain = text.chars().all(|c| c.is_alphanumeric() || matches!(c, ' ' | '_' | '-' | '\''));
            let word = ["true", "false", "null", "yes", "no", "on", "off", "y", "n"];
            let is_given = word.iter().any(|word| text.eq_ignore_ascii_case(word));
            if starts && ends && plain && !is_given { text.clone() } else { json!(text).to_string() }
        }
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn block(raw: &str) -> Block {
        Block { key: key(raw).unwrap_or_default().to_owned(), raw: raw.to_owned() }
    }

    #[test]
    fn every_notation_of_a_list_is_read() {
        for raw in [
            "a: [Ama, \"the queen\"]\n",
            "a: [ 'Ama' , the queen ] # both\n",
            "a:\n- Ama\n- the queen\n",
            "a: # both\n  - \"Ama\"\n\n  # second\n  - 'the queen'\n",
            "a: Ama, the queen\n",
            "a: [Ama, , the queen,]\n",
        ] {
            assert_eq!(block(raw).list(), Some(vec!["Ama".to_owned(), "the queen".to_owned()]), "{raw}");
        }
        for raw in
            ["a: [Ama\n", "a: [[Ama]]\n", "a: {Ama: 1}\n", "a: |\n  Ama\n", "a:\n  Ama: 1\n", "a: [\"Ama]\n"]
        {
            assert_eq!(block(raw).list(), None, "{raw}");
        }
        assert_eq!(block("a:\n").list(), Some(vec![]));
    }

    #[test]
    fn every_notation_of_a_text_is_read() {
        for (raw, text) in [
            ("a: Ama's queen # her\n", Some("Ama's queen")),
            ("a: \"Ama \\\"x\\\" # no\" # yes\n", Some("Ama \"x\" # no")),
            ("a: 'Ama''s'\n", Some("Ama's")),
            ("a: http://x/#y\n", Some("http://x/#y")),
            ("a: null\n", None),
            ("a:\n", None),
            ("a: >\n  Ama\n", None),
            ("a: \"Ama\n", None),
        ] {
            assert_eq!(block(raw).text().as_deref(), text, "{raw}");
        }
    }

    #[test]
    fn a_head_is_split_from_the_text_and_keeps_every_line() {
        let text = "---\n# mine\nname: Ama\nodd: {a:\n  1}\nlist:\n- x\n---\n\nText\n";
        let (Head { blocks, .. }, body) = split(text).expect("a head");
        assert_eq!(blocks.iter().map(|b| b.key.as_str()).collect::<Vec<_>>(), ["", "name", "odd", "list"]);
        let raw: String = blocks.iter().map(|b| b.raw.as_str()).collect();
        assert_eq!(format!("---\n{raw}---\n{body}"), text);
        for none in ["", "---", "--- a\n---\n", "---\nname: Ama\n", "text\n---\n---\n", "----\n---\n"] {
            assert_eq!(split(none), None, "{none}");
        }
    }

    proptest::proptest! {
        #[test]
        fn written_front_matter_is_read_back(text in "\\PC{0,40}|[\\x00-\\x7F]{0,20}", list in proptest::collection::vec("\\PC{0,20}|[\\x00-\\x7F]{1,9}", 0..5)) {
            let one = Block::written("key", &json!(text));
            proptest::prop_assert_eq!(one.text(), Some(text));
            let list: Vec<String> = list.into_iter().filter(|item| !item.trim().is_empty()).collect();
            proptest::prop_assert_eq!(Block::written("key", &json!(list)).list(), Some(list));
        }
    }
}
