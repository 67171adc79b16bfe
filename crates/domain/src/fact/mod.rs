//! Facts: values under `(category, key)`, each at a time in the story. A change keeps the old value with its time in the
//! history. A value that contradicts the author is stored as a claim, for the author to decide.

pub mod of_key;

use chrono::{DateTime, Utc};

use crate::{
    calendar::{span::Span, story_point::StoryPoint},
    ids::{ClaimId, ConversationId, FactId, MemoryId},
    memory::link::{self, Link},
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
    /// An agent that sees through a lens would set a fact.
    #[error("whoever speaks as somebody sets no facts; note it as a memory")]
    Lens,
    /// Only the worldbuilder may decide a claim or remove a fact of the author.
    #[error("only the worldbuilder settles what contradicts their own word")]
    NotYours,
    /// Another fact of the key holds at a part of the time.
    #[error("another value of this fact holds at a part of that time; two values never hold at one time")]
    Overlap,
    /// The key has several facts, and no time was given.
    #[error("this fact has several values, each at a time of its own; say at which time")]
    Ambiguous,
    /// Neither the time of a removed fact nor who knows of it can be set.
    #[error("this fact was removed; set its value again first")]
    Removed,
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
    pub id: FactId,
    /// Category and key.
    pub key: FactKey,
    pub value: String,
    /// When it holds in the story.
    pub span: Span,
    /// Who knows of it, sorted; everybody if it is empty.
    pub known_by: Vec<Link>,
    /// The source of the current value.
    pub source: FactSource,
    /// The conversation in which the value was set. It may be deleted since.
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
    /// When it held in the story.
    pub span: Span,
    /// Who knew of it, sorted; everybody if it is empty.
    pub known_by: Vec<Link>,
    pub source: FactSource,
    /// The conversation in which the value was set. It may be deleted since.
    pub conversation: Option<ConversationId>,
    /// The time of the value; real time, as all but [`Self::span`].
    pub from: DateTime<Utc>,
    /// The time of the next value; `None` for the current value.
    pub until: Option<DateTime<Utc>>,
    /// True for the version that removed the fact.
    pub removed: bool,
}

/// A value that contradicts the author's, stored until the author decides.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Claim {
    pub id: ClaimId,
    /// The contradicted fact.
    pub fact: FactId,
    /// The claimed value.
    pub value: String,
    /// The conversation in which the claim was made. It may be deleted since.
    pub conversation: Option<ConversationId>,
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
    pub value: String,
    /// When it holds in the story; `None` if that was not said.
    pub span: Option<Span>,
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
        let (key, value) = (FactKey::new(category, key)?, self::value(value)?);
        Ok(Self { key, value, span: None, conversation })
    }

    /// The value at a time in the story.
    #[must_use]
    pub fn holding(self, span: Option<Span>) -> Self {
        Self { span, ..self }
    }
}

impl Fact {
    /// True if agents may not change it: the worldbuilder set its value, or said who knows of it. An agent that sees everything
    /// does not write what only some know.
    pub const fn is_authors(&self) -> bool {
        matches!(self.source, FactSource::User) || !self.known_by.is_empty()
    }

    /// Returns the fact without a value. Its history stays.
    ///
    /// # Errors
    /// [`InvalidFact::NotYours`] if an agent tries to remove a fact of the author.
    pub fn removed(&self, actor: Actor, now: DateTime<Utc>) -> Result<Self, InvalidFact> {
        let source = FactSource::of(actor.kind());
        if source == FactSource::Agent && self.is_authors() {
            return Err(InvalidFact::NotYours);
        }
        if self.removed_at.is_some() {
            return Err(InvalidFact::NoChange);
        }
        Ok(Self { value: String::new(), source, conversation: None, removed_at: Some(now), ..self.next(now) })
    }

    /// The fact with who knows of it, each since a time or always. Nobody named: everybody does. The worldbuilder becomes
    /// the source.
    ///
    /// # Errors
    /// [`InvalidFact::NotYours`] if the actor is an agent; [`InvalidFact::Removed`]; [`InvalidFact::NoChange`];
    /// [`InvalidFact::Text`] for too many.
    pub fn with_known_by(
        &self,
        knowers: &[(MemoryId, Option<StoryPoint>)],
        actor: Actor,
        now: DateTime<Utc>,
    ) -> Result<Self, InvalidFact> {
        let source = FactSource::of(actor.kind());
        if source != FactSource::User {
            return Err(InvalidFact::NotYours);
        }
        if self.removed_at.is_some() {
            return Err(InvalidFact::Removed);
        }
        let links = knowers.iter().map(|(knower, since)| Link::known_by(*knower, *since));
        let known_by = link::sorted(links.collect())?;
        if known_by == self.known_by {
            return Err(InvalidFact::NoChange);
        }
        Ok(Self { known_by, source, ..self.next(now) })
    }

    /// The fact with an earlier value, its source and its time in the story as the next version. It is removed if there is none,
    /// or if that one is a removal. Who knows of it stays as it is.
    #[must_use]
    pub fn with_earlier(&self, before: Option<&FactValue>, now: DateTime<Utc>) -> Self {
        let value = before.filter(|value| !value.removed && !value.value.is_empty());
        Self {
            value: value.map(|value| value.value.clone()).unwrap_or_default(),
            span: value.map_or(self.span, |value| value.span),
            source: before.map_or(FactSource::Agent, |value| value.source),
            conversation: value.and_then(|value| value.conversation),
            removed_at: value.is_none().then_some(now),
            ..self.next(now)
        }
    }

    /// The fact with the number and the time of its next version.
    fn next(&self, now: DateTime<Utc>) -> Self {
        Self { updated_at: now, version: self.version + 1, ..self.clone() }
    }
}
