//! Use cases on patterns.

use inklings_domain::{
    agent_telemetry::pattern::{AgentPattern, Annotation, SuppressedBy, shown},
    ids::AgentPatternId,
    provenance::ActorKind,
};

use crate::{
    error::AppError,
    services::AgentTelemetry,
    tools::{Caller, is_shown_action},
};

impl AgentTelemetry<'_> {
    /// All patterns, those with the most sequences first.
    pub async fn patterns(&self) -> Result<Vec<AgentPattern>, AppError> {
        Ok(self.session.workspace.agent_telemetry.patterns().await?)
    }

    /// The patterns that a caller is shown before it acts: at most five, about tools that it has, and none while memory is
    /// off.
    pub(crate) async fn shown_patterns(&self, caller: Caller<'_>) -> Result<Vec<AgentPattern>, AppError> {
        if !self.session.switch().enabled().await? {
            return Ok(Vec::new());
        }
        let mut all = self.patterns().await?;
        all.retain(|pattern| is_shown_action(pattern.key.action, caller));
        Ok(shown(all))
    }

    /// Judges a pattern; `None` takes the judgement away.
    ///
    /// # Errors
    /// [`AppError::NotFound`] if there is no such pattern.
    pub async fn annotate(
        &self,
        id: AgentPatternId,
        annotation: Option<Annotation>,
        actor: ActorKind,
    ) -> Result<AgentPattern, AppError> {
        let pattern = self.pattern(id).await?;
        self.judge(AgentPattern { annotation, ..pattern }, actor).await
    }

    /// Hides a pattern from agents, or shows it again.
    ///
    /// # Errors
    /// [`AppError::NotFound`] if there is no such pattern; [`AppError::SuppressedByAuthor`] if an agent would lift a
    /// suppression of the worldbuilder.
    pub async fn suppress(
        &self,
        id: AgentPatternId,
        suppress: bool,
        actor: ActorKind,
    ) -> Result<AgentPattern, AppError> {
        let pattern = self.pattern(id).await?.suppressed(suppress, actor)?;
        self.judge(pattern, actor).await
    }

    async fn pattern(&self, id: AgentPatternId) -> Result<AgentPattern, AppError> {
        let found = self.patterns().await?.into_iter().find(|pattern| pattern.id == id);
        found.ok_or_else(|| AppError::NotFound { what: "pattern", name: id.to_string() })
    }

    async fn judge(&self, pattern: AgentPattern, actor: ActorKind) -> Result<AgentPattern, AppError> {
        let by = if actor == ActorKind::Author { SuppressedBy::Author } else { SuppressedBy::Agent };
        let AgentPattern { id, annotation, suppressed_by, .. } = pattern;
        let store = &self.session.workspace.agent_telemetry;
        if store.judge(id, annotation, suppressed_by, by).await? {
            Ok(pattern)
        } else {
            Err(AppError::NotFound { what: "pattern", name: id.to_string() })
        }
    }
}
