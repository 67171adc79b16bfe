//! Entries that are JSON objects in a list: one table of field names per format says how they are read.

use std::collections::HashMap;

use serde_json::{Map, Value};

use super::{
    FormatError, LeftBehind, ThirdPartyEntry,
    builder::{Builder, weight},
    fields::{Fields, clean_names},
    limits::{MAX_EXTRA_BYTES, MAX_NAME_BYTES},
    ours,
};
use crate::text::Tally;

/// The names of the fields of an entry in a format.
#[derive(Debug)]
pub struct Shape {
    /// Id. Without one, an entry is known by its name or first key.
    pub id: Option<&'static str>,
    /// Name; the first field that is filled.
    pub name: &'static [&'static str],
    pub keys: &'static str,
    /// Keys where [`Self::keys`] has none.
    pub other_keys: Option<&'static str>,
    /// Text; the first field that exists.
    pub content: &'static [&'static str],
    /// True if the entry is always shown.
    pub constant: Option<&'static str>,
    /// Whether the entry is in use, and what the field says of an entry in use.
    pub enabled: Option<(&'static str, bool)>,
    /// Tags: a list or one word.
    pub tags: Option<&'static str>,
    /// Time of the last change.
    pub updated: Option<&'static str>,
}

/// A table without fields, to be filled by a format.
pub const NOTHING: Shape = Shape {
    id: None,
    name: &[],
    keys: "keys",
    other_keys: None,
    content: &["content"],
    constant: None,
    enabled: None,
    tags: None,
    updated: None,
};

/// Distinguishes entries without an id.
#[derive(Debug, Default)]
pub struct Twins(HashMap<String, u64>);

impl Twins {
    /// The base, or the base with a number if it was given before.
    fn next(&mut self, base: &str) -> String {
        let seen = self.0.entry(base.to_owned()).or_default();
        *seen += 1;
        if *seen == 1 { base.to_owned() } else { format!("{base} ({seen})") }
    }
}

/// A field as text: a text that is not blank, or a number.
pub fn word(value: Option<&Value>) -> Option<String> {
    match value? {
        Value::String(text) if !text.trim().is_empty() => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    }
}

/// Adds the entries of a list to a collection. `prefix` distinguishes their ids.
///
/// # Errors
/// [`FormatError`] with the entry and the field.
pub fn read(list: Vec<Value>, shape: &Shape, prefix: &str, made: &mut Builder) -> Result<(), FormatError> {
    let mut twins = Twins::default();
    for value in list {
        let fields = Fields::new(value, made.next())?;
        let mut entry = entry(fields, shape, &mut made.tally)?;
        let id = entry.external_id.take();
        let base = || entry.title().filter(|title| title.len() <= MAX_NAME_BYTES / 2);
        let id = match id {
            Some(id) => Some(id),
            None => base().map(|title| twins.next(title)),
        };
        entry.external_id = id.map(|id| format!("{prefix}{id}"));
        made.push(entry)?;
    }
    Ok(())
}

fn entry(mut fields: Fields, shape: &Shape, tally: &mut Tally) -> Result<ThirdPartyEntry, FormatError> {
    let id = shape.id.and_then(|id| word(fields.get(id)));
    let mut name = None;
    for field in shape.name {
        if name.is_none() {
            name = fields.name(field, tally);
        }
    }
    let content = shape.content.iter().find(|field| fields.get(field).is_some()).unwrap_or(&shape.content[0]);
    let mut aliases = fields.names(shape.keys, tally)?;
    if aliases.is_empty()
        && let Some(given) = shape.other_keys.and_then(|field| fields.get(field))
    {
        aliases = clean_names(given).0;
    }
    let plain = ThirdPartyEntry {
        external_id: id,
        name,
        aliases,
        content: fields.content(content)?,
        tags: shape
            .tags
            .and_then(|field| fields.get(field))
            .map_or_else(Vec::new, |tags| clean_names(tags).0),
        standing: shape.constant.is_some_and(|field| fields.flag(field, false, tally)),
        enabled: shape.enabled.is_none_or(|(field, on)| fields.flag(field, on, tally) == on),
        updated: shape.updated.and_then(|field| fields.moment(field)),
        ..ThirdPartyEntry::default()
    };
    let entry = ours::read(&mut fields, plain, tally);
    Ok(ThirdPartyEntry { extra: fields.into_extra().into(), ..entry })
}

/// A text of the file as a whole, which its program always shows.
pub fn whole_text(id: &str, name: String, content: String) -> ThirdPartyEntry {
    ThirdPartyEntry {
        external_id: Some(id.to_owned()),
        name: Some(name),
        content,
        standing: true,
        extra: serde_json::json!({}),
        ..ThirdPartyEntry::default()
    }
}

/// The data of a file besides its entries, for retention. Of a file with too much of it, the parts named in `heavy` are
/// dropped one after another; each of them is named as left behind in any case, because it becomes no entry.
pub fn rest(
    mut top: Map<String, Value>,
    heavy: &[(&str, &'static str)],
    made: &mut Builder,
) -> Map<String, Value> {
    const MOST: usize = MAX_EXTRA_BYTES / 2;
    let is_nothing = |value: &Value| match value {
        Value::Null => true,
        Value::String(text) => text.trim().is_empty(),
        Value::Array(list) => list.is_empty(),
        Value::Object(map) => map.is_empty(),
        _ => false,
    };
    let mut size: usize = top.values().map(weight).sum();
    for (key, what) in heavy {
        let Some(value) = top.get(*key) else { continue };
        if !is_nothing(value) {
            made.left_behind.push(LeftBehind { what, path: (*key).to_owned() });
        }
        if size > MOST
            && let Some(value) = top.remove(*key)
        {
            size -= weight(&value);
        }
    }
    top
}
