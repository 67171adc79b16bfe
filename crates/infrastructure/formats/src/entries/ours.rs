//! Stores data without a counterpart in a format in one field `inklings`, so that an export can be imported
//! without loss.

use chrono::{DateTime, SecondsFormat, Utc};
use serde_json::{Map, Value, json};

use super::{
    Knower, Relation, ThirdPartyEntry,
    fields::{Fields, Out, clean_names, moment},
};
use crate::text::Tally;

const KEY: &str = "inklings";

/// Formats a time as RFC 3339 in UTC, with no more digits than needed.
pub fn written(at: DateTime<Utc>) -> String {
    at.to_rfc3339_opts(SecondsFormat::AutoSi, true)
}

/// The data of an entry that differs from `plain`, which the format's own fields contain.
fn beyond(entry: &ThirdPartyEntry, plain: &ThirdPartyEntry) -> Option<Value> {
    let mut fields = Map::new();
    let mut put = |key: &str, differs: bool, value: Value| {
        if differs {
            fields.insert(key.to_owned(), value);
        }
    };
    // An id that was only made unique by its position is reproduced on reading and need not be stored.
    let twin = plain.external_id.as_ref().zip(entry.external_id.as_ref());
    let twin = twin.and_then(|(plain, id)| id.strip_prefix(plain.as_str())?.strip_prefix('#'));
    let twin = twin.is_some_and(|number| !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit()));
    let named = entry.external_id.is_some() && !(twin && entry.extra.is_object());
    put("id", entry.external_id != plain.external_id && named, json!(entry.external_id));
    put("name", entry.name != plain.name, json!(entry.name));
    put("aliases", entry.aliases != plain.aliases, json!(entry.aliases));
    put("content", entry.content != plain.content, json!(entry.content));
    put("tags", entry.tags != plain.tags, json!(entry.tags));
    put("importance", entry.importance != plain.importance, json!(entry.importance));
    put("subject", entry.subject != plain.subject, json!(entry.subject));
    let relation = entry.relation.as_ref().map(Relation::written);
    put("relation", entry.relation != plain.relation, relation.into());
    put("about", entry.about != plain.about, json!(entry.about));
    let knowers = entry.known_by.iter().map(Knower::written).collect::<Vec<_>>();
    put("known_by", entry.known_by != plain.known_by, knowers.into());
    let fewer = entry.known_by_fewer;
    put("known_by_fewer", fewer != plain.known_by_fewer, fewer.into());
    put("standing", entry.standing != plain.standing, json!(entry.standing));
    put("enabled", entry.enabled != plain.enabled, json!(entry.enabled));
    put("created", entry.created != plain.created, json!(entry.created.map(written)));
    put("updated", entry.updated != plain.updated, json!(entry.updated.map(written)));
    (!fields.is_empty()).then(|| fields.into())
}

fn texts(value: &Value) -> Option<Vec<String>> {
    value.as_array()?.iter().map(|item| item.as_str().map(str::to_owned)).collect()
}

/// Reads a value that may be null; false for an invalid value.
fn maybe<T>(field: &mut Option<T>, value: &Value, read: impl FnOnce(&Value) -> Option<T>) -> bool {
    *field = read(value);
    field.is_some() || value.is_null()
}

/// The entry with the data of the `inklings` field; `None` if any of it differs from what the writer
/// produces.
fn applied(plain: &ThirdPartyEntry, ours: &Value) -> Option<ThirdPartyEntry> {
    let mut entry = ThirdPartyEntry { extra: Value::Null, ..plain.clone() };
    let text = |value: &Value| value.as_str().map(str::to_owned);
    let share = |value: &Value| value.as_f64().filter(|number| (0.0..=1.0).contains(number));
    for (key, value) in ours.as_object()? {
        match key.as_str() {
            "id" => entry.external_id = Some(text(value)?),
            "name" if maybe(&mut entry.name, value, text) => {}
            "aliases" => entry.aliases = texts(value)?,
            "content" => entry.content = text(value)?,
            "tags" => entry.tags = texts(value)?,
            "importance" if maybe(&mut entry.importance, value, share) => {}
            "subject" if maybe(&mut entry.subject, value, text) => {}
            "relation" if maybe(&mut entry.relation, value, Relation::of) => {}
            "about" => entry.about = texts(value)?,
            "known_by" => {
                entry.known_by = value.as_array()?.iter().map(Knower::of).collect::<Option<_>>()?;
            }
            "known_by_fewer" => entry.known_by_fewer = value.as_bool()?,
            "standing" => entry.standing = value.as_bool()?,
            "enabled" => entry.enabled = value.as_bool()?,
            "created" if maybe(&mut entry.created, value, moment) => {}
            "updated" if maybe(&mut entry.updated, value, moment) => {}
            _ => return None,
        }
    }
    // Another program may have changed who knows of it. Its own field counts then.
    if (plain.known_by_fewer || !plain.known_by.is_empty()) && !has_names_of(&entry, plain) {
        return None;
    }
    // A field that the writer would produce differently is retained unchanged.
    (beyond(&entry, plain).as_ref() == Some(ours)).then_some(entry)
}

/// True if those who know of an entry are those that the format's own field names, as far as it can name them.
fn has_names_of(entry: &ThirdPartyEntry, plain: &ThirdPartyEntry) -> bool {
    let names = |entry: &ThirdPartyEntry| {
        let names: Vec<&str> = entry.known_by.iter().map(|knower| knower.name.as_str()).collect();
        clean_names(&json!(names)).0
    };
    names(entry) == names(plain)
}

/// Removes the `inklings` field and merges its data with that of the format's own fields.
pub fn read(fields: &mut Fields, plain: ThirdPartyEntry, tally: &mut Tally) -> ThirdPartyEntry {
    let Some(ours) = fields.take(KEY) else { return plain };
    if let Some(entry) = applied(&plain, &ours) {
        return entry;
    }
    tally.add("a field of ours that is not as we write it", 1);
    fields.put_back(KEY, ours);
    plain
}

/// Writes the data that `plain` lacks into the `inklings` field.
pub fn write(out: &mut Out, entry: &ThirdPartyEntry, plain: &ThirdPartyEntry) {
    if let Some(ours) = beyond(entry, plain) {
        out.put(KEY, ours);
    }
}
