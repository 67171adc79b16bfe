//! Making backups, thinning them out, and putting one back. Works on a data folder that cannot be opened, too.

pub mod store;

use std::sync::Arc;

use chrono::{DateTime, TimeDelta, Utc};
use inklings_domain::{
    audit::{AuditAct, AuditEntry},
    backup::{BackupFacts, BackupId, BackupReason, scrubs, thin},
    ids::WorkspaceId,
    provenance::{Actor, ActorKind, ActorKindNotAdmitted},
};

use crate::{
    backup::store::{BackupScope, BackupSet, Damaged},
    clock::Clock,
    error::AppError,
    store_error::StoreError,
    workspace::{catalogue::Catalogue, settings::SettingsStore},
};

const EVERY_MINUTES: &str = "backup.every_minutes";
const MAX_MEGABYTES: &str = "backup.max_megabytes";
const MEGABYTE: u64 = 1024 * 1024;

/// When backups are made by themselves, and how much room they get.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BackupSettings {
    /// Minutes after which what was written is backed up; 0: never. At most a day.
    pub every_minutes: u64,
    /// Megabytes that all backups may have together; 50 to 1,000,000.
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

    /// The same in bytes.
    pub const fn max_bytes(&self) -> u64 {
        self.max_megabytes * MEGABYTE
    }
}

/// A damaged database, with the newest whole backup that holds it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DamagedFile {
    /// What is damaged.
    pub damaged: Damaged,
    /// What could take its place.
    pub newest: Option<BackupSet>,
}

/// Use cases on backups.
#[derive(Clone)]
pub struct Backups {
    /// The data folder.
    pub catalogue: Arc<dyn Catalogue>,
    /// Tells the time.
    pub clock: Arc<dyn Clock>,
}

impl Backups {
    /// What is set; the defaults where nothing is, or where the account cannot be opened.
    pub async fn settings(&self) -> BackupSettings {
        let standard = BackupSettings::default();
        let Ok(account) = self.catalogue.account().await else { return standard };
        let read = BackupSettings {
            every_minutes: number(&*account.settings, EVERY_MINUTES).await.unwrap_or(standard.every_minutes),
            max_megabytes: number(&*account.settings, MAX_MEGABYTES).await.unwrap_or(standard.max_megabytes),
        };
        read.checked().unwrap_or(standard)
    }

    /// Sets both, and thins out what no longer fits.
    ///
    /// # Errors
    /// [`AppError::Input`] naming the field that makes no sense; nothing is set then.
    pub async fn set_settings(&self, settings: BackupSettings) -> Result<(), AppError> {
        let settings = settings.checked()?;
        let store = self.catalogue.account().await?.settings;
        store.set_setting(EVERY_MINUTES, &settings.every_minutes.to_string()).await?;
        store.set_setting(MAX_MEGABYTES, &settings.max_megabytes.to_string()).await?;
        // Each time the oldest generation goes: less room is wanted now, not after the next backups.
        while self.thin_out().await? > 0 {}
        Ok(())
    }

    /// Makes a backup and lets go of older ones that are not kept any longer.
    ///
    /// # Errors
    /// [`AppError::Store`] if no whole backup could be made.
    pub async fn make(&self, reason: BackupReason, scope: BackupScope<'_>) -> Result<BackupSet, AppError> {
        let set = self.catalogue.make_backup(BackupId::new(self.clock.now(), reason), scope).await?;
        if let Err(error) = self.thin_out().await {
            tracing::warn!(%error, "old backups could not be thinned out");
        }
        Ok(set)
    }

    /// Returns how many went.
    async fn thin_out(&self) -> Result<usize, AppError> {
        let most = self.settings().await.max_bytes();
        let all = self.catalogue.backups().await?;
        let spared = spared(&all);
        let most = most.saturating_sub(spared.map_or(0, |set| set.bytes));
        let kept = |set: &BackupSet| BackupFacts { id: set.id, sequence: set.sequence, bytes: set.bytes };
        let kept: Vec<BackupFacts> = all.iter().filter(|set| Some(*set) != spared).map(kept).collect();
        let mut gone = 0;
        for id in thin(&kept, self.clock.now(), most) {
            match self.catalogue.remove_backup(id).await {
                Ok(()) => gone += 1,
                // Damaged files that were set aside: only the worldbuilder lets go of them.
                Err(StoreError::NotFound(_)) => {}
                Err(error) => return Err(error.into()),
            }
        }
        Ok(gone)
    }

    /// Every backup, the newest first.
    ///
    /// # Errors
    /// [`AppError::Store`] if the folder cannot be read.
    pub async fn list(&self) -> Result<Vec<BackupSet>, AppError> {
        Ok(self.catalogue.backups().await?)
    }

    /// The backups that hold one of these entries, messages or facts of a workspace or the account, the newest first.
    ///
    /// # Errors
    /// [`AppError::Store`] if the folder cannot be read.
    pub async fn holding(&self, workspace: WorkspaceId, ids: &[String]) -> Result<Vec<BackupSet>, AppError> {
        if ids.is_empty() {
            return Ok(Vec::new());
        }
        Ok(self.catalogue.backups_holding(workspace, ids).await?)
    }

    /// Reads a backup through.
    ///
    /// # Errors
    /// [`AppError::NotFound`] if there is none of this name.
    pub async fn check(&self, id: &str) -> Result<BackupSet, AppError> {
        Ok(self.catalogue.check_backup(self.known(id).await?).await?)
    }

