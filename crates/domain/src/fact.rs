//! Facts: values under `(category, key)` (seed 002). A changed value keeps the old one with its time; what contradicts
//! the author's own word is kept beside it as a claim, for the author to settle.

use chrono::{DateTime, Utc};

use crate::{
    hidden,
    ids::{ClaimId, ConversationId, FactId},
    provenance::{Actor, ActorKind},
    scope::words,
    text::{self, TextError},
};

/// The most bytes of a value: 8 KiB.
pub const MAX_VALUE_BYTES: usize = 8 * 1024;

/// Who stored a value (seed 002).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FactSource {
    /// The World Agent or another agent.
    Agent,
    /// The worldbuilder.
    User,
}

words!(FactSource, "fact source", { Agent => "agent", User => "user" });

impl FactSource {
    /// The source of what a hand writes. It follows from the hand, never from a claim of the caller.
    pub const fn of(actor_kind: ActorKind) -> Self {
        match actor_kind {
            ActorKind::Author | ActorKind::Import => Self::User,
            ActorKind::Agent | ActorKind::System => Self::Agent,
        }
    }
}

/// Why a fact was refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum InvalidFact {
    /// Category, key or value broke a rule of text.
    #[error(transparent)]
    Text(#[from] TextError),
    /// The value is as it was.
    #[error("this fact says so already")]
    NoChange,
    /// Only the worldbuilder settles a claim or removes their own word.
    #[error("only the worldbuilder settles what contradicts their own word")]
    NotYours,
}

/// A category and a key, as typed; compared regardless of case.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FactKey {
    category: String,
    key: String,
}

impl FactKey {
    /// Checks a category and a key: one line each.
    ///
    /// # Errors
    /// [`TextError`] naming the field.
    pub fn new(category: &str, key: &str) -> Result<Self, TextError> {
        Ok(Self { category: text::label("category", category)?, key: text::label("key", key)? })
    }

    /// The category.
    pub fn category(&self) -> &str {
        &self.category
    }

    /// The key within it.
    pub fn key(&self) -> &str {
        &self.key
    }

    /// The form in which two are compared: category, key.
    pub fn folded(&self) -> (String, String) {
        (text::fold(&self.category), text::fold(&self.key))
    }
}

/// A fact as it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fact {
    /// Its id.
    pub id: FactId,
    /// Where it stands.
    pub key: FactKey,
    /// What it says.
    pub value: String,
    /// Who said so.
    pub source: FactSource,
    /// The conversation in which it was said.
    pub conversation: Option<ConversationId>,
    /// When the fact first had a value.
    pub created_at: DateTime<Utc>,
    /// Since when this value holds.
    pub updated_at: DateTime<Utc>,
    /// Counts values from 1.
    pub version: u64,
    /// When it was removed. Its values stay in the history.
    pub removed_at: Option<DateTime<Utc>>,
}

/// A value that a fact has or had.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FactValue {
    /// Which value, from 1.
    pub version: u64,
    /// What it says; empty for the version that removed the fact.
    pub value: String,
    /// Who said so.
    pub source: FactSource,
    /// The conversation in which it was said.
    pub conversation: Option<ConversationId>,
    /// Since when it held.
    pub from: DateTime<Utc>,
    /// Until when; `None` while it holds.
    pub until: Option<DateTime<Utc>>,
    /// True for the version that removed the fact.
    pub removed: bool,
}

/// A value that contradicts the author's own, kept until the author settles it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Claim {
    /// Its id.
    pub id: ClaimId,
    /// The fact it contradicts.
    pub fact: FactId,
    /// What it says.
    pub value: String,
    /// The conversation in which it was said.
    pub conversation: Option<ConversationId>,
    /// When.
    pub at: DateTime<Utc>,
}

/// What setting a value comes to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FactChange {
    /// The fact as it shall be; refused as stale unless the stored version is `version - 1`.
    Set(Fact),
    /// A claim beside the author's word.
    Claim(Claim),
}

