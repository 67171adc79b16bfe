//! Backups, scrubs and the audit log, verb by verb.

use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::support::{Home, Ran};

fn backups(home: &Home) -> Vec<Value> {
    home.json(&["backup", "list"]).json()["rows"].as_array().expect("rows").clone()
}

fn made(home: &Home) -> String {
    home.json(&["backup", "now"]).json()["id"].as_str().expect("an id").to_owned()
}

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() { files(&path, found) } else { found.push(path) }
    }
}

/// The files of the data folder that hold a word.
fn holding(home: &Home, word: &str) -> Vec<PathBuf> {
    let mut all = Vec::new();
    files(&home.data(), &mut all);
    let holds = |path: &PathBuf| {
        std::fs::read(path).is_ok_and(|bytes| bytes.windows(word.len()).any(|part| part == word.as_bytes()))
    };
    all.into_iter().filter(holds).collect()
}

fn account_file(home: &Home) -> PathBuf {
    home.data().join("agents.db")
}

/// Orders what a preview shows.
fn scrub(home: &Home, what: &[&str], more: &[&str]) -> Ran {
    let manifest = home.json(&[&["scrub"], what].concat()).json();
    let (hash, phrase) = (manifest["hash"].as_str().expect("a hash"), manifest["phrase"].as_str());
    let order = ["--execute", hash, "--phrase", phrase.expect("a phrase")];
    home.json(&[&["scrub"], what, &order[..], more].concat())
}

#[test]
fn a_backup_is_created_listed_checked_restored_and_purged() {
    let home = Home::with_workspace();
    home.add("before");
    let set = made(&home);
    home.add("after");
    let rows = backups(&home);
    assert_eq!((rows.len(), &rows[0]["id"], &rows[0]["reason"]), (1, &set.as_str().into(), &"asked".into()));
    assert_eq!((&rows[0]["account"], &rows[0]["workspaces"][0]), (&true.into(), &"Harrowgate".into()));
    assert_eq!(home.json(&["backup", "check", &set]).json()["ok"], true);
    let done = home.json(&["backup", "restore", &set]).json();
    assert_eq!(done["restored"]["id"], set.as_str());
    assert_eq!(home.texts(), ["before"]);
    let before = done["before"]["id"].as_str().expect("an id");
    assert_eq!(home.json(&["backup", "restore", before]).code, 0);
    assert_eq!(home.texts(), ["after", "before"], "a restore is itself taken back");
    assert_eq!(home.json(&["backup", "purge", &set]).json()["purged"], set.as_str());
    assert!(!backups(&home).iter().any(|row| row["id"] == set.as_str()));
    let acts = home.json(&["audit", "list"]).json();
    let acts: Vec<&Value> = acts["rows"].as_array().expect("rows").iter().map(|row| &row["act"]).collect();
    assert!(acts.contains(&&"purge_backup".into()) && acts.contains(&&"restore".into()), "{acts:?}");
}

#[test]
fn backups_that_are_not_there_or_not_whole_are_refused_in_json() {
    let home = Home::with_workspace();
    home.add("kept");
    for name in ["20261121T120000000Z-asked", "../../agents.db", ""] {
        for verb in ["check", "restore", "purge"] {
            let refused = home.json(&["backup", verb, "--", name]);
            assert_eq!((refused.code, &refused.error()["code"]), (1, &"not_found".into()), "{verb} {name}");
        }
    }
    let set = made(&home);
    let copy = home.data().join("backups/sets").join(&set).join("agents.db");
    let mut bytes = std::fs::read(&copy).expect("a copy");
    bytes[200] ^= 0xff;
    std::fs::write(&copy, bytes).expect("damaged");
    let checked = home.json(&["backup", "check", &set]);
    assert_eq!(checked.code, 1);
    assert!(checked.stderr.contains("corrupt"), "{}", checked.stderr);
    assert_eq!(home.json(&["backup", "restore", &set]).error()["code"], "corrupt");
    assert_eq!(home.texts(), ["kept"], "nothing has changed");
}

