//! The composition root: connects the adapters to the ports.

use std::{
    path::{Path, PathBuf},
    sync::{
        Arc, PoisonError, RwLock,
        atomic::{AtomicBool, AtomicU64},
    },
};

use inklings_application::{backup::Backups, client::Clients, session::Session, workspace::Workspaces};
use inklings_domain::provenance::{Actor, Interface};
use inklings_embedding::FastEmbedCatalogue;
use inklings_llm::{HttpChatModels, Keychain};
use inklings_ports::{
    clock::{Clock, IdGenerator},
    vault::files::VaultFiles,
    workspace::catalogue::{AccountPorts, Catalogue, CheckFinding},
};
use inklings_sqlite::SqliteCatalogue;
use inklings_vault::DiskFiles;
use tokio::sync::{Mutex, Notify};

use crate::{
    download_control::DownloadControl,
    error::{CommandError, ErrorCode},
    exports,
    state::{
        chat::Chat, client_sessions::ClientSessions, models::Models, run_control::RunControl, turns::Turns,
    },
    system::{SystemClock, SystemIds, SystemTokens},
};

/// Configuration of a shell: folders and interface.
#[derive(Debug, Clone)]
pub struct Config {
    /// The folder that holds all data of the worldbuilder.
    pub data_dir: PathBuf,
    /// The folder of shipped resources; searched for if `None`.
    pub resources: Option<PathBuf>,
    /// The interface that writes are recorded with.
    pub interface: Interface,
}

/// The application as used by every shell.
pub struct App {
    pub(crate) data_dir: PathBuf,
    pub(crate) catalogue: Arc<dyn Catalogue>,
    pub(crate) workspaces: Workspaces,
    pub(crate) backups: Backups,
    pub(crate) account: AccountPorts,
    pub(crate) vault_files: Arc<dyn VaultFiles>,
    /// How often the scans of vaults were stopped.
    pub(crate) vault_stops: Arc<AtomicU64>,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) ids: Arc<dyn IdGenerator>,
    pub(crate) models: Arc<Models>,
    pub(crate) chat: Chat,
    pub(crate) turns: Arc<Turns>,
    pub(crate) import_cancel: Arc<AtomicBool>,
    /// Set to stop the running export or import.
    pub(crate) transfer_cancel: Arc<AtomicBool>,
    /// The update that is under way.
    pub(crate) update: Arc<DownloadControl>,
    pub(crate) actor: Actor,
    /// Starts and stops runs.
    pub(crate) runs: Arc<RunControl>,
    /// Identifies this process in the leases of background tasks.
    pub(crate) owner: String,
    /// MCP clients and their permissions.
    pub(crate) clients: Clients,
    /// Sessions of clients on workspaces other than the one in use.
    pub(crate) client_sessions: Mutex<ClientSessions>,
    /// Makes the watch of a long-lived shell look for changes at once, instead of at its next interval.
    pub(crate) written: Arc<Notify>,
    /// Parts of the data folder that were readable by other users until this process opened it.
    narrowed: Vec<String>,
    session: RwLock<Option<Arc<Session>>>,
}

impl App {
    /// Opens the data folder and creates or migrates the account's database. Opens no workspace and no model.
    ///
    /// # Errors
    /// [`CommandError`] if the folder cannot be used, or a file is damaged or of a newer release.
    pub async fn open(config: Config) -> Result<Self, CommandError> {
        let clock: Arc<dyn Clock> = Arc::new(SystemClock);
        let ids: Arc<dyn IdGenerator> = Arc::new(SystemIds::default());
        crate::private::begin();
        let narrowed = crate::private::narrow(&config.data_dir);
        let catalogue: Arc<dyn Catalogue> = Arc::new(SqliteCatalogue::new(config.data_dir.clone()));
        let account = catalogue.account().await?;
        exports::clear(&config.data_dir);
        let resources = config.resources.unwrap_or_else(inklings_embedding::resources_dir);
        let models = Arc::new(Models::new(
            Arc::new(FastEmbedCatalogue::new(resources, config.data_dir.join("models"))),
            Arc::clone(&account.settings),
        ));
        let chat = Chat::new(
            Arc::new(HttpChatModels::new()),
            Arc::new(Keychain::new(config.data_dir.clone())),
            &account,
            Arc::clone(&clock),
        );
        let clients = Clients {
            store: Arc::clone(&account.clients),
            token_generator: Arc::new(SystemTokens),
            clock: Arc::clone(&clock),
            ids: Arc::clone(&ids),
        };
        Ok(Self {
            chat,
            turns: Arc::default(),
            vault_files: Arc::new(DiskFiles),
            vault_stops: Arc::default(),
            runs: Arc::default(),
            owner: ids.uuid().to_string(),
            import_cancel: Arc::default(),
            transfer_cancel: Arc::default(),
            update: Arc::default(),
            workspaces: Workspaces {
                catalogue: Arc::clone(&catalogue),
                clock: Arc::clone(&clock),
                ids: Arc::clone(&ids),
            },
            backups: Backups { catalogue: Arc::clone(&catalogue), clock: Arc::clone(&clock) },
            data_dir: config.data_dir,
            catalogue,
            account,
            clock,
            ids,
            models,
            actor: Actor::of_interface(config.interface),
            clients,
            client_sessions: Mutex::default(),
            written: Arc::default(),
            narrowed,
            session: RwLock::new(None),
        })
    }

    /// The data folder.
    pub fn data_dir(&self) -> &Path {
        &self.data_dir
    }

    /// Names of the parts of the data folder whose permissions were restricted at opening, because other
    /// users of this computer could read them.
    pub fn narrowed(&self) -> &[String] {
        &self.narrowed
    }

    /// Makes a long-lived shell send the events of what was written. Call it after a write.
    pub fn look_for_changes(&self) {
        self.written.notify_one();
    }

    /// The log folder of the window.
    pub fn log_dir(data_dir: &Path) -> PathBuf {
        data_dir.join("logs")
    }

    /// The session on the workspace in use.
    ///
    /// # Errors
    /// [`ErrorCode::NotFound`] if no workspace is open.
    pub fn session(&self) -> Result<Arc<Session>, CommandError> {
        self.session_if_open()
            .ok_or_else(|| CommandError::new(ErrorCode::NotFound, "No workspace is open. Create one first."))
    }

    /// The session on the workspace in use, if one is open.
    pub fn session_if_open(&self) -> Option<Arc<Session>> {
        self.session.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub(crate) fn set_session(&self, session: Option<Arc<Session>>) {
        *self.session.write().unwrap_or_else(PoisonError::into_inner) = session;
    }

    /// Checks every database.
    ///
    /// # Errors
    /// [`CommandError`] if the data folder cannot be read at all.
    pub async fn doctor(&self) -> Result<Vec<CheckFinding>, CommandError> {
        Ok(self.catalogue.check().await?)
    }
}
