//! What is written is read again, and what was read is written again, with everything that has no place here.

use std::{collections::BTreeMap, fs, path::Path};

use chrono::{DateTime, Utc};
use inklings_formats::entries::{
    Collection, Format, FormatError, Knower, Placement, Relation, ThirdPartyEntry, open_entries,
    read_entries, write_entries, write_folder, write_picture,
};
use proptest::prelude::*;
use serde_json::{Map, Value, json};

use crate::samples::{self, GRAPH, NOTE, OTHER_GRAPH, card, whole_graph, world};

fn written(collection: &Collection, format: Format) -> Vec<u8> {
    let mut bytes = Vec::new();
    write_entries(collection, format, &mut bytes).expect("written");
    bytes
}

fn value(bytes: &[u8]) -> Value {
    serde_json::from_slice(bytes).expect("JSON")
}

fn values(bytes: &[u8]) -> Vec<Value> {
    let lines = std::str::from_utf8(bytes).expect("UTF-8").lines().filter(|line| !line.trim().is_empty());
    lines.map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

/// The entry without what a format adds: an id where there was none, and its own fields.
fn bare(mut entry: ThirdPartyEntry, like: &ThirdPartyEntry) -> ThirdPartyEntry {
    entry.extra = Value::Null;
    if like.external_id.is_none() {
        entry.external_id = None;
    }
    entry
}

#[test]
fn a_file_that_is_read_and_written_has_the_same_content() {
    let found = read_entries(world().to_string().as_bytes(), None).expect("reads");
    assert_eq!(value(&written(&found, Format::SillyTavern)), world());
    let found = read_entries(GRAPH.as_bytes(), None).expect("reads");
    assert_eq!(values(&written(&found, Format::McpJsonl)), values(GRAPH.as_bytes()));
    let other = read_entries(OTHER_GRAPH.as_bytes(), None).expect("reads");
    assert_eq!(values(&written(&other, Format::McpJsonl)), values(OTHER_GRAPH.as_bytes()));
    let whole = read_entries(whole_graph().to_string().as_bytes(), None).expect("reads");
    assert_eq!(value(&written(&whole, Format::McpJsonl)), whole_graph());
    let mut named = whole_graph();
    named["relations"][0]["name"] = "Ambry".into();
    comes_back("a relation that has a name stays one", &named);
    for format in Format::ALL.into_iter().filter(|format| !format.is_written()) {
        assert_eq!(write_entries(&found, format, &mut Vec::new()), Err(FormatError::NotWritten(format)));
    }
}

fn comes_back(name: &str, file: &Value) -> Collection {
    let found = read_entries(file.to_string().as_bytes(), None).expect("reads");
    let bytes = written(&found, found.format);
    assert_eq!(value(&bytes), *file, "{name}");
    let again = read_entries(&bytes, None).expect("reads");
    assert_eq!((&again.entries, &again.extra), (&found.entries, &found.extra), "{name}");
    found
}

/// A card as SillyTavern saves it: the texts twice, and fields of its own beside them.
fn saved_card() -> Value {
    let mut saved = card();
    for field in ["name", "description", "personality", "scenario", "first_mes", "mes_example", "tags"] {
        saved[field] = saved["data"][field].clone();
    }
    saved["fav"] = json!(false);
    saved["talkativeness"] = json!("0.5");
    saved["scenario"] = json!("Another one than inside.");
    saved["data"]["creator_notes"] = json!(" \n");
    saved["data"]["group_only_greetings"] = Value::Null;
    saved["data"]["character_book"]["entries"][1]["comment"] = json!("Salt");
    saved["data"]["character_book"]["entries"][1]["use_regex"] = json!(true);
    saved["data"]["character_book"]["entries"][1]["keys"] = json!(["salt", "/sal[tz]/i"]);
    saved
}

#[test]
fn books_cards_and_stories_that_are_read_and_written_have_the_same_content() {
    let flat = json!({"name": "Ama", "description": "Rules.", "personality": "", "scenario": "", "first_mes": "Speak.", "mes_example": ""});
    let mut bookless = card();
    bookless["data"]["character_book"] = Value::Null;
    let mut blank = samples::scenario();
    blank["context"][1]["text"] = json!("");
    for (name, file) in [
        ("lorebook", samples::lorebook()),
        ("bare book", samples::book()),
        ("NovelAI", samples::novelai()),
        ("scenario", samples::scenario()),
        ("scenario without a note", blank),
        ("story", samples::story()),
        ("card", card()),
        ("saved card", saved_card()),
        ("card without a book", bookless),
        ("card of version 1", flat),
    ] {
        comes_back(name, &file);
    }
}

#[test]
fn changes_in_a_card_or_a_book_are_written() {
    let mut found = comes_back("card", &saved_card());
    let at = |found: &Collection, id: &str| {
        found.entries.iter().position(|entry| entry.external_id.as_deref() == Some(id)).expect("there")
    };
    let (own, gate) = (at(&found, "card:description"), at(&found, "book:1"));
    found.entries[own].content = "Ama lost the north.".to_owned();
    found.entries[gate].enabled = false;
    let greeting = at(&found, "card:alternate_greetings:0");
    found.entries.remove(greeting);
    found.entries.push(ThirdPartyEntry {
        name: Some("New".to_owned()),
        content: "x".to_owned(),
        ..ThirdPartyEntry::default()
    });
    let file = value(&written(&found, Format::CharacterCard));
    assert_eq!(file["data"]["description"], "Ama lost the north.");
    assert_eq!(file["description"], "Ama lost the north.", "its copy outside too");
    assert_eq!(file["data"]["alternate_greetings"], json!([""]));
    let entries = &file["data"]["character_book"]["entries"];
    assert_eq!((&entries[0]["enabled"], &entries[1]["comment"]), (&json!(false), &json!("Salt")));
    assert_eq!((&entries[2]["name"], &entries[2]["id"]), (&json!("New"), &json!(3)));

    let mut found = comes_back("story", &samples::story());
    let memory = at(&found, "context:0");
    found.entries[memory].content = "Ama ruled.".to_owned();
    found.entries[0].aliases = vec!["Tarn".to_owned()];
    let file = value(&written(&found, Format::NovelAi));
    assert_eq!(file["content"]["context"][0]["text"], "Ama ruled.");
    assert_eq!(file["content"]["lorebook"]["entries"][0]["keys"], json!(["Tarn", "/salt/"]), "patterns stay");
}

#[test]
fn writing_a_card_into_a_picture_keeps_its_other_bytes() {
    let other = samples::text_chunk("Comment", b"mine");
    let old = [samples::text_chunk("chara", b"eyJvbGQiOjF9"), samples::text_chunk("CCV3", b"eyJvbGQiOjF9")];
    let found = read_entries(card().to_string().as_bytes(), None).expect("reads");
    let mut sizes = Vec::new();
    for chunks in [vec![other.clone()], vec![old[0].clone(), other.clone(), old[1].clone()]] {
        let mut bytes = Vec::new();
        write_picture(&found, &samples::picture(&chunks), &mut bytes).expect("written");
        let back = read_entries(&bytes, None).expect("reads");
        assert_eq!((&back.entries, &back.extra), (&found.entries, &found.extra));
        let text = samples::json_rows(&value(&written(&found, Format::CharacterCard)));
        let new = [samples::text_chunk("chara", &text), samples::text_chunk("ccv3", &text)].concat();
        let at = bytes.windows(new.len()).position(|part| part == new).expect("both chunks of the card");
        bytes.drain(at..at + new.len());
        assert_eq!(bytes, samples::picture(std::slice::from_ref(&other)), "everything else is as it was");
        sizes.push(at);
    }
    assert!(sizes[1] < sizes[0], "in the place of the old card, or before the end");
    let broken = write_picture(&found, b"no picture", &mut Vec::new());
    assert!(matches!(broken, Err(FormatError::Broken { .. })), "{broken:?}");
}

#[test]
fn unusual_sillytavern_files_are_written_back_unchanged() {
    let entries = [
        json!({}),
        json!({"uid": 7, "key": []}),
        json!({"uid": "7", "key": "Ama, the queen", "content": null}),
        json!({"uid": 7, "key": null, "comment": null, "constant": null, "disable": null, "content": ""}),
        json!({"uid": 3.5, "key": ["Ama", "Ama", "", " ", 7, null, "/a/i"], "comment": "  ", "content": "x"}),
        json!({"key": {"a": 1}, "comment": 7, "constant": "yes", "disable": 1, "content": "x"}),
        json!({"uid": 1, "content": "x", "": {"": [null, {"\u{0}": 1e300}]}, "fields": 1, "absent": ["key"]}),
        json!({"uid": 1, "content": "x", "inklings": {"id": 7}}),
        json!({"uid": 1, "content": "x", "inklings": {"tags": []}}),
        json!({"uid": 1, "content": "x", "inklings": {"tags": ["a"], "importance": 0.5}}),
        json!({"uid": u64::MAX, "order": i64::MIN, "depth": 0.1, "content": "x"}),
    ];
    for entry in &entries {
        for key in ["0", "7", "", "x"] {
            let file = json!({"entries": {key: entry}, "": 1, "fields": {}});
            let found = read_entries(file.to_string().as_bytes(), Some(Format::SillyTavern)).expect("reads");
            assert_eq!(value(&written(&found, Format::SillyTavern)), file);
        }
    }
    let all: Map<String, Value> = (0..).map(|n: u32| n.to_string()).zip(entries).collect();
    let file = json!({"entries": all});
    let found = read_entries(file.to_string().as_bytes(), None).expect("reads");
    assert_eq!(value(&written(&found, Format::SillyTavern)), file);
}

#[test]
fn unusual_memory_server_files_are_written_back_unchanged() {
    let lines = [
        json!({"type": "entity", "name": "Ama"}),
        json!({"type": "entity", "name": "Ama", "observations": [], "entityType": ""}),
        json!({"type": "entity", "name": "Ama", "observations": [""], "entityType": 7}),
        json!({"type": "entity", "name": "Ama", "observations": ["a\nb", "", 7, "c"], "entityType": "x", "": null}),
        json!({"type": "entity", "name": "Sel", "observations": ["a"], "entityType": "x", "inklings": {"tags": []}}),
        json!({"type": "relation", "from": "Ama", "to": "Sel", "relationType": "x", "since": 3, "inklings": 1}),
        json!({"type": "relation", "from": "Ama", "to": "Sel"}),
        json!({"type": "relation", "from": "", "to": "", "relationType": ""}),
        json!({"type": "note", "text": "kept, for it is not ours to judge"}),
    ];
    let text = lines.iter().map(|line| format!("{line}\r\n")).collect::<Vec<_>>().concat();
    let found = read_entries(text.as_bytes(), None).expect("reads");
    assert_eq!(found.entries.len(), 8);
    assert_eq!(values(&written(&found, Format::McpJsonl)), lines);
}

#[test]
fn local_changes_are_written() {
    let mut found = read_entries(world().to_string().as_bytes(), None).expect("reads");
    let ama = &mut found.entries[0];
    ama.content = "Ama lost the north.".to_owned();
    ama.aliases.retain(|alias| alias != "Ama");
    ama.standing = false;
    ama.enabled = false;
    ama.importance = Some(0.25);
    found.entries.push(ThirdPartyEntry { name: Some("New".to_owned()), ..ThirdPartyEntry::default() });
    let file = value(&written(&found, Format::SillyTavern));
    let ama = &file["entries"]["0"];
    assert_eq!(ama["key"], json!(["the queen", "/queen.*north/i"]), "patterns stay");
    assert_eq!((&ama["constant"], &ama["disable"], &ama["depth"]), (&json!(false), &json!(true), &json!(4)));
    assert_eq!(ama["inklings"], json!({"importance": 0.25}));
    assert_eq!(file["entries"]["2"]["comment"], json!("New"), "the first number that is free");
    assert_eq!(file["entries"]["2"]["uid"], json!(2));

    let mut graph = read_entries(GRAPH.as_bytes(), None).expect("reads");
    graph.entries[0].content.push_str("\nLost it.");
    graph.entries[2].content = "Ama left Ambry".to_owned();
    let lines = values(&written(&graph, Format::McpJsonl));
    assert_eq!(lines[0]["observations"], json!(["Rules the north.", "Hates salt.", "Lost it."]));
    assert_eq!(
        (&lines[2]["type"], &lines[2]["observations"]),
        (&json!("entity"), &json!(["Ama left Ambry"]))
    );
}

fn file_of(collection: &Collection) -> BTreeMap<String, Vec<u8>> {
    let folder = tempfile::tempdir().expect("a folder");
    let target = folder.path().join("out");
    write_folder(collection, &target).expect("written");
    let mut files = BTreeMap::new();
    gather(&target, "", &mut files);
    let left: Vec<_> = fs::read_dir(folder.path()).expect("there").collect();
    assert_eq!(left.len(), 1, "nothing is left beside it");
    files
}

fn gather(folder: &Path, inside: &str, files: &mut BTreeMap<String, Vec<u8>>) {
    for found in fs::read_dir(folder.join(inside)).expect("there") {
        let found = found.expect("there");
        let path = format!("{inside}{}", found.file_name().to_str().expect("a text"));
        if found.path().is_dir() {
            gather(folder, &format!("{path}/"), files);
        } else {
            files.insert(path, fs::read(found.path()).expect("read"));
        }
    }
}

fn folder_of(files: &BTreeMap<String, Vec<u8>>) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    for (path, bytes) in files {
        let path = folder.path().join(path);
        fs::create_dir_all(path.parent().expect("a parent")).expect("made");
        fs::write(path, bytes).expect("written");
    }
    folder
}

