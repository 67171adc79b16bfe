//! What entries were made of: read for whoever may see it, and checked when a caller names a source.

mod claims;

use std::collections::{BTreeSet, HashMap};

use futures::future;
use inklings_domain::{
    conversation::{Conversation, message::Message},
    derivation::{
        Derivation,
        axes::{Axes, AxesInput, LifecycleAxis, OriginAxis, OriginInput, SourceState},
        framing::{self, FramedSource},
    },
    drift::Item,
    fact::FactSource,
    ids::{ConversationId, FactId, MemoryId, MessageId, PageId},
    memory::{MemoryEntry, filter::ScopeFilter},
    orientation::one_line,
    scope::{MemoryScope, Place},
};
use inklings_ports::{
    derivation::Pointing,
    fact::FactWithClaims,
    vault::{filter::PageFilter, store::StoredPage},
};

use crate::{error::AppError, services::Derivations, vault::page::page_text};

/// Characters of an entry's text by which it is named as a source.
const LABEL_CHARS: usize = 60;

/// A source of an entry as it is now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceNow {
    pub derivation: Derivation,
    /// What it is called; `None` if nothing is left of it.
    pub label: Option<String>,
    /// Where its own text comes from, of a memory, a fact or a page that is there.
    pub origin: Option<OriginAxis>,
    /// Its own word for where it is in its life: the `status` of a page.
    pub lifecycle: Option<String>,
    /// How many entries lead to it, or pages that are linked to a page.
    pub pointed_at: u64,
    /// What has become of it.
    pub state: SourceState,
}

/// The sources of an entry and its axes, as far as a reader may know.
#[derive(Debug, Clone, PartialEq)]
pub struct Provenance {
    pub axes: Axes,
    /// The sources that the reader may see, in the order in which they are stored.
    pub sources: Vec<SourceNow>,
}

/// Where the text of an entry comes from, by these of its sources.
fn origin_of(entry: &MemoryEntry, derivations: &[Derivation]) -> OriginAxis {
    OriginAxis::of(OriginInput {
        curator: entry.curator,
        written_by: entry.written_by,
        has_other_writers: !entry.derived_from.is_empty(),
        derivations,
    })
}

/// Who reads. Contradictions are the worldbuilder's to decide: nobody else learns of them.
#[derive(Debug, Clone, Copy)]
pub enum SourceReader<'a> {
    /// The worldbuilder, who sees everything.
    Author,
    /// An agent or a client, as far as its filter shows.
    Agent(&'a ScopeFilter),
}

impl Provenance {
    /// The sources in a few words, for the frame of a text that an agent is shown; `None` without any.
    pub fn framed(&self) -> Option<String> {
        let sources: Vec<FramedSource<'_>> = self
            .sources
            .iter()
            .map(|source| FramedSource {
                kind: source.derivation.kind(),
                label: source.label.as_deref(),
                origin: source.origin,
                lifecycle: source.lifecycle.as_deref(),
                pointed_at: source.pointed_at,
                state: source.state,
            })
            .collect();
        framing::framed(&sources)
    }
}

impl SourceReader<'_> {
    fn filter(&self) -> &ScopeFilter {
        match self {
            Self::Author => &ScopeFilter::EVERYTHING,
            Self::Agent(filter) => filter,
        }
    }
}

/// Everything that is known of the sources of some entries.
struct Known<'r> {
    reader: SourceReader<'r>,
    entries: HashMap<MemoryId, MemoryEntry>,
    unchanged: BTreeSet<(MemoryId, u64)>,
    facts: HashMap<FactId, FactWithClaims>,
    messages: HashMap<MessageId, Message>,
    conversations: HashMap<ConversationId, Conversation>,
    pages: HashMap<PageId, Blocks>,
    pointing: HashMap<MemoryId, Pointing>,
    contested: BTreeSet<Item>,
}

/// The blocks of a page, by digest.
struct Blocks {
    title: String,
    lifecycle: Option<String>,
    linked_from: u64,
    headings: HashMap<String, String>,
}

