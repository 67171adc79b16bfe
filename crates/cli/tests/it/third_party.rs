//! Files of other programs, brought in from the command line.

use crate::support::Home;

const WORLD: &str = r#"{"entries": {"0": {"uid": 0, "key": ["Ama"], "comment": "Ama", "content": "Rules.", "constant": true}}}"#;

#[test]
fn a_broken_file_ends_with_1_and_one_json_object_and_changes_nothing() {
    let home = Home::with_workspace();
    home.add("kept");
    let half = &WORLD[..WORLD.len() / 2];
    let cases: [(&str, &[&str], &str); 6] = [
        (half, &[], "Line 1: the file ends in the middle."),
        (
            &WORLD.replace("\"Rules.\"", "{\"Xanadu\": 1}"),
            &[],
            "Entry 1, field content: a text should stand here.",
        ),
        (&WORLD.replace("\"Rules.\"", "Xanadu"), &["--dry-run"], "Line 1: this is no valid JSON."),
        (WORLD, &["--format", "novelai"], "Field entries: a list of entries should stand here."),
        (
            "{\"type\":\"entity\"}\nXanadu\n",
            &["--format", "mcp_jsonl"],
            "Line 1, field name: a name should stand here.",
        ),
        ("<html>Xanadu</html>", &[], "This is no file of memories, lore or cards that Inklings can read."),
    ];
    for (text, flags, says) in cases {
        let path = home.file("file", text);
        let ran = home.json(&[&["import", &path], flags].concat());
        let error = ran.error();
        assert_eq!(
            (ran.code, &error["code"], &error["details"]["field"]),
            (1, &"invalid".into(), &"path".into())
        );
        assert_eq!(error["message"], says);
        assert!(!ran.stderr.contains("Xanadu"), "{}", ran.stderr);
    }
    assert_eq!(home.texts(), ["kept"]);
    let backups = home.json(&["backup", "list"]).json();
    assert_eq!(backups["rows"].as_array().map(Vec::len), Some(0), "nothing was begun: {backups}");
}

#[test]
fn a_dry_run_says_what_an_import_then_does_and_what_was_put_up_with() {
    let home = Home::with_workspace();
    let path = home.file(
        "memory.jsonl",
        "{\"type\":\"entity\",\"name\":\"Ama\",\"observations\":[\"Rules.\"]}\n{broken\n",
    );
    let planned = home.json(&["import", &path, "--dry-run"]).json();
    assert_eq!(home.texts(), Vec::<String>::new());
    assert_eq!(planned["remarks"][0]["count"], 1, "{planned}");
    let shown = home.run(&["import", &path]);
    assert!(shown.code == 0 && shown.stdout.contains("a broken line"), "{}{}", shown.stdout, shown.stderr);
    assert_eq!(home.texts(), ["Rules."]);
}

#[test]
fn a_broken_file_is_told_to_people_in_one_line() {
    let home = Home::with_workspace();
    let path = home.file("world.json", "{\n \"entries\": {\n  Xanadu\n}}");
    let ran = home.run(&["import", &path]);
    assert_eq!((ran.code, ran.stdout.as_str()), (1, ""));
    assert_eq!(ran.stderr, "error: Line 3: this is no valid JSON.\n");
    assert_eq!(home.json(&["import", "/no/such/file.json"]).error()["code"], "not_found");
    let wrong = home.json(&["import", &path, "--format", "xanadu"]);
    assert_eq!((wrong.code, &wrong.error()["code"]), (2, &"usage".into()));
}

#[test]
fn a_vault_of_obsidian_is_not_taken_for_memories() {
    let home = Home::with_workspace();
    let note = home.file("Ama.md", "Ama rules.");
    let folder = std::path::Path::new(&note).parent().expect("a folder").join("vault");
    std::fs::create_dir_all(folder.join(".obsidian")).expect("made");
    std::fs::rename(&note, folder.join("Ama.md")).expect("moved");
    let path = folder.to_str().expect("a plain path");
    let error = home.json(&["import", path]).error();
    assert!(error["message"].as_str().is_some_and(|text| text.contains("Obsidian vault")), "{error}");
    assert_eq!(home.texts(), Vec::<String>::new());
}

const SAID: &str = r#"{"uuid": "c-1", "name": "Salt", "chat_messages": [{"sender": "human", "text": "Where is the salt?"}]}"#;

#[test]
fn a_file_of_conversations_is_simply_imported() {
    let home = Home::with_workspace();
    let path = home.file("conversations.json", format!("[{SAID}]"));
    let planned = home.json(&["import", &path, "--dry-run"]).json();
    assert_eq!(planned["newConversations"], 1, "{planned}");
    assert_eq!(home.json(&["conversation", "list"]).json()["rows"].as_array().map(Vec::len), Some(0));
    assert_eq!(home.json(&["import", &path]).json()["conversations"], 1);
    assert_eq!(home.json(&["conversation", "list"]).json()["rows"].as_array().map(Vec::len), Some(1));
}

#[test]
fn of_a_file_with_a_broken_conversation_the_others_are_imported_on_demand() {
    let home = Home::with_workspace();
    let path = home.file("conversations.json", format!("[{SAID}, {{\"chat_messages\": 7}}]"));
    let planned = home.json(&["import", &path, "--dry-run"]).json();
    assert_eq!(
        (&planned["refused"], &planned["refusals"][0]["place"]),
        (&1.into(), &"conversation 2".into())
    );
    let error = home.json(&["import", &path]).error();
    let message = error["message"].as_str().expect("a message");
    assert!(message.contains("--partial") && message.contains("1 conversations cannot"), "{message}");
    assert_eq!(home.json(&["import", &path, "--partial"]).json()["refused"], 1);
    assert_eq!(home.json(&["conversation", "list"]).json()["rows"].as_array().map(Vec::len), Some(1));
}

#[test]
fn a_dry_run_creates_nothing() {
    let home = Home::new();
    let world = home.file("world.json", WORLD);
    let said = home.file("conversations.json", format!("[{SAID}]"));
    let planned = home.json(&["import", &world, "--dry-run"]).json();
    assert_eq!(planned["counts"][0]["rows"], 1, "{planned}");
    assert_eq!(home.json(&["import", &said, "--dry-run"]).json()["newConversations"], 1);
    assert_eq!(home.json(&["conversation", "import", &said, "--preview"]).json()["newConversations"], 1);
    assert!(!home.data().exists(), "not even the data folder");
}

#[test]
fn the_help_of_an_export_names_what_is_written_and_nothing_else() {
    let home = Home::new();
    let help = home.run(&["export", "--help"]).stdout;
    for written in [
        "inklings",
        "sillytavern",
        "character_card",
        "lorebook_v3",
        "novelai",
        "novelcrafter",
        "mcp_jsonl",
        "markdown",
    ] {
        assert!(help.contains(written), "{written}: {help}");
    }
    assert!(!help.contains("mem0") && !help.contains("claude_memories"), "{help}");
    let wrong = home.json(&["export", "x.json", "--format", "mem0"]);
    assert_eq!((wrong.code, &wrong.error()["code"]), (2, &"usage".into()));
}
