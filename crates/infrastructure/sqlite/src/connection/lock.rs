//! A lock between processes, held while a file is opened and migrated: concurrent migrations of a new file
//! would conflict.

use std::{
    fs::{File, TryLockError},
    path::Path,
    time::Duration,
};

use inklings_ports::store_error::StoreError;

use crate::error::DbResult;

const PATIENCE: Duration = Duration::from_secs(30);
const PAUSE: Duration = Duration::from_millis(10);

/// Held until it is dropped. The operating system releases it when the process dies.
#[derive(Debug)]
pub struct FolderLock {
    _file: File,
}

impl FolderLock {
    /// Takes the lock of a data folder; waits for other processes.
    ///
    /// # Errors
    /// [`StoreError::Busy`] after half a minute, [`StoreError::ReadOnly`] if the folder cannot be written.
    pub async fn acquire(path: &Path) -> DbResult<Self> {
        let mut waited = Duration::ZERO;
        loop {
            match Self::try_acquire(path)? {
                Some(lock) => return Ok(lock),
                None if waited < PATIENCE => {
                    tokio::time::sleep(PAUSE).await;
                    waited += PAUSE;
                }
                None => return Err(StoreError::Busy.into()),
            }
        }
    }

    /// Takes the lock without waiting; `None` if another holder has it.
    ///
    /// # Errors
    /// [`StoreError::ReadOnly`] if the folder cannot be written.
    pub fn try_acquire(path: &Path) -> DbResult<Option<Self>> {
        let file = inklings_files::open_lock(path)?;
        match file.try_lock() {
            Ok(()) => Ok(Some(Self { _file: file })),
            Err(TryLockError::Error(error)) => Err(error.into()),
            Err(TryLockError::WouldBlock) => Ok(None),
        }
    }
}
