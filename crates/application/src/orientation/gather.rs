//! Gathers the candidates of an orientation, layer by layer.

use std::sync::Arc;

use chrono::{DateTime, Utc};
use futures::future;
use inklings_domain::{
    agent_telemetry::pattern::AgentPattern,
    calendar::{Calendar, span::Span},
    conversation::{
        Conversation,
        episode::{Episode, SHOWN},
    },
    ids::MemoryId,
    memory::{
        MemoryEntry,
        embedding::Embedding,
        filter::{MemoryFilter, ScopeFilter, Sort},
    },
    named_entry::{self, names_of},
    orientation::{Candidate, Framing, ItemId, Layer, LedgerItem},
    scope::{MemoryScope, Place},
    search::{conversation_query::ConversationQuery, query::Route, transcript::ContextItem},
    words::{is_stop_word, words},
};
use inklings_ports::{
    clock::Clock,
    fact::{FactQuery, FactWithClaims},
    workspace::catalogue::MemoryPorts,
};

use super::{
    OrientRequest,
    query::{LOOKED_AT, query_text},
};
use crate::{
    calendar::{holds, time_text},
    conversation::summarise::{as_read, speaker},
    deadline,
    error::AppError,
    search::{Hit, by_meaning, pages::PageExcerpt},
    services::Orientations,
    tools::Caller,
};

/// Memories read per tier if there is no query: named entries stand before them.
const LISTED: usize = 200;
/// Relations read around the subjects that a query names.
pub(super) const NEIGHBOURS: usize = 40;
/// Maximum facts that are candidates.
const FACTS: usize = 100;

/// The summary of the latest compaction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Archive {
    /// Id of the archive entry.
    pub id: MemoryId,
    pub name: String,
    pub summary: String,
    /// When it was written.
    pub at: DateTime<Utc>,
}

/// All candidates in full, for views that show more than the document.
#[derive(Debug, Clone, Default)]
pub struct Shown {
    /// Messages of the conversation, in chronological order.
    pub items: Vec<ContextItem>,
    /// Episodes, newest first.
    pub episodes: Vec<Episode>,
    /// Archive of the latest compaction.
    pub archive: Option<Archive>,
    pub facts: Vec<FactWithClaims>,
    /// Memories found by the query, by tier.
    pub memories: Vec<Hit>,
}

/// All candidates.
pub(crate) struct Gathered {
    pub(crate) query: String,
    pub(crate) candidates: Vec<Candidate>,
    pub(crate) failed: Vec<Layer>,
    pub(crate) shown: Shown,
    /// What the lens withholds.
    pub(crate) withheld: Vec<LedgerItem>,
}

/// Collects candidates and records which layers failed.
struct Collector {
    clock: Arc<dyn Clock>,
    candidates: Vec<Candidate>,
    failed: Vec<Layer>,
    /// Writes the times of entries in the story.
    calendar: Option<Arc<Calendar>>,
    /// Entries that were made of something.
    made: Vec<MemoryEntry>,
}

impl Collector {
    const fn new(clock: Arc<dyn Clock>) -> Self {
        Self { clock, candidates: Vec::new(), failed: Vec::new(), calendar: None, made: Vec::new() }
    }

    fn layer<T: Default>(&mut self, layer: Layer, result: Result<T, AppError>) -> T {
        result.unwrap_or_else(|error| {
            tracing::warn!(%error, layer = layer.as_str(), "a layer of what the agent is shown is left out");
            self.failed.push(layer);
            T::default()
        })
    }

    /// The conversation's own messages. A timeout counts as a failed layer; an unknown conversation is an
    /// error of the caller.
    fn messages(&mut self, result: Result<Vec<ContextItem>, AppError>) -> Result<Vec<ContextItem>, AppError> {
        match result {
            Err(AppError::TimedOut) => Ok(self.layer(Layer::Earlier, Err(AppError::TimedOut))),
            result => result,
        }
    }

