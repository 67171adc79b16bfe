//! Episodes: paragraphs that summarise older turns of a conversation.

use chrono::{DateTime, Duration, Utc};

use crate::{
    conversation::message::{Delivery, Message},
    ids::{ConversationId, EpisodeId, MessageId},
    scope::words,
};

/// Number of newest turns that are never summarised.
pub const RETAIN_LAST: usize = 20;
/// Age in days from which a turn may be summarised.
pub const MAX_AGE_DAYS: i64 = 30;
/// Minimum number of messages in an episode.
pub const MIN_TURNS: usize = 2;
/// Number of episodes shown to the agent, oldest first.
pub const SHOWN: usize = 5;

/// The author of a summary.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SummaryMaker {
    /// The built-in summariser, which selects sentences.
    Extract,
    /// The language model.
    Model,
}

words!(SummaryMaker, "summary maker", { Extract => "extract", Model => "model" });

/// A paragraph that summarises a range of a conversation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Episode {
    pub id: EpisodeId,
    /// The summarised conversation.
    pub conversation: ConversationId,
    /// The paragraph.
    pub summary: String,
    /// Ids of the summarised messages, as a record of origin: the messages may be deleted.
    pub sources: Vec<MessageId>,
    /// Time of the first summarised message.
    pub from: DateTime<Utc>,
    /// Time of the last summarised message.
    pub until: DateTime<Utc>,
    /// The author of the summary.
    pub maker: SummaryMaker,
    /// Creation time.
    pub created_at: DateTime<Utc>,
}

/// The messages of a conversation (in order of position) that an episode may summarise: older than `max_age`, not
/// among the `retain_last` newest, complete, and not yet summarised. Empty if there are fewer than [`MIN_TURNS`].
pub fn candidates(
    messages: &[Message],
    retain_last: usize,
    max_age: Duration,
    now: DateTime<Utc>,
) -> Vec<&Message> {
    let old = messages.len().saturating_sub(retain_last);
    let chosen: Vec<&Message> = messages[..old]
        .iter()
        .filter(|m| {
            m.consolidated_at.is_none()
                && m.is_speech()
                && m.body.delivery != Delivery::Streaming
                && now - m.body.at > max_age
        })
        .collect();
    if chosen.len() < MIN_TURNS { Vec::new() } else { chosen }
}

#[cfg(test)]
mod tests {
    use chrono::TimeZone;
    use uuid::Uuid;

    use super::*;
    use crate::conversation::message::{NewMessage, Role};

    fn message(position: u64, days_ago: i64) -> Message {
        let now = Utc.timestamp_opt(1_700_000_000, 0).single().expect("a valid time");
        let at = now - Duration::days(days_ago);
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
    fn old_turns_outside_the_newest_are_summarised_unless_there_is_only_one() {
        let now = Utc.timestamp_opt(1_700_000_000, 0).single().expect("a valid time");
        let all: Vec<Message> = (1..=30).map(|n| message(n, 60 - n as i64)).collect();
        let month = Duration::days(MAX_AGE_DAYS);
        assert_eq!(candidates(&all, RETAIN_LAST, month, now).len(), 10);
        assert_eq!(candidates(&all, 29, month, now).len(), 0, "one message alone is left");
        assert_eq!(candidates(&all, 0, month, now).len(), 29, "those within the month stay");
        let mut arriving = all.clone();
        arriving[0].body.delivery = Delivery::Streaming;
        assert_eq!(candidates(&arriving, RETAIN_LAST, month, now).len(), 9, "its end has not arrived");
        let taken: Vec<Message> =
            all.into_iter().map(|m| Message { consolidated_at: Some(now), ..m }).collect();
        assert!(candidates(&taken, RETAIN_LAST, month, now).is_empty(), "nothing is taken up twice");
    }
}
