//! What every command works on.

use std::{
    path::PathBuf,
    sync::{Arc, PoisonError, RwLock},
};

use inklings_api::{
    App, Config, Door, Events, Keeper,
    background::Background,
    error::{CommandError, ErrorCode},
};

/// The application, or why it could not be opened: then every command answers with that, and the page shows it.
pub struct AppState {
    data_dir: PathBuf,
    resources: Option<PathBuf>,
    opened: RwLock<Opened>,
    events: Arc<dyn Events>,
}

type Opened = Result<(Arc<App>, Background), CommandError>;

impl AppState {
    /// Opens the data folder and the workspace that was in use last, and starts what goes on in the background.
    pub async fn open(data_dir: PathBuf, resources: Option<PathBuf>, events: Arc<dyn Events>) -> Self {
        let opened = RwLock::new(started(data_dir.clone(), resources.clone(), &events).await);
        Self { data_dir, resources, opened, events }
    }

    /// Opens the data folder once more, after a backup took the place of what was damaged. Does nothing if it is open.
    pub async fn open_again(&self) {
        if self.app().is_ok() {
            return;
        }
        let opened = started(self.data_dir.clone(), self.resources.clone(), &self.events).await;
        *self.opened.write().unwrap_or_else(PoisonError::into_inner) = opened;
    }

    /// The application.
    ///
    /// # Errors
    /// Why it could not be opened.
    pub fn app(&self) -> Result<Arc<App>, CommandError> {
        let opened = self.opened.read().unwrap_or_else(PoisonError::into_inner);
        opened.as_ref().map(|(app, _)| Arc::clone(app)).map_err(Clone::clone)
    }

    /// The backups, also where the application could not be opened.
    pub fn keeper(&self) -> Keeper {
        Keeper::of(self.data_dir.clone(), Door::Window)
    }

    /// Where news goes.
    pub fn events(&self) -> Arc<dyn Events> {
        Arc::clone(&self.events)
    }

    /// Asks for a backfill of vectors soon.
    pub fn wake(&self) {
        if let Ok((_, background)) = &*self.opened.read().unwrap_or_else(PoisonError::into_inner) {
            background.wake();
        }
    }
}

async fn started(data_dir: PathBuf, resources: Option<PathBuf>, events: &Arc<dyn Events>) -> Opened {
    let opened = open(data_dir, resources).await.map(|app| {
        let background = Background::start(Arc::clone(&app), Arc::clone(events));
        (app, background)
    });
    if let Err(error) = &opened {
        tracing::error!(code = ?error.code, message = %error.message, "the data folder could not be opened");
    }
    opened
}

async fn open(data_dir: PathBuf, resources: Option<PathBuf>) -> Result<Arc<App>, CommandError> {
    let app = Arc::new(App::open(Config { data_dir, resources, door: Door::Window }).await?);
    match app.open_some_workspace().await {
        // An empty read-only folder has no workspace and can get none; the page says so.
        Err(error) if error.code == ErrorCode::ReadOnly => {}
        Err(error) => return Err(error),
        Ok(_) => {}
    }
    Ok(app)
}
