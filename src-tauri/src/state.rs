//! What every command works on.

use std::sync::{Arc, PoisonError, RwLock};

use inklings_api::{
    App, Config, Events, Keeper,
    background::Background,
    error::{CommandError, ErrorCode},
};
use inklings_mcp::{McpControl, News};
use tauri::async_runtime::JoinHandle;

/// The application, or why it could not be opened: then every command answers with that, and the page shows it.
pub struct AppState {
    config: Config,
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
    /// What [`open`] opens, once it has; starts what goes on in the background.
    pub async fn new(
        config: Config,
        opening: JoinHandle<Result<Arc<App>, CommandError>>,
        events: Arc<dyn Events>,
        news: News,
    ) -> Self {
        let opening = async {
            let broke_off = |_| CommandError::new(ErrorCode::Internal, "Opening the data folder broke off.");
            opening.await.map_err(broke_off).flatten()
        };
        let opened = RwLock::new(started(opening, &events, news.clone()).await);
        Self { config, opened, events, news }
    }

    /// Opens the data folder once more, after a backup took the place of what was damaged. Does nothing if it is open.
    pub async fn open_again(&self) {
        if self.app().is_ok() {
            return;
        }
        let opened = started(open(self.config.clone()), &self.events, self.news.clone()).await;
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
        Keeper::of(self.config.data_dir.clone(), self.config.door)
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
    opening: impl Future<Output = Result<Arc<App>, CommandError>>,
    events: &Arc<dyn Events>,
    news: News,
) -> Result<Opened, CommandError> {
    match opening.await {
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

/// Opens the data folder and the workspace that was in use last, and begins to load the model. Nothing else goes on in the
/// background yet: another window may turn out to be there already.
///
/// # Errors
/// [`CommandError`]: the folder cannot be used, a file is damaged or of a newer release.
pub async fn open(config: Config) -> Result<Arc<App>, CommandError> {
    let app = Arc::new(App::open(config).await?);
    match app.open_any_workspace().await {
        // An empty read-only folder has no workspace and can get none; the page says so.
        Err(error) if error.code == ErrorCode::ReadOnly => {}
        Err(error) => return Err(error),
        Ok(()) => {}
    }
    let loading = Arc::clone(&app);
    tauri::async_runtime::spawn(async move { loading.load_model().await });
    Ok(app)
}