    fn pages(&mut self, pages: Result<Vec<PageExcerpt>, AppError>) {
        for page in self.layer(Layer::Pages, pages) {
            let framing = Framing { note: Some(page.heading), ..Framing::default() };
            let item = self.add(Layer::Pages, ItemId::Page(page.id), page.text, framing);
            (item.title, item.score, item.parts) = (Some(page.title), Some(page.score), page.contributions);
        }
    }

    fn patterns(&mut self, patterns: Result<Vec<AgentPattern>, AppError>) {
        for pattern in self.layer(Layer::Patterns, patterns) {
            self.add(Layer::Patterns, ItemId::Pattern(pattern.id), pattern.line(), Framing::default());
        }
    }

    /// True if an entry is a candidate as a subject or a relation. It does not compete in its tier as well.
    fn holds(&self, id: MemoryId) -> bool {
        let is_it = |item: &&Candidate| item.layer == Layer::Subjects && item.id == ItemId::Memory(id);
        self.candidates.iter().find(is_it).is_some()
    }

    fn days(&self, at: DateTime<Utc>) -> u64 {
        self.clock.days_since(at)
    }

    fn add(&mut self, layer: Layer, id: ItemId, text: String, framing: Framing) -> &mut Candidate {
        self.candidates.push(Candidate {
            layer,
            id,
            version: 0,
            standing: false,
            title: None,
            text,
            framing,
            score: None,
            parts: Vec::new(),
        });
        let last = self.candidates.len() - 1;
        &mut self.candidates[last]
    }
}

