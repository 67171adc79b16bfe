//! Canon drift: looks for contradictions, lists them, and carries out what the worldbuilder decides.

mod pages;
mod settle;

use std::collections::{BTreeMap, BTreeSet, HashMap};

use inklings_domain::{
    calendar::span::Span,
    drift::{Contradiction, Drift, DriftDecision, DriftState, Item, Side, Source, find},
    fact::Fact,
    ids::{ConversationId, DriftId, MemoryId, MessageId},
    memory::{
        MemoryEntry,
        filter::{MemoryFilter, ScopeFilter, Sort},
    },
    proposal::ProposalKind,
};
use inklings_ports::{
    drift::{DriftCursor, Look},
    fact::{FactQuery, FactWithClaims},
    workspace::settings::LOOKED,
};

pub use self::settle::Settlement;
use crate::{error::AppError, memory::browse::MAX_PAGE, services::Drifts};

/// Messages that are compared in one transaction.
const MESSAGES_AT_ONCE: usize = 1000;

/// A page of drifts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DriftPage {
    /// Newest first.
    pub rows: Vec<Drift>,
    /// Where the next page starts; `None` at the end.
    pub next: Option<DriftCursor>,
}

/// What a look compares with.
struct Compared {
    entries: Vec<MemoryEntry>,
    facts: Vec<Fact>,
    sources: Vec<Source>,
    /// The version of each source.
    current: BTreeMap<Item, u64>,
}

