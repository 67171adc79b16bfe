//! A session on fresh fakes, for tests of use cases.

use std::sync::Arc;

use inklings_domain::{
    conversation::Conversation,
    decay::DecayConfig,
    filter::{MemoryFilter, Reach},
    ids::MemoryId,
    memory::{MemoryDraft, MemoryEntry},
    message::{Message, Role},
    provenance::Actor,
    scope::Place,
};

use super::{
    builders::{author, draft},
    catalogue::InMemoryCatalogue,
    clock::{ManualClock, SequentialIds},
    embedder::FixedEmbedder,
};
use crate::{
    memory::embed::BackfillProgress,
    ports::{catalogue::Catalogue, clock::IdGenerator},
    session::{EmbedderSlot, Session},
    workspace::manage::Workspaces,
};

/// A session on fresh fakes with hands on what a test moves.
pub struct World {
    /// The session.
    pub session: Session,
    /// Its clock.
    pub clock: Arc<ManualClock>,
    /// Its embedding model.
    pub embedder: Arc<FixedEmbedder>,
    /// The data folder behind it.
    pub catalogue: InMemoryCatalogue,
}

impl World {
    /// A fresh account and a workspace "Test World", with a model that tells texts apart by their words.
    ///
    /// # Panics
    /// If a fake does not do what it should.
    pub async fn new() -> Self {
        let clock = Arc::new(ManualClock::default());
        let ids: Arc<dyn IdGenerator> = Arc::new(SequentialIds::default());
        let folder = InMemoryCatalogue::default();
        let catalogue: Arc<dyn Catalogue> = Arc::new(folder.clone());
        let workspaces =
            Workspaces { catalogue: Arc::clone(&catalogue), clock: clock.clone(), ids: Arc::clone(&ids) };
        let made = workspaces.create("Test World").await.expect("a safe name");
        let account = catalogue.account().await.expect("the account opens");
        let ports = catalogue.open(made.id).await.expect("the workspace opens");
        let embedder = Arc::new(FixedEmbedder::default());
        let slot = EmbedderSlot::default();
        slot.set(Some(embedder.clone()));
        let session = Session::new(account, ports, clock.clone(), ids, slot);
        session.reload_decay(DecayConfig::STEADY, true).await.expect("decay loads");
        Self { session, clock, embedder, catalogue: folder }
    }

    /// Remembers something in an actor's name, a second later than what was before.
    ///
    /// # Panics
    /// If it is refused.
    pub async fn remember(&self, draft: MemoryDraft, actor: Actor) -> MemoryId {
        self.clock.tick();
        self.session.create_memory(draft, actor).await.expect("a valid draft").ids[0]
    }

    /// Remembers something in the worldbuilder's name.
    ///
    /// # Panics
    /// If it is refused.
    pub async fn write(&self, place: Place, text: &str) -> MemoryId {
        self.remember(draft(place, text), author()).await
    }

    /// An entry as it is now.
    ///
    /// # Panics
    /// If there is none.
    pub async fn entry(&self, id: MemoryId) -> MemoryEntry {
        self.session.entry(id).await.expect("it is there").entry
    }

    /// A conversation in `#general`.
    ///
    /// # Panics
    /// If it cannot begin.
    pub async fn conversation(&self) -> Conversation {
        self.clock.tick();
        self.session.begin_conversation(None, "").await.expect("a conversation")
    }

    /// Says something, a second later than what was before.
    ///
    /// # Panics
    /// If it is refused.
    pub async fn say(&self, conversation: &Conversation, role: Role, text: &str) -> Message {
        self.clock.tick();
        self.session.add_message(conversation, role, text).await.expect("said")
    }

    /// Gives everything its vector.
    ///
    /// # Panics
    /// If a fake fails.
    pub async fn embed(&self) {
        self.session.embed_pending(&Quiet).await.expect("embedded");
    }
}

/// Hears nothing.
pub struct Quiet;

impl BackfillProgress for Quiet {
    fn report(&self, _done: u64, _total: u64) {}

    fn cancelled(&self) -> bool {
        false
    }
}

/// What is in use, everywhere.
pub fn everything() -> MemoryFilter {
    MemoryFilter::active(Reach::EVERYTHING)
}
