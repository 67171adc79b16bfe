//! Decides what happens to imported entries: new ones, existing ones, and ones whose name is taken.

use std::{num::NonZeroU32, sync::Arc};

use inklings_domain::{
    forget_reason::ForgetReason,
    memory::{
        Forgotten, Importance, MemoryEntry, MemoryKind, PLAIN_TEXTS,
        link::{Link, LinkRole, sorted},
        text_source::TextSource,
    },
    named_entry::{key, names_of, standing},
    provenance::{ActorKind, Curator},
};
use serde_json::Value;

use super::{
    check::{moment, read_moment},
    plan::Conflicts,
    shape::{REASON, REASON_CODE},
};
use super::{
    derivations::derivations_in,
    links::links_in,
    story_time::{reading_number_in, span_in},
};
use crate::{calendar::json::calendar_of, transfer::store::Fields};

/// A text field of a row.
pub fn text<'f>(fields: &'f Fields, name: &str) -> Option<&'f str> {
    fields.get(name).and_then(Value::as_str)
}

/// A list of texts of a row.
pub fn texts(fields: &Fields, name: &str) -> Vec<String> {
    let list = fields.get(name).and_then(Value::as_array);
    list.map(|list| list.iter().filter_map(|text| text.as_str().map(str::to_owned)).collect())
        .unwrap_or_default()
}

/// The text sources in a row; `None` if one of them is invalid.
pub fn sources(fields: &Fields) -> Option<Vec<TextSource>> {
    texts(fields, "derived_from").iter().map(|source| source.parse().ok()).collect()
}

/// The forget reason of a row, from its code or else from its text.
pub fn forget_reason(fields: &Fields) -> Option<ForgetReason> {
    let words = text(fields, REASON)?;
    match text(fields, REASON_CODE) {
        Some(code) => ForgetReason::of_code(code, Some(words.to_owned())),
        None => Some(ForgetReason::of_text(words)),
    }
}

/// Writes a forget reason into a row: its text, and its code if the text alone would be read as another
/// reason.
pub fn put_forget_reason(fields: &mut Fields, reason: &ForgetReason) {
    fields.insert(REASON.to_owned(), reason.to_string().into());
    if !reason.is_derivable_from_text() {
        fields.insert(REASON_CODE.to_owned(), reason.code().into());
    }
}

