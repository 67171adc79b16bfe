//! The ledger's records of reads by an agent or a client: ids and versions, never text.

use chrono::{DateTime, Utc};
use uuid::Uuid;

use crate::{
    conversation::Conversation,
    ids::{AgentPatternId, ChannelId, ClientId, ConversationId, FactId, MemoryId, MessageId, PageId, ReadId},
    memory::MemoryEntry,
    orientation::{Assembled, ItemId},
    scope::{Place, words},
};

/// Maximum number of items stored for one read. The count gives the actual number.
pub const MOST_ITEMS: usize = 256;

/// The reader.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Reader {
    /// The World Agent, by a tool call during a turn.
    Agent,
    /// A client of the MCP server.
    Client(ClientId),
}

/// The kind of read. Tools, resources and prompts that return the same share one kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Through {
    /// Search for memories.
    Search,
    /// One memory by id.
    Entry,
    /// All versions of a memory.
    History,
    /// List of named entries, without their texts.
    NamedList,
    /// One named entry, in full.
    Named,
    Facts,
    Orientation,
    /// List of conversations.
    Conversations,
    /// Messages of a conversation.
    Transcript,
    /// Working notes of a conversation.
    Notes,
    /// Preview of a scrub, in numbers.
    ScrubPreview,
    /// Patterns of what agents do, with counted sequences or metrics.
    Telemetry,
    /// One page of a linked vault.
    Page,
}

words!(Through, "read", {
    Search => "search", Entry => "entry", History => "history", NamedList => "named_list", Named => "named",
    Facts => "facts", Orientation => "orientation", Conversations => "conversations", Transcript => "transcript",
    Notes => "notes", ScrubPreview => "scrub_preview",
    Telemetry => "telemetry", Page => "page",
});

/// The kind of an item.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SeenKind {
    /// A memory entry.
    Memory,
    Fact,
    Episode,
    Message,
    /// A conversation: its title and status.
    Conversation,
    /// A pattern of what agents do.
    Pattern,
    /// A page of a linked vault.
    Page,
}

words!(SeenKind, "kind of item", {
    Memory => "memory", Fact => "fact", Episode => "episode", Message => "message", Conversation => "conversation",
    Pattern => "pattern", Page => "page",
});

/// One item that was read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Seen {
    /// The kind of the item.
    pub kind: SeenKind,
    /// The id of the item.
    pub id: Uuid,
    /// The version that was read; 0 for unversioned items.
    pub version: u64,
}

impl Seen {
    /// An entry at its current version.
    pub const fn entry(entry: &MemoryEntry) -> Self {
        Self::memory(entry.id, entry.version)
    }

    /// A memory entry at a version.
    pub const fn memory(id: MemoryId, version: u64) -> Self {
        Self { kind: SeenKind::Memory, id: *id.as_uuid(), version }
    }

    /// A fact at a version.
    pub const fn fact(id: FactId, version: u64) -> Self {
        Self { kind: SeenKind::Fact, id: *id.as_uuid(), version }
    }

    /// A pattern of what agents do, which has no versions.
    pub const fn pattern(id: AgentPatternId) -> Self {
        Self { kind: SeenKind::Pattern, id: *id.as_uuid(), version: 0 }
    }

    /// A page of a linked vault, which has no versions.
    pub const fn page(id: PageId) -> Self {
        Self { kind: SeenKind::Page, id: *id.as_uuid(), version: 0 }
    }

    /// A message, which has no versions.
    pub const fn message(id: MessageId) -> Self {
        Self { kind: SeenKind::Message, id: *id.as_uuid(), version: 0 }
    }

    /// A conversation, which has no versions.
    pub const fn conversation(id: ConversationId) -> Self {
        Self { kind: SeenKind::Conversation, id: *id.as_uuid(), version: 0 }
    }

    /// The items included in an orientation.
    pub fn taken(document: &Assembled) -> Vec<Self> {
        let seen = |id: ItemId, version| match id {
            ItemId::Memory(id) => Self::memory(id, version),
            ItemId::Fact(id) => Self::fact(id, version),
            ItemId::Episode(id) => Self { kind: SeenKind::Episode, id: *id.as_uuid(), version },
            ItemId::Message(id) => Self::message(id),
            ItemId::Pattern(id) => Self::pattern(id),
            ItemId::Page(id) => Self::page(id),
        };
        let taken = document.items.iter().filter(|item| item.left_out.is_none());
        taken.map(|item| seen(item.id, item.version)).collect()
    }
}

/// The result of one read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Showing {
    /// The kind of read.
    pub through: Through,
    /// The conversation that was read, or whose turn made the read.
    pub conversation: Option<ConversationId>,
    /// The channel that was read, or that contains the conversation.
    pub channel: Option<ChannelId>,
    /// The items in order. Working notes have no ids and are only counted.
    pub items: Vec<Seen>,
    /// Number of items.
    pub count: u64,
}

impl Showing {
    /// A read that is not tied to a channel or conversation.
    pub fn of(through: Through, items: Vec<Seen>) -> Self {
        let count = items.len() as u64;
        Self { through, conversation: None, channel: None, items, count }
    }

    /// A read of items without ids.
    pub fn counted(through: Through, count: usize) -> Self {
        Self { count: count as u64, ..Self::of(through, Vec::new()) }
    }

    /// With as many items more that have no ids.
    #[must_use]
    pub const fn and_counted(mut self, more: usize) -> Self {
        self.count += more as u64;
        self
    }

    /// Sets the channel and conversation from a place.
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

    /// Sets the channel and conversation.
    #[must_use]
    pub const fn of_conversation(self, conversation: &Conversation) -> Self {
        self.at(Place::Conversation(conversation.channel_id, conversation.id))
    }
}

/// One read, as stored in the ledger.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShownRead {
    pub id: ReadId,
    pub at: DateTime<Utc>,
    pub reader: Reader,
    /// The message that holds the tool's answer.
    pub message: Option<MessageId>,
    /// The result, with at most [`MOST_ITEMS`] items.
    pub showing: Showing,
}

impl ShownRead {
    /// Builds a ledger record. Items beyond [`MOST_ITEMS`] are only counted.
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