impl Blocks {
    fn of(stored: &StoredPage, linked_from: u64) -> Self {
        let text = page_text(stored);
        let headings = text.blocks.into_iter().map(|block| (block.hash, block.heading)).collect();
        Self { title: text.title, lifecycle: text.lifecycle, linked_from, headings }
    }
}

impl Derivations<'_> {
    /// The sources and axes of entries, in their order, with one read for each kind of source.
    pub async fn of(
        &self,
        entries: &[&MemoryEntry],
        reader: SourceReader<'_>,
    ) -> Result<Vec<Provenance>, AppError> {
        // Boxed: it is a part of the future of every tool.
        let known = Box::pin(self.known(entries, reader)).await?;
        let (decay, now) = (self.session.decay(), self.session.clock.now());
        let provenance = |entry: &&MemoryEntry| {
            let sources: Vec<SourceNow> =
                entry.derivations.iter().filter_map(|derivation| known.source(entry, derivation)).collect();
            let derivations: Vec<Derivation> =
                sources.iter().map(|source| source.derivation.clone()).collect();
            let states: Vec<SourceState> = sources.iter().map(|source| source.state).collect();
            let pointing = known.pointing.get(&entry.id).copied().unwrap_or_default();
            let axes = Axes::of(AxesInput {
                origin: origin_of(entry, &derivations),
                lifecycle: LifecycleAxis::of(entry.is_active(), entry.consolidated_into.is_some()),
                is_contested: known.contested.contains(&Item::Memory(entry.id)),
                states: &states,
                pointed_at: pointing.pointed_at,
                built_on: pointing.built_on,
                relevance: decay.terms(&entry.decay_inputs(), now).relevance(),
            });
            Provenance { axes, sources }
        };
        Ok(entries.iter().map(provenance).collect())
    }

    /// As [`Self::of`], for one entry.
    pub async fn of_one(
        &self,
        entry: &MemoryEntry,
        reader: SourceReader<'_>,
    ) -> Result<Provenance, AppError> {
        self.of(&[entry], reader).await?.pop().ok_or(AppError::NoMemory(entry.id))
    }

    async fn known<'r>(
        &self,
        entries: &[&MemoryEntry],
        reader: SourceReader<'r>,
    ) -> Result<Known<'r>, AppError> {
        let (mut memories, mut facts, mut messages) = (Vec::new(), BTreeSet::new(), BTreeSet::new());
        let mut pages = BTreeSet::new();
        for derivation in entries.iter().flat_map(|entry| &entry.derivations) {
            match derivation {
                Derivation::Memory { id, version } => memories.push((*id, *version)),
                Derivation::Fact { id, .. } => drop(facts.insert(*id)),
                Derivation::Message(id) => drop(messages.insert(*id)),
                Derivation::Page { id, .. } => drop(pages.insert(*id)),
                Derivation::File { .. } => {}
            }
        }
        memories.sort_unstable();
        memories.dedup();
        let (facts, messages): (Vec<FactId>, Vec<MessageId>) =
            (facts.into_iter().collect(), messages.into_iter().collect());
        let own: Vec<MemoryId> = entries.iter().map(|entry| entry.id).collect();
        let weighed: Vec<MemoryId> = own.iter().copied().chain(memories.iter().map(|(id, _)| *id)).collect();
        let mut known = Known {
            reader,
            entries: HashMap::new(),
            unchanged: BTreeSet::new(),
            facts: HashMap::new(),
            messages: HashMap::new(),
            conversations: HashMap::new(),
            pages: self.pages(&pages.into_iter().collect::<Vec<_>>(), reader.filter()).await?,
            pointing: self.pointing(&weighed, reader.filter()).await?,
            contested: BTreeSet::new(),
        };
        if !memories.is_empty() {
            let ids: Vec<MemoryId> = memories.iter().map(|(id, _)| *id).collect();
            let found = self.session.entries(&ids).await?;
            known.entries = found.into_iter().map(|stored| (stored.entry.id, stored.entry)).collect();
            for ports in self.session.all_ports() {
                known.unchanged.extend(ports.derivations.unchanged(&memories).await?);
            }
        }
        if !facts.is_empty() {
            let found = self.session.workspace.facts.facts_by_ids(&facts).await?;
            known.facts = found.into_iter().map(|fact| (fact.fact.id, fact)).collect();
        }
        if !messages.is_empty() {
            let found = self.session.workspace.transcript.messages(&messages).await?;
            let ids: BTreeSet<ConversationId> = found.iter().map(|message| message.conversation).collect();
            let ids: Vec<ConversationId> = ids.into_iter().collect();
            let held_in = self.session.workspace.conversations.conversations(&ids).await?;
            known.conversations = held_in.into_iter().map(|found| (found.id, found)).collect();
            known.messages = found.into_iter().map(|message| (message.id(), message)).collect();
        }
        if let SourceReader::Author = reader {
            let sources = memories.iter().map(|(id, _)| Item::Memory(*id));
            let items: Vec<Item> = own
                .iter()
                .map(|id| Item::Memory(*id))
                .chain(sources)
                .chain(facts.iter().map(|id| Item::Fact(*id)))
                .collect();
            known.contested = self.session.workspace.drifts.contested(&items).await?.into_iter().collect();
        }
        Ok(known)
    }

    async fn pages(&self, ids: &[PageId], filter: &ScopeFilter) -> Result<HashMap<PageId, Blocks>, AppError> {
        if ids.is_empty() {
            return Ok(HashMap::new());
        }
        let (filter, store) = (PageFilter::within(filter), &self.session.workspace.pages);
        let (stored, linked) =
            future::try_join(store.pages(&filter, ids), store.linked_from(&filter, ids)).await?;
        let linked: HashMap<PageId, u64> = linked.into_iter().collect();
        let blocks = |stored: StoredPage| {
            let id = stored.row.id;
            (id, Blocks::of(&stored, linked.get(&id).copied().unwrap_or_default()))
        };
        Ok(stored.into_iter().map(blocks).collect())
    }

    async fn pointing(
        &self,
        ids: &[MemoryId],
        filter: &ScopeFilter,
    ) -> Result<HashMap<MemoryId, Pointing>, AppError> {
        let mut pointing: HashMap<MemoryId, Pointing> = HashMap::new();
        for ports in self.session.ports_within(filter) {
            for (id, found) in ports.derivations.pointing(ids, filter).await? {
                let sum = pointing.entry(id).or_default();
                sum.pointed_at += found.pointed_at;
                sum.built_on += found.built_on;
            }
        }
        Ok(pointing)
    }

    /// The worldbuilder's message that a turn of the World Agent answers, and what is attached to it. What the agent writes in the
    /// turn was made of them. Without what was said while memory was off.
    pub(crate) async fn of_turn(&self, conversation: &Conversation) -> Result<Vec<Derivation>, AppError> {
        let newest = self.session.transcripts().newest(conversation.id).await?;
        let Some(at) = newest.iter().rposition(Message::is_typed) else { return Ok(Vec::new()) };
        let attached = newest[..at].iter().rev().take_while(|message| message.is_attachment());
        let off = self.session.switch().off_record(conversation.id).await?;
        let ids = std::iter::once(&newest[at]).chain(attached).map(Message::id);
        Ok(ids.filter(|id| !off.contains(id)).map(Derivation::Message).collect())
    }
}

