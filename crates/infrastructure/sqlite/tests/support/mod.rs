//! A data folder for one test, seen through the catalogue and through raw SQL.
#![allow(dead_code, reason = "each test binary uses its part")]

pub mod before;
pub mod carried;
pub mod killed;
#[cfg(target_os = "linux")]
pub mod small_disk;
pub mod stage;

use std::{
    fs,
    path::{Path, PathBuf},
    sync::Arc,
};

use inklings_domain::ids::WorkspaceId;
use inklings_ports::{testing::folder::fast_place, workspace::catalogue::Catalogue};
use inklings_sqlite::SqliteCatalogue;
use sqlx::{ConnectOptions, SqliteConnection, sqlite::SqliteConnectOptions};
use stage::Stage;
use tempfile::TempDir;

/// A folder that goes away with the test.
pub struct TempFolder {
    dir: TempDir,
}

impl TempFolder {
    pub fn new() -> Self {
        Self { dir: tempfile::tempdir_in(fast_place()).expect("a temporary folder") }
    }

    pub fn path(&self) -> &Path {
        self.dir.path()
    }

    pub fn account_file(&self) -> PathBuf {
        self.path().join("agents.db")
    }

    pub fn workspace_folder(&self, id: WorkspaceId) -> PathBuf {
        self.path().join("workspaces").join(id.to_string())
    }

    pub fn workspace_file(&self, id: WorkspaceId) -> PathBuf {
        self.workspace_folder(id).join("agents.db")
    }

    pub fn open(&self) -> SqliteCatalogue {
        SqliteCatalogue::new(self.path().to_owned())
    }

    /// Opens the folder; called again it opens the same folder anew, as another process would.
    pub fn catalogue(&self) -> Arc<dyn Catalogue> {
        Arc::new(self.open())
    }

    /// Where a workspace is still named: file names, trash, lists, databases.
    pub fn traces(&self, workspace: WorkspaceId) -> Vec<String> {
        let mut traces = Vec::new();
        look(self.path(), &workspace.to_string(), &mut traces);
        traces
    }
}

/// Every file or folder below `folder` that has `needle` in its name or its bytes.
pub fn look(folder: &Path, needle: &str, traces: &mut Vec<String>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        let named = path.file_name().is_some_and(|name| name.to_string_lossy().contains(needle));
        let holds = path.is_file()
            && fs::read(&path)
                .expect("a file")
                .windows(needle.len())
                .any(|window| window == needle.as_bytes());
        if named || holds {
            traces.push(path.display().to_string());
        }
        if path.is_dir() {
            look(&path, needle, traces);
        }
    }
}

/// A connection as any other program would open it: no care taken, but with the tokenizer, without which it cannot write.
pub async fn raw(path: &Path) -> SqliteConnection {
    let mut conn = SqliteConnectOptions::new().filename(path).connect().await.expect("the file opens");
    with_tokenizer(&mut conn).await;
    conn
}

/// Makes the tokenizer known to a connection. A file that is damaged on purpose may not take it; the test goes on with what
/// can be read.
pub async fn with_tokenizer(conn: &mut SqliteConnection) {
    let _ = inklings_sqlite::functions::register(conn).await;
}

/// A stage in a fresh folder.
pub async fn stage() -> (TempFolder, Stage) {
    let folder = TempFolder::new();
    let stage = Stage::set(&folder).await;
    (folder, stage)
}
