//! Cards in pictures, and everything in archives: lengths, checksums, bombs, and names that lead elsewhere.

use std::io::{Cursor, Write};

use inklings_formats::entries::{Format, FormatError, open_entries, read_entries};
use serde_json::json;
use zip::{CompressionMethod, ZipWriter, write::SimpleFileOptions};

use crate::samples::{
    PNG, card, chunk, codex, header, json_rows, metadata, picture, picture_card, text_chunk, zip,
};

#[derive(Debug, Clone, Copy, PartialEq)]
enum Expected {
    Broken,
    TooLarge,
    Unknown,
    Read,
}
use Expected::{Broken, Read, TooLarge, Unknown};

fn check(name: &str, bytes: &[u8], expected: Expected) {
    let result = read_entries(bytes, None);
    let kind = match &result {
        Ok(_) => Read,
        Err(FormatError::Broken { .. }) => Broken,
        Err(FormatError::TooLarge { .. }) => TooLarge,
        Err(FormatError::UnknownFormat) => Unknown,
        Err(error) => panic!("{name}: {error}"),
    };
    assert_eq!(kind, expected, "{name}: {result:?}");
    if let Err(error) = result {
        let words = format!("{error} {error:?}");
        assert!(!words.contains("Ama") && !words.contains("Xanadu"), "{name}: {words}");
    }
}

#[test]
fn broken_pictures_are_refused() {
    let good = picture_card();
    let card_chunk = text_chunk("chara", &json_rows(&card()));
    let end = chunk(*b"IEND", b"");
    let whole = |parts: &[&[u8]]| [&PNG[..], &parts.concat()].concat();
    let with_length = |length: u32| {
        let mut bytes = good.clone();
        bytes[33..37].copy_from_slice(&length.to_be_bytes());
        bytes
    };
    let flipped = |at: usize| {
        let mut bytes = good.clone();
        bytes[at] ^= 1;
        bytes
    };
    let of_json = |text: &str| {
        use base64::{Engine, prelude::BASE64_STANDARD};
        picture(&[text_chunk("chara", BASE64_STANDARD.encode(text).as_bytes())])
    };
    let mut unpadded =
        json_rows(&json!({"spec": "chara_card_v2", "data": {"name": "Ama", "description": "x"}}));
    unpadded.retain(|byte| *byte != b'=');
    let mut wrapped = json_rows(&card());
    wrapped.insert(40, b'\n');
    let deep = format!("{{\"data\":{}{}}}", "[".repeat(5000), "]".repeat(5000));
    let cases: Vec<(&str, Vec<u8>, Expected)> = vec![
        ("a good one", good.clone(), Read),
        ("the signature alone", PNG.to_vec(), Broken),
        ("half a header", good[..20].to_vec(), Broken),
        ("no end", good[..good.len() - 12].to_vec(), Broken),
        ("half an end", good[..good.len() - 3].to_vec(), Broken),
        ("a length beyond the file", with_length(0x00FF_FFFF), Broken),
        ("a length beyond all files", with_length(u32::MAX), Broken),
        ("the largest length", with_length(i32::MAX as u32), Broken),
        ("a length of nothing", with_length(0), Broken),
        ("a length one too short", with_length(json_rows(&card()).len() as u32 + 5), Broken),
        ("a flipped bit in the text", flipped(60), Broken),
        ("a flipped bit in the keyword", flipped(42), Broken),
        ("a flipped bit in the header's checksum", flipped(30), Broken),
        ("a flipped bit in the pixels", flipped(good.len() - 20), Broken),
        ("a kind that is no word", whole(&[&header(), &chunk(*b"t\0Xt", b"chara\0"), &end]), Broken),
        ("no header", whole(&[&card_chunk, &end]), Broken),
        ("two headers", whole(&[&header(), &header(), &card_chunk, &end]), Broken),
        ("an end before all", whole(&[&end, &card_chunk]), Broken),
        ("no text", picture(&[]), Unknown),
        ("another text", picture(&[text_chunk("Comment", b"Xanadu")]), Unknown),
        ("a text without a keyword's end", picture(&[chunk(*b"tEXt", b"chara")]), Unknown),
        ("an empty text chunk", picture(&[chunk(*b"tEXt", b"")]), Unknown),
        ("a card behind the end", [picture(&[]), card_chunk.clone()].concat(), Unknown),
        ("something behind the end", [good.clone(), b"Xanadu".to_vec()].concat(), Read),
        ("an empty card", picture(&[text_chunk("chara", b"")]), Broken),
        ("no base64", picture(&[text_chunk("chara", b"Xanadu!{}")]), Broken),
        ("half base64", picture(&[text_chunk("chara", b"eyJuY")]), Broken),
        ("base64 without its padding", picture(&[text_chunk("chara", &unpadded)]), Read),
        ("base64 with line ends", picture(&[text_chunk("chara", &wrapped)]), Read),
        ("base64 of no JSON", of_json("Xanadu"), Broken),
        ("base64 of half a JSON", of_json("{\"data\": {\"name\""), Broken),
        ("base64 of a list", of_json("[]"), Broken),
        ("base64 of a number", of_json("7"), Broken),
        ("base64 of no UTF-8", picture(&[text_chunk("chara", b"/////w==")]), Broken),
        ("base64 of depth", of_json(&deep), TooLarge),
        ("a card of another shape", of_json("{\"data\": 7}"), Broken),
        ("a card in capitals", picture(&[text_chunk("Chara", &json_rows(&card()))]), Read),
    ];
    assert!(cases.len() >= 30);
    for (name, bytes, expected) in cases {
        check(name, &bytes, expected);
    }
}

