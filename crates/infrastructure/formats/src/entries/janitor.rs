//! Reads a lorebook of `JanitorAI`: a list of `{id, key, keysRaw, name, content, constant, enabled, tags, ...}`.

use serde_json::{Map, Value};

use super::{
    Collection, Format, FormatError,
    builder::Builder,
    listed::{self, NOTHING, Shape},
};
use crate::text::Tally;

const SHAPE: Shape = Shape {
    id: Some("id"),
    name: &["name", "comment"],
    keys: "key",
    other_keys: Some("keysRaw"),
    constant: Some("constant"),
    enabled: Some(("enabled", true)),
    tags: Some("tags"),
    ..NOTHING
};

/// True for an entry.
pub fn is_entry(value: &Value) -> bool {
    let has = |key| value.get(key).is_some();
    has("content") && (value.get("key").is_some_and(Value::is_array) || has("keysRaw"))
}

/// Reads a lorebook.
///
/// # Errors
/// [`FormatError`] with the entry and the field.
pub fn read(list: Vec<Value>, tally: Tally) -> Result<Collection, FormatError> {
    let mut made = Builder::new(Format::JanitorAi, tally);
    listed::read(list, &SHAPE, "", &mut made)?;
    made.finish(Map::new())
}
