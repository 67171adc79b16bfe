//! The scheduled tasks.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
};

use chrono::Duration;
use inklings_domain::{
    consolidation::run::{RunState, RunTrigger},
    conversation::ConversationStatus,
    ids::WorkspaceId,
};
use inklings_ports::{conversation::store::ConversationFilter, progress::NoProgress};

use super::{ScheduledTask, TaskTools};
use crate::{
    consolidation,
    conversation::episodes::{self, EpisodeRule},
    error::AppError,
    extraction::{self, Helpers},
    memory::embed::BATCH,
    session::Session,
};

/// Conversations examined per run of the summarising task.
pub const MOST_CONVERSATIONS: usize = 500;
/// A conversation that has waited longer than this at startup was missed while no process ran.
const MISSED: Duration = Duration::minutes(1);

/// All tasks, in display order.
pub fn all() -> Vec<Arc<dyn ScheduledTask>> {
    vec![
        Arc::new(Embed),
        Arc::new(Persist),
        Arc::new(Consolidate),
        Arc::new(Summarise),
        Arc::new(Review::default()),
        Arc::new(Thin),
        Arc::new(MeasureAgents),
    ]
}

/// Embeds entries, 50 per batch, every 30 minutes after the first 60 seconds. Shells also embed after writes;
/// this task finds what they missed.
pub struct Embed;

#[async_trait::async_trait]
impl ScheduledTask for Embed {
    fn name(&self) -> &'static str {
        "embed"
    }

    fn title(&self) -> &'static str {
        "Find vectors that are missing"
    }

    fn adds_to_memory(&self) -> bool {
        false
    }

    async fn every(&self, _: &Session) -> Option<Duration> {
        Some(Duration::minutes(30))
    }

    async fn run(&self, session: &Session, _: RunTrigger, _: &TaskTools) -> Result<String, AppError> {
        if session.embedder.get().is_none() {
            return Ok("No embedding model is in use.".to_owned());
        }
        let done = session.embeddings().at_most(BATCH as u64, &NoProgress).await?;
        session.agent_telemetry().embed_summaries(BATCH).await?;
        Ok(match done {
            0 => "Nothing was missing.".to_owned(),
            done => format!("{done} texts got a vector."),
        })
    }
}

/// Persists conversations that ended, including those interrupted by a crash.
pub struct Persist;

#[async_trait::async_trait]
impl ScheduledTask for Persist {
    fn name(&self) -> &'static str {
        extraction::TASK
    }

    fn title(&self) -> &'static str {
        "Keep what conversations leave behind"
    }

    fn adds_to_memory(&self) -> bool {
        true
    }

    async fn every(&self, _: &Session) -> Option<Duration> {
        None
    }

    fn initial_delay(&self) -> Duration {
        Duration::seconds(5)
    }

    async fn wanted(&self, session: &Session, startup: bool) -> Result<Option<RunTrigger>, AppError> {
        let Some(since) = session.extraction().persist_waits_since().await? else { return Ok(None) };
        // At startup a conversation may also have ended just now. It was missed only if it has waited.
        let missed = startup && session.clock.now() - since > MISSED;
        Ok(Some(if missed { RunTrigger::Startup } else { RunTrigger::Closed }))
    }

    async fn run(
        &self,
        session: &Session,
        trigger: RunTrigger,
        tools: &TaskTools,
    ) -> Result<String, AppError> {
        let helpers = Helpers { summariser: &*tools.summariser, model: tools.model.clone() };
        let runs = session.extraction().pending(&helpers, trigger, tools.interface).await?;
        let failed = runs.iter().filter(|run| run.state == RunState::Failed).count();
        Ok(match (runs.len(), failed) {
            (0, _) => "No conversation was waiting.".to_owned(),
            (1, 0) => "1 conversation was worked up.".to_owned(),
            (all, 0) => format!("{all} conversations were worked up."),
            (all, failed) => format!("{failed} of {all} conversations failed; they will be tried again."),
        })
    }
}

/// Consolidates memory on events: many changes in a tier, an idle workspace, a conversation that ended, canon that
/// changed, work left by the last run at a limit, and runs missed while no process ran. Missed runs collapse into one.
pub struct Consolidate;

#[async_trait::async_trait]
impl ScheduledTask for Consolidate {
    fn name(&self) -> &'static str {
        consolidation::TASK
    }

    fn title(&self) -> &'static str {
        "Consolidate memory"
    }

    fn adds_to_memory(&self) -> bool {
        true
    }

    async fn every(&self, _: &Session) -> Option<Duration> {
        None
    }

    fn compares_vectors(&self) -> bool {
        true
    }

    async fn wanted(&self, session: &Session, startup: bool) -> Result<Option<RunTrigger>, AppError> {
        Ok(session.consolidation().due(startup).await?.map(|due| due.trigger))
    }

    async fn run(
        &self,
        session: &Session,
        trigger: RunTrigger,
        tools: &TaskTools,
    ) -> Result<String, AppError> {
        let run = session
            .consolidation()
            .consolidate(trigger, tools.interface, &*tools.summariser, &*tools.sink)
            .await?;
        let counts = run.counts;
        if counts.is_idle() {
            return Ok(format!("{} entries were looked at; nothing was to be done.", counts.scanned));
        }
        Ok(format!(
            "{} entries were looked at: {} promoted, {} faded, {} merged, {} over the limit, {} told in {} texts, {} proposals.",
            counts.scanned,
            counts.promoted,
            counts.faded,
            counts.merged,
            counts.capped,
            counts.rewritten,
            counts.created,
            counts.proposed
        ))
    }
}

