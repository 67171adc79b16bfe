//! Canon drift: contradictions between what is canon and what is stated elsewhere. They wait in an inbox for the worldbuilder;
//! nothing is changed without a decision.

mod contrast;
mod find;
mod property;
mod sentence;
mod source;
mod values;
mod words;

use std::fmt;

use chrono::{DateTime, Utc};

pub use self::{
    find::{Contradiction, contradicting_sentences, find},
    sentence::states_one_thing,
    source::Source,
};
use crate::{
    ids::{ChangeId, DriftId, FactId, MemoryId, MessageId, PageId},
    scope::words,
};

/// What may contradict something else.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Item {
    /// An entry.
    Memory(MemoryId),
    Fact(FactId),
    /// A message of a conversation.
    Message(MessageId),
    /// A page of a linked vault, as the source of an entry.
    Page(PageId),
}

impl Item {
    /// The kind of the item.
    pub const fn kind(self) -> ItemKind {
        match self {
            Self::Memory(_) => ItemKind::Memory,
            Self::Fact(_) => ItemKind::Fact,
            Self::Message(_) => ItemKind::Message,
            Self::Page(_) => ItemKind::Page,
        }
    }
}

impl fmt::Display for Item {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Memory(id) => id.fmt(f),
            Self::Fact(id) => id.fmt(f),
            Self::Message(id) => id.fmt(f),
            Self::Page(id) => id.fmt(f),
        }
    }
}

/// The kind of an item.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ItemKind {
    /// An entry.
    Memory,
    Fact,
    Message,
    Page,
}

words!(ItemKind, "kind of item", { Memory => "memory", Fact => "fact", Message => "message", Page => "page" });

/// An item at the version that was compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Side {
    /// The entry, fact or message.
    pub item: Item,
    /// Its version; 1 for a message, and [`block_version`] for a page.
    pub version: u64,
}

/// The version of a page as a side: a number made of the digest of the block that an entry was made of.
pub fn block_version(hash: &str) -> u64 {
    let digits = hash.get(..15).unwrap_or(hash);
    u64::from_str_radix(digits, 16).unwrap_or_default() + 1
}

/// The state of a drift.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum DriftState {
    /// Waiting for a decision.
    Open,
    /// Decided by the worldbuilder. It is not filed again while both sides have these versions.
    Settled,
    /// One side has changed since, or is gone.
    Superseded,
}

words!(DriftState, "state of a drift", {
    Open => "open", Settled => "settled", Superseded => "superseded",
});

/// The kind of a decision.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum DriftDecision {
    /// The canon stays, and the statement is forgotten. A message stays as it was written.
    CanonStands,
    /// The canon becomes what the statement says.
    CanonChanges,
    /// Both hold, at different times of the story.
    Both,
    /// Somebody is mistaken or lies: only they know the statement.
    Belief,
    /// The two do not contradict each other.
    Dismiss,
    /// The statement is made anew of what the page says now, as a proposal.
    DeriveAgain,
}

words!(DriftDecision, "decision", {
    CanonStands => "canon_stands", CanonChanges => "canon_changes", Both => "both", Belief => "belief",
    Dismiss => "dismiss", DeriveAgain => "derive_again",
});

/// A contradiction in the inbox.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Drift {
    pub id: DriftId,
    /// What counts more.
    pub canon: Side,
    /// What counts less.
    pub statement: Side,
    pub state: DriftState,
    /// The decision, once it is settled.
    pub decision: Option<DriftDecision>,
    /// The journalled change that carried out the decision, if there was one.
    pub change: Option<ChangeId>,
    /// Time of filing.
    pub created_at: DateTime<Utc>,
    /// Time of the decision, or of superseding.
    pub settled_at: Option<DateTime<Utc>>,
}

/// The reason a drift cannot be settled.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum InvalidDrift {
    /// It is settled or superseded.
    #[error("this contradiction is settled already")]
    Settled,
    /// One of its sides has changed.
    #[error("a side of this contradiction was changed since; look again")]
    Superseded,
    /// The new text of the canon is not certain.
    #[error("the canon says more than this; give its new text")]
    Text,
    /// No time was given.
    #[error("say when one of them holds in the story")]
    Times,
    /// Both would hold at the same time.
    #[error("the two times overlap")]
    Overlap,
    /// The time of a subject is its life or its reign, and not that of a sentence on its page.
    #[error(
        "the time of a subject is its own, not that of one sentence; change its text, or give the other side a time"
    )]
    TimeOfSubject,
    /// A message would get a time.
    #[error("what was written in a conversation gets no time; say when the canon holds")]
    TimeOfMessage,
    /// The page has no text of which the memory could be made again, or the canon is no page.
    #[error("there is nothing on the page of which this could be made again")]
    NoPassage,
    /// A page is changed in its file.
    #[error("a page is changed in its own file; keep the memory, make it again or forget it")]
    OfPage,
    /// Nobody was named.
    #[error("say who believes it")]
    Nobody,
}

impl Drift {
    /// Files a contradiction.
    pub const fn open(id: DriftId, found: Contradiction, at: DateTime<Utc>) -> Self {
        Self {
            id,
            canon: found.canon,
            statement: found.statement,
            state: DriftState::Open,
            decision: None,
            change: None,
            created_at: at,
            settled_at: None,
        }
    }

    /// Equal for the same two sides at the same versions, whichever is the canon. Such a drift is not filed again, settled or
    /// not.
    pub fn fingerprint(&self) -> String {
        let (one, two) = (self.canon.min(self.statement), self.canon.max(self.statement));
        format!("{}@{} {}@{}", one.item, one.version, two.item, two.version)
    }

    /// Checks that it may be settled.
    ///
    /// # Errors
    /// [`InvalidDrift::Settled`].
    pub fn admits_decision(&self) -> Result<(), InvalidDrift> {
        if self.state == DriftState::Open { Ok(()) } else { Err(InvalidDrift::Settled) }
    }
}

#[cfg(test)]
mod corpus_tests;
