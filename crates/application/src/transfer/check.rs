//! Validates the rows of an import file field by field and normalises them. Unknown fields are set apart.

use std::borrow::Cow;

use inklings_domain::{
    calendar::moment::Moment,
    conversation::{attachment, ref_code::RefCode},
    memory::MemoryKind,
    subject::structure::Structure,
    text,
};
use inklings_ports::{
    calendar::json::{calendar_of, calendar_value},
    transfer::{
        derivations::{derivations_of, derivations_value},
        fields::{read_moment, sources_of, written_moment},
        file::{FileError, FileRow},
        links::{knowers_of, links_in, links_of, links_value},
        shape::{DEFAULT_CHANNEL, Field, Kind, OWN, REASON, REASON_CODE, Section, UNKNOWN_FIELDS, VECTORS},
        store::Fields,
        story_time::{reading_number_in, span_in},
        vector,
    },
};
use serde::de::IgnoredAny;
use serde_json::Value;
use uuid::Uuid;

use super::passages;

/// Maximum bytes of unknown fields in one row or item.
const MAX_UNKNOWN: usize = 1 << 20;

/// Validates and normalises a row.
///
/// # Errors
/// [`FileError`] with the line and the field.
pub fn checked(row: FileRow) -> Result<Fields, FileError> {
    let FileRow { section, line, mut fields, .. } = row;
    let mut lists = Vec::new();
    for (name, shape) in section.lists() {
        let Some(given) = fields.remove(*name) else { continue };
        let Value::Array(given) = given else { return Err(FileError::of(line, name, "this is no list")) };
        let mut list = Vec::with_capacity(given.len());
        for item in given {
            let Value::Object(mut item) = item else {
                return Err(FileError::of(line, name, "this is no list of objects"));
            };
            let mut row = take_known_fields(&mut item, shape, line)?;
            set_aside(&mut row, item, line)?;
            list.push(Value::Object(row));
        }
        lists.push((*name, list));
    }
    let third_party = section.holds_entries().then(|| fields.remove("foreign_fields")).flatten();
    let mut row = take_known_fields(&mut fields, section.fields(), line)?;
    if row.get("ref_code").and_then(Value::as_str).is_some_and(|code| code.parse::<RefCode>().is_err()) {
        return Err(FileError::of(line, "ref_code", "this is no reference code"));
    }
    if row.contains_key("attached_name") {
        let is_plain = row["role"] == "user"
            && row["delivery"] == "complete"
            && !["archive_id", "tool_call_id", "tool_calls"].iter().any(|field| row.contains_key(*field));
        let length = row["content"].as_str().map_or(0, str::len);
        if !is_plain || length > attachment::MAX_ATTACHMENT_BYTES {
            return Err(FileError::of(line, "attached_name", "this message cannot be an attachment"));
        }
    }
    if section == Section::Facts {
        for (_, list) in lists.iter_mut().filter(|(name, _)| *name == "values") {
            list.iter_mut().filter_map(Value::as_object_mut).for_each(settle_emptied_value);
        }
        if row["value"] == "" && !row.contains_key("removed_at") {
            return Err(FileError::of(line, "value", "only a removed fact has no value"));
        }
        let values = lists.iter().filter(|(name, _)| *name == "values").flat_map(|(_, list)| list);
        if values.filter_map(Value::as_object).chain([&row]).any(|value| span_in(value).is_none()) {
            return Err(FileError::of(line, "holds_until", "it ends before it starts"));
        }
    }
    if section.holds_entries() {
        entry(&mut row, &lists, line)?;
        let mut formats = match third_party {
            None => Fields::new(),
            Some(Value::Object(formats)) => formats,
            Some(_) => return Err(FileError::of(line, "foreign_fields", "this is no object")),
        };
        formats.remove(OWN);
        if !fields.is_empty() {
            // Fields added by a newer release or another program are retained and exported again in the same
            // place.
            formats.insert(OWN.to_owned(), Value::Object(fields));
        }
        for fields in formats.values() {
            if fields.to_string().len() > MAX_UNKNOWN {
                return Err(FileError::of(line, "foreign_fields", "more than 1 MiB"));
            }
        }
        if formats.keys().any(|format| format.is_empty() || format.len() > 40) {
            return Err(FileError::of(line, "foreign_fields", "this names no format"));
        }
        if !formats.is_empty() {
            row.insert("foreign_fields".to_owned(), Value::Object(formats));
        }
    } else {
        set_aside(&mut row, fields, line)?;
    }
    for item in lists.iter().filter(|(name, _)| VECTORS.contains(name)).flat_map(|(_, list)| list) {
        vector_of(item, line)?;
    }
    passages::settle(&row, &mut lists);
    for (name, list) in lists {
        if !list.is_empty() {
            row.insert(name.to_owned(), Value::Array(list));
        }
    }
    Ok(row)
}

