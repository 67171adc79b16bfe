//! Everything that can be wrong with a text file of entries: refused as a whole, at a place, without a word of what it
//! says; or put up with and counted.

use inklings_formats::entries::{Collection, Format, FormatError, read_entries};
use serde_json::{Value, json};

use crate::samples;

/// A word that must not turn up in any error.
const SECRET: &str = "Xanadu";

#[derive(Debug, Clone, Copy, PartialEq)]
enum Expected {
    Broken,
    TooLarge,
    Other,
    /// Read, with so many entries.
    Read(usize),
}
use Expected::{Broken, Other, Read, TooLarge};

fn kind(name: &str, result: &Result<Collection, FormatError>) -> Expected {
    if let Err(error) = result {
        let words = format!("{error} {error:?}");
        assert!(!words.contains(SECRET), "{name}: {words}");
    }
    match result {
        Ok(found) => Read(found.entries.len()),
        Err(FormatError::Broken { .. }) => Broken,
        Err(FormatError::TooLarge { .. }) => TooLarge,
        Err(FormatError::UnknownFormat | FormatError::NotThisFormat(_)) => Other,
        Err(error) => panic!("{name}: {error}"),
    }
}

/// A JSON format: a good file with one entry, where the entry and its fields are.
struct Class {
    format: Format,
    good: fn() -> Value,
    list: &'static str,
    entry: &'static str,
    text: &'static str,
    keys: &'static str,
    name: &'static str,
    flag: &'static str,
}

fn classes() -> Vec<Class> {
    vec![
        Class {
            format: Format::SillyTavern,
            good: || json!({"entries": {"0": samples::world_entry(0, "Ama", &["queen"], "Xanadu", true)}}),
            list: "/entries",
            entry: "/entries/0",
            text: "content",
            keys: "key",
            name: "comment",
            flag: "constant",
        },
        Class {
            format: Format::CharacterCard,
            good: || {
                let entries = json!([samples::book_entry(1, "Ama", &["queen"], "Xanadu")]);
                json!({"spec": "chara_card_v2", "data": {"name": "x", "character_book": {"entries": entries}}})
            },
            list: "/data/character_book/entries",
            entry: "/data/character_book/entries/0",
            text: "content",
            keys: "keys",
            name: "name",
            flag: "constant",
        },
        Class {
            format: Format::LorebookV3,
            good: || {
                let entries = json!([samples::book_entry(1, "Ama", &["queen"], "Xanadu")]);
                json!({"spec": "lorebook_v3", "data": {"entries": entries}})
            },
            list: "/data/entries",
            entry: "/data/entries/0",
            text: "content",
            keys: "keys",
            name: "name",
            flag: "enabled",
        },
        Class {
            format: Format::NovelAi,
            good: || {
                let mut file = samples::novelai();
                file["entries"].as_array_mut().expect("a list").truncate(1);
                file
            },
            list: "/entries",
            entry: "/entries/0",
            text: "text",
            keys: "keys",
            name: "displayName",
            flag: "forceActivation",
        },
        Class {
            format: Format::Mem0,
            good: || {
                let mut file = samples::mem0();
                file["results"].as_array_mut().expect("a list").truncate(1);
                file
            },
            list: "/results",
            entry: "/results/0",
            text: "memory",
            keys: "categories",
            name: "user_id",
            flag: "hash",
        },
        Class {
            format: Format::ClaudeMemories,
            good: || json!([{"conversations_memory": "Xanadu", "project_memories": {}}]),
            list: "",
            entry: "/0",
            text: "conversations_memory",
            keys: "account_uuid",
            name: "x",
            flag: "y",
        },
    ]
}

/// The file with something else at a place.
fn with(class: &Class, path: &str, value: Value) -> Vec<u8> {
    let mut file = (class.good)();
    *file.pointer_mut(path).unwrap_or_else(|| panic!("{path} is there")) = value;
    file.to_string().into_bytes()
}

/// The file whose entry has this field.
fn field(class: &Class, key: &str, value: Value) -> Vec<u8> {
    let mut file = (class.good)();
    file.pointer_mut(class.entry).expect("an entry")[key] = value;
    file.to_string().into_bytes()
}

/// The file with raw bytes for the entry's text.
fn raw(class: &Class, bytes: &[u8]) -> Vec<u8> {
    let marked = String::from_utf8(field(class, class.text, json!("@@"))).expect("UTF-8");
    let (before, after) = marked.split_once("\"@@\"").expect("marked");
    [before.as_bytes(), bytes, after.as_bytes()].concat()
}

