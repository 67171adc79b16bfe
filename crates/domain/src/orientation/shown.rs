//! What a read put before an agent or a client: ids and versions, never text. It is part of the ledger.

use chrono::{DateTime, Utc};
use uuid::Uuid;

use crate::{
    conversation::Conversation,
    ids::{ChannelId, ClientId, ConversationId, FactId, MemoryId, MessageId, ReadId},
    memory::MemoryEntry,
    orientation::{Assembled, ItemId},
    scope::{Place, words},
};

/// The most items that one read is kept with. Its count says how many there were.
pub const MOST_ITEMS: usize = 256;

/// Who was shown something.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Reader {
    /// The World Agent, by a tool in the middle of a turn.
    Agent,
    /// A client of the MCP server.
    Client(ClientId),
}

/// Through which read. Tools, resources and prompts that give the same share one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Through {
    /// Memories by a query.
    Search,
    /// One memory by its id.
    Entry,
    /// Every version of a memory.
    History,
    /// Named entries, without their texts.
    NamedList,
    /// A named entry, whole.
    Named,
    /// Facts.
    Facts,
    /// An orientation.
    Orientation,
    /// The list of conversations.
    Conversations,
    /// What was said in a conversation.
    Transcript,
    /// Working notes of a conversation.
    Notes,
    /// What a scrub would take, in numbers.
    ScrubPreview,
}

words!(Through, "read", {
    Search => "search", Entry => "entry", History => "history", NamedList => "named_list", Named => "named",
    Facts => "facts", Orientation => "orientation", Conversations => "conversations", Transcript => "transcript",
    Notes => "notes", ScrubPreview => "scrub_preview",
});

/// What an item is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SeenKind {
    /// A memory entry.
    Memory,
    /// A fact.
    Fact,
    /// An episode.
    Episode,
    /// A message.
    Message,
    /// A conversation: its title and state.
    Conversation,
}

words!(SeenKind, "kind of item", {
    Memory => "memory", Fact => "fact", Episode => "episode", Message => "message", Conversation => "conversation",
});

/// One thing that was shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Seen {
    /// What it is.
    pub kind: SeenKind,
    /// Its id.
    pub id: Uuid,
    /// The version that was shown; 0 where there are no versions.
    pub version: u64,
}

impl Seen {
    /// An entry at its present version.
    pub const fn entry(entry: &MemoryEntry) -> Self {
        Self::memory(entry.id, entry.version)
    }

    /// A version of an entry.
    pub const fn memory(id: MemoryId, version: u64) -> Self {
        Self { kind: SeenKind::Memory, id: *id.as_uuid(), version }
    }

    /// A version of a fact.
    pub const fn fact(id: FactId, version: u64) -> Self {
        Self { kind: SeenKind::Fact, id: *id.as_uuid(), version }
    }

    /// A message.
    pub const fn message(id: MessageId) -> Self {
        Self { kind: SeenKind::Message, id: *id.as_uuid(), version: 0 }
    }

    /// A conversation.
    pub const fn conversation(id: ConversationId) -> Self {
        Self { kind: SeenKind::Conversation, id: *id.as_uuid(), version: 0 }
    }

    /// What an orientation took.
    pub fn taken(document: &Assembled) -> Vec<Self> {
        let seen = |id: ItemId, version| match id {
            ItemId::Memory(id) => Self::memory(id, version),
            ItemId::Fact(id) => Self::fact(id, version),
            ItemId::Episode(id) => Self { kind: SeenKind::Episode, id: *id.as_uuid(), version },
            ItemId::Message(id) => Self::message(id),
        };
        let taken = document.items.iter().filter(|item| item.left_out.is_none());
        taken.map(|item| seen(item.id, item.version)).collect()
    }
}

/// What one read showed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Showing {
    /// Through which read.
    pub through: Through,
    /// The conversation that was read, or in whose turn it was.
    pub conversation: Option<ConversationId>,
    /// The channel that was read, or that of the conversation.
    pub channel: Option<ChannelId>,
    /// What was shown, in its order. Working notes have no ids: they are only counted.
    pub items: Vec<Seen>,
    /// How many there were.
    pub count: u64,
}

impl Showing {
    /// What a read of no room showed.
    pub fn of(through: Through, items: Vec<Seen>) -> Self {
        let count = items.len() as u64;
        Self { through, conversation: None, channel: None, items, count }
    }

    /// So many things that have no ids.
    pub fn counted(through: Through, count: usize) -> Self {
        Self { count: count as u64, ..Self::of(through, Vec::new()) }
    }

    /// The same, in a room.
    #[must_use]
    pub const fn at(mut self, place: Place) -> Self {
        match place {
            Place::Account | Place::Workspace => {}
            Place::Channel(channel) => self.channel = Some(channel),
            Place::Conversation(channel, conversation) => {
                self.channel = Some(channel);
                self.conversation = Some(conversation);
            }
        }
        self
    }

    /// The same, in a conversation.
    #[must_use]
    pub const fn of_conversation(self, conversation: &Conversation) -> Self {
        self.at(Place::Conversation(conversation.channel_id, conversation.id))
    }
}

/// One read as the ledger keeps it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShownRead {
    /// Its id.
    pub id: ReadId,
    /// When.
    pub at: DateTime<Utc>,
    /// Who was shown it.
    pub reader: Reader,
    /// The message that tells of it: what the tool answered.
    pub message: Option<MessageId>,
    /// What was shown, at most [`MOST_ITEMS`] of it.
    pub showing: Showing,
}

impl ShownRead {
    /// A read for the ledger. What is beyond the bound is only counted.
    pub fn new(
        id: ReadId,
        at: DateTime<Utc>,
        reader: Reader,
        message: Option<MessageId>,
        mut showing: Showing,
    ) -> Self {
        showing.items.truncate(MOST_ITEMS);
        Self { id, at, reader, message, showing }
    }
}
