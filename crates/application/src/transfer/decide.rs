//! Decides what happens to imported entries: new ones, existing ones, and ones whose name is taken.

use std::{num::NonZeroU32, sync::Arc};

use chrono::{DateTime, Utc};
use inklings_domain::{
    forget_reason::ForgetReason,
    ids::MemoryId,
    memory::{
        Forgotten, Importance, MemoryEntry, MemoryKind, PLAIN_TEXTS,
        link::{Link, LinkRole, sorted},
    },
    named_entry::{key, names_of, standing},
    provenance::{ActorKind, Curator},
    subject::disclosure::Disclosure,
};
use inklings_ports::{
    calendar::json::calendar_of,
    transfer::{
        derivations::derivations_in,
        fields::{forget_reason, read_moment, sources_of, text_of, texts_of},
        links::links_in,
        shape::OWN,
        store::Fields,
        story_time::{reading_number_in, span_in},
    },
};
use serde_json::Value;
use sha2::{Digest, Sha256};

use super::plan::Conflicts;
use crate::memory::import::is_of_this_import;

/// The decision for an entry that already exists.
pub enum Meeting {
    /// Leave it unchanged, for this reason.
    Leave(&'static str),
    /// Leave it unchanged, because it is the same.
    Same,
    /// Replace it by this entry from the file.
    Become(Box<MemoryEntry>),
    /// Add the entry of the file as a separate one.
    Beside,
}

/// The existing entry with all changeable fields from the file, and still its current version. `None` if the
/// row cannot be parsed, which [`super::check`] excludes. A test tries each field of [`inklings_ports::transfer::shape`].
fn as_in_file(current: &MemoryEntry, fields: &Fields) -> Option<MemoryEntry> {
    let mut entry = current.clone();
    text_of(fields, "content")?.clone_into(&mut entry.content);
    entry.importance = Importance::new(fields.get("importance")?.as_f64()?).ok()?;
    entry.tags = texts_of(fields, "tags");
    entry.lifetime = text_of(fields, "lifetime")?.parse().ok()?;
    let same_text = entry.content == current.content;
    // A file cannot make an existing text the worldbuilder's own.
    if !same_text {
        entry.curator = text_of(fields, "curator")?.parse().ok()?;
        entry.derived_from = Vec::new();
        // A text that stays was made of what it was made of first, whatever file it comes in again.
        entry.derivations = derivations_in(fields);
    }
    entry.kind = text_of(fields, "kind")?.parse().ok()?;
    entry.pinned = fields.get("pinned").and_then(Value::as_bool).unwrap_or_default();
    entry.name = text_of(fields, "name").map(str::to_owned);
    entry.aliases = texts_of(fields, "aliases");
    for plain in PLAIN_TEXTS {
        *(plain.of)(&mut entry) = text_of(fields, plain.name).map(str::to_owned);
    }
    entry.keys = texts_of(fields, "keys");
    entry.subject = text_of(fields, "subject").map(str::to_owned);
    entry.relation = text_of(fields, "relation").map(str::to_owned);
    entry.links = links_in(fields);
    entry.span = span_in(fields)?;
    entry.reading_number = reading_number_in(fields).ok()?.and_then(NonZeroU32::new);
    entry.calendar = fields.get("calendar").map(|value| calendar_of(value).map(Arc::new)).transpose().ok()?;
    entry.consolidated_into = text_of(fields, "consolidated_into").and_then(|id| id.parse().ok());
    entry.updated_at = updated_at_in(fields).unwrap_or(current.updated_at);
    entry = entry.with_text_sources(sources_of(fields)?);
    entry.forgotten = match text_of(fields, "forgotten_at") {
        None => None,
        Some(at) => Some(Forgotten {
            at: read_moment(at)?,
            reason: forget_reason(fields)?,
            run: text_of(fields, "forgotten_run").and_then(|id| id.parse().ok()),
        }),
    };
    Some(entry)
}

/// Who knows more by a new entry of a file.
pub fn disclosure_in(fields: &Fields) -> Disclosure {
    Disclosure {
        links: links_in(fields),
        relation: text_of(fields, "relation").map(str::to_owned),
        span: span_in(fields).unwrap_or_default(),
        curator: text_of(fields, "curator")
            .and_then(|curator| curator.parse().ok())
            .unwrap_or(Curator::Import),
        is_active: !fields.contains_key("forgotten_at"),
    }
}

/// Decides for an existing entry with the same id.
pub fn meet(current: &MemoryEntry, fields: &Fields, conflicts: Conflicts, format: &str) -> Meeting {
    let Some(file) = as_in_file(current, fields) else { return Meeting::Leave("it cannot be read") };
    if file.same_body(current) {
        return Meeting::Same;
    }
    // Importing again what was undone means that it is wanted.
    if current.is_forgotten_for(&ForgetReason::CreationUndone) {
        return Meeting::Become(Box::new(file));
    }
    match conflicts {
        Conflicts::Mine => Meeting::Leave("yours is kept"),
        Conflicts::Both if is_copy(current, &file) => Meeting::Same,
        Conflicts::Both => Meeting::Beside,
        Conflicts::Newer if is_newer(fields, current, format) => Meeting::Become(Box::new(file)),
        Conflicts::Newer => Meeting::Leave("yours is newer"),
    }
}

/// True if an entry is the one of a file, added under another name because its own was in use.
fn is_copy(current: &MemoryEntry, file: &MemoryEntry) -> bool {
    let (Some(here), Some(name)) = (&current.name, &file.name) else { return false };
    let is_numbered = here
        .strip_prefix(&*base_of_copy(name))
        .and_then(|rest| rest.strip_prefix(" (")?.strip_suffix(')'))
        .is_some_and(|number| number.parse::<u32>().is_ok());
    let renamed =
        MemoryEntry { name: current.name.clone(), aliases: current.aliases.clone(), ..file.clone() };
    is_numbered && renamed.same_body(current)
}

/// The name of a copy without its number.
pub fn base_of_copy(name: &str) -> String {
    name.chars().take(110).collect()
}

/// The id of the copy of an entry that a file has with other contents. Each import of the same contents finds the copy by it.
pub fn id_of_copy(current: &MemoryEntry, fields: &Fields) -> MemoryId {
    const SAYS: [&str; 12] = [
        "content",
        "name",
        "aliases",
        "keys",
        "tags",
        "subject",
        "relation",
        "links",
        "holds_from",
        "holds_until",
        "reading_number",
        "calendar",
    ];
    let mut digest = Sha256::new().chain_update(current.id.as_uuid());
    for name in SAYS.into_iter().chain(PLAIN_TEXTS.iter().map(|plain| plain.name)) {
        if let Some(value) = fields.get(name) {
            digest.update(format!("{name} {value}\n"));
        }
    }
    current.id.derived(digest.finalize().into())
}

/// Decides for an existing entry with the same name, which the worldbuilder regards as the same entry.
/// Links of a third-party entry are added to those that are here.
pub fn meet_by_name(current: &MemoryEntry, fields: &Fields, conflicts: Conflicts, format: &str) -> Meeting {
    if format == OWN {
        return meet_own_by_name(current, fields, conflicts);
    }
    let content = text_of(fields, "content").unwrap_or_default();
    let subject = text_of(fields, "subject").filter(|_| current.kind == MemoryKind::Note);
    let mut links = current.links.clone();
    let (knowers, others): (Vec<Link>, Vec<Link>) = links_in(fields)
        .into_iter()
        .filter(|link| link.target != current.id)
        .partition(|link| link.role == LinkRole::KnownBy);
    links.extend(others);
    // The text is that of the file, so those whom the file names know of it.
    if !knowers.is_empty() {
        links.retain(|link| link.role != LinkRole::KnownBy);
        links.extend(knowers);
    }
    // Without room for all of them, those that are here stay.
    let links = sorted(links).unwrap_or_else(|_| current.links.clone());
    let same_graph =
        links == current.links && subject.is_none_or(|kind| current.subject.as_deref() == Some(kind));
    if current.content == content && same_graph {
        return Meeting::Same;
    }
    match conflicts {
        Conflicts::Mine => Meeting::Leave("yours of this name is kept"),
        Conflicts::Both => Meeting::Beside,
        Conflicts::Newer if is_newer(fields, current, format) => {
            // The curator comes from the file, not from the replaced text.
            let curator = text_of(fields, "curator").and_then(|curator| curator.parse().ok());
            let entry = MemoryEntry {
                content: content.to_owned(),
                curator: curator.unwrap_or(Curator::Import),
                derived_from: Vec::new(),
                derivations: derivations_in(fields),
                links,
                updated_at: updated_at_in(fields).unwrap_or(current.updated_at),
                subject: subject.map(str::to_owned).or_else(|| current.subject.clone()),
                ..current.clone()
            };
            Meeting::Become(Box::new(entry.with_text_sources(sources_of(fields).unwrap_or_default())))
        }
        Conflicts::Newer => Meeting::Leave("yours of this name is newer"),
    }
}

/// As [`meet_by_name`], for an entry of an Inklings export, of which all fields count.
fn meet_own_by_name(current: &MemoryEntry, fields: &Fields, conflicts: Conflicts) -> Meeting {
    let Some(mut file) = as_in_file(current, fields) else { return Meeting::Leave("it cannot be read") };
    file.kind = current.kind;
    // What is linked to a subject here leads to it still.
    file.subject = file.subject.or_else(|| current.subject.clone());
    file.links.retain(|link| link.target != current.id);
    if conflicts == Conflicts::Both {
        // What the file links to depends on which of its entries are those here. It makes no copy, because each copy would
        // make others differ.
        file.links.clone_from(&current.links);
    }
    if file.same_body(current) {
        return Meeting::Same;
    }
    match conflicts {
        Conflicts::Mine => Meeting::Leave("yours of this name is kept"),
        Conflicts::Both => Meeting::Beside,
        Conflicts::Newer if is_newer(fields, current, OWN) => Meeting::Become(Box::new(file)),
        Conflicts::Newer => Meeting::Leave("yours of this name is newer"),
    }
}

/// When the entry of a file was changed last.
fn updated_at_in(fields: &Fields) -> Option<DateTime<Utc>> {
    text_of(fields, "updated_at").and_then(read_moment)
}

/// True if the entry of a file is to replace the existing one. The files of other programs often have the time of a copy,
/// so it decides only about entries that were changed here.
fn is_newer(fields: &Fields, current: &MemoryEntry, format: &str) -> bool {
    (format != OWN && is_of_this_import(current, format))
        || updated_at_in(fields).is_some_and(|at| at > current.updated_at)
}

/// True for an empty standard entry of a workspace or account; it is replaced by one with content.
pub fn is_unwritten(current: &MemoryEntry) -> bool {
    let first = names_of(current).next().unwrap_or_default();
    current.aliases.is_empty() && current.content.is_empty() && standing(current.scope(), first).is_some()
}

/// The entry with the version, actor and change of the import. It keeps the time that the file gives, as an added one does:
/// the time of the import would make it newer than what was written elsewhere since.
pub fn stamped(mut entry: MemoryEntry, stamp: inklings_domain::memory::Stamp) -> MemoryEntry {
    entry.version += 1;
    entry.written_by = ActorKind::Import;
    entry.change = stamp.change;
    entry.updated_at = entry.updated_at.min(stamp.at);
    entry
}

/// All names of an active row, folded; the name first.
pub fn names_in_use(fields: &Fields) -> Vec<String> {
    if fields.contains_key("forgotten_at") {
        return Vec::new();
    }
    let name = text_of(fields, "name").map(str::to_owned);
    name.into_iter().chain(texts_of(fields, "aliases")).map(|name| key(&name)).collect()
}

/// A label of a row for display.
pub fn label(fields: &Fields) -> String {
    let shown = ["name", "title", "key", "content", "summary", "ref_code", "id"];
    let found = shown.iter().find_map(|name| text_of(fields, name).filter(|text| !text.trim().is_empty()));
    label_of(found.unwrap_or_default())
}

/// The beginning of a text, on one line.
pub fn label_of(text: &str) -> String {
    let flat = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match flat.char_indices().nth(80) {
        Some((end, _)) => format!("{}…", &flat[..end]),
        None => flat,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::transfer::picks::differences;
    use inklings_domain::{calendar::preset::gregorian, scope::Place};
    use inklings_ports::{
        calendar::json::definition_value,
        testing::builders::{Scribe, author, draft},
        transfer::shape::{Kind, Section},
    };

    /// What an entry keeps when it becomes the one of a file: identity, place, origin, and the counts of the program.
    const KEPT: &[&str] = &[
        "id",
        "scope",
        "channel_id",
        "conversation_id",
        "source",
        "speaker",
        "external_id",
        "session",
        "said_at",
        "source_conversation_id",
        "version",
        "written_by",
        "access_count",
        "created_at",
        "accessed_at",
        "updated_at",
    ];

    /// Two values of a field that differ.
    fn values(name: &str, kind: Kind) -> [Value; 2] {
        let id = |n: u32| format!("00000000-0000-7000-8000-{n:012}");
        match kind {
            Kind::Word(words) => [words[0].into(), words[1].into()],
            Kind::Id => [id(1).into(), id(2).into()],
            Kind::Time => ["2026-01-01T00:00:00.000000Z".into(), "2026-01-02T00:00:00.000000Z".into()],
            Kind::Whole => [1.into(), 2.into()],
            Kind::Unit => [0.25.into(), 0.75.into()],
            Kind::Flag => [false.into(), true.into()],
            Kind::Moment if name == "holds_from" => [10_000.into(), 20_000.into()],
            Kind::Moment => [30_000.into(), 40_000.into()],
            Kind::Links => [1, 2].map(|n| json!([{ "role": "about", "id": id(n) }])),
            Kind::Derivations => [1, 2].map(|n| json!([{ "kind": "message", "id": id(n) }])),
            Kind::Calendar => [Value::Null, definition_value(&gregorian())],
            Kind::Texts if name == "derived_from" => [1, 2].map(|n| json!([format!("client:{}", id(n))])),
            Kind::Texts | Kind::Keys => [json!(["one"]), json!(["two"])],
            Kind::Rule(_) | Kind::Plain(_) => ["one".into(), "two".into()],
            other => unreachable!("a field of an entry of the kind {other:?}"),
        }
    }

    /// A field that is forgotten here is lost when a file is imported into the world that it came from.
    #[test]
    fn an_existing_entry_takes_every_changeable_field_from_the_file() {
        let scribe = Scribe::default();
        let current = scribe.entry(draft(Place::Workspace, "The gate is shut."), scribe.stamp(author()));
        let changeable = || Section::Memories.fields().iter().filter(|field| !KEPT.contains(&field.name));
        let row = |changed: Option<&str>| -> Fields {
            changeable()
                .map(|field| {
                    let [one, two] = values(field.name, field.kind);
                    (field.name.to_owned(), if changed == Some(field.name) { two } else { one })
                })
                .filter(|(_, value)| !value.is_null())
                .collect()
        };
        let before = as_in_file(&current, &row(None)).expect("an entry");
        for field in changeable() {
            let after = as_in_file(&current, &row(Some(field.name))).expect("an entry");
            assert!(!after.same_body(&before), "{} is lost", field.name);
            assert!(!differences(&before, &after).is_empty(), "nothing is told of {}", field.name);
        }
    }
}
