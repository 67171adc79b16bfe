//! Carries out a decision about a contradiction, by the use cases that a person would call for it.

use inklings_domain::{
    calendar::{span::Span, story_point::StoryPoint},
    drift::{Drift, DriftDecision, InvalidDrift, Item, Side, states_one_thing},
    fact::Fact,
    forget_reason::ForgetReason,
    ids::{ChangeId, DriftId, MemoryId},
    memory::{
        MemoryPatch,
        change_set::{Action, MemoryWrite},
    },
    provenance::Actor,
};

use super::store::Look;
use crate::{error::AppError, memory::store::StoredEntry, services::Drifts, session::only_the_author};

/// A decision with what it needs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Settlement {
    /// The canon stays, and the statement is forgotten.
    CanonStands,
    /// The canon becomes what the statement says, or this text.
    CanonChanges {
        /// The new text or value.
        text: Option<String>,
    },
    /// Both hold, at different times. A side without a time keeps its own.
    Both {
        /// When the canon holds.
        canon: Option<Span>,
        /// When the statement holds.
        statement: Option<Span>,
    },
    /// Only these know the statement: they are mistaken or lie.
    Belief {
        /// Who believes it, each since a time or always.
        knowers: Vec<(MemoryId, Option<StoryPoint>)>,
    },
    /// The two do not contradict each other.
    Dismiss,
}

impl Settlement {
    const fn decision(&self) -> DriftDecision {
        match self {
            Self::CanonStands => DriftDecision::CanonStands,
            Self::CanonChanges { .. } => DriftDecision::CanonChanges,
            Self::Both { .. } => DriftDecision::Both,
            Self::Belief { .. } => DriftDecision::Belief,
            Self::Dismiss => DriftDecision::Dismiss,
        }
    }
}

/// A side as it is now.
enum Current {
    Memory(Box<StoredEntry>),
    Fact(Fact),
}

impl Current {
    fn text(&self) -> &str {
        match self {
            Self::Memory(stored) => &stored.entry.content,
            Self::Fact(fact) => &fact.value,
        }
    }

    const fn span(&self) -> Span {
        match self {
            Self::Memory(stored) => stored.entry.span,
            Self::Fact(fact) => fact.span,
        }
    }
}

