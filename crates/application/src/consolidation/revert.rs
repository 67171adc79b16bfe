//! Reverts a run: resets each entry to its state before the run. Entries that others changed since are left
//! unchanged and reported.

use std::collections::{BTreeMap, HashMap};

use inklings_domain::{
    consolidation::run::{Run, RunState},
    ids::{MemoryId, RunId},
    memory::{
        InvalidMemory, MemoryEntry,
        change_set::{Action, ChangeSet, MemoryWrite, ReplacedVersion},
    },
    provenance::Actor,
    recall_test::Cause,
};
use inklings_ports::{memory::store::CommittedChange, store_error::StoreError};

use crate::{
    error::AppError,
    memory::undo::{in_naming_order, reversed},
    services::Consolidation,
    session::only_the_author,
    transfer,
};

/// The result of reverting a run.
#[derive(Debug, Clone, PartialEq)]
pub struct Reverted {
    /// The run after reverting.
    pub run: Run,
    /// Number of entries restored to their previous state.
    pub restored: usize,
    /// Entries that others changed since; they are left unchanged.
    pub conflicts: Vec<MemoryEntry>,
}

/// Combines the changes of an import into one change per database, so that reverting writes one version per
/// entry. Reverting them one by one would make every past version current again on the way.
fn whole(changes: Vec<CommittedChange>) -> Vec<CommittedChange> {
    let mut merged: Vec<CommittedChange> = Vec::new();
    let mut parts: HashMap<MemoryId, (usize, usize)> = HashMap::new();
    for change in changes {
        if !shares(&parts, merged.len(), &change) {
            merged.push(CommittedChange { journal: change.journal.clone(), replaced: Vec::new() });
        }
        let into = merged.len() - 1;
        for replaced in change.replaced {
            if let Some((set, at)) = parts.get(&replaced.id) {
                merged[*set].replaced[*at].made = replaced.made;
            } else {
                parts.insert(replaced.id, (into, merged[into].replaced.len()));
                merged[into].replaced.push(replaced);
            }
        }
    }
    merged
}

/// True if the change writes an entry that the last of `sets` combined changes also wrote.
fn shares(parts: &HashMap<MemoryId, (usize, usize)>, sets: usize, change: &CommittedChange) -> bool {
    change.replaced.iter().any(|replaced| parts.get(&replaced.id).is_some_and(|(of, _)| of + 1 == sets))
}

impl Consolidation<'_> {
    /// One run by id.
    ///
    /// # Errors
    /// [`AppError::NotFound`] if there is none.
    pub async fn run(&self, id: RunId) -> Result<Run, AppError> {
        let found = self.session.workspace.runs.get(id).await?;
        found.ok_or_else(|| AppError::NotFound { what: "run", name: id.to_string() })
    }

    /// Reverts a run, newest change first, and withdraws its undecided proposals. Can be called again after
    /// an interruption.
    ///
    /// # Errors
    /// [`AppError::Memory`] with `Locked` if the actor is not the worldbuilder; [`AppError::UnderWay`] while
    /// the run is in progress; [`AppError::AlreadyUndone`].
    pub async fn revert_run(&self, id: RunId, actor: Actor) -> Result<Reverted, AppError> {
        only_the_author(actor)?;
        let run = self.run(id).await?;
        match run.state {
            RunState::Running => return Err(AppError::UnderWay),
            RunState::Reverted => return Err(AppError::AlreadyUndone),
            RunState::Done | RunState::Cancelled | RunState::Failed => {}
        }
        let mut changes = self.changes_of(id).await?;
        if run.task == transfer::TASK {
            changes = whole(changes);
        }
        let (restored, conflicts) = self.take_all_back(changes, actor).await?;
        self.session.proposals().withdraw(id).await?;
        let at = self.session.clock.now();
        let run = Run { state: RunState::Reverted, reverted_at: Some(at), ..run };
        self.session.workspace.runs.put(&run).await?;
        self.session.recall_tests().run_after(Cause::Revert).await;
        Ok(Reverted { run, restored, conflicts })
    }

    /// Reverts changes, last one first, and skips those already reverted. Returns the number of restored
    /// entries, and the entries that others changed since.
    pub(crate) async fn take_all_back(
        &self,
        changes: Vec<CommittedChange>,
        actor: Actor,
    ) -> Result<(usize, Vec<MemoryEntry>), AppError> {
        let (mut restored, mut conflicts) = (0, BTreeMap::new());
        for change in changes.into_iter().rev().filter(|change| change.journal.undone_by.is_none()) {
            restored += self.take_back(&change, actor, &mut conflicts).await?;
        }
        Ok((restored, conflicts.into_values().collect()))
    }

    async fn take_back(
        &self,
        change: &CommittedChange,
        actor: Actor,
        conflicts: &mut BTreeMap<MemoryId, MemoryEntry>,
    ) -> Result<usize, AppError> {
        let by_id: HashMap<MemoryId, &ReplacedVersion> =
            change.replaced.iter().map(|replaced| (replaced.id, replaced)).collect();
        let ids: Vec<MemoryId> = change.replaced.iter().map(|replaced| replaced.id).collect();
        let Some(scope) =
            self.session.entries(&ids[..1.min(ids.len())]).await?.first().map(|s| s.entry.scope())
        else {
            return Ok(0);
        };
        let store = &self.session.ports(scope).store;
        loop {
            let stamp = self.session.stamp(actor);
            let mut writes = Vec::new();
            let current = self.session.entries(&ids).await?;
            for stored in in_naming_order(&current, &by_id) {
                if conflicts.contains_key(&stored.entry.id) {
                    continue;
                }
                match self.reversal_of(&stored.entry, by_id[&stored.entry.id], stamp).await {
                    Ok(Some(write)) => writes.push(write),
                    Ok(None) => {}
                    Err(AppError::Stale { current, .. }) => {
                        conflicts.insert(current.id, *current);
                    }
                    Err(error) => return Err(error),
                }
            }
            let restored = writes.len();
            let set = ChangeSet {
                stamp,
                action: Action::Undo,
                undoes: Some(change.journal.change),
                switch: self.session.switch().state().await?,
                writes,
            };
            match store.commit(&set).await {
                Ok(()) => return Ok(restored),
                // A concurrent write changed an entry; read again.
                Err(StoreError::Stale { .. }) => {}
                // A name that was free before the run is now taken.
                Err(StoreError::AlreadyExists(_)) => {
                    for write in &set.writes {
                        if write.entry().name.is_some() {
                            conflicts
                                .insert(write.entry().id, self.session.entry(write.entry().id).await?.entry);
                        }
                    }
                }
                Err(error) => return Err(error.into()),
            }
        }
    }

    /// The write that reverts one entry's part of a change; `None` if the entry is already in its previous
    /// state.
    async fn reversal_of(
        &self,
        current: &MemoryEntry,
        replaced: &ReplacedVersion,
        stamp: inklings_domain::memory::Stamp,
    ) -> Result<Option<MemoryWrite>, AppError> {
        self.session.memories().unchanged_since(current, replaced).await?;
        match reversed(current, replaced, stamp) {
            Ok(next) => Ok(Some(MemoryWrite::Update(next))),
            Err(AppError::Memory(InvalidMemory::NoChange)) => Ok(None),
            Err(error) => Err(error),
        }
    }
}