#[test]
fn markdown_files_are_written_back_byte_for_byte() {
    let files: BTreeMap<String, Vec<u8>> = [
        ("Ama.md", NOTE.to_owned()),
        ("places/Old Ambry.MD", "No head.\n\n---\n".to_owned()),
        ("returns.md", NOTE.replace('\n', "\r\n")),
        ("mixed.md", "---\r\nname: a\n---\nx\r\ny\n".to_owned()),
        ("mark.markdown", format!("\u{FEFF}{NOTE}")),
        ("empty.md", String::new()),
        ("spaces.md", " \n\t\n".to_owned()),
        ("head alone.md", "---\nname: Sel\n---".to_owned()),
        ("no keys.md", "---\n---\nText".to_owned()),
        ("dots.md", "---   \nname: |\n  folded\n  lines\n...\nText".to_owned()),
        ("open.md", "---\nname: Sel\nText without an end".to_owned()),
        ("odd.md", "---\nname: [a]\naliases: {a: 1}\ntags: \"x\"\nimportance: 7\nstanding: perhaps\ncreated: soon\nupdated: 2024-05-01\n? x\n: y\n---\nText".to_owned()),
        ("twice.md", "---\nname: a\nname: b\ntitle: c\n---\nText".to_owned()),
    ]
    .into_iter()
    .map(|(path, text)| (path.to_owned(), text.into_bytes()))
    .collect();
    let folder = folder_of(&files);
    let found = open_entries(folder.path(), None).expect("reads");
    assert_eq!(found.entries.len(), files.len());
    let named = |path: &str| {
        let entry = found.entries.iter().find(|entry| entry.external_id.as_deref() == Some(path));
        entry.expect("there").name.as_deref()
    };
    assert_eq!(
        named("places/Old Ambry.MD"),
        Some("Old Ambry"),
        "a file without a head is called as it is named"
    );
    assert_eq!(named("odd.md"), None);
    let back = file_of(&found);
    for (path, bytes) in &files {
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        assert_eq!(back.get(path).map(|bytes| text(bytes)), Some(text(bytes)), "{path}");
    }
    assert_eq!(back, files);
}