    /// Destroys a backup, with the damaged files that were set aside when it was made; the account's audit log says so.
    ///
    /// # Errors
    /// [`AppError::ActorKind`] for another hand than the author's; [`AppError::NotFound`].
    pub async fn purge(&self, id: &str, actor: Actor) -> Result<(), AppError> {
        let id = self.known(id).await?;
        let entry = self.entry(AuditAct::PurgeBackup, format!("backup {id}"), actor)?;
        // First the record: what is destroyed is never destroyed in silence.
        self.catalogue.account().await?.memory.audit.append(&entry).await?;
        let set_aside = self.catalogue.remove_set_aside(id).await?;
        match self.catalogue.remove_backup(id).await {
            Err(StoreError::NotFound(_)) if set_aside => Ok(()),
            done => Ok(done?),
        }
    }

    /// Puts a backup back. Returns it, and the backup of what was there. One that was made before a scrub brings back what that
    /// destroyed, and is put back only `with_scrubbed`.
    ///
    /// # Errors
    /// [`AppError::ActorKind`] for another hand than the author's; [`AppError::NotFound`]; [`AppError::Input`] of field
    /// `withScrubbed`; [`AppError::Store`] if it is not whole or the databases cannot be swapped: nothing has changed then.
    pub async fn restore(
        &self,
        id: &str,
        with_scrubbed: bool,
        actor: Actor,
    ) -> Result<(BackupSet, BackupSet), AppError> {
        let set = self.known_set(id).await?;
        let id = set.id;
        let entry = self.entry(AuditAct::Restore, format!("backup {id}"), actor)?;
        if set.scrubs_since > 0 && !with_scrubbed {
            let message = format!(
                "this backup is from before {}, and putting it back brings back what was destroyed then; it was not put back",
                scrubs(set.scrubs_since)
            );
            return Err(AppError::Input { field: "withScrubbed", message });
        }
        let before = BackupId::new(self.clock.now(), BackupReason::Restore);
        let (restored, was) = self.catalogue.restore_backup(id, before, &entry).await?;
        // Who asked for it shall hear how many scrubs to make again.
        Ok((BackupSet { scrubs_since: set.scrubs_since, ..restored }, was))
    }

    /// Puts an empty account's database in the place of a damaged or missing one, for when there is no backup of it.
    ///
    /// # Errors
    /// [`AppError::ActorKind`] for another hand than the author's; [`AppError::Store`] of `NotFound` if it is neither damaged nor
    /// missing: nothing has changed then.
    pub async fn begin_account_anew(&self, actor: Actor) -> Result<(), AppError> {
        let entry = self.entry(AuditAct::Restore, "account begun anew".to_owned(), actor)?;
        let before = BackupId::new(self.clock.now(), BackupReason::Restore);
        Ok(self.catalogue.begin_account_anew(before, &entry).await?)
    }

    /// Databases that are damaged, with the newest whole backup of each.
    ///
    /// # Errors
    /// [`AppError::Store`] if the folder cannot be read.
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
            if set.holds(damaged.workspace) {
                let set = self.catalogue.check_backup(set.id).await?;
                if set.ok == Some(true) {
                    return Ok(Some(set));
                }
            }
        }
        Ok(None)
    }

    async fn known(&self, id: &str) -> Result<BackupId, AppError> {
        Ok(self.known_set(id).await?.id)
    }

    async fn known_set(&self, id: &str) -> Result<BackupSet, AppError> {
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

/// The one that is not thinned out, of backups the newest of which come first: while those are known not to be whole, it is what
/// there is to put back.
fn spared(sets: &[BackupSet]) -> Option<&BackupSet> {
    let damaged = sets.iter().take_while(|set| set.ok == Some(false)).count();
    sets.get(damaged).filter(|_| damaged > 0)
}

async fn number(settings: &dyn SettingsStore, key: &str) -> Option<u64> {
    settings.setting(key).await.ok()??.parse().ok()
}

/// Tells when what was written is to be backed up.
#[derive(Debug, Clone, Copy, Default)]
pub struct Watch {
    /// The activity that the newest backup holds.
    saved: Option<u64>,
    /// Since when there is more.
    since: Option<DateTime<Utc>>,
}

impl Watch {
    /// True if a backup is due: something was written, and the minutes have gone by since.
    pub fn is_due(&mut self, activity: u64, now: DateTime<Utc>, every_minutes: u64) -> bool {
        if self.saved.get_or_insert(activity) == &activity {
            self.since = None;
            return false;
        }
        let since = *self.since.get_or_insert(now);
        // A clock that was set back must not put it off for ever.
        if now < since {
            self.since = Some(now);
        }
        every_minutes > 0 && now - since >= TimeDelta::minutes(every_minutes as i64)
    }

    /// Notes a backup that holds this much.
    pub const fn saved(&mut self, activity: u64) {
        self.saved = Some(activity);
        self.since = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(n: i64, ok: Option<bool>) -> BackupSet {
        let at = DateTime::UNIX_EPOCH + TimeDelta::hours(n);
        let id = BackupId::new(at, BackupReason::Asked);
        BackupSet { id, sequence: 0, bytes: 1, workspaces: Vec::new(), account: true, scrubs_since: 0, ok }
    }

    #[test]
    fn while_the_newest_are_not_whole_the_newest_that_may_be_is_not_thinned_out() {
        let mut sets: Vec<BackupSet> = (0..4).rev().map(|n| set(n, None)).collect();
        assert_eq!(spared(&sets), None);
        sets[2].ok = Some(false);
        assert_eq!(spared(&sets), None);
        sets[0].ok = Some(false);
        assert_eq!(spared(&sets), Some(&sets[1]));
        for set in &mut sets {
            set.ok = Some(false);
        }
        assert_eq!(spared(&sets), None);
    }
}
