//! The author's recall tests: a question, and what its orientation must hold or must not hold. A test never changes memory
//! or ranking; it only tells.

use chrono::{DateTime, Utc};

use crate::{
    ids::{ChannelId, RecallTestId, RunId},
    lens::Lens,
    orientation::{ItemId, Rule},
    scope::words,
    text::{self, TextError},
};

/// Maximum number of tests in a workspace.
pub const MAX_TESTS: usize = 500;
/// Maximum number of expectations of one test.
pub const MAX_EXPECTATIONS: usize = 20;

/// What an orientation must do with an item.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Must {
    /// It must hold the item.
    Come,
    /// It must not hold the item: a test for leaks and spoilers.
    StayAway,
}

words!(Must, "expectation", { Come => "come", StayAway => "stay_away" });

/// An expectation of a test.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Expectation {
    /// A memory or a fact.
    pub item: ItemId,
    /// What the orientation must do with it.
    pub must: Must,
}

/// Why a test is refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum InvalidRecallTest {
    /// The question breaks a text rule.
    #[error(transparent)]
    Question(#[from] TextError),
    #[error("name at least one memory or fact that must come up, or must not")]
    NothingExpected,
    #[error("too much is expected: {actual}, at most {MAX_EXPECTATIONS}")]
    TooMuchExpected {
        /// Number of expectations.
        actual: usize,
    },
    /// One item must come up and stay away, or is named twice.
    #[error("{0} is named twice")]
    NamedTwice(String),
    /// The token budget is zero.
    #[error("the budget is at least one token")]
    NoBudget,
    /// The workspace has too many tests.
    #[error("this workspace has {MAX_TESTS} recall tests already; remove one first")]
    Full,
}

/// A checked test as it is asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecallTestDraft {
    question: String,
    /// Whose knowledge is read, and up to when the story has happened.
    pub lens: Lens,
    /// The channel in scope.
    pub channel: Option<ChannelId>,
    /// Token budget; that of the settings if `None`.
    budget: Option<u64>,
    /// What is expected, at least one and each item once.
    expects: Vec<Expectation>,
}

impl RecallTestDraft {
    /// Checks a test.
    ///
    /// # Errors
    /// [`InvalidRecallTest`] with the broken rule.
    pub fn new(
        question: &str,
        expects: Vec<Expectation>,
        (lens, channel, budget): (Lens, Option<ChannelId>, Option<u64>),
    ) -> Result<Self, InvalidRecallTest> {
        let question = text::question(question)?;
        match expects.len() {
            0 => return Err(InvalidRecallTest::NothingExpected),
            actual if actual > MAX_EXPECTATIONS => {
                return Err(InvalidRecallTest::TooMuchExpected { actual });
            }
            _ => {}
        }
        for (at, expected) in expects.iter().enumerate() {
            if expects[..at].iter().any(|other| other.item == expected.item) {
                return Err(InvalidRecallTest::NamedTwice(expected.item.id()));
            }
        }
        if budget == Some(0) {
            return Err(InvalidRecallTest::NoBudget);
        }
        Ok(Self { question, lens, channel, budget, expects })
    }
}

/// A recall test with the result of its last run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecallTest {
    pub id: RecallTestId,
    /// What is asked and expected.
    pub draft: RecallTestDraft,
    /// When it was made.
    pub created_at: DateTime<Utc>,
    /// The last run; `None` before the first.
    pub last: Option<RecallRun>,
}

impl RecallTestDraft {
    /// The question.
    pub fn question(&self) -> &str {
        &self.question
    }

    /// Token budget; that of the settings if `None`.
    pub const fn budget(&self) -> Option<u64> {
        self.budget
    }

    /// What is expected, each item once.
    pub fn expects(&self) -> &[Expectation] {
        &self.expects
    }
}

/// What a run followed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cause {
    /// The author asked for it.
    Asked,
    Consolidation(RunId),
    /// A run of consolidation was taken back.
    Revert,
    /// An import, by its run if it can be taken back as one.
    Import(Option<RunId>),
    /// Another embedding model.
    Model,
    /// Other rates of decay.
    Decay,
    /// Any other change of memory or of settings, found afterwards.
    Change,
}

impl Cause {
    /// The stable word.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Asked => "asked",
            Self::Consolidation(_) => "consolidation",
            Self::Revert => "revert",
            Self::Import(_) => "import",
            Self::Model => "model",
            Self::Decay => "decay",
            Self::Change => "change",
        }
    }

    /// The run that can be taken back.
    pub const fn run(self) -> Option<RunId> {
        match self {
            Self::Consolidation(run) => Some(run),
            Self::Import(run) => run,
            Self::Asked | Self::Revert | Self::Model | Self::Decay | Self::Change => None,
        }
    }

    /// Reads what [`Self::as_str`] and [`Self::run`] gave.
    pub fn read(word: &str, run: Option<RunId>) -> Option<Self> {
        match (word, run) {
            ("consolidation", Some(run)) => Some(Self::Consolidation(run)),
            ("asked", None) => Some(Self::Asked),
            ("revert", None) => Some(Self::Revert),
            ("import", run) => Some(Self::Import(run)),
            ("model", None) => Some(Self::Model),
            ("decay", None) => Some(Self::Decay),
            ("change", None) => Some(Self::Change),
            _ => None,
        }
    }
}

