//! Use cases that make, thin out and restore backups. They also work on a data folder that cannot be opened.

mod watch;

pub use watch::Watch;

use std::sync::Arc;

use inklings_domain::{
    audit::{AuditAct, AuditEntry},
    backup::{BackupFacts, BackupId, BackupReason, scrubs, thin},
    ids::WorkspaceId,
    provenance::{Actor, ActorKind, ActorKindNotAdmitted},
    scrub::Manifest,
};
use inklings_ports::{
    backup::{BackupScope, BackupSet, Damaged},
    clock::Clock,
    store_error::StoreError,
    workspace::{catalogue::Catalogue, settings::SettingsStore},
};

use crate::error::AppError;

const EVERY_MINUTES: &str = "backup.every_minutes";
const MAX_MEGABYTES: &str = "backup.max_megabytes";
const MEGABYTE: u64 = 1024 * 1024;

/// Automatic backup interval and size limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BackupSettings {
    /// Minutes after a write until an automatic backup is made; 0 disables it. At most one day.
    pub every_minutes: u64,
    /// Total size limit of all backups in megabytes; 50 to 1,000,000.
    pub max_megabytes: u64,
}

impl Default for BackupSettings {
    fn default() -> Self {
        Self { every_minutes: 15, max_megabytes: 2_048 }
    }
}

impl BackupSettings {
    fn checked(self) -> Result<Self, AppError> {
        let bad = |field, message: &str| Err(AppError::Input { field, message: message.to_owned() });
        if self.every_minutes > 1_440 {
            return bad("everyMinutes", "backups are made every 1 to 1,440 minutes, or 0 for never");
        }
        if !(50..=1_000_000).contains(&self.max_megabytes) {
            return bad("maxMegabytes", "backups may have 50 to 1,000,000 megabytes");
        }
        Ok(self)
    }

    /// The size limit in bytes.
    pub const fn max_bytes(&self) -> u64 {
        self.max_megabytes * MEGABYTE
    }
}

/// A damaged database with the newest intact backup that contains it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DamagedFile {
    /// The damaged database.
    pub damaged: Damaged,
    /// The backup that could replace it, if there is one.
    pub newest: Option<BackupSet>,
}

/// What happens to data that was scrubbed after a backup was made, when the backup is restored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ScrubbedData {
    /// Refuses to restore such a backup.
    Refuse,
    /// Repeats the scrubs before the backup is restored, so that nothing comes back.
    ScrubFirst,
    BringBack,
}

/// Use cases on backups.
#[derive(Clone)]
pub struct Backups {
    /// Data folder that holds the databases and backups.
    pub catalogue: Arc<dyn Catalogue>,
    /// Source of the current time.
    pub clock: Arc<dyn Clock>,
}

impl Backups {
    /// Current settings. Returns the defaults for unset values, or if the account cannot be opened.
    pub async fn settings(&self) -> BackupSettings {
        let standard = BackupSettings::default();
        let Ok(account) = self.catalogue.account().await else { return standard };
        let read = BackupSettings {
            every_minutes: number(&*account.settings, EVERY_MINUTES).await.unwrap_or(standard.every_minutes),
            max_megabytes: number(&*account.settings, MAX_MEGABYTES).await.unwrap_or(standard.max_megabytes),
        };
        read.checked().unwrap_or(standard)
    }

    /// Stores the settings and removes backups that exceed the new limit.
    ///
    /// # Errors
    /// [`AppError::Input`] names the invalid field; nothing is stored then.
    pub async fn set_settings(&self, settings: BackupSettings) -> Result<(), AppError> {
        let settings = settings.checked()?;
        let store = self.catalogue.account().await?.settings;
        store.set_setting(EVERY_MINUTES, &settings.every_minutes.to_string()).await?;
        store.set_setting(MAX_MEGABYTES, &settings.max_megabytes.to_string()).await?;
        // Each pass removes only the oldest generation. Repeat, so that the smaller limit applies now and not
        // after the next backups.
        while self.thin_out().await? > 0 {}
        Ok(())
    }

