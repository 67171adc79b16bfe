//! Runs, tasks and conversations whose end waits, in an [`InMemoryDatabase`].

use std::{cmp::Reverse, collections::BTreeMap};

use chrono::{DateTime, Utc};
use inklings_domain::{
    conversation::{Conversation, ConversationStatus},
    ids::{ConversationId, RunId},
    run::{Run, RunState},
    schedule::{Lease, TaskOutcome, TaskState},
};

use super::memory_store::{InMemoryDatabase, Tables};
use crate::ports::{
    error::StoreError,
    run_store::{CUT_OFF, PendingPersist, RunCursor, RunStore, ScheduleStore},
    settings::Topic,
};

/// Longest name of a task, in characters.
const MAX_TASK: usize = 40;

/// Longest cursor, in bytes.
const MAX_CURSOR: usize = 1_000;

/// What is kept of work that nobody does by hand.
#[derive(Debug, Clone, Default)]
pub(super) struct Keeping {
    pub runs: BTreeMap<RunId, Run>,
    tasks: BTreeMap<String, TaskState>,
    cursors: BTreeMap<String, String>,
    /// Conversations that ended; true once they were worked up.
    persists: BTreeMap<ConversationId, (PendingPersist, bool)>,
}

impl Keeping {
    /// Forgets that the end of a conversation waits.
    pub(super) fn forget(&mut self, conversation: ConversationId) {
        self.persists.remove(&conversation);
    }

    fn waiting(&mut self, conversation: ConversationId) -> Option<&mut (PendingPersist, bool)> {
        self.persists.get_mut(&conversation).filter(|(_, done)| !done)
    }
}

impl Tables {
    /// Notes that a conversation ended, if it did: what the trigger does in a database.
    pub(super) fn note_end(&mut self, before: &Conversation, after: &Conversation) {
        if before.status != ConversationStatus::Active || after.status == ConversationStatus::Active {
            return;
        }
        let since = after.ended_at.unwrap_or(after.active_at);
        let ended = PendingPersist { conversation: after.id, since, run: None, attempts: 0 };
        // What ends while memory is off leaves nothing to work up.
        let off = self.refuse_while_off().is_err();
        self.keeping.persists.entry(after.id).or_insert((ended, off));
    }
}

impl Tables {
    fn put_run(&mut self, run: &Run) -> Result<(), StoreError> {
        let began = |run: &Run| (run.task.clone(), run.trigger, run.started_at);
        if self.keeping.runs.get(&run.id).is_some_and(|before| began(before) != began(run)) {
            return Err(StoreError::Refused("how a run began is fixed".into()));
        }
        self.keeping.runs.insert(run.id, run.clone());
        self.announce(Topic::Runs);
        Ok(())
    }
}

fn refuse_odd_task(task: &str) -> Result<(), StoreError> {
    if (1..=MAX_TASK).contains(&task.chars().count()) {
        return Ok(());
    }
    Err(StoreError::Refused("a task's name has 1 to 40 characters".into()))
}

#[async_trait::async_trait]
impl RunStore for InMemoryDatabase {
    async fn put(&self, run: &Run) -> Result<(), StoreError> {
        refuse_odd_task(&run.task)?;
        let over = run.finished_at.is_some() != (run.state == RunState::Running);
        if !over || run.reverted_at.is_some() != (run.state == RunState::Reverted) {
            return Err(StoreError::Refused("a run's times do not fit its state".into()));
        }
        self.tables().put_run(run)
    }

    async fn get(&self, id: RunId) -> Result<Option<Run>, StoreError> {
        Ok(self.tables().keeping.runs.get(&id).cloned())
    }

    async fn list(&self, after: Option<RunCursor>, limit: usize) -> Result<Vec<Run>, StoreError> {
        let behind = |run: &&Run| after.is_none_or(|c| (run.started_at, run.id) < (c.started_at, c.id));
        let mut found: Vec<Run> = self.tables().keeping.runs.values().filter(behind).cloned().collect();
        found.sort_by_key(|run| Reverse((run.started_at, run.id)));
        found.truncate(limit);
        Ok(found)
    }

    async fn latest(&self, task: &str) -> Result<Option<Run>, StoreError> {
        let tables = self.tables();
        let runs = tables.keeping.runs.values().filter(|run| run.task == task);
        Ok(runs.max_by_key(|run| (run.started_at, run.id)).cloned())
    }

    async fn cursor(&self, task: &str) -> Result<Option<String>, StoreError> {
        Ok(self.tables().keeping.cursors.get(task).cloned())
    }

