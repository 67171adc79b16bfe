//! Fingerprints of scrubbed texts: HMAC-SHA-256 with a key beside the databases, in a separate file that only
//! the owner can read. A leaked database alone does not allow guessing texts from its fingerprints.

use std::{
    fs,
    io::{ErrorKind, Write},
    path::{Path, PathBuf},
};

use hmac::{Hmac, KeyInit, Mac};
use inklings_domain::{digest::hex, ids::WorkspaceId};
use inklings_ports::store_error::StoreError;
use sha2::Sha256;

use crate::{
    connection::{Database, copy::sync_folder},
    error::DbResult,
    layout::Layout,
};

const FILE: &str = "scrub.key";
const BYTES: usize = 32;

pub(crate) struct Key(Vec<u8>);

impl Key {
    /// The key of the data folder of a database; `None` if none was created yet.
    pub(crate) fn read(db: &Database) -> DbResult<Option<Self>> {
        Self::at(&path(db))
    }

    /// The key in a file; `None` if there is no such file.
    pub(crate) fn at(path: &Path) -> DbResult<Option<Self>> {
        match inklings_files::read(path) {
            Ok(text) => Ok(Some(Self(bytes(String::from_utf8_lossy(&text).trim())?))),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    /// Like [`Self::read`], but creates a missing key.
    pub(crate) fn made(db: &Database) -> DbResult<Self> {
        if let Some(key) = Self::read(db)? {
            return Ok(key);
        }
        let mut random = [0; BYTES];
        getrandom::fill(&mut random)
            .map_err(|_| StoreError::Refused("this system gives no random numbers".into()))?;
        let path = path(db);
        // The file is complete before it gets its name, and never replaces an existing key.
        let part = path.with_extension(format!("key.{}", std::process::id()));
        let mut file = inklings_files::create(&part)?;
        file.write_all(hex(&random).as_bytes())?;
        file.sync_all()?;
        drop(file);
        let linked = fs::hard_link(&part, &path);
        fs::remove_file(&part)?;
        match linked {
            Err(error) if error.kind() != ErrorKind::AlreadyExists => return Err(error.into()),
            _ => {}
        }
        if let Some(folder) = path.parent() {
            sync_folder(folder)?;
        }
        Ok(Self::read(db)?.ok_or(StoreError::NotFound("key of fingerprints"))?)
    }

    /// The fingerprint of a form of a text: 64 hex digits.
    pub(crate) fn fingerprint(&self, form: &str) -> String {
        // HMAC takes keys of any length.
        let Ok(mut mac) = Hmac::<Sha256>::new_from_slice(&self.0) else { return String::new() };
        mac.update(form.as_bytes());
        hex(&mac.finalize().into_bytes())
    }
}

fn path(db: &Database) -> PathBuf {
    let levels = if db.workspace_id() == WorkspaceId::ACCOUNT { 1 } else { 3 };
    let root = db.path().ancestors().nth(levels).unwrap_or_else(|| Path::new("."));
    Layout::new(root.to_owned()).scrub_key()
}

fn bytes(hex: &str) -> DbResult<Vec<u8>> {
    let damaged = || StoreError::Corrupt { file: FILE.to_owned() };
    let pair = |at: usize| hex.get(at..at + 2).and_then(|pair| u8::from_str_radix(pair, 16).ok());
    let bytes: Option<Vec<u8>> = (0..hex.len()).step_by(2).map(pair).collect();
    Ok(bytes.filter(|bytes| bytes.len() == BYTES).ok_or_else(damaged)?)
}
