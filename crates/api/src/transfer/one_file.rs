//! Use cases of single-file memories. They belong to no data folder, so no [`crate::App`] is needed.

use std::path::Path;

use inklings_onefile::{Entry, Kind, OneFileError, OneFileMemory, WAIT};
use inklings_ports::clock::Clock;

pub use inklings_onefile::Kind as FileKind;
pub use inklings_onefile::Operation as FileOperation;

use crate::{
    error::{CommandError, ErrorCode, disk_failed, sentence},
    system::SystemClock,
    transfer::view::{FileEntry, FileEntryKind, FileHit},
    wire::time,
};

fn error(error: &OneFileError) -> CommandError {
    let code = match error {
        OneFileError::Busy => ErrorCode::Busy,
        OneFileError::ReadOnly => ErrorCode::ReadOnly,
        OneFileError::Newer { .. } => ErrorCode::NewerSchema,
        OneFileError::NotAMemory
        | OneFileError::CutOff { .. }
        | OneFileError::Checksum
        | OneFileError::Malformed { .. } => ErrorCode::Corrupt,
        OneFileError::NoFile | OneFileError::TooLarge { .. } => ErrorCode::Invalid,
        OneFileError::Refused { refusal, .. } => match refusal {
            inklings_onefile::Refusal::Unknown => ErrorCode::NotFound,
            inklings_onefile::Refusal::Taken => ErrorCode::AlreadyExists,
            inklings_onefile::Refusal::Text(_) | inklings_onefile::Refusal::Full => ErrorCode::Invalid,
        },
        OneFileError::Io(error) => match error.kind() {
            std::io::ErrorKind::NotFound => ErrorCode::NotFound,
            std::io::ErrorKind::StorageFull | std::io::ErrorKind::QuotaExceeded => ErrorCode::DiskFull,
            std::io::ErrorKind::PermissionDenied | std::io::ErrorKind::ReadOnlyFilesystem => {
                ErrorCode::ReadOnly
            }
            _ if disk_failed(error) => ErrorCode::Io,
            _ => ErrorCode::Internal,
        },
    };
    CommandError::new(code, sentence(&error.to_string()))
}

fn view(entry: &Entry) -> FileEntry {
    FileEntry {
        id: entry.id.0,
        name: entry.name.clone(),
        aliases: entry.aliases.clone(),
        content: entry.content.clone(),
        kind: match entry.kind {
            Kind::Note => FileEntryKind::Note,
            Kind::Archive => FileEntryKind::Archive,
        },
        created_at: time(entry.created_at),
    }
}

/// Lists the entries of a memory file. A missing file is an empty memory and is not created.
///
/// # Errors
/// [`CommandError`] of code `corrupt`, `newer_schema`, `invalid` or `not_found`.
pub fn entries(path: &Path) -> Result<Vec<FileEntry>, CommandError> {
    let memory = OneFileMemory::open_to_read(path).map_err(|e| error(&e))?;
    Ok(memory.entries().map(view).collect())
}

/// Applies all operations, or none. Gives the affected entries that exist afterwards.
///
/// # Errors
/// As [`entries`]; `busy` if another program has it open and does not let it go, `not_found` and `already_exists` for names.
pub fn apply(path: &Path, operations: &[FileOperation]) -> Result<Vec<FileEntry>, CommandError> {
    let mut memory = OneFileMemory::open(path, WAIT).map_err(|e| error(&e))?;
    let applied = memory.apply(operations, SystemClock.now()).map_err(|e| error(&e))?;
    Ok(applied.iter().filter_map(|done| memory.get(done.id)).map(view).collect())
}

/// Entries that contain a word of the query, best first. An entry whose name or alias equals the query comes
/// first.
pub fn search(path: &Path, query: &str) -> Result<Vec<FileHit>, CommandError> {
    let memory = OneFileMemory::open_to_read(path).map_err(|e| error(&e))?;
    let named = memory.resolve(query).map(|entry| entry.id);
    let mut hits: Vec<FileHit> = memory
        .search(query)
        .iter()
        .map(|hit| FileHit {
            score: hit.score,
            by_name: Some(hit.entry.id) == named,
            entry: view(&hit.entry),
        })
        .collect();
    if let Some(entry) = named.and_then(|id| memory.get(id))
        && !hits.iter().any(|hit| hit.by_name)
    {
        hits.insert(0, FileHit { score: 0.0, by_name: true, entry: view(entry) });
    }
    hits.sort_by_key(|hit| !hit.by_name);
    Ok(hits)
}

/// Looks up an entry by name or alias.
///
/// # Errors
/// As [`entries`]; `not_found` if there is none.
pub fn show(path: &Path, name: &str) -> Result<FileEntry, CommandError> {
    let memory = OneFileMemory::open_to_read(path).map_err(|e| error(&e))?;
    let found = memory.resolve(name).map(view);
    found.ok_or_else(|| CommandError::new(ErrorCode::NotFound, "No entry goes by this name."))
}

#[cfg(test)]
mod tests {
    use std::io;

    use inklings_ports::transfer::file::TransferError;

    use super::*;

    #[test]
    fn io_errors_full_disks_and_read_only_disks_have_different_error_codes() {
        for (number, code) in [(5, ErrorCode::Io), (28, ErrorCode::DiskFull), (30, ErrorCode::ReadOnly)] {
            let of_file = error(&OneFileError::Io(io::Error::from_raw_os_error(number)));
            assert_eq!(of_file.code, code, "{of_file}");
        }
        let of_export = CommandError::from(TransferError::Io(io::Error::from_raw_os_error(5)));
        assert_eq!(of_export.code, ErrorCode::Io);
    }
}
