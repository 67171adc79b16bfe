//! Reads a Novelcrafter codex: `<kind>/<name>-<id>/` with `metadata.json`, `entry.md` and an optional `notes.md`, alone
//! or in the export of a whole novel, as an archive or unpacked.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use inklings_application::markdown::front::{Block, split};
use serde_json::{Map, Value};

use super::{
    Collection, Format, FormatError, LeftBehind, Spot, ThirdPartyEntry,
    builder::Builder,
    fields::Fields,
    json::{parse_within, utf8},
    limits::{MAX_NAME_BYTES, MAX_NAMES, MAX_TEXT_BYTES, MAX_VALUE_BYTES},
    ours,
    tree::Tree,
};
use crate::{text::Tally, utf16::decoded};

/// The end of the id that the notes of an entry get.
pub const NOTES: &str = ":notes";

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

/// True for the paths of an unpacked codex. A folder of notes can have a note called `entry.md`, so the metadata beside
/// it must be there too.
pub fn is_unpacked(paths: &[(usize, String)]) -> bool {
    let folders: HashSet<&str> =
        paths.iter().filter_map(|(_, path)| path.strip_suffix("/entry.md")).collect();
    paths
        .iter()
        .any(|(_, path)| path.strip_suffix("/metadata.json").is_some_and(|folder| folders.contains(folder)))
}

/// Folders of an export whose items are no codex entries, with the name of one item.
const OTHERS: [(&str, &str); 7] = [
    ("chats", "chat"),
    ("threads", "chat"),
    ("snippets", "snippet"),
    ("acts", "manuscript"),
    ("chapters", "manuscript"),
    ("scenes", "manuscript"),
    ("manuscript", "manuscript"),
];

const PICTURES: [&str; 7] = ["png", "jpg", "jpeg", "webp", "gif", "svg", "avif"];

/// The item of the export that a file belongs to, if that is no codex entry: its kind and its path.
fn other(path: &str) -> Option<(&'static str, String)> {
    let steps: Vec<&str> = path.split('/').collect();
    // The folder of the novel may be around all others.
    for (place, step) in steps.iter().enumerate().take(steps.len() - 1).take(3) {
        let kind = OTHERS.iter().find(|(name, _)| name.eq_ignore_ascii_case(step));
        if let Some((_, kind)) = kind {
            return Some((kind, steps[..steps.len().min(place + 2)].join("/")));
        }
    }
    None
}

/// What a file beside the entries is.
pub fn kind_of(path: &str) -> &'static str {
    let name = path.rsplit('/').next().unwrap_or(path).to_ascii_lowercase();
    let ending = name.rsplit_once('.').map_or("", |(_, ending)| ending);
    match name.as_str() {
        _ if PICTURES.contains(&ending) => "picture",
        "novel.md" | "novel.json" | "novel.html" => "manuscript",
        _ => "file",
    }
}