impl Drifts<'_> {
    /// Settles a drift. If the process ends between the change and the mark, the next look closes the drift, because a side of it
    /// has changed. Returns the change, for undo; `None` if no entry was changed.
    ///
    /// # Errors
    /// [`AppError::Memory`] with `Locked` if the actor is not the worldbuilder; [`AppError::NotFound`]; [`AppError::Drift`] if it
    /// is settled, a side was changed since, or something that the decision needs is missing; those of the use case that
    /// carries out the decision.
    pub async fn settle(
        &self,
        id: DriftId,
        settlement: Settlement,
        actor: Actor,
    ) -> Result<Option<ChangeId>, AppError> {
        only_the_author(actor)?;
        let drift = self.get(id).await?;
        drift.admits_decision()?;
        let (Some(canon), Some(statement)) =
            (self.current(drift.canon).await?, self.current(drift.statement).await?)
        else {
            let look = Look { superseded: vec![drift.id], ..Look::default() };
            self.session.workspace.drifts.record_look(&look, self.session.clock.now()).await?;
            return Err(InvalidDrift::Superseded.into());
        };
        let decision = settlement.decision();
        let change = match settlement {
            Settlement::CanonStands => self.take_back(statement, actor).await?,
            Settlement::CanonChanges { text } => self.change_canon(canon, &statement, text, actor).await?,
            Settlement::Both { canon: first, statement: second } => {
                self.set_times((canon, first), (statement, second), actor).await?
            }
            Settlement::Belief { knowers } => self.make_belief(statement, &knowers, actor).await?,
            Settlement::Dismiss => None,
        };
        self.mark(&drift, decision, change).await?;
        Ok(change)
    }

    async fn mark(
        &self,
        drift: &Drift,
        decision: DriftDecision,
        change: Option<ChangeId>,
    ) -> Result<(), AppError> {
        let now = self.session.clock.now();
        Ok(self.session.workspace.drifts.settle_drift(drift.id, decision, change, now).await?)
    }

    /// A side as it was compared; `None` if it has changed or is gone.
    async fn current(&self, side: Side) -> Result<Option<Current>, AppError> {
        match side.item {
            Item::Memory(id) => {
                let found = self.session.entries(&[id]).await?.pop();
                let found =
                    found.filter(|stored| stored.entry.is_active() && stored.entry.version == side.version);
                Ok(found.map(|stored| Current::Memory(Box::new(stored))))
            }
            Item::Fact(id) => {
                let found = self.session.workspace.facts.fact_by_id(id).await?.map(|found| found.fact);
                let found = found.filter(|fact| fact.removed_at.is_none() && fact.version == side.version);
                Ok(found.map(Current::Fact))
            }
        }
    }

    async fn take_back(&self, statement: Current, actor: Actor) -> Result<Option<ChangeId>, AppError> {
        match statement {
            Current::Memory(stored) => {
                let reason = ForgetReason::Contradicted;
                let written = self.session.memories().forget_read(&[*stored], &reason, actor).await?;
                Ok(Some(written.change))
            }
            Current::Fact(fact) => {
                self.session.facts().remove(fact.id, actor).await?;
                Ok(None)
            }
        }
    }

    async fn change_canon(
        &self,
        canon: Current,
        statement: &Current,
        text: Option<String>,
        actor: Actor,
    ) -> Result<Option<ChangeId>, AppError> {
        let text = match (text, &canon, statement) {
            (Some(text), ..) => text,
            (None, Current::Fact(_), Current::Fact(other)) => other.value.clone(),
            // The statement replaces the whole text, so neither may say more than the one thing.
            (None, Current::Memory(_), Current::Memory(_))
                if states_one_thing(canon.text()) && states_one_thing(statement.text()) =>
            {
                statement.text().to_owned()
            }
            (None, ..) => return Err(InvalidDrift::Text.into()),
        };
        match canon {
            Current::Memory(stored) => {
                let version = stored.entry.version;
                let patch = MemoryPatch { content: Some(text), ..MemoryPatch::default() };
                let written =
                    self.session.memories().edit_read(*stored, version, patch, (actor, None)).await?;
                Ok(Some(written.change))
            }
            Current::Fact(fact) => {
                self.session.facts().change(fact.id, &text, None, actor).await?;
                Ok(None)
            }
        }
    }

    async fn set_times(
        &self,
        (canon, first): (Current, Option<Span>),
        (statement, second): (Current, Option<Span>),
        actor: Actor,
    ) -> Result<Option<ChangeId>, AppError> {
        if first.is_none() && second.is_none() {
            return Err(InvalidDrift::Times.into());
        }
        let (one, two) = (first.unwrap_or_else(|| canon.span()), second.unwrap_or_else(|| statement.span()));
        if one.overlaps(two) {
            return Err(InvalidDrift::Overlap.into());
        }
        let stamp = self.session.stamp(actor);
        let mut writes = Vec::new();
        for (side, span) in [(canon, one), (statement, two)] {
            match side {
                side if side.span() == span => {}
                Current::Memory(stored) => {
                    writes.push(MemoryWrite::Update(stored.entry.with_story_time(span, None, stamp)?));
                }
                Current::Fact(fact) => {
                    self.session.facts().set_span(fact.id, span, actor).await?;
                }
            }
        }
        if writes.is_empty() {
            return Ok(None);
        }
        // Both entries are one change, so that one undo takes both back.
        Ok(Some(self.session.memories().commit(stamp, Action::Edit, None, writes).await?.change))
    }

    async fn make_belief(
        &self,
        statement: Current,
        knowers: &[(MemoryId, Option<StoryPoint>)],
        actor: Actor,
    ) -> Result<Option<ChangeId>, AppError> {
        if knowers.is_empty() {
            return Err(InvalidDrift::Nobody.into());
        }
        match statement {
            Current::Memory(stored) => {
                let (id, version) = (stored.entry.id, stored.entry.version);
                let written = self.session.lenses().set_known_by(id, version, knowers, actor).await?;
                Ok(Some(written.change))
            }
            Current::Fact(fact) => {
                self.session.facts().set_known_by(fact.id, knowers, actor).await?;
                Ok(None)
            }
        }
    }
}
