//! What every command works on.

use std::{path::PathBuf, sync::Arc};

use inklings_api::{
    App, Config, Door, Events,
    background::Background,
    error::{CommandError, ErrorCode},
};

/// The application, or why it could not be opened: then every command answers with that, and the page shows it.
pub struct AppState {
    opened: Result<(Arc<App>, Background), CommandError>,
    events: Arc<dyn Events>,
}

impl AppState {
    /// Opens the data folder and the workspace that was in use last, and starts what goes on in the background.
    pub async fn open(data_dir: PathBuf, resources: Option<PathBuf>, events: Arc<dyn Events>) -> Self {
        let opened = open(data_dir, resources).await.map(|app| {
            let background = Background::start(Arc::clone(&app), Arc::clone(&events));
            (app, background)
        });
        if let Err(error) = &opened {
            tracing::error!(code = ?error.code, message = %error.message, "the data folder could not be opened");
        }
        Self { opened, events }
    }

    /// The application.
    ///
    /// # Errors
    /// Why it could not be opened.
    pub fn app(&self) -> Result<&Arc<App>, CommandError> {
        self.opened.as_ref().map(|(app, _)| app).map_err(Clone::clone)
    }

    /// Where news goes.
    pub fn events(&self) -> Arc<dyn Events> {
        Arc::clone(&self.events)
    }

    /// Asks for a backfill of vectors soon.
    pub fn wake(&self) {
        if let Ok((_, background)) = &self.opened {
            background.wake();
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
