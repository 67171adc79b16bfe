//! Writes a Novelcrafter codex: an archive with a folder for each entry.

use std::{
    collections::{HashMap, HashSet},
    io::{Cursor, Write},
};

use inklings_application::markdown::front::split;
use serde_json::{Map, Value};
use zip::{CompressionMethod, ZipWriter, write::SimpleFileOptions};

use super::{
    Collection, FormatError, ThirdPartyEntry,
    codex::{NOTES, described, described_in_text, kind_in, name_of, type_of},
    fields::Out,
    folder::{is_safe_step, stem},
    ours,
};
use crate::text::Tally;

/// Writes an archive.
///
/// # Errors
/// [`FormatError::Io`].
pub fn write(codex: &Collection, to: &mut dyn Write) -> Result<(), FormatError> {
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    let options = SimpleFileOptions::default().compression_method(CompressionMethod::Deflated);
    for (path, text) in files(&codex.entries) {
        let added = archive.start_file(path, options).map_err(std::io::Error::from);
        added.and_then(|()| archive.write_all(text.as_bytes())).map_err(|error| FormatError::io(&error))?;
    }
    let bytes = archive.finish().map_err(|error| FormatError::io(&error.into()))?.into_inner();
    to.write_all(&bytes).map_err(|error| FormatError::io(&error))
}

/// The files of a codex: paths and texts.
fn files(entries: &[ThirdPartyEntry]) -> Vec<(String, String)> {
    let ids: HashSet<&str> = entries.iter().filter_map(|entry| entry.external_id.as_deref()).collect();
    let mut notes: HashMap<&str, &ThirdPartyEntry> = HashMap::new();
    let mut others = Vec::new();
    for entry in entries {
        // Notes are a file of the entry that they belong to, if it is there.
        let owner = entry.external_id.as_deref().and_then(|id| id.strip_suffix(NOTES));
        match owner.filter(|owner| ids.contains(owner) && !notes.contains_key(owner)) {
            Some(owner) => drop(notes.insert(owner, entry)),
            None => others.push(entry),
        }
    }
    let mut folders = Folders::of(&others);
    let mut files = Vec::new();
    for entry in others {
        let (folder, id) = folders.next(entry);
        let step = folder.rsplit('/').next().unwrap_or(&folder);
        if let Some(metadata) = metadata(entry, &id, step) {
            files.push((format!("{folder}/metadata.json"), format!("{metadata:#}\n")));
        }
        let text = text(entry);
        if !text.is_empty() {
            files.push((format!("{folder}/entry.md"), text));
        }
        if let Some(notes) = entry.external_id.as_deref().and_then(|id| notes.get(id)) {
            files.push((format!("{folder}/notes.md"), format!("{}\n", notes.content)));
        }
    }
    files
}

/// The text of an entry behind its original front matter.
fn text(entry: &ThirdPartyEntry) -> String {
    let head = head_of(entry);
    match (head, entry.content.as_str()) {
        (None, "") => String::new(),
        // A text that begins like front matter is put behind an empty one.
        (None, content) if split(content).is_some() => format!("---\n---\n\n{content}\n"),
        // A reader takes the first mark of a byte order away.
        (None, content) if content.starts_with('\u{FEFF}') => format!("\u{FEFF}{content}\n"),
        (None, content) => format!("{content}\n"),
        (Some(head), content) => format!("---\n{head}---\n\n{content}\n"),
    }
}

fn head_of(entry: &ThirdPartyEntry) -> Option<&str> {
    entry.extra.get("head").and_then(Value::as_str)
}

