//! What good files come to.

use inklings_formats::{
    entries::{Collection, Format, FormatError, ThirdPartyEntry, open_entries, read_entries, write_folder},
    utf16::Order,
};
use serde_json::{Value, json};

use crate::samples::{self, all, book, card, codex, lorebook, mem0, memories, novelai, world};

fn read(value: &Value) -> Collection {
    read_entries(value.to_string().as_bytes(), None).expect("reads")
}

fn entry<'a>(found: &'a Collection, id: &str) -> &'a ThirdPartyEntry {
    let is = |entry: &&ThirdPartyEntry| entry.external_id.as_deref() == Some(id);
    found.entries.iter().find(is).unwrap_or_else(|| panic!("no {id} in {:?}", ids(found)))
}

fn ids(found: &Collection) -> Vec<&str> {
    found.entries.iter().map(|entry| entry.external_id.as_deref().unwrap_or("-")).collect()
}

#[test]
fn the_format_is_detected_from_the_content() {
    for (name, format, bytes) in all() {
        let found = read_entries(&bytes, None).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(found.format, format, "{name}");
        assert!(!found.entries.is_empty(), "{name}");
        assert_eq!(read_entries(&bytes, Some(format)), Ok(found), "{name}, where the format is given");
        assert_eq!(Format::from_name(format.name()), Some(format));
    }
}

#[test]
fn a_file_read_as_another_format_is_refused_or_gives_entries_of_that_format_only() {
    for (name, format, bytes) in all() {
        for other in Format::ALL.into_iter().filter(|other| *other != format) {
            match read_entries(&bytes, Some(other)) {
                // Whatever can be said about a text of no format, it is a Markdown file.
                Ok(found) => assert_eq!(found.format, other, "{name} as {other:?}"),
                Err(FormatError::Io(error)) => panic!("{name} as {other:?}: {error}"),
                Err(_) => {}
            }
        }
    }
}

#[test]
fn world_info_of_sillytavern() {
    let found = read(&world());
    assert_eq!(found.name.as_deref(), Some("Aldmoor"));
    assert_eq!(ids(&found), ["0", "1", "10"], "in the order of their numbers");
    let ama = entry(&found, "0");
    assert_eq!(ama.name.as_deref(), Some("Ama"));
    assert_eq!(ama.aliases, ["Ama", "the queen"], "a pattern names nothing");
    assert_eq!(ama.content, "Ama rules the north.");
    assert!(ama.standing && ama.enabled);
    assert_eq!(ama.extra["fields"]["keysecondary"], json!(["court"]));
    let river = entry(&found, "1");
    assert_eq!((river.name.as_deref(), river.title()), (None, Some("Sel")));
    assert!(!river.standing);
    assert!(!format!("{}", river.extra).contains("Ambry"), "the text is kept once");
}

#[test]
fn cards_and_their_books() {
    let found = read(&card());
    assert_eq!(found.name.as_deref(), Some("Ama"));
    assert_eq!(
        ids(&found),
        [
            "card:description",
            "card:personality",
            "card:scenario",
            "card:first_mes",
            "card:mes_example",
            "card:alternate_greetings:0",
            "book:1",
            "book:2",
        ]
    );
    let own = entry(&found, "card:description");
    assert_eq!((own.name.as_deref(), &own.aliases[..]), (Some("Ama"), &["The Queen".to_owned()][..]));
    assert_eq!(own.tags, ["queen", "north"]);
    assert_eq!(own.created.map(|at| at.timestamp()), Some(1_700_000_000));
    assert_eq!(entry(&found, "card:personality").name.as_deref(), Some("Ama: personality"));
    let gate = entry(&found, "book:1");
    assert!(gate.standing);
    assert_eq!(gate.aliases, ["gate", "northern gate"]);

    let flat = json!({"name": "Ama", "description": "Rules.", "personality": "", "scenario": "", "first_mes": "Speak.", "mes_example": ""});
    assert_eq!(ids(&read(&flat)), ["card:description", "card:first_mes"], "version 1 has no envelope");
}

