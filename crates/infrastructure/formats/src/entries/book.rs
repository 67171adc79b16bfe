//! Reads the entries of a book in character cards and lorebooks:
//! `{keys, content, enabled, insertion_order, ...}`.

use serde_json::{Map, Value};

use super::{Collection, Format, FormatError, Spot, ThirdPartyEntry, builder::Builder, fields::Fields, ours};
use crate::text::Tally;

/// Reads a standalone lorebook: `{"spec": "lorebook_v3", "data": {...}}`, or only the book.
///
/// # Errors
/// [`FormatError`] with the entry and the field.
pub fn read(mut top: Map<String, Value>, tally: Tally) -> Result<Collection, FormatError> {
    let mut book = match top.remove("data") {
        Some(Value::Object(data)) => data,
        Some(_) => return Err(FormatError::broken(Spot::top("data"), "an object should stand here")),
        None => std::mem::take(&mut top),
    };
    let mut lore = Builder::new(Format::LorebookV3, tally);
    lore.name = name_of(&book);
    let list = book.remove("entries");
    entries(list, "", &mut lore)?;
    let mut extra = Map::new();
    extra.insert("fields".into(), book.into());
    if !top.is_empty() {
        extra.insert("top".into(), top.into());
    }
    lore.finish(extra)
}

/// The name of a book.
pub fn name_of(book: &Map<String, Value>) -> Option<String> {
    let name = book.get("name").and_then(Value::as_str)?;
    (!name.trim().is_empty()).then(|| name.to_owned())
}

/// Adds the entries of a book; `prefix` distinguishes their ids.
///
/// # Errors
/// [`FormatError`] with the entry and the field.
pub fn entries(list: Option<Value>, prefix: &str, lore: &mut Builder) -> Result<(), FormatError> {
    let list = match list {
        Some(Value::Array(list)) => list,
        // Some programs write an object, as SillyTavern does.
        Some(Value::Object(map)) => map.into_iter().map(|(_, entry)| entry).collect(),
        None | Some(Value::Null) => Vec::new(),
        Some(_) => {
            return Err(FormatError::broken(Spot::top("entries"), "a list of entries should stand here"));
        }
    };
    for (place, value) in list.into_iter().enumerate() {
        let fields = Fields::new(value, lore.next())?;
        let entry = entry(fields, prefix, place, &mut lore.tally)?;
        lore.push(entry)?;
    }
    Ok(())
}

fn entry(
    mut fields: Fields,
    prefix: &str,
    place: usize,
    tally: &mut Tally,
) -> Result<ThirdPartyEntry, FormatError> {
    let id = match fields.get("id") {
        Some(Value::Number(id)) => id.to_string(),
        Some(Value::String(id)) if !id.trim().is_empty() => id.clone(),
        _ => format!("at {place}"),
    };
    let patterns = fields.get("use_regex") == Some(&Value::Bool(true));
    let name = fields.name("name", tally);
    let plain = ThirdPartyEntry {
        external_id: Some(format!("{prefix}{id}")),
        name: if name.is_some() { name } else { fields.name("comment", tally) },
        // Patterns are not names.
        aliases: if patterns { Vec::new() } else { fields.names("keys", tally)? },
        content: fields.content("content")?,
        standing: fields.flag("constant", false, tally),
        enabled: fields.flag("enabled", true, tally),
        ..ThirdPartyEntry::default()
    };
    let entry = ours::read(&mut fields, plain, tally);
    Ok(ThirdPartyEntry { extra: fields.into_extra().into(), ..entry })
}
