//! Tracks unfinished exports, which are hidden files next to their destination anywhere on the disk. Each is
//! noted in the data folder, so that the next start removes those of killed processes.

use std::{
    fs::{self, File, OpenOptions, TryLockError},
    io,
    path::{Path, PathBuf},
};

/// Name of the folder of the notes.
const NOTES: &str = ".exporting";
/// File name suffix of an unfinished export.
pub(crate) const UNFINISHED: &str = ".new";

/// Note of an unfinished export. Its file lock shows that the exporting process is alive.
#[derive(Debug)]
pub(crate) struct Note {
    path: PathBuf,
    _lock: File,
}

impl Note {
    /// Notes the temporary path of an export; `None` in a read-only data folder. The note is removed on drop.
    pub(crate) fn of(data_dir: &Path, until_then: &Path) -> Option<Self> {
        let written = || -> io::Result<Self> {
            let folder = data_dir.join(NOTES);
            inklings_files::folder(&folder)?;
            fs::create_dir_all(&folder)?;
            let text = serde_json::to_vec(&std::path::absolute(until_then)?)?;
            for n in 0..u32::MAX {
                let path = folder.join(format!("{}-{n}", std::process::id()));
                match inklings_files::open(&path, OpenOptions::new().write(true).create_new(true)) {
                    Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                    file => {
                        let mut file = file?;
                        // Locked before it is written: a note with text but without a lock is taken for that
                        // of a dead process.
                        file.lock()?;
                        io::Write::write_all(&mut file, &text)?;
                        file.sync_all()?;
                        return Ok(Self { path, _lock: file });
                    }
                }
            }
            Err(io::ErrorKind::AlreadyExists.into())
        };
        written().inspect_err(|error| tracing::debug!(%error, "an export is not noted")).ok()
    }
}

impl Drop for Note {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.path);
        if let Some(folder) = self.path.parent() {
            // Succeeds only if the folder is empty.
            let _ = fs::remove_dir(folder);
        }
    }
}

/// Removes the unfinished exports of dead processes.
pub(crate) fn clear(data_dir: &Path) {
    unfinished(data_dir);
}

/// Paths of the unfinished exports of live processes, after those of dead processes are removed.
pub(crate) fn unfinished(data_dir: &Path) -> Vec<String> {
    let notes = inklings_files::entries(&data_dir.join(NOTES)).unwrap_or_default();
    let mut there = Vec::new();
    for note in notes {
        match settle(&note) {
            Ok(Some(path)) => there.push(path.display().to_string()),
            Ok(None) => {}
            Err(error) => tracing::warn!(%error, "an unfinished export could not be cleared away"),
        }
    }
    let _ = fs::remove_dir(data_dir.join(NOTES));
    there
}

/// Removes the unfinished export and its note if its process is dead. Gives the path of a file that remains:
/// its process is alive, or its name is not that of an unfinished export, or it cannot be removed.
fn settle(note: &Path) -> io::Result<Option<PathBuf>> {
    let file = inklings_files::open(note, OpenOptions::new().read(true).write(true))?;
    let alive = match file.try_lock() {
        Ok(()) => false,
        Err(TryLockError::WouldBlock) => true,
        Err(TryLockError::Error(error)) => return Err(error),
    };
    let Ok(path) = serde_json::from_slice::<PathBuf>(&inklings_files::read(note)?) else {
        // The process died before it wrote the note, so the export had not started.
        if !alive {
            fs::remove_file(note)?;
        }
        return Ok(None);
    };
    if alive || !is_ours(&path) {
        return Ok(Some(path).filter(|path| fs::symlink_metadata(path).is_ok()));
    }
    match fs::remove_file(&path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            tracing::warn!(%error, "what an export left could not be removed");
            return Ok(Some(path));
        }
        _ => fs::remove_file(note)?,
    }
    Ok(None)
}

/// True for the file name of an unfinished export, so that a manipulated note cannot remove other files.
fn is_ours(path: &Path) -> bool {
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    name.starts_with('.')
        && name.ends_with(UNFINISHED)
        && fs::symlink_metadata(path).map_or(true, |data| data.is_file())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unfinished_export_is_removed_if_its_process_is_dead_and_listed_if_it_is_running() {
        let folder = tempfile::tempdir().expect("a folder");
        let hidden = folder.path().join(".out.inklings.1.new");
        fs::write(&hidden, b"memory").expect("written");
        let note = Note::of(folder.path(), &hidden).expect("noted");
        assert_eq!(unfinished(folder.path()), [hidden.display().to_string()]);
        assert!(hidden.exists(), "its process lives");
        // A process that dies releases its locks and removes nothing.
        let left = folder.path().join(NOTES).join("999999-0");
        fs::copy(&note.path, &left).expect("copied");
        drop(note);
        clear(folder.path());
        assert!(!hidden.exists() && !folder.path().join(NOTES).exists());
    }

    #[test]
    fn cleaning_up_removes_only_unfinished_exports() {
        let folder = tempfile::tempdir().expect("a folder");
        let novel = folder.path().join("novel.txt");
        fs::write(&novel, b"a novel").expect("written");
        fs::create_dir(folder.path().join(NOTES)).expect("a folder");
        let note = serde_json::to_vec(&novel).expect("a path");
        fs::write(folder.path().join(NOTES).join("1-0"), note).expect("a note");
        clear(folder.path());
        assert!(novel.exists());
    }
}
