//! Access of agents to entries by id. The World Agent and all clients read and change such entries only
//! through [`AgentAccess`], so that they can never write an entry that they may not read.

use std::sync::Arc;

use inklings_domain::{
    client::{Grants, Verb},
    conversation::Conversation,
    derivation::Derivation,
    forget_reason::ForgetReason,
    ids::{ConversationId, MemoryId},
    lens::ResolvedLens,
    memory::{InvalidMemory, MemoryEntry, MemoryPatch, filter::ScopeFilter, link::LinkRole},
    orientation::shown::Seen,
    proposal::{Proposal, ProposalDraft, ProposalKind, Subject},
    provenance::Actor,
    scope::{MemoryScope, Place},
};
use inklings_ports::memory::store::{HistoryVersion, StoredEntry};

use crate::memory::write::Written;
use crate::{
    agent_write::remember::{DOUBTFUL, Remembered},
    error::{AppError, Denied, GuardRefusal},
    proposal::{Proposed, subject},
    session::Session,
    subject::SubjectDetail,
};

/// Which entries an agent may read and change.
#[derive(Debug, Clone)]
pub enum Bounds<'a> {
    /// The World Agent: the scope filter of its conversation, without other channels and conversations.
    Seen(ScopeFilter),
    /// A client: the grants that the worldbuilder gave it.
    Granted(&'a Grants),
}

impl Bounds<'_> {
    /// Bounds of the World Agent in a conversation.
    pub async fn of_conversation(session: &Session, conversation: &Conversation) -> Result<Self, AppError> {
        Ok(Self::Seen(session.lenses().seen_from(conversation).await?))
    }

    fn may_read(&self, entry: &MemoryEntry) -> bool {
        match self {
            Self::Seen(filter) => filter.admits(entry),
            Self::Granted(grants) => grants.may_read(entry),
        }
    }

    fn lens(&self) -> Option<Arc<ResolvedLens>> {
        match self {
            Self::Seen(filter) => filter.lens.clone(),
            Self::Granted(grants) => grants.sight.resolved(),
        }
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

/// A proposal of an agent about entries.
#[derive(Debug, Clone)]
pub struct AgentProposal<'a> {
    pub kind: ProposalKind,
    /// Entries that it is about.
    pub ids: &'a [MemoryId],
    /// Proposed text.
    pub content: Option<String>,
    /// Reason given by the agent.
    pub reason: &'a str,
    /// Conversation in which it was made.
    pub conversation: Option<ConversationId>,
    /// What the proposed text was made of.
    pub derivations: Vec<Derivation>,
}

/// An entry with what is linked to it.
#[derive(Debug, Clone)]
pub struct Linked {
    pub entry: MemoryEntry,
    /// Its relations and the memories about it, if it is a subject.
    pub subject: Option<SubjectDetail>,
}

impl Linked {
    /// All entries of which it holds the text, for the ledger.
    pub fn seen(&self) -> Vec<Seen> {
        let relations = self.subject.iter().flat_map(|found| &found.relations).map(|seen| &seen.stored);
        let about = self.subject.iter().flat_map(|found| &found.about);
        let linked = relations.chain(about).map(|stored| &stored.entry);
        std::iter::once(&self.entry).chain(linked).map(Seen::entry).collect()
    }
}

/// Reads and changes entries by id as an agent, within its bounds.
pub struct AgentAccess<'a> {
    session: &'a Session,
    bounds: Bounds<'a>,
    actor: Actor,
}

impl<'a> AgentAccess<'a> {
    /// Creates the access of one agent.
    pub const fn new(session: &'a Session, bounds: Bounds<'a>, actor: Actor) -> Self {
        Self { session, bounds, actor }
    }

    /// An entry, if the agent may apply the verb to it. Every verb also requires read access: an unreadable
    /// entry is reported like a missing one.
    ///
    /// # Errors
    /// [`AppError::NoMemory`]; [`AppError::Denied`] if the agent may read the entry but not change it, or has
    /// this verb on no tier.
    pub async fn entry(&self, verb: Verb, id: MemoryId) -> Result<StoredEntry, AppError> {
        if !self.bounds.may_somewhere(verb) {
            return Err(self.bounds.denied(verb, MemoryScope::Workspace).into());
        }
        let found = self.session.entry(id).await?;
        let place = found.entry.place;
        if !self.bounds.may_read(&found.entry) {
            return Err(AppError::NoMemory(id));
        }
        if !self.bounds.may(verb, place) {
            return Err(self.bounds.denied(verb, place.scope()).into());
        }
        Ok(found)
    }

