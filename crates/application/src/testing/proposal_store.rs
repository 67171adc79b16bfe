//! Proposals in an [`InMemoryDatabase`].

use std::cmp::Reverse;

use chrono::{DateTime, Utc};
use inklings_domain::{
    change_set::{Action, ChangeSet, MemoryWrite},
    ids::{MemoryId, ProposalId},
    memory::MemoryEntry,
    memory_switch::MemorySwitch,
    proposal::{NewEntry, Proposal, ProposalState},
    provenance::{Curator, Hand},
    text_source::TextSource,
};

use super::memory_store::{InMemoryDatabase, Tables};
use crate::ports::{
    error::StoreError,
    proposal_store::{ProposalCursor, ProposalStore},
    rule::Rule,
    settings::Topic,
};

impl Tables {
    fn check_proposal(&self, proposal: &Proposal) -> Result<(), StoreError> {
        if proposal.state != ProposalState::Open {
            return Err(StoreError::Refused("a proposal begins open".into()));
        }
        if proposal.subjects.iter().any(|subject| !self.entries.contains_key(&subject.id)) {
            return Err(StoreError::NotFound("memory"));
        }
        if let Some(makes) = &proposal.makes {
            self.belongs_here(makes.place)?;
        }
        if self.proposals.contains_key(&proposal.id) {
            return Err(StoreError::AlreadyExists("proposal"));
        }
        Ok(())
    }
}

/// An entry that is made of a proposal names who worded it, and is the author's only if they wrote another text.
fn keeps_who_worded_it(proposal: &Proposal, made: &MemoryEntry) -> bool {
    let Some(source) = TextSource::of(proposal.actor) else { return true };
    let rewritten = proposal.content.as_ref() != Some(&made.content);
    (rewritten || made.curator == Curator::Agent) && made.text_sources().contains(&source)
}

#[async_trait::async_trait]
impl ProposalStore for InMemoryDatabase {
    async fn file(&self, proposal: &Proposal, switch: MemorySwitch) -> Result<bool, StoreError> {
        let mut tables = self.tables();
        if !tables.switch(switch).admits(proposal.actor.hand()) {
            return Err(StoreError::MemoryOff);
        }
        let fingerprint = proposal.fingerprint();
        if tables.proposals.values().any(|other| other.fingerprint() == fingerprint) {
            return Ok(false);
        }
        tables.check_proposal(proposal)?;
        tables.proposals.insert(proposal.id, proposal.clone());
        tables.announce(Topic::Proposals);
        Ok(true)
    }

    async fn get(&self, ids: &[ProposalId]) -> Result<Vec<Proposal>, StoreError> {
        Ok(self.tables().proposals.values().filter(|p| ids.contains(&p.id)).cloned().collect())
    }

    async fn about(&self, ids: &[MemoryId]) -> Result<Vec<Proposal>, StoreError> {
        let about = |p: &&Proposal| p.subjects.iter().any(|subject| ids.contains(&subject.id));
        Ok(self.tables().proposals.values().filter(about).cloned().collect())
    }

    async fn list(
        &self,
        state: Option<ProposalState>,
        after: Option<ProposalCursor>,
        limit: usize,
    ) -> Result<Vec<Proposal>, StoreError> {
        let wanted = |p: &&Proposal| {
            state.is_none_or(|only| only == p.state)
                && after.is_none_or(|after| (p.created_at, p.id) < (after.created_at, after.id))
        };
        let mut found: Vec<Proposal> = self.tables().proposals.values().filter(wanted).cloned().collect();
        found.sort_by_key(|p| Reverse((p.created_at, p.id)));
        found.truncate(limit);
        Ok(found)
    }

    async fn count_open(&self) -> Result<u64, StoreError> {
        let tables = self.tables();
        Ok(tables.proposals.values().filter(|p| p.state == ProposalState::Open).count() as u64)
    }

    async fn accept(&self, id: ProposalId, change: &ChangeSet) -> Result<(), StoreError> {
        let mut tables = self.tables();
        if let Some(error) = tables.broken.0.take() {
            return Err(error);
        }
        let proposal = tables.proposals.get(&id).ok_or(StoreError::NotFound("proposal"))?;
        if proposal.state != ProposalState::Open {
            return Err(StoreError::Moved("proposal"));
        }
        if change.stamp.actor.hand() != Hand::Author {
            return Err(StoreError::Locked(Rule::TheWorldbuilderDecides));
        }
        if change.action != Action::Accept {
            return Err(StoreError::Refused("a proposal is accepted by a change of its own".into()));
        }
        let kept = |makes: &NewEntry| {
            let made = change.writes.iter().map(MemoryWrite::entry).find(|entry| entry.id == makes.id);
            made.is_some_and(|made| keeps_who_worded_it(proposal, made))
        };
        if !proposal.makes.as_ref().is_none_or(kept) {
            return Err(StoreError::Locked(Rule::ATextKeepsItsSources));
        }
        tables.check(change)?;
        tables.carry_out(change);
        if let Some(proposal) = tables.proposals.get_mut(&id) {
            proposal.state = ProposalState::Accepted;
            proposal.decided_at = Some(change.stamp.at);
            proposal.change = Some(change.stamp.change);
        }
        tables.announce(Topic::Proposals);
        Ok(())
    }

    async fn close(
        &self,
        ids: &[ProposalId],
        state: ProposalState,
        at: DateTime<Utc>,
    ) -> Result<usize, StoreError> {
        if !matches!(state, ProposalState::Rejected | ProposalState::Superseded) {
            return Err(StoreError::Refused("a proposal is not decided like that".into()));
        }
        let mut tables = self.tables();
        let mut closed = 0;
        for proposal in tables.proposals.values_mut() {
            if ids.contains(&proposal.id) && proposal.state == ProposalState::Open {
                proposal.state = state;
                proposal.decided_at = Some(at);
                closed += 1;
            }
        }
        if closed > 0 {
            tables.announce(Topic::Proposals);
        }
        Ok(closed)
    }
}
