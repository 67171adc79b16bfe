//! Reads character cards, versions 1 to 3: as JSON, in a PNG image, or in a CHARX archive. The card's own
//! texts and those of its book become entries.

use base64::{
    Engine,
    alphabet::STANDARD,
    engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig},
};
use serde_json::{Map, Value, json};

use super::{
    Collection, Format, FormatError, Spot, ThirdPartyEntry, book,
    builder::Builder,
    fields::{Fields, clean_names},
    json::parse,
    limits::MAX_FILE_BYTES,
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
    let mut card = match top.remove("data") {
        Some(Value::Object(data)) => data,
        Some(_) => return Err(FormatError::broken(Spot::top("data"), "an object should stand here")),
        None => std::mem::take(&mut top),
    };
    let mut made = Builder::new(Format::CharacterCard, tally);
    let book = match card.remove("character_book") {
        Some(Value::Object(book)) => Some(book),
        None | Some(Value::Null) => None,
        Some(_) => {
            return Err(FormatError::broken(Spot::top("character_book"), "an object should stand here"));
        }
    };
    let mut fields = Fields::new(card.into(), 1)?;
    let name = fields.name("name", &mut made.tally);
    let nickname =
        fields.name("nickname", &mut made.tally).filter(|nickname| Some(nickname) != name.as_ref());
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
    for (field, what) in LISTS {
        let texts = match fields.take(field) {
            Some(Value::Array(texts)) => texts,
            None | Some(Value::Null) => continue,
            Some(_) => {
                return Err(FormatError::broken(Spot::top(field), "a list of texts should stand here"));
            }
        };
        for (place, text) in texts.into_iter().enumerate() {
            let Value::String(content) = text else {
                return Err(FormatError::broken(Spot::top(field), "a list of texts should stand here"));
            };
            if content.trim().is_empty() {
                continue;
            }
            made.push(ThirdPartyEntry {
                external_id: Some(format!("card:{field}:{place}")),
                name: Some(called(&format!("{what} {}", place + 1))),
                content,
                extra: json!({}),
                ..whole.clone()
            })?;
        }
    }
    let mut extra = Map::new();
    if let Some(mut book) = book {
        book::entries(book.remove("entries"), "book:", &mut made)?;
        extra.insert("book".into(), book.into());
    }
    made.name = name;
    extra.extend(fields.into_extra());
    // Version 2 repeats the texts of version 1 outside of `data`; one copy is enough.
    top.retain(|key, _| matches!(key.as_str(), "spec" | "spec_version"));
    extra.insert("top".into(), top.into());
    made.finish(extra)
}
