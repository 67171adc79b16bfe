//! Reads and writes SillyTavern World Info:
//! `{"entries": {"0": {uid, key, comment, content, constant, disable, ...}, ...}}`.

use std::{
    collections::{BTreeSet, HashSet},
    io::Write,
};

use serde_json::{Map, Value, json};

use super::{
    Collection, Format, FormatError, Spot, ThirdPartyEntry,
    builder::Builder,
    fields::{Fields, Out},
    knowers, ours,
};
use crate::text::Tally;

/// Reads a book.
///
/// # Errors
/// [`FormatError`] with the entry and the field.
pub fn read(mut top: Map<String, Value>, tally: Tally) -> Result<Collection, FormatError> {
    let mut book = Builder::new(Format::SillyTavern, tally);
    let Some(Value::Object(entries)) = top.remove("entries") else {
        return Err(FormatError::broken(Spot::top("entries"), "an object of entries should stand here"));
    };
    book.name =
        top.get("name").and_then(Value::as_str).filter(|name| !name.trim().is_empty()).map(str::to_owned);
    let mut entries: Vec<(String, Value)> = entries.into_iter().collect();
    // Not every program preserves the order of an object, so entries are sorted by their numeric keys.
    entries.sort_by(|(a, _), (b, _)| {
        let number = |key: &str| key.parse::<u64>().unwrap_or(u64::MAX);
        (number(a), a).cmp(&(number(b), b))
    });
    for (key, value) in entries {
        let fields = Fields::new(value, book.next())?;
        let entry = entry(&key, fields, &mut book.tally)?;
        book.push(entry)?;
    }
    let mut extra = Map::new();
    if !top.is_empty() {
        extra.insert("fields".into(), top.into());
    }
    book.finish(extra)
}

/// The `uid` field of an entry.
fn uid(fields: Option<&Value>) -> Option<String> {
    match fields? {
        Value::Number(number) => Some(number.to_string()),
        Value::String(text) => Some(text.clone()),
        _ => None,
    }
}

fn entry(key: &str, mut fields: Fields, tally: &mut Tally) -> Result<ThirdPartyEntry, FormatError> {
    let uid = uid(fields.get("uid"));
    let (known_by, known_by_fewer) = knowers::of_filter(&fields, tally);
    let plain = ThirdPartyEntry {
        external_id: Some(uid.clone().unwrap_or_else(|| key.to_owned())),
        name: fields.name("comment", tally),
        aliases: fields.names("key", tally)?,
        content: fields.content("content")?,
        standing: fields.flag("constant", false, tally),
        enabled: !fields.flag("disable", false, tally),
        known_by,
        known_by_fewer,
        ..ThirdPartyEntry::default()
    };
    let entry = ours::read(&mut fields, plain, tally);
    let mut extra = fields.into_extra();
    if uid.as_deref() != Some(key) {
        extra.insert("key".into(), key.into());
    }
    Ok(ThirdPartyEntry { extra: extra.into(), ..entry })
}

/// Assigns unused keys.
struct Keys {
    used: HashSet<String>,
    numbers: BTreeSet<u64>,
    next: u64,
}

impl Keys {
    fn of(entries: &[ThirdPartyEntry]) -> Self {
        // An entry's id from another source is stored besides its number, so no other entry may get that id.
        let ids = entries.iter().filter_map(|entry| entry.external_id.as_ref()?.parse().ok());
        let mut numbers: BTreeSet<u64> = ids.collect();
        for value in entries.iter().filter(|entry| entry.extra.is_object()) {
            let fields = value.extra.get("fields").and_then(|fields| fields.get("uid"));
            numbers.extend(fields.and_then(Value::as_u64));
            numbers.extend(key_of(value).and_then(|key| key.parse::<u64>().ok()));
        }
        Self { used: HashSet::new(), numbers, next: 0 }
    }

    fn fresh(&mut self) -> u64 {
        while self.numbers.contains(&self.next) {
            self.next += 1;
        }
        self.next += 1;
        self.next - 1
    }
}

