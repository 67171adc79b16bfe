//! One database in plain collections: entries, journal, history. The other ports of the same database are in the
//! neighbouring files.

use std::{
    collections::{BTreeMap, BTreeSet, HashMap, HashSet},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use chrono::NaiveDate;
use inklings_domain::{
    audit::AuditRow,
    change_set::{Action, ChangeSet, JournalRow, MemoryWrite, ReplacedVersion},
    channel::{Channel, ChannelName, DEFAULT_CHANNEL},
    client::Client,
    client_write::ClientWrite,
    conversation::Conversation,
    embedding::ModelId,
    filter::{MemoryFilter, Sort},
    ids::{
        ChangeId, ChannelId, ClientId, ConversationId, MemoryId, OrientationId, ProposalId, ReadId, RunId,
        WorkspaceId,
    },
    memory::{MemoryEntry, MemoryKind},
    memory_switch::MemorySwitch,
    named_entry::{is_mentioned, key, names_of, padded_words},
    orientation::Orientation,
    proposal::Proposal,
    provenance::Hand,
    scope::{MemoryScope, PerTier, Place},
    scratchpad::WorkingNote,
    shown::ShownRead,
    workspace::Workspace,
};

use super::{
    clock::{SequentialIds, next_order, start_of_tests},
    fact_store::FactTables,
    oracle,
    run_store::Keeping,
    split_store::Parts,
    text_sources::{newly_merged_into, sources_are_kept},
    transcript_store::Transcript,
    transfer_store::{Beside, Prepared},
};
use crate::ports::{
    catalogue::{AccountPorts, MemoryPorts, WorkspacePorts},
    clock::IdGenerator,
    error::StoreError,
    memory_store::{
        Access, CommittedChange, Cursor, FacetCount, HistoryVersion, MemoryStore, SortKey, StoredEntry,
    },
    rule::Rule,
    settings::{MEMORY_ENABLED, Topic},
    transfer_store::Fields,
};

/// What one database holds.
#[derive(Debug, Clone, Default)]
pub(super) struct Tables {
    /// `None` for the account's database.
    pub workspace: Option<WorkspaceId>,
    pub entries: BTreeMap<MemoryId, MemoryEntry>,
    /// Replaced versions, rising.
    pub replaced: HashMap<MemoryId, Vec<MemoryEntry>>,
    pub journal: Vec<JournalRow>,
    /// Vectors of the entries' present texts, with the order in which they came.
    pub vectors: HashMap<(MemoryId, ModelId), (u64, Vec<f32>)>,
    pub failed: HashSet<(MemoryId, ModelId)>,
    /// True while searches fail.
    pub searches_fail: bool,
    /// The read that never answers.
    pub hangs: Option<&'static str>,
    pub channels: BTreeMap<ChannelId, Channel>,
    pub conversations: BTreeMap<ConversationId, Conversation>,
    /// Imported conversations by their former ids.
    pub imported: BTreeMap<String, ConversationId>,
    pub settings: BTreeMap<String, String>,
    /// Emptied conversations, whose rows stay.
    pub deleted: BTreeSet<ConversationId>,
    pub transcript: Transcript,
    pub facts: FactTables,
    pub notes: BTreeMap<(ConversationId, String), WorkingNote>,
    /// What clients wrote, with the working note that stood there before.
    pub client_writes: Vec<(ClientWrite, Option<WorkingNote>)>,
    pub proposals: BTreeMap<ProposalId, Proposal>,
    pub audit: Vec<AuditRow>,
    /// Forms of scrubbed texts.
    pub scrubbed: BTreeSet<String>,
    pub keeping: Keeping,
    pub ledger: BTreeMap<OrientationId, Orientation>,
    pub reads: BTreeMap<ReadId, ShownRead>,
    pub clients: BTreeMap<ClientId, Client>,
    /// Fields of other programs, and of later releases, by format.
    pub foreign: BTreeMap<MemoryId, Fields>,
    pub beside: Beside,
    /// An import into the account that its run decides about.
    pub prepared: Option<Prepared>,
    pub(super) parts: Parts,
    pub open_days: BTreeSet<NaiveDate>,
    /// How often each topic changed.
    pub news: BTreeMap<Topic, u64>,
    /// True once its workspace was deleted.
    pub gone: bool,
    /// True while vectors count as not read yet.
    pub vectors_loading: bool,
    /// The error that the next commit gives.
    pub broken: Broken,
}

/// An error that waits for the next commit. A copy of the data does not take it along.
#[derive(Debug, Default)]
pub(super) struct Broken(pub Option<StoreError>);

impl Clone for Broken {
    fn clone(&self) -> Self {
        Self(None)
    }
}

/// One database in memory, for tests. Clones and [`InMemoryDatabase::another_process`] share their data.
#[derive(Debug, Clone)]
pub struct InMemoryDatabase {
    tables: Arc<Mutex<Tables>>,
    pub(super) heard: Arc<Mutex<BTreeMap<Topic, u64>>>,
}

impl InMemoryDatabase {
    fn holding(tables: Tables) -> Self {
        Self { tables: Arc::new(Mutex::new(tables)), heard: Arc::default() }
    }

    /// An empty account database.
    pub fn account() -> Self {
        Self::holding(Tables::default())
    }

    /// An empty workspace database with `#general`.
    pub fn workspace(id: WorkspaceId) -> Self {
        let ids = SequentialIds::seeded(id.as_uuid().as_u128() as u64);
        let general = Channel {
            id: ids.channel_id(),
            workspace_id: id,
            name: ChannelName::general(),
            description: String::new(),
            is_default: true,
            created_at: start_of_tests(),
            archived_at: None,
        };
        debug_assert_eq!(general.name.as_str(), DEFAULT_CHANNEL);
        let channels = BTreeMap::from([(general.id, general)]);
        Self::holding(Tables { workspace: Some(id), channels, ..Tables::default() })
    }

    /// The same data as another process would open it: with a change feed that has heard nothing yet.
    #[must_use]
    pub fn another_process(&self) -> Self {
        let heard = self.tables().news.clone();
        Self { tables: Arc::clone(&self.tables), heard: Arc::new(Mutex::new(heard)) }
    }

    /// Its memory ports.
    pub fn ports(&self) -> MemoryPorts {
        let shared = Arc::new(self.clone());
        MemoryPorts {
            store: shared.clone(),
            search: shared.clone(),
            vectors: shared.clone(),
            proposals: shared.clone(),
            audit: shared.clone(),
            scrub: shared.clone(),
            feed: shared,
        }
    }

    /// Its ports as the account's database.
    pub fn account_ports(&self) -> AccountPorts {
        let shared = Arc::new(self.clone());
        AccountPorts {
            memory: self.ports(),
            settings: shared.clone(),
            clients: shared.clone(),
            transfer: shared.clone(),
            split: shared,
        }
    }

    /// Its ports as the database of a workspace.
    pub fn workspace_ports(&self, workspace: Workspace) -> WorkspacePorts {
        let shared = Arc::new(self.clone());
        WorkspacePorts {
            workspace,
            memory: self.ports(),
            rooms: shared.clone(),
            transcript: shared.clone(),
            transcript_search: shared.clone(),
            facts: shared.clone(),
            scratchpads: shared.clone(),
            client_writes: shared.clone(),
            ledger: shared.clone(),
            runs: shared.clone(),
            schedule: shared.clone(),
            import: shared.clone(),
            settings: shared.clone(),
            transfer: shared,
        }
    }

    pub(super) fn tables(&self) -> MutexGuard<'_, Tables> {
        self.tables.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Tables {
    pub(super) fn announce(&mut self, topic: Topic) {
        *self.news.entry(topic).or_default() += 1;
    }

    /// An entry with the newest model that embedded it.
    pub(super) fn stored(&self, entry: &MemoryEntry) -> StoredEntry {
        let newest = self
            .vectors
            .iter()
            .filter(|((id, _), _)| *id == entry.id)
            .max_by_key(|(_, (order, _))| *order)
            .map(|((_, model), _)| model.to_string());
        StoredEntry { entry: entry.clone(), embedded_by: newest }
    }

    pub(super) fn all(&self) -> Vec<StoredEntry> {
        self.entries.values().map(|entry| self.stored(entry)).collect()
    }

    pub(super) fn belongs_here(&self, place: Place) -> Result<(), StoreError> {
        let refused = |why: &str| Err(StoreError::Refused(why.into()));
        if (place.scope() == MemoryScope::Account) == self.workspace.is_some() {
            return refused("this tier lives in another database");
        }
        if place.channel().is_some_and(|channel| !self.channels.contains_key(&channel)) {
            return refused("no such channel");
        }
        match place {
            Place::Conversation(channel, id)
                if self.conversations.get(&id).is_none_or(|c| c.channel_id != channel) =>
            {
                refused("no such conversation in this channel")
            }
            _ => Ok(()),
        }
    }

    /// What another entry has that `entry` wants to have. `written`: what the same change wrote before it.
    pub(super) fn twin(
        &self,
        entry: &MemoryEntry,
        written: &BTreeMap<MemoryId, &MemoryEntry>,
    ) -> Option<&'static str> {
        let external = |e: &MemoryEntry| e.origin.as_ref().and_then(|o| o.external_id.clone());
        let names: Vec<String> = names_of(entry).map(key).collect();
        let unique: HashSet<&String> = names.iter().collect();
        if entry.is_active() && unique.len() < names.len() {
            return Some("name");
        }
        let standing = self.entries.values().filter(|other| !written.contains_key(&other.id));
        let others = standing.chain(written.values().copied()).filter(|other| other.id != entry.id);
        others.into_iter().find_map(|other| {
            let same_tier = other.scope() == entry.scope() && other.is_active() && entry.is_active();
            if same_tier && names_of(other).map(key).any(|name| unique.contains(&name)) {
                Some("name")
            } else if external(other).is_some()
                && external(other) == external(entry)
                && other.place == entry.place
            {
                Some("imported entry")
            } else {
                None
            }
        })
    }

    /// How the memory switch stands, as a caller says and as this database itself knows it.
    pub(super) fn switch(&self, told: MemorySwitch) -> MemorySwitch {
        let off = self.settings.get(MEMORY_ENABLED).is_some_and(|value| value == "false");
        if off { MemorySwitch::Off } else { told }
    }

    /// Refuses while memory is off.
    pub(super) fn refuse_while_off(&self) -> Result<(), StoreError> {
        match self.switch(MemorySwitch::On) {
            MemorySwitch::On => Ok(()),
            MemorySwitch::Off => Err(StoreError::MemoryOff),
        }
    }

    /// Every rule that a commit may break, checked before anything is written.
    pub(super) fn check(&self, change: &ChangeSet) -> Result<(), StoreError> {
        if self.gone {
            return Err(StoreError::NotFound("workspace"));
        }
        if !self.switch(change.switch).admits_change(change.stamp.actor.hand(), change.action) {
            return Err(StoreError::MemoryOff);
        }
        if self.journal.iter().any(|row| row.change == change.stamp.change) {
            return Err(StoreError::AlreadyExists("change"));
        }
        if change.undoes.is_some_and(|id| !self.stands(id)) {
            return Err(StoreError::Refused("the change to undo is unknown or was undone already".into()));
        }
        let mut written: BTreeMap<MemoryId, &MemoryEntry> = BTreeMap::new();
        for write in &change.writes {
            let after = write.entry();
            if written.contains_key(&after.id) {
                return Err(StoreError::Refused("an entry was written twice in one change".into()));
            }
            let before = self.entries.get(&after.id);
            match (write, before) {
                (MemoryWrite::Insert(_), Some(_)) => return Err(StoreError::AlreadyExists("memory")),
                (MemoryWrite::Insert(entry), None) if entry.version != 1 => {
                    return Err(StoreError::Refused("a new entry starts at version 1".into()));
                }
                (MemoryWrite::Update(_), None) => return Err(StoreError::NotFound("memory")),
                (MemoryWrite::Update(entry), Some(before)) if before.version + 1 != entry.version => {
                    return Err(StoreError::Stale { id: entry.id });
                }
                (MemoryWrite::Update(entry), Some(before))
                    if (before.place, before.created_at) != (entry.place, entry.created_at) =>
                {
                    return Err(StoreError::Refused("place and creation are fixed".into()));
                }
                _ => {}
            }
            if after.written_by != change.stamp.actor.hand() || after.change != change.stamp.change {
                return Err(StoreError::Refused("undeclared write".into()));
            }
            // An archive is named by whoever compacts, and belongs to nobody else from then on.
            let archive = before.is_none()
                && after.kind == MemoryKind::Archive
                && !after.curator.is_protected()
                && !after.pinned;
            let guarded = before.is_some_and(MemoryEntry::is_locked) || (after.is_locked() && !archive);
            if guarded && !after.written_by.may_write_protected() {
                return Err(StoreError::Locked(Rule::ThisEntryBelongsToTheAuthor));
            }
            let made = newly_merged_into(before, after).and_then(|into| written.get(&into).copied());
            let earlier = self.replaced.get(&after.id).into_iter().flatten().cloned();
            if !sources_are_kept(change, before, after, made, earlier) {
                return Err(StoreError::Locked(Rule::ThisEntryBelongsToTheAuthor));
            }
            self.belongs_here(after.place)?;
            if after.name.is_none() && (after.content.is_empty() || !after.aliases.is_empty()) {
                return Err(StoreError::Refused("only a named entry is empty or has aliases".into()));
            }
            if let Some(what) = self.twin(after, &written) {
                return Err(StoreError::AlreadyExists(what));
            }
            written.insert(after.id, after);
        }
        Ok(())
    }

    pub(super) fn write(&mut self, mut after: MemoryEntry) {
        if let Some(before) = self.entries.get(&after.id) {
            // Uses that were recorded since the writer read the entry are not lost.
            after.access_count = after.access_count.max(before.access_count);
            after.accessed_at = after.accessed_at.max(before.accessed_at);
            if before.content != after.content {
                self.vectors.retain(|(id, _), _| *id != after.id);
                self.failed.retain(|(id, _)| *id != after.id);
            }
            self.replaced.entry(after.id).or_default().push(before.clone());
        }
        self.entries.insert(after.id, after);
    }

    /// Writes a change that was checked.
    pub(super) fn carry_out(&mut self, change: &ChangeSet) {
        change.writes.iter().for_each(|write| self.write(write.entry().clone()));
        self.record(change);
        self.announce(Topic::Memories);
    }

    fn record(&mut self, change: &ChangeSet) {
        let (stamp, id) = (change.stamp, change.stamp.change);
        if let Some(row) = self.journal.iter_mut().find(|row| Some(row.change) == change.undoes) {
            row.undone_by = Some(id);
        }
        self.journal.push(JournalRow {
            sequence: self.journal.len() as u64 + 1,
            order: next_order(),
            change: id,
            action: change.action,
            hand: stamp.actor.hand(),
            door: stamp.actor.door(),
            run: stamp.actor.run(),
            at: stamp.at,
            entries: change.writes.len() as u64,
            undoes: change.undoes,
            undone_by: None,
        });
    }

    /// Every version of an entry, rising.
    fn versions(&self, id: MemoryId) -> Vec<&MemoryEntry> {
        let replaced = self.replaced.get(&id).into_iter().flatten();
        replaced.chain(self.entries.get(&id)).collect()
    }
}

fn order(sort: Sort, a: (SortKey, MemoryId), b: (SortKey, MemoryId)) -> std::cmp::Ordering {
    let by_key = match (a.0, b.0) {
        (SortKey::Time(a), SortKey::Time(b)) => a.cmp(&b),
        (SortKey::Number(a), SortKey::Number(b)) => a.total_cmp(&b),
        (SortKey::Time(_), SortKey::Number(_)) => std::cmp::Ordering::Less,
        (SortKey::Number(_), SortKey::Time(_)) => std::cmp::Ordering::Greater,
    };
    let rising = by_key.then(a.1.cmp(&b.1));
    if sort == Sort::CreatedAsc { rising } else { rising.reverse() }
}

#[async_trait::async_trait]
impl MemoryStore for InMemoryDatabase {
    async fn get(&self, ids: &[MemoryId]) -> Result<Vec<StoredEntry>, StoreError> {
        let tables = self.tables();
        let wanted: BTreeSet<&MemoryId> = ids.iter().collect();
        Ok(wanted.into_iter().filter_map(|id| tables.entries.get(id)).map(|e| tables.stored(e)).collect())
    }

    async fn list(
        &self,
        filter: &MemoryFilter,
        sort: Sort,
        after: Option<&Cursor>,
        limit: usize,
    ) -> Result<Vec<StoredEntry>, StoreError> {
        let key = |stored: &StoredEntry| (SortKey::of(&stored.entry, sort), stored.entry.id);
        self.may_hang("list").await;
        let mut rows = self.tables().all();
        rows.retain(|row| {
            oracle::lets_through(filter, row)
                && after.is_none_or(|c| order(sort, key(row), (c.key, c.id)) == std::cmp::Ordering::Greater)
        });
        rows.sort_by(|a, b| order(sort, key(a), key(b)));
        rows.truncate(limit);
        Ok(rows)
    }

    async fn count(&self, filter: &MemoryFilter) -> Result<PerTier<u64>, StoreError> {
        let rows = self.tables().all();
        let of = |scope| {
            let counted = rows.iter().filter(|row| row.entry.scope() == scope);
            counted.filter(|row| oracle::meets_conditions(filter, row, None)).count() as u64
        };
        Ok(PerTier::from_fn(of))
    }

    async fn facets(
        &self,
        filter: &MemoryFilter,
        among: Option<&[MemoryId]>,
    ) -> Result<Vec<FacetCount>, StoreError> {
        let mut rows = self.tables().all();
        rows.retain(|row| among.is_none_or(|ids| ids.contains(&row.entry.id)));
        Ok(oracle::count_facets(&rows, filter))
    }

    async fn commit(&self, change: &ChangeSet) -> Result<(), StoreError> {
        let mut tables = self.tables();
        if let Some(error) = tables.broken.0.take() {
            return Err(error);
        }
        tables.check(change)?;
        tables.carry_out(change);
        Ok(())
    }

    async fn change(&self, id: ChangeId) -> Result<Option<CommittedChange>, StoreError> {
        let tables = self.tables();
        let Some(journal) = tables.journal.iter().find(|row| row.change == id).cloned() else {
            return Ok(None);
        };
        let part = |entry: MemoryId| {
            let versions = tables.versions(entry);
            let at = versions.iter().position(|v| v.change == id)?;
            let before = at.checked_sub(1).map(|i| versions[i].clone());
            Some(ReplacedVersion { id: entry, made: versions[at].version, before })
        };
        let replaced = tables.entries.keys().filter_map(|id| part(*id)).collect();
        Ok(Some(CommittedChange { journal, replaced }))
    }

    async fn last_undoable(&self) -> Result<Option<JournalRow>, StoreError> {
        let mine = |row: &&JournalRow| matches!(row.hand, Hand::Author | Hand::Import);
        let standing = |row: &&JournalRow| {
            row.undone_by.is_none() && !matches!(row.action, Action::Setup | Action::Undo)
        };
        let tables = self.tables();
        let wrote = |row: &&JournalRow| {
            let versions = tables.replaced.values().flatten().chain(tables.entries.values());
            versions.into_iter().any(|entry| entry.change == row.change)
        };
        Ok(tables.journal.iter().rev().filter(mine).filter(standing).find(wrote).cloned())
    }

    async fn history(&self, id: MemoryId) -> Result<Vec<HistoryVersion>, StoreError> {
        let tables = self.tables();
        let journal = |change| tables.journal.iter().find(|row| row.change == change).cloned();
        let version = |entry: &MemoryEntry| {
            journal(entry.change).map(|journal| HistoryVersion { entry: entry.clone(), journal })
        };
        Ok(tables.versions(id).into_iter().rev().filter_map(version).collect())
    }

    async fn by_external_ids(&self, place: Place, ids: &[String]) -> Result<Vec<MemoryEntry>, StoreError> {
        let wanted = |entry: &&MemoryEntry| {
            let id = entry.origin.as_ref().and_then(|o| o.external_id.as_ref());
            entry.place == place && id.is_some_and(|id| ids.contains(id))
        };
        Ok(self.tables().entries.values().filter(wanted).cloned().collect())
    }

    async fn mentioned_in(&self, text: &str, filter: &MemoryFilter) -> Result<Vec<StoredEntry>, StoreError> {
        let words = padded_words(text);
        let mentioned = |entry: &MemoryEntry| names_of(entry).any(|name| is_mentioned(name, &words));
        let found = self.tables().all().into_iter().filter(|stored| {
            stored.entry.is_active() && oracle::lets_through(filter, stored) && mentioned(&stored.entry)
        });
        Ok(found.collect())
    }

    async fn names(&self) -> Result<Vec<(String, MemoryId)>, StoreError> {
        let tables = self.tables();
        let active = tables.entries.values().filter(|e| e.is_active());
        Ok(active.flat_map(|e| names_of(e).map(|name| (name.to_owned(), e.id))).collect())
    }

    async fn named(&self) -> Result<Vec<MemoryEntry>, StoreError> {
        self.may_hang("named").await;
        let named = |e: &&MemoryEntry| e.is_active() && e.name.is_some() && e.kind == MemoryKind::Note;
        let mut found: Vec<MemoryEntry> = self.tables().entries.values().filter(named).cloned().collect();
        found.sort_by_cached_key(|e| (e.scope(), e.name.as_deref().map(key)));
        Ok(found)
    }

    async fn changes_of_run(&self, run: RunId) -> Result<Vec<JournalRow>, StoreError> {
        let tables = self.tables();
        Ok(tables.journal.iter().filter(|row| row.run == Some(run)).cloned().collect())
    }

    async fn written_by(&self, changes: &[ChangeId]) -> Result<Vec<(ChangeId, MemoryId)>, StoreError> {
        let tables = self.tables();
        let wrote = |id: &MemoryId, change: ChangeId| {
            let before = tables.replaced.get(id).into_iter().flatten();
            before.chain(tables.entries.get(id)).any(|version| version.change == change)
        };
        let first =
            |change: &ChangeId| Some((*change, *tables.entries.keys().find(|id| wrote(id, *change))?));
        Ok(changes.iter().filter_map(first).collect())
    }

    async fn journal(
        &self,
        before: Option<u64>,
        hand: Option<Hand>,
        limit: usize,
    ) -> Result<Vec<JournalRow>, StoreError> {
        let tables = self.tables();
        let wanted = |row: &&JournalRow| {
            before.is_none_or(|before| row.sequence < before) && hand.is_none_or(|only| row.by() == only)
        };
        Ok(tables.journal.iter().rev().filter(wanted).take(limit).cloned().collect())
    }

    async fn record_access(&self, accesses: &[Access]) -> Result<(), StoreError> {
        let mut tables = self.tables();
        for access in accesses {
            let own = |entry: &MemoryEntry| access.by.is_some_and(|client| entry.holds_words_of(client));
            if let Some(entry) = tables.entries.get_mut(&access.id).filter(|entry| !own(entry)) {
                entry.access_count += access.times;
                entry.accessed_at = entry.accessed_at.max(access.at);
            }
        }
        tables.announce(Topic::Memories);
        Ok(())
    }

    async fn mark_open(&self, day: NaiveDate) -> Result<(), StoreError> {
        self.tables().open_days.insert(day);
        Ok(())
    }

    async fn open_days(&self) -> Result<Vec<NaiveDate>, StoreError> {
        Ok(self.tables().open_days.iter().copied().collect())
    }
}
