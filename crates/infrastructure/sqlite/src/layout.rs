//! Where things lie in the data folder.

use std::path::{Path, PathBuf};

use inklings_domain::ids::WorkspaceId;

use crate::error::DbResult;

/// File name of the memory databases.
pub const AGENTS: &str = "agents.db";
/// File name of a workspace's world content.
pub const WORLD: &str = "inklings.db";
/// How the name of a folder starts in which a workspace is being made.
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

    /// The data folder.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The account's database.
    pub fn account(&self) -> PathBuf {
        self.root.join(AGENTS)
    }

    /// Says that there is an account's database: a missing one is damage then, and not a fresh start.
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

    /// One workspace's folder. Named by id, so that a name can never lead out of the data folder.
    pub fn workspace(&self, id: WorkspaceId) -> PathBuf {
        self.workspaces().join(id.to_string())
    }

    /// Where a workspace is made before it gets its place.
    pub fn nursery(&self, id: WorkspaceId) -> PathBuf {
        self.workspaces().join(format!("{NURSERY}{id}"))
    }

    /// The folder of deleted workspaces.
    pub fn trash(&self) -> PathBuf {
        self.root.join("trash")
    }

    /// Where it is written down which workspaces are being removed for good.
    pub fn purging(&self) -> PathBuf {
        self.root.join(".purging")
    }

    /// Where it is written down which workspaces are being renamed.
    pub fn renaming(&self) -> PathBuf {
        self.root.join(".renaming")
    }

    /// The folder of the backups.
    pub fn backups(&self) -> PathBuf {
        self.root.join("backups")
    }

    /// The key of the fingerprints of what was scrubbed.
    pub fn scrub_key(&self) -> PathBuf {
        self.root.join("scrub.key")
    }

    /// Where a restore prepares what it swaps in.
    pub fn restoring(&self) -> PathBuf {
        self.root.join(".restore")
    }

    /// Where imports into the account write down what they are about to do.
    pub fn importing(&self) -> PathBuf {
        self.root.join(".import")
    }

    /// Where changes of the account and a workspace write down what they are about to do in the account.
    pub fn changing(&self) -> PathBuf {
        self.root.join(".changes")
    }

    /// The folder of what was set aside: damaged databases and plans that cannot be read.
    pub fn quarantine(&self) -> PathBuf {
        self.root.join("quarantine")
    }

    /// Looks at the folders in which a path lies: none is a link or anything else than a folder.
    ///
    /// # Errors
    /// One that says which is not.
    pub fn look_on_the_way(&self, path: &Path) -> DbResult<()> {
        Ok(inklings_files::folders_to(&self.root, path)?)
    }

    /// A path as findings and messages show it: relative to the data folder.
    pub fn shown(&self, path: &Path) -> String {
        path.strip_prefix(&self.root).unwrap_or(path).display().to_string()
    }
}

/// The file of a database's log, with `end` "-wal", or of its shared memory, with "-shm".
pub fn beside(path: &Path, end: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(end);
    PathBuf::from(name)
}

/// The size of a file; 0 if there is none.
pub fn size_of(path: &Path) -> u64 {
    std::fs::symlink_metadata(path).map_or(0, |data| data.len())
}

/// True if a file is there and not empty. Asks for its size alone: SQLite throws away the log beside an empty database when
/// it opens one, and closing a file by other means than SQLite's would let go of SQLite's locks.
pub fn holds_something(path: &Path) -> bool {
    size_of(path) > 0
}

/// True if a file goes by another name as well (a hard link).
#[cfg(unix)]
pub fn has_other_names(path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    std::fs::symlink_metadata(path).is_ok_and(|data| data.is_file() && data.nlink() > 1)
}

/// True if a file goes by another name as well. The system does not say.
#[cfg(not(unix))]
pub fn has_other_names(_path: &Path) -> bool {
    false
}
