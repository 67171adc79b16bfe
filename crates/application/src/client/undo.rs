//! Reverts everything that a client wrote, in one action.

use std::collections::{BTreeMap, BTreeSet};

use inklings_domain::{
    forget_reason::ForgetReason,
    ids::{ChangeId, ClientId, MemoryId},
    memory::{
        InvalidMemory, MemoryEntry, MemoryKind,
        change_set::{Action, JournalRow, MemoryWrite},
        filter::{MemoryFilter, ScopeFilter, Sort},
    },
    provenance::{Actor, ActorKind},
};
use inklings_ports::{
    memory::store::{CommittedChange, HistoryVersion},
    store_error::StoreError,
};

use super::WritesUndone;
use crate::{error::AppError, services::ClientWrites, session::only_the_author};

/// Entries that others have changed since, by id.
type Conflicts = BTreeMap<MemoryId, MemoryEntry>;

/// The result of reverting a client's writes.
#[derive(Debug, Clone, PartialEq)]
pub struct Undone {
    /// Number of entries restored to their previous state.
    pub restored: usize,
    /// Entries that others have changed since. They are left unchanged.
    pub conflicts: Vec<MemoryEntry>,
    /// Number of the client's open proposals that were rejected.
    pub proposals: usize,
    /// Results for facts, messages, working notes and the memory switch.
    pub writes: WritesUndone,
}