#[test]
fn a_picture_cut_anywhere_is_refused() {
    let good = picture_card();
    for at in (8..good.len()).step_by(7) {
        check(&format!("cut at {at}"), &good[..at], Broken);
    }
}

#[test]
fn version_3_of_a_card_counts_before_version_2() {
    let named = |name: &str| json_rows(&json!({"data": {"name": name, "description": "x"}}));
    let two = [text_chunk("chara", &named("old")), text_chunk("ccv3", &named("new"))];
    for chunks in [two.clone(), [two[1].clone(), two[0].clone()]] {
        let found = read_entries(&picture(&chunks), None).expect("reads");
        assert_eq!(found.name.as_deref(), Some("new"));
    }
}

fn bomb(size: usize) -> Vec<u8> {
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    let options = SimpleFileOptions::default().compression_method(CompressionMethod::Deflated);
    archive.start_file("characters/a/entry.md", options).expect("begins");
    for _ in 0..size / 65_536 {
        archive.write_all(&vec![b'a'; 65_536]).expect("written");
    }
    archive.finish().expect("closed").into_inner()
}

/// The archive with other bytes at a place behind a signature.
fn patched(archive: &[u8], signature: &[u8], at: usize, bytes: &[u8]) -> Vec<u8> {
    let mut archive = archive.to_vec();
    let start = archive.windows(4).position(|window| window == signature).expect("it is there") + at;
    archive[start..start + bytes.len()].copy_from_slice(bytes);
    archive
}

const LOCAL: &[u8] = b"PK\x03\x04";
const CENTRAL: &[u8] = b"PK\x01\x02";
const END: &[u8] = b"PK\x05\x06";

