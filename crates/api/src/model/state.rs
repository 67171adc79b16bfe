//! The embedding model in use.

use std::{
    path::PathBuf,
    sync::{Arc, PoisonError, RwLock},
};

use inklings_application::{
    error::AppError,
    model::embedding::{EmbedError, Embedder, ModelCatalogue},
    session::EmbedderSlot,
    workspace::settings::SettingsStore,
};
use inklings_domain::memory::embedding::ModelId;
use serde::{Deserialize, Serialize};

use crate::{
    download_control::DownloadControl, error::CommandError, model::view::ModelState, settings::stored,
};

pub(super) const MODEL: &str = "model";

/// The embedding model chosen by the worldbuilder.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Choice {
    /// A model of the catalogue, by id.
    Catalogue(String),
    /// A model in a local folder.
    Folder(PathBuf),
}

#[derive(Debug, Clone)]
pub(super) struct State {
    pub(super) model: ModelState,
    pub(super) message: Option<String>,
    pub(super) choice: Choice,
}

/// The model in use and the state of its loading and downloads.
pub(crate) struct Models {
    pub(super) catalogue: Arc<dyn ModelCatalogue>,
    pub(crate) slot: EmbedderSlot,
    pub(super) settings: Arc<dyn SettingsStore>,
    state: RwLock<State>,
    pub(super) fetching: DownloadControl,
    /// Set when the first load has finished.
    pub(super) loaded: tokio::sync::OnceCell<()>,
    /// Held during a backfill: one backfill at a time in this process.
    pub(crate) backfill: tokio::sync::Mutex<()>,
}

impl Models {
    pub(crate) fn new(
        catalogue: Arc<dyn ModelCatalogue>,
        slot: EmbedderSlot,
        settings: Arc<dyn SettingsStore>,
    ) -> Self {
        let state = State {
            model: ModelState::Loading,
            message: None,
            choice: Choice::Catalogue(inklings_embedding::BUNDLED.to_owned()),
        };
        Self {
            catalogue,
            slot,
            settings,
            state: RwLock::new(state),
            fetching: DownloadControl::default(),
            loaded: tokio::sync::OnceCell::new(),
            backfill: tokio::sync::Mutex::new(()),
        }
    }

    pub(super) fn set(&self, change: impl FnOnce(&mut State)) {
        change(&mut self.state.write().unwrap_or_else(PoisonError::into_inner));
    }

    pub(super) fn now(&self) -> State {
        self.state.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The id of the model in use, or of the chosen model if none is loaded.
    pub(super) fn active_id(&self, choice: &Choice) -> String {
        match (self.slot.get(), choice) {
            (Some(embedder), _) => embedder.model().id.to_string(),
            (None, Choice::Catalogue(id)) => id.clone(),
            (None, Choice::Folder(path)) => path.display().to_string(),
        }
    }

    pub(super) async fn load(&self, choice: &Choice) -> Result<Arc<dyn Embedder>, EmbedError> {
        match choice {
            Choice::Catalogue(id) => self.catalogue.load(&ModelId::new(id)).await,
            Choice::Folder(path) => self.catalogue.load_folder(path).await,
        }
    }

    /// Switches to a choice if it loads; otherwise the previous model stays in use.
    pub(super) async fn choose(&self, choice: Choice) -> Result<(), CommandError> {
        let embedder = self.load(&choice).await.map_err(unavailable)?;
        stored::write(&*self.settings, MODEL, &choice).await?;
        self.slot.set(Some(embedder));
        self.set(|state| *state = State { model: ModelState::Ready, message: None, choice });
        Ok(())
    }
}

pub(super) fn unavailable(error: EmbedError) -> CommandError {
    AppError::from(error).into()
}
