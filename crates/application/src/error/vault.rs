//! Why a folder cannot be linked or indexed. No message has a path: it would get into logs.

use inklings_ports::vault::files::VaultFilesError;

/// Why a folder cannot be linked or indexed. Nothing was changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum VaultError {
    /// It cannot be read.
    #[error(transparent)]
    Files(#[from] VaultFilesError),
    /// It lies in the data folder.
    #[error("this folder lies in the folder where Inklings keeps its data")]
    InDataFolder,
    /// The data folder lies in it.
    #[error("this folder contains the folder where Inklings keeps its data")]
    HoldsDataFolder,
    #[error("this folder is linked already")]
    Linked,
    /// It lies in a linked folder.
    #[error("this folder lies in one that is linked already")]
    InVault,
    /// A linked folder lies in it.
    #[error("this folder contains one that is linked already")]
    HoldsVault,
    /// It had pages and has no file now.
    #[error("the folder is empty now, and its drive may not be connected; its pages stay in the index")]
    Emptied,
}
