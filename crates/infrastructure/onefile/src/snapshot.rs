//! The file format: a one-line header (magic, format, checksum, length of the rest), then the memory as JSON. A new
//! file is written beside the old one and renamed over it, so that a complete file always exists.

use std::{
    ffi::OsString,
    fmt::Write as _,
    fs::{self, File, OpenOptions},
    io::{self, Read, Write},
    path::{Path, PathBuf},
};

use sha2::{Digest, Sha256};

use crate::{error::OneFileError, state::State};

/// The format version that this release writes, and the newest that it reads.
pub const VERSION: u64 = 1;
/// Maximum file size in bytes. The whole file is held in RAM, several times during a write.
pub const MAX_FILE_BYTES: u64 = 256 * 1024 * 1024;

const MAGIC: &str = "inklings-memory";
/// Upper bound of the header length in bytes.
const HEAD: usize = 160;

/// The location of a memory.
#[derive(Debug)]
pub struct Place {
    folder: PathBuf,
    name: OsString,
    file: PathBuf,
}

impl Place {
    /// The location for a path, which need not exist yet. Links are resolved, because the first write would otherwise
    /// replace the link with a file.
    pub fn of(path: &Path) -> Result<Self, OneFileError> {
        let path = match fs::canonicalize(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => path.to_owned(),
            found => found?,
        };
        let name = path.file_name().ok_or(OneFileError::NoFile)?.to_owned();
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        let folder = fs::canonicalize(folder.unwrap_or_else(|| Path::new(".")))?;
        let file = folder.join(&name);
        if file.is_dir() {
            return Err(OneFileError::NoFile);
        }
        Ok(Self { folder, name, file })
    }

    pub fn file(&self) -> &Path {
        &self.file
    }

    fn sibling(&self, end: &str) -> PathBuf {
        let mut name = OsString::from(".");
        name.push(&self.name);
        name.push(end);
        self.folder.join(name)
    }

    /// The lock file of the memory. It is never removed: if two processes created and removed it in turn, each could
    /// lock a different file.
    pub fn lock(&self) -> PathBuf {
        self.sibling(".lock")
    }

    /// Reads the memory; empty if the file does not exist.
    pub fn read(&self) -> Result<State, OneFileError> {
        let file = match File::open(&self.file) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(State::default()),
            opened => opened?,
        };
        let mut bytes = Vec::new();
        file.take(MAX_FILE_BYTES + 1).read_to_end(&mut bytes)?;
        if bytes.len() as u64 > MAX_FILE_BYTES {
            return Err(OneFileError::TooLarge { found: self.file.metadata()?.len(), limit: MAX_FILE_BYTES });
        }
        decode(&bytes)
    }

    /// Replaces the stored memory. The write is durable when this returns.
    pub fn write(&self, state: &State) -> Result<(), OneFileError> {
        let bytes = encode(state)?;
        let temporary = self.sibling(".new");
        // Removes the leftover of a killed process. Nobody else writes, because this process holds the lock.
        match fs::remove_file(&temporary) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error.into()),
            _ => {}
        }
        let written = self.put(&temporary, &bytes);
        if written.is_err() {
            let _ = fs::remove_file(&temporary);
        }
        Ok(written?)
    }

    fn put(&self, temporary: &Path, bytes: &[u8]) -> io::Result<()> {
        let mut file = OpenOptions::new().write(true).create_new(true).open(temporary)?;
        file.write_all(bytes)?;
        if let Ok(old) = fs::metadata(&self.file) {
            file.set_permissions(old.permissions())?;
        }
        file.sync_all()?;
        drop(file);
        fs::rename(temporary, &self.file)?;
        sync_folder(&self.folder)
    }
}

#[cfg(unix)]
fn sync_folder(folder: &Path) -> io::Result<()> {
    File::open(folder)?.sync_all()
}

/// On other systems a folder cannot be opened as a file, and the system flushes renames itself.
#[cfg(not(unix))]
fn sync_folder(_: &Path) -> io::Result<()> {
    Ok(())
}

fn checksum(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().fold(String::with_capacity(64), |mut hex, byte| {
        let _ = write!(hex, "{byte:02x}");
        hex
    })
}

fn encode(state: &State) -> Result<Vec<u8>, OneFileError> {
    let body = serde_json::to_vec(state).map_err(io::Error::other)?;
    let head = format!("{MAGIC} {VERSION} sha256 {} {}\n", checksum(&body), body.len());
    let size = (head.len() + body.len()) as u64;
    if size > MAX_FILE_BYTES {
        return Err(OneFileError::TooLarge { found: size, limit: MAX_FILE_BYTES });
    }
    Ok([head.into_bytes(), body].concat())
}

fn decode(bytes: &[u8]) -> Result<State, OneFileError> {
    let end = bytes.iter().take(HEAD).position(|byte| *byte == b'\n');
    let head = std::str::from_utf8(&bytes[..end.ok_or(OneFileError::NotAMemory)?]);
    let head: Vec<&str> = head.map_err(|_| OneFileError::NotAMemory)?.split(' ').collect();
    let [MAGIC, version, rest @ ..] = head.as_slice() else { return Err(OneFileError::NotAMemory) };
    let found: u64 = version.parse().map_err(|_| OneFileError::NotAMemory)?;
    if found > VERSION {
        return Err(OneFileError::Newer { found, supported: VERSION });
    }
    let ["sha256", promised, length] = rest else { return Err(OneFileError::NotAMemory) };
    let expected: u64 = length.parse().map_err(|_| OneFileError::NotAMemory)?;
    let body = &bytes[end.unwrap_or_default() + 1..];
    if (body.len() as u64) < expected {
        return Err(OneFileError::CutOff { found: body.len() as u64, expected });
    }
    if body.len() as u64 > expected || checksum(body) != *promised {
        return Err(OneFileError::Checksum);
    }
    // serde's message can quote the text, so only the position is reported. The header is line 1.
    let state: State = serde_json::from_slice(body).map_err(|error| OneFileError::Malformed {
        what: "this is not the form of a memory",
        line: error.line() + 1,
        column: error.column(),
    })?;
    state.checked().map_err(|what| OneFileError::Malformed { what, line: 0, column: 0 })
}
