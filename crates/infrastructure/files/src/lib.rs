//! Opens the files of a data folder safely. Opening a FIFO blocks until its other end is opened, and a link may point
//! outside the folder. So each path is checked first, and the open call itself neither blocks nor follows links,
//! because the path may be replaced in between.

use std::{
    error::Error,
    fmt,
    fs::{self, File, FileType, OpenOptions},
    io::{self, ErrorKind, Read},
    path::{Path, PathBuf},
};

/// Device and inode of the file or folder at a path; `None` if there is none.
#[cfg(unix)]
pub fn identity(path: &Path) -> Option<(u64, u64)> {
    use std::os::unix::fs::MetadataExt;
    fs::metadata(path).ok().map(|data| (data.dev(), data.ino()))
}

/// `None`: what is open cannot be replaced on this system.
#[cfg(not(unix))]
pub fn identity(_path: &Path) -> Option<(u64, u64)> {
    None
}

/// The kind of a path. Links are never followed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PathKind {
    /// A regular file.
    File,
    Folder,
    /// A symbolic link.
    Link,
    /// A FIFO (named pipe).
    Pipe,
    Socket,
    /// A device, or an unknown kind.
    Device,
}

impl PathKind {
    fn of(found: FileType) -> Self {
        #[cfg(unix)]
        {
            use std::os::unix::fs::FileTypeExt;
            if found.is_fifo() {
                return Self::Pipe;
            }
            if found.is_socket() {
                return Self::Socket;
            }
        }
        if found.is_symlink() {
            Self::Link
        } else if found.is_dir() {
            Self::Folder
        } else if found.is_file() {
            Self::File
        } else {
            Self::Device
        }
    }

    /// The kind with its article, for messages.
    pub const fn words(self) -> &'static str {
        match self {
            Self::File => "a file",
            Self::Folder => "a folder",
            Self::Link => "a link",
            Self::Pipe => "a pipe",
            Self::Socket => "a socket",
            Self::Device => "a device",
        }
    }
}

impl fmt::Display for PathKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.words())
    }
}

/// The path is of another kind than expected. It was not opened.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("'{name}' is {found} where {expected} should be")]
pub struct WrongKind {
    /// File name without its folder.
    pub name: String,
    pub expected: PathKind,
    /// The actual kind.
    pub found: PathKind,
}

impl WrongKind {
    /// The [`WrongKind`] inside an I/O error, if there is one.
    pub fn of(error: &io::Error) -> Option<&Self> {
        let inner: &(dyn Error + 'static) = error.get_ref()?;
        inner.downcast_ref()
    }

    fn at(path: &Path, expected: PathKind, found: PathKind) -> io::Error {
        let name = path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
        io::Error::new(ErrorKind::InvalidInput, Self { name, expected, found })
    }
}

/// The kind of a path; `None` if it does not exist.
///
/// # Errors
/// Any error of the file system.
pub fn kind(path: &Path) -> io::Result<Option<PathKind>> {
    match fs::symlink_metadata(path) {
        Ok(data) => Ok(Some(PathKind::of(data.file_type()))),
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => Ok(None),
        Err(error) => Err(error),
    }
}

fn require(path: &Path, expected: PathKind) -> io::Result<bool> {
    match kind(path)? {
        None => Ok(false),
        Some(found) if found == expected => Ok(true),
        Some(found) => Err(WrongKind::at(path, expected, found)),
    }
}

/// True if the path is a file, false if it does not exist.
///
/// # Errors
/// [`WrongKind`] for any other kind.
pub fn file(path: &Path) -> io::Result<bool> {
    require(path, PathKind::File)
}

/// True if the path is a folder, false if it does not exist.
///
/// # Errors
/// [`WrongKind`] for any other kind.
pub fn folder(path: &Path) -> io::Result<bool> {
    require(path, PathKind::Folder)
}

/// Checks the folders between `root` and `path`. The root itself may be a link, because its owner chose it.
///
/// # Errors
/// [`WrongKind`] for a path component that is not a folder.
pub fn folders_to(root: &Path, path: &Path) -> io::Result<()> {
    let Ok(within) = path.strip_prefix(root) else { return Ok(()) };
    let mut at = root.to_owned();
    for part in within.parent().into_iter().flat_map(Path::components) {
        at.push(part);
        if !folder(&at)? {
            break;
        }
    }
    Ok(())
}

/// Opens a file of the data folder. A new file gets permissions for its owner only.
///
/// # Errors
/// [`WrongKind`] for any other kind than a file, or any error of the file system.
pub fn open(path: &Path, options: &OpenOptions) -> io::Result<File> {
    file(path)?;
    let mut options = options.clone();
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        let flags = rustix::fs::OFlags::NOFOLLOW | rustix::fs::OFlags::NONBLOCK;
        options.mode(0o600).custom_flags(flags.bits().cast_signed());
    }
    opened(path, options.open(path)?)
}

