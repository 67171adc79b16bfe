//! Settings of the worldbuilder and the status of the app.

pub mod view;

use std::path::PathBuf;

use inklings_application::memory::decay::preview;
use inklings_domain::memory::{
    decay::DecayConfig,
    filter::{MemoryFilter, ScopeFilter},
};
use inklings_files::PathKind;
use serde::{Serialize, de::DeserializeOwned};
use tokio::task::spawn_blocking;

use crate::{
    App,
    commands::SettingsCommands,
    error::{CommandError, ErrorCode},
    memory::{
        convert,
        decay::{DecayRates, TierCurve},
    },
    settings::view::{AppStatus, DataFolder, DecayPreset, DecaySettings, Settings, Theme},
    stored,
};

const SETTINGS: &str = "settings";

impl Default for Settings {
    fn default() -> Self {
        let decay = DecaySettings {
            preset: DecayPreset::Steady,
            rates: DecayConfig::STEADY.rates().to_owned().into(),
            pause_while_away: true,
            authors_fade: false,
        };
        Self { theme: Theme::System, decay, sample_dismissed: false }
    }
}

/// Converts decay settings to rates.
pub(crate) fn config(decay: &DecaySettings) -> Result<DecayConfig, CommandError> {
    let config = match decay.preset {
        DecayPreset::Steady => DecayConfig::STEADY,
        DecayPreset::Brisk => DecayConfig::BRISK,
        DecayPreset::Custom => rates(decay.rates)?,
    };
    Ok(config.with_authors_fade(decay.authors_fade))
}

fn rates(rates: DecayRates) -> Result<DecayConfig, CommandError> {
    DecayConfig::new(rates.into())
        .map_err(|error| CommandError::invalid("rates", format!("Invalid rate: {error}.")))
}

impl SettingsCommands<'_> {
    /// The current settings, with defaults for those never set.
    ///
    /// # Errors
    /// [`CommandError`] if the account's database cannot be read.
    pub async fn get_settings(&self) -> Result<Settings, CommandError> {
        Ok(self.read_setting(SETTINGS).await?.unwrap_or_default())
    }

    /// Replaces all settings and applies them.
    ///
    /// # Errors
    /// [`CommandError`] of code `invalid` for a rate outside (0, 1].
    pub async fn update_settings(&self, mut settings: Settings) -> Result<Settings, CommandError> {
        settings.decay.rates = (*config(&settings.decay)?.rates()).into();
        let before = self.get_settings().await?.decay;
        self.write_setting(SETTINGS, &settings).await?;
        self.apply_decay().await?;
        if before != settings.decay {
            self.app.recall_test().run_after_decay().await;
        }
        Ok(settings)
    }

    /// Changes one setting without overwriting concurrent changes of others.
    pub(crate) async fn change_settings(&self, change: impl Fn(&mut Settings)) -> Result<(), CommandError> {
        let store = &*self.app.account.settings;
        loop {
            let read = store.setting(SETTINGS).await?;
            let mut settings =
                read.as_deref().and_then(|json| stored::parsed(SETTINGS, json)).unwrap_or_default();
            change(&mut settings);
            if store.replace_setting(SETTINGS, read.as_deref(), &stored::json(&settings)?).await? {
                return Ok(());
            }
        }
    }

    /// Applies the decay settings to the open session. Also called when the day changes.
    pub(crate) async fn apply_decay(&self) -> Result<(), CommandError> {
        if let Some(session) = self.app.session_if_open() {
            let decay = self.get_settings().await?.decay;
            session.reload_decay(config(&decay)?, decay.pause_while_away).await?;
        }
        Ok(())
    }

    /// Retention curves of each tier for the given rates.
    ///
    /// # Errors
    /// [`CommandError`] of code `invalid` for a rate outside (0, 1].
    pub fn preview_decay(&self, given: DecayRates) -> Result<Vec<TierCurve>, CommandError> {
        Ok(preview(rates(given)?).into_iter().map(convert::tier_curve).collect())
    }

    /// The status of the app.
    ///
    /// # Errors
    /// [`CommandError`] if a database cannot be read.
    pub async fn app_status(&self) -> Result<AppStatus, CommandError> {
        let session = self.app.session_if_open();
        let offer_sample = match &session {
            Some(session) if !self.get_settings().await?.sample_dismissed => {
                let held = session.memories().count(&MemoryFilter::active(ScopeFilter::EVERYTHING)).await?;
                held.workspace + held.channel + held.conversation == 0
            }
            _ => false,
        };
        Ok(AppStatus {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            sqlite_version: self.app.catalogue.sqlite_version(),
            data_dir: self.app.data_dir.display().to_string(),
            workspace: session
                .map(|session| crate::workspace::convert::workspace(&session.workspace.workspace, true)),
            model: self.app.model().model_status().await?,
            offer_sample,
            read_only: self.app.catalogue.is_read_only(),
            log_dir: App::log_dir(&self.app.data_dir).display().to_string(),
            narrowed: self.app.narrowed().to_vec(),
        })
    }

    /// Opens a folder of the data in the system's file manager.
    ///
    /// # Errors
    /// [`CommandError`] of code `not_found` if there is no such folder yet, `invalid` if the system has no program for it,
    /// `io` if it cannot be read.
    pub async fn open_folder(&self, folder: DataFolder) -> Result<(), CommandError> {
        let path = match folder {
            DataFolder::Data => self.app.data_dir.clone(),
            DataFolder::Logs => App::log_dir(&self.app.data_dir),
            DataFolder::Backups => PathBuf::from(self.app.backups.catalogue.backup_folder()),
        };
        let opening = spawn_blocking(move || match inklings_files::folder(&path) {
            Ok(true) => inklings_files::open_in_program(&path, PathKind::Folder).map_err(|_| {
                CommandError::invalid("folder", "The system has no program to open this folder with.")
            }),
            Ok(false) => Err(CommandError::new(ErrorCode::NotFound, "There is no such folder yet.")),
            Err(_) => Err(CommandError::new(ErrorCode::Io, "The folder cannot be read.")),
        });
        let broke_off = |_| CommandError::new(ErrorCode::Internal, "Opening the folder broke off.");
        opening.await.map_err(broke_off)?
    }

    pub(crate) async fn read_setting<T: DeserializeOwned>(
        &self,
        key: &str,
    ) -> Result<Option<T>, CommandError> {
        stored::read(&*self.app.account.settings, key).await
    }

    pub(crate) async fn write_setting<T: Serialize>(&self, key: &str, value: &T) -> Result<(), CommandError> {
        stored::write(&*self.app.account.settings, key, value).await
    }
}
