//! Restricts files with memory to their owner: folders 0700, files 0600.
//!
//! The process sets its umask before it creates the first file, which also covers SQLite, the log and the
//! libraries. Permissions left wider by an earlier release or a copy are restricted when the folder is
//! opened. Downloaded models contain no data of the worldbuilder and are left unchanged. On Windows the data
//! folder is in the user's profile, which other users cannot read.

use std::path::Path;

/// Sets the umask, so that only the owner can open files and folders that this process creates from now on.
/// Idempotent.
pub fn begin() {
    #[cfg(unix)]
    rustix::process::umask(rustix::fs::Mode::RWXG | rustix::fs::Mode::RWXO);
}

/// Restricts the permissions in a data folder. Gives the sorted names of the parts that were wider.
#[cfg(unix)]
pub(crate) fn narrow(data_dir: &Path) -> Vec<String> {
    let account = data_dir.join("agents.db");
    let Ok(entries) = std::fs::read_dir(data_dir) else { return Vec::new() };
    let names: Vec<String> =
        entries.flatten().filter_map(|entry| entry.file_name().into_string().ok()).collect();
    // A folder with other contents may have been named by mistake; its mode is not changed.
    if names.is_empty() || account.is_file() {
        unix::shut(data_dir);
    }
    let ours = names.into_iter().filter(|name| is_ours(name));
    let mut wider: Vec<String> = ours.filter(|name| unix::shut_all(&data_dir.join(name))).collect();
    wider.sort_unstable();
    for name in &wider {
        tracing::warn!(name, "others could open this part of the data folder; its owner alone can now");
    }
    wider
}

#[cfg(not(unix))]
pub(crate) const fn narrow(_: &Path) -> Vec<String> {
    Vec::new()
}

/// True for names that a data folder contains besides models. Nothing else in the folder is touched.
#[cfg(unix)]
fn is_ours(name: &str) -> bool {
    const NAMES: &[&str] = &[
        "backups",
        "quarantine",
        "workspaces",
        "trash",
        "logs",
        "scrub.key",
        ".account",
        ".lock",
        ".restore",
        ".import",
        ".changes",
        ".purging",
        ".renaming",
        ".exporting",
    ];
    const STARTS: &[&str] = &["agents.db", "secrets."];
    NAMES.contains(&name) || STARTS.iter().any(|start| name.starts_with(start))
}

#[cfg(unix)]
mod unix {
    use std::{
        fs,
        os::unix::fs::{MetadataExt, PermissionsExt},
        path::Path,
    };

    /// Permission bits of the group and of others.
    const OTHERS: u32 = 0o077;

    /// Removes the permissions of group and others; true if there were any. Skips links and files of other
    /// owners.
    pub fn shut(path: &Path) -> bool {
        let Ok(data) = fs::symlink_metadata(path) else { return false };
        let wide = !data.is_symlink() && data.mode() & OTHERS != 0;
        wide && fs::set_permissions(path, fs::Permissions::from_mode(data.mode() & 0o7777 & !OTHERS)).is_ok()
    }

    /// Applies [`shut`] to a folder and its contents. The folder comes first, because that makes its contents
    /// unreachable.
    pub fn shut_all(path: &Path) -> bool {
        let mut wide = shut(path);
        let is_folder = fs::symlink_metadata(path).is_ok_and(|data| data.is_dir());
        if let Some(entries) = is_folder.then(|| fs::read_dir(path).ok()).flatten() {
            for entry in entries.flatten() {
                wide |= shut_all(&entry.path());
            }
        }
        wide
    }
}

#[cfg(all(test, unix))]
mod tests {
    use std::{
        fs,
        os::unix::fs::{PermissionsExt, symlink},
    };

    use super::*;

    fn mode(path: &Path) -> u32 {
        fs::metadata(path).expect("it is there").permissions().mode() & 0o777
    }

    fn put(path: &Path, mode: u32) {
        fs::create_dir_all(path.parent().expect("it has one")).expect("a folder");
        fs::write(path, "x").expect("written");
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).expect("set");
    }

    #[test]
    fn permissions_readable_by_others_are_restricted_once_and_links_are_not_followed() {
        let (folder, outside) = (tempfile::tempdir().expect("one"), tempfile::tempdir().expect("another"));
        let (root, other_file) = (folder.path(), outside.path().join("theirs"));
        put(&other_file, 0o644);
        put(&root.join("agents.db"), 0o644);
        put(&root.join("agents.db-wal"), 0o600);
        put(&root.join("workspaces/w/agents.db"), 0o666);
        put(&root.join("models/m/model.onnx"), 0o644);
        put(&root.join("novel.txt"), 0o644);
        symlink(&other_file, root.join("workspaces/link")).expect("a link");
        fs::set_permissions(root.join("workspaces"), fs::Permissions::from_mode(0o777)).expect("set");
        assert_eq!(narrow(root), ["agents.db", "workspaces"]);
        assert_eq!((mode(root), mode(&root.join("agents.db"))), (0o700, 0o600));
        assert_eq!(mode(&root.join("workspaces")), 0o700);
        assert_eq!(mode(&root.join("workspaces/w/agents.db")), 0o600);
        assert_eq!((mode(&other_file), mode(&root.join("novel.txt"))), (0o644, 0o644));
        assert_eq!(mode(&root.join("models/m/model.onnx")), 0o644);
        assert!(narrow(root).is_empty());
    }

    #[test]
    fn a_folder_with_other_files_keeps_its_mode() {
        let folder = tempfile::tempdir().expect("one");
        put(&folder.path().join("novel.txt"), 0o644);
        fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755)).expect("set");
        assert!(narrow(folder.path()).is_empty());
        assert_eq!(mode(folder.path()), 0o755);
    }
}