/// Checks the value of a fact: non-empty, at most [`MAX_VALUE_BYTES`].
///
/// # Errors
/// [`TextError`] naming the field.
pub fn value(text: &str) -> Result<String, TextError> {
    let field = "value";
    if text.len() > MAX_VALUE_BYTES {
        let (actual, limit, unit) = (text.len(), MAX_VALUE_BYTES, "bytes");
        return Err(TextError::TooLong { field, actual, limit, unit });
    }
    text::content(text).map_err(|error| match error {
        TextError::Empty { .. } => TextError::Empty { field },
        TextError::Control { code, position, .. } => TextError::Control { field, code, position },
        other => other,
    })
}

/// A value to set.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Assertion {
    /// Where.
    pub key: FactKey,
    /// What.
    pub value: String,
    /// In which conversation.
    pub conversation: Option<ConversationId>,
}

impl Assertion {
    /// Checks a value: non-empty, at most [`MAX_VALUE_BYTES`].
    ///
    /// # Errors
    /// [`TextError`] naming the field.
    pub fn new(
        category: &str,
        key: &str,
        value: &str,
        conversation: Option<ConversationId>,
    ) -> Result<Self, TextError> {
        Ok(Self { key: FactKey::new(category, key)?, value: self::value(value)?, conversation })
    }

    /// What setting it comes to, given the fact as it stands. An agent that contradicts the author makes a claim; all
    /// else replaces the value.
    ///
    /// # Errors
    /// [`InvalidFact::NoChange`] if the fact says so already; [`InvalidFact::Text`] for hidden characters by an agent.
    pub fn against(
        self,
        current: Option<&Fact>,
        ids: (FactId, ClaimId),
        actor: Actor,
        now: DateTime<Utc>,
    ) -> Result<FactChange, InvalidFact> {
        hidden::refuse_of(actor.kind(), "value", &self.value)?;
        let source = FactSource::of(actor.kind());
        let Some(current) = current else {
            return Ok(FactChange::Set(Fact {
                id: ids.0,
                key: self.key,
                value: self.value,
                source,
                conversation: self.conversation,
                created_at: now,
                updated_at: now,
                version: 1,
                removed_at: None,
            }));
        };
        let stands = current.removed_at.is_none();
        // An author who says what an agent had said makes it their own word.
        if stands && current.value == self.value && (source == current.source || source == FactSource::Agent)
        {
            return Err(InvalidFact::NoChange);
        }
        if source == FactSource::Agent && current.source == FactSource::User {
            return Ok(FactChange::Claim(Claim {
                id: ids.1,
                fact: current.id,
                value: self.value,
                conversation: self.conversation,
                at: now,
            }));
        }
        Ok(FactChange::Set(Fact {
            value: self.value,
            source,
            conversation: self.conversation,
            updated_at: now,
            version: current.version + 1,
            removed_at: None,
            ..current.clone()
        }))
    }
}

impl Fact {
    /// The fact without a value. Its history stays.
    ///
    /// # Errors
    /// [`InvalidFact::NotYours`] if an agent would remove the author's word.
    pub fn removed(&self, actor: Actor, now: DateTime<Utc>) -> Result<Self, InvalidFact> {
        let source = FactSource::of(actor.kind());
        if source == FactSource::Agent && self.source == FactSource::User {
            return Err(InvalidFact::NotYours);
        }
        if self.removed_at.is_some() {
            return Err(InvalidFact::NoChange);
        }
        Ok(Self {
            value: String::new(),
            source,
            conversation: None,
            updated_at: now,
            version: self.version + 1,
            removed_at: Some(now),
            ..self.clone()
        })
    }