#[test]
fn a_changed_entry_changes_its_own_lines_of_the_head() {
    let mut found = read_entries(NOTE.as_bytes(), None).expect("reads");
    let ama = &mut found.entries[0];
    ama.aliases.push("it's #1: \"x\"".to_owned());
    ama.standing = false;
    ama.content = "---\nNow.".to_owned();
    let files = file_of(&found);
    let text = String::from_utf8(files["note.md"].clone()).expect("UTF-8");
    assert_eq!(
        text,
        "---\nname: Ama\naliases:\n  - the queen\n  - Ama of the north\n  - \"it's #1: \\\"x\\\"\"\ntags:\n  - people\n  - north\nimportance: 0.75\nstanding: false\ncreated: 2024-05-01T10:00:00Z\nmood: {stern: 1}\n# mine\n---\n\n---\nNow.\n"
    );
    let again = read_entries(text.as_bytes(), None).expect("reads").entries.remove(0);
    assert_eq!(
        (again.content, again.aliases),
        (found.entries[0].content.clone(), found.entries[0].aliases.clone())
    );
}

fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        "\\PC{0,30}",
        "[ -~\n\t]{0,30}",
        "[\u{0}-\u{1F}\u{7F}-\u{9F}\u{2028}\u{202E}\u{FEFF}\u{FFFD}\u{FFFF}\u{10FFFF}a]{0,8}",
        Just("---\nname: x\n---\n".to_owned()),
        Just("/a/i".to_owned()),
        Just("null".to_owned()),
        Just(String::new()),
    ]
}

