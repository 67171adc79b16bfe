//! Named entries, orientations and proposals as they cross the boundary.

use inklings_domain as domain;
use serde::{Deserialize, Serialize};
use specta::Type;
use specta_typescript::Number;

use super::{
    memory::MemoryRow,
    search::Contribution,
    vocabulary::{Curator, Door, Hand, Scope, mirror},
};

/// A named entry.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct NamedEntryView {
    /// Its id.
    pub id: String,
    /// Its name.
    pub name: String,
    /// Other names that resolve to it.
    pub aliases: Vec<String>,
    /// Its tier: workspace or account.
    pub scope: Scope,
    /// Its text; empty until something is written.
    pub content: String,
    /// What belongs here; empty for entries of the worldbuilder's own making.
    pub placeholder: String,
    /// True for the entries that were there from the start.
    pub standing: bool,
    /// Whose entry it is.
    pub curator: Curator,
    /// Its version, for edits.
    pub version: u32,
    /// Estimated tokens that it takes in every orientation.
    pub tokens: u32,
    /// When it was made.
    pub created_at: String,
    /// When it was last written; `null` if never.
    pub edited_at: Option<String>,
}

/// A named entry after a write.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct NamedWritten {
    /// As it is now.
    pub entry: NamedEntryView,
    /// The change; undo takes it.
    pub change_id: String,
}

/// A new named entry.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct NewNamedEntry {
    /// Its tier: workspace or account.
    pub scope: Scope,
    /// Its name.
    pub name: String,
    /// Its text; may be empty.
    pub content: String,
}

mirror!(
    /// Where something that the agent is shown comes from, in the order of the document.
    OrientationLayer = domain::orientation::Layer {
        /// Named entries.
        Named,
        /// Facts on record.
        Facts,
        /// Summaries of older turns.
        Episodes,
        /// Earlier talk.
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
    ReadThrough = domain::shown::Through {
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
    ReadKind = domain::shown::SeenKind {
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
    /// The channel in reach, where no conversation is given.
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
    /// Of earlier talk.
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

mirror!(
    /// What is proposed.
    ProposalKind = domain::proposal::ProposalKind {
        /// Another text for one entry.
        Edit,
        /// One entry in the place of several.
        Merge,
        /// Entries taken out of use.
        Retire,
        /// Two entries that contradict each other.
        Conflict,
        /// An entry that is not there yet.
        New,
    }
);
mirror!(
    /// How a proposal stands.
    ProposalState = domain::proposal::ProposalState {
        /// Waits for the worldbuilder.
        Open,
        /// Done.
        Accepted,
        /// Not done.
        Rejected,
        /// An entry of it is gone.
        Superseded,
    }
);
mirror!(
    /// What kind of word a text lost or gained.
    MarkKind = domain::coverage::MarkKind {
        /// A proper name.
        Name,
        /// A number.
        Number,
        /// A negation.
        Negation,
    }
);

/// A name, number or negation that a text lost or gained.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
pub struct Mark {
    /// What it is.
    pub kind: MarkKind,
    /// As written.
    pub text: String,
}

/// An entry that a proposal is about.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ProposalSubject {
    /// Its id.
    pub id: String,
    /// The version that was seen.
    pub version: u32,
    /// The entry as it is now; `null` if it was destroyed.
    pub row: Option<MemoryRow>,
    /// Its text as it was when this was filed.
    pub content: String,
    /// True if it was changed since.
    pub changed_since: bool,
}

/// The entry that a proposal would make.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ProposedEntry {
    /// Its tier: workspace or account.
    pub scope: Scope,
    /// Which program or agent worded it.
    pub source: String,
    /// How much it would matter, in [0, 1].
    #[specta(type = Number)]
    pub importance: f64,
    /// Its tags.
    pub tags: Vec<String>,
    /// The entry as it is now, once it was made.
    pub row: Option<MemoryRow>,
}

/// A proposal.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ProposalView {
    /// Its id.
    pub id: String,
    /// What is proposed.
    pub kind: ProposalKind,
    /// How it stands.
    pub state: ProposalState,
    /// Why.
    pub reason: String,
    /// The entries it is about.
    pub subjects: Vec<ProposalSubject>,
    /// The new text, for an edit, a merge and a new entry.
    pub content: Option<String>,
    /// The entry that it would make, if that is new.
    pub makes: Option<ProposedEntry>,
    /// Names, numbers and negations that the new text would lose.
    pub lost: Vec<Mark>,
    /// Those that it would gain.
    pub added: Vec<Mark>,
    /// In whose name it was filed.
    pub filed_by: Hand,
    /// Through which door.
    pub door: Door,
    /// By which run.
    pub run_id: Option<String>,
    /// In which conversation it came up.
    pub conversation_id: Option<String>,
    /// That conversation's reference code.
    pub conversation_ref: Option<String>,
    /// When it was filed.
    pub created_at: String,
    /// When it was decided.
    pub decided_at: Option<String>,
}

/// What the worldbuilder decides.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Decision {
    /// As proposed.
    Accept,
    /// With this text instead.
    AcceptEdited {
        /// The text.
        content: String,
    },
    /// Not at all; of two that contradict each other, both stay.
    Reject,
    /// The older of two goes.
    NewerWins,
    /// The newer of two goes.
    OlderWins,
}

/// Which proposals.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
pub struct ProposalRequest {
    /// Only those that stand like this.
    pub state: Option<ProposalState>,
    /// Where the page starts.
    pub after: Option<String>,
    /// How many.
    pub limit: u32,
}

/// A page of proposals.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
pub struct ProposalPage {
    /// The newest first.
    pub rows: Vec<ProposalView>,
    /// Where the next page starts; `null` at the end.
    pub next: Option<String>,
}

/// A proposal that could not be decided.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
pub struct Undecided {
    /// Which.
    pub id: String,
    /// Why, for people.
    pub message: String,
}

/// What came of deciding.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct Decided {
    /// Those that were decided, as they stand now.
    pub decided: Vec<ProposalView>,
    /// Those that were not.
    pub failed: Vec<Undecided>,
    /// The changes made, for undo.
    pub change_ids: Vec<String>,
}
