//! Moves entries to another tier, channel or conversation, and to another world.

use std::collections::HashMap;

use inklings_domain::{
    conversation::ConversationStatus,
    ids::MemoryId,
    memory::{
        InvalidMemory, MemoryEntry,
        change_set::{Action, MemoryWrite},
    },
    provenance::Actor,
    scope::Place,
};

use super::write::Written;
use crate::{
    error::AppError,
    services::Memories,
    session::{Session, only_the_author},
};

impl Memories<'_> {
    /// Moves entries as one change. Within the workspace they stay the same entries. Between the account and the workspace
    /// a new entry replaces each, because they are in different databases. Entries that are at the place already get no new
    /// version.
    ///
    /// # Errors
    /// [`AppError::Memory`] for everybody but the worldbuilder, or if one entry cannot move there, as
    /// [`inklings_domain::memory::MemoryEntry::moved`] and `moved_away` say; [`AppError::Input`] if the channel or the
    /// conversation is archived. Nothing is moved then.
    pub async fn move_to(&self, ids: &[MemoryId], place: Place, actor: Actor) -> Result<Written, AppError> {
        only_the_author(actor)?;
        self.is_in_use(place).await?;
        let stamp = self.session.stamp(actor);
        let mut writes = Vec::with_capacity(ids.len());
        for stored in self.session.existing(ids).await? {
            let entry = stored.entry;
            if entry.place == place {
                continue;
            }
            if (entry.place == Place::Account) == (place == Place::Account) {
                writes.push(MemoryWrite::Move(entry.moved(place, stamp)?));
            } else {
                let (made, retired) = entry.moved_away(self.session.ids.memory_id(), place, stamp)?;
                writes.extend([MemoryWrite::Insert(made), MemoryWrite::Update(retired)]);
            }
        }
        if writes.is_empty() {
            return Err(InvalidMemory::NoChange.into());
        }
        self.commit(stamp, Action::Move, None, writes).await
    }

    /// Moves entries to the workspace tier or a channel of another world. Two workspaces have no common commit: the other one
    /// gets the entries first, then they are forgotten here. If the process ends or the disk fails in between they are in both,
    /// and the same call completes the move. Each part is undone in its own world.
    ///
    /// # Errors
    /// [`AppError::Memory`] for everybody but the worldbuilder, or if one entry cannot leave its world, as
    /// [`inklings_domain::memory::MemoryEntry::left_for`] and `arrives` say; [`AppError::MemoryOff`] if memory is off there;
    /// [`AppError::Guard`] if a text was scrubbed there; [`AppError::Input`] for another tier or an archived channel. Nothing
    /// is written then, in either of the two.
    pub async fn move_to_world(
        &self,
        ids: &[MemoryId],
        target: &Session,
        place: Place,
        actor: Actor,
    ) -> Result<Written, AppError> {
        only_the_author(actor)?;
        let world = &target.workspace.workspace;
        if world.id == self.session.workspace.workspace.id {
            return self.move_to(ids, place, actor).await;
        }
        if !matches!(place, Place::Workspace | Place::Channel(_)) {
            let message = "in another world a memory moves to the workspace tier or to a channel".to_owned();
            return Err(AppError::Input { field: "scope", message });
        }
        if !target.switch().enabled().await? {
            return Err(AppError::MemoryOff);
        }
        target.memories().is_in_use(place).await?;
        let stamp = self.session.stamp(actor);
        let mut leaving = Vec::with_capacity(ids.len());
        let mut retired = Vec::with_capacity(ids.len());
        for stored in self.session.existing(ids).await? {
            if let Some(left) = stored.entry.left_for(world, stamp)? {
                retired.push(MemoryWrite::Update(left));
                leaving.push(stored.entry);
            }
        }
        if leaving.is_empty() {
            return Err(InvalidMemory::NoChange.into());
        }
        let arriving: Vec<MemoryId> = leaving.iter().map(|entry| entry.id_in(world.id)).collect();
        let there: HashMap<MemoryId, MemoryEntry> = target
            .workspace
            .memory
            .store
            .get(&arriving)
            .await?
            .into_iter()
            .map(|stored| (stored.entry.id, stored.entry))
            .collect();
        let mut arrivals = Vec::with_capacity(leaving.len());
        for (entry, id) in leaving.iter().zip(&arriving) {
            target.scrubs().may_arrive(entry).await?;
            arrivals.extend(entry.arrives(world.id, place, there.get(id), stamp)?);
        }
        let arrived = !arrivals.is_empty();
        if arrived {
            target.memories().commit(stamp, Action::Move, None, arrivals).await?;
        }
        let done = self.commit(stamp, Action::Move, None, retired).await;
        // A commit that a failing disk reports as failed can be there after all: to take the other part back then would leave
        // the memory in neither world.
        let is_refused = match &done {
            Ok(_) => false,
            Err(AppError::Store(error)) => error.is_refusal(),
            Err(_) => true,
        };
        if arrived && is_refused {
            let undone = target.memories().undo_in(&target.workspace.memory, stamp.change, actor).await;
            if let Err(error) = undone {
                tracing::warn!(%error, "what a refused move brought into another world is still there");
            }
        }
        done
    }

    async fn is_in_use(&self, place: Place) -> Result<(), AppError> {
        if let Some(id) = place.conversation()
            && self.session.conversations().by_id(id).await?.status == ConversationStatus::Archived
        {
            let message = "this conversation is archived; a memory cannot move into it".to_owned();
            return Err(AppError::Input { field: "conversation", message });
        }
        if let Some(id) = place.channel() {
            self.session.channels().in_use(id).await?;
        }
        Ok(())
    }
}
