//! The review: what is checked after memory or its settings have changed, whoever changed them and however. Acts that may be taken back
//! as a whole run the recall tests themselves; the review finds what any other act has turned.

use inklings_domain::{consolidation::run::RunState, recall_test::Cause};
use inklings_ports::workspace::settings::REVIEWED;

use crate::{consolidation, error::AppError, services::Reviews};

/// The result of a review.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Review {
    /// Contradictions that were found.
    pub found: usize,
    /// Recall tests that were run.
    pub tests: usize,
    /// Those of them that fail.
    pub failed: usize,
}

impl Reviews<'_> {
    /// A text that differs after anything that may turn a recall test or make a contradiction: a change of memory or settings,
    /// another embedding model, another day.
    pub async fn state(&self) -> Result<String, AppError> {
        let day = self.session.clock.now().date_naive();
        let model = self.session.embedder.get().map(|embedder| embedder.model().id.to_string());
        Ok(format!("{day} {} {}", model.unwrap_or_default(), self.session.revision().await?))
    }

    /// True if the state is not the one that was reviewed last, or messages wait to be compared, and no consolidation is under
    /// way: it runs the tests itself.
    pub async fn is_due(&self, state: &str) -> Result<bool, AppError> {
        let waiting = !self.session.workspace.drifts.queued_messages(1).await?.is_empty();
        if !waiting && self.session.is_recorded(REVIEWED, state).await? {
            return Ok(false);
        }
        let latest = self.session.workspace.runs.latest(consolidation::TASK).await?;
        Ok(latest.is_none_or(|run| run.state != RunState::Running))
    }

    /// Looks for contradictions, and runs the recall tests.
    ///
    /// # Errors
    /// [`AppError::Store`] if a database fails.
    pub async fn review(&self) -> Result<Review, AppError> {
        let state = self.state().await?;
        let found = self.session.drifts().look().await?;
        let tests = self.session.recall_tests().run_all(Cause::Change).await?;
        self.session.record(REVIEWED, &state).await?;
        let failed =
            tests.iter().filter(|test| test.last.as_ref().is_some_and(|last| !last.passed())).count();
        Ok(Review { found, tests: tests.len(), failed })
    }
}
