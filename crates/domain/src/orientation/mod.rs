//! The orientation document, which is the context given to the World Agent before it answers, and the ledger that
//! records its assembly. It uses no model and no clock: equal inputs give equal documents, byte for byte.

mod assemble;
mod markdown;
mod rule;
pub mod shown;

use chrono::{DateTime, Utc};

use crate::{
    ids::{
        AgentPatternId, ChannelId, ConversationId, EpisodeId, FactId, MemoryId, MessageId, OrientationId,
        PageId,
    },
    lens::{Lens, Withheld},
    provenance::Curator,
    scope::{MemoryScope, words},
    search::ranking::Contribution,
};

pub use self::{
    assemble::{assemble, dropped},
    markdown::{age_text, one_line, written},
    rule::Rule,
};

/// The source of a candidate, in the order of the document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Layer {
    /// Named entries: always first and in full, as far as their part of the budget reaches.
    Named,
    /// Subjects that the query names, then their relations and those of their neighbours.
    Subjects,
    /// Stored facts.
    Facts,
    /// Summaries of older turns, and of the conversation that this one continues.
    Episodes,
    /// Earlier messages: important ones, similar ones, and the archive of a compaction.
    Earlier,
    /// Memories of the conversation, newest first.
    Conversation,
    /// Memories of the channel, by the query.
    Channel,
    /// Memories of the workspace, by the query.
    Workspace,
    /// Memories of the account, by the query.
    Account,
    /// Pages of linked vaults, by the query.
    Pages,
    /// What tends to go wrong with the tools of the reader: patterns of what agents do.
    Patterns,
}

words!(Layer, "layer", {
    Named => "named", Subjects => "subjects", Facts => "facts", Episodes => "episodes", Earlier => "earlier", Conversation => "conversation",
    Channel => "channel", Workspace => "workspace", Account => "account", Pages => "pages", Patterns => "patterns",
});

impl Layer {
    /// The layer for the memories of a tier.
    pub const fn of(scope: MemoryScope) -> Self {
        match scope {
            MemoryScope::Conversation => Self::Conversation,
            MemoryScope::Channel => Self::Channel,
            MemoryScope::Workspace => Self::Workspace,
            MemoryScope::Account => Self::Account,
        }
    }

    /// The heading of the layer, for people and models.
    pub const fn title(self) -> &'static str {
        match self {
            Self::Named => "Standing notes of the worldbuilder",
            Self::Subjects => "The subjects named, and how they are related",
            Self::Facts => "Facts on record",
            Self::Episodes => "Earlier conversation summaries (most recent last)",
            Self::Earlier => "Earlier in this conversation",
            Self::Conversation => "Noted in this conversation",
            Self::Channel => "Noted in this channel",
            Self::Workspace => "Noted in this workspace",
            Self::Account => "Noted about the worldbuilder, in every workspace",
            Self::Pages => "From the worldbuilder's own pages",
            Self::Patterns => "How calls of tools tend to end here",
        }
    }
}

/// A value for each layer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct PerLayer<T>([T; 11]);

impl<T> PerLayer<T> {
    /// Builds the values by calling a function for each layer.
    pub fn from_fn(mut value: impl FnMut(Layer) -> T) -> Self {
        Self(std::array::from_fn(|at| value(Layer::ALL[at])))
    }

    /// The value of one layer.
    pub const fn get(&self, layer: Layer) -> &T {
        &self.0[layer as usize]
    }

    /// Mutable access to the value of one layer.
    pub const fn get_mut(&mut self, layer: Layer) -> &mut T {
        &mut self.0[layer as usize]
    }
}

/// The token budget of a document and its shares.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Budget {
    /// Tokens of the whole document.
    pub tokens: u64,
    /// Percentage of the tokens that named entries may take, 0 to 100. The standing entries (VOICE, SOUL) are included
    /// even beyond it.
    pub named: u64,
    /// Each layer's share of the tokens left by named entries. The share of [`Layer::Named`] is ignored.
    pub shares: PerLayer<u64>,
}

impl Budget {
    /// Default of [`Self::named`].
    pub const NAMED: u64 = 50;

    /// Tokens that named entries may take.
    pub const fn of_named(&self) -> u64 {
        self.tokens.saturating_mul(self.named) / 100
    }

    /// The default shares.
    pub fn standard_shares() -> PerLayer<u64> {
        PerLayer::from_fn(|layer| match layer {
            Layer::Named => 0,
            Layer::Patterns => 5,
            Layer::Episodes | Layer::Account => 10,
            Layer::Subjects
            | Layer::Facts
            | Layer::Earlier
            | Layer::Conversation
            | Layer::Channel
            | Layer::Pages => 15,
            Layer::Workspace => 20,
        })
    }
}

/// The id of a candidate with its kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ItemId {
    /// A memory entry.
    Memory(MemoryId),
    Fact(FactId),
    Episode(EpisodeId),
    Message(MessageId),
    /// A pattern of what agents do.
    Pattern(AgentPatternId),
    /// A page of a linked vault.
    Page(PageId),
}

