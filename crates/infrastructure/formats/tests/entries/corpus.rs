//! 500 generated files: all of them are read, nothing of them is lost, and those that are written come back equal.

use std::{
    collections::{BTreeMap, HashSet},
    fs,
    path::Path,
};

use inklings_formats::{
    entries::{Collection, Format, open_entries, write_entries, write_folder, write_picture},
    testing::corpus::{Content, CorpusFile, corpus},
};
use serde_json::Value;
use tempfile::TempDir;

const SEED: u64 = 20_261_124;
const FILES: usize = 500;

fn on_disk(file: &CorpusFile) -> (TempDir, std::path::PathBuf) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("given");
    match &file.content {
        Content::File(bytes) => fs::write(&path, bytes).expect("written"),
        Content::Folder(files) => {
            for (name, bytes) in files {
                let path = path.join(name);
                fs::create_dir_all(path.parent().expect("a folder")).expect("made");
                fs::write(path, bytes).expect("written");
            }
        }
    }
    (folder, path)
}

fn read(file: &CorpusFile) -> Collection {
    let (_folder, path) = on_disk(file);
    let found = open_entries(&path, None).unwrap_or_else(|error| panic!("{}: {error}", file.label));
    assert_eq!(found.format, file.format, "{}", file.label);
    found
}

#[test]
fn every_file_is_read_without_a_hint() {
    let mut refused = Vec::new();
    for file in corpus(SEED, FILES) {
        let (_folder, path) = on_disk(&file);
        match open_entries(&path, None) {
            Ok(found) if found.format == file.format => {}
            Ok(found) => refused.push(format!("{}: taken for {}", file.label, found.format.name())),
            Err(error) => refused.push(format!("{}: {error}", file.label)),
        }
    }
    assert!(refused.is_empty(), "{} files: {refused:#?}", refused.len());
}

fn everything(found: &Collection) -> String {
    let mut all = found.extra.to_string();
    all.push_str(found.name.as_deref().unwrap_or_default());
    all.push('\n');
    for entry in &found.entries {
        let texts = [entry.external_id.as_deref(), entry.name.as_deref(), Some(entry.content.as_str())];
        let lists = entry.aliases.iter().chain(&entry.tags).map(String::as_str);
        for text in texts.into_iter().flatten().chain(lists) {
            all.push_str(text);
            all.push('\n');
        }
        all.push_str(&entry.extra.to_string());
    }
    all
}

/// Where a mark stands in a file.
fn place_of(mark: &str, values: &[Value]) -> String {
    let mut open: Vec<(String, &Value)> = values.iter().map(|value| (String::new(), value)).collect();
    while let Some((path, value)) = open.pop() {
        match value {
            Value::String(text) if text.contains(mark) => return path,
            Value::Array(list) => {
                open.extend(list.iter().enumerate().map(|(n, item)| (format!("{path}/{n}"), item)));
            }
            Value::Object(map) => open.extend(map.iter().map(|(key, item)| (format!("{path}/{key}"), item))),
            _ => {}
        }
    }
    mark.to_owned()
}

#[test]
fn every_text_of_every_file_is_in_what_was_read() {
    let mut by_format: BTreeMap<Format, usize> = BTreeMap::new();
    let mut lost = Vec::new();
    for file in corpus(SEED, FILES) {
        let found = read(&file);
        let all = everything(&found);
        let there: HashSet<&str> = all.split(|c: char| !c.is_ascii_alphanumeric()).collect();
        let missing = file.marks.iter().filter(|mark| !there.contains(mark.as_str()));
        lost.extend(missing.map(|mark| format!("{}: {}", file.label, place_of(mark, &file.values))));
        *by_format.entry(file.format).or_default() += 1;
    }
    assert!(lost.is_empty(), "{} texts are lost: {:#?}", lost.len(), &lost[..lost.len().min(100)]);
    assert_eq!(
        by_format.len(),
        Format::ALL.into_iter().filter(|format| format.is_read()).count(),
        "{by_format:?}"
    );
}

fn values(bytes: &[u8], lines: bool) -> Vec<Value> {
    let text = std::str::from_utf8(bytes).expect("UTF-8");
    if !lines {
        return vec![serde_json::from_str(text).expect("JSON")];
    }
    text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

fn files_of(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut open = vec![folder.to_owned()];
    let mut files = BTreeMap::new();
    while let Some(inside) = open.pop() {
        for entry in fs::read_dir(inside).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                open.push(path);
            } else {
                let name = path.strip_prefix(folder).expect("inside").to_str().expect("a text");
                files.insert(name.to_owned(), fs::read(&path).expect("read"));
            }
        }
    }
    files
}

/// Reads an archive, which is known by its content alone.
fn read_again(bytes: &[u8]) -> Collection {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("back");
    fs::write(&path, bytes).expect("written");
    open_entries(&path, None).expect("reads")
}

#[test]
fn every_file_of_a_writable_format_is_written_back_equal() {
    let mut compared = 0;
    for file in corpus(SEED, FILES).into_iter().filter(|file| file.format.is_written()) {
        let label = &file.label;
        let found = read(&file);
        match &file.content {
            _ if file.format == Format::Novelcrafter => {
                let mut back = Vec::new();
                write_entries(&found, file.format, &mut back).expect("written");
                let again = read_again(&back);
                assert_eq!((&again.entries, &again.extra), (&found.entries, &found.extra), "{label}");
            }
            Content::Folder(files) => {
                let out = tempfile::tempdir().expect("a temporary folder");
                write_folder(&found, &out.path().join("back")).expect("written");
                assert_eq!(&files_of(&out.path().join("back")), files, "{label}");
            }
            Content::File(bytes) => {
                let mut back = Vec::new();
                write_entries(&found, file.format, &mut back).expect("written");
                assert_eq!(values(&back, file.values.len() > 1), file.values, "{label}");
                if bytes.starts_with(b"\x89PNG") {
                    back.clear();
                    write_picture(&found, bytes, &mut back).expect("written");
                }
                let again = inklings_formats::entries::read_entries(&back, Some(file.format)).expect("reads");
                assert_eq!((&again.entries, &again.extra), (&found.entries, &found.extra), "{label}");
            }
        }
        compared += 1;
    }
    assert!(compared > 200, "{compared} files");
}

#[test]
fn equal_seeds_give_equal_files_and_different_seeds_different_ones() {
    let labels =
        |seed| corpus(seed, 60).into_iter().map(|file| (file.label, file.marks.len())).collect::<Vec<_>>();
    assert_eq!(labels(1), labels(1));
    assert_ne!(labels(1), labels(2));
}
