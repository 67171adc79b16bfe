//! Changes single members of a JSON file of another program, with comments and trailing commas as its editor
//! allows them. The rest of the text stays as it is, byte for byte.

use std::ops::Range;

use serde_json::{Map, Value};

/// Maximum nesting.
const MAX_DEPTH: usize = 128;

/// Why a text cannot be changed. Never contains its text.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum JsoncError {
    /// The text is not JSON.
    #[error("it is not valid JSON at line {line}, column {column}")]
    Syntax {
        /// Line, counted from 1.
        line: usize,
        /// Column in characters, counted from 1.
        column: usize,
    },
    /// A value on the way to the member is not an object.
    #[error("'{key}' is not an object")]
    NotAnObject {
        /// Key of the value; empty for the whole document.
        key: String,
    },
    /// An object on the way to the member has the key twice, so programs may read either value.
    #[error("'{key}' occurs twice")]
    Repeated {
        /// The repeated key.
        key: String,
    },
}

/// A parsed value with its place in the text.
struct Node {
    span: Range<usize>,
    value: Value,
    /// Members in order, if the value is an object.
    members: Option<Vec<(String, Node)>>,
    /// Position after the last comma before the closing bracket, if there is one.
    trailing_comma: bool,
}

struct Parser<'t> {
    text: &'t str,
    at: usize,
}

/// Position of a syntax error.
struct Broken(usize);

impl<'t> Parser<'t> {
    fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    /// Skips white space and comments.
    fn skip(&mut self) -> Result<(), Broken> {
        loop {
            let rest = self.rest();
            let trimmed = rest.trim_start_matches([' ', '\t', '\r', '\n']);
            self.at += rest.len() - trimmed.len();
            if trimmed.starts_with("//") {
                self.at += trimmed.find('\n').unwrap_or(trimmed.len());
            } else if trimmed.starts_with("/*") {
                let end = trimmed.find("*/").ok_or(Broken(self.at))?;
                self.at += end + 2;
            } else {
                return Ok(());
            }
        }
    }

    fn expect(&mut self, byte: u8) -> Result<(), Broken> {
        if self.peek() == Some(byte) {
            self.at += 1;
            Ok(())
        } else {
            Err(Broken(self.at))
        }
    }

    fn value(&mut self, depth: usize) -> Result<Node, Broken> {
        let start = self.at;
        if depth > MAX_DEPTH {
            return Err(Broken(start));
        }
        match self.peek() {
            Some(b'{') => self.object(depth),
            Some(b'[') => self.array(depth),
            Some(b'"') => {
                let text = self.string()?;
                Ok(self.leaf(start, Value::String(text)))
            }
            _ => {
                let word = self.rest().find(|c: char| !(c.is_ascii_alphanumeric() || "+-.".contains(c)));
                self.at += word.unwrap_or(self.rest().len());
                let value = serde_json::from_str(&self.text[start..self.at]).map_err(|_| Broken(start))?;
                Ok(self.leaf(start, value))
            }
        }
    }

    const fn leaf(&self, start: usize, value: Value) -> Node {
        Node { span: start..self.at, value, members: None, trailing_comma: false }
    }

    fn string(&mut self) -> Result<String, Broken> {
        let start = self.at;
        let mut escaped = false;
        let inner = self.text[start + 1..].bytes().position(|byte| {
            let end = byte == b'"' && !escaped;
            escaped = byte == b'\\' && !escaped;
            end
        });
        self.at = start + 1 + inner.ok_or(Broken(start))? + 1;
        serde_json::from_str(&self.text[start..self.at]).map_err(|_| Broken(start))
    }

    fn object(&mut self, depth: usize) -> Result<Node, Broken> {
        let start = self.at;
        self.at += 1;
        let (mut members, mut value) = (Vec::new(), Map::new());
        let trailing_comma = self.items(b'}', |parser| {
            if parser.peek() != Some(b'"') {
                return Err(Broken(parser.at));
            }
            let key = parser.string()?;
            parser.skip()?;
            parser.expect(b':')?;
            parser.skip()?;
            let node = parser.value(depth + 1)?;
            value.insert(key.clone(), node.value.clone());
            members.push((key, node));
            Ok(())
        })?;
        let value = Value::Object(value);
        Ok(Node { span: start..self.at, value, members: Some(members), trailing_comma })
    }

    fn array(&mut self, depth: usize) -> Result<Node, Broken> {
        let start = self.at;
        self.at += 1;
        let mut items = Vec::new();
        self.items(b']', |parser| {
            items.push(parser.value(depth + 1)?.value);
            Ok(())
        })?;
        Ok(self.leaf(start, Value::Array(items)))
    }

    /// Parses items up to the closing bracket. True if the last one is followed by a comma.
    fn items(
        &mut self,
        close: u8,
        mut item: impl FnMut(&mut Self) -> Result<(), Broken>,
    ) -> Result<bool, Broken> {
        let mut comma = false;
        let mut first = true;
        loop {
            self.skip()?;
            if self.peek() == Some(close) {
                self.at += 1;
                return Ok(comma);
            }
            if !first && !comma {
                return Err(Broken(self.at));
            }
            item(self)?;
            first = false;
            self.skip()?;
            comma = self.peek() == Some(b',');
            self.at += usize::from(comma);
        }
    }
}

