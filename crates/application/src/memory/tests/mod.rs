//! The promises of the use cases on memory, kept on the in-memory fakes.

mod browsing;
mod embedding;
mod importing;
mod searching;
mod writing;

use std::sync::Arc;

use inklings_domain::{
    decay::DecayConfig,
    filter::{MemoryFilter, Reach},
    ids::MemoryId,
    memory::MemoryEntry,
    scope::Place,
};

use crate::{
    ports::{catalogue::Catalogue, clock::IdGenerator},
    session::{EmbedderSlot, Session},
    testing::{
        builders::{author, draft},
        catalogue::InMemoryCatalogue,
        clock::{ManualClock, SequentialIds},
        embedder::FixedEmbedder,
        memory_store::InMemoryDatabase,
    },
    workspace::manage::Workspaces,
};

/// A session on fresh fakes with hands on what a test moves.
struct World {
    session: Session,
    clock: Arc<ManualClock>,
    embedder: Arc<FixedEmbedder>,
    account: InMemoryDatabase,
}

impl World {
    async fn new() -> Self {
        let clock = Arc::new(ManualClock::default());
        let ids: Arc<dyn IdGenerator> = Arc::new(SequentialIds::default());
        let folder = InMemoryCatalogue::default();
        let database = folder.account_database();
        let catalogue: Arc<dyn Catalogue> = Arc::new(folder);
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
        Self { session, clock, embedder, account: database }
    }

    async fn write(&self, place: Place, text: &str) -> MemoryId {
        self.clock.tick();
        self.session.create_memory(draft(place, text), author()).await.expect("a valid draft").ids[0]
    }

    async fn entry(&self, id: MemoryId) -> MemoryEntry {
        self.session.entry(id).await.expect("it is there").entry
    }
}

fn everything() -> MemoryFilter {
    MemoryFilter::active(Reach::EVERYTHING)
}
