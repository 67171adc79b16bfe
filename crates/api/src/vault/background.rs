//! Keeps the index of vaults up to date as long as a shell runs: caught up at the start, then after each change of a file.

use std::{
    collections::HashMap,
    sync::Arc,
    time::{Duration, Instant},
};

use inklings_application::{
    error::{AppError, VaultError},
    vault::VaultState,
};
use inklings_domain::ids::VaultId;
use inklings_vault::VaultWatch;
use tokio::sync::Notify;

use super::{Reporter, convert};
use crate::{App, Events};

/// How long files must be quiet before they are scanned: a program that saves writes several times.
const QUIET: Duration = Duration::from_millis(300);
/// The longest wait for quiet.
const MOST_WAIT: Duration = Duration::from_secs(3);
/// Interval of looks for vaults that another process linked, and of attempts after a failure.
const LOOK_EVERY: Duration = Duration::from_secs(10);
/// Interval of scans without an event: network drives send none.
const SCAN_EVERY: Duration = Duration::from_mins(10);

/// The scans of one process.
pub(crate) struct VaultScans {
    app: Arc<App>,
    events: Arc<dyn Events>,
    /// Notified when the list of vaults may have changed.
    wake: Arc<Notify>,
    watch: VaultWatch,
    /// When each vault was scanned last by this process.
    scanned: HashMap<VaultId, Instant>,
}

impl VaultScans {
    pub(crate) fn new(app: Arc<App>, events: Arc<dyn Events>, wake: Arc<Notify>) -> Self {
        Self { app, events, wake, watch: VaultWatch::default(), scanned: HashMap::new() }
    }

    /// Runs as long as the process.
    pub(crate) async fn run(mut self) {
        loop {
            self.look().await;
            tokio::select! {
                () = self.watch.changed() => self.settle().await,
                () = self.wake.notified() => {}
                () = tokio::time::sleep(LOOK_EVERY) => {}
            }
        }
    }

    /// Waits until no file changes for a moment.
    async fn settle(&self) {
        let began = Instant::now();
        while began.elapsed() < MOST_WAIT && tokio::time::timeout(QUIET, self.watch.changed()).await.is_ok() {
        }
    }

    async fn look(&mut self) {
        let Some(session) = self.app.session_if_open() else { return };
        let vaults = match session.vaults().list().await {
            Ok(vaults) => vaults,
            Err(error) => return tracing::debug!(%error, "the vaults were not read"),
        };
        // What is not looked at is not watched: a vault of a workspace that is opened again is scanned.
        self.scanned.retain(|id, _| vaults.iter().any(|state| state.vault.id == *id));
        let roots: Vec<String> = vaults.iter().map(|state| state.vault.path.clone()).collect();
        let watch = self.watch.clone();
        // Watching a large folder waits for the disk. It begins before the scan, so that no change is missed.
        let added = tokio::task::spawn_blocking(move || watch.follow(&roots)).await.unwrap_or_else(|_| {
            tracing::warn!("vaults are not watched");
            Vec::new()
        });
        let missed = self.watch.take_missed();
        for state in &vaults {
            let last = self.scanned.get(&state.vault.id);
            let path = &state.vault.path;
            let is_due = missed || added.contains(path) || last.is_none_or(|at| at.elapsed() >= SCAN_EVERY);
            if self.watch.take(path) || is_due {
                self.scan(state).await;
            }
        }
    }

    async fn scan(&mut self, state: &VaultState) {
        let Some(session) = self.app.session_if_open() else { return };
        let id = state.vault.id;
        let progress = Reporter::new(id, Arc::clone(&self.events), &self.app);
        match session.vaults().sync(&*self.app.vault_files, id, &progress).await {
            Ok(report) => {
                self.scanned.insert(id, Instant::now());
                if report.changes_pages() {
                    tracing::info!(vault = %id, changes = ?convert::sync(&report), "a vault was indexed");
                    self.app.look_for_changes();
                }
            }
            // Another process indexes it, or it was unlinked meanwhile.
            Err(AppError::UnderWay | AppError::NotFound { .. }) => drop(self.scanned.remove(&id)),
            Err(AppError::Vault(error)) => {
                self.scanned.insert(id, Instant::now());
                if !matches!(error, VaultError::Emptied) {
                    tracing::warn!(vault = %id, %error, "a vault cannot be read");
                }
            }
            Err(error) => {
                // The event of the change is taken already.
                self.scanned.remove(&id);
                tracing::warn!(vault = %id, %error, "a vault was not indexed");
            }
        }
    }
}
