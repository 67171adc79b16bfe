//! Workspaces.

use std::path::Path;

use crate::support::Home;

fn names(home: &Home) -> Vec<String> {
    let all = home.json(&["workspace", "list"]).json();
    all.as_array().expect("a list").iter().map(|w| w["name"].as_str().expect("a name").to_owned()).collect()
}

/// Whether any file below a folder holds these bytes.
fn holds(folder: &Path, bytes: &[u8]) -> bool {
    std::fs::read_dir(folder).into_iter().flatten().filter_map(Result::ok).any(|entry| {
        let path = entry.path();
        if path.is_dir() {
            holds(&path, bytes)
        } else {
            std::fs::read(&path).is_ok_and(|data| data.windows(bytes.len()).any(|part| part == bytes))
        }
    })
}

#[test]
fn a_first_write_creates_a_first_workspace_and_reports_it() {
    let home = Home::new();
    let added = home.run(&["memory", "add", "--scope", "workspace", "the first"]);
    assert_eq!(added.code, 0, "{}", added.stderr);
    assert!(added.stderr.contains("My World"), "{}", added.stderr);
    assert_eq!(names(&home), ["My World"]);
    assert_eq!(home.run(&["memory", "list"]).stderr, "", "it says so once");
}

#[test]
fn a_workspace_is_created_listed_renamed_and_deleted() {
    let home = Home::with_workspace();
    let id = home.json(&["workspace", "list"]).json()[0]["id"].as_str().expect("an id").to_owned();
    assert_eq!(home.run(&["workspace", "rename", "harrowgate", "Vell"]).code, 0);
    assert_eq!(names(&home), ["Vell"]);
    assert_eq!(home.run(&["--workspace", &id, "memory", "list"]).code, 0, "its id still opens it");
    assert_eq!(home.run(&["workspace", "delete", "Vell"]).code, 0);
    assert_eq!(names(&home), Vec::<String>::new());
    assert_eq!(home.json(&["workspace", "delete", "Vell"]).error()["code"], "not_found");
}

#[test]
fn a_memory_of_one_workspace_is_not_seen_in_another_unless_it_is_the_accounts() {
    let home = Home::with_workspace();
    assert_eq!(home.run(&["workspace", "create", "Elsewhere"]).code, 0);
    let add =
        |scope, text| home.run(&["--workspace", "Harrowgate", "memory", "add", "--scope", scope, text]).code;
    assert_eq!((add("workspace", "here alone"), add("account", "everywhere")), (0, 0));
    let there = home.json(&["--workspace", "Elsewhere", "memory", "list"]).json();
    let rows = there["rows"].as_array().expect("rows");
    assert_eq!((rows.len(), &rows[0]["preview"]), (1, &"everywhere".into()));
}

#[test]
fn names_that_are_unsafe_on_some_system_are_refused() {
    let home = Home::with_workspace();
    let long = "x".repeat(300);
    for name in ["../x", "CON", "a/b", "a\\b", "", " ", ".", "nul.txt", "a\u{202E}b", &long, "trailing. "] {
        let refused = home.json(&["workspace", "create", "--", name]);
        assert_eq!((refused.code, &refused.error()["code"]), (1, &"invalid".into()), "{name:?}");
    }
    assert_eq!(home.json(&["workspace", "create", "HARROWGATE"]).error()["code"], "already_exists");
    assert_eq!(names(&home), ["Harrowgate"]);
}

#[test]
fn a_purged_workspace_leaves_nothing_on_the_disk() {
    let home = Home::with_workspace();
    assert_eq!(home.run(&["workspace", "create", "Shortlived"]).code, 0);
    let add = ["--workspace", "Shortlived", "memory", "add", "--scope", "workspace", "zanzibarquux was here"];
    assert_eq!(home.run(&add).code, 0);
    assert!(holds(&home.data(), b"zanzibarquux"), "the test can see what it looks for");
    let id = home.json(&["workspace", "list"]).json();
    let id = id.as_array().and_then(|all| all.iter().find(|w| w["name"] == "Shortlived"));
    let id = id.and_then(|w| w["id"].as_str()).expect("listed").to_owned();
    assert_eq!(home.run(&["workspace", "delete", "Shortlived", "--purge"]).code, 0);
    assert!(!holds(&home.data(), b"zanzibarquux"));
    assert!(!holds(&home.data(), b"Shortlived"), "nor its name");
    assert!(!home.data().join("workspaces").join(id).exists());
}
