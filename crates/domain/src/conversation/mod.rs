//! Conversations with the World Agent inside a channel, and their life cycle.

pub mod attachment;
pub mod episode;
pub mod message;
pub mod ref_code;
pub mod summary;
pub mod title;

use chrono::{DateTime, Utc};

use crate::{
    conversation::{
        message::{Message, Role},
        ref_code::RefCode,
        title::TitleSource,
    },
    ids::{ChannelId, ConversationId},
    lens::Lens,
    text::{self, TextError},
};

/// The status of a conversation. It goes from active to idle to archived, or from active directly to archived.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ConversationStatus {
    /// The conversation is open; `ended_at` is empty.
    Active,
    /// Ended normally, open for review; `ended_at` is set.
    Idle,
    /// Archived by the worldbuilder.
    Archived,
}

crate::scope::words!(ConversationStatus, "conversation status", {
    Active => "active", Idle => "idle", Archived => "archived",
});

/// The reason a status change or a message was refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ConversationTransitionError {
    #[error("this conversation is idle already")]
    AlreadyIdle,
    #[error("this conversation is archived already")]
    AlreadyArchived,
    /// An archived conversation cannot become idle.
    #[error("this conversation is archived; continue it in a new one")]
    Archived,
    /// Only an active conversation takes new messages.
    #[error("this conversation has ended; continue it in a new one")]
    Ended,
}

/// A language model that a conversation names in place of the account's.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ModelChoice {
    model: String,
    address: String,
}

impl ModelChoice {
    /// A model at the endpoint of this address.
    ///
    /// # Errors
    /// [`TextError`] unless both are a single line without control characters.
    pub fn new(model: &str, address: &str) -> Result<Self, TextError> {
        let line = |field, text: &str, limit| match text::given(field, text.trim(), limit) {
            Ok(text) if text.is_empty() => Err(TextError::Empty { field }),
            checked => checked,
        };
        Ok(Self { model: line("model", model, 200)?, address: line("address", address, 2_000)? })
    }

    /// The name of the model at its endpoint.
    pub fn model(&self) -> &str {
        &self.model
    }

    /// The base URL of the endpoint.
    pub fn address(&self) -> &str {
        &self.address
    }
}

/// The reason why no branch can begin at a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum BranchError {
    /// Only what the worldbuilder or the World Agent wrote can be replaced by another turn.
    #[error("a branch begins at a message of yours or at an answer")]
    NotSaid,
}

/// One exchange with the World Agent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Conversation {
    pub id: ConversationId,
    /// Short code for people and links.
    pub ref_code: RefCode,
    /// The channel that contains it.
    pub channel_id: ChannelId,
    /// Title; may be empty.
    pub title: String,
    /// Where the title comes from. `None` if there is none yet, or it was given before this was recorded.
    pub titled: Option<TitleSource>,
    /// Start time.
    pub started_at: DateTime<Utc>,
    /// End time: set on the change from active to idle or archived.
    pub ended_at: Option<DateTime<Utc>>,
    pub status: ConversationStatus,
    /// The earlier conversation that this one continues.
    pub continues: Option<ConversationId>,
    /// For a branch: the position of the last message of `continues` that it shares, 0 if it shares none (ADR 54). `None` if
    /// it is no branch.
    pub shares_through: Option<u64>,
    /// The model that answers in it. `None`: the account's.
    pub model: Option<ModelChoice>,
    /// Time of the last message, or the start time if there is none. Maintained by the store.
    pub active_at: DateTime<Utc>,
    /// Whose knowledge its turns show, and up to when the story has happened. It stays once something was said.
    pub lens: Lens,
}

impl Conversation {
    /// A conversation that starts now. A title that it has is a person's.
    pub fn begin(
        id: ConversationId,
        ref_code: RefCode,
        channel_id: ChannelId,
        title: String,
        continues: Option<ConversationId>,
        now: DateTime<Utc>,
    ) -> Self {
        Self {
            id,
            ref_code,
            channel_id,
            titled: (!title.is_empty()).then_some(TitleSource::Person),
            title,
            started_at: now,
            ended_at: None,
            status: ConversationStatus::Active,
            continues,
            shares_through: None,
            model: None,
            active_at: now,
            lens: Lens::NONE,
        }
    }

    /// Returns the conversation as idle, after the agent's session ended normally.
    ///
    /// # Errors
    /// [`ConversationTransitionError`] unless it is active.
    pub fn idle(&self, now: DateTime<Utc>) -> Result<Self, ConversationTransitionError> {
        match self.status {
            ConversationStatus::Active => {
                Ok(Self { status: ConversationStatus::Idle, ended_at: Some(now), ..self.clone() })
            }
            ConversationStatus::Idle => Err(ConversationTransitionError::AlreadyIdle),
            ConversationStatus::Archived => Err(ConversationTransitionError::Archived),
        }
    }