#[test]
fn lorebooks_by_themselves() {
    for value in [lorebook(), book()] {
        let found = read(&value);
        assert_eq!(found.name.as_deref(), Some("Lore of Aldmoor"));
        assert_eq!(ids(&found), ["1", "2"]);
        assert_eq!(entry(&found, "2").title(), Some("salt"));
    }
}

#[test]
fn a_card_saved_by_sillytavern_keeps_its_keys_and_only_patterns_are_no_names() {
    let mut saved = card();
    for entry in saved["data"]["character_book"]["entries"].as_array_mut().expect("entries") {
        entry["use_regex"] = json!(true);
    }
    let keys = json!(["gate", "/the (northern|old) gate/i", "northern gate"]);
    saved["data"]["character_book"]["entries"][0]["keys"] = keys.clone();
    let found = read(&saved);
    let gate = entry(&found, "book:1");
    assert_eq!(gate.aliases, ["gate", "northern gate"]);
    assert_eq!(gate.extra["fields"]["keys"], keys, "the pattern is retained");
    assert_eq!(entry(&found, "book:2").aliases, ["salt"]);
    let mut lore = lorebook();
    lore["data"]["entries"][0]["use_regex"] = json!(true);
    assert_eq!(read(&lore).entries[0].aliases, ["gate", "northern gate"]);
}

#[test]
fn lorebooks_of_novelai() {
    let found = read(&novelai());
    assert_eq!(ids(&found), ["a-1", "a-2"]);
    let town = entry(&found, "a-1");
    assert_eq!((town.name.as_deref(), &town.aliases[..]), (Some("Ambry"), &["Ambry".to_owned()][..]));
    assert!(town.standing && town.enabled);
    assert_eq!(town.updated.map(|at| at.timestamp_millis()), Some(1_700_000_000_123));
}

#[test]
fn a_codex_of_novelcrafter() {
    let found = read_entries(&codex(), None).expect("reads");
    let id = "2aBcDeFgHiJkLmNoPqRsTuVwXyZ";
    let ama = entry(&found, id);
    assert_eq!(ama.name.as_deref(), Some("Ama"));
    assert_eq!((&ama.aliases[..], &ama.tags[..]), (&["the queen".to_owned()][..], &["north".to_owned()][..]));
    assert_eq!(ama.content, "Ama rules the north.");
    assert!(ama.standing);
    assert_eq!(ama.extra["kind"], json!("characters"));
    assert_eq!(ama.extra["fields"]["color"], json!("blue"));
    assert_eq!(entry(&found, &format!("{id}:notes")).content, "Named after a river?");
    assert_eq!(
        found.entries[2].name.as_deref(),
        Some("old ambry"),
        "an entry without metadata is called as its folder"
    );
}

/// The export of a whole novel, in a folder of its own.
fn novel() -> Vec<(&'static str, Vec<u8>)> {
    let metadata = samples::metadata().to_string().into_bytes();
    let text = |text: &str| text.as_bytes().to_vec();
    vec![
        ("Aldmoor/novel.md", text("# Aldmoor\n\n## Act 1\n")),
        ("Aldmoor/characters/ama-2aBcDeFgHiJkLmNoPqRsTuVwXyZ/metadata.json", metadata.clone()),
        ("Aldmoor/characters/ama-2aBcDeFgHiJkLmNoPqRsTuVwXyZ/entry.md", text("Ama rules the north.")),
        ("Aldmoor/characters/ama-2aBcDeFgHiJkLmNoPqRsTuVwXyZ/thumbnail.png", vec![0x89]),
        (
            "Aldmoor/lore/salt-2cBcDeFgHiJkLmNoPqRsTuVwXyZ/entry.md",
            text(
                "---\ntype: lore\nname: The salt\naliases: [grey gold]\ntags:\n  - trade\n---\nSalt is dear.\n",
            ),
        ),
        ("Aldmoor/snippets/opening-2dBcDeFgHiJkLmNoPqRsTuVwXyZ/metadata.json", metadata.clone()),
        ("Aldmoor/snippets/opening-2dBcDeFgHiJkLmNoPqRsTuVwXyZ/snippet.md", text("It snowed.")),
        ("Aldmoor/chats/plot-2eBcDeFgHiJkLmNoPqRsTuVwXyZ/metadata.json", metadata),
        ("Aldmoor/chats/plot-2eBcDeFgHiJkLmNoPqRsTuVwXyZ/chat.md", text("Who rules?")),
        ("Aldmoor/chats/second.md", text("And now?")),
    ]
}