/// Marks an earlier value without text as removed. Exports of earlier releases lack the mark on values that a purge emptied.
fn settle_emptied_value(value: &mut Fields) {
    if value["value"] == "" {
        value.insert("removed".to_owned(), true.into());
    }
}

/// Stores unknown fields, added by a newer release or another program, in the row; they are exported again in
/// the same place.
fn set_aside(row: &mut Fields, unknown: Fields, line: u64) -> Result<(), FileError> {
    if unknown.is_empty() {
        return Ok(());
    }
    let unknown = Value::Object(unknown);
    if unknown.to_string().len() > MAX_UNKNOWN {
        return Err(FileError::at(line, "more than 1 MiB of fields that this release does not know"));
    }
    row.insert(UNKNOWN_FIELDS.to_owned(), unknown);
    Ok(())
}

fn take_known_fields(given: &mut Fields, shape: &[Field], line: u64) -> Result<Fields, FileError> {
    let mut row = Fields::new();
    for field in shape {
        match given.remove(field.name) {
            None | Some(Value::Null) => {
                if field.required {
                    return Err(FileError::of(line, field.name, "this field is missing"));
                }
            }
            Some(value) => {
                let message = |message: &str| FileError::of(line, field.name, message);
                row.insert(field.name.to_owned(), value_of(*field, value).map_err(|error| message(&error))?);
            }
        }
    }
    Ok(row)
}

fn value_of(field: Field, value: Value) -> Result<Value, Cow<'static, str>> {
    let id =
        |text: &str| Uuid::try_parse(text).map(|id| id.hyphenated().to_string()).map_err(|_| "this is no id");
    Ok(match (field.kind, value) {
        (Kind::Channel, Value::String(text)) if text == DEFAULT_CHANNEL => text.into(),
        (Kind::Id | Kind::Channel, Value::String(text)) => id(&text)?.into(),
        (Kind::Text(limit), Value::String(text)) => plain(text, limit)?.into(),
        (Kind::Rule(rule), Value::String(text)) => {
            rule(field.name, &text).map_err(|error| error.to_string())?.into()
        }
        (Kind::Json(limit), Value::String(text)) => {
            serde_json::from_str::<IgnoredAny>(&text).map_err(|_| "this text is no JSON")?;
            if text.len() > limit {
                return Err("this text is too long".into());
            }
            text.into()
        }
        (Kind::Word(words), Value::String(text)) if words.contains(&text.as_str()) => text.into(),
        (Kind::Word(_), _) => return Err("this is none of the words that it may be".into()),
        (Kind::Time, Value::String(text)) => {
            written_moment(read_moment(&text).ok_or("this is no time")?).into()
        }
        (Kind::Whole, Value::Number(number)) => {
            let number = number.as_u64().filter(|number| i64::try_from(*number).is_ok());
            number.ok_or("this is no whole number")?.into()
        }
        (Kind::Unit, Value::Number(number)) => {
            let number = number.as_f64().filter(|number| (0.0..=1.0).contains(number));
            number.ok_or("this is no number from 0 to 1")?.into()
        }
        (Kind::Flag, Value::Bool(flag)) => flag.into(),
        (Kind::Texts, Value::Array(list)) => {
            let texts = list.into_iter().map(|text| value_of(Field { kind: Kind::Text(480), ..field }, text));
            texts.collect::<Result<Vec<_>, _>>()?.into()
        }
        (Kind::Ids, Value::Array(list)) => list
            .into_iter()
            .map(|id| value_of(Field { kind: Kind::Id, ..field }, id))
            .collect::<Result<Vec<_>, _>>()?
            .into(),
        (Kind::Plain(plain), Value::String(text)) => {
            let text = (plain.rule)(&text).map_err(|error| error.to_string())?;
            text.ok_or("this text is blank")?.into()
        }
        (Kind::Keys, Value::Array(list)) => {
            let keys: Option<Vec<&str>> = list.iter().map(Value::as_str).collect();
            let keys = text::keys(keys.ok_or("a key is no text")?).map_err(|error| error.to_string())?;
            keys.into()
        }
        (Kind::Links, value) => links_value(&links_of(&value).ok_or("these are no links")?),
        (Kind::Derivations, value) => {
            derivations_value(&derivations_of(&value).ok_or("these are no sources of a text")?)
        }
        (Kind::Knowers, value) => links_value(&knowers_of(&value).ok_or("these are none who know of it")?),
        (Kind::Moment, Value::Number(number)) => {
            let value = number.as_i64().filter(|value| Moment::from_value(*value).is_ok());
            value.ok_or("this is no moment of story time")?.into()
        }
        (Kind::Calendar, value) => calendar_value(&calendar_of(&value).map_err(|error| error.to_string())?),
        (Kind::Vector, Value::String(text)) => text.into(),
        _ => return Err("this is of another kind than it must be".into()),
    })
}

