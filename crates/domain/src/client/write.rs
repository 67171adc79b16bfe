//! What an MCP client wrote besides memory, which the journal tells of: facts, messages, working notes, the switch of memory.
//! Enough is kept to list it and to take it back unless somebody changed it since.

use chrono::{DateTime, Utc};
use sha2::{Digest, Sha256};

use crate::{
    audit::hex,
    conversation::message::Message,
    fact::{Fact, FactSource, FactValue},
    ids::{ClaimId, ClientId, ConversationId, FactId, MessageId},
    memory::change_set::ChangeOrder,
    scope::words,
    scratchpad::WorkingNote,
};

/// What was written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum WriteKind {
    /// A value of a fact.
    Fact,
    /// A claim against the author's word.
    Claim,
    /// Something said.
    Message,
    /// A working note, written or removed.
    Note,
    /// A setting: the switch of memory.
    Setting,
}

words!(WriteKind, "kind of write", {
    Fact => "fact", Claim => "claim", Message => "message", Note => "note", Setting => "setting",
});

/// A write as it is kept. Holds no text of what was written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClientWrite {
    /// Position among such writes of the workspace.
    pub sequence: u64,
    /// Place among them and the changes of both databases.
    pub order: ChangeOrder,
    /// Who wrote.
    pub client: ClientId,
    /// When.
    pub at: DateTime<Utc>,
    /// What.
    pub wrote: Wrote,
    /// When it was taken back.
    pub undone_at: Option<DateTime<Utc>>,
}

/// What was written, and how it stood then.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Wrote {
    /// A value of a fact.
    Fact {
        /// Which fact.
        fact: FactId,
        /// The version that it made.
        made: u64,
    },
    /// A claim against the author's word.
    Claim {
        /// Which claim.
        claim: ClaimId,
        /// Against which fact.
        fact: FactId,
    },
    /// Something said.
    Message {
        /// Which message.
        message: MessageId,
        /// In which conversation.
        conversation: ConversationId,
    },
    /// A working note, written or removed.
    Note {
        /// In which conversation.
        conversation: ConversationId,
        /// Under which key.
        key: String,
        /// What it was since then; `None` if it was removed.
        made: Option<NoteMark>,
    },
    /// A setting of the workspace.
    Setting {
        /// Its key.
        key: String,
        /// Its value before, if it had one.
        before: Option<String>,
        /// Its value since.
        made: String,
    },
}

impl Wrote {
    /// Of which kind it is.
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

/// Tells whether a working note is as it was, without its text: SHA-256 over its value and its time to live, 64 hex digits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NoteMark(String);

impl NoteMark {
    /// The mark of a note.
    pub fn of(note: &WorkingNote) -> Self {
        let mut hash = Sha256::new();
        hash.update(format!("{}\n", note.ttl_seconds.unwrap_or(0)));
        hash.update(note.value.as_bytes());
        Self(hex(&hash.finalize()))
    }

    /// A mark as it was kept.
    pub const fn kept(mark: String) -> Self {
        Self(mark)
    }

