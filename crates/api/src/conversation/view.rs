//! Conversations and what is said in them, as they cross the boundary.

use inklings_domain as domain;
use serde::{Deserialize, Serialize};
use specta::Type;
use specta_typescript::Number;

use crate::{
    memory::view::MemoryRow,
    search::view::{SearchMode, Span},
    vocabulary::mirror,
};

mirror!(
    /// Where a conversation stands in its life.
    ConversationStatus = domain::conversation::ConversationStatus {
        /// The agent is at work.
        Active,
        /// Ended, open for review.
        Idle,
        /// Put away.
        Archived,
    }
);
mirror!(
    /// Who speaks.
    Role = domain::conversation::message::Role {
        /// The worldbuilder.
        User,
        /// The World Agent.
        Assistant,
        /// A tool.
        Tool,
        /// The application.
        System,
    }
);
mirror!(
    /// How far a message has come.
    Delivery = domain::conversation::message::Delivery {
        /// All of it is here.
        Complete,
        /// It is arriving.
        Streaming,
        /// The worldbuilder stopped it.
        Cancelled,
        /// It broke off.
        Failed,
    }
);
mirror!(
    /// Who wrote a summary.
    SummaryMaker = domain::conversation::episode::SummaryMaker {
        /// The built-in way, which chooses sentences.
        Extract,
        /// The language model.
        Model,
    }
);
mirror!(
    /// Who stored a fact's value.
    FactSource = domain::fact::FactSource {
        /// An agent.
        Agent,
        /// The worldbuilder.
        User,
    }
);
mirror!(
    /// Why a message is shown to the agent.
    ContextLeg = domain::search::transcript::ContextLeg {
        /// One of the newest.
        Recency,
        /// It matters.
        Salience,
        /// Near in meaning.
        Relevance,
        /// Said behind the latest compaction.
        Replay,
    }
);
mirror!(
    /// A list that a found message stands in.
    MessageList = domain::search::transcript::TurnList {
        /// Its own words.
        Text,
        /// Its meaning.
        Meaning,
        /// Words of the turns beside it.
        Neighbours,
    }
);

/// Enough of a conversation to name and open it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ConversationLink {
    /// Its id.
    pub id: String,
    /// Its reference code.
    pub ref_code: String,
    /// Its title; may be empty.
    pub title: String,
}

/// A conversation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ConversationView {
    /// Its id.
    pub id: String,
    /// Its reference code.
    pub ref_code: String,
    /// Its channel.
    pub channel_id: String,
    /// Its channel's name.
    pub channel_name: String,
    /// Its title; may be empty.
    pub title: String,
    /// Where it stands.
    pub status: ConversationStatus,
    /// When it began.
    pub started_at: String,
    /// When it ended.
    pub ended_at: Option<String>,
    /// When something was last said.
    pub active_at: String,
    /// Messages, compact markers left out.
    pub messages: u32,
    /// Active memories of its tier.
    pub memories: u32,
    /// The conversation that it goes on from.
    pub continues: Option<ConversationLink>,
    /// True while the World Agent answers, in this process.
    pub answering: bool,
}

/// Which conversations.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ConversationList {
    /// Only those of this channel.
    pub channel_id: Option<String>,
    /// Only those of these states; empty: all but the archived ones.
    pub statuses: Vec<ConversationStatus>,
    /// Where the page starts: the `next` of the one before.
    pub after: Option<String>,
    /// The most rows.
    pub limit: u32,
}

/// A page of conversations, latest activity first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ConversationPage {
    /// The rows.
    pub rows: Vec<ConversationView>,
    /// Where the next page starts.
    pub next: Option<String>,
}

/// The tool whose answer a message is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ToolResult {
    /// The call that it answers.
    pub call_id: String,
    /// The tool.
    pub name: String,
}

/// A tool that the agent called.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ToolCall {
    /// The call's id.
    pub id: String,
    /// The tool.
    pub name: String,
    /// The arguments, as JSON text.
    pub arguments: String,
}

/// Where a prefix was summarised.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct MarkerView {
    /// The archive entry.
    pub archive_id: String,
    /// Its name.
    pub archive_name: String,
    /// When it was written.
    pub archived_at: String,
    /// Position of the last message that it covers.
    pub through: u32,
}

