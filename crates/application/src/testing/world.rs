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
use inklings_ports::{
    clock::{Clock as _, IdGenerator},
    progress::NoProgress,
    testing::{
        builders::{author, draft, everywhere},
        clock::{ManualClock, SequentialIds},
        embedder::FixedEmbedder,
    },
    workspace::catalogue::{Catalogue, MemoryPorts},
};

use crate::session::{EmbedderSlot, Session};

/// How long a store may take to load a model's vectors. Only a failing store reaches this limit.
const PATIENCE: Duration = Duration::from_mins(1);

/// A session with a controllable clock and model.
pub struct World {
    /// The session under test.
    pub session: Session,
    /// Clock of the session.
    pub clock: Arc<ManualClock>,
    /// Embedding model of the session.
    pub embedder: Arc<FixedEmbedder>,
    /// Data folder of the session.
    pub catalogue: Arc<dyn Catalogue>,
}

impl World {
    /// Opens the workspace "Test World" of a data folder, creating it if necessary, with a model that
    /// compares texts by their words. Clock and ids start at the same values in every test.
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

    /// Creates an entry as an actor, one second after the last.
    ///
    /// # Panics
    /// If it is refused.
    pub async fn remember(&self, draft: MemoryDraft, actor: Actor) -> MemoryId {
        self.clock.tick();
        self.session.memories().create(draft, actor).await.expect("a valid draft").id()
    }

    /// Creates an entry as the worldbuilder.
    ///
    /// # Panics
    /// If it is refused.
    pub async fn write(&self, place: Place, text: &str) -> MemoryId {
        self.remember(draft(place, text), author()).await
    }

    /// An entry at its current version.
    ///
    /// # Panics
    /// If it does not exist.
    pub async fn entry(&self, id: MemoryId) -> MemoryEntry {
        self.session.entry(id).await.expect("it is there").entry
    }

    /// Starts a conversation in `#general`.
    ///
    /// # Panics
    /// If it cannot be started.
    pub async fn conversation(&self) -> Conversation {
        self.clock.tick();
        self.session.conversations().begin(None, "").await.expect("a conversation")
    }

    /// Adds a message, one second after the last.
    ///
    /// # Panics
    /// If it is refused.
    pub async fn say(&self, conversation: &Conversation, role: Role, text: &str) -> Message {
        self.clock.tick();
        self.session.transcripts().add(conversation, role, text).await.expect("said")
    }

    /// Embeds all pending texts.
    ///
    /// # Panics
    /// If a store fails.
    pub async fn embed(&self) {
        embed(&self.session).await;
    }
}

/// A filter for all active entries.
pub fn everything() -> MemoryFilter {
    MemoryFilter::active(ScopeFilter::EVERYTHING)
}

/// Embeds all pending texts and waits until vector search finds them.
///
/// # Panics
/// If a store fails.
pub async fn embed(session: &Session) {
    session.embeddings().pending(&NoProgress).await.expect("embedded");
    if let Some(embedder) = session.embedder.get() {
        for ports in session.all_ports() {
            settle(ports, &embedder.model()).await;
        }
    }
}

/// Waits until vector search is ready and covers everything written so far.
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
        // A lazy index is only loaded by a search.
        memory.search.search_meaning(&anything, &model.id, &everywhere, 1).await.expect("search answers");
        if memory.search.meaning_ready(&model.id) {
            break;
        }
        assert!(Instant::now() < deadline, "the vectors were not loaded within {PATIENCE:?}");
        pause().await;
    }
}

/// Lets other tasks of the runtime run.
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
