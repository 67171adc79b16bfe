//! Create, edit, forget and restore entries. Each use case computes one change set and commits it.

use std::sync::Arc;

use inklings_domain::{
    forget_reason::ForgetReason,
    ids::{ChangeId, MemoryId},
    lens::ResolvedLens,
    memory::{
        InvalidMemory, MemoryDraft, MemoryEntry, MemoryPatch, Stamp,
        change_set::{Action, MemoryWrite},
    },
    provenance::Actor,
    scope::MemoryLifetime,
    subject::NewLinks,
    text,
};
use inklings_ports::{memory::store::StoredEntry, store_error::StoreError};

use super::split::{SplitAct, Undoes};
use crate::{
    error::{AppError, GuardRefusal},
    services::Memories,
    session::at_version,
};

/// The result of a write.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Written {
    /// The change, for undo.
    pub change: ChangeId,
    /// Kind of the change.
    pub action: Action,
    /// The written entries, in the given order.
    pub ids: Vec<MemoryId>,
}

/// The result of a write of one entry.
#[derive(Debug, Clone, PartialEq)]
pub struct WrittenEntry {
    /// The change, for undo.
    pub change: ChangeId,
    /// Kind of the change.
    pub action: Action,
    /// The entry as written. A use that was counted during the write may be missing in its counters.
    pub stored: StoredEntry,
}

/// Properties that many entries can be given at once. `None` leaves one as it is.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct BulkProperties {
    /// Importance in [0, 1].
    pub importance: Option<f64>,
    /// Intended lifetime.
    pub lifetime: Option<MemoryLifetime>,
    /// Pin or unpin.
    pub pinned: Option<bool>,
}

impl WrittenEntry {
    /// Id of the entry.
    pub const fn id(&self) -> MemoryId {
        self.stored.entry.id
    }
}