#[test]
fn a_damaged_account_is_reported_and_restored_and_its_log_records_the_new_beginning() {
    let home = Home::with_workspace();
    home.add("kept");
    let set = made(&home);
    assert_eq!(home.json(&["backup", "damaged"]).json(), Value::Array(Vec::new()));
    assert_eq!(home.json(&["audit", "verify"]).json()[0]["anew"], Value::Null);
    for suffix in ["-wal", "-shm"] {
        let _ = std::fs::remove_file(format!("{}{suffix}", account_file(&home).display()));
    }
    std::fs::write(account_file(&home), "this was a database once".repeat(300)).expect("damaged");
    let refused = home.json(&["memory", "list"]).error();
    assert_eq!(refused["code"], "corrupt");
    let reported = home.json(&["backup", "damaged"]).json();
    assert_eq!(
        (&reported[0]["file"], &reported[0]["newest"]["id"]),
        (&"agents.db".into(), &set.as_str().into())
    );
    let done = home.json(&["backup", "restore", &set]).json();
    assert_eq!(home.texts(), ["kept"]);
    let chains = home.json(&["audit", "verify"]);
    assert_eq!(chains.code, 0, "{}", chains.stderr);
    let account = &chains.json()[0];
    assert_eq!((&account["ok"], &account["anew"]["why"]), (&true.into(), &"damaged".into()));
    let plain = home.run(&["audit", "verify"]);
    assert!(
        plain.stdout.contains("whole, but began anew at row 1 from a backup (damaged)"),
        "{}",
        plain.stdout
    );
    // What was set aside may hold anything: it goes with the backup that was made then, and with nothing else.
    assert_eq!(holding(&home, "a database once").len(), 1);
    let before = done["before"]["id"].as_str().expect("an id");
    assert!(backups(&home).iter().any(|row| row["id"] == before));
    assert_eq!(home.json(&["backup", "purge", before]).code, 0);
    assert_eq!(holding(&home, "a database once"), Vec::<PathBuf>::new());
    assert!(!backups(&home).iter().any(|row| row["id"] == before));
}

#[test]
fn each_tier_is_previewed_and_scrubbed_under_its_own_phrase() {
    let home = Home::with_workspace();
    let code = home.run(&["conversation", "start"]).stdout.trim().to_owned();
    let add = |scope: &[&str], text: &str| {
        let ran = home.run(&[&["memory", "add", "--scope"], scope, &["--", text]].concat());
        assert_eq!(ran.code, 0, "{}", ran.stderr);
    };
    add(&["account"], "Quillonbreach likes tea.");
    add(&["workspace"], "Vesperglass sings of old wars.");
    add(&["channel", "--channel", "general"], "Ashenmoore burned down.");
    add(&["conversation", "--conversation", &code], "Mourningcairn comes next.");
    assert_eq!(home.run(&["conversation", "say", &code, "--no-answer", "Who is Saltwraith?"]).code, 0);
    for (what, word, phrase) in [
        (&["account"][..], "Quillonbreach", "scrub account"),
        (&["workspace"], "Vesperglass", "scrub workspace"),
        (&["channel", "general"], "Ashenmoore", "scrub channel"),
        (&["conversation", &code], "Mourningcairn", "scrub conversation"),
        (&["purge", &code], "Saltwraith", "purge conversation"),
    ] {
        let preview = home.json(&[&["scrub"], what].concat()).json();
        assert_eq!(preview["phrase"], phrase);
        assert!(preview["total"].as_u64() > Some(0), "{preview}");
        assert!(!holding(&home, word).is_empty(), "a preview changes nothing");
        let done = scrub(&home, what, &["--mode", "full"]);
        assert!(done.code != 0, "the mode is part of what the hash stands for");
        let done = scrub(&home, what, &[]).json();
        assert_eq!((&done["proof"]["ok"], &done["proof"]["residues"]), (&true.into(), &0.into()));
        assert_eq!(holding(&home, word), Vec::<PathBuf>::new(), "{word}");
    }
    let log = home.json(&["audit", "list"]).json();
    let acts: Vec<&Value> = log["rows"].as_array().expect("rows").iter().map(|row| &row["act"]).collect();
    assert_eq!(acts.iter().filter(|act| **act == "scrub").count(), 4);
    assert_eq!(home.json(&["audit", "verify"]).code, 0);
}

#[test]
fn a_scrub_without_a_current_preview_is_refused_and_deletes_nothing() {
    let home = Home::with_workspace();
    home.add("Vesperglass sings.");
    let manifest = home.json(&["scrub", "workspace"]).json();
    let hash = manifest["hash"].as_str().expect("a hash");
    let order = |hash: &str, phrase: &str| {
        home.json(&["scrub", "workspace", "--execute", hash, "--phrase", phrase]).error()
    };
    let wrong = order(hash, "scrub account");
    assert_eq!((&wrong["code"], &wrong["details"]["field"]), (&"invalid".into(), &"phrase".into()));
    assert_eq!(order(&"0".repeat(64), "scrub workspace")["code"], "stale_version");
    home.add("Another.");
    assert_eq!(order(hash, "scrub workspace")["code"], "stale_version", "something changed in between");
    assert_eq!(home.json(&["scrub", "workspace", "--execute", hash]).code, 2, "the phrase is missing");
    assert_eq!(home.json(&["scrub", "channel", "nowhere"]).error()["code"], "not_found");
    assert_eq!(home.json(&["scrub", "purge", "AAAAAAAAAA"]).error()["code"], "not_found");
    assert_eq!(home.json(&["scrub", "conversation", "AAAAAAAAAA"]).error()["code"], "not_found");
    assert_eq!(home.texts().len(), 2);
}

