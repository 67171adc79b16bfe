//! Finds the files of a folder without reading them.

use std::{
    fs::{self, DirEntry, Metadata},
    io::ErrorKind,
    path::Path,
    time::UNIX_EPOCH,
};

use inklings_domain::vault::{
    FileStat, MAX_PAGE_BYTES, Skip, SkipReason, is_conflicted, is_drawing, is_page, placeholder_of,
    plan::FoundFile,
};
use inklings_ports::vault::files::{FoundFiles, VaultFilesError};

/// Maximum number of files of a vault.
const MAX_FILES: usize = 200_000;
/// Maximum nesting depth of folders.
const MAX_DEPTH: usize = 64;

pub fn folder(path: &Path) -> Result<String, VaultFilesError> {
    let path = fs::canonicalize(path).map_err(|error| unreadable(error.kind()))?;
    if !path.is_dir() {
        return Err(VaultFilesError::NotFolder);
    }
    path.into_os_string().into_string().map_err(|_| VaultFilesError::BadPath)
}

pub fn files(root: &Path) -> Result<FoundFiles, VaultFilesError> {
    match fs::symlink_metadata(root) {
        Err(error) => return Err(unreadable(error.kind())),
        Ok(data) if !data.is_dir() => return Err(VaultFilesError::NotFolder),
        Ok(_) => {}
    }
    let mut walk = Walk { root, found: FoundFiles::default() };
    if !walk.folder("", 0)? {
        return Err(VaultFilesError::Unreadable);
    }
    let FoundFiles { mut pages, mut attachments, mut skips } = walk.found;
    pages.sort_by(|a, b| a.path.cmp(&b.path));
    attachments.sort_by(|a, b| a.path.cmp(&b.path));
    skips.sort_unstable();
    Ok(FoundFiles { pages, attachments, skips })
}

const fn unreadable(kind: ErrorKind) -> VaultFilesError {
    match kind {
        ErrorKind::NotFound => VaultFilesError::Missing,
        ErrorKind::NotADirectory => VaultFilesError::NotFolder,
        _ => VaultFilesError::Unreadable,
    }
}

/// Size and time of a file.
pub fn stat(data: &Metadata) -> FileStat {
    // A time before 1970 or an unknown one is no reason to skip a file: it then changes with its size alone.
    let modified = data.modified().ok().and_then(|at| at.duration_since(UNIX_EPOCH).ok());
    let modified_at = modified.map_or(0, |at| i64::try_from(at.as_micros()).unwrap_or(i64::MAX));
    FileStat { size: data.len(), modified_at }
}

struct Walk<'r> {
    root: &'r Path,
    found: FoundFiles,
}

impl Walk<'_> {
    /// Adds what is in a folder. False if it cannot be read.
    fn folder(&mut self, inside: &str, depth: usize) -> Result<bool, VaultFilesError> {
        let Ok(entries) = fs::read_dir(self.root.join(inside)) else { return Ok(false) };
        for entry in entries {
            let Ok(entry) = entry else { return Ok(false) };
            self.entry(inside, depth, &entry)?;
            let FoundFiles { pages, attachments, skips } = &self.found;
            if pages.len() + attachments.len() + skips.len() > MAX_FILES {
                return Err(VaultFilesError::TooMany);
            }
        }
        Ok(true)
    }

    fn entry(&mut self, inside: &str, depth: usize, entry: &DirEntry) -> Result<(), VaultFilesError> {
        let within =
            |name: &str| if inside.is_empty() { name.to_owned() } else { format!("{inside}/{name}") };
        let os_name = entry.file_name();
        let Some(name) = os_name.to_str().filter(|name| !name.contains(char::is_control)) else {
            let shown = os_name.to_string_lossy().replace(char::is_control, "\u{FFFD}");
            self.skip(within(&shown), SkipReason::BadPath);
            return Ok(());
        };
        let path = within(name);
        let Ok(kind) = entry.file_type() else {
            self.skip(path, SkipReason::Unreadable);
            return Ok(());
        };
        if let Some(absent) = placeholder_of(name).filter(|_| kind.is_file()) {
            self.skip(within(absent), SkipReason::NotDownloaded);
        } else if name.starts_with('.') {
            self.skip(path, SkipReason::Hidden);
        } else if kind.is_symlink() {
            let target = fs::canonicalize(entry.path());
            let is_inside = target.is_ok_and(|target| target.starts_with(self.root));
            self.skip(path, if is_inside { SkipReason::InsideLink } else { SkipReason::OutsideLink });
        } else if kind.is_dir() {
            if depth >= MAX_DEPTH {
                self.skip(path, SkipReason::BadPath);
            } else if !self.folder(&path, depth + 1)? {
                self.skip(path, SkipReason::Unreadable);
            }
        } else if kind.is_file() {
            self.file(path, name, entry);
        } else {
            self.skip(path, SkipReason::NotFile);
        }
        Ok(())
    }

    fn file(&mut self, path: String, name: &str, entry: &DirEntry) {
        let Ok(data) = entry.metadata() else { return self.skip(path, SkipReason::Unreadable) };
        let stat = stat(&data);
        if is_drawing(name) || !is_page(name) {
            self.found.attachments.push(FoundFile { path, stat });
        } else if is_conflicted(name) {
            self.skip(path, SkipReason::Conflict);
        } else if stat.size > MAX_PAGE_BYTES {
            self.skip(path, SkipReason::TooLarge);
        } else {
            self.found.pages.push(FoundFile { path, stat });
        }
    }

    fn skip(&mut self, path: String, reason: SkipReason) {
        self.found.skips.push(Skip { path, reason });
    }
}