    /// An entry that was just read, with what is linked to it if it is a subject, as far as the agent may read it.
    pub async fn linked(&self, entry: MemoryEntry) -> Result<Linked, AppError> {
        let filter = match &self.bounds {
            Bounds::Seen(filter) => filter.clone(),
            Bounds::Granted(grants) => grants.scope_filter_of_tiers(MemoryScope::ALL),
        };
        let subject = match entry.subject {
            None => None,
            Some(_) => match self.session.subjects().get(entry.id, &filter).await {
                Err(AppError::NotFound { .. }) => None,
                found => Some(found?),
            },
        };
        Ok(Linked { entry, subject })
    }

    /// All versions of an entry, newest first.
    pub async fn history(&self, id: MemoryId) -> Result<Vec<HistoryVersion>, AppError> {
        let scope = self.entry(Verb::Read, id).await?.entry.scope();
        let mut versions = self.session.ports(scope).store.history(id).await?;
        // An earlier version may tell what is withheld now, or was known to others.
        versions.retain(|version| self.bounds.may_read(&version.entry));
        Ok(versions)
    }

    /// Changes an entry. Without a version, the current version is changed. If the text may not belong in the
    /// account and only the worldbuilder can decide, it is proposed instead and nothing is changed.
    ///
    /// # Errors
    /// As [`Self::entry`] and [`crate::services::Memories::edit`].
    pub async fn update(
        &self,
        id: MemoryId,
        version: Option<u64>,
        patch: MemoryPatch,
    ) -> Result<Remembered, AppError> {
        self.update_read(self.entry(Verb::Write, id).await?, version, patch).await
    }

    /// As [`Self::update`], for an entry that was just read to be written.
    pub(crate) async fn update_read(
        &self,
        found: StoredEntry,
        version: Option<u64>,
        patch: MemoryPatch,
    ) -> Result<Remembered, AppError> {
        let id = found.entry.id;
        let version = version.unwrap_or(found.entry.version);
        let (content, derivations) = (patch.content.clone(), patch.derivations.clone());
        let lens = self.bounds.lens();
        let knower = lens.as_ref().and_then(|lens| lens.lens.knower);
        // Others who know of it would learn what this reader knows.
        if found.entry.linked(LinkRole::KnownBy).any(|own| Some(own) != knower) {
            return Err(InvalidMemory::KnownByOthers.into());
        }
        let by = (self.actor, lens.clone());
        match self.session.memories().edit_read(found, version, patch, by).await {
            Err(AppError::Guard(GuardRefusal::Unclear)) => {
                let draft = ProposalDraft {
                    kind: ProposalKind::Edit,
                    reason: DOUBTFUL.to_owned(),
                    subjects: vec![Subject { id, version }],
                    content,
                    makes: None,
                    conversation: None,
                    derivations: derivations.unwrap_or_default(),
                };
                Ok(Remembered::Proposed(Proposed::of(
                    self.session.proposals().propose(draft, self.actor, lens).await?,
                )))
            }
            written => Ok(Remembered::Written(Box::new(written?))),
        }
    }

    /// Forgets an entry; it can be restored.
    ///
    /// # Errors
    /// As [`Self::entry`] and [`crate::services::Memories::forget`].
    pub async fn forget(&self, id: MemoryId, reason: &str) -> Result<Written, AppError> {
        let found = self.entry(Verb::Write, id).await?;
        let reason = ForgetReason::noted(reason).map_err(InvalidMemory::from)?;
        self.session.memories().forget_read(&[found], &reason, self.actor).await
    }

    /// Files a proposal about the current versions of readable entries. `None` if the same was proposed
    /// before.
    ///
    /// # Errors
    /// As [`Self::entry`] and [`crate::services::Proposals::propose`].
    pub async fn propose(&self, proposal: AgentProposal<'_>) -> Result<Option<Proposal>, AppError> {
        let AgentProposal { kind, ids, content, reason, conversation, derivations } = proposal;
        let mut subjects = Vec::with_capacity(ids.len());
        for id in ids {
            subjects.push(subject(&self.entry(Verb::Read, *id).await?.entry)?);
        }
        let reason = reason.to_owned();
        let draft = ProposalDraft { kind, reason, subjects, content, makes: None, conversation, derivations };
        self.session.proposals().propose(draft, self.actor, self.bounds.lens()).await
    }
}
