//! The file of the reference MCP memory server: one entity or relation per line.
//!
//! An entity becomes an entry whose lines are its observations; its type is the kind of the subject that it describes, and a
//! tag. A relation becomes an entry that relates two others, with its sentence as text.

use std::{
    collections::{HashMap, HashSet},
    io::Write,
};

use inklings_domain::text::mark;
use serde_json::{Map, Value, json};

use super::{
    Collection, Format, FormatError, Relation, Spot, ThirdPartyEntry,
    builder::Builder,
    fields::{Fields, Out},
    json::parse_within,
    limits::{MAX_EXTRA_BYTES, MAX_NAME_BYTES, MAX_VALUE_BYTES},
    ours,
};
use crate::text::Tally;

/// Reads the fields of an entity or a relation.
type Reader = fn(Fields, &mut Tally) -> Result<ThirdPartyEntry, FormatError>;

/// Reads a file. Invalid lines are counted and skipped.
///
/// # Errors
/// [`FormatError::TooLarge`]; [`FormatError::Broken`] if there are lines and all of them are invalid.
pub fn read(bytes: &[u8]) -> Result<Collection, FormatError> {
    let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    let mut graph = Builder::new(Format::McpJsonl, Tally::default());
    let (mut others, mut weight, mut good, mut broken) = (Vec::new(), 0, false, None);
    let mut left = MAX_VALUE_BYTES;
    for (line, text) in bytes.split(|byte| *byte == b'\n').enumerate() {
        let text = text.trim_ascii();
        if text.is_empty() {
            continue;
        }
        let place = |error| match error {
            FormatError::TooLarge { at, bound } => {
                FormatError::large(Spot { line: Some(line + 1), ..at }, bound)
            }
            other => other,
        };
        let mut noted = Tally::default();
        let item = match parse_within(text, &mut left, &mut noted) {
            Err(error @ FormatError::TooLarge { .. }) => return Err(place(error)),
            read => read.ok().and_then(|value| Item::of(value, graph.next())),
        };
        let read = match item {
            Some(Item::Entity(fields)) => entity(fields, &mut noted),
            Some(Item::Relation(fields)) => relation(fields, &mut noted),
            Some(Item::Other(value)) => {
                good = true;
                weight += text.len();
                if weight <= MAX_EXTRA_BYTES / 2 {
                    others.push(value);
                } else {
                    graph.tally.add("a line of another type, left out", 1);
                }
                continue;
            }
            None => Err(FormatError::broken(Spot::line(line + 1), "this is no line of a memory graph")),
        };
        match read {
            Ok(entry) => {
                good = true;
                noted.into_counts().for_each(|(reason, count)| graph.tally.add(reason, count));
                graph.push(entry).map_err(place)?;
            }
            Err(error @ FormatError::TooLarge { .. }) => return Err(place(error)),
            Err(error) => {
                broken = broken.or(Some(match error {
                    FormatError::Broken { at, problem } => {
                        FormatError::broken(Spot { line: Some(line + 1), ..at }, problem)
                    }
                    other => other,
                }));
                graph.tally.add("a broken line", 1);
            }
        }
    }
    if let (false, Some(error)) = (good, broken) {
        return Err(error);
    }
    let mut extra = Map::new();
    if !others.is_empty() {
        extra.insert("lines".into(), others.into());
    }
    graph.finish(extra)
}

/// Kind of a line.
enum Item {
    Entity(Fields),
    Relation(Fields),
    Other(Value),
}

impl Item {
    fn of(value: Value, number: usize) -> Option<Self> {
        let kind = kind(&value)?;
        Some(match kind {
            "entity" => Self::Entity(Fields::new(value, number).ok()?),
            "relation" => Self::Relation(Fields::new(value, number).ok()?),
            _ => Self::Other(value),
        })
    }
}

/// The kind of a line. Some servers call the field `_type`.
fn kind(value: &Value) -> Option<&str> {
    value.get("type").or_else(|| value.get("_type")).and_then(Value::as_str)
}