fn label() -> impl Strategy<Value = String> {
    text().prop_filter("blank", |text| !text.trim().is_empty())
}

fn labels() -> impl Strategy<Value = Vec<String>> {
    prop::collection::vec(label(), 0..4).prop_map(|mut labels| {
        let mut seen = std::collections::HashSet::new();
        labels.retain(|label| seen.insert(label.clone()));
        labels
    })
}

fn moment() -> impl Strategy<Value = Option<DateTime<Utc>>> {
    prop::option::of((1_i64..253_402_300_799, 0_u32..1_000_000_000))
        .prop_map(|at| at.and_then(|(seconds, nanos)| DateTime::from_timestamp(seconds, nanos)))
}

prop_compose! {
    fn relation()(relation in label(), from in label(), to in label()) -> Relation {
        Relation { relation, from, to }
    }
}

fn knowers() -> impl Strategy<Value = Vec<Knower>> {
    let times = prop::collection::vec(prop::option::of(label()), 4);
    (labels(), times).prop_map(|(names, times)| {
        names.into_iter().zip(times).map(|(name, since)| Knower { name, since }).collect()
    })
}

/// A filter of characters, well formed or not.
fn filter() -> impl Strategy<Value = Value> {
    let names = prop::collection::vec(prop_oneof![label(), Just("/a/i".to_owned())], 0..4);
    let exact = (names.clone(), names, any::<bool>())
        .prop_map(|(names, tags, exclude)| json!({"isExclude": exclude, "names": names, "tags": tags}));
    prop_oneof![3 => exact, 1 => object(&["isExclude", "names", "tags"]).prop_map(Value::from), 1 => json_value()]
}

