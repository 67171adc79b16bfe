//! Runs the real binary on a data folder of its own.

use std::{
    io::Write,
    path::PathBuf,
    process::{Command, Output, Stdio},
};

use serde_json::Value;
use tempfile::TempDir;

/// A data folder that goes away with the test.
pub struct Home {
    folder: TempDir,
}

/// How a run ended.
pub struct Ran {
    pub code: i32,
    pub stdout: String,
    pub stderr: String,
}

impl Ran {
    /// The JSON on standard output of a run that must have succeeded.
    pub fn json(&self) -> Value {
        assert_eq!(self.code, 0, "{}", self.stderr);
        serde_json::from_str(&self.stdout).expect("JSON on standard output")
    }

    /// The one JSON object on standard error of a run that must have failed.
    pub fn error(&self) -> Value {
        assert_ne!(self.code, 0, "{}", self.stdout);
        assert_eq!(self.stdout, "", "nothing belongs on standard output");
        assert_eq!(self.stderr.trim_end().lines().count(), 1, "{}", self.stderr);
        serde_json::from_str(&self.stderr).expect("one JSON object on standard error")
    }
}

impl Home {
    /// An empty folder.
    pub fn new() -> Self {
        Self { folder: tempfile::tempdir().expect("a temporary folder") }
    }

    /// A folder with the workspace "Harrowgate".
    pub fn with_workspace() -> Self {
        let home = Self::new();
        assert_eq!(home.run(&["workspace", "create", "Harrowgate"]).code, 0);
        home
    }

    /// The data folder.
    pub fn data(&self) -> PathBuf {
        self.folder.path().join("data")
    }

    /// A file beside the data folder.
    pub fn file(&self, name: &str, content: impl AsRef<[u8]>) -> String {
        let path = self.folder.path().join(name);
        std::fs::write(&path, content).expect("written");
        path.to_str().expect("a plain path").to_owned()
    }

    fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_inklings"));
        command
            .args(args)
            .env("INKLINGS_DATA_DIR", self.data())
            // No model here: what these tests promise holds without one, and is told faster.
            .env("INKLINGS_RESOURCES", self.folder.path())
            .env_remove("INKLINGS_LOG")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command
    }

    /// Runs a command line.
    pub fn run(&self, args: &[&str]) -> Ran {
        self.run_with(args, None)
    }

    /// Runs a command line with `--json`.
    pub fn json(&self, args: &[&str]) -> Ran {
        self.run(&[&["--json"], args].concat())
    }

    /// A folder that a run with the model has for its caches and temporary files.
    pub fn folder_for_caches(&self) -> PathBuf {
        let path = self.folder.path().join("caches");
        std::fs::create_dir_all(&path).expect("a folder");
        path
    }

    /// Runs a command line with the model that ships with the app, if this machine has it.
    pub fn run_with_model(&self, args: &[&str]) -> Ran {
        let caches = self.folder_for_caches();
        let mut command = self.command(args);
        command.env_remove("INKLINGS_RESOURCES").env_remove("ORT_DISABLE_TELEMETRY").env_remove("CI");
        command.env("HOME", &caches).env("XDG_CACHE_HOME", &caches).env("TMPDIR", &caches);
        ended(command.output().expect("it ends"))
    }

    /// Runs a command line with text on standard input.
    pub fn run_with(&self, args: &[&str], input: Option<&str>) -> Ran {
        self.run_with_bytes(args, input.map(str::as_bytes))
    }

    /// Runs a command line with these bytes on standard input.
    pub fn run_with_bytes(&self, args: &[&str], input: Option<&[u8]>) -> Ran {
        let mut command = self.command(args);
        if input.is_some() {
            command.stdin(Stdio::piped());
        }
        let mut child = command.spawn().expect("the binary starts");
        if let Some(input) = input {
            // The pipe closes at the end of this statement. A binary that reads nothing is fine.
            let _ = child.stdin.take().expect("piped").write_all(input);
        }
        ended(child.wait_with_output().expect("it ends"))
    }

    /// Runs a command line whose output nobody reads.
    pub fn run_unread(&self, args: &[&str]) -> Ran {
        let mut child = self.command(args).spawn().expect("the binary starts");
        drop(child.stdout.take());
        ended(child.wait_with_output().expect("it ends"))
    }

    /// Adds a memory to the workspace tier; returns its id.
    pub fn add(&self, text: &str) -> String {
        let ran = self.run(&["memory", "add", "--scope", "workspace", "--", text]);
        assert_eq!(ran.code, 0, "{}", ran.stderr);
        ran.stdout.trim_end().to_owned()
    }

    /// Previews of everything in use, last changed first.
    pub fn texts(&self) -> Vec<String> {
        let page = self.json(&["memory", "list", "--limit", "500"]).json();
        let rows = page["rows"].as_array().expect("rows");
        rows.iter().map(|row| row["preview"].as_str().expect("text").to_owned()).collect()
    }
}

fn ended(done: Output) -> Ran {
    Ran {
        code: done.status.code().unwrap_or(-1),
        stdout: String::from_utf8(done.stdout).expect("UTF-8"),
        stderr: String::from_utf8(done.stderr).expect("UTF-8"),
    }
}
