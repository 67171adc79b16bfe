//! Port of the data folder: the account's database and the workspaces' databases.

use std::sync::Arc;

use chrono::{DateTime, Utc};
pub use inklings_domain::workspace::WorkspaceFault;
use inklings_domain::{
    ids::WorkspaceId,
    workspace::{Workspace, WorkspaceName},
};

use crate::{
    agent_telemetry::AgentTelemetryStore,
    audit::AuditStore,
    backup::BackupStore,
    calendar::CalendarStore,
    client::{store::ClientStore, write_store::ClientWriteStore},
    conversation::{
        import_store::ConversationImport, store::ConversationStore, transcript_store::TranscriptStore,
    },
    derivation::DerivationStore,
    drift::DriftStore,
    fact::FactStore,
    lens::LensStore,
    memory::{split_store::SplitStore, store::MemoryStore, vector_store::VectorStore},
    model::usage::TokenUsageStore,
    orientation::LedgerStore,
    proposal::ProposalStore,
    recall_test::RecallTestStore,
    schedule::{RunStore, ScheduleStore},
    scratchpad::ScratchpadStore,
    scrub::ScrubStore,
    search::{
        page_store::PageSearch, saved_store::SavedSearchStore, store::MemorySearch,
        transcript_store::TranscriptSearch,
    },
    store_error::StoreError,
    subject::SubjectStore,
    transfer::store::TransferStore,
    vault::store::PageStore,
    workspace::settings::{ChangeFeed, SettingsStore},
};

/// The memory ports of one database.
#[derive(Clone)]
pub struct MemoryPorts {
    /// Entries, journal and history.
    pub store: Arc<dyn MemoryStore>,
    pub search: Arc<dyn MemorySearch>,
    pub vectors: Arc<dyn VectorStore>,
    /// What its entries were made of, by source.
    pub derivations: Arc<dyn DerivationStore>,
    /// Proposals about its entries.
    pub proposals: Arc<dyn ProposalStore>,
    /// Audit log of permanent deletions.
    pub audit: Arc<dyn AuditStore>,
    /// Permanent deletion.
    pub scrub: Arc<dyn ScrubStore>,
    /// Notifications of changes.
    pub feed: Arc<dyn ChangeFeed>,
}

/// Ports of the account's database.
#[derive(Clone)]
pub struct AccountPorts {
    /// Account-tier memory.
    pub memory: MemoryPorts,
    /// The account's settings.
    pub settings: Arc<dyn SettingsStore>,
    /// MCP clients.
    pub clients: Arc<dyn ClientStore>,
    /// Tokens that language models used.
    pub token_usage: Arc<dyn TokenUsageStore>,
    /// Export and import.
    pub transfer: Arc<dyn TransferStore>,
    /// The account's part of changes that also write to a workspace.
    pub split: Arc<dyn SplitStore>,
}

/// Ports of one workspace's databases.
#[derive(Clone)]
pub struct WorkspacePorts {
    pub workspace: Workspace,
    /// Memory of its three tiers.
    pub memory: MemoryPorts,
    /// Its channels and conversations.
    pub conversations: Arc<dyn ConversationStore>,
    /// Messages of its conversations.
    pub transcript: Arc<dyn TranscriptStore>,
    /// Search over messages.
    pub transcript_search: Arc<dyn TranscriptSearch>,
    pub facts: Arc<dyn FactStore>,
    /// Contradictions between what is canon and what is stated elsewhere.
    pub drifts: Arc<dyn DriftStore>,
    /// Subjects of the world.
    pub subjects: Arc<dyn SubjectStore>,
    /// Calendars, and entries by their time in the story.
    pub calendars: Arc<dyn CalendarStore>,
    /// What a lens depends on.
    pub lenses: Arc<dyn LensStore>,
    /// Working notes.
    pub scratchpads: Arc<dyn ScratchpadStore>,
    /// Writes of MCP clients outside memory.
    pub client_writes: Arc<dyn ClientWriteStore>,
    /// Ledger of what the World Agent was shown.
    pub ledger: Arc<dyn LedgerStore>,
    /// Recall tests of the author.
    pub recall_tests: Arc<dyn RecallTestStore>,
    /// Searches that the worldbuilder saved.
    pub saved_searches: Arc<dyn SavedSearchStore>,
    pub agent_telemetry: Arc<dyn AgentTelemetryStore>,
    /// Runs of tasks.
    pub runs: Arc<dyn RunStore>,
    /// Times and leases of tasks.
    pub schedule: Arc<dyn ScheduleStore>,
    /// Import of whole conversations.
    pub import: Arc<dyn ConversationImport>,
    /// The workspace's own settings.
    pub settings: Arc<dyn SettingsStore>,
    /// Export and import.
    pub transfer: Arc<dyn TransferStore>,
    /// Linked vaults and their pages.
    pub pages: Arc<dyn PageStore>,
    /// Search over pages.
    pub page_search: Arc<dyn PageSearch>,
    /// Reports changes of vaults and pages.
    pub page_feed: Arc<dyn ChangeFeed>,
}

