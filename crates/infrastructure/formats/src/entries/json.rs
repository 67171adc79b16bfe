//! Parses third-party JSON with limits on depth and memory, repairs unpaired surrogates, and reports errors
//! with their line.

use std::{borrow::Cow, cell::RefCell, fmt};

use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value, error::Category};

use super::{
    FormatError, Spot,
    limits::{MAX_DEPTH, MAX_VALUE_BYTES, VALUES},
};
use crate::{bytes::json_problem, text::Tally};

/// Estimated bytes of a value, and of an object before its first field. Both are high estimates, because map
/// nodes are allocated for eleven fields at once.
const VALUE_COSTS: usize = 80;
const OBJECT_COSTS: usize = 700;

/// Parses one JSON value.
///
/// # Errors
/// [`FormatError::Broken`] with the line for invalid JSON or UTF-8, [`FormatError::TooLarge`] for a value
/// that is too deep or needs too much memory.
pub fn parse(bytes: &[u8], tally: &mut Tally) -> Result<Value, FormatError> {
    parse_within(bytes, &mut { MAX_VALUE_BYTES }, tally)
}

/// As [`parse`], for one of several values that share a memory budget.
pub fn parse_within(bytes: &[u8], left: &mut usize, tally: &mut Tally) -> Result<Value, FormatError> {
    let text = mended(utf8(bytes)?, tally);
    let state = RefCell::new(State { left: *left, stopped: None, twice: 0 });
    let mut json = serde_json::Deserializer::from_str(&text);
    let value = Guard { state: &state, depth: 0 }.deserialize(&mut json);
    let value = value.and_then(|value| json.end().map(|()| value));
    let state = state.into_inner();
    *left = state.left;
    tally.add("a field given twice: the last one counts", state.twice);
    value.map_err(|error| {
        let at = Spot::line(error.line().max(1));
        match (state.stopped, error.classify()) {
            (Some(bound), _) => FormatError::large(at, bound),
            (None, Category::Eof) => FormatError::broken(at, "the file ends in the middle"),
            (None, _) if is_stream(&text) => FormatError::broken(
                at,
                "a second JSON value follows the first one: this is no list of a kind that Inklings knows",
            ),
            (None, _) => FormatError::broken(at, json_problem(&error)),
        }
    })
}

/// True for several whole JSON values, one after another.
fn is_stream(text: &str) -> bool {
    let mut values = serde_json::Deserializer::from_str(text).into_iter::<serde::de::IgnoredAny>();
    matches!(values.next(), Some(Ok(_)))
        && matches!(values.next(), Some(Ok(_)))
        && values.all(|value| value.is_ok())
}

/// The text of a file without its byte order mark.
///
/// # Errors
/// [`FormatError::Broken`] with the line of the first invalid UTF-8 byte.
pub fn utf8(bytes: &[u8]) -> Result<&str, FormatError> {
    let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    std::str::from_utf8(bytes).map_err(|error| {
        let before = &bytes[..error.valid_up_to()];
        let line = before.split(|byte| *byte == b'\n').count();
        FormatError::broken(Spot::line(line), "this is no UTF-8")
    })
}

/// Replaces every unpaired surrogate, which JSON permits and UTF-8 does not, by U+FFFD. Programs that cut an
/// emoji in two write them.
fn mended<'a>(text: &'a str, tally: &mut Tally) -> Cow<'a, str> {
    let bytes = text.as_bytes();
    let unit = |at: usize| {
        let digits = bytes.get(at..at + 6)?.strip_prefix(b"\\u")?;
        let plain = digits.iter().all(u8::is_ascii_hexdigit);
        u16::from_str_radix(std::str::from_utf8(digits).ok().filter(|_| plain)?, 16).ok()
    };
    let mut halves = Vec::new();
    let mut at = 0;
    while let Some(step) = bytes[at..].iter().position(|byte| *byte == b'\\') {
        at += step;
        at += match unit(at) {
            Some(0xD800..=0xDBFF) if matches!(unit(at + 6), Some(0xDC00..=0xDFFF)) => 12,
            Some(0xD800..=0xDFFF) => {
                halves.push(at);
                6
            }
            Some(_) => 6,
            None => 2,
        };
        if at >= bytes.len() {
            break;
        }
    }
    if halves.is_empty() {
        return Cow::Borrowed(text);
    }
    tally.add("half a character, replaced", halves.len() as u64);
    let mut whole = String::with_capacity(text.len());
    let mut from = 0;
    for half in halves {
        whole.push_str(&text[from..half]);
        whole.push_str("\\ufffd");
        from = half + 6;
    }
    whole.push_str(&text[from..]);
    Cow::Owned(whole)
}

