//! Reads and writes entries as Markdown files, with front matter of `id`, `name`, `aliases`, `tags`,
//! `importance`, `standing`, `enabled`, `created`, `updated` and other keys. `type` is the kind of the subject that a note
//! describes; `about` lists what it is about, `known_by` who knows of it; `relation`, `from` and `to` make it a relation.
//!
//! White space around the text is part of the file and not of the entry. A file has the same bytes after
//! reading and writing.

use inklings_application::markdown::{
    front::{self, Block, split},
    wiki::{as_link, from_link},
};
use serde_json::{Map, Value, json};

use super::{
    FormatError, Knower, Relation, Spot, ThirdPartyEntry,
    fields::moment,
    json::utf8,
    knowers::FEWER,
    limits::{MAX_EXTRA_BYTES, MAX_NAME_BYTES, MAX_NAMES, MAX_TEXT_BYTES},
    ours::written,
};
use crate::{
    text::Tally,
    utf16::{Order, decoded},
};

/// Maximum bytes of a file: text and front matter.
pub const MAX_NOTE_BYTES: usize = MAX_TEXT_BYTES + MAX_EXTRA_BYTES;

const FENCES: [&str; 2] = ["---\n", "---\n"];
const NAME: [&str; 2] = ["name", "title"];
const ALIASES: [&str; 2] = ["aliases", "alias"];
const TAGS: [&str; 2] = ["tags", "tag"];
const KNOWN_BY: [&str; 1] = ["known_by"];

/// Reads a file; `path` is its path in the folder.
///
/// # Errors
/// [`FormatError::Broken`] with the line, [`FormatError::TooLarge`].
pub fn read(path: &str, bytes: &[u8], tally: &mut Tally) -> Result<ThirdPartyEntry, FormatError> {
    if bytes.len() > MAX_NOTE_BYTES {
        return Err(FormatError::large(Spot::default(), "the file is larger than 1.5 MiB"));
    }
    let mark = bytes.starts_with(b"\xEF\xBB\xBF");
    let encoding = Order::of(bytes);
    let bytes = &*decoded(bytes);
    let given = utf8(bytes)?;
    // Uniform line ends are a property of the file; mixed line ends are part of the text.
    let returns = given.contains("\r\n") && !given.replace("\r\n", "").contains(['\n', '\r']);
    let text = if returns { given.replace("\r\n", "\n") } else { given.to_owned() };
    let (front, fences, body) = match split(&text) {
        Some((front::Head { fences, blocks }, body)) => (Some(blocks), fences, body),
        None => (None, FENCES, text.as_str()),
    };
    let content = body.trim();
    if content.len() > MAX_TEXT_BYTES {
        return Err(FormatError::large(Spot::default(), "the text is longer than 1 MiB"));
    }
    let mut entry = meaning(path, front.as_deref().unwrap_or_default(), tally);
    let start = body.len() - body.trim_start().len();
    let mut extra = Map::new();
    extra.insert("path".into(), path.into());
    if let Some(front) = front {
        let raw: String = front.into_iter().map(|block| block.raw).collect();
        extra.insert("front".into(), raw.into());
    }
    if fences != FENCES {
        extra.insert("fences".into(), json!(fences));
    }
    extra.insert("around".into(), json!([&body[..start], &body[start + content.len()..]]));
    if returns {
        extra.insert("returns".into(), true.into());
    }
    if mark {
        extra.insert("mark".into(), true.into());
    }
    if let Some(order) = encoding {
        extra.insert("encoding".into(), order.name().into());
    }
    content.clone_into(&mut entry.content);
    entry.extra = extra.into();
    Ok(entry)
}

fn find<'a>(blocks: &'a [Block], keys: &[&str]) -> Option<&'a Block> {
    keys.iter().find_map(|key| blocks.iter().find(|block| block.key == *key))
}