    /// Returns the conversation as archived. An active conversation ends now.
    ///
    /// # Errors
    /// [`ConversationTransitionError::AlreadyArchived`].
    pub fn archive(&self, now: DateTime<Utc>) -> Result<Self, ConversationTransitionError> {
        match self.status {
            ConversationStatus::Archived => Err(ConversationTransitionError::AlreadyArchived),
            ConversationStatus::Active | ConversationStatus::Idle => Ok(Self {
                status: ConversationStatus::Archived,
                ended_at: self.ended_at.or(Some(now)),
                ..self.clone()
            }),
        }
    }

    /// Checks that the conversation accepts new messages.
    ///
    /// # Errors
    /// [`ConversationTransitionError::Ended`] unless it is active.
    pub const fn takes_messages(&self) -> Result<(), ConversationTransitionError> {
        match self.status {
            ConversationStatus::Active => Ok(()),
            ConversationStatus::Idle | ConversationStatus::Archived => {
                Err(ConversationTransitionError::Ended)
            }
        }
    }

    /// The position of the last message that a branch from before `at` shares.
    ///
    /// # Errors
    /// [`BranchError`] if no branch can begin there.
    pub fn branch_before(at: &Message) -> Result<u64, BranchError> {
        if at.is_marker() || !matches!(at.body.role, Role::User | Role::Assistant) {
            return Err(BranchError::NotSaid);
        }
        Ok(at.position.saturating_sub(1))
    }

    /// What this conversation shares of the one before, for a reader of this one up to a position (`None`: of all of it).
    pub fn shared_within(&self, through: Option<u64>) -> Option<u64> {
        self.shares_through.map(|shared| through.map_or(shared, |through| shared.min(through)))
    }

    /// The conversation with a title that a person gave. An empty one is their choice too.
    pub fn renamed(&self, title: &str) -> Result<Self, TextError> {
        Ok(Self { title: Self::title(title)?, titled: Some(TitleSource::Person), ..self.clone() })
    }

    /// True until somebody, or the application, gave it a title.
    pub fn is_untitled(&self) -> bool {
        self.title.is_empty() && self.titled.is_none()
    }

    /// Checks a title: one line, or empty.
    ///
    /// # Errors
    /// [`TextError`] if it is too long or holds control or direction characters.
    pub fn title(title: &str) -> Result<String, TextError> {
        if title.trim().is_empty() { Ok(String::new()) } else { text::label("title", title) }
    }
}

#[cfg(test)]
mod tests {
    use chrono::{Duration, TimeZone};
    use uuid::Uuid;

    use super::*;

    fn start() -> DateTime<Utc> {
        Utc.timestamp_opt(1_700_000_000, 0).single().expect("a valid time")
    }

    fn fresh() -> Conversation {
        Conversation::begin(
            ConversationId::from_uuid(Uuid::from_u128(1)),
            RefCode::from_bits(1),
            ChannelId::from_uuid(Uuid::from_u128(2)),
            String::new(),
            None,
            start(),
        )
    }

    #[test]
    fn invalid_transitions_are_refused_with_specific_errors() {
        let idle = fresh().idle(start()).expect("active ones become idle");
        assert_eq!(idle.idle(start()), Err(ConversationTransitionError::AlreadyIdle));
        let archived = idle.archive(start()).expect("idle ones are archived");
        assert_eq!(archived.archive(start()), Err(ConversationTransitionError::AlreadyArchived));
        assert_eq!(archived.idle(start()), Err(ConversationTransitionError::Archived));
        assert_eq!(archived.takes_messages(), Err(ConversationTransitionError::Ended));
        assert!(fresh().archive(start()).is_ok(), "active ones may be archived straight away");
    }

    proptest::proptest! {
        /// For any sequence of calls, the status never goes back and the end time is set only once.
        #[test]
        fn a_conversation_never_returns_to_an_earlier_status(steps in proptest::collection::vec((proptest::bool::ANY, 0i64..100), 0..12)) {
            let rank = |c: &Conversation| ConversationStatus::ALL.iter().position(|s| *s == c.status);
            let mut now = start();
            let mut at = fresh();
            for (archive, wait) in steps {
                now += Duration::seconds(wait);
                let next = if archive { at.archive(now) } else { at.idle(now) };
                let Ok(next) = next else { continue };
                proptest::prop_assert!(rank(&next) > rank(&at));
                proptest::prop_assert!(next.ended_at.is_some());
                if at.ended_at.is_some() {
                    proptest::prop_assert_eq!(next.ended_at, at.ended_at);
                }
                let (was, is) = ((at.id, at.ref_code, at.channel_id, at.started_at),
                                 (next.id, next.ref_code, next.channel_id, next.started_at));
                proptest::prop_assert_eq!(was, is);
                at = next;
            }
        }
    }
}