    /// The fact after the author accepted a claim: its value is the author's word from now on.
    ///
    /// # Errors
    /// [`InvalidFact::NotYours`] if an agent would do that.
    pub fn accepting(&self, claim: &Claim, actor: Actor, now: DateTime<Utc>) -> Result<Self, InvalidFact> {
        if FactSource::of(actor.kind()) != FactSource::User {
            return Err(InvalidFact::NotYours);
        }
        Ok(Self {
            value: claim.value.clone(),
            source: FactSource::User,
            conversation: claim.conversation,
            updated_at: now,
            version: self.version + 1,
            removed_at: None,
            ..self.clone()
        })
    }
}

#[cfg(test)]
mod tests {
    use chrono::TimeZone;
    use uuid::Uuid;

    use super::*;
    use crate::provenance::Interface;

    fn now() -> DateTime<Utc> {
        Utc.timestamp_opt(1_700_000_000, 0).single().expect("a valid time")
    }

    fn actor(actor_kind: ActorKind) -> Actor {
        Actor::new(actor_kind, Interface::Cli, None).expect("the command line admits every hand")
    }

    fn set(current: Option<&Fact>, value: &str, actor_kind: ActorKind) -> Result<FactChange, InvalidFact> {
        let ids = (FactId::from_uuid(Uuid::from_u128(1)), ClaimId::from_uuid(Uuid::from_u128(2)));
        Assertion::new("Colour", "Favourite", value, None)?.against(current, ids, actor(actor_kind), now())
    }

    fn fact(change: FactChange) -> Fact {
        match change {
            FactChange::Set(fact) => fact,
            FactChange::Claim(_) => panic!("a claim"),
        }
    }

    #[test]
    fn an_agent_never_overwrites_the_authors_word() {
        let purple = fact(set(None, "purple", ActorKind::Author).expect("new"));
        let claim = set(Some(&purple), "cyan", ActorKind::Agent).expect("kept beside it");
        assert!(matches!(&claim, FactChange::Claim(claim) if claim.value == "cyan"));
        assert_eq!(purple.removed(actor(ActorKind::Agent), now()), Err(InvalidFact::NotYours));
        let removed = purple.removed(actor(ActorKind::Author), now()).expect("the author may");
        assert!(matches!(set(Some(&removed), "cyan", ActorKind::Agent), Ok(FactChange::Claim(_))));
    }

    #[test]
    fn values_replace_one_another_and_the_same_value_is_no_change() {
        let first = fact(set(None, "purple", ActorKind::Agent).expect("new"));
        assert_eq!(set(Some(&first), "purple", ActorKind::Agent), Err(InvalidFact::NoChange));
        let second =
            fact(set(Some(&first), "cyan", ActorKind::Agent).expect("an agent changes an agent's value"));
        assert_eq!((second.version, second.id), (2, first.id));
        let own = fact(set(Some(&second), "cyan", ActorKind::Author).expect("the author takes it over"));
        assert_eq!((own.source, own.version), (FactSource::User, 3));
        assert_eq!(set(Some(&own), "cyan", ActorKind::Agent), Err(InvalidFact::NoChange));
    }

    proptest::proptest! {
        /// Whatever is set by whomever, the author's last word stands until the author says otherwise.
        #[test]
        fn the_authors_word_stands(steps in proptest::collection::vec((0u8..4, proptest::bool::ANY), 1..20)) {
            let (mut current, mut word): (Option<Fact>, Option<String>) = (None, None);
            for (value, author) in steps {
                let value = format!("v{value}");
                let actor_kind = if author { ActorKind::Author } else { ActorKind::Agent };
                if let Ok(FactChange::Set(next)) = set(current.as_ref(), &value, actor_kind) {
                    proptest::prop_assert_eq!(next.version, current.as_ref().map_or(0, |f| f.version) + 1);
                    current = Some(next);
                }
                if author {
                    word = Some(value);
                }
                if let (Some(word), Some(fact)) = (&word, &current) {
                    proptest::prop_assert_eq!(word, &fact.value);
                }
            }
        }
    }
}