#[test]
fn scrubbed_texts_remain_in_backups_until_these_are_purged() {
    let home = Home::with_workspace();
    home.add("Vesperglass sings.");
    let done = scrub(&home, &["workspace"], &["--backup"]);
    let done = done.json();
    let set = done["backupId"].as_str().expect("a backup was made first").to_owned();
    assert_eq!(holding(&home, "Vesperglass").len(), 1, "in the backup alone");
    let again = home.run(&["scrub", "workspace"]);
    assert!(again.stdout.contains("0 rows"), "{}", again.stdout);
    for row in backups(&home) {
        assert_eq!(home.run(&["backup", "purge", row["id"].as_str().expect("an id")]).code, 0);
    }
    assert_eq!(holding(&home, "Vesperglass"), Vec::<PathBuf>::new());
    assert_eq!(home.json(&["backup", "restore", &set]).error()["code"], "not_found");
}

#[test]
fn an_undo_after_a_scrub_reports_the_scrub() {
    let home = Home::with_workspace();
    assert_eq!(home.json(&["memory", "undo"]).error()["code"], "nothing_to_undo");
    home.add("Vesperglass sings.");
    assert_eq!(scrub(&home, &["workspace"], &[]).code, 0);
    let refused = home.json(&["memory", "undo"]).error();
    assert_eq!(refused["code"], "nothing_to_undo");
    assert!(refused["message"].as_str().is_some_and(|text| text.contains("scrubbed")), "{refused}");
}

#[test]
fn scrubbing_a_memory_or_subject_lists_the_other_places_that_hold_it() {
    let home = Home::with_workspace();
    let code = home.run(&["conversation", "start"]).stdout.trim().to_owned();
    home.add("Oskar hid the ledger in Quillonbreach.");
    home.add("Vesperglass sings of old wars.");
    let account = home.run(&["memory", "add", "--scope", "account", "--", "I based Oskar on an uncle."]);
    assert_eq!(account.code, 0, "{}", account.stderr);
    assert_eq!(home.run(&["conversation", "say", &code, "--no-answer", "Who is Oskar?"]).code, 0);
    let set = made(&home);
    let preview = home.json(&["scrub", "subject", "oskar"]).json();
    let also = &preview["alsoFound"];
    // Its message, and the title that was made of it.
    assert_eq!(
        (&also["conversations"][0]["refCode"], &also["conversations"][0]["rows"]),
        (&code.into(), &2.into())
    );
    assert_eq!(also["accountMemories"].as_array().map(Vec::len), Some(1), "{also}");
    assert_eq!(preview["backups"][0]["id"], set.as_str());
    let done = scrub(&home, &["subject", "oskar"], &[]).json();
    assert_eq!((&done["proof"]["ok"], &done["manifest"]["counts"][0]["rows"]), (&true.into(), &1.into()));
    let held: Vec<PathBuf> = holding(&home, "Quillonbreach");
    assert!(
        !held.is_empty() && held.iter().all(|path| path.to_string_lossy().contains("backups")),
        "{held:?}"
    );
    assert_eq!(scrub(&home, &["subject", "oskar", "--account"], &[]).json()["proof"]["ok"], true);
    assert_eq!(home.texts(), ["Vesperglass sings of old wars."]);
    let id = home.json(&["memory", "list"]).json()["rows"][0]["id"].as_str().expect("an id").to_owned();
    assert_eq!(scrub(&home, &["memory", &id], &[]).json()["manifest"]["title"], "One memory");
    assert_eq!(holding(&home, "Vesperglass").len(), 1, "in the backup alone");
    let log = home.run(&["audit", "list"]);
    assert!(
        !log.stdout.to_lowercase().contains("oskar"),
        "the log keeps what it says for good: {}",
        log.stdout
    );
    assert_eq!(home.json(&["scrub", "subject", "O"]).error()["code"], "invalid");
    assert_eq!(home.json(&["scrub", "memory", &id]).error()["code"], "not_found");
}
