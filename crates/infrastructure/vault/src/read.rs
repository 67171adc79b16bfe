//! Reads one file of a vault.

use std::{io::Read as _, path::Path};

use inklings_domain::{
    digest::hex,
    vault::{MAX_PAGE_BYTES, SkipReason, plan::FoundFile},
};
use inklings_files::PathKind;
use inklings_ports::vault::files::{FileText, VaultFilesError};
use sha2::{Digest, Sha256};

use crate::find::stat;

/// Opens a file in the program that the system has for it. Links are not followed.
pub fn in_its_program(root: &Path, path: &str) -> Result<(), VaultFilesError> {
    let path = root.join(path);
    inklings_files::folders_to(root, &path).map_err(|_| VaultFilesError::NoFile)?;
    inklings_files::open_to_read(&path).map_err(|_| VaultFilesError::NoFile)?;
    inklings_files::open_in_program(&path, PathKind::File).map_err(|_| VaultFilesError::NoProgram)
}

/// The text of a file that is as it was found. Links are not followed, also not in the folders above.
pub fn text(root: &Path, found: &FoundFile) -> Result<FileText, SkipReason> {
    let path = root.join(&found.path);
    let unreadable = |_| SkipReason::Unreadable;
    inklings_files::folders_to(root, &path).map_err(unreadable)?;
    let mut file = inklings_files::open_to_read(&path).map_err(unreadable)?;
    let is_as_found =
        |file: &std::fs::File| file.metadata().map(|data| stat(&data) == found.stat).map_err(unreadable);
    if !is_as_found(&file)? {
        return Err(SkipReason::Changing);
    }
    let mut bytes = Vec::with_capacity(usize::try_from(found.stat.size).unwrap_or_default());
    (&mut file).take(MAX_PAGE_BYTES + 1).read_to_end(&mut bytes).map_err(unreadable)?;
    if !is_as_found(&file)? || bytes.len() as u64 != found.stat.size {
        return Err(SkipReason::Changing);
    }
    if bytes.iter().all(|byte| *byte == 0) {
        return Err(SkipReason::Empty);
    }
    let hash = hex(&Sha256::digest(&bytes));
    match String::from_utf8(bytes) {
        Ok(text) if !text.contains('\0') => Ok(FileText { text, hash }),
        _ => Err(SkipReason::NotText),
    }
}
