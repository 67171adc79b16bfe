//! Sequences: the actions of one turn of the World Agent, or of one client at work.

use std::fmt::Write as _;

use chrono::{DateTime, Duration, Utc};

use super::{ActionType, TargetType};
use crate::ids::{AgentSequenceId, ClientId, ConversationId, RunId};

/// A client that did nothing for this long begins a new sequence with its next action.
pub const PAUSE: Duration = Duration::minutes(30);
/// Steps of a summary; what comes after them is left out of it.
const MOST_STEPS: usize = 40;
/// The end of a summary that leaves steps out.
const MORE: &str = ", and more";

/// A sequence of actions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AgentSequence {
    pub id: AgentSequenceId,
    /// The client; `None` for the World Agent.
    pub client: Option<ClientId>,
    /// The conversation of the turn.
    pub conversation: Option<ConversationId>,
    pub turn: Option<RunId>,
    /// When its first action began.
    pub started_at: DateTime<Utc>,
    /// When its last action began.
    pub ended_at: DateTime<Utc>,
    /// Number of actions.
    pub actions: u64,
    /// The steps in words, made by [`summary`].
    pub summary: String,
}

/// One step: an action and what it was done to.
pub type Step = (ActionType, TargetType);

/// The steps of a sequence in words, made from the types alone: `memory_search on memory 3 times, fact.set on fact`. Equal
/// steps that follow each other are one.
pub fn summary(steps: impl IntoIterator<Item = Step>) -> String {
    let mut runs: Vec<(Step, usize)> = Vec::new();
    let mut more = false;
    for step in steps {
        if let Some((_, times)) = runs.last_mut().filter(|(last, _)| *last == step) {
            *times += 1;
        } else if runs.len() < MOST_STEPS {
            runs.push((step, 1));
        } else {
            more = true;
            break;
        }
    }
    let mut text = String::new();
    for ((action, target), times) in runs {
        let comma = if text.is_empty() { "" } else { ", " };
        let _ = write!(text, "{comma}{action} on {target}");
        if times > 1 {
            let _ = write!(text, " {times} times");
        }
    }
    if more {
        text.push_str(MORE);
    }
    text
}

/// True for a summary that more steps at the end of the sequence do not change.
pub fn is_full(summary: &str) -> bool {
    summary.ends_with(MORE)
}

/// How well a summary matches a query by words alone, from 0 to 1: the share of the query's words that it holds.
pub fn word_match(summary: &str, query: &str) -> f64 {
    let parts = |text: &str| -> Vec<String> {
        crate::words::words(text)
            .iter()
            .flat_map(|word| word.split('_').map(str::to_owned).collect::<Vec<_>>())
            .filter(|word| !word.is_empty() && !crate::words::is_stop_word(word))
            .collect()
    };
    let (held, asked) = (parts(summary), parts(query));
    if asked.is_empty() {
        return 0.0;
    }
    let found = asked.iter().filter(|word| held.contains(word)).count();
    found as f64 / asked.len() as f64
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn steps() -> impl Strategy<Value = Vec<Step>> {
        let step = (0..ActionType::ALL.len(), 0..TargetType::ALL.len());
        proptest::collection::vec(step.prop_map(|(a, t)| (ActionType::ALL[a], TargetType::ALL[t])), 0..120)
    }

    #[test]
    fn equal_steps_that_follow_each_other_are_one() {
        let search = (ActionType::MemorySearch, TargetType::Memory);
        let set = (ActionType::FactSet, TargetType::Fact);
        assert_eq!(
            summary([search, search, set, search]),
            "memory_search on memory 2 times, fact.set on fact, memory_search on memory"
        );
        assert_eq!(summary([]), "");
    }

    #[test]
    fn a_summary_is_found_by_the_words_of_its_tools() {
        let text = summary([(ActionType::FactSet, TargetType::Fact)]);
        assert!(word_match(&text, "set a fact") > 0.9);
        assert!(word_match(&text, "conversation") < 0.1);
        assert!(word_match(&text, "") < 0.1);
    }

    proptest! {
        #[test]
        fn a_summary_holds_only_words_of_types_and_is_bounded(steps in steps(), more in steps()) {
            let text = summary(steps.iter().copied());
            prop_assert!(text.len() <= 4_000);
            let with_more = summary(steps.iter().copied().chain(more));
            prop_assert!(!is_full(&text) || with_more == text);
            for word in text.split([' ', ',']).filter(|word| !word.is_empty()) {
                let known = word.parse::<ActionType>().is_ok()
                    || word.parse::<TargetType>().is_ok()
                    || ["on", "times", "and", "more"].contains(&word)
                    || word.parse::<usize>().is_ok();
                prop_assert!(known, "{}", word);
            }
        }
    }
}