/// Reads a codex. Chats, snippets, pictures and the manuscript of the export are named and left behind. With `in_part`, a
/// damaged file refuses its own entry alone.
///
/// # Errors
/// [`FormatError`] with the file.
pub fn read(tree: &mut dyn Tree, tally: Tally, in_part: bool) -> Result<Collection, FormatError> {
    let mut folders: BTreeMap<String, Files> = BTreeMap::new();
    let mut others: BTreeSet<(&'static str, String)> = BTreeSet::new();
    for (place, (index, path)) in tree.paths().into_iter().enumerate() {
        if let Some(item) = other(&path) {
            others.insert(item);
            continue;
        }
        let file = Some((index, place + 1, path.clone()));
        match path.rsplit_once('/') {
            Some((folder, "metadata.json")) => folders.entry(folder.to_owned()).or_default().metadata = file,
            Some((folder, "entry.md")) => folders.entry(folder.to_owned()).or_default().entry = file,
            Some((folder, "notes.md")) => folders.entry(folder.to_owned()).or_default().notes = file,
            _ => drop(others.insert((kind_of(&path), path))),
        }
    }
    let mut codex = Builder::new(Format::Novelcrafter, tally);
    // One memory budget for all entries, because the unmapped fields of each are retained.
    let mut left = MAX_VALUE_BYTES;
    for (folder, files) in folders {
        // A folder with notes only is not an entry but a scene or chapter.
        if files.metadata.is_none() && files.entry.is_none() {
            codex.tally.add("notes without an entry", 1);
            others.extend(files.notes.map(|(_, _, path)| ("notes", path)));
            continue;
        }
        match entry(tree, &folder, files, &mut left, &mut codex) {
            Err(error) if in_part => codex.damaged(error, &folder)?,
            read => read?,
        }
    }
    codex.left_behind = others.into_iter().map(|(what, path)| LeftBehind { what, path }).collect();
    codex.finish(Map::new())
}

fn entry(
    tree: &mut dyn Tree,
    folder: &str,
    files: Files,
    left: &mut usize,
    codex: &mut Builder,
) -> Result<(), FormatError> {
    let mut made = ThirdPartyEntry::default();
    let mut extra = Map::new();
    let has_metadata = files.metadata.is_some();
    if let Some((index, number, path)) = files.metadata {
        let mut read = || {
            let bytes = tree.read(index)?;
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
    let kind = kind.rsplit('/').next().unwrap_or(kind);
    if !kind.is_empty() {
        extra.insert("kind".into(), kind.into());
    }
    extra.insert("path".into(), folder.into());
    if let Some((index, number, path)) = files.entry {
        let text = text(tree, index).map_err(|error| error.in_file(number, &path))?;
        let (head, body) = match split(&text) {
            Some((head, body)) => {
                if !has_metadata {
                    described_in_head(&head.blocks, &mut made);
                }
                (head.blocks.iter().map(|block| block.raw.as_str()).collect(), body)
            }
            None => (String::new(), text.as_str()),
        };
        if !head.is_empty() {
            extra.insert("head".into(), head.into());
        }
        body.trim().clone_into(&mut made.content);
    }
    made.name = made.name.or_else(|| Some(name_of(step)).filter(|name| !name.trim().is_empty()));
    made.extra = extra.into();
    let notes = match files.notes {
        Some((index, number, path)) => text(tree, index).map_err(|error| error.in_file(number, &path))?,
        None => String::new(),
    };
    let notes = (!notes.trim().is_empty()).then(|| ThirdPartyEntry {
        external_id: made.external_id.as_ref().map(|id| format!("{id}{NOTES}")),
        name: made.name.as_ref().map(|name| format!("{name}: notes")),
        content: notes.trim().to_owned(),
        tags: made.tags.clone(),
        known_by: made.known_by.clone(),
        known_by_fewer: made.known_by_fewer,
        enabled: made.enabled,
        extra: serde_json::json!({}),
        ..ThirdPartyEntry::default()
    });
    codex.push(made)?;
    notes.map_or(Ok(()), |notes| codex.push(notes))
}

fn text(tree: &mut dyn Tree, index: usize) -> Result<String, FormatError> {
    let bytes = tree.read(index)?;
    if bytes.len() > MAX_TEXT_BYTES {
        return Err(FormatError::large(Spot::default(), "the text is longer than 1 MiB"));
    }
    Ok(utf8(&decoded(&bytes))?.replace("\r\n", "\n"))
}

/// What an entry without metadata is called by the front matter of its text and the name of its folder.
pub fn described_in_text(head: &str, step: &str) -> ThirdPartyEntry {
    let mut made = ThirdPartyEntry::default();
    if let Some((head, _)) = split(&format!("---\n{head}---\n")) {
        described_in_head(&head.blocks, &mut made);
    }
    made.name = made.name.or_else(|| Some(name_of(step)).filter(|name| !name.trim().is_empty()));
    made
}

/// Takes the name, aliases, tags and type of an entry without metadata from the head of its text.
fn described_in_head(blocks: &[Block], made: &mut ThirdPartyEntry) {
    let find = |key: &str| blocks.iter().find(|block| block.key == key);
    let list = |key: &str| find(key).and_then(Block::list).unwrap_or_default();
    let fits = |text: &String| !text.trim().is_empty() && text.len() <= MAX_NAME_BYTES;
    made.name = find("name").and_then(Block::text).filter(fits);
    made.subject = find("type").and_then(Block::text).filter(fits).map(|word| kind_of_type(&word));
    made.aliases = list("aliases").into_iter().filter(fits).take(MAX_NAMES).collect();
    made.tags = list("tags").into_iter().filter(fits).take(MAX_NAMES).collect();
}

/// Types of Novelcrafter and the kinds of subjects that they are here. Every other type is a kind of its own name.
const TYPES: [(&str, &str); 3] = [("location", "place"), ("object", "item"), ("lore", "concept")];
/// Types that are also kinds, with their folders.
const FOLDERS: [(&str, &str); 6] = [
    ("character", "characters"),
    ("location", "locations"),
    ("object", "objects"),
    ("lore", "lore"),
    ("subplot", "subplots"),
    ("other", "other"),
];

/// The kind of the subject that an entry of a type describes.
fn kind_of_type(word: &str) -> String {
    TYPES.iter().find(|(known, _)| *known == word).map_or(word, |(_, kind)| kind).to_owned()
}

/// The kind that the field of a type says, if it says one.
pub fn kind_in(given: Option<&Value>) -> Option<String> {
    let fits = |word: &&str| !word.trim().is_empty() && word.len() <= MAX_NAME_BYTES;
    given.and_then(Value::as_str).filter(fits).map(kind_of_type)
}

/// The type of an entry of this kind, and the folder of all entries of that type. What has no type of its own is lore.
pub fn type_of(kind: Option<&str>) -> (&'static str, &'static str) {
    let word = TYPES.iter().find(|(_, known)| Some(*known) == kind).map(|(word, _)| *word).or(kind);
    let found = FOLDERS.into_iter().find(|(known, _)| Some(*known) == word);
    found.unwrap_or(("lore", "lore"))
}

/// The entry's name in its folder name: everything before the id after the last dash.
pub fn name_of(step: &str) -> String {
    let (name, id) = step.rsplit_once('-').unwrap_or((step, ""));
    let is_id = id.len() >= 16 && id.bytes().all(|b| b.is_ascii_alphanumeric());
    if is_id { name } else { step }.replace('_', " ")
}

/// Converts the metadata of an entry; unmapped fields are stored in `extra`.
///
/// # Errors
/// [`FormatError`] with the field.
pub fn described(
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
        subject: kind_in(fields.get("type")),
        standing: fields.flag("alwaysIncludeInContext", false, tally),
        created,
        updated,
        ..ThirdPartyEntry::default()
    };
    let entry = ours::read(&mut fields, entry, tally);
    extra.extend(fields.into_extra());
    if nested {
        extra.insert("outer".into(), outer.into_extra().into());
    }
    Ok(entry)
}
