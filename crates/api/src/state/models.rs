//! The embedding models in use: the account chooses one, and a workspace may choose its own.

use std::{
    collections::HashMap,
    path::PathBuf,
    sync::{Arc, Mutex, PoisonError, RwLock, Weak},
};

use inklings_application::{
    error::AppError,
    session::{EmbedderSlot, Session},
};
use inklings_domain::{ids::WorkspaceId, memory::embedding::ModelId};
use inklings_ports::{
    model::embedding::{EmbedError, Embedder, ModelCatalogue},
    workspace::settings::SettingsStore,
};
use serde::{Deserialize, Serialize};
use tokio::sync::{Notify, OnceCell};

use crate::{download_control::DownloadControl, error::CommandError, stored, view::model::ModelState};

/// The setting of the account, and that of a workspace, which is `null` where the account's applies.
const MODEL: &str = "model";

/// An embedding model chosen by the worldbuilder.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Choice {
    /// A model of the catalogue, by id.
    Catalogue(String),
    /// A model in a local folder.
    Folder(PathBuf),
}

impl Default for Choice {
    fn default() -> Self {
        Self::Catalogue(inklings_embedding::BUNDLED.to_owned())
    }
}

/// The state of the model of one workspace.
#[derive(Debug, Clone)]
pub(crate) struct State {
    pub(crate) model: ModelState,
    pub(crate) message: Option<String>,
    pub(crate) choice: Choice,
    /// True if the workspace chose it, and not the account.
    pub(crate) own: bool,
}

/// The model of one workspace.
pub(crate) struct WorkspaceModel {
    pub(crate) slot: EmbedderSlot,
    state: RwLock<State>,
    /// Set when the first load has finished.
    loaded: OnceCell<()>,
}

impl WorkspaceModel {
    fn new() -> Self {
        let (model, message, choice) = (ModelState::Loading, None, Choice::default());
        let state = RwLock::new(State { model, message, choice, own: false });
        Self { slot: EmbedderSlot::default(), state, loaded: OnceCell::new() }
    }

    pub(crate) fn now(&self) -> State {
        self.state.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn set(&self, change: impl FnOnce(&mut State)) {
        change(&mut self.state.write().unwrap_or_else(PoisonError::into_inner));
    }

    fn put(&self, embedder: Arc<dyn Embedder>, choice: Choice, own: bool) {
        self.slot.set(Some(embedder));
        self.set(|state| *state = State { model: ModelState::Ready, message: None, choice, own });
    }

    /// The id of the model in use, or of the chosen model if none is loaded.
    pub(crate) fn active_id(&self) -> String {
        match (self.slot.get(), self.now().choice) {
            (Some(embedder), _) => embedder.model().id.to_string(),
            (None, Choice::Catalogue(id)) => id,
            (None, Choice::Folder(path)) => path.display().to_string(),
        }
    }
}

/// A loaded model that is shared by the workspaces that use it.
struct Loaded {
    embedder: Weak<dyn Embedder>,
    on_every_core: bool,
}

/// The models of this process.
pub(crate) struct Models {
    pub(crate) catalogue: Arc<dyn ModelCatalogue>,
    account: Arc<dyn SettingsStore>,
    /// `None` stands for no workspace. Entries of workspaces without a session are dropped.
    of_workspaces: Mutex<HashMap<Option<WorkspaceId>, Arc<WorkspaceModel>>>,
    /// Locked while a model is loaded, so that none is loaded twice.
    loaded: tokio::sync::Mutex<HashMap<Choice, Loaded>>,
    /// Notified when a session begins whose model is not loaded.
    pub(crate) wanted: Notify,
    pub(crate) fetching: DownloadControl,
    /// Held during a backfill: one backfill at a time in this process.
    pub(crate) backfill: tokio::sync::Mutex<()>,
}

impl Models {
    pub(crate) fn new(catalogue: Arc<dyn ModelCatalogue>, account: Arc<dyn SettingsStore>) -> Self {
        Self {
            catalogue,
            account,
            of_workspaces: Mutex::default(),
            loaded: tokio::sync::Mutex::default(),
            wanted: Notify::new(),
            fetching: DownloadControl::default(),
            backfill: tokio::sync::Mutex::new(()),
        }
    }

    /// The model of the workspace of a session, or of no workspace.
    pub(crate) fn of(&self, session: Option<&Session>) -> Arc<WorkspaceModel> {
        self.of_id(session.map(|session| session.workspace.workspace.id)).0
    }

    /// The slot is taken in the lock, so that an entry that somebody is given is not dropped.
    fn of_id(&self, id: Option<WorkspaceId>) -> (Arc<WorkspaceModel>, EmbedderSlot) {
        let mut all = self.of_workspaces.lock().unwrap_or_else(PoisonError::into_inner);
        all.retain(|other, model| other.is_none() || *other == id || model.slot.is_shared());
        let model = all.entry(id).or_insert_with(|| Arc::new(WorkspaceModel::new()));
        (Arc::clone(model), model.slot.clone())
    }

    /// The slot for a new session. It has the workspace's model at once if another workspace uses the same one.
    pub(crate) async fn slot(&self, id: WorkspaceId, settings: &dyn SettingsStore) -> EmbedderSlot {
        let (model, slot) = self.of_id(Some(id));
        if !model.loaded.initialized() {
            let (choice, own) = self.chosen(Some(settings)).await;
            // To open a workspace never waits for a model that is being loaded.
            let all = self.loaded.try_lock().ok();
            let loaded = all.and_then(|all| all.get(&choice)?.embedder.upgrade());
            if let Some(embedder) = loaded {
                model.put(embedder, choice, own);
                let _ = model.loaded.set(());
            } else {
                self.wanted.notify_one();
            }
        }
        slot
    }

