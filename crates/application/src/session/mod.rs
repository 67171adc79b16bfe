//! A session: the open databases of the account and of one workspace, with everything a use case needs.

pub(crate) mod action_queue;
pub mod working;

use std::sync::{Arc, PoisonError, RwLock};

use chrono::{DateTime, Utc};
use inklings_domain::{
    ids::MemoryId,
    memory::{
        InvalidMemory, Stamp,
        decay::{DecayCalculator, DecayClock, DecayConfig, DecayInputs, DecayTerms},
        filter::ScopeFilter,
    },
    provenance::{Actor, ActorKind},
    scope::MemoryScope,
};
use inklings_ports::{
    clock::{Clock, IdGenerator},
    memory::store::StoredEntry,
    model::embedding::Embedder,
    store_error::StoreError,
    workspace::catalogue::{AccountPorts, MemoryPorts, WorkspacePorts},
};

use crate::{
    error::AppError,
    session::{
        action_queue::{ActionQueue, QueueOwner},
        working::WorkingMemory,
    },
};

/// Refuses all actors except the worldbuilder.
pub(crate) fn only_the_author(actor: Actor) -> Result<(), AppError> {
    if actor.kind() == ActorKind::Author { Ok(()) } else { Err(InvalidMemory::Locked.into()) }
}

/// The current embedding model of a workspace; empty in text-only mode.
#[derive(Clone, Default)]
pub struct EmbedderSlot(Arc<RwLock<Option<Arc<dyn Embedder>>>>);

impl EmbedderSlot {
    /// The current model, if one is loaded.
    pub fn get(&self) -> Option<Arc<dyn Embedder>> {
        self.0.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// True if another slot holds the same model and follows its changes.
    pub fn is_shared(&self) -> bool {
        Arc::strong_count(&self.0) > 1
    }

    /// Sets the current model; `None` for text-only mode.
    pub fn set(&self, embedder: Option<Arc<dyn Embedder>>) {
        *self.0.write().unwrap_or_else(PoisonError::into_inner) = embedder;
    }
}

/// Decay at the current time: the rates, and the usage clocks of the two databases.
#[derive(Debug, Clone)]
pub struct DecayModel {
    /// The decay rates.
    pub calculator: DecayCalculator,
    account: DecayClock,
    workspace: DecayClock,
}

impl DecayModel {
    /// Counted hours since an entry's last access.
    pub fn hours(&self, inputs: &DecayInputs, now: DateTime<Utc>) -> f64 {
        let clock = if inputs.scope == MemoryScope::Account { &self.account } else { &self.workspace };
        clock.hours(inputs.accessed_at, now)
    }

    /// Relevance factors of an entry at a time.
    pub fn terms(&self, inputs: &DecayInputs, now: DateTime<Utc>) -> DecayTerms {
        self.calculator.terms(inputs, self.hours(inputs, now))
    }
}

/// An entry, if it is at the version that the caller has read; `yours` is the text that the caller wanted to write.
///
/// # Errors
/// [`AppError::Stale`] with the current entry if it was changed since.
pub(crate) fn at_version(
    found: StoredEntry,
    version: u64,
    yours: Option<&str>,
) -> Result<StoredEntry, AppError> {
    if found.entry.version == version {
        return Ok(found);
    }
    let current = Box::new(found.entry);
    Err(AppError::Stale { current, given: version, yours: yours.map(str::to_owned) })
}

/// Settings are JSON. A revision has no character that JSON escapes.
fn json_text(revision: &str) -> String {
    format!("\"{revision}\"")
}

/// The open account and one open workspace.
pub struct Session {
    /// The account's ports.
    pub account: AccountPorts,
    /// The workspace's ports.
    pub workspace: WorkspacePorts,
    /// Source of the current time.
    pub clock: Arc<dyn Clock>,
    /// Source of ids.
    pub ids: Arc<dyn IdGenerator>,
    /// The current embedding model.
    pub embedder: EmbedderSlot,
    /// Cache of the newest messages of conversations in use.
    pub working: WorkingMemory,
    decay: RwLock<Arc<DecayModel>>,
    actions: QueueOwner,
}

impl Session {
    /// Creates a session on open databases. Decay does not progress until [`Self::reload_decay`].
    pub fn new(
        account: AccountPorts,
        workspace: WorkspacePorts,
        clock: Arc<dyn Clock>,
        ids: Arc<dyn IdGenerator>,
        embedder: EmbedderSlot,
    ) -> Self {
        let empty = DecayClock::new(Vec::new(), true);
        let calculator = DecayCalculator::default();
        let decay = DecayModel { calculator, account: empty.clone(), workspace: empty };
        let working = WorkingMemory::default();
        let decay = RwLock::new(Arc::new(decay));
        let actions = QueueOwner::default();
        Self { account, workspace, clock, ids, embedder, working, decay, actions }
    }

    /// The actions of agents that wait to be written.
    pub(crate) const fn action_queue(&self) -> &Arc<ActionQueue> {
        &self.actions.0
    }