fn plain(text: String, limit: usize) -> Result<String, &'static str> {
    if text.len() > limit {
        return Err("this text is too long");
    }
    if text.chars().any(|c| c.is_control() && !matches!(c, '\t' | '\n' | '\r')) {
        return Err("this text holds a control character");
    }
    Ok(text)
}

fn vector_of(item: &Value, line: u64) -> Result<(), FileError> {
    let text = item["vector"].as_str().unwrap_or_default();
    let whole = item["dimension"].as_u64().and_then(|dimension| vector::decode(text, dimension));
    match whole {
        Some(bytes) if bytes.len() <= 4 * 8_192 => Ok(()),
        _ => Err(FileError::of(line, "embeddings", "this vector has not the numbers that it must have")),
    }
}

fn entry(row: &mut Fields, lists: &[(&str, Vec<Value>)], line: u64) -> Result<(), FileError> {
    let wrong = |field: &'static str, message: &str| FileError::of(line, field, message);
    let history = lists.iter().find(|(name, _)| *name == "history").map_or(&[][..], |(_, list)| list);
    let numbers = history.iter().map(|item| item["version"].as_u64().unwrap_or_default());
    if !numbers.eq(1..=history.len() as u64) || row["version"].as_u64() != Some(history.len() as u64 + 1) {
        return Err(wrong("version", "the versions do not follow one another"));
    }
    let places = (row.contains_key("channel_id"), row.contains_key("conversation_id"));
    let expected = match row["scope"].as_str() {
        Some("channel") => (true, false),
        Some("conversation") => (true, true),
        _ => (false, false),
    };
    if places != expected {
        return Err(wrong("scope", "an entry of this tier has another place"));
    }
    if row.contains_key("forgotten_at") != row.contains_key("forgotten_reason") {
        return Err(wrong("forgotten_at", "what is forgotten has a time and a reason"));
    }
    for version in history.iter().filter_map(Value::as_object).chain([&*row]) {
        if version.contains_key(REASON_CODE) && !version.contains_key(REASON) {
            return Err(wrong(REASON_CODE, "a code stands beside a reason"));
        }
        if sources_of(version).is_none() {
            return Err(wrong("derived_from", "this names no writer"));
        }
        structure(version, row, line)?
            .check()
            .map_err(|error| wrong(error.field().unwrap_or("subject"), &error.to_string()))?;
    }
    if !row.contains_key("name") && (row.contains_key("aliases") || row["content"] == "") {
        return Err(wrong("content", "only a named entry may be empty or have other names"));
    }
    let texts = |row: &Fields, name: &str| -> Vec<String> {
        let list = row.get(name).and_then(Value::as_array);
        list.map(|list| list.iter().filter_map(|text| text.as_str().map(str::to_owned)).collect())
            .unwrap_or_default()
    };
    let rule = |field| move |error: text::TextError| FileError::of(line, field, error.to_string());
    let tags = text::tags(texts(row, "tags")).map_err(rule("tags"))?;
    row.insert("tags".to_owned(), tags.into());
    if let Some(name) = row.get("name").and_then(Value::as_str) {
        let name = text::label("name", name).map_err(rule("name"))?;
        let mut own = vec![text::fold(&name)];
        row.insert("name".to_owned(), name.into());
        let mut aliases = Vec::new();
        for alias in texts(row, "aliases") {
            let alias = text::label("alias", &alias).map_err(rule("aliases"))?;
            if own.contains(&text::fold(&alias)) {
                return Err(wrong("aliases", "this entry has one name twice"));
            }
            own.push(text::fold(&alias));
            aliases.push(alias);
        }
        row.insert("aliases".to_owned(), aliases.into());
    }
    Ok(())
}