prop_compose! {
    fn entry()(
        id in prop::option::of("[a-z0-9]{1,12}"),
        name in prop::option::of(label()),
        (aliases, tags) in (labels(), labels()),
        content in text(),
        importance in prop::option::of(0.0..=1.0_f64),
        (subject, relation, about, known_by) in
            (prop::option::of(label()), prop::option::of(relation()), labels(), knowers()),
        (standing, enabled) in (any::<bool>(), any::<bool>()),
        (created, updated) in (moment(), moment()),
    ) -> ThirdPartyEntry {
        ThirdPartyEntry {
            external_id: id, name, aliases, content, tags, importance, subject, relation, about, known_by,
            known_by_fewer: false, standing, enabled, created, updated,
            placement: Placement::default(),
            extra: Value::Null,
        }
    }
}

fn entries() -> impl Strategy<Value = Vec<ThirdPartyEntry>> {
    prop::collection::vec(entry(), 0..6).prop_map(|mut entries| {
        let mut seen = std::collections::HashSet::new();
        entries.retain(|entry| entry.external_id.as_ref().is_none_or(|id| seen.insert(id.clone())));
        entries
    })
}

fn json_value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        text().prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 24, 5, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..5).prop_map(Value::from),
            prop::collection::btree_map(text(), inner, 0..5)
                .prop_map(|map| Value::Object(map.into_iter().collect())),
        ]
    })
}

