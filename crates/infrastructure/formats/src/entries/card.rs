//! Reads character cards, versions 1 to 3: as JSON, in a PNG image, or in a CHARX archive. The card's own
//! texts and those of its book become entries. Writes them as JSON, or into a PNG image.

use std::{collections::HashMap, io::Write};

use base64::{
    Engine,
    alphabet::STANDARD,
    engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig},
    prelude::BASE64_STANDARD as STANDARD_BASE64,
};
use serde_json::{Map, Value, json};

use super::{
    Collection, Format, FormatError, Spot, ThirdPartyEntry, book,
    book::Numbers,
    builder::Builder,
    fields::{Fields, clean_names},
    json::parse,
    limits::{MAX_FILE_BYTES, MAX_NAME_BYTES},
    png,
};
use crate::text::Tally;

/// Keywords of a card in an image: version 3 before version 2, as the specification requires.
const KEYWORDS: [&str; 2] = ["ccv3", "chara"];

/// The card's own text fields with their names in Inklings.
const TEXTS: [(&str, &str); 8] = [
    ("description", ""),
    ("personality", "personality"),
    ("scenario", "scenario"),
    ("first_mes", "first message"),
    ("mes_example", "example messages"),
    ("creator_notes", "notes of the creator"),
    ("system_prompt", "system prompt"),
    ("post_history_instructions", "instructions after the history"),
];

/// The list fields of a card with their names in Inklings.
const LISTS: [(&str, &str); 2] =
    [("alternate_greetings", "greeting"), ("group_only_greetings", "greeting in a group")];

/// Reads a card from an image.
///
/// # Errors
/// [`FormatError::UnknownFormat`] for an image without a card; [`FormatError::Broken`],
/// [`FormatError::TooLarge`].
pub fn read_png(bytes: &[u8]) -> Result<Collection, FormatError> {
    let Some(text) = png::text(bytes, &KEYWORDS)? else { return Err(FormatError::UnknownFormat) };
    let at = || Spot::top("chara");
    // Base64 decodes four characters to three bytes, so the result is not larger than the file, whose size is
    // limited.
    if text.len() as u64 > MAX_FILE_BYTES {
        return Err(FormatError::large(at(), "the card is larger than 64 MiB"));
    }
    let config = GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent);
    let json_rows: Vec<u8> = text.iter().copied().filter(|byte| !byte.is_ascii_whitespace()).collect();
    let decoded = GeneralPurpose::new(&STANDARD, config)
        .decode(json_rows)
        .map_err(|_| FormatError::broken(at(), "the card in the picture is no base64"))?;
    let mut tally = Tally::default();
    match parse(&decoded, &mut tally)? {
        Value::Object(top) => read(top, tally),
        _ => Err(FormatError::broken(at(), "the card is no object")),
    }
}

/// True for the fields of a card of any version.
pub fn is_card(top: &Map<String, Value>) -> bool {
    let text = |map: &Map<String, Value>, key: &str| map.get(key).is_some_and(Value::is_string);
    let own = |map: &Map<String, Value>| {
        text(map, "name") && ["description", "personality", "first_mes"].iter().any(|key| text(map, key))
    };
    let spec = top.get("spec").and_then(Value::as_str);
    spec.is_some_and(|spec| spec.starts_with("chara_card"))
        || top.get("data").and_then(Value::as_object).is_some_and(own)
        || (text(top, "first_mes") && own(top))
}

