//! Writes of MCP clients other than memory entries: facts, messages, working notes and the memory switch. A record
//! holds enough to list the write and to revert it unless the value was changed since.

use chrono::{DateTime, Utc};
use sha2::{Digest, Sha256};

use crate::{
    conversation::message::Message,
    digest::hex,
    fact::{Fact, FactValue, of_key::FactsOfKey},
    ids::{ClaimId, ClientId, ConversationId, FactId, MessageId},
    memory::change_set::ChangeOrder,
    scope::words,
    scratchpad::WorkingNote,
};

/// The kind of value written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum WriteKind {
    /// A value of a fact.
    Fact,
    /// A claim that contradicts a fact of the author.
    Claim,
    Message,
    /// A working note, written or removed.
    Note,
    /// A setting: the memory switch.
    Setting,
}

words!(WriteKind, "kind of write", {
    Fact => "fact", Claim => "claim", Message => "message", Note => "note", Setting => "setting",
});

/// A stored record of a write. Holds no text of what was written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClientWrite {
    /// Position among the client writes of the workspace.
    pub sequence: u64,
    /// Position among the client writes and the changes of both databases.
    pub order: ChangeOrder,
    /// The client that wrote.
    pub client: ClientId,
    pub at: DateTime<Utc>,
    /// The written value, by reference.
    pub wrote: Wrote,
    /// The time the write was reverted.
    pub undone_at: Option<DateTime<Utc>>,
}

/// The written value, by reference, and its state after the write.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Wrote {
    /// A value of a fact.
    Fact {
        /// The fact that got a value.
        fact: FactId,
        /// The version that the write created.
        made: u64,
    },
    /// A claim that contradicts a fact of the author.
    Claim {
        /// The claim that was added.
        claim: ClaimId,
        /// The contradicted fact.
        fact: FactId,
    },
    Message {
        /// The message that was added.
        message: MessageId,
        /// The conversation of the message.
        conversation: ConversationId,
    },
    /// A working note, written or removed.
    Note {
        /// The conversation of the note.
        conversation: ConversationId,
        /// The key of the note.
        key: String,
        /// Mark of the note after the write; `None` if it was removed.
        made: Option<NoteMark>,
    },
    /// A setting of the workspace.
    Setting {
        /// The key of the setting.
        key: String,
        /// The previous value, if any.
        before: Option<String>,
        /// The new value.
        made: String,
    },
}

impl Wrote {
    /// The kind of the write.
    pub const fn kind(&self) -> WriteKind {
        match self {
            Self::Fact { .. } => WriteKind::Fact,
            Self::Claim { .. } => WriteKind::Claim,
            Self::Message { .. } => WriteKind::Message,
            Self::Note { .. } => WriteKind::Note,
            Self::Setting { .. } => WriteKind::Setting,
        }
    }
}

/// Detects a changed working note without storing its text: SHA-256 over its value and time to live, 64 hex digits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NoteMark(String);

impl NoteMark {
    /// Computes the mark of a note.
    pub fn of(note: &WorkingNote) -> Self {
        let mut hash = Sha256::new();
        hash.update(format!("{}\n", note.ttl_seconds.unwrap_or(0)));
        hash.update(note.value.as_bytes());
        Self(hex(&hash.finalize()))
    }

    /// Wraps a stored mark.
    pub const fn from_stored(mark: String) -> Self {
        Self(mark)
    }

    /// The mark as hex digits.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// The reason a write is not reverted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Stays {
    /// Somebody else changed the value since.
    Changed,
    /// A later summary covers the message. Without the message, the summary would report something that was never
    /// said.
    Summarised,
    /// The worldbuilder accepted the claim.
    Accepted,
}

words!(Stays, "reason to stay", { Changed => "changed", Summarised => "summarised", Accepted => "accepted" });

/// The result of reverting a write.
#[derive(Debug, Clone, PartialEq)]
pub enum Back<T> {
    /// The value is already as it was before.
    AsBefore,
    /// The value to store.
    Becomes(T),
    /// The write is not reverted.
    Stays(Stays),
}

