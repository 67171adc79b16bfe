//! Detects the format of a file from its content, not from its name, and reads it.

use std::{
    fs::File,
    io::{BufReader, Cursor, Read},
    path::Path,
};

use serde_json::{Map, Value};

use super::{
    Collection, Format, FormatError, Spot,
    archive::{Archive, Source},
    book,
    builder::Builder,
    card, claude, codex, folder, front, json,
    limits::MAX_FILE_BYTES,
    markdown, mcp, mem0, novelai, png, sillytavern,
};
use crate::text::Tally;

const ZIP_SIGNATURES: [&[u8]; 2] = [b"PK\x03\x04", b"PK\x05\x06"];
const MEMORIES: &str = "memories.json";

/// Number of lines or elements to examine.
const ASKED: usize = 64;

/// Reads the entries of a file, an archive or a folder. Detects the format if none is given.
///
/// # Errors
/// [`FormatError`] with the position; no partial result is given.
pub fn open_entries(path: &Path, format: Option<Format>) -> Result<Collection, FormatError> {
    let io = |error: std::io::Error| FormatError::io(&error);
    let data = std::fs::metadata(path).map_err(io)?;
    if data.is_dir() {
        let memories = path.join(MEMORIES);
        return match format {
            None | Some(Format::ClaudeMemories) if memories.is_file() => {
                open_entries(&memories, Some(Format::ClaudeMemories))
            }
            None | Some(Format::Markdown) => folder::read(path),
            Some(other) => Err(FormatError::NotThisFormat(other)),
        };
    }
    if !data.is_file() {
        return Err(FormatError::Io("not a file".to_owned()));
    }
    let mut file = File::open(path).map_err(io)?;
    let mut bytes = Vec::new();
    file.by_ref().take(8).read_to_end(&mut bytes).map_err(io)?;
    if is_archive(&bytes) {
        return in_archive(&mut BufReader::new(file), format);
    }
    file.take(MAX_FILE_BYTES + 1 - bytes.len() as u64).read_to_end(&mut bytes).map_err(io)?;
    if bytes.len() as u64 > MAX_FILE_BYTES {
        return Err(FormatError::large(Spot::default(), "the file is larger than 64 MiB"));
    }
    let name = path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    in_file(&bytes, &name, format)
}

/// As [`open_entries`], for the bytes of a single file or archive.
///
/// # Errors
/// As [`open_entries`].
pub fn read_entries(bytes: &[u8], format: Option<Format>) -> Result<Collection, FormatError> {
    if is_archive(bytes) {
        return in_archive(&mut Cursor::new(bytes), format);
    }
    if bytes.len() as u64 > MAX_FILE_BYTES {
        return Err(FormatError::large(Spot::default(), "the file is larger than 64 MiB"));
    }
    in_file(bytes, "note.md", format)
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
        read.map_err(|error| error.in_file(place + 1, path))
    };
    match format {
        Some(Format::CharacterCard) => one(card, Format::CharacterCard),
        Some(Format::ClaudeMemories) => one(memories, Format::ClaudeMemories),
        Some(Format::Novelcrafter) => codex::read(&mut archive),
        Some(other) => Err(FormatError::NotThisFormat(other)),
        None if card.is_some() => one(card, Format::CharacterCard),
        None if memories.is_some() => one(memories, Format::ClaudeMemories),
        None if codex::is_codex(&paths) => codex::read(&mut archive),
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
    match format {
        Some(Format::McpJsonl) => mcp::read(bytes),
        Some(Format::Markdown) => note(bytes, name),
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
                    let format = kind(&value).ok_or(FormatError::UnknownFormat)?;
                    of_value(value, format, tally)
                }
                Some(b'-') if has_head() => note(bytes, name),
                _ => Err(FormatError::UnknownFormat),
            }
        }
    }
}

/// Reads a single Markdown file.
fn note(bytes: &[u8], name: &str) -> Result<Collection, FormatError> {
    let mut one = Builder::new(Format::Markdown, Tally::default());
    let entry = markdown::read(name, bytes, &mut one.tally)?;
    one.push(entry)?;
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

/// Detects the format of a JSON value.
fn kind(value: &Value) -> Option<Format> {
    match value {
        Value::Array(list) => {
            let mut asked = list.iter().take(ASKED);
            asked.find_map(|item| {
                let has = |key| item.get(key).is_some();
                if claude::is_account(item) {
                    Some(Format::ClaudeMemories)
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
    if let Some(Value::Array(list)) = top.get("results").or_else(|| top.get("memories")) {
        let ours = |item: &Value| item.get("memory").is_some();
        return (list.is_empty() || list.iter().take(ASKED).any(ours)).then_some(Format::Mem0);
    }
    match top.get("entries")? {
        Value::Object(_) => Some(Format::SillyTavern),
        Value::Array(_) if top.contains_key("lorebookVersion") => Some(Format::NovelAi),
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

fn of_value(value: Value, format: Format, tally: Tally) -> Result<Collection, FormatError> {
    match (format, value) {
        (Format::ClaudeMemories, value @ (Value::Array(_) | Value::Object(_))) => claude::read(value, tally),
        (Format::Mem0, value @ (Value::Array(_) | Value::Object(_))) => mem0::read(value, tally),
        (Format::SillyTavern, Value::Object(top)) => sillytavern::read(top, tally),
        (Format::CharacterCard, Value::Object(top)) => card::read(top, tally),
        (Format::LorebookV3, Value::Object(top)) => book::read(top, tally),
        (Format::NovelAi, Value::Object(top)) => novelai::read(top, tally),
        (format, _) => Err(FormatError::NotThisFormat(format)),
    }
}
