//! The only write into a vault: a text at the end of a file that the worldbuilder chose for it.

use std::{
    fs::{File, OpenOptions},
    io::{self, Read as _, Write as _},
    path::Path,
};

use inklings_ports::vault::files::VaultFilesError;

/// Adds a text at the end of a file that is as it is known. Links are not followed. A write that fails is taken back.
pub fn append(root: &Path, path: &str, known: &str, text: &str) -> Result<(), VaultFilesError> {
    let path = root.join(path);
    inklings_files::folders_to(root, &path).map_err(|_| VaultFilesError::NoFile)?;
    let options = OpenOptions::new().read(true).append(true).clone();
    let mut file = inklings_files::open(&path, &options).map_err(|error| match error.kind() {
        io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => VaultFilesError::Unwritable,
        _ => VaultFilesError::NoFile,
    })?;
    let mut found = Vec::with_capacity(known.len());
    (&mut file)
        .take(known.len() as u64 + 1)
        .read_to_end(&mut found)
        .map_err(|_| VaultFilesError::Unwritable)?;
    if found != known.as_bytes() {
        return Err(VaultFilesError::Changed);
    }
    write(&mut file, text).map_err(|_| {
        // What was written of it is not left behind.
        let _ = file.set_len(known.len() as u64);
        VaultFilesError::Unwritable
    })
}

fn write(file: &mut File, text: &str) -> io::Result<()> {
    file.write_all(text.as_bytes())?;
    file.sync_data()
}