impl<T> Back<T> {
    /// Maps the value to store.
    pub fn map<U>(self, convert: impl FnOnce(T) -> U) -> Back<U> {
        match self {
            Self::AsBefore => Back::AsBefore,
            Self::Becomes(it) => Back::Becomes(convert(it)),
            Self::Stays(why) => Back::Stays(why),
        }
    }
}

/// The fact as it was before one of its values was made, as a new version. The fact is removed if it had no value
/// before, or if that value was destroyed since. The source stays that of the earlier value, so an agent may state it
/// again. It stays as it is if another fact of its key took its earlier time. Who knows of it stays as it is.
pub fn fact_before(
    current: &Fact,
    history: &[FactValue],
    of_key: FactsOfKey<'_>,
    made: u64,
    now: DateTime<Utc>,
) -> Back<Fact> {
    let version = |wanted: u64| history.iter().find(|value| value.version == wanted);
    let before =
        made.checked_sub(1).and_then(version).filter(|value| !value.removed && !value.value.is_empty());
    let says = |value: Option<&FactValue>| match value {
        Some(value) => {
            value.removed == current.removed_at.is_some()
                && (value.removed
                    || (value.value == current.value
                        && value.source == current.source
                        && value.span == current.span
                        && value.known_by == current.known_by))
        }
        None => current.removed_at.is_some(),
    };
    if current.version != made && says(before) {
        return Back::AsBefore;
    }
    // Later values that were reverted themselves do not count.
    if current.version != made && !version(made).is_some_and(|value| says(Some(value))) {
        return Back::Stays(Stays::Changed);
    }
    let becomes = current.with_earlier(before, now);
    match of_key.check(&becomes) {
        Ok(()) => Back::Becomes(becomes),
        Err(_) => Back::Stays(Stays::Changed),
    }
}

/// Whether a message can be withdrawn. `is_summarised`: an archive covers it, of its conversation or of a branch.
pub fn message_before(message: &Message, is_summarised: bool) -> Back<()> {
    if is_summarised || message.consolidated_at.is_some() {
        Back::Stays(Stays::Summarised)
    } else if message.body.importance == message.body.role.importance() {
        Back::Becomes(())
    } else {
        // Somebody raised its importance, so it is kept.
        Back::Stays(Stays::Changed)
    }
}

/// The working note as it was before. An expired note is not restored.
pub fn note_before(
    current: Option<&WorkingNote>,
    made: Option<&NoteMark>,
    before: Option<WorkingNote>,
    now: DateTime<Utc>,
) -> Back<Option<WorkingNote>> {
    let before = before.filter(|note| note.is_alive(now));
    let stands = current.map(NoteMark::of);
    if stands == before.as_ref().map(NoteMark::of) {
        Back::AsBefore
    } else if stands.as_ref() == made {
        Back::Becomes(before)
    } else {
        Back::Stays(Stays::Changed)
    }
}

#[cfg(test)]
mod tests {
    use chrono::{Duration, TimeZone};
    use uuid::Uuid;

    use super::*;
    use crate::{
        calendar::{moment::Moment, span::Span},
        fact::{FactKey, FactSource},
    };

    fn now() -> DateTime<Utc> {
        Utc.timestamp_opt(1_700_000_000, 0).single().expect("a valid time")
    }

    /// A fact with these values in its history, oldest first; an empty value removes it.
    fn went_through(values: &[&str]) -> (Fact, Vec<FactValue>) {
        let history: Vec<FactValue> = (1..)
            .zip(values)
            .map(|(version, value)| FactValue {
                version,
                value: (*value).to_owned(),
                span: Span::ALWAYS,
                known_by: Vec::new(),
                source: FactSource::Agent,
                conversation: None,
                from: now(),
                until: None,
                removed: value.is_empty(),
            })
            .collect();
        let last = history.last().expect("a value");
        let fact = Fact {
            id: FactId::from_uuid(Uuid::from_u128(1)),
            key: FactKey::new("gate", "metal").expect("a key"),
            value: last.value.clone(),
            span: last.span,
            known_by: last.known_by.clone(),
            source: last.source,
            conversation: None,
            created_at: now(),
            updated_at: now(),
            version: last.version,
            removed_at: last.removed.then(now),
        };
        (fact, history)
    }