fn cases(class: &Class) -> Vec<(&'static str, Vec<u8>, Expected)> {
    let whole = (class.good)().to_string();
    let text = |bytes: &str| bytes.as_bytes().to_vec();
    let deep = "[".repeat(5000) + &"]".repeat(5000);
    let names: Vec<String> = (0..1001).map(|n| n.to_string()).collect();
    let has_names = !matches!(class.format, Format::ClaudeMemories | Format::Mem0);
    vec![
        ("the good one", text(&whole), Read(1)),
        ("a byte order mark", text(&format!("\u{FEFF}{whole}")), Read(1)),
        ("white space around", text(&format!("\n\t {whole}\r\n\n")), Read(1)),
        ("nothing", vec![], Broken),
        ("white space", text(" \n"), Broken),
        ("a web page", text("<html>Xanadu</html>"), Broken),
        ("random bytes", (0..=255).cycle().take(5000).collect(), Broken),
        ("UTF-16 without a mark", whole.encode_utf16().flat_map(u16::to_le_bytes).collect(), Read(1)),
        (
            "UTF-16 without its first byte",
            whole.encode_utf16().flat_map(u16::to_be_bytes).skip(1).collect(),
            Broken,
        ),
        ("null", text("null"), Other),
        ("a number", text("7"), Other),
        ("a text", text("\"Xanadu\""), Other),
        ("half of it", text(&whole[..whole.len() / 2]), Broken),
        ("all but the end", text(&whole[..whole.len() - 1]), Broken),
        ("something behind the end", text(&format!("{whole} Xanadu")), Broken),
        ("twice", text(&format!("{whole}{whole}")), Broken),
        ("single quotes", text(&whole.replace('"', "'")), Broken),
        ("a comment", text(&format!("/* Xanadu */ {whole}")), Broken),
        (
            "a comma at the end",
            text(&format!("{}, {}", &whole[..whole.len() - 1], &whole[whole.len() - 1..])),
            Broken,
        ),
        ("NaN", raw(class, b"NaN"), Broken),
        ("Infinity", raw(class, b"-Infinity"), Broken),
        ("a number beyond all numbers", raw(class, b"1e999"), Broken),
        ("bad UTF-8", raw(class, b"\"Xanadu\xFF\""), Broken),
        ("overlong UTF-8", raw(class, b"\"\xC0\x80\""), Broken),
        ("half a character", raw(class, b"\"\xE2\x82\""), Broken),
        ("a raw NUL", raw(class, b"\"Xan\0adu\""), Broken),
        ("a raw line end", raw(class, b"\"Xan\nadu\""), Broken),
        ("an unknown escape", raw(class, b"\"Xanadu\\x\""), Broken),
        ("half an escape", raw(class, b"\"Xanadu\\u12\""), Broken),
        ("a NUL as an escape", raw(class, b"\"Xan\\u0000adu\""), Read(1)),
        ("half a surrogate pair", raw(class, b"\"Xanadu \\ud83d\""), Read(1)),
        ("the other half", raw(class, b"\"\\udc00Xanadu\""), Read(1)),
        ("a bare word", raw(class, b"Xanadu"), Broken),
        ("depth in the text", raw(class, deep.as_bytes()), TooLarge),
        ("depth in a field", raw(class, format!("\"x\", \"zz\": {deep}").as_bytes()), TooLarge),
        ("depth without an end", raw(class, "[{\"a\":".repeat(50_000).as_bytes()), TooLarge),
        ("depth of the whole", text(&deep), TooLarge),
        (
            "more values than memory",
            raw(class, format!("[{}0]", "{\"a\":0},".repeat(400_000)).as_bytes()),
            TooLarge,
        ),
        ("a number for the text", field(class, class.text, json!(7)), Broken),
        ("a list for the text", field(class, class.text, json!(["Xanadu"])), Broken),
        ("an object for the text", field(class, class.text, json!({"Xanadu": 1})), Broken),
        ("a switch for the text", field(class, class.text, json!(true)), Broken),
        ("a text without end", field(class, class.text, json!("x".repeat(1024 * 1024 + 1))), TooLarge),
        ("a text at the bound", field(class, class.text, json!("x".repeat(1024 * 1024))), Read(1)),
        ("a field without end", field(class, "Xanadu", json!("x".repeat(600_000))), TooLarge),
        ("a name of another kind", field(class, class.name, json!({"Xanadu": []})), Read(1)),
        ("a name without end", field(class, class.name, json!("x".repeat(100_000))), Read(1)),
        ("a switch of another kind", field(class, class.flag, json!("Xanadu")), Read(1)),
        ("keys of another kind", field(class, class.keys, json!(7)), Read(1)),
        ("keys of all kinds", field(class, class.keys, json!([1, null, "", {"x": []}, "a", "a"])), Read(1)),
        ("too many keys", field(class, class.keys, json!(names)), if has_names { TooLarge } else { Read(1) }),
        ("a number for the entry", with(class, class.entry, json!(7)), Broken),
        ("null for the entry", with(class, class.entry, json!(null)), Broken),
        ("a list for the entry", with(class, class.entry, json!([])), Broken),
        ("a field twice", raw(class, format!("\"a\", \"{}\": \"b\"", class.text).as_bytes()), Read(1)),
        ("a huge id", field(class, "id", json!("x".repeat(5000))), by_id(class)),
        ("an id of another kind", field(class, "id", json!([["Xanadu"]])), Read(1)),
    ]
}