    /// Records today as a day of use and rebuilds decay from the days of use.
    pub async fn reload_decay(&self, config: DecayConfig, pause: bool) -> Result<(), AppError> {
        let today = self.clock.now().date_naive();
        let mut clocks = Vec::with_capacity(2);
        for ports in [&self.account.memory, &self.workspace.memory] {
            match ports.store.mark_open(today).await {
                // A read-only folder can still be browsed, but no day of use is recorded.
                Ok(()) | Err(StoreError::ReadOnly | StoreError::DiskFull) => {}
                Err(error) => return Err(error.into()),
            }
            clocks.push(DecayClock::new(ports.store.open_days().await?, pause));
        }
        let (Some(workspace), Some(account)) = (clocks.pop(), clocks.pop()) else { return Ok(()) };
        let model = DecayModel { calculator: DecayCalculator::new(config), account, workspace };
        *self.decay.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(model);
        Ok(())
    }

    /// Decay at the current time.
    pub fn decay(&self) -> Arc<DecayModel> {
        Arc::clone(&self.decay.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// The ports of the database that contains a tier.
    pub const fn ports(&self, scope: MemoryScope) -> &MemoryPorts {
        match scope {
            MemoryScope::Account => &self.account.memory,
            MemoryScope::Workspace | MemoryScope::Channel | MemoryScope::Conversation => {
                &self.workspace.memory
            }
        }
    }

    /// The ports of both databases, the workspace's first.
    pub fn all_ports(&self) -> [&MemoryPorts; 2] {
        [&self.workspace.memory, &self.account.memory]
    }

    /// The ports of the databases that a scope filter covers.
    pub fn ports_within(&self, scope_filter: &ScopeFilter) -> Vec<&MemoryPorts> {
        let workspace = scope_filter.touches_workspace_database().then_some(&self.workspace.memory);
        let account = scope_filter.account.then_some(&self.account.memory);
        workspace.into_iter().chain(account).collect()
    }

    /// A text that differs after each change of what a turn may be shown.
    pub(crate) async fn revision(&self) -> Result<String, AppError> {
        let mut parts = Vec::new();
        for ports in self.all_ports() {
            parts.push(ports.store.revision().await?);
        }
        Ok(parts.join(" "))
    }

    /// True if one of the settings that record a revision (`settings::RECORDS`) holds this one.
    pub(crate) async fn is_recorded(&self, key: &str, revision: &str) -> Result<bool, StoreError> {
        Ok(self.workspace.settings.setting(key).await? == Some(json_text(revision)))
    }

    /// Records a revision, unless the folder cannot be written: without the record the same is done again.
    pub(crate) async fn record(&self, key: &str, revision: &str) -> Result<(), StoreError> {
        match self.workspace.settings.set_setting(key, &json_text(revision)).await {
            Ok(()) | Err(StoreError::ReadOnly | StoreError::DiskFull) => Ok(()),
            Err(error) => Err(error),
        }
    }

    /// A stamp for a write at the current time.
    pub fn stamp(&self, actor: Actor) -> Stamp {
        Stamp { change: self.ids.change_id(), actor, at: self.clock.now() }
    }

    /// The entries with these ids in the given order, from both databases.
    pub async fn entries(&self, ids: &[MemoryId]) -> Result<Vec<StoredEntry>, AppError> {
        let mut found = self.workspace.memory.store.get(ids).await?;
        if found.len() < ids.len() {
            found.extend(self.account.memory.store.get(ids).await?);
        }
        let place: std::collections::HashMap<MemoryId, usize> =
            ids.iter().enumerate().map(|(i, id)| (*id, i)).collect();
        found.sort_by_key(|stored| place.get(&stored.entry.id).copied());
        Ok(found)
    }

    /// As [`Self::entries`], where all of them must exist.
    ///
    /// # Errors
    /// [`AppError::NoMemory`] with the first id that there is no entry of.
    pub async fn existing(&self, ids: &[MemoryId]) -> Result<Vec<StoredEntry>, AppError> {
        let found = self.entries(ids).await?;
        match ids.iter().find(|id| !found.iter().any(|stored| stored.entry.id == **id)) {
            Some(missing) => Err(AppError::NoMemory(*missing)),
            None => Ok(found),
        }
    }

    /// One entry by id.
    ///
    /// # Errors
    /// [`AppError::NoMemory`] if there is none with this id.
    pub async fn entry(&self, id: MemoryId) -> Result<StoredEntry, AppError> {
        self.entries(&[id]).await?.into_iter().next().ok_or(AppError::NoMemory(id))
    }

    /// As [`Self::entry`], if it is at the version that the caller has read.
    ///
    /// # Errors
    /// [`AppError::Stale`] with the current entry if it was changed since.
    pub async fn entry_at(&self, id: MemoryId, version: u64) -> Result<StoredEntry, AppError> {
        at_version(self.entry(id).await?, version, None)
    }
}
