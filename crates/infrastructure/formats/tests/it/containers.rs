//! Files, folders, archives; and archives that mean no good.

use std::{fs, path::Path};

use inklings_ports::conversation::import_store::SourceError;
use serde_json::json;

use crate::support::{chatgpt, claude, read, read_bytes, zip};

fn export(id: &str) -> Vec<u8> {
    json!([chatgpt(id, &["Ask.", "Answer."])]).to_string().into_bytes()
}

fn ids(path: &Path) -> Vec<String> {
    read(path)
        .expect("reads")
        .conversations
        .into_iter()
        .map(|conversation| conversation.external_id)
        .collect()
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("a folder");
    let mut names: Vec<String> =
        entries.map(|e| e.expect("an entry").file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

#[test]
fn file_folder_and_archive_give_the_same_conversations() {
    let folder = tempfile::tempdir().expect("a folder");
    let json = folder.path().join("conversations.json");
    fs::write(&json, export("c")).expect("written");
    fs::write(folder.path().join("user.json"), "{}").expect("written");
    let archive = folder.path().join("export.bin");
    fs::write(&archive, zip(&[("chat.html", b"<html>"), ("conversations.json", &export("c"))]))
        .expect("written");
    let plain = read(&json).expect("reads");
    assert_eq!(read(folder.path()).expect("reads"), plain);
    assert_eq!(read(&archive).expect("reads"), plain);
}

#[test]
fn numbered_parts_are_read_in_their_order() {
    let folder = tempfile::tempdir().expect("a folder");
    let files: Vec<(String, Vec<u8>)> =
        [10, 0, 2].iter().map(|n| (format!("conversations-{n:03}.json"), export(&format!("c{n}")))).collect();
    for (name, bytes) in &files {
        fs::write(folder.path().join(name), bytes).expect("written");
    }
    assert_eq!(ids(folder.path()), ["c0", "c2", "c10"]);
    let json_rows: Vec<(&str, &[u8])> = files.iter().map(|(n, b)| (n.as_str(), b.as_slice())).collect();
    let archive = folder.path().join("export.zip");
    fs::write(&archive, zip(&json_rows)).expect("written");
    assert_eq!(ids(&archive), ["c0", "c2", "c10"]);

    fs::write(folder.path().join("conversations-002.json"), b"[{\"mapping\": {}}, 1]").expect("written");
    let Err(SourceError::Broken { message, .. }) = read(folder.path()) else { panic!("should be broken") };
    assert!(message.ends_with("(in conversations-002.json)"), "{message}");
    fs::write(folder.path().join("conversations.json"), export("whole")).expect("written");
    assert_eq!(ids(folder.path()), ["whole"], "a whole beside its parts is read alone");
}

#[test]
fn the_export_nearest_to_the_top_is_read() {
    let below =
        zip(&[("export/conversations.json", &export("c")), ("export/files/conversations.json", b"[]")]);
    assert_eq!(read_bytes(&below).expect("reads").conversations[0].external_id, "c");
    let two = zip(&[("a/conversations.json", &export("a")), ("b/conversations.json", &export("b"))]);
    assert!(matches!(read_bytes(&two), Err(SourceError::Broken { .. })));
}

/// Two entries of one name: whatever an archive's reader makes of it, only one of them can be taken.
#[test]
fn an_archive_with_a_duplicate_name_gives_one_entry_or_none() {
    let mut twice = zip(&[("conversations.json", &export("a")), ("conversationz.json", &export("b"))]);
    let name = b"conversationz.json";
    for at in 0..twice.len() - name.len() {
        if twice[at..].starts_with(name) {
            twice[at + 12] = b's';
        }
    }
    if let Ok(found) = read_bytes(&twice) {
        assert_eq!(found.conversations.len(), 1);
    }
}

/// Names in an archive lead nowhere, for nothing of it is ever written.
#[test]
fn path_traversal_in_archives_writes_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let inner = folder.path().join("inner");
    fs::create_dir(&inner).expect("a folder");
    let path = inner.join("export.zip");
    for name in
        ["../conversations.json", "/conversations.json", "..\\conversations.json", "C:\\conversations.json"]
    {
        fs::write(&path, zip(&[(name, &export("c")), ("../../evil.txt", b"boo")])).expect("written");
        let _ = read(&path);
        assert_eq!(
            (names(folder.path()), names(&inner)),
            (vec!["inner".into()], vec!["export.zip".into()]),
            "{name}"
        );
    }
}

#[test]
fn archives_without_an_export_are_refused() {
    let inner = zip(&[("conversations.json", &export("c"))]);
    for archive in [zip(&[]), zip(&[("inner.zip", &inner)]), zip(&[("conversations.txt", b"[]")])] {
        assert_eq!(read_bytes(&archive), Err(SourceError::UnknownFormat));
    }
    let nested = zip(&[("conversations.json", inner.as_slice())]);
    assert_eq!(read_bytes(&nested), Err(SourceError::UnknownFormat));
}

#[test]
fn archive_bombs_are_refused_before_they_are_unpacked() {
    let mut bomb = b"[{\"title\": \"".to_vec();
    bomb.resize(64 * 1024 * 1024, b'x');
    let bomb = zip(&[("conversations.json", &bomb)]);
    assert!(bomb.len() < 200_000);
    assert!(matches!(read_bytes(&bomb), Err(SourceError::TooLarge(_))));

    // One that lies about its size: what comes out beyond it is not taken.
    let mut liar = bomb;
    let size = (64_u32 * 1024 * 1024).to_le_bytes();
    for at in 0..liar.len() - 4 {
        if liar[at..at + 4] == size {
            liar[at..at + 4].copy_from_slice(&1000_u32.to_le_bytes());
        }
    }
    assert!(matches!(read_bytes(&liar), Err(SourceError::Broken { .. })));
}

#[test]
fn a_damaged_archive_is_refused_wherever_it_is_damaged() {
    let conversations: Vec<_> =
        (0..40).map(|i| claude(&format!("c{i}"), &["Ask.", "Answer.", "And?"])).collect();
    let whole = zip(&[("conversations.json", json!(conversations).to_string().as_bytes())]);
    let good = read_bytes(&whole).expect("reads");
    for at in (0..whole.len()).step_by(7) {
        let cut = read_bytes(&whole[..at]);
        assert!(cut.is_err(), "cut at {at}");
        let mut bad = whole.clone();
        bad[at] ^= 0x55;
        // A flipped date or comment does no harm; a flipped text must not come through.
        if let Ok(found) = read_bytes(&bad) {
            assert_eq!(found, good, "flipped at {at}");
        }
    }
}

#[test]
fn missing_and_special_files_give_specific_errors() {
    let folder = tempfile::tempdir().expect("a folder");
    assert!(matches!(read(&folder.path().join("gone")), Err(SourceError::Io(_))));
    assert_eq!(read(folder.path()), Err(SourceError::UnknownFormat));
    #[cfg(unix)]
    assert!(matches!(read(Path::new("/dev/null")), Err(SourceError::Io(_))));
}
