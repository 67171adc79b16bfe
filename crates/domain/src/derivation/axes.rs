//! The four axes of an entry, computed when it is read and never stored: where its text comes from, where it is in its life, how
//! much points at it, and what has become of what it was made of.

use super::{Derivation, SourceKind};
use crate::{
    provenance::{ActorKind, Curator},
    scope::words,
};

/// Where a text comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum OriginAxis {
    /// The worldbuilder wrote it.
    Authored,
    /// It stood in a file that was imported.
    Imported,
    /// An agent, a client or a task worded it.
    AgentProduced,
    /// A task took it from what the worldbuilder wrote in a conversation.
    Observed,
}

words!(OriginAxis, "origin", {
    Authored => "authored", Imported => "imported", AgentProduced => "agent_produced", Observed => "observed",
});

/// Where an entry is in its life.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum LifecycleAxis {
    /// In use.
    Active,
    /// Replaced by another entry.
    Superseded,
    /// Forgotten; it can be restored.
    Forgotten,
}

words!(LifecycleAxis, "lifecycle", { Active => "active", Superseded => "superseded", Forgotten => "forgotten" });

impl LifecycleAxis {
    /// Where an entry is in its life.
    pub const fn of(is_active: bool, is_replaced: bool) -> Self {
        match (is_active, is_replaced) {
            (true, _) => Self::Active,
            (false, true) => Self::Superseded,
            (false, false) => Self::Forgotten,
        }
    }
}

/// What has become of a source since.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SourceState {
    /// As it was.
    Current,
    /// It says something else now.
    Changed,
    /// Something contradicts it, and the worldbuilder has not decided.
    Contested,
    /// It is forgotten, removed or destroyed.
    Gone,
    /// It cannot be looked up from here: a file outside, or a source in another workspace.
    Elsewhere,
}

words!(SourceState, "state of a source", {
    Current => "current", Changed => "changed", Contested => "contested", Gone => "gone", Elsewhere => "elsewhere",
});

/// How much an entry can be relied on, by what it was made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum StandingAxis {
    /// Nothing it was made of has changed, or it was made of nothing.
    Current,
    /// A source says something else now.
    Changed,
    /// Every source is gone.
    Gone,
    /// Something contradicts it or a source of it.
    Contested,
}

words!(StandingAxis, "standing", {
    Current => "current", Changed => "changed", Gone => "gone", Contested => "contested",
});

/// Whose words an entry has, and from what.
#[derive(Debug, Clone, Copy)]
pub struct OriginInput<'a> {
    /// The curator of the entry.
    pub curator: Curator,
    /// Who wrote the version.
    pub written_by: ActorKind,
    /// True if the text names writers other than its curator.
    pub has_other_writers: bool,
    /// What it was made of.
    pub derivations: &'a [Derivation],
}

/// What the axes are computed from.
#[derive(Debug, Clone, Copy)]
pub struct AxesInput<'a> {
    /// Where its text comes from.
    pub origin: OriginAxis,
    /// Where it is in its life.
    pub lifecycle: LifecycleAxis,
    /// True if an open contradiction is about it.
    pub is_contested: bool,
    /// What has become of each source that it was made of.
    pub states: &'a [SourceState],
    /// Entries that are linked to it or were made of it.
    pub pointed_at: u64,
    /// Entries that were made of it.
    pub built_on: u64,
    /// Relevance after decay, in [0, 1] for what was not used.
    pub relevance: f64,
}

/// The axes of an entry.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Axes {
    /// Where its text comes from.
    pub origin: OriginAxis,
    /// Where it is in its life.
    pub lifecycle: LifecycleAxis,
    /// How much points at it now: the entries that do, plus its relevance.
    pub weight: f64,
    /// What has become of what it was made of.
    pub standing: StandingAxis,
    /// Entries that were made of it.
    pub built_on: u64,
}

impl Axes {
    /// Computes the axes.
    pub fn of(input: AxesInput<'_>) -> Self {
        Self {
            origin: input.origin,
            lifecycle: input.lifecycle,
            weight: input.pointed_at as f64 + input.relevance,
            standing: standing(input.is_contested, input.states),
            built_on: input.built_on,
        }
    }
}

impl OriginAxis {
    /// Where the text of an entry comes from.
    pub fn of(input: OriginInput<'_>) -> Self {
        let made_of = |kind| input.derivations.iter().any(|derivation| derivation.kind() == kind);
        match input.curator {
            // The curator is whose it is; the writers are whose words it has.
            Curator::Author | Curator::Import if input.has_other_writers => Self::AgentProduced,
            Curator::Author => Self::Authored,
            Curator::Import => Self::Imported,
            Curator::Agent
                if input.written_by == ActorKind::System
                    && !input.has_other_writers
                    && made_of(SourceKind::Message)
                    && !made_of(SourceKind::Memory) =>
            {
                Self::Observed
            }
            Curator::Agent => Self::AgentProduced,
        }
    }
}

fn standing(is_contested: bool, states: &[SourceState]) -> StandingAxis {
    let has = |state| states.contains(&state);
    if is_contested || has(SourceState::Contested) {
        StandingAxis::Contested
    } else if has(SourceState::Changed) {
        StandingAxis::Changed
    } else if !states.is_empty() && states.iter().all(|state| *state == SourceState::Gone) {
        StandingAxis::Gone
    } else {
        StandingAxis::Current
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_worst_that_happened_to_a_source_decides_the_standing() {
        use SourceState::{Changed, Contested, Current, Elsewhere, Gone};
        for (contested, states, expected) in [
            (false, &[][..], StandingAxis::Current),
            (true, &[], StandingAxis::Contested),
            (false, &[Current, Elsewhere], StandingAxis::Current),
            (false, &[Current, Changed], StandingAxis::Changed),
            (false, &[Gone, Changed, Contested], StandingAxis::Contested),
            (false, &[Gone, Current], StandingAxis::Current),
            (false, &[Gone, Gone], StandingAxis::Gone),
        ] {
            assert_eq!(standing(contested, states), expected, "{states:?}");
        }
    }

    #[test]
    fn words_of_an_agent_stay_agent_produced_whoever_owns_the_entry() {
        let input = OriginInput {
            curator: Curator::Author,
            written_by: ActorKind::Author,
            has_other_writers: false,
            derivations: &[],
        };
        assert_eq!(OriginAxis::of(input), OriginAxis::Authored);
        let accepted = OriginInput { has_other_writers: true, ..input };
        assert_eq!(OriginAxis::of(accepted), OriginAxis::AgentProduced);
        let message = [Derivation::Message(crate::ids::MessageId::from_uuid(uuid::Uuid::nil()))];
        let observed = OriginInput {
            curator: Curator::Agent,
            written_by: ActorKind::System,
            derivations: &message,
            ..input
        };
        assert_eq!(OriginAxis::of(observed), OriginAxis::Observed);
        let written = OriginInput { written_by: ActorKind::Agent, ..observed };
        assert_eq!(OriginAxis::of(written), OriginAxis::AgentProduced);
    }

    #[test]
    fn weight_counts_what_points_at_an_entry_and_how_recently_it_was_used() {
        let axes = Axes::of(AxesInput {
            origin: OriginAxis::Authored,
            lifecycle: LifecycleAxis::of(false, true),
            is_contested: false,
            states: &[],
            pointed_at: 2,
            built_on: 1,
            relevance: 0.5,
        });
        assert!((axes.weight - 2.5).abs() < f64::EPSILON);
        assert_eq!(axes.lifecycle, LifecycleAxis::Superseded);
    }
}
