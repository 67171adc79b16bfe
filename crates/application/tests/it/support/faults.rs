//! Ports that fail or never answer, in front of the real ones.

use std::{
    ops::Range,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use chrono::{DateTime, NaiveDate, Utc};
use inklings_application::session::Session;
use inklings_domain::{
    conversation::{
        episode::Episode,
        message::{Delivery, Message, NewMessage},
    },
    fact::{Claim, Fact, FactKey, FactSource, FactValue},
    ids::{
        ChangeId, ClaimId, ConversationId, EpisodeId, FactId, MemoryId, MessageId, PageId, RunId, VaultId,
    },
    memory::{
        Importance, MemoryEntry,
        change_set::{ChangeSet, JournalRow},
        embedding::{EmbeddingModel, ModelId},
        filter::{MemoryFilter, ScopeFilter, Sort},
        word_codes::WordCodes,
    },
    provenance::ActorKind,
    scope::{PerTier, Place},
    search::{people::Speakers, query::TextQuery, ranking::WordComparison},
    vault::{Skip, Vault, plan::IndexedPage},
};
use inklings_ports::{
    calendar::{CalendarStore, TimelineQuery},
    conversation::transcript_store::{
        MessageRange, PendingMessage, Streaming, TranscriptPart, TranscriptStore,
    },
    fact::{FactAt, FactCursor, FactQuery, FactStore, FactWithClaims},
    memory::{
        store::{Access, CommittedChange, Cursor, FacetCount, HistoryVersion, MemoryStore, StoredEntry},
        vector_store::{EmbeddingCounts, TextVectors},
    },
    search::store::{Asked, Completed, Highlight, ListHit, MemorySearch},
    store_error::StoreError,
    vault::{
        filter::PageFilter,
        store::{
            LinkedPage, NewPageVectors, PageCursor, PageRow, PageSelection, PageStore, PageWrite,
            PendingPage, Scanned, StoredPage, VaultCounts,
        },
    },
};

/// Without a call for this long, whatever still waits waits for a call that hangs. Calls that go on are counted; this is for
/// the work between two of them.
const PAUSE: Duration = Duration::from_millis(200);

/// What goes wrong with which call of a port, by the name of its method.
#[derive(Clone)]
pub struct Faults(Arc<Mutex<State>>);

struct State {
    hanging: Option<&'static str>,
    failing: Option<&'static str>,
    failing_once: Option<&'static str>,
    vectors_loading: bool,
    /// How many calls hang.
    hung: usize,
    /// How many calls are being answered.
    running: usize,
    /// The calls so far.
    calls: Vec<&'static str>,
    /// When a call began or ended last.
    called: Instant,
}

impl Faults {
    /// In front of the workspace's ports of memory, facts, calendars, messages and pages.
    pub fn of_workspace(session: &mut Session) -> Self {
        let faults = Self::none();
        let ports = &mut session.workspace;
        ports.memory.store = Arc::new(Faulty::new(&ports.memory.store, &faults));
        ports.memory.search = Arc::new(Faulty::new(&ports.memory.search, &faults));
        ports.facts = Arc::new(Faulty::new(&ports.facts, &faults));
        ports.calendars = Arc::new(Faulty::new(&ports.calendars, &faults));
        ports.transcript = Arc::new(Faulty::new(&ports.transcript, &faults));
        ports.pages = Arc::new(Faulty::new(&ports.pages, &faults));
        faults
    }

    /// In front of the account's ports of memory.
    pub fn of_account(session: &mut Session) -> Self {
        let faults = Self::none();
        let ports = &mut session.account.memory;
        ports.store = Arc::new(Faulty::new(&ports.store, &faults));
        ports.search = Arc::new(Faulty::new(&ports.search, &faults));
        faults
    }

    fn none() -> Self {
        let state = State {
            hanging: None,
            failing: None,
            failing_once: None,
            vectors_loading: false,
            hung: 0,
            running: 0,
            calls: Vec::new(),
            called: Instant::now(),
        };
        Self(Arc::new(Mutex::new(state)))
    }

    /// From now on this call never answers.
    pub fn hang(&self, call: &'static str) {
        self.state().hanging = Some(call);
    }

    /// From now on this call fails.
    pub fn fail(&self, call: &'static str) {
        self.state().failing = Some(call);
    }

    /// This call fails the next time.
    pub fn fail_once(&self, call: &'static str) {
        self.state().failing_once = Some(call);
    }

    /// From now on the vectors count as not read yet, or as read.
    pub fn set_vectors_loading(&self, loading: bool) {
        self.state().vectors_loading = loading;
    }

    /// The calls since the last time, in their order.
    pub fn take_calls(&self) -> Vec<&'static str> {
        std::mem::take(&mut self.state().calls)
    }

    /// True once nothing goes on any more but calls that hang.
    pub fn is_stuck(&self) -> bool {
        let state = self.state();
        state.hung > 0 && state.running == 0 && state.called.elapsed() >= PAUSE
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What a call meets before it reaches its port. It counts as running until the value is dropped.
    async fn meet(&self, call: &'static str) -> Result<Running<'_>, StoreError> {
        let hangs = {
            let mut state = self.state();
            state.called = Instant::now();
            state.calls.push(call);
            if state.failing == Some(call) || state.failing_once.take_if(|failing| *failing == call).is_some()
            {
                return Err(StoreError::Busy);
            }
            let hangs = state.hanging == Some(call);
            state.hung += usize::from(hangs);
            state.running += usize::from(!hangs);
            hangs
        };
        if hangs {
            std::future::pending::<()>().await;
        }
        Ok(Running(self))
    }
}

/// A call that is being answered.
struct Running<'f>(&'f Faults);

impl Drop for Running<'_> {
    fn drop(&mut self) {
        let mut state = self.0.state();
        state.running -= 1;
        state.called = Instant::now();
    }
}

