//! Use cases of updates. A shell that cannot update itself passes [`NoUpdates`].

pub mod view;

use std::sync::Arc;

use inklings_application::{
    error::AppError,
    update::{
        Updates,
        source::{UpdateError, UpdateSource, VerifiedRelease},
    },
};
use semver::Version;

use crate::{
    backup::{self, view::BackupView},
    commands::UpdateCommands,
    error::CommandError,
    update::view::UpdateStatus,
};

/// A shell or a build without updates.
pub struct NoUpdates;

#[async_trait::async_trait]
impl UpdateSource for NoUpdates {
    fn address(&self) -> Option<String> {
        None
    }

    async fn announced(&self) -> Result<Option<Version>, UpdateError> {
        Err(UpdateError::NotSetUp)
    }

    async fn download(&self, _: &Version) -> Result<Box<dyn VerifiedRelease>, UpdateError> {
        Err(UpdateError::NotSetUp)
    }
}

/// Whether updates are set up. Asks nothing.
pub fn update_status(source: &dyn UpdateSource) -> UpdateStatus {
    UpdateStatus { version: env!("CARGO_PKG_VERSION").to_owned(), address: source.address() }
}

impl UpdateCommands<'_> {
    /// Asks the address for a newer version. `None` if there is none.
    ///
    /// # Errors
    /// [`CommandError`] of code `not_found` if updates are not set up; `io` if the address does not answer.
    pub async fn find_update(&self, source: Arc<dyn UpdateSource>) -> Result<Option<String>, CommandError> {
        Ok(self.updates(source)?.newer().await?.map(|version| version.to_string()))
    }

    /// Installs the version that [`Self::find_update`] returned, after a backup, which is returned.
    ///
    /// # Errors
    /// [`CommandError`] of code `invalid` if the version is not newer; `refused` if the release is not signed for it;
    /// `io` if it could not be downloaded or installed; those of a backup.
    pub async fn install_update(
        &self,
        source: Arc<dyn UpdateSource>,
        version: &str,
    ) -> Result<BackupView, CommandError> {
        let version = Version::parse(version)
            .map_err(|_| CommandError::invalid("version", "This is not a version like 1.2.3."))?;
        let backup = self.updates(source)?.install(&version, self.app.actor).await?;
        Ok(backup::view(&backup))
    }

    fn updates(&self, source: Arc<dyn UpdateSource>) -> Result<Updates, CommandError> {
        let unreadable = |_| CommandError::from(AppError::Update(UpdateError::NotSetUp));
        let current = Version::parse(env!("CARGO_PKG_VERSION")).map_err(unreadable)?;
        Ok(Updates { source, backups: self.app.backups.clone(), current })
    }
}
