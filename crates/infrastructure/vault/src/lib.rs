//! The files of linked vaults: found, read, hashed, and opened in their programs. Only `append` writes.

mod append;
mod find;
mod read;
mod watch;

use std::path::{Path, PathBuf};

use inklings_domain::vault::{SkipReason, plan::FoundFile};
use inklings_ports::vault::files::{FileText, FoundFiles, VaultFiles, VaultFilesError};
use tokio::task;

pub use watch::VaultWatch;

/// The files on the disks of this machine.
#[derive(Debug, Clone, Copy, Default)]
pub struct DiskFiles;

#[async_trait::async_trait]
impl VaultFiles for DiskFiles {
    async fn folder(&self, path: &Path) -> Result<String, VaultFilesError> {
        let path = path.to_owned();
        blocking(move || find::folder(&path), Err(VaultFilesError::Unreadable)).await
    }

    async fn find(&self, root: &str) -> Result<FoundFiles, VaultFilesError> {
        let root = PathBuf::from(root);
        blocking(move || find::files(&root), Err(VaultFilesError::Unreadable)).await
    }

    async fn read(&self, root: &str, files: &[FoundFile]) -> Vec<Result<FileText, SkipReason>> {
        let (root, files) = (PathBuf::from(root), files.to_vec());
        let failed = vec![Err(SkipReason::Unreadable); files.len()];
        blocking(move || files.iter().map(|file| read::text(&root, file)).collect(), failed).await
    }

    async fn append(&self, root: &str, path: &str, known: &str, text: &str) -> Result<(), VaultFilesError> {
        let (root, path) = (PathBuf::from(root), path.to_owned());
        let (known, text) = (known.to_owned(), text.to_owned());
        let write = move || append::append(&root, &path, &known, &text);
        blocking(write, Err(VaultFilesError::Unwritable)).await
    }

    async fn open(&self, root: &str, path: &str) -> Result<(), VaultFilesError> {
        let (root, path) = (PathBuf::from(root), path.to_owned());
        blocking(move || read::in_its_program(&root, &path), Err(VaultFilesError::NoProgram)).await
    }
}

/// Runs a task that waits for a disk on a thread of its own.
async fn blocking<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static, failed: T) -> T {
    task::spawn_blocking(work).await.unwrap_or_else(|error| {
        // The message of a panic could have a path.
        tracing::warn!(panicked = error.is_panic(), "the files of a vault were not read");
        failed
    })
}
