//! The promises of the use cases on conversations, kept on the in-memory fakes.

mod compacting;
mod living;
mod reach;
mod talking;

use std::sync::{Arc, Mutex, PoisonError};

use chrono::Duration;
use inklings_domain::{
    conversation::Conversation,
    ids::MessageId,
    message::{Message, Role},
    provenance::{Actor, Door, Hand},
};

use super::turn::TurnSink;
use crate::{
    ports::{catalogue::Catalogue, clock::IdGenerator, transcript_store::Stretch},
    session::{EmbedderSlot, Session},
    testing::{
        catalogue::InMemoryCatalogue,
        clock::{ManualClock, SequentialIds},
        embedder::FixedEmbedder,
    },
    workspace::manage::Workspaces,
};

/// A session on fresh fakes.
struct World {
    session: Session,
    clock: Arc<ManualClock>,
    catalogue: InMemoryCatalogue,
}

impl World {
    async fn new() -> Self {
        let clock = Arc::new(ManualClock::default());
        let ids: Arc<dyn IdGenerator> = Arc::new(SequentialIds::default());
        let folder = InMemoryCatalogue::default();
        let catalogue: Arc<dyn Catalogue> = Arc::new(folder.clone());
        let workspaces =
            Workspaces { catalogue: Arc::clone(&catalogue), clock: clock.clone(), ids: Arc::clone(&ids) };
        let made = workspaces.create("Test World").await.expect("a safe name");
        let account = catalogue.account().await.expect("the account opens");
        let ports = catalogue.open(made.id).await.expect("the workspace opens");
        let slot = EmbedderSlot::default();
        slot.set(Some(Arc::new(FixedEmbedder::default())));
        let session = Session::new(account, ports, clock.clone(), ids, slot);
        Self { session, clock, catalogue: folder }
    }

    /// The same workspace as another process has it open.
    async fn another_process(&self) -> Session {
        let folder = self.catalogue.another_process();
        let account = folder.account().await.expect("opens");
        let ports = folder.open(self.session.workspace.workspace.id).await.expect("opens");
        let (clock, ids) = (Arc::clone(&self.session.clock), Arc::clone(&self.session.ids));
        Session::new(account, ports, clock, ids, EmbedderSlot::default())
    }

    async fn conversation(&self) -> Conversation {
        self.session.begin_conversation(None, "").await.expect("a conversation")
    }

    async fn say(&self, conversation: &Conversation, role: Role, text: &str) -> Message {
        self.clock.advance(Duration::seconds(1));
        self.session.add_message(conversation, role, text).await.expect("said")
    }

    /// Everything said so far: role, text, delivery.
    async fn transcript(&self, conversation: &Conversation) -> Vec<(Role, String, &'static str)> {
        let page = self.session.messages(conversation.id, Stretch::After(0), 500).await.expect("read");
        page.messages.into_iter().map(|m| (m.body.role, m.body.content, m.body.delivery.as_str())).collect()
    }
}

/// Keeps what it hears.
#[derive(Debug, Default)]
struct Heard(Mutex<String>);

impl TurnSink for Heard {
    fn text(&self, _message: MessageId, piece: &str, _length: usize) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push_str(piece);
    }

    fn tool(&self, _message: MessageId, name: &str) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).extend(["<", name, ">"]);
    }
}

fn window() -> Actor {
    Actor::of_door(Door::Window)
}

fn agent() -> Actor {
    Actor::new(Hand::Agent, Door::Window, None).expect("the window admits the agent")
}

/// Hears nothing.
struct Quiet;

impl crate::memory::embed::BackfillProgress for Quiet {
    fn report(&self, _done: u64, _total: u64) {}

    fn cancelled(&self) -> bool {
        false
    }
}