/// Reads a card.
///
/// # Errors
/// [`FormatError`] with the field.
pub fn read(mut top: Map<String, Value>, tally: Tally) -> Result<Collection, FormatError> {
    let is_flat = !top.contains_key("data");
    let mut card = match top.remove("data") {
        Some(Value::Object(data)) => data,
        Some(_) => return Err(FormatError::broken(Spot::top("data"), "an object should stand here")),
        None => std::mem::take(&mut top),
    };
    let mut made = Builder::new(Format::CharacterCard, tally);
    let book = match card.remove("character_book") {
        Some(Value::Object(book)) => Some(book),
        None => None,
        Some(Value::Null) => {
            card.insert("character_book".into(), Value::Null);
            None
        }
        Some(_) => {
            return Err(FormatError::broken(Spot::top("character_book"), "an object should stand here"));
        }
    };
    // Version 2 repeats the texts of version 1 outside of `data`; one copy is enough.
    let repeated: Vec<String> = top.keys().filter(|key| card.get(*key) == top.get(*key)).cloned().collect();
    top.retain(|key, _| !repeated.contains(key));
    let mut fields = Fields::new(card.into(), 1)?;
    let mut named = |field: &'static str| {
        let fits = |name: &&str| !name.trim().is_empty() && name.len() <= MAX_NAME_BYTES;
        let name = fields.get(field).and_then(Value::as_str).filter(fits).map(str::to_owned);
        let is_odd = name.is_none() && fields.get(field).is_some_and(|value| !value.is_null() && value != "");
        made.tally.add("a name that cannot be one", u64::from(is_odd));
        name
    };
    let name = named("name");
    let nickname = named("nickname").filter(|nickname| Some(nickname) != name.as_ref());
    let whole = ThirdPartyEntry {
        tags: fields.get("tags").map_or_else(Vec::new, |tags| clean_names(tags).0),
        created: fields.moment("creation_date"),
        updated: fields.moment("modification_date"),
        ..ThirdPartyEntry::default()
    };
    let called = |what: &str| match &name {
        Some(name) => format!("{name}: {what}"),
        None => what.to_owned(),
    };
    for (field, what) in TEXTS {
        let content = fields.content(field)?;
        if content.trim().is_empty() {
            if !content.is_empty() {
                fields.put_back(field, content.into());
            }
            continue;
        }
        let of_all = what.is_empty();
        made.push(ThirdPartyEntry {
            external_id: Some(format!("card:{field}")),
            name: if of_all { name.clone() } else { Some(called(what)) },
            aliases: nickname.iter().filter(|_| of_all).cloned().collect(),
            content,
            extra: json!({}),
            ..whole.clone()
        })?;
    }
    let slots = lists(&mut fields, &called, &whole, &mut made)?;
    let mut extra = Map::new();
    if let Some(mut book) = book {
        book::entries(book.remove("entries"), BOOK, &mut made)?;
        extra.insert("book".into(), book.into());
    }
    made.name = name;
    extra.extend(fields.into_extra());
    for (key, value) in [
        ("top", Value::from(top)),
        ("repeated", json!(repeated)),
        ("slots", slots.into()),
        ("flat", is_flat.into()),
    ] {
        extra.insert(key.into(), value);
    }
    made.finish(extra)
}

/// Adds the texts of the card's lists. Gives each list with null for a text that became an entry.
fn lists(
    fields: &mut Fields,
    called: &dyn Fn(&str) -> String,
    whole: &ThirdPartyEntry,
    made: &mut Builder,
) -> Result<Map<String, Value>, FormatError> {
    let mut slots = Map::new();
    for (field, what) in LISTS {
        let mut empty = Vec::new();
        let texts = match fields.take(field) {
            Some(Value::Array(texts)) => texts,
            None => continue,
            Some(Value::Null) => {
                fields.put_back(field, Value::Null);
                continue;
            }
            Some(_) => {
                return Err(FormatError::broken(Spot::top(field), "a list of texts should stand here"));
            }
        };
        for (place, text) in texts.into_iter().enumerate() {
            let Value::String(content) = text else {
                return Err(FormatError::broken(Spot::top(field), "a list of texts should stand here"));
            };
            if content.trim().is_empty() {
                empty.push(Value::String(content));
                continue;
            }
            empty.push(Value::Null);
            made.push(ThirdPartyEntry {
                external_id: Some(format!("card:{field}:{place}")),
                name: Some(called(&format!("{what} {}", place + 1))),
                content,
                extra: json!({}),
                ..whole.clone()
            })?;
        }
        slots.insert(field.to_owned(), empty.into());
    }
    Ok(slots)
}

/// Prefix of the ids of the entries of a card's book.
const BOOK: &str = "book:";