/// A message.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct MessageView {
    /// Its id.
    pub id: String,
    /// Its conversation.
    pub conversation_id: String,
    /// Its place there, rising from 1.
    pub position: u32,
    /// Who speaks.
    pub role: Role,
    /// The text.
    pub content: String,
    /// How much it matters, in [0, 1].
    #[specta(type = Number)]
    pub importance: f64,
    /// How far it has come.
    pub delivery: Delivery,
    /// The tool whose answer it is.
    pub tool: Option<ToolResult>,
    /// The tools that were called.
    pub calls: Vec<ToolCall>,
    /// Set for a compact marker.
    pub marker: Option<MarkerView>,
    /// Who said it, for an imported one.
    pub speaker: Option<String>,
    /// When it was said, as an import wrote it.
    pub said_at: Option<String>,
    /// When it was said.
    pub at: String,
    /// When it last changed.
    pub updated_at: String,
    /// When an episode took it up.
    pub consolidated_at: Option<String>,
    /// Estimated tokens.
    pub tokens: u32,
}

/// Which messages a page holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum MessageRange {
    /// The last ones.
    Newest,
    /// The last ones before a position.
    Before {
        /// The position.
        position: u32,
    },
    /// The first ones behind a position.
    After {
        /// The position.
        position: u32,
    },
}

/// A page of a transcript, in rising order of position.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct MessagePage {
    /// The messages.
    pub messages: Vec<MessageView>,
    /// True if there are earlier ones.
    pub earlier: bool,
    /// True if there are later ones.
    pub later: bool,
}

/// A search over what was said.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct MessageSearchRequest {
    /// What was typed; any string.
    pub query: String,
    /// Only this conversation, by id or reference code.
    pub conversation: Option<String>,
    /// Only conversations of this channel.
    pub channel_id: Option<String>,
    /// Archived conversations too.
    pub archived: bool,
    /// Hits wanted, at most 200.
    pub limit: u32,
}

/// What one list gave a found message.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct MessagePart {
    /// The list.
    pub list: MessageList,
    /// What it added.
    #[specta(type = Number)]
    pub score: f64,
}

/// A found message.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct MessageHit {
    /// The message.
    pub message: MessageView,
    /// Its conversation.
    pub conversation: ConversationLink,
    /// The part of its text to show.
    pub snippet: String,
    /// The query's words in the snippet.
    pub spans: Vec<Span>,
    /// Its score; comparable within one answer only.
    #[specta(type = Number)]
    pub score: f64,
    /// What each list gave.
    pub parts: Vec<MessagePart>,
}

/// The answer to a search over what was said.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct MessageSearch {
    /// Best first.
    pub hits: Vec<MessageHit>,
    /// Which lists answered.
    pub mode: SearchMode,
    /// Why meaning did not take part.
    pub mode_reason: Option<String>,
    /// Milliseconds.
    #[specta(type = Number)]
    pub took_ms: f64,
}

/// Something was said.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct SentMessage {
    /// The message, as it is on disk.
    pub message: MessageView,
    /// True if the World Agent answers; false if no model is connected.
    pub answering: bool,
}

/// A step of an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "snake_case")]
pub enum TurnStep {
    /// The model was asked.
    Started,
    /// More text.
    Text,
    /// A tool answered.
    Tool,
    /// It is over.
    Done,
    /// The worldbuilder stopped it.
    Cancelled,
    /// It broke off.
    Failed,
}

/// How an answer goes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct TurnUpdate {
    /// The conversation.
    pub conversation_id: String,
    /// The message that it is about.
    pub message_id: Option<String>,
    /// What happened.
    pub step: TurnStep,
    /// The new piece.
    pub text: Option<String>,
    /// Characters so far, with the piece.
    pub length: u32,
    /// What went wrong, for people.
    pub error: Option<String>,
}

/// A message that the agent is shown.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ContextItem {
    /// The message.
    pub message: MessageView,
    /// Why it is shown.
    pub legs: Vec<ContextLeg>,
    /// Its cosine, where it is near in meaning.
    #[specta(type = Option<Number>)]
    pub similarity: Option<f64>,
}

/// The archive of what was compacted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ContextArchive {
    /// The entry.
    pub id: String,
    /// Its name.
    pub name: String,
    /// Its text.
    pub summary: String,
    /// When it was written.
    pub archived_at: String,
}

