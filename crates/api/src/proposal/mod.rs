//! Use cases of proposals.

pub mod convert;
pub mod view;

use inklings_application::error::AppError;
use inklings_domain::{
    ids::{MemoryId, ProposalId},
    memory::coverage::{Coverage, coverage},
    proposal::{Proposal, ProposalKind, ProposalState},
};
use inklings_ports::{memory::store::StoredEntry, proposal::ProposalCursor};

use crate::{
    commands::ProposalCommands,
    error::{CommandError, ErrorCode},
    proposal::view::{
        Decided, Decision, ProposalPage, ProposalRequest, ProposalSubject, ProposalView, Undecided,
    },
    reference::conversations_by_id,
    wire::{count, cursor, time},
};

/// Maximum number of proposals per decision.
const MOST_AT_ONCE: usize = 500;

impl ProposalCommands<'_> {
    /// A page of proposals, newest first.
    ///
    /// # Errors
    /// [`CommandError`] of code `invalid` for an invalid cursor.
    pub async fn list_proposals(&self, request: ProposalRequest) -> Result<ProposalPage, CommandError> {
        let session = self.app.session()?;
        let after = cursor::after(request.after.as_deref())?;
        let after = after.map(|(created_at, id)| ProposalCursor { created_at, id });
        let state = request.state.map(ProposalState::from);
        let page = session.proposals().list(state, after, request.limit as usize).await?;
        let mut rows = Vec::with_capacity(page.rows.len());
        for proposal in &page.rows {
            rows.push(self.proposal_view(proposal).await?);
        }
        Ok(ProposalPage { rows, next: page.next.map(|next| cursor::text(&(next.created_at, next.id))) })
    }

    /// Number of open proposals.
    ///
    /// # Errors
    /// [`CommandError`] if a database cannot be read.
    pub async fn count_proposals(&self) -> Result<u32, CommandError> {
        Ok(count(self.app.session()?.proposals().count_open().await?))
    }

    /// Decides proposals, each independently.
    ///
    /// # Errors
    /// [`CommandError`] of code `invalid` for an invalid id or too many; individual failures are in the
    /// result.
    pub async fn decide_proposals(
        &self,
        ids: &[String],
        decision: Decision,
    ) -> Result<Decided, CommandError> {
        if ids.len() > MOST_AT_ONCE {
            return Err(CommandError::invalid("ids", "These are too many at once."));
        }
        let session = self.app.session()?;
        let decision = convert::decision(decision);
        let mut answer = Decided { decided: Vec::new(), failed: Vec::new(), change_ids: Vec::new() };
        for text in ids {
            let id: ProposalId = crate::wire::id("ids", text)?;
            match session.proposals().decide(id, decision.clone(), self.app.actor).await {
                Ok(change) => {
                    answer.change_ids.extend(change.map(|change| change.to_string()));
                    answer.decided.push(self.proposal_view(&session.proposals().get(id).await?).await?);
                }
                Err(error) => {
                    let stale = matches!(error, AppError::Stale { .. });
                    let error = CommandError::from(error);
                    if matches!(error.code, ErrorCode::Internal | ErrorCode::ReadOnly | ErrorCode::DiskFull) {
                        return Err(error);
                    }
                    let message = if stale {
                        "An entry of this proposal was changed since it was filed.".to_owned()
                    } else {
                        error.message
                    };
                    answer.failed.push(Undecided { id: text.clone(), message });
                }
            }
        }
        Ok(answer)
    }

    async fn proposal_view(&self, proposal: &Proposal) -> Result<ProposalView, CommandError> {
        let session = self.app.session()?;
        let mut subjects = Vec::with_capacity(proposal.subjects.len());
        let ids: Vec<MemoryId> = proposal.subjects.iter().map(|subject| subject.id).collect();
        let stored: Vec<StoredEntry> = session.entries(&ids).await?;
        let rows = self.app.memory().rows(&stored).await?;
        for subject in &proposal.subjects {
            let at = stored.iter().position(|stored| stored.entry.id == subject.id);
            let entry = at.map(|at| &stored[at].entry);
            let content = match entry {
                Some(entry) if entry.version == subject.version => entry.content.clone(),
                Some(entry) => {
                    let history = session.ports(entry.scope()).store.history(subject.id).await?;
                    let seen = history.into_iter().find(|item| item.entry.version == subject.version);
                    seen.map(|item| item.entry.content).unwrap_or_default()
                }
                None => String::new(),
            };
            subjects.push(ProposalSubject {
                id: subject.id.to_string(),
                version: count(subject.version),
                row: at.map(|at| rows[at].clone()),
                content,
                changed_since: proposal.state == ProposalState::Open
                    && entry.is_none_or(|entry| entry.version != subject.version),
            });
        }
        let makes = match &proposal.makes {
            Some(makes) => {
                let made = self.app.memory().rows(&session.entries(&[makes.id]).await?).await?.pop();
                Some(convert::proposed_entry(makes, made))
            }
            None => None,
        };
        let places = conversations_by_id(&session, proposal.conversation.into_iter().collect()).await?;
        let (lost, added) = convert::marks(compared(proposal, &subjects));
        Ok(ProposalView {
            id: proposal.id.to_string(),
            kind: proposal.kind.into(),
            state: proposal.state.into(),
            reason: proposal.reason.clone(),
            subjects,
            content: proposal.content.clone(),
            makes,
            lost,
            added,
            filed_by: proposal.actor.kind().into(),
            interface: proposal.actor.interface().into(),
            run_id: proposal.actor.run().map(|run| run.to_string()),
            conversation_id: proposal.conversation.map(|id| id.to_string()),
            conversation_ref: proposal
                .conversation
                .and_then(|id| places.get(&id))
                .map(|conversation| conversation.ref_code.to_string()),
            created_at: time(proposal.created_at),
            decided_at: proposal.decided_at.map(time),
        })
    }
}

/// What the new text loses and gains. For a conflict, compares the two entries.
fn compared(proposal: &Proposal, subjects: &[ProposalSubject]) -> Coverage {
    let originals: Vec<&str> = subjects.iter().map(|subject| subject.content.as_str()).collect();
    match (proposal.kind, &proposal.content, originals.as_slice()) {
        (ProposalKind::Edit | ProposalKind::Merge, Some(text), _) => coverage(&originals, text),
        (ProposalKind::Conflict, _, [a, b]) => coverage(&[*a], b),
        _ => Coverage { lost: Vec::new(), added: Vec::new() },
    }
}
