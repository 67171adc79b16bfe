//! Detects the format of a file from its content, not from its name, and reads it.

use std::{
    fs::File,
    io::{BufReader, Cursor, Read},
    path::Path,
};

use inklings_application::markdown::front;
use inklings_ports::transfer::shape::SCHEMA_VERSION;
use serde_json::{Map, Value};

use super::{
    Collection, Format, FormatError, LeftBehind, Spot, agnai, aidungeon,
    archive::{Archive, Source},
    book,
    builder::Builder,
    card, claude, codex, folder, janitor, json, kobold, letta,
    limits::MAX_FILE_BYTES,
    markdown, mcp, mem0, novelai, png, risu, sillytavern, split,
    tree::{Folder, Tree},
};
use crate::{text::Tally, utf16};

const ZIP_SIGNATURES: [&[u8]; 2] = [b"PK\x03\x04", b"PK\x05\x06"];
/// Beginning of a JPEG picture. `RisuAI` writes cards as an archive behind a picture.
const JPEG: &[u8] = b"\xFF\xD8\xFF";
const MEMORIES: &str = "memories.json";

/// Number of lines or elements to examine.
const ASKED: usize = 64;

/// Reads the entries of a file, an archive or a folder. Detects the format if none is given. The damaged files of a
/// folder are listed in the collection.
///
/// # Errors
/// [`FormatError`] with the position.
pub fn open_entries(path: &Path, format: Option<Format>) -> Result<Collection, FormatError> {
    refuse_unread(format)?;
    let io = |error: std::io::Error| FormatError::io(&error);
    let data = std::fs::metadata(path).map_err(io)?;
    if data.is_dir() {
        let memories = path.join(MEMORIES);
        return match format {
            None | Some(Format::ClaudeMemories) if memories.is_file() => {
                open_entries(&memories, Some(Format::ClaudeMemories))
            }
            None | Some(Format::Markdown | Format::Novelcrafter) => in_folder(path, format),
            Some(other) => Err(FormatError::NotThisFormat(other)),
        };
    }
    if !data.is_file() {
        return Err(FormatError::Io("not a file".to_owned()));
    }
    let mut file = File::open(path).map_err(io)?;
    let mut bytes = Vec::new();
    file.by_ref().take(8).read_to_end(&mut bytes).map_err(io)?;
    if is_archive(&bytes) || bytes.starts_with(JPEG) {
        return in_archive(&mut BufReader::new(file), format).map_err(|error| of_picture(&bytes, error));
    }
    file.take(MAX_FILE_BYTES + 1 - bytes.len() as u64).read_to_end(&mut bytes).map_err(io)?;
    if bytes.len() as u64 > MAX_FILE_BYTES {
        return Err(FormatError::large(Spot::default(), "the file is larger than 64 MiB"));
    }
    let name = path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    match in_file(&bytes, &name, format) {
        // A note can hold anything, so only the name tells that a file is one.
        Err(_) if format.is_none() && folder::is_markdown(&name) => note(&bytes, &name),
        read => read,
    }
}

/// As [`open_entries`], for the bytes of a single file or archive.
pub fn read_entries(bytes: &[u8], format: Option<Format>) -> Result<Collection, FormatError> {
    refuse_unread(format)?;
    if is_archive(bytes) || bytes.starts_with(JPEG) {
        return in_archive(&mut Cursor::new(bytes), format).map_err(|error| of_picture(bytes, error));
    }
    if bytes.len() as u64 > MAX_FILE_BYTES {
        return Err(FormatError::large(Spot::default(), "the file is larger than 64 MiB"));
    }
    in_file(bytes, "note.md", format)
}

fn refuse_unread(format: Option<Format>) -> Result<(), FormatError> {
    match format.filter(|format| !format.is_read()) {
        Some(format) => Err(FormatError::NotRead(format)),
        None => Ok(()),
    }
}

fn in_folder(path: &Path, format: Option<Format>) -> Result<Collection, FormatError> {
    if format != Some(Format::Markdown) {
        let mut tally = Tally::default();
        let mut tree = Folder::open(path, &mut tally)?;
        let paths = tree.paths();
        if codex::is_unpacked(&paths) || (format.is_some() && codex::is_codex(&paths)) {
            return codex::read(&mut tree, tally, true);
        }
    }
    if format == Some(Format::Novelcrafter) {
        return Err(FormatError::NotThisFormat(Format::Novelcrafter));
    }
    folder::read(path)
}

/// A picture without an archive behind it is no damaged archive.
fn of_picture(bytes: &[u8], error: FormatError) -> FormatError {
    match error {
        FormatError::Broken { at, .. } if bytes.starts_with(JPEG) && at.file.is_none() => {
            FormatError::UnknownFormat
        }
        error => error,
    }
}

fn is_archive(bytes: &[u8]) -> bool {
    ZIP_SIGNATURES.iter().any(|signature| bytes.starts_with(signature))
}