/// Summarises older turns of all conversations into episodes (every 6 hours), also of conversations that
/// never ended; the newest turns stay. Each run examines a limited number of conversations and the next run
/// continues after them, starting over after the last one.
pub struct Summarise;

#[async_trait::async_trait]
impl ScheduledTask for Summarise {
    fn name(&self) -> &'static str {
        episodes::TASK
    }

    fn title(&self) -> &'static str {
        "Summarise old turns"
    }

    fn adds_to_memory(&self) -> bool {
        true
    }

    async fn every(&self, session: &Session) -> Option<Duration> {
        let settings = session.conversations().settings().await.unwrap_or_default();
        Some(Duration::hours(settings.summarise_every_hours as i64))
    }

    async fn run(&self, session: &Session, _: RunTrigger, tools: &TaskTools) -> Result<String, AppError> {
        let statuses = ConversationStatus::ALL.to_vec();
        let filter = ConversationFilter { statuses, ..ConversationFilter::default() };
        let (mut made, mut seen) = (0, 0);
        let mut after = session.episodes().summarised_through().await?;
        while seen < MOST_CONVERSATIONS && !tools.sink.cancelled() {
            let page = session.conversations().list(&filter, after, 100).await?;
            for row in &page.rows {
                let (id, rule) = (row.conversation.id, EpisodeRule::default());
                made += session.episodes().summarise_old_turns(id, rule, &*tools.summariser).await?.len();
                seen += 1;
            }
            after = page.next;
            session.episodes().set_summarised_through(after).await?;
            if after.is_none() {
                break;
            }
        }
        Ok(match made {
            0 => "No turns were old enough.".to_owned(),
            1 => "1 summary was written.".to_owned(),
            made => format!("{made} summaries were written."),
        })
    }
}

/// Looks for contradictions and runs the recall tests, after memory or its settings have changed and rest since the
/// check before.
#[derive(Default)]
pub struct Review {
    /// The state of each workspace at the check before.
    seen: Mutex<HashMap<WorkspaceId, String>>,
}

#[async_trait::async_trait]
impl ScheduledTask for Review {
    fn name(&self) -> &'static str {
        "review"
    }

    fn title(&self) -> &'static str {
        "Look for contradictions and run the recall tests"
    }

    /// It leaves no text.
    fn adds_to_memory(&self) -> bool {
        false
    }

    async fn every(&self, _: &Session) -> Option<Duration> {
        None
    }

    fn compares_vectors(&self) -> bool {
        true
    }

    async fn wanted(&self, session: &Session, startup: bool) -> Result<Option<RunTrigger>, AppError> {
        let state = session.reviews().state().await?;
        let workspace = session.workspace.workspace.id;
        let before =
            self.seen.lock().unwrap_or_else(PoisonError::into_inner).insert(workspace, state.clone());
        if before.as_ref() != Some(&state) || !session.reviews().is_due(&state).await? {
            return Ok(None);
        }
        Ok(Some(if startup { RunTrigger::Startup } else { RunTrigger::Idle }))
    }

    async fn run(&self, session: &Session, _: RunTrigger, _: &TaskTools) -> Result<String, AppError> {
        let review = session.reviews().review().await?;
        let found = match review.found {
            0 => "No new contradiction was found".to_owned(),
            1 => "1 contradiction was found".to_owned(),
            found => format!("{found} contradictions were found"),
        };
        Ok(match (review.tests, review.failed) {
            (0, _) => format!("{found}."),
            (tests, 0) => format!("{found}; all {tests} recall tests pass."),
            (tests, failed) => format!("{found}; {failed} of {tests} recall tests fail."),
        })
    }
}

/// Thins the orientation ledger.
pub struct Thin;

#[async_trait::async_trait]
impl ScheduledTask for Thin {
    fn name(&self) -> &'static str {
        "thin"
    }

    fn title(&self) -> &'static str {
        "Thin old accounts of what the agent was shown"
    }

    fn adds_to_memory(&self) -> bool {
        false
    }

    async fn every(&self, _: &Session) -> Option<Duration> {
        Some(Duration::days(1))
    }

    async fn run(&self, session: &Session, _: RunTrigger, _: &TaskTools) -> Result<String, AppError> {
        Ok(match session.orientations().thin_ledger().await? {
            0 => "Nothing was old enough.".to_owned(),
            1 => "1 account was thinned.".to_owned(),
            thinned => format!("{thinned} accounts were thinned."),
        })
    }
}

/// Computes the metrics of agents for each whole day, missed ones too, and removes old actions.
pub struct MeasureAgents;

#[async_trait::async_trait]
impl ScheduledTask for MeasureAgents {
    fn name(&self) -> &'static str {
        "agent_telemetry"
    }

    fn title(&self) -> &'static str {
        "Measure how agents work"
    }

    /// It leaves numbers alone, and no day without actions has any.
    fn adds_to_memory(&self) -> bool {
        false
    }

    async fn every(&self, _: &Session) -> Option<Duration> {
        Some(Duration::days(1))
    }

    async fn run(&self, session: &Session, _: RunTrigger, _: &TaskTools) -> Result<String, AppError> {
        let measured = session.agent_telemetry().measure_days().await?;
        let values = match measured.values {
            0 => "No day was to be measured".to_owned(),
            1 => "1 value was computed".to_owned(),
            values => format!("{values} values were computed"),
        };
        Ok(match measured.removed {
            0 => format!("{values}."),
            1 => format!("{values}; 1 old action was removed."),
            removed => format!("{values}; {removed} old actions were removed."),
        })
    }
}
