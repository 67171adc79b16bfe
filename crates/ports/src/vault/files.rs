//! Port for the files of vaults.

use std::path::Path;

use inklings_domain::vault::{Skip, SkipReason, plan::FoundFile};

/// Why a folder cannot be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum VaultFilesError {
    /// There is nothing at the path; the drive may not be connected.
    #[error("the folder is not there; its drive may not be connected")]
    Missing,
    /// It is no folder.
    #[error("this is not a folder")]
    NotFolder,
    /// Its path is not text in UTF-8.
    #[error("the path of the folder is not text in UTF-8")]
    BadPath,
    /// There are more files than a scan takes.
    #[error("the folder has too many files")]
    TooMany,
    /// The system refuses to read it.
    #[error("the folder cannot be read")]
    Unreadable,
    /// The file is no longer there, or a link leads to it.
    #[error("the file is not there; the next scan finds out where it went")]
    NoFile,
    /// The file says something else than the index.
    #[error("the file has changed since it was indexed; index it again first")]
    Changed,
    /// The system refuses to write it.
    #[error("the file cannot be written")]
    Unwritable,
    /// The system knows no program for it.
    #[error("the system has no program to open this file with")]
    NoProgram,
}

/// The files of a vault, as a scan finds them without reading them. In the order of paths.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct FoundFiles {
    /// The Markdown files.
    pub pages: Vec<FoundFile>,
    /// The other files.
    pub attachments: Vec<FoundFile>,
    /// What is not indexed.
    pub skips: Vec<Skip>,
}

/// The text of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileText {
    /// As it stands in the file.
    pub text: String,
    /// SHA-256 of the file as lower-case hex digits.
    pub hash: String,
}

/// Reads the files of vaults.
#[async_trait::async_trait]
pub trait VaultFiles: Send + Sync {
    /// The absolute path of a folder, without links.
    ///
    /// # Errors
    /// [`VaultFilesError`].
    async fn folder(&self, path: &Path) -> Result<String, VaultFilesError>;

    /// The files of a folder that [`Self::folder`] gave.
    ///
    /// # Errors
    /// [`VaultFilesError`] if the folder itself cannot be read.
    async fn find(&self, root: &str) -> Result<FoundFiles, VaultFilesError>;

    /// The texts of these files of the folder, in their order. A file that was changed since it was found is not read.
    async fn read(&self, root: &str, files: &[FoundFile]) -> Vec<Result<FileText, SkipReason>>;

    /// Adds a text at the end of a file of the folder, if the file still is the text that is known. It is the only write into
    /// a vault.
    ///
    /// # Errors
    /// [`VaultFilesError::NoFile`]; [`VaultFilesError::Changed`]; [`VaultFilesError::Unwritable`]. The file is as it was then.
    async fn append(&self, root: &str, path: &str, known: &str, text: &str) -> Result<(), VaultFilesError>;

    /// Opens a file of the folder in the program that the system has for it, and does not wait for that program.
    ///
    /// # Errors
    /// [`VaultFilesError::NoFile`]; [`VaultFilesError::NoProgram`].
    async fn open(&self, root: &str, path: &str) -> Result<(), VaultFilesError>;
}
