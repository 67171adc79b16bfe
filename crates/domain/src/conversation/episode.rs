//! Episodes: paragraphs that stand for older turns of a conversation (seed 004).

use chrono::{DateTime, Duration, Utc};

use crate::{
    conversation::message::Message,
    ids::{ConversationId, EpisodeId, MessageId},
    scope::words,
};

/// Turns that are always left as they are (seed 004).
pub const RETAIN_LAST: usize = 20;
/// Age in days from which a turn may be summarised (seed 004).
pub const MAX_AGE_DAYS: i64 = 30;
/// Fewer messages than this are not worth an episode (seed 004).
pub const MIN_TURNS: usize = 2;
/// Episodes shown to the agent, oldest first (seed 004).
pub const SHOWN: usize = 5;

/// Who wrote a summary.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SummaryMaker {
    /// The built-in one, which chooses sentences.
    Extract,
    /// The language model.
    Model,
}

words!(SummaryMaker, "summary maker", { Extract => "extract", Model => "model" });

/// A paragraph that stands for a range of a conversation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Episode {
    /// Its id.
    pub id: EpisodeId,
    /// The conversation.
    pub conversation: ConversationId,
    /// The paragraph.
    pub summary: String,
    /// The messages it stands for. A record of where it came from: the messages may be gone.
    pub sources: Vec<MessageId>,
    /// When the first of them was said.
    pub from: DateTime<Utc>,
    /// When the last of them was said.
    pub until: DateTime<Utc>,
    /// Who wrote it.
    pub maker: SummaryMaker,
    /// When it was written.
    pub created_at: DateTime<Utc>,
}

/// Which of a conversation's messages (in order of position) an episode may take up: older than `max_age`, outside the
/// `retain_last` newest, said in full, and not taken up before. Empty if they are too few.
pub fn candidates(
    messages: &[Message],
    retain_last: usize,
    max_age: Duration,
    now: DateTime<Utc>,
) -> Vec<&Message> {
    let old = messages.len().saturating_sub(retain_last);
    let chosen: Vec<&Message> = messages[..old]
        .iter()
        .filter(|m| m.consolidated_at.is_none() && m.is_speech() && now - m.body.at > max_age)
        .collect();
    if chosen.len() < MIN_TURNS { Vec::new() } else { chosen }
}

#[cfg(test)]
mod tests {
    use chrono::TimeZone;
    use uuid::Uuid;

    use super::*;
    use crate::conversation::message::{NewMessage, Role};

    fn said(position: u64, days_ago: i64) -> Message {
        let now = Utc.timestamp_opt(1_700_000_000, 0).single().expect("a valid time");
        let at = now - Duration::days(days_ago);
        let id = MessageId::from_uuid(Uuid::from_u128(u128::from(position)));
        Message {
            conversation: ConversationId::from_uuid(Uuid::from_u128(1)),
            position,
            body: NewMessage::said(id, Role::User, "words", at).expect("valid"),
            updated_at: at,
            consolidated_at: None,
        }
    }

    #[test]
    fn old_turns_outside_the_newest_are_taken_and_single_ones_left() {
        let now = Utc.timestamp_opt(1_700_000_000, 0).single().expect("a valid time");
        let all: Vec<Message> = (1..=30).map(|n| said(n, 60 - n as i64)).collect();
        let month = Duration::days(MAX_AGE_DAYS);
        assert_eq!(candidates(&all, RETAIN_LAST, month, now).len(), 10);
        assert_eq!(candidates(&all, 29, month, now).len(), 0, "one message alone is left");
        assert_eq!(candidates(&all, 0, month, now).len(), 29, "those within the month stay");
        let taken: Vec<Message> =
            all.into_iter().map(|m| Message { consolidated_at: Some(now), ..m }).collect();
        assert!(candidates(&taken, RETAIN_LAST, month, now).is_empty(), "nothing is taken up twice");
    }
}
