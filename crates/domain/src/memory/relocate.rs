//! Moves an entry to another place: within the databases of a workspace as the same entry, between the account and a
//! workspace, and between workspaces, as a new one.

use sha2::{Digest, Sha256};

use super::{InvalidMemory, MemoryEntry, MemoryKind, Stamp, change_set::MemoryWrite};
use crate::{
    forget_reason::ForgetReason,
    ids::{MemoryId, WorkspaceId},
    memory::Span,
    provenance::ActorKind,
    scope::{MemoryLifetime, MemoryScope, Place},
    workspace::Workspace,
};

/// Names what the ids of entries in another world are made from.
const ID_OF_MOVE: &[u8] = b"inklings: the entry of a move to another workspace";

impl MemoryEntry {
    /// Returns the entry at another place of the same workspace. It keeps its id, links and history.
    ///
    /// # Errors
    /// [`InvalidMemory::Locked`] for everybody but the worldbuilder; [`InvalidMemory::StaysInTier`] for a named entry or an
    /// archive; [`InvalidMemory::Forgotten`]; [`InvalidMemory::NoChange`] if it is there already.
    pub fn moved(&self, place: Place, stamp: Stamp) -> Result<Self, InvalidMemory> {
        self.may_move(stamp)?;
        self.is_elsewhere(place)?;
        let lifetime = lifetime_at(place, self.lifetime);
        Ok(Self { place, lifetime, ..self.next(stamp)? })
    }

    /// Returns a new entry in the other database that says the same, and this one as forgotten in favour of it.
    ///
    /// # Errors
    /// As [`Self::moved`]; [`InvalidMemory::BoundToWorkspace`] if it has links or a time in the story, which only its
    /// workspace can resolve.
    pub fn moved_away(
        &self,
        id: MemoryId,
        place: Place,
        stamp: Stamp,
    ) -> Result<(Self, Self), InvalidMemory> {
        self.is_elsewhere(place)?;
        let retired = self.leaves(id, ForgetReason::Moved(None), stamp)?;
        Ok((self.arrived(id, place, stamp), retired))
    }

    /// The id that this entry gets in another workspace. A move that is made again after it was cut off finds by it what the
    /// first try made there.
    pub fn id_in(&self, workspace: WorkspaceId) -> MemoryId {
        let digest = Sha256::new()
            .chain_update(ID_OF_MOVE)
            .chain_update(self.id.as_uuid())
            .chain_update(workspace.as_uuid())
            .finalize();
        self.id.derived(digest.into())
    }

    /// Returns this entry as forgotten in favour of the one in another workspace. `None` if a move there did that already.
    ///
    /// # Errors
    /// As [`Self::moved_away`], except for [`InvalidMemory::NoChange`].
    pub fn left_for(&self, world: &Workspace, stamp: Stamp) -> Result<Option<Self>, InvalidMemory> {
        let (id, reason) = (self.id_in(world.id), ForgetReason::moved_to(&world.name));
        let is_there = matches!(self.forgotten.as_ref().map(|it| &it.reason), Some(ForgetReason::Moved(_)))
            && self.consolidated_into == Some(id);
        if is_there { Ok(None) } else { self.leaves(id, reason, stamp).map(Some) }
    }

    /// What has to be written in another workspace so that this entry is at a place there. `there` is the entry that has its
    /// [`Self::id_in`] already, if an earlier move made one; `None` is returned if that one is as it should be.
    ///
    /// # Errors
    /// [`InvalidMemory::DiffersThere`] if it is in use there with another text.
    pub fn arrives(
        &self,
        world: WorkspaceId,
        place: Place,
        there: Option<&Self>,
        stamp: Stamp,
    ) -> Result<Option<MemoryWrite>, InvalidMemory> {
        let made = self.arrived(self.id_in(world), place, stamp);
        let Some(there) = there else { return Ok(Some(MemoryWrite::Insert(made))) };
        if !there.is_active() {
            let back = there.moved_back(&made, place, stamp)?;
            let is_same_place = there.place == place;
            return Ok(Some(if is_same_place { MemoryWrite::Update(back) } else { MemoryWrite::Move(back) }));
        }
        if (&there.content, &there.title, &there.keys) != (&self.content, &self.title, &self.keys) {
            return Err(InvalidMemory::DiffersThere);
        }
        if there.place == place {
            Ok(None)
        } else {
            there.moved(place, stamp).map(MemoryWrite::Move).map(Some)
        }
    }

    fn leaves(&self, id: MemoryId, reason: ForgetReason, stamp: Stamp) -> Result<Self, InvalidMemory> {
        self.may_move(stamp)?;
        if self.is_bound_to_workspace() {
            return Err(InvalidMemory::BoundToWorkspace);
        }
        self.retired_into(id, reason, stamp)
    }

    /// The first version of the entry in another database.
    fn arrived(&self, id: MemoryId, place: Place, stamp: Stamp) -> Self {
        Self {
            id,
            place,
            lifetime: lifetime_at(place, self.lifetime),
            version: 1,
            written_by: stamp.actor.kind(),
            change: stamp.change,
            updated_at: stamp.at,
            ..self.clone()
        }
    }

    /// Returns the entry with the fields of an earlier version, at the place where that version was.
    ///
    /// # Errors
    /// [`InvalidMemory::Locked`].
    pub fn moved_back(&self, earlier: &Self, place: Place, stamp: Stamp) -> Result<Self, InvalidMemory> {
        let back = match self.reverted_to(earlier, stamp) {
            Err(InvalidMemory::NoChange) => self.next(stamp)?,
            back => back?,
        };
        Ok(Self { place, ..back })
    }

    fn is_elsewhere(&self, place: Place) -> Result<(), InvalidMemory> {
        if self.place == place { Err(InvalidMemory::NoChange) } else { Ok(()) }
    }

    fn may_move(&self, stamp: Stamp) -> Result<(), InvalidMemory> {
        if stamp.actor.kind() != ActorKind::Author {
            return Err(InvalidMemory::Locked);
        }
        if !self.is_active() {
            return Err(InvalidMemory::Forgotten);
        }
        if self.name.is_some() || self.kind == MemoryKind::Archive {
            return Err(InvalidMemory::StaysInTier);
        }
        Ok(())
    }

    fn is_bound_to_workspace(&self) -> bool {
        self.relation.is_some()
            || !self.links.is_empty()
            || self.span != Span::ALWAYS
            || self.reading_number.is_some()
            || self.calendar.is_some()
    }
}

/// The lifetime after a move. Only the tier of conversations ends with its conversation.
const fn lifetime_at(place: Place, lifetime: MemoryLifetime) -> MemoryLifetime {
    match (place.scope(), lifetime) {
        (MemoryScope::Conversation, lifetime) => lifetime,
        (_, MemoryLifetime::Conversation) => MemoryLifetime::LongTerm,
        (_, lifetime) => lifetime,
    }
}