/// True for a whole graph in one object, as the server's tool `read_graph` answers.
pub fn is_whole(top: &Map<String, Value>) -> bool {
    let list = |key: &str| top.get(key).and_then(Value::as_array);
    let named = |value: &Value| value.get("name").is_some_and(Value::is_string);
    let entities = list("entities").filter(|_| top.contains_key("relations"));
    entities.is_some_and(|entities| entities.is_empty() || entities.iter().any(named))
}

/// Reads a whole graph in one object.
///
/// # Errors
/// [`FormatError`] with the entry and the field.
pub fn read_whole(mut top: Map<String, Value>, tally: Tally) -> Result<Collection, FormatError> {
    let mut graph = Builder::new(Format::McpJsonl, tally);
    for (field, read) in [("entities", entity as Reader), ("relations", relation)] {
        let list = match top.remove(field) {
            Some(Value::Array(list)) => list,
            None | Some(Value::Null) => Vec::new(),
            Some(_) => return Err(FormatError::broken(Spot::top("entities"), "a list should stand here")),
        };
        for value in list {
            let number = graph.next();
            let fields = Fields::new(value, number)?;
            let entry = read(fields, &mut graph.tally).map_err(|error| error.at_entry(number))?;
            graph.push(entry)?;
        }
    }
    let mut extra = Map::new();
    extra.insert("whole".into(), top.into());
    graph.finish(extra)
}

/// True if a line belongs to a memory graph.
pub fn is_line(value: &Value) -> bool {
    let text = |key| value.get(key).is_some_and(Value::is_string);
    match kind(value) {
        Some("entity") => text("name"),
        Some("relation") => text("from") && text("to"),
        _ => false,
    }
}

/// Consumes the usual field of a line's kind. Another one stays, and a missing one is recorded.
fn take_kind(fields: &mut Fields) {
    if fields.take("type").is_none() {
        fields.missing("type");
    }
}

/// Sets the kind of a line, unless the line has another field for it or is in a list of its kind.
fn put_kind(out: &mut Out, kind: &str) {
    if !out.was_missing("type") {
        out.put("type", kind.into());
    }
}

/// The observations of a text: its lines.
fn lines(content: &str) -> Vec<&str> {
    if content.is_empty() { Vec::new() } else { content.split('\n').collect() }
}

fn joined(extracted: &Value) -> Option<(String, u64)> {
    let list = extracted.as_array()?;
    // Some servers keep an observation with its time.
    let text = |item: &Value| {
        let inner = || item.get("content").or_else(|| item.get("text"));
        item.as_str().or_else(|| inner().and_then(Value::as_str)).map(str::to_owned)
    };
    let texts: Vec<String> = list.iter().filter_map(text).collect();
    Some((texts.join("\n"), (list.len() - texts.len()) as u64))
}

fn entity(mut fields: Fields, tally: &mut Tally) -> Result<ThirdPartyEntry, FormatError> {
    let Some(name) = fields.name("name", tally) else {
        return Err(FormatError::broken(
            Spot { field: Some("name"), ..Spot::default() },
            "a name should stand here",
        ));
    };
    let mut content = String::new();
    if let Some(given) = fields.get("observations") {
        let Some((texts, others)) = joined(given) else {
            let at = Spot { field: Some("observations"), ..Spot::default() };
            return Err(FormatError::broken(at, "a list of texts should stand here"));
        };
        content = texts;
        tally.add("an observation that is no text", others);
        if json!(lines(&content)) == *given {
            fields.take("observations");
        }
    } else {
        fields.missing("observations");
    }
    let kind = kind_of_entity(|key| fields.get(key));
    let plain = ThirdPartyEntry {
        external_id: Some(name.clone()),
        name: Some(name),
        content,
        tags: kind.iter().cloned().collect(),
        subject: kind,
        ..ThirdPartyEntry::default()
    };
    take_kind(&mut fields);
    let there = plain.name.clone();
    let entry = ours::read(&mut fields, plain, tally);
    let mut extra = fields.into_extra();
    // The graph may have a generated name for it; that name is retained even if the entry is renamed in
    // Inklings.
    if let Some(there) = there.filter(|there| entry.name.as_ref() != Some(there)) {
        extra.insert("name".into(), there.into());
    }
    Ok(ThirdPartyEntry { extra: extra.into(), ..entry })
}

