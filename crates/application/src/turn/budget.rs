//! How the context window of a model is divided in a turn.

use inklings_domain::conversation::message::estimated_tokens;
use inklings_ports::model::chat::ToolSpec;

use super::tools::specs;
use crate::orientation::CONTEXT_TOKENS;

/// The answer may have one part in this many of the window.
const PART_OF_ANSWER: u32 = 4;
/// Most tokens of an answer: some endpoints refuse a higher limit.
const MOST_ANSWER: u32 = 4_096;
/// Tools are offered if their definitions take at most one part in this many of the window.
const PART_OF_TOOLS: u64 = 2;

/// The parts of a context window, in tokens.
#[derive(Debug, Clone)]
pub(super) struct TokenBudget {
    /// Most tokens of the answer.
    pub(super) answer: u32,
    /// The tools that are offered; none if their definitions leave too little for the conversation.
    pub(super) tools: Vec<ToolSpec>,
    /// What is left for the prompt and the messages.
    pub(super) request: u32,
}

impl TokenBudget {
    /// Divides a window of this many tokens; the standard one if the model is not known.
    pub(super) fn of(context: Option<u32>) -> Self {
        let context = context.unwrap_or(CONTEXT_TOKENS);
        let answer = (context / PART_OF_ANSWER).min(MOST_ANSWER);
        let tools = specs();
        let cost: u64 = tools.iter().map(cost_of_tool).sum();
        let (tools, cost) =
            if cost <= u64::from(context) / PART_OF_TOOLS { (tools, cost) } else { (Vec::new(), 0) };
        let cost = u32::try_from(cost).unwrap_or(u32::MAX);
        Self { answer, tools, request: (context - answer).saturating_sub(cost) }
    }
}

fn cost_of_tool(tool: &ToolSpec) -> u64 {
    estimated_tokens(tool.name)
        + estimated_tokens(&tool.description)
        + estimated_tokens(&tool.schema.to_string())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn the_parts_fit_into_the_window_and_leave_room_for_the_conversation(context in 2_048_u32..2_000_000) {
            let budget = TokenBudget::of(Some(context));
            let tools: u64 = budget.tools.iter().map(cost_of_tool).sum();
            prop_assert!(u64::from(budget.answer) + tools + u64::from(budget.request) <= u64::from(context));
            prop_assert!(budget.request >= context / 4);
        }
    }

    #[test]
    fn the_standard_window_has_room_for_the_tools() {
        assert!(!TokenBudget::of(None).tools.is_empty());
    }
}