    /// Makes a backup, then removes older backups that the retention rule no longer keeps.
    ///
    /// # Errors
    /// [`AppError::Store`] if no complete backup could be made.
    pub async fn make(&self, reason: BackupReason, scope: BackupScope<'_>) -> Result<BackupSet, AppError> {
        let set = self.catalogue.make_backup(BackupId::new(self.clock.now(), reason), scope).await?;
        if let Err(error) = self.thin_out().await {
            tracing::warn!(%error, "old backups could not be thinned out");
        }
        Ok(set)
    }

    /// Backs up the open databases that an automatic backup is due for, as a shell asks again and again. Returns `None` if
    /// none is due.
    ///
    /// # Errors
    /// As [`Self::make`]. It is tried again later.
    pub async fn make_due(&self, watch: &mut Watch) -> Result<Option<BackupSet>, AppError> {
        let every = self.settings().await.every_minutes;
        let activity = match self.catalogue.activity().await {
            Ok(activity) => activity,
            Err(error) => {
                tracing::debug!(%error, "it is not known whether anything was written");
                return Ok(None);
            }
        };
        let now = self.clock.now();
        let due = watch.due(&activity, now, every);
        if due.is_empty() {
            return Ok(None);
        }
        let workspaces: Vec<WorkspaceId> =
            due.iter().copied().filter(|id| *id != WorkspaceId::ACCOUNT).collect();
        let made = self.make(BackupReason::Activity, BackupScope::Only(&workspaces)).await;
        for (id, counter) in activity {
            if made.as_ref().is_ok_and(|set| set.holds(id)) {
                watch.saved(id, counter);
            } else if due.contains(&id) {
                // Waits for another interval, so that a full disk is not retried at every check.
                watch.postponed(id, now);
            }
        }
        made.map(Some)
    }

    /// Returns the number of removed backups.
    async fn thin_out(&self) -> Result<usize, AppError> {
        let most = self.settings().await.max_bytes();
        let all = self.catalogue.backups().await?;
        let facts_of = |set: &BackupSet| BackupFacts {
            id: set.id,
            sequence: set.sequence,
            bytes: set.bytes,
            files: set.files.clone(),
            damaged: set.ok == Some(false),
        };
        let facts: Vec<BackupFacts> = all.iter().map(facts_of).collect();
        let mut gone = 0;
        for id in thin(&facts, self.clock.now(), most) {
            match self.catalogue.remove_backup(id).await {
                Ok(()) => gone += 1,
                // A set of quarantined damaged files. Only the worldbuilder may remove it.
                Err(StoreError::NotFound(_)) => {}
                Err(error) => return Err(error.into()),
            }
        }
        Ok(gone)
    }

    /// Lists all backups, newest first.
    pub async fn list(&self) -> Result<Vec<BackupSet>, AppError> {
        Ok(self.catalogue.backups().await?)
    }

    /// Backups that contain any of what a scrub of a workspace or the account destroys, newest first.
    pub async fn holding(
        &self,
        workspace: WorkspaceId,
        manifest: &Manifest,
    ) -> Result<Vec<BackupSet>, AppError> {
        Ok(self.catalogue.backups_holding(workspace, &manifest.target, &manifest.ids).await?)
    }

    /// Verifies a backup.
    ///
    /// # Errors
    /// [`AppError::NotFound`] if no backup has this id.
    pub async fn check(&self, id: &str) -> Result<BackupSet, AppError> {
        Ok(self.catalogue.check_backup(self.find_id(id).await?).await?)
    }

    /// Deletes a backup permanently, with the damaged files that were quarantined when it was made. Records
    /// the deletion in the account's audit log.
    ///
    /// # Errors
    /// [`AppError::ActorKind`] if the actor is not the author; [`AppError::NotFound`].
    pub async fn purge(&self, id: &str, actor: Actor) -> Result<(), AppError> {
        let id = self.find_id(id).await?;
        let entry = self.entry(AuditAct::PurgeBackup, format!("backup {id}"), actor)?;
        Ok(self.catalogue.purge_backup(id, &entry).await?)
    }

