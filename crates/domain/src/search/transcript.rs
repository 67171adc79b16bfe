//! What of a conversation the agent is shown (seed 002), and how search over what was said is ranked.

use std::collections::{BTreeMap, HashMap};

use crate::{
    conversation::message::Message,
    ids::{ConversationId, MessageId},
    scope::words,
};

/// Newest messages that are always shown (seed 002).
pub const RECENCY: usize = 10;
/// Messages shown because they matter (seed 002).
pub const SALIENCE: usize = 5;
/// How much a message must matter to be shown for it (seed 002).
pub const SALIENT: f64 = 0.8;
/// Messages shown because they are near in meaning (seed 002).
pub const RELEVANCE: usize = 5;
/// Cosine above which a message counts as near (seed 002).
pub const RELEVANT: f64 = 0.65;

/// Why a message is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ContextLeg {
    /// It is one of the newest.
    Recency,
    /// It matters.
    Salience,
    /// It is near in meaning to what was asked.
    Relevance,
    /// It was said behind the latest compaction, and there is room for it (seed 003).
    Replay,
}

words!(ContextLeg, "context leg", {
    Recency => "recency", Salience => "salience", Relevance => "relevance", Replay => "replay",
});

/// A message that is shown, with every leg that chose it.
#[derive(Debug, Clone, PartialEq)]
pub struct ContextItem {
    /// The message.
    pub message: Message,
    /// The legs that chose it, in their order; never empty.
    pub legs: Vec<ContextLeg>,
    /// Its cosine, where the last leg chose it.
    pub similarity: Option<f64>,
}

/// Puts the legs together: each message once, with all its legs, in the order in which they were said.
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
    /// True if it is part of the conversation as it is replayed, in its order; else it is shown as a note from earlier.
    pub fn is_replayed(&self) -> bool {
        self.legs.iter().any(|leg| matches!(leg, ContextLeg::Recency | ContextLeg::Replay))
    }
}

/// Adds what was said behind the latest compaction to a context.
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

/// A list that a found message can stand in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TurnList {
    /// Its own words.
    Text,
    /// Its own meaning.
    Meaning,
    /// Words of the turns around it: an answer seldom repeats the question's words.
    Neighbours,
}

words!(TurnList, "list", { Text => "text", Meaning => "meaning", Neighbours => "neighbours" });

/// How far a turn borrows words, with the weight of each distance.
pub const BORROW: [f64; 2] = [0.5, 0.25];

/// A turn that a list found, or that stands beside one.
#[derive(Debug, Clone, PartialEq)]
pub struct TurnCandidate {
    /// Which message.
    pub id: MessageId,
    /// Its conversation.
    pub conversation: ConversationId,
    /// Its place there.
    pub position: u64,
    /// The session it was part of: words are borrowed within one session only.
    pub session: Option<String>,
    /// BM25, if its words were found.
    pub text: Option<f64>,
    /// Cosine, if its meaning was.
    pub meaning: Option<f64>,
}

/// A turn after ranking.
#[derive(Debug, Clone, PartialEq)]
pub struct RankedTurn {
    /// Which message.
    pub id: MessageId,
    /// Sum of the parts.
    pub score: f64,
    /// What each list gave; lists that gave nothing are left out.
    pub parts: Vec<(TurnList, f64)>,
}

/// Orders turns, best first: BM25 as a share of the best, cosine stretched over the candidates' range, and half the
/// text share of the turns beside it. Ties are broken by id, newest first.
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

/// The positions around one, with the weight of their distance.
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
