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
use inklings_mcp::{McpControl, News};

/// The application, or why it could not be opened: then every command answers with that, and the page shows it.
pub struct AppState {
    data_dir: PathBuf,
    resources: Option<PathBuf>,
    opened: RwLock<Result<Opened, CommandError>>,
    events: Arc<dyn Events>,
    news: News,
}

struct Opened {
    app: Arc<App>,
    background: Background,
    mcp: Arc<McpControl>,
}

impl AppState {
    /// Opens the data folder and the workspace that was in use last, and starts what goes on in the background.
    pub async fn open(
        data_dir: PathBuf,
        resources: Option<PathBuf>,
        events: Arc<dyn Events>,
        news: News,
    ) -> Self {
        let opened = RwLock::new(started(data_dir.clone(), resources.clone(), &events, news.clone()).await);
        Self { data_dir, resources, opened, events, news }
    }

    /// Opens the data folder once more, after a backup took the place of what was damaged. Does nothing if it is open.
    pub async fn open_again(&self) {
        if self.app().is_ok() {
            return;
        }
        let (data_dir, resources) = (self.data_dir.clone(), self.resources.clone());
        let opened = started(data_dir, resources, &self.events, self.news.clone()).await;
        *self.opened.write().unwrap_or_else(PoisonError::into_inner) = opened;
    }

    /// The application.
    ///
    /// # Errors
    /// Why it could not be opened.
    pub fn app(&self) -> Result<Arc<App>, CommandError> {
        self.of_opened(|opened| Arc::clone(&opened.app))
    }

    /// The MCP door.
    ///
    /// # Errors
    /// Why the application could not be opened.
    pub fn mcp(&self) -> Result<Arc<McpControl>, CommandError> {
        self.of_opened(|opened| Arc::clone(&opened.mcp))
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
        // Where nothing could be opened there is nothing to wake.
        let _ = self.of_opened(|opened| opened.background.wake());
    }

    fn of_opened<T>(&self, take: impl FnOnce(&Opened) -> T) -> Result<T, CommandError> {
        let opened = self.opened.read().unwrap_or_else(PoisonError::into_inner);
        opened.as_ref().map(take).map_err(Clone::clone)
    }
}

async fn started(
    data_dir: PathBuf,
    resources: Option<PathBuf>,
    events: &Arc<dyn Events>,
    news: News,
) -> Result<Opened, CommandError> {
    match open(data_dir, resources).await {
        Ok(app) => {
            let background = Background::start(Arc::clone(&app), Arc::clone(events));
            let mcp = Arc::new(McpControl::new(Arc::clone(&app), news));
            mcp.resume().await;
            Ok(Opened { app, background, mcp })
        }
        Err(error) => {
            tracing::error!(code = ?error.code, message = %error.message, "the data folder could not be opened");
            Err(error)
        }
    }
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
