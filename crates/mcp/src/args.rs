//! Arguments of the tools. Their schemas are generated from these types; the doc comments are read by the
//! model.

use inklings_domain::{proposal::ProposalKind, scope::MemoryScope, scrub::ScrubMode};
use rmcp::schemars::{self, JsonSchema};
use serde::Deserialize;
use serde_json::Value;

/// A tier of memory.
#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Tier {
    /// One conversation.
    Conversation,
    /// One channel.
    Channel,
    /// The whole workspace.
    Workspace,
    /// The worldbuilder's preferences in every workspace; never names from this workspace.
    Account,
}

impl From<Tier> for MemoryScope {
    fn from(tier: Tier) -> Self {
        match tier {
            Tier::Conversation => Self::Conversation,
            Tier::Channel => Self::Channel,
            Tier::Workspace => Self::Workspace,
            Tier::Account => Self::Account,
        }
    }
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MemoryRead {
    /// The tier. Tiers do not inherit: only this one is read.
    pub tier: Tier,
    /// The channel's name (channel tier) or the conversation's reference code (conversation tier).
    pub scope: Option<String>,
    /// Search query in words. Empty: the most important entries.
    #[serde(default)]
    pub query: String,
    /// Maximum number of entries, 1 to 50. Default: 10.
    #[schemars(range(min = 1, max = 50))]
    pub limit: Option<u32>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MemoryPut {
    /// The tier.
    pub tier: Tier,
    /// The channel's name (channel tier) or the conversation's reference code (conversation tier).
    pub scope: Option<String>,
    /// One self-contained statement, at most 64 KiB.
    pub content: String,
    /// Importance, from 0 to 1. Default: 0.5.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub importance: Option<f64>,
    /// Tags.
    #[serde(default)]
    pub tags: Vec<String>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MemoryUpdate {
    /// Id of the memory.
    pub id: String,
    /// The version that you have read; the call is refused if there is a later one. Default: the current
    /// version.
    pub version: Option<u64>,
    /// New text.
    pub content: Option<String>,
    /// New importance, from 0 to 1.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub importance: Option<f64>,
    /// New set of tags.
    pub tags: Option<Vec<String>>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MemoryForget {
    /// Id of the memory.
    pub id: String,
    /// The reason, in a few words.
    pub reason: String,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MemoryHistory {
    /// Id of the memory.
    pub id: String,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ScratchpadWrite {
    /// The conversation's reference code.
    pub conversation: String,
    /// Key of the note.
    pub key: String,
    /// Any JSON value, at most 256 KiB.
    pub value: Value,
    /// Seconds to live after the last read. Default: no expiry.
    pub ttl_seconds: Option<u32>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ScratchpadRead {
    /// The conversation's reference code.
    pub conversation: String,
    /// Key of the note.
    pub key: String,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ScratchpadList {
    /// The conversation's reference code.
    pub conversation: String,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ScratchpadClear {
    /// The conversation's reference code.
    pub conversation: String,
    /// Only this note. Default: all notes.
    pub key: Option<String>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FactSet {
    /// Category, e.g. a character's name.
    pub category: String,
    /// Key within the category.
    pub key: String,
    /// Value of the fact.
    pub value: String,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FactGet {
    /// Category.
    pub category: String,
    /// Key within the category. Default: all facts of the category.
    pub key: Option<String>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Orient {
    /// What you are about to do or answer.
    pub query: String,
    /// Token budget of the document, at most 32,000.
    pub budget: Option<u32>,
    /// Reference code of the conversation, if you take part in one.
    pub conversation: Option<String>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ConversationList {
    /// Only conversations of this channel, by name. Default: all channels that you can access.
    pub channel: Option<String>,
    /// Maximum number of conversations. Default: 20.
    #[schemars(range(min = 1, max = 200))]
    pub limit: Option<u32>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ConversationGet {
    /// The conversation's reference code.
    pub conversation: String,
    /// Only messages before this position.
    pub before: Option<u64>,
    /// Maximum number of messages. Default: 50.
    #[schemars(range(min = 1, max = 200))]
    pub limit: Option<u32>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ConversationAppend {
    /// The conversation's reference code.
    pub conversation: String,
    /// Text of the message. It is stored as a message of the agent; clients cannot write as the worldbuilder.
    pub text: String,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NamedRead {
    /// The entry's name or an alias.
    pub name: String,
}

/// Kind of proposal.
#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// A new text for one memory.
    Edit,
    /// One memory that replaces several.
    Merge,
    /// Memories to forget.
    Retire,
    /// Two memories contradict each other.
    Conflict,
}

impl From<Kind> for ProposalKind {
    fn from(kind: Kind) -> Self {
        match kind {
            Kind::Edit => Self::Edit,
            Kind::Merge => Self::Merge,
            Kind::Retire => Self::Retire,
            Kind::Conflict => Self::Conflict,
        }
    }
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ProposalCreate {
    /// Kind of proposal.
    pub kind: Kind,
    /// Ids of the memories concerned: one for an edit, two for a conflict.
    pub ids: Vec<String>,
    /// The new text, for an edit or a merge.
    pub content: Option<String>,
    /// The reason, in a few words. Do not repeat a memory's text here.
    pub reason: String,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Nothing {}

/// What a scrub retains.
#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Mode {
    /// Destroys everything in the target, including named entries.
    Full,
    /// Retains the worldbuilder's named entries.
    KeepNamed,
}

impl From<Mode> for ScrubMode {
    fn from(mode: Mode) -> Self {
        match mode {
            Mode::Full => Self::Full,
            Mode::KeepNamed => Self::KeepNamed,
        }
    }
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ScrubPreview {
    /// The tier to clear.
    pub tier: Tier,
    /// The channel (name or id) or the conversation (reference code); omitted for the workspace and the
    /// account.
    pub scope: Option<String>,
    /// What to retain.
    pub mode: Mode,
    /// Destroy the messages of the conversation instead of its memory.
    #[serde(default)]
    pub purge: bool,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ScrubExecute {
    /// The tier to clear.
    pub tier: Tier,
    /// The channel (name or id) or the conversation (reference code); omitted for the workspace and the
    /// account.
    pub scope: Option<String>,
    /// What to retain.
    pub mode: Mode,
    /// Destroy the messages of the conversation instead of its memory.
    #[serde(default)]
    pub purge: bool,
    /// The hash in the manifest of `scrub_preview`.
    pub hash: String,
    /// The phrase in that manifest.
    pub phrase: String,
}