fn is_the_novel(found: &Collection) {
    assert_eq!(found.format, Format::Novelcrafter);
    let names: Vec<_> = found.entries.iter().map(|entry| entry.name.as_deref().unwrap_or("-")).collect();
    assert_eq!(names, ["Ama", "The salt"], "a snippet's or chat's metadata is no entry");
    let salt = &found.entries[1];
    assert_eq!(
        (&salt.aliases[..], &salt.tags[..]),
        (&["grey gold".to_owned()][..], &["trade".to_owned()][..])
    );
    let left: Vec<_> = found.left_behind.iter().map(|part| (part.what, part.path.as_str())).collect();
    assert_eq!(
        left,
        [
            ("chat", "Aldmoor/chats/plot-2eBcDeFgHiJkLmNoPqRsTuVwXyZ"),
            ("chat", "Aldmoor/chats/second.md"),
            ("manuscript", "Aldmoor/novel.md"),
            ("picture", "Aldmoor/characters/ama-2aBcDeFgHiJkLmNoPqRsTuVwXyZ/thumbnail.png"),
            ("snippet", "Aldmoor/snippets/opening-2dBcDeFgHiJkLmNoPqRsTuVwXyZ"),
        ]
    );
    assert!(!format!("{:?}", found.left_behind).contains("plot"), "a name is not for logs");
}

#[test]
fn the_import_of_a_novel_lists_the_omitted_files_of_archive_and_folder() {
    let files = novel();
    let compressed: Vec<(&str, &[u8])> = files.iter().map(|(path, bytes)| (*path, &bytes[..])).collect();
    is_the_novel(&read_entries(&samples::zip(&compressed), None).expect("reads"));
    let folder = tempfile::tempdir().expect("a folder");
    for (path, bytes) in &files {
        let path = folder.path().join(path);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("made");
        std::fs::write(path, bytes).expect("written");
    }
    for format in [None, Some(Format::Novelcrafter)] {
        is_the_novel(&open_entries(folder.path(), format).expect("reads"));
    }
    let notes = tempfile::tempdir().expect("a folder");
    std::fs::create_dir(notes.path().join("a")).expect("made");
    std::fs::write(notes.path().join("a/entry.md"), "A note.").expect("written");
    assert_eq!(open_entries(notes.path(), None).expect("reads").format, Format::Markdown);
}

#[test]
fn memories_of_claude_are_read_by_section() {
    let found = read(&memories());
    let named: Vec<_> = found.entries.iter().map(|e| (e.name.as_deref(), e.content.as_str())).collect();
    assert_eq!(
        named,
        [
            (Some("Work context"), "Writes novels set in Aldmoor."),
            (Some("Style"), "Likes short chapters.\n- And lists"),
            (Some("Plot"), "The gate falls."),
            (None, "No headings here."),
        ]
    );
    assert_eq!(ids(&found)[2], "project 11111111-2222:1");
    let archive = samples::zip(&[
        ("conversations.json", b"[]"),
        ("memories.json", memories().to_string().as_bytes()),
        ("users.json", b"[]"),
    ]);
    assert_eq!(read_entries(&archive, None), Ok(found));
}

#[test]
fn answers_of_mem0() {
    for value in [mem0(), mem0()["results"].clone()] {
        let found = read(&value);
        assert_eq!(ids(&found), ["m-1", "m-2"]);
        let first = entry(&found, "m-1");
        assert_eq!(
            (first.content.as_str(), &first.tags[..]),
            ("Ama rules the north.", &["people".to_owned()][..])
        );
        assert_eq!(
            first.created.map(|at| at.to_rfc3339()).as_deref(),
            Some("2024-05-01T17:00:00.123456+00:00")
        );
        assert_eq!(first.extra["fields"]["metadata"]["chapter"], json!(3));
    }
}

