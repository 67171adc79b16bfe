//! Use cases of backups: create, check, restore. They also work on a folder whose databases cannot be opened.

pub mod view;

use std::{
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

use inklings_application::backup::{BackupSettings as Set, Backups, DamagedFile as Found, Watch};
use inklings_domain::{
    backup::BackupReason,
    ids::WorkspaceId,
    provenance::{Actor, Interface},
};
use inklings_ports::backup::{BackupScope, BackupSet};
use inklings_sqlite::SqliteCatalogue;

use crate::{
    App,
    backup::view::{BackupList, BackupSettings, BackupView, DamagedFile, Restored, ScrubbedData},
    commands::BackupCommands,
    error::CommandError,
    system::SystemClock,
    wire::{count, time},
};

/// Interval of checks whether a backup is due.
const LOOK_EVERY: Duration = Duration::from_secs(30);

/// Backups of a data folder, which may be unopened or damaged.
#[derive(Clone)]
pub struct BackupService {
    backups: Backups,
    actor: Actor,
    data_dir: PathBuf,
}

impl BackupService {
    /// Creates the service for a data folder. Performs no I/O.
    pub fn of(data_dir: PathBuf, interface: Interface) -> Self {
        let catalogue = Arc::new(SqliteCatalogue::new(data_dir.clone()));
        let backups = Backups { catalogue, clock: Arc::new(SystemClock) };
        Self { backups, actor: Actor::of_interface(interface), data_dir }
    }

    /// All backups, newest first.
    ///
    /// # Errors
    /// [`CommandError`] if the folder cannot be read.
    pub async fn list_backups(&self) -> Result<BackupList, CommandError> {
        let rows: Vec<BackupView> = self.backups.list().await?.iter().map(view).collect();
        Ok(BackupList {
            bytes: rows.iter().map(|row| row.bytes).sum(),
            rows,
            max_bytes: self.backups.settings().await.max_bytes() as f64,
            folder: self.backups.catalogue.backup_folder(),
        })
    }

    /// Backs up all databases.
    ///
    /// # Errors
    /// [`CommandError`] if no complete backup could be made.
    pub async fn back_up_now(&self) -> Result<BackupView, CommandError> {
        Ok(view(&self.backups.make(BackupReason::Asked, BackupScope::Everything).await?))
    }

    /// Verifies all files of a backup.
    ///
    /// # Errors
    /// [`CommandError`] of code `not_found`.
    pub async fn check_backup(&self, id: &str) -> Result<BackupView, CommandError> {
        Ok(view(&self.backups.check(id).await?))
    }

    /// Restores a backup, after a backup of the current state. `scrubbed` says what happens to data that was
    /// scrubbed since.
    ///
    /// # Errors
    /// [`CommandError`] of code `not_found`; `invalid` of field `scrubbed`; `corrupt` if the backup is
    /// incomplete; `refused` if it is not known what to scrub first. Nothing is changed in these cases.
    pub async fn restore_backup(&self, id: &str, scrubbed: ScrubbedData) -> Result<Restored, CommandError> {
        let (restored, before) = self.backups.restore(id, scrubbed.into(), self.actor).await?;
        Ok(Restored { restored: view(&restored), before: view(&before) })
    }

    /// Deletes a backup permanently.
    ///
    /// # Errors
    /// [`CommandError`] of code `not_found`.
    pub async fn purge_backup(&self, id: &str) -> Result<(), CommandError> {
        Ok(self.backups.purge(id, self.actor).await?)
    }

    /// Replaces a damaged or missing account database by an empty one; the damaged files are moved aside.
    ///
    /// # Errors
    /// [`CommandError`] of code `not_found` if it is neither damaged nor missing.
    pub async fn begin_account_anew(&self) -> Result<(), CommandError> {
        Ok(self.backups.begin_account_anew(self.actor).await?)
    }

    /// Rebuilds the text indexes that differ from their texts. Returns their number.
    ///
    /// # Errors
    /// [`CommandError`] if a database cannot be written.
    pub async fn rebuild_indexes(&self) -> Result<u32, CommandError> {
        Ok(count(self.backups.rebuild_indexes().await?))
    }

    /// Damaged databases, each with its newest intact backup.
    ///
    /// # Errors
    /// [`CommandError`] if the folder cannot be read.
    pub async fn damaged_files(&self) -> Result<Vec<DamagedFile>, CommandError> {
        if !self.data_dir.exists() {
            return Ok(Vec::new());
        }
        let found = self.backups.damaged().await?;
        Ok(found.iter().map(|found| damaged(&self.data_dir, found)).collect())
    }
}

impl BackupCommands<'_> {
    fn backups(&self) -> BackupService {
        BackupService {
            backups: self.app.backups.clone(),
            actor: self.app.actor,
            data_dir: self.app.data_dir.clone(),
        }
    }

    /// All backups, newest first.
    pub async fn list_backups(&self) -> Result<BackupList, CommandError> {
        self.backups().list_backups().await
    }

    /// Backs up all databases.
    pub async fn back_up_now(&self) -> Result<BackupView, CommandError> {
        self.backups().back_up_now().await
    }

    /// Verifies all files of a backup.
    pub async fn check_backup(&self, id: &str) -> Result<BackupView, CommandError> {
        self.backups().check_backup(id).await
    }

    /// Restores a backup, and reopens the workspace in use.
    pub async fn restore_backup(&self, id: &str, scrubbed: ScrubbedData) -> Result<Restored, CommandError> {
        let restored = self.backups().restore_backup(id, scrubbed).await;
        // The session caches data of the previous databases, also if the swap failed midway.
        self.open_anew().await?;
        restored
    }

    /// Reopens the workspace in use, or another one if it does not exist any more.
    pub(crate) async fn open_anew(&self) -> Result<(), CommandError> {
        let Some(current) = self.app.workspace().current_workspace() else { return Ok(()) };
        if self.app.workspace().open_session(current.id).await.is_err() {
            self.app.set_session(None);
            self.app.workspace().open_some_workspace().await?;
        }
        Ok(())
    }

    /// Deletes a backup permanently.
    pub async fn purge_backup(&self, id: &str) -> Result<(), CommandError> {
        self.backups().purge_backup(id).await
    }

    /// Replaces an account database that was damaged while open by an empty one.
    pub async fn begin_account_anew(&self) -> Result<(), CommandError> {
        self.backups().begin_account_anew().await?;
        self.open_anew().await
    }

    /// Rebuilds the text indexes that differ from their texts.
    pub async fn rebuild_indexes(&self) -> Result<u32, CommandError> {
        self.backups().rebuild_indexes().await
    }

    /// Damaged databases, each with its newest intact backup.
    pub async fn damaged_files(&self) -> Result<Vec<DamagedFile>, CommandError> {
        self.backups().damaged_files().await
    }

    /// Interval of automatic backups and their size limit.
    ///
    /// # Errors
    /// None at present; the result type matches the other methods.
    pub async fn backup_settings(&self) -> Result<BackupSettings, CommandError> {
        let set = self.app.backups.settings().await;
        Ok(BackupSettings {
            every_minutes: count(set.every_minutes),
            max_megabytes: count(set.max_megabytes),
        })
    }

    /// Replaces the backup settings.
    ///
    /// # Errors
    /// [`CommandError`] of code `invalid` naming the field.
    pub async fn set_backup_settings(
        &self,
        settings: BackupSettings,
    ) -> Result<BackupSettings, CommandError> {
        let set = Set {
            every_minutes: settings.every_minutes.into(),
            max_megabytes: settings.max_megabytes.into(),
        };
        self.app.backups.set_settings(set).await?;
        self.backup_settings().await
    }

    /// Backs up the account and the workspace in use.
    pub(crate) async fn back_up(&self, reason: BackupReason) -> Result<BackupSet, CommandError> {
        let current: Vec<WorkspaceId> =
            self.app.workspace().current_workspace().iter().map(|w| w.id).collect();
        Ok(self.app.backups.make(reason, BackupScope::Only(&current)).await?)
    }

    /// Backs up before a run with many changes. A failure does not stop the run, because the run can be
    /// reverted without a backup.
    pub(crate) async fn back_up_before_run(&self) {
        if let Err(error) = self.back_up(BackupReason::Run).await {
            tracing::warn!(%error, "no backup was made before the run");
        }
    }
}

