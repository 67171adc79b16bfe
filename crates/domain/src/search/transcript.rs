//! Selects the messages of a conversation to show to the agent.

use std::collections::BTreeMap;

use crate::{conversation::message::Message, ids::MessageId, scope::words};

/// Number of newest messages that are always included.
pub const RECENCY: usize = 10;
/// Number of messages included for their importance.
pub const SALIENCE: usize = 5;
/// Minimum importance for that inclusion.
pub const SALIENT: f64 = 0.8;
/// Number of messages included for their similarity.
pub const RELEVANCE: usize = 5;
/// Cosine above which a message is similar enough.
pub const RELEVANT: f64 = 0.65;

/// The reason a message is included.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ContextLeg {
    /// It is one of the newest.
    Recency,
    /// It is important.
    Salience,
    /// It is similar in meaning to the query.
    Relevance,
    /// It follows the latest compaction and fits the budget.
    Replay,
}

words!(ContextLeg, "context leg", {
    Recency => "recency", Salience => "salience", Relevance => "relevance", Replay => "replay",
});

/// An included message with all its reasons.
#[derive(Debug, Clone, PartialEq)]
pub struct ContextItem {
    /// The included message.
    pub message: Message,
    /// The reasons in order; never empty.
    pub legs: Vec<ContextLeg>,
    /// Its cosine, if it is included for similarity.
    pub similarity: Option<f64>,
}

/// Combines the selections: each message once with all its reasons, in the order of the conversation.
pub fn context(recent: Vec<Message>, salient: Vec<Message>, near: Vec<(Message, f64)>) -> Vec<ContextItem> {
    let mut items: BTreeMap<(u64, MessageId), ContextItem> = BTreeMap::new();
    let recent = recent.into_iter().map(|m| (m, ContextLeg::Recency, None));
    let salient = salient.into_iter().map(|m| (m, ContextLeg::Salience, None));
    let near = near.into_iter().map(|(m, cosine)| (m, ContextLeg::Relevance, Some(cosine)));
    for (message, leg, similarity) in recent.chain(salient).chain(near) {
        let item = items.entry((message.position, message.id())).or_insert_with(|| ContextItem {
            message,
            legs: Vec::new(),
            similarity: None,
        });
        if !item.legs.contains(&leg) {
            item.legs.push(leg);
        }
        item.similarity = item.similarity.or(similarity);
    }
    items.into_values().collect()
}

impl ContextItem {
    /// True if it is replayed as part of the conversation, in order; otherwise it is rendered as a note from earlier.
    pub fn is_replayed(&self) -> bool {
        self.legs.iter().any(|leg| matches!(leg, ContextLeg::Recency | ContextLeg::Replay))
    }
}

/// Adds the messages after the latest compaction to a context.
pub fn with_replay(mut items: Vec<ContextItem>, replayed: Vec<Message>) -> Vec<ContextItem> {
    for message in replayed {
        match items.iter_mut().find(|item| item.message.id() == message.id()) {
            Some(item) if item.legs.contains(&ContextLeg::Recency) => {}
            Some(item) => item.legs.push(ContextLeg::Replay),
            None => items.push(ContextItem { message, legs: vec![ContextLeg::Replay], similarity: None }),
        }
    }
    items.sort_by_key(|item| (item.message.position, item.message.id()));
    items
}

#[cfg(test)]
mod tests {
    use chrono::{TimeZone, Utc};
    use uuid::Uuid;

    use super::*;
    use crate::{
        conversation::message::{NewMessage, Role},
        ids::ConversationId,
    };

    fn message(position: u64) -> Message {
        let at = Utc.timestamp_opt(1_700_000_000, 0).single().expect("a valid time");
        let id = MessageId::from_uuid(Uuid::from_u128(u128::from(position)));
        Message {
            conversation: ConversationId::from_uuid(Uuid::from_u128(1)),
            position,
            body: NewMessage::new(id, Role::User, "words", at).expect("valid"),
            updated_at: at,
            consolidated_at: None,
        }
    }

    #[test]
    fn a_message_chosen_twice_is_shown_once_with_both_reasons() {
        let items =
            context(vec![message(3), message(4)], vec![message(1), message(3)], vec![(message(1), 0.7)]);
        let shown: Vec<(u64, usize)> = items.iter().map(|i| (i.message.position, i.legs.len())).collect();
        assert_eq!(shown, [(1, 2), (3, 2), (4, 1)]);
        assert_eq!(items[0].similarity, Some(0.7));
    }

    #[test]
    fn what_is_replayed_stands_in_its_order_and_the_newest_keep_their_own_reason() {
        let items = context(vec![message(9)], vec![message(2)], Vec::new());
        let shown = with_replay(items, vec![message(2), message(8), message(9)]);
        let legs: Vec<(u64, &[ContextLeg])> =
            shown.iter().map(|item| (item.message.position, item.legs.as_slice())).collect();
        let both = [ContextLeg::Salience, ContextLeg::Replay];
        assert_eq!(legs, [(2, both.as_slice()), (8, &[ContextLeg::Replay]), (9, &[ContextLeg::Recency])]);
    }
}