/// One finding of the self-check.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CheckFinding {
    /// Database, as a path relative to the data folder.
    pub file: String,
    /// Which check, e.g. `integrity_check`.
    pub check: String,
    /// The result; "ok" if nothing was found.
    pub result: String,
    /// True if nothing was found.
    pub ok: bool,
}

/// A workspace that cannot be opened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DamagedWorkspace {
    pub id: WorkspaceId,
    /// Its name without characters that are not allowed in names; empty if unknown.
    pub name: String,
    /// When it was created; `None` if unknown.
    pub created_at: Option<DateTime<Utc>>,
    /// Why it cannot be opened.
    pub fault: WorkspaceFault,
    /// The paths of its databases that cannot be opened, within the data folder; none if only its name is invalid.
    pub files: Vec<String>,
}

/// Finds, opens, creates and deletes the databases of a data folder.
#[async_trait::async_trait]
pub trait Catalogue: BackupStore + Send + Sync {
    /// Opens the account's database; creates and migrates it if necessary.
    async fn account(&self) -> Result<AccountPorts, StoreError>;

    /// All workspaces with a readable name, by name.
    async fn workspaces(&self) -> Result<Vec<Workspace>, StoreError>;

    /// Workspaces that cannot be opened, including those without a readable name. A quick check, not a full
    /// verification.
    async fn damaged_workspaces(&self) -> Result<Vec<DamagedWorkspace>, StoreError>;

    /// Creates a workspace with its databases and `#general`.
    ///
    /// # Errors
    /// [`StoreError::AlreadyExists`] if the name is taken, ignoring case.
    async fn create(&self, workspace: &Workspace) -> Result<(), StoreError>;

    /// Opens a workspace's databases; migrates them if necessary.
    async fn open(&self, id: WorkspaceId) -> Result<WorkspacePorts, StoreError>;

    /// Renames a workspace, also one that cannot be opened because of its name.
    async fn rename(&self, id: WorkspaceId, name: &WorkspaceName) -> Result<(), StoreError>;

    /// Moves a workspace to the trash folder; with `purge`, deletes all of it permanently. Also works for a
    /// workspace that cannot be opened. After an interruption, it is either completed when the folder is
    /// opened next, or has had no effect.
    async fn delete(&self, id: WorkspaceId, purge: bool) -> Result<(), StoreError>;

    /// Verifies all databases: integrity, checksums, full-text index, foreign keys, versions, journal mode.
    async fn check(&self) -> Result<Vec<CheckFinding>, StoreError>;

    /// As [`Self::check`], and rebuilds full-text indexes that do not match their texts; the finding says so.
    ///
    /// # Errors
    /// [`StoreError::ReadOnly`] if the folder cannot be written.
    async fn repair(&self) -> Result<Vec<CheckFinding>, StoreError>;

    /// Closes all open databases and waits until they are closed. Ports returned before fail from then on;
    /// opening again returns new ones.
    async fn close(&self);

    /// The version of the SQLite library in use.
    fn sqlite_version(&self) -> String;

    /// True if the data folder is not writable.
    fn is_read_only(&self) -> bool;
}