    /// Restores a backup. Returns the restored backup and the backup of the previous state. A backup made
    /// before a scrub contains the scrubbed data again; `scrubbed` says what happens to it.
    ///
    /// # Errors
    /// [`AppError::ActorKind`] if the actor is not the author; [`AppError::NotFound`]; [`AppError::Input`] of
    /// field `scrubbed`; [`AppError::Store`] if the backup is not intact, the databases cannot be swapped, or it is not
    /// known what to scrub first. Nothing has changed then.
    pub async fn restore(
        &self,
        id: &str,
        scrubbed: ScrubbedData,
        actor: Actor,
    ) -> Result<(BackupSet, BackupSet), AppError> {
        let set = self.find(id).await?;
        let id = set.id;
        let mut entry = self.entry(AuditAct::Restore, format!("backup {id}"), actor)?;
        if set.scrubs_since > 0 && scrubbed == ScrubbedData::Refuse {
            let message = format!(
                "this backup is from before {}, and putting it back brings back what was destroyed then; it was not put back",
                scrubs(set.scrubs_since)
            );
            return Err(AppError::Input { field: "scrubbed", message });
        }
        let before = BackupId::new(self.clock.now(), BackupReason::Restore);
        if set.scrubs_since > 0 && scrubbed == ScrubbedData::ScrubFirst {
            entry.manifest = format!("{{\"total\":1,\"scrubbedFirst\":{}}}", set.scrubs_since);
            let (restored, was) = self.catalogue.restore_scrubbed(id, before, &entry).await?;
            return Ok((BackupSet { scrubs_since: 0, ..restored }, was));
        }
        let (restored, was) = self.catalogue.restore_backup(id, before, &entry).await?;
        // The caller needs to know how many scrubs have to be repeated.
        Ok((BackupSet { scrubs_since: set.scrubs_since, ..restored }, was))
    }

    /// Replaces a damaged or missing account database with an empty one. Meant for when there is no backup of
    /// it.
    ///
    /// # Errors
    /// [`AppError::ActorKind`] if the actor is not the author; [`AppError::Store`] of `NotFound` if the
    /// database is neither damaged nor missing. Nothing has changed then.
    pub async fn begin_account_anew(&self, actor: Actor) -> Result<(), AppError> {
        let entry = self.entry(AuditAct::Restore, "account begun anew".to_owned(), actor)?;
        let before = BackupId::new(self.clock.now(), BackupReason::Restore);
        Ok(self.catalogue.begin_account_anew(before, &entry).await?)
    }

    /// Rebuilds the full-text indexes that differ from their texts. Returns their number.
    pub async fn rebuild_indexes(&self) -> Result<u64, AppError> {
        Ok(self.catalogue.rebuild_indexes().await?)
    }

    /// Damaged databases, each with the newest intact backup that contains it.
    pub async fn damaged(&self) -> Result<Vec<DamagedFile>, AppError> {
        let mut found = Vec::new();
        for damaged in self.catalogue.damaged_files().await? {
            let newest = self.newest_whole(&damaged).await?;
            found.push(DamagedFile { damaged, newest });
        }
        Ok(found)
    }

    async fn newest_whole(&self, damaged: &Damaged) -> Result<Option<BackupSet>, AppError> {
        for set in self.catalogue.backups().await? {
            if set.files.contains(&damaged.file) {
                let set = self.catalogue.check_backup(set.id).await?;
                if set.ok == Some(true) {
                    return Ok(Some(set));
                }
            }
        }
        Ok(None)
    }

    async fn find_id(&self, id: &str) -> Result<BackupId, AppError> {
        Ok(self.find(id).await?.id)
    }

    async fn find(&self, id: &str) -> Result<BackupSet, AppError> {
        let unknown = || AppError::NotFound { what: "backup", name: id.to_owned() };
        let parsed: BackupId = id.trim().parse().map_err(|_| unknown())?;
        let all = self.catalogue.backups().await?;
        all.into_iter().find(|set| set.id == parsed).ok_or_else(unknown)
    }

    fn entry(&self, act: AuditAct, scope: String, actor: Actor) -> Result<AuditEntry, AppError> {
        if actor.kind() != ActorKind::Author {
            return Err(
                ActorKindNotAdmitted { interface: actor.interface(), actor_kind: ActorKind::Author }.into()
            );
        }
        Ok(AuditEntry {
            act,
            scope,
            mode: None,
            manifest: "{\"total\":1}".to_owned(),
            operator: ActorKind::Author.to_string(),
            interface: actor.interface(),
            at: self.clock.now(),
        })
    }
}

async fn number(settings: &dyn SettingsStore, key: &str) -> Option<u64> {
    settings.setting(key).await.ok()??.parse().ok()
}