impl Drifts<'_> {
    /// Compares what was written since the last look with everything else, and files what contradicts canon. Every way into
    /// memory leads to a new version of an entry or fact, so none passes it by; a message is compared once. Changes no memory.
    /// Returns how many were filed.
    ///
    /// # Errors
    /// [`AppError::Store`] if a database fails.
    pub async fn look(&self) -> Result<usize, AppError> {
        // Before the canon is read: a message that is written meanwhile is left to the next look, which knows the canon of then.
        let mut messages = self.session.workspace.drifts.queued_messages(usize::MAX).await?;
        let revision = self.session.revision().await?;
        if messages.is_empty() && self.session.is_recorded(LOOKED, &revision).await? {
            return Ok(0);
        }
        let mut compared = self.compared().await?;
        let looked: HashMap<Item, u64> = self
            .session
            .workspace
            .drifts
            .looked()
            .await?
            .into_iter()
            .map(|side| (side.item, side.version))
            .collect();
        let is_new = |(item, version): &(&Item, &u64)| looked.get(item) != Some(version);
        let fresh: BTreeSet<Item> = compared.current.iter().filter(is_new).map(|(item, _)| *item).collect();
        let superseded = self.superseded(&compared.current).await?;
        let of_message = |drift: &Drift| match drift.statement.item {
            Item::Message(id) => Some(id),
            Item::Memory(_) | Item::Fact(_) | Item::Page(_) => None,
        };
        let missing = looked.keys().filter(|item| !compared.current.contains_key(item)).copied();
        let mut look = Look {
            messages_again: superseded.iter().filter_map(of_message).collect(),
            superseded: superseded.into_iter().map(|drift| drift.id).collect(),
            looked: fresh.iter().map(|item| Side { item: *item, version: compared.current[item] }).collect(),
            gone: self.gone(missing).await?,
            ..Look::default()
        };
        if !fresh.is_empty() {
            look.found = self.unknown(find(&compared.sources, &fresh), &compared).await?;
        }
        let filed = self.record(&look).await?;
        messages.extend(look.messages_again);
        let filed = filed + self.look_at_sources(&compared.entries).await?;
        let filed = filed + self.look_at_messages(&messages, &mut compared).await?;
        self.session.record(LOOKED, &revision).await?;
        Ok(filed)
    }

    /// Compares messages, in batches, each with its own record.
    async fn look_at_messages(
        &self,
        messages: &[MessageId],
        compared: &mut Compared,
    ) -> Result<usize, AppError> {
        let (known, mut filed) = (compared.sources.len(), 0);
        for ids in messages.chunks(MESSAGES_AT_ONCE) {
            let messages = self.session.workspace.transcript.messages(ids).await?;
            let mut spans = BTreeMap::new();
            for message in messages {
                let span = match spans.get(&message.conversation) {
                    Some(span) => *span,
                    None => *spans
                        .entry(message.conversation)
                        .or_insert(self.story_time(message.conversation).await?),
                };
                compared.sources.extend(span.and_then(|span| Source::of_message(&message, span)));
            }
            let fresh = compared.sources[known..].iter().map(|source| source.side.item).collect();
            let found = find(&compared.sources, &fresh);
            compared.sources.truncate(known);
            let found = self.unknown(found, compared).await?;
            let look = Look { found, messages_looked: ids.to_vec(), ..Look::default() };
            filed += self.record(&look).await?;
        }
        Ok(filed)
    }

    /// The time in the story that a conversation is about; `None` if it cannot be known.
    async fn story_time(&self, id: ConversationId) -> Result<Option<Span>, AppError> {
        let conversation = self.session.conversations().by_id(id).await?;
        let lens = match self.session.lenses().resolve(conversation.lens).await {
            Ok(lens) => lens,
            Err(AppError::NotFound { .. }) => return Ok(None),
            Err(error) => return Err(error),
        };
        Ok(match lens.and_then(|lens| lens.time) {
            Some(time) => time.moment.map(Span::at),
            None => Some(Span::ALWAYS),
        })
    }

    async fn record(&self, look: &Look) -> Result<usize, AppError> {
        if look.is_empty() {
            return Ok(0);
        }
        Ok(self.session.workspace.drifts.record_look(look, self.session.clock.now()).await?)
    }

    async fn compared(&self) -> Result<Compared, AppError> {
        let everything = MemoryFilter::active(ScopeFilter::EVERYTHING);
        let entries = self.session.memories().every(&everything, Sort::CreatedAsc).await?;
        let facts = self.facts().await?;
        let of_entries = entries.iter().filter_map(Source::of_entry);
        let sources: Vec<Source> = of_entries.chain(facts.iter().filter_map(Source::of_fact)).collect();
        let current = sources.iter().map(|source| (source.side.item, source.side.version)).collect();
        Ok(Compared { entries, facts, sources, current })
    }

    /// The contradictions that nobody was asked about.
    async fn unknown(&self, found: Vec<Contradiction>, compared: &Compared) -> Result<Vec<Drift>, AppError> {
        let (now, mut unknown) = (self.session.clock.now(), Vec::new());
        for found in found {
            if !self.is_known(found, &compared.entries, &compared.facts).await? {
                unknown.push(Drift::open(self.session.ids.drift_id(), found, now));
            }
        }
        Ok(unknown)
    }

    async fn facts(&self) -> Result<Vec<Fact>, AppError> {
        let known = self.session.facts().every(FactQuery::every(MAX_PAGE)).await?;
        Ok(known.into_iter().map(|known| known.fact).collect())
    }

    /// Open drifts of which a side has changed or states nothing any more.
    async fn superseded(&self, current: &BTreeMap<Item, u64>) -> Result<Vec<Drift>, AppError> {
        let (mut changed, mut after) = (Vec::new(), None);
        loop {
            let page = self.page(Some(DriftState::Open), after, MAX_PAGE).await?;
            let stands = |side: Side| match side.item {
                // The drifts of a message that is changed or deleted go with it.
                // A look at pages closes those of a page.
                Item::Message(_) | Item::Page(_) => true,
                Item::Memory(_) | Item::Fact(_) => current.get(&side.item) == Some(&side.version),
            };
            changed.extend(
                page.rows.into_iter().filter(|drift| !(stands(drift.canon) && stands(drift.statement))),
            );
            match page.next {
                Some(next) => after = Some(next),
                None => return Ok(changed),
            }
        }
    }

    /// Of items that state nothing, those that exist no more: a scrub of the account's file does not reach this one.
    async fn gone(&self, items: impl Iterator<Item = Item> + Send) -> Result<Vec<Item>, AppError> {
        let items: Vec<Item> = items.collect();
        let ids: Vec<MemoryId> = items
            .iter()
            .filter_map(|item| match item {
                Item::Memory(id) => Some(*id),
                Item::Fact(_) | Item::Message(_) | Item::Page(_) => None,
            })
            .collect();
        let mut there = BTreeSet::new();
        for ids in ids.chunks(MAX_PAGE) {
            there.extend(self.session.entries(ids).await?.into_iter().map(|stored| stored.entry.id));
        }
        let is_gone = |item: &Item| match item {
            Item::Memory(id) => !there.contains(id),
            // Those are deleted in this file alone, and their rows here with them.
            Item::Fact(_) | Item::Message(_) | Item::Page(_) => false,
        };
        Ok(items.into_iter().filter(is_gone).collect())
    }

    /// True if the worldbuilder has decided about these two texts, or a proposal asks about them.
    async fn is_known(
        &self,
        found: Contradiction,
        entries: &[MemoryEntry],
        facts: &[Fact],
    ) -> Result<bool, AppError> {
        let (one, two) = (found.canon.item, found.statement.item);
        for drift in self.session.workspace.drifts.drifts_between((one, two)).await? {
            let is_same = |side: Side| side == found.canon || side == found.statement;
            if is_same(drift.canon) && is_same(drift.statement) {
                return Ok(true);
            }
            // The decision itself set a time.
            let timed = drift.decision == Some(DriftDecision::Both);
            if drift.state == DriftState::Settled
                && self.states_the_same(drift.canon, timed, entries, facts).await?
                && self.states_the_same(drift.statement, timed, entries, facts).await?
            {
                return Ok(true);
            }
        }
        if let (Item::Memory(one), Item::Memory(two)) = (one, two) {
            let proposals = self.session.proposals();
            return proposals.was_proposed_before(ProposalKind::Conflict, &[one, two], None).await;
        }
        Ok(false)
    }

    /// True if an item states now what it stated at a version: a new tag is no reason to ask again. `timed`: nor is another time.
    async fn states_the_same(
        &self,
        side: Side,
        timed: bool,
        entries: &[MemoryEntry],
        facts: &[Fact],
    ) -> Result<bool, AppError> {
        match side.item {
            // The version of a page is that of its words.
            Item::Message(_) | Item::Page(_) => Ok(true),
            Item::Memory(id) => {
                let Some(now) = entries.iter().find(|entry| entry.id == id) else { return Ok(false) };
                if now.version == side.version {
                    return Ok(true);
                }
                let history = self.session.ports(now.scope()).store.history(id).await?;
                let then = history.into_iter().find(|item| item.entry.version == side.version);
                Ok(then.is_some_and(|then| {
                    then.entry.content == now.content && (timed || then.entry.has_links_and_span_of(now))
                }))
            }
            Item::Fact(id) => {
                let Some(now) = facts.iter().find(|fact| fact.id == id) else { return Ok(false) };
                let values = self.session.workspace.facts.fact_history(id).await?;
                let then = values.into_iter().find(|value| value.version == side.version);
                Ok(then.is_some_and(|then| {
                    then.value == now.value
                        && (timed || then.span == now.span)
                        && then.known_by == now.known_by
                }))
            }
        }
    }

    /// True if two entries are in the inbox or were settled: consolidation does not ask about them again.
    pub(crate) async fn are_filed(&self, a: MemoryId, b: MemoryId) -> Result<bool, AppError> {
        let items = (Item::Memory(a), Item::Memory(b));
        let filed = self.session.workspace.drifts.drifts_between(items).await?;
        Ok(filed.iter().any(|drift| drift.state != DriftState::Superseded))
    }

    /// A page of drifts, newest first.
    pub async fn page(
        &self,
        state: Option<DriftState>,
        after: Option<DriftCursor>,
        limit: usize,
    ) -> Result<DriftPage, AppError> {
        let limit = limit.clamp(1, MAX_PAGE);
        let mut rows = self.session.workspace.drifts.drifts(state, after, limit + 1).await?;
        let more = rows.len() > limit;
        rows.truncate(limit);
        Ok(DriftPage { next: rows.last().filter(|_| more).map(DriftCursor::of), rows })
    }

    /// A drift by id.
    ///
    /// # Errors
    /// [`AppError::NotFound`].
    pub async fn get(&self, id: DriftId) -> Result<Drift, AppError> {
        let missing = || AppError::NotFound { what: "contradiction", name: id.to_string() };
        self.session.workspace.drifts.drift(id).await?.ok_or_else(missing)
    }

    /// Number of open drifts, and of facts with an open claim.
    pub async fn count_open(&self) -> Result<u64, AppError> {
        let claimed = self.claimed_facts().await?.len() as u64;
        Ok(self.session.workspace.drifts.count_open_drifts().await? + claimed)
    }

    /// Facts of the worldbuilder against which an agent claims another value, [`MAX_PAGE`] at most. A claim is a contradiction
    /// that somebody found already.
    pub async fn claimed_facts(&self) -> Result<Vec<FactWithClaims>, AppError> {
        let query = FactQuery { claimed: true, ..FactQuery::every(MAX_PAGE) };
        Ok(self.session.facts().page(query, None).await?.rows)
    }
}