/// The metadata of an entry; `None` for one that had none and needs none.
fn metadata(entry: &ThirdPartyEntry, id: &str, step: &str) -> Option<Value> {
    let is_fresh = entry.extra.is_null();
    let had_metadata = ["fields", "absent", "outer"].iter().any(|key| entry.extra.get(key).is_some());
    if !is_fresh && !had_metadata {
        let plain = described_in_text(head_of(entry).unwrap_or_default(), step);
        let graph = |of: &ThirdPartyEntry| {
            let ThirdPartyEntry { subject, relation, about, known_by, .. } = of.clone();
            (subject, relation, about, known_by)
        };
        let same = (&plain.name, &plain.aliases, &plain.tags) == (&entry.name, &entry.aliases, &entry.tags)
            && graph(&plain) == graph(entry);
        if same && (plain.standing, plain.enabled) == (entry.standing, entry.enabled) {
            return None;
        }
    }
    let nested = is_fresh || entry.extra.get("outer").is_some() || !had_metadata;
    let mut out = Out::new(&entry.extra);
    let unnamed = out.was_missing("name") || out.get("name").is_some();
    if !(unnamed && entry.name.as_deref() == Some(&*name_of(step))) {
        out.text("name", entry.name.as_deref().unwrap_or_default());
    }
    out.names("aliases", &entry.aliases);
    out.names("tags", &entry.tags);
    out.flag("alwaysIncludeInContext", entry.standing, false);
    let mut outer = Out::new(entry.extra.get("outer").unwrap_or(&Value::Null));
    if entry.subject.is_some() && kind_in(out.get("type")) != entry.subject {
        out.put("type", type_of(entry.subject.as_deref()).0.into());
    }
    if is_fresh {
        out.needs("type", type_of(None).0.into());
        for field in ["doNotTrack", "noAutoInclude"] {
            out.needs(field, false.into());
        }
        outer.needs("id", id.into());
    }
    let joined = |out: Out, mut outer: Out| {
        if nested {
            outer.put("attributes", out.into_value());
            outer.into_value()
        } else {
            out.into_value()
        }
    };
    let read = joined(out.clone(), outer.clone());
    if let Ok(plain) = described(read, 1, &mut Tally::default(), &mut Map::new()) {
        let plain = ThirdPartyEntry {
            external_id: plain.external_id.or_else(|| entry.external_id.clone()),
            name: plain.name.or_else(|| entry.name.as_ref().map(|_| name_of(step))),
            content: entry.content.clone(),
            ..plain
        };
        ours::write(&mut out, entry, &plain);
    }
    Some(joined(out, outer))
}

/// Gives each entry a folder: its original one, or a new one.
struct Folders {
    taken: HashSet<String>,
    ids: HashSet<String>,
    next: usize,
}

impl Folders {
    fn of(entries: &[&ThirdPartyEntry]) -> Self {
        let ids = entries.iter().filter_map(|entry| entry.external_id.clone()).collect();
        Self { taken: HashSet::new(), ids, next: 0 }
    }

    /// The folder and the id of an entry.
    fn next(&mut self, entry: &ThirdPartyEntry) -> (String, String) {
        let given = entry.extra.get("path").and_then(Value::as_str);
        let id = entry.external_id.clone().unwrap_or_default();
        if let Some(path) = given.filter(|path| path.split('/').all(is_safe_step))
            && self.taken.insert(inklings_domain::text::fold(path))
        {
            return (path.to_owned(), id);
        }
        loop {
            // As long as the ids of Novelcrafter, so that the name in front of it is recognised.
            let id = format!("inklings{:019}", self.next);
            self.next += 1;
            let (_, folder) = type_of(entry.subject.as_deref());
            let path = format!("{folder}/{}-{id}", stem(&entry.called()));
            if !self.ids.contains(&id) && self.taken.insert(inklings_domain::text::fold(&path)) {
                return (path, id);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn paths_of_entries_stay_inside_the_archive_and_are_unique() {
        let entry = |path: Value, name: &str| ThirdPartyEntry {
            name: Some(name.to_owned()),
            content: "x".to_owned(),
            extra: json!({"path": path}),
            ..ThirdPartyEntry::default()
        };
        let list = [
            entry(json!("lore/Ama"), "Ama"),
            entry(json!("lore/ama"), "Ama"),
            entry(json!("../out"), "../out"),
            entry(json!("/etc/passwd"), ""),
            entry(json!(7), "con"),
        ];
        let paths: Vec<String> = files(&list).into_iter().map(|(path, _)| path).collect();
        let texts: Vec<&String> = paths.iter().filter(|path| path.ends_with("/entry.md")).collect();
        assert_eq!(texts.len(), list.len(), "{paths:?}");
        assert!(texts.iter().all(|path| path.starts_with("lore/") && !path.contains("..")), "{paths:?}");
        let folded: HashSet<String> = paths.iter().map(|path| inklings_domain::text::fold(path)).collect();
        assert_eq!(folded.len(), paths.len());
    }
}
