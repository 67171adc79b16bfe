//! Taking back everything that a client wrote, in one action.

use inklings_domain::{ids::ClientId, memory::MemoryEntry, provenance::Actor};

use super::WritesUndone;
use crate::{
    error::AppError,
    session::{Session, only_the_author},
};

/// What came of taking back what a client wrote.
#[derive(Debug, Clone, PartialEq)]
pub struct Undone {
    /// Entries that are as they were before.
    pub restored: usize,
    /// Entries that somebody else changed since; they are left as they are.
    pub conflicts: Vec<MemoryEntry>,
    /// Open proposals of the client that were turned down with it.
    pub proposals: usize,
    /// Facts, messages, working notes, the switch of memory.
    pub writes: WritesUndone,
}

impl Session {
    /// Takes back everything that a client wrote, its newest change first, and turns down its open proposals. What somebody
    /// else changed since is left as it is and shown. Cut off in the middle, it can be called again.
    ///
    /// # Errors
    /// [`AppError::Memory`] with `Locked` if it is not the worldbuilder who asks.
    pub async fn undo_client(&self, client: ClientId, actor: Actor) -> Result<Undone, AppError> {
        only_the_author(actor)?;
        let changes = self.changes_of(client.run()).await?;
        let (restored, conflicts) = self.take_all_back(changes, actor).await?;
        let writes = self.take_writes_back(client).await?;
        let proposals = self.withdraw_proposals(client.run()).await?;
        Ok(Undone { restored, conflicts, proposals, writes })
    }
}
