//! A child that is killed at its work. It marks each finished round in a file, so that a test on a busy machine waits for
//! the work instead of a time.

use std::{
    fs::{self, OpenOptions},
    io::Write,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    time::Duration,
};

use inklings_domain::ids::WorkspaceId;

const FOLDER: &str = "KILL_FOLDER";
const WORKSPACE: &str = "KILL_WORKSPACE";
const MARKS: &str = "KILL_MARKS";

/// The folder and workspace that the parent named, and the file for marks; `None` in a run without a parent.
pub fn of_parent() -> Option<(PathBuf, WorkspaceId, PathBuf)> {
    let named = |name| std::env::var(name).ok();
    let (folder, id, marks) = (named(FOLDER)?, named(WORKSPACE)?, named(MARKS)?);
    Some((folder.into(), id.parse().expect("an id"), marks.into()))
}

/// Marks a finished round.
pub fn mark(marks: &Path) {
    let mut file = OpenOptions::new().create(true).append(true).open(marks).expect("a file for marks");
    file.write_all(b".").expect("a mark");
}

/// Starts a test of this program as a child, kills it in the round after `rounds` finished ones, and waits until it is
/// gone. The kill comes this delay after the last finished round.
pub async fn kill_after(rounds: u64, delay: Duration, test: &[&str], folder: &Path, id: WorkspaceId) {
    let place = tempfile::tempdir().expect("a folder for marks");
    let marks = place.path().join("marks");
    let mut child: Child = Command::new(std::env::current_exe().expect("this program"))
        .args(test)
        .env(FOLDER, folder)
        .env(WORKSPACE, id.to_string())
        .env(MARKS, &marks)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("starts");
    while fs::metadata(&marks).map_or(0, |file| file.len()) < rounds {
        assert!(child.try_wait().expect("a state").is_none(), "the child ended before it was killed");
        tokio::time::sleep(Duration::from_millis(2)).await;
    }
    tokio::time::sleep(delay).await;
    child.kill().expect("killed");
    child.wait().expect("gone");
}