    /// The choice that applies in a workspace, and whether it is the workspace's own. The bundled model if the choice
    /// cannot be read.
    async fn chosen(&self, workspace: Option<&dyn SettingsStore>) -> (Choice, bool) {
        if let Some(settings) = workspace
            && let Some(own) = stored::read::<Option<Choice>>(settings, MODEL).await.ok().flatten().flatten()
        {
            return (own, true);
        }
        (stored::read(&*self.account, MODEL).await.ok().flatten().unwrap_or_default(), false)
    }

    /// Loads the model of a session's workspace, or waits for a load that is under way. False if it was loaded
    /// before.
    pub(crate) async fn load_of(&self, session: Option<&Session>) -> bool {
        let model = self.of(session);
        let was_loaded = model.loaded.initialized();
        let load = || async {
            let settings = session.map(|session| &*session.workspace.settings);
            let (choice, own) = self.chosen(settings).await;
            match self.load(&choice).await {
                Ok(embedder) => model.put(embedder, choice, own),
                Err(error) => {
                    tracing::warn!(%error, "no embedding model; search is by words only");
                    let missing = matches!(error, EmbedError::Unavailable(_));
                    let state = if missing { ModelState::Missing } else { ModelState::Failed };
                    let message = Some(unavailable(error).message);
                    model.slot.set(None);
                    model.set(|it| *it = State { model: state, message, choice, own });
                }
            }
        };
        model.loaded.get_or_init(load).await;
        !was_loaded
    }

    async fn load(&self, choice: &Choice) -> Result<Arc<dyn Embedder>, EmbedError> {
        let mut all = self.loaded.lock().await;
        if let Some(embedder) = all.get(choice).and_then(|it| it.embedder.upgrade()) {
            return Ok(embedder);
        }
        let embedder = match choice {
            Choice::Catalogue(id) => self.catalogue.load(&ModelId::new(id)).await?,
            Choice::Folder(path) => self.catalogue.load_folder(path).await?,
        };
        let loaded = Loaded { embedder: Arc::downgrade(&embedder), on_every_core: false };
        all.retain(|_, other| other.embedder.strong_count() > 0);
        all.insert(choice.clone(), loaded);
        Ok(embedder)
    }

    /// Switches to a choice if it loads; otherwise the previous model stays in use. It is the choice of the session's
    /// workspace if that has its own, and the account's otherwise.
    pub(crate) async fn choose(&self, session: Option<&Session>, choice: Choice) -> Result<(), CommandError> {
        let embedder = self.load(&choice).await.map_err(unavailable)?;
        let model = self.of(session);
        if let Some(settings) = session.map(|session| &*session.workspace.settings)
            && self.chosen(Some(settings)).await.1
        {
            stored::write(settings, MODEL, &choice).await?;
            model.put(embedder, choice, true);
            // A command that ends may not have loaded what this replaces.
            let _ = model.loaded.set(());
            return Ok(());
        }
        stored::write(&*self.account, MODEL, &choice).await?;
        let _ = model.loaded.set(());
        let all: Vec<_> = {
            let all = self.of_workspaces.lock().unwrap_or_else(PoisonError::into_inner);
            all.values().cloned().collect()
        };
        for model in all.into_iter().filter(|model| model.loaded.initialized() && !model.now().own) {
            model.put(Arc::clone(&embedder), choice.clone(), false);
        }
        Ok(())
    }

    /// Gives the workspace of a session a choice of its own, which is the account's at first, or takes it away. If the
    /// account's model does not load then, nothing is changed.
    pub(crate) async fn set_own(&self, session: &Session, own: bool) -> Result<(), CommandError> {
        let settings = &*session.workspace.settings;
        let (choice, is_own) = self.chosen(Some(settings)).await;
        if own == is_own {
            return Ok(());
        }
        let model = self.of(Some(session));
        if own {
            stored::write(settings, MODEL, &choice).await?;
            model.set(|state| state.own = true);
            return Ok(());
        }
        let (choice, _) = self.chosen(None).await;
        let embedder = self.load(&choice).await.map_err(unavailable)?;
        stored::write(settings, MODEL, &None::<Choice>).await?;
        model.put(embedder, choice, false);
        Ok(())
    }

    /// Replaces the model of a session's workspace, wherever it is used, by copies of it on every core.
    pub(crate) async fn put_on_every_core(&self, session: &Session, copies: Arc<dyn Embedder>) {
        let choice = self.of(Some(session)).now().choice;
        let mut loaded = self.loaded.lock().await;
        loaded.insert(choice.clone(), Loaded { embedder: Arc::downgrade(&copies), on_every_core: true });
        let all = self.of_workspaces.lock().unwrap_or_else(PoisonError::into_inner);
        for model in all.values().filter(|model| model.slot.get().is_some() && model.now().choice == choice) {
            model.slot.set(Some(Arc::clone(&copies)));
        }
    }

    /// Another copy of a model of the catalogue.
    pub(crate) async fn another(&self, id: &ModelId) -> Result<Arc<dyn Embedder>, EmbedError> {
        self.catalogue.load(id).await
    }

    /// True if the model of a session's workspace has a copy on every core.
    pub(crate) async fn is_on_every_core(&self, session: &Session) -> bool {
        let choice = self.of(Some(session)).now().choice;
        self.loaded.lock().await.get(&choice).is_some_and(|it| it.on_every_core)
    }
}

pub(crate) fn unavailable(error: EmbedError) -> CommandError {
    AppError::from(error).into()
}
