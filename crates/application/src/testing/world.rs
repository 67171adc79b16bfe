//! A session on a data folder, for tests of use cases.

use std::{
    sync::Arc,
    task::Poll,
    time::{Duration, Instant},
};

use inklings_domain::{
    conversation::{
        Conversation,
        message::{Message, Role},
    },
    ids::MemoryId,
    memory::{
        MemoryDraft, MemoryEntry,
        decay::DecayConfig,
        embedding::EmbeddingModel,
        filter::{MemoryFilter, ScopeFilter},
    },
    provenance::Actor,
    scope::Place,
    workspace::{Workspace, WorkspaceName},
};

use super::{
    builders::{author, draft, everywhere},
    clock::{ManualClock, SequentialIds},
    embedder::FixedEmbedder,
};
use crate::{
    clock::{Clock as _, IdGenerator},
    memory::embed::BackfillProgress,
    session::{EmbedderSlot, Session},
    workspace::catalogue::{Catalogue, MemoryPorts},
};

/// How long a store may take to load the vectors of a model. Generous: it is waited out only by a store that fails.
const PATIENCE: Duration = Duration::from_mins(1);

/// A session with hands on what a test moves.
pub struct World {
    /// The session.
    pub session: Session,
    /// Its clock.
    pub clock: Arc<ManualClock>,
    /// Its embedding model.
    pub embedder: Arc<FixedEmbedder>,
    /// The data folder behind it.
    pub catalogue: Arc<dyn Catalogue>,
}

impl World {
    /// The workspace "Test World" of a data folder, made if need be, with a model that tells texts apart by their words. The
    /// clock and the ids begin at the same place in every test.
    ///
    /// # Panics
    /// If the store fails.
    pub async fn on(catalogue: Arc<dyn Catalogue>) -> Self {
        let clock = Arc::new(ManualClock::default());
        let ids: Arc<dyn IdGenerator> = Arc::new(SequentialIds::default());
        let name = WorkspaceName::new("Test World").expect("a safe name");
        let workspace = Workspace { id: ids.workspace_id(), name, created_at: clock.now() };
        let account = catalogue.account().await.expect("the account opens");
        if !catalogue.workspaces().await.expect("a list").contains(&workspace) {
            catalogue.create(&workspace).await.expect("the workspace is made");
        }
        let ports = catalogue.open(workspace.id).await.expect("the workspace opens");
        let embedder = Arc::new(FixedEmbedder::default());
        let slot = EmbedderSlot::default();
        slot.set(Some(embedder.clone()));
        let session = Session::new(account, ports, clock.clone(), ids, slot);
        session.reload_decay(DecayConfig::STEADY, true).await.expect("decay loads");
        Self { session, clock, embedder, catalogue }
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
    /// If a store fails.
    pub async fn embed(&self) {
        embed(&self.session).await;
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
    MemoryFilter::active(ScopeFilter::EVERYTHING)
}

/// Gives everything its vector and waits until search by meaning finds it.
///
/// # Panics
/// If a store fails.
pub async fn embed(session: &Session) {
    session.embed_pending(&Quiet).await.expect("embedded");
    if let Some(embedder) = session.embedder.get() {
        for ports in session.all_ports() {
            settle(ports, &embedder.model()).await;
        }
    }
}

/// Waits until search by meaning is ready and has caught up with everything written so far.
///
/// # Panics
/// If the store fails, or does not load its vectors in time.
pub async fn settle(memory: &MemoryPorts, model: &EmbeddingModel) {
    let deadline = Instant::now() + PATIENCE;
    let anything = {
        let mut vector = vec![0.0; model.dimension];
        vector[0] = 1.0;
        vector
    };
    let everywhere = everywhere(Vec::new());
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
    std::thread::sleep(Duration::from_millis(1));
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
