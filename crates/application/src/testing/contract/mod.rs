//! The promises of the storage ports, one check each. A store passes when every check does; the name of a check is
//! the promise it guards.
//!
//! An adapter implements [`StoreFactory`] over a data folder of its own and calls the macros in an integration test:
//!
//! ```text
//! memory_store_contract!(TempFolder::new());   // and memory_search_, vector_store_, room_store_, transcript_,
//!                                              // transcript_search_, fact_store_, scratchpad_, settings_,
//!                                              // conversation_import_, proposal_, run_, schedule_, ledger_, audit_,
//!                                              // backup_, scrub_, transfer_,
//!                                              // change_feed_,
//!                                              // catalogue_contract!
//! ```
//!
//! Each macro makes one `#[tokio::test]` per check, so the calling crate needs `tokio`. The factory expression is
//! evaluated anew for every check. Call each macro in a module of its own.

pub mod audit;
pub mod backups;
pub mod catalogue;
pub mod change_feed;
pub mod client_writes;
pub mod clients;
pub mod conversation_import;
pub mod facts;
pub mod history;
pub mod ledger;
pub mod lists;
pub mod locks;
mod macros;
mod macros_files;
pub mod meaning_search;
pub mod memory_switch;
pub mod named;
pub mod population;
pub mod proposals;
pub mod room_changes;
pub mod rooms;
pub mod runs;
pub mod schedule;
pub mod scratchpads;
pub mod scrubs;
pub mod settings;
pub mod split;
pub mod summaries;
pub mod text_search;
pub mod transcript;
pub mod transcript_search;
pub mod transcript_vectors;
pub mod transfer;
pub mod uses;
pub mod vectors;
pub mod writes;

use std::{
    sync::Arc,
    task::Poll,
    time::{Duration, Instant},
};

use inklings_domain::{
    change_set::{ChangeSet, MemoryWrite},
    channel::{Channel, ChannelName},
    conversation::Conversation,
    embedding::{EmbeddingModel, ModelId},
    ids::{MemoryId, WorkspaceId},
    memory::{MemoryDraft, MemoryEntry},
    message::{Message, NewMessage},
    provenance::Actor,
    scope::Place,
};

use super::builders::Scribe;
use crate::ports::{
    catalogue::{AccountPorts, Catalogue, MemoryPorts, WorkspacePorts},
    memory_store::{MemoryStore, StoredEntry},
    transcript_store::Stretch,
    vector_store::NewVector,
};

/// How long a store may take to load the vectors of a model. Generous: it is waited out only by a store that fails.
const PATIENCE: Duration = Duration::from_mins(1);

/// A data folder that a check has to itself.
#[async_trait::async_trait]
pub trait StoreFactory: Send + Sync {
    /// Opens the folder, empty at first. Called again it opens the same folder anew, as another process would.
    async fn catalogue(&self) -> Arc<dyn Catalogue>;

    /// What is left of a workspace outside the databases that still exist: file names, trash, lists. For people.
    async fn traces(&self, _workspace: WorkspaceId) -> Vec<String> {
        Vec::new()
    }
}

/// A data folder with one workspace that has two channels with a conversation each.
pub struct Stage {
    /// The folder.
    pub catalogue: Arc<dyn Catalogue>,
    /// The account's database.
    pub account: AccountPorts,
    /// The workspace's databases.
    pub workspace: WorkspacePorts,
    /// Makes entries and changes.
    pub scribe: Scribe,
    /// `#general`.
    pub general: Channel,
    /// Another channel.
    pub side: Channel,
    /// A conversation in `#general`.
    pub talk: Conversation,
    /// A conversation in the other channel.
    pub side_talk: Conversation,
}

impl Stage {
    /// Sets the stage in a fresh folder.
    pub async fn set(factory: &dyn StoreFactory) -> Self {
        let catalogue = factory.catalogue().await;
        let scribe = Scribe::default();
        let account = catalogue.account().await.expect("the account's database opens");
        let workspace = scribe.workspace("Contract");
        catalogue.create(&workspace).await.expect("a workspace is made");
        let workspace = catalogue.open(workspace.id).await.expect("the workspace opens");
        let rooms = &workspace.rooms;
        let general = rooms.channel_named(&ChannelName::general()).await.expect("channels are read");
        let general = general.expect("every workspace has #general");
        let side = scribe.channel(workspace.workspace.id, "Side");
        rooms.add_channel(&side).await.expect("a channel is added");
        let (talk, side_talk) = (scribe.conversation(general.id), scribe.conversation(side.id));
        for conversation in [&talk, &side_talk] {
            rooms.add_conversation(conversation).await.expect("a conversation is added");
        }
        Self { catalogue, account, workspace, scribe, general, side, talk, side_talk }
    }

    /// The workspace's entries.
    pub fn store(&self) -> &dyn MemoryStore {
        self.workspace.memory.store.as_ref()
    }

    /// The workspace's memory ports.
    pub const fn memory(&self) -> &MemoryPorts {
        &self.workspace.memory
    }

    /// Every place of the workspace's database.
    pub fn places(&self) -> [Place; 5] {
        [
            Place::Workspace,
            Place::Channel(self.general.id),
            Place::Channel(self.side.id),
            Place::Conversation(self.general.id, self.talk.id),
            Place::Conversation(self.side.id, self.side_talk.id),
        ]
    }