/// An expectation that was not met.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Failure {
    pub expectation: Expectation,
    /// The rule that decided about the item.
    pub rule: Rule,
    /// Its rank in the order of its layer, from 1, and the number of items in that order if it is known.
    pub rank: Option<(u64, Option<u64>)>,
}

/// What turned a passing test into a failing one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Turned {
    /// When the failing run was made.
    pub at: DateTime<Utc>,
    /// What it followed.
    pub by: Cause,
}

/// The result of a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecallRun {
    /// When it was made.
    pub at: DateTime<Utc>,
    /// The embedding model that it was made with; `None`: by words alone.
    pub model: Option<String>,
    /// The expectations that were not met. None: it passed.
    pub failures: Vec<Failure>,
    /// What turned it, if it passed before.
    pub turned: Option<Turned>,
}

impl RecallRun {
    /// True if all expectations were met.
    pub fn passed(&self) -> bool {
        self.failures.is_empty()
    }
}

impl RecallTest {
    /// The test with the result of a run. A failing test keeps what turned it until it passes again.
    #[must_use]
    pub fn after(self, by: Cause, at: DateTime<Utc>, model: Option<String>, failures: Vec<Failure>) -> Self {
        let turned = match &self.last {
            _ if failures.is_empty() => None,
            None => None,
            Some(before) if before.passed() => Some(Turned { at, by }),
            Some(before) => before.turned,
        };
        Self { last: Some(RecallRun { at, model, failures, turned }), ..self }
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;
    use crate::ids::MemoryId;

    fn expectation(id: u128, must: Must) -> Expectation {
        Expectation { item: ItemId::Memory(MemoryId::from_uuid(Uuid::from_u128(id))), must }
    }

    fn draft(expects: Vec<Expectation>) -> Result<RecallTestDraft, InvalidRecallTest> {
        RecallTestDraft::new("Who keeps the lamp?", expects, (Lens::NONE, None, None))
    }

    fn test() -> RecallTest {
        RecallTest {
            id: RecallTestId::from_uuid(Uuid::from_u128(1)),
            draft: draft(vec![expectation(1, Must::Come)]).expect("it is valid"),
            created_at: DateTime::UNIX_EPOCH,
            last: None,
        }
    }

    fn failure() -> Vec<Failure> {
        vec![Failure { expectation: expectation(1, Must::Come), rule: Rule::Forgotten, rank: None }]
    }

    #[test]
    fn a_test_that_expects_nothing_or_two_things_of_one_item_is_refused() {
        assert_eq!(draft(Vec::new()), Err(InvalidRecallTest::NothingExpected));
        let both = vec![expectation(1, Must::Come), expectation(1, Must::StayAway)];
        assert!(matches!(draft(both), Err(InvalidRecallTest::NamedTwice(_))));
        let many = (0..=MAX_EXPECTATIONS as u128).map(|id| expectation(id, Must::Come)).collect();
        assert_eq!(draft(many), Err(InvalidRecallTest::TooMuchExpected { actual: MAX_EXPECTATIONS + 1 }));
    }

    #[test]
    fn a_blank_question_and_an_empty_budget_are_refused() {
        let expects = vec![expectation(1, Must::Come)];
        let blank = RecallTestDraft::new(" \n", expects.clone(), (Lens::NONE, None, None));
        assert!(matches!(blank, Err(InvalidRecallTest::Question(TextError::Empty { .. }))));
        let none = RecallTestDraft::new("Who?", expects, (Lens::NONE, None, Some(0)));
        assert_eq!(none, Err(InvalidRecallTest::NoBudget));
    }

    #[test]
    fn a_failing_test_keeps_what_turned_it_until_it_passes() {
        let (at, run) = (DateTime::UNIX_EPOCH, RunId::from_uuid(Uuid::from_u128(7)));
        let turned =
            |test: &RecallTest| test.last.as_ref().and_then(|last| last.turned).map(|turned| turned.by);
        let never_passed = test().after(Cause::Consolidation(run), at, None, failure());
        assert_eq!(turned(&never_passed), None, "nothing turned it");
        let passed = never_passed.after(Cause::Asked, at, None, Vec::new());
        let failed = passed.after(Cause::Consolidation(run), at, None, failure());
        assert_eq!(turned(&failed), Some(Cause::Consolidation(run)));
        let again = failed.after(Cause::Asked, at, None, failure());
        assert_eq!(turned(&again), Some(Cause::Consolidation(run)), "asking does not hide the cause");
        let mended = again.after(Cause::Revert, at, None, Vec::new());
        assert_eq!(turned(&mended), None);
    }

    #[test]
    fn a_cause_reads_back() {
        let run = RunId::from_uuid(Uuid::from_u128(7));
        let causes = [
            Cause::Asked,
            Cause::Consolidation(run),
            Cause::Revert,
            Cause::Import(None),
            Cause::Import(Some(run)),
            Cause::Model,
            Cause::Decay,
            Cause::Change,
        ];
        for cause in causes {
            assert_eq!(Cause::read(cause.as_str(), cause.run()), Some(cause));
        }
        assert_eq!(Cause::read("consolidation", None), None);
        assert_eq!(Cause::read("model", Some(run)), None);
    }
}
