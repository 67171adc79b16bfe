//! Entries that come in: new ones, ones that are here already, ones whose name is taken.

use inklings_domain::{
    forget_reason::ForgetReason,
    memory::{Forgotten, Importance, MemoryEntry, text_source::TextSource},
    named_entry::{key, names_of, standing},
    provenance::{ActorKind, Curator},
};
use serde_json::Value;

use super::{
    check::{moment, read_moment},
    plan::Conflicts,
    shape::{REASON, REASON_CODE},
};
use crate::transfer::store::Fields;

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

/// Whose words the text of a row holds; `None` if something else stands there.
pub fn sources(fields: &Fields) -> Option<Vec<TextSource>> {
    texts(fields, "derived_from").iter().map(|source| source.parse().ok()).collect()
}

/// Why a row is out of use: the code that the file names, or what its text says.
pub fn forget_reason(fields: &Fields) -> Option<ForgetReason> {
    let words = text(fields, REASON)?;
    match text(fields, REASON_CODE) {
        Some(code) => ForgetReason::of_code(code, Some(words.to_owned())),
        None => Some(ForgetReason::of_text(words)),
    }
}

/// Writes into a row why it is out of use: the text, and the code where the text alone would be read as another reason.
pub fn put_forget_reason(fields: &mut Fields, reason: &ForgetReason) {
    fields.insert(REASON.to_owned(), reason.to_string().into());
    if !reason.is_told_by_its_text() {
        fields.insert(REASON_CODE.to_owned(), reason.code().into());
    }
}

/// What becomes of an entry that is here already.
pub enum Meeting {
    /// Nothing, and why.
    Leave(&'static str),
    /// It becomes as it is in the file.
    Become(Box<MemoryEntry>),
    /// The one of the file is added as another.
    Beside,
}

/// The entry that is here, with everything a writer can change as it is in the file. Its version is still that of now.
/// `None` if the row cannot be read as one, which [`super::check`] rules out.
fn as_in_file(current: &MemoryEntry, fields: &Fields) -> Option<MemoryEntry> {
    let mut entry = current.clone();
    text(fields, "content")?.clone_into(&mut entry.content);
    entry.importance = Importance::new(fields.get("importance")?.as_f64()?).ok()?;
    entry.tags = texts(fields, "tags");
    entry.lifetime = text(fields, "lifetime")?.parse().ok()?;
    let same_text = entry.content == current.content;
    // No file makes a text that is here the worldbuilder's own.
    if !same_text {
        entry.curator = text(fields, "curator")?.parse().ok()?;
        entry.derived_from = Vec::new();
    }
    entry.kind = text(fields, "kind")?.parse().ok()?;
    entry.pinned = fields.get("pinned").and_then(Value::as_bool).unwrap_or_default();
    entry.name = text(fields, "name").map(str::to_owned);
    entry.aliases = texts(fields, "aliases");
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

/// What becomes of an entry of the same id.
pub fn meet(current: &MemoryEntry, fields: &Fields, conflicts: Conflicts) -> Meeting {
    let Some(file) = as_in_file(current, fields) else { return Meeting::Leave("it cannot be read") };
    if file.same_body(current) {
        return Meeting::Leave("it is here already, just so");
    }
    // To import again what was taken back is to want it after all.
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

/// What becomes of another entry that goes by the name of one in the file: to the worldbuilder they are the same thing.
pub fn meet_by_name(current: &MemoryEntry, fields: &Fields, conflicts: Conflicts) -> Meeting {
    let content = text(fields, "content").unwrap_or_default();
    if current.content == content {
        return Meeting::Leave("an entry of this name is here already, just so");
    }
    match conflicts {
        Conflicts::Mine => Meeting::Leave("yours of this name is kept"),
        Conflicts::Both => Meeting::Beside,
        Conflicts::Newer if is_newer(fields, current) => {
            // The text is whose the file says it is, and not that of whoever wrote the one before.
            let curator = text(fields, "curator").and_then(|curator| curator.parse().ok());
            let entry = MemoryEntry {
                content: content.to_owned(),
                curator: curator.unwrap_or(Curator::Import),
                derived_from: Vec::new(),
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

/// True for an entry that every workspace or account begins with and that holds nothing: it yields to one that does.
pub fn is_unwritten(current: &MemoryEntry) -> bool {
    let first = names_of(current).next().unwrap_or_default();
    current.aliases.is_empty() && current.content.is_empty() && standing(current.scope(), first).is_some()
}

/// The entry as the import writes it.
pub fn stamped(mut entry: MemoryEntry, stamp: inklings_domain::memory::Stamp) -> MemoryEntry {
    entry.version += 1;
    entry.written_by = ActorKind::Import;
    entry.change = stamp.change;
    entry.updated_at = stamp.at;
    entry
}

/// Every name of a row that is in use, folded: the name first.
pub fn names_in_use(fields: &Fields) -> Vec<String> {
    if fields.contains_key("forgotten_at") {
        return Vec::new();
    }
    let name = text(fields, "name").map(str::to_owned);
    name.into_iter().chain(texts(fields, "aliases")).map(|name| key(&name)).collect()
}

/// How people know a row.
pub fn label(fields: &Fields) -> String {
    let shown = ["name", "title", "key", "content", "summary", "ref_code", "id"];
    let found = shown.iter().find_map(|name| text(fields, name).filter(|text| !text.trim().is_empty()));
    label_of(found.unwrap_or_default())
}

/// How a text begins, on one line.
pub fn label_of(text: &str) -> String {
    let flat = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match flat.char_indices().nth(80) {
        Some((end, _)) => format!("{}…", &flat[..end]),
        None => flat,
    }
}