/// The type of an entity, if it can be a kind of subject.
fn kind_of_entity<'f>(get: impl Fn(&str) -> Option<&'f Value>) -> Option<String> {
    let kind = get(KIND_OF_ENTITY[0]).or_else(|| get(KIND_OF_ENTITY[1])).and_then(Value::as_str);
    kind.filter(|kind| !kind.trim().is_empty() && kind.len() <= MAX_NAME_BYTES).map(str::to_owned)
}

/// What a relation says.
struct Statement {
    id: String,
    text: String,
    relation: Option<Relation>,
}

impl Statement {
    /// The statement of the fields of a relation; `None` without its two ends.
    fn of<'f>(get: impl Fn(&str) -> Option<&'f Value>) -> Option<Self> {
        let get = |key| get(key).and_then(Value::as_str).map(str::to_owned);
        let (from, to) = (get("from")?, get("to")?);
        let kind = KIND_OF_RELATION.into_iter().find_map(get).unwrap_or_default();
        let id = format!("{from} -[{kind}]-> {to}");
        let words = kind.replace('_', " ");
        let is_named = !words.trim().is_empty();
        let text = if is_named { format!("{from} {words} {to}") } else { format!("{from}: {to}") };
        // The id of a very long relation is truncated, so that only the name is limited by the bound.
        let id = if id.len() <= MAX_NAME_BYTES { id } else { id.chars().take(MAX_NAME_BYTES / 4).collect() };
        let relation = Relation { relation: words, from, to };
        let parts = [&relation.relation, &relation.from, &relation.to];
        let is_short = parts.into_iter().all(|part| part.len() <= MAX_NAME_BYTES);
        Some(Self { id, text, relation: Some(relation).filter(|_| is_named && is_short) })
    }
}

fn relation(mut fields: Fields, tally: &mut Tally) -> Result<ThirdPartyEntry, FormatError> {
    let Some(Statement { id, text, relation }) = Statement::of(|key| fields.get(key)) else {
        return Err(FormatError::broken(Spot::default(), "a relation without its two ends"));
    };
    let plain =
        ThirdPartyEntry { external_id: Some(id), content: text, relation, ..ThirdPartyEntry::default() };
    take_kind(&mut fields);
    let sentence = plain.content.clone();
    let entry = ours::read(&mut fields, plain, tally);
    let mut extra = fields.into_extra();
    extra.insert("relation".into(), true.into());
    if entry.content != sentence {
        extra.insert("text".into(), mark_of(&entry.content).into());
    }
    Ok(ThirdPartyEntry { extra: extra.into(), ..entry })
}

/// Writes a file.
///
/// # Errors
/// [`FormatError::Io`].
pub fn write(graph: &Collection, to: &mut dyn Write) -> Result<(), FormatError> {
    if let Some(Value::Object(rest)) = graph.extra.get("whole") {
        return write_whole(graph, rest.clone(), to);
    }
    let mut put = |value: &Value| writeln!(to, "{value}").map_err(|error| FormatError::io(&error));
    for Line { value, .. } in lines_of(&graph.entries) {
        put(&value)?;
    }
    let others = graph.extra.get("lines").and_then(Value::as_array);
    others.into_iter().flatten().try_for_each(put)
}

