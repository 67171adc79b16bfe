//! What each tool takes. The schemas are made from these types; the doc comments are what the model reads.

use inklings_domain::{proposal::ProposalKind, scope::MemoryScope, scrub::ScrubMode};
use rmcp::schemars::{self, JsonSchema};
use serde::Deserialize;
use serde_json::Value;

/// A tier of memory.
#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Tier {
    /// This talk only.
    Conversation,
    /// One topic.
    Channel,
    /// The whole workspace.
    Workspace,
    /// How the worldbuilder likes to work, in every workspace; never names of this one.
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
    /// Which tier. Tiers do not inherit: only this one is read.
    pub tier: Tier,
    /// The channel's name (channel tier) or the conversation's reference code (conversation tier).
    pub scope: Option<String>,
    /// What to look for, in words. Empty: the most important entries.
    #[serde(default)]
    pub query: String,
    /// The most entries to give, 1 to 50. 10 unless said.
    #[schemars(range(min = 1, max = 50))]
    pub limit: Option<u32>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MemoryPut {
    /// Which tier.
    pub tier: Tier,
    /// The channel's name (channel tier) or the conversation's reference code (conversation tier).
    pub scope: Option<String>,
    /// One self-contained statement, at most 64 KiB.
    pub content: String,
    /// How much it matters, from 0 to 1. 0.5 unless said.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub importance: Option<f64>,
    /// Tags.
    #[serde(default)]
    pub tags: Vec<String>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MemoryUpdate {
    /// The memory's id.
    pub id: String,
    /// The version that you have read. A later one is not overwritten. Left out: whatever is there.
    pub version: Option<u64>,
    /// Its new text.
    pub content: Option<String>,
    /// Its new importance, from 0 to 1.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub importance: Option<f64>,
    /// Its new set of tags.
    pub tags: Option<Vec<String>>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MemoryForget {
    /// The memory's id.
    pub id: String,
    /// Why, in a few words.
    pub reason: String,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MemoryHistory {
    /// The memory's id.
    pub id: String,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ScratchpadWrite {
    /// The conversation's reference code.
    pub conversation: String,
    /// The note's name.
    pub key: String,
    /// Any JSON value, at most 256 KiB.
    pub value: Value,
    /// Seconds that it lives after its last read. For ever unless said.
    pub ttl_seconds: Option<u32>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ScratchpadRead {
    /// The conversation's reference code.
    pub conversation: String,
    /// The note's name.
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
    /// Only this note. All of them unless said.
    pub key: Option<String>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FactSet {
    /// A group, e.g. a character's name.
    pub category: String,
    /// What it is about.
    pub key: String,
    /// What holds.
    pub value: String,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FactGet {
    /// The group.
    pub category: String,
    /// What it is about. All of the group unless said.
    pub key: Option<String>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Orient {
    /// What you are about to do or answer.
    pub query: String,
    /// Tokens that the document may have, at most 32,000.
    pub budget: Option<u32>,
    /// The conversation's reference code, if you take part in one.
    pub conversation: Option<String>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ConversationList {
    /// Only this channel's, by name. All channels in which you take part unless said.
    pub channel: Option<String>,
    /// The most conversations to give. 20 unless said.
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
    /// The most messages to give. 50 unless said.
    #[schemars(range(min = 1, max = 200))]
    pub limit: Option<u32>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ConversationAppend {
    /// The conversation's reference code.
    pub conversation: String,
    /// What you say. It is said as the agent; nobody speaks for the worldbuilder here.
    pub text: String,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NamedRead {
    /// The entry's name or an alias.
    pub name: String,
}

/// What is proposed.
#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// Another text for one memory.
    Edit,
    /// One memory in the place of several.
    Merge,
    /// Memories taken out of use.
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
    /// What is proposed.
    pub kind: Kind,
    /// The memories it is about: one for an edit, two for a conflict.
    pub ids: Vec<String>,
    /// The new text, for an edit or a merge.
    pub content: Option<String>,
    /// Why, in a few words. Do not repeat a memory's text here.
    pub reason: String,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Nothing {}

/// What a scrub keeps.
#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Mode {
    /// Nothing of what is named.
    Full,
    /// The worldbuilder's named entries.
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
    /// The channel (name or id) or the conversation (reference code); none for the workspace and the account.
    pub scope: Option<String>,
    /// What stays.
    pub mode: Mode,
    /// Destroy what was said in the conversation instead of its memory.
    #[serde(default)]
    pub purge: bool,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ScrubExecute {
    /// The tier to clear.
    pub tier: Tier,
    /// The channel (name or id) or the conversation (reference code); none for the workspace and the account.
    pub scope: Option<String>,
    /// What stays.
    pub mode: Mode,
    /// Destroy what was said in the conversation instead of its memory.
    #[serde(default)]
    pub purge: bool,
    /// The hash of the manifest that `scrub_preview` gave.
    pub hash: String,
    /// The phrase of that manifest, typed out.
    pub phrase: String,
}
