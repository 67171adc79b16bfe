//! Reads and writes a NovelAI lorebook: `{"lorebookVersion", "entries": [{id, displayName, text, keys, enabled, forceActivation,
//! ...}]}`, alone, in a scenario (`{"scenarioVersion", prompt, context, lorebook, ...}`) or in a story
//! (`{"storyContainerVersion", metadata, content: {story, context, lorebook, ...}}`).

use std::{collections::HashMap, io::Write};

use serde_json::{Map, Value, json};

use super::{
    Collection, Format, FormatError, LeftBehind, Spot, ThirdPartyEntry,
    book::Numbers,
    builder::Builder,
    fields::{Fields, Out},
    listed::{self, word},
    ours,
};
use crate::text::Tally;

/// What the two texts of the context are, in their order.
const CONTEXT: [&str; 2] = ["memory", "author's note"];

/// The parts of a story that become no entries, the heaviest first.
const STORY: [(&str, &str); 4] =
    [("document", "story"), ("story", "story"), ("prompt", "story"), ("userScripts", "scripts")];

/// True for a scenario or a story.
pub fn is_story(top: &Map<String, Value>) -> bool {
    let inner = |key: &str| top.get(key).is_some_and(Value::is_object);
    (top.contains_key("scenarioVersion") && (inner("lorebook") || top.contains_key("context")))
        || (top.contains_key("storyContainerVersion") && inner("content"))
}

/// Reads a file.
///
/// # Errors
/// [`FormatError`] with the entry and the field.
pub fn read(mut top: Map<String, Value>, tally: Tally) -> Result<Collection, FormatError> {
    let mut lore = Builder::new(Format::NovelAi, tally);
    let mut extra = Map::new();
    if !is_story(&top) {
        entries(&mut top, &mut lore)?;
        extra.insert("fields".into(), top.into());
        return lore.finish(extra);
    }
    let title = |map: &Map<String, Value>| word(map.get("title"));
    let mut story = match top.remove("content") {
        Some(Value::Object(content)) => {
            lore.name = top.get("metadata").and_then(Value::as_object).and_then(title);
            content
        }
        _ => std::mem::take(&mut top),
    };
    lore.name = lore.name.take().or_else(|| title(&story));
    let mut book = match story.remove("lorebook") {
        Some(Value::Object(book)) => book,
        None | Some(Value::Null) => Map::new(),
        Some(_) => return Err(FormatError::broken(Spot::top("lorebook"), "an object should stand here")),
    };
    if book.contains_key("entries") {
        entries(&mut book, &mut lore)?;
    }
    if let Some(others) = context(&mut story, &mut lore)? {
        extra.insert("context".into(), others.into());
    }
    let messages = story.get("ephemeralContext").and_then(Value::as_array).map_or(0, Vec::len);
    if messages > 0 {
        lore.left_behind.push(LeftBehind { what: "ephemeral context", path: "ephemeralContext".to_owned() });
    }
    extra.insert("fields".into(), book.into());
    extra.insert("story".into(), listed::rest(story, &STORY, &mut lore).into());
    if !top.is_empty() {
        extra.insert("container".into(), top.into());
    }
    lore.finish(extra)
}

/// Adds memory and author's note, which NovelAI always shows. Gives the list of the context with null for each text that
/// became an entry.
fn context(story: &mut Map<String, Value>, lore: &mut Builder) -> Result<Option<Vec<Value>>, FormatError> {
    let list = match story.remove("context") {
        Some(Value::Array(list)) => list,
        Some(other @ Value::Null) => {
            story.insert("context".into(), other);
            return Ok(None);
        }
        None => return Ok(None),
        Some(_) => {
            return Err(FormatError::broken(Spot::top("context"), "a list of texts should stand here"));
        }
    };
    let mut others = Vec::new();
    for (place, value) in list.into_iter().enumerate() {
        let mut fields = Fields::new(value.clone(), lore.next())?;
        let content = fields.content("text")?;
        if content.trim().is_empty() {
            others.push(value);
            continue;
        }
        others.push(Value::Null);
        let what =
            CONTEXT.get(place).map_or_else(|| format!("context {}", place + 1), |what| (*what).to_owned());
        let name = lore.name.as_ref().map_or_else(|| what.clone(), |title| format!("{title}: {what}"));
        let text = listed::whole_text(&format!("context:{place}"), name, content);
        let mut extra = fields.into_extra();
        extra.insert("context".into(), place.into());
        lore.push(ThirdPartyEntry { extra: extra.into(), ..text })?;
    }
    Ok(Some(others))
}

fn entries(book: &mut Map<String, Value>, lore: &mut Builder) -> Result<(), FormatError> {
    let Some(Value::Array(list)) = book.remove("entries") else {
        return Err(FormatError::broken(Spot::top("entries"), "a list of entries should stand here"));
    };
    for (place, value) in list.into_iter().enumerate() {
        let fields = Fields::new(value, lore.next())?;
        let entry = entry(fields, place, &mut lore.tally)?;
        lore.push(entry)?;
    }
    Ok(())
}