/// Writes a graph as one object, as it was read.
fn write_whole(graph: &Collection, rest: Map<String, Value>, to: &mut dyn Write) -> Result<(), FormatError> {
    let (mut entities, mut relations) = (Vec::new(), Vec::new());
    // The list decides what a line is read as, so the fields are not asked: a relation can have a name, too.
    for Line { value, is_relation } in lines_of(&graph.entries) {
        if is_relation { &mut relations } else { &mut entities }.push(value);
    }
    let mut top = rest;
    top.insert("entities".into(), entities.into());
    top.insert("relations".into(), relations.into());
    writeln!(to, "{}", Value::Object(top)).map_err(|error| FormatError::io(&error))
}

/// The name of an entry in the graph, if it differs from its own name.
fn there(entry: &ThirdPartyEntry) -> Option<&str> {
    entry.extra.get("name")?.as_str().filter(|name| !name.trim().is_empty())
}

/// The names of the fields for the type of a relation and of an entity.
const KIND_OF_RELATION: [&str; 2] = ["relationType", "relation_type"];
const KIND_OF_ENTITY: [&str; 2] = ["entityType", "entity_type"];

/// A line as it is written.
struct Line {
    value: Value,
    is_relation: bool,
}

/// The lines of a graph, without those of another type.
fn lines_of(entries: &[ThirdPartyEntry]) -> Vec<Line> {
    let mut names = Names::of(entries);
    // An end of a relation may come behind it, so all names are known first.
    let entities: Vec<Option<Value>> =
        entries.iter().map(|entry| (!is_relation(entry)).then(|| entity_of(entry, &mut names))).collect();
    let mut by_name: HashMap<&str, &str> = HashMap::new();
    // Of two entries of one name, a subject is what a relation means.
    for subjects in [true, false] {
        for (entry, entity) in entries.iter().zip(&entities) {
            let written = entity.as_ref().and_then(|entity| entity.get("name")?.as_str());
            if let (Some(name), Some(written)) = (&entry.name, written)
                && entry.subject.is_some() == subjects
            {
                by_name.entry(name).or_insert(written);
            }
        }
    }
    let relations: Vec<Option<Value>> =
        entries.iter().map(|entry| is_relation(entry).then(|| relation_of(entry, &by_name))).collect();
    let line = |(entity, relation): (Option<Value>, Option<Value>)| {
        let is_relation = relation.is_some();
        Some(Line { value: entity.or(relation)?, is_relation })
    };
    entities.into_iter().zip(relations).filter_map(line).collect()
}

/// True for the fields of a line that relates two entities by a word.
pub fn is_named_relation(fields: &Value) -> bool {
    Statement::of(|key| fields.get(key)).is_some_and(|statement| statement.relation.is_some())
}

/// True for an entry that is written as a relation.
fn is_relation(entry: &ThirdPartyEntry) -> bool {
    if entry.extra.is_null() {
        return entry.relation.is_some();
    }
    let out = Out::new(&entry.extra);
    // A relation whose text was changed is no longer the relation between its two entities.
    let has_text = match entry.extra.get("text").and_then(Value::as_str) {
        Some(mark) => mark == mark_of(&entry.content),
        None => Statement::of(|key| out.get(key)).is_some_and(|statement| statement.text == entry.content),
    };
    entry.extra.get("relation").is_some() && has_text
}

/// Identifies the text of a relation that has another one than its sentence.
fn mark_of(content: &str) -> String {
    format!("{:016x}", mark(content.bytes()))
}

/// Sets the field that the line has for it, or else the usual one.
fn put_any(out: &mut Out, keys: [&str; 2], value: &str) {
    let key = keys.into_iter().find(|key| out.get(key).is_some_and(Value::is_string)).unwrap_or(keys[0]);
    out.put(key, value.into());
}

