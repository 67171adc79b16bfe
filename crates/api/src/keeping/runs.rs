//! Runs of consolidation and persist.

use std::{
    collections::HashSet,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
};

use inklings_application::{
    consolidate::{PlannedItem, RunItem as DoneItem, RunSink},
    ports::{memory_store::StoredEntry, run_store::RunCursor},
    schedule::{Consolidate, Persist, ScheduledTask},
};
use inklings_domain::{
    ids::MemoryId,
    memory::MemoryEntry,
    run::{Run, RunAct, RunTrigger},
};
use tokio::sync::oneshot;

use super::tasks::run_task;
use crate::{
    App, Events,
    error::{CommandError, ErrorCode},
    views::{
        convert, count, keeping_convert as keeping,
        memory::MemoryRow,
        runs::{ConsolidationPreview, ConsolidationSettings, Reverted, RunItem, RunPage, RunUpdate, RunView},
    },
};

/// The tasks that this process runs, and the way to stop them. The lease in the database keeps other processes away; it
/// knows a process, not what goes on within one.
#[derive(Debug, Default)]
pub struct RunControl {
    running: Mutex<HashSet<&'static str>>,
    cancel: AtomicBool,
}

impl RunControl {
    fn running(&self) -> MutexGuard<'_, HashSet<&'static str>> {
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Begins a task. False if this process runs it already.
    pub(super) fn begin(&self, task: &'static str) -> bool {
        let mut running = self.running();
        if running.is_empty() {
            self.cancel.store(false, Ordering::SeqCst);
        }
        running.insert(task)
    }

    /// Ends a task.
    pub(super) fn end(&self, task: &'static str) {
        self.running().remove(task);
    }

    /// True if somebody stopped what this process runs.
    pub(super) fn is_cancelled(&self) -> bool {
        self.cancel.load(Ordering::SeqCst)
    }
}

/// Passes on how a run goes.
pub(super) struct Listener {
    pub(super) events: Arc<dyn Events>,
    pub(super) control: Arc<RunControl>,
}

impl RunSink for Listener {
    fn progress(&self, run: &Run, stage: &'static str) {
        self.events.run_progress(RunUpdate { run: keeping::run(run), stage: stage.to_owned() });
    }

    fn cancelled(&self) -> bool {
        self.control.is_cancelled()
    }
}

/// Hears the first news of a run, then passes everything on.
struct First {
    events: Arc<dyn Events>,
    first: Mutex<Option<oneshot::Sender<RunView>>>,
}

impl Events for First {
    fn data_changed(&self, topic: crate::background::ChangeTopic) {
        self.events.data_changed(topic);
    }

    fn model_progress(&self, progress: crate::background::DownloadProgress) {
        self.events.model_progress(progress);
    }

    fn turn_progress(&self, progress: crate::views::talk::TurnUpdate) {
        self.events.turn_progress(progress);
    }

    fn import_progress(&self, step: crate::views::conversation_import::ImportStep) {
        self.events.import_progress(step);
    }

    fn embed_progress(&self, done: u32, total: u32) {
        self.events.embed_progress(done, total);
    }

    fn run_progress(&self, update: RunUpdate) {
        if let Some(first) = self.first.lock().unwrap_or_else(PoisonError::into_inner).take() {
            let _ = first.send(update.run.clone());
        }
        self.events.run_progress(update);
    }
}

impl App {
    /// A page of runs, the newest first.
    ///
    /// # Errors
    /// [`CommandError`] of code `invalid` for a bad cursor.
    pub async fn list_runs(&self, after: Option<&str>, limit: u32) -> Result<RunPage, CommandError> {
        let limit = (limit as usize).clamp(1, 500);
        let after = after.map(keeping::cursor).transpose()?;
        let after = after.map(|(started_at, id)| RunCursor { started_at, id });
        let mut rows = self.session()?.workspace.runs.list(after, limit + 1).await?;
        let more = rows.len() > limit;
        rows.truncate(limit);
        let next = rows.last().filter(|_| more).map(|last| keeping::cursor_text(last.started_at, last.id));
        Ok(RunPage { rows: rows.iter().map(keeping::run).collect(), next })
    }

    /// What a run did, at most 500 entries.
    ///
    /// # Errors
    /// [`CommandError`] of code `not_found`.
    pub async fn run_items(&self, id: &str) -> Result<Vec<RunItem>, CommandError> {
        let session = self.session()?;
        let run = session.run(convert::id("id", id)?).await?;
        let done = session.run_items(run.id).await?;
        let rows = self.rows_of(done.iter().map(|item| item.entry.clone()).collect()).await?;
        let persist = run.task == inklings_application::persist::TASK;
        let why = |done: &DoneItem| match done.act {
            RunAct::Created if persist => keeping::LEFT_BEHIND.to_owned(),
            act if done.reason.is_empty() => keeping::reason(act).to_owned(),
            _ => done.reason.clone(),
        };
        let item = |(done, row): (DoneItem, MemoryRow)| RunItem {
            act: done.act.into(),
            row,
            into: done.entry.consolidated_into.map(|id: MemoryId| id.to_string()),
            reason: why(&done),
        };
        Ok(done.into_iter().zip(rows).map(item).collect())
    }

