//! Fits the messages of a conversation into the token budget of a request.

use inklings_domain::{
    conversation::message::{Message, Role, estimated_tokens, turn_start},
    search::transcript::ContextItem,
};

use crate::conversation::summarise::as_read;

/// A tool's answer is cut to no less than this many tokens.
const LEAST_OF_TOOL: u64 = 64;

/// Drops the oldest replayed messages until the rest has at most `budget` tokens, with `fixed` tokens of the prompt. The current
/// turn stays. If it is too long by itself, the longest answers of its tools are cut. Returns the tokens of what is left, which
/// are more than the budget if the worldbuilder's own message is too long.
pub(super) fn fit(items: &mut Vec<ContextItem>, fixed: u64, budget: u64) -> u64 {
    let replayed: Vec<usize> = (0..items.len()).filter(|at| items[*at].is_replayed()).collect();
    let messages: Vec<&Message> = replayed.iter().map(|at| &items[*at].message).collect();
    let start = turn_start(&messages).unwrap_or(messages.len().saturating_sub(1));
    let costs: Vec<u64> = messages.iter().map(|message| cost(message)).collect();
    let mut tokens = fixed + costs.iter().sum::<u64>();
    let mut dropped = 0;
    while tokens > budget && dropped < start {
        tokens -= costs[dropped];
        dropped += 1;
    }
    let of_tools: Vec<usize> =
        (start..messages.len()).filter(|at| messages[*at].body.role == Role::Tool).collect();
    if tokens > budget {
        let long: Vec<u64> = of_tools.iter().map(|at| costs[*at]).collect();
        let most = most_of_each(&long, tokens - budget);
        for at in of_tools.into_iter().filter(|at| costs[*at] > most) {
            let message = &mut items[replayed[at]].message;
            message.body.content = cut(&message.body.content, most);
            tokens = tokens - costs[at] + cost(message);
        }
    }
    let mut at = 0;
    items.retain(|_| {
        at += 1;
        !replayed[..dropped].contains(&(at - 1))
    });
    tokens
}

/// Estimated tokens of a message in a request, with its tool calls.
fn cost(message: &Message) -> u64 {
    let calls = message.body.calls.as_deref().map_or(0, estimated_tokens);
    estimated_tokens(&as_read(message)) + calls
}

/// The most tokens that each of these texts may have, so that all of them have `excess` fewer: the long ones become equally long.
fn most_of_each(costs: &[u64], excess: u64) -> u64 {
    let mut sorted = costs.to_vec();
    sorted.sort_unstable();
    let mut left = sorted.iter().sum::<u64>().saturating_sub(excess);
    for (at, cost) in sorted.iter().enumerate() {
        let share = left / (sorted.len() - at) as u64;
        if share < *cost {
            return share.max(LEAST_OF_TOOL);
        }
        left -= cost;
    }
    u64::MAX
}

/// The beginning of a text, with a note that it is cut, in at most about `tokens` tokens.
pub(super) fn cut(text: &str, tokens: u64) -> String {
    let count = text.chars().count();
    let with_note = |shown: usize| {
        let beginning: String = text.chars().take(shown).collect();
        format!("{beginning} [cut: {shown} of {count} characters]")
    };
    let (mut fits, mut too_many) = (0, count + 1);
    while too_many - fits > 1 {
        let middle = usize::midpoint(fits, too_many);
        if estimated_tokens(&with_note(middle)) <= tokens { fits = middle } else { too_many = middle }
    }
    with_note(fits)
}

#[cfg(test)]
mod tests {
    use chrono::DateTime;
    use inklings_domain::{
        conversation::message::NewMessage,
        ids::{ConversationId, MessageId},
        search::transcript::ContextLeg,
    };
    use proptest::prelude::*;
    use uuid::Uuid;

    use super::*;

    fn items(texts: &[(Role, String)]) -> Vec<ContextItem> {
        let item = |(at, (role, text)): (usize, &(Role, String))| {
            let id = MessageId::from_uuid(Uuid::from_u128(at as u128 + 1));
            ContextItem {
                message: Message {
                    conversation: ConversationId::from_uuid(Uuid::from_u128(1)),
                    position: at as u64 + 1,
                    body: NewMessage::new(id, *role, text, DateTime::UNIX_EPOCH).expect("a message"),
                    updated_at: DateTime::UNIX_EPOCH,
                    consolidated_at: None,
                },
                legs: vec![ContextLeg::Replay],
                similarity: None,
            }
        };
        texts.iter().enumerate().map(item).collect()
    }

    fn message() -> impl Strategy<Value = (Role, String)> {
        let role = prop_oneof![Just(Role::User), Just(Role::Assistant), Just(Role::Tool)];
        (role, 1_usize..3_000).prop_map(|(role, length)| (role, "x".repeat(length)))
    }

    proptest! {
        #[test]
        fn a_request_fits_if_the_longest_answers_of_tools_can_be_cut_and_holds_the_current_turn(
            before in proptest::collection::vec(message(), 0..12),
            question in 1_usize..300,
            answers in proptest::collection::vec(1_usize..40_000, 0..6),
            fixed in 0_u64..200,
        ) {
            let mut texts = before;
            texts.push((Role::User, "q".repeat(question)));
            texts.extend(answers.iter().map(|length| (Role::Tool, "t".repeat(*length))));
            let mut all = items(&texts);
            let own = answers.len() + 1;
            let budget = 1_000;
            let tokens = fit(&mut all, fixed, budget);
            prop_assert_eq!(tokens, fixed + all.iter().map(|item| cost(&item.message)).sum::<u64>());
            prop_assert!(tokens <= budget, "{tokens}");
            let kept = &all[all.len() - own..];
            prop_assert_eq!(kept[0].message.body.content.len(), question);
            // Nothing is cut while older messages are there.
            let is_cut = kept.iter().any(|item| item.message.body.content.contains("[cut: "));
            prop_assert!(!is_cut || all.len() == own);
        }
    }

    #[test]
    fn only_the_longest_answers_of_tools_are_cut() {
        let texts = [
            (Role::User, "Why?".to_owned()),
            (Role::Tool, "short".to_owned()),
            (Role::Tool, "long ".repeat(9_000)),
        ];
        let mut all = items(&texts);
        assert!(fit(&mut all, 0, 500) <= 500);
        assert_eq!(all[1].message.body.content, "short");
        assert!(all[2].message.body.content.ends_with("of 44999 characters]"));
    }
}