/// A port behind its faults.
struct Faulty<P: ?Sized> {
    port: Arc<P>,
    faults: Faults,
}

impl<P: ?Sized> Faulty<P> {
    fn new(port: &Arc<P>, faults: &Faults) -> Self {
        Self { port: Arc::clone(port), faults: faults.clone() }
    }
}

/// Implements a port: each call meets its faults, then reaches the port behind.
macro_rules! behind_faults {
    ($port:ident { $(fn $call:ident($($argument:ident: $type:ty),*) -> $answer:ty;)* } $($more:item)*) => {
        #[async_trait::async_trait]
        impl $port for Faulty<dyn $port> {
            $(async fn $call(&self, $($argument: $type),*) -> Result<$answer, StoreError> {
                let _running = self.faults.meet(stringify!($call)).await?;
                self.port.$call($($argument),*).await
            })*
            $($more)*
        }
    };
}

behind_faults! {
    MemoryStore {
        fn get(ids: &[MemoryId]) -> Vec<StoredEntry>;
        fn list(filter: &MemoryFilter, sort: Sort, after: Option<&Cursor>, limit: usize) -> Vec<StoredEntry>;
        fn revision() -> String;
        fn count(filter: &MemoryFilter) -> PerTier<u64>;
        fn facets(filter: &MemoryFilter, among: Option<&[MemoryId]>) -> Vec<FacetCount>;
        fn commit(change: &ChangeSet) -> ();
        fn change(id: ChangeId) -> Option<CommittedChange>;
        fn last_undoable() -> Option<JournalRow>;
        fn history(id: MemoryId) -> Vec<HistoryVersion>;
        fn by_external_ids(place: Place, ids: &[String]) -> Vec<MemoryEntry>;
        fn mentioned_in(text: &str, filter: &MemoryFilter) -> Vec<StoredEntry>;
        fn names() -> Vec<(String, MemoryId)>;
        fn named() -> Vec<MemoryEntry>;
        fn changes_of_run(run: RunId) -> Vec<JournalRow>;
        fn written_by(changes: &[ChangeId]) -> Vec<(ChangeId, MemoryId)>;
        fn journal(before: Option<u64>, actor_kind: Option<ActorKind>, limit: usize) -> Vec<JournalRow>;
        fn record_access(accesses: &[Access]) -> ();
        fn mark_open(day: NaiveDate) -> ();
        fn open_days() -> Vec<NaiveDate>;
    }
}

behind_faults! {
    MemorySearch {
        fn search_text(query: &TextQuery, filter: &MemoryFilter, limit: usize) -> Vec<ListHit>;
        fn called(text: &str, filter: &MemoryFilter) -> Vec<ListHit>;
        fn search_meaning(vector: &[f32], model: &ModelId, filter: &MemoryFilter, limit: usize) -> Vec<ListHit>;
        fn in_time(within: Range<DateTime<Utc>>, filter: &MemoryFilter, limit: usize) -> Vec<ListHit>;
        fn complete(
            asked: Asked<'_>, filter: &MemoryFilter, ids: &[MemoryId]
        ) -> Vec<Completed<MemoryId>>;
        fn compare_words(
            words: &WordCodes, model: &ModelId, filter: &MemoryFilter, ids: &[MemoryId]
        ) -> Vec<(MemoryId, WordComparison)>;
        fn highlights(query: &TextQuery, ids: &[MemoryId]) -> Vec<Highlight>;
        fn vectors(ids: &[MemoryId], model: &ModelId) -> Vec<(MemoryId, Vec<f32>)>;
        fn speakers() -> Speakers;
    }
    fn meaning_ready(&self, model: &ModelId) -> bool {
        !self.faults.state().vectors_loading && self.port.meaning_ready(model)
    }
}

