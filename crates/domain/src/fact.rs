//! Facts: values under `(category, key)`. A change keeps the old value with its time in the history. A value that
//! contradicts the author is stored as a claim, for the author to decide.

use chrono::{DateTime, Utc};

use crate::{
    hidden,
    ids::{ClaimId, ConversationId, FactId},
    provenance::{Actor, ActorKind},
    scope::words,
    text::{self, TextError},
};

/// Maximum size of a value in bytes: 8 KiB.
pub const MAX_VALUE_BYTES: usize = 8 * 1024;

/// The source of a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FactSource {
    /// The World Agent or another agent.
    Agent,
    /// The worldbuilder.
    User,
}

words!(FactSource, "fact source", { Agent => "agent", User => "user" });

impl FactSource {
    /// The source for an actor kind. It follows from the actor kind, never from a claim of the caller.
    pub const fn of(actor_kind: ActorKind) -> Self {
        match actor_kind {
            ActorKind::Author | ActorKind::Import => Self::User,
            ActorKind::Agent | ActorKind::System => Self::Agent,
        }
    }
}

/// The reason a change to a fact was refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum InvalidFact {
    /// Category, key or value breaks a text rule.
    #[error(transparent)]
    Text(#[from] TextError),
    /// The value is unchanged.
    #[error("this fact says so already")]
    NoChange,
    /// Only the worldbuilder may decide a claim or remove a fact of the author.
    #[error("only the worldbuilder settles what contradicts their own word")]
    NotYours,
}

/// Category and key as typed; compared regardless of case.
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

    /// The case-folded form for comparison: category, key.
    pub fn folded(&self) -> (String, String) {
        (text::fold(&self.category), text::fold(&self.key))
    }
}

/// The current state of a fact.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fact {
    /// Unique id of the fact.
    pub id: FactId,
    /// Category and key.
    pub key: FactKey,
    /// Current value.
    pub value: String,
    /// The source of the current value.
    pub source: FactSource,
    /// The conversation in which the value was set.
    pub conversation: Option<ConversationId>,
    /// The time of the first value.
    pub created_at: DateTime<Utc>,
    /// The time of the current value.
    pub updated_at: DateTime<Utc>,
    /// Number of the current value, from 1.
    pub version: u64,
    /// The time the fact was removed. Its values stay in the history.
    pub removed_at: Option<DateTime<Utc>>,
}

/// A current or former value of a fact.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FactValue {
    /// Number of the value, from 1.
    pub version: u64,
    /// The value; empty for the version that removed the fact.
    pub value: String,
    /// The source of the value.
    pub source: FactSource,
    /// The conversation in which the value was set.
    pub conversation: Option<ConversationId>,
    /// Start of the value's validity.
    pub from: DateTime<Utc>,
    /// End of the value's validity; `None` for the current value.
    pub until: Option<DateTime<Utc>>,
    /// True for the version that removed the fact.
    pub removed: bool,
}

/// A value that contradicts the author's, stored until the author decides.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Claim {
    /// Unique id of the claim.
    pub id: ClaimId,
    /// The contradicted fact.
    pub fact: FactId,
    /// The claimed value.
    pub value: String,
    /// The conversation in which the claim was made.
    pub conversation: Option<ConversationId>,
    /// The time of the claim.
    pub at: DateTime<Utc>,
}

/// The result of setting a value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FactChange {
    /// The new state of the fact; refused as stale unless the stored version is `version - 1`.
    Set(Fact),
    /// A claim that contradicts the author.
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
    /// Category and key of the fact.
    pub key: FactKey,
    /// The new value.
    pub value: String,
    /// The conversation in which the value is set.
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

    /// The result of setting the value, given the current fact. An agent that contradicts the author makes a claim;
    /// otherwise the value is replaced.
    ///
    /// # Errors
    /// [`InvalidFact::NoChange`] if the fact has this value; [`InvalidFact::Text`] for hidden characters written by
    /// an agent.
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
        // The author may confirm an agent's value, which makes the author its source.
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
    /// Returns the fact without a value. Its history stays.
    ///
    /// # Errors
    /// [`InvalidFact::NotYours`] if an agent tries to remove a fact of the author.
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

    /// Returns the fact after the author accepted a claim. The author becomes the source of the value.
    ///
    /// # Errors
    /// [`InvalidFact::NotYours`] if the actor is an agent.
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
    fn an_agent_never_overwrites_the_authors_value() {
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
        /// For any sequence of values and actors, the author's last value stays until the author changes it.
        #[test]
        fn the_authors_last_value_stays_until_the_author_changes_it(steps in proptest::collection::vec((0u8..4, proptest::bool::ANY), 1..20)) {
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
