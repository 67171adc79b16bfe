//! The orientation document: what the World Agent is shown before it answers (seeds 000, 001, 004), and the ledger of
//! how it came about. No model, no clock: equal inputs give equal documents, byte for byte.

mod assemble;
mod markdown;
pub mod shown;

use chrono::{DateTime, Utc};

use crate::{
    ids::{ChannelId, ConversationId, EpisodeId, FactId, MemoryId, MessageId, OrientationId},
    provenance::Curator,
    scope::{MemoryScope, words},
    search::ranking::Contribution,
};

pub use self::{
    assemble::{assemble, dropped},
    markdown::{one_line, written},
};

/// Where a candidate comes from, in the order of the document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Layer {
    /// Named entries: always, whole, first.
    Named,
    /// Facts on record.
    Facts,
    /// Summaries of older turns, and of the conversation that this one continues.
    Episodes,
    /// Earlier messages: what mattered, what is near in meaning, the archive of what was compacted.
    Earlier,
    /// Memories of the conversation, newest first.
    Conversation,
    /// Memories of its channel, by the query.
    Channel,
    /// Memories of the workspace, by the query.
    Workspace,
    /// Memories of the account, by the query.
    Account,
}

words!(Layer, "layer", {
    Named => "named", Facts => "facts", Episodes => "episodes", Earlier => "earlier", Conversation => "conversation",
    Channel => "channel", Workspace => "workspace", Account => "account",
});

impl Layer {
    /// The layer of a tier's memories.
    pub const fn of(scope: MemoryScope) -> Self {
        match scope {
            MemoryScope::Conversation => Self::Conversation,
            MemoryScope::Channel => Self::Channel,
            MemoryScope::Workspace => Self::Workspace,
            MemoryScope::Account => Self::Account,
        }
    }

    /// Its heading, for people and models.
    pub const fn title(self) -> &'static str {
        match self {
            Self::Named => "Standing notes of the worldbuilder",
            Self::Facts => "Facts on record",
            Self::Episodes => "Earlier conversation summaries (most recent last)",
            Self::Earlier => "Earlier in this conversation",
            Self::Conversation => "Noted in this conversation",
            Self::Channel => "Noted in this channel",
            Self::Workspace => "Noted in this workspace",
            Self::Account => "Noted about the worldbuilder, in every workspace",
        }
    }
}

/// A value for each layer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct PerLayer<T>([T; 8]);

impl<T> PerLayer<T> {
    /// The value that a function gives for each layer.
    pub fn from_fn(mut value: impl FnMut(Layer) -> T) -> Self {
        Self(std::array::from_fn(|at| value(Layer::ALL[at])))
    }

    /// The value of one layer.
    pub const fn get(&self, layer: Layer) -> &T {
        &self.0[layer as usize]
    }

    /// The value of one layer, to change it.
    pub const fn get_mut(&mut self, layer: Layer) -> &mut T {
        &mut self.0[layer as usize]
    }
}

/// Tokens that a document may have, and how they are shared out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Budget {
    /// Tokens of all of it.
    pub tokens: u64,
    /// Parts of what named entries leave, per layer. That of [`Layer::Named`] does not count: it takes what it needs.
    pub shares: PerLayer<u64>,
}

impl Budget {
    /// The parts unless the worldbuilder sets others.
    pub fn standard_shares() -> PerLayer<u64> {
        PerLayer::from_fn(|layer| match layer {
            Layer::Named => 0,
            Layer::Episodes | Layer::Account => 10,
            Layer::Facts | Layer::Earlier | Layer::Conversation | Layer::Channel => 15,
            Layer::Workspace => 20,
        })
    }
}

/// What a candidate is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ItemId {
    /// A memory entry.
    Memory(MemoryId),
    /// A fact.
    Fact(FactId),
    /// An episode.
    Episode(EpisodeId),
    /// A message.
    Message(MessageId),
}

impl ItemId {
    /// The stable word for what it is.
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::Memory(_) => "memory",
            Self::Fact(_) => "fact",
            Self::Episode(_) => "episode",
            Self::Message(_) => "message",
        }
    }

    /// Its id as text.
    pub fn id(&self) -> String {
        match self {
            Self::Memory(id) => id.to_string(),
            Self::Fact(id) => id.to_string(),
            Self::Episode(id) => id.to_string(),
            Self::Message(id) => id.to_string(),
        }
    }

    /// Reads what [`Self::kind`] and [`Self::id`] gave.
    pub fn read(kind: &str, id: &str) -> Option<Self> {
        match kind {
            "memory" => id.parse().ok().map(Self::Memory),
            "fact" => id.parse().ok().map(Self::Fact),
            "episode" => id.parse().ok().map(Self::Episode),
            "message" => id.parse().ok().map(Self::Message),
            _ => None,
        }
    }
}

