//! Scheduler of a long-lived shell: periodically finds tasks that are due or triggered, and runs them.

pub mod convert;
mod listener;
pub(crate) mod tasks;
pub mod view;

use std::{
    collections::HashSet,
    sync::Arc,
    time::{Duration, Instant},
};

use inklings_application::{
    schedule::{Anchors, ScheduledTask, all},
    session::Session,
};
use inklings_domain::{consolidation::run::RunTrigger, ids::WorkspaceId, provenance::Interface};
use tokio::sync::Notify;

use crate::{App, Events, error::ErrorCode, schedule::tasks::run_task};

/// Poll interval without a wake-up.
const LOOK_EVERY: Duration = Duration::from_secs(20);
/// Delay after a wake-up, because more writes may follow.
const AFTER_NEWS: Duration = Duration::from_millis(500);

/// Scheduler of the tasks of one process.
pub(crate) struct Scheduler {
    app: Arc<App>,
    events: Arc<dyn Events>,
    wake: Arc<Notify>,
}

impl Scheduler {
    pub(crate) const fn new(app: Arc<App>, events: Arc<dyn Events>, wake: Arc<Notify>) -> Self {
        Self { app, events, wake }
    }

    /// Runs as long as the process. Tasks run one at a time, because they share the machine with the user.
    pub(crate) async fn run(self) {
        let (began, tasks) = (Instant::now(), all());
        let mut anchors = Anchors::default();
        // Missed runs are caught up at the first check of each task, once per workspace.
        let mut looked: HashSet<(WorkspaceId, &'static str)> = HashSet::new();
        loop {
            for session in self.app.client().sessions().await {
                let id = session.workspace.workspace.id;
                for task in &tasks {
                    if began.elapsed() < task.initial_delay().to_std().unwrap_or_default() {
                        continue;
                    }
                    let startup = looked.insert((id, task.name()));
                    if let Some(trigger) = self.due(&session, &**task, &mut anchors, startup).await {
                        self.do_it(&session, Arc::clone(task), trigger).await;
                    }
                }
            }
            if tokio::time::timeout(LOOK_EVERY, self.wake.notified()).await.is_ok() {
                tokio::time::sleep(AFTER_NEWS).await;
            }
        }
    }

    /// The current trigger of a task, if any.
    async fn due(
        &self,
        session: &Session,
        task: &dyn ScheduledTask,
        anchors: &mut Anchors,
        startup: bool,
    ) -> Option<RunTrigger> {
        if !session.schedule().may_run(task).await.ok()? {
            return None;
        }
        let now = self.app.clock.now();
        if let Some(every) = task.every(session).await {
            let states = session.schedule().task_states().await.ok()?;
            let last = states.iter().find(|s| s.task == task.name()).and_then(|s| s.last_started_at);
            if anchors.due((session.workspace.workspace.id, task.name()), last, every, now) <= now {
                return Some(if startup { RunTrigger::Startup } else { RunTrigger::Idle });
            }
        }
        task.wanted(session, startup).await.unwrap_or_else(|error| {
            tracing::debug!(%error, task = task.name(), "it is not known whether a task is wanted");
            None
        })
    }

    async fn do_it(&self, session: &Arc<Session>, task: Arc<dyn ScheduledTask>, trigger: RunTrigger) {
        let name = task.name();
        match run_task(&self.app, session, task, trigger, Interface::Task, Arc::clone(&self.events)).await {
            Ok(end) => tracing::debug!(task = name, outcome = end.outcome.as_str(), "a task ran"),
            // Another process runs it, or the folder is read-only and needs no maintenance.
            Err(error) if matches!(error.code, ErrorCode::Busy | ErrorCode::ReadOnly) => {}
            Err(error) => tracing::warn!(%error, task = name, "a task did not run"),
        }
    }
}
