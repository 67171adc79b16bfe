//! Where an export may be written.

use std::{
    fs,
    path::{Path, PathBuf},
};

use crate::support::{Home, Ran};

/// A world with a linked vault that holds one page.
fn home_with_vault() -> (Home, PathBuf) {
    let home = Home::with_workspace();
    home.add("kept");
    let vault = home.data().with_file_name("vault");
    fs::create_dir(&vault).expect("a folder");
    fs::write(vault.join("Page.md"), "The author's page.").expect("written");
    assert_eq!(home.run(&["vault", "link", text(&vault)]).code, 0);
    // A vault is spared by the exports of every world.
    assert_eq!(home.run(&["workspace", "create", "Elsewhere"]).code, 0);
    (home, vault)
}

fn text(path: &Path) -> &str {
    path.to_str().expect("a plain path")
}

fn refused_at(ran: &Ran, field: &str) {
    let error = ran.error();
    assert_eq!(
        (ran.code, &error["code"], &error["details"]["field"]),
        (1, &"invalid".into(), &field.into()),
        "{error}"
    );
}

/// The databases below a folder.
fn databases(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).expect("a folder").filter_map(Result::ok) {
        let path = entry.path();
        if path.is_dir() {
            found.extend(databases(&path));
        } else if path.extension().is_some_and(|ending| ending == "db") {
            found.push(path);
        }
    }
    found
}

/// The bytes of a database can change when it is opened.
fn is_database(path: &Path) -> bool {
    fs::read(path).expect("read").starts_with(b"SQLite format 3\0")
}

#[test]
fn an_export_replaces_no_database() {
    let (home, _) = home_with_vault();
    let found = databases(&home.data());
    let held = |name: &str| found.iter().any(|path| path.ends_with(name));
    assert!(found.len() >= 3 && held("data/agents.db"), "the account and its worlds: {found:?}");
    for path in &found {
        for more in [&[][..], &["--replace"], &["--dry-run"]] {
            refused_at(&home.json(&[&["export", text(path)], more].concat()), "path");
        }
        assert!(is_database(path), "{}", path.display());
    }
    refused_at(&home.json(&["export", text(&home.data().join("new.json"))]), "path");
    assert_eq!(
        home.json(&["--workspace", "Harrowgate", "memory", "list"]).json()["rows"][0]["preview"],
        "kept"
    );
}

#[cfg(unix)]
#[test]
fn an_export_reaches_no_database_through_a_link() {
    let (home, _) = home_with_vault();
    let link = home.data().with_file_name("link");
    std::os::unix::fs::symlink(home.data(), &link).expect("a link");
    let account = home.data().join("agents.db");
    refused_at(&home.json(&["export", text(&link.join("agents.db")), "--replace"]), "path");
    let file = home.data().with_file_name("file.json");
    std::os::unix::fs::symlink(&account, &file).expect("a link");
    refused_at(&home.json(&["export", text(&file), "--replace"]), "path");
    assert!(is_database(&account));
}

#[test]
fn an_export_writes_nothing_into_a_linked_vault_of_any_world() {
    let (home, vault) = home_with_vault();
    let (page, folder) = (vault.join("Page.md"), vault.join("out"));
    for world in ["Harrowgate", "Elsewhere"] {
        let export = |args: &[&str]| home.json(&[&["--workspace", world, "export"], args].concat());
        refused_at(&export(&[text(&page), "--replace"]), "path");
        refused_at(&export(&[text(&vault.join("new.json"))]), "path");
        refused_at(&export(&[text(&folder), "--format", "markdown"]), "path");
    }
    assert_eq!(fs::read_to_string(&page).expect("read"), "The author's page.");
    assert_eq!(fs::read_dir(&vault).expect("a folder").count(), 1);
}

#[test]
fn a_card_does_not_replace_the_picture_it_is_made_from() {
    let home = Home::with_workspace();
    let picture = home.file("p.png", "a picture");
    let card = ["export", &picture, "--format", "character_card", "--picture", &picture, "--replace"];
    refused_at(&home.json(&card), "path");
    assert_eq!(fs::read_to_string(&picture).expect("read"), "a picture");
}

#[test]
fn an_export_replaces_a_file_only_on_request() {
    let home = Home::with_workspace();
    let out = home.file("out.json", "of somebody");
    refused_at(&home.json(&["export", &out]), "replace");
    assert_eq!(fs::read_to_string(&out).expect("read"), "of somebody");
    assert_eq!(home.json(&["export", &out, "--replace"]).code, 0);
    assert_ne!(fs::read_to_string(&out).expect("read"), "of somebody");
}
