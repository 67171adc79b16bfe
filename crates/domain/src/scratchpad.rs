//! The scratchpad: the agent's working notes of one conversation, as JSON values under keys. Notes may have a time to
//! live.

use chrono::{DateTime, Duration, Utc};

use crate::{
    hidden,
    ids::ConversationId,
    text::{self, TextError},
};

/// Maximum size of one value in bytes: 256 KiB of JSON.
pub const MAX_VALUE_BYTES: usize = 256 * 1024;
/// Maximum number of keys per conversation.
pub const MAX_KEYS: usize = 1_000;
/// Default time to live of a working note after its last read: one hour.
pub const WORKING_TTL_SECONDS: u32 = 3_600;
/// Maximum time to live: thirty days.
pub const MAX_TTL_SECONDS: u32 = 30 * 24 * 3_600;

/// The reason a working note was refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum InvalidNote {
    /// The key breaks a text rule.
    #[error(transparent)]
    Key(#[from] TextError),
    /// The value is too long.
    #[error("the value is too long: {actual} bytes, at most {MAX_VALUE_BYTES}")]
    TooLong {
        /// Length in bytes.
        actual: usize,
    },
    /// The value is not JSON.
    #[error("the value is not valid JSON")]
    NotJson,
    /// Too many keys.
    #[error("this scratchpad is full: at most {MAX_KEYS} keys")]
    Full,
    /// The time to live is out of range.
    #[error("a time to live is from 1 to {MAX_TTL_SECONDS} seconds")]
    Ttl,
}

/// A value under a key of a conversation's scratchpad.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WorkingNote {
    /// The conversation it belongs to.
    pub conversation: ConversationId,
    /// The key, unique in its conversation.
    pub key: String,
    /// JSON text.
    pub value: String,
    /// Time of the key's first write.
    pub created_at: DateTime<Utc>,
    /// Time of the last write.
    pub updated_at: DateTime<Utc>,
    /// Time to live in seconds after the last read or write; unlimited if `None`.
    pub ttl_seconds: Option<u32>,
    /// Expiry time unless it is read before.
    pub expires_at: Option<DateTime<Utc>>,
}

impl WorkingNote {
    /// Creates a note written now. The caller checks that `value` is JSON.
    ///
    /// # Errors
    /// [`InvalidNote`] with the broken rule.
    pub fn write(
        conversation: ConversationId,
        key: &str,
        value: String,
        ttl_seconds: Option<u32>,
        now: DateTime<Utc>,
    ) -> Result<Self, InvalidNote> {
        if value.len() > MAX_VALUE_BYTES {
            return Err(InvalidNote::TooLong { actual: value.len() });
        }
        if ttl_seconds.is_some_and(|ttl| !(1..=MAX_TTL_SECONDS).contains(&ttl)) {
            return Err(InvalidNote::Ttl);
        }
        // Only agents read and write working notes.
        hidden::refuse("value", &value).map_err(InvalidNote::Key)?;
        let key = text::label("key", key)?;
        let note = Self {
            conversation,
            key,
            value,
            created_at: now,
            updated_at: now,
            ttl_seconds,
            expires_at: None,
        };
        Ok(Self { expires_at: note.expiry(now), ..note })
    }

    /// Expiry time after a read or write at `now`.
    pub fn expiry(&self, now: DateTime<Utc>) -> Option<DateTime<Utc>> {
        self.ttl_seconds.map(|ttl| now + Duration::seconds(i64::from(ttl)))
    }

    /// True until it expires.
    pub fn is_alive(&self, now: DateTime<Utc>) -> bool {
        self.expires_at.is_none_or(|end| now < end)
    }
}

#[cfg(test)]
mod tests {
    use chrono::TimeZone;
    use uuid::Uuid;

    use super::*;

    proptest::proptest! {
        #[test]
        fn a_note_lives_exactly_as_long_as_its_time(ttl in 1u32..MAX_TTL_SECONDS, wait in 0i64..3_000_000) {
            let now = Utc.timestamp_opt(1_700_000_000, 0).single().expect("a valid time");
            let conversation = ConversationId::from_uuid(Uuid::from_u128(1));
            let note = WorkingNote::write(conversation, "plan", "1".into(), Some(ttl), now).expect("a valid note");
            proptest::prop_assert_eq!(note.is_alive(now + Duration::seconds(wait)), wait < i64::from(ttl));
            let without_ttl = WorkingNote::write(conversation, "plan", "1".into(), None, now).expect("a valid note");
            proptest::prop_assert!(without_ttl.is_alive(now + Duration::seconds(wait)));
        }
    }

    #[test]
    fn invalid_notes_are_refused_with_specific_errors() {
        let now = Utc.timestamp_opt(0, 0).single().expect("a valid time");
        let write = |key: &str, value: String, ttl| {
            WorkingNote::write(ConversationId::from_uuid(Uuid::from_u128(1)), key, value, ttl, now)
        };
        assert!(matches!(write(" ", "1".into(), None), Err(InvalidNote::Key(_))));
        assert!(matches!(
            write("k", "x".repeat(MAX_VALUE_BYTES + 1), None),
            Err(InvalidNote::TooLong { .. })
        ));
        assert_eq!(write("k", "1".into(), Some(0)), Err(InvalidNote::Ttl));
    }
}
