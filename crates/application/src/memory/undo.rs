//! Undo of changes. An undo is itself a change; nothing is removed from the journal.

use std::collections::HashMap;

use inklings_domain::{
    audit::AuditAct,
    forget_reason::ForgetReason,
    ids::{ChangeId, MemoryId},
    memory::{
        Forgotten, InvalidMemory, MemoryEntry, Stamp,
        change_set::{Action, ChangeSet, JournalRow, MemoryWrite, ReplacedVersion},
    },
    named_entry::{goes_by, names_of},
    provenance::Actor,
    scope::Place,
};
use inklings_ports::{
    memory::store::{CommittedChange, StoredEntry},
    workspace::catalogue::MemoryPorts,
};

use super::{
    split::{SplitAct, Undoes},
    write::Written,
};
use crate::{error::AppError, services::Memories};

/// Audit log rows searched. Audited actions are rare.
const AUDIT_ROWS: usize = 1_000;

impl Memories<'_> {
    /// Undoes one change: edited entries get their earlier version again, created ones are forgotten.
    ///
    /// # Errors
    /// [`AppError::AlreadyUndone`]; [`AppError::Stale`] if an entry was changed since, and nothing is undone
    /// then; [`AppError::NotFound`] for an unknown change; [`AppError::Scrubbed`] if all of it was scrubbed.
    pub async fn undo_change(&self, change: ChangeId, actor: Actor) -> Result<Written, AppError> {
        // First settle changes that were interrupted between the two databases, so that the undo does not
        // build on one half.
        if let Err(error) = self.settle_changes().await {
            // Settling is retried when the folder is opened next; it must not block the undo.
            tracing::warn!(%error, "changes that were cut off could not be settled yet");
        }
        let workspace = standing(&self.session.workspace.memory, change).await?;
        let account = standing(&self.session.account.memory, change).await?;
        if workspace.is_none() && account.is_none() {
            return Err(AppError::NotFound { what: "change", name: change.to_string() });
        }
        let open =
            |part: &Option<CommittedChange>| part.clone().filter(|part| part.journal.undone_by.is_none());
        let (left, id_of) =
            ([open(&workspace), open(&account)], |part: &CommittedChange| part.journal.change);
        let undoes = Undoes { workspace: left[0].as_ref().map(id_of), account: left[1].as_ref().map(id_of) };
        let parts: Vec<CommittedChange> = left.into_iter().flatten().collect();
        if parts.is_empty() {
            return Err(AppError::AlreadyUndone);
        }
        let half = parts.len() < [&workspace, &account].into_iter().flatten().count();
        if parts.iter().all(|part| part.replaced.is_empty()) {
            return Err(if half { AppError::AlreadyUndone } else { AppError::Scrubbed });
        }
        let stamp = self.session.stamp(actor);
        let mut writes = Vec::new();
        for part in &parts {
            writes.extend(self.reversal(part, stamp).await?);
        }
        if half && writes.is_empty() {
            return Err(AppError::AlreadyUndone);
        }
        let ids = writes.iter().map(|write| write.entry().id).collect();
        self.commit_split(SplitAct { stamp, action: Action::Undo, undoes }, writes).await?;
        Ok(Written { change: stamp.change, action: Action::Undo, ids })
    }

    /// Undoes the worldbuilder's newest change that is not undone yet.
    ///
    /// # Errors
    /// [`AppError::NothingToUndo`], [`AppError::Scrubbed`] if earlier changes were scrubbed, and those of
    /// [`Self::undo_change`].
    pub async fn undo_last(&self, actor: Actor) -> Result<Written, AppError> {
        match self.last_undoable().await? {
            Some(last) => self.undo_change(last.change, actor).await,
            None if self.anything_was_scrubbed().await? => Err(AppError::Scrubbed),
            None => Err(AppError::NothingToUndo),
        }
    }

    async fn anything_was_scrubbed(&self) -> Result<bool, AppError> {
        for ports in self.session.all_ports() {
            let rows = ports.audit.rows(None, AUDIT_ROWS).await?;
            if rows.iter().any(|row| matches!(row.entry.act, AuditAct::Scrub | AuditAct::Purge)) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The change that [`Self::undo_last`] would undo.
    pub async fn last_undoable(&self) -> Result<Option<JournalRow>, AppError> {
        let mut newest = Vec::new();
        for ports in self.session.all_ports() {
            newest.extend(ports.store.last_undoable().await?);
        }
        Ok(newest.into_iter().max_by_key(|row| row.order))
    }

    /// Undoes one database's part of a change.
    pub(super) async fn undo_in(
        &self,
        ports: &MemoryPorts,
        change: ChangeId,
        actor: Actor,
    ) -> Result<(), AppError> {
        let Some(part) = ports.store.change(change).await? else { return Ok(()) };
        let stamp = self.session.stamp(actor);
        let writes = self.reversal(&part, stamp).await?;
        let switch = self.session.switch().state().await?;
        let set = ChangeSet { stamp, action: Action::Undo, undoes: Some(change), switch, writes };
        Ok(ports.store.commit(&set).await?)
    }

    async fn reversal(&self, part: &CommittedChange, stamp: Stamp) -> Result<Vec<MemoryWrite>, AppError> {
        let ids: Vec<_> = part.replaced.iter().map(|replaced| replaced.id).collect();
        let by_id: HashMap<_, _> = part.replaced.iter().map(|replaced| (replaced.id, replaced)).collect();
        let current = self.session.entries(&ids).await?;
        let mut writes = Vec::with_capacity(current.len());
        for stored in in_naming_order(&current, &by_id) {
            let Some(replaced) = by_id.get(&stored.entry.id) else { continue };
            let made = self.unchanged_since(&stored.entry, replaced).await?;
            if let Some(before) = &replaced.before
                && !made.is_still(before.place)
            {
                if !stored.entry.place.is_still(made) {
                    return Err(stale(&stored.entry, replaced));
                }
                let place = self.session.conversations().place_now(before.place).await?;
                writes.push(MemoryWrite::Move(stored.entry.moved_back(before, place, stamp)?));
                continue;
            }
            match reversed(&stored.entry, replaced, stamp) {
                Ok(next) => writes.push(MemoryWrite::Update(next)),
                Err(AppError::Memory(InvalidMemory::NoChange)) => {}
                Err(error) => return Err(error),
            }
        }
        Ok(writes)
    }

    /// Returns the place where a change left an entry. Refuses to undo the change if a later one changed the entry again. Later changes that
    /// were themselves undone do not count: the entry's current content is compared with what the change wrote.
    pub(crate) async fn unchanged_since(
        &self,
        current: &MemoryEntry,
        replaced: &ReplacedVersion,
    ) -> Result<Place, AppError> {
        if current.version == replaced.made {
            return Ok(current.place);
        }
        let history = self.session.ports(current.scope()).store.history(current.id).await?;
        let made = history.iter().map(|item| &item.entry).find(|made| made.version == replaced.made);
        made.filter(|made| made.same_body(current))
            .map(|made| made.place)
            .ok_or_else(|| stale(current, replaced))
    }
}

fn stale(current: &MemoryEntry, replaced: &ReplacedVersion) -> AppError {
    AppError::Stale {
        current: Box::new(current.clone()),
        given: replaced.made,
        yours: replaced.before.as_ref().map(|before| before.content.clone()),
    }
}

/// The effective change in one database. If the change was undone and the undo was undone, that is the
/// redoing change.
async fn standing(ports: &MemoryPorts, change: ChangeId) -> Result<Option<CommittedChange>, AppError> {
    let Some(mut at) = ports.store.change(change).await? else { return Ok(None) };
    while let Some(undo) = at.journal.undone_by
        && let Some(undo) = ports.store.change(undo).await?
        && let Some(again) = undo.journal.undone_by
        && let Some(again) = ports.store.change(again).await?
    {
        at = again;
    }
    Ok(Some(at))
}

/// Orders entries that lose names first, so that a name is free when it returns to its earlier entry.
pub(crate) fn in_naming_order<'e>(
    current: &'e [StoredEntry],
    replaced: &HashMap<MemoryId, &ReplacedVersion>,
) -> Vec<&'e StoredEntry> {
    let gains = |stored: &&StoredEntry| {
        let before = replaced.get(&stored.entry.id).and_then(|replaced| replaced.before.as_ref());
        let had = |name: &str| stored.entry.is_active() && goes_by(&stored.entry, name);
        before.is_some_and(|before| before.is_active() && names_of(before).any(|name| !had(name)))
    };
    let mut order: Vec<&StoredEntry> = current.iter().collect();
    order.sort_by_key(gains);
    order
}

/// The entry's state before a change, as a new version.
pub(crate) fn reversed(
    current: &MemoryEntry,
    replaced: &ReplacedVersion,
    stamp: Stamp,
) -> Result<MemoryEntry, AppError> {
    Ok(match &replaced.before {
        Some(before) => current.reverted_to(before, stamp)?,
        // An entry imported as forgotten would still count as existing. Record its creation as undone
        // instead.
        None if current.is_forgotten_for(&ForgetReason::SwitchedOff) => {
            let (at, run) = (stamp.at, stamp.actor.run());
            let undone = Forgotten { at, reason: ForgetReason::CreationUndone, run };
            MemoryEntry { forgotten: Some(undone), ..current.restored(stamp)? }
        }
        None if !current.is_active() => return Err(InvalidMemory::NoChange.into()),
        None => current.forgotten(ForgetReason::CreationUndone, stamp)?,
    })
}
