//! Folders: what is read in them and what is not, and where files are written.

use std::{fs, path::Path};

use inklings_formats::entries::{
    Collection, Format, FormatError, ThirdPartyEntry, open_entries, write_folder,
};

fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    for (path, text) in files {
        let path = folder.path().join(path);
        fs::create_dir_all(path.parent().expect("a parent")).expect("made");
        fs::write(path, text).expect("written");
    }
    folder
}

fn named(name: &str) -> ThirdPartyEntry {
    ThirdPartyEntry { name: Some(name.to_owned()), content: "Text".to_owned(), ..ThirdPartyEntry::default() }
}

fn ids(found: &Collection) -> Vec<&str> {
    found.entries.iter().filter_map(|entry| entry.external_id.as_deref()).collect()
}

/// What is left behind, as kind and path.
fn left(found: &Collection) -> Vec<(&str, &str)> {
    found.left_behind.iter().map(|left| (left.what, left.path.as_str())).collect()
}

#[test]
fn an_obsidian_vault_is_read_and_files_other_than_notes_are_listed() {
    let vault = folder(&[
        (".obsidian/app.json", "{}"),
        (".trash/Old.md", "Deleted"),
        ("people/Ama.md", "---\naliases: [the queen, Her Grace]\ntags: [court]\n---\nRules [[Ambry]]."),
        ("people/portrait.PNG", ""),
        ("map.canvas", "{}"),
        ("map.excalidraw.md", "# Text Elements"),
        ("sheet.pdf", ""),
    ]);
    for format in [None, Some(Format::Markdown)] {
        let found = open_entries(vault.path(), format).expect("reads");
        let [ama] = found.entries.as_slice() else { panic!("{:?}", ids(&found)) };
        assert_eq!((ama.name.as_deref(), ama.content.as_str()), (Some("Ama"), "Rules [[Ambry]]."));
        assert_eq!(
            (&*ama.aliases, &*ama.tags),
            (&["the queen".to_owned(), "Her Grace".to_owned()][..], &["court".to_owned()][..])
        );
        let expected = [
            ("canvas", "map.canvas"),
            ("drawing", "map.excalidraw.md"),
            ("picture", "people/portrait.PNG"),
            ("attachment", "sheet.pdf"),
            ("settings", ".obsidian"),
            ("deleted note", ".trash/Old.md"),
        ];
        assert_eq!(left(&found), expected);
    }
}

#[test]
fn a_single_note_is_identified_by_its_name_and_written_back_unchanged() {
    let text = "[[Ambry]] is ruled by Ama.\r\n\r\n- and salt\r\n";
    let book = r#"{"entries": {"0": {"uid": 0, "key": [], "comment": "Sel", "content": "A river."}}}"#;
    let notes = folder(&[("Ama.md", text), ("Ama.txt", "Ama rules."), ("book.md", book)]);
    let read = |name: &str| open_entries(&notes.path().join(name), None);
    let found = read("Ama.md").expect("reads");
    assert_eq!((found.entries[0].name.as_deref(), ids(&found)), (Some("Ama"), vec!["Ama.md"]));
    let out = notes.path().join("out");
    write_folder(&found, &out).expect("written");
    assert_eq!(fs::read_to_string(out.join("Ama.md")).expect("there"), text);
    assert_eq!(
        read("book.md").map(|found| found.format),
        Ok(Format::SillyTavern),
        "what is inside counts first"
    );
    assert_eq!(read("Ama.txt"), Err(FormatError::UnknownFormat));
    fs::write(notes.path().join("Xanadu.md"), b"one\n\xFF").expect("written");
    let error = read("Xanadu.md").expect_err("no text").to_string();
    assert_eq!(error, "line 2: this is no UTF-8");
}

#[test]
fn a_note_that_is_too_long_for_a_memory_is_split_and_written_as_it_was() {
    let chapter = |n: usize| format!("## Chapter {n}\r\n\r\n{}\r\n\r\n\r\n", "Salt is dear. ".repeat(1_500));
    let text = format!("---\r\nmood: calm\r\n---\r\n\r\n{}", (0..8).map(chapter).collect::<String>());
    let vault = folder(&[("Ama.md", &text), ("b.md", "B")]);
    let found = open_entries(vault.path(), None).expect("reads");
    assert!(found.entries.len() > 3 && found.entries.iter().all(|entry| entry.content.len() <= 64 * 1024));
    assert_eq!(found.entries[1].name.as_deref(), Some("Ama: Chapter 3"), "{:?}", ids(&found));
    let out = vault.path().join("out");
    write_folder(&found, &out).expect("written");
    assert_eq!(fs::read_to_string(out.join("Ama.md")).expect("there"), text);
    assert_eq!(fs::read_dir(&out).expect("there").count(), 2);
}