#[test]
fn a_memory_graph_with_broken_lines() {
    let text = format!(
        "\u{FEFF}\n{{\"type\":\"entity\",\"na\nplain words\n{}{{\"type\":\"entity\"}}\n{{\"type\":\"relation\",\"from\":7}}",
        samples::GRAPH
    );
    let found = read_entries(text.as_bytes(), None).expect("reads");
    assert_eq!(found.format, Format::McpJsonl);
    assert_eq!(ids(&found), ["Ama", "Ambry", "Ama -[lives_in]-> Ambry"]);
    assert_eq!(found.entries[0].content, "Rules the north.\nHates salt.");
    assert_eq!(found.entries[0].tags, ["person"]);
    assert_eq!(found.entries[2].content, "Ama lives in Ambry");
    let broken: Vec<_> = found.remarks.iter().map(|remark| (remark.reason, remark.count)).collect();
    assert_eq!(broken, [("a broken line", 4)]);
}

#[test]
fn a_markdown_file() {
    let found = read_entries(samples::NOTE.as_bytes(), None).expect("reads");
    let ama = &found.entries[0];
    assert_eq!(ama.name.as_deref(), Some("Ama"));
    assert_eq!(ama.aliases, ["the queen", "Ama of the north"]);
    assert_eq!(ama.tags, ["people", "north"]);
    assert_eq!(ama.importance, Some(0.75));
    assert!(ama.standing && ama.enabled);
    assert_eq!(ama.content, "Ama rules the north.\n\n---\n\nA line above.");
}

#[test]
fn files_in_utf_16_are_read_and_markdown_is_written_in_it_again() {
    for order in [Order::Little, Order::Big] {
        for (name, format, bytes) in all() {
            let Ok(text) = String::from_utf8(bytes.clone()) else { continue };
            let plain = read_entries(&bytes, None).expect("reads");
            for named_format in [None, Some(format)] {
                let found = read_entries(&order.encoded(&text), named_format)
                    .unwrap_or_else(|error| panic!("{name}: {error}"));
                assert_eq!(found.entries.len(), plain.entries.len(), "{name}");
                for (found, plain) in found.entries.iter().zip(&plain.entries) {
                    assert_eq!((&found.name, &found.content), (&plain.name, &plain.content), "{name}");
                }
            }
        }
        let folder = tempfile::tempdir().expect("a folder");
        let (from, to) = (folder.path().join("from"), folder.path().join("to"));
        std::fs::create_dir(&from).expect("made");
        std::fs::write(from.join("Ama.md"), order.encoded(samples::NOTE)).expect("written");
        write_folder(&open_entries(&from, None).expect("reads"), &to).expect("written");
        assert_eq!(std::fs::read(to.join("Ama.md")).expect("there"), order.encoded(samples::NOTE));
    }
}

#[test]
fn valid_json_is_not_called_invalid() {
    let refusal = |text: &str| read_entries(text.as_bytes(), None).expect_err("not read").to_string();
    let lines = "{\"a\": 1}\n{\"b\": 2}\n";
    assert!(refusal(lines).contains("a second JSON value follows"), "{}", refusal(lines));
    assert!(refusal("{\"entries\": {\"0\": {\"content\": 1e999}}}").contains("too large"));
    assert!(refusal("{\"a\": 1} b").contains("no valid JSON"));
}

#[test]
fn an_export_of_our_own_is_named_as_such_whatever_its_version() {
    for (version, says) in
        [("7", "newer version"), ("1", "another order"), ("0", "older version"), ("\"1\"", "not a number")]
    {
        let file = format!("{{\"exported_at\": \"x\", \"memories\": [], \"schema_version\": {version}}}");
        let error = read_entries(file.as_bytes(), None).expect_err("not read").to_string();
        assert!(error.contains("an export of Inklings") && error.contains(says), "{version}: {error}");
    }
}