impl ItemId {
    /// The stable word for the kind.
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::Memory(_) => "memory",
            Self::Fact(_) => "fact",
            Self::Episode(_) => "episode",
            Self::Message(_) => "message",
            Self::Pattern(_) => "pattern",
            Self::Page(_) => "page",
        }
    }

    /// The id as text.
    pub fn id(&self) -> String {
        match self {
            Self::Memory(id) => id.to_string(),
            Self::Fact(id) => id.to_string(),
            Self::Episode(id) => id.to_string(),
            Self::Message(id) => id.to_string(),
            Self::Pattern(id) => id.to_string(),
            Self::Page(id) => id.to_string(),
        }
    }

    /// Parses the output of [`Self::kind`] and [`Self::id`].
    pub fn read(kind: &str, id: &str) -> Option<Self> {
        match kind {
            "memory" => id.parse().ok().map(Self::Memory),
            "fact" => id.parse().ok().map(Self::Fact),
            "episode" => id.parse().ok().map(Self::Episode),
            "message" => id.parse().ok().map(Self::Message),
            "pattern" => id.parse().ok().map(Self::Pattern),
            "page" => id.parse().ok().map(Self::Page),
            _ => None,
        }
    }
}

/// Metadata rendered with a candidate, so that readers can judge its reliability.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Framing {
    /// The curator of the entry.
    pub curator: Option<Curator>,
    /// Importance in [0, 1].
    pub importance: Option<f64>,
    /// Relevance after decay.
    pub relevance: Option<f64>,
    /// Days of the calendar since it was written or said: 1 for yesterday.
    pub age_days: Option<u64>,
    /// Short additional note ("said by the worldbuilder", "12 turns", "disputed"): the program's own text or a name.
    pub note: Option<String>,
}

/// An item that may be included in the document.
#[derive(Debug, Clone, PartialEq)]
pub struct Candidate {
    /// The layer it comes from.
    pub layer: Layer,
    /// Kind and id.
    pub id: ItemId,
    /// The version that was read; 0 for unversioned items.
    pub version: u64,
    /// True for a standing entry (VOICE, SOUL), which is always included.
    pub standing: bool,
    /// Heading: the name of a named entry or an archive, the title of a memory.
    pub title: Option<String>,
    /// The full text.
    pub text: String,
    /// Metadata rendered with it.
    pub framing: Framing,
    /// Its score in the layer's search, if a search ordered it.
    pub score: Option<f64>,
    /// The contribution of each list of that search.
    pub parts: Vec<Contribution>,
}

/// The reason a candidate was left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum LeftOut {
    /// The tokens of its layer and those left over by other layers were used up.
    Budget,
    /// Its rank exceeded the layer's limit of candidates.
    Limit,
    /// Another item says the same.
    Repeats(ItemId),
    /// The refinement gate dropped it.
    Refined,
    /// The lens withholds it.
    Withheld(Withheld),
}

impl LeftOut {
    /// The stable word for the reason.
    pub const fn as_str(&self) -> &'static str {
        match self {
            Self::Budget => "budget",
            Self::Limit => "limit",
            Self::Repeats(_) => "repeats",
            Self::Refined => "refined",
            Self::Withheld(reason) => reason.as_str(),
        }
    }
}

/// The record of a candidate in the ledger. Holds no text; the text is looked up by id and version.
#[derive(Debug, Clone, PartialEq)]
pub struct LedgerItem {
    /// The layer it comes from.
    pub layer: Layer,
    /// Kind and id.
    pub id: ItemId,
    /// The version that was included; 0 for unversioned items.
    pub version: u64,
    /// Metadata rendered with it. The note is not stored.
    pub framing: Framing,
    /// Its score in the layer's search.
    pub score: Option<f64>,
    /// The contribution of each list of that search.
    pub parts: Vec<Contribution>,
    /// Tokens that it took, or would have taken.
    pub tokens: u64,
    /// True if the text was cut to fit.
    pub shortened: bool,
    /// The reason it was left out; `None` if it was included.
    pub left_out: Option<LeftOut>,
}

/// The budget result of a layer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct LayerUse {
    /// Tokens available to it, including tokens left over by other layers.
    pub budget: u64,
    /// Tokens used.
    pub used: u64,
    /// True if the layer could not be read and was skipped.
    pub failed: bool,
}

/// A section of the document.
#[derive(Debug, Clone, PartialEq)]
pub struct Section {
    pub layer: Layer,
    /// The items in order, each with its rendered text (which may be shortened).
    pub items: Vec<(Candidate, String)>,
}

/// The document with the record of its assembly.
#[derive(Debug, Clone, PartialEq)]
pub struct Assembled {
    /// The non-empty sections, in order.
    pub sections: Vec<Section>,
    /// Every candidate, in the order of layers and ranks.
    pub items: Vec<LedgerItem>,
    /// The budget result of each layer.
    pub layers: PerLayer<LayerUse>,
    /// Tokens of the whole document.
    pub tokens: u64,
}

/// One orientation, as stored in the ledger.
#[derive(Debug, Clone, PartialEq)]
pub struct Orientation {
    pub id: OrientationId,
    /// The conversation whose turn it was built for.
    pub conversation: Option<ConversationId>,
    /// The answer that it was built for.
    pub message: Option<MessageId>,
    /// The channel in scope.
    pub channel: Option<ChannelId>,
    /// The query it was built for: the last message or a question.
    pub query: String,
    /// Time of creation.
    pub at: DateTime<Utc>,
    /// Token budget.
    pub budget: u64,
    /// Tokens used.
    pub tokens: u64,
    /// The budget result of each layer.
    pub layers: PerLayer<LayerUse>,
    /// The candidates. Old ledgers keep only those that were included.
    pub items: Vec<LedgerItem>,
    /// True if the candidates that were left out have been deleted.
    pub thinned: bool,
    /// The lens it was built through.
    pub lens: Lens,
}
