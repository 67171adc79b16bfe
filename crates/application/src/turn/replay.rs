//! The messages of a conversation as the turns of a request.

use std::collections::HashMap;

use inklings_domain::conversation::message::{Delivery, Message, Role};
use inklings_ports::model::chat::{ChatTurn, ToolCall};

use super::calls_of;
use crate::conversation::summarise::as_read;

/// Stands for an answer that never came, where an endpoint expects one.
const NO_ANSWER: &str = "(The answer was interrupted.)";

/// These messages as turns, in an order that every endpoint accepts: the first and the last one are for the model to answer, two of
/// the worldbuilder never follow one another, nor two texts of the model, and the answers of tools stand behind their calls. Empty
/// if the worldbuilder wrote none of the messages.
pub(super) fn turns(messages: &[&Message]) -> Vec<ChatTurn> {
    let mut request = RequestTurns::default();
    for (at, message) in messages.iter().enumerate() {
        match message.body.role {
            Role::User if message.is_attachment() => request.attach(&as_read(message)),
            Role::User => request.user(&message.body.content),
            Role::Assistant => request.assistant(message, &answers(&messages[at + 1..])),
            Role::System | Role::Tool => {}
        }
    }
    request.finished()
}

/// The answers of the tools that the message before these called, by the id of the call. Other messages may have come between.
fn answers<'m>(behind: &[&'m Message]) -> HashMap<&'m str, &'m Message> {
    let mut answers = HashMap::new();
    for message in behind.iter().take_while(|message| message.body.calls.is_none()) {
        if let Some(tool) = &message.body.tool {
            answers.entry(tool.call_id.as_str()).or_insert(*message);
        }
    }
    answers
}

#[derive(Default)]
struct RequestTurns {
    list: Vec<ChatTurn>,
    /// Texts that belong to the next message of the worldbuilder.
    attached: String,
    /// True if the last text of the model is an interrupted one.
    is_interrupted: bool,
}

impl RequestTurns {
    fn attach(&mut self, text: &str) {
        self.attached.push_str(text);
        self.attached.push_str("\n\n");
    }

    fn user(&mut self, text: &str) {
        let text = std::mem::take(&mut self.attached) + text;
        match self.list.last_mut() {
            Some(ChatTurn::User(before)) => {
                before.push_str("\n\n");
                before.push_str(&text);
                return;
            }
            Some(ChatTurn::Tool { .. }) => {
                self.list.push(ChatTurn::Assistant { text: NO_ANSWER.to_owned(), calls: Vec::new() });
            }
            _ => {}
        }
        self.list.push(ChatTurn::User(text));
    }

    fn assistant(&mut self, message: &Message, answers: &HashMap<&str, &Message>) {
        let mut calls = calls_of(&message.body);
        calls.retain(|call| answers.contains_key(call.id.as_str()));
        let text = message.body.content.trim_end();
        if self.list.is_empty() || (text.is_empty() && calls.is_empty()) {
            return;
        }
        let results: Vec<ChatTurn> = calls.iter().filter_map(|call| result(call, answers)).collect();
        match self.list.last_mut() {
            // The interrupted text was answered again.
            Some(ChatTurn::Assistant { text: before, calls: own }) if self.is_interrupted => {
                text.clone_into(before);
                *own = calls;
            }
            Some(ChatTurn::Assistant { text: before, calls: own }) => {
                if !before.is_empty() && !text.is_empty() {
                    before.push_str("\n\n");
                }
                before.push_str(text);
                *own = calls;
            }
            _ => self.list.push(ChatTurn::Assistant { text: text.to_owned(), calls }),
        }
        self.is_interrupted = message.body.delivery != Delivery::Complete && results.is_empty();
        self.list.extend(results);
    }

    fn finished(mut self) -> Vec<ChatTurn> {
        if !self.attached.is_empty() {
            let attached = std::mem::take(&mut self.attached);
            self.user(attached.trim_end());
        }
        // A text of the model behind the last message is answered anew: many endpoints refuse a request that ends with one.
        if matches!(self.list.last(), Some(ChatTurn::Assistant { .. })) {
            self.list.pop();
        }
        self.list
    }
}

fn result(call: &ToolCall, answers: &HashMap<&str, &Message>) -> Option<ChatTurn> {
    let answer = answers.get(call.id.as_str())?;
    let text = answer.body.content.clone();
    Some(ChatTurn::Tool { call_id: call.id.clone(), name: call.name.clone(), text })
}

