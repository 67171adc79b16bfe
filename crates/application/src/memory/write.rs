//! Creating, editing, forgetting and restoring. Each use case computes a change set and commits it at once.

use inklings_domain::{
    forget_reason::ForgetReason,
    ids::{ChangeId, MemoryId},
    memory::{
        InvalidMemory, MemoryDraft, MemoryEntry, MemoryPatch, Stamp,
        change_set::{Action, MemoryWrite},
    },
    provenance::Actor,
    scope::MemoryLifetime,
    text,
};

use super::split::{SplitAct, Undoes};
use crate::{error::AppError, memory::remember::GuardRefusal, session::Session, store_error::StoreError};

/// What a write did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Written {
    /// The change, for undo.
    pub change: ChangeId,
    /// What kind of change it was.
    pub action: Action,
    /// The entries it touched, in the order given.
    pub ids: Vec<MemoryId>,
}

impl Session {
    /// Remembers something new.
    ///
    /// # Errors
    /// [`AppError::Memory`] if the draft breaks a rule; [`AppError::Guard`] if an agent would write of this world into the
    /// account that all worlds share, or learn again what was scrubbed.
    pub async fn create_memory(&self, draft: MemoryDraft, actor: Actor) -> Result<Written, AppError> {
        self.may_learn(&draft.content, actor.kind()).await?;
        if self.is_doubtful(&draft, actor).await? {
            return Err(GuardRefusal::Unclear.into());
        }
        self.insert_memory(draft, actor).await
    }

    /// Writes a new entry that passed the guards.
    pub(crate) async fn insert_memory(&self, draft: MemoryDraft, actor: Actor) -> Result<Written, AppError> {
        let stamp = self.stamp(actor);
        let entry = MemoryEntry::create(self.ids.memory_id(), draft, stamp)?;
        self.commit(stamp, Action::Create, None, vec![MemoryWrite::Insert(entry)]).await
    }

    /// Changes one entry that the caller has read at `version`.
    ///
    /// # Errors
    /// [`AppError::Stale`] with both versions if it has moved on; [`AppError::Memory`] if the patch breaks a rule;
    /// [`AppError::Guard`] if an agent writes what can be read elsewhere anyway, or as [`Self::create_memory`].
    pub async fn edit_memory(
        &self,
        id: MemoryId,
        version: u64,
        patch: MemoryPatch,
        actor: Actor,
    ) -> Result<Written, AppError> {
        let yours = patch.content.clone();
        let entry = self.entry_at(id, version, yours.as_deref()).await?;
        if let Some(content) = &patch.content
            && !entry.is_locked()
            && !actor.kind().may_write_protected()
        {
            self.may_rewrite(content, entry.place, &[id], actor).await?;
        }
        let stamp = self.stamp(actor);
        let write = MemoryWrite::Update(entry.edited(patch, stamp)?);
        match self.commit(stamp, Action::Edit, None, vec![write]).await {
            // Somebody was faster between our read and our write: answer as if we had read later.
            Err(AppError::Store(StoreError::Stale { .. })) => {
                let current = Box::new(self.entry(id).await?.entry);
                Err(AppError::Stale { current, given: version, yours })
            }
            done => done,
        }
    }

    /// Takes entries out of use that somebody asked to forget, with a note of theirs.
    ///
    /// # Errors
    /// [`AppError::Memory`] if the note breaks a rule; and as [`Self::forget_for`].
    pub async fn forget_memories(
        &self,
        ids: &[MemoryId],
        note: &str,
        actor: Actor,
    ) -> Result<Written, AppError> {
        let reason = ForgetReason::noted(note).map_err(InvalidMemory::from)?;
        self.forget_for(ids, &reason, actor).await
    }

    /// Takes entries out of use. Those forgotten already stay as they are.
    ///
    /// # Errors
    /// [`AppError::Memory`] if one is locked against the actor; none is forgotten then.
    pub async fn forget_for(
        &self,
        ids: &[MemoryId],
        reason: &ForgetReason,
        actor: Actor,
    ) -> Result<Written, AppError> {
        let forget = |entry: &MemoryEntry, stamp| match entry.forgotten(reason.clone(), stamp) {
            Err(InvalidMemory::Forgotten) => Err(InvalidMemory::NoChange),
            done => done,
        };
        self.change_each(ids, Action::Forget, actor, forget).await
    }

    /// Brings entries back into use. Those in use already stay as they are.
    ///
    /// # Errors
    /// [`AppError::Memory`] if one is locked against the actor; none is restored then.
    pub async fn restore_memories(&self, ids: &[MemoryId], actor: Actor) -> Result<Written, AppError> {
        self.change_each(ids, Action::Restore, actor, MemoryEntry::restored).await
    }

    /// Adds and removes tags on entries.
    ///
    /// # Errors
    /// [`AppError::Memory`] if a tag breaks a rule or an entry is locked or forgotten; nothing is changed then.
    pub async fn tag_memories(
        &self,
        ids: &[MemoryId],
        add: &[String],
        remove: &[String],
        actor: Actor,
    ) -> Result<Written, AppError> {
        let (add, remove) = (text::tags(add)?, text::tags(remove)?);
        self.change_each(ids, Action::Edit, actor, |entry, stamp| {
            let kept = entry.tags.iter().filter(|tag| !remove.contains(tag));
            let tags = kept.chain(&add).cloned().collect();
            entry.edited(MemoryPatch { tags: Some(tags), ..MemoryPatch::default() }, stamp)
        })
        .await
    }

    /// Sets the lifetime of entries.
    ///
    /// # Errors
    /// [`AppError::Memory`] if one is locked or forgotten; nothing is changed then.
    pub async fn set_lifetime(
        &self,
        ids: &[MemoryId],
        lifetime: MemoryLifetime,
        actor: Actor,
    ) -> Result<Written, AppError> {
        let patch = MemoryPatch { lifetime: Some(lifetime), ..MemoryPatch::default() };
        self.change_each(ids, Action::Edit, actor, |entry, stamp| entry.edited(patch.clone(), stamp)).await
    }

    /// Applies one rule to many entries. Entries that the rule leaves as they are get no new version.
    async fn change_each(
        &self,
        ids: &[MemoryId],
        action: Action,
        actor: Actor,
        rule: impl Fn(&MemoryEntry, Stamp) -> Result<MemoryEntry, InvalidMemory>,
    ) -> Result<Written, AppError> {
        let found = self.entries(ids).await?;
        if let Some(missing) = ids.iter().find(|id| !found.iter().any(|stored| stored.entry.id == **id)) {
            return Err(AppError::NoMemory(*missing));
        }
        let stamp = self.stamp(actor);
        let mut writes = Vec::with_capacity(found.len());
        for stored in &found {
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

    /// Commits writes under one change id, whole or not at all, also where they lie in both databases.
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
