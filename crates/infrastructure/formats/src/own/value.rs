//! JSON values without duplicate keys.

use std::fmt;

use inklings_ports::transfer::file::FileError;
use serde::de::{self, Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value, error::Category};

use crate::bytes::json_problem;

/// Marks a duplicate key. The parser's own errors are not reported, so this one must be distinguishable.
const TWICE: &str = "inklings: twice";

/// Parses a JSON value.
///
/// # Errors
/// [`FileError`] with the line in the file; the bytes begin at `line`.
pub fn parsed(bytes: &[u8], line: u64) -> Result<Value, FileError> {
    let at = |within: usize| line + (within as u64).saturating_sub(1);
    let text = std::str::from_utf8(bytes).map_err(|error| {
        let before = bytes[..error.valid_up_to()].split(|byte| *byte == b'\n').count() - 1;
        FileError::at(line + before as u64, "this is no valid UTF-8")
    })?;
    let mut json = serde_json::Deserializer::from_str(text);
    let unique = Unique::deserialize(&mut json).and_then(|value| json.end().map(|()| value));
    unique.map(|value| value.0).map_err(|error| {
        let message = match error.classify() {
            Category::Eof => "this ends in the middle",
            Category::Data if error.to_string().starts_with(TWICE) => "a field stands twice",
            _ => json_problem(&error),
        };
        FileError::at(at(error.line()), message)
    })
}

struct Unique(Value);

impl<'de> Deserialize<'de> for Unique {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Any).map(Self)
    }
}

struct Any;

impl<'de> Visitor<'de> for Any {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_bool<E>(self, flag: bool) -> Result<Value, E> {
        Ok(Value::Bool(flag))
    }

    fn visit_i64<E>(self, number: i64) -> Result<Value, E> {
        Ok(number.into())
    }

    fn visit_u64<E>(self, number: u64) -> Result<Value, E> {
        Ok(number.into())
    }

    fn visit_f64<E: de::Error>(self, number: f64) -> Result<Value, E> {
        Number::from_f64(number).map(Value::Number).ok_or_else(|| E::custom("no number"))
    }

    fn visit_str<E>(self, text: &str) -> Result<Value, E> {
        Ok(text.into())
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Value, A::Error> {
        let mut values = Vec::new();
        while let Some(Unique(value)) = list.next_element()? {
            values.push(value);
        }
        Ok(Value::Array(values))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Value, A::Error> {
        let mut fields = Map::new();
        while let Some(name) = map.next_key::<String>()? {
            let Unique(value) = map.next_value()?;
            if fields.insert(name, value).is_some() {
                return Err(de::Error::custom(TWICE));
            }
        }
        Ok(Value::Object(fields))
    }
}