fn meaning(path: &str, blocks: &[Block], tally: &mut Tally) -> ThirdPartyEntry {
    let text = |keys: &[&str]| {
        let text = find(blocks, keys)?.text()?;
        (!text.trim().is_empty() && text.len() <= MAX_NAME_BYTES).then_some(text)
    };
    let list = |keys: &[&str]| {
        let mut list = find(blocks, keys).and_then(Block::list)?;
        let mut seen = std::collections::HashSet::new();
        list.retain(|item| item.len() <= MAX_NAME_BYTES && seen.insert(item.clone()));
        list.truncate(MAX_NAMES);
        Some(list)
    };
    let flag = |key: &str| match find(blocks, &[key])?.text()?.as_str() {
        "true" | "yes" => Some(true),
        "false" | "no" => Some(false),
        _ => None,
    };
    let number = |key: &str| {
        let number: f64 = find(blocks, &[key])?.text()?.parse().ok()?;
        (0.0..=1.0).contains(&number).then_some(number)
    };
    let time = |key: &str| {
        let text = find(blocks, &[key])?.text()?;
        // A date without time means its start.
        moment(&json!(text)).or_else(|| moment(&json!(format!("{text}T00:00:00Z"))))
    };
    let known_by = known_by(&list(&KNOWN_BY).unwrap_or_default());
    let says_something = |keys| find(blocks, keys).is_some_and(|block| !block.is_nothing());
    // A list that cannot be read does not say that everybody knows.
    let is_empty = || find(blocks, &KNOWN_BY).is_some_and(Block::is_empty_list);
    let known_by_fewer = known_by.is_empty() && says_something(&KNOWN_BY[..]) && !is_empty();
    tally.add(FEWER, u64::from(known_by_fewer));
    let understood = [
        (&NAME[..], text(&NAME).is_some()),
        (&ALIASES[..], list(&ALIASES).is_some()),
        (&TAGS[..], list(&TAGS).is_some()),
        (&["importance"][..], number("importance").is_some()),
        (&["standing"][..], flag("standing").is_some()),
        (&["enabled"][..], flag("enabled").is_some()),
        (&["created"][..], time("created").is_some()),
        (&["updated"][..], time("updated").is_some()),
    ];
    let odd = understood.into_iter().filter(|(keys, understood)| !understood && says_something(keys)).count();
    tally.add("a key of the head that is not understood", odd as u64);
    let stem = path.rsplit('/').next().unwrap_or(path);
    let stem = stem.rsplit_once('.').map_or(stem, |(stem, _)| stem);
    let by_file =
        || find(blocks, &NAME).is_none().then(|| stem.to_owned()).filter(|name| !name.trim().is_empty());
    ThirdPartyEntry {
        external_id: text(&["id"]).or_else(|| Some(path.to_owned())),
        name: text(&NAME).or_else(by_file),
        aliases: list(&ALIASES).unwrap_or_default(),
        tags: list(&TAGS).unwrap_or_default(),
        importance: number("importance"),
        subject: text(&["type"]),
        relation: relation(&text),
        about: about(&list(&["about"]).unwrap_or_default()),
        known_by,
        known_by_fewer,
        standing: flag("standing").unwrap_or(false),
        enabled: flag("enabled").unwrap_or(true),
        created: time("created"),
        updated: time("updated"),
        ..ThirdPartyEntry::default()
    }
}

/// The relation of the front matter, if it names both ends.
fn relation(text: &impl Fn(&[&str]) -> Option<String>) -> Option<Relation> {
    let end = |key: &str| Some(from_link(&text(&[key])?)).filter(|name| !name.trim().is_empty());
    Some(Relation { relation: text(&["relation"])?, from: end("from")?, to: end("to")? })
}

/// The names in a list of links.
fn about(list: &[String]) -> Vec<String> {
    let mut seen = std::collections::HashSet::new();
    let names = list.iter().map(|value| from_link(value));
    names.filter(|name| !name.trim().is_empty() && seen.insert(name.clone())).collect()
}

/// Who knows of it, each once.
fn known_by(list: &[String]) -> Vec<Knower> {
    let mut seen = std::collections::HashSet::new();
    let knowers = list.iter().map(|item| Knower::of_item(item));
    knowers.filter(|knower| !knower.name.trim().is_empty() && seen.insert(knower.name.clone())).collect()
}

/// Front matter during writing.
struct Head(Option<Vec<Block>>);

