//! Settles operations that were interrupted between the commits of two files.

use std::{
    fs::{self, OpenOptions, TryLockError},
    io,
    path::Path,
};

use super::{REFUSED, carry_out};
use crate::{
    connection::copy::sync_folder,
    error::DbResult,
    intent::{Lines, WHOLE, layout_of},
    layout::Layout,
    store::SqliteStore,
    transfer::intent,
};

/// Settles operations that were interrupted between two commits: completes them if the workspace committed
/// its part, drops them if not. Failures are retried the next time and do not prevent opening.
pub async fn settle(account: &SqliteStore) {
    let layout = layout_of(account);
    for folder in [layout.importing(), layout.changing()] {
        let mut paths = match inklings_files::entries(&folder) {
            Ok(paths) => paths,
            Err(error) => {
                tracing::warn!(%error, "what was cut off between two commits could not be looked for");
                continue;
            }
        };
        paths.sort_unstable();
        for path in paths {
            if let Err(error) = settle_one(account, &layout, &folder, &path).await {
                let error = account.db.fail(error);
                tracing::warn!(%error, "what was cut off between two commits could not be settled yet");
            }
        }
    }
}

async fn settle_one(account: &SqliteStore, layout: &Layout, folder: &Path, path: &Path) -> DbResult<()> {
    let state = path.extension().and_then(|state| state.to_str()).unwrap_or_default();
    if state == REFUSED {
        return Ok(());
    }
    let file = match inklings_files::open(path, OpenOptions::new().read(true).write(true)) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        file => file?,
    };
    match file.try_lock() {
        Err(TryLockError::WouldBlock) => return Ok(()),
        Err(TryLockError::Error(error)) => return Err(error.into()),
        Ok(()) => {}
    }
    if state == WHOLE {
        let name = path.file_stem().and_then(|name| name.to_str()).unwrap_or_default().to_owned();
        let lines = Lines::of(name, &file)?;
        if folder == layout.changing() {
            carry_out(account, layout, lines).await?;
        } else {
            intent::carry_out(account, layout, lines).await?;
        }
    }
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error.into()),
        _ => {}
    }
    sync_folder(folder)
}
