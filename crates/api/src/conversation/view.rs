//! Views of conversations, messages and scratchpad notes.

use inklings_domain as domain;
use serde::{Deserialize, Serialize};
use specta::Type;
use specta_typescript::Number;

use crate::{
    error::CommandError,
    fact::view::FactView,
    layer::LayerBudget,
    view::{lens::LensView, memory::MemoryRow},
    vocabulary::mirror,
};

mirror!(
    /// Status of a conversation.
    ConversationStatus = domain::conversation::ConversationStatus {
        Active, Idle, Archived,
    }
);
mirror!(
    /// Role of the author of a message.
    Role = domain::conversation::message::Role {
        User, Assistant, Tool, System,
    }
);
mirror!(
    /// Delivery state of a message.
    Delivery = domain::conversation::message::Delivery {
        Complete, Streaming, Cancelled, Failed,
    }
);
mirror!(
    /// Author of a summary.
    SummaryMaker = domain::conversation::episode::SummaryMaker {
        Extract, Model,
    }
);
mirror!(
    /// Reason why a message is in the agent's context.
    ContextLeg = domain::search::transcript::ContextLeg {
        Recency, Salience, Relevance, Replay,
    }
);

/// Reference to a conversation with what is needed to show and open it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ConversationLink {
    pub id: String,
    /// Reference code.
    pub ref_code: String,
    /// Title; may be empty.
    pub title: String,
}

/// The model that a conversation names.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ConversationModel {
    /// Its name at the endpoint.
    pub model: String,
    /// Base URL of the endpoint.
    pub address: String,
}

/// A conversation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ConversationView {
    pub id: String,
    /// Reference code.
    pub ref_code: String,
    pub channel_id: String,
    pub channel_name: String,
    /// Title; may be empty.
    pub title: String,
    pub status: ConversationStatus,
    /// Start time.
    pub started_at: String,
    /// End time.
    pub ended_at: Option<String>,
    /// Time of the last message.
    pub active_at: String,
    /// Number of messages without compaction markers.
    pub messages: u32,
    /// Number of active entries in its tier.
    pub memories: u32,
    pub continues: Option<ConversationLink>,
    /// Of a branch: the position of the last message that it shares with `continues`; `null` if it is no branch.
    pub shares_through: Option<u32>,
    /// The model that answers; `null`: the one that is connected for all conversations.
    pub model: Option<ConversationModel>,
    /// True while the World Agent answers in this process.
    pub answering: bool,
    /// Whose knowledge its turns show; `null`: everything.
    pub lens: Option<LensView>,
}

/// Request for a page of conversations.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ConversationList {
    /// Only conversations of this channel.
    pub channel_id: Option<String>,
    /// Only conversations with these statuses; empty for all but archived ones.
    pub statuses: Vec<ConversationStatus>,
    /// Only conversations whose title contains each of these words, ignoring case.
    pub title: Option<String>,
    /// Cursor: the `next` of the previous page.
    pub after: Option<String>,
    /// Page size.
    pub limit: u32,
}

/// A page of conversations, latest activity first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ConversationPage {
    pub rows: Vec<ConversationView>,
    /// Cursor of the next page.
    pub next: Option<String>,
}

/// The tool call that a message answers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ToolResult {
    pub call_id: String,
    pub name: String,
}

/// A tool call of the agent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ToolCall {
    pub id: String,
    pub name: String,
    /// The arguments, as JSON text.
    pub arguments: String,
}

/// Marker of a compaction, which summarised the messages before it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct MarkerView {
    /// Id of the archive entry.
    pub archive_id: String,
    /// Name of the archive entry.
    pub archive_name: String,
    /// Time of the compaction.
    pub archived_at: String,
    /// Position of the last summarised message.
    pub through: u32,
}

/// A message.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct MessageView {
    pub id: String,
    pub conversation_id: String,
    /// Position in the conversation, from 1.
    pub position: u32,
    /// Role of the author.
    pub role: Role,
    pub content: String,
    /// Importance, in [0, 1].
    #[specta(type = Number)]
    pub importance: f64,
    /// Delivery state.
    pub delivery: Delivery,
    /// Set for the result of a tool call.
    pub tool: Option<ToolResult>,
    pub calls: Vec<ToolCall>,
    /// Set for a compaction marker.
    pub marker: Option<MarkerView>,
    /// Name of the file, for an attached text.
    pub attached_name: Option<String>,
    /// Name of the speaker, for an imported message.
    pub speaker: Option<String>,
    /// Timestamp in the format of the import source.
    pub said_at: Option<String>,
    pub at: String,
    /// Time of the last change.
    pub updated_at: String,
    /// Time at which it was summarised into an episode.
    pub consolidated_at: Option<String>,
    /// Estimated tokens.
    pub tokens: u32,
}

