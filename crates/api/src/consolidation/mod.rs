//! Use cases of consolidation and persist runs.

pub mod convert;

use std::sync::{Arc, Mutex, PoisonError};

use inklings_application::{
    consolidation::{PlannedItem, RunItem as DoneItem},
    schedule::{Consolidate, Persist, ScheduledTask},
};
use inklings_domain::{
    consolidation::run::{RunAct, RunTrigger},
    ids::MemoryId,
    memory::MemoryEntry,
};
use inklings_ports::schedule::RunCursor;
use tokio::sync::oneshot;

use crate::{
    App, Event, Events,
    commands::ConsolidationCommands,
    error::{CommandError, ErrorCode},
    memory::vector_state::with_vector_state,
    schedule::{
        convert as runs,
        tasks::run_task,
        view::{ConsolidationPreview, ConsolidationSettings, Reverted, RunItem, RunPage},
    },
    view::{memory::MemoryRow, run::RunView},
    wire::{count, cursor},
};

/// Captures the first progress report of a run, then forwards all reports.
struct First {
    events: Arc<dyn Events>,
    first: Mutex<Option<oneshot::Sender<RunView>>>,
}

impl Events for First {
    fn send(&self, event: Event) {
        if let Event::RunProgress(update) = &event
            && let Some(first) = self.first.lock().unwrap_or_else(PoisonError::into_inner).take()
        {
            let _ = first.send(update.run.clone());
        }
        self.events.send(event);
    }
}

/// Starts a consolidation; its progress is sent as events.
///
/// # Errors
/// [`CommandError`] of code `busy` if one is running.
pub async fn run_consolidation(app: Arc<App>, events: Arc<dyn Events>) -> Result<RunView, CommandError> {
    let session = app.session()?;
    let (sender, first) = oneshot::channel();
    let events: Arc<dyn Events> = Arc::new(First { events, first: Mutex::new(Some(sender)) });
    let (refused, refusal) = oneshot::channel();
    tokio::spawn(async move {
        let task: Arc<dyn ScheduledTask> = Arc::new(Consolidate);
        let interface = app.actor.interface();
        app.backup().back_up_before_run().await;
        let ended = run_task(&app, &session, task, RunTrigger::Asked, interface, events).await;
        if let Err(error) = ended.and_then(|end| end.failure.map_or(Ok(()), Err)) {
            // Nobody waits for it once the run has begun.
            let _ = refused.send(error);
        }
    });
    match first.await {
        Ok(run) => Ok(run),
        Err(_) => Err(refusal.await.unwrap_or_else(|_| {
            CommandError::new(ErrorCode::Internal, "The consolidation did not begin; the log says why.")
        })),
    }
}

