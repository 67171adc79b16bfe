//! Use cases of updates. A shell that cannot update itself passes [`NoUpdates`].

pub mod view;

use std::sync::{
    Arc,
    atomic::{AtomicU64, Ordering},
};

use inklings_application::{error::AppError, update::Updates};
use inklings_ports::{
    progress::Progress,
    update::{UpdateError, UpdateSource, VerifiedRelease},
};
use semver::Version;

use crate::{
    Event, Events,
    backup::{self, view::BackupView},
    commands::UpdateCommands,
    download_control::DownloadControl,
    error::{CommandError, ErrorCode},
    events::UpdateStep,
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

    async fn download(&self, _: &Version, _: &dyn Progress) -> Result<Box<dyn VerifiedRelease>, UpdateError> {
        Err(UpdateError::NotSetUp)
    }
}

/// Forwards the progress of the download, once for each hundredth, and a request to cancel it.
struct Reporter {
    control: Arc<DownloadControl>,
    events: Arc<dyn Events>,
    hundredths: AtomicU64,
}

impl Progress for Reporter {
    fn report(&self, downloaded: u64, total: u64) {
        // Without a total, a report for each megabyte.
        let hundredths =
            downloaded.saturating_mul(100).checked_div(total).unwrap_or(downloaded >> 20).saturating_add(1);
        if self.hundredths.swap(hundredths, Ordering::Relaxed) != hundredths {
            let (downloaded, total) = (downloaded as f64, total as f64);
            self.events.send(Event::UpdateProgress(UpdateStep { downloaded, total }));
        }
    }

    fn cancelled(&self) -> bool {
        self.control.is_cancelled()
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

    /// Installs the version that [`Self::find_update`] returned, after a backup, which is returned. Reports the progress of
    /// the download.
    ///
    /// # Errors
    /// [`CommandError`] of code `busy` if an update is under way; `cancelled`; `invalid` if the version is not newer;
    /// `refused` if the release is not signed for it; `io` if it could not be downloaded or installed; those of a backup.
    pub async fn install_update(
        &self,
        source: Arc<dyn UpdateSource>,
        version: &str,
        events: Arc<dyn Events>,
    ) -> Result<BackupView, CommandError> {
        let control = &self.app.update;
        let _running = control.begin().ok_or_else(|| {
            CommandError::new(ErrorCode::Busy, "An update is being installed already. Cancel it or wait.")
        })?;
        let version = Version::parse(version)
            .map_err(|_| CommandError::invalid("version", "This is not a version like 1.2.3."))?;
        let progress = Reporter { control: Arc::clone(control), events, hundredths: AtomicU64::default() };
        let backup = self.updates(source)?.install(&version, self.app.actor, &progress).await?;
        Ok(backup::view(&backup))
    }

    /// Cancels the download of an update, if there is one.
    pub fn cancel_update(&self) {
        self.app.update.cancel();
    }

    fn updates(&self, source: Arc<dyn UpdateSource>) -> Result<Updates, CommandError> {
        let unreadable = |_| CommandError::from(AppError::Update(UpdateError::NotSetUp));
        let current = Version::parse(env!("CARGO_PKG_VERSION")).map_err(unreadable)?;
        Ok(Updates { source, backups: self.app.backups.clone(), current })
    }
}
