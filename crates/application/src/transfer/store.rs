//! Carrying memory out into a file and in again, row by row: what an export reads, and what an import writes in one
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

/// A row as the file has it ([`crate::transfer::shape`] says which fields there are, and of what kind). Nothing is
/// written for a field that is empty.
pub type Fields = Map<String, Value>;

/// Which rows of a workspace an export takes. The account's are always taken whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Within {
    /// All of them.
    All,
    /// A channel with its conversations.
    Channel(ChannelId),
    /// One conversation, with the channel it is in.
    Conversation(ConversationId),
}

/// Row keys of a page and what they belong to.
#[derive(Debug, Clone, PartialEq)]
pub struct TransferRow {
    /// Where the next page begins behind; opaque.
    pub key: Vec<String>,
    /// The row.
    pub fields: Fields,
}

/// One state of a database, whatever is written meanwhile.
#[async_trait::async_trait]
pub trait TransferSnapshot: Send {
    /// How many rows a section has.
    async fn count(&mut self, section: Section, within: Within) -> Result<u64, StoreError>;

    /// At most `limit` rows of a section behind `after`, in the order of their keys. `embeddings` adds the vectors.
    async fn page(
        &mut self,
        section: Section,
        within: Within,
        after: Option<&[String]>,
        limit: usize,
        embeddings: bool,
    ) -> Result<Vec<TransferRow>, StoreError>;

    /// What files that were brought in said beside their rows and this release does not know, by name.
    async fn members(&mut self) -> Result<Fields, StoreError>;
}

/// The change in whose name an import writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ImportStamp {
    /// The first change; each later version of entries with a history gets one of its own.
    pub change: ChangeId,
    /// The run that all of them belong to.
    pub run: RunId,
    /// Through which interface.
    pub interface: Interface,
    /// When.
    pub at: DateTime<Utc>,
    /// Of an import into the account: the workspace in which its run stands. What a workspace keeps and what the account
    /// keeps are two files; the run, which the workspace's commit writes, decides about both.
    pub follows: Option<WorkspaceId>,
}

/// An import under way. Dropped without [`Self::commit`] it leaves nothing behind, so a dry run is an import that is not
/// committed.
#[async_trait::async_trait]
pub trait TransferWriter: Send {
    /// A row by its id (of working notes: the conversation and the key), without what hangs on it.
    async fn get(&mut self, section: Section, id: &[&str]) -> Result<Option<Fields>, StoreError>;

    /// An entry by its id, or by the place and the id that it had elsewhere.
    async fn entry(&mut self, fields: &Fields) -> Result<Option<MemoryEntry>, StoreError>;

    /// The entry of a tier that goes by a name or alias in its folded form.
    async fn named(&mut self, scope: &str, folded: &str) -> Result<Option<MemoryEntry>, StoreError>;

    /// The channel of this name, if there is one: its id.
    async fn channel_named(&mut self, folded: &str) -> Result<Option<String>, StoreError>;

    /// From now on rows of the channel `from` are written into the channel `to`.
    fn map_channel(&mut self, from: &str, to: &str);

    /// Adds a row with all that hangs on it.
    ///
    /// # Errors
    /// What the database refuses; nothing of this row is there then, and the import can go on.
    async fn add(&mut self, section: Section, fields: &Fields) -> Result<(), StoreError>;

    /// Writes an entry as it shall be. As [`Self::add`].
    async fn update(&mut self, after: &MemoryEntry) -> Result<(), StoreError>;

    /// Puts what other programs keep beside an entry in the place of what was kept of the same programs.
    async fn keep_foreign(&mut self, id: MemoryId, formats: &Fields) -> Result<(), StoreError>;

    /// What an earlier file said beside its rows under this name.
    async fn member(&mut self, name: &str) -> Result<Option<Value>, StoreError>;

    /// Keeps what a file says beside its rows; what stood under this name before is replaced.
    async fn put_member(&mut self, name: &str, value: &Value) -> Result<(), StoreError>;

    /// Ends the writing: whatever can be refused is refused now, and only [`Self::commit`] remains. If the import follows
    /// a workspace ([`ImportStamp::follows`]), it is from now on kept once its run stands there, also if this process
    /// ends before the commit: whoever opens the folder next finishes it. Without the run nothing of it is kept.
    async fn prepare(&mut self, ids: &dyn IdGenerator) -> Result<(), StoreError>;

    /// Makes everything permanent at once, with the run that did it if one is given. Called after [`Self::prepare`].
    async fn commit(self: Box<Self>, run: Option<&Run>) -> Result<(), StoreError>;
}

/// Begins exports and imports of one database.
#[async_trait::async_trait]
pub trait TransferStore: Send + Sync {
    /// A state to read from, as it is at a moment: working notes whose time is over by then are not in it.
    async fn snapshot(&self, now: DateTime<Utc>) -> Result<Box<dyn TransferSnapshot>, StoreError>;

    /// One transaction; other writers wait until it ends. One that follows a workspace first finishes what an earlier
    /// one left.
    async fn begin_transfer(&self, stamp: ImportStamp) -> Result<Box<dyn TransferWriter>, StoreError>;
}
