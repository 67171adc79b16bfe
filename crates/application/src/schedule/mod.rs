//! Scheduled background tasks: which tasks exist, when they are due, and leases between processes. A
//! long-running shell drives them and owns the timers; the rules are here.

mod due;
mod tasks;

use std::sync::Arc;

use chrono::Duration;
use inklings_domain::{
    consolidation::run::RunTrigger,
    provenance::Interface,
    schedule::{LEASE, TaskOutcome, TaskState},
};
use inklings_ports::{conversation::summariser::Summariser, model::chat::ChatModel};

pub use self::{
    due::Anchors,
    tasks::{Consolidate, Embed, MOST_CONVERSATIONS, MeasureAgents, Persist, Review, Summarise, Thin, all},
};
use crate::{consolidation::RunSink, error::AppError, services::Schedule, session::Session};

/// What a task may use while it runs.
pub struct TaskTools {
    /// The interface recorded for its writes.
    pub interface: Interface,
    /// Writes summaries.
    pub summariser: Arc<dyn Summariser>,
    /// The language model, if one is connected.
    pub model: Option<Arc<dyn ChatModel>>,
    /// Receives progress and can stop the task.
    pub sink: Arc<dyn RunSink>,
}

/// A task that runs automatically, on a schedule or on events.
#[async_trait::async_trait]
pub trait ScheduledTask: Send + Sync {
    /// Stable name.
    fn name(&self) -> &'static str;

    /// Title for display.
    fn title(&self) -> &'static str;

    /// Interval between runs; `None` if only events start it.
    async fn every(&self, session: &Session) -> Option<Duration>;

    /// Delay of the first run after the start of the app.
    fn initial_delay(&self) -> Duration {
        Duration::seconds(60)
    }

    /// True if it adds to memory or derives content from messages. Such a task does not run while memory is
    /// switched off.
    fn adds_to_memory(&self) -> bool;

    /// True if it compares vectors. Before such a task, pending texts are embedded and all vectors are
    /// loaded. A comparison without them would find nothing and would not be repeated.
    fn compares_vectors(&self) -> bool {
        false
    }

    /// Whether an event starts the task now. Called about once a minute while it is not due by the clock.
    async fn wanted(&self, _session: &Session, _startup: bool) -> Result<Option<RunTrigger>, AppError> {
        Ok(None)
    }

    /// Does the work. Returns a summary for people without memory text. Must be idempotent.
    async fn run(
        &self,
        session: &Session,
        trigger: RunTrigger,
        tools: &TaskTools,
    ) -> Result<String, AppError>;
}

impl Schedule<'_> {
    /// True unless memory is switched off and the task adds to it.
    pub async fn may_run(&self, task: &dyn ScheduledTask) -> Result<bool, AppError> {
        Ok(!task.adds_to_memory() || self.session.switch().enabled().await?)
    }

    /// Stored state of all tasks that ever ran.
    pub async fn task_states(&self) -> Result<Vec<TaskState>, AppError> {
        Ok(self.session.workspace.schedule.states().await?)
    }

    /// Acquires the lease of a task. False if another process holds it.
    pub async fn take_task(&self, task: &str, owner: &str) -> Result<bool, AppError> {
        let now = self.session.clock.now();
        Ok(self.session.workspace.schedule.acquire(task, owner, now, now + LEASE).await?)
    }

    /// Renews the lease of a running task. False if another process acquired it meanwhile; the caller must
    /// stop then.
    pub async fn renew_task(&self, task: &str, owner: &str) -> Result<bool, AppError> {
        Ok(self.session.workspace.schedule.renew(task, owner, self.session.clock.now() + LEASE).await?)
    }

    /// Releases the lease of a task and records its result.
    pub async fn end_task(
        &self,
        task: &str,
        owner: &str,
        outcome: TaskOutcome,
        message: Option<&str>,
    ) -> Result<(), AppError> {
        let at = self.session.clock.now();
        self.session.workspace.schedule.release(task, owner, outcome, message, at).await?;
        Ok(())
    }
}
