//! Selects the messages of a conversation to show to the agent, and ranks search results among messages.

use std::collections::{BTreeMap, HashMap};

use crate::{
    conversation::message::Message,
    ids::{ConversationId, MessageId},
    scope::words,
};

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

/// A list that contributes to the ranking of messages.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TurnList {
    /// Full-text search in its own words.
    Text,
    /// Cosine of its own embedding.
    Meaning,
    /// Full-text score of adjacent turns, because an answer seldom repeats the question's words.
    Neighbours,
}

words!(TurnList, "list", { Text => "text", Meaning => "meaning", Neighbours => "neighbours" });

/// Weights of the text scores of adjacent turns, by distance from 1.
pub const BORROW: [f64; 2] = [0.5, 0.25];

/// A turn found by a list, or adjacent to one.
#[derive(Debug, Clone, PartialEq)]
pub struct TurnCandidate {
    /// Id of the message.
    pub id: MessageId,
    /// The conversation that contains it.
    pub conversation: ConversationId,
    /// Position in the conversation.
    pub position: u64,
    /// The session that contains it. Only turns of the same session share text scores.
    pub session: Option<String>,
    /// BM25 score, if full-text search found it.
    pub text: Option<f64>,
    /// Cosine, if vector search found it.
    pub meaning: Option<f64>,
}

/// A turn after ranking.
#[derive(Debug, Clone, PartialEq)]
pub struct RankedTurn {
    /// Id of the message.
    pub id: MessageId,
    /// Sum of the parts.
    pub score: f64,
    /// The contribution of each list; zero contributions are left out.
    pub parts: Vec<(TurnList, f64)>,
}

/// Ranks turns, best first. BM25 is scaled to the best score, and the cosine to the range of the candidates. Adjacent
/// turns add their text score, weighted by [`BORROW`]. Ties are broken by id, newest first.
pub fn rank_turns(candidates: &[TurnCandidate]) -> Vec<RankedTurn> {
    let best = candidates.iter().filter_map(|c| c.text).fold(0.0, f64::max);
    let share = |text: Option<f64>| text.map_or(0.0, |score| if best > 0.0 { score / best } else { 0.0 });
    let near = || candidates.iter().filter_map(|c| c.meaning);
    let (low, high) = near().fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), x| (l.min(x), h.max(x)));
    let stretched = |cosine: f64| if high > low { (cosine - low) / (high - low) } else { 1.0 };
    let places: HashMap<(ConversationId, u64), usize> =
        candidates.iter().enumerate().map(|(n, c)| ((c.conversation, c.position), n)).collect();

    let mut ranked: Vec<RankedTurn> = candidates
        .iter()
        .map(|turn| {
            let borrowed: f64 = around(turn.position)
                .filter_map(|(position, weight)| {
                    let other = &candidates[*places.get(&(turn.conversation, position))?];
                    (other.session == turn.session).then(|| weight * share(other.text))
                })
                .sum();
            let parts = [
                (TurnList::Text, share(turn.text)),
                (TurnList::Meaning, turn.meaning.map_or(0.0, stretched)),
                (TurnList::Neighbours, borrowed),
            ];
            let parts: Vec<_> = parts.into_iter().filter(|(_, score)| *score > 0.0).collect();
            RankedTurn { id: turn.id, score: parts.iter().map(|(_, score)| score).sum(), parts }
        })
        .collect();
    ranked.sort_by(|a, b| b.score.total_cmp(&a.score).then_with(|| b.id.cmp(&a.id)));
    ranked
}

/// The adjacent positions with the weight of their distance.
pub fn around(position: u64) -> impl Iterator<Item = (u64, f64)> {
    BORROW.iter().enumerate().flat_map(move |(n, weight)| {
        let distance = n as u64 + 1;
        let before = position.checked_sub(distance).filter(|at| *at > 0);
        [before, position.checked_add(distance)].into_iter().flatten().map(move |at| (at, *weight))
    })
}

#[cfg(test)]
mod tests {
    use chrono::{TimeZone, Utc};
    use uuid::Uuid;

    use super::*;
    use crate::conversation::message::{NewMessage, Role};

    fn message(position: u64) -> Message {
        let at = Utc.timestamp_opt(1_700_000_000, 0).single().expect("a valid time");
        let id = MessageId::from_uuid(Uuid::from_u128(u128::from(position)));
        Message {
            conversation: ConversationId::from_uuid(Uuid::from_u128(1)),
            position,
            body: NewMessage::said(id, Role::User, "words", at).expect("valid"),
            updated_at: at,
            consolidated_at: None,
        }
    }

    fn turn(position: u64, text: Option<f64>, meaning: Option<f64>) -> TurnCandidate {
        TurnCandidate {
            id: MessageId::from_uuid(Uuid::from_u128(u128::from(position))),
            conversation: ConversationId::from_uuid(Uuid::from_u128(1)),
            position,
            session: None,
            text,
            meaning,
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

    #[test]
    fn an_answer_borrows_the_words_of_its_question() {
        let ranked = rank_turns(&[turn(7, Some(4.0), None), turn(8, None, None), turn(20, Some(1.0), None)]);
        assert_eq!(ranked[0].parts, [(TurnList::Text, 1.0)]);
        let answer =
            ranked.iter().find(|r| r.id == MessageId::from_uuid(Uuid::from_u128(8))).expect("ranked");
        assert_eq!(answer.parts, [(TurnList::Neighbours, 0.5)]);
        let mut stranger = turn(8, None, None);
        stranger.session = Some("another".into());
        let alone = rank_turns(&[turn(7, Some(4.0), None), stranger]);
        assert!(alone[1].parts.is_empty(), "no words are borrowed across sessions");
    }

    proptest::proptest! {
        #[test]
        fn parts_add_up(turns in proptest::collection::btree_map(
            1u64..60, (proptest::option::of(0.0..20.0f64), proptest::option::of(-1.0..1.0f64)), 0..40)) {
            let turns: Vec<TurnCandidate> = turns.into_iter().map(|(at, (t, m))| turn(at, t, m)).collect();
            let ranked = rank_turns(&turns);
            proptest::prop_assert_eq!(ranked.len(), turns.len());
            proptest::prop_assert!(ranked.windows(2).all(|w| w[0].score >= w[1].score));
            for turn in ranked {
                let sum: f64 = turn.parts.iter().map(|(_, s)| s).sum();
                proptest::prop_assert!((sum - turn.score).abs() < 1e-9);
            }
        }
    }
}