impl Orientations<'_> {
    pub(crate) async fn candidates(&self, request: &OrientRequest<'_>) -> Result<Gathered, AppError> {
        let mut shown = Shown::default();
        // If the query is known, messages are read concurrently with the other layers.
        let mut all = Collector::new(Arc::clone(&self.session.clock));
        let mut earlier = match request.counted_conversation() {
            Some(conversation) if request.query.needs_messages() => {
                Some(all.messages(self.admitted_items(request, conversation, &request.query).await)?)
            }
            Some(_) => None,
            None => Some(Vec::new()),
        };
        let messages = earlier.iter().flatten().map(|item| &item.message);
        let query = request.query.text(messages).unwrap_or_default();
        let messages = async {
            match (earlier.take(), request.counted_conversation()) {
                (Some(earlier), _) => Ok(earlier),
                (None, Some(conversation)) => {
                    self.admitted_items(request, conversation, &ConversationQuery::Exactly(query.clone()))
                        .await
                }
                (None, None) => Ok(Vec::new()),
            }
        };

        let filter = request.scope_filter();
        let ((items, patterns), subjects, calendar, (named, facts, episodes, archive, memories)) =
            future::join4(
                future::join(messages, self.layer(self.patterns_of_tools(request))),
                self.layer(self.named_subjects(request, &query)),
                self.layer(self.session.calendars().of_workspace(&filter)),
                future::join5(
                    self.standing_notes(request),
                    self.layer(self.active_facts(request, &query)),
                    self.layer(self.recent_episodes(request)),
                    self.layer(self.archive(request)),
                    self.memories(request, &query),
                ),
            )
            .await;
        shown.items = all.messages(items)?;
        all.calendar = calendar.unwrap_or_else(|error| {
            tracing::warn!(%error, "times in the story are shown as numbers of days");
            None
        });
        let mut notes: Vec<MemoryEntry> = Vec::new();
        for part in named {
            notes.extend(all.layer(Layer::Named, part));
        }
        // Not all may fit: those that are pinned or spoken of come first.
        let asked = words(&query);
        notes.sort_by_cached_key(|entry| (!entry.pinned, !is_spoken_of(entry, &asked)));
        for entry in notes {
            named_candidate(&mut all, entry);
        }
        for (entry, text) in all.layer(Layer::Subjects, subjects) {
            self.entry_candidate(&mut all, Layer::Subjects, &entry).text = text;
        }
        shown.facts = all.layer(Layer::Facts, facts);
        for known in &shown.facts {
            fact_candidate(&mut all, known);
        }
        shown.episodes = all.layer(Layer::Episodes, episodes);
        for episode in &shown.episodes {
            let note = format!("{} turns", episode.sources.len());
            let framing =
                Framing { age_days: Some(all.days(episode.until)), note: Some(note), ..Framing::default() };
            all.add(Layer::Episodes, ItemId::Episode(episode.id), episode.summary.clone(), framing);
        }
        shown.archive = all.layer(Layer::Earlier, archive);
        if let Some(archive) = &shown.archive {
            let note = Some("what this conversation held before".to_owned());
            let framing = Framing { age_days: Some(all.days(archive.at)), note, ..Framing::default() };
            let item = all.add(Layer::Earlier, ItemId::Memory(archive.id), archive.summary.clone(), framing);
            item.title = Some(archive.name.clone());
        }
        for item in shown.items.iter().filter(|item| !item.is_replayed()) {
            message_candidate(&mut all, item);
        }
        let (MemoryLayers(conversation, channel, workspace, account), pages, withheld) = memories;
        for entry in all.layer(Layer::Conversation, conversation) {
            if !all.holds(entry.id) {
                self.entry_candidate(&mut all, Layer::Conversation, &entry);
            }
        }
        for (layer, hits) in
            [(Layer::Channel, channel), (Layer::Workspace, workspace), (Layer::Account, account)]
        {
            for hit in all.layer(layer, hits) {
                if !all.holds(hit.stored.entry.id) {
                    let item = self.entry_candidate(&mut all, layer, &hit.stored.entry);
                    item.framing.relevance = Some(hit.decay.relevance());
                    item.score = Some(hit.score);
                    item.parts.clone_from(&hit.contributions);
                }
                shown.memories.push(hit);
            }
        }
        all.pages(pages);
        all.patterns(patterns);
        self.frame_sources(request, &all.made, &mut all.candidates).await;
        Ok(Gathered { query, candidates: all.candidates, failed: all.failed, shown, withheld })
    }

    /// Reads one layer within the time limit.
    pub(super) async fn layer<T>(
        &self,
        work: impl Future<Output = Result<T, AppError>> + Send,
    ) -> Result<T, AppError> {
        deadline::within(&*self.session.clock, deadline::LAYER, work).await
    }

    /// The named entries of the workspace, then those of the account. An error of one does not hide the
    /// other's.
    async fn standing_notes(&self, request: &OrientRequest<'_>) -> [Result<Vec<MemoryEntry>, AppError>; 2] {
        let read = |ports: &'_ MemoryPorts, place| {
            let store = request.reads(place).then(|| Arc::clone(&ports.store));
            async move {
                match store {
                    Some(store) => {
                        let mut named = store.named().await?;
                        // A subject is shown where it is spoken of, in a layer of its own.
                        named.retain(|entry| {
                            entry.place == place && entry.subject.is_none() && request.admits(entry)
                        });
                        Ok(named)
                    }
                    None => Ok(Vec::new()),
                }
            }
        };
        let workspace = self.layer(read(&self.session.workspace.memory, Place::Workspace));
        let account = self.layer(read(&self.session.account.memory, Place::Account));
        let (workspace, account) = future::join(workspace, account).await;
        [workspace, account]
    }

    /// The patterns of the tools that the reader has. None through a lens: a pattern tells what happened to entries that
    /// the lens may withhold.
    async fn patterns_of_tools(&self, request: &OrientRequest<'_>) -> Result<Vec<AgentPattern>, AppError> {
        if request.lens.is_some() {
            return Ok(Vec::new());
        }
        let caller = request.within.map_or(Caller::WorldAgent, Caller::Client);
        self.session.agent_telemetry().shown_patterns(caller).await
    }

    /// The subjects that the query names, with their texts, then the relations of them and of their neighbours.
    async fn named_subjects(
        &self,
        request: &OrientRequest<'_>,
        query: &str,
    ) -> Result<Vec<(MemoryEntry, String)>, AppError> {
        let filter = request.scope_filter();
        let named = self.session.subjects().mentioned_in(query, &filter).await?;
        let ids: Vec<MemoryId> = named.iter().map(|row| row.id).collect();
        let entries = self.session.entries(&ids).await?.into_iter().map(|stored| stored.entry);
        let mut found: Vec<(MemoryEntry, String)> = entries
            .filter(|entry| !entry.content.is_empty())
            .map(|entry| (entry.clone(), entry.content))
            .collect();
        let around = self.session.subjects().neighbourhood(&ids, &filter, NEIGHBOURS).await?;
        found.extend(around.into_iter().map(|near| (near.stored.entry, near.text)));
        Ok(found)
    }

    /// Active facts, those that match the query first.
    async fn active_facts(
        &self,
        request: &OrientRequest<'_>,
        query: &str,
    ) -> Result<Vec<FactWithClaims>, AppError> {
        if !request.reads(Place::Workspace) {
            return Ok(Vec::new());
        }
        let lens = request.lens.as_deref();
        let of_lens = FactQuery { category: None, within: Span::ALWAYS, lens, limit: FACTS, claimed: false };
        // All of them are compared with the query: a page has the first by category and key, which it may not name.
        let mut facts = self.session.facts().every(of_lens).await?;
        let asked: Vec<String> = words(query).into_iter().filter(|word| !is_stop_word(word)).collect();
        let spoken_of = |known: &FactWithClaims| {
            let fact = &known.fact;
            let held = words(&format!("{} {} {}", fact.key.category(), fact.key.key(), fact.value));
            std::cmp::Reverse(asked.iter().filter(|word| held.contains(word)).count())
        };
        facts.sort_by_cached_key(spoken_of);
        facts.truncate(FACTS);
        Ok(facts)
    }

    /// The newest episodes of a conversation and of those that it continues, newest first.
    async fn recent_episodes(&self, request: &OrientRequest<'_>) -> Result<Vec<Episode>, AppError> {
        let Some(conversation) = request.counted_conversation() else { return Ok(Vec::new()) };
        let mut found = self.session.episodes().recent(conversation.id).await?;
        let mut before = conversation.continues;
        let mut shares_through = conversation.shares_through;
        let mut seen = vec![conversation.id];
        while let Some(id) = before.filter(|id| found.len() < SHOWN && !seen.contains(id)) {
            seen.push(id);
            let earlier = self.session.conversations().by_id(id).await.ok();
            // The earlier conversation may have been moved to a channel that this reader may not read.
            let read = |other: &Conversation| request.reads(Place::Conversation(other.channel_id, other.id));
            let is_open = request.within.is_none() && request.lens.is_none();
            if is_open || earlier.as_ref().is_some_and(read) {
                found.extend(self.session.episodes().recent_through(id, shares_through).await?);
            }
            shares_through = earlier.as_ref().and_then(|earlier| earlier.shared_within(shares_through));
            before = earlier.and_then(|earlier| earlier.continues);
        }
        found.sort_by(|a, b| b.until.cmp(&a.until).then(b.id.cmp(&a.id)));
        found.truncate(SHOWN);
        Ok(found)
    }

    /// The archive of the latest compact marker, if it is active.
    async fn archive(&self, request: &OrientRequest<'_>) -> Result<Option<Archive>, AppError> {
        let Some(conversation) = request.counted_conversation() else { return Ok(None) };
        let Some(marker) = self.session.contexts().latest_marker(conversation.id).await? else {
            return Ok(None);
        };
        let entry = self.session.entry(marker.archive).await?.entry;
        // The archive belongs to the channel and stays there if the conversation moves.
        Ok((entry.is_active() && request.admits(&entry)).then_some(Archive {
            id: entry.id,
            name: marker.archive_name,
            summary: entry.content,
            at: marker.archived_at,
        }))
    }

    /// Memories of the four tiers: newest first for the conversation, by the query for the others. And pages by the query,
    /// because its vector is the same.
    async fn memories(
        &self,
        request: &OrientRequest<'_>,
        query: &str,
    ) -> (MemoryLayers, Result<Vec<PageExcerpt>, AppError>, Vec<LedgerItem>) {
        let embedding = match &request.embedding {
            Some(embedding) => Some(embedding.clone()),
            None => self.query_embedding(query).await,
        };
        let embedding = embedding.as_ref();
        let noted = async {
            match request.place_of(MemoryScope::Conversation) {
                Some(place) => self.noted_in(request.of(place)).await,
                None => Ok(Vec::new()),
            }
        };
        let hits = async |scope: MemoryScope| match request.place_of(scope) {
            Some(place) => self.hits(request, place, query, embedding).await,
            None => Ok(Vec::new()),
        };
        let (conversation, channel, workspace, account, pages) = future::join5(
            self.layer(noted),
            self.layer(hits(MemoryScope::Channel)),
            self.layer(hits(MemoryScope::Workspace)),
            self.layer(hits(MemoryScope::Account)),
            self.layer(self.pages(request, query, embedding)),
        )
        .await;
        let withheld = self.layer(self.withheld(request, query, embedding)).await.unwrap_or_else(|error| {
            tracing::warn!(%error, "what the lens withholds is not told in the ledger");
            Vec::new()
        });
        (MemoryLayers(conversation, channel, workspace, account), pages, withheld)
    }

    pub(super) async fn noted_in(&self, conversation: ScopeFilter) -> Result<Vec<MemoryEntry>, AppError> {
        let filter = MemoryFilter::active(conversation);
        let page = self.session.memories().list(&filter, Sort::CreatedDesc, None, LOOKED_AT).await?;
        Ok(page.entries.into_iter().map(|stored| stored.entry).collect())
    }

    /// The best hits of a place; its most important entries if the query is empty.
    pub(super) async fn hits(
        &self,
        request: &OrientRequest<'_>,
        place: Place,
        query: &str,
        embedding: Option<&Embedding>,
    ) -> Result<Vec<Hit>, AppError> {
        let mut found: Vec<Hit> = if query.trim().is_empty() {
            let filter = MemoryFilter::active(request.of(place));
            let page = self.session.memories().list(&filter, Sort::ImportanceDesc, None, LISTED).await?;
            let (decay, now) = (self.session.decay(), self.session.clock.now());
            let hit = |stored: inklings_ports::memory::store::StoredEntry| Hit {
                decay: decay.terms(&stored.entry.decay_inputs(), now),
                stored,
                score: 0.0,
                contributions: Vec::new(),
                spans: Vec::new(),
                passage: None,
                folded: Vec::new(),
            };
            page.entries.into_iter().map(hit).collect()
        } else {
            self.session.search().memories(request.search_in(place, query, embedding)).await?.hits
        };
        // Named entries have the highest importance, which says nothing about a query that does not exist.
        if query.trim().is_empty() {
            found.sort_by_key(|hit| hit.stored.entry.name.is_some());
            found.truncate(LOOKED_AT);
        }
        // Those named notes that are included at the front are dropped there; the others compete here.
        Ok(found.into_iter().filter(|hit| !hit.stored.entry.content.is_empty()).collect())
    }

    /// The query's embedding, computed once for all tiers.
    async fn query_embedding(&self, query: &str) -> Option<Embedding> {
        let parsed = query_text(query).parse();
        let embedder = self.session.embedder.get().filter(|_| parsed.route == Route::Hybrid)?;
        let asked = async { Ok(by_meaning::embedding(self.session, &*embedder, &parsed.text).await??) };
        self.layer(asked).await.ok()
    }

    fn entry_candidate<'a>(
        &self,
        all: &'a mut Collector,
        layer: Layer,
        entry: &MemoryEntry,
    ) -> &'a mut Candidate {
        let framing = Framing {
            curator: Some(entry.curator),
            importance: Some(entry.importance.get()),
            relevance: Some(self.session.decay().terms(&entry.decay_inputs(), all.clock.now()).relevance()),
            age_days: Some(all.days(entry.updated_at)),
            note: note_of(entry, all.calendar.as_deref()),
        };
        if !entry.derivations.is_empty() {
            all.made.push(entry.clone());
        }
        let item = all.add(layer, ItemId::Memory(entry.id), entry.content.clone(), framing);
        item.version = entry.version;
        item.title = entry.heading().map(str::to_owned);
        item
    }
}

