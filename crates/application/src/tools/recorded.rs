//! What telemetry records of a call: its type and its target, never an argument.

use inklings_domain::agent_telemetry::{ActionType, Target, TargetType};
use serde_json::{Map, Value};

use super::{
    Call, Caller, TOOLS, Tool,
    arguments::{
        AgentTelemetryAction, ConversationAction, FactAction, MemoryGet, ScratchpadAction, ScrubAction,
    },
};

/// What is recorded of a call before it runs. Of a call that cannot be read, only the tool and the word of its action, if
/// they exist.
pub(crate) fn recorded(name: &str, arguments: &Map<String, Value>) -> (ActionType, Target) {
    if let Ok(call) = Call::parse(name, arguments) {
        return call.recorded();
    }
    let action = arguments.get("action").and_then(Value::as_str).unwrap_or_default();
    (ActionType::of(name, action), Target::any(TargetType::Unknown))
}

impl Call {
    fn recorded(&self) -> (ActionType, Target) {
        let memories = Target::any(TargetType::Memory);
        match self {
            Self::Orient(_) => (ActionType::Orient, Target::any(TargetType::Workspace)),
            Self::MemorySearch(_) => (ActionType::MemorySearch, memories),
            Self::MemoryGet(MemoryGet { page: Some(page), .. }) => {
                (ActionType::MemoryGet, Target::one(TargetType::Page, *page.as_uuid()))
            }
            Self::MemoryGet(args) => {
                (ActionType::MemoryGet, Target { id: args.id.map(|id| *id.as_uuid()), ..memories })
            }
            Self::MemoryPut(_) => (ActionType::MemoryPut, memories),
            Self::MemoryUpdate(args) => {
                (ActionType::MemoryUpdate, Target { id: Some(*args.id.as_uuid()), ..memories })
            }
            Self::MemoryForget(args) => {
                (ActionType::MemoryForget, Target { id: Some(*args.id.as_uuid()), ..memories })
            }
            Self::Fact(args) => {
                let action = match args.action {
                    FactAction::Get => ActionType::FactGet,
                    FactAction::Set => ActionType::FactSet,
                };
                (action, Target::any(TargetType::Fact))
            }
            Self::Conversation(args) => {
                let action = match args.action {
                    ConversationAction::List => ActionType::ConversationList,
                    ConversationAction::Read => ActionType::ConversationRead,
                    ConversationAction::Search => ActionType::ConversationSearch,
                    ConversationAction::Append => ActionType::ConversationAppend,
                };
                (action, Target::any(TargetType::Conversation))
            }
            Self::Scratchpad(args) => {
                let action = match args.action {
                    ScratchpadAction::Read => ActionType::ScratchpadRead,
                    ScratchpadAction::Write => ActionType::ScratchpadWrite,
                    ScratchpadAction::Clear => ActionType::ScratchpadClear,
                };
                (action, Target::any(TargetType::Note))
            }
            Self::ProposalCreate(args) => {
                let only = if let [only] = args.ids.as_slice() { Some(*only.as_uuid()) } else { None };
                (ActionType::ProposalCreate, Target { id: only, ..memories })
            }
            Self::MemorySwitch(_) => (ActionType::MemorySwitch, Target::any(TargetType::Workspace)),
            Self::Scrub(args) => {
                let action = match args.action {
                    ScrubAction::Preview => ActionType::ScrubPreview,
                    ScrubAction::Execute => ActionType::ScrubExecute,
                };
                (action, memories)
            }
            Self::AgentTelemetry(args) => {
                let action = match args.action {
                    AgentTelemetryAction::Search => ActionType::AgentTelemetrySearch,
                    AgentTelemetryAction::Context => ActionType::AgentTelemetryContext,
                    AgentTelemetryAction::Annotate => ActionType::AgentTelemetryAnnotate,
                    AgentTelemetryAction::MetricCreate => ActionType::AgentTelemetryMetricCreate,
                    AgentTelemetryAction::BenchmarkGet => ActionType::AgentTelemetryBenchmarkGet,
                };
                (action, Target::any(TargetType::Telemetry))
            }
        }
    }
}

/// True if a caller has the tool of an action.
pub(crate) fn is_shown_action(action: ActionType, caller: Caller<'_>) -> bool {
    let tool = TOOLS.iter().find(|tool| tool.name == action.tool());
    tool.is_some_and(|tool: &Tool| {
        let own = |word: &str| action.word().is_empty() || word == action.word();
        tool.actions.iter().any(|of_tool| {
            own(of_tool.word)
                && match caller {
                    Caller::WorldAgent => of_tool.world_agent,
                    Caller::Client(grants) => of_tool.need.is_met(grants),
                }
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_tool_with_each_of_its_actions_has_a_type_and_no_other_type_has_a_tool() {
        let mut types = Vec::new();
        for tool in TOOLS {
            for action in tool.actions {
                let kind = ActionType::of(tool.name, action.word);
                assert_eq!(
                    (kind.tool(), kind.word()),
                    (tool.name, action.word),
                    "a call of it would not be recorded"
                );
                types.push(kind);
            }
        }
        for kind in ActionType::ALL.iter().filter(|kind| **kind != ActionType::Unknown) {
            let alone = kind.word().is_empty() && TOOLS.iter().any(|tool| tool.name == kind.tool());
            assert!(alone || types.contains(kind), "{kind} has no tool");
        }
    }
}