struct State {
    left: usize,
    stopped: Option<&'static str>,
    twice: u64,
}

#[derive(Clone, Copy)]
struct Guard<'a> {
    state: &'a RefCell<State>,
    depth: usize,
}

impl Guard<'_> {
    fn charge<E: Error>(self, bytes: usize) -> Result<(), E> {
        let mut state = self.state.borrow_mut();
        match state.left.checked_sub(bytes) {
            Some(left) => {
                state.left = left;
                Ok(())
            }
            None => Err(stop(&mut state, VALUES)),
        }
    }

    fn deeper<E: Error>(self) -> Result<Self, E> {
        let depth = self.depth + 1;
        if depth > MAX_DEPTH {
            return Err(stop(&mut self.state.borrow_mut(), "the values of this file are nested too deep"));
        }
        Ok(Self { depth, ..self })
    }
}

fn stop<E: Error>(state: &mut State, bound: &'static str) -> E {
    state.stopped = Some(bound);
    E::custom(bound)
}

impl<'de> DeserializeSeed<'de> for Guard<'_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Guard<'_> {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_unit<E: Error>(self) -> Result<Value, E> {
        self.charge(VALUE_COSTS).map(|()| Value::Null)
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<Value, E> {
        self.charge(VALUE_COSTS).map(|()| Value::Bool(value))
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Value, E> {
        self.charge(VALUE_COSTS).map(|()| value.into())
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Value, E> {
        self.charge(VALUE_COSTS).map(|()| value.into())
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Value, E> {
        self.charge(VALUE_COSTS)?;
        Number::from_f64(value).map(Value::Number).ok_or_else(|| E::custom("no number"))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Value, E> {
        self.charge(VALUE_COSTS + text.len())?;
        Ok(Value::String(text.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Value, A::Error> {
        self.charge(VALUE_COSTS)?;
        let inner = self.deeper()?;
        let mut values = Vec::new();
        while let Some(value) = list.next_element_seed(inner)? {
            values.push(value);
        }
        Ok(Value::Array(values))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Value, A::Error> {
        self.charge(OBJECT_COSTS)?;
        let inner = self.deeper()?;
        let mut fields = Map::new();
        while let Some(key) = map.next_key::<String>()? {
            self.charge(VALUE_COSTS + key.len())?;
            let value = map.next_value_seed(inner)?;
            if fields.insert(key, value).is_some() {
                self.state.borrow_mut().twice += 1;
            }
        }
        Ok(Value::Object(fields))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Value, FormatError> {
        parse(text.as_bytes(), &mut Tally::default())
    }

    #[test]
    fn unpaired_surrogates_are_replaced_and_pairs_are_kept() {
        let mut tally = Tally::default();
        let value =
            parse(br#"["\ud83d\ude00\ud83d", "\\ud83d", "\udc00\ud800x"]"#, &mut tally).expect("reads");
        assert_eq!(value, serde_json::json!(["😀\u{FFFD}", "\\ud83d", "\u{FFFD}\u{FFFD}x"]));
        assert_eq!(tally.into_counts().collect::<Vec<_>>(), [("half a character, replaced", 3)]);
    }

    #[test]
    fn depth_and_memory_are_bounded() {
        let deep = |n: usize| "[".repeat(n) + &"]".repeat(n);
        assert!(read(&deep(MAX_DEPTH)).is_ok());
        for n in [MAX_DEPTH + 1, 127, 129, 100_000] {
            assert!(matches!(read(&deep(n)), Err(FormatError::TooLarge { .. })), "{n}");
        }
        let many = format!("[{}{{}}]", "{\"a\":0},".repeat(400_000));
        assert!(matches!(read(&many), Err(FormatError::TooLarge { .. })));
    }

    #[test]
    fn an_error_names_the_line_and_nothing_else() {
        let error = read("{\n\"Xanadu\":\n\n Xanadu}").expect_err("broken");
        assert_eq!(error, FormatError::broken(Spot::line(4), "this is no valid JSON"));
        let error = parse(b"\n\"\xFF\"", &mut Tally::default()).expect_err("broken");
        assert_eq!(error, FormatError::broken(Spot::line(2), "this is no UTF-8"));
    }

    proptest::proptest! {
        #[test]
        fn every_number_is_written_back_unchanged(number in proptest::num::f64::NORMAL) {
            let value = serde_json::json!([number]);
            proptest::prop_assert_eq!(read(&value.to_string()), Ok(value));
        }
    }
}
