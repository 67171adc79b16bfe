//! The types of actions: each tool with each of its actions.

use crate::scope::words;

/// A tool and its action. A tool with several actions also has a type of its own, for calls whose action could not be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ActionType {
    /// Orientation before a task.
    Orient,
    MemorySearch,
    MemoryGet,
    MemoryPut,
    /// Another text for a memory.
    MemoryUpdate,
    /// A memory taken out of use.
    MemoryForget,
    /// A call about facts.
    Fact,
    /// Facts, read.
    FactGet,
    /// A fact, recorded.
    FactSet,
    /// A call about conversations.
    Conversation,
    ConversationList,
    /// Messages of a conversation.
    ConversationRead,
    /// Messages, searched.
    ConversationSearch,
    /// A new message.
    ConversationAppend,
    /// A call about working notes.
    Scratchpad,
    /// Working notes, read.
    ScratchpadRead,
    /// A working note, written.
    ScratchpadWrite,
    /// Working notes, removed.
    ScratchpadClear,
    ProposalCreate,
    /// Memory switched on or off.
    MemorySwitch,
    /// A call about a scrub.
    Scrub,
    ScrubPreview,
    ScrubExecute,
    /// A call about telemetry.
    AgentTelemetry,
    /// Patterns and sequences, searched.
    AgentTelemetrySearch,
    /// Sequences that are like a task.
    AgentTelemetryContext,
    /// A pattern, judged or suppressed.
    AgentTelemetryAnnotate,
    /// A metric, defined.
    AgentTelemetryMetricCreate,
    /// The values of a metric.
    AgentTelemetryBenchmarkGet,
    /// A tool that does not exist.
    Unknown,
}

words!(ActionType, "action", {
    Orient => "orient",
    MemorySearch => "memory_search",
    MemoryGet => "memory_get",
    MemoryPut => "memory_put",
    MemoryUpdate => "memory_update",
    MemoryForget => "memory_forget",
    Fact => "fact",
    FactGet => "fact.get",
    FactSet => "fact.set",
    Conversation => "conversation",
    ConversationList => "conversation.list",
    ConversationRead => "conversation.read",
    ConversationSearch => "conversation.search",
    ConversationAppend => "conversation.append",
    Scratchpad => "scratchpad",
    ScratchpadRead => "scratchpad.read",
    ScratchpadWrite => "scratchpad.write",
    ScratchpadClear => "scratchpad.clear",
    ProposalCreate => "proposal_create",
    MemorySwitch => "memory_switch",
    Scrub => "scrub",
    ScrubPreview => "scrub.preview",
    ScrubExecute => "scrub.execute",
    AgentTelemetry => "agent_telemetry",
    AgentTelemetrySearch => "agent_telemetry.search",
    AgentTelemetryContext => "agent_telemetry.context",
    AgentTelemetryAnnotate => "agent_telemetry.annotate",
    AgentTelemetryMetricCreate => "agent_telemetry.metric_create",
    AgentTelemetryBenchmarkGet => "agent_telemetry.benchmark_get",
    Unknown => "unknown",
});

impl ActionType {
    /// The type of a tool's action; that of the tool alone if it has no such action, [`Self::Unknown`] if there is no such
    /// tool.
    pub fn of(tool: &str, action: &str) -> Self {
        let is = |word: &str| {
            let mut known = Self::ALL.iter().copied().filter(|kind| *kind != Self::Unknown);
            known.find(|kind| kind.tool() == tool && kind.word() == word)
        };
        is(action).or_else(|| is("")).unwrap_or(Self::Unknown)
    }

    /// The name of the tool.
    pub fn tool(self) -> &'static str {
        self.as_str().split_once('.').map_or(self.as_str(), |(tool, _)| tool)
    }

    /// The action; empty without one.
    pub fn word(self) -> &'static str {
        self.as_str().split_once('.').map_or("", |(_, action)| action)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_call_whose_action_cannot_be_read_counts_for_its_tool() {
        assert_eq!(ActionType::of("fact", "set"), ActionType::FactSet);
        assert_eq!(ActionType::of("fact", "The secret of Veyra"), ActionType::Fact);
        assert_eq!(ActionType::of("memory_put", ""), ActionType::MemoryPut);
        assert_eq!(ActionType::of("memory_put", "set"), ActionType::MemoryPut);
        for name in ["unknown", "The secret of Veyra", "fact.set", ""] {
            assert_eq!(ActionType::of(name, ""), ActionType::Unknown, "{name}");
        }
    }

    proptest::proptest! {
        #[test]
        fn every_type_is_found_by_its_tool_and_action(at in 0..ActionType::ALL.len() - 1) {
            let kind = ActionType::ALL[at];
            proptest::prop_assert_eq!(ActionType::of(kind.tool(), kind.word()), kind);
        }
    }
}
