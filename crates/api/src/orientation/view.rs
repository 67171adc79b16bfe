//! Orientations and the ledger as they cross the boundary.

use crate::{
    search::view::Contribution,
    vocabulary::{Curator, mirror},
};
use inklings_domain as domain;
use serde::{Deserialize, Serialize};
use specta::Type;
use specta_typescript::Number;

mirror!(
    /// Where something that the agent is shown comes from, in the order of the document.
    OrientationLayer = domain::orientation::Layer {
        /// Named entries.
        Named,
        /// Facts on record.
        Facts,
        /// Summaries of older turns.
        Episodes,
        /// Earlier messages.
        Earlier,
        /// Memories of the conversation.
        Conversation,
        /// Memories of its channel.
        Channel,
        /// Memories of the workspace.
        Workspace,
        /// Memories of the account.
        Account,
    }
);

/// Why something was left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "snake_case")]
pub enum LeftOutRule {
    /// No tokens were left.
    Budget,
    /// It lay beyond the number that its layer looks at.
    Limit,
    /// Another item says the same.
    Repeats,
    /// The second look dropped it.
    Refined,
}

/// What an item is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "snake_case")]
pub enum OrientationKind {
    /// A memory.
    Memory,
    /// A fact.
    Fact,
    /// An episode.
    Episode,
    /// A message.
    Message,
}

/// Something that was shown, or could have been.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct OrientationItem {
    /// Where it comes from.
    pub layer: OrientationLayer,
    /// What it is.
    pub kind: OrientationKind,
    /// Its id.
    pub id: String,
    /// The begin of its text as it is now; empty if it is gone.
    pub label: String,
    /// Whose entry it is.
    pub curator: Option<Curator>,
    /// How much it matters, in [0, 1].
    #[specta(type = Option<Number>)]
    pub importance: Option<f64>,
    /// Relevance after decay, then.
    #[specta(type = Option<Number>)]
    pub relevance: Option<f64>,
    /// How old it was, in whole days.
    pub age_days: Option<u32>,
    /// Tokens that it takes, or would have taken.
    pub tokens: u32,
    /// True if it was shown.
    pub taken: bool,
    /// True if its text was cut to fit.
    pub shortened: bool,
    /// Why it was left out.
    pub rule: Option<LeftOutRule>,
    /// The item that says the same.
    pub repeats: Option<String>,
    /// Its score in its layer's search.
    #[specta(type = Option<Number>)]
    pub score: Option<f64>,
    /// What each list of that search gave it.
    pub parts: Vec<Contribution>,
}

/// How a layer came out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct LayerBudget {
    /// Which layer.
    pub layer: OrientationLayer,
    /// Tokens set aside for it, with what flowed on to it.
    pub budget: u32,
    /// Tokens that it used.
    pub used: u32,
    /// Items shown.
    pub taken: u32,
    /// Items left out.
    pub left_out: u32,
    /// True if it could not be read.
    pub failed: bool,
}

/// What the agent was shown once, or would be.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct OrientationView {
    /// Its id in the ledger; `null` for a preview.
    pub id: Option<String>,
    /// The conversation whose turn it was made for.
    pub conversation_id: Option<String>,
    /// The answer that it was made for.
    pub message_id: Option<String>,
    /// What it was made for.
    pub query: String,
    /// When.
    pub at: String,
    /// Tokens that it could have.
    pub budget: u32,
    /// Tokens that it has.
    pub tokens: u32,
    /// Every layer, in order.
    pub layers: Vec<LayerBudget>,
    /// What was looked at.
    pub items: Vec<OrientationItem>,
    /// True if what was left out is no longer kept.
    pub thinned: bool,
    /// The document itself; previews only.
    pub markdown: Option<String>,
}

/// An orientation in a list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct OrientationSummary {
    /// Its id.
    pub id: String,
    /// The answer that it was made for.
    pub message_id: Option<String>,
    /// The begin of what it was made for.
    pub query: String,
    /// When.
    pub at: String,
    /// Tokens that it has.
    pub tokens: u32,
    /// Tokens that it could have.
    pub budget: u32,
    /// Items shown.
    pub taken: u32,
    /// Items left out.
    pub left_out: u32,
}

/// A page of a conversation's ledger.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct OrientationPage {
    /// The newest first.
    pub rows: Vec<OrientationSummary>,
    /// Where the next page starts; `null` at the end.
    pub next: Option<String>,
}

mirror!(
    /// Through which read something was shown.
    ReadThrough = domain::orientation::shown::Through {
        /// Memories by a query.
        Search,
        /// One memory.
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
        /// Working notes.
        Notes,
        /// What a scrub would take.
        ScrubPreview,
    }
);

mirror!(
    /// What was shown.
    ReadKind = domain::orientation::shown::SeenKind {
        /// A memory.
        Memory,
        /// A fact.
        Fact,
        /// An episode.
        Episode,
        /// A message.
        Message,
        /// A conversation.
        Conversation,
    }
);

/// One thing that a read showed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ReadItem {
    /// What it is.
    pub kind: ReadKind,
    /// Its id.
    pub id: String,
    /// The version that was shown; 0 where there are no versions.
    pub version: u32,
    /// The begin of its text as it is now; empty if it is gone.
    pub label: String,
}

/// What a tool in a turn or a client was shown by one read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ReadView {
    /// Its id.
    pub id: String,
    /// When.
    pub at: String,
    /// The client's name; `null` for the World Agent.
    pub client: Option<String>,
    /// Through which read.
    pub through: ReadThrough,
    /// The conversation that was read, or in whose turn it was.
    pub conversation_id: Option<String>,
    /// The message that holds what the tool answered.
    pub message_id: Option<String>,
    /// How many things were shown.
    pub count: u32,
    /// The first of them. Working notes are only counted.
    pub items: Vec<ReadItem>,
}

/// A page of reads.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ReadPage {
    /// The newest first.
    pub rows: Vec<ReadView>,
    /// Where the next page starts; `null` at the end.
    pub next: Option<String>,
}

/// What to orient for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct OrientRequest {
    /// A conversation, by id or reference code.
    pub conversation: Option<String>,
    /// The channel in scope, where no conversation is given.
    pub channel_id: Option<String>,
    /// What is asked.
    pub query: String,
    /// Tokens, instead of the setting.
    pub budget: Option<u32>,
}

/// Parts of what named entries leave.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
pub struct OrientationShares {
    /// Of facts.
    pub facts: u32,
    /// Of episodes.
    pub episodes: u32,
    /// Of earlier messages.
    pub earlier: u32,
    /// Of the conversation's memories.
    pub conversation: u32,
    /// Of the channel's.
    pub channel: u32,
    /// Of the workspace's.
    pub workspace: u32,
    /// Of the account's.
    pub account: u32,
}

/// What is set about orientation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct OrientationSettings {
    /// Tokens of the document; 0: a third of what the model reads.
    pub budget: u32,
    /// How they are shared out.
    pub shares: OrientationShares,
    /// True: the language model may drop what does not matter.
    pub refine: bool,
}