fn parse(text: &str) -> Result<Node, JsoncError> {
    let mut parser = Parser { text, at: 0 };
    // A byte order mark may stand before the document.
    parser.at = text.len() - text.trim_start_matches('\u{feff}').len();
    let parsed = parser.skip().and_then(|()| parser.value(0)).and_then(|node| {
        parser.skip()?;
        if parser.at == text.len() { Ok(node) } else { Err(Broken(parser.at)) }
    });
    parsed.map_err(|Broken(at)| {
        let before = &text[..at];
        let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
        JsoncError::Syntax {
            line: before.matches('\n').count() + 1,
            column: before[line_start..].chars().count() + 1,
        }
    })
}

/// The value of a text with comments and trailing commas; `None` if the text is empty.
///
/// # Errors
/// [`JsoncError::Syntax`].
pub fn value(text: &str) -> Result<Option<Value>, JsoncError> {
    if text.trim_matches(['\u{feff}', ' ', '\t', '\r', '\n']).is_empty() {
        return Ok(None);
    }
    Ok(Some(parse(text)?.value))
}

/// The text with the value at a path of keys; objects on the way are added. The text is returned unchanged if
/// it has this value already. An empty text becomes a new document.
///
/// # Errors
/// [`JsoncError`] if the text is not JSON, or the path leads through anything but objects.
pub fn set(text: &str, path: &[&str], new: &Value) -> Result<String, JsoncError> {
    if value(text)?.is_none() {
        return Ok(format!("{}\n", pretty(&nested(path, new), "  ", "", "\n")));
    }
    let root = parse(text)?;
    let layout = Layout::of(text, &root);
    let mut node = &root;
    let mut depth = 0;
    for (n, key) in path.iter().enumerate() {
        let parent = if n == 0 { "" } else { path[n - 1] };
        let members =
            node.members.as_ref().ok_or_else(|| JsoncError::NotAnObject { key: parent.to_owned() })?;
        let mut found = members.iter().filter(|(known, _)| known == key);
        match (found.next(), found.next()) {
            (Some((_, next)), None) => node = next,
            (Some(_), Some(_)) => return Err(JsoncError::Repeated { key: (*key).to_owned() }),
            (None, _) => return Ok(layout.insert(node, depth, key, &nested(&path[n + 1..], new))),
        }
        depth += 1;
    }
    if node.value == *new {
        return Ok(text.to_owned());
    }
    let indent = layout.unit.repeat(depth);
    let rendered = pretty(new, &layout.unit, &indent, layout.newline);
    Ok(format!("{}{rendered}{}", &text[..node.span.start], &text[node.span.end..]))
}

/// A value inside an object for each key of a path.
fn nested(path: &[&str], new: &Value) -> Value {
    path.iter().rev().fold(new.clone(), |inner, key| serde_json::json!({ *key: inner }))
}

/// A value on several lines. The first line is not indented.
fn pretty(value: &Value, unit: &str, indent: &str, newline: &str) -> String {
    let mut bytes = Vec::new();
    let formatter = serde_json::ser::PrettyFormatter::with_indent(unit.as_bytes());
    let mut serializer = serde_json::Serializer::with_formatter(&mut bytes, formatter);
    // A JSON value in memory is always serialised.
    let _ = serde::Serialize::serialize(value, &mut serializer);
    String::from_utf8_lossy(&bytes).replace('\n', &format!("{newline}{indent}"))
}

/// How a text is laid out.
struct Layout<'t> {
    text: &'t str,
    /// Indentation of one level.
    unit: String,
    newline: &'static str,
}

impl<'t> Layout<'t> {
    fn of(text: &'t str, root: &Node) -> Self {
        let newline = if text.contains("\r\n") { "\r\n" } else { "\n" };
        // The white space before the first key, if the key begins its line.
        let first = text[root.span.start + 1..].find('"').map(|quote| &text[..root.span.start + 1 + quote]);
        let white = first.and_then(|before| before.rsplit_once('\n')).map(|(_, line)| line);
        let unit = white.filter(|line| !line.is_empty() && line.trim().is_empty()).unwrap_or("  ");
        Self { text, unit: unit.to_owned(), newline }
    }