fn in_archive(source: &mut dyn Source, format: Option<Format>) -> Result<Collection, FormatError> {
    let mut archive = Archive::open(source)?;
    let paths = archive.paths();
    let named = |name: &str| {
        let of_name = |path: &str| path.rsplit('/').next() == Some(name);
        let found = paths.iter().enumerate().filter(|(_, (_, path))| of_name(path));
        found.min_by_key(|(_, (_, path))| path.matches('/').count())
    };
    let (card, memories) = (named("card.json").filter(|(_, (_, path))| !path.contains('/')), named(MEMORIES));
    let mut one = |found: Option<(usize, &(usize, String))>, format: Format| {
        let (place, (index, path)) = found.ok_or(FormatError::NotThisFormat(format))?;
        let read = archive.read(*index).and_then(|bytes| in_file(&bytes, path, Some(format)));
        read.map_err(|error| error.in_file(place + 1, path)).map(|mut found| {
            if format == Format::CharacterCard {
                let others = paths.iter().filter(|(other, _)| other != index);
                found.left_behind.extend(
                    others.map(|(_, path)| LeftBehind { what: codex::kind_of(path), path: path.clone() }),
                );
            }
            found
        })
    };
    match format {
        Some(Format::CharacterCard) => one(card, Format::CharacterCard),
        Some(Format::ClaudeMemories) => one(memories, Format::ClaudeMemories),
        Some(Format::Novelcrafter) => codex::read(&mut archive, Tally::default(), false),
        Some(other) => Err(FormatError::NotThisFormat(other)),
        None if card.is_some() => one(card, Format::CharacterCard),
        None if memories.is_some() => one(memories, Format::ClaudeMemories),
        None if codex::is_codex(&paths) => codex::read(&mut archive, Tally::default(), false),
        None => Err(FormatError::UnknownFormat),
    }
}

fn in_file(bytes: &[u8], name: &str, format: Option<Format>) -> Result<Collection, FormatError> {
    if bytes.starts_with(png::SIGNATURE) {
        return match format {
            None | Some(Format::CharacterCard) => card::read_png(bytes),
            Some(other) => Err(FormatError::NotThisFormat(other)),
        };
    }
    let original = bytes;
    let bytes = &*utf16::decoded_json(original);
    match format {
        Some(Format::McpJsonl) => match json::parse(bytes, &mut Tally::default()) {
            Ok(Value::Object(top)) if mcp::is_whole(&top) => mcp::read_whole(top, Tally::default()),
            _ => mcp::read(bytes),
        },
        Some(Format::Markdown) => note(original, name),
        Some(Format::Novelcrafter) => Err(FormatError::NotThisFormat(Format::Novelcrafter)),
        Some(format) => {
            let mut tally = Tally::default();
            let value = json::parse(bytes, &mut tally)?;
            of_value(value, format, tally)
        }
        None if is_graph(bytes) => mcp::read(bytes),
        None => {
            let solid = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
            let has_head = || {
                let text = json::utf8(bytes).ok().filter(|text| text.len() <= markdown::MAX_NOTE_BYTES);
                text.is_some_and(|text| front::split(&text.replace("\r\n", "\n")).is_some())
            };
            match solid.trim_ascii_start().first() {
                Some(b'{' | b'[') => {
                    let mut tally = Tally::default();
                    let value = json::parse(bytes, &mut tally)?;
                    if let Some(error) = own_export(&value) {
                        return Err(error);
                    }
                    let format = kind(&value).ok_or(FormatError::UnknownFormat)?;
                    of_value(value, format, tally)
                }
                Some(b'-') if has_head() => note(original, name),
                _ => Err(FormatError::UnknownFormat),
            }
        }
    }
}

/// Reads a single Markdown file.
fn note(bytes: &[u8], name: &str) -> Result<Collection, FormatError> {
    let mut one = Builder::new(Format::Markdown, Tally::default());
    let entry = markdown::read(name, bytes, &mut one.tally)?;
    split::parts(entry).into_iter().try_for_each(|part| one.push(part))?;
    one.finish(Map::new())
}

/// True if one of the first lines is a line of a memory graph.
fn is_graph(bytes: &[u8]) -> bool {
    let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    let lines = bytes.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii);
    let mut lines = lines.filter(|line| !line.is_empty()).take(ASKED);
    lines.any(|line| {
        let mention = |word: &[u8]| line.windows(word.len()).any(|bytes| bytes == word);
        line.starts_with(b"{")
            && line.ends_with(b"}")
            && (mention(b"\"entity\"") || mention(b"\"relation\""))
            && json::parse(line, &mut Tally::default()).is_ok_and(|value| mcp::is_line(&value))
    })
}

