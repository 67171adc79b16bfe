//! Entries that an agent names by id. The World Agent and every client read and change them through [`AgentAccess`] alone,
//! so that no write reaches an entry that the writer could not read.

use inklings_domain::{
    client::{Grants, Verb},
    conversation::Conversation,
    ids::{ConversationId, MemoryId},
    memory::{MemoryPatch, filter::ScopeFilter},
    proposal::{Proposal, ProposalDraft, ProposalKind, Subject},
    provenance::Actor,
    scope::{MemoryScope, Place},
};

use super::write::Written;
use crate::{
    client::Denied,
    error::AppError,
    memory::{
        remember::{DOUBTFUL, GuardRefusal, Remembered},
        store::{HistoryVersion, StoredEntry},
    },
    proposal::Proposed,
    session::Session,
};

/// What an agent may read and change.
#[derive(Debug, Clone)]
pub enum Bounds<'a> {
    /// The World Agent: what is seen from its conversation, and nothing of other channels and conversations.
    Seen(ScopeFilter),
    /// A client: what the worldbuilder granted to it.
    Granted(&'a Grants),
}

impl Bounds<'_> {
    /// The bounds of the World Agent in a conversation.
    pub fn of_conversation(conversation: &Conversation) -> Self {
        Self::Seen(ScopeFilter::seen_from(Place::Conversation(conversation.channel_id, conversation.id)))
    }

    fn may(&self, verb: Verb, place: Place) -> bool {
        match self {
            Self::Seen(scope_filter) => scope_filter.holds(place),
            Self::Granted(grants) => grants.may(verb, place),
        }
    }

    const fn denied(&self, verb: Verb, tier: MemoryScope) -> Denied {
        match self {
            Self::Seen(_) => Denied::Tier { tier, verb },
            Self::Granted(grants) => Denied::of(grants, verb, tier),
        }
    }

    fn may_somewhere(&self, verb: Verb) -> bool {
        match self {
            Self::Seen(_) => true,
            Self::Granted(grants) => MemoryScope::ALL.iter().any(|tier| grants.may_somewhere(verb, *tier)),
        }
    }
}

/// What an agent would propose about entries.
#[derive(Debug, Clone)]
pub struct AgentProposal<'a> {
    /// Of which kind.
    pub kind: ProposalKind,
    /// About which entries.
    pub ids: &'a [MemoryId],
    /// The text that they should have.
    pub content: Option<String>,
    /// Why.
    pub reason: &'a str,
    /// The conversation in which it came up.
    pub conversation: Option<ConversationId>,
}

/// Reads and changes entries by id, in an agent's name and within its bounds.
pub struct AgentAccess<'a> {
    session: &'a Session,
    bounds: Bounds<'a>,
    actor: Actor,
}

impl<'a> AgentAccess<'a> {
    /// Access of one agent.
    pub const fn new(session: &'a Session, bounds: Bounds<'a>, actor: Actor) -> Self {
        Self { session, bounds, actor }
    }

    /// An entry that the agent may do this to. Whatever is done to it, it must be able to read it: one that it may not read
    /// is as unknown as one that does not exist.
    ///
    /// # Errors
    /// [`AppError::NoMemory`]; [`AppError::Denied`] if it may read the entry but not change it, or may do this nowhere.
    pub async fn entry(&self, verb: Verb, id: MemoryId) -> Result<StoredEntry, AppError> {
        if !self.bounds.may_somewhere(verb) {
            return Err(self.bounds.denied(verb, MemoryScope::Workspace).into());
        }
        let found = self.session.entry(id).await?;
        let place = found.entry.place;
        if !self.bounds.may(Verb::Read, place) {
            return Err(AppError::NoMemory(id));
        }
        if !self.bounds.may(verb, place) {
            return Err(self.bounds.denied(verb, place.scope()).into());
        }
        Ok(found)
    }

    /// Every version of an entry, newest first.
    ///
    /// # Errors
    /// As [`Self::entry`].
    pub async fn history(&self, id: MemoryId) -> Result<Vec<HistoryVersion>, AppError> {
        self.entry(Verb::Read, id).await?;
        self.session.memory_history(id).await
    }

    /// Changes an entry. Without a version it is changed as it stands. A text of which only the worldbuilder can tell whether
    /// the account may hold it is proposed instead, and nothing is changed.
    ///
    /// # Errors
    /// As [`Self::entry`] and [`Session::edit_memory`].
    pub async fn update(
        &self,
        id: MemoryId,
        version: Option<u64>,
        patch: MemoryPatch,
    ) -> Result<Remembered, AppError> {
        let found = self.entry(Verb::Write, id).await?;
        let version = version.unwrap_or(found.entry.version);
        let content = patch.content.clone();
        match self.session.edit_memory(id, version, patch, self.actor).await {
            Err(AppError::Guard(GuardRefusal::Unclear)) => {
                let draft = ProposalDraft {
                    kind: ProposalKind::Edit,
                    reason: DOUBTFUL.to_owned(),
                    subjects: vec![Subject { id, version }],
                    content,
                    makes: None,
                    conversation: None,
                };
                Ok(Remembered::Proposed(Proposed::of(self.session.propose(draft, self.actor).await?)))
            }
            written => Ok(Remembered::Written(written?)),
        }
    }

    /// Takes an entry out of use; it can be restored.
    ///
    /// # Errors
    /// As [`Self::entry`] and [`Session::forget_memories`].
    pub async fn forget(&self, id: MemoryId, reason: &str) -> Result<Written, AppError> {
        self.entry(Verb::Write, id).await?;
        self.session.forget_memories(&[id], reason, self.actor).await
    }

    /// Files a proposal about entries that the agent may read, as they are now. `None` if the same was proposed before.
    ///
    /// # Errors
    /// As [`Self::entry`] and [`Session::propose`].
    pub async fn propose(&self, proposal: AgentProposal<'_>) -> Result<Option<Proposal>, AppError> {
        let AgentProposal { kind, ids, content, reason, conversation } = proposal;
        let mut subjects = Vec::with_capacity(ids.len());
        for id in ids {
            self.entry(Verb::Read, *id).await?;
            subjects.push(self.session.subject(*id).await?);
        }
        let reason = reason.to_owned();
        let draft = ProposalDraft { kind, reason, subjects, content, makes: None, conversation };
        self.session.propose(draft, self.actor).await
    }
}
