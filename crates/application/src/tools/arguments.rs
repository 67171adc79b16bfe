//! The arguments of each tool. The descriptions are read by models.

use inklings_domain::{
    agent_telemetry::{ActionType, ErrorCode, Outcome, TargetType, metric::Measure, pattern::Annotation},
    ids::MemoryId,
    proposal::ProposalKind,
    scope::MemoryScope,
    scratchpad::MAX_TTL_SECONDS,
    scrub::ScrubMode,
};
use serde_json::Value;

use crate::subject::NamedLinks;

use super::argument::{Fraction, Whole, argument_words, arguments};

/// Maximum memories of one search.
pub const MOST_FOUND: u64 = 50;
/// Memories of a search without a limit.
pub const STANDARD_FOUND: usize = 10;
/// Rows of a list of conversations without a limit.
pub const STANDARD_CONVERSATIONS: usize = 20;
/// Messages of a transcript without a limit.
pub const STANDARD_MESSAGES: usize = 50;
/// Maximum size of an orientation in tokens.
pub const MOST_TOKENS: u64 = 32_000;
/// Maximum rows of a list of conversations or of a transcript.
pub const MOST_ROWS: u64 = 200;
/// Largest version or position.
const MOST: u64 = i64::MAX as u64;

arguments! {
    /// Arguments of `orient`.
    Orient {
        required query: String = "What you are about to do or answer.";
        optional budget: Whole<1, MOST_TOKENS> = "Tokens that the document may have.";
        optional conversation: String = "Reference code, if you take part in the conversation.";
    }
}

arguments! {
    /// Arguments of `memory_search`.
    MemorySearch {
        optional query: String = "Words or a question. Left out: the most important entries.";
        optional tier: MemoryScope = "Only this tier; tiers do not inherit. Default: all that you may read.";
        optional channel: String = "Only this channel, by name (channel tier).";
        optional conversation: String = "Only this conversation, by reference code (conversation tier).";
        optional limit: Whole<1, MOST_FOUND> = "Default: 10.";
    }
}

arguments! {
    /// Arguments of `memory_get`.
    MemoryGet {
        optional id: MemoryId = "Id of a memory.";
        optional name: String = "Instead of the id: name or alias of a named entry.";
        optional history: bool = "True: every version of the memory, newest first, with who made it.";
    }
}

arguments! {
    /// Arguments of `memory_put`.
    MemoryPut {
        required tier: MemoryScope = "conversation: this talk; channel: this topic; workspace: the whole world; account: how \
            the worldbuilder works, never names of this world.";
        optional channel: String = "Name of the channel (channel tier). Default: the only one that you take part in.";
        optional conversation: String = "Reference code of the conversation (conversation tier). Default: the only one that \
            you take part in.";
        required content: String = "One self-contained statement, at most 64 KiB.";
        optional importance: Fraction = "Default: 0.5.";
        optional tags: Vec<String> = "Tags.";
        optional about: Vec<String> = "Names of the subjects that it is about.";
        optional relation: String = "What it states of two subjects, such as 'is the sister of'; with from and to.";
        optional from: String = "Name of the subject that the relation starts at.";
        optional to: String = "Name of the subject that it leads to.";
        optional holds: String = "When it holds in the story, in dates of the world's calendar, such as '3 May, 788 –'.";
        optional sources: Vec<String> = "What it was made of: memory:ID, message:ID, fact:ID or page:ID. Each has to say it.";
    }
}

impl MemoryPut {
    /// The links that the memory shall have.
    pub fn links(&self) -> NamedLinks<'_> {
        NamedLinks {
            relation: self.relation.as_deref(),
            from: self.from.as_deref(),
            to: self.to.as_deref(),
            about: self.about.as_deref().unwrap_or_default(),
            holds: self.holds.as_deref(),
        }
    }
}

arguments! {
    /// Arguments of `memory_update`.
    MemoryUpdate {
        required id: MemoryId = "Id of the memory.";
        optional content: String = "Its new text.";
        optional importance: Fraction = "Its new importance.";
        optional tags: Vec<String> = "All its tags from now on.";
        optional version: Whole<1, MOST> = "The version that you read; refused if there is a later one.";
        optional reason: String = "Why, in a few words.";
        optional sources: Vec<String> = "What it was made of besides: memory:ID, message:ID, fact:ID or page:ID. Each has to \
            say it.";
    }
}

arguments! {
    /// Arguments of `memory_forget`.
    MemoryForget {
        required id: MemoryId = "Id of the memory.";
        required reason: String = "Why, in a few words.";
    }
}

argument_words! {
    /// What is done with facts.
    FactAction {
        /// Reads.
        Get = "get",
        /// Records.
        Set = "set",
    }
}

arguments! {
    /// Arguments of `fact`.
    Fact {
        required action: FactAction = "What to do.";
        required category: String = "Category, for example a character's name.";
        optional key: String = "What it is about. Left out of get: all facts of the category.";
        optional value: String = "What holds." ["set"];
        optional holds: String = "When it holds in the story, in dates of the world's calendar, such as '3 May, 788 –'. With \
            get: only what holds then.";
    }
}

argument_words! {
    /// What is done with working notes.
    ScratchpadAction {
        /// Reads one note or all.
        Read = "read",
        /// Writes one note.
        Write = "write",
        /// Removes one note or all.
        Clear = "clear",
    }
}

