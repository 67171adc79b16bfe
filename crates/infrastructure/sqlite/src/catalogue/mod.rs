//! The data folder: finds, opens, creates and removes databases.
//!
//! Opening, creating, renaming and deleting hold the folder's lock, so that two processes cannot do so at
//! once. Each workspace's folder is self-contained; the account's `workspaces` table is the registry of their
//! names.

mod account_marker;
pub(crate) mod backup;
mod check;
mod damaged;
mod leftovers;
mod open;
mod registry;
mod trash;

use std::{collections::HashMap, path::PathBuf, sync::Arc};

use inklings_domain::{
    ids::WorkspaceId,
    workspace::{Workspace, WorkspaceName},
};
use inklings_ports::{
    store_error::StoreError,
    workspace::catalogue::{
        AccountPorts, Catalogue, CheckFinding, DamagedWorkspace, MemoryPorts, WorkspacePorts,
    },
};
use tokio::sync::Mutex;

use self::backup::sets::Source;
use crate::{
    connection::{Database, disk_space, lock::FolderLock, peers::Peers},
    error::{DbError, DbResult},
    layout::{self, Layout},
    memory::feed::SqliteFeed,
    search::{SearchIndex, TranscriptIndex, pages::PageIndex},
    store::SqliteStore,
    vault::{SqlitePages, feed::PageFeed},
};

/// A data folder on disk. Opens each database once and shares it.
#[derive(Debug)]
pub struct SqliteCatalogue {
    layout: Layout,
    open: Mutex<OpenDatabases>,
    peers: Arc<Peers>,
}

#[derive(Debug, Default)]
struct OpenDatabases {
    account: Option<OpenDatabase>,
    workspaces: HashMap<WorkspaceId, OpenDatabase>,
}

impl OpenDatabases {
    /// A database that this process has open. It is read over its own connections: opening and closing its file by other
    /// means would release SQLite's locks.
    fn held(&self, source: &Source) -> Option<&Arc<Database>> {
        match source.workspace {
            WorkspaceId::ACCOUNT => self.account.as_ref().map(|database| &database.db),
            id if source.is_memory() => self.workspaces.get(&id).map(|database| &database.db),
            id => self.workspaces.get(&id)?.world.as_ref().map(|world| &world.db),
        }
    }
}

/// One open database with all its port implementations.
#[derive(Debug, Clone)]
struct OpenDatabase {
    db: Arc<Database>,
    /// The world's own content; `None` for the account.
    world: Option<OpenWorld>,
    store: Arc<SqliteStore>,
    search: Arc<SearchIndex>,
    transcript_search: Arc<TranscriptIndex>,
    feed: Arc<SqliteFeed>,
}

/// The open database of the world's own content.
#[derive(Debug, Clone)]
struct OpenWorld {
    db: Arc<Database>,
    pages: Arc<SqlitePages>,
    search: Arc<PageIndex>,
    feed: Arc<PageFeed>,
}

impl OpenWorld {
    fn serve(db: Database) -> Self {
        let db = Arc::new(db);
        Self {
            pages: Arc::new(SqlitePages::new(Arc::clone(&db))),
            search: Arc::new(PageIndex::new(Arc::clone(&db))),
            feed: Arc::new(PageFeed::new(Arc::clone(&db))),
            db,
        }
    }
}

impl OpenDatabase {
    async fn serve(db: Database, world: Option<OpenWorld>, peers: &Arc<Peers>) -> DbResult<Self> {
        let db = Arc::new(db);
        Ok(Self {
            world,
            store: Arc::new(SqliteStore::among(Arc::clone(peers), Arc::clone(&db))),
            search: SearchIndex::new(Arc::clone(&db)),
            transcript_search: Arc::new(TranscriptIndex::new(Arc::clone(&db))),
            feed: Arc::new(SqliteFeed::start(Arc::clone(&db)).await?),
            db,
        })
    }

    /// False if it was opened read-only and could be opened for writing now. A database opened for writing
    /// stays: it still reads when the folder becomes read-only, and recovers by itself.
    fn serves(&self, writable: bool) -> bool {
        let waits_for_room = self.db.has_private_log_index() && !disk_space::for_small_things(self.db.path());
        let databases = [Some(&self.db), self.world.as_ref().map(|world| &world.db)];
        let is_read_only = databases.into_iter().flatten().any(|db| db.is_read_only());
        !(is_read_only && writable) || waits_for_room
    }

    /// Opens the same file again. First closes the connections of `held` if another could not write beside
    /// them. `held` is reopened afterwards, so its holders can continue to read.
    async fn reopen_with(
        held: Option<Self>,
        opening: impl Future<Output = DbResult<Database>>,
    ) -> DbResult<Database> {
        let Some(held) = held.filter(|held| held.db.has_private_log_index()) else { return opening.await };
        held.feed.close().await;
        let opened = open_in_turn(&held.db, opening).await;
        held.feed.restart().await?;
        opened
    }

    /// Opens the files again that are now in the places of the closed ones.
    async fn reopen(&self) -> DbResult<()> {
        self.db.reopen().await?;
        if let Some(world) = &self.world {
            world.db.reopen().await?;
        }
        self.feed.restart().await
    }

    /// Closes the files.
    async fn close(&self) {
        self.feed.close().await;
        self.db.close().await;
        if let Some(world) = &self.world {
            world.db.close().await;
        }
    }

