//! Facts, named entries, orientation, proposals and the memory switch of a client session.

use inklings_domain::{
    calendar::span::Span,
    client::{Capability, Verb},
    fact::Assertion,
    ids::MemoryId,
    memory::MemoryEntry,
    named_entry::goes_by,
    orientation::shown::{Seen, Showing, Through},
    proposal::ProposalKind,
    scope::{MemoryScope, Place},
    search::conversation_query::ConversationQuery,
};
use inklings_ports::{fact::FactWithClaims, memory::store::HistoryVersion};

use super::ClientSession;
use crate::{
    agent_write::access::AgentProposal,
    calendar::time_text,
    error::{AppError, Denied},
    fact::{FactPage, FactSet, refuse_through},
    orientation::{OrientRequest, Oriented},
    proposal::Proposed,
    tools::arguments::MOST_TOKENS,
};

/// Maximum facts per read.
const MOST_FACTS: usize = 200;

/// A fact for a client.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NotedFact {
    pub known: FactWithClaims,
    /// When it holds in the story, as the calendar of the workspace writes it.
    pub holds: Option<String>,
}

/// The facts of a read of a client.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NotedFacts {
    /// Ordered by category and key, and by their start in the story.
    pub facts: Vec<NotedFact>,
    /// True if the category has more.
    pub more: bool,
}

impl ClientSession {
    /// Records a fact of the workspace, at a time in the story if dates are given. A value that contradicts the
    /// worldbuilder's own is stored as a claim.
    ///
    /// # Errors
    /// [`AppError::Denied`], [`AppError::MemoryOff`], [`AppError::Fact`]; [`AppError::Input`] for what is no date.
    pub async fn set_fact(
        &self,
        category: &str,
        key: &str,
        value: &str,
        holds: Option<&str>,
    ) -> Result<FactSet, AppError> {
        let client = self.granted(Verb::Write, MemoryScope::Workspace).await?;
        refuse_through(client.grants.sight.resolved().as_deref())?;
        let filter = client.grants.scope_filter_of_tiers(MemoryScope::ALL);
        let assertion = Assertion::new(category, key, value, None)?;
        let span = match holds {
            Some(dates) => Some(self.session.calendars().read(dates, None, &filter).await?),
            None => None,
        };
        let set = self.session.facts().assert(assertion.holding(span), self.actor()?).await?;
        self.trace.wrote(*set.fact.fact.id.as_uuid());
        Ok(set)
    }

    /// Reads the facts of one key, or all facts of a category; with dates, only what holds then in the story.
    ///
    /// # Errors
    /// [`AppError::Denied`]; [`AppError::NotFound`] if there is no such fact; [`AppError::Input`] for what is no date.
    pub async fn facts(
        &self,
        category: &str,
        key: Option<&str>,
        holds: Option<&str>,
    ) -> Result<NotedFacts, AppError> {
        let client = self.granted(Verb::Read, MemoryScope::Workspace).await?;
        let filter = client.grants.scope_filter_of_tiers(MemoryScope::ALL);
        let within = match holds {
            Some(dates) => self.session.calendars().read(dates, None, &filter).await?,
            None => Span::ALWAYS,
        };
        let lens = filter.lens.as_deref();
        let FactPage { rows: known, next } =
            self.session.facts().for_agent((category, key), within, MOST_FACTS, lens).await?;
        let spans = known.iter().map(|known| known.fact.span);
        let calendar = self.session.calendars().for_spans(spans, &filter).await?;
        let seen = |known: &FactWithClaims| Seen::fact(known.fact.id, known.fact.version);
        let known =
            self.shows(known, |known| Showing::of(Through::Facts, known.iter().map(seen).collect())).await;
        let noted = |known: FactWithClaims| NotedFact {
            holds: time_text(known.fact.span, calendar.as_deref()),
            known,
        };
        Ok(NotedFacts { facts: known.into_iter().map(noted).collect(), more: next.is_some() })
    }

    /// Named entries of the tiers that the client may read, including those without text.
    ///
    /// # Errors
    /// [`AppError::Denied`] if it may read neither tier.
    pub async fn named_entries(&self) -> Result<Vec<MemoryEntry>, AppError> {
        let entries = self.readable_names().await?;
        let seen = |entries: &Vec<MemoryEntry>| entries.iter().map(Seen::entry).collect();
        Ok(self.shows(entries, |entries| Showing::of(Through::NamedList, seen(entries))).await)
    }

