//! What every command works on.

use std::{path::PathBuf, sync::Arc};

use inklings_api::{
    App, Config, Door, Events,
    background::Background,
    error::{CommandError, ErrorCode},
};
use inklings_mcp::{McpControl, News};

/// The application, or why it could not be opened: then every command answers with that, and the page shows it.
pub struct AppState {
    opened: Result<Opened, CommandError>,
    events: Arc<dyn Events>,
}

struct Opened {
    app: Arc<App>,
    background: Background,
    mcp: McpControl,
}

impl AppState {
    /// Opens the data folder and the workspace that was in use last, and starts what goes on in the background.
    pub async fn open(
        data_dir: PathBuf,
        resources: Option<PathBuf>,
        events: Arc<dyn Events>,
        news: News,
    ) -> Self {
        let opened = match open(data_dir, resources).await {
            Ok(app) => {
                let background = Background::start(Arc::clone(&app), Arc::clone(&events));
                let mcp = McpControl::new(Arc::clone(&app), news);
                mcp.resume().await;
                Ok(Opened { app, background, mcp })
            }
            Err(error) => {
                tracing::error!(code = ?error.code, message = %error.message, "the data folder could not be opened");
                Err(error)
            }
        };
        Self { opened, events }
    }

    /// The application.
    ///
    /// # Errors
    /// Why it could not be opened.
    pub fn app(&self) -> Result<&Arc<App>, CommandError> {
        self.opened.as_ref().map(|opened| &opened.app).map_err(Clone::clone)
    }

    /// The MCP door.
    ///
    /// # Errors
    /// Why the application could not be opened.
    pub fn mcp(&self) -> Result<&McpControl, CommandError> {
        self.opened.as_ref().map(|opened| &opened.mcp).map_err(Clone::clone)
    }

    /// Where news goes.
    pub fn events(&self) -> Arc<dyn Events> {
        Arc::clone(&self.events)
    }

    /// Asks for a backfill of vectors soon.
    pub fn wake(&self) {
        if let Ok(opened) = &self.opened {
            opened.background.wake();
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