#[cfg(test)]
mod tests {
    use chrono::DateTime;
    use inklings_domain::{
        conversation::{
            attachment::Attachment,
            message::{NewMessage, ToolUse},
        },
        ids::{ConversationId, MessageId},
    };
    use proptest::prelude::*;
    use uuid::Uuid;

    use super::*;
    use crate::turn::tools::to_json;

    #[derive(Debug, Clone)]
    enum Part {
        User(bool),
        Assistant(Delivery, &'static str, usize),
        Tool(usize),
    }

    fn part() -> impl Strategy<Value = Part> {
        let delivery =
            prop_oneof![Just(Delivery::Complete), Just(Delivery::Failed), Just(Delivery::Cancelled)];
        prop_oneof![
            any::<bool>().prop_map(Part::User),
            (delivery, prop_oneof![Just(""), Just("text")], 0_usize..3)
                .prop_map(|(delivery, text, calls)| Part::Assistant(delivery, text, calls)),
            (0_usize..3).prop_map(Part::Tool),
        ]
    }

    fn message(at: usize, part: &Part) -> Message {
        let id = MessageId::from_uuid(Uuid::from_u128(at as u128 + 1));
        let of = |role| NewMessage::new(id, role, "words", DateTime::UNIX_EPOCH).expect("a message");
        let body = match part {
            Part::User(attached) => NewMessage {
                attachment: attached.then(|| Attachment::of_file("gate.md").expect("a name")),
                ..of(Role::User)
            },
            Part::Assistant(delivery, text, calls) => {
                let call =
                    |n: usize| ToolCall { id: n.to_string(), name: "t".into(), arguments: "{}".into() };
                let calls: Vec<ToolCall> = (0..*calls).map(call).collect();
                let calls = (!calls.is_empty()).then(|| to_json(&calls));
                NewMessage { content: (*text).into(), delivery: *delivery, calls, ..of(Role::Assistant) }
            }
            Part::Tool(n) => NewMessage {
                tool: Some(ToolUse { call_id: n.to_string(), name: "t".into() }),
                ..of(Role::Tool)
            },
        };
        Message {
            conversation: ConversationId::from_uuid(Uuid::from_u128(1)),
            position: at as u64 + 1,
            body,
            updated_at: DateTime::UNIX_EPOCH,
            consolidated_at: None,
        }
    }

    fn is_user(turn: &ChatTurn) -> bool {
        matches!(turn, ChatTurn::User(_))
    }

    fn is_tool(turn: &ChatTurn) -> bool {
        matches!(turn, ChatTurn::Tool { .. })
    }

    proptest! {
        #[test]
        fn whatever_a_conversation_holds_its_turns_have_an_order_that_endpoints_accept(
            parts in proptest::collection::vec(part(), 0..14),
        ) {
            let messages: Vec<Message> = parts.iter().enumerate().map(|(at, part)| message(at, part)).collect();
            let turns = turns(&messages.iter().collect::<Vec<_>>());
            let has_user = parts.iter().any(|part| matches!(part, Part::User(_)));
            prop_assert_eq!(turns.is_empty(), !has_user);
            prop_assert!(turns.first().is_none_or(is_user));
            prop_assert!(turns.last().is_none_or(|last| is_user(last) || is_tool(last)));
            let mut open: Vec<&str> = Vec::new();
            for (at, turn) in turns.iter().enumerate() {
                let next = turns.get(at + 1);
                match turn {
                    ChatTurn::User(_) => prop_assert!(next.is_none_or(|next| !is_user(next) && !is_tool(next))),
                    ChatTurn::Assistant { text, calls } => {
                        prop_assert!(!text.is_empty() || !calls.is_empty());
                        open = calls.iter().map(|call| call.id.as_str()).collect();
                        let expected = if calls.is_empty() { is_user } else { is_tool };
                        prop_assert!(next.is_some_and(expected), "{turns:?}");
                    }
                    ChatTurn::Tool { call_id, .. } => {
                        prop_assert!(!open.is_empty());
                        prop_assert_eq!(open.remove(0), call_id.as_str());
                        prop_assert!(next.is_none_or(|next| !is_user(next)));
                        prop_assert!(open.is_empty() || next.is_some_and(is_tool));
                    }
                }
            }
        }
    }
}
