//! Taking back everything that a client wrote, in one action.

use std::collections::BTreeMap;

use inklings_domain::{
    change_set::JournalRow,
    ids::ClientId,
    memory::{InvalidMemory, MemoryEntry},
    proposal::ProposalState,
    provenance::{Actor, Hand},
};

use crate::{
    error::AppError, memory::browse::MAX_PAGE, ports::proposal_store::ProposalCursor, session::Session,
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
}

impl Session {
    /// The changes that a client made, the newest first, those that were taken back too.
    ///
    /// # Errors
    /// [`AppError::Store`] if a database cannot be read.
    pub async fn changes_of_client(&self, client: ClientId) -> Result<Vec<JournalRow>, AppError> {
        let mut rows: Vec<JournalRow> =
            self.changes_of(client.run()).await?.into_iter().map(|change| change.journal).collect();
        rows.sort_by(|a, b| b.at.cmp(&a.at).then(b.change.cmp(&a.change)));
        Ok(rows)
    }

    /// Takes back everything that a client wrote to memory, its newest change first, and turns down its open proposals.
    /// What somebody else changed since is left as it is and shown. Cut off in the middle, it can be called again.
    ///
    /// # Errors
    /// [`AppError::Memory`] with `Locked` if it is not the worldbuilder who asks.
    pub async fn undo_client(&self, client: ClientId, actor: Actor) -> Result<Undone, AppError> {
        if actor.hand() != Hand::Author {
            return Err(InvalidMemory::Locked.into());
        }
        let (mut restored, mut conflicts) = (0, BTreeMap::new());
        for change in self.changes_of(client.run()).await?.into_iter().rev() {
            if change.journal.undone_by.is_none() {
                restored += self.take_back(&change, actor, &mut conflicts).await?;
            }
        }
        let proposals = self.turn_down_proposals_of(client).await?;
        Ok(Undone { restored, conflicts: conflicts.into_values().collect(), proposals })
    }

    async fn turn_down_proposals_of(&self, client: ClientId) -> Result<usize, AppError> {
        let mut closed = 0;
        for ports in self.all_ports() {
            let (mut ids, mut after) = (Vec::new(), None);
            loop {
                let page = ports.proposals.list(Some(ProposalState::Open), after, MAX_PAGE).await?;
                let Some(last) = page.last() else { break };
                after = Some(ProposalCursor { created_at: last.created_at, id: last.id });
                let own = page.iter().filter(|proposal| proposal.actor.run() == Some(client.run()));
                ids.extend(own.map(|proposal| proposal.id));
            }
            if !ids.is_empty() {
                closed += ports.proposals.close(&ids, ProposalState::Rejected, self.clock.now()).await?;
            }
        }
        Ok(closed)
    }
}