impl ConsolidationCommands<'_> {
    /// A page of runs, newest first.
    ///
    /// # Errors
    /// [`CommandError`] of code `invalid` for an invalid cursor.
    pub async fn list_runs(&self, after: Option<&str>, limit: u32) -> Result<RunPage, CommandError> {
        let limit = (limit as usize).clamp(1, 500);
        let after = cursor::after(after)?.map(|(started_at, id)| RunCursor { started_at, id });
        let mut rows = self.app.session()?.workspace.runs.list(after, limit + 1).await?;
        let more = rows.len() > limit;
        rows.truncate(limit);
        let next = rows.last().filter(|_| more).map(|last| cursor::text(&(last.started_at, last.id)));
        Ok(RunPage { rows: rows.iter().map(runs::run).collect(), next })
    }

    /// The effects of a run, at most 500 entries.
    ///
    /// # Errors
    /// [`CommandError`] of code `not_found`.
    pub async fn run_items(&self, id: &str) -> Result<Vec<RunItem>, CommandError> {
        let session = self.app.session()?;
        let run = session.consolidation().run(crate::wire::id("id", id)?).await?;
        let done = session.consolidation().run_items(run.id).await?;
        let rows = self.rows_of(done.iter().map(|item| item.entry.clone()).collect()).await?;
        let persist = run.task == inklings_application::extraction::TASK;
        let why = |done: &DoneItem| match done.act {
            RunAct::Created if persist => convert::LEFT_BEHIND.to_owned(),
            act => done.reason.as_ref().map_or_else(|| convert::reason(act), ToString::to_string),
        };
        let item = |(done, row): (DoneItem, MemoryRow)| RunItem {
            act: done.act.into(),
            row,
            into: done.entry.consolidated_into.map(|id: MemoryId| id.to_string()),
            reason: why(&done),
        };
        Ok(done.into_iter().zip(rows).map(item).collect())
    }

    /// Previews a consolidation. Changes nothing.
    ///
    /// # Errors
    /// [`CommandError`] if a database cannot be read.
    pub async fn preview_consolidation(&self) -> Result<ConsolidationPreview, CommandError> {
        let session = self.app.session()?;
        self.app.schedule().ready_to_compare(&session).await?;
        let preview = session.consolidation().preview().await?;
        let rows = self.rows_of(preview.items.iter().map(|item| item.entry.clone()).collect()).await?;
        let item = |(planned, row): (PlannedItem, MemoryRow)| RunItem {
            act: planned.act.into(),
            row,
            into: planned.into.map(|id| id.to_string()),
            reason: convert::reason(planned.act),
        };
        Ok(ConsolidationPreview {
            counts: runs::run_counts(&preview.counts),
            items: preview.items.into_iter().zip(rows).map(item).collect(),
        })
    }

    /// Runs a consolidation and waits until it ends, for shells that run one command.
    ///
    /// # Errors
    /// [`CommandError`] of code `busy` if one is running, or the error that made the run fail.
    pub async fn consolidate_and_wait(&self, events: Arc<dyn Events>) -> Result<RunView, CommandError> {
        let session = self.app.session()?;
        let task: Arc<dyn ScheduledTask> = Arc::new(Consolidate);
        self.app.backup().back_up_before_run().await;
        let interface = self.app.actor.interface();
        let end = run_task(self.app, &session, task, RunTrigger::Asked, interface, events).await?;
        if let Some(failure) = end.failure {
            return Err(failure);
        }
        let latest = session.workspace.runs.latest(inklings_application::consolidation::TASK).await?;
        latest
            .map(|run| runs::run(&run))
            .ok_or_else(|| CommandError::new(ErrorCode::Internal, "The run left no trace."))
    }

    /// Processes ended conversations, unless another process does.
    pub async fn persist_now(&self, events: Arc<dyn Events>) -> Result<(), CommandError> {
        let session = self.app.session()?;
        let task: Arc<dyn ScheduledTask> = Arc::new(Persist);
        // While memory is off, persist writes nothing.
        if !session.schedule().may_run(&*task).await? {
            return Ok(());
        }
        match run_task(self.app, &session, task, RunTrigger::Closed, self.app.actor.interface(), events).await
        {
            Err(error) if error.code != ErrorCode::Busy => Err(error),
            _ => Ok(()),
        }
    }

    /// Cancels the run of a task after its current step, if this process runs it.
    pub fn cancel_run(&self, task: &str) {
        self.app.runs.cancel(task);
    }

    /// Reverts a whole run.
    ///
    /// # Errors
    /// [`CommandError`] of code `not_found`, `busy` while it runs, `nothing_to_undo` if it is reverted
    /// already.
    pub async fn revert_run(&self, id: &str) -> Result<Reverted, CommandError> {
        let session = self.app.session()?;
        let reverted = session.consolidation().revert_run(crate::wire::id("id", id)?, self.app.actor).await?;
        Ok(Reverted {
            run: runs::run(&reverted.run),
            restored: count(reverted.restored),
            conflicts: self.rows_of(reverted.conflicts).await?,
        })
    }

    /// The consolidation settings.
    pub async fn consolidation_settings(&self) -> Result<ConsolidationSettings, CommandError> {
        Ok(convert::consolidation_settings(&self.app.session()?.consolidation().settings().await?))
    }

    /// Replaces all consolidation settings.
    ///
    /// # Errors
    /// [`CommandError`] of code `invalid` naming the field.
    pub async fn set_consolidation_settings(
        &self,
        settings: ConsolidationSettings,
    ) -> Result<ConsolidationSettings, CommandError> {
        let set = convert::read_consolidation_settings(settings);
        self.app.session()?.consolidation().set_settings(set).await?;
        self.consolidation_settings().await
    }

    async fn rows_of(&self, entries: Vec<MemoryEntry>) -> Result<Vec<MemoryRow>, CommandError> {
        let stored = with_vector_state(&*self.app.session()?, entries).await?;
        self.app.memory().rows(&stored).await
    }
}