/// What is said with a candidate, so that nobody takes it for more than it is.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Framing {
    /// Whose entry it is.
    pub curator: Option<Curator>,
    /// How much it matters, in [0, 1].
    pub importance: Option<f64>,
    /// Relevance after decay.
    pub relevance: Option<f64>,
    /// Whole days since it was last written or said.
    pub age_days: Option<u64>,
    /// What else there is to say ("said by the worldbuilder", "12 turns", "disputed"); short, of our own making or a name.
    pub note: Option<String>,
}

/// Something that could be shown.
#[derive(Debug, Clone, PartialEq)]
pub struct Candidate {
    /// Where it comes from.
    pub layer: Layer,
    /// What it is.
    pub id: ItemId,
    /// The version of the entry that was read; 0 where there are no versions.
    pub version: u64,
    /// A heading, for named entries and archives.
    pub title: Option<String>,
    /// The text.
    pub text: String,
    /// What is said with it.
    pub framing: Framing,
    /// Its score in its layer's search, if one ordered it.
    pub score: Option<f64>,
    /// What each list of that search gave it.
    pub parts: Vec<Contribution>,
}

/// Why a candidate was left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum LeftOut {
    /// No tokens were left, neither its layer's own nor any that another left over.
    Budget,
    /// It lay beyond the number of candidates that its layer looks at.
    Limit,
    /// Another item says the same.
    Repeats(ItemId),
    /// The refinement gate dropped it.
    Refined,
}

impl LeftOut {
    /// The stable word of the rule.
    pub const fn as_str(&self) -> &'static str {
        match self {
            Self::Budget => "budget",
            Self::Limit => "limit",
            Self::Repeats(_) => "repeats",
            Self::Refined => "refined",
        }
    }
}

/// A candidate and what became of it. Holds no text: that is looked up by id and version.
#[derive(Debug, Clone, PartialEq)]
pub struct LedgerItem {
    /// Where it comes from.
    pub layer: Layer,
    /// What it is.
    pub id: ItemId,
    /// The version that was shown; 0 where there are no versions.
    pub version: u64,
    /// What was said with it. Its note is not kept.
    pub framing: Framing,
    /// Its score in its layer's search.
    pub score: Option<f64>,
    /// What each list of that search gave it.
    pub parts: Vec<Contribution>,
    /// Tokens that it takes, or would have taken.
    pub tokens: u64,
    /// True if its text was cut to fit.
    pub shortened: bool,
    /// Why it was left out; `None` if it was taken.
    pub left_out: Option<LeftOut>,
}

/// How a layer came out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct LayerUse {
    /// Tokens set aside for it, with what flowed on to it.
    pub budget: u64,
    /// Tokens that it used.
    pub used: u64,
    /// True if it could not be read; it was skipped then.
    pub failed: bool,
}

/// A section of the document.
#[derive(Debug, Clone, PartialEq)]
pub struct Section {
    /// Which layer.
    pub layer: Layer,
    /// Its items, in order, each with the text that is shown (which may be shortened).
    pub items: Vec<(Candidate, String)>,
}

/// The document with the account of how it came about.
#[derive(Debug, Clone, PartialEq)]
pub struct Assembled {
    /// The sections that have anything in them, in order.
    pub sections: Vec<Section>,
    /// Every candidate, in the order of layers and ranks.
    pub items: Vec<LedgerItem>,
    /// How each layer came out.
    pub layers: PerLayer<LayerUse>,
    /// Tokens of the whole document.
    pub tokens: u64,
}

/// One orientation as the ledger keeps it.
#[derive(Debug, Clone, PartialEq)]
pub struct Orientation {
    /// Its id.
    pub id: OrientationId,
    /// The conversation whose turn it was made for.
    pub conversation: Option<ConversationId>,
    /// The answer that it was made for.
    pub message: Option<MessageId>,
    /// The channel in scope.
    pub channel: Option<ChannelId>,
    /// What it was made for: what was said last, or asked.
    pub query: String,
    /// When.
    pub at: DateTime<Utc>,
    /// Tokens that it could have.
    pub budget: u64,
    /// Tokens that it has.
    pub tokens: u64,
    /// How each layer came out.
    pub layers: PerLayer<LayerUse>,
    /// What was looked at. Old ledgers keep only what was taken.
    pub items: Vec<LedgerItem>,
    /// True if what was left out is no longer kept.
    pub thinned: bool,
}