/// The memories of the four tiers, each with its own error.
struct MemoryLayers(
    Result<Vec<MemoryEntry>, AppError>,
    Result<Vec<Hit>, AppError>,
    Result<Vec<Hit>, AppError>,
    Result<Vec<Hit>, AppError>,
);

/// What an entry's frame says besides: when it holds in the story, and whose words it has.
fn note_of(entry: &MemoryEntry, calendar: Option<&Calendar>) -> Option<String> {
    let time = holds(entry, calendar).map(|holds| format!("holds: {holds}"));
    let notes: Vec<String> = time.into_iter().chain(sources_note(entry)).collect();
    (!notes.is_empty()).then(|| notes.join(", "))
}

/// A note on the least trusted source of a text, where its curator does not show it.
fn sources_note(entry: &MemoryEntry) -> Option<String> {
    let by = if entry.derived_from.last()?.is_client() { "a client" } else { "an agent" };
    Some(format!("in the words of {by}"))
}

/// True if a name of an entry occurs in the words of a query.
fn is_spoken_of(entry: &MemoryEntry, asked: &[String]) -> bool {
    names_of(entry).map(words).any(|name| !name.is_empty() && name.iter().all(|word| asked.contains(word)))
}

fn named_candidate(all: &mut Collector, entry: MemoryEntry) {
    if entry.content.is_empty() {
        return;
    }
    let is_standing = names_of(&entry).any(|name| named_entry::standing(entry.scope(), name).is_some());
    let note = sources_note(&entry);
    let framing = Framing { curator: Some(entry.curator), note, ..Framing::default() };
    let item = all.add(Layer::Named, ItemId::Memory(entry.id), entry.content, framing);
    item.version = entry.version;
    item.standing = is_standing;
    item.title = entry.name;
}

