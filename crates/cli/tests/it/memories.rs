//! Writing, finding, changing and taking back.

use crate::support::Home;

#[test]
fn add_prints_only_the_id_and_get_finds_it() {
    let home = Home::with_workspace();
    let added = home.run(&[
        "memory",
        "add",
        "--scope",
        "workspace",
        "--tag",
        "Bells",
        "--importance",
        "0.8",
        "The bell is cracked",
    ]);
    assert_eq!((added.code, added.stderr.as_str()), (0, ""));
    let id = added.stdout.trim_end();
    assert_eq!((id.len(), added.stdout.lines().count()), (36, 1));
    let detail = home.json(&["memory", "get", id]).json();
    assert_eq!(detail["content"], "The bell is cracked");
    assert_eq!(detail["row"]["tags"], serde_json::json!(["bells"]));
    assert_eq!(detail["row"]["curator"], "author");
    assert_eq!(detail["row"]["version"], 1);
}

#[test]
fn a_memory_can_be_added_to_each_of_the_four_tiers() {
    let home = Home::with_workspace();
    for scope in ["account", "workspace", "channel", "conversation"] {
        let text = format!("kept in the {scope} tier");
        let added = home.json(&["memory", "add", "--scope", scope, &text]).json();
        assert_eq!(added["detail"]["row"]["scope"], scope);
        let listed = home.json(&["memory", "list", "--scope", scope]).json();
        assert_eq!(listed["rows"][0]["preview"], text);
        assert_eq!(listed["rows"].as_array().map(Vec::len), Some(1));
    }
    let both = home.json(&["memory", "search", "kept", "--scope", "account", "--scope", "channel"]).json();
    assert_eq!(both["hits"].as_array().map(Vec::len), Some(2));
}

#[test]
fn a_memory_lands_in_the_place_that_is_named_or_nowhere() {
    let home = Home::with_workspace();
    let moved = home.add("kept here");
    let refused = |verb: &[&str], place: &[&str], field: &str| {
        let ran = home.json(&[verb, place].concat());
        let error = ran.error();
        assert_eq!((ran.code, &error["details"]["field"]), (1, &field.into()), "{place:?} {error}");
    };
    for (place, field) in [
        (["--scope", "workspace", "--channel", "Foo"], "channel"),
        (["--scope", "account", "--channel", "Foo"], "channel"),
        (["--scope", "workspace", "--conversation", "zzz"], "conversation"),
        (["--scope", "channel", "--conversation", "zzz"], "conversation"),
    ] {
        refused(&["memory", "add", "elsewhere"], &place, field);
        refused(&["memory", "move", &moved], &place, field);
    }
    let started = home.json(&["conversation", "start"]).json();
    let code = started["refCode"].as_str().expect("a code");
    assert_eq!(home.run(&["channel", "create", "Plot"]).code, 0);
    let place = ["--scope", "conversation", "--channel", "Plot", "--conversation", code];
    refused(&["memory", "add", "elsewhere"], &place, "channel");
    refused(&["memory", "move", &moved], &place, "channel");
    assert_eq!(home.texts(), ["kept here"]);
    let listed = home.json(&["memory", "list", "--scope", "workspace"]).json();
    assert_eq!(listed["rows"].as_array().map(Vec::len), Some(1));
    assert!(!home.run(&["channel", "list"]).stdout.contains("Foo"));
}

#[test]
fn curator_agent_writes_as_the_agent() {
    let home = Home::with_workspace();
    let args = ["memory", "add", "--scope", "workspace", "--curator", "agent", "a guess"];
    let added = home.json(&args).json();
    assert_eq!(added["detail"]["row"]["curator"], "agent");
    assert_eq!(added["detail"]["writtenBy"], "agent");
    assert_eq!(added["detail"]["locked"], false);
}