impl ClientWrites<'_> {
    /// Reverts everything that a client wrote, newest change first, and everything derived from its words.
    /// Rejects its open proposals. Entries that others changed since are left unchanged and reported.
    /// Idempotent; can be called again after an interruption. Archives stay, because they replace the
    /// original messages.
    ///
    /// # Errors
    /// [`AppError::Memory`] with `Locked` if the actor is not the worldbuilder.
    pub async fn undo_client(&self, client: ClientId, actor: Actor) -> Result<Undone, AppError> {
        only_the_author(actor)?;
        let mut conflicts = Conflicts::new();
        let made = self.take_back_made_of(client, actor, &mut conflicts).await?;
        let changes = self.session.consolidation().changes_of(client.run()).await?;
        self.take_back_tasks(client, &changes, actor).await?;
        let (restored, left) = self.session.consolidation().take_all_back(changes, actor).await?;
        conflicts.extend(left.into_iter().map(|entry| (entry.id, entry)));
        let (restored, conflicts) = (restored + made, conflicts.into_values().collect());
        let writes = self.take_writes_back(client).await?;
        let proposals = self.session.proposals().withdraw(client.run()).await?;
        Ok(Undone { restored, conflicts, proposals, writes })
    }

    /// Reverts what others derived from a client's words: merged texts, promoted entries, accepted proposals.
    /// Restores the entries that such a text replaced. Returns how many entries of others were restored.
    async fn take_back_made_of(
        &self,
        client: ClientId,
        actor: Actor,
        conflicts: &mut Conflicts,
    ) -> Result<usize, AppError> {
        let (mut restored, mut own) = (BTreeSet::new(), BTreeSet::new());
        let filter = MemoryFilter::with_forgotten(ScopeFilter::EVERYTHING);
        let mut all = self.session.memories().every(&filter, Sort::CreatedAsc).await?;
        // A reverted entry may itself have replaced another derived text, so scan again.
        'again: loop {
            for entry in &all {
                let may = entry.is_active() && entry.kind != MemoryKind::Archive;
                let known = conflicts.contains_key(&entry.id) || own.contains(&(entry.id, entry.version));
                if !may || !entry.holds_words_of(client) || known {
                    continue;
                }
                let history = self.session.ports(entry.scope()).store.history(entry.id).await?;
                let since = history.iter().take_while(|item| item.entry.holds_words_of(client)).count();
                let Some(introduced) = history.get(since.wrapping_sub(1)) else { continue };
                if introduced.journal.run == Some(client.run()) {
                    own.insert((entry.id, entry.version));
                    continue;
                }
                if history[..since - 1].iter().any(is_a_persons_change) {
                    conflicts.insert(entry.id, entry.clone());
                    continue;
                }
                let stamp = self.session.stamp(actor);
                let mut writes = vec![match history.get(since) {
                    Some(before) => entry.reverted_to(&before.entry, stamp)?,
                    None => entry.forgotten(ForgetReason::CreationUndone, stamp)?,
                }];
                for original in all.iter().filter(|one| one.consolidated_into == Some(entry.id)) {
                    writes.push(original.restored(stamp)?);
                }
                let undoes = self.undone_whole(&introduced.journal, &writes).await?;
                let ids: Vec<MemoryId> =
                    writes.iter().filter(|one| !one.holds_words_of(client)).map(|one| one.id).collect();
                let taken_back = [entry.id];
                let written = writes.iter().cloned().map(MemoryWrite::Update).collect();
                match self.session.memories().commit(stamp, Action::Undo, undoes, written).await {
                    Ok(_) => {
                        restored.extend(ids.into_iter().chain(taken_back));
                        for after in writes {
                            all.iter_mut()
                                .filter(|one| one.id == after.id)
                                .for_each(|one| *one = after.clone());
                        }
                    }
                    // A concurrent write changed the entry; read again.
                    Err(AppError::Store(StoreError::Stale { .. })) => {
                        all = self.session.memories().every(&filter, Sort::CreatedAsc).await?;
                    }
                    Err(error) => return Err(error),
                }
                continue 'again;
            }
            return Ok(restored.len());
        }
    }

    /// The change that these writes would revert completely; `None` if it wrote other entries too, or if some
    /// of it was changed since.
    async fn undone_whole(
        &self,
        change: &JournalRow,
        writes: &[MemoryEntry],
    ) -> Result<Option<ChangeId>, AppError> {
        let Some(first) = writes.first().filter(|_| change.undone_by.is_none()) else { return Ok(None) };
        let Some(part) = self.session.ports(first.scope()).store.change(change.change).await? else {
            return Ok(None);
        };
        let whole = part
            .replaced
            .iter()
            .all(|part| writes.iter().any(|after| after.id == part.id && after.version == part.made + 1));
        Ok(whole.then_some(change.change))
    }

    /// Reverts what background tasks did to a client's own entries (promoted, merged, faded), so that they
    /// are as the client left them.
    async fn take_back_tasks(
        &self,
        client: ClientId,
        changes: &[CommittedChange],
        actor: Actor,
    ) -> Result<(), AppError> {
        let touched: BTreeSet<MemoryId> =
            changes.iter().flat_map(|change| &change.replaced).map(|replaced| replaced.id).collect();
        for id in touched {
            loop {
                let Some(stored) = self.session.entries(&[id]).await?.pop() else { break };
                let history = self.session.ports(stored.entry.scope()).store.history(id).await?;
                let own = history.iter().find(|item| item.journal.actor_kind != ActorKind::System);
                let Some(own) = own.filter(|item| item.journal.run == Some(client.run())) else { break };
                let stamp = self.session.stamp(actor);
                let next = match stored.entry.reverted_to(&own.entry, stamp) {
                    Err(InvalidMemory::NoChange) => break,
                    next => next?,
                };
                let next = vec![next];
                let undoes = match &history[..] {
                    [newest, before, ..] if before.entry.version == own.entry.version => {
                        self.undone_whole(&newest.journal, &next).await?
                    }
                    _ => None,
                };
                let written = next.into_iter().map(MemoryWrite::Update).collect();
                match self.session.memories().commit(stamp, Action::Undo, undoes, written).await {
                    Ok(_) => break,
                    Err(AppError::Store(StoreError::Stale { .. })) => {}
                    Err(error) => return Err(error),
                }
            }
        }
        Ok(())
    }
}

/// True for a version that a person wrote, except by an undo.
fn is_a_persons_change(version: &HistoryVersion) -> bool {
    version.journal.actor_kind.may_write_protected() && version.journal.action != Action::Undo
}