/// Range of a page of messages.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum MessageRange {
    /// The last messages.
    Newest,
    /// The last messages before a position.
    Before { position: u32 },
    /// The first messages after a position.
    After { position: u32 },
}

/// A page of a transcript, in ascending order of position.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct MessagePage {
    pub messages: Vec<MessageView>,
    /// True if there are earlier messages.
    pub earlier: bool,
    /// True if there are later messages.
    pub later: bool,
}

/// Result of sending a message.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct SentMessage {
    /// The stored message.
    pub message: MessageView,
    /// True if the World Agent answers; false if no model is connected, or it cannot be asked.
    pub answering: bool,
    /// Why the model cannot be asked.
    pub error: Option<CommandError>,
}

/// A message in the agent's context.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ContextItem {
    pub message: MessageView,
    /// Reasons why it is included.
    pub legs: Vec<ContextLeg>,
    /// Cosine similarity, if it is similar in meaning.
    #[specta(type = Option<Number>)]
    pub similarity: Option<f64>,
}

/// The archive entry of a compaction.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ContextArchive {
    /// Id of the entry.
    pub id: String,
    /// Name of the entry.
    pub name: String,
    /// Text of the entry.
    pub summary: String,
    /// Time of the compaction.
    pub archived_at: String,
}

/// The context that the agent receives.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ContextView {
    /// Messages, in order of position.
    pub items: Vec<ContextItem>,
    /// Episodes, oldest first.
    pub episodes: Vec<EpisodeView>,
    /// The archive of the latest compaction.
    pub archive: Option<ContextArchive>,
    /// Memory entries, best first.
    pub memories: Vec<MemoryRow>,
    pub facts: Vec<FactView>,
    /// What each layer of the orientation takes of the budget.
    pub layers: Vec<LayerBudget>,
    /// Estimated tokens.
    pub tokens: u32,
    /// Token budget.
    pub budget: u32,
    /// The prompt sent to the model.
    pub prompt: String,
}

/// A scratchpad note.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct NoteView {
    pub conversation_id: String,
    /// Reference code of its conversation.
    pub conversation_ref: String,
    pub key: String,
    /// Value as JSON text.
    pub value: String,
    /// Creation time.
    pub created_at: String,
    /// Time of the last write.
    pub updated_at: String,
    /// Time to live in seconds after the last read.
    pub ttl_seconds: Option<u32>,
    /// Time of expiry.
    pub expires_at: Option<String>,
}

/// Preview of a compaction.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct CompactionPreview {
    /// Position of the last message that it summarises.
    pub through: u32,
    /// Number of summarised messages.
    pub messages: u32,
    /// Estimated tokens of the transcript in the context before the compaction.
    pub tokens_before: u32,
    /// Estimated tokens after the compaction.
    pub tokens_after: u32,
    /// Name of the archive entry.
    pub name: String,
    /// Text of the archive entry.
    pub summary: String,
    /// Author of the summary.
    pub maker: SummaryMaker,
    /// True if the summarised messages are deleted.
    pub deletes_messages: bool,
}

/// An episode: a summary of older turns.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct EpisodeView {
    pub id: String,
    /// The summary paragraph.
    pub summary: String,
    /// Number of summarised messages.
    pub turn_count: u32,
    /// Time of the first message.
    pub from: String,
    /// Time of the last message.
    pub until: String,
    /// Author of the summary.
    pub maker: SummaryMaker,
    /// Creation time.
    pub created_at: String,
}

/// Conversation settings of a workspace.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ConversationSettings {
    /// True to delete summarised messages.
    pub keep_only_summaries: bool,
    /// Maximum number of messages in working memory.
    pub working_memory_cap: u32,
    /// Token threshold of automatic compaction; 0 for never.
    pub compact_at_tokens: u32,
    /// Number of newest messages that a compaction retains.
    pub retain_turns: u32,
    /// Hours between summarisations of old turns, 1 to 720.
    pub summarise_every_hours: u32,
    /// True to let a connected model give conversations their titles.
    pub model_titles: bool,
}
