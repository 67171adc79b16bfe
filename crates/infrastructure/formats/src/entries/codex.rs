//! Reads a Novelcrafter codex: an archive of `<kind>/<name>-<id>/` with `metadata.json`, `entry.md` and an
//! optional `notes.md`.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::{
    Collection, Format, FormatError, Spot, ThirdPartyEntry,
    archive::Archive,
    builder::Builder,
    fields::Fields,
    front::split,
    json::{parse_within, utf8},
    limits::{MAX_TEXT_BYTES, MAX_VALUE_BYTES},
};
use crate::text::Tally;

/// The files of an entry: position in the archive, number and path.
#[derive(Default)]
struct Files {
    metadata: Option<(usize, usize, String)>,
    entry: Option<(usize, usize, String)>,
    notes: Option<(usize, usize, String)>,
}

/// True for the paths of a codex.
pub fn is_codex(paths: &[(usize, String)]) -> bool {
    paths.iter().any(|(_, path)| path.ends_with("/entry.md") || path.ends_with("/metadata.json"))
}

/// Reads a codex.
///
/// # Errors
/// [`FormatError`] with the file.
pub fn read(archive: &mut Archive<'_>) -> Result<Collection, FormatError> {
    let mut folders: BTreeMap<String, Files> = BTreeMap::new();
    for (place, (index, path)) in archive.paths().into_iter().enumerate() {
        let Some((folder, name)) = path.rsplit_once('/') else { continue };
        let file = Some((index, place + 1, path.clone()));
        match name {
            "metadata.json" => folders.entry(folder.to_owned()).or_default().metadata = file,
            "entry.md" => folders.entry(folder.to_owned()).or_default().entry = file,
            "notes.md" => folders.entry(folder.to_owned()).or_default().notes = file,
            _ => {}
        }
    }
    let mut codex = Builder::new(Format::Novelcrafter, Tally::default());
    // One memory budget for all entries, because the unmapped fields of each are retained.
    let mut left = MAX_VALUE_BYTES;
    for (folder, files) in folders {
        // A folder with notes only is not an entry but a scene or chapter.
        if files.metadata.is_none() && files.entry.is_none() {
            codex.tally.add("notes without an entry", 1);
            continue;
        }
        entry(archive, &folder, files, &mut left, &mut codex)?;
    }
    codex.finish(Map::new())
}

fn entry(
    archive: &mut Archive<'_>,
    folder: &str,
    files: Files,
    left: &mut usize,
    codex: &mut Builder,
) -> Result<(), FormatError> {
    let mut made = ThirdPartyEntry::default();
    let mut extra = Map::new();
    if let Some((index, number, path)) = files.metadata {
        let mut read = || {
            let bytes = archive.read(index)?;
            let value = parse_within(&bytes, left, &mut codex.tally)?;
            let next = codex.next();
            described(value, next, &mut codex.tally, &mut extra)
        };
        made = read().map_err(|error| error.in_file(number, &path))?;
    } else {
        codex.tally.add("an entry without metadata", 1);
    }
    let (kind, step) = folder.rsplit_once('/').unwrap_or(("", folder));
    made.external_id = made.external_id.or_else(|| Some(step.to_owned()));
    made.name = made.name.or_else(|| Some(name_of(step)).filter(|name| !name.trim().is_empty()));
    let kind = kind.rsplit('/').next().unwrap_or(kind);
    if !kind.is_empty() {
        extra.insert("kind".into(), kind.into());
    }
    if let Some((index, number, path)) = files.entry {
        let text = text(archive, index).map_err(|error| error.in_file(number, &path))?;
        let (head, body) = match split(&text) {
            Some((head, body)) => (head.blocks.iter().map(|block| block.raw.as_str()).collect(), body),
            None => (String::new(), text.as_str()),
        };
        if !head.is_empty() {
            extra.insert("head".into(), head.into());
        }
        body.trim().clone_into(&mut made.content);
    }
    made.extra = extra.into();
    let notes = match files.notes {
        Some((index, number, path)) => text(archive, index).map_err(|error| error.in_file(number, &path))?,
        None => String::new(),
    };
    let notes = (!notes.trim().is_empty()).then(|| ThirdPartyEntry {
        external_id: made.external_id.as_ref().map(|id| format!("{id}:notes")),
        name: made.name.as_ref().map(|name| format!("{name}: notes")),
        content: notes.trim().to_owned(),
        tags: made.tags.clone(),
        enabled: made.enabled,
        extra: serde_json::json!({}),
        ..ThirdPartyEntry::default()
    });
    codex.push(made)?;
    notes.map_or(Ok(()), |notes| codex.push(notes))
}

fn text(archive: &mut Archive<'_>, index: usize) -> Result<String, FormatError> {
    let bytes = archive.read(index)?;
    if bytes.len() > MAX_TEXT_BYTES {
        return Err(FormatError::large(Spot::default(), "the text is longer than 1 MiB"));
    }
    Ok(utf8(&bytes)?.replace("\r\n", "\n"))
}

/// The entry's name in its folder name: everything before the id after the last dash.
fn name_of(step: &str) -> String {
    let (name, id) = step.rsplit_once('-').unwrap_or((step, ""));
    let is_id = id.len() >= 16 && id.bytes().all(|b| b.is_ascii_alphanumeric());
    if is_id { name } else { step }.replace('_', " ")
}

/// Converts the metadata of an entry; unmapped fields are stored in `extra`.
fn described(
    value: Value,
    number: usize,
    tally: &mut Tally,
    extra: &mut Map<String, Value>,
) -> Result<ThirdPartyEntry, FormatError> {
    let mut outer = Fields::new(value, number)?;
    let id = outer.get("id").and_then(Value::as_str).filter(|id| !id.trim().is_empty()).map(str::to_owned);
    let (created, updated) = (outer.moment("createdAt"), outer.moment("updatedAt"));
    let inner = match outer.take("attributes") {
        Some(value @ Value::Object(_)) => Some(value),
        None | Some(Value::Null) => None,
        Some(_) => {
            let at = Spot::field(number, "attributes");
            return Err(FormatError::broken(at, "an object should stand here"));
        }
    };
    let nested = inner.is_some();
    let mut fields = match inner {
        Some(inner) => Fields::new(inner, number)?,
        None => std::mem::take(&mut outer),
    };
    let entry = ThirdPartyEntry {
        external_id: id,
        name: fields.name("name", tally),
        aliases: fields.names("aliases", tally)?,
        tags: fields.names("tags", tally)?,
        standing: fields.flag("alwaysIncludeInContext", false, tally),
        created,
        updated,
        ..ThirdPartyEntry::default()
    };
    extra.extend(fields.into_extra());
    if nested {
        extra.insert("outer".into(), outer.into_extra().into());
    }
    Ok(entry)
}
