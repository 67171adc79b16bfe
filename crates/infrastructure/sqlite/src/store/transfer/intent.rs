//! An import that writes into two files: the account's and a workspace's. No transaction spans both, so the run, which
//! the workspace's commit writes, decides. Before it the account's part is written down as what shall be done; should the
//! process end between the two commits, whoever opens the folder next does it.
//!
//! `.import/RUN.jsonl` is that: a head, then one line for each row, then the changes of the later versions. It is
//! `RUN.new` until it is whole. The importer holds a lock on it, which the operating system lets go of when it dies; so an
//! import under way is told from one that was cut off.

use std::{
    fs::{self, File, OpenOptions, TryLockError},
    io::{BufRead as _, BufReader, BufWriter, Write as _},
    path::{Path, PathBuf},
};

use inklings_application::{
    ports::{
        error::StoreError,
        transfer_store::{Fields, ImportStamp},
    },
    transfer::shape::Section,
};
use inklings_domain::ids::WorkspaceId;
use serde_json::{Value, json};
use sqlx::{ConnectOptions as _, Connection as _};

use super::write::Writer;
use crate::{
    backup::sync_folder,
    connection::read_only_options,
    error::{DbError, DbResult},
    layout::{AGENTS, Layout, refuse_link},
    store::{
        SqliteStore,
        rows::{micros, moment, parsed},
    },
};

const WHOLE: &str = "jsonl";
const BEGUN: &str = "new";

/// What an import will have done in the account, for the case that it is cut off. Gone with it unless it was prepared.
pub struct Intent {
    layout: Layout,
    stamp: ImportStamp,
    file: Option<BufWriter<File>>,
    prepared: bool,
}

impl Intent {
    /// `None` for an import that follows no other.
    pub fn of(store: &SqliteStore, stamp: ImportStamp) -> Option<Self> {
        stamp.follows?;
        Some(Self { layout: layout_of(store), stamp, file: None, prepared: false })
    }

    fn path(&self, state: &str) -> PathBuf {
        self.layout.importing().join(format!("{}.{state}", self.stamp.run))
    }

    fn line(&mut self, line: &Value) -> DbResult<()> {
        if self.file.is_none() {
            let folder = self.layout.importing();
            refuse_link(&folder)?;
            fs::create_dir_all(&folder)?;
            let file = OpenOptions::new().write(true).create_new(true).open(self.path(BEGUN))?;
            file.lock()?;
            let mut file = BufWriter::with_capacity(1 << 18, file);
            let ImportStamp { change, run, door, at, follows } = self.stamp;
            let follows = follows.map(|id| id.to_string());
            let head = json!({ "run": run.to_string(), "workspace": follows, "change": change.to_string(),
                               "door": door.as_str(), "at": micros(at) });
            writeln!(file, "{head}")?;
            self.file = Some(file);
        }
        if let Some(file) = &mut self.file {
            writeln!(file, "{line}")?;
        }
        Ok(())
    }

    pub fn added(&mut self, section: Section, row: &Fields) -> DbResult<()> {
        self.line(&json!({ "add": section.name(), "row": row }))
    }

    /// An entry as it stands after it was changed.
    pub fn changed(&mut self, row: &Fields) -> DbResult<()> {
        self.line(&json!({ "change": row }))
    }

    /// What other programs keep beside an entry that was there.
    pub fn foreign(&mut self, id: &str, formats: &Fields) -> DbResult<()> {
        self.line(&json!({ "foreign": id, "formats": formats }))
    }

    pub fn member(&mut self, name: &str, value: &Value) -> DbResult<()> {
        self.line(&json!({ "member": name, "value": value }))
    }

    /// Makes it last. From now on the run decides.
    pub fn prepare(&mut self, changes: &[String]) -> DbResult<()> {
        if self.file.is_none() {
            return Ok(());
        }
        self.line(&json!({ "changes": changes }))?;
        if let Some(file) = &mut self.file {
            file.flush()?;
            file.get_ref().sync_all()?;
        }
        fs::rename(self.path(BEGUN), self.path(WHOLE))?;
        self.prepared = true;
        sync_folder(&self.layout.importing())?;
        sync_folder(self.layout.root())
    }

    /// It was done.
    pub fn fulfilled(mut self) {
        self.prepared = false;
        // What remains is looked at when the folder is opened, and found to be done.
        let _ = fs::remove_file(self.path(WHOLE));
    }
}

impl Drop for Intent {
    fn drop(&mut self) {
        if self.file.is_some() && !self.prepared {
            let _ = fs::remove_file(self.path(BEGUN));
        }
    }
}

fn layout_of(store: &SqliteStore) -> Layout {
    Layout::new(store.db.path().parent().unwrap_or_else(|| Path::new(".")).to_owned())
}