    /// The digits.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Why a write stays as it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Stays {
    /// Somebody else changed it since.
    Changed,
    /// A summary that stands for it was written since: without the message it would tell of what was never said.
    Summarised,
    /// The worldbuilder made the claim their own word.
    Accepted,
}

words!(Stays, "reason to stay", { Changed => "changed", Summarised => "summarised", Accepted => "accepted" });

/// What taking a write back comes to.
#[derive(Debug, Clone, PartialEq)]
pub enum Back<T> {
    /// It is as it was before already.
    AsBefore,
    /// It becomes this.
    Becomes(T),
    /// It stays.
    Stays(Stays),
}

impl<T> Back<T> {
    /// The same with what it becomes told otherwise.
    pub fn map<U>(self, told: impl FnOnce(T) -> U) -> Back<U> {
        match self {
            Self::AsBefore => Back::AsBefore,
            Self::Becomes(it) => Back::Becomes(told(it)),
            Self::Stays(why) => Back::Stays(why),
        }
    }
}

/// The fact as it was before one of its values was made, as a value of its own; out of use if it had none, or one that was
/// destroyed since. It is as much an agent's as it was: an agent may state it again.
pub fn fact_before(current: &Fact, history: &[FactValue], made: u64, now: DateTime<Utc>) -> Back<Fact> {
    let version = |wanted: u64| history.iter().find(|value| value.version == wanted);
    let before =
        made.checked_sub(1).and_then(version).filter(|value| !value.removed && !value.value.is_empty());
    let says = |value: Option<&FactValue>| match value {
        Some(value) => {
            value.removed == current.removed_at.is_some()
                && (value.removed || (value.value == current.value && value.source == current.source))
        }
        None => current.removed_at.is_some(),
    };
    if current.version != made && says(before) {
        return Back::AsBefore;
    }
    // Later values that were taken back themselves do not count.
    if current.version != made && !version(made).is_some_and(|value| says(Some(value))) {
        return Back::Stays(Stays::Changed);
    }
    Back::Becomes(Fact {
        value: before.map(|value| value.value.clone()).unwrap_or_default(),
        source: before.map_or(FactSource::Agent, |value| value.source),
        conversation: before.and_then(|value| value.conversation),
        updated_at: now,
        version: current.version + 1,
        removed_at: before.is_none().then_some(now),
        ..current.clone()
    })
}

/// Whether a message can be withdrawn. `summarised_through`: the position up to which an archive stands for what was said.
pub fn message_before(message: &Message, summarised_through: Option<u64>) -> Back<()> {
    let archived = summarised_through.is_some_and(|through| message.position <= through);
    if archived || message.consolidated_at.is_some() {
        Back::Stays(Stays::Summarised)
    } else if message.body.importance == message.body.role.importance() {
        Back::Becomes(())
    } else {
        // Whoever raised what it matters wants it kept.
        Back::Stays(Stays::Changed)
    }
}

/// The working note as it was before. A note whose time ran out meanwhile is not brought back.
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
    use crate::fact::FactKey;

    fn now() -> DateTime<Utc> {
        Utc.timestamp_opt(1_700_000_000, 0).single().expect("a valid time")
    }

    /// A fact that went through these values, oldest first; an empty one removed it.
    fn went_through(values: &[&str]) -> (Fact, Vec<FactValue>) {
        let history: Vec<FactValue> = (1..)
            .zip(values)
            .map(|(version, value)| FactValue {
                version,
                value: (*value).to_owned(),
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
        fn a_fact_says_afterwards_what_it_said_before_or_nothing_is_done(
            values in proptest::collection::vec("[ab]{0,1}", 1..6), made in 1u64..6,
        ) {
            let values: Vec<&str> = values.iter().map(String::as_str).collect();
            let (fact, history) = went_through(&values);
            let made = made.min(fact.version);
            let wanted = if made == 1 { "" } else { values[made as usize - 2] };
            match fact_before(&fact, &history, made, now()) {
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
        assert_eq!(fact_before(&fact, &history, 2, now()), Back::Stays(Stays::Changed));
    }

    fn note(value: &str, ttl: Option<u32>) -> WorkingNote {
        let conversation = ConversationId::from_uuid(Uuid::from_u128(2));
        WorkingNote::write(conversation, "plan", value.into(), ttl, now()).expect("a note")
    }

    #[test]
    fn a_note_goes_back_to_what_it_was_unless_somebody_wrote_it_since() {
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
        // The same value for another time to live is another note.
        assert_ne!(NoteMark::of(&note("2", Some(9))), made);
    }

    #[test]
    fn a_note_whose_time_ran_out_is_not_brought_back() {
        let (old, new) = (note("1", Some(60)), note("2", None));
        let later = now() + Duration::seconds(61);
        assert_eq!(note_before(Some(&new), Some(&NoteMark::of(&new)), Some(old), later), Back::Becomes(None));
    }
}
