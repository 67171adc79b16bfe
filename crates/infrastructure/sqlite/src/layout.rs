//! The paths in the data folder.

use std::path::{Path, PathBuf};

use inklings_domain::ids::WorkspaceId;

use crate::error::DbResult;

/// File name of the memory databases.
pub const AGENTS: &str = "agents.db";
/// File name of a workspace's world content.
pub const WORLD: &str = "inklings.db";
/// File name of the plan of a restore.
pub const RESTORE_PLAN: &str = "plan.json";
/// Name prefix of the temporary folder of a workspace that is being created.
pub const NURSERY: &str = ".new-";

/// The paths of one data folder.
#[derive(Debug, Clone)]
pub struct Layout {
    root: PathBuf,
}

impl Layout {
    /// The layout of a data folder, which need not exist yet.
    pub const fn new(root: PathBuf) -> Self {
        Self { root }
    }

    /// The path of the data folder.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The account's database.
    pub fn account(&self) -> PathBuf {
        self.root.join(AGENTS)
    }

    /// The marker of an existing account database: with it, a missing database is damage and not a first
    /// start.
    pub fn account_marker(&self) -> PathBuf {
        self.root.join(".account")
    }

    /// The file whose lock serialises opening and migrating.
    pub fn lock(&self) -> PathBuf {
        self.root.join(".lock")
    }

    /// The folder that holds the workspaces.
    pub fn workspaces(&self) -> PathBuf {
        self.root.join("workspaces")
    }

    /// One workspace's folder. Named by id, so that a workspace name can never lead out of the data folder.
    pub fn workspace(&self, id: WorkspaceId) -> PathBuf {
        self.workspaces().join(id.to_string())
    }

    /// The temporary folder in which a workspace is created.
    pub fn nursery(&self, id: WorkspaceId) -> PathBuf {
        self.workspaces().join(format!("{NURSERY}{id}"))
    }

    /// The folder of deleted workspaces.
    pub fn trash(&self) -> PathBuf {
        self.root.join("trash")
    }

    /// The folder that records which workspaces and backups are being purged.
    pub fn purging(&self) -> PathBuf {
        self.root.join(".purging")
    }

    /// The folder that records which workspaces are being renamed.
    pub fn renaming(&self) -> PathBuf {
        self.root.join(".renaming")
    }

    /// The folder of the backups.
    pub fn backups(&self) -> PathBuf {
        self.root.join("backups")
    }

    /// The key of the scrub fingerprints.
    pub fn scrub_key(&self) -> PathBuf {
        self.root.join("scrub.key")
    }

    /// The staging folder of a restore.
    pub fn restoring(&self) -> PathBuf {
        self.root.join(".restore")
    }

    /// The plan of a restore that was committed and is not done.
    pub fn restore_plan(&self) -> PathBuf {
        self.restoring().join(RESTORE_PLAN)
    }

    /// The layout of the folder that this database is in.
    pub fn of_database(path: &Path, workspace: WorkspaceId) -> Self {
        // workspaces/{id}/{file}
        let levels = if workspace == WorkspaceId::ACCOUNT { 1 } else { 3 };
        Self::new(path.ancestors().nth(levels).unwrap_or(path).to_owned())
    }

    /// The folder of the intents of imports into the account.
    pub fn importing(&self) -> PathBuf {
        self.root.join(".import")
    }

    /// The folder of the intents of changes to the account and a workspace.
    pub fn changing(&self) -> PathBuf {
        self.root.join(".changes")
    }

    /// The quarantine folder: damaged databases and plans that cannot be read.
    pub fn quarantine(&self) -> PathBuf {
        self.root.join("quarantine")
    }

    /// Checks that all folders above a path are real folders, not links or anything else.
    ///
    /// # Errors
    /// One that names the path in question.
    pub fn look_on_the_way(&self, path: &Path) -> DbResult<()> {
        Ok(inklings_files::folders_to(&self.root, path)?)
    }

    /// True if this is a folder and all folders above it are real ones. False if there is nothing.
    ///
    /// # Errors
    /// One that names the path of anything else.
    pub fn has_folder(&self, path: &Path) -> DbResult<bool> {
        self.look_on_the_way(path)?;
        Ok(inklings_files::folder(path)?)
    }

    /// A path as findings and messages show it: relative to the data folder.
    pub fn shown(&self, path: &Path) -> String {
        path.strip_prefix(&self.root).unwrap_or(path).display().to_string()
    }
}

/// The path of a database's log (`end` is "-wal") or of its shared memory ("-shm").
pub fn with_suffix(path: &Path, end: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(end);
    PathBuf::from(name)
}

/// The size of a file in bytes; 0 if there is none.
pub fn size_of(path: &Path) -> u64 {
    std::fs::symlink_metadata(path).map_or(0, |data| data.len())
}

/// True if a file exists and is not empty. Reads only its size: SQLite deletes the log beside an empty
/// database when it opens one, and closing a file by other means than SQLite's would release SQLite's locks.
pub fn holds_something(path: &Path) -> bool {
    size_of(path) > 0
}

/// True if a file has another name as well (a hard link).
#[cfg(unix)]
pub fn has_other_names(path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    std::fs::symlink_metadata(path).is_ok_and(|data| data.is_file() && data.nlink() > 1)
}

/// Always false: this system does not report hard links.
#[cfg(not(unix))]
pub fn has_other_names(_path: &Path) -> bool {
    false
}
