//! A data folder with a workspace and channels and conversations in it, for tests of the stores.

use std::{path::Path, sync::Arc};

use chrono::{DateTime, Utc};
use inklings_application::testing::world::settle;
use inklings_domain::{
    audit::{AuditAct, AuditEntry},
    channel::{Channel, ChannelName},
    conversation::{
        Conversation,
        message::{Message, NewMessage},
    },
    ids::MemoryId,
    memory::{
        MemoryDraft, MemoryEntry,
        change_set::ChangeSet,
        embedding::{EmbeddingModel, ModelId},
    },
    provenance::{Actor, Interface},
    scope::Place,
    search::ranking::utterance::Named,
};
use inklings_ports::{
    conversation::{import_store::TakenIn, transcript_store::MessageRange},
    memory::{
        store::{MemoryStore, StoredEntry},
        vector_store::NewVectors,
    },
    testing::{
        builders::{Scribe, author},
        folder::copy_template,
    },
    workspace::catalogue::{AccountPorts, Catalogue, MemoryPorts, WorkspacePorts},
};
use inklings_sqlite::SqliteCatalogue;

use super::TempFolder;

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
    pub conversation: Conversation,
    /// A conversation in the other channel.
    pub side_conversation: Conversation,
}

impl Stage {
    /// The audit row of a restore.
    pub fn restore_entry(&self) -> AuditEntry {
        AuditEntry {
            act: AuditAct::Restore,
            scope: "backup".into(),
            mode: None,
            manifest: "{}".into(),
            operator: "author".into(),
            interface: Interface::Cli,
            at: self.scribe.stamp(author()).at,
        }
    }

    /// Closes the files. What is only dropped is closed at some later moment.
    pub async fn close(self) {
        self.catalogue.close().await;
    }

    /// Sets the stage in a fresh folder.
    pub async fn set(folder: &TempFolder) -> Self {
        let scribe = Scribe::default();
        let workspace = scribe.workspace("Contract");
        if !folder.account_file().exists() {
            let cache = Path::new(env!("CARGO_TARGET_TMPDIR")).join(env!("CARGO_PKG_NAME"));
            copy_template(&cache, folder.path(), async |made| {
                let catalogue = SqliteCatalogue::new(made);
                catalogue.account().await.expect("the account's database opens");
                catalogue.create(&workspace).await.expect("a workspace is made");
                catalogue.close().await;
            })
            .await;
        }
        let catalogue = folder.catalogue();
        let account = catalogue.account().await.expect("the account's database opens");
        if !catalogue.workspaces().await.expect("a list").contains(&workspace) {
            catalogue.create(&workspace).await.expect("a workspace is made");
        }
        let workspace = catalogue.open(workspace.id).await.expect("the workspace opens");
        let store = &workspace.conversations;
        let general = store.channel_named(&ChannelName::general()).await.expect("channels are read");
        let general = general.expect("every workspace has #general");
        let side = scribe.channel(workspace.workspace.id, "Side");
        store.add_channel(&side).await.expect("a channel is added");
        let (conversation, side_conversation) =
            (scribe.conversation(general.id), scribe.conversation(side.id));
        for one in [&conversation, &side_conversation] {
            store.add_conversation(one).await.expect("a conversation is added");
        }
        Self { catalogue, account, workspace, scribe, general, side, conversation, side_conversation }
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
            Place::Conversation(self.general.id, self.conversation.id),
            Place::Conversation(self.side.id, self.side_conversation.id),
        ]
    }

    /// Adds messages to a conversation that takes them.
    pub async fn say(&self, conversation: &Conversation, messages: &[NewMessage]) -> Vec<Message> {
        let written = self.workspace.transcript.append(conversation.id, messages).await;
        written.expect("the messages are added")
    }

    /// Adds what the worldbuilder says to a conversation.
    pub async fn add_texts(&self, conversation: &Conversation, texts: &[&str]) -> Vec<Message> {
        let messages: Vec<NewMessage> = texts.iter().map(|text| self.scribe.message(text)).collect();
        self.say(conversation, &messages).await
    }

    /// Everything of a conversation, in order.
    pub async fn transcript(&self, conversation: &Conversation) -> Vec<Message> {
        let all = self.workspace.transcript.page(conversation.id, MessageRange::After(0), 10_000).await;
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

    /// Imports a conversation with these messages.
    pub async fn take_in(
        &self,
        external_id: &str,
        conversation: &Conversation,
        messages: &[NewMessage],
    ) -> TakenIn {
        let mut import = self.workspace.import.begin_import().await.expect("an import begins");
        let taken = import.take_in(external_id, conversation, messages).await.expect("is taken in");
        import.commit().await.expect("is committed");
        taken
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
        let new = |(entry, vector): &(MemoryEntry, Vec<f32>)| NewVectors {
            id: entry.id,
            version: entry.version,
            vectors: vector.clone().into(),
        };
        let vectors: Vec<NewVectors> = vectors.iter().map(new).collect();
        let stored = self.memory().vectors.put(model, &vectors).await.expect("vectors are stored");
        assert_eq!(stored, vectors.len(), "every vector was current");
        settle(self.memory(), model).await;
    }
}

/// A model for checks: a name and a dimension, nothing that could embed.
pub fn model(name: &str, dimension: usize) -> EmbeddingModel {
    EmbeddingModel { id: ModelId::new(name), dimension }
}

/// What a query names that is asked at a time.
pub fn named(query: &str, at: DateTime<Utc>) -> Named {
    Named::in_query(query, at.fixed_offset())
}
