//! Content in every place of a workspace with an open and a secret channel, for tests of read access.

use inklings_domain::{
    conversation::{
        Conversation,
        message::{CompactMarker, NewMessage, Role},
        ref_code::RefCode,
    },
    ids::{ChannelId, ConversationId, MemoryId},
    memory::{
        InvalidMemory, MemoryDraft, MemoryEntry, Stamp,
        change_set::{Action, MemoryWrite},
    },
    provenance::{Actor, ActorKind, Interface},
    scope::Place,
};
use inklings_ports::testing::builders::{Scribe, author, change, draft, task};

use crate::{session::Session, subject::NewRelation};

/// The content of one place.
#[derive(Debug, Clone, Copy)]
pub struct Planted {
    pub place: Place,
    /// A word in every text of this place and in no other text.
    pub marker: &'static str,
    /// The author's named entry, "Vesper" and a number.
    pub named: MemoryId,
    /// The author's entry without a name.
    pub authors: MemoryId,
    /// An agent's entry.
    pub agents: MemoryId,
    /// The author's relation between the two subjects of the workspace, if the place can hold one.
    pub relation: Option<MemoryId>,
}

/// Content in every place.
#[derive(Debug, Clone)]
pub struct Places {
    /// A conversation in `#general`, which continues the secret one.
    pub open: Conversation,
    /// A conversation in `#secret`.
    pub secret: Conversation,
    /// One per place: account, workspace, the channels, the conversations.
    pub planted: Vec<Planted>,
}

fn agent() -> Actor {
    Actor::new(ActorKind::Agent, Interface::Window, None).expect("the window admits the agent")
}

impl Places {
    /// Creates the content in a session whose workspace has only `#general`: entries, a fact, and in each
    /// conversation a message, a working note, an episode and an archive.
    ///
    /// # Panics
    /// If a write is refused.
    pub async fn plant(session: &Session) -> Self {
        let secret_channel = session.channels().create("secret", "").await.expect("a channel").id;
        let general = session.channels().named("general").await.expect("there is one").id;
        let secret = begun(session, secret_channel, "Talk of flint", None).await;
        let open = begun(session, general, "Talk of emerald", Some(secret.id)).await;
        let places = [
            (Place::Account, "amber"),
            (Place::Workspace, "basalt"),
            (Place::Channel(general), "copper"),
            (Place::Channel(secret_channel), "diamond"),
            (Place::Conversation(general, open.id), "emerald"),
            (Place::Conversation(secret_channel, secret.id), "flint"),
        ];
        let subject = async |name: &str, text: &str| {
            session.subjects().add(name, "place", text, author()).await.expect("a subject").id()
        };
        let (quay, gate) = (subject("Vesper quay", "").await, subject("Vesper gate", "").await);
        let mut planted = Vec::new();
        for (n, (place, marker)) in places.into_iter().enumerate() {
            let mut text = draft(place, &format!("The lantern by the gate is made of {marker}."));
            text.tags = vec![marker.to_owned()];
            let authors = create(session, text, author()).await;
            let text = format!("Someone polishes the {marker} railing on feast days.");
            let agents = create(session, draft(place, &text), agent()).await;
            let name = format!("Vesper {n}");
            let text = format!("She guards the {marker}.");
            let named =
                commit(session, author(), |id, stamp| MemoryEntry::named(id, place, &name, &text, stamp))
                    .await;
            let relation = match place {
                Place::Account => None,
                _ => Some(relate(session, (quay, gate), place, marker).await),
            };
            planted.push(Planted { place, marker, named, authors, agents, relation });
        }
        session.facts().set("gate", "metal", "basalt", None, author()).await.expect("a fact");
        for (conversation, said, archived) in [(&open, "emerald", "copper"), (&secret, "flint", "diamond")] {
            add_content(session, conversation, said, archived).await;
        }
        Self { open, secret, planted }
    }