/// The decision for an entry that already exists.
pub enum Meeting {
    /// Leave it unchanged, for this reason.
    Leave(&'static str),
    /// Replace it by this entry from the file.
    Become(Box<MemoryEntry>),
    /// Add the entry of the file as a separate one.
    Beside,
}

/// The existing entry with all changeable fields from the file, and still its current version. `None` if the
/// row cannot be parsed, which [`super::check`] excludes. A test tries each field of [`super::shape`].
fn as_in_file(current: &MemoryEntry, fields: &Fields) -> Option<MemoryEntry> {
    let mut entry = current.clone();
    text(fields, "content")?.clone_into(&mut entry.content);
    entry.importance = Importance::new(fields.get("importance")?.as_f64()?).ok()?;
    entry.tags = texts(fields, "tags");
    entry.lifetime = text(fields, "lifetime")?.parse().ok()?;
    let same_text = entry.content == current.content;
    // A file cannot make an existing text the worldbuilder's own.
    if !same_text {
        entry.curator = text(fields, "curator")?.parse().ok()?;
        entry.derived_from = Vec::new();
        // A text that stays was made of what it was made of first, whatever file it comes in again.
        entry.derivations = derivations_in(fields);
    }
    entry.kind = text(fields, "kind")?.parse().ok()?;
    entry.pinned = fields.get("pinned").and_then(Value::as_bool).unwrap_or_default();
    entry.name = text(fields, "name").map(str::to_owned);
    entry.aliases = texts(fields, "aliases");
    for plain in PLAIN_TEXTS {
        *(plain.of)(&mut entry) = text(fields, plain.name).map(str::to_owned);
    }
    entry.keys = texts(fields, "keys");
    entry.subject = text(fields, "subject").map(str::to_owned);
    entry.relation = text(fields, "relation").map(str::to_owned);
    entry.links = links_in(fields);
    entry.span = span_in(fields)?;
    entry.reading_number = reading_number_in(fields).ok()?.and_then(NonZeroU32::new);
    entry.calendar = fields.get("calendar").map(|value| calendar_of(value).map(Arc::new)).transpose().ok()?;
    entry.consolidated_into = text(fields, "consolidated_into").and_then(|id| id.parse().ok());
    entry = entry.with_text_sources(sources(fields)?);
    entry.forgotten = match text(fields, "forgotten_at") {
        None => None,
        Some(at) => Some(Forgotten {
            at: read_moment(at)?,
            reason: forget_reason(fields)?,
            run: text(fields, "forgotten_run").and_then(|id| id.parse().ok()),
        }),
    };
    Some(entry)
}

/// Decides for an existing entry with the same id.
pub fn meet(current: &MemoryEntry, fields: &Fields, conflicts: Conflicts) -> Meeting {
    let Some(file) = as_in_file(current, fields) else { return Meeting::Leave("it cannot be read") };
    if file.same_body(current) {
        return Meeting::Leave("it is here already, just so");
    }
    // Importing again what was undone means that it is wanted.
    if current.is_forgotten_for(&ForgetReason::CreationUndone) {
        return Meeting::Become(Box::new(file));
    }
    match conflicts {
        Conflicts::Mine => Meeting::Leave("yours is kept"),
        Conflicts::Both => Meeting::Beside,
        Conflicts::Newer if is_newer(fields, current) => Meeting::Become(Box::new(file)),
        Conflicts::Newer => Meeting::Leave("yours is newer"),
    }
}

/// Decides for an existing entry with the same name, which the worldbuilder regards as the same entry.
/// Links of a third-party entry are added to those that are here.
pub fn meet_by_name(
    current: &MemoryEntry,
    fields: &Fields,
    conflicts: Conflicts,
    is_third_party: bool,
) -> Meeting {
    let content = text(fields, "content").unwrap_or_default();
    let subject = text(fields, "subject").filter(|_| current.kind == MemoryKind::Note);
    let mut links = current.links.clone();
    let (knowers, others): (Vec<Link>, Vec<Link>) = links_in(fields)
        .into_iter()
        .filter(|link| link.target != current.id)
        .partition(|link| link.role == LinkRole::KnownBy);
    if is_third_party {
        links.extend(others);
    }
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
        return Meeting::Leave("an entry of this name is here already, just so");
    }
    match conflicts {
        Conflicts::Mine => Meeting::Leave("yours of this name is kept"),
        Conflicts::Both => Meeting::Beside,
        Conflicts::Newer if is_newer(fields, current) => {
            // The curator comes from the file, not from the replaced text.
            let curator = text(fields, "curator").and_then(|curator| curator.parse().ok());
            let entry = MemoryEntry {
                content: content.to_owned(),
                curator: curator.unwrap_or(Curator::Import),
                derived_from: Vec::new(),
                derivations: derivations_in(fields),
                links,
                subject: subject.map(str::to_owned).or_else(|| current.subject.clone()),
                ..current.clone()
            };
            Meeting::Become(Box::new(entry.with_text_sources(sources(fields).unwrap_or_default())))
        }
        Conflicts::Newer => Meeting::Leave("yours of this name is newer"),
    }
}

fn is_newer(fields: &Fields, current: &MemoryEntry) -> bool {
    text(fields, "updated_at").is_some_and(|at| at > moment(current.updated_at).as_str())
}

/// True for an empty standard entry of a workspace or account; it is replaced by one with content.
pub fn is_unwritten(current: &MemoryEntry) -> bool {
    let first = names_of(current).next().unwrap_or_default();
    current.aliases.is_empty() && current.content.is_empty() && standing(current.scope(), first).is_some()
}

/// The entry with the version, actor and change of the import.
pub fn stamped(mut entry: MemoryEntry, stamp: inklings_domain::memory::Stamp) -> MemoryEntry {
    entry.version += 1;
    entry.written_by = ActorKind::Import;
    entry.change = stamp.change;
    entry.updated_at = stamp.at;
    entry
}

/// All names of an active row, folded; the name first.
pub fn names_in_use(fields: &Fields) -> Vec<String> {
    if fields.contains_key("forgotten_at") {
        return Vec::new();
    }
    let name = text(fields, "name").map(str::to_owned);
    name.into_iter().chain(texts(fields, "aliases")).map(|name| key(&name)).collect()
}

/// A label of a row for display.
pub fn label(fields: &Fields) -> String {
    let shown = ["name", "title", "key", "content", "summary", "ref_code", "id"];
    let found = shown.iter().find_map(|name| text(fields, name).filter(|text| !text.trim().is_empty()));
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
    use crate::{
        calendar::json::definition_value,
        testing::builders::{Scribe, author, draft},
        transfer::{
            picks::differences,
            shape::{Kind, Section},
        },
    };
    use inklings_domain::{calendar::preset::gregorian, scope::Place};

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