fn fact_candidate(all: &mut Collector, known: &FactWithClaims) {
    let fact = &known.fact;
    let by = if fact.source.as_str() == "user" { "said by the worldbuilder" } else { "said by an agent" };
    let time = time_text(fact.span, all.calendar.as_deref()).map(|holds| format!("holds: {holds}"));
    let disputed = (!known.claims.is_empty()).then(|| "disputed".to_owned());
    let notes: Vec<String> = time.into_iter().chain([by.to_owned()]).chain(disputed).collect();
    let note = notes.join(", ");
    let framing =
        Framing { age_days: Some(all.days(fact.updated_at)), note: Some(note), ..Framing::default() };
    let text = format!("{} / {}: {}", fact.key.category(), fact.key.key(), fact.value);
    all.add(Layer::Facts, ItemId::Fact(fact.id), text, framing).version = fact.version;
}

fn message_candidate(all: &mut Collector, item: &ContextItem) {
    let message = &item.message;
    let legs: Vec<&str> = item.legs.iter().map(|leg| leg.as_str()).collect();
    let framing = Framing {
        age_days: Some(all.days(message.body.at)),
        note: Some(legs.join(", ")),
        ..Framing::default()
    };
    let text = format!("{}: {}", speaker(message), as_read(message));
    let added = all.add(Layer::Earlier, ItemId::Message(message.id()), text, framing);
    added.score = item.similarity;
}