/// The card with its entries: those of its own texts in their fields, all others in its book.
fn written(card: &Collection) -> Value {
    let object = |key: &str| card.extra.get(key).and_then(Value::as_object).cloned();
    let mut data = object("fields").unwrap_or_default();
    let mut own: HashMap<&str, &ThirdPartyEntry> = HashMap::new();
    let mut others = Vec::new();
    for entry in &card.entries {
        // Only an entry that was read from a card stands for one of its texts. Of several cards, the first one is written.
        let id = entry
            .external_id
            .as_deref()
            .and_then(|id| id.strip_prefix("card:"))
            .filter(|_| !entry.extra.is_null());
        match id {
            Some(id) if !own.contains_key(id) => drop(own.insert(id, entry)),
            _ => others.push(entry),
        }
    }
    let absent = card.extra.get("absent").and_then(Value::as_array).into_iter().flatten();
    let absent: Vec<&str> = absent.filter_map(Value::as_str).collect();
    if let Some(name) = own.get("description").and_then(|entry| entry.name.as_deref()) {
        data.insert("name".into(), name.into());
    }
    for (field, _) in TEXTS {
        match own.remove(field) {
            Some(entry) => drop(data.insert(field.to_owned(), entry.content.as_str().into())),
            None if !absent.contains(&field) => drop(data.entry(field).or_insert_with(|| "".into())),
            None => {}
        }
    }
    let slots = object("slots").unwrap_or_default();
    for (field, _) in LISTS {
        let Some(empty) = slots.get(field).and_then(Value::as_array) else { continue };
        let text = |(place, empty): (usize, &Value)| match empty {
            Value::Null => {
                own.remove(format!("{field}:{place}").as_str()).map(|entry| entry.content.as_str().into())
            }
            empty => Some(empty.clone()),
        };
        let texts: Vec<Value> = empty.iter().enumerate().filter_map(text).collect();
        data.insert(field.to_owned(), texts.into());
    }
    others.extend(own.into_values());
    let kept_book = object("book");
    if kept_book.is_some() || !others.is_empty() {
        let mut book = kept_book.unwrap_or_else(|| Map::from_iter([("extensions".to_owned(), json!({}))]));
        let numbers = &mut Numbers::of(&card.entries, BOOK);
        book.insert("entries".into(), book::written(others.into_iter(), BOOK, numbers));
        data.insert("character_book".into(), book.into());
    }
    if card.extra.is_null() {
        let name = card.name.as_deref().unwrap_or("World");
        for (field, value) in [
            ("name", json!(name)),
            ("tags", json!([])),
            ("creator", json!("")),
            ("character_version", json!("")),
            ("alternate_greetings", json!([])),
            ("extensions", json!({})),
        ] {
            data.entry(field).or_insert(value);
        }
    }
    if card.extra.get("flat") == Some(&Value::Bool(true)) && !data.contains_key("character_book") {
        return data.into();
    }
    let mut top = object("top").unwrap_or_default();
    top.entry("spec").or_insert_with(|| "chara_card_v2".into());
    top.entry("spec_version").or_insert_with(|| "2.0".into());
    let repeated = card.extra.get("repeated").and_then(Value::as_array).into_iter().flatten();
    for key in repeated.filter_map(Value::as_str) {
        if let Some(value) = data.get(key) {
            top.insert(key.to_owned(), value.clone());
        }
    }
    top.insert("data".into(), data.into());
    top.into()
}

/// Writes a card as JSON.
///
/// # Errors
/// [`FormatError::Io`].
pub fn write(card: &Collection, to: &mut dyn Write) -> Result<(), FormatError> {
    writeln!(to, "{}", written(card)).map_err(|error| FormatError::io(&error))
}

/// Writes a card into a PNG image: the chunks of another card are replaced, and every other byte stays.
///
/// # Errors
/// [`FormatError::Broken`] for an image with invalid chunks, [`FormatError::Io`].
pub fn write_png(card: &Collection, picture: &[u8], to: &mut dyn Write) -> Result<(), FormatError> {
    let value = written(card);
    let is_third = value.get("spec").and_then(Value::as_str) == Some("chara_card_v3");
    let text = STANDARD_BASE64.encode(value.to_string());
    // Programs that know version 2 only read `chara`, so both chunks are written for a card of version 3.
    let keywords: &[&str] = if is_third { &["chara", "ccv3"] } else { &["chara"] };
    let bytes = png::with_texts(picture, &KEYWORDS, keywords, text.as_bytes())?;
    to.write_all(&bytes).map_err(|error| FormatError::io(&error))
}
