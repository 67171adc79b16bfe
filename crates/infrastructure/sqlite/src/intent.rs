//! Stores the pending work in the account's file of an operation that also writes to a workspace. No
//! transaction spans both files, so the workspace's commit decides. Before it, the account's part is written
//! to an intent file; if the process ends between the two commits, the next process that opens the folder
//! completes it.
//!
//! An intent is a file of lines: a head, the work to do, and a checksum of the lines before. It is called
//! `NAME.new` until it is complete, and only its owner can read it. The writer holds a lock on it, which the
//! operating system releases when the process dies. The lock separates running operations from interrupted
//! ones.

use std::{
    fs::{self, File, OpenOptions},
    io::{self, BufRead as _, BufReader, BufWriter, Seek as _, Write as _},
    path::{Path, PathBuf},
};

use inklings_domain::{digest::hex, ids::WorkspaceId};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};
use sqlx::Connection as _;

use crate::{
    connection::{copy::sync_folder, read_only::connect_to_read},
    error::{DbError, DbResult},
    layout::{AGENTS, Layout},
    store::SqliteStore,
};

/// The suffix of a complete intent.
pub const WHOLE: &str = "jsonl";
const BEGUN: &str = "new";
/// The key of the checksum in the last line.
const SUM: &str = "sha256";

/// An intent that is being written. Deleted with its writer unless it is complete.
pub struct Intent {
    folder: PathBuf,
    name: String,
    file: Option<BufWriter<File>>,
    sum: Sha256,
    whole: bool,
}

impl Intent {
    /// Creates an intent of this name. The file is created with its first line.
    pub fn new(folder: PathBuf, name: String) -> Self {
        Self { folder, name, file: None, sum: Sha256::new(), whole: false }
    }

    fn path(&self, state: &str) -> PathBuf {
        self.folder.join(format!("{}.{state}", self.name))
    }

    pub const fn is_begun(&self) -> bool {
        self.file.is_some()
    }

    pub fn line(&mut self, line: &Value) -> DbResult<()> {
        if self.file.is_none() {
            inklings_files::folder(&self.folder)?;
            fs::create_dir_all(&self.folder)?;
            let file =
                inklings_files::open(&self.path(BEGUN), OpenOptions::new().write(true).create_new(true))?;
            file.lock()?;
            self.file = Some(BufWriter::with_capacity(1 << 18, file));
        }
        if let Some(file) = &mut self.file {
            let line = format!("{line}\n");
            self.sum.update(line.as_bytes());
            file.write_all(line.as_bytes())?;
        }
        Ok(())
    }

    /// Makes the intent durable. From now on the workspace's commit decides.
    pub fn make_last(&mut self) -> DbResult<()> {
        let sum = hex(&self.sum.finalize_reset());
        self.line(&json!({ SUM: sum }))?;
        if let Some(file) = &mut self.file {
            file.flush()?;
            file.get_ref().sync_all()?;
        }
        fs::rename(self.path(BEGUN), self.path(WHOLE))?;
        self.whole = true;
        sync_folder(&self.folder)?;
        self.folder.parent().map_or(Ok(()), sync_folder)
    }

    /// Deletes the intent: its work is done, or is not needed.
    pub fn settled(mut self) {
        if self.whole {
            self.whole = false;
            // If the file remains, the next opening of the folder finds its work done.
            let _ = fs::remove_file(self.path(WHOLE));
        }
    }
}

impl Drop for Intent {
    fn drop(&mut self) {
        if self.file.is_some() && !self.whole {
            let _ = fs::remove_file(self.path(BEGUN));
        }
    }
}

/// The layout of the folder that contains the account's file.
pub fn layout_of(account: &SqliteStore) -> Layout {
    Layout::new(account.db.path().parent().unwrap_or_else(|| Path::new(".")).to_owned())
}

/// The error for a line of an intent that cannot be decoded.
pub fn broken() -> DbError {
    DbError::Row { column: "intent" }
}

/// The lines of an interrupted intent.
pub struct Lines<'f> {
    /// The name of its file, without the suffix of complete intents.
    pub name: String,
    /// Whether the checksum is valid; `None` for an intent of an earlier release, which has none.
    pub sound: Option<bool>,
    reader: BufReader<&'f File>,
}

impl<'f> Lines<'f> {
    pub fn of(name: String, file: &'f File) -> io::Result<Self> {
        let sound = is_sound(file)?;
        let mut file = file;
        file.rewind()?;
        Ok(Self { name, sound, reader: BufReader::new(file) })
    }

    /// The next line; `None` at the end.
    pub fn next(&mut self) -> DbResult<Option<Value>> {
        let mut line = String::new();
        if self.reader.read_line(&mut line)? == 0 {
            return Ok(None);
        }
        let value: Value = serde_json::from_str(&line).map_err(|_| broken())?;
        Ok(Some(value).filter(|value| value[SUM].is_null()))
    }
}

/// Checks the checksum in the last line; `None` if there is none.
fn is_sound(file: &File) -> io::Result<Option<bool>> {
    let mut reader = BufReader::new(file);
    let (mut sum, mut line) = (Sha256::new(), String::new());
    while reader.read_line(&mut line)? > 0 {
        let given = serde_json::from_str::<Value>(&line).ok();
        if let Some(given) = given.as_ref().and_then(|value| value[SUM].as_str()) {
            return Ok(Some(given == hex(&sum.finalize())));
        }
        sum.update(line.as_bytes());
        line.clear();
    }
    Ok(None)
}

/// True if the workspace committed its part. The statement checks for a row by its id.
pub async fn is_decided(
    layout: &Layout,
    workspace: WorkspaceId,
    statement: &'static str,
    id: &str,
) -> DbResult<bool> {
    let path = layout.workspace(workspace).join(AGENTS);
    layout.look_on_the_way(&path)?;
    if !inklings_files::file(&path)? {
        return Ok(false);
    }
    let mut conn = connect_to_read(&path).await?;
    let found = sqlx::query_scalar(statement).bind(id.to_owned()).fetch_one(&mut conn).await;
    conn.close().await?;
    Ok(found?)
}
