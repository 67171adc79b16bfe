//! The files of a vault on a real disk.

use std::{fs, path::Path};

use inklings_domain::vault::{SkipReason, plan::FoundFile};
use inklings_ports::vault::files::{VaultFiles as _, VaultFilesError};
use inklings_vault::DiskFiles;

fn write(root: &Path, path: &str, bytes: impl AsRef<[u8]>) {
    let path = root.join(path);
    fs::create_dir_all(path.parent().expect("a folder")).expect("makes folders");
    fs::write(path, bytes).expect("writes");
}

async fn root_of(folder: &Path) -> String {
    DiskFiles.folder(folder).await.expect("a folder")
}

#[tokio::test]
async fn every_file_is_a_page_an_attachment_or_skipped_with_its_reason() {
    let folder = tempfile::tempdir().expect("a folder");
    let (root, elsewhere) = (folder.path(), tempfile::tempdir().expect("a folder"));
    write(root, "Saltmere.md", "Text");
    write(root, "places/Weir.markdown", "Text");
    write(root, "places/map.png", "x");
    write(root, "plan.excalidraw.md", "Text");
    write(root, ".obsidian/app.json", "{}");
    write(root, ".trash/Old.md", "Text");
    write(root, ".git/HEAD", "x");
    write(root, ".Mira.md.icloud", "x");
    write(root, "Weir (conflicted copy 2026-01-02).md", "Text");
    write(root, "Weir.sync-conflict-20260102-030405-ABCDEFG.md", "Text");
    write(root, "large.md", vec![b'x'; 1024 * 1024 + 1]);
    write(elsewhere.path(), "secret.md", "Text");
    #[cfg(unix)]
    {
        use std::os::unix::fs::symlink;
        symlink(elsewhere.path(), root.join("out")).expect("links");
        symlink(elsewhere.path().join("secret.md"), root.join("out.md")).expect("links");
        symlink(root.join("Saltmere.md"), root.join("again.md")).expect("links");
    }
    let found = DiskFiles.find(&root_of(root).await).await.expect("files");
    let paths = |files: &[FoundFile]| files.iter().map(|file| file.path.clone()).collect::<Vec<_>>();
    assert_eq!(paths(&found.pages), ["Saltmere.md", "places/Weir.markdown"]);
    assert_eq!(paths(&found.attachments), ["places/map.png", "plan.excalidraw.md"]);
    let skips: Vec<(&str, SkipReason)> =
        found.skips.iter().map(|skip| (skip.path.as_str(), skip.reason)).collect();
    let mut expected = vec![
        (".git", SkipReason::Hidden),
        (".obsidian", SkipReason::Hidden),
        (".trash", SkipReason::Hidden),
        ("Mira.md", SkipReason::NotDownloaded),
        ("Weir (conflicted copy 2026-01-02).md", SkipReason::Conflict),
        ("Weir.sync-conflict-20260102-030405-ABCDEFG.md", SkipReason::Conflict),
        ("large.md", SkipReason::TooLarge),
    ];
    if cfg!(unix) {
        expected.push(("again.md", SkipReason::InsideLink));
        expected.push(("out", SkipReason::OutsideLink));
        expected.push(("out.md", SkipReason::OutsideLink));
    }
    expected.sort_unstable();
    assert_eq!(skips, expected);
}

#[tokio::test]
async fn a_file_that_is_not_whole_is_not_read() {
    let folder = tempfile::tempdir().expect("a folder");
    let root = folder.path();
    write(root, "a empty.md", "");
    write(root, "b zeros.md", [0; 300]);
    write(root, "c binary.md", b"a\0b");
    write(root, "d latin.md", b"S\xE4lt");
    write(root, "e grows.md", "Text");
    write(root, "f good.md", "S\u{E4}lt");
    let canonical = root_of(root).await;
    let found = DiskFiles.find(&canonical).await.expect("files");
    write(root, "e grows.md", "Text and more");
    let read = DiskFiles.read(&canonical, &found.pages).await;
    let reasons: Vec<Option<SkipReason>> = read.iter().map(|read| read.as_ref().err().copied()).collect();
    let empty = Some(SkipReason::Empty);
    let not_text = Some(SkipReason::NotText);
    assert_eq!(reasons, [empty, empty, not_text, not_text, Some(SkipReason::Changing), None]);
    let good = read[5].as_ref().expect("a text");
    assert_eq!((good.text.as_str(), good.hash.len()), ("S\u{E4}lt", 64));
}

#[cfg(unix)]
#[tokio::test]
async fn a_folder_that_became_a_link_is_not_followed() {
    let folder = tempfile::tempdir().expect("a folder");
    let (root, elsewhere) = (folder.path(), tempfile::tempdir().expect("a folder"));
    write(root, "in/a.md", "Text");
    let canonical = root_of(root).await;
    let found = DiskFiles.find(&canonical).await.expect("files");
    fs::rename(root.join("in"), elsewhere.path().join("in")).expect("moves");
    std::os::unix::fs::symlink(elsewhere.path().join("in"), root.join("in")).expect("links");
    let read = DiskFiles.read(&canonical, &found.pages).await;
    assert_eq!(read[0].as_ref().err(), Some(&SkipReason::Unreadable));
}

#[tokio::test]
async fn a_folder_that_is_not_there_is_an_error() {
    let folder = tempfile::tempdir().expect("a folder");
    let gone = folder.path().join("gone");
    assert_eq!(DiskFiles.folder(&gone).await, Err(VaultFilesError::Missing));
    assert_eq!(DiskFiles.find(&gone.to_string_lossy()).await, Err(VaultFilesError::Missing));
    write(folder.path(), "file.md", "Text");
    assert_eq!(DiskFiles.folder(&folder.path().join("file.md")).await, Err(VaultFilesError::NotFolder));
}
