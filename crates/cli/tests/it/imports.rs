//! `import-jsonl`: all or nothing, and again without doubling.

use crate::support::Home;

fn turns(count: usize, say: &str) -> String {
    let line = |n| format!("{{\"id\":\"D{n}\",\"text\":\"{say} {n}\",\"session\":1}}\n");
    (0..count).map(line).collect::<Vec<_>>().concat()
}

#[test]
fn an_invalid_last_line_refuses_the_whole_import() {
    let home = Home::with_workspace();
    for bad in ["{\"text\":", "{\"id\":\"x\"}", "{\"text\":\"  \"}", "{\"text\":\"a\",\"importance\":2}"] {
        let file = home.file("bad.jsonl", format!("{}{bad}\n", turns(40, "turn")));
        let args = ["memory", "import-jsonl", "--scope", "channel", "--channel", "talk", &file];
        let refused = home.json(&args);
        let error = refused.error();
        assert_eq!((refused.code, &error["code"]), (1, &"invalid".into()), "{bad}");
        assert!(error["message"].as_str().expect("a sentence").contains("41"), "{error}");
        assert_eq!(home.texts(), Vec::<String>::new(), "{bad}");
        let listed = home.json(&["memory", "list", "--channel", "talk"]);
        assert_eq!(listed.error()["code"], "not_found", "{bad}: not even the channel is left");
    }
}

#[test]
fn the_same_file_again_updates_what_changed_and_doubles_nothing() {
    let home = Home::with_workspace();
    let import = |text: &str| {
        let file = home.file("turns.jsonl", text);
        home.json(&["memory", "import-jsonl", "--scope", "channel", "--channel", "talk", &file]).json()
    };
    let first = import(&turns(10, "turn"));
    assert_eq!((&first["added"], &first["updated"]), (&10.into(), &0.into()));
    let again = import(&turns(10, "turn"));
    assert_eq!((&again["added"], &again["unchanged"]), (&0.into(), &10.into()));
    assert!(again["changeId"].is_null());
    let changed = import(&turns(10, "turn").replace("turn 3", "turn three"));
    assert_eq!((&changed["added"], &changed["updated"]), (&0.into(), &1.into()));
    assert_eq!(home.texts().len(), 10);
    assert!(home.texts().contains(&"turn three".to_owned()));
}

#[test]
fn an_import_writes_as_import_keeps_its_origin_and_is_undone_as_a_whole() {
    let home = Home::with_workspace();
    let line =
        "{\"id\":7,\"text\":\"Maren: hello\",\"session\":2,\"ts\":\"1:56 pm\",\"speaker\":\"Maren\"}\n";
    let args = ["memory", "import-jsonl", "--scope", "workspace", "-"];
    let done = home.run_with(&args, Some(&format!("{line}{}", turns(5, "turn"))));
    assert_eq!(done.code, 0, "{}", done.stderr);
    let found = home.json(&["memory", "search", "hello"]).json();
    let id = found["hits"][0]["row"]["id"].as_str().expect("an id").to_owned();
    let detail = home.json(&["memory", "get", &id]).json();
    assert_eq!((&detail["row"]["curator"], &detail["locked"]), (&"import".into(), &true.into()));
    assert_eq!(
        (&detail["origin"]["externalId"], &detail["origin"]["speaker"]),
        (&"7".into(), &"Maren".into())
    );
    assert_eq!(home.run(&["memory", "undo"]).code, 0);
    assert_eq!(home.texts(), Vec::<String>::new());
}

#[test]
fn a_file_that_is_not_there_is_not_found() {
    let home = Home::with_workspace();
    let missing = home.json(&["memory", "import-jsonl", "--scope", "workspace", "/no/such/file.jsonl"]);
    assert_eq!((missing.code, &missing.error()["code"]), (1, &"not_found".into()));
}
