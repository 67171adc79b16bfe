//! Reads a lorebook of `RisuAI`:
//! `{"type": "risu", "ver", "data": [{key, secondkey, comment, content, alwaysActive, insertorder, ...}]}`.

use serde_json::{Map, Value};

use super::{
    Collection, Format, FormatError, Spot,
    builder::Builder,
    listed::{self, NOTHING, Shape},
};
use crate::text::Tally;

const SHAPE: Shape =
    Shape { id: Some("id"), name: &["comment"], keys: "key", constant: Some("alwaysActive"), ..NOTHING };

/// True for a lorebook.
pub fn is_book(top: &Map<String, Value>) -> bool {
    top.get("type").and_then(Value::as_str) == Some("risu") && top.get("data").is_some_and(Value::is_array)
}

/// Reads a lorebook. Folders, which hold no text, are retained with the file.
///
/// # Errors
/// [`FormatError`] with the entry and the field.
pub fn read(mut top: Map<String, Value>, tally: Tally) -> Result<Collection, FormatError> {
    let Some(Value::Array(list)) = top.remove("data") else {
        return Err(FormatError::broken(Spot::top("data"), "a list of entries should stand here"));
    };
    let mut made = Builder::new(Format::Risu, tally);
    let is_folder = |value: &Value| value.get("mode").and_then(Value::as_str) == Some("folder");
    let (folders, list): (Vec<Value>, Vec<Value>) = list.into_iter().partition(is_folder);
    listed::read(list, &SHAPE, "", &mut made)?;
    let mut extra = Map::new();
    extra.insert("fields".into(), top.into());
    if !folders.is_empty() {
        extra.insert("folders".into(), folders.into());
    }
    made.finish(extra)
}