impl Memories<'_> {
    /// Creates an entry.
    ///
    /// # Errors
    /// [`AppError::Memory`] if the draft is invalid; [`AppError::Guard`] if an agent would write about this
    /// world into the account that all worlds share, or repeat scrubbed content.
    pub async fn create(&self, draft: MemoryDraft, actor: Actor) -> Result<WrittenEntry, AppError> {
        self.session.scrubs().may_learn_entry(&draft, actor.kind()).await?;
        if self.session.agent_writes().is_doubtful(&draft, actor).await? {
            return Err(GuardRefusal::Unclear.into());
        }
        self.insert(draft, &NewLinks::default(), actor).await
    }

    /// Writes a new entry that has passed the guards.
    pub(crate) async fn insert(
        &self,
        draft: MemoryDraft,
        links: &NewLinks,
        actor: Actor,
    ) -> Result<WrittenEntry, AppError> {
        let stamp = self.session.stamp(actor);
        let entry = MemoryEntry::create_linked(self.session.ids.memory_id(), draft, links, stamp)?;
        self.commit_new(stamp, Action::Create, entry).await
    }

    /// Commits a new entry.
    pub(crate) async fn commit_new(
        &self,
        stamp: Stamp,
        action: Action,
        entry: MemoryEntry,
    ) -> Result<WrittenEntry, AppError> {
        self.commit(stamp, action, None, vec![MemoryWrite::Insert(entry.clone())]).await?;
        Ok(WrittenEntry { change: stamp.change, action, stored: StoredEntry::new(entry) })
    }

    /// Commits the next version of one entry, with what has to be written before it.
    pub(crate) async fn commit_next(
        &self,
        stamp: Stamp,
        action: Action,
        next: StoredEntry,
        mut before: Vec<MemoryWrite>,
    ) -> Result<WrittenEntry, AppError> {
        before.push(MemoryWrite::Update(next.entry.clone()));
        self.commit(stamp, action, None, before).await?;
        Ok(WrittenEntry { change: stamp.change, action, stored: next })
    }

    /// Changes one entry that the caller has read at `version`.
    ///
    /// # Errors
    /// [`AppError::Stale`] with both versions if it was changed since; [`AppError::Memory`] if the patch is
    /// invalid; [`AppError::Guard`] if an agent's text can be derived from existing content, or as for
    /// [`Self::create`].
    pub async fn edit(
        &self,
        id: MemoryId,
        version: u64,
        patch: MemoryPatch,
        actor: Actor,
    ) -> Result<WrittenEntry, AppError> {
        self.edit_read(self.session.entry(id).await?, version, patch, (actor, None)).await
    }

    /// As [`Self::edit`], for an entry that was just read.
    pub(crate) async fn edit_read(
        &self,
        found: StoredEntry,
        version: u64,
        patch: MemoryPatch,
        (actor, lens): (Actor, Option<Arc<ResolvedLens>>),
    ) -> Result<WrittenEntry, AppError> {
        let yours = patch.content.clone();
        let found = at_version(found, version, yours.as_deref())?;
        let (entry, id) = (&found.entry, found.entry.id);
        if let Some(content) = &patch.content
            && !entry.is_locked()
            && !actor.kind().may_write_protected()
        {
            self.session.agent_writes().may_rewrite(content, entry.place, &[id], (actor, lens)).await?;
        }
        for called in patch.title.iter().chain(patch.keys.iter().flatten()) {
            self.session.scrubs().may_learn(called, actor.kind()).await?;
            if self.session.agent_writes().may_not_be_of_account(called, entry.place, actor).await? {
                return Err(GuardRefusal::Unclear.into());
            }
        }
        let stamp = self.session.stamp(actor);
        let next = found.next(entry.edited(patch, stamp)?);
        match self.commit_next(stamp, Action::Edit, next, Vec::new()).await {
            // A concurrent write came between our read and our write. Answer as if the entry had been read
            // later.
            Err(AppError::Store(StoreError::Stale { .. })) => {
                let current = Box::new(self.session.entry(id).await?.entry);
                Err(AppError::Stale { current, given: version, yours })
            }
            done => done,
        }
    }

    /// Forgets entries on request, with a note of the requester.
    ///
    /// # Errors
    /// [`AppError::Memory`] if the note is invalid; and those of [`Self::forget_for`].
    pub async fn forget(&self, ids: &[MemoryId], note: &str, actor: Actor) -> Result<Written, AppError> {
        let reason = ForgetReason::noted(note).map_err(InvalidMemory::from)?;
        self.forget_for(ids, &reason, actor).await
    }

    /// Forgets entries. Already forgotten ones are not changed.
    ///
    /// # Errors
    /// [`AppError::Memory`] if one is locked against the actor; none is forgotten then.
    pub async fn forget_for(
        &self,
        ids: &[MemoryId],
        reason: &ForgetReason,
        actor: Actor,
    ) -> Result<Written, AppError> {
        self.forget_read(&self.session.existing(ids).await?, reason, actor).await
    }

    /// As [`Self::forget_for`], for entries that were just read.
    pub(crate) async fn forget_read(
        &self,
        found: &[StoredEntry],
        reason: &ForgetReason,
        actor: Actor,
    ) -> Result<Written, AppError> {
        let forget = |entry: &MemoryEntry, stamp| match entry.forgotten(reason.clone(), stamp) {
            Err(InvalidMemory::Forgotten) => Err(InvalidMemory::NoChange),
            done => done,
        };
        self.change_each(found, Action::Forget, actor, forget).await
    }

    /// Restores forgotten entries. Active ones are not changed.
    ///
    /// # Errors
    /// [`AppError::Memory`] if one is locked against the actor; none is restored then.
    pub async fn restore(&self, ids: &[MemoryId], actor: Actor) -> Result<Written, AppError> {
        self.change_each(&self.session.existing(ids).await?, Action::Restore, actor, MemoryEntry::restored)
            .await
    }

    /// Adds and removes tags on entries.
    ///
    /// # Errors
    /// [`AppError::Memory`] if a tag is invalid or an entry is locked or forgotten; nothing is changed then.
    pub async fn tag(
        &self,
        ids: &[MemoryId],
        add: &[String],
        remove: &[String],
        actor: Actor,
    ) -> Result<Written, AppError> {
        let (add, remove) = (text::tags(add)?, text::tags(remove)?);
        self.change_each(&self.session.existing(ids).await?, Action::Edit, actor, |entry, stamp| {
            let remaining = entry.tags.iter().filter(|tag| !remove.contains(tag));
            let tags = remaining.chain(&add).cloned().collect();
            entry.edited(MemoryPatch { tags: Some(tags), ..MemoryPatch::default() }, stamp)
        })
        .await
    }

    /// Applies the same properties to entries.
    ///
    /// # Errors
    /// [`AppError::Memory`] if a property is invalid or one entry is locked or forgotten; nothing is changed then.
    pub async fn set_properties(
        &self,
        ids: &[MemoryId],
        properties: BulkProperties,
        actor: Actor,
    ) -> Result<Written, AppError> {
        let BulkProperties { importance, lifetime, pinned } = properties;
        let patch = MemoryPatch { importance, lifetime, pinned, ..MemoryPatch::default() };
        let set = |entry: &MemoryEntry, stamp| entry.edited(patch.clone(), stamp);
        self.change_each(&self.session.existing(ids).await?, Action::Edit, actor, set).await
    }

    /// Applies a function to many entries. Entries that it does not change get no new version.
    async fn change_each(
        &self,
        found: &[StoredEntry],
        action: Action,
        actor: Actor,
        rule: impl Fn(&MemoryEntry, Stamp) -> Result<MemoryEntry, InvalidMemory>,
    ) -> Result<Written, AppError> {
        let stamp = self.session.stamp(actor);
        let mut writes = Vec::with_capacity(found.len());
        for stored in found {
            match rule(&stored.entry, stamp) {
                Ok(next) => writes.push(MemoryWrite::Update(next)),
                Err(InvalidMemory::NoChange) => {}
                Err(error) => return Err(error.into()),
            }
        }
        if writes.is_empty() {
            return Err(InvalidMemory::NoChange.into());
        }
        self.commit(stamp, action, None, writes).await
    }

    /// Commits writes atomically under one change id, also if they belong to both databases.
    pub(crate) async fn commit(
        &self,
        stamp: Stamp,
        action: Action,
        undoes: Option<ChangeId>,
        writes: Vec<MemoryWrite>,
    ) -> Result<Written, AppError> {
        let ids = writes.iter().map(|write| write.entry().id).collect();
        let act = SplitAct { stamp, action, undoes: Undoes::same(undoes) };
        self.commit_split(act, writes).await?;
        Ok(Written { change: stamp.change, action, ids })
    }
}