fn entry(mut fields: Fields, place: usize, tally: &mut Tally) -> Result<ThirdPartyEntry, FormatError> {
    let id = fields.get("id").and_then(Value::as_str).filter(|id| !id.trim().is_empty()).map(str::to_owned);
    let plain = ThirdPartyEntry {
        external_id: Some(id.unwrap_or_else(|| format!("at {place}"))),
        name: fields.name("displayName", tally),
        aliases: fields.names("keys", tally)?,
        content: fields.content("text")?,
        standing: fields.flag("forceActivation", false, tally),
        enabled: fields.flag("enabled", true, tally),
        updated: fields.moment("lastUpdatedAt"),
        ..ThirdPartyEntry::default()
    };
    let entry = ours::read(&mut fields, plain, tally);
    Ok(ThirdPartyEntry { extra: fields.into_extra().into(), ..entry })
}

fn written_entry(entry: &ThirdPartyEntry, place: usize, numbers: &mut Numbers) -> Value {
    let mut out = Out::new(&entry.extra);
    if out.fresh {
        out.put("id", format!("inklings-{}", numbers.next()).into());
    }
    out.text("displayName", entry.name.as_deref().unwrap_or_default());
    out.names("keys", &entry.aliases);
    out.text("text", &entry.content);
    out.flag("forceActivation", entry.standing, false);
    out.flag("enabled", entry.enabled, true);
    if out.fresh {
        for (field, value) in [
            ("searchRange", json!(1000)),
            ("keyRelative", json!(false)),
            ("nonStoryActivatable", json!(false)),
            ("category", json!("")),
            ("loreBiasGroups", json!([])),
        ] {
            out.needs(field, value);
        }
        entry.placement.put_into_novelai(&mut out, &entry.aliases);
    }
    let read = Fields::new(out.clone().into_value(), 1);
    if let Ok(plain) = read.and_then(|fields| self::entry(fields, place, &mut Tally::default())) {
        // The time of a change in Inklings replaces that of NovelAI only if the file has none.
        ours::write(&mut out, entry, &plain);
    }
    out.into_value()
}

/// The place in the context of a story that an entry was read from.
fn place_of(entry: &ThirdPartyEntry) -> Option<u64> {
    entry.extra.get("context")?.as_u64()
}

/// Writes a lorebook, or the scenario or story that it was read from.
///
/// # Errors
/// [`FormatError::Io`].
pub fn write(lore: &Collection, to: &mut dyn Write) -> Result<(), FormatError> {
    let object = |key: &str| lore.extra.get(key).and_then(Value::as_object).cloned();
    let mut numbers = Numbers::of(&lore.entries, "inklings-");
    let story = object("story");
    let mut texts: HashMap<u64, &ThirdPartyEntry> = HashMap::new();
    let mut entries = Vec::new();
    for entry in &lore.entries {
        match place_of(entry).filter(|_| story.is_some()) {
            Some(place) if !texts.contains_key(&place) => drop(texts.insert(place, entry)),
            _ => entries.push(written_entry(entry, entries.len(), &mut numbers)),
        }
    }
    let mut book = object("fields").unwrap_or_default();
    book.insert("entries".into(), entries.into());
    let file = match story {
        None => {
            for (field, value) in [
                ("lorebookVersion", json!(5)),
                ("settings", json!({"orderByKeyLocations": false})),
                ("categories", json!([])),
            ] {
                if lore.extra.is_null() {
                    book.entry(field).or_insert(value);
                }
            }
            book
        }
        Some(mut story) => {
            if book.len() > 1 || !lore.entries.is_empty() {
                story.insert("lorebook".into(), book.into());
            }
            if let Some(others) = lore.extra.get("context").and_then(Value::as_array) {
                story.insert("context".into(), context_of(others, &texts));
            }
            match object("container") {
                Some(mut container) => {
                    container.insert("content".into(), story.into());
                    container
                }
                None => story,
            }
        }
    };
    writeln!(to, "{}", Value::Object(file)).map_err(|error| FormatError::io(&error))
}

/// The context of a story with the texts of its entries. The text of a forgotten entry is empty.
fn context_of(others: &[Value], texts: &HashMap<u64, &ThirdPartyEntry>) -> Value {
    let one = |(place, other): (u64, &Value)| {
        let mut out = match texts.get(&place) {
            Some(entry) => Out::new(&entry.extra),
            None if other.is_object() => return other.clone(),
            None => Out::new(&json!({})),
        };
        out.put("text", texts.get(&place).map_or("", |entry| entry.content.as_str()).into());
        out.into_value()
    };
    (0..).zip(others).map(one).collect()
}