#[test]
fn broken_archives_are_refused() {
    let good = codex();
    let meta =
        |value: serde_json::Value| zip(&[("characters/a/metadata.json", value.to_string().as_bytes())]);
    let with = |path: &str, value: serde_json::Value| {
        let mut all = metadata();
        *all.pointer_mut(path).expect("there") = value;
        meta(all)
    };
    let raw = |bytes: &[u8]| zip(&[("characters/a/metadata.json", bytes)]);
    let many: Vec<(String, &[u8])> = (0..100_001).map(|n| (format!("{n}"), &b""[..])).collect();
    let many: Vec<(&str, &[u8])> = many.iter().map(|(name, bytes)| (name.as_str(), *bytes)).collect();
    let long = "x".repeat(1024 * 1024 + 1);
    let names: Vec<String> = (0..1001).map(|n| n.to_string()).collect();
    let cases: Vec<(&str, Vec<u8>, Expected)> = vec![
        ("a good one", good.clone(), Read),
        ("the signature alone", b"PK\x03\x04".to_vec(), Broken),
        ("no directory", good[..good.len() / 2].to_vec(), Broken),
        ("half an end", good[..good.len() - 10].to_vec(), Broken),
        ("an empty archive", zip(&[]), Unknown),
        ("something else", zip(&[("Xanadu.txt", b"x")]), Unknown),
        ("an entry file at the top", zip(&[("entry.md", b"x")]), Unknown),
        ("a wrong checksum", patched(&good, CENTRAL, 16, &[1, 2, 3, 4]), Broken),
        ("a size too small", patched(&good, CENTRAL, 24, &[5, 0, 0, 0]), Broken),
        ("a size too large", patched(&good, CENTRAL, 24, &[255, 255, 0, 0]), Broken),
        ("a size beyond bounds", patched(&good, CENTRAL, 24, &[255, 255, 255, 100]), TooLarge),
        ("a packed size of nothing", patched(&good, CENTRAL, 20, &[0; 4]), Broken),
        ("a place beyond the file", patched(&good, CENTRAL, 42, &[0, 0, 0, 100]), Broken),
        ("another way of packing", patched(&good, CENTRAL, 10, &[12, 0]), Broken),
        ("a password", patched(&good, CENTRAL, 8, &[1, 0]), Broken),
        ("packed bytes that are none", patched(&good, LOCAL, 80, &[255; 16]), Broken),
        ("a directory elsewhere", patched(&good, END, 16, &[255, 255, 255, 100]), Broken),
        ("more files than there are", patched(&good, END, 8, &[255, 100, 255, 100]), Broken),
        ("a bomb", bomb(20 * 1024 * 1024), TooLarge),
        ("a bomb beyond all bounds", bomb(200 * 1024 * 1024), TooLarge),
        ("too many files", zip(&many), TooLarge),
        ("no JSON", raw(b"Xanadu"), Broken),
        ("half a JSON", raw(b"{\"id\": \"Xanadu\""), Broken),
        ("no UTF-8", raw(b"{\"id\": \"\xFF\"}"), Broken),
        ("UTF-16", raw(b"{\0}\0"), Broken),
        ("NaN", raw(b"{\"id\": NaN}"), Broken),
        ("a number beyond all numbers", raw(b"{\"id\": 1e999}"), Broken),
        ("a raw NUL", raw(b"{\"id\": \"a\0b\"}"), Broken),
        ("a list", meta(json!([])), Broken),
        ("a text", meta(json!("Xanadu")), Broken),
        ("attributes of another kind", with("/attributes", json!("Xanadu")), Broken),
        ("a name of another kind", with("/attributes/name", json!({"Xanadu": 1})), Read),
        ("aliases of another kind", with("/attributes/aliases", json!(7)), Read),
        ("tags of another kind", with("/attributes/tags", json!([7, null, "x"])), Read),
        ("an id of another kind", with("/id", json!([])), Read),
        ("too many aliases", with("/attributes/aliases", json!(names)), TooLarge),
        ("depth", raw(("[".repeat(5000) + &"]".repeat(5000)).as_bytes()), TooLarge),
        ("fields beyond all bounds", with("/links", json!({"Xanadu": "x".repeat(600_000)})), TooLarge),
        ("a text that is no UTF-8", zip(&[("characters/a/entry.md", b"\xFF")]), Broken),
        ("a text too long", zip(&[("characters/a/entry.md", long.as_bytes())]), TooLarge),
        ("notes too long", zip(&[("c/a/entry.md", b"x"), ("c/a/notes.md", long.as_bytes())]), TooLarge),
        ("notes alone", zip(&[("c/a/entry.md", b"x"), ("c/b/notes.md", b"x")]), Read),
    ];
    assert!(cases.len() >= 30);
    for (name, bytes, expected) in cases {
        check(name, &bytes, expected);
    }
}

#[test]
fn an_error_in_an_archive_names_the_file_and_the_line() {
    let bytes = zip(&[("a/Xanadu/entry.md", b"fine"), ("a/b/entry.md", b"one\ntwo\n\xFF")]);
    let error = read_entries(&bytes, None).expect_err("broken");
    assert_eq!(error.to_string(), "file 2, line 3: this is no UTF-8");
}

#[test]
fn unsafe_paths_in_an_archive_write_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("codex.zip");
    let names = [
        "../../../out/entry.md",
        "/etc/out/entry.md",
        "C:\\out\\entry.md",
        "a/../../b/entry.md",
        "\u{0}/x/entry.md",
    ];
    let files: Vec<(&str, &[u8])> = names.iter().map(|name| (*name, &b"Text"[..])).collect();
    std::fs::write(&path, zip(&files)).expect("written");
    let found = open_entries(&path, None).expect("reads");
    assert_eq!((found.format, found.entries.len()), (Format::Novelcrafter, names.len()));
    assert_eq!(std::fs::read_dir(folder.path()).expect("there").count(), 1, "nothing was unpacked");
}

#[test]
fn an_archive_cut_or_changed_anywhere_does_no_harm() {
    let good = codex();
    for at in 0..good.len() {
        let _ = read_entries(&good[..at], None);
        let mut bad = good.clone();
        bad[at] ^= 0xFF;
        let _ = read_entries(&bad, Some(Format::Novelcrafter));
    }
}
