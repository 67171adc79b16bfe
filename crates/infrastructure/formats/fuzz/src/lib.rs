//! What every fuzz target does with its bytes: read them, and write and read again what could be read.

use std::io::{Cursor, Write};

use base64::{Engine, prelude::BASE64_STANDARD};
use inklings_formats::{
    entries::{Collection, Format, ThirdPartyEntry, read_entries, write_entries},
    testing::entries::{PNG, picture as with_chunks, text_chunk},
};
use serde_json::{Value, json};
use zip::{CompressionMethod, ZipWriter, write::SimpleFileOptions};

/// Reads bytes as a file of a format, and as one whose format is not known.
///
/// # Panics
/// If what was read does not come back from a file of the same format: that is what the fuzzer looks for.
pub fn read(bytes: &[u8], format: Format) {
    if let Ok(found) = read_entries(bytes, Some(format)) {
        again(&found);
    }
    if let Ok(found) = read_entries(bytes, None) {
        again(&found);
    }
}

fn again(found: &Collection) {
    if !matches!(found.format, Format::SillyTavern | Format::McpJsonl) {
        return;
    }
    let mut written = Vec::new();
    write_entries(found, found.format, &mut written).expect("memory takes everything");
    let read = read_entries(&written, Some(found.format)).expect("what was written is read");
    assert!(read.entries == found.entries && read.extra == found.extra, "it came back as something else");
}

/// Reads bytes as a picture: as they are, as the card in a whole picture, and as the text that the card is packed in.
/// A fuzzer guesses no checksums.
pub fn picture(bytes: &[u8]) {
    read(&[&PNG[..], bytes].concat(), Format::CharacterCard);
    for text in [bytes.to_vec(), BASE64_STANDARD.encode(bytes).into_bytes()] {
        read(&with_chunks(&[text_chunk("chara", &text)]), Format::CharacterCard);
    }
}

/// Reads bytes as an archive: as they are, and as the files inside a whole one.
pub fn archive(bytes: &[u8]) {
    read(&[&b"PK\x03\x04"[..], bytes].concat(), Format::Novelcrafter);
    read(bytes, Format::Novelcrafter);
    let (metadata, entry) = bytes.split_at(bytes.len() / 2);
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    let options = SimpleFileOptions::default().compression_method(CompressionMethod::Stored);
    for (name, bytes) in
        [("a/b/metadata.json", metadata), ("a/b/entry.md", entry), ("a/c/metadata.json", bytes)]
    {
        archive.start_file(name, options).expect("an entry begins");
        archive.write_all(bytes).expect("memory takes everything");
    }
    let whole = archive.finish().expect("the archive is closed").into_inner();
    read(&whole, Format::Novelcrafter);
}

/// Reads bytes as an export of conversations, to its end.
pub fn conversations(bytes: &[u8]) {
    let mut file = tempfile::NamedTempFile::new().expect("a file");
    file.write_all(bytes).expect("written");
    if let Ok(source) = inklings_formats::open(file.path()) {
        source.for_each(drop);
    }
}

/// Reads bytes as a Markdown file, which comes back byte by byte.
///
/// # Panics
/// If it does not.
pub fn markdown(bytes: &[u8]) {
    read(bytes, Format::Markdown);
    let Ok(found) = read_entries(bytes, Some(Format::Markdown)) else { return };
    if is_broken_utf16(bytes) {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let target = folder.path().join("out");
    inklings_formats::entries::write_folder(&found, &target).expect("written");
    assert!(std::fs::read(target.join("note.md")).expect("there") == bytes, "it came back as something else");
}

/// True for UTF-16 with half a character, which becomes U+FFFD and cannot come back.
fn is_broken_utf16(bytes: &[u8]) -> bool {
    let unit: fn([u8; 2]) -> u16 = match bytes {
        [0xFF, 0xFE, ..] => u16::from_le_bytes,
        [0xFE, 0xFF, ..] => u16::from_be_bytes,
        _ => return false,
    };
    let (pairs, rest) = bytes.as_chunks::<2>();
    !rest.is_empty() || char::decode_utf16(pairs.iter().map(|pair| unit(*pair))).any(|c| c.is_err())
}

/// Reads a text as who knows of an entry: as the filter of a lorebook, in each place that it may stand in, and as a list in
/// the front matter of a note.
///
/// # Panics
/// If it does not come back, or if an entry that the text keeps from somebody is taken for common knowledge.
pub fn knowers(text: &str) {
    if let Ok(filter) = serde_json::from_str::<Value>(text) {
        let entry = json!({ "key": ["gate"], "keys": ["gate"], "content": "It is shut." });
        for key in ["characterFilter", "character_filter"] {
            let (mut outer, mut inner) = (entry.clone(), entry.clone());
            outer[key] = filter.clone();
            inner["extensions"] = json!({ key: filter });
            for entry in [outer, inner] {
                lorebook(&json!({ "entries": { "0": entry } }), Format::SillyTavern, &filter);
                let book = json!({ "spec": "lorebook_v3", "data": { "entries": [entry] } });
                lorebook(&book, Format::LorebookV3, &filter);
            }
        }
    }
    markdown(format!("---\nknown_by: {text}\n---\nIt is shut.\n").as_bytes());
    markdown(format!("---\nknown_by:\n  - {text}\n---\nIt is shut.\n").as_bytes());
}

fn lorebook(file: &Value, format: Format, filter: &Value) {
    let Ok(found) = read_entries(file.to_string().as_bytes(), Some(format)) else { return };
    let mut written = Vec::new();
    write_entries(&found, format, &mut written).expect("memory takes everything");
    let written: Value = serde_json::from_slice(&written).expect("JSON");
    assert!(written == *file, "it came back as something else");
    let says = |key: &str| {
        let list = filter.get(key).and_then(Value::as_array).into_iter().flatten();
        list.filter_map(Value::as_str).any(|text| !text.trim().is_empty())
    };
    let is_common = |entry: &ThirdPartyEntry| entry.known_by.is_empty() && !entry.known_by_fewer;
    let is_kept = says("names") || says("tags");
    assert!(!is_kept || !found.entries.iter().any(is_common), "everybody would know of it");
}
