//! Moves entries to another tier, channel or conversation.

use inklings_domain::{
    conversation::ConversationStatus,
    ids::MemoryId,
    memory::{
        InvalidMemory,
        change_set::{Action, MemoryWrite},
    },
    provenance::Actor,
    scope::Place,
};

use super::write::Written;
use crate::{error::AppError, services::Memories, session::only_the_author};

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

    async fn is_in_use(&self, place: Place) -> Result<(), AppError> {
        let archived = |field, message: &str| AppError::Input { field, message: message.to_owned() };
        if let Some(id) = place.conversation()
            && self.session.conversations().by_id(id).await?.status == ConversationStatus::Archived
        {
            return Err(archived(
                "conversation",
                "this conversation is archived; a memory cannot move into it",
            ));
        }
        if let Some(id) = place.channel()
            && self.session.channels().by_id(id).await?.archived_at.is_some()
        {
            return Err(archived("channel", "this channel is archived; a memory cannot move into it"));
        }
        Ok(())
    }
}