/// Why an export of Inklings comes here: its own reader takes a file that begins with a version it knows.
fn own_export(value: &Value) -> Option<FormatError> {
    let top = value.as_object()?;
    let version = top.get("schema_version")?;
    let is_ours = ["exported_at", "scope", "memories", "named_entries", "channels", "conversations"];
    if !is_ours.iter().any(|key| top.contains_key(*key)) {
        return None;
    }
    Some(FormatError::OwnExport(match version.as_u64() {
        Some(version) if version > SCHEMA_VERSION => "of a newer version: update Inklings, then import it",
        Some(SCHEMA_VERSION) => "whose fields another program put into another order: export it again",
        Some(_) => "of an older version: export it again with this one",
        None => "whose version is not a number",
    }))
}

/// Detects the format of a JSON value.
fn kind(value: &Value) -> Option<Format> {
    match value {
        Value::Array(list) => {
            let mut asked = list.iter().take(ASKED);
            asked.find_map(|item| {
                let has = |key| item.get(key).is_some();
                if claude::is_account(item) {
                    Some(Format::ClaudeMemories)
                } else if aidungeon::is_card(item) {
                    Some(Format::AiDungeon)
                } else if janitor::is_entry(item) {
                    Some(Format::JanitorAi)
                } else {
                    (has("memory") && (has("id") || has("hash") || has("created_at"))).then_some(Format::Mem0)
                }
            })
        }
        Value::Object(top) => kind_of_object(value, top),
        _ => None,
    }
}

fn kind_of_object(value: &Value, top: &Map<String, Value>) -> Option<Format> {
    if top.get("spec").and_then(Value::as_str) == Some("lorebook_v3") {
        return Some(Format::LorebookV3);
    }
    if card::is_card(top) {
        return Some(Format::CharacterCard);
    }
    if claude::is_account(value) {
        return Some(Format::ClaudeMemories);
    }
    if let Some(format) = kind_of_story(top) {
        return Some(format);
    }
    if let Some(Value::Array(list)) = top.get("results").or_else(|| top.get("memories")) {
        let ours = |item: &Value| item.get("memory").is_some();
        return (list.is_empty() || list.iter().take(ASKED).any(ours)).then_some(Format::Mem0);
    }
    match top.get("entries")? {
        Value::Object(_) => Some(Format::SillyTavern),
        Value::Array(_) if top.contains_key("lorebookVersion") => Some(Format::NovelAi),
        // An empty book tells itself by its settings.
        Value::Array(list) if list.is_empty() => book::is_book(top).then_some(Format::LorebookV3),
        Value::Array(list) => list.iter().take(ASKED).find_map(|entry| {
            let has = |key| entry.get(key).is_some();
            if has("content") && has("keys") {
                Some(Format::LorebookV3)
            } else {
                (has("text") && has("keys")).then_some(Format::NovelAi)
            }
        }),
        _ => None,
    }
}

/// Tells a format by the fields of a file.
type Detector = fn(&Map<String, Value>) -> bool;

/// Detects the formats whose file holds more than entries.
fn kind_of_story(top: &Map<String, Value>) -> Option<Format> {
    let formats: [(Detector, Format); 7] = [
        (risu::is_book, Format::Risu),
        (letta::is_agent, Format::Letta),
        (novelai::is_story, Format::NovelAi),
        (aidungeon::is_scenario, Format::AiDungeon),
        (kobold::is_save, Format::KoboldAi),
        (agnai::is_ours, Format::Agnai),
        (mcp::is_whole, Format::McpJsonl),
    ];
    formats.into_iter().find(|(is, _)| is(top)).map(|(_, format)| format)
}

fn of_value(value: Value, format: Format, tally: Tally) -> Result<Collection, FormatError> {
    match (format, value) {
        (Format::ClaudeMemories, value @ (Value::Array(_) | Value::Object(_))) => claude::read(value, tally),
        (Format::Mem0, value @ (Value::Array(_) | Value::Object(_))) => mem0::read(value, tally),
        (Format::SillyTavern, Value::Object(top)) => sillytavern::read(top, tally),
        (Format::CharacterCard, Value::Object(top)) => card::read(top, tally),
        (Format::LorebookV3, Value::Object(top)) => book::read(top, tally),
        (Format::NovelAi, Value::Object(top)) => novelai::read(top, tally),
        (Format::AiDungeon, Value::Array(list)) => aidungeon::read(list, tally),
        (Format::AiDungeon, Value::Object(top)) => aidungeon::read_scenario(top, tally),
        (Format::JanitorAi, Value::Array(list)) => janitor::read(list, tally),
        (Format::Risu, Value::Object(top)) => risu::read(top, tally),
        (Format::KoboldAi, Value::Object(top)) => kobold::read(top, tally),
        (Format::Agnai, Value::Object(top)) => agnai::read(top, tally),
        (Format::Letta, Value::Object(top)) => letta::read(top, tally),
        (Format::McpJsonl, Value::Object(top)) => mcp::read_whole(top, tally),
        (format, _) => Err(FormatError::NotThisFormat(format)),
    }
}
