//! Files in a folder or an archive, read by their paths.

use std::{
    fs::{self, File},
    io::Read,
    path::{Path, PathBuf},
};

use super::{
    FormatError, Spot,
    limits::{MAX_FILE_BYTES, MAX_FILES, MAX_FOLDERS, MAX_TOTAL_BYTES, TOGETHER},
};
use crate::text::Tally;

/// Files that can be read one by one.
pub trait Tree {
    /// Index and path of each file, with `/` as the separator, in the order of paths; without folders.
    fn paths(&self) -> Vec<(usize, String)>;

    /// Reads a file by its index.
    ///
    /// # Errors
    /// [`FormatError::Broken`], [`FormatError::TooLarge`], [`FormatError::Io`].
    fn read(&mut self, index: usize) -> Result<Vec<u8>, FormatError>;
}

fn io(error: &std::io::Error) -> FormatError {
    FormatError::io(error)
}

/// The files of a folder.
pub struct Folder {
    root: PathBuf,
    paths: Vec<String>,
    left: u64,
}

impl Folder {
    /// Lists a folder. Hidden files and folders are passed over.
    ///
    /// # Errors
    /// [`FormatError::Io`]; [`FormatError::TooLarge`] for too many files.
    pub fn open(root: &Path, tally: &mut Tally) -> Result<Self, FormatError> {
        let mut paths = Vec::new();
        walk(root, "", 0, &mut paths, tally)?;
        paths.sort();
        Ok(Self { root: root.to_owned(), paths, left: MAX_TOTAL_BYTES })
    }
}

impl Tree for Folder {
    fn paths(&self) -> Vec<(usize, String)> {
        self.paths.iter().cloned().enumerate().collect()
    }

    fn read(&mut self, index: usize) -> Result<Vec<u8>, FormatError> {
        let large = |bound| Err(FormatError::large(Spot::default(), bound));
        let Some(path) = self.paths.get(index) else { return Err(FormatError::UnknownFormat) };
        let file = File::open(self.root.join(path)).map_err(|error| io(&error))?;
        let mut bytes = Vec::new();
        file.take(MAX_FILE_BYTES + 1).read_to_end(&mut bytes).map_err(|error| io(&error))?;
        if bytes.len() as u64 > MAX_FILE_BYTES {
            return large("the file is larger than 64 MiB");
        }
        let Some(left) = self.left.checked_sub(bytes.len() as u64) else {
            return large(TOGETHER);
        };
        self.left = left;
        Ok(bytes)
    }
}

/// Adds the paths of all files of a folder.
pub fn walk(
    folder: &Path,
    inside: &str,
    depth: usize,
    paths: &mut Vec<String>,
    tally: &mut Tally,
) -> Result<(), FormatError> {
    for found in fs::read_dir(folder.join(inside)).map_err(|error| io(&error))? {
        let found = found.map_err(|error| io(&error))?;
        let Ok(name) = found.file_name().into_string() else {
            tally.add("a file whose name is no text", 1);
            continue;
        };
        if name.starts_with('.') {
            continue;
        }
        let path = if inside.is_empty() { name } else { format!("{inside}/{name}") };
        let kind = found.file_type().map_err(|error| io(&error))?;
        if kind.is_dir() && depth + 1 >= MAX_FOLDERS {
            return Err(FormatError::large(Spot::default(), "the folders are nested too deep"));
        } else if kind.is_dir() {
            walk(folder, &path, depth + 1, paths, tally)?;
        } else if kind.is_symlink() {
            // A link can point outside the folder.
            tally.add("a link, not followed", 1);
        } else if kind.is_file() {
            paths.push(path);
        }
        if paths.len() > MAX_FILES {
            return Err(FormatError::large(Spot::default(), "the folder holds too many files"));
        }
    }
    Ok(())
}
