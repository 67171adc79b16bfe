//! What files of further programs come to, with what they leave behind.

use inklings_formats::entries::{Collection, ThirdPartyEntry, read_entries};
use serde_json::{Value, json};

use crate::samples;

fn read(value: &Value) -> Collection {
    read_entries(value.to_string().as_bytes(), None).expect("reads")
}

/// Id, name, aliases, text.
type EntryFields<'a> = (&'a str, &'a str, &'a [String], &'a str);

fn fields_of(entry: &ThirdPartyEntry) -> EntryFields<'_> {
    let id = entry.external_id.as_deref().unwrap_or("-");
    (id, entry.name.as_deref().unwrap_or("-"), &entry.aliases, &entry.content)
}

fn keys(words: &[&str]) -> Vec<String> {
    words.iter().map(|word| (*word).to_owned()).collect()
}

fn left(found: &Collection) -> Vec<(&str, &str)> {
    found.left_behind.iter().map(|part| (part.what, part.path.as_str())).collect()
}

#[test]
fn story_cards_and_world_info_of_ai_dungeon() {
    let found = read(&samples::story_cards());
    let all: Vec<EntryFields<'_>> = found.entries.iter().map(fields_of).collect();
    assert_eq!(
        all,
        [
            ("Ama", "Ama", &keys(&["Ama", "the queen"])[..], "Ama rules the north."),
            ("salt", "-", &keys(&["salt"])[..], "Salt is dear."),
            ("w-1", "-", &keys(&["Ambry"])[..], "A town of salt."),
        ]
    );
    assert_eq!(found.entries[0].tags, ["character"]);
    assert_eq!(found.entries[0].extra["fields"]["description"], "Stern.");
    let twice = json!([samples::story_cards()[1], samples::story_cards()[1]]);
    let ids: Vec<_> =
        read(&twice).entries.into_iter().map(|entry| entry.external_id.expect("an id")).collect();
    assert_eq!(ids, ["salt", "salt (2)"]);
    let scenario = json!({"title": "Aldmoor", "prompt": "It snowed.", "memory": "Ama rules.", "worldInfo": samples::story_cards()});
    let found = read(&scenario);
    assert_eq!(found.name.as_deref(), Some("Aldmoor"));
    let last = found.entries.last().expect("entries");
    assert_eq!(
        (fields_of(last).1, fields_of(last).3, last.standing),
        ("Aldmoor: plot essentials", "Ama rules.", true)
    );
    assert_eq!(left(&found), [("story", "prompt")]);
    assert_eq!(found.extra["fields"]["prompt"], "It snowed.", "and retained");
}

#[test]
fn a_lorebook_of_janitor_ai() {
    let found = read(&samples::janitor());
    assert_eq!(
        fields_of(&found.entries[0]),
        ("0001-ambry", "Ambry", &keys(&["Ambry", "the town"])[..], "A town of salt.")
    );
    assert!(found.entries[0].standing && found.entries[0].enabled);
    assert!(!found.entries[1].standing && !found.entries[1].enabled);
    assert_eq!(found.entries[0].tags, ["town"]);
    assert_eq!(found.entries[0].extra["fields"]["keysecondary"], json!(["court"]));
    let mut raw = samples::janitor();
    raw[1].as_object_mut().expect("an entry").remove("key");
    assert_eq!(read(&raw).entries[1].aliases, ["Tarn"], "the keys as one text");
}

#[test]
fn a_lorebook_of_risu() {
    let found = read(&samples::risu());
    let all: Vec<EntryFields<'_>> = found.entries.iter().map(fields_of).collect();
    assert_eq!(
        all,
        [
            ("Ambry", "Ambry", &keys(&["Ambry", "the town"])[..], "A town of salt."),
            ("Tarn", "Tarn", &[][..], "A town of salt."),
        ],
        "a pattern with a comma is one pattern, and a folder is no entry"
    );
    assert!(found.entries[0].standing);
    assert_eq!(found.entries[1].extra["fields"]["key"], "/tarn (reef|town), (old|new)/i");
    assert_eq!(found.extra["folders"][0]["comment"], "Places");
}

#[test]
fn stories_and_world_info_of_kobold_ai() {
    let found = read(&samples::kobold());
    let all: Vec<EntryFields<'_>> = found.entries.iter().map(fields_of).collect();
    assert_eq!(
        all,
        [
            ("Ambry", "Ambry", &keys(&["Ambry", "the town"])[..], "A town of salt."),
            ("Tarn", "-", &keys(&["Tarn"])[..], "A town of salt."),
            ("story:memory", "memory", &[][..], "Ama rules."),
            ("story:authorsnote", "author's note", &[][..], "[Style: terse]"),
        ]
    );
    assert!(found.entries[0].enabled && !found.entries[1].enabled && found.entries[2].standing);
    assert_eq!(left(&found), [("story", "actions"), ("story", "prompt")]);
    assert_eq!(found.extra["fields"]["actions"][0], "It snowed.", "a short story is retained");
    let mut long = samples::kobold();
    long["actions"] = json!(vec!["x".repeat(1000); 2000]);
    let found = read(&long);
    assert_eq!((found.entries.len(), &found.extra["fields"]["actions"]), (4, &Value::Null));
    assert_eq!(left(&found), [("story", "actions"), ("story", "prompt")], "a long one is only named");

    let found = read(&samples::kobold_world());
    assert_eq!(
        fields_of(&found.entries[0]),
        ("0", "Ambry", &keys(&["Ambry", "the town"])[..], "A town of salt.")
    );
    assert!(found.entries[0].standing);
    assert_eq!(found.extra["fields"]["folders"], json!({"root": [0]}));
    let mut both = samples::kobold();
    both["worldinfo_v2"] = samples::kobold_world();
    assert_eq!(read(&both).entries.len(), 5);
}