/// Ids that are no ids there are fields like any other.
fn by_id(class: &Class) -> Expected {
    match class.format {
        Format::SillyTavern | Format::ClaudeMemories => Read(1),
        _ => TooLarge,
    }
}

#[test]
fn broken_files_of_every_class_are_refused_as_a_whole() {
    for class in classes() {
        let cases = cases(&class);
        assert!(cases.len() >= 30);
        for (name, bytes, expected) in cases {
            let name = format!("{}: {name}", class.format.name());
            let found_kind = kind(&name, &read_entries(&bytes, Some(class.format)));
            assert_eq!(found_kind, expected, "{name}");
            // Where nobody said what it is, it is the same, or nothing that we know.
            let found = kind(&name, &read_entries(&bytes, None));
            assert!(
                found == expected || !matches!(found, Read(_)) || matches!(expected, Read(_)),
                "{name}: {found:?}"
            );
        }
    }
}

#[test]
fn a_list_of_another_kind_is_refused() {
    for class in classes().into_iter().filter(|class| !class.list.is_empty()) {
        for value in [json!(7), json!("Xanadu"), json!(true)] {
            let name = format!("{} {value}", class.format.name());
            let result = read_entries(&with(&class, class.list, value), Some(class.format));
            assert_eq!(kind(&name, &result), Broken, "{name}");
        }
    }
}

#[test]
fn an_error_states_the_position_and_not_the_text() {
    let at = |file: Value, format| {
        read_entries(file.to_string().as_bytes(), Some(format)).expect_err("broken").to_string()
    };
    let mut world = samples::world();
    world["entries"]["1"]["content"] = json!({"Xanadu": 1});
    assert_eq!(at(world, Format::SillyTavern), "entry 2, field content: a text should stand here");
    let mut lore = samples::lorebook();
    lore["data"]["entries"][1] = json!("Xanadu");
    assert_eq!(at(lore, Format::LorebookV3), "entry 2: something else stands where an entry should be");
    let broken = b"{\n \"entries\": {\n  Xanadu\n}}";
    let error = read_entries(broken, None).expect_err("broken");
    assert_eq!(error.to_string(), "line 3: this is no valid JSON");
}

#[test]
fn duplicate_ids_are_made_unique_in_the_same_way_every_time() {
    let entry = |id: u64| samples::book_entry(id, "", &[], "x");
    let file = json!({"spec": "lorebook_v3", "data": {"entries": [entry(7), entry(7), entry(7), entry(8)]}});
    let ids = || {
        let found = read_entries(file.to_string().as_bytes(), None).expect("reads");
        assert!(found.remarks.iter().any(|remark| remark.count == 2));
        found.entries.into_iter().map(|entry| entry.external_id.expect("an id")).collect::<Vec<_>>()
    };
    assert_eq!(ids(), ["7", "7#2", "7#3", "8"]);
    assert_eq!(ids(), ids());
}

#[test]
fn more_entries_than_anybody_has_are_refused() {
    let line = "{\"type\":\"entity\",\"name\":\"a\",\"observations\":[]}\n";
    let result = read_entries(line.repeat(100_001).as_bytes(), None);
    assert_eq!(kind("lines", &result), TooLarge);
    let list = format!("{{\"results\":[{}]}}", vec!["{\"memory\":\"a\"}"; 100_001].join(","));
    assert_eq!(kind("list", &read_entries(list.as_bytes(), None)), TooLarge);
    assert_eq!(kind("a file without end", &read_entries(&vec![b' '; 64 * 1024 * 1024 + 1], None)), TooLarge);
}

