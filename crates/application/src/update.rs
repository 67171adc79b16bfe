//! Use cases that look for a newer release and install it. Nothing here runs by itself.

use std::sync::Arc;

use inklings_domain::{
    backup::BackupReason,
    provenance::{Actor, ActorKind, ActorKindNotAdmitted},
};
use inklings_ports::{
    backup::{BackupScope, BackupSet},
    progress::Progress,
    update::{UpdateError, UpdateSource},
};
use semver::Version;

use crate::{backup::Backups, error::AppError};

/// Use cases on updates.
pub struct Updates {
    /// Where releases are published.
    pub source: Arc<dyn UpdateSource>,
    /// Makes the backup before an update.
    pub backups: Backups,
    /// The running version.
    pub current: Version,
}

impl Updates {
    /// Asks whether there is a newer release. Returns its version.
    ///
    /// # Errors
    /// [`UpdateError`]. An older or equal version is no error and no update.
    pub async fn newer(&self) -> Result<Option<Version>, AppError> {
        self.set_up()?;
        Ok(self.source.announced().await?.filter(|version| *version > self.current))
    }

    /// Installs the release that the worldbuilder agreed to: downloads and verifies it, makes a backup of everything,
    /// then replaces the program. Returns the backup. `progress` can stop it until the release is downloaded.
    ///
    /// # Errors
    /// [`AppError::ActorKind`] if the actor is not the author; [`UpdateError`]; [`AppError::Store`] if no complete
    /// backup could be made. Nothing was installed then.
    pub async fn install(
        &self,
        version: &Version,
        actor: Actor,
        progress: &dyn Progress,
    ) -> Result<BackupSet, AppError> {
        if actor.kind() != ActorKind::Author {
            let (interface, actor_kind) = (actor.interface(), ActorKind::Author);
            return Err(ActorKindNotAdmitted { interface, actor_kind }.into());
        }
        self.set_up()?;
        if *version <= self.current {
            let (offered, current) = (version.clone(), self.current.clone());
            return Err(UpdateError::NotNewer { offered, current }.into());
        }
        let release = self.source.download(version, progress).await?;
        if progress.cancelled() {
            return Err(UpdateError::Cancelled.into());
        }
        let backup = self.backups.make(BackupReason::Update, BackupScope::Everything).await?;
        release.install().await?;
        Ok(backup)
    }

    fn set_up(&self) -> Result<(), UpdateError> {
        self.source.address().map(|_| ()).ok_or(UpdateError::NotSetUp)
    }
}