    /// What a consolidation would do now. Changes nothing.
    ///
    /// # Errors
    /// [`CommandError`] if a database cannot be read.
    pub async fn preview_consolidation(&self) -> Result<ConsolidationPreview, CommandError> {
        self.ready_to_compare().await?;
        let preview = self.session()?.preview_consolidation().await?;
        let rows = self.rows_of(preview.items.iter().map(|item| item.entry.clone()).collect()).await?;
        let item = |(planned, row): (PlannedItem, MemoryRow)| RunItem {
            act: planned.act.into(),
            row,
            into: planned.into.map(|id| id.to_string()),
            reason: keeping::reason(planned.act).to_owned(),
        };
        Ok(ConsolidationPreview {
            counts: keeping::run_counts(&preview.counts),
            items: preview.items.into_iter().zip(rows).map(item).collect(),
        })
    }

    /// Begins a consolidation; how it goes is told by events.
    ///
    /// # Errors
    /// [`CommandError`] of code `busy` if one is under way.
    pub async fn run_consolidation(
        self: &Arc<Self>,
        events: Arc<dyn Events>,
    ) -> Result<RunView, CommandError> {
        let session = self.session()?;
        let (sender, first) = oneshot::channel();
        let events: Arc<dyn Events> = Arc::new(First { events, first: Mutex::new(Some(sender)) });
        let app = Arc::clone(self);
        let (refused, refusal) = oneshot::channel();
        tokio::spawn(async move {
            let task: Arc<dyn ScheduledTask> = Arc::new(Consolidate);
            let door = app.actor.door();
            app.back_up_before_run().await;
            if let Err(error) = run_task(&app, &session, task, RunTrigger::Asked, door, events).await {
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

    /// Consolidates and waits for the end. For a shell that asks once and ends.
    ///
    /// # Errors
    /// [`CommandError`] of code `busy` if one is under way.
    pub async fn consolidate_and_wait(&self, events: Arc<dyn Events>) -> Result<RunView, CommandError> {
        let session = self.session()?;
        let task: Arc<dyn ScheduledTask> = Arc::new(Consolidate);
        self.back_up_before_run().await;
        run_task(self, &session, task, RunTrigger::Asked, self.actor.door(), events).await?;
        let latest = session.workspace.runs.latest(inklings_application::consolidate::TASK).await?;
        latest
            .map(|run| keeping::run(&run))
            .ok_or_else(|| CommandError::new(ErrorCode::Internal, "The run left no trace."))
    }

    /// Works up conversations that ended, unless another process does.
    ///
    /// # Errors
    /// [`CommandError`] if the database fails.
    pub async fn persist_now(&self, events: Arc<dyn Events>) -> Result<(), CommandError> {
        let session = self.session()?;
        let task: Arc<dyn ScheduledTask> = Arc::new(Persist);
        // While memory is off, what ends leaves nothing behind.
        if !session.may_run(&*task).await? {
            return Ok(());
        }
        match run_task(self, &session, task, RunTrigger::Closed, self.actor.door(), events).await {
            Err(error) if error.code != ErrorCode::Busy => Err(error),
            _ => Ok(()),
        }
    }

    /// Stops the runs of this process after their current step.
    pub fn cancel_run(&self) {
        self.runs.cancel.store(true, Ordering::SeqCst);
    }

    /// Takes a run back, whole.
    ///
    /// # Errors
    /// [`CommandError`] of code `not_found`, `busy` while it runs, `nothing_to_undo` if it was taken back already.
    pub async fn revert_run(&self, id: &str) -> Result<Reverted, CommandError> {
        let session = self.session()?;
        let reverted = session.revert_run(convert::id("id", id)?, self.actor).await?;
        Ok(Reverted {
            run: keeping::run(&reverted.run),
            restored: count(reverted.restored),
            conflicts: self.rows_of(reverted.conflicts).await?,
        })
    }

    /// What is set about consolidation.
    ///
    /// # Errors
    /// [`CommandError`] if the database cannot be read.
    pub async fn consolidation_settings(&self) -> Result<ConsolidationSettings, CommandError> {
        Ok(keeping::consolidation_settings(&self.session()?.consolidation_settings().await?))
    }

    /// Sets all of it.
    ///
    /// # Errors
    /// [`CommandError`] of code `invalid` naming the field.
    pub async fn set_consolidation_settings(
        &self,
        settings: ConsolidationSettings,
    ) -> Result<ConsolidationSettings, CommandError> {
        let set = keeping::read_consolidation_settings(&settings);
        self.session()?.set_consolidation_settings(set).await?;
        self.consolidation_settings().await
    }

    async fn rows_of(&self, entries: Vec<MemoryEntry>) -> Result<Vec<MemoryRow>, CommandError> {
        let stored: Vec<StoredEntry> =
            entries.into_iter().map(|entry| StoredEntry { entry, embedded_by: None }).collect();
        self.rows(&stored).await
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_process_runs_a_task_once_at_a_time_and_forgets_an_old_stop() {
        let control = RunControl::default();
        assert!(control.begin("consolidate"));
        assert!(!control.begin("consolidate"), "the lease is this process's own, so it would not say no");
        assert!(control.begin("persist"));
        control.cancel.store(true, Ordering::SeqCst);
        assert!(control.is_cancelled());
        control.end("consolidate");
        control.end("persist");
        assert!(control.begin("consolidate"));
        assert!(!control.is_cancelled());
    }
}