arguments! {
    /// Arguments of `scratchpad`.
    Scratchpad {
        required action: ScratchpadAction = "What to do.";
        optional key: String = "Key of the note. Left out of read and clear: all notes.";
        optional value: Value = "A text; any other JSON value is taken too. At most 256 KiB." ["write"];
        optional ttl_seconds: Whole<1, { MAX_TTL_SECONDS as u64 }> = "Seconds to live after the last read. Default: for good."
            ["write"];
        optional conversation: String = "Reference code. Default: the only conversation that you take part in.";
    }
}

argument_words! {
    /// What is done with conversations.
    ConversationAction {
        /// Lists conversations.
        List = "list",
        /// Reads the messages of one.
        Read = "read",
        /// Searches messages.
        Search = "search",
        /// Adds a message.
        Append = "append",
    }
}

arguments! {
    /// Arguments of `conversation`.
    Conversation {
        required action: ConversationAction = "What to do.";
        optional query: String = "Words or a question." ["search"];
        optional conversation: String = "Reference code. Left out of read and append: the only conversation that you take part \
            in; left out of search: all." ["read", "search", "append"];
        optional text: String = "The message." ["append"];
        optional before: Whole<0, MOST> = "Only messages before this position." ["read"];
        optional channel: String = "Only conversations of this channel, by name." ["list", "search"];
        optional limit: Whole<1, MOST_ROWS> = "Default: 20 conversations, 50 messages, or 10 found messages."
            ["list", "read", "search"];
    }
}

argument_words! {
    /// Kind of a proposal that an agent may file.
    ProposedChange {
        /// A new text for one memory.
        Edit = "edit",
        /// One memory that replaces several.
        Merge = "merge",
        /// Memories to forget.
        Retire = "retire",
        /// Two memories that contradict each other.
        Conflict = "conflict",
    }
}

impl From<ProposedChange> for ProposalKind {
    fn from(kind: ProposedChange) -> Self {
        match kind {
            ProposedChange::Edit => Self::Edit,
            ProposedChange::Merge => Self::Merge,
            ProposedChange::Retire => Self::Retire,
            ProposedChange::Conflict => Self::Conflict,
        }
    }
}

arguments! {
    /// Arguments of `proposal_create`.
    ProposalCreate {
        required kind: ProposedChange = "edit: another text; merge: one memory for several; retire: forget; conflict: two \
            contradict each other.";
        required ids: Vec<MemoryId> = "Ids of the memories: one for an edit, two for a conflict.";
        optional content: String = "The new text, for an edit or a merge.";
        required reason: String = "Why, in a few words that repeat no memory.";
    }
}

arguments! {
    /// Arguments of `memory_switch`.
    MemorySwitch {
        required enabled: bool = "False: agents and tasks add nothing durable. What is there stays.";
    }
}

argument_words! {
    /// What is done with the telemetry of agents.
    AgentTelemetryAction {
        /// Finds patterns and sequences.
        Search = "search",
        /// What is known before a task.
        Context = "context",
        /// Judges a pattern, or hides it.
        Annotate = "annotate",
        /// Defines a metric.
        MetricCreate = "metric_create",
        /// Reads the values of a metric.
        BenchmarkGet = "benchmark_get",
    }
}

/// Most days of the values of a metric.
pub const MOST_DAYS: u64 = 3_650;

arguments! {
    /// Arguments of `agent_telemetry`.
    AgentTelemetry {
        required action: AgentTelemetryAction = "What to do.";
        optional query: String = "Steps or a task. Left out of search: the newest." ["search", "context"];
        optional limit: Whole<1, MOST_FOUND> = "Sequences at most. Default: 10." ["search", "context"];
        optional id: String = "Id of a pattern." ["annotate"];
        optional annotation: Annotation = "Your judgement." ["annotate"];
        optional suppress: bool = "True: agents are not shown it any more." ["annotate"];
        optional measure: Measure = "What of the actions." ["metric_create"];
        optional of: ActionType = "Only this action." ["metric_create"];
        optional target: TargetType = "Only on this." ["metric_create"];
        optional outcome: Outcome = "Only with this outcome." ["metric_create"];
        optional error: ErrorCode = "Only with this code." ["metric_create"];
        optional metric: String = "Name or id of a metric. Default: all." ["benchmark_get"];
        optional days: Whole<1, MOST_DAYS> = "Default: 30." ["benchmark_get"];
    }
}

argument_words! {
    /// A step of a scrub.
    ScrubAction {
        /// Shows what would be destroyed.
        Preview = "preview",
        /// Destroys it.
        Execute = "execute",
    }
}

arguments! {
    /// Arguments of `scrub`.
    Scrub {
        required action: ScrubAction = "preview first.";
        required tier: MemoryScope = "The tier to clear.";
        optional channel: String = "Name of the channel (channel tier).";
        optional conversation: String = "Reference code of the conversation (conversation tier).";
        required mode: ScrubMode = "full: everything; keep_named: all but the worldbuilder's named entries.";
        optional purge: bool = "True: the messages of the conversation instead of its memory.";
        optional hash: String = "The hash that preview answered." ["execute"];
        optional phrase: String = "The phrase that preview answered." ["execute"];
    }
}