/// An object with some of these fields, well formed or not, and with others.
fn object(fields: &'static [&'static str]) -> impl Strategy<Value = Map<String, Value>> {
    let known = prop_oneof![
        text().prop_map(Value::from),
        any::<bool>().prop_map(Value::from),
        labels().prop_map(Value::from),
        any::<u8>().prop_map(Value::from),
        json_value(),
    ];
    let known = prop::collection::btree_map(prop::sample::select(fields), known, 0..fields.len());
    let other = prop::collection::btree_map(text(), json_value(), 0..3);
    (known, other).prop_map(|(known, other)| {
        let known = known.into_iter().map(|(key, value)| (key.to_owned(), value));
        other.into_iter().chain(known).collect()
    })
}

const WORLD: &[&str] =
    &["uid", "key", "comment", "content", "constant", "disable", "order", "characterFilter", "inklings"];
const LINE: &[&str] = &["name", "entityType", "observations", "from", "to", "relationType", "inklings"];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn new_entries_are_read_back_from_every_single_file_format(entries in entries()) {
        for format in [
            Format::SillyTavern, Format::McpJsonl, Format::LorebookV3, Format::NovelAi, Format::CharacterCard,
        ] {
            let bytes = written(&Collection::new(format, entries.clone()), format);
            let read = read_entries(&bytes, Some(format)).expect("reads");
            prop_assert_eq!(read.entries.len(), entries.len());
            for (back, entry) in read.entries.iter().zip(&entries) {
                prop_assert_eq!(&bare(back.clone(), entry), entry, "{}", format.name());
            }
            let again = written(&read, format);
            prop_assert_eq!(String::from_utf8(again), String::from_utf8(bytes), "written twice, it is the same");
        }
    }

    #[test]
    fn any_readable_world_info_is_written_back_unchanged(
        list in prop::collection::btree_map("[0-9a-z]{0,3}", object(WORLD), 0..5), top in object(&["name"])
    ) {
        let mut file = top;
        file.insert("entries".into(), list.into_iter().map(|(key, entry)| (key, entry.into())).collect::<Map<_, Value>>().into());
        let file = Value::Object(file);
        if let Ok(found) = read_entries(file.to_string().as_bytes(), Some(Format::SillyTavern)) {
            let bytes = written(&found, Format::SillyTavern);
            prop_assert_eq!(value(&bytes), file);
            prop_assert_eq!(read_entries(&bytes, Some(Format::SillyTavern)), Ok(found));
        }
    }

    #[test]
    fn a_lorebook_with_any_filters_is_written_back_unchanged_and_none_of_them_is_taken_for_common_knowledge(
        filters in prop::collection::vec((filter(), 0..4_usize), 1..5)
    ) {
        let entry = |n: usize, (filter, place): &(Value, usize), is_world_info: bool| {
            let mut entry = samples::world_entry(n as u64, "Gate", &["gate"], "It is shut.", false);
            if !is_world_info {
                entry = samples::book_entry(n as u64 + 1, "Gate", &["gate"], "It is shut.");
            }
            let key = if place % 2 == 0 { "characterFilter" } else { "character_filter" };
            if *place < 2 {
                entry[key] = filter.clone();
            } else {
                entry["extensions"] = json!({ key: filter });
            }
            entry
        };
        let list = |is_world_info| filters.iter().enumerate().map(move |(n, filter)| entry(n, filter, is_world_info));
        let world: Map<String, Value> = list(true).enumerate().map(|(n, entry)| (n.to_string(), entry)).collect();
        let book: Vec<Value> = list(false).collect();
        for (file, format) in [
            (json!({ "entries": world }), Format::SillyTavern),
            (json!({"spec": "lorebook_v3", "data": {"entries": book}}), Format::LorebookV3),
        ] {
            let found = read_entries(file.to_string().as_bytes(), Some(format)).expect("reads");
            prop_assert_eq!(value(&written(&found, format)), file, "{}", format.name());
            for (entry, (filter, _)) in found.entries.iter().zip(&filters) {
                let says = |key: &str| {
                    let list = filter.get(key).and_then(Value::as_array).into_iter().flatten();
                    list.filter_map(Value::as_str).any(|text| !text.trim().is_empty())
                };
                let is_common = entry.known_by.is_empty() && !entry.known_by_fewer;
                prop_assert!(!(is_common && (says("names") || says("tags"))), "{}", filter);
                prop_assert!(entry.known_by.is_empty() || filter["isExclude"] != json!(true), "{}", filter);
            }
        }
    }

    #[test]
    fn any_readable_line_of_a_graph_is_written_back_unchanged(
        lines in prop::collection::vec((prop::sample::select(&["entity", "relation", "other"][..]), object(LINE)), 1..5)
    ) {
        let lines: Vec<Value> = lines.into_iter().map(|(kind, mut line)| {
            line.insert("type".into(), kind.into());
            line.into()
        }).collect();
        for line in lines {
            if let Ok(found) = read_entries(line.to_string().as_bytes(), Some(Format::McpJsonl)) {
                prop_assert_eq!(values(&written(&found, Format::McpJsonl)), vec![line]);
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn new_entries_are_read_back_from_a_folder(entries in entries()) {
        // White space around a text belongs to its file.
        let entries: Vec<ThirdPartyEntry> = entries
            .into_iter()
            .map(|entry| ThirdPartyEntry { content: entry.content.trim().to_owned(), ..entry })
            .collect();
        let files = file_of(&Collection::new(Format::Markdown, entries.clone()));
        prop_assert_eq!(files.len(), entries.len());
        if !entries.is_empty() {
            let found = open_entries(folder_of(&files).path(), Some(Format::Markdown)).expect("reads");
            let mut left = entries;
            for back in &found.entries {
                let at = left.iter().position(|entry| bare(back.clone(), entry) == *entry);
                prop_assert!(at.is_some(), "{:?} is none of {:?}", back, left);
                left.remove(at.expect("checked"));
            }
            prop_assert_eq!(file_of(&found), files);
        }
    }

    #[test]
    fn new_entries_are_read_back_from_a_codex(entries in entries()) {
        let entries: Vec<ThirdPartyEntry> = entries
            .into_iter()
            .map(|entry| ThirdPartyEntry { content: entry.content.trim().to_owned(), ..entry })
            .collect();
        let bytes = written(&Collection::new(Format::Novelcrafter, entries.clone()), Format::Novelcrafter);
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("codex.zip");
        fs::write(&path, bytes).expect("written");
        let found = open_entries(&path, Some(Format::Novelcrafter)).expect("reads");
        prop_assert_eq!(found.entries.len(), entries.len());
        let mut left = entries;
        for back in &found.entries {
            // An entry without a name is called like its folder.
            let same = |entry: &ThirdPartyEntry| {
                let name = entry.name.as_ref().and(back.name.clone());
                bare(ThirdPartyEntry { name, ..back.clone() }, entry) == *entry
            };
            let at = left.iter().position(same);
            prop_assert!(at.is_some(), "{:?} is none of {:?}", back, left);
            left.remove(at.expect("checked"));
        }
    }

    #[test]
    fn any_markdown_file_is_written_back_unchanged(
        head in prop::collection::vec("(name|title|aliases|tags|importance|known_by|x|  - a|- b|#|'q'): ?[\\[\\]\"',a-c0-9 #|>]{0,12}", 0..6),
        body in text(), headed in any::<bool>(), returns in any::<bool>(),
    ) {
        let text = if headed { format!("---\n{}\n---\n{body}", head.join("\n")) } else { body };
        let text = if returns { text.replace('\n', "\r\n") } else { text };
        let files = BTreeMap::from([("a/b.md".to_owned(), text.into_bytes())]);
        let found = open_entries(folder_of(&files).path(), None).expect("reads");
        prop_assert_eq!(file_of(&found), files);
    }
}