impl Known<'_> {
    /// A source as it is now; `None` if the reader may not see it. What is gone is told to whoever may see the entry: nothing is
    /// left that could be withheld.
    fn source(&self, entry: &MemoryEntry, derivation: &Derivation) -> Option<SourceNow> {
        let gone =
            if entry.scope() == MemoryScope::Account { SourceState::Elsewhere } else { SourceState::Gone };
        let (label, state) = match derivation {
            Derivation::File { name, .. } => (Some(name.clone()), SourceState::Elsewhere),
            Derivation::Memory { id, version } => match self.entries.get(id) {
                None => (None, gone),
                Some(source) => self.of_memory(entry, source, *version)?,
            },
            Derivation::Fact { id, version } => match self.facts.get(id) {
                None => (None, gone),
                Some(found) => self.of_fact(found, *version)?,
            },
            Derivation::Message(id) => match self.messages.get(id) {
                None => (None, gone),
                Some(message) => {
                    let conversation = self.conversations.get(&message.conversation)?;
                    let place = Place::Conversation(conversation.channel_id, conversation.id);
                    if !self.reader.filter().holds(place) {
                        return None;
                    }
                    let label = format!("{}, message {}", conversation.ref_code, message.position);
                    (Some(label), SourceState::Current)
                }
            },
            Derivation::Page { id, hash } => {
                // Whoever sees no page is not told that there is one, or was.
                if !PageFilter::within(self.reader.filter()).shows() {
                    return None;
                }
                match self.pages.get(id) {
                    None => (None, gone),
                    Some(page) => match page.headings.get(hash).map(String::as_str) {
                        Some("") => (Some(page.title.clone()), SourceState::Current),
                        Some(heading) => (Some(format!("{} > {heading}", page.title)), SourceState::Current),
                        None => (Some(page.title.clone()), SourceState::Changed),
                    },
                }
            }
        };
        let mut found = SourceNow {
            derivation: derivation.clone(),
            label,
            origin: None,
            lifecycle: None,
            pointed_at: 0,
            state,
        };
        if found.label.is_some() {
            self.weigh(entry, &mut found);
        }
        Some(found)
    }

    /// Origin, lifecycle and weight of a source that is there, and that the reader may see.
    fn weigh(&self, entry: &MemoryEntry, found: &mut SourceNow) {
        match &found.derivation {
            Derivation::Memory { id, .. } => {
                found.origin = self.entries.get(id).map(|source| origin_of(source, &source.derivations));
                let pointing = self.pointing.get(id).map_or(0, |pointing| pointing.pointed_at);
                // The entry that names it is not counted.
                found.pointed_at = pointing.saturating_sub(u64::from(entry.is_active()));
            }
            Derivation::Fact { id, .. } => {
                found.origin = self.facts.get(id).map(|found| match found.fact.source {
                    FactSource::User => OriginAxis::Authored,
                    FactSource::Agent => OriginAxis::AgentProduced,
                });
            }
            Derivation::Page { id, .. } => {
                let Some(page) = self.pages.get(id) else { return };
                found.origin = Some(OriginAxis::Authored);
                found.lifecycle.clone_from(&page.lifecycle);
                found.pointed_at = page.linked_from;
            }
            Derivation::Message(_) | Derivation::File { .. } => {}
        }
    }

    fn of_memory(
        &self,
        entry: &MemoryEntry,
        source: &MemoryEntry,
        version: u64,
    ) -> Option<(Option<String>, SourceState)> {
        if !self.reader.filter().admits(source) {
            return None;
        }
        // What the entry replaced stands in the entry now.
        let is_replaced_by_it = source.consolidated_into == Some(entry.id);
        let is_left = source.is_active() || is_replaced_by_it;
        let label = is_left.then(|| match source.heading() {
            Some(heading) => heading.to_owned(),
            // Agents read a text through the tools, which record it as shown.
            None if matches!(self.reader, SourceReader::Agent(_)) => source.id.to_string(),
            None => one_line(&source.content, LABEL_CHARS).0,
        });
        let state = if !is_left {
            SourceState::Gone
        } else if self.contested.contains(&Item::Memory(source.id)) {
            SourceState::Contested
        } else if self.unchanged.contains(&(source.id, version)) {
            SourceState::Current
        } else {
            SourceState::Changed
        };
        Some((label, state))
    }

    fn of_fact(&self, found: &FactWithClaims, version: u64) -> Option<(Option<String>, SourceState)> {
        let (fact, filter) = (&found.fact, self.reader.filter());
        let is_withheld = filter.lens.as_ref().is_some_and(|lens| lens.withholds_fact(fact).is_some());
        if !filter.workspace || is_withheld {
            return None;
        }
        if fact.removed_at.is_some() {
            return Some((None, SourceState::Gone));
        }
        let is_contested = matches!(self.reader, SourceReader::Author)
            && (!found.claims.is_empty() || self.contested.contains(&Item::Fact(fact.id)));
        let state = if is_contested {
            SourceState::Contested
        } else if fact.version == version {
            SourceState::Current
        } else {
            SourceState::Changed
        };
        Some((Some(format!("{}: {}", fact.key.category(), fact.key.key())), state))
    }
}