    async fn readable_names(&self) -> Result<Vec<MemoryEntry>, AppError> {
        let client = self.admitted().await?;
        let reads = |place| client.grants.may(Verb::Read, place);
        if !reads(Place::Workspace) && !reads(Place::Account) {
            return Err(Denied::Tier { tier: MemoryScope::Workspace, verb: Verb::Read }.into());
        }
        let mut entries = self.session.named_entries().list().await?;
        entries.retain(|entry| client.grants.may_read(entry));
        Ok(entries)
    }

    /// The named entry with this name or alias. The workspace's entry takes precedence over the account's.
    ///
    /// # Errors
    /// [`AppError::Denied`]; [`AppError::NotFound`] if there is none that the client may read.
    pub async fn named_entry(&self, name: &str) -> Result<MemoryEntry, AppError> {
        let entry = self.find_named(name).await?;
        Ok(self.shows(entry, |entry| Showing::of(Through::Named, vec![Seen::entry(entry)])).await)
    }

    /// All versions of the named entry with this name or alias, newest first.
    pub async fn named_history(&self, name: &str) -> Result<Vec<HistoryVersion>, AppError> {
        self.history(self.find_named(name).await?.id).await
    }

    pub(super) async fn find_named(&self, name: &str) -> Result<MemoryEntry, AppError> {
        let found = self.readable_names().await?.into_iter().filter(|entry| goes_by(entry, name));
        let nearest = found.min_by_key(|entry| entry.scope() == MemoryScope::Account);
        let missing = || AppError::NotFound { what: "named entry", name: name.chars().take(64).collect() };
        nearest.ok_or_else(missing)
    }

    /// Builds an orientation from the tiers, channels and conversations that the client may read.
    ///
    /// # Errors
    /// [`AppError::Denied`] if it may read nothing, or may not read the named conversation.
    pub async fn orient(
        &self,
        query: &str,
        budget: Option<u64>,
        conversation: Option<&str>,
    ) -> Result<Oriented, AppError> {
        let client = self.admitted().await?;
        let reads = |tier: &MemoryScope| client.grants.may_somewhere(Verb::Read, *tier);
        if !MemoryScope::ALL.iter().any(reads) {
            return Err(Denied::Tier { tier: MemoryScope::Workspace, verb: Verb::Read }.into());
        }
        let chosen = match conversation {
            Some(_) => Some(self.in_conversation(Verb::Read, conversation).await?),
            None => None,
        };
        let request = OrientRequest {
            conversation: chosen.as_ref(),
            query: ConversationQuery::Next(query.to_owned()),
            budget: budget.map(|tokens| tokens.min(MOST_TOKENS)),
            within: Some(&client.grants),
            ..OrientRequest::default()
        };
        let oriented = self.session.orientations().orient(request).await?;
        self.session
            .orientations()
            .note_uses_by(Some(client.id), oriented.memories().collect::<Vec<_>>())
            .await;
        let showing = |oriented: &Oriented| {
            let showing = Showing::of(Through::Orientation, Seen::taken(&oriented.document));
            if let Some(chosen) = &chosen { showing.of_conversation(chosen) } else { showing }
        };
        Ok(self.shows(oriented, showing).await)
    }

    /// Files a proposal for the worldbuilder to decide.
    ///
    /// # Errors
    /// [`AppError::Denied`]; [`AppError::NoMemory`] for an entry that the client may not read; [`AppError::Proposal`].
    pub async fn propose(
        &self,
        kind: ProposalKind,
        ids: &[MemoryId],
        content: Option<String>,
        reason: &str,
    ) -> Result<Proposed, AppError> {
        let client = self.capable(Capability::Propose).await?;
        let proposal =
            AgentProposal { kind, ids, content, reason, conversation: None, derivations: Vec::new() };
        let filed = self.access(&client, self.actor()?).propose(proposal).await?;
        Ok(Proposed::of(filed))
    }

    /// Turns the capture of memory in the workspace on or off.
    ///
    /// # Errors
    /// [`AppError::Denied`].
    pub async fn switch_memory(&self, enabled: bool) -> Result<(), AppError> {
        self.capable(Capability::MemorySwitch).await?;
        self.session.switch().set_enabled_as(self.id(), enabled).await
    }
}