/// What the agent is shown.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ContextView {
    /// Messages, in the order in which they were said.
    pub items: Vec<ContextItem>,
    /// Episodes, oldest first.
    pub episodes: Vec<EpisodeView>,
    /// The archive of the latest compaction.
    pub archive: Option<ContextArchive>,
    /// Memories, best first.
    pub memories: Vec<MemoryRow>,
    /// Facts.
    pub facts: Vec<FactView>,
    /// Layers that could not be had, for people.
    pub notes: Vec<String>,
    /// Estimated tokens.
    pub tokens: u32,
    /// Tokens that there is room for.
    pub budget: u32,
    /// The instructions, as the model reads them.
    pub prompt: String,
}

/// A working note.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct NoteView {
    /// Its conversation.
    pub conversation_id: String,
    /// Its conversation's reference code.
    pub conversation_ref: String,
    /// Its key.
    pub key: String,
    /// Its value, as JSON text.
    pub value: String,
    /// When it was first written.
    pub created_at: String,
    /// When it was last written.
    pub updated_at: String,
    /// Seconds that it lives after its last read.
    pub ttl_seconds: Option<u32>,
    /// When it vanishes.
    pub expires_at: Option<String>,
}

/// What an agent said against the author's word.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ClaimView {
    /// Its id.
    pub id: String,
    /// What it says.
    pub value: String,
    /// Where it was said.
    pub conversation_ref: Option<String>,
    /// When.
    pub at: String,
}

/// A fact.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct FactView {
    /// Its id.
    pub id: String,
    /// Its category.
    pub category: String,
    /// Its key.
    pub key: String,
    /// What it says; empty once it was removed.
    pub value: String,
    /// Who said so.
    pub source: FactSource,
    /// Where it was said.
    pub conversation_ref: Option<String>,
    /// When it first had a value.
    pub created_at: String,
    /// Since when this value holds.
    pub updated_at: String,
    /// Which value, from 1.
    pub version: u32,
    /// When it was removed.
    pub removed_at: Option<String>,
    /// What waits for the worldbuilder.
    pub claims: Vec<ClaimView>,
}

/// Which facts.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct FactList {
    /// Only this category.
    pub category: Option<String>,
    /// As they stood at this time (RFC 3339); one page then, without claims.
    pub as_of: Option<String>,
    /// Where the page starts.
    pub after: Option<String>,
    /// The most rows.
    pub limit: u32,
}

/// A page of facts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct FactPage {
    /// In the order of category and key.
    pub rows: Vec<FactView>,
    /// Where the next page starts.
    pub next: Option<String>,
}

/// A value that a fact has or had.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct FactValueView {
    /// Which value.
    pub version: u32,
    /// What it said.
    pub value: String,
    /// Who said so.
    pub source: FactSource,
    /// Where it was said.
    pub conversation_ref: Option<String>,
    /// Since when it held.
    pub from: String,
    /// Until when.
    pub until: Option<String>,
    /// True for the version that removed the fact.
    pub removed: bool,
}

/// What setting a fact did.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct FactWrite {
    /// The fact as it stands.
    pub fact: FactView,
    /// True if the value was kept as a claim.
    pub claimed: bool,
}

/// What a compaction would do.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct CompactionPreview {
    /// Position of the last message that it covers.
    pub through: u32,
    /// How many it covers.
    pub messages: u32,
    /// Estimated tokens that a run replays now.
    pub tokens_before: u32,
    /// The same afterwards.
    pub tokens_after: u32,
    /// The archive's name.
    pub name: String,
    /// The archive's text.
    pub summary: String,
    /// Who wrote it.
    pub maker: SummaryMaker,
    /// True if the messages are deleted.
    pub deletes_messages: bool,
}

/// An episode.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct EpisodeView {
    /// Its id.
    pub id: String,
    /// The paragraph.
    pub summary: String,
    /// Messages that it stands for.
    pub turn_count: u32,
    /// When the first was said.
    pub from: String,
    /// When the last was said.
    pub until: String,
    /// Who wrote it.
    pub maker: SummaryMaker,
    /// When it was written.
    pub created_at: String,
}

/// What a workspace has set about its conversations.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ConversationSettings {
    /// True: summarised messages are deleted.
    pub keep_only_summaries: bool,
    /// Messages kept in memory.
    pub working_memory_cap: u32,
    /// Tokens beyond which a conversation is compacted by itself; 0: never.
    pub compact_at_tokens: u32,
    /// Newest messages that a compaction leaves.
    pub retain_turns: u32,
    /// Hours between two looks for old turns to summarise; 1 to 720.
    pub summarise_every_hours: u32,
}