    proptest::proptest! {
        #[test]
        fn undoing_a_fact_restores_the_earlier_value_or_changes_nothing(
            values in proptest::collection::vec("[ab]{0,1}", 1..6), made in 1u64..6,
        ) {
            let values: Vec<&str> = values.iter().map(String::as_str).collect();
            let (fact, history) = went_through(&values);
            let made = made.min(fact.version);
            let wanted = if made == 1 { "" } else { values[made as usize - 2] };
            match fact_before(&fact, &history, FactsOfKey(std::slice::from_ref(&fact)), made, now()) {
                Back::Becomes(after) => {
                    proptest::prop_assert_eq!(after.value.as_str(), wanted);
                    proptest::prop_assert_eq!(after.removed_at.is_some(), wanted.is_empty());
                    proptest::prop_assert_eq!(after.version, fact.version + 1);
                    proptest::prop_assert_eq!(values[made as usize - 1], fact.value.as_str());
                }
                Back::AsBefore => proptest::prop_assert_eq!(wanted, fact.value.as_str()),
                Back::Stays(why) => {
                    proptest::prop_assert_eq!(why, Stays::Changed);
                    proptest::prop_assert_ne!(values[made as usize - 1], fact.value.as_str());
                }
            }
        }
    }

    #[test]
    fn a_fact_that_the_author_restated_in_the_same_words_stays() {
        let (mut fact, mut history) = went_through(&["iron", "bronze", "bronze"]);
        fact.source = FactSource::User;
        history[2].source = FactSource::User;
        let of_key = FactsOfKey(std::slice::from_ref(&fact));
        assert_eq!(fact_before(&fact, &history, of_key, 2, now()), Back::Stays(Stays::Changed));
    }

    #[test]
    fn a_fact_gets_its_earlier_time_back_unless_another_fact_took_it() {
        let until =
            |day| Span::new(None, Some(Moment::on_day(day).expect("in range"))).expect("not inverted");
        let (mut fact, mut history) = went_through(&["Aldous", "Aldous"]);
        (history[0].span, history[1].span, fact.span) = (until(812), until(800), until(800));
        let of_key = FactsOfKey(std::slice::from_ref(&fact));
        let undone = fact_before(&fact, &history, of_key, 2, now());
        assert!(matches!(undone, Back::Becomes(after) if after.span == until(812)));
        let from = Span::new(Some(Moment::on_day(801).expect("in range")), None).expect("not inverted");
        let other = Fact { id: FactId::from_uuid(Uuid::from_u128(2)), span: from, ..fact.clone() };
        let both = [fact.clone(), other];
        assert_eq!(fact_before(&fact, &history, FactsOfKey(&both), 2, now()), Back::Stays(Stays::Changed));
    }

    fn note(value: &str, ttl: Option<u32>) -> WorkingNote {
        let conversation = ConversationId::from_uuid(Uuid::from_u128(2));
        WorkingNote::write(conversation, "plan", value.into(), ttl, now()).expect("a note")
    }

    #[test]
    fn undoing_a_note_restores_it_unless_it_was_changed_since() {
        let (old, new, other) = (note("1", None), note("2", None), note("3", None));
        let made = NoteMark::of(&new);
        assert_eq!(
            note_before(Some(&new), Some(&made), Some(old.clone()), now()),
            Back::Becomes(Some(old.clone()))
        );
        assert_eq!(note_before(Some(&new), Some(&made), None, now()), Back::Becomes(None));
        assert_eq!(note_before(None, None, Some(old.clone()), now()), Back::Becomes(Some(old.clone())));
        assert_eq!(note_before(Some(&old), Some(&made), Some(old.clone()), now()), Back::AsBefore);
        assert_eq!(note_before(None, Some(&made), None, now()), Back::AsBefore);
        assert_eq!(note_before(Some(&other), Some(&made), Some(old), now()), Back::Stays(Stays::Changed));
        // The same value with another time to live has another mark.
        assert_ne!(NoteMark::of(&note("2", Some(9))), made);
    }

    #[test]
    fn an_expired_note_is_not_restored() {
        let (old, new) = (note("1", Some(60)), note("2", None));
        let later = now() + Duration::seconds(61);
        assert_eq!(note_before(Some(&new), Some(&NoteMark::of(&new)), Some(old), later), Back::Becomes(None));
    }
}
