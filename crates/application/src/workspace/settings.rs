//! Ports for stored settings and for notifications of changes by other processes.

use crate::store_error::StoreError;

/// Workspace setting that is `false` while memory is switched off. The database triggers read it.
pub const MEMORY_ENABLED: &str = "memory.enabled";

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
    /// Settings.
    Settings,
    /// Vectors or models.
    Models,
    /// Proposals.
    Proposals,
    /// Runs and tasks.
    Runs,
    /// Orientations in the ledger.
    Orientations,
    /// Clients and their grants.
    Clients,
}

/// Reports changes of a database by any process.
#[async_trait::async_trait]
pub trait ChangeFeed: Send + Sync {
    /// Changes since the last call, by this or another process. Cheap if there are none (one pragma). Also
    /// updates in-memory indexes with other processes' writes.
    async fn poll(&self) -> Result<Vec<Topic>, StoreError>;
}