/// Ends what imports into the account left that were cut off: done if its run stands in the workspace, dropped if not.
/// What cannot be settled now stays for the next time, and is no reason not to open.
pub async fn settle(account: &SqliteStore) {
    let layout = layout_of(account);
    let Ok(entries) = fs::read_dir(layout.importing()) else { return };
    let mut paths: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    paths.sort_unstable();
    for path in paths {
        if let Err(error) = settle_one(account, &layout, &path).await {
            let error = account.db.fail(error);
            tracing::warn!(%error, "an import that was cut off could not be settled yet");
        }
    }
}

async fn settle_one(account: &SqliteStore, layout: &Layout, path: &Path) -> DbResult<()> {
    refuse_link(&layout.importing())?;
    refuse_link(path)?;
    let file = match OpenOptions::new().read(true).write(true).open(path) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(()),
        file => file?,
    };
    match file.try_lock() {
        Err(TryLockError::WouldBlock) => return Ok(()),
        Err(TryLockError::Error(error)) => return Err(error.into()),
        Ok(()) => {}
    }
    if path.extension().is_some_and(|state| state == WHOLE) {
        carry_out(account, layout, BufReader::new(&file)).await?;
    }
    match fs::remove_file(path) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => return Err(error.into()),
        _ => {}
    }
    sync_folder(&layout.importing())
}

async fn carry_out(account: &SqliteStore, layout: &Layout, file: BufReader<&File>) -> DbResult<()> {
    let mut lines = file.lines();
    let mut next = || -> DbResult<Option<Value>> {
        let Some(line) = lines.next() else { return Ok(None) };
        Ok(Some(serde_json::from_str(&line?).map_err(|_| broken())?))
    };
    let head = next()?.ok_or_else(broken)?;
    let word = |name: &str| head[name].as_str().unwrap_or_default();
    let workspace: WorkspaceId = parsed(word("workspace"), "workspace")?;
    let stamp = ImportStamp {
        change: parsed(word("change"), "change")?,
        run: parsed(word("run"), "run")?,
        door: parsed(word("door"), "door")?,
        at: moment(head["at"].as_i64().ok_or_else(broken)?, "at")?,
        follows: None,
    };
    // Under the account's write lock: whoever imported has ended by now, one way or the other.
    let mut writer = Writer::begin(account, stamp).await?;
    if writer.is_done().await? || !is_decided(layout, workspace, &stamp.run.to_string()).await? {
        return Ok(());
    }
    let mut left_out = 0_u32;
    while let Some(line) = next()? {
        if let Some(changes) = line["changes"].as_array() {
            let changes: Vec<String> =
                changes.iter().filter_map(|id| id.as_str().map(str::to_owned)).collect();
            writer.end_writing(&changes).await?;
            writer.end().await?;
            tracing::info!(left_out, "an import that was cut off is done");
            return Ok(());
        }
        let done = match (line["add"].as_str().and_then(Section::from_name), &line["row"], &line["change"]) {
            (Some(section), Value::Object(row), _) => writer.add_row(section, row).await,
            (_, _, Value::Object(row)) => writer.change_to(row).await,
            _ if line["foreign"].is_string() => {
                let (id, formats) = (line["foreign"].as_str(), line["formats"].as_object());
                let (id, formats) = id.zip(formats).ok_or_else(broken)?;
                writer.keep_formats(id, formats).await
            }
            _ => writer.keep_member(line["member"].as_str().ok_or_else(broken)?, &line["value"]).await,
        };
        match done.map_err(|error| account.db.fail(error)) {
            Ok(()) => {}
            // Somebody wrote there since: theirs stays.
            Err(
                StoreError::Refused(_)
                | StoreError::AlreadyExists(_)
                | StoreError::Stale { .. }
                | StoreError::Moved(_)
                | StoreError::Locked(_)
                | StoreError::NotFound(_),
            ) => left_out += 1,
            Err(error) => return Err(error.into()),
        }
    }
    Err(broken())
}

fn broken() -> DbError {
    DbError::Row { column: "import" }
}

/// True if the run stands in the workspace.
async fn is_decided(layout: &Layout, workspace: WorkspaceId, run: &str) -> DbResult<bool> {
    let folder = layout.workspace(workspace);
    let path = folder.join(AGENTS);
    for link in [&layout.workspaces(), &folder, &path] {
        refuse_link(link)?;
    }
    if !path.exists() {
        return Ok(false);
    }
    let mut conn = read_only_options(&path).await?.connect().await?;
    let found = sqlx::query_scalar("SELECT EXISTS (SELECT 1 FROM runs WHERE id = ?)").bind(run.to_owned());
    let found = found.fetch_one(&mut conn).await;
    conn.close().await?;
    Ok(found?)
}