/// The original key of an entry.
fn key_of(entry: &ThirdPartyEntry) -> Option<String> {
    let key = entry.extra.get("key").and_then(Value::as_str).map(str::to_owned);
    key.or_else(|| uid(entry.extra.get("fields")?.get("uid")))
}

/// Writes a book.
///
/// # Errors
/// [`FormatError::Io`].
pub fn write(book: &Collection, to: &mut dyn Write) -> Result<(), FormatError> {
    let put = |to: &mut dyn Write, bytes: &[u8]| to.write_all(bytes).map_err(|error| FormatError::io(&error));
    let mut keys = Keys::of(&book.entries);
    put(to, b"{\"entries\":{")?;
    for (place, entry) in book.entries.iter().enumerate() {
        let (key, value) = written(entry, &mut keys);
        put(to, if place == 0 { b"\n" } else { b",\n" })?;
        put(to, format!("{}:{value}", json!(key)).as_bytes())?;
    }
    put(to, if book.entries.is_empty() { b"}" } else { b"\n}" })?;
    let fields = book.extra.get("fields").and_then(Value::as_object);
    for (key, value) in fields.into_iter().flatten().filter(|(key, _)| *key != "entries") {
        put(to, format!(",\n{}:{value}", json!(key)).as_bytes())?;
    }
    if let (true, Some(name)) = (book.extra.is_null(), &book.name) {
        put(to, format!(",\n\"name\":{}", json!(name)).as_bytes())?;
    }
    put(to, b"}\n")
}

fn written(entry: &ThirdPartyEntry, keys: &mut Keys) -> (String, Value) {
    let mut out = Out::new(&entry.extra);
    let mut key = key_of(entry).filter(|key| !keys.used.contains(key));
    if key.is_none() {
        let number = keys.fresh();
        out.put("uid", number.into());
        key = Some(number.to_string());
    }
    let key = key.unwrap_or_default();
    keys.used.insert(key.clone());
    out.text("comment", entry.name.as_deref().unwrap_or_default());
    out.names("key", &entry.aliases);
    out.text("content", &entry.content);
    out.flag("constant", entry.standing, false);
    out.flag("disable", !entry.enabled, false);
    if out.fresh {
        for (field, value) in defaults() {
            out.needs(field, value);
        }
        entry.placement.put_into_world_info(&mut out, &entry.aliases);
    }
    knowers::put_filter(&mut out, &entry.known_by, knowers::IN_WORLD_INFO);
    beyond(entry, &key, &mut out);
    (key, out.into_value())
}

/// Adds the data that the format's own fields lack. To find it, the fields are parsed again and compared.
fn beyond(entry: &ThirdPartyEntry, key: &str, out: &mut Out) {
    let read = Fields::new(out.clone().into_value(), 1);
    if let Ok(plain) = read.and_then(|fields| self::entry(key, fields, &mut Tally::default())) {
        ours::write(out, entry, &plain);
    }
}

/// Default fields of a new SillyTavern entry.
fn defaults() -> [(&'static str, Value); 25] {
    [
        ("keysecondary", json!([])),
        ("vectorized", json!(false)),
        ("selective", json!(true)),
        ("selectiveLogic", json!(0)),
        ("addMemo", json!(true)),
        ("order", json!(100)),
        ("position", json!(0)),
        ("excludeRecursion", json!(false)),
        ("preventRecursion", json!(false)),
        ("delayUntilRecursion", json!(false)),
        ("probability", json!(100)),
        ("useProbability", json!(true)),
        ("depth", json!(4)),
        ("group", json!("")),
        ("groupOverride", json!(false)),
        ("groupWeight", json!(100)),
        ("scanDepth", json!(null)),
        ("caseSensitive", json!(null)),
        ("matchWholeWords", json!(null)),
        ("useGroupScoring", json!(null)),
        ("automationId", json!("")),
        ("role", json!(null)),
        ("sticky", json!(0)),
        ("cooldown", json!(0)),
        ("delay", json!(0)),
    ]
}
