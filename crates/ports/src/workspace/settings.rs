//! Ports for stored settings and for notifications of changes by other processes.

use inklings_domain::ids::ChangeId;

use crate::store_error::StoreError;

/// Workspace setting that is `false` while memory is switched off. The database triggers read it.
pub const MEMORY_ENABLED: &str = "memory.enabled";

/// Workspace setting: the state that was reviewed last.
pub const REVIEWED: &str = "review.state";
/// Workspace setting: the revision in which contradictions were looked for last.
pub const LOOKED: &str = "drift.state";
/// Settings that record a revision, and are no part of it.
pub const RECORDS: [&str; 2] = [REVIEWED, LOOKED];

/// Stores settings as JSON texts under stable keys.
#[async_trait::async_trait]
pub trait SettingsStore: Send + Sync {
    /// The value under a key.
    async fn setting(&self, key: &str) -> Result<Option<String>, StoreError>;

    /// Sets the value under a key.
    async fn set_setting(&self, key: &str, value: &str) -> Result<(), StoreError>;

    /// Sets a value if the stored one is still the one that the caller read. False if it was changed since;
    /// nothing is written then.
    async fn replace_setting(&self, key: &str, read: Option<&str>, value: &str) -> Result<bool, StoreError>;
}

/// The kind of data that a change touched.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Topic {
    /// Entries, their history, or their usage.
    Memories,
    /// Channels or conversations.
    Channels,
    /// Messages, episodes, facts or working notes.
    Transcript,
    /// The list of workspaces.
    Workspaces,
    Settings,
    /// Vectors or models.
    Models,
    Proposals,
    /// Runs and tasks.
    Runs,
    /// Orientations in the ledger.
    Orientations,
    RecallTests,
    /// Clients and their grants.
    Clients,
    /// Linked vaults and their pages.
    Pages,
    AgentTelemetry,
}

/// Changes of a database since the last poll.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Changes {
    /// What they touched, each topic once.
    pub topics: Vec<Topic>,
    /// The journalled changes behind [`Topic::Memories`]. `None` if something else touched memory as well, such as a
    /// counted use, or if there are many.
    pub journalled: Option<Vec<ChangeId>>,
}

impl Changes {
    /// The changes of two databases together.
    #[must_use]
    pub fn and(mut self, other: Self) -> Self {
        let of_memory = |changes: &Self| changes.topics.contains(&Topic::Memories);
        self.journalled = match (of_memory(&self), of_memory(&other)) {
            (true, true) => self.journalled.zip(other.journalled).map(|(mut all, more)| {
                all.extend(more);
                all
            }),
            (true, false) => self.journalled,
            (false, _) => other.journalled,
        };
        self.topics.extend(other.topics);
        self.topics.sort_unstable();
        self.topics.dedup();
        self
    }
}

/// Reports changes of a database by any process.
#[async_trait::async_trait]
pub trait ChangeFeed: Send + Sync {
    /// Changes since the last call, by this or another process. Cheap if there are none (one pragma). Also
    /// updates in-memory indexes with other processes' writes.
    async fn poll(&self) -> Result<Changes, StoreError>;
}
