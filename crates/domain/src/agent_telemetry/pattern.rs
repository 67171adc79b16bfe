//! Patterns: outcomes that recur, shown to agents before their next action.

use chrono::{DateTime, Utc};

use super::{ActionType, ErrorCode, TargetType};
use crate::{ids::AgentPatternId, provenance::ActorKind, scope::words};

/// Fewest sequences that make a pattern.
pub const LEAST_SEQUENCES: u64 = 5;
/// Fewest percent of the sequences with the action on the target that end with the code.
pub const LEAST_PERCENT: u64 = 60;
/// Most patterns that an agent is shown.
pub const MOST_SHOWN: usize = 5;

/// What recurs: an action on a type of target that ends with a code.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PatternKey {
    /// The tool and its action.
    pub action: ActionType,
    /// What it was done to.
    pub target: TargetType,
    /// How it ended.
    pub error: ErrorCode,
}

/// In how many sequences something recurs. A sequence counts once, by the last such action in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Evidence {
    /// Sequences that end with the code.
    pub sequences: u64,
    /// All sequences with the action on the target.
    pub of: u64,
}

impl Evidence {
    /// True if it makes a pattern.
    pub const fn promotes(self) -> bool {
        // In whole numbers: a share computed in floats may miss the border by a hair.
        self.sequences >= LEAST_SEQUENCES
            && self.sequences <= self.of
            && self.sequences.saturating_mul(100) >= self.of.saturating_mul(LEAST_PERCENT)
    }

    /// The share in whole percent, rounded down.
    pub fn percent(self) -> u64 {
        self.sequences.saturating_mul(100).checked_div(self.of).unwrap_or(0)
    }
}

/// The evidence of each code, from the last code of each sequence with one action on one target. Sequences that ended without
/// a code count only for the whole.
pub fn evidence(last_codes: &[Option<ErrorCode>]) -> Vec<(ErrorCode, Evidence)> {
    let of = last_codes.len() as u64;
    let count = |code: ErrorCode| last_codes.iter().filter(|last| **last == Some(code)).count() as u64;
    let all = ErrorCode::ALL.iter().map(|code| (*code, Evidence { sequences: count(*code), of }));
    all.filter(|(_, evidence)| evidence.sequences > 0).collect()
}

/// A judgement about a pattern. A closed word, so that telemetry holds no text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Annotation {
    /// It helps.
    Useful,
    /// It is as it should be: the rule behind it is wanted.
    Expected,
    /// It leads to wrong conclusions.
    Misleading,
    /// Its cause is gone.
    Resolved,
}

words!(Annotation, "annotation", {
    Useful => "useful", Expected => "expected", Misleading => "misleading", Resolved => "resolved",
});

/// Who hides a pattern from agents.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SuppressedBy {
    /// The worldbuilder. Only they can lift it.
    Author,
    Agent,
}

words!(SuppressedBy, "suppression", { Author => "author", Agent => "agent" });

/// The worldbuilder suppressed the pattern, so an agent cannot lift that.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the worldbuilder suppressed this pattern; only they can show it again")]
pub struct SuppressedByAuthor;

/// A pattern.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct AgentPattern {
    pub id: AgentPatternId,
    /// What recurs.
    pub key: PatternKey,
    /// The newest evidence.
    pub evidence: Evidence,
    /// True while the newest evidence makes it a pattern.
    pub holds: bool,
    /// When it became a pattern.
    pub promoted_at: DateTime<Utc>,
    /// When its evidence was counted last.
    pub updated_at: DateTime<Utc>,
    /// The judgement about it.
    pub annotation: Option<Annotation>,
    /// Who hides it from agents.
    pub suppressed_by: Option<SuppressedBy>,
}

impl AgentPattern {
    /// The pattern with newer evidence. Too few sequences, as after old actions were removed, change nothing: a pattern stays
    /// until evidence speaks against it.
    #[must_use]
    pub fn counted(self, evidence: Evidence, at: DateTime<Utc>) -> Self {
        if evidence.of < LEAST_SEQUENCES {
            return self;
        }
        Self { evidence, holds: evidence.promotes(), updated_at: at, ..self }
    }

    /// True if agents are shown it.
    pub const fn is_shown(&self) -> bool {
        self.holds && self.suppressed_by.is_none()
    }

    /// Hides it from agents, or shows it again, as an actor.
    ///
    /// # Errors
    /// [`SuppressedByAuthor`] if the worldbuilder suppressed it and the actor is another.
    pub fn suppressed(self, suppress: bool, actor: ActorKind) -> Result<Self, SuppressedByAuthor> {
        let is_author = actor == ActorKind::Author;
        let suppressed_by = match (suppress, is_author) {
            (true, true) => Some(SuppressedBy::Author),
            (true, false) => self.suppressed_by.or(Some(SuppressedBy::Agent)),
            (false, false) if self.suppressed_by == Some(SuppressedBy::Author) => {
                return Err(SuppressedByAuthor);
            }
            (false, _) => None,
        };
        Ok(Self { suppressed_by, ..self })
    }

    /// The line that an agent is shown.
    pub fn line(&self) -> String {
        let PatternKey { action, target, error } = self.key;
        let Evidence { sequences, of } = self.evidence;
        let judged = self.annotation.map(|word| format!(" (judged {word})")).unwrap_or_default();
        format!("{action} on {target} ended with '{error}' in {sequences} of {of} sequences{judged}")
    }
}

