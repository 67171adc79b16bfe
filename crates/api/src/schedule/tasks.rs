//! Runs tasks: with a lease, so that only one process runs each; isolated, so that a panic stops nothing
//! else.

use std::{sync::Arc, time::Duration};

use inklings_application::{
    error::AppError,
    schedule::{ScheduledTask, TaskTools, all},
    session::Session,
};
use inklings_domain::{consolidation::run::RunTrigger, provenance::Interface, schedule::TaskOutcome};
use inklings_ports::progress::NoProgress;
use tokio_util::sync::CancellationToken;

use crate::{
    App, Events,
    commands::ScheduleCommands,
    error::{CommandError, ErrorCode},
    memory::by_name::VECTORS_WITHIN,
    schedule::view::TaskView,
};
use crate::{schedule::listener::Listener, state::run_control::RunningTask};

/// Renewal interval of a lease, several times within [`inklings_domain::schedule::LEASE`].
const RENEW_EVERY: Duration = Duration::from_secs(30);

impl ScheduleCommands<'_> {
    /// All tasks with their last runs.
    pub async fn list_tasks(&self) -> Result<Vec<TaskView>, CommandError> {
        let session = self.app.session()?;
        let (states, now) = (session.schedule().task_states().await?, self.app.clock.now());
        let mut views = Vec::new();
        for task in all() {
            let state = states.iter().find(|state| state.task == task.name());
            views.push(crate::schedule::convert::task(&*task, task.every(&session).await, state, now));
        }
        Ok(views)
    }

    /// Runs a task now and waits until it ends.
    ///
    /// # Errors
    /// [`CommandError`] of code `not_found`, or `busy` if another process runs it.
    pub async fn run_task(&self, name: &str, events: Arc<dyn Events>) -> Result<TaskView, CommandError> {
        let task = all().into_iter().find(|task| task.name() == name).ok_or_else(|| {
            let known: Vec<_> = all().iter().map(|task| task.name()).collect();
            let message = format!("There is no task '{name}'; choose one of: {}.", known.join(", "));
            CommandError::new(ErrorCode::NotFound, message)
        })?;
        run_task(self.app, &self.app.session()?, task, RunTrigger::Asked, self.app.actor.interface(), events)
            .await?;
        let views = self.list_tasks().await?;
        views
            .into_iter()
            .find(|view| view.name == name)
            .ok_or_else(|| CommandError::new(ErrorCode::Internal, "The task is gone."))
    }

    /// Embeds all texts and waits until all vectors of a workspace are in memory.
    pub(crate) async fn ready_to_compare(&self, session: &Session) -> Result<(), CommandError> {
        if session.embedder.get().is_none() {
            return Ok(());
        }
        // If the model fails, comparison by words still works, so the task is not blocked.
        if let Err(error) = self.app.model().embed_pending(&NoProgress).await {
            tracing::warn!(%error, "not everything has a vector");
        }
        session.embeddings().wait_until_loaded(VECTORS_WITHIN).await;
        Ok(())
    }

    /// Collects the services that tasks may use.
    async fn tools(
        &self,
        interface: Interface,
        events: &Arc<dyn Events>,
        stop: &CancellationToken,
    ) -> TaskTools {
        let model = self.app.chat.model().await.unwrap_or_else(|error| {
            tracing::warn!(%error, "the language model cannot be asked; tasks go on without it");
            None
        });
        let sink = Arc::new(Listener { events: Arc::clone(events), stop: stop.clone() });
        TaskTools { interface, summariser: self.app.conversation().summariser().await, model, sink }
    }
}

/// How a task ended.
pub(crate) struct TaskEnd {
    pub outcome: TaskOutcome,
    /// The error that ended the work of a task that failed or panicked.
    pub failure: Option<CommandError>,
}

/// Runs a task to its end in its own tokio task.
///
/// # Errors
/// [`CommandError`] of code `busy` if another process runs it, `locked` if memory is switched off and the
/// task adds to memory. The outcome of the work itself is stored with the task.
pub(crate) async fn run_task(
    app: &App,
    session: &Arc<Session>,
    task: Arc<dyn ScheduledTask>,
    trigger: RunTrigger,
    interface: Interface,
    events: Arc<dyn Events>,
) -> Result<TaskEnd, CommandError> {
    if !session.schedule().may_run(&*task).await? {
        return Err(AppError::MemoryOff.into());
    }
    let running = app.runs.begin(task.name()).ok_or(AppError::UnderWay)?;
    run_leased(app, session, task, &running, (trigger, interface), events).await
}

/// Runs a task that this process is not running already.
async fn run_leased(
    app: &App,
    session: &Arc<Session>,
    task: Arc<dyn ScheduledTask>,
    running: &RunningTask,
    (trigger, interface): (RunTrigger, Interface),
    events: Arc<dyn Events>,
) -> Result<TaskEnd, CommandError> {
    let (name, owner) = (task.name(), app.owner.as_str());
    // Done before the lease is taken, because embedding may take longer than a lease lasts.
    if task.compares_vectors() {
        app.schedule().ready_to_compare(session).await?;
    }
    if !session.schedule().take_task(name, owner).await? {
        return Err(AppError::UnderWay.into());
    }
    app.look_for_changes();
    let tools = app.schedule().tools(interface, &events, &running.stop).await;
    let mut work = tokio::spawn({
        let session = Arc::clone(session);
        async move { task.run(&session, trigger, &tools).await }
    });
    let ended = loop {
        match tokio::time::timeout(RENEW_EVERY, &mut work).await {
            Ok(ended) => break Some(ended),
            Err(_) => match session.schedule().renew_task(name, owner).await {
                Ok(true) => {}
                // This machine slept until another process took the lease. Every step is atomic, so stopping
                // here is safe.
                Ok(false) => {
                    work.abort();
                    break None;
                }
                Err(error) => tracing::warn!(%error, task = name, "a lease was not renewed"),
            },
        }
    };
    let cancelled = running.stop.is_cancelled();
    let (outcome, message, failure) = match ended {
        None => (TaskOutcome::Cancelled, "Another process went on with it.".to_owned(), None),
        Some(Ok(Ok(message))) if cancelled => (TaskOutcome::Cancelled, message, None),
        Some(Ok(Ok(message))) => (TaskOutcome::Done, message, None),
        Some(Ok(Err(error))) => {
            let error = CommandError::from(error);
            (TaskOutcome::Failed, error.message.clone(), Some(error))
        }
        Some(Err(fault)) => {
            tracing::error!(%fault, task = name, "a task panicked");
            let message = "It broke off because of a fault of ours; the log says where.";
            let error = CommandError::new(ErrorCode::Internal, message);
            (TaskOutcome::Panicked, message.to_owned(), Some(error))
        }
    };
    session.schedule().end_task(name, owner, outcome, Some(&message)).await?;
    app.look_for_changes();
    Ok(TaskEnd { outcome, failure })
}
