//! Opens the files of a data folder. Opening a pipe waits for its other end, and a link leads out of the folder. So every
//! path is looked at before it is opened, and the opening itself neither waits nor follows: somebody may put another thing
//! there in between.

use std::{
    error::Error,
    fmt,
    fs::{self, File, FileType, OpenOptions},
    io::{self, ErrorKind, Read},
    path::{Path, PathBuf},
};

/// What lies at a path. A link is never followed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PathKind {
    /// A regular file.
    File,
    /// A folder.
    Folder,
    /// A symbolic link.
    Link,
    /// A FIFO.
    Pipe,
    /// A socket.
    Socket,
    /// A device, or what the system has no name for here.
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

    /// With its article, for messages.
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

/// Something else lies where a file or a folder of ours should be. It was not opened.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("'{name}' is {found} where {expected} should be")]
pub struct WrongKind {
    /// The name without its folder.
    pub name: String,
    /// What should be there.
    pub expected: PathKind,
    /// What is there.
    pub found: PathKind,
}

impl WrongKind {
    /// The same inside an error of the file system, if it is one of these.
    pub fn of(error: &io::Error) -> Option<&Self> {
        let inner: &(dyn Error + 'static) = error.get_ref()?;
        inner.downcast_ref()
    }

    fn at(path: &Path, expected: PathKind, found: PathKind) -> io::Error {
        let name = path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
        io::Error::new(ErrorKind::InvalidInput, Self { name, expected, found })
    }
}

/// What lies at a path; `None` if nothing does.
///
/// # Errors
/// Whatever the file system says.
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

/// True if a file lies there, false if nothing does.
///
/// # Errors
/// [`WrongKind`] for anything else.
pub fn file(path: &Path) -> io::Result<bool> {
    require(path, PathKind::File)
}

/// True if a folder lies there, false if nothing does.
///
/// # Errors
/// [`WrongKind`] for anything else.
pub fn folder(path: &Path) -> io::Result<bool> {
    require(path, PathKind::Folder)
}

/// Looks at the folders below `root` in which `path` lies. The root may be a link: its owner chose it.
///
/// # Errors
/// [`WrongKind`] for one that is no folder.
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

/// Opens a file of ours. One that this makes is for its owner alone.
///
/// # Errors
/// [`WrongKind`] for anything else than a file, or whatever the file system says.
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

/// Opens a file to be read that a link may lead to: a model that another program keeps.
///
/// # Errors
/// [`WrongKind`] if there is no file at the end, or whatever the file system says.
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

fn opened(path: &Path, file: File) -> io::Result<File> {
    match PathKind::of(file.metadata()?.file_type()) {
        PathKind::File => Ok(file),
        found => Err(WrongKind::at(path, PathKind::File, found)),
    }
}

/// Opens a file of ours to read it.
///
/// # Errors
/// As [`open`].
pub fn open_to_read(path: &Path) -> io::Result<File> {
    open(path, OpenOptions::new().read(true))
}

/// What a file of ours holds.
///
/// # Errors
/// As [`open`].
pub fn read(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    open_to_read(path)?.read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// What a file holds that a link may lead to.
///
/// # Errors
/// As [`open_linked`].
pub fn read_linked(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    open_linked(path)?.read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Makes a file anew, in the place of one of ours if there is one.
///
/// # Errors
/// As [`open`].
pub fn create(path: &Path) -> io::Result<File> {
    open(path, OpenOptions::new().create(true).truncate(true).write(true))
}

/// Opens the file that a lock is held on, made if need be; what it holds stays.
///
/// # Errors
/// As [`open`].
pub fn open_lock(path: &Path) -> io::Result<File> {
    open(path, OpenOptions::new().create(true).truncate(false).write(true))
}

/// Copies a file of ours.
///
/// # Errors
/// As [`open`].
pub fn copy(from: &Path, to: &Path) -> io::Result<()> {
    let mut from = open_to_read(from)?;
    io::copy(&mut from, &mut create(to)?)?;
    Ok(())
}

/// Makes what a file holds lasting, once somebody else wrote it.
///
/// # Errors
/// As [`open`].
pub fn sync(path: &Path) -> io::Result<()> {
    open(path, OpenOptions::new().write(true))?.sync_all()
}

/// Makes a rename or removal in a folder lasting. Windows has no such call and needs none.
///
/// # Errors
/// Whatever the file system says.
pub fn sync_folder(folder: &Path) -> io::Result<()> {
    if cfg!(unix) {
        File::open(folder)?.sync_all()?;
    }
    Ok(())
}

/// What lies in a folder, as paths; nothing if there is no folder.
///
/// # Errors
/// [`WrongKind`] if something else is there, or whatever the file system says.
pub fn entries(path: &Path) -> io::Result<Vec<PathBuf>> {
    if !folder(path)? {
        return Ok(Vec::new());
    }
    fs::read_dir(path)?.map(|entry| Ok(entry?.path())).collect()
}

#[cfg(all(test, unix))]
mod tests;
