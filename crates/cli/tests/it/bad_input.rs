//! What is refused, and how.

use crate::support::Home;

const UNKNOWN: &str = "0190a3c2-0000-7000-8000-000000000000";

#[test]
fn usage_errors_exit_with_2_and_failures_with_1() {
    let home = Home::with_workspace();
    for args in [
        &["memory", "frobnicate"][..],
        &["--no-such-flag"],
        &["memory", "add"],
        &["memory", "add", "--scope", "galaxy", "x"],
        &["memory", "add", "--scope", "workspace", "--curator", "import", "x"],
        &["memory", "add", "--scope", "workspace", "--importance", "much", "x"],
        &["memory", "list", "--limit", "0"],
    ] {
        let ran = home.run(args);
        assert_eq!((ran.code, ran.stdout.as_str()), (2, ""), "{args:?}");
        let json = home.json(args);
        let error = json.error();
        assert_eq!((json.code, &error["code"]), (2, &"usage".into()), "{args:?}");
        assert!(error["message"].is_string(), "{error}");
    }
    let failed = home.run(&["memory", "get", UNKNOWN]);
    assert!(failed.code == 1 && failed.stderr.starts_with("error: "), "{}", failed.stderr);
}

#[test]
fn help_and_version_are_answers() {
    let home = Home::new();
    for flag in ["--help", "--version"] {
        let ran = home.run(&[flag]);
        assert!(ran.code == 0 && ran.stdout.contains("inklings"), "{flag}");
    }
    assert!(!home.data().exists(), "asking for help makes no folder");
}

#[test]
fn a_bad_memory_is_refused_with_its_field_and_nothing_is_written() {
    let home = Home::with_workspace();
    let long = "é".repeat(32 * 1024 + 1);
    let cases: [(&[&str], &str); 6] = [
        (&[""], "content"),
        (&[" \n\t "], "content"),
        (&[&long], "content"),
        (&["--importance", "NaN", "x"], "importance"),
        (&["--importance", "-0.5", "x"], "importance"),
        (&["--tag", "a\u{202E}b", "x"], "tag"),
    ];
    for (args, field) in cases {
        let refused = home.json(&[&["memory", "add", "--scope", "workspace"], args].concat());
        let error = refused.error();
        assert_eq!((refused.code, &error["code"]), (1, &"invalid".into()), "{field}");
        assert_eq!(error["details"]["field"], field);
    }
    let refused = home.json(&["memory", "add", "--scope", "channel", "--channel", "nowhere", ""]);
    assert_eq!(refused.error()["code"], "invalid");
    let listed = home.json(&["memory", "list", "--channel", "nowhere"]);
    assert_eq!(listed.error()["code"], "not_found", "not even its channel was made");
    assert_eq!(home.texts(), Vec::<String>::new());
}

#[test]
fn standard_input_that_is_not_utf_8_is_refused_as_what_it_is() {
    let home = Home::with_workspace();
    let id = home.add("kept");
    let started = home.json(&["conversation", "start"]).json();
    let code = started["refCode"].as_str().expect("a code");
    let one = home.data().with_file_name("one.mem");
    let one = one.to_str().expect("a plain path");
    for args in [
        &["memory", "add", "--scope", "workspace", "-"][..],
        &["memory", "edit", &id, "--content", "-"],
        &["named", "write", "VOICE", "-"],
        &["conversation", "say", code, "--no-answer", "-"],
        &["proposal", "accept", UNKNOWN, "--text", "-"],
        &["calendar", "add", "Common", "--file", "-"],
        &["file", "add", one, "One", "-"],
        &["file", "write", one, "One", "-"],
    ] {
        let ran = home.run_with_bytes(&[&["--json"], args].concat(), Some(b"half \xFF"));
        let error = ran.error();
        assert_eq!((ran.code, &error["code"]), (1, &"invalid".into()), "{args:?} {error}");
        assert_eq!(error["message"], "Standard input is not valid UTF-8.", "{args:?}");
    }
    assert_eq!(home.texts(), ["kept"]);
    assert!(!std::path::Path::new(one).exists());
}

#[test]
fn unknown_ids_are_not_found_and_no_ids_are_invalid() {
    let home = Home::with_workspace();
    for verb in ["get", "forget", "restore", "history"] {
        assert_eq!(home.json(&["memory", verb, UNKNOWN]).error()["code"], "not_found", "{verb}");
        assert_eq!(home.json(&["memory", verb, "seven"]).error()["code"], "invalid", "{verb}");
    }
    assert_eq!(home.json(&["memory", "edit", UNKNOWN, "--content", "x"]).error()["code"], "not_found");
    assert_eq!(home.json(&["memory", "list", "--after", "nonsense"]).error()["code"], "invalid");
    assert_eq!(home.json(&["--workspace", "Nowhere", "memory", "list"]).error()["code"], "not_found");
}

#[test]
fn any_string_is_a_query() {
    let home = Home::with_workspace();
    home.add("A note with \"quotes\" and 100% (parens)");
    let (words, letters) = ("word ".repeat(2_000), "x".repeat(10_000));
    let strings = [
        "\"",
        "'",
        "AND",
        "a OR",
        "NOT",
        "NEAR(a b)",
        "*",
        "%_*\"()^:-",
        "a:b",
        "-x",
        "^x",
        "{}[]",
        "\\",
        "😀",
        "日本",
        "a\u{202E}b",
        " ",
        "",
        "--",
        &words,
        &letters,
    ];
    for query in strings {
        let found = home.json(&["memory", "search", "--", query]).json();
        assert!(found["hits"].is_array(), "{query}");
    }
    let found = home.json(&["memory", "search", "100% (parens)"]).json();
    assert!(found["hits"][0]["row"]["preview"].as_str().is_some_and(|text| text.contains("100% (parens)")));
    assert_eq!(home.json(&["memory", "search", "-x"]).code, 0, "a minus in front is part of the query");
}

#[test]
fn an_unknown_strategy_is_refused_with_the_choices() {
    let home = Home::with_workspace();
    let refused = home.json(&["memory", "search", "gate", "--strategy", "luck"]);
    let error = refused.error();
    assert_eq!(error["code"], "invalid");
    assert!(error["message"].as_str().is_some_and(|text| text.contains("rrf")), "{error}");
}

#[test]
fn doctor_reports_no_fault_of_a_healthy_folder_and_the_faults_of_a_damaged_one() {
    let home = Home::with_workspace();
    home.add("kept");
    let well = home.json(&["doctor"]);
    let findings = well.json();
    assert!(findings.as_array().is_some_and(|all| !all.is_empty() && all.iter().all(|f| f["ok"] == true)));

    let account = home.data().join("agents.db");
    for suffix in ["-wal", "-shm"] {
        let _ = std::fs::remove_file(format!("{}{suffix}", account.display()));
    }
    let junk = b"These are notes, not a database.\n".repeat(200);
    std::fs::write(&account, &junk).expect("written");
    let sick = home.run(&["--json", "doctor"]);
    assert_eq!(sick.code, 1);
    let findings: serde_json::Value = serde_json::from_str(&sick.stdout).expect("the findings all the same");
    assert!(findings.as_array().is_some_and(|all| all.iter().any(|f| f["ok"] == false)));
    assert_eq!(home.json(&["memory", "list"]).error()["code"], "corrupt");
    assert_eq!(std::fs::read(&account).expect("still there"), junk, "and nothing is overwritten");
}
