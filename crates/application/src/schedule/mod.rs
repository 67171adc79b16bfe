//! Work beside the requests: what there is to do, when it is due, and who does it. A shell that lives long drives it; the
//! rules are here, the timers are there.

mod due;
pub mod store;
mod tasks;

use std::sync::Arc;

use chrono::Duration;
use inklings_domain::{
    consolidation::run::RunTrigger,
    provenance::Interface,
    schedule::{LEASE, TaskOutcome, TaskState},
};

pub use self::{
    due::Anchors,
    tasks::{Consolidate, Embed, MOST_CONVERSATIONS, Persist, Summarise, Thin, all},
};
use crate::{
    consolidation::RunSink, conversation::summariser::Summariser, error::AppError, model::chat::ChatModel,
    session::Session,
};

/// What a task may use while it runs.
pub struct TaskTools {
    /// The interface that its writes come through.
    pub interface: Interface,
    /// Makes paragraphs.
    pub summariser: Arc<dyn Summariser>,
    /// The language model, if one is connected.
    pub model: Option<Arc<dyn ChatModel>>,
    /// Hears how it goes, and can stop it.
    pub sink: Arc<dyn RunSink>,
}

/// Something that is done by itself now and then (seed 000).
#[async_trait::async_trait]
pub trait ScheduledTask: Send + Sync {
    /// Its stable name.
    fn name(&self) -> &'static str;

    /// What it does, for people.
    fn title(&self) -> &'static str;

    /// How often it runs; `None` if only events set it off.
    async fn every(&self, session: &Session) -> Option<Duration>;

    /// How long after the start of the app it first may.
    fn initial_delay(&self) -> Duration {
        Duration::seconds(60)
    }

    /// True if it adds to memory or makes something of what was said: it does not run while memory is switched off.
    fn adds_to_memory(&self) -> bool;

    /// True if it compares vectors: what has none yet is embedded first, and the run begins when all are in memory. A
    /// comparison without them would find nothing, and not be made again.
    fn compares_vectors(&self) -> bool {
        false
    }

    /// Whether something set it off. Asked about once a minute while it is not due by the clock.
    async fn wanted(&self, _session: &Session, _startup: bool) -> Result<Option<RunTrigger>, AppError> {
        Ok(None)
    }

    /// Does the work; says what came of it, for people, without any memory's text. Doing it twice does no harm.
    async fn run(
        &self,
        session: &Session,
        trigger: RunTrigger,
        tools: &TaskTools,
    ) -> Result<String, AppError>;
}

impl Session {
    /// True unless memory is switched off and the task adds to it.
    ///
    /// # Errors
    /// [`AppError::Store`] if the database cannot be read.
    pub async fn may_run(&self, task: &dyn ScheduledTask) -> Result<bool, AppError> {
        Ok(!task.adds_to_memory() || self.memory_enabled().await?)
    }

    /// What is kept of every task that ever ran.
    ///
    /// # Errors
    /// [`AppError::Store`] if the database cannot be read.
    pub async fn task_states(&self) -> Result<Vec<TaskState>, AppError> {
        Ok(self.workspace.schedule.states().await?)
    }

    /// Takes a task, so that no other process runs it. False if one does.
    ///
    /// # Errors
    /// [`AppError::Store`] if the database refuses.
    pub async fn take_task(&self, task: &str, owner: &str) -> Result<bool, AppError> {
        let now = self.clock.now();
        Ok(self.workspace.schedule.acquire(task, owner, now, now + LEASE).await?)
    }

    /// Says that a task is still being run. False if another process took it meanwhile: stop then.
    ///
    /// # Errors
    /// [`AppError::Store`] if the database refuses.
    pub async fn renew_task(&self, task: &str, owner: &str) -> Result<bool, AppError> {
        Ok(self.workspace.schedule.renew(task, owner, self.clock.now() + LEASE).await?)
    }

    /// Gives a task back with how it ended.
    ///
    /// # Errors
    /// [`AppError::Store`] if the database refuses.
    pub async fn end_task(
        &self,
        task: &str,
        owner: &str,
        outcome: TaskOutcome,
        message: Option<&str>,
    ) -> Result<(), AppError> {
        let at = self.clock.now();
        self.workspace.schedule.release(task, owner, outcome, message, at).await?;
        Ok(())
    }
}
