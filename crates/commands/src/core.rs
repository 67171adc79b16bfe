//! The state that all commands share.

use std::sync::{Arc, PoisonError, RwLock};

use inklings_api::{
    App, BackupService, Config, Events, UpdateSource,
    background::Background,
    error::{CommandError, ErrorCode},
};
use inklings_mcp::{ChangeNotifier, McpControl};
use specta::{Types, datatype::DataType, function::FunctionArg};

/// The application, or the error of opening it, which every command then returns for the page to show. Clones
/// share the state.
#[derive(Clone)]
pub struct Core(Arc<State>);

struct State {
    config: Config,
    opened: RwLock<Result<Opened, CommandError>>,
    events: Arc<dyn Events>,
    notifier: ChangeNotifier,
    update_source: Arc<dyn UpdateSource>,
}

struct Opened {
    app: Arc<App>,
    background: Background,
    mcp: Arc<McpControl>,
}

impl Core {
    /// Waits for `opening` (see [`open`]), then starts the background work and the MCP server.
    pub async fn start(
        config: Config,
        opening: impl Future<Output = Result<Arc<App>, CommandError>>,
        events: Arc<dyn Events>,
        notifier: ChangeNotifier,
        update_source: Arc<dyn UpdateSource>,
    ) -> Self {
        let opened = RwLock::new(started(opening, &events, notifier.clone()).await);
        Self(Arc::new(State { config, opened, events, notifier, update_source }))
    }

    /// Opens the data folder again after a backup replaced a damaged file. Does nothing if it is open.
    pub async fn open_again(&self) {
        if self.app().is_ok() {
            return;
        }
        let opened = started(open(self.0.config.clone()), &self.0.events, self.0.notifier.clone()).await;
        *self.0.opened.write().unwrap_or_else(PoisonError::into_inner) = opened;
    }

    /// The application.
    ///
    /// # Errors
    /// The error of opening it.
    pub fn app(&self) -> Result<Arc<App>, CommandError> {
        self.of_opened(|opened| Arc::clone(&opened.app))
    }

    /// The MCP server of this process.
    ///
    /// # Errors
    /// The error of opening the application.
    pub fn mcp(&self) -> Result<Arc<McpControl>, CommandError> {
        self.of_opened(|opened| Arc::clone(&opened.mcp))
    }

    /// The backups, also if the application could not be opened.
    pub fn backups(&self) -> BackupService {
        BackupService::of(self.0.config.data_dir.clone(), self.0.config.interface)
    }

    /// Where this shell looks for updates.
    pub fn update_source(&self) -> Arc<dyn UpdateSource> {
        Arc::clone(&self.0.update_source)
    }

    /// The receiver of events.
    pub fn events(&self) -> Arc<dyn Events> {
        Arc::clone(&self.0.events)
    }

    /// Sends the events of what a command wrote.
    pub(crate) fn look_for_changes(&self) {
        if let Ok(app) = self.app() {
            app.look_for_changes();
        }
    }

    /// Triggers a backfill of vectors soon.
    pub fn wake(&self) {
        // If nothing was opened, there is no background work to wake.
        let _ = self.of_opened(|opened| opened.background.wake());
    }

    fn of_opened<T>(&self, take: impl FnOnce(&Opened) -> T) -> Result<T, CommandError> {
        let opened = self.0.opened.read().unwrap_or_else(PoisonError::into_inner);
        opened.as_ref().map(take).map_err(Clone::clone)
    }
}

/// The first argument of a command is supplied by the process, not by the caller.
impl FunctionArg for Core {
    fn to_datatype(_: &mut Types) -> Option<DataType> {
        None
    }
}

async fn started(
    opening: impl Future<Output = Result<Arc<App>, CommandError>>,
    events: &Arc<dyn Events>,
    notifier: ChangeNotifier,
) -> Result<Opened, CommandError> {
    match opening.await {
        Ok(app) => {
            let background = Background::start(Arc::clone(&app), Arc::clone(events));
            let mcp = Arc::new(McpControl::new(Arc::clone(&app), notifier));
            mcp.resume().await;
            Ok(Opened { app, background, mcp })
        }
        Err(error) => {
            tracing::error!(code = ?error.code, message = %error.message, "the data folder could not be opened");
            Err(error)
        }
    }
}

/// Opens the data folder and the workspace that was in use last, and starts to load the model. Does not start
/// background work, because another window may be running already. Needs a Tokio runtime.
///
/// # Errors
/// [`CommandError`] if the folder cannot be used, or a file is damaged or of a newer release.
pub async fn open(config: Config) -> Result<Arc<App>, CommandError> {
    let app = Arc::new(App::open(config).await?);
    match app.workspace().open_any_workspace().await {
        // An empty read-only folder has no workspace and cannot create one; the page reports that.
        Err(error) if error.code == ErrorCode::ReadOnly => {}
        Err(error) => return Err(error),
        Ok(()) => {}
    }
    let loading = Arc::clone(&app);
    tokio::spawn(async move { loading.model().load_model().await });
    Ok(app)
}

/// A core whose data folder could not be opened.
#[cfg(test)]
pub async fn broken(folder: &tempfile::TempDir) -> Core {
    let failed = async { Err(CommandError::new(ErrorCode::Corrupt, "It is damaged.")) };
    let config = Config {
        data_dir: folder.path().to_owned(),
        resources: None,
        interface: inklings_api::Interface::Window,
    };
    Core::start(
        config,
        failed,
        Arc::new(inklings_api::NoopEvents),
        ChangeNotifier::default(),
        Arc::new(inklings_api::update::NoUpdates),
    )
    .await
}