#[test]
fn a_damaged_file_is_refused_without_the_others() {
    let notes = folder(&[("a.md", "A"), ("b/Xanadu.md", ""), ("c.md", "C")]);
    fs::write(notes.path().join("b/Xanadu.md"), b"one\ntwo\xFF").expect("written");
    let found = open_entries(notes.path(), None).expect("reads");
    assert_eq!(ids(&found), ["a.md", "c.md"]);
    assert_eq!(found.damaged.len(), 1);
    assert_eq!(
        (&*found.damaged[0].path, &*found.damaged[0].problem),
        ("b/Xanadu.md", "line 2: this is no UTF-8")
    );
    assert!(!format!("{found:?}").contains("Xanadu"));

    let codex = folder(&[
        ("characters/ama-1/metadata.json", "{\"attributes\": {\"name\": \"Ama\"}}"),
        ("characters/ama-1/entry.md", "Rules."),
        ("characters/sel-2/metadata.json", "{\"attributes\": "),
        ("characters/sel-2/entry.md", "Sails."),
    ]);
    let found = open_entries(codex.path(), None).expect("reads");
    assert_eq!((found.format, found.entries.len()), (Format::Novelcrafter, 1));
    assert_eq!(found.damaged[0].path, "characters/sel-2/metadata.json");
    let all = folder(&[("a.md", "")]);
    fs::write(all.path().join("a.md"), b"\xFF").expect("written");
    assert!(matches!(open_entries(all.path(), None), Err(FormatError::Broken { .. })), "nothing can be read");
}

#[test]
fn a_folder_is_read_with_its_folders_and_without_what_is_hidden_or_something_else() {
    let folder = folder(&[
        ("b.md", "B"),
        ("a/c.md", "C"),
        (".git/d.md", "D"),
        (".e.md", "E"),
        ("f.txt", "F"),
        ("a/g.png", "G"),
    ]);
    let found = open_entries(folder.path(), None).expect("reads");
    assert_eq!(ids(&found), ["a/c.md", "b.md"]);
    assert_eq!(left(&found), [("picture", "a/g.png"), ("attachment", "f.txt")]);
    assert_eq!(
        open_entries(folder.path(), Some(Format::Mem0)),
        Err(FormatError::NotThisFormat(Format::Mem0))
    );
}

#[cfg(unix)]
#[test]
fn links_are_not_followed() {
    let outside = folder(&[("secret.md", "Xanadu")]);
    let inside = folder(&[("a.md", "A")]);
    let link =
        |from: &Path, to: &str| std::os::unix::fs::symlink(from, inside.path().join(to)).expect("linked");
    link(&outside.path().join("secret.md"), "b.md");
    link(outside.path(), "c");
    link(inside.path(), "ring");
    let found = open_entries(inside.path(), None).expect("reads");
    assert_eq!(ids(&found), ["a.md"]);
    assert_eq!(found.remarks[0].count, 3);
}

#[test]
fn a_folder_without_a_note_or_too_deep_is_refused() {
    assert_eq!(open_entries(folder(&[]).path(), None), Err(FormatError::UnknownFormat));
    assert_eq!(open_entries(folder(&[("a.txt", "x")]).path(), None), Err(FormatError::UnknownFormat));
    let deep = folder(&[(&format!("{}a.md", "a/".repeat(17)), "x")]);
    assert!(matches!(open_entries(deep.path(), None), Err(FormatError::TooLarge { .. })));
    assert!(matches!(open_entries(Path::new("/nowhere/at/all"), None), Err(FormatError::Io(_))));
}

#[test]
fn an_export_of_claude_that_was_unpacked_is_read() {
    let memories = crate::samples::memories().to_string();
    let folder = folder(&[("memories.json", &memories), ("conversations.json", "[]")]);
    assert_eq!(open_entries(folder.path(), None).map(|found| found.format), Ok(Format::ClaudeMemories));
}

#[test]
fn a_broken_file_is_named_by_its_number_and_shown_only_to_whoever_asks() {
    let folder = folder(&[("Xanadu.md", "")]);
    fs::write(folder.path().join("Xanadu.md"), b"one\ntwo\xFF").expect("written");
    let error = open_entries(folder.path(), None).expect_err("broken");
    assert_eq!(error.to_string(), "file 1, line 2: this is no UTF-8");
    assert!(!format!("{error:?}").contains("Xanadu"));
    let FormatError::Broken { at, .. } = error else { panic!("another error") };
    assert_eq!(at.file.expect("a file").path(), "Xanadu.md");
}

#[test]
fn a_folder_export_overwrites_nothing_and_writes_nothing_outside() {
    let full = folder(&[("mine.txt", "x")]);
    let book = Collection::new(Format::Markdown, vec![named("../../escape"), named("CON"), named("a/b")]);
    assert_eq!(write_folder(&book, full.path()), Err(FormatError::NotEmpty));
    assert_eq!(fs::read_dir(full.path()).expect("there").count(), 1);

    let parent = folder(&[]);
    let empty = parent.path().join("empty");
    fs::create_dir(&empty).expect("made");
    let mut hostile = book.clone();
    for (entry, path) in hostile.entries.iter_mut().zip(["../out.md", "/tmp/out.md", "a/../../b.md"]) {
        entry.extra = serde_json::json!({"path": path});
    }
    write_folder(&hostile, &empty).expect("written");
    let mut names: Vec<_> =
        fs::read_dir(&empty).expect("there").map(|found| found.expect("there").file_name()).collect();
    names.sort();
    assert_eq!(names, ["CON_.md", "a b.md", "escape.md"]);
    assert_eq!(fs::read_dir(parent.path()).expect("there").count(), 1, "nothing beside it");
}

#[test]
fn a_file_and_a_folder_of_one_name_do_not_collide() {
    let at = |path: &str| ThirdPartyEntry { extra: serde_json::json!({"path": path}), ..named("x") };
    let book = Collection::new(
        Format::Markdown,
        vec![at("a.md/b.md"), at("a.md"), at("A.MD/B.md"), at("a.md/c.md")],
    );
    let parent = folder(&[]);
    write_folder(&book, &parent.path().join("out")).expect("written");
    assert_eq!(open_entries(&parent.path().join("out"), None).expect("reads").entries.len(), 4);
}