#[test]
fn a_doubtful_text_of_an_agent_for_the_account_becomes_a_proposal() {
    let home = Home::with_workspace();
    let text = "Wants every chapter of a war to open with a letter from a soldier.";
    let add = ["memory", "add", "--scope", "account", "--curator", "agent", text];
    let proposed = home.json(&add).json()["proposed"].as_str().expect("a proposal").to_owned();
    assert_eq!(
        home.json(&["memory", "list", "--scope", "account"]).json()["rows"].as_array().map(Vec::len),
        Some(0)
    );
    assert!(home.json(&add).json()["proposed"].is_null(), "it waits already");
    assert!(home.run(&add).stdout.contains("was proposed before"));
    assert_eq!(home.run(&["proposal", "accept", &proposed]).code, 0);
    let rows = home.json(&["memory", "list", "--scope", "account"]).json()["rows"].clone();
    assert_eq!((&rows[0]["preview"], &rows[0]["curator"]), (&text.into(), &"agent".into()));
    let world = [
        "memory",
        "add",
        "--scope",
        "account",
        "--curator",
        "agent",
        "The Vesper tower fell in the salt war and Toma inherited the crown.",
    ];
    assert_ne!(home.run(&world).code, 0, "what tells of a world is refused");
}

#[test]
fn a_minus_reads_the_text_from_standard_input() {
    let home = Home::with_workspace();
    let text = "first line\nsecond line with \"quotes\"\n";
    let added = home.run_with(&["memory", "add", "--scope", "workspace", "-"], Some(text));
    let id = added.stdout.trim_end();
    assert_eq!(home.json(&["memory", "get", id]).json()["content"], text.trim_end());
    let edited = home.run_with(&["memory", "edit", id, "--content", "-"], Some("other"));
    assert_eq!(edited.code, 0, "{}", edited.stderr);
    assert_eq!(home.json(&["memory", "get", id]).json()["content"], "other");
}

#[test]
fn every_page_of_proposals_is_reached_with_what_the_text_says() {
    let home = Home::with_workspace();
    let mut filed = Vec::new();
    for text in [
        "Wants every chapter of a war to open with a letter from a soldier.",
        "Wants each map of a kingdom to show its roads in blue.",
        "Wants a knight to speak in short lines, without oaths.",
    ] {
        let add = ["memory", "add", "--scope", "account", "--curator", "agent", text];
        filed.insert(0, home.json(&add).json()["proposed"].as_str().expect("a proposal").to_owned());
    }
    let (mut seen, mut after) = (Vec::new(), None::<String>);
    while seen.len() <= filed.len() {
        let mut args = vec!["proposal", "list", "--limit", "1"];
        args.extend(after.iter().flat_map(|after| ["--after", after]));
        let page = home.run(&args);
        assert_eq!(page.code, 0, "{}", page.stderr);
        seen.push(page.stdout.split_whitespace().next().expect("an id").to_owned());
        after = page.stderr.trim_end().strip_prefix("More: --after ").map(str::to_owned);
        if after.is_none() {
            break;
        }
    }
    assert_eq!(seen, filed);
    assert_eq!(home.run(&["proposal", "list", "--limit", "0"]).code, 2);
    for verb in ["changes", "shown"] {
        assert_eq!(home.run(&["client", verb, "stdio", "--limit", "0"]).code, 2, "{verb}");
    }
}

#[test]
fn undo_reverts_an_edit_and_both_versions_are_in_the_history() {
    let home = Home::with_workspace();
    let id = home.add("The toll is two pennies");
    assert_eq!(home.run(&["memory", "edit", &id, "--content", "The toll is three pennies"]).code, 0);
    let history = home.json(&["memory", "history", &id]).json();
    let contents: Vec<_> = history.as_array().expect("a list").iter().map(|item| &item["content"]).collect();
    assert_eq!(contents, ["The toll is three pennies", "The toll is two pennies"]);
    assert_eq!(home.run(&["memory", "undo"]).code, 0);
    assert_eq!(home.json(&["memory", "get", &id]).json()["content"], "The toll is two pennies");
}