#[test]
fn broken_graphs_lose_only_their_broken_lines() {
    let good = "{\"type\":\"entity\",\"name\":\"Ama\",\"entityType\":\"x\",\"observations\":[\"a\"]}";
    let long = format!(
        "{{\"type\":\"entity\",\"name\":\"x\",\"observations\":[\"{}\"]}}",
        "x".repeat(1024 * 1024 + 1)
    );
    let field = format!(
        "{{\"type\":\"entity\",\"name\":\"x\",\"observations\":[],\"y\":\"{}\"}}",
        "x".repeat(600_000)
    );
    let deep = format!("{{\"type\":\"entity\",\"name\":{}{}}}", "[".repeat(5000), "]".repeat(5000));
    let cases: Vec<(&str, &[u8], Expected)> = vec![
        ("words", b"Xanadu", Read(1)),
        ("half an object", b"{\"type\":\"entity\",\"name\":\"Xan", Read(1)),
        ("an array", b"[1, 2]", Read(1)),
        ("null", b"null", Read(1)),
        ("a number", b"7", Read(1)),
        ("a text", b"\"Xanadu\"", Read(1)),
        ("no type", b"{\"name\":\"Xanadu\"}", Read(1)),
        ("a type of another kind", b"{\"type\":7}", Read(1)),
        ("no name", b"{\"type\":\"entity\",\"observations\":[]}", Read(1)),
        ("a name of another kind", b"{\"type\":\"entity\",\"name\":7}", Read(1)),
        ("an empty name", b"{\"type\":\"entity\",\"name\":\"\"}", Read(1)),
        ("a blank name", b"{\"type\":\"entity\",\"name\":\" \"}", Read(1)),
        (
            "observations of another kind",
            b"{\"type\":\"entity\",\"name\":\"x\",\"observations\":\"Xanadu\"}",
            Read(1),
        ),
        ("observations in an object", b"{\"type\":\"entity\",\"name\":\"x\",\"observations\":{}}", Read(1)),
        (
            "observations that are no texts",
            b"{\"type\":\"entity\",\"name\":\"x\",\"observations\":[7,null]}",
            Read(2),
        ),
        ("no observations", b"{\"type\":\"entity\",\"name\":\"x\"}", Read(2)),
        (
            "an entity's type of another kind",
            b"{\"type\":\"entity\",\"name\":\"x\",\"entityType\":[]}",
            Read(2),
        ),
        ("a relation without an end", b"{\"type\":\"relation\",\"from\":\"x\"}", Read(1)),
        ("a relation between numbers", b"{\"type\":\"relation\",\"from\":1,\"to\":2}", Read(1)),
        ("a relation without a kind", b"{\"type\":\"relation\",\"from\":\"x\",\"to\":\"y\"}", Read(2)),
        ("another type", b"{\"type\":\"Xanadu\"}", Read(1)),
        ("NaN", b"{\"type\":\"entity\",\"name\":NaN}", Read(1)),
        ("Infinity", b"{\"type\":\"entity\",\"name\":\"x\",\"y\":Infinity}", Read(1)),
        ("a number beyond all numbers", b"{\"type\":\"entity\",\"name\":\"x\",\"y\":1e999}", Read(1)),
        ("bad UTF-8", b"{\"type\":\"entity\",\"name\":\"\xFF\"}", Read(1)),
        ("a raw NUL", b"{\"type\":\"entity\",\"name\":\"a\0\"}", Read(1)),
        ("NULs alone", b"\0\0\0\0", Read(1)),
        ("half a surrogate pair", b"{\"type\":\"entity\",\"name\":\"\\ud83d\"}", Read(2)),
        ("a field twice", b"{\"type\":\"entity\",\"name\":\"a\",\"name\":\"b\"}", Read(2)),
        ("the same again", good.as_bytes(), Read(2)),
        (
            "two on a line",
            b"{\"type\":\"entity\",\"name\":\"a\"}{\"type\":\"entity\",\"name\":\"b\"}",
            Read(1),
        ),
        ("a comma at the end", b"{\"type\":\"entity\",\"name\":\"a\"},", Read(1)),
        ("old line ends", b"{\"type\":\"entity\",\"name\":\"a\"}\r", Read(2)),
        ("depth", deep.as_bytes(), TooLarge),
        ("a text without end", long.as_bytes(), TooLarge),
        ("a field without end", field.as_bytes(), TooLarge),
    ];
    assert!(cases.len() >= 30);
    for (name, line, expected) in cases {
        let file = [good.as_bytes(), b"\n", line, b"\n"].concat();
        for format in [None, Some(Format::McpJsonl)] {
            assert_eq!(kind(name, &read_entries(&file, format)), expected, "{name}");
        }
        if expected == Read(1) && name != "another type" {
            let alone = read_entries(line, Some(Format::McpJsonl));
            assert_eq!(kind(name, &alone), Broken, "{name} alone: there is nothing to read");
        }
    }
}

