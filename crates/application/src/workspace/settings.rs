//! Settings that outlive the process, and news of changes made by other processes.

use crate::store_error::StoreError;

/// The workspace's setting that is `false` while its memory is switched off. The database's own guards read it.
pub const MEMORY_ENABLED: &str = "memory.enabled";

/// Settings as JSON texts under stable keys.
#[async_trait::async_trait]
pub trait SettingsStore: Send + Sync {
    /// The value under a key.
    async fn setting(&self, key: &str) -> Result<Option<String>, StoreError>;

    /// Sets the value under a key.
    async fn set_setting(&self, key: &str, value: &str) -> Result<(), StoreError>;

    /// Sets the value under a key if it still is what the caller read. False if somebody set another one since; nothing is
    /// written then.
    async fn replace_setting(&self, key: &str, read: Option<&str>, value: &str) -> Result<bool, StoreError>;
}

/// What a change touched, as far as a reader needs to know.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Topic {
    /// Entries, their history, or their use.
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
    /// What the World Agent was shown.
    Orientations,
    /// Clients and what they may do.
    Clients,
}

/// Tells what changed in a database, by whichever process.
#[async_trait::async_trait]
pub trait ChangeFeed: Send + Sync {
    /// What changed since the last call, by this or another process; cheap when nothing did (one pragma). Also
    /// brings in-memory indexes up to date with other processes' writes.
    async fn poll(&self) -> Result<Vec<Topic>, StoreError>;
}