    /// The text with a new last member of an object that is `depth` levels deep.
    fn insert(&self, object: &Node, depth: usize, key: &str, new: &Value) -> String {
        let (outer, inner) = (self.unit.repeat(depth), self.unit.repeat(depth + 1));
        let close = object.span.end - 1;
        let last = object.members.as_ref().and_then(|members| members.last()).map(|(_, node)| node.span.end);
        let rendered = format!("{}: {}", Value::from(key), pretty(new, &self.unit, &inner, self.newline));
        // The closing bracket stays behind comments, and the new member comes before it.
        let end = self.text[..close].trim_end_matches([' ', '\t', '\r', '\n']).len();
        let (comma_at, comma) = match last {
            Some(last) if !object.trailing_comma => (last, ","),
            _ => (end, ""),
        };
        let after = if object.trailing_comma { "," } else { "" };
        format!(
            "{}{comma}{}{newline}{inner}{rendered}{after}{newline}{outer}{}",
            &self.text[..comma_at],
            &self.text[comma_at..end],
            &self.text[close..],
            newline = self.newline,
        )
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    const PATH: [&str; 2] = ["servers", "inklings"];

    fn server() -> Value {
        json!({ "command": "inklings", "args": ["mcp"] })
    }

    #[test]
    fn a_member_is_added_and_comments_order_and_other_members_stay() {
        let new = json!({ "command": "inklings" });
        let text = "{\n\t// mine\n\t\"a\": 1, /* one */\n\t\"servers\": {\n\t\t\"x\": {} // last\n\t},\n}\n";
        let after = set(text, &PATH, &new).expect("it is JSON");
        let expected = "{\n\t// mine\n\t\"a\": 1, /* one */\n\t\"servers\": {\n\t\t\"x\": {}, // last\n\t\t\"inklings\": \
                        {\n\t\t\t\"command\": \"inklings\"\n\t\t}\n\t},\n}\n";
        assert_eq!(after, expected);
        assert_eq!(set(&after, &PATH, &new).expect("it is JSON"), after, "a second time changes nothing");
        let changed = set(&after, &["servers", "inklings", "command"], &json!("other")).expect("it is JSON");
        assert_eq!(changed, expected.replace("\"inklings\"\n", "\"other\"\n"));
    }

    #[test]
    fn an_empty_text_an_empty_object_and_windows_line_ends_are_handled() {
        for text in ["", " \n", "\u{feff}", "{}", "\u{feff}{ }", "{ // nothing yet\n}", "{\"servers\":{}}"] {
            let after = set(text, &PATH, &server()).expect("it is JSON");
            let read = value(&after).expect("it is JSON").expect("it has a value");
            assert_eq!(read["servers"]["inklings"], server(), "{text:?}\n{after}");
            assert_eq!(after.contains("nothing yet"), text.contains("nothing yet"));
        }
        let after = set("{\r\n  \"a\": 1\r\n}\r\n", &PATH, &server()).expect("it is JSON");
        assert_eq!(after.matches('\n').count(), after.matches("\r\n").count());
    }

    #[test]
    fn a_text_that_is_no_json_or_cannot_hold_the_member_is_refused() {
        let refused = |text: &str| set(text, &PATH, &server()).expect_err("it is refused");
        assert_eq!(refused("{\n  \"a\" 1\n}"), JsoncError::Syntax { line: 2, column: 7 });
        assert_eq!(refused("[]"), JsoncError::NotAnObject { key: String::new() });
        assert_eq!(refused("{\"servers\": []}"), JsoncError::NotAnObject { key: "servers".into() });
        assert_eq!(
            refused("{\"servers\": {}, \"servers\": {}}"),
            JsoncError::Repeated { key: "servers".into() }
        );
        for broken in ["{", "{]", "{} x", "{\"a\":1 \"b\":2}", "{,}", "/*", "{\"a\":tru}", "{'a':1}"] {
            assert!(matches!(refused(broken), JsoncError::Syntax { .. }), "{broken}");
        }
        let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
        assert!(matches!(refused(&deep), JsoncError::Syntax { .. }));
    }

    fn documents() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            any::<i64>().prop_map(Value::from),
            "\\PC{0,8}".prop_map(Value::from),
        ];
        let inner = leaf.prop_recursive(3, 24, 4, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
                prop::collection::btree_map("[a-z\"\\\\/é]{0,4}", inner, 0..4)
                    .prop_map(|members| Value::Object(members.into_iter().collect())),
            ]
        });
        prop::collection::btree_map("[a-z\"/]{0,4}", inner, 0..5)
            .prop_map(|members| Value::Object(members.into_iter().collect()))
    }

    proptest! {
        #[test]
        fn only_the_member_changes(document in documents(), compact in any::<bool>(), key in "[a-z]{1,3}") {
            let text = if compact { document.to_string() } else { format!("{document:#}") };
            let path = [key.as_str(), "inklings"];
            match set(&text, &path, &server()) {
                Ok(after) => {
                    let mut expected = document.clone();
                    expected[&key]["inklings"] = server();
                    prop_assert_eq!(value(&after), Ok(Some(expected)));
                    prop_assert_eq!(set(&after, &path, &server()), Ok(after.clone()));
                }
                Err(error) => {
                    prop_assert_eq!(error, JsoncError::NotAnObject { key: key.clone() });
                    prop_assert!(!document[&key].is_object());
                }
            }
        }

        #[test]
        fn any_text_is_read_or_refused(text in "[\\[\\]{}\",:/* \\n\\\\a1\u{feff}]{0,40}") {
            if let Ok(Some(read)) = value(&text) {
                prop_assert!(serde_json::from_str::<Value>(&read.to_string()).is_ok());
            }
        }
    }
}
