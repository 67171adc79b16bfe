//! The data folder: the account's database, and the workspaces with theirs.

use std::sync::Arc;

use chrono::{DateTime, Utc};
pub use inklings_domain::workspace::WorkspaceFault;
use inklings_domain::{
    ids::WorkspaceId,
    workspace::{Workspace, WorkspaceName},
};

use crate::{
    audit::store::AuditStore,
    backup::store::BackupStore,
    client::{store::ClientStore, write_store::ClientWriteStore},
    conversation::{
        import_store::ConversationImport, search_store::TranscriptSearch, store::ConversationStore,
        transcript_store::TranscriptStore,
    },
    fact::store::FactStore,
    memory::{split_store::SplitStore, store::MemoryStore, vector_store::VectorStore},
    orientation::store::LedgerStore,
    proposal::store::ProposalStore,
    schedule::store::{RunStore, ScheduleStore},
    scratchpad::store::ScratchpadStore,
    scrub::store::ScrubStore,
    search::store::MemorySearch,
    store_error::StoreError,
    transfer::store::TransferStore,
    workspace::settings::{ChangeFeed, SettingsStore},
};

/// The ports of one database that hold memory.
#[derive(Clone)]
pub struct MemoryPorts {
    /// Entries, journal, history.
    pub store: Arc<dyn MemoryStore>,
    /// Search.
    pub search: Arc<dyn MemorySearch>,
    /// Vectors.
    pub vectors: Arc<dyn VectorStore>,
    /// Proposals about its entries.
    pub proposals: Arc<dyn ProposalStore>,
    /// What cannot be taken back.
    pub audit: Arc<dyn AuditStore>,
    /// Destroys it.
    pub scrub: Arc<dyn ScrubStore>,
    /// News of changes.
    pub feed: Arc<dyn ChangeFeed>,
}

/// The account's database, open.
#[derive(Clone)]
pub struct AccountPorts {
    /// Account-tier memory.
    pub memory: MemoryPorts,
    /// The account's settings.
    pub settings: Arc<dyn SettingsStore>,
    /// The worldbuilder's programs that reach memory.
    pub clients: Arc<dyn ClientStore>,
    /// Carries its memory out and in.
    pub transfer: Arc<dyn TransferStore>,
    /// Its part of changes that a workspace has a part in too.
    pub split: Arc<dyn SplitStore>,
}

/// One workspace's databases, open.
#[derive(Clone)]
pub struct WorkspacePorts {
    /// The workspace.
    pub workspace: Workspace,
    /// Memory of its three tiers.
    pub memory: MemoryPorts,
    /// Its channels and conversations.
    pub conversations: Arc<dyn ConversationStore>,
    /// What was said in them.
    pub transcript: Arc<dyn TranscriptStore>,
    /// Search over what was said.
    pub transcript_search: Arc<dyn TranscriptSearch>,
    /// Facts.
    pub facts: Arc<dyn FactStore>,
    /// Working notes.
    pub scratchpads: Arc<dyn ScratchpadStore>,
    /// What MCP clients wrote of these.
    pub client_writes: Arc<dyn ClientWriteStore>,
    /// What the World Agent was shown.
    pub ledger: Arc<dyn LedgerStore>,
    /// Runs of tasks.
    pub runs: Arc<dyn RunStore>,
    /// When tasks ran, and who runs them.
    pub schedule: Arc<dyn ScheduleStore>,
    /// Brings conversations in from elsewhere.
    pub import: Arc<dyn ConversationImport>,
    /// The workspace's own settings.
    pub settings: Arc<dyn SettingsStore>,
    /// Carries what it holds out and in.
    pub transfer: Arc<dyn TransferStore>,
}

/// One finding of the self-check.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CheckFinding {
    /// Database, as a path relative to the data folder.
    pub file: String,
    /// Which check, e.g. `integrity_check`.
    pub check: String,
    /// What it found; "ok" when all is well.
    pub result: String,
    /// True when all is well.
    pub ok: bool,
}

/// A workspace that cannot be opened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DamagedWorkspace {
    /// Which.
    pub id: WorkspaceId,
    /// Its name without what no name may have; empty if it is not known.
    pub name: String,
    /// When it was made; `None` if that is not known.
    pub created_at: Option<DateTime<Utc>>,
    /// Why it cannot be opened.
    pub fault: WorkspaceFault,
}

/// Finds, opens, makes and removes databases in the data folder.
#[async_trait::async_trait]
pub trait Catalogue: BackupStore + Send + Sync {
    /// Opens the account's database, made and migrated if need be.
    async fn account(&self) -> Result<AccountPorts, StoreError>;

    /// Every workspace whose name can be read, by name.
    async fn workspaces(&self) -> Result<Vec<Workspace>, StoreError>;

    /// Workspaces that cannot be opened, as far as a look at each tells, also those that are not listed by name.
    async fn damaged_workspaces(&self) -> Result<Vec<DamagedWorkspace>, StoreError>;

    /// Makes a workspace with its databases and `#general`.
    ///
    /// # Errors
    /// [`StoreError::AlreadyExists`] if the name is taken, regardless of case.
    async fn create(&self, workspace: &Workspace) -> Result<(), StoreError>;

    /// Opens a workspace's databases, migrated if need be.
    async fn open(&self, id: WorkspaceId) -> Result<WorkspacePorts, StoreError>;

    /// Renames a workspace; also one that cannot be opened for its name.
    async fn rename(&self, id: WorkspaceId, name: &WorkspaceName) -> Result<(), StoreError>;

    /// Moves a workspace to the trash folder; with `purge` nothing of it is left anywhere. One that cannot be opened, too. What
    /// is cut off in between is finished, or was never begun, when the folder is opened next.
    async fn delete(&self, id: WorkspaceId, purge: bool) -> Result<(), StoreError>;

    /// Checks every database: integrity, checksums, full-text index, foreign keys, versions, journal mode.
    async fn check(&self) -> Result<Vec<CheckFinding>, StoreError>;

    /// The same, and makes those full-text indexes anew that lost touch with their texts; the finding says so.
    ///
    /// # Errors
    /// [`StoreError::ReadOnly`] if the folder cannot be written.
    async fn repair(&self) -> Result<Vec<CheckFinding>, StoreError>;

    /// Closes every database that is open here and returns once nothing of them is. The ports handed out before fail from
    /// then on; opening again gives new ones.
    async fn close(&self);

    /// The version of the SQLite library in use.
    fn sqlite_version(&self) -> String;

    /// True if the data folder cannot be written.
    fn is_read_only(&self) -> bool;
}