    /// Creates an agent's entry in a place, with a text of its own.
    ///
    /// # Panics
    /// If the write is refused.
    pub async fn agents_entry(session: &Session, place: Place, serial: usize) -> MemoryId {
        let text = format!("Railing number {serial} was painted over.");
        create(session, draft(place, &text), agent()).await
    }

    /// A query that contains the names of all named entries and subjects.
    pub fn all_names(&self) -> String {
        let names: Vec<String> = (0..self.planted.len()).map(|n| format!("Vesper {n}")).collect();
        format!("Tell me about {}, Vesper quay, Vesper gate", names.join(", "))
    }

    /// The markers that occur in a text.
    pub fn markers_in(&self, text: &str) -> Vec<&'static str> {
        self.planted.iter().map(|planted| planted.marker).filter(|marker| text.contains(marker)).collect()
    }
}

/// Relates two subjects in a place, with its marker in the text.
async fn relate(session: &Session, (from, to): (MemoryId, MemoryId), place: Place, marker: &str) -> MemoryId {
    let relation = format!("supplies {marker} to");
    let content = Some(format!("Carts of {marker} leave at noon."));
    let new = NewRelation { from, relation, to, content, place };
    session.subjects().relate(new, author()).await.expect("related").id()
}

async fn begun(
    session: &Session,
    channel: ChannelId,
    title: &str,
    continues: Option<ConversationId>,
) -> Conversation {
    let code = RefCode::from_bits(session.ids.random_bits());
    let (id, now) = (session.ids.conversation_id(), session.clock.now());
    let conversation = Conversation::begin(id, code, channel, title.to_owned(), continues, now);
    session.workspace.conversations.add_conversation(&conversation).await.expect("a conversation");
    conversation
}

/// Adds a message, a working note, an episode and a compaction.
async fn add_content(session: &Session, conversation: &Conversation, message_text: &str, archived: &str) {
    let message = session
        .transcripts()
        .add(conversation, Role::User, &format!("What is {message_text} worth?"))
        .await
        .expect("said");
    session
        .scratchpad()
        .write(conversation.id, "plan", &format!("\"ask about {message_text}\""), None)
        .await
        .expect("a note");
    let mut episode = Scribe::default().episode(conversation.id, std::slice::from_ref(&message));
    episode.id = session.ids.episode_id();
    episode.summary = format!("They spoke of {message_text} at length.");
    let transcript = &session.workspace.transcript;
    transcript.fold(&episode, false).await.expect("an episode");
    let (stamp, name) = (session.stamp(task()), format!("Archive {}", conversation.ref_code));
    let text =
        draft(Place::Channel(conversation.channel_id), &format!("Earlier the talk was of {archived}."));
    let entry = MemoryEntry::archive(session.ids.memory_id(), &name, text, stamp).expect("a valid archive");
    let marker = CompactMarker { archive: entry.id, archive_name: name, archived_at: stamp.at, through: 1 };
    let note = NewMessage::new(session.ids.message_id(), Role::System, "An archive was made.", stamp.at);
    let note = NewMessage { marker: Some(marker), ..note.expect("a valid message") };
    let archive = change(stamp, Action::Create, [MemoryWrite::Insert(entry)]);
    transcript.compact(conversation.id, &archive, &note, None).await.expect("compacted");
}

async fn create(session: &Session, text: MemoryDraft, actor: Actor) -> MemoryId {
    commit(session, actor, |id, stamp| MemoryEntry::create(id, text, stamp)).await
}

/// Commits one entry without the guards of the use cases.
async fn commit(
    session: &Session,
    actor: Actor,
    made: impl FnOnce(MemoryId, Stamp) -> Result<MemoryEntry, InvalidMemory>,
) -> MemoryId {
    let stamp = session.stamp(actor);
    let entry = made(session.ids.memory_id(), stamp).expect("a valid entry");
    let written =
        session.memories().commit(stamp, Action::Create, None, vec![MemoryWrite::Insert(entry)]).await;
    written.expect("committed").ids[0]
}
