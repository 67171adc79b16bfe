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
fn a_dry_run_reports_the_actions_of_the_import_and_its_tolerated_faults() {
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
fn a_broken_file_is_reported_in_one_line() {
    let home = Home::with_workspace();
    let path = home.file("world.json", "{\n \"entries\": {\n  Xanadu\n}}");
    let ran = home.run(&["import", &path]);
    assert_eq!((ran.code, ran.stdout.as_str()), (1, ""));
    assert_eq!(ran.stderr, "error: Line 3: this is no valid JSON.\n");
    assert_eq!(home.json(&["import", "/no/such/file.json"]).error()["code"], "not_found");
    let wrong = home.json(&["import", &path, "--format", "xanadu"]);
    assert_eq!((wrong.code, &wrong.error()["code"]), (2, &"usage".into()));
}

/// The folder of a note that was written beside the data folder.
fn folder_of(note: &str) -> std::path::PathBuf {
    std::path::Path::new(note).parent().expect("a folder").to_owned()
}

#[test]
fn a_vault_of_obsidian_is_imported_as_memories() {
    let home = Home::with_workspace();
    let folder = folder_of(&home.file("note.md", "")).join("vault");
    for (path, text) in [
        (".obsidian/app.json", "{}"),
        ("Ama.md", "Ama rules."),
        ("map.canvas", "{}"),
        (".trash/Old.md", "Gone."),
    ] {
        std::fs::create_dir_all(folder.join(path).parent().expect("a folder")).expect("made");
        std::fs::write(folder.join(path), text).expect("written");
    }
    let path = folder.to_str().expect("a plain path");
    let planned = home.json(&["import", path, "--dry-run"]).json();
    let left: Vec<_> =
        planned["items"].as_array().expect("items").iter().filter(|it| it["kind"] == "left").collect();
    assert_eq!(left.len(), 3, "{planned}");
    assert_eq!(home.json(&["import", path]).code, 0);
    assert_eq!(home.texts(), ["Ama rules."]);
}

#[test]
fn the_intact_notes_of_a_folder_with_a_damaged_one_are_imported_on_request() {
    let home = Home::with_workspace();
    let folder = folder_of(&home.file("note.md", "")).join("notes");
    std::fs::create_dir_all(&folder).expect("made");
    std::fs::write(folder.join("Ama.md"), "Ama rules.").expect("written");
    std::fs::write(folder.join("Xanadu.md"), b"one\n\xFF").expect("written");
    let path = folder.to_str().expect("a plain path");
    let planned = home.json(&["import", path, "--dry-run"]).json();
    let first = &planned["items"][0];
    assert_eq!(
        (&planned["damaged"], &first["kind"], &first["place"]),
        (&1.into(), &"refuse".into(), &"Xanadu.md".into())
    );
    assert_eq!(first["reason"], "Line 2: this is no UTF-8.");
    let error = home.json(&["import", path]).error();
    assert_eq!(error["details"]["field"], "partial", "{error}");
    assert_eq!(home.texts(), Vec::<String>::new());
    assert_eq!(home.json(&["import", path, "--partial"]).code, 0);
    assert_eq!(home.texts(), ["Ama rules."]);
}

#[test]
fn a_plan_states_whether_a_book_is_known_and_a_doubtful_one_needs_a_choice() {
    let home = Home::with_workspace();
    let book = |text: &str| {
        format!(r#"{{"entries": {{"0": {{"uid": 0, "key": [], "comment": "Ama", "content": "{text}"}}}}}}"#)
    };
    let path = home.file("book.json", book("Rules the north."));
    let shown = home.run(&["import", &path]).stdout;
    assert!(shown.contains("A new book: \"book\"."), "{shown}");
    let path = home.file("renamed.json", book("Rules the north."));
    let shown = home.run(&["import", &path]).stdout;
    assert!(shown.contains("The same book as \"book\": 1 alike, 0 changed, 0 new."), "{shown}");
    let path = home.file("book.json", book("Somebody else."));
    let shown = home.run(&["import", &path, "--dry-run"]).stdout;
    assert!(shown.contains("--same-book \"book\"") && shown.contains("--new-book"), "{shown}");
    let error = home.json(&["import", &path]).error();
    assert_eq!(error["details"]["field"], "book", "{error}");
    assert_eq!(home.texts(), ["Rules the north."]);
    assert_eq!(
        home.json(&["backup", "list"]).json()["rows"].as_array().map(Vec::len),
        Some(2),
        "none of the one in doubt"
    );
    assert_eq!(home.json(&["import", &path, "--new-book"]).code, 0);
    assert_eq!(home.texts().len(), 2);
    assert_eq!(home.json(&["import", &path, "--new-book", "--same-book", "book"]).code, 2);
}

#[test]
fn losses_of_the_target_format_are_printed_before_writing() {
    let home = Home::with_workspace();
    let book = r#"{"entries": {"0": {"uid": 0, "key": ["Ama"], "comment": "Ama", "content": "Rules.", "sticky": 3}}}"#;
    let path = home.file("book.json", book);
    assert_eq!(home.json(&["import", &path]).code, 0);
    let out = home.file("out.json", "");
    let to = |format| home.run(&["export", &out, "--replace", "--format", format]);
    let lossy = to("novelai");
    let lost = "The format has no place for:\nhow many  what\n1         further settings\n";
    assert_eq!((lossy.code, lossy.stderr.contains(lost)), (0, true), "{}", lossy.stderr);
    assert!(!lossy.stdout.contains("further settings"), "{}", lossy.stdout);
    assert_eq!(to("sillytavern").stderr, "");
    let look = home.run(&["export", &out, "--format", "novelai", "--replace", "--dry-run"]);
    assert!(look.stdout.contains("further settings"), "{}", look.stdout);
    let json = home.json(&["export", &out, "--replace", "--format", "novelai"]);
    assert_eq!((json.stderr.as_str(), &json.json()["losses"][0]["rows"]), ("", &1.into()));
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
fn the_intact_conversations_of_a_file_with_a_broken_one_are_imported_on_request() {
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
    let message = home.file("conversations.json", format!("[{SAID}]"));
    let planned = home.json(&["import", &world, "--dry-run"]).json();
    assert_eq!(planned["counts"][0]["rows"], 1, "{planned}");
    assert_eq!(home.json(&["import", &message, "--dry-run"]).json()["newConversations"], 1);
    assert_eq!(home.json(&["conversation", "import", &message, "--preview"]).json()["newConversations"], 1);
    assert!(!home.data().exists(), "not even the data folder");
}

#[test]
fn the_help_of_export_lists_exactly_the_formats_that_can_be_written() {
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
        "graphml",
    ] {
        assert!(help.contains(written), "{written}: {help}");
    }
    assert!(!help.contains("mem0") && !help.contains("claude_memories"), "{help}");
    let wrong = home.json(&["export", "x.json", "--format", "mem0"]);
    assert_eq!((wrong.code, &wrong.error()["code"]), (2, &"usage".into()));
}