#[test]
fn memory_books_and_characters_of_agnai() {
    let found = read(&samples::agnai());
    assert_eq!(found.name.as_deref(), Some("Aldmoor"));
    assert_eq!(
        fields_of(&found.entries[0]),
        ("Ambry", "Ambry", &keys(&["Ambry", "the town"])[..], "A town of salt.")
    );
    assert!(found.entries[0].enabled && !found.entries[1].enabled);
    assert_eq!(found.entries[1].extra["fields"]["priority"], 5);
    let found = read(&samples::agnai_character());
    let all: Vec<_> = found
        .entries
        .iter()
        .map(|entry| (fields_of(entry).0, fields_of(entry).1, fields_of(entry).3))
        .collect();
    assert_eq!(
        all,
        [
            ("character:persona", "Ama", "mood: stern, calm\nRules the north."),
            ("book:Ambry", "Ambry", "A town of salt."),
            ("book:Tarn", "Tarn", "A reef."),
            ("character:scenario", "Ama: scenario", "The hall of Ambry."),
            ("character:greeting", "Ama: first message", "Speak."),
        ]
    );
    assert_eq!(found.entries[0].tags, ["queen"]);
}

#[test]
fn agent_files_of_letta() {
    let found = read(&samples::letta());
    let all: Vec<_> = found
        .entries
        .iter()
        .map(|entry| (fields_of(entry).0, fields_of(entry).1, fields_of(entry).3))
        .collect();
    assert_eq!(
        all,
        [
            ("block-0", "world", "Salt is dear."),
            ("block-1", "persona", "Stern."),
            ("block-2", "persona (Sel)", "Merry."),
        ]
    );
    assert!(found.entries.iter().all(|entry| entry.standing));
    assert_eq!(
        left(&found),
        [
            ("chat", "Ama: messages"),
            ("system prompt", "Ama: system"),
            ("chat", "Sel: messages"),
            ("system prompt", "Sel: system"),
            ("tools", "tools"),
        ]
    );
    let found = read(&samples::letta_agent());
    assert_eq!(found.name.as_deref(), Some("Ama"));
    assert_eq!(fields_of(&found.entries[0]), ("human", "human", &[][..], "Writes about salt."));
    assert_eq!(found.entries[0].created.map(|at| at.timestamp()), Some(1_743_501_600));
    assert_eq!(left(&found), [("system prompt", "system")]);
}

#[test]
fn scenarios_and_stories_of_novel_ai() {
    for (file, left_behind) in [(samples::scenario(), "prompt"), (samples::story(), "document")] {
        let found = read(&file);
        assert_eq!(found.name.as_deref(), Some("Aldmoor"));
        let all: Vec<_> = found
            .entries
            .iter()
            .map(|entry| (fields_of(entry).0, fields_of(entry).1, fields_of(entry).3))
            .collect();
        assert_eq!(
            all,
            [
                ("a-1", "Ambry", "A town of salt."),
                ("a-2", "-", "A town of salt."),
                ("context:0", "Aldmoor: memory", "Ama rules."),
                ("context:1", "Aldmoor: author's note", "Write tersely."),
            ]
        );
        assert!(found.entries[2].standing);
        assert_eq!(found.entries[2].extra["fields"]["contextConfig"]["tokenBudget"], 2048);
        assert_eq!(left(&found), [("story", left_behind)]);
        assert_eq!(found.extra["fields"]["lorebookVersion"], 5);
    }
}

#[test]
fn a_card_appended_to_a_picture_is_read_and_a_plain_picture_is_refused() {
    let found = read_entries(&samples::picture_archive(), None).expect("reads");
    assert_eq!(found.name.as_deref(), Some("Ama"));
    assert_eq!(left(&found), [("picture", "assets/icon/main.png")]);
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("Ama.jpeg");
    std::fs::write(&path, samples::picture_archive()).expect("written");
    assert_eq!(inklings_formats::entries::open_entries(&path, None), Ok(found));
    let alone = read_entries(b"\xFF\xD8\xFF\xE0\0\x10JFIF\0 Xanadu \xFF\xD9", None);
    assert_eq!(alone, Err(inklings_formats::entries::FormatError::UnknownFormat));
}

#[test]
fn memory_graphs_of_other_servers() {
    let found = read_entries(samples::OTHER_GRAPH.as_bytes(), None).expect("reads");
    let all: Vec<_> = found
        .entries
        .iter()
        .map(|entry| (fields_of(entry).1, fields_of(entry).3, entry.tags.join(",")))
        .collect();
    assert_eq!(
        all,
        [
            ("Ama", "Rules the north.\nHates salt.", "person".to_owned()),
            ("Ambry", "A town of salt.", "town".to_owned()),
            ("-", "Ama lives in Ambry", String::new()),
        ]
    );
    let found = read(&samples::whole_graph());
    let all: Vec<_> = found.entries.iter().map(|entry| (fields_of(entry).1, fields_of(entry).3)).collect();
    assert_eq!(all, [("Ama", "Rules the north."), ("Ambry", ""), ("-", "Ama lives in Ambry")]);
    let marked = format!("{{\"type\":\"_aim\",\"source\":\"mcp-knowledge-graph\"}}\n{}", samples::GRAPH);
    assert_eq!(read_entries(marked.as_bytes(), None).expect("reads").entries.len(), 3);
}
