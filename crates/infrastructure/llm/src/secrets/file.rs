//! Stores keys in a file that only its owner can read, for machines without a keychain.

use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use inklings_files::WrongKind;
use inklings_ports::model::chat::{Secret, SecretError};

/// Maximum file size in bytes; a larger file is not a valid key file.
const LONGEST: u64 = 1 << 20;

/// `secrets.json` in the data folder. All methods block.
#[derive(Debug)]
pub(super) struct SecretFile {
    folder: PathBuf,
}

impl SecretFile {
    pub const fn new(folder: PathBuf) -> Self {
        Self { folder }
    }

    pub fn secret(&self, name: &str) -> Result<Option<Secret>, SecretError> {
        Ok(self.read()?.remove(name).map(Secret::new))
    }

    /// Changes one key. The application and the command line may do so at the same time, so the change holds a lock.
    /// The lock is a separate file, because the key file is replaced.
    pub fn set_secret(&self, name: &str, secret: Option<&Secret>) -> Result<(), SecretError> {
        if secret.is_none() && !self.path().exists() {
            return Ok(());
        }
        fs::create_dir_all(&self.folder).map_err(|error| failed("the data folder", &error))?;
        let lock = inklings_files::open_lock(&self.folder.join("secrets.lock"))
            .map_err(|error| failed("the lock of the file of keys", &error))?;
        lock.lock().map_err(|error| failed("the lock of the file of keys", &error))?;
        let mut all = self.read()?;
        match secret {
            Some(secret) => all.insert(name.to_owned(), secret.reveal().to_owned()),
            None => all.remove(name),
        };
        self.write(&all).map_err(|error| failed("the file of keys", &error))
    }

    fn path(&self) -> PathBuf {
        self.folder.join("secrets.json")
    }

    fn read(&self) -> Result<BTreeMap<String, String>, SecretError> {
        let damaged = || SecretError("the file of keys is damaged".into());
        let path = self.path();
        // Refuses links: with write access to the folder, somebody could make the program read or replace another
        // file.
        let file = match inklings_files::open_to_read(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(BTreeMap::new()),
            opened => opened.map_err(|error| failed("the file of keys", &error))?,
        };
        restrict(&file).map_err(|error| failed("the file of keys", &error))?;
        let mut text = String::new();
        file.take(LONGEST).read_to_string(&mut text).map_err(|_| damaged())?;
        // The parser's error message may quote the content.
        serde_json::from_str(&text).map_err(|_| damaged())
    }

    /// Replaces the file atomically: a crash leaves the old one or the new one.
    fn write(&self, all: &BTreeMap<String, String>) -> io::Result<()> {
        let chance = getrandom::u64().map_err(io::Error::other)?;
        let path = self.folder.join(format!("secrets.{chance:016x}.tmp"));
        let written = self.write_to(&path, all);
        if written.is_err() {
            // Best effort: the write error is the one reported.
            let _ = fs::remove_file(&path);
        }
        written
    }

    fn write_to(&self, path: &Path, all: &BTreeMap<String, String>) -> io::Result<()> {
        let text = serde_json::to_string_pretty(all)?;
        let mut file = inklings_files::open(path, OpenOptions::new().write(true).create_new(true))?;
        file.write_all(text.as_bytes())?;
        file.sync_all()?;
        fs::rename(path, self.path())?;
        // The rename is durable only after the folder is flushed.
        inklings_files::sync_folder(&self.folder)
    }
}

/// Removes permissions that a copy or a backup may have granted to others.
fn restrict(file: &File) -> io::Result<()> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        if file.metadata()?.permissions().mode() & 0o077 != 0 {
            file.set_permissions(fs::Permissions::from_mode(0o600))?;
        }
    }
    #[cfg(not(unix))]
    let _ = file;
    Ok(())
}

fn failed(what: &str, error: &io::Error) -> SecretError {
    if let Some(wrong) = WrongKind::of(error) {
        return SecretError(format!("{what}: {wrong}"));
    }
    SecretError(format!("{what}: {}", error.kind()))
}