impl Head {
    /// Sets the first of the keys, in the position of whichever of them exists.
    fn set(&mut self, keys: &[&str], value: &Value) {
        let nothing = value.as_array().is_some_and(Vec::is_empty);
        let blocks = self.0.get_or_insert_default();
        let at = blocks.iter().position(|block| keys.contains(&block.key.as_str())).unwrap_or(blocks.len());
        blocks.retain(|block| !keys.contains(&block.key.as_str()));
        if !nothing {
            blocks.insert(at.min(blocks.len()), Block::written(keys[0], value));
        }
    }
}

/// The bytes of an entry's file; `path` is its path in the folder.
pub fn write(path: &str, entry: &ThirdPartyEntry) -> Vec<u8> {
    let fresh = entry.extra.is_null();
    let from = entry.extra.get("front").and_then(Value::as_str).and_then(|raw| {
        let whole = format!("---\n{raw}---\n");
        split(&whole).map(|(head, _)| head.blocks)
    });
    let old = entry.extra.get("path").and_then(Value::as_str).unwrap_or(path);
    let plain = meaning(old, from.as_deref().unwrap_or_default(), &mut Tally::default());
    let mut head = Head(from);
    if let (true, Some(id)) = (fresh, &entry.external_id) {
        head.set(&["id"], &json!(id));
    }
    if fresh || entry.name != plain.name || (old != path && entry.name.is_some() && head.0.is_none()) {
        head.set(&NAME, &json!(entry.name));
    }
    if entry.aliases != plain.aliases {
        head.set(&ALIASES, &json!(entry.aliases));
    }
    if entry.tags != plain.tags {
        head.set(&TAGS, &json!(entry.tags));
    }
    if entry.subject != plain.subject {
        head.set(&["type"], &json!(entry.subject));
    }
    if entry.relation != plain.relation {
        let Relation { relation, from, to } = entry.relation.clone().unwrap_or_default();
        for (key, value) in [("relation", relation), ("from", as_link(&from)), ("to", as_link(&to))] {
            head.set(&[key], &entry.relation.as_ref().map_or(Value::Null, |_| value.into()));
        }
    }
    if entry.about != plain.about {
        head.set(&["about"], &entry.about.iter().map(|name| as_link(name)).collect());
    }
    if entry.known_by != plain.known_by {
        head.set(&KNOWN_BY, &entry.known_by.iter().map(Knower::as_item).collect());
    }
    if entry.importance != plain.importance {
        head.set(&["importance"], &json!(entry.importance));
    }
    if entry.standing != plain.standing {
        head.set(&["standing"], &json!(entry.standing));
    }
    if entry.enabled != plain.enabled {
        head.set(&["enabled"], &json!(entry.enabled));
    }
    if entry.created != plain.created {
        head.set(&["created"], &json!(entry.created.map(written)));
    }
    if entry.updated != plain.updated {
        head.set(&["updated"], &json!(entry.updated.map(written)));
    }
    let around = |at: usize| {
        let original = entry.extra.get("around").and_then(|around| around.get(at)).and_then(Value::as_str);
        // The retained space must be white space, so that it cannot become text.
        original.filter(|space| space.trim().is_empty()).unwrap_or("\n")
    };
    let content = entry.content.trim();
    let (before, after) = (around(0), around(1));
    // A text that starts like front matter needs front matter before it.
    if head.0.is_none() && split(&format!("{before}{content}{after}")).is_some() {
        head.0 = Some(Vec::new());
    }
    let mut text = String::new();
    if let Some(blocks) = &head.0 {
        let fence = |at: usize| {
            let original =
                entry.extra.get("fences").and_then(|fences| fences.get(at)).and_then(Value::as_str);
            original.filter(|fence| matches!(fence.trim_end(), "---" | "...")).unwrap_or(FENCES[at])
        };
        text.push_str(fence(0));
        text.extend(blocks.iter().map(|block| block.raw.as_str()));
        text.push_str(fence(1));
    }
    for part in [before, content, after] {
        text.push_str(part);
    }
    let is = |key: &str| entry.extra.get(key).and_then(Value::as_bool) == Some(true);
    let text = if is("returns") { text.replace("\r\n", "\n").replace('\n', "\r\n") } else { text };
    if let Some(order) = entry.extra.get("encoding").and_then(Value::as_str).and_then(Order::from_name) {
        return order.encoded(&text);
    }
    let mark = if is("mark") { "\u{FEFF}" } else { "" };
    format!("{mark}{text}").into_bytes()
}
