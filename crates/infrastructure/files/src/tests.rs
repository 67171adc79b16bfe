use std::{
    os::unix::{fs::symlink, net::UnixListener},
    process::Command,
    sync::mpsc,
    thread,
    time::Duration,
};

use tempfile::TempDir;

use super::*;

/// A folder that contains one path of each kind.
fn folder_of_all() -> TempDir {
    let all = tempfile::tempdir().expect("a folder");
    let at = |name: &str| all.path().join(name);
    fs::write(at("file"), "ours").expect("written");
    fs::create_dir(at("folder")).expect("made");
    symlink(at("file"), at("link")).expect("linked");
    symlink(at("nowhere"), at("dangling")).expect("linked");
    assert!(Command::new("mkfifo").arg(at("pipe")).status().expect("runs").success());
    UnixListener::bind(at("socket")).expect("bound");
    all
}

/// Runs work that must not block.
fn at_once<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> T {
    let (done, ended) = mpsc::channel();
    thread::spawn(move || done.send(work()));
    ended.recv_timeout(Duration::from_secs(10)).expect("it waits")
}

const OTHERS: [(&str, PathKind); 5] = [
    ("folder", PathKind::Folder),
    ("link", PathKind::Link),
    ("dangling", PathKind::Link),
    ("pipe", PathKind::Pipe),
    ("socket", PathKind::Socket),
];

type Try = fn(&Path) -> io::Result<()>;

#[test]
fn special_files_are_refused_by_kind_without_blocking() {
    let all = folder_of_all();
    let ways: [Try; 6] = [
        |path| read(path).map(drop),
        |path| create(path).map(drop),
        |path| open_lock(path).map(drop),
        |path| open(path, OpenOptions::new().append(true).create(true)).map(drop),
        |path| open(path, OpenOptions::new().write(true).create_new(true)).map(drop),
        sync,
    ];
    for (name, found) in OTHERS {
        for way in ways {
            let path = all.path().join(name);
            let error = at_once(move || way(&path)).expect_err("refused");
            let wrong = WrongKind { name: name.to_owned(), expected: PathKind::File, found };
            assert_eq!(WrongKind::of(&error), Some(&wrong));
            assert_eq!(error.to_string(), format!("'{name}' is {found} where a file should be"));
        }
    }
    assert_eq!(fs::read(all.path().join("file")).expect("reads"), b"ours", "a link was followed");
    assert!(!all.path().join("nowhere").exists());
}

#[test]
fn a_file_is_read_written_and_created() {
    let all = folder_of_all();
    let (from, to) = (all.path().join("file"), all.path().join("copy"));
    assert_eq!((file(&from).expect("a look"), file(&to).expect("a look")), (true, false));
    copy(&from, &to).expect("copied");
    assert_eq!(read(&to).expect("reads"), b"ours");
    drop(open_lock(&to).expect("opens"));
    assert_eq!(read(&to).expect("reads"), b"ours");
    drop(create(&to).expect("made anew"));
    assert_eq!(read(&to).expect("reads"), b"");
    assert_eq!(entries(&all.path().join("nowhere")).expect("none"), Vec::<PathBuf>::new());
    assert_eq!(entries(all.path()).expect("a list").len(), 7);
}

#[test]
fn a_model_may_be_a_link_to_a_file_but_not_to_a_pipe() {
    let all = folder_of_all();
    assert_eq!(read_linked(&all.path().join("link")).expect("reads"), b"ours");
    symlink(all.path().join("pipe"), all.path().join("to-pipe")).expect("linked");
    for name in ["pipe", "to-pipe", "folder"] {
        let path = all.path().join(name);
        let error = at_once(move || read_linked(&path)).expect_err("refused");
        assert!(WrongKind::of(&error).is_some(), "{error:?}");
    }
}

#[test]
fn no_parent_folder_may_be_a_link_except_the_root() {
    let all = folder_of_all();
    let root = all.path().join("root");
    symlink(all.path().join("folder"), &root).expect("linked");
    let inner = all.path().join("folder/inner");
    fs::create_dir(&inner).expect("made");
    folders_to(&root, &root.join("inner/agents.db")).expect("folders all the way");
    folders_to(&root, &root.join("nowhere/else/agents.db")).expect("nothing there yet");
    symlink(&inner, root.join("linked")).expect("linked");
    let error = folders_to(&root, &root.join("linked/agents.db")).expect_err("refused");
    assert_eq!(WrongKind::of(&error).map(|wrong| wrong.found), Some(PathKind::Link));
}

#[test]
fn nothing_but_what_is_expected_is_opened_in_a_program() {
    let all = folder_of_all();
    for (name, expected) in [("link", PathKind::File), ("pipe", PathKind::File), ("folder", PathKind::File)] {
        let error = open_in_program(&all.path().join(name), expected).expect_err("refused");
        assert!(WrongKind::of(&error).is_some(), "{name}: {error:?}");
    }
    let error = open_in_program(&all.path().join("nowhere"), PathKind::Folder).expect_err("there is none");
    assert_eq!(error.kind(), ErrorKind::NotFound);
}
