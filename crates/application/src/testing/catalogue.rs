//! A data folder in memory.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use inklings_domain::{
    ids::WorkspaceId,
    workspace::{Workspace, WorkspaceName},
};

use super::{backup_store::MadeBackup, memory_store::InMemoryDatabase};
use crate::ports::{
    catalogue::{AccountPorts, Catalogue, CheckFinding, DamagedWorkspace, WorkspacePorts},
    error::StoreError,
    settings::Topic,
};

#[derive(Debug)]
pub(super) struct Folder {
    pub(super) account: InMemoryDatabase,
    pub(super) workspaces: BTreeMap<WorkspaceId, (Workspace, InMemoryDatabase)>,
    pub(super) backups: Vec<MadeBackup>,
    read_only: bool,
}

/// The account's database and the workspaces with theirs, all in memory. Clones share their data.
#[derive(Debug, Clone)]
pub struct InMemoryCatalogue {
    folder: Arc<Mutex<Folder>>,
    foreign: bool,
}

impl Default for InMemoryCatalogue {
    fn default() -> Self {
        let folder = Folder {
            account: InMemoryDatabase::account(),
            workspaces: BTreeMap::new(),
            backups: Vec::new(),
            read_only: false,
        };
        Self { folder: Arc::new(Mutex::new(folder)), foreign: false }
    }
}

impl InMemoryCatalogue {
    /// The same folder as another process would open it: its change feeds hear for themselves.
    #[must_use]
    pub fn another_process(&self) -> Self {
        Self { folder: Arc::clone(&self.folder), foreign: true }
    }

    /// From now on the folder says that it cannot be written, and refuses new workspaces.
    pub fn set_read_only(&self, read_only: bool) {
        self.folder().read_only = read_only;
    }

    /// The account's database itself, to break it or look behind its ports.
    pub fn account_database(&self) -> InMemoryDatabase {
        self.folder().account.clone()
    }

    /// A workspace's database itself, to break it or look behind its ports.
    pub fn workspace_database(&self, id: WorkspaceId) -> Option<InMemoryDatabase> {
        self.folder().workspaces.get(&id).map(|(_, database)| database.clone())
    }

    pub(super) fn folder(&self) -> MutexGuard<'_, Folder> {
        self.folder.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn writable(&self) -> Result<MutexGuard<'_, Folder>, StoreError> {
        let folder = self.folder();
        if folder.read_only { Err(StoreError::ReadOnly) } else { Ok(folder) }
    }

    fn as_seen_here(&self, database: &InMemoryDatabase) -> InMemoryDatabase {
        if self.foreign { database.another_process() } else { database.clone() }
    }
}

impl Folder {
    fn refuse_twin(&self, id: WorkspaceId, name: &WorkspaceName) -> Result<(), StoreError> {
        let twin = |w: &Workspace| w.id != id && w.name.folded() == name.folded();
        if self.workspaces.values().any(|(w, _)| twin(w)) {
            return Err(StoreError::AlreadyExists("workspace"));
        }
        Ok(())
    }

    /// Ends what an import into the account left: what the workspace's run decides.
    fn settle(&self) {
        let decides = |workspace: WorkspaceId, run| {
            let found = self.workspaces.get(&workspace);
            found.is_some_and(|(_, database)| database.tables().keeping.runs.contains_key(&run))
        };
        self.account.tables().settle(decides);
        let decides = |workspace: WorkspaceId, change| {
            self.workspaces.get(&workspace).is_some_and(|(_, database)| database.tables().stands(change))
        };
        self.account.tables().settle_parts(decides);
    }

    fn announce(&self) {
        self.account.tables().announce(Topic::Workspaces);
    }
}

#[async_trait::async_trait]
impl Catalogue for InMemoryCatalogue {
    async fn account(&self) -> Result<AccountPorts, StoreError> {
        let folder = self.folder();
        folder.settle();
        Ok(self.as_seen_here(&folder.account).account_ports())
    }

    async fn workspaces(&self) -> Result<Vec<Workspace>, StoreError> {
        let mut workspaces: Vec<Workspace> =
            self.folder().workspaces.values().map(|(w, _)| w.clone()).collect();
        workspaces.sort_by_key(|w| w.name.folded());
        Ok(workspaces)
    }

    async fn damaged_workspaces(&self) -> Result<Vec<DamagedWorkspace>, StoreError> {
        // Nothing is ever damaged here.
        Ok(Vec::new())
    }

    async fn create(&self, workspace: &Workspace) -> Result<(), StoreError> {
        let mut folder = self.writable()?;
        folder.refuse_twin(workspace.id, &workspace.name)?;
        if folder.workspaces.contains_key(&workspace.id) {
            return Err(StoreError::AlreadyExists("workspace"));
        }
        let database = InMemoryDatabase::workspace(workspace.id);
        folder.workspaces.insert(workspace.id, (workspace.clone(), database));
        folder.announce();
        Ok(())
    }

    async fn open(&self, id: WorkspaceId) -> Result<WorkspacePorts, StoreError> {
        let folder = self.folder();
        let (workspace, database) = folder.workspaces.get(&id).ok_or(StoreError::NotFound("workspace"))?;
        Ok(self.as_seen_here(database).workspace_ports(workspace.clone()))
    }

    async fn rename(&self, id: WorkspaceId, name: &WorkspaceName) -> Result<(), StoreError> {
        let mut folder = self.writable()?;
        folder.refuse_twin(id, name)?;
        let (workspace, _) = folder.workspaces.get_mut(&id).ok_or(StoreError::NotFound("workspace"))?;
        workspace.name = name.clone();
        folder.announce();
        Ok(())
    }

    async fn delete(&self, id: WorkspaceId, _purge: bool) -> Result<(), StoreError> {
        let mut folder = self.writable()?;
        let (_, database) = folder.workspaces.remove(&id).ok_or(StoreError::NotFound("workspace"))?;
        database.tables().gone = true;
        folder.announce();
        Ok(())
    }

    // In memory there is nothing to let go of.
    async fn close(&self) {}

    async fn check(&self) -> Result<Vec<CheckFinding>, StoreError> {
        let finding = |file: String| CheckFinding {
            file,
            check: "integrity_check".into(),
            result: "ok".into(),
            ok: true,
        };
        let folder = self.folder();
        let workspaces = folder.workspaces.keys().map(|id| finding(format!("workspaces/{id}/agents.db")));
        Ok(std::iter::once(finding("agents.db".into())).chain(workspaces).collect())
    }

    async fn repair(&self) -> Result<Vec<CheckFinding>, StoreError> {
        // There is no index that could lose touch.
        self.check().await
    }

    fn sqlite_version(&self) -> String {
        "none (in memory)".into()
    }

    fn is_read_only(&self) -> bool {
        self.folder().read_only
    }
}