#[test]
fn undo_reverts_an_addition_and_then_finds_nothing_to_undo() {
    let home = Home::with_workspace();
    home.add("said too soon");
    assert_eq!(home.run(&["memory", "undo"]).code, 0);
    assert_eq!(home.texts(), Vec::<String>::new());
    let nothing = home.json(&["memory", "undo"]);
    assert_eq!((nothing.code, &nothing.error()["code"]), (1, &"nothing_to_undo".into()));
}

#[test]
fn a_stale_edit_is_refused_with_both_versions() {
    let home = Home::with_workspace();
    let id = home.add("white moths");
    assert_eq!(home.run(&["memory", "edit", &id, "--content", "grey moths", "--version", "1"]).code, 0);
    let stale = home.json(&["memory", "edit", &id, "--content", "blue moths", "--version", "1"]);
    let error = stale.error();
    assert_eq!((stale.code, &error["code"]), (1, &"stale_version".into()));
    assert_eq!(error["details"]["current"]["content"], "grey moths");
    assert_eq!(error["details"]["yoursContent"], "blue moths");
    assert!(!error["message"].as_str().expect("a sentence").contains("moths"), "no memory text in messages");
}

#[test]
fn a_forgotten_memory_is_not_listed_until_it_is_restored() {
    let home = Home::with_workspace();
    let id = home.add("quillwort by the sluice");
    assert_eq!(home.run(&["memory", "forget", &id]).code, 0);
    assert_eq!(home.texts(), Vec::<String>::new());
    let detail = home.json(&["memory", "get", &id]).json();
    assert!(detail["forgotten"]["reason"].is_string());
    assert_eq!(home.run(&["memory", "restore", &id]).code, 0);
    assert_eq!(home.texts(), ["quillwort by the sluice"]);
}

#[test]
fn a_list_continues_after_its_cursor_without_gap_or_repetition() {
    let home = Home::with_workspace();
    let lines = (0..25).map(|n| format!("{{\"text\":\"turn {n}\"}}\n")).collect::<Vec<_>>().concat();
    let file = home.file("turns.jsonl", lines);
    home.json(&["memory", "import-jsonl", "--scope", "workspace", &file]).json();
    let (mut seen, mut after) = (std::collections::BTreeSet::new(), None::<String>);
    for _ in 0..10 {
        let mut args = vec!["memory", "list", "--limit", "7"];
        if let Some(after) = &after {
            args.extend(["--after", after.as_str()]);
        }
        let page = home.json(&args).json();
        for row in page["rows"].as_array().expect("rows") {
            assert!(seen.insert(row["id"].to_string()), "{row} came twice");
        }
        after = page["next"].as_str().map(str::to_owned);
        if after.is_none() {
            break;
        }
    }
    assert_eq!(seen.len(), 25);
    let text = home.run(&["memory", "list", "--limit", "7"]).stdout;
    assert!(text.lines().last().is_some_and(|line| line.starts_with("next: ")), "{text}");
}

#[test]
fn search_marks_the_matches_and_explains_the_score() {
    let home = Home::with_workspace();
    home.add("The drowned quarter is mapped in blue ink");
    let text = home.run(&["memory", "search", "drowned", "--explain"]);
    assert!(text.stdout.contains("**drowned**") && text.stdout.contains("rank 1"), "{}", text.stdout);
    let found = home.json(&["memory", "search", "drowned quarter", "--explain"]).json();
    let hit = &found["hits"][0];
    let parts = hit["explanation"]["contributions"].as_array().expect("parts");
    let sum: f64 = parts.iter().filter_map(|part| part["score"].as_f64()).sum();
    assert!((sum - hit["score"].as_f64().expect("a score")).abs() < 1e-9);
}

#[test]
fn a_write_creates_an_unknown_channel_and_a_search_refuses_it() {
    let home = Home::with_workspace();
    let added = home.run(&["memory", "add", "--scope", "channel", "--channel", "plots", "The weir breaks"]);
    assert!(added.stderr.contains("plots") && added.stdout.trim_end().len() == 36, "{}", added.stderr);
    let found = home.json(&["memory", "search", "weir", "--channel", "PLOTS"]).json();
    assert_eq!(found["hits"][0]["row"]["channelName"], "plots");
    let unknown = home.json(&["memory", "search", "weir", "--channel", "places"]);
    assert_eq!((unknown.code, &unknown.error()["code"]), (1, &"not_found".into()));
}