#[test]
fn broken_markdown_is_read_as_what_it_is_or_refused() {
    let long = "x".repeat(1024 * 1024 + 1);
    let head = format!("---\nx: {}\n---\n", "x".repeat(600_000));
    let many = format!("---\naliases: [{}]\n---\n", vec!["a"; 5000].join(","));
    let cases: Vec<(&str, &[u8], Expected)> = vec![
        ("nothing", b"", Read(1)),
        ("a mark alone", b"\xEF\xBB\xBF", Read(1)),
        ("white space", b" \n\n", Read(1)),
        ("bad UTF-8", b"Xanadu\xFF", Broken),
        ("bad UTF-8 in the head", b"---\nname: \xFF\n---\n", Broken),
        ("overlong UTF-8", b"\xC0\x80", Broken),
        ("half a character", b"\xE2\x82", Broken),
        ("UTF-16", b"\xFF\xFEa\0", Read(1)),
        ("a NUL", b"a\0b", Read(1)),
        ("a fence", b"---", Read(1)),
        ("two fences", b"---\n---", Read(1)),
        ("an open head", b"---\nname: Xanadu\n", Read(1)),
        ("an empty head", b"---\n---\n", Read(1)),
        ("a head of words", b"---\nXanadu\n---\n", Read(1)),
        ("a head of signs", b"---\n: : :\n- -\n???\n---\n", Read(1)),
        ("an open list", b"---\naliases: [a, b\n---\n", Read(1)),
        ("an open quote", b"---\nname: \"Xanadu\n---\n", Read(1)),
        ("an open quote in a list", b"---\naliases: [\"a, b]\n---\n", Read(1)),
        ("a list in a list", b"---\naliases: [[a]]\n---\n", Read(1)),
        ("an object for a name", b"---\nname: {a: 1}\n---\n", Read(1)),
        ("an anchor", b"---\nname: &a b\naliases: *a\n---\n", Read(1)),
        ("a tag of YAML", b"---\nname: !!binary x\n---\n", Read(1)),
        ("a folded text", b"---\nname: >-\n  Xanadu\n---\n", Read(1)),
        ("importance beyond one", b"---\nimportance: 2\n---\n", Read(1)),
        ("importance below zero", b"---\nimportance: -1\n---\n", Read(1)),
        ("importance NaN", b"---\nimportance: NaN\n---\n", Read(1)),
        ("importance infinite", b"---\nimportance: inf\n---\n", Read(1)),
        ("importance in words", b"---\nimportance: Xanadu\n---\n", Read(1)),
        ("a day that is none", b"---\ncreated: 2024-02-31\n---\n", Read(1)),
        ("a switch that is none", b"---\nstanding: Xanadu\n---\n", Read(1)),
        ("a key twice", b"---\nname: a\nname: b\n---\n", Read(1)),
        ("an escape that is none", b"---\nname: \"\\q\"\n---\n", Read(1)),
        ("half a surrogate pair", b"---\nname: \"\\ud83d\"\n---\n", Read(1)),
        ("a text without end", long.as_bytes(), TooLarge),
        ("a head without end", head.as_bytes(), TooLarge),
        ("aliases without end", many.as_bytes(), Read(1)),
    ];
    assert!(cases.len() >= 30);
    for (name, bytes, expected) in cases {
        let result = read_entries(bytes, Some(Format::Markdown));
        assert_eq!(kind(name, &result), expected, "{name}");
        if let Ok(found) = result {
            let entry = &found.entries[0];
            assert!(entry.importance.is_none_or(|share| (0.0..=1.0).contains(&share)), "{name}");
            assert!(entry.aliases.len() <= 1000, "{name}");
        }
    }
}
