//! Selects, loads and downloads the embedding model. Loading runs in the background; full-text search works
//! meanwhile.

mod chat_commands;
mod presets;

use std::{path::Path, sync::Arc};

use inklings_domain::memory::embedding::ModelId;
use inklings_ports::{
    memory::vector_store::EmbeddingCounts, model::embedding::EmbedError, progress::Progress,
};

use crate::{
    Event, Events,
    commands::ModelCommands,
    error::{CommandError, ErrorCode},
    state::models::{Choice, Models, unavailable},
    view::model::{DownloadProgress, ModelProgressState, ModelStatus, ModelView},
    wire::count,
};

/// Forwards download progress to the window, and a cancel request to the download.
struct Reporter {
    models: Arc<Models>,
    events: Arc<dyn Events>,
    id: String,
}

impl Reporter {
    fn send(&self, downloaded: u64, total: u64, state: ModelProgressState, message: Option<String>) {
        self.events.send(Event::ModelProgress(DownloadProgress {
            model_id: self.id.clone(),
            downloaded: downloaded as f64,
            total: total as f64,
            state,
            message,
        }));
    }
}

impl Progress for Reporter {
    fn report(&self, downloaded: u64, total: u64) {
        self.send(downloaded, total, ModelProgressState::Downloading, None);
    }

    fn cancelled(&self) -> bool {
        self.models.fetching.is_cancelled()
    }
}

impl ModelCommands<'_> {
    /// Loads the model of the workspace in use, or waits for a load that is under way. A model that cannot be loaded is not an
    /// error: the app continues with full-text search only, and [`Self::model_status`] gives the reason.
    pub async fn load_model(&self) {
        self.app.models.load_of(self.app.session_if_open().as_deref()).await;
    }

    /// Loads the models of all workspaces that this process has open. True if one was loaded.
    pub(crate) async fn load_all_models(&self) -> bool {
        let mut is_new = false;
        for session in self.app.client().sessions().await {
            is_new |= self.app.models.load_of(Some(&session)).await;
        }
        is_new
    }

    /// The state of the embedding model and the number of vectors.
    ///
    /// # Errors
    /// [`CommandError`] if a database cannot be read.
    pub async fn model_status(&self) -> Result<ModelStatus, CommandError> {
        let session = self.app.session_if_open();
        let model = self.app.models.of(session.as_deref());
        let counts = match (model.slot.get(), session) {
            (Some(embedder), Some(session)) => session.embeddings().counts(&embedder.model()).await?,
            _ => EmbeddingCounts::default(),
        };
        let state = model.now();
        Ok(ModelStatus {
            state: state.model,
            active_id: Some(model.active_id()),
            own: state.own,
            message: state.message,
            embedded: count(counts.embedded),
            pending: count(counts.pending),
        })
    }

    /// All models of the catalogue, and the model folder if one is in use.
    pub fn list_models(&self) -> Vec<ModelView> {
        let model = self.app.models.of(self.app.session_if_open().as_deref());
        let active = model.now().choice;
        let catalogue = &self.app.models.catalogue;
        let mut models: Vec<ModelView> = catalogue
            .entries()
            .into_iter()
            .map(|entry| ModelView {
                active: active == Choice::Catalogue(entry.id.as_str().to_owned()),
                installed: catalogue.is_installed(&entry.id),
                id: entry.id.to_string(),
                name: entry.name,
                dimension: count(entry.dimension),
                size_mb: entry.size_mb,
                license: entry.license,
                languages: entry.languages,
                bundled: entry.bundled,
                description: entry.description,
            })
            .collect();
        if let Choice::Folder(path) = &active {
            let dimension = model.slot.get().map_or(0, |embedder| embedder.model().dimension);
            models.push(ModelView {
                id: model.active_id(),
                name: path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned(),
                dimension: count(dimension),
                size_mb: 0,
                license: String::new(),
                languages: String::new(),
                bundled: false,
                installed: true,
                active: true,
                description: path.display().to_string(),
            });
        }
        models
    }

    /// Downloads a model and reports progress to the window. Removes the partial download on failure or
    /// cancellation.
    ///
    /// # Errors
    /// [`ErrorCode::Busy`] if a download is running, [`ErrorCode::Cancelled`],
    /// [`ErrorCode::ModelUnavailable`].
    pub async fn fetch_model(&self, id: &str, events: Arc<dyn Events>) -> Result<(), CommandError> {
        let _running = self.app.models.fetching.begin().ok_or_else(|| {
            CommandError::new(ErrorCode::Busy, "A model is being downloaded already. Cancel it or wait.")
        })?;
        let reporter = Arc::new(Reporter { models: Arc::clone(&self.app.models), events, id: id.to_owned() });
        let progress: Arc<dyn Progress> = Arc::<Reporter>::clone(&reporter);
        let fetched = self.app.models.catalogue.fetch(&ModelId::new(id), progress).await;
        let (state, message) = match &fetched {
            Ok(()) => (ModelProgressState::Done, None),
            Err(EmbedError::Cancelled) => (ModelProgressState::Cancelled, None),
            Err(error) => (ModelProgressState::Failed, Some(error.to_string())),
        };
        reporter.send(0, 0, state, message);
        fetched.map_err(unavailable)
    }

    /// Cancels the running download, if there is one.
    pub fn cancel_fetch(&self) {
        self.app.models.fetching.cancel();
    }

    /// Switches to a model of the catalogue: in the workspace in use if it has a model of its own, else in all that have
    /// none. Entries are embedded again in the background.
    ///
    /// # Errors
    /// [`ErrorCode::ModelUnavailable`] if it is not installed or does not load; the previous model stays in
    /// use.
    pub async fn use_model(&self, id: &str) -> Result<(), CommandError> {
        self.choose(Choice::Catalogue(id.to_owned())).await
    }

    /// Switches to a model in a local folder.
    pub async fn use_model_folder(&self, path: &Path) -> Result<(), CommandError> {
        let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        self.choose(Choice::Folder(path)).await
    }

    async fn choose(&self, choice: Choice) -> Result<(), CommandError> {
        self.app.models.choose(self.app.session_if_open().as_deref(), choice).await
    }

    /// Gives the workspace in use a model of its own, the one in use at first; or takes it away, so that the account's
    /// is used.
    ///
    /// # Errors
    /// [`ErrorCode::NotFound`] if no workspace is open, [`ErrorCode::ModelUnavailable`] if the account's model does not
    /// load; nothing is changed then.
    pub async fn set_own_model(&self, own: bool) -> Result<(), CommandError> {
        self.app.models.set_own(&*self.app.session()?, own).await
    }

    /// Embeds all texts without a vector in every workspace that this process has open, and returns how many were embedded.
    /// Concurrent calls run one after another.
    ///
    /// # Errors
    /// [`CommandError`] if the model or a database failed.
    pub async fn embed_pending(&self, progress: &dyn Progress) -> Result<u32, CommandError> {
        let _one = self.app.models.backfill.lock().await;
        let mut embedded = 0;
        for session in self.app.client().sessions().await {
            embedded += session.embeddings().pending(progress).await?;
        }
        Ok(count(embedded))
    }

    /// True if a model is in use in the workspace in use.
    pub fn has_model(&self) -> bool {
        self.app.models.of(self.app.session_if_open().as_deref()).slot.get().is_some()
    }
}
