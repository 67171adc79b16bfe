//! Commands of backups that also work if the databases cannot be opened.

use inklings_api::backup::view::{BackupList, BackupView, DamagedFile, Restored, ScrubbedData};

use crate::{Answer, Core};

/// All backups, newest first.
#[specta::specta]
pub async fn list_backups(core: Core) -> Answer<BackupList> {
    match core.app() {
        Ok(app) => app.backup().list_backups().await,
        Err(_) => core.backups().list_backups().await,
    }
}

/// Verifies all files of a backup.
#[specta::specta]
pub async fn check_backup(core: Core, id: String) -> Answer<BackupView> {
    core.backups().check_backup(&id).await
}

/// Restores a backup, after a backup of the current state.
#[specta::specta]
pub async fn restore_backup(core: Core, id: String, scrubbed: ScrubbedData) -> Answer<Restored> {
    if let Ok(app) = core.app() {
        return app.backup().restore_backup(&id, scrubbed).await;
    }
    let restored = core.backups().restore_backup(&id, scrubbed).await?;
    core.open_again().await;
    Ok(restored)
}

/// Moves the account's damaged or missing database aside and creates an empty one.
#[specta::specta]
pub async fn begin_account_anew(core: Core) -> Answer<()> {
    if let Ok(app) = core.app() {
        return app.backup().begin_account_anew().await;
    }
    core.backups().begin_account_anew().await?;
    core.open_again().await;
    Ok(())
}

/// Damaged databases, each with its newest intact backup.
#[specta::specta]
pub async fn damaged_files(core: Core) -> Answer<Vec<DamagedFile>> {
    match core.app() {
        Ok(app) => app.backup().damaged_files().await,
        Err(_) => core.backups().damaged_files().await,
    }
}
