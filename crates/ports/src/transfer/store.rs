//! Port for export and import, row by row: what an export reads, and what an import writes in one
//! transaction.

use chrono::{DateTime, Utc};
use inklings_domain::{
    consolidation::run::Run,
    ids::{ChangeId, ChannelId, ConversationId, MemoryId, RunId, WorkspaceId},
    memory::MemoryEntry,
    provenance::Interface,
};
use serde_json::{Map, Value};

use crate::transfer::shape::Section;
use crate::{clock::IdGenerator, store_error::StoreError};

/// A row as in the file; [`crate::transfer::shape`] defines the fields and their kinds. Empty fields are
/// omitted.
pub type Fields = Map<String, Value>;

/// Which rows of a workspace an export contains. The account is always exported whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Within {
    /// The whole workspace.
    All,
    /// One channel with its conversations.
    Channel(ChannelId),
    /// One conversation with its channel.
    Conversation(ConversationId),
}

/// A row of a page with its key.
#[derive(Debug, Clone, PartialEq)]
pub struct TransferRow {
    /// Sort key; the next page starts after it. Opaque.
    pub key: Vec<String>,
    pub fields: Fields,
}

/// A consistent snapshot of a database.
#[async_trait::async_trait]
pub trait TransferSnapshot: Send {
    /// Number of rows in a section.
    async fn count(&mut self, section: Section, within: Within) -> Result<u64, StoreError>;

    /// At most `limit` rows of a section after `after`, ordered by key. With `embeddings`, includes the
    /// vectors.
    async fn page(
        &mut self,
        section: Section,
        within: Within,
        after: Option<&[String]>,
        limit: usize,
        embeddings: bool,
    ) -> Result<Vec<TransferRow>, StoreError>;

    /// Unknown members retained from imported files, by name.
    async fn members(&mut self) -> Result<Fields, StoreError>;
}

/// Change and run of an import.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ImportStamp {
    /// The first change; each later version of an entry with a history gets its own.
    pub change: ChangeId,
    /// The run of all these changes.
    pub run: RunId,
    pub interface: Interface,
    pub at: DateTime<Utc>,
    /// For an import into the account: the workspace that stores its run. Account and workspace are two
    /// files; the workspace's commit, which writes the run, decides for both.
    pub follows: Option<WorkspaceId>,
}

/// An import transaction. Dropping it without [`Self::commit`] rolls it back; a dry run does this.
#[async_trait::async_trait]
pub trait TransferWriter: Send {
    /// A row by id (for working notes: conversation and key), without its nested lists.
    async fn get(&mut self, section: Section, id: &[&str]) -> Result<Option<Fields>, StoreError>;

    /// An existing entry with the row's id, or one that was imported into its place with its external id, wherever it was moved
    /// since.
    async fn entry(&mut self, fields: &Fields) -> Result<Option<MemoryEntry>, StoreError>;

    /// The entry of a tier with a folded name or alias.
    async fn named(&mut self, scope: &str, folded: &str) -> Result<Option<MemoryEntry>, StoreError>;

    /// The id of the channel with this name.
    async fn channel_named(&mut self, folded: &str) -> Result<Option<String>, StoreError>;

    /// Writes later rows of the channel `from` to the channel `to`.
    fn map_channel(&mut self, from: &str, to: &str);

    /// Adds a row with its nested lists.
    ///
    /// # Errors
    /// Refusals of the database. Nothing of this row is written then, and the import can continue.
    async fn add(&mut self, section: Section, fields: &Fields) -> Result<(), StoreError>;

    /// Writes a new state of an entry. Errors as for [`Self::add`].
    async fn update(&mut self, after: &MemoryEntry) -> Result<(), StoreError>;

    /// An entry's retained fields of a third-party format.
    async fn third_party(&mut self, id: MemoryId, format: &str) -> Result<Option<Fields>, StoreError>;

    /// Replaces an entry's retained fields of these third-party formats.
    async fn replace_third_party(&mut self, id: MemoryId, formats: &Fields) -> Result<(), StoreError>;

    /// An unknown member of this name, retained from an imported file.
    async fn member(&mut self, name: &str) -> Result<Option<Value>, StoreError>;

    /// Stores an unknown member, replacing one of the same name.
    async fn put_member(&mut self, name: &str, value: &Value) -> Result<(), StoreError>;

    /// Finishes the writes. All refusals happen here, and only [`Self::commit`] remains. If the import
    /// follows a workspace ([`ImportStamp::follows`]), its outcome now depends on the run there: if the run
    /// is committed, the import is applied even if this process dies, by the next process that opens the
    /// folder. Without the run it is rolled back.
    async fn prepare(&mut self, ids: &dyn IdGenerator) -> Result<(), StoreError>;

    /// Commits everything, with its run if one is given. Must be called after [`Self::prepare`].
    async fn commit(self: Box<Self>, run: Option<&Run>) -> Result<(), StoreError>;
}

/// Starts exports and imports of one database.
#[async_trait::async_trait]
pub trait TransferStore: Send + Sync {
    /// A snapshot for reading. Working notes that have expired at `now` are left out.
    async fn snapshot(&self, now: DateTime<Utc>) -> Result<Box<dyn TransferSnapshot>, StoreError>;

    /// Starts a transaction; other writers wait until it ends. One that follows a workspace first settles an
    /// interrupted earlier one.
    async fn begin_transfer(&self, stamp: ImportStamp) -> Result<Box<dyn TransferWriter>, StoreError>;
}