    /// Adds messages to a conversation that takes them.
    pub async fn say(&self, conversation: &Conversation, messages: &[NewMessage]) -> Vec<Message> {
        let written = self.workspace.transcript.append(conversation.id, messages).await;
        written.expect("the messages are added")
    }

    /// Adds what the worldbuilder says to a conversation.
    pub async fn tell(&self, conversation: &Conversation, texts: &[&str]) -> Vec<Message> {
        let messages: Vec<NewMessage> = texts.iter().map(|text| self.scribe.said(text)).collect();
        self.say(conversation, &messages).await
    }

    /// Everything of a conversation, in order.
    pub async fn transcript(&self, conversation: &Conversation) -> Vec<Message> {
        let all = self.workspace.transcript.page(conversation.id, Stretch::After(0), 10_000).await;
        all.expect("messages are read")
    }

    /// Changes a setting of the workspace.
    pub async fn configure(&self, key: &str, value: &str) {
        self.workspace.settings.set_setting(key, value).await.expect("a setting is kept");
    }

    /// Commits to the workspace's database.
    pub async fn commit(&self, change: &ChangeSet) {
        self.store().commit(change).await.expect("the change is committed");
    }

    /// Writes new entries to the workspace's database.
    pub async fn write(
        &self,
        actor: Actor,
        drafts: impl IntoIterator<Item = MemoryDraft>,
    ) -> Vec<MemoryEntry> {
        let (change, entries) = self.scribe.create(actor, drafts);
        self.commit(&change).await;
        entries
    }

    /// Writes one new entry to the workspace's database.
    pub async fn write_one(&self, actor: Actor, draft: MemoryDraft) -> MemoryEntry {
        self.write(actor, [draft]).await.remove(0)
    }

    /// Writes what is committed elsewhere as one change and gives the entry after it.
    pub async fn apply(&self, (change, after): (ChangeSet, MemoryEntry)) -> MemoryEntry {
        self.commit(&change).await;
        after
    }

    /// An entry of the workspace's database that must be there.
    pub async fn read(&self, id: MemoryId) -> StoredEntry {
        self.find(id).await.expect("the entry is stored")
    }

    /// An entry of the workspace's database.
    pub async fn find(&self, id: MemoryId) -> Option<StoredEntry> {
        self.store().get(&[id]).await.expect("entries are read").pop()
    }

    /// Stores the vectors of entries in the workspace's database and waits until they can be searched.
    pub async fn embed(&self, model: &EmbeddingModel, vectors: &[(MemoryEntry, Vec<f32>)]) {
        let new = |(entry, vector): &(MemoryEntry, Vec<f32>)| NewVector {
            id: entry.id,
            version: entry.version,
            vector: vector.clone(),
        };
        let vectors: Vec<NewVector> = vectors.iter().map(new).collect();
        let stored = self.memory().vectors.put(model, &vectors).await.expect("vectors are stored");
        assert_eq!(stored, vectors.len(), "every vector was current");
        settle(self.memory(), model).await;
    }
}

/// A model for checks: a name and a dimension, nothing that could embed.
pub fn model(name: &str, dimension: usize) -> EmbeddingModel {
    EmbeddingModel { id: ModelId::new(name), dimension }
}

/// Waits until search by meaning is ready and has caught up with everything written so far.
pub async fn settle(memory: &MemoryPorts, model: &EmbeddingModel) {
    let deadline = Instant::now() + PATIENCE;
    let anything = {
        let mut vector = vec![0.0; model.dimension];
        vector[0] = 1.0;
        vector
    };
    let everywhere = super::builders::everywhere(Vec::new());
    loop {
        memory.feed.poll().await.expect("the feed answers");
        // A search is what makes a lazy index load.
        memory.search.search_meaning(&anything, &model.id, &everywhere, 1).await.expect("search answers");
        if memory.search.meaning_ready(&model.id) {
            break;
        }
        assert!(Instant::now() < deadline, "the vectors were not loaded within {PATIENCE:?}");
        pause().await;
    }
}

/// Lets other tasks of the runtime run for a moment.
async fn pause() {
    std::thread::sleep(Duration::from_millis(2));
    let mut yielded = false;
    std::future::poll_fn(|context| {
        if std::mem::replace(&mut yielded, true) {
            return Poll::Ready(());
        }
        context.waker().wake_by_ref();
        Poll::Pending
    })
    .await;
}

/// The ids of entries, sorted.
pub fn ids<'a>(entries: impl IntoIterator<Item = &'a MemoryEntry>) -> Vec<MemoryId> {
    let mut ids: Vec<MemoryId> = entries.into_iter().map(|e| e.id).collect();
    ids.sort_unstable();
    ids
}

/// Two writes as one change under the first one's stamp.
pub fn together(mut first: ChangeSet, second: &ChangeSet) -> ChangeSet {
    let adopt = |write: &MemoryWrite| {
        let entry = MemoryEntry { change: first.stamp.change, ..write.entry().clone() };
        match write {
            MemoryWrite::Insert(_) => MemoryWrite::Insert(entry),
            MemoryWrite::Update(_) => MemoryWrite::Update(entry),
        }
    };
    first.writes.extend(second.writes.iter().map(adopt).collect::<Vec<_>>());
    first
}

/// Asserts that a store refused with the errors of a pattern.
macro_rules! refused {
    ($result:expr, $($pattern:tt)+) => {{
        let result = $result;
        assert!(matches!(result, Err($($pattern)+)), "should be refused as {}, got {result:?}", stringify!($($pattern)+));
    }};
}
pub(crate) use refused;
