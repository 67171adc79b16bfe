//! Reads and writes the entries of a book in character cards and lorebooks:
//! `{keys, content, enabled, insertion_order, ...}`.

use std::{collections::HashSet, io::Write};

use serde_json::{Map, Value, json};

use super::{
    Collection, Format, FormatError, Spot, ThirdPartyEntry,
    builder::Builder,
    fields::{Fields, Out},
    knowers, ours,
};
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

/// True for the settings of a bare book, by which one without entries is known.
pub fn is_book(top: &Map<String, Value>) -> bool {
    ["scan_depth", "token_budget", "recursive_scanning"].iter().any(|key| top.contains_key(*key))
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
    let name = fields.name("name", tally);
    let (known_by, known_by_fewer) = knowers::of_filter(&fields, tally);
    let plain = ThirdPartyEntry {
        external_id: Some(format!("{prefix}{id}")),
        name: if name.is_some() { name } else { fields.name("comment", tally) },
        // SillyTavern sets `use_regex` on every entry that it saves. Only a key that is written as `/.../` is a
        // pattern there, so the flag says nothing about the other keys.
        aliases: fields.names("keys", tally)?,
        content: fields.content("content")?,
        standing: fields.flag("constant", false, tally),
        enabled: fields.flag("enabled", true, tally),
        known_by,
        known_by_fewer,
        ..ThirdPartyEntry::default()
    };
    let entry = ours::read(&mut fields, plain, tally);
    Ok(ThirdPartyEntry { extra: fields.into_extra().into(), ..entry })
}

/// Gives numbers to new entries, which no other entry has as its id.
pub struct Numbers {
    used: HashSet<String>,
    next: u64,
}

impl Numbers {
    /// Knows the ids of these entries, of which those in a card have a prefix.
    pub fn of(entries: &[ThirdPartyEntry], prefix: &str) -> Self {
        let id = |entry: &ThirdPartyEntry| {
            let id = entry.external_id.as_ref()?;
            Some(id.strip_prefix(prefix).unwrap_or(id).to_owned())
        };
        Self { used: entries.iter().filter_map(id).collect(), next: 0 }
    }

    /// The next unused number.
    pub fn next(&mut self) -> u64 {
        loop {
            self.next += 1;
            if self.used.insert(self.next.to_string()) {
                return self.next;
            }
        }
    }
}

/// The entries of a book as a list; `prefix` as for reading.
pub fn written<'e>(
    entries: impl Iterator<Item = &'e ThirdPartyEntry>,
    prefix: &str,
    numbers: &mut Numbers,
) -> Value {
    entries.enumerate().map(|(place, entry)| written_entry(entry, prefix, place, numbers)).collect()
}

fn written_entry(entry: &ThirdPartyEntry, prefix: &str, place: usize, numbers: &mut Numbers) -> Value {
    let mut out = Out::new(&entry.extra);
    if out.fresh {
        out.put("id", numbers.next().into());
    }
    // A name that was read from the comment goes back there: then the comment was consumed, and the name was not.
    let was_in_file = |field: &str| out.get(field).is_some() || out.was_missing(field);
    let field = if !out.fresh && was_in_file("name") && !was_in_file("comment") { "comment" } else { "name" };
    out.text(field, entry.name.as_deref().unwrap_or_default());
    out.names("keys", &entry.aliases);
    out.text("content", &entry.content);
    out.flag("constant", entry.standing, false);
    out.flag("enabled", entry.enabled, true);
    if out.fresh {
        for (field, value) in [("insertion_order", json!(100)), ("use_regex", json!(false))] {
            out.needs(field, value);
        }
        entry.placement.put_into_book(&mut out, &entry.aliases);
    }
    knowers::put_filter(&mut out, &entry.known_by, knowers::IN_BOOK);
    let read = Fields::new(out.clone().into_value(), 1);
    if let Ok(plain) = read.and_then(|fields| self::entry(fields, prefix, place, &mut Tally::default())) {
        ours::write(&mut out, entry, &plain);
    }
    out.into_value()
}

/// Writes a standalone lorebook: as it was read, or in the envelope of the specification.
///
/// # Errors
/// [`FormatError::Io`].
pub fn write(lore: &Collection, to: &mut dyn Write) -> Result<(), FormatError> {
    let object = |key: &str| lore.extra.get(key).and_then(Value::as_object).cloned();
    let mut book = object("fields").unwrap_or_default();
    if let (true, Some(name)) = (lore.extra.is_null(), &lore.name) {
        book.insert("name".into(), name.as_str().into());
    }
    book.insert("entries".into(), written(lore.entries.iter(), "", &mut Numbers::of(&lore.entries, "")));
    let file = match object("top") {
        Some(mut top) => {
            top.insert("data".into(), book.into());
            top
        }
        // A book without an envelope is known by its entries or its settings.
        None if lore.extra.get("fields").is_some() && (!lore.entries.is_empty() || is_book(&book)) => book,
        None => {
            book.entry("extensions").or_insert(json!({}));
            Map::from_iter([("spec".to_owned(), json!("lorebook_v3")), ("data".to_owned(), book.into())])
        }
    };
    writeln!(to, "{}", Value::Object(file)).map_err(|error| FormatError::io(&error))
}