    async fn set_cursor(&self, task: &str, cursor: &str) -> Result<(), StoreError> {
        refuse_odd_task(task)?;
        if !(1..=MAX_CURSOR).contains(&cursor.len()) {
            return Err(StoreError::Refused("a cursor has 1 to 1,000 bytes".into()));
        }
        self.tables().keeping.cursors.insert(task.to_owned(), cursor.to_owned());
        Ok(())
    }

    async fn pending_persists(
        &self,
        fewer_than: Option<u64>,
        limit: usize,
    ) -> Result<Vec<PendingPersist>, StoreError> {
        let tables = self.tables();
        let waiting = tables.keeping.persists.values().filter(|(_, done)| !done);
        let mut found: Vec<PendingPersist> = waiting.map(|(pending, _)| *pending).collect();
        found.retain(|pending| fewer_than.is_none_or(|most| pending.attempts < most));
        found.sort_by_key(|pending| (pending.attempts, pending.since, pending.conversation));
        found.truncate(limit);
        Ok(found)
    }

    async fn begin_persist(&self, conversation: ConversationId, run: &Run) -> Result<(), StoreError> {
        let mut tables = self.tables();
        let (pending, _) =
            tables.keeping.waiting(conversation).ok_or(StoreError::NotFound("conversation"))?;
        pending.run = Some(run.id);
        tables.put_run(run)
    }

    async fn end_persist(&self, conversation: ConversationId, run: &Run) -> Result<(), StoreError> {
        let mut tables = self.tables();
        tables.put_run(run)?;
        if let Some((pending, is_done)) = tables.keeping.waiting(conversation) {
            *is_done = run.state == RunState::Done;
            if !*is_done {
                pending.run = None;
                pending.attempts += 1;
            }
        }
        drop(tables);
        Ok(())
    }
}

#[async_trait::async_trait]
impl ScheduleStore for InMemoryDatabase {
    async fn states(&self) -> Result<Vec<TaskState>, StoreError> {
        Ok(self.tables().keeping.tasks.values().cloned().collect())
    }

    async fn acquire(
        &self,
        task: &str,
        owner: &str,
        now: DateTime<Utc>,
        until: DateTime<Utc>,
    ) -> Result<bool, StoreError> {
        refuse_odd_task(task)?;
        let mut tables = self.tables();
        let fresh = || TaskState { task: task.to_owned(), ..TaskState::default() };
        let state = tables.keeping.tasks.entry(task.to_owned()).or_insert_with(fresh);
        if state.lease.as_ref().is_some_and(|lease| lease.owner != owner && lease.holds(now)) {
            return Ok(false);
        }
        state.lease = Some(Lease { owner: owner.to_owned(), until });
        state.last_started_at = Some(now);
        tables.announce(Topic::Runs);
        Ok(true)
    }

    async fn renew(&self, task: &str, owner: &str, until: DateTime<Utc>) -> Result<bool, StoreError> {
        let mut tables = self.tables();
        let Some(state) = tables.keeping.held(task, owner) else { return Ok(false) };
        state.lease = Some(Lease { owner: owner.to_owned(), until });
        drop(tables);
        Ok(true)
    }

    async fn release(
        &self,
        task: &str,
        owner: &str,
        outcome: TaskOutcome,
        message: Option<&str>,
        at: DateTime<Utc>,
    ) -> Result<bool, StoreError> {
        let mut tables = self.tables();
        let Some(state) = tables.keeping.held(task, owner) else { return Ok(false) };
        state.lease = None;
        state.last_finished_at = Some(at);
        state.outcome = Some(outcome);
        state.message = message.map(ToOwned::to_owned);
        tables.keeping.end_cut_off(task, at);
        tables.announce(Topic::Runs);
        Ok(true)
    }
}

impl Keeping {
    fn end_cut_off(&mut self, task: &str, at: DateTime<Utc>) {
        let gone_on_with: Vec<RunId> =
            self.persists.values().filter(|(_, done)| !done).filter_map(|(pending, _)| pending.run).collect();
        for run in self.runs.values_mut() {
            if run.task == task && run.state == RunState::Running && !gone_on_with.contains(&run.id) {
                *run = run.clone().ended(RunState::Failed, Some(CUT_OFF.to_owned()), at);
            }
        }
    }

    fn held(&mut self, task: &str, owner: &str) -> Option<&mut TaskState> {
        let state = self.tasks.get_mut(task)?;
        let own = state.lease.as_ref().is_some_and(|lease| lease.owner == owner);
        own.then_some(state)
    }
}
