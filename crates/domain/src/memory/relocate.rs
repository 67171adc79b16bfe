//! Moves an entry to another place: within the databases of a workspace as the same entry, between the account and a
//! workspace as a new one.

use super::{InvalidMemory, MemoryEntry, MemoryKind, Stamp};
use crate::{
    forget_reason::ForgetReason,
    ids::MemoryId,
    memory::Span,
    provenance::ActorKind,
    scope::{MemoryLifetime, MemoryScope, Place},
};

impl MemoryEntry {
    /// Returns the entry at another place of the same workspace. It keeps its id, links and history.
    ///
    /// # Errors
    /// [`InvalidMemory::Locked`] for everybody but the worldbuilder; [`InvalidMemory::StaysInTier`] for a named entry or an
    /// archive; [`InvalidMemory::Forgotten`]; [`InvalidMemory::NoChange`] if it is there already.
    pub fn moved(&self, place: Place, stamp: Stamp) -> Result<Self, InvalidMemory> {
        self.may_move(place, stamp)?;
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
        self.may_move(place, stamp)?;
        if self.is_bound_to_workspace() {
            return Err(InvalidMemory::BoundToWorkspace);
        }
        let retired = self.retired_into(id, ForgetReason::Moved, stamp)?;
        let made = Self {
            id,
            place,
            lifetime: lifetime_at(place, self.lifetime),
            version: 1,
            written_by: stamp.actor.kind(),
            change: stamp.change,
            updated_at: stamp.at,
            ..self.clone()
        };
        Ok((made, retired))
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

    fn may_move(&self, place: Place, stamp: Stamp) -> Result<(), InvalidMemory> {
        if stamp.actor.kind() != ActorKind::Author {
            return Err(InvalidMemory::Locked);
        }
        if !self.is_active() {
            return Err(InvalidMemory::Forgotten);
        }
        if self.name.is_some() || self.kind == MemoryKind::Archive {
            return Err(InvalidMemory::StaysInTier);
        }
        if self.place == place { Err(InvalidMemory::NoChange) } else { Ok(()) }
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