/// Opens a file for reading and follows links, e.g. to a model of another program.
///
/// # Errors
/// [`WrongKind`] if the final target is not a file, or any error of the file system.
pub fn open_linked(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::custom_flags(
        &mut options,
        rustix::fs::OFlags::NONBLOCK.bits().cast_signed(),
    );
    opened(path, options.open(path)?)
}

/// Opens a file or folder in the program that the system has for it, and does not wait for that program.
///
/// # Errors
/// [`WrongKind`] if it is of another kind than `expected`, [`ErrorKind::NotFound`] if there is none, or the error of starting
/// a program.
pub fn open_in_program(path: &Path, expected: PathKind) -> io::Result<()> {
    if !require(path, expected)? {
        return Err(ErrorKind::NotFound.into());
    }
    open::that_detached(path)
}

fn opened(path: &Path, file: File) -> io::Result<File> {
    match PathKind::of(file.metadata()?.file_type()) {
        PathKind::File => Ok(file),
        found => Err(WrongKind::at(path, PathKind::File, found)),
    }
}

/// Opens a file of the data folder for reading.
pub fn open_to_read(path: &Path) -> io::Result<File> {
    open(path, OpenOptions::new().read(true))
}

/// Reads a whole file of the data folder.
pub fn read(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    open_to_read(path)?.read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Reads a whole file and follows links.
pub fn read_linked(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    open_linked(path)?.read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Creates a file, or truncates an existing one.
pub fn create(path: &Path) -> io::Result<File> {
    open(path, OpenOptions::new().create(true).truncate(true).write(true))
}

/// Opens a lock file, or creates it; its content is kept.
pub fn open_lock(path: &Path) -> io::Result<File> {
    open(path, OpenOptions::new().create(true).truncate(false).write(true))
}

/// Copies a file of the data folder.
pub fn copy(from: &Path, to: &Path) -> io::Result<()> {
    let mut from = open_to_read(from)?;
    io::copy(&mut from, &mut create(to)?)?;
    Ok(())
}

/// Flushes a file that was written by other code to the disk.
pub fn sync(path: &Path) -> io::Result<()> {
    open(path, OpenOptions::new().write(true))?.sync_all()
}

/// Flushes a rename or removal in a folder to the disk. Windows has no such call and needs none.
///
/// # Errors
/// Any error of the file system.
pub fn sync_folder(folder: &Path) -> io::Result<()> {
    if cfg!(unix) {
        File::open(folder)?.sync_all()?;
    }
    Ok(())
}

/// The paths in a folder; empty if the folder does not exist.
///
/// # Errors
/// [`WrongKind`] if the path is not a folder, or any error of the file system.
pub fn entries(path: &Path) -> io::Result<Vec<PathBuf>> {
    if !folder(path)? {
        return Ok(Vec::new());
    }
    fs::read_dir(path)?.map(|entry| Ok(entry?.path())).collect()
}

#[cfg(all(test, unix))]
mod tests;