    fn memory(&self) -> MemoryPorts {
        MemoryPorts {
            store: self.store.clone(),
            search: self.search.clone(),
            vectors: self.search.clone(),
            derivations: self.store.clone(),
            proposals: self.store.clone(),
            audit: self.store.clone(),
            scrub: self.store.clone(),
            feed: self.feed.clone(),
        }
    }
}

/// Opens a file while the connections of `held` to it are closed, and opens those again.
async fn open_in_turn(
    held: &Database,
    opening: impl Future<Output = DbResult<Database>>,
) -> DbResult<Database> {
    held.close().await;
    let opened = opening.await;
    if let Ok(db) = opened.as_ref()
        && db.is_read_only()
    {
        // There was no room after all. Closes this one, so that `held` alone determines how it reads.
        db.close().await;
    }
    held.reopen().await?;
    opened
}

impl SqliteCatalogue {
    /// Creates the catalogue of a data folder. Touches nothing yet; the folder is created on first use.
    pub fn new(data_dir: PathBuf) -> Self {
        Self { layout: Layout::new(data_dir), open: Mutex::default(), peers: Arc::default() }
    }

    /// True if the folder can be written. Checked on every call, because a full or locked folder may recover.
    fn is_writable(&self) -> bool {
        let lock = self.layout.lock();
        std::fs::create_dir_all(self.layout.root()).is_ok() && inklings_files::open_lock(&lock).is_ok()
    }

    async fn lock(&self) -> DbResult<FolderLock> {
        inklings_files::file(&self.layout.lock())?;
        if !self.is_writable() {
            return Err(StoreError::ReadOnly.into());
        }
        FolderLock::acquire(&self.layout.lock()).await
    }

    /// Errors that name no database refer to the account's.
    fn public<T>(result: DbResult<T>) -> Result<T, StoreError> {
        result.map_err(|error: DbError| error.into_store(layout::AGENTS))
    }
}

#[async_trait::async_trait]
impl Catalogue for SqliteCatalogue {
    async fn account(&self) -> Result<AccountPorts, StoreError> {
        let account = Self::public(self.open_account(&mut *self.open.lock().await).await)?;
        Ok(AccountPorts {
            memory: account.memory(),
            settings: account.store.clone(),
            clients: account.store.clone(),
            token_usage: account.store.clone(),
            transfer: account.store.clone(),
            split: account.store.clone(),
        })
    }

    async fn workspaces(&self) -> Result<Vec<Workspace>, StoreError> {
        let account = Self::public(self.open_account(&mut *self.open.lock().await).await)?;
        Self::public(registry::list(&account.db).await)
    }

    async fn damaged_workspaces(&self) -> Result<Vec<DamagedWorkspace>, StoreError> {
        Self::public(self.find_damaged().await)
    }

    async fn create(&self, workspace: &Workspace) -> Result<(), StoreError> {
        Self::public(self.make(workspace).await)
    }

    async fn open(&self, id: WorkspaceId) -> Result<WorkspacePorts, StoreError> {
        let mut open = self.open.lock().await;
        let (workspace, database) = Self::public(self.open_workspace(&mut open, id).await)?;
        let missing = || StoreError::Missing { file: layout::WORLD.to_owned() };
        let world = database.world.clone().ok_or_else(missing)?;
        Ok(WorkspacePorts {
            workspace,
            pages: world.pages,
            page_search: world.search,
            page_feed: world.feed,
            memory: database.memory(),
            conversations: database.store.clone(),
            transcript: database.store.clone(),
            transcript_search: database.transcript_search.clone(),
            facts: database.store.clone(),
            drifts: database.store.clone(),
            subjects: database.store.clone(),
            calendars: database.store.clone(),
            lenses: database.store.clone(),
            scratchpads: database.store.clone(),
            client_writes: database.store.clone(),
            ledger: database.store.clone(),
            recall_tests: database.store.clone(),
            saved_searches: database.store.clone(),
            agent_telemetry: database.store.clone(),
            runs: database.store.clone(),
            schedule: database.store.clone(),
            import: database.store.clone(),
            settings: database.store.clone(),
            transfer: database.store,
        })
    }

    async fn rename(&self, id: WorkspaceId, name: &WorkspaceName) -> Result<(), StoreError> {
        Self::public(self.give_name(id, name).await)
    }

    async fn delete(&self, id: WorkspaceId, purge: bool) -> Result<(), StoreError> {
        Self::public(self.remove(id, purge).await)
    }

    async fn check(&self) -> Result<Vec<CheckFinding>, StoreError> {
        Self::public(self.check_all(false).await)
    }

    async fn repair(&self) -> Result<Vec<CheckFinding>, StoreError> {
        if !self.is_writable() {
            return Err(StoreError::ReadOnly);
        }
        Self::public(self.check_all(true).await)
    }

    async fn close(&self) {
        let OpenDatabases { account, workspaces } = std::mem::take(&mut *self.open.lock().await);
        for database in account.iter().chain(workspaces.values()) {
            database.close().await;
        }
    }

    fn sqlite_version(&self) -> String {
        // The library is compiled in, so its header has the actual version. Opening a database checks it
        // again.
        libsqlite3_sys::SQLITE_VERSION.to_string_lossy().into_owned()
    }

    fn is_read_only(&self) -> bool {
        !self.is_writable()
    }
}