/// The patterns that an agent is shown, those with the most sequences first.
pub fn shown(patterns: Vec<AgentPattern>) -> Vec<AgentPattern> {
    let mut shown: Vec<AgentPattern> = patterns.into_iter().filter(AgentPattern::is_shown).collect();
    shown.sort_by_key(|pattern| {
        (std::cmp::Reverse((pattern.evidence.sequences, pattern.evidence.percent())), pattern.key)
    });
    shown.truncate(MOST_SHOWN);
    shown
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use uuid::Uuid;

    use super::*;

    fn pattern(evidence: Evidence, suppressed_by: Option<SuppressedBy>) -> AgentPattern {
        AgentPattern {
            id: AgentPatternId::from_uuid(Uuid::from_u128(1)),
            key: PatternKey {
                action: ActionType::FactSet,
                target: TargetType::Fact,
                error: ErrorCode::Locked,
            },
            evidence,
            holds: evidence.promotes(),
            promoted_at: DateTime::UNIX_EPOCH,
            updated_at: DateTime::UNIX_EPOCH,
            annotation: None,
            suppressed_by,
        }
    }

    #[test]
    fn five_sequences_and_sixty_percent_are_the_borders() {
        for (sequences, of, promotes) in [
            (4, 4, false),
            (5, 5, true),
            (5, 8, true),
            (5, 9, false),
            (6, 10, true),
            (59, 100, false),
            (60, 100, true),
            (599, 1_000, false),
            (600, 1_000, true),
            (0, 0, false),
            (6, 5, false),
        ] {
            assert_eq!(Evidence { sequences, of }.promotes(), promotes, "{sequences} of {of}");
        }
    }

    #[test]
    fn an_agent_cannot_lift_what_the_worldbuilder_suppressed() {
        let promoted = Evidence { sequences: 5, of: 5 };
        for actor in [ActorKind::Agent, ActorKind::System, ActorKind::Import] {
            let own = pattern(promoted, None).suppressed(true, actor).expect("may suppress");
            assert_eq!(own.suppressed_by, Some(SuppressedBy::Agent));
            assert!(own.suppressed(false, actor).expect("may lift its own").is_shown());
            let authors = own.suppressed(true, ActorKind::Author).expect("may suppress");
            assert_eq!(authors.suppressed(false, actor), Err(SuppressedByAuthor));
            let still = authors.suppressed(true, actor).expect("changes nothing");
            assert_eq!(still.suppressed_by, Some(SuppressedBy::Author));
            assert!(authors.suppressed(false, ActorKind::Author).expect("may lift it").is_shown());
        }
    }

    proptest! {
        #[test]
        fn more_sequences_that_end_so_never_take_a_pattern_away(sequences in 0u64..2_000, others in 0u64..2_000) {
            let less = Evidence { sequences, of: sequences + others };
            let more = Evidence { sequences: sequences + 1, of: sequences + 1 + others };
            prop_assert!(!less.promotes() || more.promotes());
        }

        #[test]
        fn a_pattern_needs_five_sequences_and_three_of_five(sequences in 0u64..2_000, others in 0u64..2_000) {
            let evidence = Evidence { sequences, of: sequences + others };
            let expected = sequences >= 5 && sequences * 2 >= others * 3;
            prop_assert_eq!(evidence.promotes(), expected);
        }

        #[test]
        fn each_sequence_counts_once_and_successes_only_for_the_whole(codes in proptest::collection::vec(0..6usize, 0..60)) {
            let last: Vec<Option<ErrorCode>> =
                codes.iter().map(|code| (*code > 0).then(|| ErrorCode::ALL[*code])).collect();
            let all = evidence(&last);
            let ended: u64 = all.iter().map(|(_, evidence)| evidence.sequences).sum();
            prop_assert_eq!(ended, last.iter().flatten().count() as u64);
            prop_assert!(all.iter().all(|(_, evidence)| evidence.of == last.len() as u64));
            // Sixty percent is more than half, so that one action on one target makes one pattern at most.
            prop_assert!(all.iter().filter(|(_, evidence)| evidence.promotes()).count() <= 1);
        }

        #[test]
        fn at_most_five_are_shown_and_none_that_is_suppressed(
            all in proptest::collection::vec((0u64..40, 0u64..40, 0..3usize), 0..30)
        ) {
            let by = [None, Some(SuppressedBy::Author), Some(SuppressedBy::Agent)];
            let patterns = all.iter().map(|(sequences, others, at)| {
                pattern(Evidence { sequences: *sequences, of: sequences + others }, by[*at])
            });
            let shown = shown(patterns.collect());
            prop_assert!(shown.len() <= MOST_SHOWN);
            prop_assert!(shown.iter().all(|pattern| pattern.evidence.promotes() && pattern.suppressed_by.is_none()));
            prop_assert!(shown.is_sorted_by(|a, b| a.evidence.sequences >= b.evidence.sequences));
        }

        #[test]
        fn too_little_evidence_changes_no_pattern(sequences in 0u64..5, others in 0u64..5) {
            let evidence = Evidence { sequences, of: sequences + others };
            let before = pattern(Evidence { sequences: 9, of: 10 }, None);
            let after = before.counted(evidence, DateTime::UNIX_EPOCH);
            if evidence.of < LEAST_SEQUENCES {
                prop_assert_eq!(after, before);
            } else {
                prop_assert_eq!(after.holds, evidence.promotes());
            }
        }
    }
}