behind_faults! {
    FactStore {
        fn facts_of_key(key: &FactKey) -> Vec<FactWithClaims>;
        fn fact_by_id(id: FactId) -> Option<FactWithClaims>;
        fn facts_by_ids(ids: &[FactId]) -> Vec<FactWithClaims>;
        fn facts(query: FactQuery<'_>, after: Option<&FactCursor>) -> Vec<FactWithClaims>;
        fn facts_as_of(
            at: DateTime<Utc>, query: FactQuery<'_>, after: Option<&FactCursor>
        ) -> Vec<FactAt>;
        fn fact_history(id: FactId) -> Vec<FactValue>;
        fn put_fact(fact: &Fact, written_by: FactSource, settles: Option<ClaimId>) -> ();
        fn add_claim(claim: &Claim) -> ();
        fn claim(id: ClaimId) -> Option<(Claim, Fact)>;
        fn reject_claim(id: ClaimId, at: DateTime<Utc>) -> ();
    }
}

behind_faults! {
    CalendarStore {
        fn calendars(filter: &ScopeFilter) -> Vec<StoredEntry>;
        fn timeline(query: TimelineQuery<'_>) -> Vec<StoredEntry>;
        fn chapters(filter: &ScopeFilter) -> Vec<StoredEntry>;
    }
}

behind_faults! {
    TranscriptStore {
        fn append(conversation: ConversationId, messages: &[NewMessage]) -> Vec<Message>;
        fn deliver(
            id: MessageId, content: &str, calls: Option<&str>, delivery: Delivery, at: DateTime<Utc>
        ) -> bool;
        fn abandon(streaming: Streaming<'_>, before: DateTime<Utc>, now: DateTime<Utc>) -> usize;
        fn set_importance(id: MessageId, importance: Importance, at: DateTime<Utc>) -> ();
        fn messages(ids: &[MessageId]) -> Vec<Message>;
        fn page(conversation: ConversationId, range: MessageRange, limit: usize) -> Vec<Message>;
        fn salient(conversation: ConversationId, through: u64, at_least: Importance, limit: usize) -> Vec<Message>;
        fn latest_marker(conversation: ConversationId, through: u64) -> Option<Message>;
        fn off_record(conversation: ConversationId) -> Vec<MessageId>;
        fn parts(conversation: ConversationId) -> Vec<TranscriptPart>;
        fn compact(
            conversation: ConversationId, archive: &ChangeSet, marker: &NewMessage, delete_through: Option<u64>
        ) -> Message;
        fn fold(episode: &Episode, delete_sources: bool) -> ();
        fn episodes(conversation: ConversationId, limit: usize) -> Vec<Episode>;
        fn remove_episode(id: EpisodeId, at: DateTime<Utc>) -> bool;
        fn pending_vectors(model: &EmbeddingModel, limit: usize) -> Vec<PendingMessage>;
        fn put_vectors(model: &EmbeddingModel, vectors: &[(MessageId, TextVectors)]) -> usize;
        fn vector_failed(model: &EmbeddingModel, id: MessageId, error: &str) -> ();
        fn vector_counts(model: &EmbeddingModel) -> EmbeddingCounts;
    }
}

behind_faults! {
    PageStore {
        fn vaults() -> Vec<Vault>;
        fn link(vault: &Vault) -> ();
        fn unlink(id: VaultId) -> bool;
        fn counts(id: VaultId) -> VaultCounts;
        fn indexed(id: VaultId) -> Vec<IndexedPage>;
        fn put(id: VaultId, pages: &[PageWrite], removed: &[PageId]) -> ();
        fn finish(id: VaultId, scanned: Scanned<'_>) -> ();
        fn lease(id: VaultId, owner: &str, now: DateTime<Utc>, until: DateTime<Utc>) -> bool;
        fn skips(id: VaultId, after: Option<&Skip>, limit: usize) -> Vec<Skip>;
        fn list(filter: &PageFilter, after: Option<&PageCursor>, limit: usize) -> Vec<PageRow>;
        fn pages(filter: &PageFilter, ids: &[PageId]) -> Vec<StoredPage>;
        fn named(filter: &PageFilter, name: &str) -> Option<PageId>;
        fn links(filter: &PageFilter, id: PageId) -> Vec<LinkedPage>;
        fn backlinks(filter: &PageFilter, id: PageId, limit: usize) -> Vec<PageRow>;
        fn linked_from(filter: &PageFilter, ids: &[PageId]) -> Vec<(PageId, u64)>;
        fn selected(filter: &PageFilter, which: PageSelection<'_>, limit: usize) -> Vec<PageRow>;
        fn links_of(filter: &PageFilter, ids: &[PageId]) -> Vec<(PageId, PageId)>;
        fn pending_vectors(model: &EmbeddingModel, limit: usize) -> Vec<PendingPage>;
        fn put_vectors(model: &EmbeddingModel, vectors: &[NewPageVectors]) -> usize;
        fn vector_failed(model: &EmbeddingModel, id: PageId, error: &str) -> ();
        fn vector_counts(model: &EmbeddingModel) -> EmbeddingCounts;
    }
}