/// Makes automatic backups of changes as long as the shell runs.
pub(crate) async fn run_automatic_backups(app: Arc<App>) {
    let mut watch = Watch::default();
    let mut tick = tokio::time::interval(LOOK_EVERY);
    tick.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    loop {
        tick.tick().await;
        match app.backups.make_due(&mut watch).await {
            Ok(None) => {}
            Ok(Some(set)) => tracing::debug!(backup = %set.id, "a backup was made"),
            Err(error) => tracing::warn!(%error, "no backup could be made; it will be tried again later"),
        }
    }
}

pub(crate) fn view(set: &BackupSet) -> BackupView {
    BackupView {
        id: set.id.to_string(),
        at: time(set.id.at()),
        reason: set.id.reason().into(),
        bytes: set.bytes as f64,
        workspaces: set.workspaces.iter().map(|(_, name)| name.clone()).collect(),
        account: set.account,
        scrubs_since: count(set.scrubs_since),
        ok: set.ok,
    }
}

fn damaged(data_dir: &Path, found: &Found) -> DamagedFile {
    DamagedFile {
        file: found.damaged.file.clone(),
        account: found.damaged.workspace == WorkspaceId::ACCOUNT,
        quarantined: data_dir.join(&found.damaged.quarantined).display().to_string(),
        newest: found.newest.as_ref().map(view),
    }
}