/// What a version of an entry is in the world.
fn structure<'f>(version: &'f Fields, entry: &Fields, line: u64) -> Result<Structure<'f>, FileError> {
    let text = |fields: &'f Fields, name| fields.get(name).and_then(Value::as_str);
    let wrong = |field: &'static str, message: &str| FileError::of(line, field, message);
    Ok(Structure {
        id: entry["id"]
            .as_str()
            .and_then(|id| id.parse().ok())
            .ok_or_else(|| wrong("id", "this is no id"))?,
        scope: entry["scope"]
            .as_str()
            .and_then(|scope| scope.parse().ok())
            .ok_or_else(|| wrong("scope", "this is no tier"))?,
        is_note: version["kind"] == MemoryKind::Note.as_str(),
        is_named: version.contains_key("name"),
        subject: text(version, "subject"),
        relation: text(version, "relation"),
        links: Cow::Owned(links_in(version)),
        span: span_in(version).ok_or_else(|| wrong("holds_until", "it ends before it starts"))?,
        reading_number: reading_number_in(version)
            .map_err(|error| wrong("reading_number", &error.to_string()))?,
        has_calendar: version.contains_key("calendar"),
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn every_field() -> impl Iterator<Item = Field> {
        Section::ALL.into_iter().flat_map(|section| {
            let lists = section.lists().iter().flat_map(|(_, fields)| fields.iter());
            section.fields().iter().chain(lists).copied()
        })
    }

    #[test]
    fn every_text_field_of_an_import_is_checked_by_a_domain_rule() {
        let by_programs = ["ref_code", "model", "tool_call_id", "tool_name", "action", "door"];
        let left: Vec<_> = every_field()
            .filter(|field| matches!(field.kind, Kind::Text(_)) && !by_programs.contains(&field.name))
            .map(|field| field.name)
            .collect();
        assert!(left.is_empty(), "{left:?}");
    }

    #[test]
    fn one_line_fields_are_refused_with_several_lines_in_imports() {
        let several_lines = ["content", "summary", "value", "description"];
        let one_line = every_field()
            .filter(|field| matches!(field.kind, Kind::Rule(_) | Kind::Plain(_)))
            .filter(|field| !several_lines.contains(&field.name));
        let mut tried = 0;
        for field in one_line {
            for wrong in ["A\nB", "A\u{0}B", "A\u{202E}B", "A\u{E0041}\u{E0042}\u{E0043}B", &"A".repeat(301)]
            {
                assert!(value_of(field, json!(wrong)).is_err(), "{} takes {wrong:?}", field.name);
            }
            tried += 1;
        }
        for field in every_field().filter(|field| matches!(field.kind, Kind::Keys)) {
            for wrong in [json!(["A\nB"]), json!(["A\u{202E}B"]), json!(["A".repeat(301)]), json!([7])] {
                assert!(value_of(field, wrong.clone()).is_err(), "{} takes {wrong}", field.name);
            }
            tried += 1;
        }
        assert!(tried > 20, "{tried} fields");
    }

    #[test]
    fn texts_of_several_lines_refuse_control_characters_or_lose_them() {
        for field in every_field().filter(|field| matches!(field.kind, Kind::Rule(_))) {
            if let Ok(value) = value_of(field, json!("A\u{0}B\u{1B}")) {
                assert_eq!((field.name, value), ("content", json!("AB")), "only a message drops them");
            }
        }
    }
}
