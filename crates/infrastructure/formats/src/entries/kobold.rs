//! Reads what `KoboldAI` and `KoboldAI` Lite save: memory, author's note and world info of a story, or exported world info.
//!
//! The first form has a list `worldinfo: [{key, keysecondary, comment, content, constant, folder, ...}]`, the second one
//! `worldinfo_v2: {folders, entries: {"0": {uid, title, key: [...], content, ...}}}`.

use serde_json::{Map, Value};

use super::{
    Collection, Format, FormatError, Spot,
    builder::Builder,
    fields::Fields,
    listed::{self, NOTHING, Shape},
};
use crate::text::Tally;

const LIST: Shape = Shape {
    id: Some("uid"),
    name: &["comment"],
    keys: "key",
    constant: Some("constant"),
    enabled: Some(("widisabled", false)),
    ..NOTHING
};

const NUMBERED: Shape = Shape {
    id: Some("uid"),
    name: &["title", "comment"],
    keys: "key",
    content: &["content", "manual_text"],
    constant: Some("constant"),
    ..NOTHING
};

/// The texts of a story that are always shown, with their names in Inklings.
const TEXTS: [(&str, &str); 2] = [("memory", "memory"), ("authorsnote", "author's note")];

/// The parts of a story that become no entries.
const STORY: [(&str, &str); 5] = [
    ("actions", "story"),
    ("actions_metadata", "story"),
    ("prompt", "story"),
    ("savedaestheticsettings", "settings"),
    ("savedsettings", "settings"),
];

/// True for a saved story or exported world info.
pub fn is_save(top: &Map<String, Value>) -> bool {
    let has = |key: &str| top.contains_key(key);
    let is_story = has("gamestarted") && (has("memory") || has("actions") || has("prompt"));
    top.get("worldinfo").is_some_and(Value::is_array) || has("worldinfo_v2") || is_story || is_export(top)
}

/// True for exported world info of the second form. Its entries have a field that World Info of SillyTavern lacks.
fn is_export(top: &Map<String, Value>) -> bool {
    let entries = top.get("entries").and_then(Value::as_object).filter(|_| top.contains_key("folders"));
    entries.is_some_and(|entries| {
        entries.is_empty() || entries.values().any(|entry| entry.get("manual_text").is_some())
    })
}

fn numbered(book: &mut Map<String, Value>, made: &mut Builder) -> Result<(), FormatError> {
    match book.remove("entries") {
        Some(Value::Object(entries)) => {
            let mut entries: Vec<(String, Value)> = entries.into_iter().collect();
            entries.sort_by_key(|(key, _)| (key.parse::<u64>().unwrap_or(u64::MAX), key.clone()));
            listed::read(entries.into_iter().map(|(_, entry)| entry).collect(), &NUMBERED, "", made)
        }
        None | Some(Value::Null) => Ok(()),
        Some(_) => Err(FormatError::broken(Spot::top("entries"), "an object of entries should stand here")),
    }
}

/// Reads a file.
///
/// # Errors
/// [`FormatError`] with the entry and the field.
pub fn read(mut top: Map<String, Value>, tally: Tally) -> Result<Collection, FormatError> {
    let mut made = Builder::new(Format::KoboldAi, tally);
    if !is_save(&top) {
        return Err(FormatError::broken(Spot::top("worldinfo"), "a list of entries should stand here"));
    }
    match top.remove("worldinfo_v2") {
        Some(Value::Object(mut book)) => {
            numbered(&mut book, &mut made)?;
            top.insert("worldinfo_v2".into(), book.into());
        }
        None | Some(Value::Null) => {}
        Some(_) => return Err(FormatError::broken(Spot::top("worldinfo_v2"), "an object should stand here")),
    }
    match top.remove("worldinfo") {
        Some(Value::Array(list)) => listed::read(list, &LIST, "", &mut made)?,
        None | Some(Value::Null) => {}
        Some(_) => {
            return Err(FormatError::broken(Spot::top("worldinfo"), "a list of entries should stand here"));
        }
    }
    if is_export(&top) {
        numbered(&mut top, &mut made)?;
    }
    let mut fields = Fields::new(top.into(), made.next())?;
    for (field, what) in TEXTS {
        let content = fields.content(field)?;
        if !content.trim().is_empty() {
            made.push(listed::whole_text(&format!("story:{field}"), what.to_owned(), content))?;
        }
    }
    let mut extra = fields.into_extra();
    if let Some(Value::Object(top)) = extra.remove("fields") {
        let rest = listed::rest(top, &STORY, &mut made);
        extra.insert("fields".into(), rest.into());
    }
    made.finish(extra)
}
