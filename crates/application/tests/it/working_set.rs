//! Working notes with a time to live, through every way in: a read is a heartbeat, and what has expired or whose conversation
//! has ended is nowhere.

use std::sync::Arc;

use chrono::Duration;
use inklings_application::{
    client::{ClientSession, Clients},
    session::Session,
};
use inklings_domain::{
    client::{Grants, TierGrant},
    conversation::Conversation,
    scope::{MemoryScope, PerTier},
};
use inklings_ports::{
    model::chat::ToolCall,
    testing::{builders::agent, clock::CountingTokens},
};
use serde_json::{Value, json};

use crate::support::World;

/// Seconds that the notes of these tests live.
const LIFE: u32 = 600;

/// A way to look at the notes of a conversation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Way {
    Author,
    List,
    Newest,
    AgentRead,
    AgentKeys,
    ClientRead,
    ClientNotes,
}

const ALL: [Way; 7] =
    [Way::Author, Way::List, Way::Newest, Way::AgentRead, Way::AgentKeys, Way::ClientRead, Way::ClientNotes];

impl Way {
    /// True if it reads a value for whoever works with it. A list of keys, and the lists that a person looks at, do not.
    const fn is_read(self) -> bool {
        matches!(self, Self::Author | Self::AgentRead | Self::ClientRead | Self::ClientNotes)
    }
}

struct Setup {
    world: World,
    conversation: Conversation,
    scribe: ClientSession,
}

impl Setup {
    async fn new() -> Self {
        let world = World::new().await;
        let conversation = world.conversation().await;
        let session = Arc::new(Session::new(
            world.session.account.clone(),
            world.session.workspace.clone(),
            world.clock.clone(),
            Arc::clone(&world.session.ids),
            world.session.embedder.clone(),
        ));
        let clients = Clients {
            store: Arc::clone(&session.account.clients),
            token_generator: Arc::new(CountingTokens::default()),
            clock: world.clock.clone(),
            ids: Arc::clone(&session.ids),
        };
        let (client, _) = clients.add("Scribe", session.workspace.workspace.id).await.expect("added");
        let grants = Grants {
            tiers: PerTier::from_fn(|tier| {
                let own = tier == MemoryScope::Conversation;
                TierGrant { read: own, write: own }
            }),
            conversations: [conversation.id].into(),
            ..Grants::NOTHING
        };
        clients.grant(client.id, &grants).await.expect("granted");
        let scribe = ClientSession::new(session, clients, client.id);
        Self { world, conversation, scribe }
    }

    async fn write(&self) {
        let notes = self.world.session.scratchpad();
        notes.write(self.conversation.id, "plan", "\"the ford\"", Some(LIFE)).await.expect("written");
    }

    /// Number of notes that a way shows.
    async fn seen(&self, way: Way) -> usize {
        let (notes, id) = (self.world.session.scratchpad(), self.conversation.id);
        let tool = async |arguments: Value| -> Value {
            let name = "scratchpad".to_owned();
            let call = ToolCall { id: "call".to_owned(), name, arguments: arguments.to_string() };
            let answer = self.world.session.turns().run_tool(&self.conversation, &call, &[], agent()).await.0;
            serde_json::from_str(&answer).expect("JSON")
        };
        match way {
            Way::Author => usize::from(notes.read(id, "plan").await.expect("read").is_some()),
            Way::List => notes.list(id).await.expect("listed").len(),
            Way::Newest => notes.newest_notes().await.expect("listed").len(),
            Way::AgentRead => {
                let answer = tool(json!({ "action": "read", "key": "plan" })).await;
                usize::from(!answer["value"].is_null())
            }
            Way::AgentKeys => tool(json!({ "action": "read" })).await["keys"].as_array().expect("keys").len(),
            Way::ClientRead => {
                usize::from(self.scribe.read_note(None, "plan").await.expect("read").is_some())
            }
            Way::ClientNotes => self.scribe.notes(None).await.expect("read").len(),
        }
    }
}

#[tokio::test]
async fn every_read_of_a_value_restarts_the_time_to_live_and_no_list_does() {
    for way in ALL {
        let setup = Setup::new().await;
        setup.write().await;
        let most = Duration::seconds(i64::from(LIFE));
        setup.world.clock.advance(most - Duration::seconds(60));
        assert_eq!(setup.seen(way).await, 1, "{way:?}");
        setup.world.clock.advance(Duration::seconds(120));
        let expected = usize::from(way.is_read());
        for other in ALL.into_iter().filter(|other| !other.is_read()) {
            assert_eq!(setup.seen(other).await, expected, "{other:?} after {way:?}");
        }
    }
}

#[tokio::test]
async fn an_expired_note_is_shown_by_no_way() {
    let setup = Setup::new().await;
    setup.write().await;
    setup.world.clock.advance(Duration::seconds(i64::from(LIFE)));
    for way in ALL {
        assert_eq!(setup.seen(way).await, 0, "{way:?}");
    }
}

#[tokio::test]
async fn the_end_of_its_conversation_clears_a_note_for_every_way() {
    for end in ["archived", "idle", "resumed"] {
        let setup = Setup::new().await;
        setup.write().await;
        let (conversations, id) = (setup.world.session.conversations(), setup.conversation.id);
        match end {
            "archived" => drop(conversations.archive(id).await.expect("archived")),
            "idle" => drop(conversations.set_idle(id).await.expect("idle")),
            _ => drop(conversations.resume(id).await.expect("resumed")),
        }
        for way in ALL {
            assert_eq!(setup.seen(way).await, 0, "{way:?} after it was {end}");
        }
    }
}