#[test]
fn a_closed_output_pipe_is_not_an_error() {
    let home = Home::with_workspace();
    home.add("a line");
    let unread = home.run_unread(&["memory", "list"]);
    assert_eq!((unread.code, unread.stderr.as_str()), (0, ""));
}

#[test]
fn a_search_by_meaning_leaves_no_files_of_the_model_library() {
    let home = Home::with_workspace();
    let silent_one = home.folder_for_caches();
    let found = home.run_with_model(&["--json", "memory", "search", &"who keeps the keys ".repeat(500)]);
    if found.json()["mode"] == "text" {
        return; // no model on this machine; the setup script brings it
    }
    let left: Vec<_> = std::fs::read_dir(&silent_one).expect("a folder").filter_map(Result::ok).collect();
    assert!(left.is_empty(), "the model's library left {left:?}");
}

#[test]
fn the_chosen_strategy_applies_to_every_search() {
    let home = Home::with_workspace();
    home.add("The gate is iron");
    let known = home.json(&["memory", "strategy"]).json();
    let names = known["strategies"].as_array().expect("names").clone();
    assert_eq!(known["strategy"], names[0]);
    for name in &names {
        let name = name.as_str().expect("a name");
        assert_eq!(home.json(&["memory", "strategy", name]).json()["strategy"], name);
        assert_eq!(home.json(&["memory", "search", "gate"]).json()["strategy"], name);
        let overridden = home.json(&["memory", "search", "gate", "--strategy", "rrf"]).json();
        assert_eq!(overridden["strategy"], "rrf", "a search that names one has it");
        let reported = home.run(&["memory", "strategy"]);
        assert_eq!(reported.stdout.lines().next(), Some(name));
    }
    let refused = home.json(&["memory", "strategy", "luck"]).error();
    assert_eq!(refused["code"], "invalid");
    assert_eq!(home.json(&["memory", "strategy"]).json()["strategy"], *names.last().expect("a name"));
}

#[test]
fn orient_explains_for_any_memory_why_it_is_shown_or_not() {
    let home = Home::with_workspace();
    let gate = home.add("The iron gate of Veyra is tall");
    let salt = home.add("Salt is dear this year");
    let why = |id: &str| home.json(&["orient", "--query", "iron gate", "--why", id]).json();
    let shown = why(&gate);
    assert_eq!(
        (&shown["rule"], &shown["layer"], &shown["rank"]),
        (&"taken".into(), &"workspace".into(), &1.into())
    );
    let parts = shown["parts"].as_array().expect("parts");
    let sum: f64 = parts.iter().filter_map(|part| part["score"].as_f64()).sum();
    assert!((sum - shown["score"].as_f64().expect("a score")).abs() < 1e-9);
    let not_shown = why(&salt);
    assert_eq!((&not_shown["rule"], &not_shown["rank"]), (&"no_match".into(), &serde_json::Value::Null));
    assert_eq!(home.run(&["memory", "forget", &gate]).code, 0);
    assert_eq!(why(&gate)["rule"], "forgotten");
    let reported = home.run(&["orient", "--query", "iron gate", "--why", &salt]);
    assert_eq!(reported.code, 0);
    assert!(
        reported.stdout.starts_with("[workspace] left out: neither its words nor its meaning"),
        "{}",
        reported.stdout
    );
    let unknown = home.json(&["orient", "--why", "0193f0c0-0000-7000-8000-00000000ffff"]).error();
    assert_eq!(unknown["code"], "not_found");
    for bad in [["--why", "gate"], ["--orientation", "0193f0c0-0000-7000-8000-00000000ffff"]] {
        assert_ne!(home.run(&["orient", bad[0], bad[1]]).code, 0);
    }
}
