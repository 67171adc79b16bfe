//! Reads a memory book of Agnai: `{"kind": "memory", name, entries: [{name, keywords, entry, priority, weight,
//! enabled}]}`, alone or in a character.

use serde_json::{Map, Value};

use super::{
    Collection, Format, FormatError, Spot, ThirdPartyEntry,
    builder::Builder,
    fields::{Fields, clean_names},
    listed::{self, NOTHING, Shape},
};
use crate::text::Tally;

const SHAPE: Shape = Shape {
    id: Some("id"),
    name: &["name"],
    keys: "keywords",
    content: &["entry"],
    enabled: Some(("enabled", true)),
    ..NOTHING
};

/// The texts of a character with their names in Inklings.
const TEXTS: [(&str, &str); 5] = [
    ("scenario", "scenario"),
    ("greeting", "first message"),
    ("sampleChat", "example messages"),
    ("systemPrompt", "system prompt"),
    ("postHistoryInstructions", "instructions after the history"),
];

fn kind(top: &Map<String, Value>) -> Option<&str> {
    top.get("kind").and_then(Value::as_str)
}

/// True for a memory book or a character.
pub fn is_ours(top: &Map<String, Value>) -> bool {
    let entries = top.get("entries").and_then(Value::as_array);
    let is_entry = |entry: &Value| entry.get("entry").is_some() && entry.get("keywords").is_some();
    match kind(top) {
        Some("memory") => entries.is_some(),
        Some("character") => top.contains_key("persona"),
        _ => entries.is_some_and(|entries| entries.iter().any(is_entry)),
    }
}

fn book(top: &mut Map<String, Value>, prefix: &str, made: &mut Builder) -> Result<(), FormatError> {
    match top.remove("entries") {
        Some(Value::Array(list)) => listed::read(list, &SHAPE, prefix, made),
        None | Some(Value::Null) if !prefix.is_empty() => Ok(()),
        _ => Err(FormatError::broken(Spot::top("entries"), "a list of entries should stand here")),
    }
}

/// Reads a file.
///
/// # Errors
/// [`FormatError`] with the entry and the field.
pub fn read(mut top: Map<String, Value>, tally: Tally) -> Result<Collection, FormatError> {
    let mut made = Builder::new(Format::Agnai, tally);
    let name = top.get("name").and_then(Value::as_str).filter(|name| !name.trim().is_empty());
    made.name = name.map(str::to_owned);
    if kind(&top) != Some("character") {
        book(&mut top, "", &mut made)?;
        let mut extra = Map::new();
        extra.insert("fields".into(), top.into());
        return made.finish(extra);
    }
    character(top, made)
}

fn character(mut top: Map<String, Value>, mut made: Builder) -> Result<Collection, FormatError> {
    let called = made.name.clone();
    let tags = top.get("tags").map_or_else(Vec::new, |tags| clean_names(tags).0);
    let whole = |id: &str, name: Option<String>, content: String| ThirdPartyEntry {
        external_id: Some(id.to_owned()),
        name,
        content,
        tags: tags.clone(),
        extra: serde_json::json!({}),
        ..ThirdPartyEntry::default()
    };
    let persona = top.get("persona").map(described).unwrap_or_default();
    if !persona.trim().is_empty() {
        made.push(whole("character:persona", called.clone(), persona))?;
    }
    let mut kept_book = None;
    match top.remove("characterBook") {
        Some(Value::Object(mut inner)) => {
            book(&mut inner, "book:", &mut made)?;
            kept_book = Some(inner);
        }
        None | Some(Value::Null) => {}
        Some(_) => {
            return Err(FormatError::broken(Spot::top("characterBook"), "an object should stand here"));
        }
    }
    let mut fields = Fields::new(top.into(), made.next())?;
    for (field, what) in TEXTS {
        let content = fields.content(field)?;
        if !content.trim().is_empty() {
            let name = called.as_ref().map_or_else(|| what.to_owned(), |name| format!("{name}: {what}"));
            made.push(whole(&format!("character:{field}"), Some(name), content))?;
        }
    }
    let mut extra = fields.into_extra();
    if let Some(Value::Object(top)) = extra.remove("fields") {
        let rest = listed::rest(top, &[("avatar", "picture")], &mut made);
        extra.insert("fields".into(), rest.into());
    }
    if let Some(book) = kept_book {
        extra.insert("book".into(), book.into());
    }
    made.finish(extra)
}

/// The text of a persona: `{kind, attributes: {name: [text, ...]}}`. It stays in the file's data as well.
fn described(persona: &Value) -> String {
    if let Some(text) = persona.as_str() {
        return text.to_owned();
    }
    let attributes = persona.get("attributes").and_then(Value::as_object);
    let mut parts = Vec::new();
    for (name, values) in attributes.into_iter().flatten() {
        let texts =
            values.as_array().into_iter().flatten().chain(Some(values).filter(|value| value.is_string()));
        let joined = texts.filter_map(Value::as_str).collect::<Vec<_>>().join(", ");
        match name.as_str() {
            _ if joined.trim().is_empty() => {}
            "text" => parts.push(joined),
            _ => parts.push(format!("{name}: {joined}")),
        }
    }
    parts.join("\n")
}