fn relation_of(entry: &ThirdPartyEntry, by_name: &HashMap<&str, &str>) -> Value {
    let mut out = Out::new(&entry.extra);
    put_kind(&mut out, "relation");
    let plain = Statement::of(|key| out.get(key)).and_then(|statement| statement.relation);
    if let Some(Relation { relation, from, to }) =
        entry.relation.as_ref().filter(|given| plain.as_ref() != Some(given))
    {
        let differs = |part: fn(&Relation) -> &String, value| plain.as_ref().map(part) != Some(value);
        if differs(|plain| &plain.relation, relation) {
            put_any(&mut out, KIND_OF_RELATION, relation);
        }
        for (key, part, name) in
            [("from", (|plain| &plain.from) as fn(&Relation) -> &String, from), ("to", |plain| &plain.to, to)]
        {
            if differs(part, name) {
                out.put(key, (*by_name.get(&**name).unwrap_or(&&**name)).into());
            }
        }
    }
    beyond(entry, &mut out, relation);
    out.into_value()
}

fn entity_of(entry: &ThirdPartyEntry, names: &mut Names) -> Value {
    if entry.extra.get("relation").is_some() {
        let fresh = ThirdPartyEntry { extra: Value::Null, ..entry.clone() };
        return entity_of(&fresh, names);
    }
    let mut out = Out::new(&entry.extra);
    put_kind(&mut out, "entity");
    let name = match (there(entry), &entry.name) {
        (Some(name), _) => name.to_owned(),
        (None, Some(name)) if !out.fresh && !name.trim().is_empty() => name.clone(),
        _ => names.unused(entry),
    };
    names.used.insert(name.clone());
    out.put("name", name.into());
    if out.fresh {
        let kind = entry.subject.as_deref().filter(|kind| !kind.trim().is_empty());
        let kind = kind.or_else(|| entry.tags.first().map(String::as_str));
        out.put("entityType", kind.unwrap_or("memory").into());
    } else if let Some(kind) = &entry.subject
        && kind_of_entity(|key| out.get(key)).as_deref() != Some(kind)
    {
        put_any(&mut out, KIND_OF_ENTITY, kind);
    }
    let original = out.get("observations").and_then(joined).map(|(content, _)| content);
    if original.as_deref() != Some(entry.content.as_str())
        && !(entry.content.is_empty() && out.was_missing("observations"))
    {
        out.put("observations", json!(lines(&entry.content)));
    }
    beyond(entry, &mut out, entity);
    out.into_value()
}

/// Names used in the graph, which identifies entities by name only.
struct Names {
    used: HashSet<String>,
    ids: HashSet<String>,
    /// The next number for a repeated title, so that many equal titles take linear time.
    twins: HashMap<String, usize>,
}

impl Names {
    fn of(entries: &[ThirdPartyEntry]) -> Self {
        let with_extra = entries.iter().filter(|entry| entry.extra.is_object());
        let used = with_extra
            .filter_map(|entry| there(entry).map(str::to_owned).or_else(|| entry.name.clone()))
            .collect();
        let ids = entries.iter().filter_map(|entry| entry.external_id.clone()).collect();
        Self { used, ids, twins: HashMap::new() }
    }

    /// A name for an entry that is neither the name nor the id of another entry.
    fn unused(&mut self, entry: &ThirdPartyEntry) -> String {
        let title = entry.called();
        let title = if title.is_empty() { "note".to_owned() } else { title };
        let taken = |name: &String| {
            self.used.contains(name) || (self.ids.contains(name) && entry.external_id.as_ref() != Some(name))
        };
        let mut name = title.clone();
        let twin = self.twins.entry(title.clone()).or_insert(2);
        while taken(&name) {
            name = format!("{title} ({twin})");
            *twin += 1;
        }
        name
    }
}

/// Adds the data that the format's own fields lack. To find it, the fields are parsed again and compared.
fn beyond(
    entry: &ThirdPartyEntry,
    out: &mut Out,
    read: fn(Fields, &mut Tally) -> Result<ThirdPartyEntry, FormatError>,
) {
    let fields = Fields::new(out.clone().into_value(), 1);
    if let Ok(plain) = fields.and_then(|fields| read(fields, &mut Tally::default())) {
        ours::write(out, entry, &plain);
    }
}
